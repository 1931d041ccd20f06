//! A fact of one line, and the days on which it was said.

use serde::{Deserialize, Serialize};

use crate::memory::calendar::Day;
use crate::memory::fact::Sort;
use crate::memory::language::{NOT, STOP, lexicon, mix};
use crate::memory::topic::for_each_word;

/// A fact of one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The topic, as an index into [`super::Digest::topics`]; none when a summary names no topic that is known.
    pub topic: Option<usize>,
    /// When it was said first.
    pub day: Day,
    /// The other days on which the same was said, in order.
    pub again: Vec<Day>,
    /// What it is: a decision, a task done, a lesson, an open item, a fact about the person.
    pub sort: Sort,
    /// The line.
    pub text: String,
}

impl Said {
    /// What two statements have in common that say the same: their sort and their words, but for those that carry no meaning.
    /// None for a text without words. All of them are added to `words`: as hashes, in order of these, each once.
    pub(super) fn mark(&self, words: &mut Vec<u32>) -> Option<u64> {
        let first = words.len();
        let lexicon = lexicon();
        let languages = lexicon.languages("");
        let start = self.sort as u64;
        let (mut of_all, mut of_carrying) = (start, start);
        let mut is_bare = true;
        for_each_word(&self.text, |word| {
            words.push(word as u32);
            of_all = mix(of_all, word);
            let cues = lexicon.word(word, languages);
            if cues & STOP == 0 || cues & NOT != 0 {
                of_carrying = mix(of_carrying, word);
                is_bare = false;
            }
        });
        let is_empty = words.len() == first;
        sort_and_dedup(words, first);
        (!is_empty).then_some(if is_bare { of_all } else { of_carrying })
    }

    /// Takes in the days of another statement of the same.
    pub fn also_on(&mut self, other: &Self) {
        for &day in [other.day].iter().chain(&other.again) {
            if day == self.day {
                continue;
            }
            if let Err(place) = self.again.binary_search(&day) {
                self.again.insert(place, day);
            }
        }
        if let Some(&first) = self.again.first().filter(|&&first| first < self.day) {
            self.again.remove(0);
            let later = std::mem::replace(&mut self.day, first);
            let place = self.again.binary_search(&later).unwrap_or_else(|place| place);
            self.again.insert(place, later);
        }
    }

    /// The newest day on which it was said.
    pub fn newest(&self) -> Day {
        self.again.last().copied().unwrap_or(self.day)
    }
}

/// Puts what stands from a place on in order, each once.
fn sort_and_dedup(words: &mut Vec<u32>, first: usize) {
    words[first..].sort_unstable();
    let mut end = first;
    for at in first..words.len() {
        if at == first || words[at] != words[end - 1] {
            words[end] = words[at];
            end += 1;
        }
    }
    words.truncate(end);
}
