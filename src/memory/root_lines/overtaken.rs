//! What later statements overtake: what was open and is done, or is in no newer list of what is open; a field that has a newer value.

use super::{ACTIVE_DAYS, Page};
use crate::memory::calendar::Day;
use crate::memory::language::{Role, hash_word, lexicon};
use crate::memory::statement::{Sort, Statement, label_of};
use crate::memory::words::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// Stands for every subject, where none is known.
const ANY: usize = usize::MAX;
/// The label of a field has so many words at most, and its value so many: longer ones tell something of their day, which stays true.
const LABEL_WORDS_MAX: usize = 3;
const VALUE_WORDS_MAX: usize = 8;

impl Page<'_> {
    /// The statements that do not hold any more. Without them a page knows the same of what comes, and says less that is not so.
    pub(super) fn overtaken(&self) -> FxHashSet<usize> {
        let all = || 0..self.statements.len();
        let mut ends: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for at in all().filter(|&at| matches!(self.statements[at].sort, Sort::Done | Sort::Decision)) {
            for subject in self.subjects_of(at).chain([ANY]) {
                ends.entry(subject).or_default().push(at);
            }
        }
        let opened = |at: usize| self.subjects_of(at).filter(move |_| self.statements[at].sort == Sort::Open);
        let newest_open = newest(all().flat_map(|at| opened(at).map(move |of| (of, at))), self.statements);
        let fields = newest(all().filter_map(|at| Some((self.field(at)?, at))), self.statements);
        let is_older =
            |newest: Option<&Day>, at: usize| newest.is_some_and(|day| *day > self.statements[at].day);
        let is_overtaken = |&at: &usize| {
            let told = &self.statements[at];
            let is_relisted = || is_older(opened(at).next().and_then(|best| newest_open.get(&best)), at);
            told.sort == Sort::Open
                && !self.is_due(at, &told.text)
                && (self.is_closed(at, &ends) || is_relisted())
                || self.field(at).is_some_and(|field| is_older(fields.get(&field), at))
        };
        all().filter(is_overtaken).collect()
    }

    /// The subjects of a statement, the best first.
    fn subjects_of(&self, at: usize) -> impl Iterator<Item = usize> {
        self.subjects.of[at].iter().map(|of| of.subject)
    }

    /// Whether a later statement on one of its subjects, done or decided, has half of the words of an open one, or that is older than Active
    /// Context and its subject was told again since. `ends` are such later statements by subject.
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
        let went_on = || self.subjects_of(at).next().is_some_and(|best| last(best) > Some(&told.day));
        let is_old = self.weights.age(told.day) > ACTIVE_DAYS;
        let any = self.subjects.of[at].is_empty().then_some(ANY);
        is_old && went_on() || self.subjects_of(at).chain(any).any(is_done)
    }

    /// Which field of which subject a statement gives the value of: "Repo: …", "Service status: …". What a label says of the kind of its
    /// text, "Lesson: …", holds something else each time.
    fn field(&self, at: usize) -> Option<(usize, u64)> {
        let told = &self.statements[at];
        let (label, value) = label_of(&told.text);
        let label = label.filter(|_| (1..=VALUE_WORDS_MAX).contains(&value.split_whitespace().count()))?;
        let is_field = matches!(told.sort, Sort::Plain | Sort::Done)
            && matches!(told.role, None | Some(Role::State))
            && told.speaker.is_none()
            && lexicon().label(&label).role.is_none_or(|role| role == Role::State)
            && label.split(' ').count() <= LABEL_WORDS_MAX;
        Some((self.subjects_of(at).next()?, hash_word(&label))).filter(|_| is_field)
    }
}

/// The newest day of each.
fn newest<Of: Hash + Eq>(
    told: impl Iterator<Item = (Of, usize)>,
    statements: &[Statement],
) -> FxHashMap<Of, Day> {
    let mut newest = FxHashMap::default();
    for (of, at) in told {
        let day = statements[at].day;
        newest
            .entry(of)
            .and_modify(|newest: &mut Day| *newest = day.max(*newest))
            .or_insert(day);
    }
    newest
}
