//! Markdown, a line at a time: which line of a text is a heading, code, a comment, or just text (SPEC section
//! 3: "a heading is what CommonMark says it is"). The blocks are those of `pulldown-cmark`.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use regex::Captures;

use super::text::line_count;

/// So much of a text is parsed at once, unless a block is longer: a day's log whole.
const PIECE_BYTES: usize = 1 << 18;
/// How many quote marks, spaces and tabs may stand before the text of a line: each costs the parser time. Real logs nest four deep.
const INDENT_MAX: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    pub text: &'a str,
    pub start: usize,
    pub number: usize,
    pub what: What<'a>,
    /// Whether it is part of a block quote or a list item.
    pub nested: bool,
}

/// What a line is. A heading in a quote or a list item is [`What::Text`] or [`What::Item`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What<'a> {
    /// White space, or a quote mark with nothing behind it. A blank line inside a fence is [`What::Code`].
    Blank,
    /// An ATX heading, or the underline of a setext heading, whose title lines have been reported as text.
    Heading(Heading<'a>),
    FenceOpen,
    Code,
    FenceClose,
    IndentedCode,
    /// A line of an HTML comment that is a block of its own.
    Comment,
    Html,
    Rule,
    /// The first line of a list item (or of an item in an item).
    Item,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<'a> {
    pub level: u8,
    /// The title without marks and closing marks, trimmed. That of a setext heading may hold newlines.
    pub title: &'a str,
    /// Where the heading's first line starts, and where what stands under it begins, in bytes.
    pub start: usize,
    pub end: usize,
    pub number: usize,
}

pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines_from(text, 0)
}

/// The lines behind the frontmatter.
pub fn body_lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines_from(text, frontmatter_length(text))
}

/// The lines from byte `start` on, which must be the start of a line, as if the text began there; offsets and line numbers are those of the
/// whole text. It is parsed piece by piece: what the parser holds of a text takes several times its size.
fn lines_from(text: &str, start: usize) -> impl Iterator<Item = Line<'_>> {
    let mut blocks = Blocks {
        text,
        lines_before: line_count(&text[..start]),
        lines: Vec::new(),
        closing: None,
    };
    let (mut at, mut bytes) = (start, PIECE_BYTES);
    while at < text.len() {
        let behind = text.as_bytes().get(at + bytes..).unwrap_or_default();
        let newline = memchr::memchr(b'\n', behind);
        let end = newline.map_or(text.len(), |newline| at + bytes + newline + 1);
        let known = blocks.lines.len();
        let last = blocks.parse(at..end);
        if let Some(last) = last.filter(|_| end < text.len()) {
            // It may go on behind the piece.
            blocks.lines.truncate(last);
        }
        let has_grown = blocks.lines.len() > known;
        bytes = if has_grown { PIECE_BYTES } else { bytes * 4 };
        at = blocks.lines.last().map_or(start, |line| line.next(text));
    }
    blocks.lines.into_iter()
}

impl<'a> Line<'a> {
    pub fn heading(self) -> Option<Heading<'a>> {
        match self.what {
            What::Heading(heading) => Some(heading),
            _ => None,
        }
    }

    pub fn next(&self, text: &str) -> usize {
        (self.start + self.text.len() + 1).min(text.len())
    }
}

patterns! {
    /// A line that nests deeper than [`INDENT_MAX`] marks: the marks up to there, and those behind them.
    DEEP = format!(r"(?m)^((?:[-+*.)0-9]*[ \t>]){{{INDENT_MAX}}}[-+*.)0-9]*)([ \t>][ \t>*+-]*)");
    /// A tab among the white space behind a line.
    TAB_BEHIND = r"(?m)([^ \t\n])( *\t[ \t]*)$";
    /// The marker of a list item and the white space around it. Nine digits are CommonMark's limit.
    MARKER = r"^[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)";
    /// The beginning of a line of a frontmatter.
    KEY = r#"^["']*[\p{L}\p{M}\p{N}_.-]{1,60}["']*:(?:[ \t]|$)"#;
}

/// The text as the parser is to read it, of the same length and with the same lines: letters stand in place of marks that
/// would nest a line too deep, and a fence may close with a tab behind it, which the parser does not know.
fn for_parser(text: &str) -> Cow<'_, str> {
    let shallow = DEEP.replace_all(text, |found: &Captures<'_>| {
        let behind = &text[found.get_match().end()..];
        let is_blank = found[2].trim().is_empty() && (behind.is_empty() || behind.starts_with('\n'));
        let letters = "x".repeat(found[2].len());
        found[1].to_owned() + if is_blank { &found[2] } else { &letters }
    });
    if !shallow.contains('\t') {
        return shallow;
    }
    let spaces = |found: &Captures<'_>| found[1].to_owned() + &" ".repeat(found[2].len());
    Cow::Owned(TAB_BEHIND.replace_all(&shallow, spaces).into_owned())
}

struct Blocks<'a> {
    text: &'a str,
    lines_before: usize,
    lines: Vec<Line<'a>>,
    /// Of a fence whose end has not been seen: the line behind its content, and that behind the fence. What lies between closes it.
    closing: Option<Range<usize>>,
}

impl<'a> Blocks<'a> {
    /// Adds the lines of a piece of the text. Answers the first line of its last block.
    fn parse(&mut self, piece: Range<usize>) -> Option<usize> {
        let (at, text) = (piece.start, &self.text[piece]);
        let mut start = at;
        for line in text.split_inclusive('\n') {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let is_blank = text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>'));
            self.lines.push(Line {
                text,
                start,
                number: self.lines_before + self.lines.len() + 1,
                what: if is_blank { What::Blank } else { What::Text },
                nested: false,
            });
            start += line.len();
        }
        self.closing = None;
        let mut last = None;
        let mut depth = 0_usize;
        for (event, range) in Parser::new_ext(&for_parser(text), Options::empty()).into_offset_iter() {
            let range = range.start + at..range.end + at;
            if depth == 0 {
                last = Some(self.line_at(range.start));
            }
            match event {
                Event::Start(tag) => {
                    self.open(&tag, range, depth);
                    depth += 1;
                }
                Event::End(tag) => {
                    depth -= 1;
                    if tag == TagEnd::CodeBlock
                        && let Some(closing) = self.closing.take()
                    {
                        self.mark(closing.start.min(closing.end)..closing.end, What::FenceClose);
                    }
                }
                Event::Text(_) => {
                    let last = self.line_at(range.end.max(range.start + 1) - 1);
                    if let Some(closing) = &mut self.closing {
                        closing.start = last + 1;
                    }
                }
                Event::Rule => {
                    let line = self.line_at(range.start);
                    let what = &mut self.lines[line].what;
                    if *what != What::Item {
                        *what = What::Rule;
                    }
                }
                _ => {}
            }
        }
        last
    }

    fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset) - 1
    }

    /// Notes which lines a block is made of. `depth` is 0 at the top level.
    fn open(&mut self, tag: &Tag<'_>, range: Range<usize>, depth: usize) {
        let first = self.line_at(range.start);
        let last = self.line_at(range.end.max(range.start + 1) - 1);
        match tag {
            Tag::Heading { level, .. } if depth == 0 => {
                let Line { start, number, .. } = self.lines[first];
                let setext = self.text[start..self.lines[last].start].trim();
                let (is_atx, line) = (first == last, self.lines[last].text);
                self.lines[last].what = What::Heading(Heading {
                    level: *level as u8,
                    title: if is_atx { atx_title(line) } else { setext },
                    start,
                    end: self.lines[last].next(self.text),
                    number,
                });
            }
            Tag::BlockQuote(_) | Tag::List(_) => {
                for line in &mut self.lines[first..=last] {
                    line.nested = true;
                }
                if self.lines[first].what == What::Item && matches!(tag, Tag::BlockQuote(_)) {
                    self.lines[first].what = What::Text;
                }
            }
            Tag::Item => {
                // The parser counts the columns of a tab as bytes, so that an item may begin up to three bytes too early.
                let is_marker = |line: &usize| {
                    let line = &self.lines[*line];
                    let from = range.start.saturating_sub(line.start);
                    let rest = line.text.get(from..).unwrap_or_default();
                    item(rest.trim_start_matches([' ', '\t', '>'])).is_some()
                };
                let line = (first..=last).find(is_marker).unwrap_or(first);
                self.lines[line].what = What::Item;
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => {
                let lines = self.lines[first..=last].iter_mut();
                let code = lines.filter(|line| line.what != What::Blank);
                code.for_each(|line| line.what = What::IndentedCode);
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => {
                self.mark(first + 1..last + 1, What::Code);
                self.lines[first].what = What::FenceOpen;
                self.closing = Some(first + 1..last + 1);
            }
            Tag::HtmlBlock => {
                let is_comment = self.text[range.start..].trim_start().starts_with("<!--");
                let what = if is_comment { What::Comment } else { What::Html };
                self.mark(first..last + 1, what);
            }
            _ => {}
        }
    }

    fn mark(&mut self, lines: Range<usize>, what: What<'static>) {
        for line in &mut self.lines[lines] {
            line.what = what;
        }
    }
}

fn atx_title(line: &str) -> &str {
    let title = line.trim_start().trim_start_matches('#').trim();
    let unclosed = title.trim_end_matches('#');
    if unclosed.is_empty() || unclosed.ends_with([' ', '\t']) {
        unclosed.trim_end()
    } else {
        title
    }
}

/// Where the first section whose heading is the wanted one stands: up to the next heading of its level or above, or the end.
pub fn section(text: &str, is_wanted: impl Fn(&Heading<'_>) -> bool) -> Option<(usize, usize)> {
    let mut found: Option<Heading<'_>> = None;
    for heading in lines(text).filter_map(Line::heading) {
        match &found {
            None if is_wanted(&heading) => found = Some(heading),
            Some(found) if heading.level <= found.level => return Some((found.start, heading.start)),
            _ => {}
        }
    }
    found.map(|heading| (heading.start, text.len()))
}

/// A list item by itself, for who reads one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// Bytes of white space before the marker.
    pub indent: usize,
    /// What follows the marker and, if it has one, the checkbox.
    pub text: &'a str,
    /// Whether it has a checkbox, and if so whether that is ticked.
    pub checkbox: Option<bool>,
}

/// Reads a line as a list item, with or without a checkbox, at any indentation.
pub fn item(line: &str) -> Option<Item<'_>> {
    let text = line[MARKER.find(line)?.end()..].trim();
    let boxes = [("[ ]", false), ("[x]", true), ("[X]", true)];
    let boxed = boxes.into_iter().find_map(|(mark, ticked)| {
        let rest = text.strip_prefix(mark)?;
        (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (rest.trim_start(), ticked))
    });
    Some(Item {
        indent: line.len() - line.trim_start_matches([' ', '\t']).len(),
        text: boxed.map_or(text, |(rest, _)| rest),
        checkbox: boxed.map(|(_, ticked)| ticked),
    })
}

/// A longer block is no frontmatter.
const LINES_MAX: usize = 200;

/// How many bytes at the start of a text are YAML frontmatter, its closing line included; 0 when there is none. People also start a log
/// with a thematic break, and headings must not vanish behind it, so the block must look like YAML: its first line is `key:`, the others
/// keys, list items, indented, comments or blank.
pub fn frontmatter_length(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let Some(opening) = lines.next().filter(|line| line.trim_end() == "---") else {
        return 0;
    };
    let mut length = opening.len();
    for (index, line) in lines.take(LINES_MAX).enumerate() {
        length += line.len();
        let line = line.trim_end();
        if index > 0 && matches!(line, "---" | "...") {
            return length;
        }
        let is_below_a_key = line.is_empty() || [" ", "\t", "- ", "# "].iter().any(|it| line.starts_with(it));
        if !(KEY.is_match(line) || index > 0 && is_below_a_key) {
            return 0;
        }
    }
    0
}

#[cfg(test)]
mod tests;
