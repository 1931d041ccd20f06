//! The words of a key as hashes, without the key: for texts that are compared and not named.

use super::{long, short};
use crate::memory::language::{WordHash, hash_word};

/// Hands over the [`hash_word`] of each word of a text's [`key`](super::key), in order.
pub fn for_each_word(text: &str, each: impl FnMut(u64)) {
    let mut hashed = Hashed {
        word: WordHash::default(),
        begun: false,
        each,
    };
    if short::knows(text) {
        short::walk(text, &mut hashed);
    }
    if hashed.begun {
        hashed.end();
    } else {
        let key = long(text);
        let words = key.as_str().split(' ').filter(|word| !word.is_empty());
        words.map(hash_word).for_each(hashed.each);
    }
}

/// A word being hashed.
struct Hashed<F> {
    word: WordHash,
    begun: bool,
    each: F,
}

impl<F: FnMut(u64)> Hashed<F> {
    fn end(&mut self) {
        (self.each)(std::mem::take(&mut self.word).finish());
    }
}

impl<F: FnMut(u64)> short::Words for Hashed<F> {
    fn begin(&mut self) {
        if self.begun {
            self.end();
        }
        self.begun = true;
    }

    fn letters(&mut self, eight: u64, count: usize) {
        self.word.push_eight(eight, count);
    }

    fn letter(&mut self, letter: char) {
        self.word.push_char(letter);
    }
}
