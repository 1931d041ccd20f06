//! The two plain baselines, at the budget that ROOT has: the words of the highest TF-IDF, and the newest headings.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::entry;
use hipocampusd::memory::tokens;
use unicode_segmentation::UnicodeSegmentation;

use super::plant::Logs;

/// The words of the highest TF-IDF in the whole history, an entry being a document, in order of their scores: the higher their
/// frequency and the fewer entries they are in, the better. Those that are of one day
/// stand on one line, however long: that is more than ROOT allows itself.
pub(crate) fn frequent_words(logs: &Logs, tokens_max: usize) -> String {
    let mut documents: Vec<(Day, HashMap<String, u32>)> = Vec::new();
    for (&day, text) in logs {
        for entry in entry::read(text).entries {
            let mut words = HashMap::new();
            for word in entry
                .text
                .unicode_words()
                .filter(|word| word.chars().count() > 2 || !word.is_ascii())
            {
                *words.entry(word.to_lowercase()).or_insert(0) += 1;
            }
            documents.push((day, words));
        }
    }
    let mut spread: HashMap<&str, u32> = HashMap::new();
    for word in documents.iter().flat_map(|(_, words)| words.keys()) {
        *spread.entry(word).or_default() += 1;
    }
    let count = documents.len() as f64;
    let mut scored: Vec<(u64, Day, &str)> = documents
        .iter()
        .flat_map(|(day, words)| words.iter().map(move |(word, times)| (day, word, times)))
        .map(|(&day, word, &times)| {
            let rarity = (count / f64::from(spread[word.as_str()])).ln();
            ((f64::from(times) * rarity * 1e6) as u64, day, word.as_str())
        })
        .collect();
    scored.sort_unstable_by(|one, other| {
        other.0.cmp(&one.0).then_with(|| (one.1, one.2).cmp(&(other.1, other.2)))
    });
    let mut seen = HashSet::new();
    let mut by_day: BTreeMap<Day, Vec<&str>> = BTreeMap::new();
    let mut out = String::new();
    for (_, day, word) in scored {
        if !seen.insert(word) {
            continue;
        }
        by_day.entry(day).or_default().push(word);
        if seen.len() % 16 == 0 {
            let printed = print(&by_day);
            if tokens::count(&printed) > tokens_max {
                break;
            }
            out = printed;
        }
    }
    out
}

fn print(by_day: &BTreeMap<Day, Vec<&str>>) -> String {
    let mut out = String::new();
    for (day, words) in by_day {
        let _ = writeln!(out, "- {day}: {}", words.join(", "));
    }
    out
}

/// The headings of the newest entries, a line each.
pub(crate) fn newest_headings(logs: &Logs, tokens_max: usize) -> String {
    let mut out = String::new();
    for (day, text) in logs.iter().rev() {
        for entry in entry::read(text).entries.iter().rev() {
            let line = format!("- {day}: {}\n", entry.heading);
            if tokens::count(&out) + tokens::count(&line) > tokens_max {
                return out;
            }
            out.push_str(&line);
        }
    }
    out
}
