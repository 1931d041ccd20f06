//! What lies in a workspace: raw logs by date, nodes by period, ROOT. Facts only, no texts: ten years of them fit into a megabyte.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::entry::UnitDigest;
use super::level::{Level, Period, Status};
use super::node::Hash;
use super::trigger::Counters;

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
    /// What is in it; none when it cannot be read, for a reason that was reported.
    pub facts: Option<LogFacts>,
    /// Whether the log itself is gone: the text is the vault's.
    pub is_gone: bool,
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
    /// The hash over its sources when it was made, or, for a node of somebody else's, when it was first seen.
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

/// The summaries that a command or an agent writes (SPEC section 8), each bound to what its node was built from.
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

impl NodeFacts {
    /// The units that the daily node of a date covers, each with the date of its log.
    pub fn units(&self, own: Day) -> impl Iterator<Item = (Day, UnitDigest)> {
        let entries = self.entries.iter().map(move |digest| (own, *digest));
        entries.chain(self.late_units())
    }

    pub fn late_units(&self) -> impl Iterator<Item = (Day, UnitDigest)> {
        let late = self.late.iter();
        late.flat_map(|(day, digests)| digests.iter().map(|digest| (*day, *digest)))
    }
}

impl Log {
    pub fn units(&self) -> &[UnitFacts] {
        self.facts.as_ref().map_or(&[], |facts| &facts.units)
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

    /// Whether a log of a date says something: one that cannot be read may.
    pub fn may_say_something(&self, day: Day) -> bool {
        let mut logs = self.logs_of(day).iter();
        logs.any(|log| log.facts.as_ref().is_none_or(|facts| !facts.units.is_empty()))
    }

    fn is_unreadable(&self, day: Day) -> bool {
        self.nodes.get(&Period::Day(day)) == Some(&Known::Unreadable)
    }

    pub fn logs_of(&self, day: Day) -> &[Log] {
        self.logs.get(&day).map_or(&[], Vec::as_slice)
    }

    /// Whether a date may have a daily node: it has one, or its week and month can still take it in (SPEC section 4, late data).
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

    /// The lines and entries of logs that no daily node covers (SPEC section 10). The daemon's own appends count as nothing,
    /// and so does a day whose node cannot be read, for nobody knows what that covers.
    pub fn uncovered(&self) -> Counters {
        let dailies = self.level(Level::Daily);
        let covered = dailies.flat_map(|(period, node)| node.units(period.first_day()));
        let covered: HashSet<(Day, UnitDigest)> = covered.collect();
        let mut counters = Counters::default();
        for (day, logs) in self.logs.iter().filter(|(day, _)| !self.is_unreadable(**day)) {
            let counts = |unit: &&UnitFacts| !unit.snapshot && !covered.contains(&(*day, unit.digest));
            for unit in logs.iter().flat_map(Log::units).filter(counts) {
                counters.raw_lines += u64::from(unit.lines);
                counters.checkpoints += u64::from(unit.checkpoint);
            }
        }
        counters
    }

    pub fn below(&self, period: Period) -> impl Iterator<Item = (Period, Hash)> {
        let below = period.below().into_iter();
        below.filter_map(|below| Some((below, self.node(below)?.content)))
    }

    pub fn level(&self, level: Level) -> impl Iterator<Item = (Period, &NodeFacts)> {
        let periods = self.nodes.keys().filter(move |period| period.level() == level);
        periods.filter_map(|&period| Some((period, self.node(period)?)))
    }
}

/// A unit that its day's node does not cover as a part of its logs: the node is fixed without it, or the vault alone holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LateUnit {
    pub day: Day,
    pub place: Place,
    pub digest: UnitDigest,
}

/// Where the text of a late unit is, and which unit of that place it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In one of the date's logs, by its place in [`Inventory::logs`].
    Log(usize, usize),
    /// In the vault alone: an overwrite lost it ([`Inventory::lost`]).
    Vault(usize),
}

impl Inventory {
    /// The late units that each daily node has to carry, and those that nobody carries yet. A unit is late when its date's daily node is
    /// fixed without it, or when its date may have no daily node any more. A node that carries one keeps it for as long as the log or the
    /// vault holds it. What the vault alone holds is carried by the daily node of its own date, as long as that is open.
    pub fn late(&self) -> Late {
        let carriers = self.carriers();
        let mut late = Late::default();
        let mut take = |day, place, digest, otherwise| {
            let carrier = carriers.get(&(day, digest)).copied().or(otherwise);
            let units = match carrier {
                Some(carrier) => late.carried.entry(carrier).or_default(),
                None => &mut late.uncovered,
            };
            units.push(LateUnit { day, place, digest });
        };
        for (&day, logs) in &self.logs {
            let own = self.node(Period::Day(day));
            let is_unreadable = self.is_unreadable(day);
            let closed = match own {
                Some(node) => node.status == Status::Fixed,
                None => is_unreadable || !self.may_have_daily(day),
            };
            if !closed {
                continue;
            }
            let mut seen: HashSet<UnitDigest> = own.iter().flat_map(|node| &node.entries).copied().collect();
            for (log_at, log) in logs.iter().enumerate() {
                for (at, &UnitFacts { digest, .. }) in log.units().iter().enumerate() {
                    // A node that cannot be read may have all that nobody carries.
                    let is_known = !is_unreadable || carriers.contains_key(&(day, digest));
                    if seen.insert(digest) && is_known {
                        take(day, Place::Log(log_at, at), digest, None);
                    }
                }
            }
        }
        for (&day, lost) in &self.lost {
            let own = self.node(Period::Day(day));
            let is_open = match own {
                Some(node) => node.status != Status::Fixed,
                None => self.may_have_daily(day),
            };
            let logs = self.logs_of(day).iter();
            let standing: HashSet<UnitDigest> = logs.flat_map(Log::units).map(|unit| unit.digest).collect();
            for (at, &digest) in lost.iter().enumerate() {
                let covered = !is_open && own.is_some_and(|node| node.entries.contains(&digest));
                if !covered && !standing.contains(&digest) {
                    take(day, Place::Vault(at), digest, is_open.then_some(day));
                }
            }
        }
        late.carried.values_mut().for_each(|units| units.sort_unstable());
        late.uncovered.sort_unstable();
        late
    }

    /// The date of the first daily node that carries a unit of another date.
    fn carriers(&self) -> HashMap<(Day, UnitDigest), Day> {
        let mut carriers = HashMap::new();
        for (period, node) in self.level(Level::Daily) {
            for unit in node.late_units() {
                carriers.entry(unit).or_insert(period.first_day());
            }
        }
        carriers
    }

    fn fixed_dailies(&self) -> impl Iterator<Item = (Day, &NodeFacts)> {
        let dailies = self.level(Level::Daily);
        let dailies = dailies.filter(|(_, node)| node.status == Status::Fixed);
        dailies.map(|(period, node)| (period.first_day(), node))
    }

    /// The dates whose fixed node covers what another fixed one carries as late.
    pub fn covered_twice_for_good(&self) -> BTreeSet<Day> {
        let own: BTreeMap<Day, &NodeFacts> = self.fixed_dailies().collect();
        let late = own.values().flat_map(|node| node.late_units());
        let is_twice = |(day, digest): &(Day, UnitDigest)| {
            own.get(day).is_some_and(|node| node.entries.contains(digest))
        };
        late.filter(is_twice).map(|(day, _)| day).collect()
    }

    pub fn covered_for_good(&self, day: Day) -> HashSet<UnitDigest> {
        let covered = self.fixed_dailies().flat_map(|(own, node)| node.units(own));
        let of_date = covered.filter(|(of, _)| *of == day);
        of_date.map(|(_, digest)| digest).collect()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Late {
    /// By the date of the daily node that carries them.
    pub carried: BTreeMap<Day, Vec<LateUnit>>,
    pub uncovered: Vec<LateUnit>,
}

#[cfg(test)]
mod tests;
