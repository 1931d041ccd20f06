//! Texts as terms: the hash of each word's stem, and pairs of letters where a script writes no spaces.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::memory::language::{DOT_ABOVE, STOP, hash_word, is_hangul, is_unspaced, lexicon};
pub use crate::memory::words::Term;

/// Longer words are ids and noise; they count by their start.
const WORD_CHARS_MAX: usize = 40;

/// Two syllables of Korean, in bytes: what is asked for and what is found lose the same ending, whether it is a particle or not.
const HANGUL_STEM: usize = 6;

/// The languages of Latin script that have stemmers, by their numbers in the word lists. (Vietnamese words have one form.)
pub(super) const LANGUAGES: Range<u8> = 0..8;
const STEMMED: [Algorithm; LANGUAGES.end as usize] = {
    use Algorithm::{Dutch, English, French, German, Italian, Portuguese, Spanish, Turkish};
    [
        English, German, French, Spanish, Portuguese, Italian, Dutch, Turkish,
    ]
};

/// The language whose endings a text's Latin words have, as a number in the word lists: English where no other is seen.
pub(super) fn language_of(text: &str) -> u8 {
    let languages = lexicon().languages(text);
    (1..LANGUAGES.end).find(|language| languages >> language & 1 == 1).unwrap_or(0)
}

pub(super) fn term(word: &str, language: u8) -> Term {
    let stem = |algorithm| hash_word(&Stemmer::create(algorithm).stem(word));
    match word.chars().next().unwrap_or_default() {
        letter if is_hangul(letter) => hash_word(lexicon().stem(word, HANGUL_STEM)),
        '\u{400}'..='\u{52f}' => stem(Algorithm::Russian),
        '\u{600}'..='\u{6ff}' => stem(Algorithm::Arabic),
        letter if letter.is_ascii_digit() || is_paired(letter) => hash_word(word),
        _ => stem(STEMMED[usize::from(language)]),
    }
}

/// Hands every word of a text to `each`, in small letters.
pub fn words(text: &str, mut each: impl FnMut(&str)) {
    let (mut word, mut before) = (String::new(), None);
    // The end of the text is a sign, too.
    let letters = text.nfkc().flat_map(char::to_lowercase);
    for letter in letters.filter(|letter| *letter != DOT_ABOVE).chain(['\0']) {
        // Most Russians write it so.
        let letter = if letter == 'ё' { 'е' } else { letter };
        let paired = Some(letter).filter(|letter| is_paired(*letter) && letter.is_alphanumeric());
        let is_inside = letter.is_alphanumeric() || is_combining_mark(letter) && !word.is_empty();
        if is_inside && paired.is_none() {
            word.push(letter);
        } else if !word.is_empty() {
            let end = word.char_indices().nth(WORD_CHARS_MAX).map_or(word.len(), |(end, _)| end);
            each(&word[..end]);
            word.clear();
        }
        if let Some(paired) = paired {
            each(&before.into_iter().chain([paired]).collect::<String>());
        }
        before = paired;
    }
}

/// Whether a script puts no spaces between words, so that pairs of letters are looked for. Lao, Burmese and Khmer are among them.
fn is_paired(letter: char) -> bool {
    is_unspaced(letter)
        || matches!(letter, '\u{e80}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// What is asked for: each word once, as the terms that it may have in any of the languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    pub words: Vec<Vec<Term>>,
    /// Those of words without meaning, which find nothing by themselves.
    pub fillers: Vec<Vec<Term>>,
}

impl Question {
    /// Reads a question. Words without meaning count only where there are no others.
    pub fn of(text: &str) -> Self {
        let languages = lexicon().languages(text);
        let (mut meant, mut fillers, mut single) = (Vec::new(), Vec::new(), Vec::new());
        words(text, |word| {
            let mut terms: Vec<Term> = LANGUAGES.map(|language| term(word, language)).collect();
            terms.sort_unstable();
            terms.dedup();
            // The first letter of a run stands by itself too; its pair says more.
            if word.chars().count() == 1 && word.chars().all(is_paired) {
                single.push(terms);
                return;
            }
            let is_stop = word.chars().count() == 1 && !word.starts_with(|digit: char| digit.is_numeric())
                || lexicon().word(hash_word(word), languages) & STOP != 0;
            let known = if is_stop { &mut fillers } else { &mut meant };
            if !known.contains(&terms) {
                known.push(terms);
            }
        });
        for fallback in [&mut fillers, &mut single] {
            if meant.is_empty() {
                meant = std::mem::take(fallback);
            }
        }
        meant.truncate(WORDS_MAX);
        fillers.truncate(WORDS_MAX);
        Self { words: meant, fillers }
    }

    /// Which of the words a text holds, a bit each.
    pub fn found_in(&self, text: &str) -> u64 {
        let mut found = 0;
        words(text, |word| {
            // A sentence is too short to tell its language.
            for stem in LANGUAGES.map(|language| term(word, language)) {
                for (at, terms) in self.words.iter().enumerate() {
                    found |= u64::from(terms.contains(&stem)) << at;
                }
            }
        });
        found
    }
}

/// The words of a question that count: a bit each.
const WORDS_MAX: usize = 64;
