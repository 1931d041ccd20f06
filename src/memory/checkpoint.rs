//! An entry that an agent asks to be appended to a raw log: put together from fields, checked, redacted (SPEC sections 2 and 3).

use super::entry::{self, Kind, split_tag};
use super::filter::refusal;
use super::markdown::{self, Line};
use super::redact::redact;
use super::text::single_spaced;
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
    pub redacted: bool,
}

pub fn entry(checkpoint: &Checkpoint<'_>) -> Result<Ready, String> {
    let (topic, tag, text) = topic_of(checkpoint)?;
    let kind = match (checkpoint.kind, tag) {
        (Some(asked), Some(found)) if asked != found => {
            let what = format!("the heading says [{found}] and the type is given as {asked}");
            return Err(what);
        }
        (asked, found) => asked.or(found).unwrap_or_default(),
    };
    let heading = single_spaced(topic);
    let heading = heading.trim_start_matches(['#', ' ']);
    if topic::name(heading).is_none() {
        let heading = redact(heading);
        return Err(format!(
            "{heading:?} names no topic: a date, a number, an id or a word as general as \"notes\" is no name; say what the entry is about"
        ));
    }
    let fields = checkpoint.fields.iter();
    let said = fields.filter(|(_, value)| !value.trim().is_empty());
    let fields: String = said.clone().map(|(name, value)| field(name, value)).collect();
    let text = text.trim_matches(['\n', '\r']).trim_end();
    if fields.is_empty() && text.trim().is_empty() {
        return Err("the entry says nothing: give it a field, such as outcome, or a text".to_owned());
    }
    let has_rule = said.clone().any(|(name, _)| *name == "rule");
    if kind == Kind::Feedback && !has_rule && text.trim().is_empty() {
        let what =
            "a feedback entry needs its rule: the field rule, and why and how-to-apply where they are known";
        return Err(what.to_owned());
    }
    if let Some(rule) = refusal(text).or_else(|| said.clone().find_map(|(_, value)| refusal(value))) {
        return Err(format!("refused, {rule}"));
    }
    let mut whole = format!("## {heading} [{kind}]\n{fields}{text}");
    if !whole.ends_with('\n') {
        whole.push('\n');
    }
    whole.push_str(&closing(&whole));
    if whole.len() > BYTES_MAX {
        let bytes = whole.len();
        return Err(format!(
            "the entry has {bytes} bytes, {BYTES_MAX} are the most: put it into knowledge/ and name the file"
        ));
    }
    let read = entry::read(&whole);
    if read.entries.len() != 1 || !read.preamble.is_empty() {
        return Err("a heading of level 1 or 2 stands in the text (a line of dashes below text makes one): write one entry at a time, and use ### inside it".to_owned());
    }
    let redacted = redact(&whole);
    Ok(Ready {
        redacted: redacted != whole,
        topic: redact(heading).into_owned(),
        kind,
        text: redacted.into_owned(),
    })
}

/// What must stand before an entry at the end of a log, so that a fence or comment that is left open does not swallow it.
pub fn lead(log: &str) -> String {
    let closing = closing(log);
    let gap = if closing.is_empty() { "" } else { "\n" };
    closing + gap
}

/// The line that is needed at the end of a text for a heading behind it to be one.
fn closing(text: &str) -> String {
    let heading_follows = |closing: &str| {
        // What is left open does not mind a blank line.
        let longer = format!("{text}\n{closing}\n## A\n");
        markdown::lines(&longer).last().and_then(Line::heading).is_some()
    };
    match render::left_open(text) {
        // A fence inside a list item ends with the item, and a mark behind it would open another one.
        Some(closing) if !heading_follows("") && heading_follows(&closing) => closing,
        _ => String::new(),
    }
}

fn topic_of<'a>(checkpoint: &Checkpoint<'a>) -> Result<(&'a str, Option<Kind>, &'a str), String> {
    if !checkpoint.topic.trim().is_empty() {
        let (name, tag) = split_tag(checkpoint.topic);
        return Ok((name, tag, checkpoint.text));
    }
    let text = checkpoint.text.trim_start_matches(['\n', '\r', '\u{feff}']);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let heading = first.trim_start_matches('#');
    if heading.len() == first.len() || !heading.starts_with([' ', '\t']) || heading.trim().is_empty() {
        return Err("the entry has no topic: name it, or begin the text with `## Topic [project]`".to_owned());
    }
    let (name, tag) = split_tag(heading.trim());
    Ok((name, tag, rest))
}

/// `- name: value`; further lines of the value stand under it.
fn field(name: &str, value: &str) -> String {
    let indented = |line: &str| match line.trim_end() {
        "" => "\n".to_owned(),
        line => format!("  {line}\n"),
    };
    let (first, rest) = value.trim().split_once('\n').unwrap_or((value.trim(), ""));
    let rest: String = rest.lines().map(indented).collect();
    format!("- {name}: {}\n{rest}", first.trim_end_matches('\r'))
}

#[cfg(test)]
mod tests;
