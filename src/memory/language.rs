//! What the languages of real logs have in common with us: which words carry no meaning, which announce a decision, a finished task,
//! a lesson or something left open, and what people call the fields of an entry (SPEC section 3). Each language is one word list under
//! `language/`, read once; a new language is a new file and one line in `SOURCES`.

mod build;
mod cue;
mod letter;
mod pattern;
mod spoken;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

pub use self::cue::*;
pub use self::letter::{hash_word, is_hangul, is_unspaced, mix};
use self::pattern::Patterns;
use super::text::head;

/// What a field, a label or a heading of an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Decide,
    Done,
    Lesson,
    /// Next steps, open questions, blockers.
    Open,
    /// Where the matter stands.
    State,
    Request,
    /// Anything else worth a label: context, analysis, notes.
    Note,
    Reference,
    /// A rule of behaviour (feedback).
    Rule,
    Why,
    /// Where it applies.
    How,
    /// Preferences of the person, facts about the person.
    Like,
    Feedback,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Speaker {
    User,
    Assistant,
    /// A tool's output or a system message.
    Tool,
}

/// What a label stands for in each of its places.
#[derive(Clone, Copy, Debug, Default)]
pub struct Label {
    pub role: Option<Role>,
    pub speaker: Option<Speaker>,
    /// A table's column of this name tells how things stand.
    pub status: bool,
    /// A heading of this name says nothing about the entry's matter.
    pub dull: bool,
    /// A field of this name is machinery: session ids, time stamps.
    pub skip: bool,
    /// A field that holds no more than this holds nothing: "none", "normal".
    pub void: bool,
}

/// What is known about words or phrases, by their hashes: which languages say what of it.
#[derive(Default)]
struct Known(FxHashMap<u64, Vec<(u16, Cues)>>);

impl Known {
    fn add(&mut self, hash: u64, language: u16, cues: Cues) {
        let known = self.0.entry(hash).or_default();
        match known.iter_mut().find(|(languages, _)| *languages == language) {
            Some((_, before)) => *before |= cues,
            None => known.push((language, cues)),
        }
    }

    fn of(&self, hash: u64) -> &[(u16, Cues)] {
        self.0.get(&hash).map_or(&[], Vec::as_slice)
    }

    fn cues(&self, hash: u64, languages: u16) -> Cues {
        let known = self.of(hash).iter().filter(|(known, _)| known & languages != 0);
        known.fold(0, |all, (_, cues)| all | cues)
    }

    fn languages(&self, hash: u64) -> u16 {
        self.of(hash)
            .iter()
            .fold(0, |all, (languages, _)| all | languages)
    }
}

pub struct Lexicon {
    words: Known,
    chains: Known,
    /// Cues of the scripts without spaces, and signs.
    cues: Patterns,
    /// Words without meaning of the same scripts.
    stops: Patterns,
    /// Lead-ins of what is said by the way.
    asides: Patterns,
    labels: FxHashMap<u64, Label>,
    /// Korean particles by their last character, the longest first, each with the shortest stem it may leave, in bytes: short particles are the
    /// ends of many nouns.
    particles: BTreeMap<char, Vec<(&'static str, usize)>>,
    services: FxHashSet<&'static str>,
}

/// Languages written in Latin letters count only where they are spoken: "die" is a stop word in German only. The rest cannot be mistaken.
const LATIN: u16 = 0b11_1110;
/// English, and everything that is not written in Latin letters.
const ALWAYS: u16 = !LATIN;

/// The word lists, English first, then the Latin ones that `LATIN` masks.
const SOURCES: [&str; 14] = [
    include_str!("language/en.txt"),
    include_str!("language/de.txt"),
    include_str!("language/fr.txt"),
    include_str!("language/es.txt"),
    include_str!("language/pt.txt"),
    include_str!("language/vi.txt"),
    include_str!("language/ko.txt"),
    include_str!("language/zh.txt"),
    include_str!("language/ja.txt"),
    include_str!("language/th.txt"),
    include_str!("language/ru.txt"),
    include_str!("language/ar.txt"),
    include_str!("language/he.txt"),
    include_str!("language/my.txt"),
];

const CUT_MAX: usize = 64;
/// French elides the vowel of its small words: "l'auteur" is two words.
pub const FRENCH: u16 = 1 << 2;
/// Vietnamese puts a space between syllables: its words are mostly two of them.
pub const VIETNAMESE: u16 = 1 << 5;

/// The lexicon, built at the first call (about a millisecond).
pub fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(build::lexicon)
}

impl Lexicon {
    /// What is known about the word with this hash in the languages given; 0 for an unknown word.
    pub fn word(&self, hash: u64, languages: u16) -> Cues {
        self.words.cues(hash, languages)
    }

    /// Phrases of several words are found word by word: the state after `word` follows `state` (0 at a phrase's first word), and what the
    /// words up to here mean together. `HEAD` among the cues says that the phrase may go on.
    pub fn chain(&self, state: u64, word: u64, languages: u16) -> (u64, Cues) {
        let state = chained(state, word);
        (state, self.chains.cues(state, languages))
    }

    /// Every cue of an unspaced script or of Korean in `text`, and every sign, each with its start and end.
    pub fn signs(&self, text: &str, mut found: impl FnMut(usize, usize, Cues)) {
        // Each of them has a character outside ASCII.
        if text.is_ascii() {
            return;
        }
        for (start, end, cues) in self.cues.find(text) {
            if !is_inside_thai(text, start, end) {
                found(start, end, cues);
            }
        }
    }

    /// The pieces of unspaced text (Chinese, Japanese, Thai) that lie between words without meaning.
    pub fn pieces(&self, text: &str, mut piece: impl FnMut(usize, usize)) {
        let mut from = 0;
        for (start, end, _) in self.stops.find(text) {
            if is_inside_thai(text, start, end) || ends_thai_word(&text[from..start], &text[start..end]) {
                continue;
            }
            if start > from {
                piece(from, start);
            }
            from = end;
        }
        if from < text.len() {
            piece(from, text.len());
        }
    }

    /// `text` without a lead-in such as "By the way", or `None` when it has none.
    pub fn aside<'a>(&self, text: &'a str) -> Option<&'a str> {
        let find = |text: &str| self.asides.longest(text).map(|(length, _)| length);
        let end = find(text).or_else(|| {
            // The search folds the case of ASCII only.
            let head = head(text, CUT_MAX);
            let first = head
                .chars()
                .next()
                .filter(|first| !first.is_ascii() && first.is_uppercase())?;
            find(&head.to_lowercase()).filter(|end| text.is_char_boundary(*end) && *end >= first.len_utf8())
        })?;
        let rest = &text[end..];
        let unspaced = text[..end].chars().next_back().is_some_and(is_unspaced);
        (unspaced
            || !rest.starts_with(|next: char| {
                next.is_alphanumeric() || next == '\'' || next == '’' || next == '-'
            }))
        .then_some(rest)
    }

    /// A Korean word without its particle; the word itself when it carries none. Many nouns end like a particle: what is left must have as
    /// many bytes as the list says for that particle; `bytes_min` are enough in any case.
    pub fn stem<'a>(&self, word: &'a str, bytes_min: usize) -> &'a str {
        let last = word
            .chars()
            .next_back()
            .and_then(|last| self.particles.get(&last));
        let cut = |(particle, least): &(&'static str, usize)| {
            word.strip_suffix(*particle)
                .filter(|stem| stem.len() >= *least.min(&bytes_min))
        };
        last.into_iter().flatten().find_map(cut).unwrap_or(word)
    }

    /// Whether this is the name of a tool or service, as it is written.
    pub fn is_service(&self, name: &str) -> bool {
        self.services.contains(name)
    }

    /// What a label of this name stands for; nothing at all for an unknown one.
    pub fn label(&self, name: &str) -> Label {
        let known = |name| self.labels.get(&fold_label(name)?).copied();
        // "Decisions with rationale" are decisions.
        let first = || {
            let (first, _) = name
                .trim_start()
                .split_once(' ')
                .filter(|(first, _)| first.len() > 6 && first.ends_with('s'))?;
            Some(Label {
                role: known(first)?.role,
                ..Label::default()
            })
        };
        known(name).or_else(first).unwrap_or_default()
    }

    pub fn role(&self, name: &str) -> Option<Role> {
        self.label(name).role
    }
}

fn chained(state: u64, word: u64) -> u64 {
    (state.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}

/// Whether a Thai syllable goes on beyond a match: a vowel is written before it, or a mark stands after it.
fn is_inside_thai(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    if bytes[start] != 0xe0 {
        return false;
    }
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    before.is_some_and(|letter| matches!(letter, '\u{e40}'..='\u{e44}'))
        || after
            .is_some_and(|letter| matches!(letter, '\u{e30}'..='\u{e3a}' | '\u{e45}' | '\u{e47}'..='\u{e4e}'))
}

/// Whether a stop word of Thai is the end of a word: the one that makes nouns of verbs also stands behind syllables that are no words.
fn ends_thai_word(before: &str, stop: &str) -> bool {
    const NOUN: &str = "การ";
    const LONGER: [&str; 4] = ["โครง", "วิชา", "กรรม", "สถาน"];
    let letters = before.chars().count();
    stop == NOUN && (letters == 2 || letters == 3 || LONGER.iter().any(|start| before.ends_with(start)))
}

/// No label of the lists has more characters.
const LABEL_CHARS_MAX: usize = 32;

/// The hash of a label: its words in lower case, one space between them, without marks, numbers at the start, or emoji.
/// `None` for what is too long to be a label, or empty.
pub fn fold_label(text: &str) -> Option<u64> {
    if text.len() > 96 {
        return None;
    }
    let (mut folded, mut chars) = (String::with_capacity(text.len()), 0);
    let mut gap = false;
    for letter in text.chars() {
        let inner = !folded.is_empty() && matches!(letter, '-' | '\'' | '’' | '?' | '&');
        if !inner && !is_label_letter(letter) {
            gap = true;
            continue;
        }
        if gap && !folded.is_empty() && !inner {
            folded.push(' ');
            chars += 1;
        }
        gap = false;
        chars += 1;
        if chars > LABEL_CHARS_MAX {
            return None;
        }
        if letter != '?' {
            folded.push(letter);
        }
    }
    (!folded.is_empty()).then(|| hash_word(&folded))
}

fn is_label_letter(letter: char) -> bool {
    letter.is_alphabetic() || is_mark(letter)
}

/// Vowel signs and tones of Thai, Arabic and Hebrew, which are no letters of their own.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{64b}'..='\u{652}' | '\u{591}'..='\u{5c7}' | '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests;
