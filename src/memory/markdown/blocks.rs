//! CommonMark's block structure, a line at a time: which containers a line goes on in, which it opens, and
//! what that makes it.

use memchr::memchr;

use super::super::text::line_count;
use super::html::Html;
use super::scan::{self, Cursor};
use super::{DEPTH_MAX, Heading, Line, What, reference};

/// Something that holds other blocks.
#[derive(Debug, Clone, Copy)]
enum Container {
    Quote,
    /// A list item: the columns its content is indented by, and whether it has none yet.
    Item {
        indent: usize,
        empty: bool,
    },
}

/// What `- text` opens.
const PLAIN_ITEM: Container = Container::Item {
    indent: 2,
    empty: false,
};

/// The innermost block that is open. Indented code is none: each of its lines is known by itself.
#[derive(Debug, Clone, Copy)]
enum Leaf {
    None,
    /// A paragraph, with the offset and number of its first line.
    Paragraph {
        start: usize,
        number: usize,
    },
    Fence {
        mark: u8,
        length: usize,
    },
    Html(Html),
}

/// The lines of a text, each with what it is. See [`lines`](super::lines).
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    at: usize,
    number: usize,
    containers: Vec<Container>,
    leaf: Leaf,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let first = *rest.first()?;
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = (start + length + 1).min(self.text.len());
        self.number += 1;
        let text = &self.text[start..start + length];
        let number = self.number;
        let line = |what, depth, quoted| Line {
            text,
            start,
            number,
            what,
            depth,
            quoted,
        };
        // Nearly every line starts with a letter, and outside of lists and fences that makes it text.
        if self.containers.is_empty() && !scan::MAY_OPEN[usize::from(first)] {
            match self.leaf {
                Leaf::Paragraph { .. } => return Some(line(What::Text, 0, false)),
                Leaf::None => {
                    self.leaf = Leaf::Paragraph { start, number };
                    return Some(line(What::Text, 0, false));
                }
                Leaf::Fence { .. } => return Some(line(What::Code, 0, false)),
                Leaf::Html(_) => {}
            }
        }
        if self.starts_plain_item(text.as_bytes()) {
            self.containers.clear();
            self.containers.push(PLAIN_ITEM);
            self.leaf = Leaf::Paragraph { start, number };
            return Some(line(What::Item, 1, false));
        }
        let what = self.block(text, start);
        let quoted = self
            .containers
            .iter()
            .any(|container| matches!(container, Container::Quote));
        let depth = u8::try_from(self.containers.len()).unwrap_or(u8::MAX);
        Some(line(what, depth, quoted))
    }
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, start: usize) -> Self {
        let number = line_count(&text[..start]);
        Lines {
            text,
            at: start,
            number,
            containers: Vec::new(),
            leaf: Leaf::None,
        }
    }

    /// Whether a line is a bullet at the margin with a letter behind it, as most lines of logs are. Such a line goes on in no open
    /// container, ends any paragraph, and holds no other block; only in a fence or HTML block at the margin it is something else.
    fn starts_plain_item(&self, text: &[u8]) -> bool {
        let &[b'-' | b'*' | b'+', b' ', first, ..] = text else {
            return false;
        };
        let closed = !self.containers.is_empty() || matches!(self.leaf, Leaf::None | Leaf::Paragraph { .. });
        first.is_ascii_alphabetic() && closed
    }

    /// What a line is, by CommonMark's three steps: match the open containers, open new ones, add the rest to
    /// the leaf.
    fn block(&mut self, text: &'a str, start: usize) -> What<'a> {
        let mut cursor = Cursor::new(text.as_bytes());
        let matched = self.match_containers(&mut cursor);
        let all_matched = matched == self.containers.len();
        if all_matched && let Some(what) = self.continue_leaf(&mut cursor, text) {
            return what;
        }
        let lazy = matches!(self.leaf, Leaf::Paragraph { .. });
        self.open_blocks(cursor, matched, lazy, text, start)
    }

    /// How many of the open containers this line goes on in. Moves the cursor past their marks.
    fn match_containers(&mut self, cursor: &mut Cursor<'_>) -> usize {
        for (matched, container) in self.containers.iter_mut().enumerate() {
            let (first, indent) = cursor.indent();
            let goes_on = match container {
                Container::Quote => cursor.quote_mark(first, indent),
                Container::Item {
                    indent: required,
                    empty,
                } => {
                    let blank = cursor.is_end(first);
                    if indent >= *required && !(blank && *empty) {
                        cursor.advance_columns(*required);
                        *empty = false;
                        true
                    } else if blank && !*empty {
                        cursor.advance_bytes(first);
                        true
                    } else {
                        false
                    }
                }
            };
            if !goes_on {
                return matched;
            }
        }
        self.containers.len()
    }

    /// The line as more of the open fence or HTML block, if that is what it is.
    fn continue_leaf(&mut self, cursor: &mut Cursor<'_>, text: &str) -> Option<What<'a>> {
        let (first, indent) = cursor.indent();
        match self.leaf {
            Leaf::Fence { mark, length } => {
                if indent < 4 && scan::closes_fence(cursor.rest(first), mark, length) {
                    self.leaf = Leaf::None;
                    return Some(What::FenceClose);
                }
                Some(What::Code)
            }
            Leaf::Html(html) if !(cursor.is_end(first) && html.ends_at_blank()) => {
                let rest = &text[cursor.offset..];
                if html.ends_in(rest) {
                    self.leaf = Leaf::None;
                }
                Some(html.what())
            }
            _ => None,
        }
    }

    /// Opens the containers and the leaf that start on this line, after the `matched` ones it goes on in.
    fn open_blocks(
        &mut self,
        mut cursor: Cursor<'_>,
        matched: usize,
        lazy: bool,
        text: &'a str,
        start: usize,
    ) -> What<'a> {
        let all_matched = matched == self.containers.len();
        let mut in_paragraph = lazy && all_matched;
        let mut may_be_lazy = lazy;
        let mut open = matched;
        let mut item = false;
        loop {
            let (first, indent) = cursor.indent();
            let rest = cursor.rest(first);
            if rest.is_empty() {
                self.close(open);
                return if item { What::Item } else { What::Blank };
            }
            if indent >= 4 {
                if may_be_lazy {
                    break;
                }
                self.close(open);
                return What::IndentedCode;
            }
            if scan::MAY_OPEN[usize::from(rest[0])] {
                if let Some(what) = self.open_leaf(&text[first..], open, in_paragraph, may_be_lazy, start) {
                    return if item && matches!(what, What::Rule | What::Text) {
                        What::Item
                    } else {
                        what
                    };
                }
                if open < DEPTH_MAX
                    && let Some(container) = open_container(&mut cursor, first, indent, in_paragraph)
                {
                    self.close(open);
                    self.containers.push(container);
                    item = matches!(container, Container::Item { .. });
                    open += 1;
                    in_paragraph = false;
                    may_be_lazy = false;
                    continue;
                }
            }
            break;
        }
        if !may_be_lazy {
            self.close(open);
        }
        if !matches!(self.leaf, Leaf::Paragraph { .. }) {
            self.leaf = Leaf::Paragraph {
                start,
                number: self.number,
            };
        }
        if item { What::Item } else { What::Text }
    }

    /// Opens a leaf at `rest`, the line from its first mark on, if one starts there: a heading, fence, HTML
    /// block or break.
    fn open_leaf(
        &mut self,
        rest: &'a str,
        open: usize,
        in_paragraph: bool,
        may_be_lazy: bool,
        start: usize,
    ) -> Option<What<'a>> {
        let top = open == 0;
        let (leaf, what) = match rest.as_bytes()[0] {
            b'#' => {
                let (level, title) = scan::atx_heading(rest)?;
                let heading = Heading {
                    level,
                    title,
                    start,
                    number: self.number,
                };
                (Leaf::None, if top { What::Heading(heading) } else { What::Text })
            }
            b'`' | b'~' => {
                let (mark, length) = scan::opens_fence(rest.as_bytes())?;
                (Leaf::Fence { mark, length }, What::FenceOpen)
            }
            b'<' => {
                let html = Html::start(rest, may_be_lazy)?;
                let leaf = if html.ends_in(rest) {
                    Leaf::None
                } else {
                    Leaf::Html(html)
                };
                (leaf, html.what())
            }
            mark @ (b'=' | b'-' | b'*' | b'_') => {
                if in_paragraph && let Some(level) = scan::setext_underline(rest.as_bytes()) {
                    if let Some(what) = self.setext(level, top, start) {
                        return Some(what);
                    }
                    if mark == b'=' {
                        return Some(What::Text);
                    }
                }
                if !scan::is_rule(rest.as_bytes()) {
                    return None;
                }
                (Leaf::None, What::Rule)
            }
            _ => return None,
        };
        self.close(open);
        self.leaf = leaf;
        Some(what)
    }

    /// Makes the open paragraph a heading, unless it is all link reference definitions; then the underline at
    /// `start` is the first line of what is left of it.
    fn setext(&mut self, level: u8, top: bool, start: usize) -> Option<What<'a>> {
        let Leaf::Paragraph {
            start: paragraph,
            number,
        } = self.leaf
        else {
            return None;
        };
        let title = &self.text[paragraph..start];
        let skipped = if top {
            reference::definitions_length(title)
        } else {
            0
        };
        if title[skipped..].trim_ascii().is_empty() {
            self.leaf = Leaf::Paragraph {
                start,
                number: self.number,
            };
            return None;
        }
        self.leaf = Leaf::None;
        if !top {
            return Some(What::Text);
        }
        let number = number + line_count(&title[..skipped]);
        let title = title[skipped..].trim();
        Some(What::Heading(Heading {
            level,
            title,
            start: paragraph + skipped,
            number,
        }))
    }

    /// Closes all containers but the first `open`, and the leaf.
    fn close(&mut self, open: usize) {
        self.containers.truncate(open);
        self.leaf = Leaf::None;
    }
}

/// Opens the block quote or list item that starts at byte `first`, and moves the cursor behind its mark.
fn open_container(
    cursor: &mut Cursor<'_>,
    first: usize,
    indent: usize,
    in_paragraph: bool,
) -> Option<Container> {
    if cursor.quote_mark(first, indent) {
        return Some(Container::Quote);
    }
    let marker = scan::list_marker(cursor.rest(first), in_paragraph)?;
    let (padding, empty) = cursor.list_padding(first, marker);
    Some(Container::Item {
        indent: indent + padding,
        empty,
    })
}
