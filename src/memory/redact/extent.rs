//! Where things begin and end: a line, a run of bytes, a value (at its closing quote, before the next assignment, with its sentence).

use std::ops::Range;

use super::super::text::head;
use super::rules::{group, pattern};

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

/// The length of a bare value at the start of the text. One that is longer than what is judged is cut there.
pub(super) fn bare(text: &str) -> usize {
    let window = head(text, JUDGED_MAX);
    let run = window.find(ends_bare).unwrap_or(window.len());
    let next = group("next-thing", head(text, run + JUDGED_MAX));
    let end = run.min(next.map_or(run, str::len));
    // `xです`: who writes in the scripts of South and East Asia puts no space.
    let other = window[..end].find(|c| c >= '\u{e00}' && char::is_alphabetic(c));
    let other = other.filter(|at| *at > 0 && window[..*at].is_ascii());
    trim_closing(&window[..other.unwrap_or(end)]).len()
}

/// Where a bare value ends that was judged up to `judged`: one that is longer goes as a whole.
pub(super) fn whole(text: &str, line: &Line, start: usize, judged: usize) -> usize {
    if judged < floor(text, start + JUDGED_MAX) {
        return judged;
    }
    let rest = &text[judged..line.end];
    judged + rest.find(ends_bare).unwrap_or(rest.len())
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
    if cut.len() < value.len() {
        trim_closing(cut)
    } else {
        cut
    }
}

/// Whether what follows a value is not the rest of a sentence.
pub(super) fn nothing_more(rest: &str) -> bool {
    pattern("nothing-more").is_match(rest.as_bytes())
}

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

/// The last character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    head(text, at).len()
}

/// Where in a text a part of it stands.
pub(super) fn place(part: &str, text: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
