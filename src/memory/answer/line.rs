//! Which lines of an answer stay, and in which form.

use super::Basis;
use super::parse::LINE_CHARS_MAX;
use crate::memory::digest::Topic;
use crate::memory::inert::gives_orders;
use crate::memory::redact;
use crate::memory::summary::{ENTITY_LABELS, PERSONAL, Section};
use crate::memory::topic;

/// What a model says that speaks of itself or for whoever reads it instead of telling what happened. A log may hold such words;
/// a summary never does. They are too common in logs of work on agents to be kept from elsewhere.
const ASIDES: [&str; 9] = [
    "ignore previous",
    "ignore the above",
    "previous instructions",
    "system prompt",
    "new instructions",
    "disregard",
    "as an ai",
    "i cannot",
    "i can't",
];

/// The line as it may stand in that section, without the mark of a list; none when it may not.
pub(super) fn accept(section: Section, line: &str, basis: &Basis<'_>) -> Option<String> {
    section.heading(basis.level())?;
    if !redact::is_clean(line) || speaks_to_its_reader(line) {
        return None;
    }
    match section {
        Section::Topics => topic_line(line, basis),
        Section::Entities => entities(line, basis),
        Section::Themes | Section::Decisions | Section::Done | Section::Lessons | Section::Open => {
            // Facts about the person are never a model's to state.
            (!is_personal(line) && basis.vocabulary.supports(line)).then(|| line.to_owned())
        }
    }
}

pub(super) fn is_personal(line: &str) -> bool {
    let said = line.split_once(": ").map_or(line, |(_, said)| said);
    let is_marked = |text: &&str| {
        let text = text.to_lowercase();
        PERSONAL.iter().any(|(_, mark)| text.starts_with(mark.trim_end()))
    };
    [line, said].iter().any(is_marked)
}

pub(super) fn is_about_the_person(line: &str, basis: &Basis<'_>) -> bool {
    topic_of(line, basis).is_some_and(|(topic, _)| topic.kind.is_personal())
}

fn speaks_to_its_reader(line: &str) -> bool {
    let small = line.to_lowercase();
    gives_orders(line) || ASIDES.iter().any(|aside| small.contains(aside))
}

/// The topic of the sources that a line names, and what the line says of it. The longest name that is one wins.
pub(super) fn topic_of<'b>(line: &str, basis: &'b Basis<'_>) -> Option<(&'b Topic, String)> {
    let line = line.replace("**", "");
    let mut ends: Vec<(usize, usize)> = vec![(line.len(), line.len())];
    for mark in [" [", ": ", " — ", " – ", " - ", " ("] {
        ends.extend(
            line.match_indices(mark)
                .map(|(at, _)| (at, at + mark.len()))
                .take(8),
        );
    }
    ends.sort_unstable_by_key(|&(at, _)| std::cmp::Reverse(at));
    ends.into_iter().find_map(|(at, after)| {
        let found = basis.task.digest.find(&topic::key(&line[..at]))?;
        let mut rest = &line[after.min(line.len())..];
        if line[at..].starts_with(" [") {
            rest = rest.split_once(']').map_or("", |(_, rest)| rest);
        }
        let rest = rest.trim_start_matches([':', ' ', '-', '–']).to_owned();
        Some((&basis.task.digest.topics()[found], rest))
    })
}

/// A topic of the sources in their spelling and type, with what the line says of it and they say too.
fn topic_line(line: &str, basis: &Basis<'_>) -> Option<String> {
    let (known, rest) = topic_of(line, basis)?;
    if known.count() == 0 {
        return None;
    }
    let supported = |said: &&str| basis.vocabulary.supports(said) || basis.vocabulary.holds(said);
    let said: Vec<&str> = rest
        .split("; ")
        .map(str::trim)
        .filter(|said| !said.is_empty())
        .filter(supported)
        .collect();
    let mut line = format!("{} [{}]", known.name, known.kind);
    for (at, said) in said.into_iter().enumerate() {
        let next = format!("{}{said}", if at == 0 { ": " } else { "; " });
        if line.chars().count() + next.chars().count() > LINE_CHARS_MAX {
            break;
        }
        line.push_str(&next);
    }
    Some(line)
}

/// Names in a row behind their label, those that the sources hold.
fn entities(line: &str, basis: &Basis<'_>) -> Option<String> {
    let (label, names) = line.split_once(':')?;
    let label = label.trim().trim_matches('*').to_lowercase();
    let label = ENTITY_LABELS.iter().find(|known| **known == label)?;
    let names: Vec<&str> = names
        .split([',', '、', '，'])
        .map(|name| name.trim().trim_matches(['`', '*']))
        .filter(|name| basis.vocabulary.holds(name))
        .collect();
    (!names.is_empty()).then(|| format!("{label}: {}", names.join(", ")))
}
