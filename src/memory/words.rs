//! The words of a line: where they stand, what is known about them, and the terms by which two tellings of one matter are known for such.
//!
//! A term is the hash of a word's stem; a script without spaces gives a term for each two characters that stand side by side.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::language::{Cues, HEAD, STOP, hash_word, is_hangul, is_unspaced, lexicon, mix};

/// What two words have in common that mean the same: a hash.
pub type Term = u64;

/// The longest phrase of the word lists, in words.
const PHRASE_WORDS_MAX: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// Letters, perhaps with an apostrophe or hyphen.
    Plain,
    /// A name that machines use: a path, an identifier, a version, letters with digits.
    Code,
    Number,
    /// A run of a script that puts no spaces between words.
    Unspaced,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    pub start: u32,
    pub end: u32,
    pub class: Class,
    pub cues: Cues,
    /// The hash of its small letters.
    pub hash: u64,
    /// Its first term in [`Words::terms`].
    first: u32,
    count: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    pub words: Vec<Word>,
    /// What words and phrases say of the line, each with the byte where it starts.
    pub signs: Vec<(u32, Cues)>,
    terms: Vec<Term>,
}

impl Words {
    /// Reads a line whose languages are known (`Lexicon::languages`).
    pub fn of(text: &str, languages: u32) -> Self {
        let mut all = Self::default();
        let mut chars = text.char_indices().peekable();
        while let Some((start, first)) = chars.next() {
            let unspaced = is_unspaced(first);
            if !unspaced && !is_letter(first) {
                continue;
            }
            let mut end = start + first.len_utf8();
            let mut last_kept = end;
            while let Some(&(at, next)) = chars.peek() {
                let goes_on = if unspaced {
                    is_unspaced(next) || next == '々' || next == 'ー'
                } else {
                    !is_unspaced(next) && (is_letter(next) || is_inner(next))
                };
                if !goes_on {
                    break;
                }
                chars.next();
                end = at + next.len_utf8();
                if unspaced || is_letter(next) || next == '%' {
                    last_kept = end;
                }
            }
            if unspaced {
                let run = &text[start..last_kept];
                lexicon().pieces(run, |from, to| all.push_unspaced(text, start + from..start + to));
            } else {
                all.push(text, start..last_kept, languages);
            }
        }
        all.sign(text, languages);
        all
    }

    fn sign(&mut self, text: &str, languages: u32) {
        for (at, word) in self.words.iter().enumerate() {
            let mut cues = word.cues & !HEAD;
            let mut state = 0;
            for next in &self.words[at..(at + PHRASE_WORDS_MAX).min(self.words.len())] {
                let found;
                (state, found) = lexicon().chain(state, next.hash, languages);
                cues |= found & !HEAD;
                if found & HEAD == 0 {
                    break;
                }
            }
            if cues != 0 {
                self.signs.push((word.start, cues));
            }
        }
        lexicon().signs(text, |start, _, cues| self.signs.push((start as u32, cues)));
    }

    pub fn says(&self, cues: Cues) -> bool {
        self.signs.iter().any(|(_, found)| found & cues != 0)
    }

    pub fn begins(&self, cues: Cues, bytes: u32) -> bool {
        self.signs.iter().any(|&(at, found)| at < bytes && found & cues != 0)
    }

    /// How many they are; two characters of a script without spaces, of three bytes each, are about one.
    pub fn count(&self) -> usize {
        let counted = self.words.iter().map(|word| match word.class {
            Class::Unspaced => ((word.end - word.start) as usize).div_ceil(6),
            _ => 1,
        });
        counted.sum()
    }

    fn push_unspaced(&mut self, text: &str, place: Range<usize>) {
        let first = self.terms.len();
        let letters: Vec<char> = text[place.clone()].chars().collect();
        // Hiragana are endings and particles: two of them side by side are no word.
        let is_small_kana = |letter: &char| matches!(letter, '\u{3040}'..='\u{309f}');
        let pairs = letters.windows(2).filter(|pair| !pair.iter().all(is_small_kana));
        let term = |pair: &[char]| mix(u64::from(pair[0]) << 32, u64::from(pair[1]));
        self.terms.extend(pairs.map(term));
        self.add(place, Class::Unspaced, 0, 0, first);
    }

    fn push(&mut self, text: &str, place: Range<usize>, languages: u32) {
        let (first, word) = (self.terms.len(), &text[place.clone()]);
        let lower = word.to_lowercase();
        let hash = hash_word(&lower);
        let (class, cues) = (class_of(word), lexicon().word(hash, languages));
        // Two syllables of Korean are a word, and most carry a particle.
        let korean = lower.starts_with(is_hangul);
        let letters_min = if korean { 2 } else { 3 };
        let counts = match class {
            Class::Number => false,
            Class::Code => true,
            _ => lower.chars().count() >= letters_min && cues & STOP == 0,
        };
        if counts && korean {
            self.terms.push(hash_word(lexicon().stem(&lower, usize::MAX)));
        } else if counts {
            self.terms.push(hash_word(stem(&lower)));
        }
        self.add(place, class, cues, hash, first);
    }

    fn add(&mut self, place: Range<usize>, class: Class, cues: Cues, hash: u64, first: usize) {
        self.words.push(Word {
            start: place.start as u32,
            end: place.end as u32,
            class,
            cues,
            hash,
            first: first as u32,
            count: (self.terms.len() - first) as u32,
        });
    }

    /// Whether they may be those of a line: what was kept in a file may be anybody's.
    pub fn fit(&self, line: &str) -> bool {
        let is_place = |at: u32| line.is_char_boundary(at as usize);
        let mut end = 0;
        let words = self.words.iter().all(|word| {
            let last = word.first.checked_add(word.count);
            let follows =
                end <= word.start && word.start < word.end && is_place(word.start) && is_place(word.end);
            end = word.end;
            follows && last.is_some_and(|last| last as usize <= self.terms.len())
        });
        words && self.signs.iter().all(|&(at, _)| is_place(at))
    }

    pub fn terms_of(&self, word: &Word) -> &[Term] {
        &self.terms[word.first as usize..(word.first + word.count) as usize]
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}

impl Word {
    pub fn text<'a>(&self, line: &'a str) -> &'a str {
        &line[self.start as usize..self.end as usize]
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '\u{1000}'..='\u{109f}' | '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}')
}

/// What may stand inside a word, and not at its end.
fn is_inner(letter: char) -> bool {
    ".-/_@:+'’%#&".contains(letter)
}

fn class_of(word: &str) -> Class {
    if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Class::Plain;
    }
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    if digits > 0 && letters * 3 <= digits + 3 && letters < 4 && !word.contains(['_', '/']) {
        return Class::Number;
    }
    if digits > 0 || word.contains(['.', '/', '_', '@', ':', '#']) {
        return Class::Code;
    }
    Class::Plain
}

/// Endings of English, and of Russian, the longest first.
const ENGLISH: [&str; 7] = ["ings", "ing", "ied", "ies", "ed", "es", "s"];
const RUSSIAN: &str = "ами ями ого его ому ему ыми ими ать ять ить ешь ала али ила или ует ает ая яя ые ие ый ий ой ей ом ем \
                       ам ям ах ях ую юю ов ев ы и а я о е у ю ь";

/// A word in small letters without its ending: enough that forms of one word meet, never for show.
pub fn stem(lower: &str) -> &str {
    let possessive = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s"));
    let word = possessive.unwrap_or(lower);
    let is_cyrillic = |letter| matches!(letter, '\u{400}'..='\u{4ff}');
    let stem = if word.is_ascii() {
        let mut stems = ENGLISH.iter().filter_map(|ending| word.strip_suffix(ending));
        stems.find(|stem| stem.len() >= 4)
    } else if word.starts_with(is_cyrillic) && word.chars().count() > 5 {
        RUSSIAN.split(' ').find_map(|ending| word.strip_suffix(ending))
    } else {
        None
    };
    stem.unwrap_or(word)
}
