//! What later statements overtake: an open item that is done, or that a newer list of its subject leaves out or repeats; the old value of a
//! field. Without this, readers of eight pages called some 18 lines of each wrong, torn or stale, many of them such items.

use super::{ACTIVE_DAYS, Page};
use crate::memory::calendar::Day;
use crate::memory::language::hash_word;
use crate::memory::statement::{Sort, label_of};
use crate::memory::text::is_listed;
use crate::memory::words::{Term, Words};
use rustc_hash::{FxHashMap, FxHashSet};

/// Stands for every subject, where none is known.
const ANY: usize = usize::MAX;
/// So many open items of one subject on one day are a list of what is next. A single one may belong to an older list.
const LIST_MIN: usize = 2;
/// A value has so many words at most: what is longer tells something of its day, which stays true.
const VALUE_WORDS_MAX: usize = 8;
/// The last word of a label that names a field with one value at a time. "Fix", "Idea" or somebody's name hold something else each time.
const FIELDS: &str = "status state progress version repo repository branch port path url host hosting domain database db model price \
                      deadline score fortschritt état statut estado статус состояние прогресс";
const UNSPACED_FIELDS: [&str; 14] = [
    "状态", "狀態", "进度", "進度", "版本", "分支", "端口", "路径", "路徑", "域名", "价格", "状況", "状態",
    "進捗",
];

impl Page<'_> {
    /// The statements that do not hold any more.
    pub(super) fn overtaken(&self) -> FxHashSet<usize> {
        let all = || 0..self.statements.len();
        let mut ends: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for at in all().filter(|&at| matches!(self.statements[at].sort, Sort::Done | Sort::Decision)) {
            for subject in self.subjects_of(at).chain([ANY]) {
                ends.entry(subject).or_default().push(at);
            }
        }
        let mut open_items: FxHashMap<(usize, Day), usize> = FxHashMap::default();
        let items = all().filter(|&at| self.is_open_item(at) && self.is_noted(at));
        for of_day in items.filter_map(|at| Some((self.best_subject(at)?, self.statements[at].day))) {
            *open_items.entry(of_day).or_default() += 1;
        }
        let lists = open_items.into_iter().filter(|(_, count)| *count >= LIST_MIN);
        let lists = newest(lists.map(|(of_day, _)| of_day));
        let fields: Vec<Option<(usize, u64)>> = all().map(|at| self.field(at)).collect();
        let told = fields.iter().zip(self.statements);
        let values = newest(told.filter_map(|(field, told)| Some(((*field)?, told.day))));
        let is_overtaken = |&at: &usize| {
            let told = &self.statements[at];
            let is_older = |newest: Option<&Day>| newest.is_some_and(|day| *day > told.day);
            let newer_list = || self.best_subject(at).and_then(|best| lists.get(&best));
            let is_relisted = || self.is_noted(at) && is_older(newer_list());
            match told.sort {
                Sort::Open => is_relisted() && !self.is_due(at, &told.text) || self.is_closed(at, &ends),
                _ => is_older(fields[at].and_then(|field| values.get(&field))),
            }
        };
        all().filter(is_overtaken).collect()
    }

    /// The subjects of a statement, the best first.
    fn subjects_of(&self, at: usize) -> impl Iterator<Item = usize> {
        self.subjects.of[at].iter().map(|of| of.subject)
    }

    fn best_subject(&self, at: usize) -> Option<usize> {
        self.subjects_of(at).next()
    }

    /// Whether a statement is no part of a conversation, where people tell what they plan, and gives a model no orders.
    fn is_noted(&self, at: usize) -> bool {
        let told = &self.statements[at];
        told.speaker.is_none() && !told.hostile
    }

    /// Whether an open statement is done: a later one on one of its subjects, done or decided, has half of its words. What is older than
    /// Active Context is, too, when its subject was told again since. `ends` are the done and decided ones by subject.
    fn is_closed(&self, at: usize, ends: &FxHashMap<usize, Vec<usize>>) -> bool {
        let told = &self.statements[at];
        let is_done = |subject: usize| {
            // The name of the subject is said by all that is told of it.
            let own = self.subjects.list.get(subject).map(|subject| &subject.terms);
            let terms = told.words.terms().iter();
            let terms: Vec<&Term> = terms.filter(|term| !own.is_some_and(|own| own.contains(term))).collect();
            let closes = |&end: &usize| {
                let done = self.statements[end].words.terms();
                let both = terms.iter().filter(|term| done.contains(term)).count();
                let is_enough = both > usize::from(subject == ANY) && both * 2 >= terms.len();
                is_enough && (self.statements[end].day, end) > (told.day, at)
            };
            ends.get(&subject).into_iter().flatten().any(closes)
        };
        let last = |subject: usize| self.subjects.list[subject].days.last();
        let went_on = || self.best_subject(at).is_some_and(|best| last(best) > Some(&told.day));
        let is_old = self.weights.age(told.day) > ACTIVE_DAYS;
        let any = self.subjects.of[at].is_empty().then_some(ANY);
        is_old && went_on() || self.subjects_of(at).chain(any).any(is_done)
    }

    /// Which field of which subject a statement gives the value of: "Repo: …", "Service status: …".
    fn field(&self, at: usize) -> Option<(usize, u64)> {
        let told = &self.statements[at];
        if !self.is_noted(at) || !matches!(told.sort, Sort::Plain | Sort::Done) {
            return None;
        }
        let (Some(label), value) = label_of(&told.text) else {
            return None;
        };
        let last = label.rsplit(' ').next().unwrap_or_default();
        let is_field = is_listed(&last.to_lowercase(), FIELDS)
            || UNSPACED_FIELDS.iter().any(|field| label.ends_with(field));
        let is_short = (1..=VALUE_WORDS_MAX).contains(&Words::of(value, 0).count());
        (is_field && is_short).then_some((self.best_subject(at)?, hash_word(&label)))
    }
}

/// The newest day of each.
fn newest<Of: std::hash::Hash + Eq>(told: impl Iterator<Item = (Of, Day)>) -> FxHashMap<Of, Day> {
    let mut newest = FxHashMap::default();
    for (of, day) in told {
        let known = newest.entry(of).or_insert(day);
        *known = day.max(*known);
    }
    newest
}
