//! What lies in a workspace, as the daemon hands it in: raw logs by date, nodes by period, ROOT. Facts only, no
//! texts, so that ten years of them fit into a megabyte.

mod late;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::entry::UnitDigest;
use super::level::{Level, Period, Status};
use super::node::Hash;
use super::trigger::Counters;

pub use late::{Late, LateUnit, Place};

#[derive(Debug, Clone, Default)]
pub struct Inventory {
    /// The raw logs of each date that has any: the plain log first, then session files in name order.
    pub logs: BTreeMap<Day, Vec<Log>>,
    /// What stands where a node belongs. Daily before weekly before monthly, each in order of time.
    pub nodes: BTreeMap<Period, Known>,
    /// The units that overwritten logs of each date have lost, as the vault keeps them (SPEC section 15).
    pub lost: BTreeMap<Day, Vec<UnitDigest>>,
    pub root: Root,
    pub summaries: Summaries,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// Its path from the workspace: `memory/2026-03-15.md`.
    pub path: String,
    /// What is in it, as far as it was looked at.
    pub content: Content,
    /// Whether the log itself is gone: the text is the vault's.
    pub is_gone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nobody has looked yet, because nothing hangs on it.
    Unread,
    /// It cannot be read; the reason was reported.
    Unreadable,
    Read(LogFacts),
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogFacts {
    pub hash: u64,
    pub units: Vec<UnitFacts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitFacts {
    pub digest: UnitDigest,
    pub lines: u32,
    /// Whether it is an entry with a heading, which counts as a checkpoint, rather than a paragraph.
    pub checkpoint: bool,
    /// Whether the daemon appended it itself: the working-state snapshot, which counts as nothing.
    pub snapshot: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    Node(NodeFacts),
    /// Somebody's file, which is no node: it was reported, and stays untouched.
    Blocked,
    /// A file that cannot be read just now: it was reported, and what is made of it stays as it is.
    Unreadable,
    /// What is left of a node of ours, and says nothing any more: a node is made anew in its place.
    Garbled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeFacts {
    pub status: Status,
    /// The hash of its text without status.
    pub content: Hash,
    /// The hash over its sources when it was made: its own word, or, for a node of somebody else's, what its sources
    /// were when it was first seen.
    pub built_from: Option<Hash>,
    /// Whether it says nothing yet: an older tool's note that a summary is to come.
    pub placeholder: bool,
    /// Whether the body is a summary rather than its sources verbatim.
    pub summarized: bool,
    /// Whether somebody else than the built-in summarizer wrote that summary.
    pub answered: bool,
    /// Whether it was written here and somebody changed it since.
    pub touched: bool,
    /// Weekly and monthly: the periods that it was built from.
    pub sources: Vec<Period>,
    /// Daily: the digests of the units of its own logs.
    pub entries: Vec<UnitDigest>,
    /// Daily: the units of other dates that it carries.
    pub late: Vec<(Day, Vec<UnitDigest>)>,
}

/// What is known of the summaries that a command or an agent writes (SPEC section 8). Each is bound to what its node
/// was built from: for other sources it says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summaries {
    /// A checked summary waits to be put in place.
    pub ready: BTreeMap<Period, Hash>,
    /// The command was asked as often as it may be; the extractive summary stays.
    pub given_up: BTreeMap<Period, Hash>,
    /// What an agent wrote in place of a summary is none; whether it may not even stay until its sources change.
    pub refused: BTreeMap<Period, bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Root {
    pub exists: bool,
    pub day: Option<Day>,
    /// The hash over the monthly nodes that it was made from.
    pub built_from: Option<Hash>,
    pub tokens_max: usize,
    /// Whether somebody changed it since it was written.
    pub touched: bool,
    /// Whether something that is no regular file stands in its place.
    pub blocked: bool,
}

impl Root {
    pub fn hold_to(&mut self, tokens_max: usize) {
        if self.tokens_max != tokens_max {
            self.built_from = None;
        }
    }
}

impl Log {
    /// Whether it says something: one nobody has looked at may.
    pub fn may_say_something(&self) -> bool {
        self.facts().is_none_or(|facts| !facts.is_empty())
    }

    pub fn facts(&self) -> Option<&LogFacts> {
        match &self.content {
            Content::Read(facts) => Some(facts),
            Content::Unread | Content::Unreadable => None,
        }
    }

    pub fn units(&self) -> &[UnitFacts] {
        self.facts().map_or(&[], |facts| &facts.units)
    }
}

impl LogFacts {
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }
}

impl Inventory {
    pub fn node(&self, period: Period) -> Option<&NodeFacts> {
        match self.nodes.get(&period) {
            Some(Known::Node(facts)) => Some(facts),
            _ => None,
        }
    }

    /// Whether no node can be put in a period's place, because of what stands there.
    pub fn is_blocked(&self, period: Period) -> bool {
        matches!(self.nodes.get(&period), Some(Known::Blocked | Known::Unreadable))
    }

    pub fn logs_of(&self, day: Day) -> &[Log] {
        self.logs.get(&day).map_or(&[], Vec::as_slice)
    }

    /// Whether a date may have a daily node of its own: it has one, or its week and month can still take it in
    /// (SPEC section 4, late data).
    pub fn may_have_daily(&self, day: Day) -> bool {
        if let Some(Known::Node(_) | Known::Unreadable) = self.nodes.get(&Period::Day(day)) {
            return true;
        }
        let (week, month) = (Period::Week(day.week()), Period::Month(day.node_month()));
        let closed = |above: Period, source: Period| {
            self.node(above)
                .is_some_and(|node| node.status == Status::Fixed && !node.sources.contains(&source))
        };
        !closed(week, Period::Day(day)) && !closed(month, week)
    }

    /// The logs nobody has looked at on which a plan hangs: those of days with a node, and of days that may have
    /// none any more. As `(date, place)`.
    pub fn unread(&self) -> Vec<(Day, usize)> {
        let needed = |day: Day| {
            self.node(Period::Day(day)).is_some() || !self.may_have_daily(day) || self.lost.contains_key(&day)
        };
        let mut unread = self.unread_logs();
        unread.retain(|(day, _)| needed(*day));
        unread
    }

    /// All logs nobody has looked at, as `(date, place)`.
    pub fn unread_logs(&self) -> Vec<(Day, usize)> {
        let mut unread = Vec::new();
        for (&day, logs) in &self.logs {
            let logs = logs.iter().enumerate();
            let logs = logs.filter(|(_, log)| log.content == Content::Unread);
            unread.extend(logs.map(|(place, _)| (day, place)));
        }
        unread
    }

    /// The lines and entries of logs that no daily node covers (SPEC section 10). The daemon's own appends count as nothing,
    /// and so does what a day says in the same words as before. Of a day whose node cannot be read nobody knows.
    pub fn uncovered(&self) -> Counters {
        let mut covered: HashMap<Day, HashSet<UnitDigest>> = HashMap::new();
        for (period, node) in self.level(Level::Daily) {
            let own = covered.entry(period.first_day()).or_default();
            own.extend(&node.entries);
            for (day, digests) in &node.late {
                covered.entry(*day).or_default().extend(digests);
            }
        }
        let mut counters = Counters::default();
        for (day, logs) in &self.logs {
            if self.nodes.get(&Period::Day(*day)) == Some(&Known::Unreadable) {
                continue;
            }
            let covered = covered.get(day);
            let is_covered = |unit: &UnitFacts| covered.is_some_and(|known| known.contains(&unit.digest));
            let units = logs.iter().flat_map(Log::units);
            for unit in units.filter(|unit| !unit.snapshot && !is_covered(unit)) {
                counters.raw_lines += u64::from(unit.lines);
                counters.checkpoints += u64::from(unit.checkpoint);
            }
        }
        counters
    }

    /// The nodes that a period's node is made of, each with its content.
    pub fn below(&self, period: Period) -> impl Iterator<Item = (Period, Hash)> {
        let below = period.below().into_iter();
        below.filter_map(|below| Some((below, self.node(below)?.content)))
    }

    pub fn level(&self, level: Level) -> impl Iterator<Item = (Period, &NodeFacts)> {
        let periods = self.nodes.keys().filter(move |period| period.level() == level);
        periods.filter_map(|&period| Some((period, self.node(period)?)))
    }
}

#[cfg(test)]
mod tests;
