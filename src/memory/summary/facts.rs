//! The facts of a summary as lines: which ones, in which order, each said once and with its days.

use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use super::{PERSONAL, Section};
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Said};
use crate::memory::fact::Sort;
use crate::memory::level::Level;
use crate::memory::topic::key;

/// How many days a line of facts names.
const DATES_MAX: usize = 4;
/// How many newer facts of a topic a fact is compared with.
const ALIKE_LOOKS: usize = 24;

/// The facts of a section in the order in which they are to be chosen: every topic's newest, then every topic's
/// second newest, and so on. Each line starts with a mark of its place in time. What two facts of a topic say in nearly the same
/// words is one line; above the days, a line ends with the days on which it was said.
pub(super) fn fact_lines(digest: &Digest, order: &[usize], section: Section, level: Level) -> Vec<String> {
    let fits =
        |sort: Sort| section.sort() == Some(sort) || (section == Section::Lessons && sort == Sort::Personal);
    let mut rank = vec![usize::MAX; digest.topics().len()];
    for (place, &at) in order.iter().enumerate() {
        rank[at] = place;
    }
    let mut of_topics: Vec<Vec<(usize, Said, Vec<u64>)>> = vec![Vec::new(); digest.topics().len() + 1];
    let facts = digest.said().iter().enumerate().rev();
    for (place, said) in facts.filter(|(_, said)| fits(said.sort)) {
        let known = &mut of_topics[said.topic.unwrap_or(digest.topics().len())];
        let words = word_marks(&said.text);
        let alike = known
            .iter_mut()
            .take(ALIKE_LOOKS)
            .find(|(_, _, other)| alike(other, &words));
        match alike {
            Some((_, newer, _)) => newer.also_on(said),
            None => known.push((place, said.clone(), words)),
        }
    }
    let mut chosen: Vec<(usize, usize, String)> = Vec::new();
    for (turn, (place, said, _)) in of_topics.iter().flat_map(|facts| facts.iter().enumerate()) {
        let personal = if said.sort == Sort::Personal { PERSONAL } else { "" };
        let dates = if level == Level::Daily {
            String::new()
        } else {
            dates(said)
        };
        let line = match said.topic {
            Some(at) => format!(
                "{place:08}- {}: {personal}{}{dates}",
                digest.topics()[at].name,
                said.text
            ),
            None => format!("{place:08}- {personal}{}{dates}", said.text),
        };
        chosen.push((turn, said.topic.map_or(usize::MAX, |at| rank[at]), line));
    }
    chosen.sort_by_key(|&(turn, rank, _)| (turn, rank));
    chosen.into_iter().map(|(_, _, line)| line).collect()
}

/// The words of a text as hashes, in order of the hashes.
fn word_marks(text: &str) -> Vec<u64> {
    let folded = key(text);
    let mut words: Vec<u64> = folded
        .as_str()
        .split(' ')
        .map(|word| xxh3_64(word.as_bytes()))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether four of five words are the same. Short texts differ by the one word that matters.
fn alike(one: &[u64], other: &[u64]) -> bool {
    let (few, many) = (one.len().min(other.len()), one.len().max(other.len()));
    if few < 5 || few * 5 < many * 4 {
        return false;
    }
    let shared = one
        .iter()
        .filter(|word| other.binary_search(word).is_ok())
        .count();
    shared * 5 >= (one.len() + other.len() - shared) * 4
}

/// ` (2026-03-10)`, or the first day and the last ones.
fn dates(said: &Said) -> String {
    let mut dates = format!(" ({}", said.day);
    for day in said.again.iter().rev().take(DATES_MAX - 1).rev() {
        let _ = write!(dates, ", {day}");
    }
    dates + ")"
}

/// Takes the days from the end of a line of [`print`](super::print)'s facts.
pub fn split_dates(text: &str) -> (&str, Vec<Day>) {
    let dated = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let days = dated.and_then(|(text, days)| {
        let days: Option<Vec<Day>> = days.split(", ").map(Day::parse).collect();
        Some((text, days?))
    });
    days.unwrap_or((text, Vec::new()))
}
