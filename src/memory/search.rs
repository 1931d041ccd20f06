//! Finding words in everything that is remembered: BM25 over entries and over their lines, from an index that is asked as it lies
//! in its file.
//!
//! A hit is an entry, and the line in it that fits best: the score of a conversation and that of its best statement together find more than
//! either alone. What an assistant said counts a fifth of what the person said, a heading twice. Lines, terms and postings are read where
//! they lie: ten years have some 20,000 entries with 400,000 lines, which would take longer to unpack than to ask.

mod builder;
mod token;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;
use super::entry::Kind;

pub use builder::Builder;
pub use token::{Question, Term, words};

/// The first bytes of an index; another version is built anew.
const MAGIC: &[u8; 8] = b"hipoidx6";
/// BM25's saturation and length weight for entries, as everybody has them.
const ENTRY: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
/// The same for lines: a word comes once, and a long line is one because it tells more.
const LINE: Bm25 = Bm25 { k1: 0.8, b: 0.4 };
/// How many lines of an entry are handed out, and how much of the score what is told second-hand keeps.
const LINES_MAX: usize = 3;
const DERIVED: f32 = 0.5;
/// Bytes of a line in the index, of a term in the table.
const LINE_BYTES: usize = 8;
const TERM_BYTES: usize = 12;

struct Bm25 {
    k1: f32,
    b: f32,
}

impl Bm25 {
    /// The score of a word that occurs so many times in a document of a length that is given in average lengths.
    fn score(&self, rarity: f32, times: f32, length: f32) -> f32 {
        rarity * times * (self.k1 + 1.0) / (times + self.k1 * (1.0 - self.b + self.b * length))
    }
}

/// Who says a line, and so how much it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// The person, or a log's writer.
    Plain,
    Assistant,
    /// The heading: what the entry is about.
    Subject,
}

impl Voice {
    const ALL: [Self; 3] = [Self::Plain, Self::Assistant, Self::Subject];

    /// A fifth finds most on the conversations in hand; a tenth and a third are as good within the error.
    fn weight(self) -> f32 {
        match self {
            Self::Plain => 1.0,
            Self::Assistant => 0.2,
            Self::Subject => 2.0,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its path from the workspace.
    pub path: String,
    pub stamp: u64,
    /// The days it is of: one, or those of a node's period.
    pub days: (Day, Day),
}

/// An entry of a log, or a part of a node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub file: u32,
    /// Its first line in the file, from 1.
    pub line: u32,
    pub lines: u32,
    pub kind: Kind,
    /// Whether it is of a node, and so not where something was told first.
    pub is_derived: bool,
    /// How many words it has, each as much as it counts.
    length: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The number of the part of the memory that it was found in.
    pub part: usize,
    pub entry: Entry,
    /// The lines that fit best, from 1; 0 where there are fewer.
    pub lines: [u32; LINES_MAX],
    /// How well the entry fits; higher is better.
    pub score: f32,
    /// How much of what is asked the best line says, from 0 to 1, each word by its rarity.
    pub share: f32,
    /// How rare the words of that line are together, a word that stands in one entry alone being 1.
    pub rarity: f32,
    /// Which words the entry holds, a bit each.
    pub words: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Head {
    files: Vec<File>,
    entries: Vec<Entry>,
    /// The length of all entries together.
    length: f32,
    lines: u32,
    terms: u32,
    /// How many words all lines have together.
    words: u64,
}

#[derive(Debug)]
pub struct Index {
    head: Head,
    bytes: Vec<u8>,
    /// Where the lines, the table of terms and the postings begin, and where they end.
    at: [usize; 4],
}

impl Index {
    /// Reads an index; none when it is none, is of another version, or was damaged.
    pub fn open(bytes: Vec<u8>) -> Option<Self> {
        let body = bytes.len().checked_sub(8)?;
        let sum = u64::from_le_bytes(bytes[body..].try_into().ok()?);
        if !bytes.starts_with(MAGIC) || xxh3_64(&bytes[..body]) != sum {
            return None;
        }
        let (head, rest) = postcard::take_from_bytes::<Head>(&bytes[MAGIC.len()..body]).ok()?;
        let lines = body - rest.len();
        let terms = lines + head.lines as usize * LINE_BYTES;
        let postings = terms + head.terms as usize * TERM_BYTES;
        (postings <= body).then_some(Self {
            head,
            bytes,
            at: [lines, terms, postings, body],
        })
    }

    pub fn files(&self) -> &[File] {
        &self.head.files
    }

    /// The entry of a line, where in it the line stands, how many words it has, and who says it.
    fn line(&self, line: u32) -> Option<(usize, u32, f32, Voice)> {
        let at = self.at[0] + line as usize * LINE_BYTES;
        let record: &[u8; LINE_BYTES] = self.bytes.get(at..self.at[1])?.first_chunk()?;
        let [e0, e1, e2, e3, o0, o1, words, voice] = *record;
        Some((
            u32::from_le_bytes([e0, e1, e2, e3]) as usize,
            u32::from(u16::from_le_bytes([o0, o1])),
            f32::from(words),
            *Voice::ALL.get(usize::from(voice))?,
        ))
    }

    /// The lines that hold a term, with how often.
    fn postings(&self, term: Term) -> impl Iterator<Item = (u32, f32)> + '_ {
        let table = &self.bytes[self.at[1]..self.at[2]];
        let number = |record: &[u8]| record.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let place = |record: &[u8]| {
            record[8..]
                .first_chunk()
                .map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        let (records, _) = table.as_chunks::<TERM_BYTES>();
        let found = records.binary_search_by_key(&term, |record| number(record)).ok();
        let postings = &self.bytes[self.at[2]..self.at[3]];
        let start = found.map_or(postings.len(), |at| place(&records[at]) as usize);
        let end = found
            .and_then(|at| records.get(at + 1))
            .map_or(postings.len(), |next| place(next) as usize);
        let bytes = postings.get(start..end).unwrap_or_default();
        let (mut at, mut line) = (0, 0_u32);
        std::iter::from_fn(move || {
            let number = builder::number(bytes, &mut at)?;
            line = line.wrapping_add(number >> 2);
            Some((line, (number & 3) as f32 + 1.0))
        })
    }
}

/// A part of the memory that is asked together with others, so that a word is as rare as it is in all of them.
pub struct Part<'a> {
    pub index: &'a Index,
    /// Whether what it knows of a file still holds and is wanted.
    pub is_wanted: Box<dyn Fn(&File) -> bool + 'a>,
}

/// The entries that hold some of the words, the best first, of equals the newest. `kind` is the only type that is wanted.
pub fn search(parts: &[Part<'_>], question: &Question, kind: Option<Kind>) -> Vec<Hit> {
    let all = |of: fn(&Head) -> f32| {
        parts
            .iter()
            .map(|part| of(&part.index.head))
            .sum::<f32>()
            .max(1.0)
    };
    let (entries, length) = (all(|head| head.entries.len() as f32), all(|head| head.length));
    let (lines, words) = (all(|head| head.lines as f32), all(|head| head.words as f32));
    let found = |part: &Part<'_>| Found {
        entries: vec![(0.0, 0); part.index.head.entries.len()],
        lines: vec![(0.0, 0.0); part.index.head.lines as usize],
    };
    let mut found: Vec<Found> = parts.iter().map(found).collect();
    let (mut asked, rarest) = (0.0, rarity(entries, 1.0).max(f32::MIN_POSITIVE));
    for (at, terms) in question.words.iter().enumerate() {
        // How often each entry holds the word, as much as it counts.
        let mut holding: Vec<Vec<f32>> = found.iter().map(|part| vec![0.0; part.entries.len()]).collect();
        let mut held = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            for (line, times) in terms.iter().flat_map(|term| part.index.postings(*term)) {
                let Some((entry, _, length, voice)) = part.index.line(line) else {
                    continue;
                };
                if let Some(holding) = holding[number].get_mut(entry) {
                    *holding += times * voice.weight();
                    held.push((number, line as usize, times, length, voice));
                }
            }
        }
        let with = holding.iter().flatten().filter(|times| **times > 0.0).count();
        let rarity = rarity(entries, with as f32);
        asked += rarity;
        for ((part, found), holding) in parts.iter().zip(&mut found).zip(holding) {
            let entries_of = part.index.head.entries.iter().zip(&mut found.entries);
            for ((entry, (score, words)), times) in entries_of.zip(holding).filter(|(_, times)| *times > 0.0)
            {
                *score += ENTRY.score(rarity, times, entry.length * entries / length);
                *words |= 1 << at;
            }
        }
        for (number, line, times, length, voice) in held {
            let best = &mut found[number].lines[line];
            best.0 += voice.weight().min(1.0) * LINE.score(rarity, times, length * lines / words);
            best.1 += voice.weight().min(1.0) * rarity;
        }
    }
    add_fillers(parts, question, (entries, lines / words), &mut found);
    let mut hits = Vec::new();
    for (number, (part, found)) in parts.iter().zip(&found).enumerate() {
        let index = part.index;
        let told = (0..).zip(&found.lines).filter(|(_, (score, _))| *score > 0.0);
        let mut told: Vec<(usize, u32, u32)> = told
            .filter_map(|(line, _)| index.line(line).map(|(entry, offset, ..)| (entry, offset, line)))
            .collect();
        let line = |told: &(usize, u32, u32)| found.lines[told.2 as usize];
        for told in told.chunk_by_mut(|(one, ..), (other, ..)| one == other) {
            let entry = index.head.entries[told[0].0];
            let Some(file) = index.head.files.get(entry.file as usize) else {
                continue;
            };
            if kind.is_some_and(|kind| kind != entry.kind) || !(part.is_wanted)(file) {
                continue;
            }
            told.sort_unstable_by(|one, other| line(other).0.total_cmp(&line(one).0).then(one.cmp(other)));
            let (entry_score, words) = found.entries[told[0].0];
            let (score, rarity) = line(&told[0]);
            let mut best = [0; LINES_MAX];
            for (best, (_, offset, _)) in best.iter_mut().zip(&*told) {
                *best = entry.line.saturating_add(*offset);
            }
            let weight = if entry.is_derived { DERIVED } else { 1.0 };
            hits.push(Hit {
                part: number,
                entry,
                lines: best,
                score: weight * (entry_score + score),
                share: rarity / asked.max(f32::MIN_POSITIVE),
                rarity: rarity / rarest,
                words,
            });
        }
    }
    let day = |hit: &Hit| parts[hit.part].index.head.files[hit.entry.file as usize].days.1;
    let mut ranked: Vec<&Hit> = hits.iter().collect();
    ranked.sort_unstable_by(|one, other| {
        let order = |hit: &Hit| (Reverse(day(hit)), hit.part, hit.entry.file, hit.entry.line);
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| order(one).cmp(&order(other)))
    });
    ranked.into_iter().copied().collect()
}

/// Words without meaning count in a line that also holds one with meaning: they tell the line that is asked for from others about the
/// same thing. Measured by sentences of which three words in ten were kept, out of 281 conversations: the first two hits held the right
/// conversation in 82 of 100 cases, and in 76 without these words.
fn add_fillers(
    parts: &[Part<'_>],
    question: &Question,
    (entries, per_length): (f32, f32),
    found: &mut [Found],
) {
    for terms in &question.fillers {
        let (mut holding, mut added) = (0.0, Vec::new());
        for (number, part) in parts.iter().enumerate() {
            let mut last = None;
            for (line, times) in terms.iter().flat_map(|term| part.index.postings(*term)) {
                let Some((entry, _, length, voice)) = part.index.line(line) else {
                    continue;
                };
                // Lines stand in order: an entry is counted once for all of its lines.
                if last.replace(entry) != Some(entry) {
                    holding += 1.0;
                }
                if found[number].lines[line as usize].0 > 0.0 {
                    let score = voice.weight().min(1.0) * LINE.score(1.0, times, length * per_length);
                    added.push((number, line as usize, score));
                }
            }
        }
        let rarity = rarity(entries, holding);
        for (number, line, score) in added {
            found[number].lines[line].0 += rarity * score;
        }
    }
}

/// BM25's inverse document frequency: how much a word says that so many of all entries hold.
fn rarity(entries: f32, with: f32) -> f32 {
    (1.0 + (entries - with + 0.5) / (with + 0.5)).ln()
}

/// What a part of the memory holds of what is asked.
struct Found {
    /// The score of each entry, and which words it holds.
    entries: Vec<(f32, u64)>,
    /// The score of each line, and how rare the words are together that it holds.
    lines: Vec<(f32, f32)>,
}

#[cfg(test)]
mod tests;
