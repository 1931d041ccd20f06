//! A text as it reads: without colours, invisible signs and escapes, with one kind of space, quote and colon. What is found
//! in it is mapped back to where it stands in the text itself.

use std::borrow::Cow;
use std::ops::Range;

use super::super::text::is_unseen;

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
        while let Some(next) = text.as_bytes()[at..].iter().position(begins_odd) {
            at += next;
            let Some((length, reads)) = reads_as(&text[at..]) else {
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
fn begins_odd(byte: &u8) -> bool {
    matches!(
        byte,
        0x0b | 0x0c | 0x1b | b'\\' | b'%' | b'&' | 0xc2 | 0xe2 | 0xe3 | 0xef
    )
}

/// How the text begins that reads as something else: its length, and what it reads as.
fn reads_as(text: &str) -> Option<(usize, &'static str)> {
    const WRITTEN: &[(&str, &str)] = &[
        ("\\_", "_"),
        ("\\-", "-"),
        ("\\.", "."),
        ("\\~", "~"),
        ("\\+", "+"),
        ("\\=", "="),
        ("\\*", "*"),
        ("%5F", "_"),
        ("%5f", "_"),
        ("%2D", "-"),
        ("%2d", "-"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ];
    let first = text.chars().next()?;
    let reads = match first {
        '\u{1b}' => {
            let code = text.strip_prefix("\u{1b}[")?;
            let digits = code
                .bytes()
                .take_while(|b| b.is_ascii_digit() || matches!(b, b';' | b'?'))
                .count();
            return code
                .as_bytes()
                .get(digits)
                .filter(|b| b.is_ascii_alphabetic())
                .map(|_| (digits + 3, ""));
        }
        '\\' | '%' | '&' => {
            let found = WRITTEN.iter().find(|(written, _)| text.starts_with(written));
            return found.map(|(written, reads)| (written.len(), *reads));
        }
        letter if is_unseen(letter) => "",
        '：' => ":",
        '＝' => "=",
        '｜' => "|",
        '（' => " (",
        '）' => ")",
        '［' | '【' => "[",
        '］' | '】' => "]",
        '“' | '”' | '„' | '「' | '」' | '『' | '』' | '《' | '》' | '«' | '»' => "\"",
        '‘' | '’' => "'",
        '，' | '、' => ", ",
        '；' => "; ",
        '。' => ". ",
        '！' => "! ",
        '？' => "? ",
        _ if first.is_whitespace() => " ",
        _ => return None,
    };
    Some((first.len_utf8(), reads))
}
