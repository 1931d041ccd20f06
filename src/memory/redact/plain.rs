//! A text as it reads: without colours, invisible signs, escapes and tags of HTML, with one kind of space, quote, colon and
//! line of a table. What is found in it is mapped back to where it stands in the text itself.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::super::text::is_unseen;
use super::extent::{run, run_before};
use super::words::lines;

pub(super) struct Plain<'a> {
    pub(super) text: Cow<'a, str>,
    /// Each piece that reads as something else: where it stands in the plain text, and where in the text itself.
    pieces: Vec<(Range<usize>, Range<usize>)>,
}

impl<'a> Plain<'a> {
    pub(super) fn of(text: &'a str) -> Plain<'a> {
        let mut plain = String::new();
        let mut pieces = Vec::new();
        let (mut from, mut at) = (0, 0);
        while let Some(next) = text.as_bytes()[at..].iter().position(|b| is_odd(*b)) {
            at += next;
            let Some((length, reads)) = reads_as(&text[at..]).or_else(|| quote_mark(text, at)) else {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            };
            plain.push_str(&text[from..at]);
            pieces.push((plain.len()..plain.len() + reads.len(), at..at + length));
            plain.push_str(reads);
            at += length;
            from = at;
        }
        if pieces.is_empty() {
            return Plain {
                text: Cow::Borrowed(text),
                pieces,
            };
        }
        plain.push_str(&text[from..]);
        Plain {
            text: Cow::Owned(plain),
            pieces,
        }
    }

    /// Where in the text itself a range of the plain text stands. What cannot be seen at its edges stays outside.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize, is_end: bool| {
            let is_before = |plain: &Range<usize>| plain.start < at || !is_end && plain.end <= at;
            match self
                .pieces
                .partition_point(|(plain, _)| is_before(plain))
                .checked_sub(1)
            {
                Some(last) => self.pieces[last].1.end + at.saturating_sub(self.pieces[last].0.end),
                None => at,
            }
        };
        let start = place(range.start, false);
        start..place(range.end, true).max(start)
    }
}

/// Whether a byte may begin what reads as something else. Most letters of most languages do not.
fn is_odd(byte: u8) -> bool {
    matches!(
        byte,
        b'\\' | b'%' | b'&' | b'<' | b'>' | 0x0b | 0x0c | 0x1b | 0xc2 | 0xe2 | 0xe3 | 0xef
    )
}

/// The `> ` of a quotation at the start of a line, also of one in another; `>>>` is a prompt.
fn quote_mark(text: &str, at: usize) -> Option<(usize, &'static str)> {
    /// No mail quotes deeper.
    const MARKS_MAX: usize = 32;
    let blanks = run_before(&text[..at], MARKS_MAX, |b| matches!(b, b' ' | b'\t'));
    let opens = text[..at - blanks].is_empty() || text[..at - blanks].ends_with('\n');
    let marks = &text[at..at + run(&text[at..], MARKS_MAX, |b| matches!(b, b' ' | b'>'))];
    let length = marks.rfind('>')? + 1;
    let ends = marks.len() > length || text[at + length..].starts_with('\n');
    (opens && ends && !marks.contains(">>>")).then_some((length + usize::from(marks.len() > length), ""))
}

/// What signs, entities and tags of HTML read as (`plain.txt`).
static READS: LazyLock<FxHashMap<&str, String>> = LazyLock::new(|| {
    let rows = lines(include_str!("plain.txt")).filter_map(|line| line.split_once(" := "));
    let reads = |reads: &str| reads.replace('·', " ").replace("\\n", "\n");
    let each = rows.flat_map(|(row, written)| written.split(' ').map(move |it| (it, reads(row))));
    each.collect()
});

fn read_as(written: &str) -> Option<&'static str> {
    READS.get(written).map(String::as_str)
}

/// How the text begins that reads as something else: its length, and what it reads as.
fn reads_as(text: &str) -> Option<(usize, &str)> {
    let first = text.chars().next()?;
    let reads = match first {
        '\u{1b}' => {
            let code = text.strip_prefix("\u{1b}[")?;
            let digits = run(code, code.len(), |b| {
                b.is_ascii_digit() || matches!(b, b';' | b'?')
            });
            let ends = code[digits..].starts_with(|c: char| c.is_ascii_alphabetic());
            return ends.then_some((digits + 3, ""));
        }
        '\\' => {
            // A string in a string in a string.
            let slashes = run(text, 8, |b| b == b'\\');
            if slashes > 1 && text[slashes..].starts_with('"') {
                return Some((slashes + 1, "\\\""));
            }
            let sign = text.get(1..2)?;
            // The line goes on below.
            if sign == "\n" {
                return Some((2, ""));
            }
            if "_-.~+=*:!@#&|".contains(sign) {
                return Some((2, sign));
            }
            return numbered(text, "\\u00", 16, "");
        }
        '<' => return tag(text),
        '%' => {
            let is_sign = |sign: &str| sign != "%" && sign.starts_with(|c: char| c.is_ascii_punctuation());
            return numbered(text, "%", 16, "").filter(|(_, sign)| is_sign(sign));
        }
        '&' => {
            let end = text.find(';').filter(|end| *end < 6);
            return end
                .and_then(|end| Some((end + 1, read_as(&text[..=end])?)))
                .or_else(|| numbered(text, "&#x", 16, ";"))
                .or_else(|| numbered(text, "&#", 10, ";"));
        }
        letter if is_unseen(letter) => Some(""),
        letter if letter.is_whitespace() => Some(" "),
        // A sign of ASCII as wide as those of East Asia.
        letter => read_as(&text[..letter.len_utf8()])
            .or_else(|| sign(u32::from(letter).checked_sub(u32::from('！'))?)),
    };
    Some((first.len_utf8(), reads?))
}

/// A tag of HTML that the text begins with: its length, and what a reader sees of it.
fn tag(text: &str) -> Option<(usize, &str)> {
    /// Longer ones are not looked at.
    const TAG_MAX: usize = 96;
    let length = 1 + text.bytes().take(TAG_MAX).position(|b| b == b'>')?;
    let inner = text[1..length - 1].trim_end_matches(['/', ' ']);
    let name = inner.split([' ', '\n', '<']).next()?.to_ascii_lowercase();
    let closes = || read_as(&format!("<{}>", name.strip_prefix('/')?)).map(|_| "");
    let reads = read_as(&format!("<{name}>")).or_else(closes)?;
    // A line ends once.
    let reads = if text[length..].starts_with('\n') {
        reads.trim_end()
    } else {
        reads
    };
    Some((length, reads)).filter(|_| !inner.contains(['<', '\n']))
}

/// A sign of ASCII that stands in a text by its number: `%5F`, `\u0026`, `&#x3d;`.
fn numbered(text: &str, opens: &str, base: u32, closes: &str) -> Option<(usize, &'static str)> {
    let rest = text.strip_prefix(opens)?;
    let length = match closes {
        "" => 2,
        _ => rest.bytes().take(4).position(|b| b == b';')?,
    };
    let number = u32::from_str_radix(rest.get(..length)?, base).ok()?;
    let reads = sign(number.checked_sub(u32::from('!'))?)?;
    Some((opens.len() + length + closes.len(), reads))
}

/// A sign of ASCII by its place behind the space.
fn sign(at: u32) -> Option<&'static str> {
    const SIGNS: &str =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    let at = at as usize;
    SIGNS.get(at..=at)
}
