//! What a summarizer command is told: the rules of its level, and the sources as data (SPEC section 8).
//!
//! The sources stand between two marks made of their own hash, which no text can hold by chance or by design, so that nothing in a log
//! can pretend to be the end of it.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use xxhash_rust::xxh3::xxh3_64;

use super::entry::{self, Kind};
use super::level::Level;
use super::summary::Section;
use super::task::{Task, Text};
use super::{filter, outside, tokens};

/// The list of topics takes at most this share of what a model is given, in percent.
const TOPICS_PERCENT_MAX: usize = 20;
/// The compactor's notes are at most so many lines (SPEC section 8), and each so many bytes.
const NOTE_LINES_MAX: usize = 30;
const NOTE_BYTES_MAX: usize = 4096;
/// However small a model is said to be, a part has at least so many tokens of the sources.
const PART_TOKENS_MIN: usize = 200;
/// A shorter line that comes back is no repetition: `---`, `- ok`.
const REPEATED_CHARS_MIN: usize = 12;

pub const fn built_in(level: Level) -> &'static str {
    match level {
        Level::Daily => include_str!("../../config/prompts/daily.md"),
        Level::Weekly => include_str!("../../config/prompts/weekly.md"),
        Level::Monthly => include_str!("../../config/prompts/monthly.md"),
    }
}

static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)\{\{(.*?)\}\}").expect("a pattern"));

/// The prompts of a task, one for each part of its sources. None costs more than `tokens_max`, except where the template alone does.
pub fn prompts(template: &str, notes: &str, task: &Task<'_>, tokens_max: usize) -> Vec<String> {
    let topics = topics(task, tokens_max * TOPICS_PERCENT_MAX / 100);
    let notes = noted(notes);
    let fill = |part: &str, source: &str| fill(template, task, [&topics, &notes, part, source]);
    let rest = tokens::count(&fill("", "")) + 100;
    let room = tokens_max.saturating_sub(rest).max(PART_TOKENS_MIN);
    let parts = packed(&condensed(task.texts), room);
    let count = parts.len();
    let prompt = |(at, part): (usize, &String)| {
        let of = format!(" (part {} of {count}: summarize only what is in it)", at + 1);
        fill(if count > 1 { &of } else { "" }, &fenced(part, part.trim_end()))
    };
    parts.iter().enumerate().map(prompt).collect()
}

/// A template with its places filled, in one pass: what is put in is not looked at again.
fn fill(template: &str, task: &Task<'_>, [topics, notes, part, source]: [&str; 4]) -> String {
    let level = task.period.level();
    let headings = Section::ALL.into_iter();
    let headings = headings.filter_map(|section| section.heading(level));
    let sections: Vec<String> = headings.map(|heading| format!("## {heading}")).collect();
    let mut has_source = false;
    let filled = PLACE.replace_all(template, |place: &Captures<'_>| {
        has_source |= &place[1] == "source";
        match &place[1] {
            "period" => task.period.to_string(),
            "lines" => level.summary_lines().to_string(),
            "sections" => sections.join("\n"),
            "topics" => topics.to_owned(),
            "notes" => notes.to_owned(),
            "part" => part.to_owned(),
            "source" => source.to_owned(),
            _ => String::new(),
        }
    });
    // A template of the user's own that forgets the sources still gets them.
    let forgotten = format!("\n\n{source}\n");
    filled.into_owned() + if has_source { "" } else { &forgotten }
}

fn topics(task: &Task<'_>, mut tokens_max: usize) -> String {
    let topics = task.digest.topics().iter().filter(|topic| topic.count() > 0);
    let lines = topics.map(|topic| format!("- {} [{}]\n", topic.name, topic.kind));
    let fitting = lines.map_while(|line| {
        tokens_max = tokens_max.checked_sub(tokens::count(&line))?;
        Some(line)
    });
    fitting.collect::<String>().trim_end().to_owned()
}

fn noted(notes: &str) -> String {
    let notes = super::text::head(notes, NOTE_BYTES_MAX);
    let lines: Vec<&str> = notes.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(NOTE_LINES_MAX)..];
    if last.is_empty() {
        return String::new();
    }
    let notes = last.join("\n");
    let notes = outside::text(&notes);
    let notes = fenced(&notes, &notes);
    format!("\nWhat was noted about this workspace, as data:\n\n{notes}\n")
}

fn fenced(whole: &str, text: &str) -> String {
    let mark = format!("{:016x}", xxh3_64(whole.as_bytes()));
    format!("<<<BEGIN {mark}>>>\n{text}\n<<<END {mark}>>>")
}

/// The sources without passing notes, code, stack traces, secrets, and lines that were said already in the period.
fn condensed<'a>(texts: &'a [Text<'_>]) -> Vec<(&'a str, String)> {
    let mut said: HashSet<u64> = HashSet::new();
    let mut all = Vec::new();
    let is_passing = |entry: &entry::Entry<'_>| {
        let kept = entry.tag.is_some_and(Kind::is_personal);
        !kept && filter::is_passing_note(entry.heading, entry.body)
    };
    for text in texts {
        let log = entry::read(&text.text);
        let entries = log.entries.iter().filter(|entry| !is_passing(entry));
        let mut out = String::new();
        for piece in std::iter::once(log.preamble).chain(entries.map(|entry| entry.text)) {
            for line in filter::without_code(piece).lines() {
                let bare = line.trim();
                let may_repeat = bare.chars().count() < REPEATED_CHARS_MIN || bare.starts_with('#');
                if may_repeat || said.insert(xxh3_64(bare.as_bytes())) {
                    out.extend([line.trim_end(), "\n"]);
                }
            }
        }
        all.push((text.name.as_str(), outside::text(&out).into_owned()));
    }
    all
}

/// The sources in parts of at most `tokens_max`, each source under its name. A source that is too long by itself is cut.
fn packed(texts: &[(&str, String)], tokens_max: usize) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut held = 0;
    for (name, text) in texts.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let title = format!("# {name}\n\n");
        let room = tokens_max.saturating_sub(tokens::count(&title)).max(1);
        for piece in cut(text, room) {
            let piece = format!("{title}{}\n\n", piece.trim_end());
            let cost = tokens::count(&piece);
            match parts.last_mut().filter(|_| held + cost <= tokens_max) {
                Some(part) => part.push_str(&piece),
                None => {
                    parts.push(piece);
                    held = 0;
                }
            }
            held += cost;
        }
    }
    parts
}

/// A text in pieces of at most `tokens_max`: cut in two before an entry near its middle, else at a line, else anywhere.
fn cut(text: &str, tokens_max: usize) -> Vec<&str> {
    // No token is longer than a few dozen bytes, so a very long piece need not be counted to be cut.
    let is_long = text.len() > tokens_max.saturating_mul(16);
    if text.chars().nth(1).is_none() || !is_long && tokens::count(text) <= tokens_max {
        return vec![text];
    }
    let (first, rest) = text.split_at(middle(text));
    [cut(first, tokens_max), cut(rest, tokens_max)].concat()
}

/// Where to cut a text of two characters or more.
fn middle(text: &str) -> usize {
    let half = super::text::head(text, text.len() / 2).len();
    let (quarter, three_quarters) = (half / 2, half + half / 2);
    let near = |mark: &str| -> Option<usize> {
        let ends = memchr::memmem::find_iter(text.as_bytes(), mark.as_bytes()).map(|at| at + 1);
        ends.filter(|at| (quarter..=three_quarters).contains(at))
            .min_by_key(|at| at.abs_diff(half))
    };
    let first = text.chars().next().map_or(1, char::len_utf8);
    near("\n## ").or_else(|| near("\n")).unwrap_or(half.max(first))
}

#[cfg(test)]
mod tests;
