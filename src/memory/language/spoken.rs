//! Which languages a text is in, by its small words.

use super::cue::MORE;
use super::{ALWAYS, Lexicon, WordHash, bit_of, hash_eight, hash_sixteen, head, letters_of_eight, spread};

/// How much of a text tells its languages, in bytes.
const SAMPLE: usize = 1200;
/// So many small words of English, and less than half as many of another language, are English.
const CERTAIN: u64 = 24;

impl Lexicon {
    /// The languages that know a word, as a mask.
    fn spoken(&self, hash: u64) -> u16 {
        if self.known[bit_of(hash).0] & bit_of(hash).1 == 0 {
            return 0;
        }
        let mask = self.slots.len() - 1;
        let mut at = spread(hash) & mask;
        let mut languages = 0;
        while self.slots[at].hash != 0 {
            let slot = &self.slots[at];
            if slot.hash == hash && slot.cues & !MORE != 0 {
                languages |= slot.languages;
            }
            if slot.hash == hash && slot.cues & MORE == 0 {
                break;
            }
            at = (at + 1) & mask;
        }
        languages
    }

    /// The languages a text is in, as a mask for `word`: the Latin ones whose small words it uses, and all others.
    pub fn languages(&self, text: &str) -> u16 {
        let mut counts = Counts::default();
        let sample = head(text, SAMPLE);
        let bytes = sample.as_bytes();
        let mut at = 0;
        while at < bytes.len() && !counts.is_certain() {
            if !MAY_BEGIN[usize::from(bytes[at])] {
                at += 1;
            } else if let Some((end, hash)) = short(bytes, at) {
                counts.add(self.spoken(hash));
                at = end + 1;
            } else {
                let (end, hash) = long(sample, at);
                if end > at {
                    counts.add(self.spoken(hash));
                }
                at = end + sample[end..].chars().next().map_or(1, char::len_utf8);
            }
        }
        counts.languages()
    }
}

/// Bytes that a word may begin with: letters, the apostrophe, and all beyond ASCII.
static MAY_BEGIN: [bool; 256] = {
    let mut may = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        may[byte] = (byte as u8).is_ascii_alphabetic() || byte as u8 == b'\'' || byte >= 0x80;
        byte += 1;
    }
    may
};

/// The end and the hash of a word of at most fifteen letters and nothing else, in a text that goes on: one or two numbers.
#[inline]
fn short(bytes: &[u8], at: usize) -> Option<(usize, u64)> {
    let (letters, low) = eight(bytes, at)?;
    let (end, hash) = match letters {
        0 => return None,
        1..8 => (at + letters, hash_eight(low & u64::MAX >> (64 - 8 * letters))),
        _ => {
            let (more, rest) = eight(bytes, at + 8)?;
            match more {
                0 => (at + 8, hash_eight(low)),
                1..8 => {
                    let rest = rest & u64::MAX >> (64 - 8 * more);
                    (at + 8 + more, hash_sixteen(low, rest))
                }
                _ => return None,
            }
        }
    };
    (bytes[end] != b'\'' && bytes[end].is_ascii()).then_some((end, hash))
}

/// How many of the next eight bytes are letters, and all of them with capitals made small.
#[inline]
fn eight(bytes: &[u8], at: usize) -> Option<(usize, u64)> {
    let eight = bytes.get(at..at + 8)?;
    Some(letters_of_eight(u64::from_le_bytes(eight.try_into().ok()?)))
}

/// The end and the hash of any word of Latin letters and apostrophes; it may be empty.
fn long(text: &str, start: usize) -> (usize, u64) {
    let mut hash = WordHash::default();
    for (at, letter) in text[start..].char_indices() {
        let is_latin = letter.is_ascii_alphabetic()
            || matches!(letter, '\'' | '’' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
        if !is_latin {
            return (start + at, hash.finish());
        }
        hash.push_char(letter);
    }
    (text.len(), hash.finish())
}

/// How many words of a sample each of the six Latin languages knows: ten bits for each, so that a word is one addition.
#[derive(Clone, Copy, Default)]
struct Counts(u64);

impl Counts {
    /// How many languages there are, and how many bits each has: no sample has a thousand words.
    const LANGUAGES: usize = 6;
    const BITS: usize = 10;
    /// What is added for a word, by the languages that know it.
    const ADDED: [u64; 1 << Self::LANGUAGES] = {
        let mut added = [0; 1 << Self::LANGUAGES];
        let mut known = 0;
        while known < added.len() {
            let mut language = 0;
            while language < Self::LANGUAGES {
                added[known] |= ((known >> language & 1) as u64) << (language * Self::BITS);
                language += 1;
            }
            known += 1;
        }
        added
    };

    /// Counts a word for each of the languages that know it.
    #[inline]
    fn add(&mut self, spoken: u16) {
        self.0 += Self::ADDED[usize::from(spoken) % Self::ADDED.len()];
    }

    fn of(self, language: usize) -> u64 {
        self.0 >> (language * Self::BITS) & ((1 << Self::BITS) - 1)
    }

    /// Whether the text is taken for English without a look at the rest: by then another language hardly ever comes up.
    #[inline]
    fn is_certain(self) -> bool {
        self.of(0) == CERTAIN && (1..Self::LANGUAGES).all(|language| self.of(language) < CERTAIN / 2)
    }

    /// All languages that are not Latin, and those that know enough.
    fn languages(self) -> u16 {
        let most = (0..Self::LANGUAGES)
            .map(|language| self.of(language))
            .max()
            .unwrap_or(0);
        (0..Self::LANGUAGES).fold(ALWAYS, |languages, language| {
            let count = self.of(language);
            languages | u16::from(count >= 2 && count * 5 >= most * 3) << language
        })
    }
}
