//! A text as it reads: without colours, invisible signs, escapes and tags of HTML, with one kind of space, quote, colon and
//! line of a table. What is found in it is mapped back to where it stands in the text itself.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::super::text::is_unseen;
use super::words::rows;

pub(super) struct Plain {
    pub(super) text: String,
    /// Each piece that reads as something else: where it stands in the plain text, and where it ends in the text itself.
    pieces: Vec<(Range<usize>, usize)>,
}

/// What may read as something else: a colour, what is escaped in one of several ways, a tag of HTML, a quotation's mark at the
/// start of a line (`>>>` is a prompt), a sign that is not of ASCII. Most letters of most languages read as themselves.
static ODD: LazyLock<Regex> = LazyLock::new(|| {
    let signs = r"[\x0b\x0c\x{80}-\x{bf}\x{2000}-\x{3fff}\x{f000}-\x{ffff}\x{e0000}-\x{e007f}]";
    let escapes = r#"\x1b\[[0-9;?]*[A-Za-z]|\\{2,8}"|\\[\n_.~+=*:!@#&|-]|\\u00[0-9A-Fa-f]{2}"#;
    let web =
        r"%[0-9A-Fa-f]{2}|&[a-z]{2,4};|&#x?[0-9A-Fa-f]{1,3};|</?[A-Za-z][0-9A-Za-z]*(?: [^<>\n]{0,90})?/*>";
    let odd = format!("(?m){signs}|{escapes}|{web}|^[ \t]*(>>?(?: +>>?)*(?: |$))");
    Regex::new(&odd).expect("a pattern")
});

/// What signs, entities and tags of HTML read as (`plain.txt`).
static READS: LazyLock<FxHashMap<&str, String>> = LazyLock::new(|| {
    let reads = |row: &str| row.replace('·', " ").replace("\\n", "\n");
    let rows = rows(include_str!("plain.txt"));
    let each = rows.flat_map(|(row, written)| written.split(' ').map(move |it| (it, reads(row))));
    each.collect()
});

impl Plain {
    pub(super) fn of(text: &str) -> Plain {
        let (mut plain, mut pieces) = (String::new(), Vec::new());
        let (mut from, mut at) = (0, 0);
        while let Some(odd) = ODD.captures_at(text, at).and_then(|found| found.iter().flatten().last()) {
            let Some(mut reads) = reads_as(odd.as_str()) else {
                at = odd.start() + odd.as_str().chars().next().map_or(1, char::len_utf8);
                continue;
            };
            // A line ends once.
            if odd.as_str().starts_with('<') && text[odd.end()..].starts_with('\n') {
                reads.truncate(reads.trim_end().len());
            }
            plain.push_str(&text[from..odd.start()]);
            pieces.push((plain.len()..plain.len() + reads.len(), odd.end()));
            plain.push_str(&reads);
            (from, at) = (odd.end(), odd.end());
        }
        plain.push_str(&text[from..]);
        Plain { text: plain, pieces }
    }

    /// Where in the text itself a range of the plain text stands. What cannot be seen at its edges stays outside.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize, is_end: bool| {
            let is_before = |plain: &Range<usize>| plain.start < at || !is_end && plain.end <= at;
            let pieces = self.pieces.partition_point(|(plain, _)| is_before(plain));
            self.pieces[..pieces]
                .last()
                .map_or(at, |(plain, end)| end + at.saturating_sub(plain.end))
        };
        let start = place(range.start, false);
        start..place(range.end, true).max(start)
    }
}

/// What an odd piece of a text reads as, if not as itself.
fn reads_as(odd: &str) -> Option<String> {
    let sign = |code: u32| char::from_u32(code).filter(char::is_ascii_graphic).map(String::from);
    let numbered = |digits: &str, base| sign(u32::from_str_radix(digits, base).ok()?);
    if let Some(reads) = READS.get(odd) {
        return Some(reads.clone());
    }
    let first = odd.chars().next()?;
    match first {
        // The line goes on below an escaped line feed.
        '\x1b' | '>' => Some(String::new()),
        '\\' if odd.ends_with('\n') => Some(String::new()),
        // A string in a string in a string.
        '\\' if odd.ends_with('"') => Some("\\\"".to_owned()),
        '\\' if odd.starts_with("\\u00") => numbered(&odd[4..], 16),
        '\\' => Some(odd[1..].to_owned()),
        '%' => {
            let sign = numbered(&odd[1..], 16);
            sign.filter(|sign| sign != "%" && !sign.contains(char::is_alphanumeric))
        }
        '&' => {
            let digits = odd.strip_prefix("&#")?.trim_end_matches(';');
            let hexadecimal = digits.strip_prefix('x');
            hexadecimal.map_or_else(|| numbered(digits, 10), |digits| numbered(digits, 16))
        }
        '<' => {
            let name = odd[1..]
                .split([' ', '/', '>'])
                .find(|name| !name.is_empty())?
                .to_ascii_lowercase();
            let tag = |end: &str| READS.get(&*format!("<{end}{name}>")).cloned();
            match odd.starts_with("</") {
                true => tag("/").or_else(|| tag("").map(|_| String::new())),
                false => tag(""),
            }
        }
        letter if is_unseen(letter) => Some(String::new()),
        letter if letter.is_whitespace() => Some(" ".to_owned()),
        // A sign of ASCII as wide as those of East Asia.
        letter => sign(u32::from(letter).checked_sub(u32::from('！') - u32::from('!'))?),
    }
}
