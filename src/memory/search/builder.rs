//! Making an index: files go in one after the other, their lines and terms are counted, and the whole is laid out.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::token::{LANGUAGES, language_of, term};
use super::{Entry, File, Head, MAGIC, Term, Voice, words};
use crate::memory::calendar::Day;
use crate::memory::entry::{self, Kind};
use crate::memory::kind::entry_kind;
use crate::memory::language::Speaker;
use crate::memory::level::Period;
use crate::memory::node::{Form, Node};
use crate::memory::outside;
use crate::memory::statement::turn::{is_transcript, speaker};
use crate::memory::text::line_count;

#[derive(Debug, Default)]
pub struct Builder {
    head: Head,
    lines: Vec<u8>,
    terms: FxHashMap<Term, Postings>,
    /// The terms of words that came before, by language: finding a stem takes far longer than a look.
    known: [FxHashMap<String, Term>; LANGUAGES.end as usize],
}

/// The lines of a term, as they lie in the file: seven bits a byte, the distance from the line before, and how often up to four times.
#[derive(Debug, Default)]
struct Postings {
    bytes: Vec<u8>,
    last: u32,
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

    /// Takes in a node: its summaries. What it carries word for word is found in the log, unless that day's log is gone. It may be
    /// somebody else's, and so hold secrets.
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
            length += voice.weight() * count as f32;
            self.head.words += u64::from(count);
            for (term, times) in times.drain() {
                self.terms.entry(term).or_default().push(self.head.lines, times);
            }
            self.lines.extend(number.to_le_bytes());
            let offset = u16::try_from(offset).unwrap_or(u16::MAX);
            self.lines.extend(offset.to_le_bytes());
            self.lines.extend([count.min(255) as u8, voice as u8]);
            self.head.lines += 1;
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

    /// The index as the bytes of its file.
    pub fn finish(mut self) -> Vec<u8> {
        let mut terms: Vec<(Term, Postings)> = self.terms.into_iter().collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        self.head.terms = small(terms.len());
        let mut out = MAGIC.to_vec();
        out.extend(postcard::to_allocvec(&self.head).unwrap_or_default());
        out.append(&mut self.lines);
        let mut at = 0;
        for (term, postings) in &terms {
            out.extend(term.to_le_bytes());
            out.extend(small(at).to_le_bytes());
            at += postings.bytes.len();
        }
        for (_, postings) in terms {
            out.extend(postings.bytes);
        }
        let sum = xxh3_64(&out);
        out.extend(sum.to_le_bytes());
        out
    }
}

impl Postings {
    fn push(&mut self, line: u32, times: u32) {
        let mut number = (line - self.last) << 2 | (times - 1).min(3);
        self.last = line;
        while number >= 0x80 {
            self.bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

/// Reads a number; none at the end.
pub(super) fn number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// An index of four thousand million documents is no index of ours.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
