//! What may stand between a label and its value: `:`, `=`, `is`, a table's bar, a flag's space, the `>` of a tag.

use super::extents::JUDGED_MAX;
use super::lines::{Line, floor, starts_with_ignoring_case};

pub(super) struct Separator {
    pub(super) end: usize,
    /// `is`, `to`, a dash, a bar: prose has them too.
    pub(super) loose: bool,
    pub(super) colon: bool,
    /// `=` with no space around it, or markup.
    pub(super) glued: bool,
    /// The value ends at the cell's end.
    pub(super) cell: bool,
}

/// What separates a label from its value, if it is followed by a separator at all.
pub(super) fn separator(text: &str, line: &Line, label_start: usize, label_end: usize) -> Option<Separator> {
    let after = &text[label_end..line.end];
    let closing = |c: char| {
        matches!(
            c,
            '*' | '_'
                | '`'
                | '"'
                | '\''
                | '\\'
                | ']'
                | ')'
                | '}'
                | '?'
                | '」'
                | '』'
                | '】'
                | '）'
                | '”'
                | '’'
        )
    };
    let closed = after.trim_start_matches(closing);
    let quote_closed = closed.len() < after.len();
    let spaced = closed.trim_start();
    let spaces = closed.len() - spaced.len();
    let at = line.end - spaced.len();
    let make = |length: usize, loose: bool| Separator {
        end: at + length,
        loose,
        colon: false,
        glued: false,
        cell: false,
    };
    if let Some(rest) = spaced.strip_prefix(':') {
        let follows_path = rest.starts_with(':') || rest.starts_with("//");
        let length = if rest.starts_with('=') { 2 } else { 1 };
        return (!follows_path && spaces <= 12).then_some(Separator {
            colon: true,
            ..make(length, false)
        });
    }
    if spaced.starts_with(['：', '＝']) {
        return Some(Separator {
            colon: true,
            ..make(3, false)
        });
    }
    if spaced.starts_with('=') || spaced.starts_with("+=") {
        let length = spaced
            .find(|c: char| !matches!(c, '=' | '>' | '+'))
            .unwrap_or(spaced.len());
        let glued = spaces == 0 && length == 1 && !spaced[1..].starts_with([' ', '\t']);
        return Some(Separator {
            glued,
            ..make(length, false)
        });
    }
    if spaced.starts_with('|') && line.is_table_row(text) {
        return Some(Separator {
            cell: true,
            ..make(1, true)
        });
    }
    if quote_closed && spaced.starts_with(',') && spaced[1..].trim_start().starts_with(['"', '\'']) {
        return Some(make(1, true));
    }
    if closed.starts_with('>') && is_tag(text, line, label_start, closed) {
        return Some(Separator {
            glued: true,
            ..make(1, false)
        });
    }
    if spaces > 0 && is_flag(text, line, label_start) && !spaced.starts_with('-') {
        return Some(make(0, false));
    }
    loose_separator(spaced, spaces > 0).map(|length| make(length, true))
}

/// The length of a separator that prose uses as well.
fn loose_separator(spaced: &str, after_space: bool) -> Option<usize> {
    const QUALIFIED_MAX: usize = 48;
    const UNSPACED: &str = "\
        → -> 是 为 為 は 는 은 를 을 — –";
    const VERBS: &[&str] = &[
        "is",
        "was",
        "to",
        "ist",
        "lautet",
        "es",
        "est",
        "this",
        "- ",
        "now",
        "set",
        "changed",
        "reset",
        "updated",
        "still",
        "currently",
    ];
    let trimmed = |length: usize| {
        let rest = spaced[length..].trim_start();
        let rest = rest.strip_prefix([':', '：', '=']).unwrap_or(rest);
        spaced.len() - rest.trim_start().len()
    };
    if let Some(sign) = UNSPACED
        .split_ascii_whitespace()
        .find(|sign| spaced.starts_with(*sign))
    {
        return Some(trimmed(sign.len()));
    }
    if !after_space {
        return None;
    }
    let mut rest = spaced;
    while let Some(verb) = VERBS.iter().find(|verb| {
        starts_with_ignoring_case(rest, verb)
            && (verb.ends_with(' ')
                || rest[verb.len()..].starts_with(|c: char| c.is_whitespace() || matches!(c, ':' | '=')))
    }) {
        rest = rest[verb.len()..].trim_start();
    }
    if rest.len() < spaced.len() {
        return Some(trimmed(spaced.len() - rest.len()));
    }
    if !["for ", "of ", "on ", "to ", "(", "in ", "für ", "for:"]
        .iter()
        .any(|start| spaced.starts_with(start))
    {
        // `password hunter2`: nothing but a space, so the value has to be the line's last word.
        return spaced
            .chars()
            .take(JUDGED_MAX)
            .all(|c| !c.is_whitespace())
            .then_some(0);
    }
    let head = &spaced[..floor(spaced, QUALIFIED_MAX)];
    let colon = head.find([':', '=']).map(|at| (at, 1));
    let verb = head.find(" is ").map(|at| (at, 4));
    let (at, length) = [colon, verb].into_iter().flatten().min()?;
    (!head[at..].starts_with("://")).then_some(at + length)
}

/// `--password x`, and `login name password x` of a netrc file.
fn is_flag(text: &str, line: &Line, label_start: usize) -> bool {
    let before = &text.as_bytes()[line.start..label_start];
    let tail = &before[before.len().saturating_sub(64)..];
    let name = tail
        .iter()
        .rev()
        .take_while(|&&b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        .count();
    let flag = tail[tail.len() - name..].starts_with(b"--");
    let netrc = tail.starts_with(b"login ") || memchr::memmem::find(tail, b" login ").is_some();
    flag || netrc
        && tail.ends_with(b" ")
        && memchr::memmem::find(before.get(..64.min(before.len())).unwrap_or(before), b"machine ").is_some()
}

/// `<password>x</password>`
fn is_tag(text: &str, line: &Line, label_start: usize, after: &str) -> bool {
    let before = &text.as_bytes()[line.start..label_start];
    let name = before
        .iter()
        .rev()
        .take(32)
        .take_while(|&&b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':'))
        .count();
    before[..before.len() - name].ends_with(b"<") && after[..floor(after, JUDGED_MAX)].contains("</")
}
