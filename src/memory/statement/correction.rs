//! What corrects a statement: the same words but for a letter or two of one.

use super::super::language::{hash_word, mix};
use super::Statement;

impl Statement {
    /// Whether it is what another statement of its day says, but for a letter or two of one word: a log that was corrected after its
    /// node was fixed says both. Numbers are no such word, for `server 1` and `server 2` are two.
    pub fn corrects(&self, other: &Self) -> bool {
        const LETTERS_MAX: usize = 2;
        let words = |statement: &Self| statement.text.split(' ').count();
        if self.day != other.day || self.heads.last() != other.heads.last() || words(self) != words(other) {
            return false;
        }
        let pairs = self.text.split(' ').zip(other.text.split(' '));
        let differing: Vec<(&str, &str)> = pairs.filter(|(one, other)| one != other).collect();
        let [(one, other)] = differing[..] else {
            return false;
        };
        is_correctable(one) && is_correctable(other) && strsim::osa_distance(one, other) <= LETTERS_MAX
    }

    /// For each word that may be corrected a hash of the day and of all other words in their places. A statement that
    /// [`Statement::corrects`] this one has one of these hashes, too.
    pub fn but_for_one_word(&self) -> impl Iterator<Item = u64> {
        let words = self.text.split(' ').enumerate();
        let placed = |(at, word): (usize, &str)| mix(at as u64, hash_word(word));
        let all = words
            .clone()
            .map(placed)
            .fold(hash_word(&self.day.to_string()), u64::wrapping_add);
        words
            .filter(|(_, word)| is_correctable(word))
            .map(move |(at, word)| mix(at as u64, all.wrapping_sub(placed((at, word)))))
    }
}

/// Whether a letter or two of a word may be corrected: it is long enough to stay the same word, and no number.
fn is_correctable(word: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    word.chars().count() >= LETTERS_MIN && !word.chars().any(char::is_numeric)
}
