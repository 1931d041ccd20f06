//! Which words tell one topic from the others: TF-IDF over the workspace's own topics, a topic being a document.
//!
//! A word that many topics have says nothing of any of them ("load", "main.rs"), however often it stands there; one that two or three
//! share may be what keeps coming back.

use std::collections::{BTreeSet, HashMap};

use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;
use super::digest::Topic;
use super::language::{COMMON, LEAD, STOP, hash_word, lexicon};
use super::topic::key;

/// A word of over one topic in so many tells nothing, where there are topics enough to say so.
const SHARED_MAX: u32 = 10;
/// So many topics have every word of theirs for telling.
const FEW: u32 = 12;

/// In how many topics each word stands.
#[derive(Debug, Default)]
pub struct Spread {
    words: HashMap<String, u32>,
    topics: u32,
}

impl Spread {
    /// Counts the words of topics' keywords and names.
    pub fn of<'a>(topics: impl IntoIterator<Item = &'a Topic>) -> Self {
        let mut spread = Self::default();
        let mut words: Vec<String> = Vec::new();
        for topic in topics {
            spread.topics += 1;
            words.clear();
            let texts = topic.keywords.iter().map(|(word, _)| word.as_str());
            words.extend(texts.chain([topic.name.as_str()]).flat_map(parts));
            words.sort_unstable();
            words.dedup();
            for word in words.drain(..) {
                *spread.words.entry(word).or_default() += 1;
            }
        }
        spread
    }

    /// In how many topics the rarest word of a keyword stands.
    fn topics_with(&self, keyword: &str) -> u32 {
        parts(keyword)
            .map(|word| self.words.get(&word).copied().unwrap_or(1))
            .min()
            .unwrap_or(self.topics)
    }

    /// A word of more topics tells nothing.
    fn most_shared(&self) -> u32 {
        FEW.max(self.topics.next_power_of_two() / SHARED_MAX)
    }

    /// The keywords of a topic that tell it from the others, the most telling first; none that its name says already.
    pub fn rank<'a>(&self, topic: &'a Topic) -> Vec<&'a str> {
        let named = key(&topic.name);
        let mut words: Vec<(u64, &str)> = Vec::new();
        for (place, (word, count)) in topic.keywords.iter().enumerate() {
            let others = self.topics_with(word);
            let folded = key(word);
            let said = folded.as_str().is_empty() || named.as_str().contains(folded.as_str());
            if said || (self.topics > FEW && others > self.most_shared()) {
                continue;
            }
            // In steps of two: one more topic somewhere shall not change the order of words everywhere.
            let rarity = u64::from(8 - others.max(1).ilog2().min(7));
            // What a reading put first stays before the rest of that reading, as long as it is not much more common.
            let score = u64::from(*count) * rarity * 10_000 / (place as u64 + 5);
            words.push((score, word));
        }
        words.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        words.into_iter().map(|(_, word)| word).collect()
    }

    /// Words that three topics or more have on three days or more, and not so many that they tell nothing: each with these topics, the
    /// newest first, and the number of days.
    pub fn recurring<'a>(&self, topics: &'a [&'a Topic]) -> Vec<(String, Vec<&'a Topic>, usize)> {
        let mut places: HashMap<String, Vec<&Topic>> = HashMap::new();
        for topic in topics {
            let texts = topic.keywords.iter().map(|(word, _)| word.as_str());
            let words: BTreeSet<String> = texts.chain([topic.name.as_str()]).flat_map(parts).collect();
            for word in words.into_iter().filter(|word| is_telling(word)) {
                places.entry(word).or_default().push(topic);
            }
        }
        let most = self.most_shared();
        let mut found: Vec<(String, Vec<&Topic>, usize)> = places
            .into_iter()
            .filter(|(_, topics)| topics.len() >= 3)
            .filter(|(word, _)| self.words.get(word).copied().unwrap_or(1) <= most)
            .map(|(word, mut topics)| {
                topics
                    .sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.name.cmp(&other.name)));
                let days: BTreeSet<Day> = topics.iter().map(|topic| topic.last).collect();
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

/// The words of a keyword or name, folded; a plural is its singular.
fn parts(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | '"' | '“' | '”'))
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(|word| {
            let word = word
                .strip_suffix("'s")
                .or_else(|| word.strip_suffix("’s"))
                .unwrap_or(word);
            let folded = word.to_lowercase();
            match folded.strip_suffix('s') {
                Some(stem) if stem.len() > 3 && stem.is_ascii() && !stem.ends_with('s') => stem.to_owned(),
                _ => folded,
            }
        })
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
