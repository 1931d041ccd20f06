//! Words of a list in running text, where no spaces tell words: at each place the longest, ASCII letters in any case.

use rustc_hash::FxHashMap;

use super::Cues;

/// A list of words, ready to be searched for: by their first characters, capitals of ASCII as small letters, the longest first.
pub(super) struct Patterns(FxHashMap<char, Vec<(&'static str, Cues)>>);

impl Patterns {
    /// The words with their cues; a word that is there more than once has all of them.
    pub(super) fn new(words: impl IntoIterator<Item = (&'static str, Cues)>) -> Self {
        let mut patterns: FxHashMap<char, Vec<(&'static str, Cues)>> = FxHashMap::default();
        for (word, cues) in words {
            let Some(first) = word.chars().next() else {
                continue;
            };
            let of_first = patterns.entry(first.to_ascii_lowercase()).or_default();
            match of_first.iter_mut().find(|(known, _)| *known == word) {
                Some((_, known)) => *known |= cues,
                None => of_first.push((word, cues)),
            }
        }
        for of_first in patterns.values_mut() {
            of_first.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        }
        Self(patterns)
    }

    /// The longest word that `text` begins with: its length in bytes, and its cues.
    pub(super) fn longest(&self, text: &str) -> Option<(usize, Cues)> {
        let first = text.chars().next()?.to_ascii_lowercase();
        let begins = |word: &str| {
            let head = text.as_bytes().get(..word.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        };
        let found = self.0.get(&first)?.iter().find(|(word, _)| begins(word));
        found.map(|(word, cues)| (word.len(), *cues))
    }

    /// The words in `text` from the left, none inside another, each with its start and end.
    pub(super) fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, usize, Cues)> + 'a {
        let mut letters = text.char_indices();
        std::iter::from_fn(move || {
            loop {
                let (at, _) = letters.next()?;
                if let Some((length, cues)) = self.longest(&text[at..]) {
                    while letters.offset() < at + length {
                        letters.next();
                    }
                    return Some((at, at + length, cues));
                }
            }
        })
    }
}

#[cfg(test)]
mod tests;
