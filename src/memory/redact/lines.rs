//! The line around a position, and two helpers for text that is cut at a bound.

/// The line around a position.
pub(super) struct Line {
    pub(super) start: usize,
    /// Without the line feed.
    pub(super) end: usize,
    /// Where the text starts, behind the indentation.
    pub(super) first: usize,
    /// A heading's level, 0 for other lines.
    pub(super) heading: usize,
}

impl Line {
    pub(super) fn at(text: &str, position: usize) -> Line {
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..position]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[position..]).map_or(bytes.len(), |at| position + at);
        let first = start
            + bytes[start..end]
                .iter()
                .take_while(|b| matches!(b, b' ' | b'\t'))
                .count();
        let signs = bytes[first..end]
            .iter()
            .take(7)
            .take_while(|&&b| b == b'#')
            .count();
        let is_heading = (1..=6).contains(&signs) && matches!(bytes.get(first + signs), Some(b' ' | b'\t'));
        Line {
            start,
            end,
            first,
            heading: if is_heading { signs } else { 0 },
        }
    }

    /// The text up to the line's end, so that positions stay what they are.
    pub(super) fn bytes<'a>(&self, text: &'a str) -> &'a [u8] {
        &text.as_bytes()[..self.end]
    }

    pub(super) fn is_table_row(&self, text: &str) -> bool {
        text.as_bytes().get(self.first) == Some(&b'|')
    }
}

/// The last character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

pub(super) fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start))
}
