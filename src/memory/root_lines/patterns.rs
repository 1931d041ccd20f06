//! Recent Patterns: subjects of three days and more, with what their statements have in common.

use super::Page;
use crate::memory::calendar::Day;
use crate::memory::language::{COMMON, DECIDE, DID, DONE, NEXT, NOT, OPEN, STOP};
use crate::memory::select::best_first;
use crate::memory::statement::Statement;
use crate::memory::topic;
use crate::memory::words::{Class, Term, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// On so many days something recurs (SPEC section 9).
const DAYS_MIN: usize = 3;
/// Subjects that are looked at, and phrases that are said of each.
const SUBJECTS_MAX: usize = 14;
const PHRASES_MAX: usize = 4;
const WORDS_MAX: usize = 3;

/// Some words that several statements have in common.
struct Phrase<'a> {
    /// The statement that said it first, and its words there.
    text: &'a str,
    words: &'a [Word],
    days: BTreeSet<Day>,
}

impl Phrase<'_> {
    fn worth(&self) -> f64 {
        self.days.len() as f64 * (self.words.len() as f64).sqrt()
    }

    fn spelled(&self) -> &str {
        &self.text[self.words[0].start as usize..self.words[self.words.len() - 1].end as usize]
    }

    /// Whether each of its words may stand in a name: months and weekdays may not.
    fn is_named(&self) -> bool {
        let mut words = self.words.iter();
        words.all(|word| topic::name(word.text(self.text)).is_some())
    }
}

impl Page<'_> {
    pub(super) fn patterns(&self, budget: usize) -> Vec<String> {
        let subjects = &self.subjects.list;
        let recurs = |at: &usize| subjects[*at].days.len() >= DAYS_MIN && subjects[*at].quality >= 1.0;
        let recencies = |at: usize| subjects[at].days.iter().map(|day| self.weights.recency(*day));
        let weighed = (0..subjects.len())
            .filter(recurs)
            .map(|at| (recencies(at).sum(), at));
        let mut ranked = best_first(weighed);
        ranked.truncate(SUBJECTS_MAX);
        let mut of: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (at, candidates) in self.subjects.of.iter().enumerate() {
            for candidate in candidates {
                of.entry(candidate.subject).or_default().push(at);
            }
        }
        let (mut lines, mut left) = (Vec::new(), budget);
        let mut said: FxHashSet<Term> = FxHashSet::default();
        for subject in ranked {
            let phrases = self.shared(subject, of.get(&subject).map_or(&[], Vec::as_slice), &mut said);
            let (name, days) = (&subjects[subject].name, self.days_told(subject));
            let line = format!("- {name}: on {days} days; {}", phrases.join(", "));
            let cost = (self.cost)(&line) + 1;
            if phrases.len() > 1 && cost <= left {
                left -= cost;
                lines.push(line);
            }
        }
        lines
    }

    /// On how many days a subject was told: what the nodes count, where of old months not all statements are there.
    fn days_told(&self, subject: usize) -> usize {
        let subject = &self.subjects.list[subject];
        let counted = (self.topic)(&subject.name).map_or(0, |topic| topic.count() as usize);
        subject.days.len().max(counted)
    }

    /// The phrases that a subject's statements share on most days, those left out that another pattern has said.
    fn shared(&self, subject: usize, of: &[usize], said: &mut FxHashSet<Term>) -> Vec<String> {
        let own = &self.subjects.list[subject].terms;
        let mut phrases: FxHashMap<Vec<Term>, Phrase<'_>> = FxHashMap::default();
        for &at in of {
            let told = &self.statements[at];
            let words = told.words.words.iter();
            let says: Vec<bool> = words.map(|word| self.says_something(told, word)).collect();
            for first in 0..says.len() {
                for count in 1..=WORDS_MAX {
                    if says.get(first + count - 1) != Some(&true) {
                        break;
                    }
                    let words = &told.words.words[first..first + count];
                    let Some(terms) = terms_in_a_row(told, words) else {
                        break;
                    };
                    if terms.iter().all(|term| own.contains(term)) {
                        continue;
                    }
                    let entry = phrases.entry(terms).or_insert_with(|| Phrase {
                        text: &told.text,
                        words,
                        days: BTreeSet::new(),
                    });
                    entry.days.insert(told.day);
                }
            }
        }
        let least = DAYS_MIN
            .min(self.subjects.list[subject].days.len().div_ceil(3))
            .max(2);
        phrases.retain(|_, phrase| phrase.days.len() >= least);
        let mut ranked: Vec<(Vec<Term>, Phrase<'_>)> = phrases.into_iter().collect();
        ranked.sort_by(|(one_terms, one), (other_terms, other)| {
            let by_worth = other.worth().total_cmp(&one.worth());
            by_worth.then_with(|| (one.spelled(), one_terms).cmp(&(other.spelled(), other_terms)))
        });
        let mut out = Vec::new();
        for (terms, phrase) in ranked {
            let is_new = !terms.iter().any(|term| said.contains(term));
            if out.len() < PHRASES_MAX && is_new && phrase.is_named() {
                said.extend(terms);
                out.push(phrase.spelled().to_owned());
            }
        }
        out
    }

    fn says_something(&self, told: &Statement, word: &Word) -> bool {
        let dull = word.cues & (STOP | COMMON | NOT | DID | DONE | DECIDE | OPEN | NEXT) != 0
            || word.class == Class::Number;
        let terms = told.words.terms_of(word);
        let text = word.text(&told.text);
        let long = word.class == Class::Unspaced && text.chars().count() > 8;
        // What is said on every other day is the form, not the matter.
        let form =
            |term: &Term| self.weights.days() > 6 && self.weights.days_of(*term) * 2 > self.weights.days();
        !dull && !long && !terms.is_empty() && !terms.iter().all(form)
    }
}

/// The terms of some words in a row, if nothing but spaces and hyphens parts them.
fn terms_in_a_row(told: &Statement, words: &[Word]) -> Option<Vec<Term>> {
    let gap = |pair: &[Word]| &told.text[pair[0].end as usize..pair[1].start as usize];
    let joined = words.windows(2).all(|pair| matches!(gap(pair), " " | "-"));
    let terms = words.iter().flat_map(|word| told.words.terms_of(word));
    joined.then(|| terms.copied().collect())
}
