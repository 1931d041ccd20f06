//! The shape of one line: what stands before its text (list mark, checkbox, heading, table), whether a label opens it, and whether it is
//! noise that nobody wrote for a reader.

/// The longest bold name, in bytes.
const NAME_MAX: usize = 96;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Prose.
    Plain,
    /// A list item.
    Item,
    /// A list item with a checkbox, ticked or not.
    Check(bool),
    /// A heading inside the entry.
    Heading,
    /// A row of a table.
    Row,
    /// A line of a fence: opens or closes a code block.
    Fence,
    /// Nothing to read: blank, a rule, a comment, data.
    Nothing,
}

/// A line without its mark. `start` is the offset of `text` in the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) mark: Mark,
    pub(super) indent: usize,
    pub(super) start: usize,
    pub(super) text: &'a str,
}

/// Reads one line, without its line feed.
pub(super) fn shape(line: &str) -> Line<'_> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() && matches!(bytes[at], b' ' | b'\t' | b'>') {
        at += 1;
    }
    let indent = at;
    let nothing = Line {
        mark: Mark::Nothing,
        indent,
        start: at,
        text: "",
    };
    let Some(&first) = bytes.get(at) else {
        return nothing;
    };
    let rest = &bytes[at..];
    let mark = match first {
        b'#' => {
            let level = rest.iter().take_while(|byte| **byte == b'#').count();
            if level > 6 || rest.get(level).is_some_and(|byte| *byte != b' ') {
                Mark::Plain
            } else {
                at += level;
                Mark::Heading
            }
        }
        b'`' | b'~' if rest.starts_with(b"```") || rest.starts_with(b"~~~") => Mark::Fence,
        b'-' | b'*' | b'+' | b'_' | b'='
            if rest.len() > 2 && rest.iter().all(|byte| *byte == first || *byte == b' ') =>
        {
            return nothing;
        }
        b'-' | b'*' | b'+' if rest.get(1).is_some_and(|byte| matches!(byte, b' ' | b'\t')) => {
            at += 2;
            Mark::Item
        }
        b'0'..=b'9' => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits <= 3
                && rest.get(digits).is_some_and(|byte| matches!(byte, b'.' | b')'))
                && rest.get(digits + 1) == Some(&b' ')
            {
                at += digits + 2;
                Mark::Item
            } else {
                Mark::Plain
            }
        }
        b'|' => Mark::Row,
        b'<' if rest.starts_with(b"<!--") => return nothing,
        b'{' | b'}' | b']' if is_data(rest) => return nothing,
        b'[' if is_data(rest) && !rest.starts_with(b"[[") => return nothing,
        b'"' if rest.windows(2).take(60).any(|pair| pair == b"\":") => return nothing,
        0xe2 if rest.starts_with("• ".as_bytes())
            || rest.starts_with("– ".as_bytes())
            || rest.starts_with("— ".as_bytes()) =>
        {
            at += 4;
            Mark::Item
        }
        _ => Mark::Plain,
    };
    while at < bytes.len() && matches!(bytes[at], b' ' | b'\t') {
        at += 1;
    }
    let mut text = line[at..].trim_end();
    let mut mark = mark;
    if mark == Mark::Item && text.len() >= 3 && text.starts_with('[') && text.as_bytes()[2] == b']' {
        mark = match text.as_bytes()[1] {
            b' ' => Mark::Check(false),
            b'x' | b'X' => Mark::Check(true),
            _ => Mark::Item,
        };
        if mark != Mark::Item {
            let rest = text[3..].trim_start();
            at += text.len() - rest.len();
            text = rest;
        }
    }
    if mark == Mark::Heading {
        text = text.trim_end_matches('#').trim_end();
    }
    if text.is_empty() && mark != Mark::Fence {
        return nothing;
    }
    Line {
        mark,
        indent,
        start: at,
        text,
    }
}

/// The lines of a text, without their line feeds.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', text.as_bytes())
        .chain([text.len()])
        .map(move |end| &text[std::mem::replace(&mut start, end + 1)..end])
}

/// Whether a line begins as an item with a dash or star does. Most lines of a log do, and need no closer look then.
pub(super) fn is_item(line: &str) -> bool {
    let bytes = line.as_bytes();
    let at = bytes
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'>'))
        .count();
    matches!(bytes[at..], [b'-' | b'*' | b'+', b' ' | b'\t', ..])
}

/// A line of JSON, of a dump, of a log: more punctuation than words.
fn is_data(line: &[u8]) -> bool {
    let sample = &line[..line.len().min(160)];
    let marks = sample.iter().filter(|byte| byte.is_ascii_punctuation()).count();
    marks * 5 >= sample.len()
}

/// A line of output that starts like a frame of a stack trace or a log message of a program.
pub(super) fn is_output(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes[0] {
        b'a' => text.starts_with("at ") && text.ends_with(')') && text.contains(':'),
        b'F' => text.starts_with("File \""),
        b'T' => text.starts_with("Traceback (most recent"),
        b'[' => bytes.len() > 20 && bytes[1..5].iter().all(u8::is_ascii_digit) && bytes[5] == b'-',
        b'0'..=b'9' => bytes.len() > 24 && bytes[4] == b'-' && bytes[10] == b'T' && bytes[13] == b':',
        b'$' => bytes.get(1) == Some(&b' '),
        _ => false,
    }
}

/// `**Name:** rest`, `**Name**: rest`, `Name: rest`, `名前：rest`: the name and the offset of the rest. A bold line alone is a name too.
pub(super) fn label(text: &str) -> Option<(&str, usize)> {
    if let Some(inner) = text.strip_prefix("**").or_else(|| text.strip_prefix("__")) {
        let reach = &inner.as_bytes()[..inner.len().min(NAME_MAX + 2)];
        let mark = text.as_bytes()[0];
        let close = reach.windows(2).position(|pair| pair == [mark, mark])?;
        let name = &inner[..close];
        let after = &inner[close + 2..];
        let colon = after.trim_start_matches([' ', ':', '：']);
        let at = text.len() - colon.len();
        let named = name.ends_with([':', '：']) || colon.len() < after.trim_start().len() || colon.is_empty();
        return named.then(|| (name.trim_end_matches([':', '：', ' ']), at));
    }
    let bytes = text.as_bytes();
    let reach = &bytes[..bytes.len().min(49)];
    let ascii = memchr::memchr(b':', reach);
    let wide = || {
        let wide = "：".as_bytes();
        memchr::memchr_iter(wide[0], reach).find(|at| reach[*at..].starts_with(wide))
    };
    let wide = if ascii.is_none() { wide() } else { None };
    let (at, after) = match (ascii, wide) {
        (Some(at), _) => (at, at + 1),
        (None, Some(at)) => (at, at + 3),
        (None, None) => return None,
    };
    let spaced = bytes.get(after).is_none_or(|byte| *byte == b' ' || *byte >= 0x80) || wide.is_some();
    let name = &text[..at];
    if !spaced
        || at == 0
        || name
            .bytes()
            .any(|byte| matches!(byte, b'.' | b'"' | b'(' | b'`' | b'!' | b'|' | b'*'))
        || name.bytes().filter(|byte| *byte == b' ').count() > 4
    {
        return None;
    }
    let rest = text[after..].trim_start();
    Some((name, text.len() - rest.len()))
}

/// Where the text goes on after the code block whose first line ends at `end`; `None` when nothing closes it.
pub(super) fn fence_end(bytes: &[u8], end: usize, fence: &[u8]) -> Option<usize> {
    for at in memchr::memmem::find_iter(&bytes[end..], fence) {
        let at = end + at;
        let line = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |feed| feed + 1);
        let after = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        let mark = bytes[at..after]
            .iter()
            .all(|byte| *byte == fence[0] || byte.is_ascii_whitespace());
        if line > end
            && mark
            && bytes[line..at]
                .iter()
                .all(|byte| matches!(byte, b' ' | b'\t' | b'>'))
        {
            return Some(after + 1);
        }
    }
    None
}

/// Whether this line begins a comment and does not end it.
pub(super) fn opens_comment(line: &[u8]) -> bool {
    line.starts_with(b"<!--") && memchr::memmem::find(line, b"-->").is_none()
}

/// Where the text goes on after the comment whose first line ends at `end`; `None` when nothing closes it.
pub(super) fn comment_end(bytes: &[u8], end: usize) -> Option<usize> {
    let close = end + memchr::memmem::find(&bytes[end..], b"-->")?;
    Some(memchr::memchr(b'\n', &bytes[close..]).map_or(bytes.len(), |length| close + length + 1))
}

#[cfg(test)]
mod tests;
