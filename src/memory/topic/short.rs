//! The short way to a topic's key: for names of characters that no normalization touches and that change case by a
//! number. Nearly all names are such, in most scripts; the rest go the long way, which is fifty times as long.

use crate::memory::language::{eight_at, plain_of_eight};

/// What a character comes to in a key.
enum Folded {
    /// A letter or digit, in lower case.
    Letter(char),
    /// Something that parts words.
    Gap,
    /// Only the long way knows.
    Unknown,
}

/// Takes in the words of a name in the making.
pub(super) trait Words {
    /// A word begins.
    fn begin(&mut self);
    /// Up to eight ASCII letters and digits of the word, given as a little-endian number, in lower case; what stands behind them says nothing.
    fn letters(&mut self, eight: u64, count: usize);
    /// A letter or digit of the word, in lower case, or one of its marks.
    fn letter(&mut self, letter: char);
}

/// A key being written.
struct Written<'a>(&'a mut Vec<u8>);

impl Words for Written<'_> {
    fn begin(&mut self) {
        if !self.0.is_empty() {
            self.0.push(b' ');
        }
    }

    fn letters(&mut self, eight: u64, count: usize) {
        let length = self.0.len() + count;
        self.0.extend_from_slice(&eight.to_le_bytes());
        self.0.truncate(length);
    }

    fn letter(&mut self, letter: char) {
        match u8::try_from(letter) {
            Ok(byte) if byte.is_ascii() => self.0.push(byte),
            _ => self
                .0
                .extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Writes the key of `name` to `key`, whose content goes. Says whether that could be done, which it cannot for a name
/// without a letter or digit either.
pub(super) fn fold(name: &str, key: &mut Vec<u8>) -> bool {
    key.clear();
    key.reserve(name.len() + 8);
    walk(name, &mut Written(key)) && !key.is_empty()
}

/// Whether [`walk`] comes to the end of a name.
pub(super) fn knows(name: &str) -> bool {
    name.is_ascii()
        || name
            .chars()
            .all(|letter| letter.is_ascii() || !matches!(folded(letter), Folded::Unknown))
}

/// Hands over the words of a name's key; breaks off and says so where only the long way goes on.
pub(super) fn walk(name: &str, words: &mut impl Words) -> bool {
    let bytes = name.as_bytes();
    let (mut at, mut inside) = (0, false);
    while at < bytes.len() {
        // Most of what is folded are words of a few letters.
        let (count, small) = plain_of_eight(eight_at(bytes, at));
        if count > 0 {
            if !inside {
                words.begin();
            }
            inside = true;
            words.letters(small, count);
            at += count;
        }
        let Some(&byte) = bytes.get(at).filter(|_| count < 8) else {
            continue;
        };
        at += 1;
        let letter = match ASCII[usize::from(byte)] {
            GAP => None,
            MARK => Some(char::from(byte)).filter(|_| inside),
            WIDE => {
                let letter = name[at - 1..].chars().next().unwrap_or_default();
                at += letter.len_utf8() - 1;
                match folded(letter) {
                    Folded::Letter(letter) => Some(letter),
                    Folded::Gap => None,
                    Folded::Unknown => return false,
                }
            }
            small => Some(char::from(small)),
        };
        if let Some(letter) = letter {
            if !inside {
                words.begin();
            }
            words.letter(letter);
        }
        inside = letter.is_some();
    }
    true
}

/// Bytes outside ASCII.
const WIDE: u8 = 0;
/// Bytes that part words.
const GAP: u8 = 1;
/// `+` and `#`, which belong to the word before them.
const MARK: u8 = 2;

/// What a byte comes to: a letter or digit in lower case, or one of the above.
static ASCII: [u8; 256] = {
    let mut table = [WIDE; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'+' | b'#' => MARK,
            byte if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ => GAP,
        };
        byte += 1;
    }
    table
};

/// A character outside ASCII. None of those known here joins with another one that is.
fn folded(letter: char) -> Folded {
    let raised = |by: u32| Folded::Letter(char::from_u32(letter as u32 + by).unwrap_or(letter));
    match letter {
        '\u{d7}' | '\u{f7}' => Folded::Gap,
        '\u{c0}'..='\u{de}' => raised(0x20),
        '\u{e0}'..='\u{ff}' => Folded::Letter(letter),
        // Capitals are even, small letters odd.
        '\u{100}'..='\u{12f}' | '\u{14a}'..='\u{177}' | '\u{1ea0}'..='\u{1ef9}' => {
            Folded::Letter(char::from_u32(letter as u32 | 1).unwrap_or(letter))
        }
        '\u{1a0}' | '\u{1af}' => raised(1),
        '\u{1a1}' | '\u{1b0}' => Folded::Letter(letter),
        '\u{400}'..='\u{40f}' => raised(0x50),
        '\u{410}'..='\u{42f}' => raised(0x20),
        '\u{430}'..='\u{45f}' => Folded::Letter(letter),
        // Hebrew, Arabic, Hiragana, Katakana, Chinese, Korean.
        '\u{5d0}'..='\u{5ea}'
        | '\u{621}'..='\u{63a}'
        | '\u{641}'..='\u{64a}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => Folded::Letter(letter),
        '·' | '–' | '—' | '‘' | '’' | '“' | '”' | '•' | '…' | '→' | '、' | '。' | '「' | '」' | '（'
        | '）' | '，' | '：' | '；' | '！' | '？' => Folded::Gap,
        _ => Folded::Unknown,
    }
}
