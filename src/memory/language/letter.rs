//! Characters: their scripts, and the hash by which words are known.

/// The hash of a whole word, in lower case, the curly apostrophe as the straight one; never 0.
pub fn hash_word(word: &str) -> u64 {
    if word.is_ascii() {
        let mixed = word.as_bytes().chunks(8).fold(0, |hash, bytes| {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            eight.make_ascii_lowercase();
            mix(hash, u64::from_le_bytes(eight))
        });
        return mixed.max(1);
    }
    let (mut hash, mut eight, mut bits) = (0, 0, 0);
    for letter in word.chars() {
        for &byte in lower(letter).encode_utf8(&mut [0; 4]).as_bytes() {
            if bits == u64::BITS {
                hash = mix(hash, eight);
                (eight, bits) = (0, 0);
            }
            eight |= u64::from(byte) << bits;
            bits += u8::BITS;
        }
    }
    mix(hash, eight).max(1)
}

/// Both numbers in one. With either given, no two others give the same.
pub fn mix(one: u64, other: u64) -> u64 {
    let mixed = (one ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

/// A character in lower case (the first of it where there are several), the curly apostrophe as the straight one.
fn lower(letter: char) -> char {
    match letter {
        '\0'..='\u{7f}' => letter.to_ascii_lowercase(),
        '’' => '\'',
        _ => letter.to_lowercase().next().unwrap_or(letter),
    }
}

/// Whether a character belongs to a script that puts no spaces between words.
pub fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

pub fn is_hangul(letter: char) -> bool {
    matches!(letter, '\u{ac00}'..='\u{d7a3}')
}
