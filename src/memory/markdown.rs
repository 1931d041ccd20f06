//! Markdown, a line at a time: which line of a text is a heading, code, a comment, or just text (SPEC section
//! 3: "a heading is what CommonMark says it is").
//!
//! This is CommonMark's block structure and nothing of its inline one, at several times the speed of a parser
//! that builds a tree. It agrees with `pulldown-cmark` about top-level headings (the tests compare them over
//! generated texts) but for this: containers nested deeper than [`DEPTH_MAX`] are text, and a link reference
//! definition counts as the paragraph it is written in, as in the reference implementation, until a setext
//! underline asks. Either way every line is reported once.

mod blocks;
mod frontmatter;
mod html;
mod item;
mod reference;
mod scan;

pub use blocks::Lines;
pub use frontmatter::frontmatter_length;
pub use item::{Item, item};

/// How many block quotes and list items may be open at once. Real logs have four; a hostile one must not make
/// every further line cost what its longest did.
pub const DEPTH_MAX: usize = 32;

/// One line of a text and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line without its newline.
    pub text: &'a str,
    /// Where it starts, in bytes from the start of the text.
    pub start: usize,
    /// Its number, from 1.
    pub number: usize,
    /// What it is.
    pub what: What<'a>,
    /// How many block quotes and list items it is inside of, or opens. 0 at the top level.
    pub depth: u8,
    /// Whether one of these is a block quote.
    pub quoted: bool,
}

/// What a line is. Code and comments are told apart at any depth, headings at the top level only: one in a
/// quote or a list item is [`What::Text`] or [`What::Item`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What<'a> {
    /// White space, or a quote mark with nothing behind it. A blank line inside a fence is [`What::Code`].
    Blank,
    /// The line that makes a top-level heading: an ATX heading itself, or the underline of a setext heading,
    /// whose title lines have been reported as text.
    Heading(Heading<'a>),
    /// The opening line of a code fence.
    FenceOpen,
    /// A line inside a fence.
    Code,
    /// The closing line of a fence.
    FenceClose,
    /// A line of indented code.
    IndentedCode,
    /// A line of an HTML comment that is a block of its own.
    Comment,
    /// A line of any other HTML block.
    Html,
    /// A thematic break.
    Rule,
    /// The first line of a list item (or of an item in an item).
    Item,
    /// A line of a paragraph.
    Text,
}

/// A top-level heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<'a> {
    /// 1 to 6.
    pub level: u8,
    /// The title without marks and closing marks, trimmed. That of a setext heading may hold newlines.
    pub title: &'a str,
    /// Where the heading's first line starts, in bytes.
    pub start: usize,
    /// The number of its first line, from 1.
    pub number: usize,
}

/// Goes through the lines of `text`. In time linear in its length, whatever it holds.
#[must_use]
pub fn lines(text: &str) -> Lines<'_> {
    lines_from(text, 0)
}

/// Goes through the lines of `text` from byte `start` on, which must be the start of a line, as if the text
/// began there. Offsets and line numbers are those of the whole text.
#[must_use]
pub fn lines_from(text: &str, start: usize) -> Lines<'_> {
    Lines::new(text, start)
}

/// Where the first section whose heading is the wanted one stands: up to the next heading of its level or above, or the end.
pub fn section(text: &str, is_wanted: impl Fn(&Heading<'_>) -> bool) -> Option<(usize, usize)> {
    let mut found: Option<Heading<'_>> = None;
    for line in lines(text) {
        let What::Heading(heading) = line.what else {
            continue;
        };
        match &found {
            None if is_wanted(&heading) => found = Some(heading),
            Some(found) if heading.level <= found.level => return Some((found.start, heading.start)),
            _ => {}
        }
    }
    found.map(|heading| (heading.start, text.len()))
}

#[cfg(test)]
mod tests;
