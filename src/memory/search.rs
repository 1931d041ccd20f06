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
const MAGIC: &[u8; 8] = b"hipoidx7";
/// BM25's saturation and length weight for entries, as everybody has them.
const ENTRY: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
/// The same for lines: a word comes once, and a long line is one because it tells more.
const LINE: Bm25 = Bm25 { k1: 0.8, b: 0.4 };
/// How many lines of an entry are handed out, and how much of the score what is told second-hand keeps.
const LINES_MAX: usize = 3;
const DERIVED: f32 = 0.5;
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

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn line(&self, line: u32) -> Option<Line> {
        let (records, _) = self.bytes[self.at[0]..self.at[1]].as_chunks::<LINE_BYTES>();
        let [e0, e1, e2, e3, o0, o1, words, voice] = *records.get(line as usize)?;
        let entry = u32::from_le_bytes([e0, e1, e2, e3]) as usize;
        (entry < self.head.entries.len()).then_some(Line {
            entry,
            offset: u16::from_le_bytes([o0, o1]).into(),
            words: words.into(),
            voice: *Voice::ALL.get(usize::from(voice))?,
        })
    }

    /// The lines that hold a term, with how often.
    fn postings(&self, term: Term) -> impl Iterator<Item = (u32, f32)> + '_ {
        let table = &self.bytes[self.at[1]..self.at[2]];
        let (records, _) = table.as_chunks::<TERM_BYTES>();
        let parts = |record: &[u8; TERM_BYTES]| {
            let [t0, t1, t2, t3, t4, t5, t6, t7, place @ ..] = *record;
            let term = u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7]);
            (term, u32::from_le_bytes(place) as usize)
        };
        let found = records.binary_search_by_key(&term, |record| parts(record).0);
        let postings = &self.bytes[self.at[2]..self.at[3]];
        let place = |at: usize| records.get(at).map_or(postings.len(), |record| parts(record).1);
        let bytes = found.ok().and_then(|at| postings.get(place(at)..place(at + 1)));
        let bytes = bytes.unwrap_or_default();
        let (mut at, mut line) = (0, 0_u32);
        std::iter::from_fn(move || {
            let number = builder::number(bytes, &mut at)?;
            line = line.wrapping_add(number >> 2);
            Some((line, (number & 3) as f32 + 1.0))
        })
    }
}

struct Line {
    entry: usize,
    offset: u32,
    words: f32,
    voice: Voice,
}

/// A part of the memory that is asked together with others, so that a word is as rare as it is in all of them.
pub struct Part<'a> {
    pub index: &'a Index,
    /// Whether what it knows of a file still holds and is wanted.
    pub is_wanted: Box<dyn Fn(&File) -> bool + 'a>,
}

/// The entries that hold some of the words, the best first, of equals the newest. `kind` is the only type that is wanted.
///
/// Words without meaning count in a line that also holds one with meaning: they tell the line that is asked for from others about the
/// same thing. Measured by sentences of which three words in ten were kept, out of 281 conversations: the first two hits held the right
/// conversation in 82 of 100 cases, and in 76 without these words.
pub fn search(parts: &[Part<'_>], question: &Question, kind: Option<Kind>) -> Vec<Hit> {
    let heads = || parts.iter().map(|part| &part.index.head);
    let all = |of: fn(&Head) -> f32| heads().map(of).sum::<f32>().max(1.0);
    let (entries, length) = (all(|head| head.entries.len() as f32), all(|head| head.length));
    let (lines, words) = (all(|head| head.lines as f32), all(|head| head.words as f32));
    let found = |head: &Head| Found {
        entries: vec![(0.0, 0); head.entries.len()],
        lines: vec![(0.0, 0.0); head.lines as usize],
    };
    let mut found: Vec<Found> = heads().map(found).collect();
    let (mut asked, rarest) = (0.0, rarity(entries, 1.0).max(f32::MIN_POSITIVE));
    let (meant, fillers) = (question.words.iter(), question.fillers.iter());
    let meant = meant.enumerate().map(|(at, terms)| (terms, 1 << at));
    for (terms, bit) in meant.chain(fillers.map(|terms| (terms, 0))) {
        let is_filler = bit == 0;
        // How often each entry holds the word, as much as it counts.
        let mut holding: Vec<Vec<f32>> = heads().map(|head| vec![0.0; head.entries.len()]).collect();
        let mut held = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            for (at, times) in terms.iter().flat_map(|term| part.index.postings(*term)) {
                let Some(line) = part.index.line(at) else { continue };
                holding[number][line.entry] += times * line.voice.weight();
                if !is_filler || found[number].lines[at as usize].0 > 0.0 {
                    held.push((number, at as usize, times, line));
                }
            }
        }
        let with = holding.iter().flatten().filter(|times| **times > 0.0).count();
        let rarity = rarity(entries, with as f32);
        for (number, at, times, line) in held {
            let weight = line.voice.weight().min(1.0);
            let (score, rarities) = &mut found[number].lines[at];
            *score += weight * LINE.score(rarity, times, line.words * lines / words);
            *rarities += if is_filler { 0.0 } else { weight * rarity };
        }
        if is_filler {
            continue;
        }
        asked += rarity;
        for ((head, found), holding) in heads().zip(&mut found).zip(holding) {
            let entries_of = head.entries.iter().zip(&mut found.entries).zip(holding);
            for ((entry, (score, words)), times) in entries_of.filter(|(_, times)| *times > 0.0) {
                *score += ENTRY.score(rarity, times, entry.length * entries / length);
                *words |= bit;
            }
        }
    }
    let mut hits = Vec::new();
    for (number, (part, found)) in parts.iter().zip(&found).enumerate() {
        let index = part.index;
        let told = (0..).zip(&found.lines).filter(|(_, (score, _))| *score > 0.0);
        let told = told.filter_map(|(at, scores)| Some((index.line(at)?, *scores)));
        let mut told: Vec<(Line, (f32, f32))> = told.collect();
        for told in told.chunk_by_mut(|(one, _), (other, _)| one.entry == other.entry) {
            let entry = index.head.entries[told[0].0.entry];
            let Some(file) = index.head.files.get(entry.file as usize) else {
                continue;
            };
            if kind.is_some_and(|kind| kind != entry.kind) || !(part.is_wanted)(file) {
                continue;
            }
            told.sort_by(|(_, one), (_, other)| other.0.total_cmp(&one.0));
            let (entry_score, words) = found.entries[told[0].0.entry];
            let (score, rarity) = told[0].1;
            let mut best = [0; LINES_MAX];
            for (best, (line, _)) in best.iter_mut().zip(&*told) {
                *best = entry.line.saturating_add(line.offset);
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
    hits.sort_unstable_by(|one, other| {
        let day = |hit: &Hit| parts[hit.part].index.head.files[hit.entry.file as usize].days.1;
        let order = |hit: &Hit| (Reverse(day(hit)), hit.part, hit.entry.file, hit.entry.line);
        let by_score = other.score.total_cmp(&one.score);
        by_score.then_with(|| order(one).cmp(&order(other)))
    });
    hits
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
