//! What may stand between a label and its value: `:`, `=`, `is`, a type, a table's bar, a flag's space, brackets, tags
//! (`separators.txt`).

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::labels::Label;
use super::line::{Line, floor};
use super::rules::{Row, pattern};
use super::values::{Trust, has_digit};
use super::words::{self, lines};

/// What separates a label from its value.
#[derive(Clone, Copy)]
pub(super) struct Separator {
    pub(super) end: usize,
    /// `is`, `to`, a dash, a bar: prose has them too.
    pub(super) loose: bool,
    /// `=` with no space around it, a flag, markup.
    pub(super) glued: bool,
    /// In brackets, or behind nothing but a space: only what cannot be a word counts.
    pub(super) guessed: bool,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    lines(include_str!("separators.txt"))
        .filter_map(Row::read)
        .collect()
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

/// Where the value starts in `name: DB_PASSWORD` with `value: x` behind it, on the same line or the next, and its kin.
pub(super) fn beside_its_name(text: &str, label: &Label) -> Option<usize> {
    /// Between a name and its value stand a few tags and the indentation of a line.
    const NEAR: usize = 120;
    let (from, to) = (
        floor(text, label.start.saturating_sub(NEAR)),
        floor(text, label.end + NEAR),
    );
    let near = Near::of(text, label, from, to);
    ["given-next", "given-first"]
        .iter()
        .find_map(|name| near.find(pattern(name)))
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
    let first = |row: &'static Row| Some((row.flags, near.find(row.pattern())?));
    let (flags, end) = ROWS.iter().find_map(first)?;
    let is = |flag| flags.contains(flag);
    (!is("none")).then(|| Separator {
        end,
        loose: is("loose"),
        glued: is("glued"),
        guessed: is("guessed"),
    })
}
