//! Making an index: files go in one after the other, their documents and terms are counted, and the whole is laid out.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::token::push_number;
use super::{File, Head, Kind, MAGIC, Place, tokens};
use crate::memory::calendar::Day;
use crate::memory::entry;
use crate::memory::level::Period;
use crate::memory::node::{Form, Node};
use crate::memory::redact::redact;
use crate::memory::text::line_count;

/// Everything that goes into an index.
#[derive(Debug, Default)]
pub struct Builder {
    files: Vec<File>,
    places: Vec<Place>,
    /// For each term its documents and how often it occurs in them, in the order of documents.
    terms: HashMap<String, Vec<(u32, u32)>>,
    tokens: u64,
}

impl Builder {
    /// Takes in a raw log. What is secret in it does not get into the index.
    pub fn log(&mut self, path: &str, stamp: u64, day: Day, text: &str) {
        let file = self.file(path, stamp, day);
        let log = entry::read(text);
        if !log.preamble.trim().is_empty() {
            self.document(file, 1, Kind::Entry, log.preamble);
        }
        for entry in &log.entries {
            self.document(file, entry.line, Kind::Entry, entry.text);
        }
    }

    /// Takes in a node: its summaries, and above the days the names of its topics. What it carries word for word is found
    /// in the log.
    pub fn node(&mut self, path: &str, stamp: u64, period: Period, text: &str) {
        let file = self.file(path, stamp, period.last_day());
        let Some(node) = Node::read(period, text) else {
            return;
        };
        let before = line_count(text).saturating_sub(line_count(&node.body));
        let parts = node.parts();
        if parts.is_empty() {
            // Somebody else's: nothing says what of it stands in the logs too.
            self.document(file, before + 1, Kind::Summary, &node.body);
        }
        for (part, text) in parts.iter().filter(|(part, _)| part.form == Form::Summary) {
            self.document(file, before + part.first_line + 1, Kind::Summary, text);
        }
        if !matches!(period, Period::Day(_)) {
            for (number, topic) in node.front.topics.iter().enumerate() {
                self.document(file, number, Kind::Topic, &topic.name);
            }
        }
    }

    fn file(&mut self, path: &str, stamp: u64, day: Day) -> u32 {
        self.files.push(File {
            path: path.to_owned(),
            stamp,
            day,
        });
        small(self.files.len() - 1)
    }

    fn document(&mut self, file: u32, line: usize, kind: Kind, text: &str) {
        let document = small(self.places.len());
        let mut count = 0;
        let terms = &mut self.terms;
        tokens(&redact(text), |token| {
            count += 1;
            let postings = match terms.get_mut(token) {
                Some(postings) => postings,
                None => terms.entry(token.to_owned()).or_default(),
            };
            match postings.last_mut().filter(|(last, _)| *last == document) {
                Some((_, times)) => *times += 1,
                None => postings.push((document, 1)),
            }
        });
        self.tokens += u64::from(count);
        self.places.push(Place {
            file,
            line: small(line),
            lines: small(line_count(text)),
            kind,
            tokens: count,
        });
    }

    /// The index as the bytes of its file.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut terms: Vec<(String, Vec<(u32, u32)>)> = self.terms.into_iter().collect();
        terms.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let (mut names, mut postings) = (Vec::new(), Vec::new());
        let (mut names_at, mut postings_at) = (vec![0_u32], vec![0_u32]);
        for (name, documents) in &terms {
            names.extend_from_slice(name.as_bytes());
            let mut before = 0;
            for &(document, times) in documents {
                push_number(&mut postings, document - before);
                push_number(&mut postings, times);
                before = document;
            }
            names_at.push(small(names.len()));
            postings_at.push(small(postings.len()));
        }
        let head = Head {
            files: self.files,
            places: self.places,
            tokens: self.tokens,
            terms: small(terms.len()),
            names_bytes: small(names.len()),
        };
        let mut out = MAGIC.to_vec();
        out.extend(postcard::to_allocvec(&head).unwrap_or_default());
        for table in [names_at, postings_at] {
            out.extend(table.into_iter().flat_map(u32::to_le_bytes));
        }
        out.append(&mut names);
        out.append(&mut postings);
        let sum = xxh3_64(&out);
        out.extend(sum.to_le_bytes());
        out
    }
}

/// An index of four thousand million documents is no index of ours.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
