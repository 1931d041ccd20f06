//! ROOT's first two sections: what is going on, and what keeps coming back.

use std::collections::BTreeMap;

use super::history::{History, Recent, in_steps};
use super::lines::{clean, fill};
use super::{ACTIVE_DAYS, Costs, age};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;
use crate::memory::telling::Spread;
use crate::memory::text::one_line;
use crate::memory::tokens::{self, Cost};
use crate::memory::topic::key;

/// How long a state may be, in characters.
const STATE_CHARS_MAX: usize = 140;
/// How old a month may be whose patterns are recent, in days after its end.
const PATTERN_DAYS: i64 = 45;

/// What is going on when a day begins: the projects of the days before and where they stand, the newest first.
pub(super) fn active(history: &History, today: Day) -> Vec<&Topic> {
    let mut topics: Vec<&Topic> = history
        .settled(today)
        .filter(|topic| topic.kind == Kind::Project && (1..ACTIVE_DAYS).contains(&age(topic.last, today)))
        .collect();
    topics.sort_by_key(|topic| {
        (
            topic.done,
            std::cmp::Reverse(topic.last),
            std::cmp::Reverse(topic.days),
        )
    });
    topics
}

/// What was mentioned today, in the order of the first mention.
pub(super) fn active_today(history: &History, today: Day) -> Vec<&Topic> {
    let mut topics: Vec<&Topic> = history
        .topics()
        .filter(|topic| topic.kind == Kind::Project && topic.last >= today)
        .collect();
    topics.sort_by_key(|topic| (std::cmp::Reverse(topic.last), topic.place));
    topics
}

/// How much a line of Active Context may cost.
pub(super) fn line_limit(topic: &Topic, tokens: usize) -> Cost {
    Cost::of(if is_dear(topic) { tokens * 3 / 2 } else { tokens })
}

/// Whether a script costs a token a letter or nearly: a line of it needs more tokens to say anything.
fn is_dear(topic: &Topic) -> bool {
    let (mut letters, mut foreign) = (0, 0);
    for letter in topic.name.chars() {
        letters += 1;
        foreign += usize::from(!letter.is_ascii());
    }
    foreign * 2 > letters && tokens::count(&topic.name) * 5 > letters * 3
}

/// Where a topic stands, in as many words as a limit allows; the fewest may be too many.
pub(super) fn active_line(topic: &Topic, spread: &Spread, limit: Cost, costs: &mut Costs) -> String {
    let state = topic.state.as_deref().unwrap_or_default();
    let says_so = state
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("done"));
    let done = match (topic.done && !says_so, state.is_empty()) {
        (true, false) => "done; ",
        (true, true) => "done",
        (false, _) => "",
    };
    let mut chars_max = STATE_CHARS_MAX;
    loop {
        let said = format!("{done}{}", one_line(state, chars_max));
        let line = match said.is_empty() {
            true => format!("- {}", topic.name),
            false => format!("- {}: {said}", topic.name),
        };
        let line = clean(line);
        if costs.line(&line).is_within(limit) || chars_max < 20 {
            let said_before = key(&line);
            let words = spread.rank(topic).into_iter();
            let new = words.filter(|word| !said_before.as_str().contains(key(word).as_str()));
            let separator = if said.is_empty() { ": " } else { "; " };
            return clean(fill(line, separator, new, limit, "", costs));
        }
        chars_max = chars_max * 3 / 4;
    }
}

/// What keeps coming back: topics of three days and more in the last two months, words that several topics share on as many
/// days, and what was learned.
pub(super) fn patterns(history: &History, today: Day) -> Vec<String> {
    let recent: Vec<_> = history
        .recent
        .iter()
        .filter(|month| age(month.last_day, today) <= PATTERN_DAYS)
        .collect();
    let mut topics: BTreeMap<String, (String, u32, Vec<String>)> = BTreeMap::new();
    for (name, days, words) in recent.iter().flat_map(|month| &month.topics) {
        let known = topics
            .entry(key(name).as_str().to_owned())
            .or_insert_with(|| (name.clone(), 0, words.clone()));
        known.1 += days;
    }
    let mut topics: Vec<_> = topics.into_values().filter(|&(_, days, _)| days >= 3).collect();
    topics.sort_by_cached_key(|(name, days, _)| in_steps(*days, name));
    topics.truncate(5);
    let mut lines: Vec<String> = topics
        .into_iter()
        .map(|(name, days, words)| {
            let words = if words.is_empty() {
                String::new()
            } else {
                format!("; {}", words.join(", "))
            };
            format!("- {name}: on {days} days{words}")
        })
        .collect();
    lines.extend(recurring_words(&recent, 5));
    let lessons = recent.iter().rev().flat_map(|month| &month.lessons).take(5);
    lines.extend(lessons.map(|(_, lesson)| format!("- {lesson}")));
    lines.into_iter().map(clean).collect()
}

/// Words that several topics share: what the recent weeks have in common.
fn recurring_words(recent: &[&Recent], most: usize) -> Vec<String> {
    let mut words: BTreeMap<&str, (u32, Vec<&str>)> = BTreeMap::new();
    for (word, days, topics) in recent.iter().rev().flat_map(|month| &month.words) {
        let (known, names) = words.entry(word).or_default();
        *known += days;
        for topic in topics {
            if !names.contains(&topic.as_str()) {
                names.push(topic);
            }
        }
    }
    let mut words: Vec<(&str, (u32, Vec<&str>))> = words.into_iter().collect();
    words.sort_by_cached_key(|(word, (days, _))| in_steps(*days, word));
    let mut lines: Vec<String> = Vec::new();
    let mut shown: Vec<&str> = Vec::new();
    for (word, (_, names)) in words {
        // A second word of the same topics is the same pattern.
        let news = names.iter().filter(|name| !shown.contains(name)).count();
        if lines.len() == most || news < 2 {
            continue;
        }
        shown.extend(&names);
        lines.push(format!(
            "- {word}: {}",
            names.into_iter().take(4).collect::<Vec<_>>().join("; ")
        ));
    }
    lines.sort();
    lines
}

#[cfg(test)]
mod tests;
