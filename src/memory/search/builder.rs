//! Making an index: files go in one after the other, their documents and terms are counted, and the whole is laid out.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::token::push_number;
use super::{File, Head, Index, Kind, MAGIC, Place, tokens};
use crate::memory::calendar::Day;
use crate::memory::entry;
use crate::memory::hashing::Hashing;
use crate::memory::level::Period;
use crate::memory::node::{Form, Node};
use crate::memory::outside;
use crate::memory::text::line_count;

/// Everything that goes into an index.
#[derive(Debug, Default)]
pub struct Builder {
    files: Vec<File>,
    places: Vec<Place>,
    terms: HashMap<String, Postings, Hashing>,
    tokens: u64,
}

/// The documents of a term and how often it occurs in them, in the order of documents, as they lie in the file: as numbers
/// of their own they are six times as many bytes, and ten years have millions of them.
#[derive(Debug, Default)]
struct Postings {
    bytes: Vec<u8>,
    /// The document before the last.
    before: u32,
    last: u32,
    /// How often the term occurs in the last document so far.
    times: u32,
}

impl Postings {
    fn push(&mut self, document: u32, times: u32) {
        if self.last == document {
            self.times += times;
            return;
        }
        self.close();
        (self.last, self.times) = (document, times);
    }

    fn close(&mut self) {
        if self.times > 0 {
            push_number(&mut self.bytes, self.last - self.before);
            push_number(&mut self.bytes, self.times);
            self.before = self.last;
            self.times = 0;
        }
    }
}

impl Builder {
    /// Begins with those files of another index that `is_current` says of their number, which saves reading them again.
    pub fn from(index: &Index, is_current: impl Fn(u32) -> bool) -> Self {
        let mut builder = Self::default();
        let files: Vec<Option<u32>> = (0_u32..)
            .zip(index.files())
            .map(|(number, file)| is_current(number).then(|| builder.file(&file.path, file.stamp, file.day)))
            .collect();
        let mut documents = Vec::new();
        for document in 0..index.head.places {
            let place = index.place(document);
            let kept = place.and_then(|place| {
                let file = *files.get(place.file as usize)?;
                Some(Place { file: file?, ..place })
            });
            documents.push(kept.map(|_| small(builder.places.len())));
            builder.tokens += kept.map_or(0, |place| u64::from(place.tokens));
            builder.places.extend(kept);
        }
        for term in 0..index.head.terms as usize {
            let mut postings = Postings::default();
            for (document, times) in index.postings(term) {
                if let Some(Some(document)) = documents.get(document as usize) {
                    postings.push(*document, times);
                }
            }
            if postings.times > 0 {
                let name = String::from_utf8_lossy(index.name(term)).into_owned();
                builder.terms.insert(name, postings);
            }
        }
        builder
    }

    /// Takes in a raw log. What is secret in it does not get into the index.
    pub fn log(&mut self, path: &str, stamp: u64, day: Day, text: &str) {
        let file = self.file(path, stamp, day);
        let text = outside::text(text);
        let log = entry::read(&text);
        if !log.preamble.trim().is_empty() {
            self.document(file, 1, Kind::Entry, log.preamble);
        }
        for entry in &log.entries {
            self.document(file, entry.line, Kind::Entry, entry.text);
        }
    }

    /// Takes in a node: its summaries, and above the days the names of its topics. What it carries word for word is found
    /// in the log. It may be somebody else's, and so hold secrets.
    pub fn node(&mut self, path: &str, stamp: u64, period: Period, text: &str) {
        let file = self.file(path, stamp, period.last_day());
        let text = &outside::text(text);
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
        tokens(text, |token| {
            count += 1;
            match terms.get_mut(token) {
                Some(postings) => postings.push(document, 1),
                None => terms.entry(token.to_owned()).or_default().push(document, 1),
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

    /// The index as the bytes of its file. `of` says in one number what it was made from, 0 when that is not known.
    #[must_use]
    pub fn finish(self, of: u64) -> Vec<u8> {
        let mut terms: Vec<(String, Postings)> = self.terms.into_iter().collect();
        terms.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let (mut names, mut postings) = (Vec::new(), Vec::new());
        let (mut names_at, mut postings_at) = (vec![0_u32], vec![0_u32]);
        for (name, mut documents) in terms {
            documents.close();
            names.extend_from_slice(name.as_bytes());
            postings.extend_from_slice(&documents.bytes);
            names_at.push(small(names.len()));
            postings_at.push(small(postings.len()));
        }
        let head = Head {
            of,
            files: self.files,
            places: small(self.places.len()),
            tokens: self.tokens,
            terms: small(names_at.len() - 1),
            names_bytes: small(names.len()),
        };
        let mut out = MAGIC.to_vec();
        out.extend(postcard::to_allocvec(&head).unwrap_or_default());
        for place in &self.places {
            let kind = match place.kind {
                Kind::Entry => 0,
                Kind::Summary => 1,
                Kind::Topic => 2,
            };
            let numbers = [place.file, place.line, place.lines, kind, place.tokens];
            out.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        }
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
