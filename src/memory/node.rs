//! A node as a value: frontmatter and body, parsed leniently and printed strictly (SPEC section 6).
//!
//! Besides the fields that SPEC names, a node written here carries what the rules need to hold without any memory
//! of earlier runs:
//!
//! | field | what |
//! | --- | --- |
//! | `mentions` | for each topic, in order: how many days after the first one of the period it was mentioned last, and on how many days it was mentioned when that is not one; left out of a daily node whose topics are all of its own date |
//! | `parts` | which lines of the body come from where: date, `raw`, `summary` or `entry`, first line, number of lines |
//! | `entries` | daily only: digests of the units of its own raw logs that it was built from |
//! | `late-entries` | daily only: date and digests of units of other days' logs that it carries |
//! | `built-from` | a hash over its sources; a node whose sources give another hash is due |
//! | `generation` | which [`GENERATION`] of this program wrote it; 1 where it is not said |
//! | `summarizer` | `verbatim`, `extractive`, or the name of the summarizer that wrote the body |
//! | `digest` | a hash over all of the above, the status and the body; it stands last, and `verify` recomputes it |
//!
//! A node without `digest` was written by somebody else.

mod front;
mod mentioned;
mod seal;

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::calendar::Day;
use super::entry::{Kind, UnitDigest};
use super::level::{Level, Period, Status};
use front::write_list;
pub use mentioned::Mentioned;
use seal::{closing_line, seal};
pub use seal::{content, is_intact, with_status};

/// Nothing shorter than this many bytes is ever written as a node (SPEC section 5).
pub const NODE_BYTES_MIN: usize = 50;

/// Counts the versions of this program that make other text of the same sources. It goes up by one with a release that
/// renders differently; what an earlier one wrote stays good: fixed nodes keep their bytes for ever and are not made
/// again by `verify`, open ones are built anew at the next cycle.
pub const GENERATION: u32 = 13;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub front: Front,
    /// The Markdown after the frontmatter, one blank line between them left out.
    pub body: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Front {
    pub period: Period,
    pub status: Status,
    pub sources: Vec<String>,
    pub topics: Vec<TopicName>,
    /// For each of `topics`, in the same order; shorter or empty in nodes that others wrote.
    pub mentions: Vec<Mentioned>,
    /// Where the lines of the body come from; empty in nodes that others wrote.
    pub parts: Vec<Part>,
    /// Units of the logs of its own date that a daily node covers.
    pub entries: Vec<UnitDigest>,
    /// Units of other dates' logs that a daily node carries, by date.
    pub late: Vec<(Day, Vec<UnitDigest>)>,
    /// The hash over its sources, when this program wrote it.
    pub built_from: Option<Hash>,
    pub generation: u32,
    pub summarizer: Option<String>,
    /// The hash over the node as it was written.
    pub digest: Option<Hash>,
}

impl Front {
    /// The nodes right below it that a weekly or monthly node names as its sources.
    pub fn below(&self) -> Vec<Period> {
        let Some(level) = self.period.level().below() else {
            return Vec::new();
        };
        let stems = self.sources.iter().filter_map(|path| file_stem(path));
        stems.filter_map(|stem| level.period(stem)).collect()
    }
}

/// A topic as a node lists it: `auth [project]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicName {
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The date of the log, or the last date of the period that a summary speaks of.
    pub day: Day,
    /// Whether the lines are a log's own or a summary's.
    pub form: Form,
    /// Its first line in the body, counted from 0.
    pub first_line: usize,
    pub lines: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Log text, redacted.
    Raw,
    /// A summary in the sections of SPEC section 6.
    Summary,
    /// One entry, whole: a user or feedback entry that a summary keeps, or a late entry.
    Entry,
}

impl Form {
    const ALL: [Self; 3] = [Self::Raw, Self::Summary, Self::Entry];

    const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Summary => "summary",
            Self::Entry => "entry",
        }
    }
}

/// A 64-bit hash, written as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Hash(pub u64);

impl Node {
    /// Reads the node of a period; none when the text has no frontmatter of the right `type`, for then somebody keeps
    /// a file of their own there.
    pub fn read(period: Period, text: &str) -> Option<Self> {
        let cut = front::cut(text)?;
        let fields = front::fields(cut.front);
        let value = |key: &str| {
            fields
                .iter()
                .find(|(name, _)| *name == key)
                .map_or("", |(_, value)| value.as_str())
        };
        if Level::parse(&front::scalar(value("type"))) != Some(period.level()) {
            return None;
        }
        let optional = |key: &str| Some(front::scalar(value(key))).filter(|value| !value.is_empty());
        let mut front = Front {
            period,
            status: Status::parse(&front::scalar(value("status"))),
            sources: list(value("source-files"), |path| Some(path.to_owned())),
            topics: list(value("topics"), TopicName::read),
            mentions: list(value("mentions"), |item| {
                Mentioned::read(item, period.first_day())
            }),
            parts: list(value("parts"), Part::read),
            entries: list(value("entries"), UnitDigest::parse),
            late: list(value("late-entries"), late_group),
            built_from: optional("built-from").and_then(|value| Hash::read(&value)),
            generation: optional("generation")
                .and_then(|value| value.parse().ok())
                .unwrap_or(1),
            summarizer: optional("summarizer"),
            digest: optional("digest").and_then(|value| Hash::read(&value)),
        };
        // Somebody else's file has neither, and says nothing of mentions.
        let is_ours = front.generation > 1 || front.digest.is_some();
        if let Period::Day(day) = period
            && front.mentions.is_empty()
            && is_ours
        {
            front.mentions = vec![Mentioned { last: day, days: 1 }; front.topics.len()];
        }
        Some(Self {
            front,
            body: cut.body.to_owned(),
        })
    }

    pub fn print(&self) -> String {
        self.print_hashed().0
    }

    pub(super) fn print_hashed(&self) -> (String, Hash) {
        let front = &self.front;
        let mut out = String::new();
        let _ = write!(
            out,
            "---\ntype: {}\nstatus: {}\nperiod: {}\n",
            front.period.level(),
            front.status.name(),
            front.period
        );
        if !matches!(front.period, Period::Day(_)) {
            let _ = writeln!(
                out,
                "dates: {} to {}",
                front.period.first_day(),
                front.period.last_day()
            );
        }
        if let Period::Month(_) = front.period {
            let names: Vec<&str> = front.sources.iter().filter_map(|path| file_stem(path)).collect();
            let _ = writeln!(out, "weeks: {}", names.join(", "));
        }
        write_list(&mut out, "source-files", &front.sources);
        write_list(&mut out, "topics", &front.topics);
        let day = front.period.last_day();
        let is_plain = matches!(front.period, Period::Day(_))
            && front.mentions.iter().all(|mentioned| mentioned.is_plain(day));
        if !is_plain {
            let short = |mentioned: &Mentioned| mentioned.short(front.period.first_day());
            write_list(&mut out, "mentions", front.mentions.iter().map(short));
        }
        write_list(&mut out, "parts", &front.parts);
        if let Period::Day(_) = front.period {
            write_list(&mut out, "entries", &front.entries);
        }
        if !front.late.is_empty() {
            let late = front.late.iter().map(|(day, digests)| {
                let digests = digests.iter().map(|digest| format!(" {digest}"));
                format!("{day}{}", digests.collect::<String>())
            });
            write_list(&mut out, "late-entries", late);
        }
        if let Some(hash) = front.built_from {
            let _ = writeln!(out, "built-from: {hash}");
        }
        // The first generation did not count itself.
        if front.generation > 1 {
            let _ = writeln!(out, "generation: {}", front.generation);
        }
        let _ = writeln!(
            out,
            "summarizer: {}",
            front.summarizer.as_deref().unwrap_or("unknown")
        );
        out.push_str("---\n\n");
        out.push_str(&self.body);
        let content = content(&out);
        let digest = seal(content, front.status);
        out.insert_str(closing_line(&out), &format!("digest: {digest}\n"));
        (out, content)
    }

    /// The parts of the body with their text, in order. Empty when the node has no parts, or when they do not cover
    /// the body to its end: then somebody changed it, and the parts say nothing. The line that closes a fence or comment
    /// which the last part leaves open is no part.
    pub fn parts(&self) -> Vec<(Part, &str)> {
        let mut starts: Vec<usize> = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', self.body.as_bytes()).map(|at| at + 1));
        if starts.last() != Some(&self.body.len()) {
            starts.push(self.body.len());
        }
        let lines = starts.len() - 1;
        let mut reached = 0;
        let mut parts = Vec::with_capacity(self.front.parts.len());
        for &part in &self.front.parts {
            let Some(end) = part
                .first_line
                .checked_add(part.lines)
                .filter(|&end| end <= lines && reached <= part.first_line)
            else {
                return Vec::new();
            };
            parts.push((part, &self.body[starts[part.first_line]..starts[end]]));
            reached = end;
        }
        let rest = self.body[starts[reached]..].trim_end();
        let is_mark = rest == "-->" || (rest.len() > 2 && rest.trim_matches(['`', '~']).is_empty());
        let fits = rest.is_empty() || is_mark;
        if fits { parts } else { Vec::new() }
    }
}

/// The name of a file without folder and `.md`.
pub fn file_stem(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.strip_suffix(".md")
}

fn late_group(item: &str) -> Option<(Day, Vec<UnitDigest>)> {
    let mut words = item.split(' ');
    let day = Day::parse(words.next()?)?;
    Some((day, words.filter_map(UnitDigest::parse).collect()))
}

fn list<T>(value: &str, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let items = front::items(value);
    items.iter().filter_map(|item| read(item)).collect()
}

impl fmt::Display for TopicName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} [{}]", self.name, self.kind)
    }
}

impl TopicName {
    fn read(item: &str) -> Option<Self> {
        // Not as a heading is read: a name that ends in a mark of Markdown keeps it.
        let tagged = item.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let (name, kind) = match tagged.map(|(name, tag)| (name, tag.parse())) {
            Some((name, Ok(kind))) => (name.trim(), kind),
            _ => (item.trim(), Kind::Project),
        };
        (!name.is_empty()).then(|| Self {
            name: name.to_owned(),
            kind,
        })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            day,
            form,
            first_line,
            lines,
        } = self;
        write!(out, "{day} {} {first_line} {lines}", form.name())
    }
}

impl Part {
    fn read(item: &str) -> Option<Self> {
        let mut words = item.split(' ');
        let day = Day::parse(words.next()?)?;
        let word = words.next()?;
        let form = Form::ALL.into_iter().find(|form| form.name() == word)?;
        Some(Self {
            day,
            form,
            first_line: words.next()?.parse().ok()?,
            lines: words.next()?.parse().ok()?,
        })
    }
}

impl Hash {
    pub fn read(digits: &str) -> Option<Self> {
        (digits.len() == 16).then(|| u64::from_str_radix(digits, 16).ok().map(Self))?
    }

    /// The hash over a sequence of hashes and names, in order.
    pub fn of(parts: impl IntoIterator<Item = (impl AsRef<str>, u64)>) -> Self {
        let mut hasher = Xxh3::new();
        for (name, value) in parts {
            hasher.update(name.as_ref().as_bytes());
            hasher.update(&[0]);
            hasher.update(&value.to_le_bytes());
        }
        Self(hasher.digest())
    }

    pub fn of_bytes(bytes: impl AsRef<[u8]>) -> Self {
        Self(xxh3_64(bytes.as_ref()))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests;
