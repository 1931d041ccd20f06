//! What a word is worth: how likely the next day is to come back to it.

use super::calendar::Day;
use super::kind::{self, Kind};
use super::language::{ASK, BACK, Cues, NONE, ROUTINE, Speaker, lexicon};
use super::statement::{Sort, Statement, label_of};
use super::text::is_listed;
use super::words::{Class, Term, Word};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How fast a word is forgotten, by days on which something was told: a word of the last day comes back several times as often as one of the
/// day before, then the rate falls slowly. On all mornings of 25 workspaces, 60 at most of each, a page knows 0.231 of what comes with 4,
/// 0.234 with 5, 0.230 with 6.
const LAST_DAY: f64 = 5.0;
const FORGETTING: f64 = 0.4;
/// The same for the statement as a whole, whose words may be newer than what it says of them.
const FADING: f64 = 0.3;
/// What being told on many days adds: such words come back 2 to 4 times as often as those of one day. 3 costs 0.01 beside
/// this, 1 changes nothing.
const REPEATED: f64 = 0.7;
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
/// What tells that nothing happened, "Alerts: none pending", or how something was looked at, "Command: …", "verified the build"; and how far
/// behind its label the word stands that says so, in bytes.
pub const QUIET: f64 = 0.4;
const QUIET_BYTES: usize = 14;
/// What is said in conversations is seldom what somebody comes back to, least of all what the assistant answered and what was asked for. 1
/// and 0.3 for the first two: ROOT of 30 days of conversations states 90 of the 398 facts that the daily nodes know of the person; with
/// these it states 115.
const SAID: f64 = 0.2;
const ANSWERED: f64 = 0.1;
const ASKED: f64 = 0.4;
/// A request begins with its verb, within so many bytes.
const ASKED_BYTES: u32 = 32;
/// What the person told of themselves is, however long ago, and its words are never worth less than the second.
const LASTING: f64 = 2.0;
const LASTING_MIN: f64 = 0.2;

#[derive(Default)]
pub struct Weights {
    terms: FxHashMap<Term, (f64, u32)>,
    ages: BTreeMap<Day, usize>,
    factors: Vec<Factor>,
}

/// By what the terms of a statement are multiplied, and what each is worth at least before that.
#[derive(Clone, Copy)]
struct Factor {
    by: f64,
    least: f64,
}

/// What the days so far tell of a term.
#[derive(Clone, Copy, Default)]
struct Told {
    /// The newest day, counted from the first.
    last: usize,
    days: u32,
    /// In how many statements of that day.
    count: u32,
}

impl Weights {
    /// Weighs the words of statements. Only those at the places for which `counts` holds make a word heavy or a day old. Age counts days on
    /// which something was told: a week of silence makes nothing older.
    pub fn of(statements: &[Statement], counts: impl Fn(usize) -> bool) -> Self {
        let places = (0..statements.len()).filter(|&at| counts(at));
        let mut order: Vec<&Statement> = places.map(|at| &statements[at]).collect();
        order.sort_by_key(|told| told.day);
        let days: BTreeSet<Day> = order.iter().map(|told| told.day).collect();
        let ages = days.iter().rev().enumerate();
        let ages: BTreeMap<Day, usize> = ages.map(|(age, day)| (*day, age)).collect();
        let mut told: FxHashMap<Term, Told> = FxHashMap::default();
        let mut terms: Vec<Term> = Vec::new();
        for statement in order {
            let at = days.len() - 1 - ages[&statement.day];
            terms.clear();
            terms.extend(statement.words.terms());
            terms.sort_unstable();
            terms.dedup();
            for term in &terms {
                let Told { last, days, count } = told.entry(*term).or_default();
                if *days == 0 || *last != at {
                    (*last, *days, *count) = (at, *days + 1, 0);
                }
                *count += 1;
            }
        }
        let common = (days.len() as f64 / 5.0).max(2.0);
        let weigh = |told: Told| (worth(told, days.len() - 1 - told.last, common), told.days);
        let factors = statements
            .iter()
            .map(|told| factor(told, ages.get(&told.day).copied().unwrap_or(0)));
        Self {
            terms: told.into_iter().map(|(term, told)| (term, weigh(told))).collect(),
            factors: factors.collect(),
            ages,
        }
    }

    pub fn term(&self, term: Term) -> f64 {
        self.terms.get(&term).map_or(0.0, |(weight, _)| *weight)
    }

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

    pub fn days(&self) -> usize {
        self.ages.len()
    }

    /// What a term is worth in a statement, by its place.
    pub fn term_in(&self, at: usize, term: Term) -> f64 {
        let Factor { by, least } = self.factors[at];
        by * self.term(term).max(least)
    }

    /// The sum of the heaviest terms of a statement, by its place.
    pub fn sum(&self, at: usize, statement: &Statement, most: usize) -> f64 {
        let terms = statement.words.terms().iter();
        let mut weights: Vec<f64> = terms.map(|term| self.term_in(at, *term)).collect();
        weights.sort_by(|one, other| other.total_cmp(one));
        weights.iter().take(most).sum()
    }
}

/// What a statement counts for: for its age, for what is open or decided, for numbers and paths, for who says it.
fn factor(statement: &Statement, age: usize) -> Factor {
    let fading = (1.0 + age as f64).powf(-FADING);
    let (mut by, least) = match statement.speaker {
        Some(Speaker::Assistant | Speaker::Tool) => (fading * ANSWERED, 0.0),
        Some(Speaker::User) => {
            let verdict = kind::kind_of(statement, None);
            if verdict.kind == Kind::User && verdict.strength > 0.0 {
                (LASTING, LASTING_MIN)
            } else if kind::is_question(&statement.text) || statement.words.begins(ASK, ASKED_BYTES) {
                (fading * SAID * ASKED, 0.0)
            } else {
                (fading * SAID, 0.0)
            }
        }
        None => (fading, 0.0),
    };
    if matches!(statement.sort, Sort::Open | Sort::Decision) {
        by *= WEIGHTY;
    }
    if says_little(statement)
        || statement.speaker.is_none() && (statement.words.begins(BACK, 1) || came_to_nothing(statement))
    {
        by *= QUIET;
    }
    let is_precise = |word: &Word| matches!(word.class, Class::Code | Class::Number);
    if statement.words.words.iter().any(is_precise) {
        by *= PRECISE;
    }
    Factor { by, least }
}

/// Whether a statement says how something was looked at or kept, or begins by saying that there is nothing, perhaps behind its label.
pub fn says_little(statement: &Statement) -> bool {
    let text = &statement.text;
    let (label, rest) = label_of(text);
    let is_minor = || statement.speaker.is_none() && label.is_some_and(|label| lexicon().label(&label).minor);
    let start = text.len() - rest.len();
    let is_none =
        |&(at, cues): &(u32, Cues)| cues & NONE != 0 && (start..start + QUIET_BYTES).contains(&(at as usize));
    statement.sort == Sort::Plain && (statement.words.signs.iter().any(is_none) || is_minor())
}

/// Whether a statement tells of a look or a repetition, and of nothing that came of it: "Verified the quay". "Checked the quay: it is too
/// short" says more.
fn came_to_nothing(statement: &Statement) -> bool {
    const MORE: [&str; 5] = [" - ", " that ", " found ", " because ", " but "];
    const NOTES: &str = "memory notes log logs";
    let text = &statement.text;
    // "Reviewed 2026-03-14 notes: crane, quay": what an agent read of its own.
    let mut words = text.split([' ', ':']).skip(1);
    let is_of_day = words
        .next()
        .is_some_and(|word| Day::parse(word).is_some() || word == "yesterday's");
    let is_of_notes = is_of_day && words.next().is_some_and(|word| is_listed(word, NOTES));
    matches!(statement.sort, Sort::Plain | Sort::Done)
        && statement.words.begins(ROUTINE, 1)
        && (is_of_notes || !text.contains([':', '：', '—', '–', '→', ';', ',', '，']))
        && !MORE.iter().any(|more| text.contains(more))
}

fn worth(told: Told, age: usize, common: f64) -> f64 {
    let fresh = if age == 0 { LAST_DAY } else { (age as f64).powf(-FORGETTING) };
    let mut worth = fresh / LAST_DAY * (1.0 + REPEATED * (1.0 - 1.0 / f64::from(told.days)));
    worth *= 1.0 + DWELT_ON * f64::from(told.count.min(DWELT_MAX)).ln();
    if f64::from(told.days) > common {
        worth *= COMMON;
    }
    worth
}

#[cfg(test)]
mod tests;
