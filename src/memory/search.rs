//! Finding words in everything that is remembered: BM25 over entries of raw logs, summaries of nodes, and names of topics,
//! from an index that is asked as it lies in its file, without being unpacked.
//!
//! Ten years are some 20,000 entries. An index in memory would take longer to load than it takes to answer, so the file is
//! laid out to be searched: a sorted table of terms, and behind each its documents.

mod builder;
mod token;

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;

pub use builder::Builder;
pub use token::{tokens, words};

/// The first bytes of an index; another version is built anew.
const MAGIC: &[u8; 8] = b"hipoidx1";
/// BM25's saturation and length weight, as everybody has them.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// How much a term counts that only begins like a word of the question.
const PREFIX_WEIGHT: f32 = 0.5;
/// Letters that a word has at least to stand for longer ones; of other scripts than Latin two, whose words are shorter.
const PREFIX_CHARS_MIN: usize = 4;
/// Terms that one word may stand for.
const PREFIX_TERMS_MAX: usize = 40;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// An entry, or a stretch without heading, of a raw log.
    Entry,
    /// A part of a node that says something its sources do not say in these words.
    Summary,
    /// The name of a topic in a weekly or monthly node.
    Topic,
}

/// Where a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    files: Vec<File>,
    places: Vec<Place>,
    tokens: u64,
    terms: u32,
    names_bytes: u32,
}

/// An index, as it lies in its file.
#[derive(Debug)]
pub struct Index {
    head: Head,
    bytes: Vec<u8>,
    /// Where the table of the terms' names, the table of their postings, the names and the postings begin.
    at: [usize; 4],
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
        let names = body - rest.len();
        let table = (head.terms as usize + 1) * 4;
        let at = [
            names,
            names + table,
            names + 2 * table,
            names + 2 * table + head.names_bytes as usize,
        ];
        (at[3] <= body).then_some(Self { head, bytes, at })
    }

    /// The files that it knows, in the order of their numbers.
    #[must_use]
    pub fn files(&self) -> &[File] {
        &self.head.files
    }

    /// The documents that hold some of the words, the best first. `is_current` says of a file's number whether what the
    /// index knows of it still holds.
    #[must_use]
    pub fn search(&self, question: &[String], is_current: impl Fn(u32) -> bool) -> Vec<Hit> {
        let count = self.head.places.len() as f32;
        let average = (self.head.tokens as f32 / count.max(1.0)).max(1.0);
        let mut hits: HashMap<u32, Hit> = HashMap::new();
        for (number, word) in question.iter().enumerate() {
            let mut best: HashMap<u32, f32> = HashMap::new();
            for (term, weight) in self.terms_for(word) {
                let postings = self.postings(term);
                let with = postings.len() as f32;
                let rarity = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
                for (document, times) in postings {
                    let Some(place) = self.head.places.get(document as usize) else {
                        continue;
                    };
                    let times = times as f32;
                    let length = 1.0 - B + B * place.tokens as f32 / average;
                    let score = weight * rarity * times * (K1 + 1.0) / (times + K1 * length);
                    let known = best.entry(document).or_default();
                    *known = known.max(score);
                }
            }
            for (document, score) in best {
                let Some(&place) = self.head.places.get(document as usize) else {
                    continue;
                };
                let hit = hits.entry(document).or_insert(Hit {
                    place,
                    score: 0.0,
                    words: 0,
                });
                hit.score += score;
                hit.words |= 1 << number.min(31);
            }
        }
        let mut hits: Vec<Hit> = hits
            .into_values()
            .filter(|hit| is_current(hit.place.file))
            .map(|hit| Hit {
                words: hit.words.count_ones(),
                ..hit
            })
            .collect();
        // The number of words first: who asks for two words means both. The newest of equals first.
        hits.sort_by(|one, other| {
            let day = |hit: &Hit| self.head.files.get(hit.place.file as usize).map(|file| file.day);
            (other.words, other.score)
                .partial_cmp(&(one.words, one.score))
                .unwrap_or(std::cmp::Ordering::Equal)
                .then_with(|| day(other).cmp(&day(one)))
                .then_with(|| (one.place.file, one.place.line).cmp(&(other.place.file, other.place.line)))
        });
        hits
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
            } else if word.chars().count() < chars_min || terms.len() > PREFIX_TERMS_MAX {
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
        &self.bytes[self.range(self.at[0], self.at[2], term)]
    }

    /// The documents of a term, with how often it occurs in each.
    fn postings(&self, term: usize) -> Vec<(u32, u32)> {
        let bytes = &self.bytes[self.range(self.at[1], self.at[3], term)];
        let mut out = Vec::with_capacity(bytes.len() / 2);
        let (mut at, mut document) = (0, 0_u32);
        while at < bytes.len() {
            let Some((gap, times)) = token::number(bytes, &mut at).zip(token::number(bytes, &mut at)) else {
                break;
            };
            document = document.wrapping_add(gap);
            out.push((document, times));
        }
        out
    }

    /// Where the `term`-th piece lies; nothing when the table says what cannot be.
    fn range(&self, table: usize, base: usize, term: usize) -> Range<usize> {
        let offset = |at: usize| {
            let place = table + at * 4;
            let bytes = self
                .bytes
                .get(place..place + 4)
                .and_then(|bytes| bytes.try_into().ok());
            base + bytes.map_or(0, u32::from_le_bytes) as usize
        };
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
