//! Which words tell one topic from the others: TF-IDF over the workspace's own topics, a topic being a document.
//!
//! A word that many topics have says nothing of any of them ("load", "main.rs"), however often it stands there; one that two or three
//! share may be what keeps coming back.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;
use super::digest::Topic;
use super::hashing::Hashing;
use super::language::{COMMON, LEAD, STOP, hash_word, lexicon};
use super::topic::{key, with_key};

/// A word of over one topic in so many tells nothing, where there are topics enough to say so.
const SHARED_MAX: u32 = 10;
/// So many topics have every word of theirs for telling.
const FEW: u32 = 12;

/// In how many topics each word stands.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Spread {
    /// Words by their hash.
    words: HashMap<u64, u32, Hashing>,
    topics: u32,
}

impl Spread {
    /// Counts the words of topics' keywords and names.
    pub fn of<'a>(topics: impl IntoIterator<Item = &'a Topic>) -> Self {
        let mut spread = Self::default();
        let mut words: Vec<u64> = Vec::new();
        let mut room = String::new();
        for topic in topics {
            spread.topics += 1;
            words.clear();
            for text in texts(topic) {
                words.extend(parts(text).map(|word| mark(word, &mut room)));
            }
            words.sort_unstable();
            words.dedup();
            for &word in &words {
                *spread.words.entry(word).or_default() += 1;
            }
        }
        spread
    }

    /// The same without the words that tell something: they are as good as unknown. What is left is short.
    pub fn kept(&self) -> Self {
        let most = self.most_shared();
        let words = self.words.iter().filter(|(_, topics)| **topics > most);
        Self {
            words: words.map(|(&word, &topics)| (word, topics)).collect(),
            topics: self.topics,
        }
    }

    /// In how many topics the rarest word of a keyword stands.
    fn topics_with(&self, keyword: &str, room: &mut String) -> u32 {
        parts(keyword)
            .map(|word| self.topics_of(mark(word, room)))
            .min()
            .unwrap_or(self.topics)
    }

    fn topics_of(&self, word: u64) -> u32 {
        self.words.get(&word).copied().unwrap_or(1)
    }

    /// A word of more topics tells nothing.
    fn most_shared(&self) -> u32 {
        FEW.max(self.topics.next_power_of_two() / SHARED_MAX)
    }

    /// The keywords of a topic that tell it from the others, the most telling first; none that its name says already.
    pub fn rank<'a>(&self, topic: &'a Topic) -> Vec<&'a str> {
        self.ranked(topic).collect()
    }

    /// The same one by one: what is not asked for is not looked at.
    pub fn ranked<'a>(&self, topic: &'a Topic) -> impl Iterator<Item = &'a str> {
        let words = topic.keywords.iter().enumerate();
        // What a reading put first stays before the rest of that reading. How rare a word is beyond that does not count: measured
        // with weights of 2, 4 and 16 it made some histories' lines better and others' worse, and it changed many lines with every entry.
        let score = |(place, (word, count)): (usize, (&'a str, u32))| {
            (u64::from(count) * 10_000 / (place as u64 + 5), word)
        };
        let mut words: Vec<(u64, &str)> = words.map(score).collect();
        words.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        let named = key(&topic.name);
        let most_shared = self.most_shared();
        let named_letters = letters(named.as_str());
        let (mut room, mut folded) = (String::new(), Vec::new());
        let words = words.into_iter().map(|(_, word)| word);
        words.filter(move |word| {
            // Most keywords have a letter that the name has not.
            let may_be_named = !word.is_ascii() || letters(word) & !named_letters == 0;
            let is_named = may_be_named && holds(named.as_str().as_bytes(), with_key(word, &mut folded));
            !is_named && self.topics_with(word, &mut room) <= most_shared
        })
    }

    /// Words that three topics or more have on three days or more, and not so many that they tell nothing: each with these topics, the
    /// newest first, and the number of days. The date `under_way` is not over yet: a topic counts for the day before on which it was
    /// mentioned, lest its next mention move others.
    pub fn recurring<'a>(
        &self,
        topics: &[&'a Topic],
        under_way: Day,
    ) -> Vec<(String, Vec<&'a Topic>, usize)> {
        let mut places: HashMap<u64, (&'a str, Vec<&'a Topic>), Hashing> = HashMap::default();
        let mut room = String::new();
        for &topic in topics {
            for word in names(topic).flat_map(parts) {
                let (_, topics) = places
                    .entry(mark(word, &mut room))
                    .or_insert_with(|| (word, Vec::new()));
                if !topics.last().is_some_and(|last| std::ptr::eq(*last, topic)) {
                    topics.push(topic);
                }
            }
        }
        let day = |topic: &Topic| match topic.before {
            Some((before, _)) if topic.last >= under_way => before,
            _ => topic.last,
        };
        let most = self.most_shared();
        let mut found: Vec<(String, Vec<&Topic>, usize)> = places
            .into_iter()
            .filter(|(_, (_, topics))| topics.len() >= 3)
            .filter(|&(word, _)| self.topics_of(word) <= most)
            .map(|(_, (word, topics))| (folded(word), topics))
            .filter(|(word, _)| is_telling(word))
            .map(|(word, mut topics)| {
                topics
                    .sort_by(|one, other| day(other).cmp(&day(one)).then_with(|| one.name.cmp(&other.name)));
                let days: BTreeSet<Day> = topics.iter().map(|topic| day(topic)).collect();
                (word, topics, days.len())
            })
            .filter(|&(_, _, days)| days >= 3)
            .collect();
        // In steps of two as well; among equals no letter of the alphabet comes first.
        let rank = |(word, _, days): &(String, Vec<&Topic>, usize)| {
            (std::cmp::Reverse(days.ilog2()), xxh3_64(word.as_bytes()))
        };
        found.sort_by_cached_key(rank);
        found
    }
}

/// Which ASCII letters and digits a text has, in any case, as a set; some share a place in it.
fn letters(text: &str) -> u32 {
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    letters.fold(0, |letters, byte| letters | 1 << (byte & 31))
}

/// Whether one text stands in another: both are so short that preparing a search takes longer than searching.
fn holds(text: &[u8], part: &[u8]) -> bool {
    let Some((first, rest)) = part.split_first() else {
        return true;
    };
    memchr::memchr_iter(*first, text).any(|at| text[at + 1..].starts_with(rest))
}

/// Of all that was said of a topic only names, and its own: "cheaper" and "mistake" keep coming back in everything.
fn names(topic: &Topic) -> impl Iterator<Item = &str> {
    let words = topic.keywords.words();
    words
        .filter(|word| !word.chars().next().is_some_and(char::is_lowercase))
        .chain([topic.name.as_str()])
}

fn texts(topic: &Topic) -> impl Iterator<Item = &str> {
    topic.keywords.words().chain([topic.name.as_str()])
}

/// The words of a keyword or name.
fn parts(text: &str) -> Parts<'_> {
    Parts(text)
}

/// The rest of a text from the next of its words on.
struct Parts<'a>(&'a str);

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        while !self.0.is_empty() {
            let (end, next) = separator(self.0).unwrap_or((self.0.len(), self.0.len()));
            let word = trimmed(&self.0[..end]);
            self.0 = &self.0[next..];
            if !word.is_empty() {
                return Some(word);
            }
        }
        None
    }
}

/// Where the next character that parts words begins and ends.
fn separator(text: &str) -> Option<(usize, usize)> {
    let separates =
        |letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | '"' | '“' | '”');
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let letter = text[at..].chars().next().unwrap_or_default();
        let end = at + letter.len_utf8();
        if separates(letter) {
            return Some((at, end));
        }
        at = end;
    }
    None
}

/// A word without the marks around it, and without what makes it an owner's.
fn trimmed(word: &str) -> &str {
    let is_plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let word = if is_plain(word.as_bytes().first()) && is_plain(word.as_bytes().last()) {
        word
    } else {
        word.trim_matches(|letter: char| !letter.is_alphanumeric())
    };
    match word.strip_suffix('s') {
        Some(owner) => owner.strip_suffix(['\'', '’']).unwrap_or(word),
        None => word,
    }
}

/// What a word is counted as: letter case does not matter, and a plural is its singular.
fn folded(word: &str) -> String {
    let mut folded = String::new();
    fold(word, &mut folded);
    folded
}

/// The longest word that is folded without a string, in bytes.
const SHORT_MAX: usize = 16;

/// The hash of [`folded()`].
fn mark(word: &str, room: &mut String) -> u64 {
    if word.len() <= SHORT_MAX && word.is_ascii() {
        let mut small = [0; SHORT_MAX];
        small[..word.len()].copy_from_slice(word.as_bytes());
        small.make_ascii_lowercase();
        return xxh3_64(singular(&small[..word.len()]));
    }
    fold(word, room);
    xxh3_64(room.as_bytes())
}

fn fold(word: &str, room: &mut String) {
    room.clear();
    if word.is_ascii() {
        room.push_str(word);
        room.make_ascii_lowercase();
    } else {
        room.push_str(&word.to_lowercase());
    }
    room.truncate(singular(room.as_bytes()).len());
}

/// A word in lower case without the ending of a plural.
fn singular(word: &[u8]) -> &[u8] {
    match word.split_last() {
        Some((b's', stem)) if stem.len() > 3 && stem.is_ascii() && !stem.ends_with(b"s") => stem,
        _ => word,
    }
}

/// Whether a word by itself may name what keeps coming back.
fn is_telling(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let languages = lexicon().languages("");
    let cues = lexicon().word(hash_word(word), languages)
        | lexicon().word(hash_word(&format!("{word}s")), languages);
    letters >= if word.is_ascii() { 4 } else { 2 } && cues & (STOP | COMMON | LEAD) == 0
}

#[cfg(test)]
mod tests;
