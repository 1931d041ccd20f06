//! Words of a list in running text, where no spaces tell words: at each place the longest, ASCII letters in any case.

use rustc_hash::FxHashMap;

use super::Cues;

/// A list of words, ready to be searched for: by their first characters, capitals of ASCII as small letters, the longest first. An
/// automaton for them would take several milliseconds to build, which every short command would have to wait for.
#[derive(Default)]
pub(super) struct Patterns(FxHashMap<char, Vec<(&'static str, Cues)>>);

impl Patterns {
    /// Takes in a word; one that is there more than once has all of its cues.
    pub(super) fn add(&mut self, word: &'static str, cues: Cues) {
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

    pub(super) fn words(&mut self) -> impl Iterator<Item = &mut (&'static str, Cues)> {
        self.0.values_mut().flatten()
    }

    /// The words in `text` from the left, none inside another, each with its start and end.
    pub(super) fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, usize, Cues)> + 'a {
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

#[cfg(test)]
mod tests;
