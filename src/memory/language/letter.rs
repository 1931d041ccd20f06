//! Characters: their scripts, and the hash by which words are known.

/// The beginning of a text, at most `most` bytes and whole characters.
pub fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A word's hash in the making, byte by byte. Eight bytes are mixed at once, so that the hash of a short word can also be had from a
/// single load: see [`hash_eight`].
#[derive(Clone, Copy, Debug, Default)]
pub struct WordHash {
    state: u64,
    tail: u64,
    length: u32,
}

impl WordHash {
    /// Adds a byte, already in lower case.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        if self.length & 7 == 0 {
            if self.length > 0 {
                self.state = mix(self.state, self.tail);
            }
            self.tail = 0;
        }
        self.tail |= u64::from(byte) << ((self.length & 7) * 8);
        self.length += 1;
    }

    /// Adds the first `count`, at least one, of eight bytes in lower case, given as a little-endian number.
    #[inline(always)]
    pub fn push_eight(&mut self, eight: u64, count: usize) {
        let eight = match count {
            8.. => eight,
            _ => eight & !(u64::MAX << (8 * count)),
        };
        let filled = self.length & 7;
        if filled == 0 {
            if self.length > 0 {
                self.state = mix(self.state, self.tail);
            }
            self.tail = eight;
        } else {
            self.tail |= eight << (8 * filled);
            let room = 8 - filled;
            if count > room as usize {
                self.state = mix(self.state, self.tail);
                self.tail = eight >> (8 * room);
            }
        }
        self.length += count as u32;
    }

    /// Adds a character of any alphabet, in any case.
    #[inline]
    pub fn push_char(&mut self, letter: char) {
        if letter.is_ascii() {
            return self.push(letter.to_ascii_lowercase() as u8);
        }
        let mut bytes = [0; 4];
        for &byte in lower(letter).encode_utf8(&mut bytes).as_bytes() {
            self.push(byte);
        }
    }

    /// The hash, never 0.
    #[inline(always)]
    pub fn finish(self) -> u64 {
        mix(self.state, self.tail).max(1)
    }

    /// The hash of what was added before the last byte.
    pub fn without_last(self) -> u64 {
        let place = (self.length.max(1) - 1) & 7;
        if place == 0 && self.length > 1 {
            return self.state.max(1);
        }
        mix(self.state, self.tail & !(0xff << (place * 8))).max(1)
    }
}

/// The hash of a word of at most eight bytes, given as a little-endian number with nothing behind its end.
#[inline(always)]
pub fn hash_eight(word: u64) -> u64 {
    mix(0, word).max(1)
}

/// The hash of a word of nine to sixteen bytes, given as two such numbers.
#[inline(always)]
pub fn hash_sixteen(first: u64, second: u64) -> u64 {
    mix(mix(0, first), second).max(1)
}

/// The high bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The eight bytes from a place in a text on as a little-endian number, zeros behind the end.
#[inline]
pub fn eight_at(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    let eight = match (rest.first_chunk(), bytes.last_chunk()) {
        (Some(&eight), _) => eight,
        // The last eight bytes hold what is left, and some before it.
        (None, Some(&eight)) => {
            let before = 8 * (8 - rest.len() as u32);
            return u64::from_le_bytes(eight).checked_shr(before).unwrap_or(0);
        }
        (None, None) => {
            let mut eight = [0; 8];
            eight[..rest.len()].copy_from_slice(rest);
            eight
        }
    };
    u64::from_le_bytes(eight)
}

/// Of eight bytes, in the order of a little-endian number: how many ASCII letters they begin with, and all of them with
/// the bit set that makes capitals small.
#[inline(always)]
pub fn letters_of_eight(eight: u64) -> (usize, u64) {
    let low = eight | (ONES * 0x20);
    let seven = low & !HIGH;
    // In each byte the high bit says: at least 'a', at most 'z', and ASCII.
    let letters =
        (seven + ONES * (0x80 - b'a' as u64)) & !(seven + ONES * (0x7f - b'z' as u64)) & !eight & HIGH;
    (((!letters & HIGH).trailing_zeros() / 8) as usize, low)
}

/// Of eight bytes, in the order of a little-endian number: how many ASCII letters and digits they begin with, and all of them with the
/// bit set that makes capitals small. Digits have it.
#[inline]
pub fn plain_of_eight(eight: u64) -> (usize, u64) {
    let small = eight | (0x20 * ONES);
    // The high bit of a byte says whether it is in the range, if it is ASCII.
    let within = |seven: u64, first: u8, last: u8| {
        (seven + ONES * u64::from(0x80 - first)) & !(seven + ONES * u64::from(0x7f - last))
    };
    let plain = within(small & !HIGH, b'a', b'z') | within(eight & !HIGH, b'0', b'9');
    let others = !(plain & !eight) & HIGH;
    ((others.trailing_zeros() / 8) as usize, small)
}

/// Eight bytes, in the order of a little-endian number, with the capitals of ASCII made small.
#[inline(always)]
pub fn small_of_eight(eight: u64) -> u64 {
    let seven = eight & !HIGH;
    // In each byte the high bit says: at least 'A', at most 'Z', and ASCII.
    let capitals =
        (seven + ONES * (0x80 - b'A' as u64)) & !(seven + ONES * (0x7f - b'Z' as u64)) & !eight & HIGH;
    eight | capitals >> 2
}

/// The hash of a whole word, in lower case, the curly apostrophe as the straight one.
pub fn hash_word(word: &str) -> u64 {
    if word.is_ascii() && word.len() <= 8 {
        return hash_eight(small_of_eight(eight_at(word.as_bytes(), 0)));
    }
    let mut hash = WordHash::default();
    for letter in word.chars() {
        hash.push_char(letter);
    }
    hash.finish()
}

/// Both numbers in one. With either given, no two others give the same.
#[inline(always)]
pub fn mix(one: u64, other: u64) -> u64 {
    let mixed = (one ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

/// A character in lower case (the first of it where there are several), the curly apostrophe as the straight one. The tables of the standard
/// library are slow, and most scripts have no cases at all.
#[inline]
fn lower(letter: char) -> char {
    let shifted = |by: u32| char::from_u32(letter as u32 + by).unwrap_or(letter);
    match letter {
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{de}' | '\u{410}'..='\u{42f}' => shifted(0x20),
        '\u{400}'..='\u{40f}' => shifted(0x50),
        '\u{430}'..='\u{45f}' | '\u{df}'..='\u{ff}' | '\u{590}'..='\u{109f}' | '\u{2e80}'..='\u{d7ff}' => {
            letter
        }
        '’' => '\'',
        _ => letter.to_lowercase().next().unwrap_or(letter),
    }
}

/// The place of a hash in a table, before it is cut to the table's size.
#[inline(always)]
pub(crate) fn spread(hash: u64) -> usize {
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

/// Whether a character belongs to a script that puts no spaces between words.
pub fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character is a letter of a script that puts spaces between words, ASCII and Korean aside.
#[inline]
pub fn is_spaced(letter: char) -> bool {
    match letter {
        '\0'..='\u{7f}'
        | '\u{d7}'
        | '\u{f7}'
        | '\u{2000}'..='\u{2bff}'
        | '\u{3000}'..='\u{303f}'
        | '\u{fe00}'..='\u{fe0f}' => false,
        '\u{c0}'..='\u{24f}'
        | '\u{370}'..='\u{481}'
        | '\u{48a}'..='\u{52f}'
        | '\u{5d0}'..='\u{5ea}'
        | '\u{620}'..='\u{65f}' => true,
        '\u{300}'..='\u{36f}'
        | '\u{591}'..='\u{5c7}'
        | '\u{900}'..='\u{97f}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1e00}'..='\u{1eff}' => true,
        _ => !is_unspaced(letter) && !is_hangul(letter) && letter.is_alphabetic(),
    }
}

/// Whether a character is a Korean syllable.
pub fn is_hangul(letter: char) -> bool {
    matches!(letter, '\u{ac00}'..='\u{d7a3}')
}

/// Whether a Korean syllable ends in the double s of the past and the future.
pub fn is_past(letter: char) -> bool {
    is_hangul(letter) && (letter as u32 - 0xac00) % 28 == 20
}
