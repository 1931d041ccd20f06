//! Which languages a text is in, by its small words.

use super::cue::MORE;
use super::{ALWAYS, Lexicon, WordHash, bit_of, hash_eight, head, letters_of_eight, spread};

/// How much of a text tells its languages, in bytes.
const SAMPLE: usize = 1200;
/// So many small words of English, and less than half as many of another language, are English.
const CERTAIN: u32 = 24;

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

    /// Counts a word for each of the Latin languages that know it.
    fn count(&self, hash: u64, counts: &mut [u32; 6]) {
        let spoken = self.spoken(hash);
        if spoken != 0 {
            for (language, count) in counts.iter_mut().enumerate() {
                *count += u32::from(spoken >> language & 1);
            }
        }
    }

    /// The languages a text is in, as a mask for `word`: the Latin ones whose small words it uses, and all others.
    pub fn languages(&self, text: &str) -> u16 {
        let mut counts = [0u32; 6];
        let (mut hash, mut length) = (WordHash::default(), 0);
        let sample = head(text, SAMPLE);
        let bytes = sample.as_bytes();
        let mut at = 0;
        while at <= bytes.len() {
            // A word of at most seven letters is one number.
            if length == 0
                && let Some(eight) = bytes.get(at..at + 8)
                && let (letters @ 1..8, low) =
                    letters_of_eight(u64::from_le_bytes(eight.try_into().unwrap_or_default()))
                && bytes[at + letters] != b'\''
                && bytes[at + letters].is_ascii()
            {
                self.count(hash_eight(low & u64::MAX >> (64 - 8 * letters)), &mut counts);
                if is_certain(&counts) {
                    break;
                }
                at += letters + 1;
                continue;
            }
            let byte = bytes.get(at).copied().unwrap_or(b' ');
            at += 1;
            if byte.is_ascii_alphabetic() || byte == b'\'' {
                hash.push(byte.to_ascii_lowercase());
                length += 1;
                continue;
            }
            if byte >= 0x80 {
                let letter = sample[at - 1..].chars().next().unwrap_or_default();
                at += letter.len_utf8() - 1;
                if matches!(letter, '’' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') {
                    hash.push_char(letter);
                    length += 1;
                    continue;
                }
            }
            if length > 0 {
                self.count(hash.finish(), &mut counts);
                if is_certain(&counts) {
                    break;
                }
            }
            (hash, length) = (WordHash::default(), 0);
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut languages = ALWAYS;
        for (language, &count) in counts.iter().enumerate() {
            if count >= 2 && count * 5 >= most * 3 {
                languages |= 1 << language;
            }
        }
        languages
    }
}

/// Whether no further word could make the text anything but English.
fn is_certain(counts: &[u32; 6]) -> bool {
    counts[0] == CERTAIN && counts[1..].iter().all(|count| *count < CERTAIN / 2)
}
