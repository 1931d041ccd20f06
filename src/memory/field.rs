//! The fields of an entry: decisions, outcome, rule and the rest, whichever of the usual ways and languages
//! they are written in (SPEC section 3).

mod words;

use std::fmt;

use super::markdown::{self, Heading, Item, Line, What};
use super::text::head;
use super::topic::{self, Key};

/// What a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldName {
    /// What was asked for.
    Request,
    /// What was found out.
    Analysis,
    /// What was decided.
    Decisions,
    /// What came of it.
    Outcome,
    /// Files, addresses, people to go back to.
    References,
    /// Feedback: what to do from now on.
    Rule,
    /// Feedback: the reason.
    Why,
    /// Feedback: when and how.
    HowToApply,
    /// What was done.
    Tasks,
    /// What is left to do, next steps and what blocks them.
    Open,
    /// What was learned.
    Lessons,
    /// Where things stood before.
    Context,
    /// Where things stand.
    State,
}

impl FieldName {
    /// All of them, in order.
    pub const ALL: [FieldName; 13] = [
        FieldName::Request,
        FieldName::Analysis,
        FieldName::Decisions,
        FieldName::Outcome,
        FieldName::References,
        FieldName::Rule,
        FieldName::Why,
        FieldName::HowToApply,
        FieldName::Tasks,
        FieldName::Open,
        FieldName::Lessons,
        FieldName::Context,
        FieldName::State,
    ];

    /// The field's name as the protocol writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            FieldName::Request => "request",
            FieldName::Analysis => "analysis",
            FieldName::Decisions => "decisions",
            FieldName::Outcome => "outcome",
            FieldName::References => "references",
            FieldName::Rule => "rule",
            FieldName::Why => "why",
            FieldName::HowToApply => "how-to-apply",
            FieldName::Tasks => "tasks",
            FieldName::Open => "open",
            FieldName::Lessons => "lessons",
            FieldName::Context => "context",
            FieldName::State => "state",
        }
    }

    /// The field that a label names: `Decisions`, `Key decisions`, `decisions made`, `Decisions (with
    /// rationale)`, `决定`. Also right for the heading of an entry that is a field by itself (`## Lessons
    /// learned`).
    #[must_use]
    pub fn read(label: &str) -> Option<FieldName> {
        if label.len() > LABEL_BYTES_MAX {
            return None;
        }
        let label = label
            .split(['(', '（', '[', '/', '／', '—', '–', '&', '+', ','])
            .next()
            .unwrap_or(label);
        let key = topic::key(label);
        find(&key)
    }
}

impl fmt::Display for FieldName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}

/// Bytes of a label at most: longer ones are sentences.
const LABEL_BYTES_MAX: usize = 80;

/// Finds a folded label in the table, first as it is, then without the words that only colour it.
fn find(key: &Key) -> Option<FieldName> {
    let label = key.as_str();
    words::field(label).or_else(|| {
        let mut shorter = label;
        while let Some((first, rest)) = shorter.split_once(' ')
            && words::COLOURING.contains(&first)
        {
            shorter = rest;
        }
        // `decisions made today`, `decisions with rationale`: the field comes first, then how or why.
        let joint = shorter.split(' ').scan(0, |end, word| {
            let start = *end;
            *end += word.len() + 1;
            Some((start, word))
        });
        let cut = joint
            .skip(1)
            .find(|(_, word)| words::JOINING.contains(word))
            .map_or(shorter.len(), |(start, _)| start - 1);
        if cut == label.len() {
            None
        } else {
            words::field(&shorter[..cut])
        }
    })
}

/// A field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// What it is.
    pub name: FieldName,
    /// What it says, trimmed: the rest of its line and all that belongs to it, nested items with their
    /// indentation. May be empty.
    pub text: &'a str,
}

/// How a field is written, and so where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// `- decisions: x`: ends with its list item. The bytes it is indented by.
    Item(usize),
    /// `**Decisions:** x`: ends at the next label, heading or thematic break.
    Label,
    /// `Decisions: x` in running text: ends with its paragraph.
    Plain,
    /// `### Decisions`: ends at the next heading that is not deeper.
    Heading(u8),
}

/// The fields in an entry's body, in order. A field inside another that is a list item belongs to that item's
/// text; else it ends the one before it. Code, comments and quotes hold no fields.
#[must_use]
pub fn fields(body: &str) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut open: Option<Open> = None;
    let mut blank_before = true;
    for line in markdown::lines(body) {
        let found = found(&line, body);
        let inside = open.is_some_and(|open| open.holds(&line, found.as_ref(), blank_before));
        if !inside && let Some(ended) = open.take() {
            fields.push(ended.field(body, line.start));
        }
        if !inside
            && let Some(Found {
                name: Some(name),
                written,
                start,
            }) = found
        {
            open = Some(Open {
                name,
                written,
                start,
                alone: body[start..line.start + line.text.len()].trim().is_empty(),
            });
        }
        blank_before = line.what == What::Blank;
    }
    if let Some(ended) = open {
        fields.push(ended.field(body, body.len()));
    }
    fields
}

/// A field that is being read.
#[derive(Debug, Clone, Copy)]
struct Open {
    name: FieldName,
    written: Written,
    /// Where its text starts.
    start: usize,
    /// Whether its label is alone on its line.
    alone: bool,
}

impl Open {
    fn field(self, body: &str, end: usize) -> Field<'_> {
        Field {
            name: self.name,
            text: body[self.start..end.max(self.start)].trim(),
        }
    }

    /// Whether a line is still part of the field.
    fn holds(&self, line: &Line<'_>, found: Option<&Found>, blank_before: bool) -> bool {
        if let What::Heading(Heading { level, .. }) = line.what {
            return matches!(self.written, Written::Heading(own) if level > own)
                && found.is_none_or(|found| found.name.is_none());
        }
        let code = matches!(line.what, What::Blank | What::Code | What::FenceClose);
        match self.written {
            Written::Item(own) => {
                let indent = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
                let continues =
                    !blank_before && matches!(line.what, What::Text) && found.is_none() && line.depth > 0;
                code || indent > own || continues
            }
            Written::Plain if !self.alone => {
                line.what != What::Blank && found.is_none() && line.what != What::Rule
            }
            Written::Heading(_) => found.is_none_or(|found| found.name.is_none()),
            Written::Label | Written::Plain => {
                let label =
                    found.is_some_and(|found| found.name.is_some() || found.written == Written::Label);
                !label && line.what != What::Rule
            }
        }
    }
}

/// A label on a line. One that is set like a label but names no field we know ends the field before it, too.
#[derive(Debug, Clone, Copy)]
struct Found {
    name: Option<FieldName>,
    written: Written,
    start: usize,
}

/// The label that a line starts with.
fn found(line: &Line<'_>, body: &str) -> Option<Found> {
    if line.quoted {
        return None;
    }
    let at = |part: &str| part.as_ptr() as usize - body.as_ptr() as usize;
    match line.what {
        What::Heading(heading) => {
            let label = heading.title.trim_end_matches([':', '：', '*', '_']);
            let start = line.start + line.text.len();
            Some(Found {
                name: FieldName::read(label),
                written: Written::Heading(heading.level),
                start,
            })
        }
        What::Item => {
            let Item { indent, text, .. } = markdown::item(line.text)?;
            let (label, rest, _) = label(text)?;
            let name = FieldName::read(label)?;
            Some(Found {
                name: Some(name),
                written: Written::Item(indent),
                start: at(rest),
            })
        }
        What::Text => {
            let (label, rest, bold) = label(line.text.trim())?;
            let name = FieldName::read(label);
            let written = if bold { Written::Label } else { Written::Plain };
            (name.is_some() || bold).then(|| Found {
                name,
                written,
                start: at(rest),
            })
        }
        _ => None,
    }
}

/// Takes `label: rest`, `**label:** rest`, `**label**: rest`, `__label__ — rest` or a lone `**label**` apart;
/// whether it is bold.
fn label(text: &str) -> Option<(&str, &str, bool)> {
    // Emoji, an opening bracket or quote may stand before it.
    let bare = text
        .trim_start_matches(|char: char| !char.is_alphanumeric() && !matches!(char, '*' | '_' | '`' | '<'));
    for mark in ["**", "__"] {
        let Some(inside) = bare.strip_prefix(mark) else {
            continue;
        };
        let end = memchr::memmem::find(
            &inside.as_bytes()[..inside.len().min(2 * LABEL_BYTES_MAX)],
            mark.as_bytes(),
        )?;
        let (label, rest) = (inside[..end].trim(), inside[end + mark.len()..].trim_start());
        if let Some(label) = label.strip_suffix([':', '：', '—', '-']) {
            return Some((label, rest, true));
        }
        if rest.is_empty() {
            return Some((label, rest, true));
        }
        let after = rest
            .strip_prefix([':', '：', '—', '–', '&', '+', ','])
            .or_else(|| rest.strip_prefix("- "))?;
        return Some((label, after, true));
    }
    let start = head(bare, LABEL_BYTES_MAX);
    let colon = start.find([':', '：'])?;
    let width = start[colon..].chars().next().map_or(1, char::len_utf8);
    // `https://` and `12:30` are no labels.
    let rest = &bare[colon + width..];
    let label = bare[..colon].trim_matches(['*', '_', '`']);
    (!rest.starts_with("//")).then_some((label, rest, false))
}

#[cfg(test)]
mod tests;
