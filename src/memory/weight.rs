//! What a word is worth: how likely the next day is to come back to it.

use super::calendar::Day;
use super::language::Speaker;
use super::statement::{Sort, Statement};
use super::words::{Class, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How fast a word is forgotten, by days on which something was told. Measured on six workspaces: a word of the last day comes back 2 to 10
/// times as often as one of the day before, then the rate falls slowly, so a power and no half-life; 0.7 costs 0.002 of what a page knows.
const FORGETTING: f64 = 1.0;
/// The same for the statement as a whole, whose words may be newer than what it says of them. 0 costs 0.02, 0.5 costs 0.006.
const FADING: f64 = 0.3;
/// What being told on many days adds: such words come back 2 to 4 times as often as those of one day.
const REPEATED: f64 = 1.5;
/// What being told in several statements of its last day adds: they come back 5 to 10 times as often. 0 costs 0.013, 1 costs 0.003.
const DWELT_ON: f64 = 0.5;
/// Statements of a day that still add to that.
const DWELT_MAX: u32 = 8;
/// What is told on more than a fifth of the days is the form of the logs: between 0.02 and 0.15 nothing changes.
const COMMON: f64 = 0.15;
/// What is open or decided counts for more. Chosen for readers: it brings nothing to the measure.
const WEIGHTY: f64 = 1.2;
/// So do numbers, paths and identifiers.
const PRECISE: f64 = 1.1;
/// What an assistant answered is seldom what somebody comes back to.
const ANSWERED: f64 = 0.3;

/// The weights of terms and statements of a period.
pub struct Weights {
    terms: FxHashMap<Term, (f64, u32)>,
    ages: BTreeMap<Day, usize>,
}

/// What the days so far tell of a term.
#[derive(Clone, Copy)]
struct Told {
    /// The newest day, counted from the first.
    last: usize,
    days: u32,
    /// In how many statements of that day.
    count: u32,
}

impl Weights {
    /// Weighs what statements say. Age counts days on which something was told: a week of silence makes nothing older.
    pub fn of(statements: &[Statement]) -> Self {
        let days: Vec<Day> = statements
            .iter()
            .map(|told| told.day)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let ages: BTreeMap<Day, usize> = days
            .iter()
            .rev()
            .enumerate()
            .map(|(age, day)| (*day, age))
            .collect();
        let mut order: Vec<&Statement> = statements.iter().collect();
        order.sort_by_key(|told| told.day);
        let mut told: FxHashMap<Term, Told> = FxHashMap::default();
        let mut terms: Vec<Term> = Vec::new();
        for statement in order {
            let at = days.len() - 1 - ages[&statement.day];
            terms.clear();
            terms.extend(statement.words.terms());
            terms.sort_unstable();
            terms.dedup();
            for term in &terms {
                let entry = told.entry(*term).or_insert(Told {
                    last: usize::MAX,
                    days: 0,
                    count: 0,
                });
                if entry.last != at {
                    *entry = Told {
                        last: at,
                        days: entry.days + 1,
                        count: 0,
                    };
                }
                entry.count += 1;
            }
        }
        let common = (days.len() as f64 / 5.0).max(2.0);
        let terms = told
            .into_iter()
            .map(|(term, told)| (term, (worth(told, days.len() - 1 - told.last, common), told.days)))
            .collect();
        Self { terms, ages }
    }

    /// The weight of a term.
    pub fn term(&self, term: Term) -> f64 {
        self.terms.get(&term).map_or(0.0, |(weight, _)| *weight)
    }

    /// On how many days a term was told.
    pub fn days_of(&self, term: Term) -> usize {
        self.terms.get(&term).map_or(0, |(_, days)| *days as usize)
    }

    /// How much a day still counts where its words do not.
    pub fn recency(&self, day: Day) -> f64 {
        (1.0 + self.age(day) as f64).powf(-0.7)
    }

    /// How many days on which something was told came after this one.
    pub fn age(&self, day: Day) -> usize {
        self.ages.get(&day).copied().unwrap_or(0)
    }

    /// The days on which something was told.
    pub fn days(&self) -> usize {
        self.ages.len()
    }

    /// By what a statement's terms are multiplied: for its age, for what is open or decided, for numbers and paths, for who says it.
    pub fn statement(&self, statement: &Statement) -> f64 {
        let mut factor = (1.0 + self.age(statement.day) as f64).powf(-FADING);
        if matches!(statement.sort, Sort::Open | Sort::Decision) {
            factor *= WEIGHTY;
        }
        if statement
            .words
            .words
            .iter()
            .any(|word| matches!(word.class, Class::Code | Class::Number))
        {
            factor *= PRECISE;
        }
        if matches!(statement.speaker, Some(Speaker::Assistant | Speaker::Tool)) {
            factor *= ANSWERED;
        }
        factor
    }

    /// The sum of the heaviest terms of a statement.
    pub fn sum(&self, statement: &Statement, most: usize) -> f64 {
        let mut weights: Vec<f64> = statement
            .words
            .terms()
            .iter()
            .map(|term| self.term(*term))
            .collect();
        weights.sort_by(|one, other| other.total_cmp(one));
        weights.iter().take(most).sum()
    }
}

fn worth(told: Told, age: usize, common: f64) -> f64 {
    let mut worth =
        (1.0 + age as f64).powf(-FORGETTING) * (1.0 + REPEATED * (1.0 - 1.0 / f64::from(told.days)));
    worth *= 1.0 + DWELT_ON * f64::from(told.count.min(DWELT_MAX)).ln();
    if f64::from(told.days) > common {
        worth *= COMMON;
    }
    worth
}

#[cfg(test)]
mod tests;
