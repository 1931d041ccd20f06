//! A raw log as entries, and the units by which coverage is counted (SPEC sections 3 and 4).

use std::collections::HashMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::markdown::{self, Heading, Line, What};
/// What a unit is known by, wherever it moves in its log: a hash of its lines.
pub use super::text::Hash as UnitDigest;

/// What an entry is about, and so how long it is kept (SPEC sections 3 and 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Kind {
    /// Work; kept while active. What an entry without a tag is.
    #[default]
    Project,
    /// How the agent should do things; kept for good.
    Feedback,
    /// The person; kept for good.
    User,
    /// Where something is.
    Reference,
}

named!(Kind: Project = "project", Feedback = "feedback", User = "user", Reference = "reference");

impl Kind {
    /// Whether it tells of the person: kept word for word, before everything else, and never forgotten.
    pub fn is_personal(self) -> bool {
        matches!(self, Kind::User | Kind::Feedback)
    }
}

impl FromStr for Kind {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let kind = Self::parse(&word.trim().to_ascii_lowercase());
        kind.ok_or("is none of project, feedback, user, reference")
    }
}

/// Splits the type tag off the end of a heading. Brackets around any other word are part of the name.
pub fn split_tag(heading: &str) -> (&str, Option<Kind>) {
    // Some write the whole heading in bold, tag included.
    let trimmed = heading.trim_end().trim_end_matches(['*', '_', '`']).trim_end();
    let inside = trimmed.strip_suffix(']');
    let tag = inside.and_then(|inside| inside.rsplit_once('['));
    match tag.map(|(name, word)| (name, word.parse())) {
        Some((name, Ok(kind))) => (name.trim_end().trim_end_matches('`').trim_end(), Some(kind)),
        _ => (heading.trim_end(), None),
    }
}

/// A raw log taken apart: `preamble` and the entries' texts, one after the other, are the text again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log<'a> {
    pub text: &'a str,
    /// What stands before the first entry: a date title, frontmatter, loose notes.
    pub preamble: &'a str,
    pub entries: Vec<Entry<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The heading's title, tag included, as written; of a heading over several lines with its newlines. Empty for a log that is one entry.
    pub heading: &'a str,
    /// The heading's level, 0 for a log that is one entry.
    pub level: u8,
    pub tag: Option<Kind>,
    pub text: &'a str,
    pub body: &'a str,
    /// The number of its first line in the log, from 1.
    pub line: usize,
}

/// What coverage counts: an entry; in a preamble or a log without entries, a paragraph (SPEC section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// The units of a text by their digests; of several that say the same, the first.
pub fn by_digest(text: &str) -> HashMap<UnitDigest, &str> {
    let units = read(text).units().map(|unit| (digest(unit.text), unit.text));
    let units: Vec<_> = units.collect();
    units.into_iter().rev().collect()
}

/// Reads decoded text as a log (SPEC section 3). Entries start at the level-2 headings; without any, at those of the shallowest level that
/// occurs at least twice; without such a level, all behind the frontmatter is one entry. What stands under a shallower heading between two
/// entries is an entry too, so that nothing falls out.
pub fn read<'a>(text: &'a str) -> Log<'a> {
    let headings: Vec<Heading<'a>> = markdown::body_lines(text).filter_map(Line::heading).collect();
    let levels = || headings.iter().map(|heading| heading.level);
    let is_repeated = |level: &u8| levels().filter(|other| other == level).count() >= 2;
    let second = levels().find(|level| *level == 2);
    let Some(level) = second.or_else(|| (1..=6).find(is_repeated)) else {
        // A log without headings to go by.
        let (preamble, rest) = text.split_at(markdown::frontmatter_length(text));
        let is_empty = rest.trim().is_empty();
        let entry = Entry {
            heading: "",
            level: 0,
            tag: None,
            text: rest,
            body: rest,
            line: super::text::line_count(preamble) + 1,
        };
        return Log {
            text,
            preamble: if is_empty { text } else { preamble },
            entries: if is_empty { Vec::new() } else { vec![entry] },
        };
    };
    let headings = headings.iter().skip_while(|heading| heading.level != level);
    let headings = headings.filter(|heading| heading.level <= level);
    let starts = headings.clone().map(|heading| heading.start);
    let ends = starts.clone().skip(1).chain([text.len()]);
    let entry = |(heading, end): (&Heading<'a>, usize)| Entry {
        heading: heading.title,
        level: heading.level,
        tag: split_tag(heading.title).1,
        text: &text[heading.start..end],
        body: &text[heading.end..end],
        line: heading.number,
    };
    Log {
        text,
        preamble: &text[..starts.clone().next().unwrap_or(text.len())],
        entries: headings.zip(ends).map(entry).collect(),
    }
}

impl<'a> Log<'a> {
    /// The units of the log, in order. A date title, frontmatter, a thematic break or a comment by itself is none.
    pub fn units(&self) -> impl Iterator<Item = Unit<'a>> + use<'a> {
        let (loose, entries) = match self.entries.as_slice() {
            // The level of no heading: paragraphs all the way.
            [entry] if entry.level == 0 => (self.text, Vec::new()),
            entries => (self.preamble, entries.to_vec()),
        };
        // Paragraphs that are only a heading count for nothing: before entries all, in a log without entries the title only.
        let no_titles = !entries.is_empty();
        let entry = |Entry { text, line, .. }: Entry<'a>| Unit { text, line };
        let loose = paragraphs(loose, no_titles).into_iter();
        loose.chain(entries.into_iter().map(entry))
    }
}

/// The paragraphs of a text, as blank lines outside of fences and comments part them.
fn paragraphs(text: &str, no_titles: bool) -> Vec<Unit<'_>> {
    let lines: Vec<Line<'_>> = markdown::body_lines(text).collect();
    let (mut units, mut title_seen) = (Vec::new(), false);
    for paragraph in lines.split(|line| line.what == What::Blank) {
        let Some((first, last)) = paragraph.first().zip(paragraph.last()) else {
            continue;
        };
        // White space that Markdown does not know as such says nothing either.
        let is_nothing =
            |line: &Line<'_>| matches!(line.what, What::Rule | What::Comment) || line.text.trim().is_empty();
        let is_title = |line: &Line<'_>| is_nothing(line) || matches!(line.what, What::Heading(_));
        // An underline makes a heading of the lines before it, too.
        let is_underline =
            |line: &Line<'_>| matches!(line.what, What::Heading(heading) if heading.start <= first.start);
        let behind = paragraph.iter().rposition(is_underline).map_or(0, |at| at + 1);
        let empty = paragraph.iter().all(is_nothing);
        let title = !empty && paragraph[behind..].iter().all(is_title);
        let passed_over = empty || title && (no_titles || !title_seen);
        title_seen |= title;
        // A comment that is never closed has swallowed the rest of the log: that is none to pass over.
        let unclosed = last.what == What::Comment && !last.text.trim_end().ends_with("-->");
        if unclosed || !passed_over {
            let (text, line) = (&text[first.start..last.start + last.text.len()], first.number);
            units.push(Unit { text, line });
        }
    }
    units
}

/// The digest of a unit without the blank lines and thematic breaks at its end: the next entry may be appended behind a `---`.
pub fn digest(unit: &str) -> UnitDigest {
    let mut lines: Vec<&str> = unit.trim_end().split('\n').map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty() || is_break(line)) {
        lines.pop();
    }
    UnitDigest::of_bytes(lines.join("\n"))
}

/// Whether a line is a thematic break: three marks or more of one kind and nothing else.
pub fn is_break(line: &str) -> bool {
    let marks = || line.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let mark = marks().next();
    matches!(mark, Some(b'-' | b'*' | b'_')) && marks().count() >= 3 && marks().all(|byte| Some(byte) == mark)
}

#[cfg(test)]
mod tests;
