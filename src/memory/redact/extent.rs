//! Where things begin and end: a line, a value (at its closing quote, before the next assignment, with its sentence).

use std::ops::Range;

use super::super::text::head;
use super::rules::group;

/// Longer values are judged by their first part, which bounds the work on one long line.
pub(super) const JUDGED_MAX: usize = 128;

/// The value within quotes at the start of the text. A quote that is not closed reaches to the next white space.
pub(super) fn quoted(text: &str) -> Option<&str> {
    /// A closing quote further away belongs to something else.
    const QUOTED_MAX: usize = 1024;
    let near = head(text, QUOTED_MAX);
    let inner = group("quoted", near).or_else(|| group("quote-open", near))?;
    // A string in a code span.
    Some(inner.trim_matches(['"', '\'']))
}

/// The second part of a string in two: `"x" + "y"`, on the next line too.
pub(super) fn joined(text: &str, end: usize) -> Option<Range<usize>> {
    let second = group("joined", head(&text[end..], JUDGED_MAX))?;
    Some(place(second, text))
}

/// The bare value at the start of the text. One that is longer than what is judged is cut there.
pub(super) fn bare(text: &str) -> &str {
    let window = head(text, JUDGED_MAX);
    let run = window.find(ends_bare).unwrap_or(window.len());
    let next = group("next-thing", head(text, run + JUDGED_MAX));
    let end = run.min(next.map_or(run, str::len));
    // `xです`: who writes in the scripts of South and East Asia puts no space.
    let other = window[..end].find(|c| c >= '\u{e00}' && char::is_alphabetic(c));
    let other = other.filter(|at| *at > 0 && window[..*at].is_ascii());
    trim_closing(&window[..other.unwrap_or(end)])
}

fn ends_bare(c: char) -> bool {
    c.is_whitespace() || matches!(c, '`' | '"')
}

/// Sentence marks and brackets behind a value are not part of it; a bracket that was opened in it is, and so is `!`.
fn trim_closing(value: &str) -> &str {
    let mut cut = value.trim_end_matches("**");
    cut = cut.trim_end_matches([',', ';', '.', ':', '\'', '>', '\\', '」', '』', '«']);
    for (opening, closing) in [('(', ')'), ('[', ']'), ('{', '}')] {
        if !cut.contains(opening) {
            cut = cut.strip_suffix(closing).unwrap_or(cut);
        }
    }
    if cut.len() < value.len() { trim_closing(cut) } else { cut }
}

#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// Without the line feed.
    pub(super) end: usize,
    /// Where what is written starts, behind the indentation.
    pub(super) first: usize,
    pub(super) is_heading: bool,
}

impl<'a> Line<'a> {
    pub(super) fn at(text: &'a str, position: usize) -> Self {
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..position]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[position..]).map_or(bytes.len(), |at| position + at);
        let written = text[start..end].trim_start_matches([' ', '\t']);
        let title = written.trim_start_matches('#');
        let is_heading = (1..=6).contains(&(written.len() - title.len())) && title.starts_with([' ', '\t']);
        let first = end - written.len();
        Line { text, start, end, first, is_heading }
    }

    /// What stands in the line between two positions, which may lie outside of it.
    pub(super) fn within(&self, from: usize, to: usize) -> &'a str {
        near(self.text, from.max(self.start), to.min(self.end))
    }

    /// What stands in the line before a position, at most so much of it that one long line stays cheap.
    pub(super) fn before(&self, at: usize) -> &'a str {
        self.within(at.saturating_sub(JUDGED_MAX), at)
    }

    /// What stands in the line from a position on, at most as much as is judged.
    pub(super) fn behind(&self, at: usize) -> &'a str {
        self.within(at, at + JUDGED_MAX)
    }

    pub(super) fn below(&self) -> impl Iterator<Item = &'a str> {
        self.text.get(self.end + 1..).unwrap_or_default().lines()
    }

    /// Where a bare value at `start` ends that was judged up to `judged`: one that is longer goes as a whole.
    pub(super) fn whole(&self, value: Range<usize>) -> Range<usize> {
        if value.end < head(self.text, value.start + JUDGED_MAX).len() {
            return value;
        }
        let rest = &self.text[value.end..self.end];
        value.start..value.end + rest.find(ends_bare).unwrap_or(rest.len())
    }
}

/// What stands between two positions, which may lie within a character or behind the end.
pub(super) fn near(text: &str, from: usize, to: usize) -> &str {
    &head(text, to)[head(text, from).len()..]
}

pub(super) fn place(part: &str, text: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
