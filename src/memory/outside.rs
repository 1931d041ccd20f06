//! What of others' texts and names may go outside: to whoever asks, into a message, into a node's frontmatter.
//!
//! What is secret often shows in the lines around it alone: a table's head, a label on the line above. So the whole text is redacted
//! first, and only then is a part of it cut out.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::calendar::Day;
use super::entry::{self, UnitDigest};
use super::redact::{MARK, redact, redact_lines};
use super::text::printable;

/// A whole text without what is secret or cannot be seen. Each line stands where it stood: blank ones follow a mark for several.
#[must_use]
pub fn text(whole: &str) -> Cow<'_, str> {
    let printable = printable(whole);
    match redact_lines(&printable) {
        Cow::Borrowed(_) => printable,
        Cow::Owned(redacted) => Cow::Owned(redacted),
    }
}

/// So many lines of a text from one on, counted from 0.
#[must_use]
pub fn lines(text: &str, first: usize, count: usize) -> String {
    let lines: Vec<&str> = text.lines().skip(first).take(count).collect();
    lines.join("\n")
}

/// The units of a log by their digests, as a node of another day may carry them. What shows to be secret in the whole log alone is a
/// mark in its line's place; else a unit is as it stands, to be redacted by itself.
pub fn units(log: &str) -> HashMap<UnitDigest, String> {
    let whole = redact(log);
    let kept: HashSet<&str> = whole.lines().collect();
    let told = |unit: &str| {
        let alone = redact(unit);
        if alone.lines().all(|line| kept.contains(line)) {
            return unit.to_owned();
        }
        lines_of(&alone, &kept)
    };
    let units = entry::by_digest(log).into_iter();
    units.map(|(digest, unit)| (digest, told(unit))).collect()
}

/// A text with marks in the place of the lines that are not among those that are `kept`.
pub(super) fn lines_of(text: &str, kept: &HashSet<&str>) -> String {
    let marked = |line| if kept.contains(line) { line } else { MARK };
    text.lines().map(marked).collect::<Vec<_>>().join("\n")
}

/// A file's path as it is told, in nodes too: what is secret in the name goes; folder, date and ending, by which it is known, stay.
#[must_use]
pub fn path(path: &str) -> Cow<'_, str> {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let dated = path.get(name..name + DATE_BYTES).and_then(Day::parse);
    let known = name + dated.map_or(0, |_| DATE_BYTES);
    let (known, rest) = path.split_at(known);
    let (rest, ending) = rest.strip_suffix(".md").map_or((rest, ""), |rest| (rest, ".md"));
    match redact(rest) {
        Cow::Borrowed(_) => Cow::Borrowed(path),
        Cow::Owned(rest) => Cow::Owned([known, &rest, ending].concat()),
    }
}

const DATE_BYTES: usize = 10;

#[cfg(test)]
mod tests;
