//! Which words carry no meaning, which announce a decision, a finished task, a lesson or something left open, and what people call the
//! fields of an entry (SPEC section 3). Each language is one word list under `language/`; a new one is a new file and a line in `SOURCES`.

mod cue;
mod han;
mod noun;

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::{self, IntoDeserializer as _};
use serde::{Deserialize, Serialize};

pub use self::cue::*;
use self::han::simplified;
pub use self::noun::is_ordinary_noun;
use super::text::head;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Decide,
    Done,
    Lesson,
    /// Next steps, open questions, blockers.
    Open,
    State,
    Request,
    /// Anything else worth a label: context, analysis, notes.
    Note,
    Reference,
    /// A rule of behaviour (feedback).
    Rule,
    Why,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub role: Option<Role>,
    pub speaker: Option<Speaker>,
    /// A table's column of this name tells how things stand.
    pub status: bool,
    /// A heading of this name says nothing about the entry's matter.
    pub dull: bool,
    /// A field of this name is machinery: session ids, time stamps.
    pub skip: bool,
    /// A field of this name holds how something was looked at or kept: commands, outputs, sizes.
    pub minor: bool,
    /// A field that holds no more than this holds nothing: "none", "normal".
    pub void: bool,
}

/// What is known about words or phrases, by their hashes: which languages say what of it.
#[derive(Default)]
struct Known(FxHashMap<u64, Vec<(u32, Cues)>>);

impl Known {
    fn add(&mut self, hash: u64, language: u32, cues: Cues) {
        let known = self.0.entry(hash).or_default();
        match known.iter_mut().find(|(languages, _)| *languages == language) {
            Some((_, before)) => *before |= cues,
            None => known.push((language, cues)),
        }
    }

    fn of(&self, hash: u64) -> impl Iterator<Item = &(u32, Cues)> {
        self.0.get(&hash).into_iter().flatten()
    }

    fn cues(&self, hash: u64, languages: u32) -> Cues {
        let known = self.of(hash).filter(|(known, _)| known & languages != 0);
        known.fold(0, |all, (_, cues)| all | cues)
    }

    fn languages(&self, hash: u64) -> u32 {
        self.of(hash).fold(0, |all, (languages, _)| all | languages)
    }
}

/// The words to search for in a text without spaces: by their first characters, the longest first; capital letters of ASCII count as small
/// ones. An automaton for them would take several milliseconds to build, and every short command would have to wait for it.
#[derive(Default)]
struct Patterns(FxHashMap<char, Vec<(&'static str, Cues)>>);

impl Patterns {
    /// Takes in a word; one that is there more than once has all of its cues.
    fn add(&mut self, word: &'static str, cues: Cues) {
        let first = word.chars().next().unwrap_or_default();
        let of_first = self.0.entry(first.to_ascii_lowercase()).or_default();
        match of_first.iter_mut().find(|(known, _)| *known == word) {
            Some((_, known)) => *known |= cues,
            None => {
                let longer = of_first.partition_point(|(known, _)| known.len() >= word.len());
                of_first.insert(longer, (word, cues));
            }
        }
    }

    fn words(&mut self) -> impl Iterator<Item = &mut (&'static str, Cues)> {
        self.0.values_mut().flatten()
    }

    /// The words in `text` from the left, none inside another, each with its start and end.
    fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, usize, Cues)> + 'a {
        let mut end = 0;
        text.char_indices().filter_map(move |(at, letter)| {
            let of_first = self.0.get(&letter.to_ascii_lowercase()).filter(|_| at >= end)?;
            let begins = |word: &str| {
                let head = text.as_bytes().get(at..at + word.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
            };
            let (word, cues) = of_first.iter().find(|(word, _)| begins(word))?;
            end = at + word.len();
            Some((at, end, *cues))
        })
    }
}

#[derive(Default)]
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
    /// Words around a label that change nothing of what it says: "key", "today's".
    frames: FxHashSet<&'static str>,
    /// The hashes of words such as "status" and "findings", and of labels, with the languages that have them: a heading of nothing but such
    /// words of one language names nothing.
    forms: FxHashMap<u64, u32>,
    /// Korean particles, the longest first, each with the shortest stem it may leave, in bytes: short particles are the ends of many nouns.
    particles: Vec<(&'static str, usize)>,
}

pub const ENGLISH: u32 = 1;
pub const GERMAN: u32 = 1 << 1;
/// Languages written in Latin letters count only where they are spoken: "die" is a stop word in German only. The rest cannot be mistaken.
const LATIN: u32 = 0b111_1111_1110;
/// English, and everything that is not written in Latin letters.
const ALWAYS: u32 = !LATIN;

/// The word lists, English first, then the Latin ones that `LATIN` masks: those with stemmers before the others (`search`).
const SOURCES: [&str; 20] = [
    include_str!("language/en.txt"),
    include_str!("language/de.txt"),
    include_str!("language/fr.txt"),
    include_str!("language/es.txt"),
    include_str!("language/pt.txt"),
    include_str!("language/it.txt"),
    include_str!("language/nl.txt"),
    include_str!("language/tr.txt"),
    include_str!("language/vi.txt"),
    include_str!("language/pl.txt"),
    include_str!("language/id.txt"),
    include_str!("language/ko.txt"),
    include_str!("language/zh.txt"),
    include_str!("language/ja.txt"),
    include_str!("language/th.txt"),
    include_str!("language/ru.txt"),
    include_str!("language/uk.txt"),
    include_str!("language/ar.txt"),
    include_str!("language/he.txt"),
    include_str!("language/my.txt"),
];

/// Marks and words that belong to no language.
const ANY: &str = include_str!("language/any.txt");
const NAMES: &str = include_str!("language/names.txt");
const SERVICES: &str = include_str!("language/services.txt");
const ERRORS: &str = include_str!("language/errors.txt");

/// How much of a text tells its languages, in bytes.
const SAMPLE: usize = 1200;
/// The languages of Latin letters are the first ones of the lists.
const LANGUAGES: usize = LATIN.count_ones() as usize + 1;

const CUT_MAX: usize = 64;
/// The languages of Latin letters whose nouns stand before what describes them: French, Spanish, Portuguese, Italian, Vietnamese, Polish,
/// Indonesian.
pub const NOUN_FIRST: u32 = 0b111_0011_1100;

/// Built at the first call, in about a millisecond.
pub fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(read_lists)
}

/// Reads the word lists. A list is lines of `key: word, word, two words`; `#` opens a comment.
fn read_lists() -> Lexicon {
    let mut lexicon = Lexicon::default();
    for (language, source) in SOURCES.iter().enumerate() {
        lexicon.read(source, 1 << language);
    }
    lexicon.read(ANY, u32::MAX);
    for (source, cue) in [(NAMES, NAME), (ERRORS, ERROR), (SERVICES, SERVICE)] {
        // A name of several words is found by its words.
        for word in items(source).filter(|word| !word.contains(' ')) {
            lexicon.add_word(word, cue, u32::MAX);
        }
    }
    let length = |(particle, _): &(&str, usize)| std::cmp::Reverse(particle.len());
    lexicon.particles.sort_by_key(length);
    lexicon.keep_self();
    lexicon
}

fn items(source: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = source.lines().filter(|line| !line.starts_with('#'));
    let items = lines.flat_map(|line| line.split(',')).map(str::trim);
    items.filter(|item| !item.is_empty())
}

impl Lexicon {
    fn read(&mut self, source: &'static str, language: u32) {
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            let Some((key, list)) = line.split_once(':') else {
                continue;
            };
            let cue = cue_named(key);
            for item in items(list) {
                if cue == 0 {
                    self.item(key, item);
                    let is_field = key.starts_with("field.") && key != "field.status";
                    if is_field || matches!(key, "form" | "frame" | "dull") {
                        *self.forms.entry(hash_word(item)).or_default() |= language;
                    }
                } else {
                    self.cue(item, cue, language);
                }
            }
        }
    }

    fn item(&mut self, key: &str, item: &'static str) {
        if let Some(role) = key.strip_prefix("field.") {
            let role: de::value::StrDeserializer<'_, de::value::Error> = role.into_deserializer();
            match Role::deserialize(role) {
                Ok(role) => _ = self.label_mut(item).role.get_or_insert(role),
                // A table's column.
                Err(_) => self.label_mut(item).status = true,
            }
        } else if let Some(speaker) = key.strip_prefix("speaker.") {
            self.label_mut(item).speaker = Some(match speaker {
                "user" => Speaker::User,
                "assistant" => Speaker::Assistant,
                _ => Speaker::Tool,
            });
        } else {
            match key {
                "dull" => self.label_mut(item).dull = true,
                "skip" => self.label_mut(item).skip = true,
                "minor" => self.label_mut(item).minor = true,
                "void" => self.label_mut(item).void = true,
                "aside" => self.asides.add(item, 0),
                "frame" => _ = self.frames.insert(item),
                "particle" => self.particles.push((item, 6)),
                "weak" => self.particles.push((item, 9)),
                _ => {}
            }
        }
    }

    /// A cue is looked up as a word where words have spaces between them, and searched for everywhere else.
    fn cue(&mut self, item: &'static str, cue: Cues, language: u32) {
        let is_sign = |letter: char| letter > '\u{2100}' && !is_hangul(letter) && !letter.is_alphabetic();
        // Burmese puts spaces between phrases, not words.
        let is_burmese = |letter: char| matches!(letter, '\u{1000}'..='\u{109f}');
        let is_searched = |letter| is_unspaced(letter) || is_burmese(letter) || is_sign(letter);
        let unspaced = item.chars().any(is_searched);
        let korean = item.chars().any(is_hangul);
        let passive = cue & (STOP | COMMON | JOIN | LEAD | EDGE) != 0;
        if unspaced && cue & STOP != 0 {
            self.stops.add(item, 0);
        } else if unspaced || (korean && !passive) {
            self.cues.add(item, cue);
        } else if item.contains(' ') {
            self.add_phrase(item, cue, language);
        } else {
            self.add_word(item, cue, language);
        }
    }

    /// Every beginning of a phrase is known as one, and the whole of it as what it means.
    fn add_phrase(&mut self, phrase: &str, cue: Cues, language: u32) {
        let mut state = 0;
        let words = phrase.split(' ').map(|word| word.strip_suffix("'s").unwrap_or(word));
        let mut words = words.peekable();
        self.add_word(words.peek().copied().unwrap_or_default(), HEAD, language);
        while let Some(word) = words.next() {
            state = mix(state, hash_word(word));
            let known = if words.peek().is_some() { HEAD } else { cue };
            self.chains.add(state, language, known);
        }
    }

    fn add_word(&mut self, word: &str, cue: Cues, language: u32) {
        self.words.add(hash_word(word), language, cue);
    }

    /// Of overlapping cues only the longest is found: one that contains "I" says "I" itself.
    fn keep_self(&mut self) {
        let mut selves = Patterns::default();
        let is_self = |(word, cues): &&mut (&str, Cues)| *cues & SELF != 0 && !word.is_ascii();
        for (word, cues) in self.cues.words().filter(is_self) {
            selves.add(word, *cues);
        }
        for (word, cues) in self.cues.words().filter(|(word, _)| !word.is_ascii()) {
            if selves.find(word).next().is_some() {
                *cues |= SELF;
            }
        }
    }

    fn label_mut(&mut self, item: &str) -> &mut Label {
        let name = fold_label(item).unwrap_or_default();
        self.labels.entry(name).or_default()
    }

    /// What is known about the word with this hash in the languages given; 0 for an unknown word.
    pub fn word(&self, hash: u64, languages: u32) -> Cues {
        self.words.cues(hash, languages)
    }

    /// The languages a text is in, as a mask for `word`: the Latin ones whose small words it uses, and all others.
    pub fn languages(&self, text: &str) -> u32 {
        let mut counts = [0; LANGUAGES];
        let is_latin = |letter: char| {
            letter.is_ascii_alphabetic()
                || matches!(letter, '\'' | '’' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
        };
        let words = head(text, SAMPLE).split(|letter| !is_latin(letter));
        for word in words.filter(|word| !word.is_empty()) {
            let spoken = self.words.languages(hash_word(word));
            for (language, count) in counts.iter_mut().enumerate() {
                *count += spoken >> language & 1;
            }
        }
        let most = counts.iter().max().copied().unwrap_or(0);
        let is_spoken = |count: u32| count >= 2 && count * 5 >= most * 3;
        (0..LANGUAGES).fold(ALWAYS, |languages, language| {
            languages | u32::from(is_spoken(counts[language])) << language
        })
    }

    /// Phrases of several words are found word by word: the state after `word` follows `state` (0 at a phrase's first word), and what the
    /// words up to here mean together. `HEAD` among the cues says that the phrase may go on.
    pub fn chain(&self, state: u64, word: u64, languages: u32) -> (u64, Cues) {
        let state = mix(state, word);
        (state, self.chains.cues(state, languages))
    }

    /// Every cue of an unspaced script or of Korean in `text`, and every sign, each with its start and end.
    pub fn signs(&self, text: &str, mut found: impl FnMut(usize, usize, Cues)) {
        for (start, end, cues) in self.cues.find(&simplified(text)) {
            if !is_inside_thai(text, start, end) {
                found(start, end, cues);
            }
        }
    }

    /// The pieces of unspaced text (Chinese, Japanese, Thai) that lie between words without meaning.
    pub fn pieces(&self, text: &str, mut piece: impl FnMut(usize, usize)) {
        // A stop word of Thai may be the end of a word: the one that makes nouns of verbs also stands behind syllables that are no words.
        const NOUN: &str = "การ";
        const LONGER: [&str; 4] = ["โครง", "วิชา", "กรรม", "สถาน"];
        let is_end = |before: &str| {
            matches!(before.chars().count(), 2 | 3) || LONGER.iter().any(|it| before.ends_with(it))
        };
        let mut from = 0;
        for (start, end, _) in self.stops.find(&simplified(text)) {
            let ends_word = &text[start..end] == NOUN && is_end(&text[from..start]);
            if is_inside_thai(text, start, end) || ends_word {
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
        let begins =
            |text: &str| self.asides.find(&simplified(text)).next().filter(|(start, ..)| *start == 0);
        let head = head(text, CUT_MAX);
        let first = head.chars().next()?;
        // The search folds the case of ASCII only.
        let folded = || {
            let is_capital = !first.is_ascii() && first.is_uppercase();
            let (_, end, _) = begins(&head.to_lowercase()).filter(|_| is_capital)?;
            (text.is_char_boundary(end) && end >= first.len_utf8()).then_some(end)
        };
        let end = begins(head).map(|(_, end, _)| end).or_else(folded)?;
        let rest = &text[end..];
        let unspaced = text[..end].chars().next_back().is_some_and(is_unspaced);
        let goes_on = |next: char| next.is_alphanumeric() || matches!(next, '\'' | '’' | '-');
        (unspaced || !rest.starts_with(goes_on)).then_some(rest)
    }

    /// A Korean word without its particle; the word itself when it carries none. Many nouns end like a particle: what is left must have as
    /// many bytes as the list says, or `bytes_min`.
    pub fn stem<'a>(&self, word: &'a str, bytes_min: usize) -> &'a str {
        let cut = |(particle, least): &(&'static str, usize)| {
            let stem = word.strip_suffix(*particle);
            stem.filter(|stem| stem.len() >= *least.min(&bytes_min))
        };
        self.particles.iter().find_map(cut).unwrap_or(word)
    }

    pub fn label(&self, name: &str) -> Label {
        let known = |name: &str| self.labels.get(&fold_label(name)?).copied();
        // "Decisions with rationale" are decisions.
        let first = || {
            let (first, rest) = name.trim_start().split_once(' ')?;
            let next = rest.split(' ').next().map(|next| self.word(hash_word(next), ENGLISH))?;
            let is_plural = first.len() > 6 && first.ends_with('s') && next & (STOP | JOIN) != 0;
            let role = known(first).filter(|_| is_plural)?.role;
            Some(Label { role, ..Label::default() })
        };
        let label = known(name).or_else(|| known(&simplified(name)));
        label.or_else(first).unwrap_or_default()
    }

    /// The label of a heading, without the words around it: "Key decisions made today" are decisions. A heading of several such words
    /// and nothing else is dull. What is found in this way is no speaker, and nothing below it is skipped.
    pub fn heading(&self, title: &str) -> Label {
        let label = self.heading_as_written(&simplified(title));
        // The Japanese lists have such characters, too.
        let is_known = label != Label::default() || title.is_ascii();
        if is_known { label } else { self.heading_as_written(title) }
    }

    fn heading_as_written(&self, title: &str) -> Label {
        let label = self.label(title);
        if label != Label::default() {
            return label;
        }
        // "TODO (for tomorrow)", "Open items / watch".
        let front = title.split(['(', '（', '/']).next().unwrap_or_default();
        let open = self.label(front.trim());
        if open.role == Some(Role::Open) && front.len() < title.len() {
            return open;
        }
        let is_frame = |word: &&str| self.frames.contains(&*word.to_lowercase());
        let bare: Vec<&str> = title.split(' ').filter(|word| !is_frame(word)).collect();
        let bare = bare.join(" ");
        // "工作①": a number tells such parts apart.
        let mut bare = bare.trim_end_matches(char::is_numeric);
        // In a script without spaces these words are taken off one by one.
        let label = loop {
            let label = self.label(bare);
            if label != Label::default() || !bare.contains(is_unspaced) {
                break label;
            }
            let frames = self.frames.iter().filter(|frame| frame.starts_with(is_unspaced));
            let rests = frames.flat_map(|frame| [bare.strip_prefix(frame), bare.strip_suffix(frame)]);
            // Of "核心教训", both words of which are known, the lesson is left.
            let says_nothing = |rest: &str| self.label(rest.trim()) == Label::default();
            match rests.flatten().min_by_key(|rest| (says_nothing(rest), rest.len(), *rest)) {
                Some(rest) => bare = rest.trim().trim_matches('・').trim(),
                None => break label,
            }
        };
        let is_row = title.contains(' ')
            && title
                .split(' ')
                .fold(u32::MAX, |languages, word| languages & self.form_languages(word))
                != 0;
        Label {
            role: label.role,
            dull: label.dull || is_row || bare.is_empty(),
            ..Label::default()
        }
    }

    /// Whether a word of a heading belongs to the form of the logs.
    pub fn is_form(&self, word: &str) -> bool {
        self.form_languages(word) != 0
    }

    /// The languages in which a word of a heading belongs to the form of the logs; all of them where it is a mark.
    fn form_languages(&self, word: &str) -> u32 {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        if word.is_empty() {
            return u32::MAX;
        }
        let hash = hash_word(word);
        let stance = self.words.of(hash).filter(|(_, cues)| cues & STANCE != 0);
        let languages = stance.fold(0, |all, (languages, _)| all | languages);
        languages | self.forms.get(&hash).copied().unwrap_or(0)
    }

    pub fn role(&self, name: &str) -> Option<Role> {
        self.label(name).role
    }
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

/// No label of the lists has more characters, and none of them more bytes with what stands around it.
const LABEL_CHARS_MAX: usize = 32;
const LABEL_BYTES_MAX: usize = 96;

/// The hash of a label's words, without marks, numbers at the start, or emoji; none for what is too long to be a label, or empty.
pub fn fold_label(text: &str) -> Option<u64> {
    if text.len() > LABEL_BYTES_MAX {
        return None;
    }
    let is_letter = |letter: char| letter.is_alphabetic() || is_mark(letter);
    let is_inner = |letter: char| is_letter(letter) || matches!(letter, '-' | '\'' | '’' | '?' | '&');
    let text = text.trim_start_matches(|letter| !is_letter(letter));
    let words = text.split(|letter| !is_inner(letter)).filter(|word| !word.is_empty());
    let label = words.collect::<Vec<_>>().join(" ");
    let fits = !label.is_empty() && label.chars().count() <= LABEL_CHARS_MAX;
    fits.then(|| hash_word(&label.replace('?', "")))
}

/// Vowel signs and tones of Thai, Arabic and Hebrew, which are no letters of their own.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{64b}'..='\u{652}' | '\u{591}'..='\u{5c7}' | '\u{300}'..='\u{36f}')
}

/// The dot that a small i keeps of the capital "İ".
pub const DOT_ABOVE: char = '\u{307}';

/// The hash of a whole word, in lower case, the curly apostrophe as the straight one; never 0.
pub fn hash_word(word: &str) -> u64 {
    let (mut hash, mut eight, mut bits) = (0, 0, 0);
    for letter in word.chars().filter(|letter| *letter != DOT_ABOVE) {
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

#[cfg(test)]
mod tests;
