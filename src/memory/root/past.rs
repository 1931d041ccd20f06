//! ROOT's Historical Summary: a line for each month, quarter or year, as much as fits.

use std::collections::HashSet;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::history::{History, Phrase, Remembered};
use super::lines::{LINE_TOKENS_MIN, clean};
use super::{Budget, Costs};
use crate::memory::calendar::Day;
use crate::memory::hashing::Hashing;
use crate::memory::tokens::Cost;
use crate::memory::topic::with_key;

/// For so many tokens a month room is kept.
const MONTH_TOKENS: usize = 100;
/// Most phrases of a line that takes what is left.
const PHRASES_MAX: usize = 60;

/// How fine the history is drawn, from the finest to the coarsest: months up to so many months back, then quarters up to so many,
/// then years; and most phrases a line, from the most.
const DETAILS: [(usize, usize, &[usize]); 8] = [
    (1200, 0, &[24, 21, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4]),
    (24, 0, &[5]),
    (18, 24, &[5]),
    (12, 24, &[4]),
    (6, 24, &[3]),
    (3, 12, &[3]),
    (1, 4, &[2]),
    (1, 1, &[1]),
];

/// A phrase of a month, and whether the index shows its topic already.
struct Told<'a> {
    shown: bool,
    weight: u32,
    topic: u64,
    phrase: &'a Phrase,
}

/// How many tokens are kept for the history before the index is made: no more than it may use, whatever it says.
pub(super) fn room(history: &History, tokens_max: usize) -> usize {
    tokens_max.min(MONTH_TOKENS * history.months.len())
}

/// The Historical Summary while it is made.
#[derive(Default)]
pub(super) struct Past<'a> {
    /// Each line, how many phrases it says, and how it reads.
    lines: Vec<(Line<'a>, usize, String)>,
    /// What the lines cost together.
    pub(super) cost: Cost,
}

/// The finest history that fits, or none. What the index shows already stands behind what it does not; of the month under way only the
/// latter is said.
pub(super) fn within<'a>(
    history: &'a History,
    today: Day,
    shown: &HashSet<String>,
    tokens_max: usize,
    costs: &mut Costs,
) -> Past<'a> {
    // No line of it costs fewer tokens than this, so the finest need not be counted where months abound. Of the month under way there
    // may be nothing to say.
    let lines_max = tokens_max / LINE_TOKENS_MIN + 1;
    let shown: HashSet<u64, Hashing> = shown.iter().map(|topic| xxh3_64(topic.as_bytes())).collect();
    let is_open = |month: &Remembered| month.is_open(today);
    let months: Vec<Vec<Told<'_>>> = history
        .months
        .iter()
        .map(|month| {
            let told = month
                .phrases
                .iter()
                .map(|phrase| told(phrase, &shown, is_open(month)));
            told.filter(|told| !(told.shown && is_open(month))).collect()
        })
        .collect();
    for (back, quarters, steps) in DETAILS {
        let groups = groups(history, back, quarters);
        if groups.len() > lines_max {
            continue;
        }
        let line = |group: Range<usize>| {
            let open = history.months[group.clone()].iter().any(is_open);
            let line = Line {
                label: label(&history.months[group.clone()]),
                phrases: phrases(&months[group.clone()], steps[0]),
                group,
            };
            (!open || !line.phrases.is_empty()).then_some(line)
        };
        let lines: Vec<Line<'_>> = groups.into_iter().filter_map(line).collect();
        let mut cost = |phrases_max: usize| -> Cost {
            lines
                .iter()
                .map(|line| costs.line(&line.print(phrases_max)))
                .sum()
        };
        // Fewer phrases cost less, so the finest of the steps is found by halves.
        let step = steps.partition_point(|&phrases_max| cost(phrases_max).tokens() > tokens_max);
        if let Some(&phrases_max) = steps.get(step) {
            let cost = cost(phrases_max);
            let lines = lines.into_iter().map(|line| {
                let text = line.print(phrases_max);
                let phrases = phrases(&months[line.group.clone()], PHRASES_MAX);
                (Line { phrases, ..line }, phrases_max, text)
            });
            return Past {
                lines: lines.collect(),
                cost,
            };
        }
    }
    Past::default()
}

impl Past<'_> {
    /// Spends what is left on the newest line, and when it has no more to say on the one before it: what comes and goes here is the end
    /// of one line.
    pub(super) fn extend(&mut self, budget: &mut Budget<'_>) {
        for (line, said, standing) in self.lines.iter_mut().rev() {
            while *said < line.phrases.len() {
                let longer = line.print(*said + 1);
                let (cost, before) = (budget.costs.line(&longer), budget.costs.line(standing));
                if !budget.afford(cost, before) {
                    return;
                }
                (*said, *standing) = (*said + 1, longer);
            }
        }
    }

    /// The lines, oldest first.
    pub(super) fn lines(self) -> Vec<String> {
        self.lines.into_iter().map(|(.., line)| line).collect()
    }
}

/// How much is known to have been said of a topic changes with what is said of others, until the month is over: of an open one the
/// days alone count.
fn told<'a>(phrase: &'a Phrase, shown: &HashSet<u64, Hashing>, is_open: bool) -> Told<'a> {
    let topic = xxh3_64(phrase.topic.as_bytes());
    Told {
        shown: shown.contains(&topic),
        weight: phrase.days * 4 + if is_open { 0 } else { phrase.said },
        topic,
        phrase,
    }
}

/// The months that share a line in so much detail, by their places, oldest first.
fn groups(history: &History, months: usize, quarters: usize) -> Vec<Range<usize>> {
    let count = history.months.len();
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (at, month) in history.months.iter().enumerate() {
        let back = count - at;
        let same_quarter =
            |other: &Remembered| other.year == month.year && (other.month - 1) / 3 == (month.month - 1) / 3;
        let joins = |before: &Remembered| {
            back > months
                && if back <= quarters {
                    same_quarter(before)
                } else {
                    before.year == month.year
                }
        };
        match groups.last_mut() {
            Some(group) if joins(&history.months[at - 1]) => group.end = at + 1,
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

/// A line of the history, and what it could say, the weightiest first.
struct Line<'a> {
    label: String,
    /// The places of its months.
    group: Range<usize>,
    phrases: Vec<&'a str>,
}

impl Line<'_> {
    fn print(&self, phrases_max: usize) -> String {
        let said = &self.phrases[..self.phrases.len().min(phrases_max)];
        let line = if said.is_empty() {
            format!("- {}", self.label)
        } else {
            format!("- {}: {}", self.label, said.join("; "))
        };
        clean(line)
    }
}

fn label(group: &[Remembered]) -> String {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    match group.len() {
        1 => format!("{:04}-{:02}", first.year, first.month),
        12 => format!("{:04}", first.year),
        _ => format!("{:04}-{:02}~{:02}", first.year, first.month, last.month),
    }
}

/// The weightiest phrases of some months, one a topic, none twice.
fn phrases<'a>(months: &[Vec<Told<'a>>], phrases_max: usize) -> Vec<&'a str> {
    let mut told: Vec<&Told<'a>> = months.iter().flatten().collect();
    told.sort_by_key(|told| (told.shown, std::cmp::Reverse(told.weight)));
    let mut said: Vec<&str> = Vec::with_capacity(phrases_max);
    let mut known: HashSet<u64, Hashing> = HashSet::default();
    let mut topics: HashSet<u64, Hashing> = HashSet::default();
    let mut room = Vec::new();
    for told in told {
        if said.len() == phrases_max {
            break;
        }
        if topics.insert(told.topic) && known.insert(xxh3_64(with_key(&told.phrase.text, &mut room))) {
            said.push(&told.phrase.text);
        }
    }
    said
}

#[cfg(test)]
mod tests;
