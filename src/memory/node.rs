//! A node as a value: frontmatter and body, parsed leniently and printed strictly (SPEC section 6).
//!
//! Besides the fields that SPEC names, a node written here carries what the rules need:
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
//! | `digest` | a hash over all of the above, the status and the body; a node without it was written by somebody else |

use std::fmt::{self, Display, Write as _};

use xxhash_rust::xxh3::Xxh3;

use super::calendar::Day;
use super::entry::{Kind, UnitDigest};
use super::level::{Level, Period, Status};
pub use super::text::Hash;
use super::text::unbroken;

/// Nothing shorter than this many bytes is ever written as a node (SPEC section 5).
pub const NODE_BYTES_MIN: usize = 50;

/// Counts the versions of this program that make other text of the same sources: it goes up by one with each. What an earlier one wrote
/// stays good: fixed nodes keep their bytes for ever and are not made again by `verify`, open ones are built anew at the next cycle.
pub const GENERATION: u32 = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub front: Front,
    /// Without the blank line behind the frontmatter.
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
    pub parts: Vec<Part>,
    pub entries: Vec<UnitDigest>,
    pub late: Vec<(Day, Vec<UnitDigest>)>,
    pub built_from: Option<Hash>,
    pub generation: u32,
    pub summarizer: Option<String>,
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

/// When a topic was last mentioned, and on how many days it was: `14 3`, fourteen days after the first of the period, and on three days.
/// Earlier generations wrote the date, `2026-03-15 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mentioned {
    pub last: Day,
    /// The number of days with a mention that was no passing note (SPEC section 7): 0 keeps a topic out of ROOT.
    pub days: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The date of the log, or the last date of the period that a summary speaks of.
    pub day: Day,
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

named!(Form: Raw = "raw", Summary = "summary", Entry = "entry");

impl Node {
    /// Reads the node of a period; none when the text has no frontmatter of the right `type`: somebody's own file.
    pub fn read(period: Period, text: &str) -> Option<Self> {
        let cut = cut(text)?;
        let fields = fields(cut.front);
        let value = |key: &str| {
            let field = fields.iter().find(|(name, _)| *name == key);
            field.map_or("", |(_, value)| value.as_str())
        };
        if Level::parse(&scalar(value("type"))) != Some(period.level()) {
            return None;
        }
        let optional = |key: &str| Some(scalar(value(key))).filter(|value| !value.is_empty());
        let hash = |key: &str| optional(key).and_then(|value| Hash::read(&value));
        let generation = optional("generation").and_then(|value| value.parse().ok());
        let first = period.first_day();
        let mut front = Front {
            period,
            // Of all it loses nothing.
            status: Status::parse(&scalar(value("status"))).unwrap_or(Status::Tentative),
            sources: list(value("source-files"), |path| Some(path.to_owned())),
            topics: list(value("topics"), TopicName::read),
            mentions: list(value("mentions"), |item| Mentioned::read(item, first)),
            parts: list(value("parts"), Part::read),
            entries: list(value("entries"), UnitDigest::read),
            late: list(value("late-entries"), late_group),
            built_from: hash("built-from"),
            generation: generation.unwrap_or(1),
            summarizer: optional("summarizer"),
            digest: hash("digest"),
        };
        // Somebody else's file has neither, and says nothing of mentions.
        let is_ours = front.generation > 1 || front.digest.is_some();
        if is_ours && front.mentions.is_empty() && period.level() == Level::Daily {
            front.mentions = vec![Mentioned { last: first, days: 1 }; front.topics.len()];
        }
        let body = cut.body.to_owned();
        Some(Self { front, body })
    }

    pub fn print(&self) -> String {
        let front = &self.front;
        let Front { period, status, .. } = front;
        let (level, first, last) = (period.level(), period.first_day(), period.last_day());
        let mut out = format!("---\ntype: {level}\nstatus: {status}\nperiod: {period}\n");
        if level != Level::Daily {
            let _ = writeln!(out, "dates: {first} to {last}");
        }
        if level == Level::Monthly {
            let names: Vec<&str> = front.sources.iter().filter_map(|path| file_stem(path)).collect();
            let _ = writeln!(out, "weeks: {}", names.join(", "));
        }
        write_list(&mut out, "source-files", &front.sources);
        write_list(&mut out, "topics", &front.topics);
        // What goes without saying in a day's node is not written: one mention, on the date itself.
        let plain = Mentioned { last, days: 1 };
        if level != Level::Daily || front.mentions.iter().any(|mentioned| *mentioned != plain) {
            let short = |mentioned: &Mentioned| mentioned.short(first);
            write_list(&mut out, "mentions", front.mentions.iter().map(short));
        }
        write_list(&mut out, "parts", &front.parts);
        if level == Level::Daily {
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
        let by = front.summarizer.as_deref().unwrap_or("unknown");
        let _ = write!(out, "summarizer: {by}\n---\n\n{}", self.body);
        let digest = seal(content(&out), *status);
        out.insert_str(cut(&out).map_or(0, |cut| cut.end), &format!("digest: {digest}\n"));
        out
    }

    /// The parts of the body with their text, in order. Empty when they do not cover the body to its end: then somebody changed it. The line
    /// that closes a fence or comment which the last part leaves open is no part.
    pub fn parts(&self) -> Vec<(Part, &str)> {
        let mut starts: Vec<usize> = vec![0];
        for line in self.body.split_inclusive('\n') {
            starts.push(starts[starts.len() - 1] + line.len());
        }
        let mut reached = 0;
        let mut parts = Vec::with_capacity(self.front.parts.len());
        for &part in &self.front.parts {
            let end = part.first_line.saturating_add(part.lines);
            if end >= starts.len() || reached > part.first_line {
                return Vec::new();
            }
            parts.push((part, &self.body[starts[part.first_line]..starts[end]]));
            reached = end;
        }
        let rest = self.body[starts[reached]..].trim_end();
        let is_mark = rest == "-->" || (rest.len() > 2 && rest.trim_matches(['`', '~']).is_empty());
        if rest.is_empty() || is_mark { parts } else { Vec::new() }
    }
}

/// The name of a file without folder and `.md`.
pub fn file_stem(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.strip_suffix(".md")
}

fn late_group(item: &str) -> Option<(Day, Vec<UnitDigest>)> {
    let mut words = item.split(' ');
    let day = Day::parse(words.next()?)?;
    Some((day, words.filter_map(UnitDigest::read).collect()))
}

fn list<T>(value: &str, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let items = items(value);
    items.iter().filter_map(|item| read(item)).collect()
}

impl Display for TopicName {
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
        (!name.is_empty()).then(|| Self { name: name.to_owned(), kind })
    }
}

impl Mentioned {
    /// Reads one of a node whose period begins on that day. Earlier generations noted more behind the two.
    fn read(item: &str, first: Day) -> Option<Self> {
        let mut words = item.split(' ');
        let last = words.next()?;
        let after = || Some(first.plus(i64::from(last.parse::<i16>().ok()?)));
        let last = Day::parse(last).or_else(after)?;
        let days = words.next().map_or(Some(1), |word| word.parse().ok())?;
        Some(Self { last, days })
    }

    fn short(self, first: Day) -> String {
        // What cannot be read again as so many days is written as earlier generations did.
        let after = i16::try_from(self.last.days_since(first));
        let last = after.map_or_else(|_| self.last.to_string(), |after| after.to_string());
        match self.days {
            1 => last,
            days => format!("{last} {days}"),
        }
    }
}

impl Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {} {}", self.day, self.form, self.first_line, self.lines)
    }
}

impl Part {
    fn read(item: &str) -> Option<Self> {
        let mut words = item.split(' ');
        let day = Day::parse(words.next()?)?;
        Some(Self {
            day,
            form: Form::parse(words.next()?)?,
            first_line: words.next()?.parse().ok()?,
            lines: words.next()?.parse().ok()?,
        })
    }
}

/// The hash over a node's text without its `status` and `digest`, so that a change of status alone makes nothing above it due.
pub fn content(text: &str) -> Hash {
    let Some(cut) = cut(text) else {
        return Hash::of_bytes(text);
    };
    let mut hasher = Xxh3::new();
    let is_kept = |line: &&str| !line.starts_with("status:") && !line.starts_with("digest:");
    for line in cut.front.split_inclusive('\n').filter(is_kept) {
        hasher.update(line.as_bytes());
    }
    hasher.update(cut.body.as_bytes());
    Hash(hasher.digest())
}

/// Whether a node's text is, byte for byte, what its digest was made of. None: it has no digest, somebody else wrote it.
pub fn is_intact(text: &str) -> Option<bool> {
    let cut = cut(text)?;
    let line = |key: &str| cut.front.lines().find(|line| line.starts_with(key));
    let digest = line("digest:")?;
    let word = line("status:").and_then(|line| line.strip_prefix("status: "));
    let status = word.and_then(Status::parse);
    Some(
        status.is_some_and(|status| digest == format!("digest: {}", seal(content(text), status)))
            && text[cut.end..].starts_with("---\n\n"),
    )
}

/// The same text under another status; every other byte stays, but for the digest of a node that has one.
pub fn with_status(text: &str, status: Status) -> String {
    let Some(cut) = cut(text) else {
        return text.to_owned();
    };
    let intact = is_intact(text) == Some(true);
    let status_line = format!("status: {status}\n");
    let digest_line = format!("digest: {}\n", seal(content(text), status));
    let has_status = cut.front.lines().any(|line| line.starts_with("status:"));
    let lines = cut.front.split_inclusive('\n').map(|old| match old {
        _ if old.starts_with("status:") => &status_line,
        _ if intact && old.starts_with("digest:") => &digest_line,
        _ => old,
    });
    let front: String = lines.collect();
    let lead = if has_status { "" } else { &status_line };
    [&text[..cut.start], lead, &front, &text[cut.end..]].concat()
}

fn seal(content: Hash, status: Status) -> Hash {
    let mut hasher = Xxh3::new();
    hasher.update(&content.0.to_le_bytes());
    hasher.update(status.name().as_bytes());
    Hash(hasher.digest())
}

#[derive(Clone, Copy)]
struct Cut<'a> {
    start: usize,
    /// Where the closing line begins.
    end: usize,
    front: &'a str,
    /// Everything after the closing line, one blank line of it left out.
    body: &'a str,
}

/// Cuts off the frontmatter; none when the text does not start with one that ends.
fn cut<'a>(text: &'a str) -> Option<Cut<'a>> {
    let without_end = |line: &'a str| line.strip_prefix("\r\n").or_else(|| line.strip_prefix('\n'));
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let inside = without_end(bare.strip_prefix("---")?)?;
    let is_closing = |line: &&str| line.starts_with("---") && line["---".len()..].trim().is_empty();
    let closing = inside.split_inclusive('\n').find(is_closing)?;
    let front = &inside[..closing.as_ptr().addr() - inside.as_ptr().addr()];
    let behind = &inside[front.len() + closing.len()..];
    Some(Cut {
        start: text.len() - inside.len(),
        end: text.len() - inside.len() + front.len(),
        front,
        body: without_end(behind).unwrap_or(behind),
    })
}

/// The fields of a frontmatter, in order: key, and value as written. The items of a block list (`- a` lines below the
/// key) become a flow list of quoted items; a flow list over several lines becomes one line.
fn fields(front: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in front.lines() {
        let inner = line.trim();
        let is_open = |value: &str| value.is_empty() || value.starts_with('[') && !value.ends_with(']');
        let open = fields.last_mut().filter(|(_, value)| is_open(value));
        match (open, inner.strip_prefix("- ")) {
            (Some((_, value)), Some(item)) => {
                value.push_str(if value.is_empty() { "[" } else { ", " });
                match item.trim() {
                    quoted if quoted.starts_with(['"', '\'']) => value.push_str(quoted),
                    plain => value.push_str(&quoted(&unbroken(plain))),
                }
            }
            (Some((_, value)), None) if !value.is_empty() && line.starts_with([' ', '\t']) => {
                value.push(' ');
                value.push_str(inner);
            }
            _ if line.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                let field = line.split_once(':');
                fields.extend(field.map(|(key, value)| (key.trim_end(), value.trim().to_owned())));
            }
            _ => {}
        }
    }
    fields
}

/// The items of a list in any form found in the wild: `a, b`, `[a, b]`, `["a", 'b']`, and `[a [project], b [user]]`, which is not YAML.
fn items(value: &str) -> Vec<String> {
    let value = value.trim();
    let inside = value.strip_prefix('[');
    let list = inside.map_or(value, |rest| rest.strip_suffix(']').unwrap_or(rest));
    let mut items = Vec::new();
    let (mut item, mut quote, mut depth, mut escaped) = (String::new(), None, 0_usize, false);
    for letter in list.chars() {
        match (quote, letter) {
            (Some('"'), _) if escaped => {
                item.push(match letter {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                escaped = false;
            }
            (Some('"'), '\\') => escaped = true,
            (Some(mark), _) if mark == letter => quote = None,
            (Some(_), _) => item.push(letter),
            (None, '"' | '\'') if item.trim().is_empty() => quote = Some(letter),
            (None, ',') if depth == 0 => push(&mut items, &mut item),
            (None, _) => {
                match letter {
                    '[' => depth += 1,
                    ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                item.push(letter);
            }
        }
    }
    push(&mut items, &mut item);
    items
}

/// Takes an item in as it would be printed, so that what is read and printed reads the same.
fn push(items: &mut Vec<String>, item: &mut String) {
    let printed = unbroken(item).trim().to_owned();
    items.extend(Some(printed).filter(|printed| !printed.is_empty()));
    item.clear();
}

/// One plain value of a field: quotes around it and a comment behind it are cut.
fn scalar(value: &str) -> String {
    let value = value.trim();
    match value.chars().next() {
        Some('"' | '\'') => items(value).into_iter().next().unwrap_or_default(),
        _ => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

/// Writes `key: [a, b]`, each item quoted when a YAML parser might take it for something else than text.
fn write_list<I: Display>(out: &mut String, key: &str, items: impl IntoIterator<Item = I>) {
    let items = items.into_iter().map(|item| {
        let item = unbroken(&item.to_string());
        if is_plain(&item) { item } else { quoted(&item) }
    });
    let _ = writeln!(out, "{key}: [{}]", items.collect::<Vec<_>>().join(", "));
}

fn is_plain(item: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"./_- ".contains(&byte);
    item.starts_with(|first: char| first.is_ascii_alphanumeric())
        && !item.ends_with(' ')
        && item.bytes().all(is_letter)
}

fn quoted(item: &str) -> String {
    serde_json::Value::from(item).to_string()
}

#[cfg(test)]
mod tests;
