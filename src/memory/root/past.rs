//! ROOT's Historical Summary: a line for each month, quarter or year, as much as fits.

use std::collections::HashSet;

use super::Costs;
use super::history::{History, Phrase, Remembered};
use super::lines::{LINE_TOKENS_MIN, clean};
use crate::memory::topic::key;

/// How fine the history is drawn: months up to so many months back, then quarters up to so many, then years; and
/// phrases a line.
type Detail = (usize, usize, usize);

/// From the finest to the coarsest.
const DETAILS: [Detail; 20] = [
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

/// The finest history that fits, or none. What the index shows already stands behind what it does not.
pub(super) fn within(
    history: &History,
    shown: &HashSet<&str>,
    tokens_max: usize,
    costs: &mut Costs,
) -> Vec<String> {
    // No line of it costs fewer tokens than this, so the finest need not be counted where months abound.
    let lines_max = tokens_max / LINE_TOKENS_MIN;
    let lines = |detail: Detail| {
        let groups = groups(history, detail);
        (groups.len() <= lines_max).then(|| {
            let line = |group: &Vec<&Remembered>| clean(line(group, shown, detail.2));
            groups.iter().map(line).collect::<Vec<String>>()
        })
    };
    let fitting = DETAILS
        .into_iter()
        .filter_map(lines)
        .find(|lines| super::cost(lines, costs).tokens() <= tokens_max);
    fitting.unwrap_or_default()
}

/// The months that share a line in so much detail, oldest first.
fn groups(history: &History, (months, quarters, _): Detail) -> Vec<Vec<&Remembered>> {
    let count = history.months.len();
    let mut groups: Vec<Vec<&Remembered>> = Vec::new();
    for (at, month) in history.months.iter().enumerate() {
        let back = count - at;
        let same_quarter =
            |other: &Remembered| other.year == month.year && (other.month - 1) / 3 == (month.month - 1) / 3;
        let joins = groups
            .last()
            .and_then(|group| group.last())
            .is_some_and(|before| {
                back > months
                    && if back <= quarters {
                        same_quarter(before)
                    } else {
                        before.year == month.year
                    }
            });
        if joins {
            groups.last_mut().expect("it has a last one").push(month);
        } else {
            groups.push(vec![month]);
        }
    }
    groups
}

fn line(group: &[&Remembered], shown: &HashSet<&str>, phrases_max: usize) -> String {
    let (first, last) = (group[0], group[group.len() - 1]);
    let label = match group.len() {
        1 => format!("{:04}-{:02}", first.year, first.month),
        12 => format!("{:04}", first.year),
        _ => format!("{:04}-{:02}~{:02}", first.year, first.month, last.month),
    };
    let mut phrases: Vec<(bool, &Phrase)> = group
        .iter()
        .flat_map(|month| &month.phrases)
        .map(|phrase| (shown.contains(phrase.topic.as_str()), phrase))
        .collect();
    phrases.sort_by_key(|(shown, phrase)| (*shown, std::cmp::Reverse(phrase.weight)));
    let mut said: Vec<&str> = Vec::new();
    let mut marks: HashSet<String> = HashSet::new();
    let mut topics: HashSet<&str> = HashSet::new();
    for (_, phrase) in phrases {
        if said.len() == phrases_max {
            break;
        }
        if topics.insert(phrase.topic.as_str()) && marks.insert(key(&phrase.text).as_str().to_owned()) {
            said.push(&phrase.text);
        }
    }
    if said.is_empty() {
        format!("- {label}")
    } else {
        format!("- {label}: {}", said.join("; "))
    }
}
