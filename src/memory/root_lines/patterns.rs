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
struct Phrase {
    /// Where it was said first: the statement, and the first of its words.
    first: (usize, usize),
    words: usize,
    days: BTreeSet<Day>,
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
        let mut phrases: FxHashMap<Vec<Term>, Phrase> = FxHashMap::default();
        for &at in of {
            let told = &self.statements[at];
            let words = told.words.words.iter();
            let says: Vec<bool> = words.map(|word| self.says_something(told, word)).collect();
            for first in 0..says.len() {
                for count in 1..=WORDS_MAX {
                    if says.get(first + count - 1) != Some(&true) {
                        break;
                    }
                    let Some(terms) = terms_in_a_row(told, first, count) else {
                        break;
                    };
                    if terms.iter().all(|term| own.contains(term)) {
                        continue;
                    }
                    let entry = phrases.entry(terms).or_insert_with(|| Phrase {
                        first: (at, first),
                        words: count,
                        days: BTreeSet::new(),
                    });
                    entry.days.insert(told.day);
                }
            }
        }
        let least = DAYS_MIN
            .min(self.subjects.list[subject].days.len().div_ceil(3))
            .max(2);
        let worth = |phrase: &Phrase| phrase.days.len() as f64 * (phrase.words as f64).sqrt();
        let mut ranked: Vec<(f64, &str, &[Term], &Phrase)> = phrases
            .iter()
            .filter(|(_, phrase)| phrase.days.len() >= least)
            .map(|(terms, phrase)| (worth(phrase), self.spelled(phrase), terms.as_slice(), phrase))
            .collect();
        ranked.sort_by(|one, other| {
            other
                .0
                .total_cmp(&one.0)
                .then((one.1, one.2).cmp(&(other.1, other.2)))
        });
        let mut out = Vec::new();
        for (_, text, terms, phrase) in ranked {
            if out.len() < PHRASES_MAX
                && !terms.iter().any(|term| said.contains(term))
                && self.is_named(phrase)
            {
                said.extend(terms);
                out.push(text.to_owned());
            }
        }
        out
    }

    fn words_of(&self, phrase: &Phrase) -> (&str, &[Word]) {
        let (at, first) = phrase.first;
        let told = &self.statements[at];
        (&told.text, &told.words.words[first..first + phrase.words])
    }

    fn spelled(&self, phrase: &Phrase) -> &str {
        let (text, words) = self.words_of(phrase);
        &text[words[0].start as usize..words[phrase.words - 1].end as usize]
    }

    /// Whether each word of a phrase may stand in a name: months and weekdays may not.
    fn is_named(&self, phrase: &Phrase) -> bool {
        let (text, words) = self.words_of(phrase);
        words.iter().all(|word| topic::name(word.text(text)).is_some())
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
fn terms_in_a_row(told: &Statement, first: usize, count: usize) -> Option<Vec<Term>> {
    let words = told.words.words.get(first..first + count)?;
    let joined = words.windows(2).all(|pair| {
        matches!(
            &told.text[pair[0].end as usize..pair[1].start as usize],
            " " | "-"
        )
    });
    let terms = words.iter().flat_map(|word| told.words.terms_of(word));
    joined.then(|| terms.copied().collect())
}
