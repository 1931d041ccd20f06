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

use self::cue::MORE;
pub use self::cue::*;
pub(crate) use self::letter::spread;
pub use self::letter::{
    WordHash, eight_at, hash_eight, hash_sixteen, hash_word, head, is_hangul, is_past, is_spaced,
    is_unspaced, letters_of_eight, mix, plain_of_eight, small_of_eight,
};
use self::pattern::Patterns;

/// What a field, a label or a heading of an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Decisions.
    Decide,
    /// Outcomes, finished tasks.
    Done,
    /// Lessons and insights.
    Lesson,
    /// Next steps, open questions, blockers.
    Open,
    /// Where the matter stands.
    State,
    /// What was asked for.
    Request,
    /// Anything else worth a label: context, analysis, notes.
    Note,
    /// Pointers.
    Reference,
    /// A rule of behaviour (feedback).
    Rule,
    /// Its reason.
    Why,
    /// Where it applies.
    How,
    /// Preferences of the person, facts about the person.
    Like,
    /// Feedback as such.
    Feedback,
}

/// Who speaks in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// A tool's output or a system message.
    Tool,
}

/// What a label stands for in each of its places.
#[derive(Clone, Copy, Debug, Default)]
pub struct Label {
    /// What a field or heading of this name holds.
    pub role: Option<Role>,
    /// Who speaks after this name and a colon.
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

/// One word and what is known about it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    cues: Cues,
    languages: u16,
}

/// Everything the word lists say, ready to be asked.
pub struct Lexicon {
    slots: Vec<Slot>,
    /// A bit for each known word by a part of its hash: most words of a text are unknown, and this fits into the nearest cache.
    known: Box<[u64; KNOWN]>,
    chains: Vec<Slot>,
    /// The same for `chains`.
    chained: Box<[u64; KNOWN]>,
    /// Cues of the scripts without spaces, and signs.
    cues: Patterns,
    /// Words without meaning of the same scripts.
    stops: Patterns,
    /// Lead-ins.
    cuts: Patterns,
    /// Lead-ins of what is said by the way.
    asides: Patterns,
    labels: Vec<(u64, Label)>,
    /// Korean particles by their last character, the longest first, each with the shortest stem it may leave, in bytes: short particles are the
    /// ends of many nouns.
    particles: BTreeMap<char, Vec<(&'static str, usize)>>,
    /// Ends of Korean and Russian verbs by their last character.
    endings: BTreeMap<char, Vec<&'static str>>,
    services: Vec<&'static str>,
    /// How long the longest of them is, in bytes.
    service_max: usize,
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

/// The longest lead-in, in bytes.
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
    #[inline]
    pub fn word(&self, hash: u64, languages: u16) -> Cues {
        if self.known[bit_of(hash).0] & bit_of(hash).1 == 0 {
            return 0;
        }
        find(&self.slots, hash, languages)
    }

    /// Phrases of several words are found word by word: the state after `word` follows `state` (0 at a phrase's first word), and what the
    /// words up to here mean together. `HEAD` among the cues says that the phrase may go on.
    #[inline]
    pub fn chain(&self, state: u64, word: u64, languages: u16) -> (u64, Cues) {
        let state = chained(state, word);
        (state, find(&self.chains, state, languages))
    }

    /// Whether `word` may continue the phrase `state`: false is certain, and cheap.
    #[inline]
    pub fn may_chain(&self, state: u64, word: u64) -> bool {
        let (at, bit) = bit_of(chained(state, word));
        self.chained[at] & bit != 0
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

    /// `text` without a lead-in such as "We decided to", or `None` when it has none.
    pub fn cut<'a>(&self, text: &'a str) -> Option<&'a str> {
        Self::without(&self.cuts, text)
    }

    /// `text` without a lead-in such as "By the way", or `None` when it has none.
    pub fn aside<'a>(&self, text: &'a str) -> Option<&'a str> {
        Self::without(&self.asides, text)
    }

    fn without<'a>(leads: &Patterns, text: &'a str) -> Option<&'a str> {
        let find = |text: &str| leads.longest(text).map(|(length, _)| length);
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

    /// A Korean word without its particle; the word itself when it carries none.
    pub fn stem<'a>(&self, word: &'a str) -> &'a str {
        let last = word
            .chars()
            .next_back()
            .and_then(|last| self.particles.get(&last));
        let cut = |(particle, least): &(&'static str, usize)| {
            word.strip_suffix(*particle).filter(|stem| stem.len() >= *least)
        };
        last.into_iter().flatten().find_map(cut).unwrap_or(word)
    }

    /// Whether a word of Korean or Russian ends as a verb does. A syllable with the sign of the past or the future is no noun's.
    pub fn is_verb(&self, word: &str) -> bool {
        let last = word.chars().next_back().and_then(|last| self.endings.get(&last));
        last.into_iter().flatten().any(|ending| word.ends_with(ending)) || word.chars().any(is_past)
    }

    /// Whether this is the name of a tool or service, as it is written.
    pub fn is_service(&self, name: &str) -> bool {
        name.len() <= self.service_max && self.services.binary_search(&name).is_ok()
    }

    /// What a label of this name stands for; nothing at all for an unknown one.
    pub fn label(&self, name: &str) -> Label {
        let known = |name| {
            let hash = fold_label(name)?;
            let at = self.labels.binary_search_by_key(&hash, |(hash, _)| *hash).ok()?;
            Some(self.labels[at].1)
        };
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

    /// The role of a label.
    pub fn role(&self, name: &str) -> Option<Role> {
        self.label(name).role
    }
}

/// How many words of 64 bits `Lexicon::known` has.
const KNOWN: usize = 2048;

/// The place of a word in `Lexicon::known`.
#[inline]
fn bit_of(hash: u64) -> (usize, u64) {
    let place = spread(hash);
    ((place >> 6) & (KNOWN - 1), 1 << (place & 63))
}

/// What the given languages know about a word of a table.
#[inline]
fn find(slots: &[Slot], hash: u64, languages: u16) -> Cues {
    let mask = slots.len() - 1;
    let mut at = spread(hash) & mask;
    let mut cues = 0;
    loop {
        let slot = &slots[at];
        if slot.hash == hash {
            if slot.languages & languages != 0 {
                cues |= slot.cues & !MORE;
            }
            if slot.cues & MORE == 0 {
                return cues;
            }
        } else if slot.hash == 0 {
            return cues;
        }
        at = (at + 1) & mask;
    }
}

/// The hash of a phrase with one more word.
#[inline]
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

/// The hash of a label: its words in lower case, one space between them, without marks, numbers at the start, or emoji.
/// `None` for what is too long to be a label, or empty.
pub fn fold_label(text: &str) -> Option<u64> {
    if text.len() > 96 {
        return None;
    }
    let bytes = text.as_bytes();
    let mut hash = WordHash::default();
    let (mut begun, mut gap, mut at) = (false, false, 0);
    while at < bytes.len() {
        // Most of a label are words of a few ASCII letters.
        let (count, small) = letters_of_eight(eight_at(bytes, at));
        if count > 0 {
            if gap && begun {
                hash.push(b' ');
            }
            (begun, gap) = (true, false);
            hash.push_eight(small, count);
            at += count;
            continue;
        }
        let letter = text[at..].chars().next().unwrap_or_default();
        at += letter.len_utf8();
        let inner = begun && matches!(letter, '-' | '\'' | '’' | '?' | '&');
        if inner || is_label_letter(letter) {
            if gap && begun && !inner {
                hash.push(b' ');
            }
            (begun, gap) = (true, false);
            if letter != '?' {
                hash.push_char(letter);
            }
        } else {
            gap = true;
        }
    }
    begun.then(|| hash.finish())
}

/// Letters and the marks that belong to them. The dashes and quotation marks between words are none of them, which the tables of the
/// standard library take long to say.
fn is_label_letter(letter: char) -> bool {
    !matches!(letter, '\u{2000}'..='\u{206f}') && (letter.is_alphabetic() || is_mark(letter))
}

/// Vowel signs and tones of Thai, Arabic and Hebrew, which are no letters of their own.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{64b}'..='\u{652}' | '\u{591}'..='\u{5c7}' | '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests;
