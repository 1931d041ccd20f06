//! From the bytes of a raw log to text: whatever an agent, an editor or a shell left in the file, the rest of the core sees UTF-8 with `\n`
//! line ends and no NUL (SPEC section 3). Also what everybody needs of a text, such as how it looks on one line.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use memchr::memchr;
use regex::Regex;
use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The byte order mark: it hides a heading behind it.
const BOM: char = '\u{feff}';

/// Between two ends of lines, one in some ten thousand random lines is so many bytes of text.
const SOUND_BYTES_MIN: usize = 4;

/// What may be unusual about a file's bytes, in words that follow its name: PowerShell's `>` writes UTF-16.
pub const UTF_16: &str = "is written in UTF-16";
pub const INVALID_UTF_8: &str = "holds bytes that are not UTF-8";
pub const NUL: &str = "holds NUL bytes";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text: no byte order mark, no NUL, every line end a `\n`.
    pub text: String,
    pub oddities: Vec<&'static str>,
}

impl Decoded {
    /// Whether there are NULs in it, or bytes that are no text in any encoding: a disk or a crash wrote that, and no person.
    pub fn is_damaged(&self) -> bool {
        self.oddities.contains(&NUL) || self.is_garbage()
    }

    pub fn is_garbage(&self) -> bool {
        self.oddities.contains(&INVALID_UTF_8)
            && (self.oddities.contains(&NUL) || self.text.contains(is_no_text))
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

/// What cannot be read becomes U+FFFD and an oddity.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let mut oddities = Vec::new();
    let mut text = if let Some(text) = wide(&bytes) {
        oddities.push(UTF_16);
        text
    } else {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            oddities.push(INVALID_UTF_8);
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })
    };
    if ['\r', '\0', BOM].iter().any(|odd| text.contains(*odd)) {
        oddities.extend(text.contains('\0').then_some(NUL));
        let unix = text.replace("\r\n", "\n").replace('\r', "\n");
        text = unix.replace(['\0', BOM], "");
    }
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
    let unit = |pair| match is_big {
        true => u16::from_be_bytes(pair),
        false => u16::from_le_bytes(pair),
    };
    Some(String::from_utf16_lossy(&pairs().map(unit).collect::<Vec<_>>()))
}

/// How many lines a text has: a last line without a newline counts, an empty text has none.
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
    // Hardly any word stands in a list at all, which is soon found.
    list.contains(word) && list.split(' ').any(|listed| listed == word)
}

/// `text` on one line of at most `chars_max` characters: white space folded to single spaces, what is not [`printable()`]
/// dropped. A text that is longer is cut at the end of a word, or where its script has none at the end of what a reader
/// sees as a character, and ends in `…`.
pub fn one_line(text: &str, chars_max: usize) -> String {
    let read: String = letters(text).collect();
    let line = single_spaced(&read);
    let is_long = line.chars().nth(chars_max).is_some();
    if is_long { cut(&line, chars_max) } else { line }
}

pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(line: &str, chars_max: usize) -> String {
    let Some(room) = chars_max.checked_sub(1) else {
        return String::new();
    };
    let limit = line.char_indices().nth(room).map_or(line.len(), |(at, _)| at);
    let ends = line.grapheme_indices(true).map(|(at, _)| at);
    let whole = ends.take_while(|at| *at <= limit).last().unwrap_or(0);
    let ends_a_word = line[whole..].starts_with(' ');
    // A word is worth its end only when that does not cost half the line: scripts without spaces are cut anywhere.
    let space = line[..whole].rfind(' ').filter(|space| !ends_a_word && *space >= whole / 2);
    format!("{}…", line[..space.unwrap_or(whole)].trim_end())
}

/// A name as part of a line: whatever would end the line, or is there to drive what shows it, is a space.
pub fn unbroken(name: &str) -> String {
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}');
    name.replace(breaks, " ")
}

/// The text without escape sequences and what else [`drives`] a terminal. Lines stay where they are; other breaks of a line are spaces.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_kept = |letter: char| matches!(letter, '\n' | '\t') || !drives(letter);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let shown = letters(text).map(|letter| if is_kept(letter) { letter } else { ' ' });
    Cow::Owned(shown.collect())
}

/// The text with every character that [`drives`] written out, as `\u{1b}`.
pub fn escaped(text: &str) -> String {
    let shown = |letter: char| match drives(letter) {
        true => letter.escape_default().collect(),
        false => String::from(letter),
    };
    text.chars().map(shown).collect()
}

/// The text with every character that [`drives`] in the form of JSON, as `\u001b`, but those of `but`.
pub fn json_escaped(text: &str, but: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if drives(letter) && !but.contains(&letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                escaped += &format!("\\u{unit:04x}");
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// Whether a character does something to what shows it, or is there and cannot be seen. The joiners that Persian, Indic scripts
/// and emoji are written with are not among them.
pub fn drives(letter: char) -> bool {
    letter.is_control()
        || is_direction_mark(letter)
        || matches!(letter,
            '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Marks that turn the direction of what follows: unbalanced, they scramble a terminal line.
pub(crate) fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

/// Whether a character parts no words and is not seen: joiners, selectors of variations, direction marks, soft hyphens, tags.
pub(crate) fn is_unseen(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_control() && !letter.is_whitespace() && drives(letter)
        || matches!(letter, '\u{200c}' | '\u{200d}' | '\u{206a}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}')
}

/// What steers a terminal: a control sequence, its parameters and one final character; a title or link up to BEL or the string
/// terminator, or to the end of its line, so that an unfinished one cannot hide the rest; any other escape.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
    let strings = r"(?:\x1b[\]PX^_]|[\u{90}\u{98}\u{9d}-\u{9f}])[^\n\x07\u{9c}\x1b]*(?:\x07|\u{9c}|\x1b\\?)?";
    let escapes = format!(r"(?:\x1b\[|\u{{9b}})[ -?]*[@-~]?|{strings}|\x1b[ -/]*[0-~]?");
    Regex::new(&escapes).expect("a pattern")
});

/// The letters of a text that are to be read, every kind of white space among them.
fn letters(text: &str) -> impl Iterator<Item = char> {
    let letters = ESCAPE.split(text).flat_map(str::chars);
    letters.filter(|letter| letter.is_whitespace() || !drives(*letter))
}

/// A 64-bit hash, written as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Hash(pub u64);

impl Hash {
    pub fn read(digits: &str) -> Option<Self> {
        let is_hash = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hash.then(|| u64::from_str_radix(digits, 16).ok().map(Self))?
    }

    /// The hash over a sequence of hashes and names, in order.
    pub fn of(parts: impl IntoIterator<Item = (impl AsRef<str>, u64)>) -> Self {
        let mut hasher = Xxh3::new();
        for (name, value) in parts {
            hasher.update(name.as_ref().as_bytes());
            hasher.update(&[0]);
            hasher.update(&value.to_le_bytes());
        }
        Self(hasher.digest())
    }

    pub fn of_bytes(bytes: impl AsRef<[u8]>) -> Self {
        Self(xxh3_64(bytes.as_ref()))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests;
