//! What became of a raw log between two looks, and which earlier versions of it are still needed (SPEC section 15).
//!
//! A log that grew has lost nothing. One that kept at least half of its lines was edited, which is respected. One that
//! kept fewer, or is gone, was overwritten: its lost entries stay in memory, told here by their digests.

mod bounds;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::entry::{self, UnitDigest};
use super::{outside, text};

pub use bounds::{Bounds, overdue};

/// What a content is known by: a hash over its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Id(pub u128);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    pub id: Id,
    pub bytes: u64,
    /// How many lines that say something.
    pub lines: u32,
}

/// What is known of a raw log that was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLog {
    pub last: Version,
    /// The hash of its decoded text, as an inventory has it.
    pub text: u64,
    pub mode: u32,
    pub standing: Standing,
    /// The versions before that lost text, oldest first.
    pub earlier: Vec<Earlier>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It is.
    There,
    /// It is gone since then, and so is its content.
    Gone(Day),
    /// It is gone since then, and a file of the same content is there, named by its path from the workspace.
    Moved(Day, String),
}

/// A version that was superseded by one without all of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    pub version: Version,
    pub since: Day,
    /// How many of its lines the log held when it was last looked at.
    pub left: u32,
    /// The units that an overwrite lost and that have not come back; none after an edit.
    pub lost: Vec<UnitDigest>,
}

#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub id: Id,
    pub bytes: u64,
    pub mode: u32,
    /// The hash of its decoded text.
    pub hash: u64,
    pub text: &'a str,
}

/// A text that was lost and is kept, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    pub log: String,
    /// The day on which it was seen, as a name.
    pub since: String,
    /// Whether the log is gone, rather than overwritten.
    pub gone: bool,
    /// How many lines the lost version had.
    pub lines: u32,
    pub left: u32,
    /// How many entries are kept; 0 for a log that is gone, which is kept whole.
    pub entries: usize,
}

/// What a new version has done to an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Every line is still there.
    Grew,
    /// At least half of the lines are.
    Edited,
    /// Fewer are.
    Overwritten,
}

/// The lines of a text that say something, without the white space at their ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty())
}

pub fn line_count(text: &str) -> u32 {
    u32::try_from(lines(text).count()).unwrap_or(u32::MAX)
}

/// How many lines of `old` are left in `new`, wherever, and how many it had.
pub fn left(old: &str, new: &str) -> (u32, u32) {
    let mut standing: HashMap<&str, u32> = HashMap::new();
    for line in lines(new) {
        *standing.entry(line).or_default() += 1;
    }
    let (mut kept, mut of) = (0, 0);
    for line in lines(old) {
        of += 1;
        if let Some(count) = standing.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            kept += 1;
        }
    }
    (kept, of)
}

/// What became of a text with so many lines left, of so many.
pub fn change((kept, of): (u32, u32)) -> Change {
    if kept == of {
        Change::Grew
    } else if kept < of - kept {
        Change::Overwritten
    } else {
        Change::Edited
    }
}

/// The units of `old` that `new` does not hold any more: neither as they were, nor line by line.
pub fn lost(old: &str, new: &str) -> Vec<UnitDigest> {
    let standing: HashSet<&str> = lines(new).collect();
    let units = |text| entry::read(text).units();
    let there: HashSet<UnitDigest> = units(new).map(|unit| entry::digest(unit.text)).collect();
    let mut gone = Vec::new();
    for unit in units(old) {
        let digest = entry::digest(unit.text);
        let is_there = there.contains(&digest) || lines(unit.text).all(|line| standing.contains(line));
        if !is_there && !gone.contains(&digest) {
            gone.push(digest);
        }
    }
    gone
}

/// The text of lost units, in the order in which they stood. It is cut from `told`: the old version itself, or what of it may
/// go [outside](outside::text).
pub fn lost_text(old: &str, told: &str, lost: &[UnitDigest]) -> String {
    let units = entry::read(old).units();
    units
        .filter(|unit| lost.contains(&entry::digest(unit.text)))
        .map(|unit| {
            let text = outside::lines(told, unit.line - 1, text::line_count(unit.text));
            format!("{}\n\n", text.trim_end())
        })
        .collect()
}

/// Lost units as they can be appended to a log: what is no entry of the usual level gets a heading to stand under, lest it
/// become a part of the entry before.
pub fn as_log_text(lost: &str) -> String {
    let text = lost.trim_end();
    if text.starts_with("## ") {
        format!("{text}\n")
    } else {
        format!("## Restored\n\n{text}\n")
    }
}

impl Seen<'_> {
    fn version(&self) -> Version {
        Version {
            id: self.id,
            bytes: self.bytes,
            lines: line_count(self.text),
        }
    }
}

impl KeptLog {
    pub fn new(seen: &Seen<'_>) -> Self {
        Self {
            last: seen.version(),
            text: seen.hash,
            mode: seen.mode,
            standing: Standing::There,
            earlier: Vec::new(),
        }
    }

    /// The log has another content than it had. `text_of` gives the text of an earlier version, if it can be read.
    pub fn changed(&mut self, seen: &Seen<'_>, today: Day, mut text_of: impl FnMut(Id) -> Option<String>) {
        self.earlier.retain_mut(|earlier| {
            if earlier.version.id == seen.id {
                return false;
            }
            if earlier.lost.is_empty() {
                return true;
            }
            let Some(old) = text_of(earlier.version.id) else {
                return true;
            };
            // What was lost may come back: a writer that empties a log first, or somebody who mends it.
            let now = left(&old, seen.text);
            earlier.left = now.0;
            let is_lost = change(now) == Change::Overwritten;
            earlier.lost = if is_lost {
                lost(&old, seen.text)
            } else {
                Vec::new()
            };
            change(now) != Change::Grew
        });
        if let Some(old) = text_of(self.last.id).filter(|_| self.last.id != seen.id) {
            let now = left(&old, seen.text);
            let is_lost = change(now) == Change::Overwritten;
            self.earlier.retain(|earlier| earlier.version.id != self.last.id);
            if change(now) != Change::Grew {
                self.earlier.push(Earlier {
                    version: self.last,
                    since: today,
                    left: now.0,
                    lost: if is_lost {
                        lost(&old, seen.text)
                    } else {
                        Vec::new()
                    },
                });
            }
        }
        *self = Self {
            earlier: std::mem::take(&mut self.earlier),
            ..Self::new(seen)
        };
    }

    /// Whether any unit was lost with an earlier version.
    pub fn has_losses(&self) -> bool {
        self.earlier.iter().any(|earlier| !earlier.lost.is_empty())
    }

    /// The units that were lost with earlier versions, each with the newest version that has it.
    pub fn lost(&self) -> Vec<(UnitDigest, Id)> {
        let mut known = HashSet::new();
        let mut lost: Vec<(UnitDigest, Id)> = Vec::new();
        for earlier in self.earlier.iter().rev() {
            let new: Vec<_> = earlier
                .lost
                .iter()
                .filter(|digest| known.insert(**digest))
                .map(|digest| (*digest, earlier.version.id))
                .collect();
            lost.splice(0..0, new);
        }
        lost
    }

    pub fn replaced(&mut self, id: Id, seen: &Seen<'_>) {
        if self.last.id == id {
            self.last = seen.version();
            self.text = seen.hash;
        }
        for earlier in self.earlier.iter_mut().filter(|earlier| earlier.version.id == id) {
            earlier.version = seen.version();
        }
    }

    /// Whether the log is gone, and what it said with it. One that said nothing is missed by nobody.
    pub fn is_gone(&self) -> bool {
        matches!(self.standing, Standing::Gone(_)) && self.last.lines > 0
    }

    /// What the log, which is at this path, has lost.
    pub fn losses(&self, path: &str) -> Vec<Loss> {
        let overwritten = self.earlier.iter().filter(|earlier| !earlier.lost.is_empty());
        let mut losses: Vec<Loss> = overwritten
            .map(|earlier| Loss {
                log: path.to_owned(),
                since: earlier.since.to_string(),
                gone: false,
                lines: earlier.version.lines,
                left: earlier.left,
                entries: earlier.lost.len(),
            })
            .collect();
        if let Standing::Gone(since) = self.standing
            && self.is_gone()
        {
            losses.push(Loss {
                log: path.to_owned(),
                since: since.to_string(),
                gone: true,
                lines: self.last.lines,
                left: 0,
                entries: 0,
            });
        }
        losses
    }

    pub fn contents(&self) -> impl Iterator<Item = Version> {
        let earlier = self.earlier.iter().map(|earlier| earlier.version);
        earlier.chain([self.last])
    }
}

impl Loss {
    /// What happened, in words that follow the log's path.
    pub fn words(&self) -> String {
        let Self {
            since, lines, left, ..
        } = self;
        if self.gone {
            return format!("is gone since {since}; its {lines} lines are kept in the vault and in memory");
        }
        let entries = if self.entries == 1 {
            "1 entry that it lost is".to_owned()
        } else {
            format!("{} entries that it lost are", self.entries)
        };
        format!(
            "was overwritten on {since}, {left} of {lines} lines are left; {entries} kept in the vault and in memory"
        )
    }
}

#[cfg(test)]
mod tests;
