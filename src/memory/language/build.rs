//! Reads the word lists into a `Lexicon`. A list is lines of `key: word, word, two words`; `#` opens a comment.

use serde::Deserialize as _;
use serde::de::{self, IntoDeserializer as _};

use super::cue::*;
use super::pattern::Patterns;
use super::{Label, Lexicon, Role, SOURCES, Speaker, chained, fold_label, hash_word, is_hangul, is_unspaced};

/// Marks and words that belong to no language.
const ANY: &str = include_str!("any.txt");
const NAMES: &str = include_str!("names.txt");
const SERVICES: &str = include_str!("services.txt");
const ERRORS: &str = include_str!("errors.txt");

pub(super) fn lexicon() -> Lexicon {
    let mut lexicon = Lexicon::default();
    for (language, source) in SOURCES.iter().enumerate() {
        lexicon.read(source, 1 << language);
    }
    lexicon.read(ANY, u32::MAX);
    for (source, cue) in [(NAMES, NAME), (ERRORS, ERROR)] {
        for word in items(source) {
            lexicon.add_word(word, cue, u32::MAX);
        }
    }
    lexicon.services.extend(items(SERVICES));
    // A name of several words is found by its words.
    for name in items(SERVICES).filter(|name| !name.contains(' ')) {
        lexicon.add_word(name, SERVICE, u32::MAX);
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
                } else {
                    self.cue(item, cue, language);
                }
            }
        }
    }

    /// What is no cue.
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
                "void" => self.label_mut(item).void = true,
                "aside" => self.asides.add(item, 0),
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
        let words = phrase
            .split(' ')
            .map(|word| word.strip_suffix("'s").unwrap_or(word));
        let mut words = words.peekable();
        self.add_word(words.peek().copied().unwrap_or_default(), HEAD, language);
        while let Some(word) = words.next() {
            state = chained(state, hash_word(word));
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
}
