//! What became of a raw log between two looks, and which earlier versions of it are still needed (SPEC section 15).
//!
//! A log that kept at least half of its lines was edited, which is respected. One that kept fewer, or is gone, was overwritten: its lost
//! entries stay in memory, told here by their digests.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::entry::{self, UnitDigest};
use super::{outside, text};

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

/// A text that was lost and is kept, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    pub log: String,
    /// The day on which it was seen, as a name.
    pub since: String,
    pub gone: bool,
    pub lines: u32,
    pub left: u32,
    /// How many entries are kept; 0 for a log that is gone, which is kept whole.
    pub entries: usize,
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

/// The units of `old` that `new` does not hold any more: neither as they were, nor line by line.
pub fn lost(old: &str, new: &str) -> Vec<UnitDigest> {
    let standing: HashSet<&str> = lines(new).collect();
    let there = entry::by_digest(new);
    let mut gone = Vec::new();
    for unit in entry::read(old).units() {
        let digest = entry::digest(unit.text);
        let is_there = there.contains_key(&digest) || lines(unit.text).all(|line| standing.contains(line));
        if !is_there && !gone.contains(&digest) {
            gone.push(digest);
        }
    }
    gone
}

/// The text of lost units, in order, cut from `told`: the old version itself, or what of it may go [outside](outside::text).
pub fn lost_text(old: &str, told: &str, lost: &[UnitDigest]) -> String {
    let units = entry::read(old).units();
    let units = units.filter(|unit| lost.contains(&entry::digest(unit.text)));
    let told = units.map(|unit| outside::lines(told, unit.line - 1, text::line_count(unit.text)));
    told.map(|text| format!("{}\n\n", text.trim_end())).collect()
}

/// Lost units as they can be appended to a log: what is no entry of the usual level gets a heading of its own.
pub fn as_log_text(lost: &str) -> String {
    let text = lost.trim_end();
    match text.starts_with("## ") {
        true => format!("{text}\n"),
        false => format!("## Restored\n\n{text}\n"),
    }
}

impl Earlier {
    /// What is kept of a version now that its log says something else; none when every line of it is still there.
    fn of(version: Version, since: Day, old: &str, new: &str) -> Option<Self> {
        let (left, of) = left(old, new);
        let lost = match left < of - left {
            true => lost(old, new),
            false => Vec::new(),
        };
        (left < of).then_some(Self { version, since, left, lost })
    }
}

impl KeptLog {
    /// The log has another content than it had: this text, which `seen` knows. `text_of` gives the text of an earlier version.
    pub fn changed(
        &mut self,
        seen: Self,
        text: &str,
        today: Day,
        mut text_of: impl FnMut(Id) -> Option<String>,
    ) {
        let mut earlier = Vec::new();
        for was in std::mem::take(&mut self.earlier) {
            if was.version.id == seen.last.id {
                continue;
            }
            // What was lost may come back: a writer that empties a log first, or somebody who mends it.
            let has_lost = !was.lost.is_empty();
            let old = has_lost.then(|| text_of(was.version.id)).flatten();
            earlier.extend(match old {
                Some(old) => Earlier::of(was.version, was.since, &old, text),
                None => Some(was),
            });
        }
        if self.last.id != seen.last.id
            && let Some(old) = text_of(self.last.id)
        {
            earlier.retain(|earlier| earlier.version.id != self.last.id);
            earlier.extend(Earlier::of(self.last, today, &old, text));
        }
        *self = Self { earlier, ..seen };
    }

    /// The units that were lost with earlier versions, each with the newest version that has it.
    pub fn lost(&self) -> Vec<(UnitDigest, Id)> {
        let mut known = HashSet::new();
        let newest_first = self.earlier.iter().rev().flat_map(|earlier| {
            let lost = earlier.lost.iter().rev();
            lost.map(|digest| (*digest, earlier.version.id))
        });
        let mut lost: Vec<_> = newest_first.filter(|(digest, _)| known.insert(*digest)).collect();
        lost.reverse();
        lost
    }

    pub fn replaced(&mut self, id: Id, seen: &Self) {
        if self.last.id == id {
            (self.last, self.text) = (seen.last, seen.text);
        }
        for earlier in self.earlier.iter_mut().filter(|earlier| earlier.version.id == id) {
            earlier.version = seen.last;
        }
    }

    /// Whether the log is gone, and what it said with it. One that said nothing is missed by nobody.
    pub fn is_gone(&self) -> bool {
        matches!(self.standing, Standing::Gone(_)) && self.last.lines > 0
    }

    pub fn losses(&self, path: &str) -> Vec<Loss> {
        let loss = |since: Day, lines, left, entries| Loss {
            log: path.to_owned(),
            since: since.to_string(),
            gone: entries == 0,
            lines,
            left,
            entries,
        };
        let overwritten = self.earlier.iter().filter(|was| !was.lost.is_empty());
        let overwritten = overwritten.map(|was| loss(was.since, was.version.lines, was.left, was.lost.len()));
        let gone = match self.standing {
            Standing::Gone(since) if self.is_gone() => Some(loss(since, self.last.lines, 0, 0)),
            _ => None,
        };
        overwritten.chain(gone).collect()
    }

    pub fn contents(&self) -> impl Iterator<Item = Version> {
        let earlier = self.earlier.iter().map(|earlier| earlier.version);
        earlier.chain([self.last])
    }
}

impl Loss {
    /// What happened, in words that follow the log's path.
    pub fn words(&self) -> String {
        let (since, lines) = (&self.since, self.lines);
        if self.gone {
            return format!("is gone since {since}; its {lines} lines are kept in the vault and in memory");
        }
        let entries = match self.entries {
            1 => "1 entry that it lost is".to_owned(),
            entries => format!("{entries} entries that it lost are"),
        };
        let left = self.left;
        format!(
            "was overwritten on {since}, {left} of {lines} lines are left; {entries} kept in the vault and in memory"
        )
    }
}

/// All versions together may have so many times the bytes of the logs, each counted at its largest.
const TIMES_MAX: u64 = 10;

/// The versions to drop, oldest first, each with the path of its log: superseded ones after so many days, or when all together have more
/// than ten times the bytes of the logs (SPEC section 15); never the last good one of a log that is gone, and never one that an open node
/// is still made of. `is_needed` says whether a node that is not fixed is made of one of these units of a log, or, asked without them, of
/// any unit of the log's last version.
pub fn overdue(
    logs: &BTreeMap<String, KeptLog>,
    keep_days: i64,
    today: Day,
    mut is_needed: impl FnMut(&str, Option<&[UnitDigest]>) -> bool,
) -> Vec<(String, Id)> {
    let mut superseded: Vec<(Day, &str, Version, Option<&[UnitDigest]>)> = Vec::new();
    for (path, kept) in logs {
        let earlier = kept.earlier.iter();
        superseded.extend(earlier.map(|was| (was.since, path.as_str(), was.version, Some(&*was.lost))));
        if let Standing::Moved(since, _) = kept.standing {
            superseded.push((since, path, kept.last, None));
        }
    }
    superseded.sort_by_key(|(since, ..)| *since);
    let mut counted: HashSet<Id> = HashSet::new();
    let versions = logs.values().flat_map(KeptLog::contents);
    let versions = versions.filter(|version| counted.insert(version.id));
    let all: u64 = versions.map(|version| version.bytes).sum();
    let largest = |kept: &KeptLog| kept.contents().map(|version| version.bytes).max().unwrap_or(0);
    let base: u64 = logs.values().map(largest).sum();
    let mut surplus = all.saturating_sub(base.saturating_mul(TIMES_MAX));
    let mut dropped = Vec::new();
    for (since, path, version, lost) in superseded {
        let is_old = today.days_since(since) > keep_days;
        if (is_old || surplus > 0) && !is_needed(path, lost) {
            surplus = surplus.saturating_sub(version.bytes);
            dropped.push((path.to_owned(), version.id));
        }
    }
    dropped
}

#[cfg(test)]
mod tests;
