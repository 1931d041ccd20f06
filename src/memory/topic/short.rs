//! The short way to a topic's key: for names of characters that no normalization touches and that change case by a
//! number. Nearly all names are such, in most scripts; the rest go the long way, which is fifty times as long.

/// What a character comes to in a key.
enum Folded {
    /// A letter or digit, in lower case.
    Letter(char),
    /// Something that parts words.
    Gap,
    /// Only the long way knows.
    Unknown,
}

/// Writes the key of `name` to `key`, whose content goes. Says whether that could be done, which it cannot for a name
/// without a letter or digit either.
pub(super) fn fold(name: &str, key: &mut Vec<u8>) -> bool {
    key.clear();
    // No character is longer in lower case, and a space stands for a gap: a key is never longer than its name.
    key.resize(name.len(), 0);
    let room = key.as_mut_slice();
    let (mut length, mut apart, mut suffix) = (0, false, false);
    let bytes = name.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let class = ASCII[usize::from(byte)];
        if class > MARK {
            room[length] = b' ';
            length += usize::from(apart && length > 0);
            room[length] = class;
            length += 1;
            (apart, suffix) = (false, true);
        } else if class == MARK && suffix {
            room[length] = byte;
            length += 1;
        } else if class != WIDE {
            (apart, suffix) = (true, false);
        } else {
            let letter = name[at - 1..].chars().next().unwrap_or_default();
            at += letter.len_utf8() - 1;
            match folded(letter) {
                Folded::Letter(letter) => {
                    room[length] = b' ';
                    length += usize::from(apart && length > 0);
                    length += letter.encode_utf8(&mut room[length..]).len();
                    (apart, suffix) = (false, true);
                }
                Folded::Gap => (apart, suffix) = (true, false),
                Folded::Unknown => return false,
            }
        }
    }
    key.truncate(length);
    length > 0
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
