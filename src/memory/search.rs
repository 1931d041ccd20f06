//! Finding words in everything that is remembered: BM25 over entries of raw logs, summaries of nodes, and names of topics,
//! from an index that is asked as it lies in its file, without being unpacked.
//!
//! Ten years are some 20,000 entries. An index in memory would take longer to load than it takes to answer, so the file is
//! laid out to be searched: a sorted table of terms, and behind each its documents.
//!
//! Why no crate: measured on ten years, 30 MB of logs in 48,000 documents, each question a process of its own. `bm25` 2.3 has no
//! form on the disk: it takes 4.7 s and 187 MB to build what one question then takes 45 to 150 ms to ask. `tantivy` 0.27 has
//! one and answers in 8 ms, but brings some 120 crates, 7.6 MB of program to one of 11, threads, and 109 MB for the first index. This
//! one takes 0.7 s and 33 MB for the first index and answers in 5 to 15 ms; the rest of a `recall` is the look at 8,000 files that
//! keeps the answer no older than the disk.

mod builder;
mod token;

use std::cmp::Reverse;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;

pub use builder::Builder;
pub use token::{tokens, words};

/// The first bytes of an index; another version is built anew.
const MAGIC: &[u8; 8] = b"hipoidx3";
/// BM25's saturation and length weight, as everybody has them.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// How much a term counts that only begins like a word of the question.
const PREFIX_WEIGHT: f32 = 0.5;
/// Letters that a word has at least to stand for longer ones; of other scripts than Latin two, whose words are shorter.
const PREFIX_CHARS_MIN: usize = 4;
/// Terms that one word may stand for.
const PREFIX_TERMS_MAX: usize = 40;
/// Bytes of a place in the index: five numbers.
const PLACE_BYTES: usize = 20;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An entry, or a stretch without heading, of a raw log.
    Entry,
    /// A part of a node that says something its sources do not say in these words.
    Summary,
    /// The name of a topic in a weekly or monthly node.
    Topic,
}

/// Where a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The number of its file in the index.
    pub file: u32,
    /// Its first line, from 1; of a topic, its number in the node's list, from 0.
    pub line: u32,
    /// How many lines it has.
    pub lines: u32,
    /// What it is.
    pub kind: Kind,
    /// How many tokens it has.
    tokens: u32,
}

/// A file that was taken into the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its path from the workspace.
    pub path: String,
    /// Its stamp when it was read.
    pub stamp: u64,
    /// Its date, or the last date of its period.
    pub day: Day,
}

/// A document that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Where it is.
    pub place: Place,
    /// How well it fits; higher is better.
    pub score: f32,
    /// How many of the words were found in it.
    pub words: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// What the index was made from, in one number; 0 when it must be compared file by file.
    of: u64,
    files: Vec<File>,
    places: u32,
    tokens: u64,
    terms: u32,
    names_bytes: u32,
}

/// An index, as it lies in its file.
#[derive(Debug)]
pub struct Index {
    head: Head,
    bytes: Vec<u8>,
    /// Where the places, the table of the terms' names, the table of their postings, the names and the postings begin.
    at: [usize; 5],
}

impl Index {
    /// Reads an index; none when it is none, is of another version, or was damaged.
    #[must_use]
    pub fn open(bytes: Vec<u8>) -> Option<Self> {
        let body = bytes.len().checked_sub(8)?;
        let sum = u64::from_le_bytes(bytes[body..].try_into().ok()?);
        if !bytes.starts_with(MAGIC) || xxh3_64(&bytes[..body]) != sum {
            return None;
        }
        let (head, rest) = postcard::take_from_bytes::<Head>(&bytes[MAGIC.len()..body]).ok()?;
        let places = body - rest.len();
        let names = places + head.places as usize * PLACE_BYTES;
        let table = (head.terms as usize + 1) * 4;
        let at = [
            places,
            names,
            names + table,
            names + 2 * table,
            names + 2 * table + head.names_bytes as usize,
        ];
        (at[4] <= body).then_some(Self { head, bytes, at })
    }

    /// The files that it knows, in the order of their numbers.
    #[must_use]
    pub fn files(&self) -> &[File] {
        &self.head.files
    }

    /// What it was made from, as it was given to [`Builder::finish`].
    #[must_use]
    pub fn of(&self) -> u64 {
        self.head.of
    }

    /// The documents that hold some of the words, the best first. `is_current` says of a file's number whether what the
    /// index knows of it still holds.
    #[must_use]
    pub fn search(&self, question: &[String], is_current: impl Fn(u32) -> bool) -> Vec<Hit> {
        let count = self.head.places as f32;
        let average = (self.head.tokens as f32 / count.max(1.0)).max(1.0);
        let all = self.head.places as usize;
        // One place for each document: a word of every day stands in most of them.
        let (mut scores, mut of_word) = (vec![0.0_f32; all], vec![0.0_f32; all]);
        let (mut words, mut holding, mut touched) = (vec![0_u32; all], Vec::new(), Vec::new());
        for (number, word) in question.iter().enumerate() {
            for (term, weight) in self.terms_for(word) {
                let with = self.postings(term).count() as f32;
                let rarity = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
                for (document, times) in self.postings(term) {
                    let Some(known) = of_word.get_mut(document as usize) else {
                        continue;
                    };
                    let times = times as f32;
                    let length = 1.0 - B + B * self.tokens_of(document) as f32 / average;
                    let score = weight * rarity * times * (K1 + 1.0) / (times + K1 * length);
                    if *known == 0.0 {
                        touched.push(document);
                    }
                    *known = known.max(score);
                }
            }
            for document in touched.drain(..) {
                let at = document as usize;
                if words[at] == 0 {
                    holding.push(document);
                }
                scores[at] += std::mem::take(&mut of_word[at]);
                words[at] |= 1 << number.min(31);
            }
        }
        // The number of words first: who asks for two words means both. The newest of equals first.
        let mut hits: Vec<_> = holding
            .into_iter()
            .filter_map(|document| {
                let place = self.place(document)?;
                let day = self.head.files.get(place.file as usize)?.day;
                let (words, score) = (words[document as usize].count_ones(), scores[document as usize]);
                // No score is below zero, and the bits of such numbers are in their order.
                let order = (
                    Reverse((words, score.to_bits(), day)),
                    place.file,
                    place.line,
                    document,
                );
                is_current(place.file).then_some((order, Hit { place, score, words }))
            })
            .collect();
        hits.sort_unstable_by_key(|(order, _)| *order);
        hits.into_iter().map(|(_, hit)| hit).collect()
    }

    fn place(&self, document: u32) -> Option<Place> {
        if document >= self.head.places {
            return None;
        }
        let number = |field| self.place_field(document, field);
        Some(Place {
            file: number(0),
            line: number(1),
            lines: number(2),
            kind: match number(3) {
                0 => Kind::Entry,
                1 => Kind::Summary,
                _ => Kind::Topic,
            },
            tokens: number(4),
        })
    }

    fn tokens_of(&self, document: u32) -> u32 {
        self.place_field(document, 4)
    }

    fn place_field(&self, document: u32, field: usize) -> u32 {
        self.number_at(self.at[0] + document as usize * PLACE_BYTES + field * 4)
    }

    fn number_at(&self, place: usize) -> u32 {
        let bytes = self.bytes.get(place..place + 4);
        bytes
            .and_then(|bytes| bytes.try_into().ok())
            .map_or(0, u32::from_le_bytes)
    }

    /// The terms that a word stands for, with their weight: itself, and longer ones that begin with it.
    fn terms_for(&self, word: &str) -> Vec<(usize, f32)> {
        let total = self.head.terms as usize;
        let chars_min = if word.is_ascii() { PREFIX_CHARS_MIN } else { 2 };
        let start = self.lower_bound(word);
        let mut terms = Vec::new();
        for term in start..total {
            let Some(rest) = self.name(term).strip_prefix(word.as_bytes()) else {
                break;
            };
            let is_whole = rest.is_empty();
            if is_whole {
                terms.push((term, 1.0));
            } else if word.chars().count() < chars_min || terms.len() >= PREFIX_TERMS_MAX {
                break;
            } else {
                terms.push((term, PREFIX_WEIGHT));
            }
        }
        terms
    }

    fn lower_bound(&self, word: &str) -> usize {
        let (mut low, mut high) = (0, self.head.terms as usize);
        while low < high {
            let middle = low.midpoint(high);
            if self.name(middle) < word.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn name(&self, term: usize) -> &[u8] {
        &self.bytes[self.range(self.at[1], self.at[3], term)]
    }

    /// The documents of a term, with how often it occurs in each.
    fn postings(&self, term: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        let bytes = &self.bytes[self.range(self.at[2], self.at[4], term)];
        let (mut at, mut document) = (0, 0_u32);
        std::iter::from_fn(move || {
            let (gap, times) = token::number(bytes, &mut at).zip(token::number(bytes, &mut at))?;
            document = document.wrapping_add(gap);
            Some((document, times))
        })
    }

    /// Where the `term`-th piece lies; nothing when the table says what cannot be.
    fn range(&self, table: usize, base: usize, term: usize) -> Range<usize> {
        let offset = |at: usize| base + self.number_at(table + at * 4) as usize;
        let (start, end) = (offset(term), offset(term + 1));
        if start <= end && end <= self.bytes.len() {
            start..end
        } else {
            0..0
        }
    }
}

#[cfg(test)]
mod tests;
