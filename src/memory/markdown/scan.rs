//! The small grammar of a line: columns with their tabs, heading marks, fences, underlines, breaks, list
//! markers.

/// The bytes that, first on a line, may make it anything but text.
pub(super) static MAY_OPEN: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b" \t\n\r\x0b\x0c#>`~<=-*_+0123456789";
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

/// A place in a line, in bytes and in columns. A tab reaches to the next multiple of four columns, and a
/// container's indent may end inside it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The byte it is at.
    pub(super) offset: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Cursor {
            bytes,
            offset: 0,
            column: 0,
        }
    }

    /// The first byte from here on that is no space or tab, and how many columns away it is.
    pub(super) fn indent(&self) -> (usize, usize) {
        let (mut first, mut column) = (self.offset, self.column);
        loop {
            match self.bytes.get(first) {
                Some(b' ') => column += 1,
                Some(b'\t') => column += 4 - column % 4,
                _ => return (first, column - self.column),
            }
            first += 1;
        }
    }

    /// Whether nothing follows but the end of the line.
    pub(super) fn is_end(&self, first: usize) -> bool {
        first == self.bytes.len()
    }

    pub(super) fn rest(&self, first: usize) -> &'a [u8] {
        &self.bytes[first..]
    }

    /// Moves over `columns` of white space.
    pub(super) fn advance_columns(&mut self, columns: usize) {
        let target = self.column + columns;
        while self.column < target {
            let width = match self.bytes.get(self.offset) {
                Some(b'\t') => 4 - self.column % 4,
                _ => 1,
            };
            if self.column + width > target {
                // Inside a tab: what is left of it is still indentation.
                self.column = target;
                return;
            }
            self.column += width;
            self.offset += 1;
        }
    }

    /// Moves to byte `to`, all up to it being white space or single-column marks.
    pub(super) fn advance_bytes(&mut self, to: usize) {
        while self.offset < to {
            self.column += if self.bytes[self.offset] == b'\t' {
                4 - self.column % 4
            } else {
                1
            };
            self.offset += 1;
        }
    }

    /// Moves behind a quote mark at byte `first` and one column of white space, if there is one.
    pub(super) fn quote_mark(&mut self, first: usize, indent: usize) -> bool {
        if indent > 3 || self.bytes.get(first) != Some(&b'>') {
            return false;
        }
        self.advance_bytes(first + 1);
        if matches!(self.bytes.get(self.offset), Some(b' ' | b'\t')) {
            self.advance_columns(1);
        }
        true
    }

    /// Moves behind a list marker of `marker` bytes at byte `first` and its white space. Returns how many
    /// columns the item's content is away from the marker, and whether it has none on this line.
    pub(super) fn list_padding(&mut self, first: usize, marker: usize) -> (usize, bool) {
        self.advance_bytes(first + marker);
        let (content, spaces) = self.indent();
        let empty = self.is_end(content);
        if empty || spaces > 4 {
            // Nothing follows, or indented code, however far the cursor is.
            return (marker + 1, empty);
        }
        self.advance_columns(spaces);
        (marker + spaces, false)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_space(*byte))
}

/// The length of the run of `mark` that `bytes` starts with.
fn run(bytes: &[u8], mark: u8) -> usize {
    bytes.iter().take_while(|byte| **byte == mark).count()
}

/// An ATX heading's level and title.
pub(super) fn atx_heading(line: &str) -> Option<(u8, &str)> {
    let level = run(&line.as_bytes()[..line.len().min(7)], b'#');
    let rest = &line[level..];
    if level > 6 || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let title = rest.trim();
    let unclosed = title.trim_end_matches('#');
    let title = if unclosed.is_empty() || unclosed.ends_with([' ', '\t']) {
        unclosed.trim_end()
    } else {
        title
    };
    Some((u8::try_from(level).ok()?, title))
}

/// The mark and length of an opening fence.
pub(super) fn opens_fence(bytes: &[u8]) -> Option<(u8, usize)> {
    let mark = bytes[0];
    let length = run(bytes, mark);
    let info = &bytes[length..];
    (length >= 3 && (mark == b'~' || memchr::memchr(b'`', info).is_none())).then_some((mark, length))
}

/// Whether a line closes a fence of `length` marks.
pub(super) fn closes_fence(bytes: &[u8], mark: u8, length: usize) -> bool {
    let closing = run(bytes, mark);
    closing >= length && is_blank(&bytes[closing..])
}

/// The level of the heading that a setext underline makes.
pub(super) fn setext_underline(bytes: &[u8]) -> Option<u8> {
    let mark = bytes[0];
    let level = match mark {
        b'=' => 1,
        b'-' => 2,
        _ => return None,
    };
    is_blank(&bytes[run(bytes, mark)..]).then_some(level)
}

/// Whether a line is a thematic break: three or more of one mark, and white space.
pub(super) fn is_rule(bytes: &[u8]) -> bool {
    let mark = bytes[0];
    if !matches!(mark, b'-' | b'*' | b'_') {
        return false;
    }
    let mut marks = 0;
    for byte in bytes {
        if *byte == mark {
            marks += 1;
        } else if !is_space(*byte) {
            return false;
        }
    }
    marks >= 3
}

/// The length of a list marker. One that would interrupt a paragraph must have content, and be `1` when it is
/// a number.
pub(super) fn list_marker(bytes: &[u8], in_paragraph: bool) -> Option<usize> {
    let length = match bytes.first()? {
        b'-' | b'+' | b'*' => 1,
        b'0'..=b'9' => {
            let digits = bytes
                .iter()
                .take(10)
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let delimited = digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')'));
            let number_one =
                bytes[..digits].ends_with(b"1") && bytes[..digits - 1].iter().all(|byte| *byte == b'0');
            if !delimited || in_paragraph && !number_one {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let rest = &bytes[length..];
    let content = rest.iter().any(|byte| !is_space(*byte));
    let spaced = rest.first().is_none_or(|byte| is_space(*byte));
    (spaced && (content || !in_paragraph)).then_some(length)
}

/// Whether a line is `key:` or `key: value`, as in frontmatter.
pub(super) fn is_yaml_key(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else {
        return false;
    };
    let key = key.trim_matches(['"', '\'']);
    let word = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
    (1..=60).contains(&key.len())
        && key.chars().all(word)
        && (value.is_empty() || value.starts_with([' ', '\t']))
}
