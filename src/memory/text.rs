//! From the bytes of a raw log to text: whatever an agent, an editor or a shell left in the file, the rest of
//! the core sees UTF-8 with `\n` line ends and no NUL (SPEC section 3). Also the two things everybody needs
//! of a text: how many lines it has, and how it looks on one line.

mod printable;

use std::borrow::Cow;
use std::fmt;

use memchr::memchr;
use unicode_segmentation::UnicodeSegmentation;

pub use printable::{drives, escaped, printable, write_escaped};
pub(crate) use printable::{is_direction_mark, is_unseen};

/// The byte order mark in UTF-8. It says nothing in a file that is UTF-8 anyway, and hides a heading behind
/// it.
const BOM: char = '\u{feff}';

/// Between two ends of lines, one in some ten thousand random lines is so many bytes of text.
const SOUND_BYTES_MIN: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text: no byte order mark, no NUL, every line end a `\n`.
    pub text: String,
    /// What was unusual about the bytes, each at most once, in the order of [`Oddity`]. Ordinary files have
    /// none.
    pub oddities: Vec<Oddity>,
}

/// Something about a file's bytes that a person may want to hear of, once. Displays as words that follow the
/// file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// The file is UTF-16 (PowerShell's `>` writes that).
    Utf16,
    /// Some bytes are no UTF-8; a replacement character stands for them.
    InvalidUtf8,
    Nul,
}

impl Decoded {
    /// Whether there are NULs in it, or bytes that are no text in any encoding: a disk or a crash wrote that, and no person.
    pub fn is_damaged(&self) -> bool {
        self.oddities.contains(&Oddity::Nul) || self.is_garbage()
    }

    /// Whether it is bytes that are no text in any encoding.
    pub fn is_garbage(&self) -> bool {
        let is_invalid = self.oddities.contains(&Oddity::InvalidUtf8);
        is_invalid && (self.oddities.contains(&Oddity::Nul) || self.text.contains(is_no_text))
    }
}

/// Control characters but those of plain text and of a terminal's colours.
fn is_no_text(letter: char) -> bool {
    letter.is_ascii_control() && !matches!(letter, '\n' | '\t' | '\x0c' | '\x1b')
}

/// The lines of damaged bytes that are text still. The few letters that chance leaves are none.
pub fn sound_lines(bytes: &[u8]) -> String {
    let is_sound =
        |line: &&str| !line.contains(is_no_text) && (line.is_empty() || line.len() >= SOUND_BYTES_MIN);
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter(is_sound).flat_map(|line| [line, "\n"]).collect()
}

impl fmt::Display for Oddity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Oddity::Utf16 => "is written in UTF-16",
            Oddity::InvalidUtf8 => "holds bytes that are not UTF-8",
            Oddity::Nul => "holds NUL bytes",
        })
    }
}

/// Reads `bytes` as text. Clean UTF-8 is returned in the same buffer, without a copy.
///
/// Never fails: what cannot be read becomes U+FFFD and an [`Oddity`].
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let mut oddities = Vec::new();
    let text = match wide(&bytes) {
        Some(text) => {
            oddities.push(Oddity::Utf16);
            text
        }
        None => narrow(bytes, &mut oddities),
    };
    let text = tidy(text, &mut oddities);
    oddities.sort_unstable();
    oddities.dedup();
    Decoded { text, oddities }
}

/// The text of a file that is UTF-16: it has the mark, or the line ends.
fn wide(bytes: &[u8]) -> Option<String> {
    let pairs = || bytes.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let is_big = match bytes {
        [0xFF, 0xFE, ..] => false,
        [0xFE, 0xFF, ..] => true,
        _ => {
            memchr(0, bytes)?;
            let count = |line_end| pairs().filter(|pair| *pair == line_end).count();
            let (little, big) = (count([b'\n', 0]), count([0, b'\n']));
            // A NUL in a log of UTF-8 stands beside few of its line ends. In UTF-16 half a letter may look like one.
            let all = memchr::memchr_iter(b'\n', bytes).count();
            if little.max(big) * 2 <= all {
                return None;
            }
            big > little
        }
    };
    let unit = if is_big {
        u16::from_be_bytes
    } else {
        u16::from_le_bytes
    };
    Some(String::from_utf16_lossy(&pairs().map(unit).collect::<Vec<_>>()))
}

/// UTF-8, lossily where it must be.
fn narrow(bytes: Vec<u8>, oddities: &mut Vec<Oddity>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        oddities.push(Oddity::InvalidUtf8);
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    })
}

/// Byte order marks and NULs dropped, CRLF and lone CR made LF.
fn tidy(text: String, oddities: &mut Vec<Oddity>) -> String {
    if !text.contains(['\r', '\0', BOM]) {
        return text;
    }
    if text.contains('\0') {
        oddities.push(Oddity::Nul);
    }
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace(['\0', BOM], "")
}

/// How many lines a text has, as an editor counts: a last line without a newline counts, an empty text has
/// none.
pub fn line_count(text: &str) -> usize {
    let unfinished = !text.is_empty() && !text.ends_with('\n');
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + usize::from(unfinished)
}

/// The start of a text, `bytes_max` long at most, cut where a character ends.
pub fn head(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Whether a word is one of a list, whose words have spaces between them.
pub fn is_listed(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// `text` on one line of at most `chars_max` characters: white space folded to single spaces, what is not [`printable()`]
/// dropped. A text that is longer is cut at the end of a word, or where its script has none at the end of what a reader
/// sees as a character, and ends in `…`.
pub fn one_line(text: &str, chars_max: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut space = false;
    for char in printable::letters(text) {
        if char.is_whitespace() {
            space = true;
            continue;
        }
        if space && !line.is_empty() {
            line.push(' ');
            length += 1;
        }
        space = false;
        line.push(char);
        length += 1;
        if length > chars_max {
            return cut(line, chars_max);
        }
    }
    line
}

/// Cuts a line that is over `chars_max` characters so that it and its `…` fit.
fn cut(mut line: String, chars_max: usize) -> String {
    let Some(room) = chars_max.checked_sub(1) else {
        return String::new();
    };
    let limit = line.char_indices().nth(room).map_or(line.len(), |(at, _)| at);
    let whole = line
        .grapheme_indices(true)
        .map(|(at, _)| at)
        .take_while(|at| *at <= limit)
        .last()
        .unwrap_or(0);
    let ends_a_word = line[whole..].starts_with(' ');
    // A word is worth its end only when that does not cost half the line: scripts without spaces are cut
    // anywhere.
    let end = match line[..whole].rfind(' ') {
        Some(space) if !ends_a_word && space >= whole / 2 => space,
        _ => whole,
    };
    line.truncate(end);
    line.truncate(line.trim_end().len());
    line.push('…');
    line
}

/// A name as part of a line: whatever would end the line, or is there to drive what shows it, is a space.
pub fn unbroken(name: &str) -> Cow<'_, str> {
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}');
    if name.contains(breaks) {
        Cow::Owned(name.replace(breaks, " "))
    } else {
        Cow::Borrowed(name)
    }
}

#[cfg(test)]
mod tests;
