//! Finding words in everything that is remembered: BM25 over entries and over their lines, from an index that is kept in a file.
//!
//! A hit is an entry, and the line in it that fits best: the score of a conversation and that of its best statement together find more than
//! either alone. The postings are read where they lie: ten years have millions, which would take longer to unpack than to ask.

mod token;

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;
use super::entry::{self, Kind};
use super::kind::entry_kind;
use super::language::Speaker;
use super::level::Period;
use super::node::{Form, Node};
use super::outside;
use super::statement::turn::{is_transcript, speaker};
use super::text::line_count;
use token::{LANGUAGES, language_of, term};
pub use token::{Question, Term, words};

/// The first bytes of an index; another version is built anew.
const MAGIC: &[u8; 8] = b"hipoidx9";
/// BM25's saturation and length weight for entries, as everybody has them.
const ENTRY: (f32, f32) = (1.2, 0.75);
/// The same for lines: a word comes once, and a long line is one because it tells more.
const LINE: (f32, f32) = (0.8, 0.4);
/// How many lines of an entry are handed out, and how much of the score what is told second-hand keeps.
const LINES_MAX: usize = 3;
const DERIVED: f32 = 0.5;

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
}

/// How much each counts. A fifth finds most on the conversations in hand; a tenth and a third are as good within the error.
const WEIGHTS: [f32; 3] = [1.0, 0.2, 2.0];

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

/// All but the lines and the postings, which stay as they lie in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Head {
    files: Vec<File>,
    entries: Vec<Entry>,
    length: f32,
    lines: u32,
    /// In order, each with where its postings end.
    terms: Vec<(Term, u32)>,
    words: u64,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    entry: u32,
    /// How many lines below the first of its entry.
    offset: u16,
    words: u8,
    voice: Voice,
}

impl Line {
    const BYTES: usize = 8;

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.entry.to_le_bytes();
        let [e, f] = self.offset.to_le_bytes();
        [a, b, c, d, e, f, self.words, self.voice as u8]
    }

    fn of([a, b, c, d, e, f, words, voice]: [u8; Self::BYTES]) -> Self {
        Self {
            entry: u32::from_le_bytes([a, b, c, d]),
            offset: u16::from_le_bytes([e, f]),
            words,
            voice: Voice::ALL[usize::from(voice) % Voice::ALL.len()],
        }
    }
}

#[derive(Debug)]
pub struct Index {
    head: Head,
    bytes: Vec<u8>,
    /// Where the lines begin, and where the postings begin.
    lines: usize,
    postings: usize,
}

impl Index {
    /// Reads an index; none when it is none, is of another version, or was damaged.
    pub fn open(bytes: Vec<u8>) -> Option<Self> {
        let (sum, body) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        let body = Some(body).filter(|body| xxh3_64(body) == u64::from_le_bytes(*sum));
        let (head, rest) = postcard::take_from_bytes::<Head>(body?).ok()?;
        let lines = bytes.len() - rest.len();
        let postings = lines.saturating_add((head.lines as usize).saturating_mul(Line::BYTES));
        let index = Self { head, bytes, lines, postings };
        let is_of_entry = |line: &Line| (line.entry as usize) < index.head.entries.len();
        let is_whole = index.lines().take_while(is_of_entry).count() == index.head.lines as usize;
        is_whole.then_some(index)
    }

    fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        let lines = self.bytes.get(self.lines..self.postings).unwrap_or_default();
        lines.as_chunks().0.iter().map(|line| Line::of(*line))
    }

    fn line(&self, at: u32) -> Option<Line> {
        let lines = self.bytes.get(self.lines..self.postings)?.as_chunks().0;
        lines.get(at as usize).map(|line| Line::of(*line))
    }

    pub fn files(&self) -> &[File] {
        &self.head.files
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn postings(&self, term: Term) -> impl Iterator<Item = (u32, f32)> + '_ {
        let terms = &self.head.terms;
        let found = terms.binary_search_by_key(&term, |(term, _)| *term).ok();
        let end = |at: usize| terms.get(at).map_or(0, |(_, end)| *end as usize);
        let place = found.map(|at| at.checked_sub(1).map_or(0, end)..end(at));
        let bytes = place.and_then(|place| self.bytes[self.postings..].get(place));
        let (mut rest, mut line) = (bytes.unwrap_or_default(), 0_u32);
        std::iter::from_fn(move || {
            let number;
            (number, rest) = postcard::take_from_bytes::<u32>(rest).ok()?;
            line = line.wrapping_add(number >> 2);
            Some((line, (number & 3) as f32 + 1.0))
        })
    }
}

#[derive(Debug, Default)]
pub struct Builder {
    head: Head,
    lines: Vec<Line>,
    terms: FxHashMap<Term, Vec<(u32, u32)>>,
    /// The terms of words that came before, by language: finding a stem takes far longer than a look.
    known: [FxHashMap<String, Term>; LANGUAGES.end as usize],
}

impl Builder {
    /// Takes in a raw log. What is secret in it does not get into the index.
    pub fn log(&mut self, path: &str, stamp: u64, day: Day, text: &str) {
        self.file(path, stamp, (day, day));
        let text = outside::text(text);
        let log = entry::read(&text);
        if !log.preamble.trim().is_empty() {
            self.entry(1, Kind::Project, false, log.preamble, 0);
        }
        for entry in &log.entries {
            let kind = entry_kind(entry.heading, entry.body);
            let heading = line_count(entry.text) - line_count(entry.body);
            self.entry(entry.line, kind, false, entry.text, heading);
        }
    }

    /// Takes in a node's summaries, and what it carries word for word if that day's log is gone. It may hold secrets of others.
    pub fn node(
        &mut self,
        path: &str,
        stamp: u64,
        period: Period,
        text: &str,
        has_log: impl Fn(Day) -> bool,
    ) {
        self.file(path, stamp, (period.first_day(), period.last_day()));
        let text = &outside::text(text);
        let Some(node) = Node::read(period, text) else {
            return;
        };
        let before = line_count(text).saturating_sub(line_count(&node.body));
        let parts = node.parts();
        if parts.is_empty() {
            // Somebody else's: nothing says what of it stands in the logs too.
            self.entry(before + 1, Kind::Project, true, &node.body, 0);
        }
        for (part, text) in parts {
            if part.form == Form::Summary || !has_log(part.day) {
                self.entry(before + part.first_line + 1, Kind::Project, true, text, 0);
            }
        }
    }

    fn file(&mut self, path: &str, stamp: u64, days: (Day, Day)) {
        let path = path.to_owned();
        self.head.files.push(File { path, stamp, days });
    }

    fn entry(&mut self, line: usize, kind: Kind, is_derived: bool, text: &str, heading: usize) {
        let number = small(self.head.entries.len());
        let is_transcript = is_transcript(text);
        let language = language_of(text);
        let (mut voice, mut length) = (Voice::Plain, 0.0);
        let mut times: FxHashMap<Term, u32> = FxHashMap::default();
        for (offset, line) in text.lines().enumerate() {
            let turn = speaker(line).filter(|_| is_transcript && offset >= heading);
            if let Some((speaker, _)) = turn {
                let is_person = speaker == Speaker::User;
                voice = if is_person { Voice::Plain } else { Voice::Assistant };
            }
            let said = turn.map_or(line, |(_, said)| said);
            let voice = if offset < heading { Voice::Subject } else { voice };
            // Who speaks German may be answered in English; a line of few words has the language of its entry.
            let own = language_of(said);
            let language = if own > 0 { own } else { language };
            let mut count = 0_u32;
            words(said, |word| {
                count += 1;
                let known = &mut self.known[usize::from(language)];
                let term = known.get(word).copied().unwrap_or_else(|| {
                    let term = term(word, language);
                    known.insert(word.to_owned(), term);
                    term
                });
                *times.entry(term).or_default() += 1;
            });
            if count == 0 {
                continue;
            }
            length += WEIGHTS[voice as usize] * count as f32;
            self.head.words += u64::from(count);
            let line = small(self.lines.len());
            for (term, times) in times.drain() {
                self.terms.entry(term).or_default().push((line, times));
            }
            self.lines.push(Line {
                entry: number,
                offset: u16::try_from(offset).unwrap_or(u16::MAX),
                words: count.min(255) as u8,
                voice,
            });
        }
        self.head.length += length;
        self.head.entries.push(Entry {
            file: small(self.head.files.len()) - 1,
            line: small(line),
            lines: small(line_count(text)),
            kind,
            is_derived,
            length,
        });
    }

    /// The bytes of the index file. A posting is one number of seven bits a byte: the distance from the line before, and up to four times.
    pub fn finish(mut self) -> Vec<u8> {
        let mut terms: Vec<_> = self.terms.into_iter().collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        let mut postings = Vec::new();
        for (term, lines) in terms {
            let mut last = 0;
            for (line, times) in lines {
                let number = (line - last) << 2 | (times - 1).min(3);
                postings = postcard::to_extend(&number, postings).unwrap_or_default();
                last = line;
            }
            self.head.terms.push((term, small(postings.len())));
        }
        self.head.lines = small(self.lines.len());
        let mut body = postcard::to_allocvec(&self.head).unwrap_or_default();
        body.extend(self.lines.into_iter().flat_map(Line::to_bytes));
        body.append(&mut postings);
        [&MAGIC[..], &xxh3_64(&body).to_le_bytes(), &body].concat()
    }
}

/// An index of four thousand million documents is no index of ours.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
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
                let Some(line) = part.index.line(at) else {
                    continue;
                };
                holding[number][line.entry as usize] += times * WEIGHTS[line.voice as usize];
                if !is_filler || found[number].lines[at as usize].0 > 0.0 {
                    held.push((number, at as usize, times, line));
                }
            }
        }
        let with = holding.iter().flatten().filter(|times| **times > 0.0).count();
        let rarity = rarity(entries, with as f32);
        for (number, at, times, line) in held {
            let weight = WEIGHTS[line.voice as usize].min(1.0);
            let (score, rarities) = &mut found[number].lines[at];
            *score += weight * bm25(LINE, rarity, times, f32::from(line.words) * lines / words);
            *rarities += if is_filler { 0.0 } else { weight * rarity };
        }
        if is_filler {
            continue;
        }
        asked += rarity;
        for ((head, found), holding) in heads().zip(&mut found).zip(holding) {
            let entries_of = head.entries.iter().zip(&mut found.entries).zip(holding);
            for ((entry, (score, words)), times) in entries_of.filter(|(_, times)| *times > 0.0) {
                *score += bm25(ENTRY, rarity, times, entry.length * entries / length);
                *words |= bit;
            }
        }
    }
    let mut hits = Vec::new();
    for (number, (part, found)) in parts.iter().zip(&found).enumerate() {
        let index = part.index;
        let told = index.lines().zip(&found.lines);
        let mut told: Vec<_> = told.filter(|(_, (score, _))| *score > 0.0).collect();
        for told in told.chunk_by_mut(|(one, _), (other, _)| one.entry == other.entry) {
            let entry = index.head.entries[told[0].0.entry as usize];
            let Some(file) = index.head.files.get(entry.file as usize) else {
                continue;
            };
            if kind.is_some_and(|kind| kind != entry.kind) || !(part.is_wanted)(file) {
                continue;
            }
            told.sort_by(|(_, one), (_, other)| other.0.total_cmp(&one.0));
            let (entry_score, words) = found.entries[told[0].0.entry as usize];
            let (score, rarity) = *told[0].1;
            let mut best = [0; LINES_MAX];
            for (best, (line, _)) in best.iter_mut().zip(&*told) {
                *best = entry.line.saturating_add(line.offset.into());
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

/// BM25's score of a word that occurs so many times in a document of a length that is given in average lengths.
fn bm25((k1, b): (f32, f32), rarity: f32, times: f32, length: f32) -> f32 {
    rarity * times * (k1 + 1.0) / (times + k1 * (1.0 - b + b * length))
}

/// BM25's inverse document frequency: how much a word says that so many of all entries hold.
fn rarity(entries: f32, with: f32) -> f32 {
    (1.0 + (entries - with + 0.5) / (with + 0.5)).ln()
}

struct Found {
    /// The score of each entry, and which words it holds.
    entries: Vec<(f32, u64)>,
    /// The score of each line, and how rare the words are together that it holds.
    lines: Vec<(f32, f32)>,
}

#[cfg(test)]
mod tests;
