//! A digest as it is kept from one cycle to the next, so that its text need not be read again.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

use super::{Digest, Kept, Named, Said, Topic, entity_mark, key};

/// What of a digest is stored: all that cannot be found out from the rest in no time.
#[derive(Serialize)]
struct Stored<'a> {
    topics: &'a [Topic],
    said: &'a [Said],
    said_marks: &'a [u64],
    said_words: &'a [u32],
    said_ends: &'a [usize],
    kept: &'a [Kept],
    entities: &'a [Named],
}

/// The same when it is read.
#[derive(Deserialize)]
struct Read {
    topics: Vec<Topic>,
    said: Vec<Said>,
    said_marks: Vec<u64>,
    said_words: Vec<u32>,
    said_ends: Vec<usize>,
    kept: Vec<Kept>,
    entities: Vec<Named>,
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = Stored {
            topics: &self.topics,
            said: &self.said,
            said_marks: &self.said_marks,
            said_words: &self.said_words,
            said_ends: &self.said_ends,
            kept: &self.kept,
            entities: &self.entities,
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Read::deserialize(deserializer)?;
        if !read.fits_together() {
            return Err(serde::de::Error::custom("is no digest"));
        }
        Ok(Self::from(read))
    }
}

impl Read {
    /// Whether what is said belongs to topics that are there, and each has its mark and its words.
    fn fits_together(&self) -> bool {
        let topic_is_there = |said: &Said| said.topic.is_none_or(|at| at < self.topics.len());
        self.said.len() == self.said_marks.len()
            && self.said.len() == self.said_ends.len()
            && self.said_ends.is_sorted()
            && self
                .said_ends
                .last()
                .is_none_or(|end| *end <= self.said_words.len())
            && self.said.iter().all(topic_is_there)
    }
}

impl From<Read> for Digest {
    fn from(read: Read) -> Self {
        let keys: Vec<_> = read.topics.iter().map(|topic| key(&topic.name)).collect();
        let places = |marks: &[u64]| {
            let places = marks.iter().enumerate();
            places.map(|(place, &mark)| (mark, place)).collect()
        };
        let entity_marks: Vec<u64> = read.entities.iter().map(entity_mark).collect();
        Self {
            index: keys.iter().cloned().zip(0..).collect(),
            said_before: places(&read.said_marks),
            kept_before: read
                .kept
                .iter()
                .map(|kept| xxh3_64(kept.text.as_bytes()))
                .collect(),
            entity_index: places(&entity_marks),
            topics: read.topics,
            keys,
            said: read.said,
            said_marks: read.said_marks,
            said_words: read.said_words,
            said_ends: read.said_ends,
            kept_readings: vec![None; read.kept.len()],
            kept: read.kept,
            entities: read.entities,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::calendar::Day;
    use crate::memory::node::Form;
    use crate::memory::reading;

    const LOG: &str = "## Cache [project]\n- decision: keep the shelf in src/cache.rs\n- open: measure the shelf\n\n\
        ## Tea [user]\nLikes green tea.\n\n## Cache\n- lesson: shelves bend\n";

    fn read() -> Digest {
        let mut digest = Digest::default();
        let day = Day::parse("2026-03-15").unwrap();
        reading::part(&mut digest, Form::Raw, day, LOG);
        digest
    }

    #[test]
    fn a_stored_digest_takes_in_what_the_first_one_does() {
        let stored = postcard::to_allocvec(&read()).unwrap();
        let again: Digest = postcard::from_bytes(&stored).unwrap();
        assert!(read().topics().len() > 1 && !read().said().is_empty() && !read().kept().is_empty());
        let merged = |mut digest: Digest| {
            digest.merge(read());
            digest.correct(
                "Shelves".to_owned(),
                crate::memory::entry::Kind::Project,
                read().topics()[0].mentioned(),
            );
            postcard::to_allocvec(&digest).unwrap()
        };
        assert_eq!(merged(again), merged(read()));
    }

    #[test]
    fn what_does_not_fit_together_is_no_digest() {
        let mut digest = read();
        digest.said_marks.pop();
        let stored = postcard::to_allocvec(&digest).unwrap();
        assert!(postcard::from_bytes::<Digest>(&stored).is_err());
        let mut digest = read();
        digest.said_ends[0] = 1_000;
        let stored = postcard::to_allocvec(&digest).unwrap();
        assert!(postcard::from_bytes::<Digest>(&stored).is_err());
        let mut digest = read();
        digest.said[0].topic = Some(7);
        let stored = postcard::to_allocvec(&digest).unwrap();
        assert!(postcard::from_bytes::<Digest>(&stored).is_err());
    }
}
