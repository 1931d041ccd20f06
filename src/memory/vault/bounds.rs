//! How much the vault holds on to (SPEC section 15): a superseded version for `vault.keepDays`, and all of them together
//! for no more than ten times the logs. What goes is the oldest superseded version, never the last good one of a log that
//! is gone, and never one that an open node is still made of.

use std::collections::BTreeMap;

use super::{Id, KeptLog, Standing};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use rustc_hash::FxHashSet;

/// All versions together may have so many times the bytes of the logs, each counted at its largest.
const TIMES_MAX: u64 = 10;

#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub keep_days: i64,
    pub today: Day,
}

/// Since when, of which log, which content of how many bytes, and which of its units are lost.
type Superseded<'a> = (Day, &'a str, Id, u64, Option<&'a [UnitDigest]>);

/// The versions to drop, oldest first, each with the path of its log. `is_needed` says whether some node that is not fixed is still made of a unit of a log,
/// or, asked without one, of any unit of the log's last version.
pub fn overdue(
    logs: &BTreeMap<String, KeptLog>,
    bounds: Bounds,
    mut is_needed: impl FnMut(&str, Option<&[UnitDigest]>) -> bool,
) -> Vec<(String, Id)> {
    let mut superseded: Vec<Superseded<'_>> = Vec::new();
    for (path, kept) in logs {
        for earlier in &kept.earlier {
            let version = earlier.version;
            superseded.push((
                earlier.since,
                path,
                version.id,
                version.bytes,
                Some(&earlier.lost),
            ));
        }
        if let Standing::Moved(since, _) = &kept.standing {
            superseded.push((*since, path, kept.last.id, kept.last.bytes, None));
        }
    }
    if superseded.is_empty() {
        return Vec::new();
    }
    superseded.sort_by_key(|(since, ..)| *since);
    let mut surplus = surplus(logs);
    let mut dropped = Vec::new();
    for (since, path, id, bytes, lost) in superseded {
        let is_old = bounds.today.days_since(since) > bounds.keep_days;
        if (is_old || surplus > 0) && !is_needed(path, lost) {
            surplus = surplus.saturating_sub(bytes);
            dropped.push((path.to_owned(), id));
        }
    }
    dropped
}

fn surplus(logs: &BTreeMap<String, KeptLog>) -> u64 {
    let mut counted: FxHashSet<Id> = FxHashSet::default();
    let versions = logs.values().flat_map(KeptLog::contents);
    let all: u64 = versions
        .filter(|version| counted.insert(version.id))
        .map(|version| version.bytes)
        .sum();
    let largest = |kept: &KeptLog| kept.contents().map(|version| version.bytes).max().unwrap_or(0);
    let base: u64 = logs.values().map(largest).sum();
    all.saturating_sub(base.saturating_mul(TIMES_MAX))
}
