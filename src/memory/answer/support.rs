//! Whether the sources say what a line says, by its words. A word is known by its beginning, so that *rotates* is found
//! where *rotation* stands; in scripts without spaces every two characters are a word; whatever holds a digit must stand
//! there as it is.

use std::collections::HashSet;

use crate::memory::language::{hash_word, is_hangul, is_unspaced, lexicon};
use crate::memory::search;

/// How many characters of a word it is known by.
const STEM_CHARS: usize = 5;
/// How many syllables of a Korean one: what follows is grammar.
const STEM_SYLLABLES: usize = 2;
/// Shorter words of other scripts say nothing.
const WORD_CHARS_MIN: usize = 4;
/// Of a line's words so many must be the sources', in percent.
const KNOWN_PERCENT_MIN: usize = 60;
/// The languages of a text are asked of pieces of so many bytes.
const SAMPLE_BYTES: usize = 1200;
/// And of so many of them.
const SAMPLES_MAX: usize = 24;

pub(super) struct Vocabulary {
    known: HashSet<u64>,
    folded: String,
    languages: u16,
}

impl Vocabulary {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut known, mut folded, mut languages) = (HashSet::new(), String::new(), 0);
        for text in texts {
            words(text, |_, mark| {
                known.insert(mark.hash);
            });
            folded.extend(text.chars().flat_map(char::to_lowercase));
            folded.push('\n');
            languages |= spoken(text);
        }
        Self {
            known,
            folded,
            languages,
        }
    }

    pub(super) fn languages(&self) -> u16 {
        self.languages
    }

    /// Whether enough of a line's words are the sources', and all of its numbers.
    pub(super) fn supports(&self, line: &str) -> bool {
        let (mut known, mut of, mut sound) = (0, 0, true);
        words(line, |word, mark| {
            let is_known = self.known.contains(&mark.hash);
            if mark.exact {
                sound &= is_known || self.holds(word);
            } else {
                of += 1;
                known += usize::from(is_known);
            }
        });
        sound && known * 100 >= of * KNOWN_PERCENT_MIN && (of > 0 || self.holds(line))
    }

    /// Whether a name, path or number stands in the sources as it is, letter case aside. A part of a longer number does
    /// not: 500 users are not 50.
    pub(super) fn holds(&self, name: &str) -> bool {
        let folded: String = name.trim().chars().flat_map(char::to_lowercase).collect();
        let (text, name) = (self.folded.as_bytes(), folded.as_bytes());
        // Whether a digit stands on either side of a place.
        let parts_digits = |at: usize| at > 0 && text[at - 1..].iter().take(2).all(u8::is_ascii_digit);
        !name.is_empty()
            && memchr::memmem::find_iter(text, name)
                .any(|at| !parts_digits(at) && !parts_digits(at + name.len()))
    }
}

/// The Latin languages, English aside, of a text, by pieces from all over it.
fn spoken(text: &str) -> u16 {
    let lexicon = lexicon();
    let silent = lexicon.languages("");
    let step = (text.len() / SAMPLES_MAX).max(SAMPLE_BYTES);
    let mut languages = 0;
    let mut at = 0;
    while at < text.len() {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        languages |= silent ^ lexicon.languages(&text[at..]);
        at += step;
    }
    languages
}

struct Mark {
    hash: u64,
    /// Whether it must stand in the sources as it is.
    exact: bool,
}

/// Hands every word of a text that says something to `each`.
fn words(text: &str, mut each: impl FnMut(&str, Mark)) {
    search::words(text, |word| {
        let mark = if word.starts_with(is_unspaced) {
            // Every two characters that follow one another.
            let is_pair = word.chars().count() > 1;
            is_pair.then(|| Mark {
                hash: hash_word(word),
                exact: false,
            })
        } else {
            spaced(word)
        };
        if let Some(mark) = mark {
            each(word, mark);
        }
    });
}

/// A word between spaces; none when it is too short to say anything.
fn spaced(word: &str) -> Option<Mark> {
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Some(Mark {
            hash: hash_word(word),
            exact: true,
        });
    }
    let korean = word.chars().any(is_hangul);
    let (least, most) = if korean {
        (STEM_SYLLABLES, STEM_SYLLABLES)
    } else {
        (WORD_CHARS_MIN, STEM_CHARS)
    };
    if word.chars().count() < least {
        return None;
    }
    let bare = without_ending(word);
    let end = bare.char_indices().nth(most).map_or(bare.len(), |(at, _)| at);
    Some(Mark {
        hash: hash_word(&bare[..end]),
        exact: false,
    })
}

/// A word without the ends that English and its kin hang on it, where enough is left.
fn without_ending(word: &str) -> &str {
    let bare = ["ing", "ed", "es", "s"]
        .iter()
        .find_map(|end| word.strip_suffix(end));
    bare.filter(|bare| bare.chars().count() >= 3).unwrap_or(word)
}
