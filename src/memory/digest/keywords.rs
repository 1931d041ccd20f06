//! The keywords of a topic, in one text: a topic is copied and dropped often, and has a dozen of them.

use std::cmp::Reverse;
use std::fmt;

use serde::{Deserialize, Serialize};

/// How many keywords a topic keeps while digests are merged.
const KEPT_MAX: usize = 16;

/// What sets a topic apart, with how many mentions each has; the most telling first.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Keywords {
    /// The words, one right behind the other.
    text: String,
    /// Where each of them ends, and how many mentions it has.
    words: Vec<(usize, u32)>,
}

impl Keywords {
    /// None yet, with room for so many of so many bytes together.
    pub fn with_capacity(words: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            words: Vec::with_capacity(words),
        }
    }

    /// Adds a word behind the others.
    pub fn push(&mut self, word: &str, count: u32) {
        self.text.push_str(word);
        self.words.push((self.text.len(), count));
    }

    /// Takes the last one away; says whether there was one.
    pub fn pop(&mut self) -> bool {
        let popped = self.words.pop().is_some();
        self.text.truncate(self.words.last().map_or(0, |&(end, _)| end));
        popped
    }

    /// The words with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        let mut start = 0;
        self.words.iter().map(move |&(end, count)| {
            let word = &self.text[start..end];
            start = end;
            (word, count)
        })
    }

    /// The words alone.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(word, _)| word)
    }

    /// Adds the mentions of the same topic's other keywords, and keeps the words that have most.
    pub(super) fn add(&mut self, other: &Self) {
        let mut all: Vec<(&str, u32)> = Vec::with_capacity(self.words.len() + other.words.len());
        all.extend(self.iter());
        for (word, count) in other.iter() {
            match all.iter_mut().find(|(known, _)| *known == word) {
                Some((_, known)) => *known += count,
                None => all.push((word, count)),
            }
        }
        // A stable sort: among equals, what was known first stays first.
        all.sort_by_key(|&(_, count)| Reverse(count));
        all.truncate(KEPT_MAX);
        let bytes = all.iter().map(|(word, _)| word.len()).sum();
        let mut added = Self::with_capacity(all.len(), bytes);
        all.into_iter().for_each(|(word, count)| added.push(word, count));
        *self = added;
    }
}

impl fmt::Debug for Keywords {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl<W: AsRef<str>> FromIterator<(W, u32)> for Keywords {
    fn from_iter<I: IntoIterator<Item = (W, u32)>>(words: I) -> Self {
        let words = words.into_iter();
        let mut keywords = Self::with_capacity(words.size_hint().0, 0);
        words.for_each(|(word, count)| keywords.push(word.as_ref(), count));
        keywords
    }
}

/// Keywords as they are stored.
#[derive(Deserialize)]
struct Stored {
    text: String,
    words: Vec<(usize, u32)>,
}

impl TryFrom<Stored> for Keywords {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let Stored { text, words } = stored;
        let ends = words.iter().map(|&(end, _)| end);
        let fits = ends.clone().is_sorted()
            && ends.clone().all(|end| text.is_char_boundary(end))
            && words.last().map_or(0, |&(end, _)| end) == text.len();
        fits.then_some(Self { text, words }).ok_or("are no keywords")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keywords(words: &[(&str, u32)]) -> Keywords {
        words.iter().copied().collect()
    }

    #[test]
    fn words_come_out_as_they_went_in() {
        let words = [("shelf", 2), ("", 1), ("日本", 1), ("lamp", 1)];
        let mut known = keywords(&words);
        assert_eq!(known.iter().collect::<Vec<_>>(), words);
        for left in (0..words.len()).rev() {
            assert!(known.pop());
            assert_eq!(known, keywords(&words[..left]));
        }
        assert!(known == Keywords::default() && !known.pop());
    }

    #[test]
    fn of_many_words_those_stay_that_have_most_mentions() {
        let names: Vec<String> = (0..KEPT_MAX).map(|at| format!("word {at}")).collect();
        let mut known: Keywords = names.iter().map(|name| (name, 1)).collect();
        known.add(&keywords(&[("new", 1), ("word 3", 1)]));
        assert_eq!(known.words().count(), KEPT_MAX);
        assert_eq!(
            known.iter().take(3).collect::<Vec<_>>(),
            [("word 3", 2), ("word 0", 1), ("word 1", 1)]
        );
        assert!(known.words().all(|word| word != "new"));
        known.add(&keywords(&[("new", 3)]));
        assert_eq!(known.words().next(), Some("new"));
        assert_eq!(known.words().last(), Some("word 14"));
    }

    #[test]
    fn what_was_stored_is_the_same_and_what_does_not_fit_together_is_nothing() {
        let known = keywords(&[("shelf", 2), ("日本", 1)]);
        let stored = postcard::to_allocvec(&known).unwrap();
        assert_eq!(postcard::from_bytes(&stored), Ok(known));
        for words in [
            vec![],
            vec![(3, 1)],
            vec![(5, 1), (7, 1)],
            vec![(11, 1), (5, 1)],
            vec![(12, 1)],
            vec![(7, 1), (11, 1)],
            vec![(11, 1), (5, 1), (11, 1)],
        ] {
            let stored = postcard::to_allocvec(&("shelf日本", words)).unwrap();
            assert!(postcard::from_bytes::<Keywords>(&stored).is_err());
        }
    }
}
