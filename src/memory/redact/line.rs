//! The line around a position, and a cut at a character.

use std::ops::Range;

use super::super::text::head;

/// The line around a position.
pub(super) struct Line {
    pub(super) start: usize,
    /// Without the line feed.
    pub(super) end: usize,
    /// Where the text starts, behind the indentation.
    pub(super) first: usize,
    pub(super) is_heading: bool,
}

impl Line {
    pub(super) fn at(text: &str, position: usize) -> Line {
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..position]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[position..]).map_or(bytes.len(), |at| position + at);
        let first = start + run(&bytes[start..end], usize::MAX, |b| matches!(b, b' ' | b'\t'));
        let signs = run(&bytes[first..end], 7, |b| b == b'#');
        let is_heading = (1..=6).contains(&signs) && matches!(bytes.get(first + signs), Some(b' ' | b'\t'));
        Line {
            start,
            end,
            first,
            is_heading,
        }
    }

    /// What stands in the line before a position, at most so much of it that one long line stays cheap.
    pub(super) fn before<'a>(&self, text: &'a str, at: usize) -> &'a str {
        const BEFORE_MAX: usize = 128;
        let mut from = self.start.max(at.saturating_sub(BEFORE_MAX));
        while !text.is_char_boundary(from) {
            from += 1;
        }
        &text[from..at]
    }
}

/// The lines below the line end at `at`, without their line feeds.
pub(super) fn lines_below(text: &str, at: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = at + 1;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = start + memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let row = start..end;
        start = end + 1;
        Some(row)
    })
}

/// How many bytes at the beginning of a text belong together, at most so many of them.
pub(super) fn run(text: impl AsRef<[u8]>, most: usize, belongs: impl Fn(u8) -> bool) -> usize {
    text.as_ref()
        .iter()
        .take(most)
        .take_while(|b| belongs(**b))
        .count()
}

/// The same at its end.
pub(super) fn run_before(text: impl AsRef<[u8]>, most: usize, belongs: impl Fn(u8) -> bool) -> usize {
    text.as_ref()
        .iter()
        .rev()
        .take(most)
        .take_while(|b| belongs(**b))
        .count()
}

/// Whether a text consists of such bytes.
pub(super) fn is_all(text: &str, belongs: impl Fn(u8) -> bool) -> bool {
    text.bytes().all(belongs)
}

/// The last character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    head(text, at).len()
}

/// Where in a text a part of it stands.
pub(super) fn place(part: &str, text: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
