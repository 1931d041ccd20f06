//! Where a value ends: at its closing quote, before the next assignment, with its sentence.

use std::ops::Range;

use super::super::text::head;
use super::line::{Line, floor, place};
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
