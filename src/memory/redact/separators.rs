//! What may stand between a label and its value: `:`, `=`, `is`, a type, a table's bar, a flag's space, brackets, tags
//! (`separators.txt`).

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::labels::Label;
use super::line::{Line, floor};
use super::rules::{Lazy, pattern};
use super::values::{Trust, has_digit};
use super::words::{self, lines};

/// What separates a label from its value.
#[derive(Clone, Copy)]
pub(super) struct Separator {
    pub(super) end: usize,
    /// As in the table.
    flags: &'static str,
}

impl Separator {
    pub(super) fn is(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}

static ROWS: LazyLock<Vec<(&str, Lazy)>> = LazyLock::new(|| {
    let rows = lines(include_str!("separators.txt")).filter_map(|line| line.split_once(" := "));
    rows.map(|(flags, text)| (flags, Lazy::new(text))).collect()
});

/// A stretch of a text with marks around the label in it.
struct Near {
    marked: String,
    start: usize,
    /// Where in it the label ends.
    label_end: usize,
}

impl Near {
    fn of(text: &str, label: &Label, from: usize, to: usize) -> Self {
        let name = &text[label.start..label.end];
        let kind = match label.trust {
            Trust::Password | Trust::Strong if words::begins("english", name).is_none() => 'F',
            Trust::Password | Trust::Strong => 'P',
            Trust::Code => 'C',
            Trust::Random => 'T',
            Trust::Secret => 'S',
        };
        let mut marked = format!("{}\u{1}{kind}{name}", &text[from..label.start]);
        let label_end = marked.len();
        marked.extend(["\u{2}", &text[label.end..to]]);
        Self {
            marked,
            start: from,
            label_end,
        }
    }

    /// Where in the text the empty group of a pattern is.
    fn find(&self, pattern: &Regex) -> Option<usize> {
        let found = pattern.captures(self.marked.as_bytes())?;
        let at = found
            .iter()
            .skip(1)
            .flatten()
            .next()
            .map_or(0, |place| place.start());
        // Behind the label stand three signs more than in the text, before it none.
        let signs = if at > self.label_end { 3 } else { 0 };
        Some(self.start + at - signs)
    }
}

/// What stands before the value in `name: DB_PASSWORD` with `value: x` behind it, on the same line or the next, and its kin.
pub(super) fn beside_its_name(text: &str, label: &Label) -> Option<Separator> {
    /// Between a name and its value stand a few tags and the indentation of a line.
    const NEAR: usize = 120;
    let (from, to) = (
        floor(text, label.start.saturating_sub(NEAR)),
        floor(text, label.end + NEAR),
    );
    let near = Near::of(text, label, from, to);
    let mut ends = ["given-next", "given-first"]
        .iter()
        .filter_map(|name| near.find(pattern(name)));
    let flags = "strict";
    ends.next().map(|end| Separator { end, flags })
}

/// What separates a label from its value, if a separator follows it at all.
pub(super) fn separator(text: &str, line: &Line, label: &Label) -> Option<Separator> {
    /// The name of a cell, and a value with what separates it from its label. What is further away belongs to something else.
    const BEFORE: usize = 48;
    const AFTER: usize = 192;
    let from = floor(text, line.start.max(label.start.saturating_sub(BEFORE)));
    let to = floor(text, line.end.min(label.end + AFTER));
    // Neither a token nor a code is without digits; most of what is said of them is.
    let needs_digit = matches!(label.trust, Trust::Random | Trust::Code);
    if needs_digit && !has_digit(&text[label.end..to]) {
        return None;
    }
    let near = Near::of(text, label, from, to);
    let mut ends = ROWS
        .iter()
        .filter_map(|(flags, row)| Some((*flags, near.find(row.get())?)));
    let (flags, end) = ends.next().filter(|(flags, _)| *flags != "none")?;
    Some(Separator { end, flags })
}
