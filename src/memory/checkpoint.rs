//! An entry that an agent asks to be appended to a raw log: put together from fields, checked, redacted (SPEC sections 2
//! and 3, and the rules of what is not worth keeping).

use super::entry::{self, Kind, split_tag};
use super::filter::{Rule, refusal};
use super::markdown::{self, What};
use super::redact::redact;
use super::{render, topic};

/// Bytes of an entry at most: it is appended in one write, and a longer one is a file.
const BYTES_MAX: usize = 64 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkpoint<'a> {
    pub topic: &'a str,
    /// Its type; of a text with a heading the heading's when none is given, else project.
    pub kind: Option<Kind>,
    pub fields: Vec<(&'a str, &'a str)>,
    /// Free text behind the fields; without a topic a whole entry, heading included.
    pub text: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// The whole entry, redacted, ending in a line break.
    pub text: String,
    pub topic: String,
    pub kind: Kind,
    /// Whether something in it was a secret.
    pub redacted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the entry has no topic: name it, or begin the text with `## Topic [project]`")]
    NoTopic,
    #[error(
        "{0:?} names no topic: a date, a number, an id or a word as general as \"notes\" is no name; say what the entry is about"
    )]
    Nameless(String),
    #[error("the entry says nothing: give it a field, such as outcome, or a text")]
    Empty,
    #[error("a feedback entry needs its rule: the field rule, and why and how-to-apply where they are known")]
    NoRule,
    #[error(
        "a heading of level 1 or 2 stands in the text (a line of dashes below text makes one): write one entry at a time, and use ### inside it"
    )]
    Heading,
    #[error("the heading says [{0}] and the type is given as {1}")]
    TwoKinds(Kind, Kind),
    #[error("the entry has {0} bytes, {BYTES_MAX} are the most: put it into knowledge/ and name the file")]
    TooLong(usize),
    #[error("refused, {0}")]
    Rule(Rule),
}

pub fn entry(checkpoint: &Checkpoint<'_>) -> Result<Ready, Refused> {
    let (topic, tag, text) = topic_of(checkpoint)?;
    let kind = match (checkpoint.kind, tag) {
        (Some(asked), Some(found)) if asked != found => return Err(Refused::TwoKinds(found, asked)),
        (asked, found) => asked.or(found).unwrap_or_default(),
    };
    let heading = topic.split_whitespace().collect::<Vec<_>>().join(" ");
    let heading = heading.trim_start_matches(['#', ' ']);
    if topic::name(heading).is_none() {
        return Err(Refused::Nameless(redact(heading).into_owned()));
    }
    let fields = checkpoint
        .fields
        .iter()
        .filter(|(_, value)| !value.trim().is_empty());
    let fields: String = fields.map(|(name, value)| field(name, value)).collect();
    let text = text.trim_matches(['\n', '\r']).trim_end();
    if fields.is_empty() && text.trim().is_empty() {
        return Err(Refused::Empty);
    }
    let has_rule = checkpoint
        .fields
        .iter()
        .any(|(name, value)| *name == "rule" && !value.trim().is_empty());
    if kind == Kind::Feedback && !has_rule && text.trim().is_empty() {
        return Err(Refused::NoRule);
    }
    if let Some(rule) =
        refusal(text).or_else(|| checkpoint.fields.iter().find_map(|(_, value)| refusal(value)))
    {
        return Err(Refused::Rule(rule));
    }
    let mut whole = format!("## {heading} [{kind}]\n{fields}{text}");
    if !whole.ends_with('\n') {
        whole.push('\n');
    }
    whole.push_str(&closing(&whole));
    if whole.len() > BYTES_MAX {
        return Err(Refused::TooLong(whole.len()));
    }
    let read = entry::read(&whole);
    if read.entries.len() != 1 || !read.preamble.is_empty() {
        return Err(Refused::Heading);
    }
    let redacted = redact(&whole);
    Ok(Ready {
        redacted: redacted != whole,
        topic: redact(heading).into_owned(),
        kind,
        text: redacted.into_owned(),
    })
}

/// What must stand before an entry at the end of a log, so that a fence or comment that the log leaves open does not
/// swallow it; empty nearly always.
pub fn lead(log: &str) -> String {
    let closing = closing(log);
    if closing.is_empty() {
        closing
    } else {
        closing + "\n"
    }
}

/// The line that is needed at the end of a text for a heading behind it to be one.
fn closing(text: &str) -> String {
    let heading_follows = |closing: &str| {
        // What is left open does not mind a blank line.
        let longer = format!("{text}\n{closing}\n## A\n");
        let last = markdown::lines(&longer).last();
        last.is_some_and(|line| matches!(line.what, What::Heading(_)))
    };
    match render::left_open(text) {
        // A fence inside a list item ends with the item, and a mark behind it would open another one.
        Some(closing) if !heading_follows("") && heading_follows(&closing) => closing,
        _ => String::new(),
    }
}

fn topic_of<'a>(checkpoint: &Checkpoint<'a>) -> Result<(&'a str, Option<Kind>, &'a str), Refused> {
    if !checkpoint.topic.trim().is_empty() {
        let (name, tag) = split_tag(checkpoint.topic);
        return Ok((name, tag, checkpoint.text));
    }
    let text = checkpoint.text.trim_start_matches(['\n', '\r', '\u{feff}']);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let heading = first.trim_start_matches('#');
    if heading.len() == first.len() || !heading.starts_with([' ', '\t']) || heading.trim().is_empty() {
        return Err(Refused::NoTopic);
    }
    let (name, tag) = split_tag(heading.trim());
    Ok((name, tag, rest))
}

/// `- name: value`; further lines of the value stand under it.
fn field(name: &str, value: &str) -> String {
    let mut lines = value.trim().lines();
    let mut out = format!("- {name}: {}\n", lines.next().unwrap_or_default());
    for line in lines {
        let line = line.trim_end();
        out.push_str(if line.is_empty() { "" } else { "  " });
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests;
