//! ROOT's Historical Summary: a line for each month, quarter or year, as much as fits.

use std::collections::HashSet;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::Costs;
use super::history::{History, Phrase, Remembered};
use super::lines::{LINE_TOKENS_MIN, clean};
use crate::memory::hashing::Hashing;
use crate::memory::topic::with_key;

/// How fine the history is drawn, from the finest to the coarsest: months up to so many months back, then quarters up to so many,
/// then years; and phrases a line.
const DETAILS: [(usize, usize, usize); 20] = [
    (1200, 0, 24),
    (1200, 0, 21),
    (1200, 0, 18),
    (1200, 0, 16),
    (1200, 0, 14),
    (1200, 0, 12),
    (1200, 0, 10),
    (1200, 0, 9),
    (1200, 0, 8),
    (1200, 0, 7),
    (1200, 0, 6),
    (1200, 0, 5),
    (1200, 0, 4),
    (24, 0, 5),
    (18, 24, 5),
    (12, 24, 4),
    (6, 24, 3),
    (3, 12, 3),
    (1, 4, 2),
    (1, 1, 1),
];

/// A phrase of a month, and whether the index shows its topic already.
struct Told<'a> {
    shown: bool,
    topic: u64,
    phrase: &'a Phrase,
}

/// The finest history that fits, or none. What the index shows already stands behind what it does not.
pub(super) fn within(
    history: &History,
    shown: &HashSet<&str>,
    tokens_max: usize,
    costs: &mut Costs,
) -> Vec<String> {
    // No line of it costs fewer tokens than this, so the finest need not be counted where months abound.
    let lines_max = tokens_max / LINE_TOKENS_MIN;
    let shown: HashSet<u64, Hashing> = shown.iter().map(|topic| xxh3_64(topic.as_bytes())).collect();
    let told = |phrase| told(phrase, &shown);
    let months: Vec<Vec<Told<'_>>> = history
        .months
        .iter()
        .map(|month| month.phrases.iter().map(told).collect())
        .collect();
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut grouped: Option<(usize, usize)> = None;
    for (back, quarters, phrases_max) in DETAILS {
        if grouped != Some((back, quarters)) {
            let groups = groups(history, back, quarters);
            if groups.len() > lines_max {
                continue;
            }
            let line = |group: Range<usize>| Line {
                label: label(&history.months[group.clone()]),
                phrases: phrases(&months[group], phrases_max),
            };
            lines = groups.into_iter().map(line).collect();
            grouped = Some((back, quarters));
        }
        let printed: Vec<String> = lines.iter().map(|line| line.print(phrases_max)).collect();
        if super::cost(&printed, costs).tokens() <= tokens_max {
            return printed;
        }
    }
    Vec::new()
}

fn told<'a>(phrase: &'a Phrase, shown: &HashSet<u64, Hashing>) -> Told<'a> {
    let topic = xxh3_64(phrase.topic.as_bytes());
    Told {
        shown: shown.contains(&topic),
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
    told.sort_by_key(|told| (told.shown, std::cmp::Reverse(told.phrase.weight)));
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
