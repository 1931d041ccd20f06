//! What one log entry says: what it decided, finished, learned and left open, where its matter stands, which words tell it from others,
//! and what it names. Every summary and ROOT are made of these readings (SPEC sections 3, 6, 7). One pass over the lines, no model, the
//! same answer for the same bytes; at home in the languages of `language`, in bullets, prose, tables and transcripts.

mod find;
mod label;
mod line;
mod reader;
mod scan;
mod statement;
mod verdict;
mod wide;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

pub use self::label::says_nothing;
use self::reader::Reader;
pub use self::reader::Room;
use crate::memory::entry::Kind;

/// Most facts, keywords, references and entities of one entry.
pub const FACTS_MAX: usize = 40;
/// See `FACTS_MAX`.
pub const KEYWORDS_MAX: usize = 12;
/// See `FACTS_MAX`.
pub const REFERENCES_MAX: usize = 12;
/// See `FACTS_MAX`.
pub const ENTITIES_MAX: usize = 16;
/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its tag, or what an untagged entry plainly is; `Project` in doubt.
    pub kind: Kind,
    /// What to call the entry when its heading says nothing (a session id, a time), two to six words of its own. `None` when the
    /// heading is good enough or the entry empty.
    pub label: Option<String>,
    /// Whether its matter is plainly completed.
    pub done: bool,
    /// Where the matter stands, in one line of at most 160 characters.
    pub state: Option<String>,
    /// Its facts in order of appearance, at most `FACTS_MAX`.
    pub facts: Vec<Fact>,
    /// The words that tell it from others, best first, at most `KEYWORDS_MAX`.
    pub keywords: Vec<String>,
    /// Paths, addresses, commits and issues it points to, in order of appearance, at most `REFERENCES_MAX`.
    pub references: Vec<String>,
    /// People, services, files and errors it names, in order of appearance, at most `ENTITIES_MAX`.
    pub entities: Vec<Entity>,
}

/// One statement worth keeping: a line of at most 160 characters, without Markdown and lead-ins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The section of a summary it belongs to.
    pub sort: Sort,
    /// The statement.
    pub text: String,
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Sort {
    /// Something was decided.
    Decision,
    /// Something was finished.
    Done,
    /// Something was learned.
    Lesson,
    /// Something is left to do.
    Open,
    /// Something the person is, likes, has or did.
    Personal,
}

/// Something named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// What it is.
    pub sort: EntitySort,
    /// Its name as written.
    pub name: String,
}

/// The four groups of "Entities Referenced" (SPEC section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EntitySort {
    /// A person.
    User,
    /// A tool, product or service.
    Service,
    /// A file.
    File,
    /// An error's name or code.
    Error,
}

/// Reads an entry: `heading` without its tag, the `tag` if it has one, and the `body` below the heading.
pub fn read(heading: &str, tag: Option<Kind>, body: &str) -> Reading {
    read_labelled(heading, tag, body, says_nothing(heading), &mut Room::default())
}

/// [`read`], with the label only if it is `wanted`: most callers want one only where the heading names no topic. In a `room` where
/// others may have been read.
pub fn read_labelled(heading: &str, tag: Option<Kind>, body: &str, wanted: bool, room: &mut Room) -> Reading {
    let body = composed(body);
    if verdict::is_machinery(heading) {
        return Reading {
            kind: tag.unwrap_or(Kind::Project),
            label: None,
            done: false,
            state: None,
            facts: Vec::new(),
            keywords: Vec::new(),
            references: Vec::new(),
            entities: Vec::new(),
        };
    }
    let mut reader = Reader::new(heading, &body, room);
    reader.lines();
    reader.finish(heading, tag, wanted)
}

/// Text in composed form, so that a word is one word however it was typed. Only what shows a sign of the other form is rewritten.
fn composed(text: &str) -> Cow<'_, str> {
    let loose = |letter: char| matches!(letter, '\u{300}'..='\u{36f}' | '\u{1100}'..='\u{11ff}' | '\u{3099}' | '\u{309a}');
    let signs = memchr::memchr3(0xcc, 0xcd, 0xe1, text.as_bytes()).is_some()
        || ['\u{3099}', '\u{309a}'].iter().any(|mark| {
            memchr::memmem::find(text.as_bytes(), mark.encode_utf8(&mut [0; 4]).as_bytes()).is_some()
        });
    if signs && text.chars().any(loose) {
        Cow::Owned(text.nfc().collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests;
