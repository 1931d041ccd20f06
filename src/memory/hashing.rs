//! Hashing for the maps of the core: XXH3, several times as fast as the standard library's choice. That one withstands
//! an attacker who picks the keys to make a map slow; all that could be made slow here is the reading of one's own log.

use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What maps and sets name as their third or second parameter.
pub type Hashing = BuildHasherDefault<Hashed>;

/// XXH3 of bytes; a number is taken for a hash already.
#[derive(Debug, Clone, Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    /// What ends a string, so that two of them are not one longer one: our keys are one string each.
    fn write_u8(&mut self, _: u8) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(texts: &[&str]) -> u64 {
        let mut hasher = Hashed::default();
        texts.iter().for_each(|text| hasher.write(text.as_bytes()));
        hasher.finish()
    }

    #[test]
    fn texts_that_differ_have_other_hashes() {
        assert_eq!(hash(&["shelf"]), xxhash_rust::xxh3::xxh3_64(b"shelf"));
        let all = [
            hash(&["shelf"]),
            hash(&["lamp"]),
            hash(&["lamp", "shelf"]),
            hash(&["shelf", "lamp"]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(one), "{at}: {all:?}");
        }
    }

    #[test]
    fn a_number_is_its_hash_and_the_end_of_a_text_changes_none() {
        let mut hasher = Hashed::default();
        hasher.write_u64(7);
        hasher.write_u8(0xff);
        assert_eq!(hasher.finish(), 7);
    }
}
