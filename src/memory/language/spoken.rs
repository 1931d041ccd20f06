//! Which languages a text is in, by its small words.

use super::{ALWAYS, LATIN, Lexicon, hash_word};
use crate::memory::text::head;

/// How much of a text tells its languages, in bytes.
const SAMPLE: usize = 1200;
/// So many small words of English, and less than half as many of another language, are English.
const CERTAIN: u32 = 24;
/// The languages of Latin letters are the first ones of the lists.
const LANGUAGES: usize = LATIN.count_ones() as usize + 1;

impl Lexicon {
    /// The languages a text is in, as a mask for `word`: the Latin ones whose small words it uses, and all others.
    pub fn languages(&self, text: &str) -> u16 {
        let mut counts = [0; LANGUAGES];
        for word in head(text, SAMPLE).split(|letter| !is_latin(letter)) {
            if word.is_empty() {
                continue;
            }
            let spoken = self.words.languages(hash_word(word));
            for (language, count) in counts.iter_mut().enumerate() {
                *count += u32::from(spoken >> language & 1);
            }
            // By then another language hardly ever comes up.
            if counts[0] == CERTAIN && counts[1..].iter().all(|count| *count < CERTAIN / 2) {
                break;
            }
        }
        let most = counts.iter().max().copied().unwrap_or(0);
        let is_spoken = |count: u32| count >= 2 && count * 5 >= most * 3;
        (0..LANGUAGES).fold(ALWAYS, |languages, language| {
            languages | u16::from(is_spoken(counts[language])) << language
        })
    }
}

fn is_latin(letter: char) -> bool {
    letter.is_ascii_alphabetic()
        || matches!(letter, '\'' | '’' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}
