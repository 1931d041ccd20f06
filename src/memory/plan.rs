//! The decision: which nodes are due, in which order, and why (SPEC sections 4 and 5).
//!
//! A plan is a value made from what lies on disk and from the date, and from nothing else. Carrying it out leaves
//! nothing to choose. A cycle builds at most one node a level, the most recent due one first; a drain builds every
//! due node once, from the bottom up, and ends in the same tree.

mod planner;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::calendar::{Day, Moment};
use super::entry::UnitDigest;
use super::inventory::{Inventory, LateUnit, Log, NodeFacts};
use super::level::{Period, Status};
use super::node::Hash;
use super::render::daily_sources;
use planner::Planner;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// One node a level, and ROOT.
    Cycle,
    All,
    /// Everything, or one node a level where that takes more than so many steps.
    Short(usize),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// How many nodes stay due after this plan because of the limit of one a level.
    pub left: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Change a node's status to fixed and nothing else.
    Fix(Period),
    Build(Build),
    Root(Reason),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    pub period: Period,
    pub reason: Reason,
    pub status: Status,
    /// Daily: the late units it is to carry.
    pub late: Vec<LateUnit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Missing,
    SourcesChanged,
    LateEntries,
    Placeholder,
    /// Ages and "recent" are those of another day.
    NewDay,
    Edited,
    /// A checked summary of a command or an agent waits for its place.
    Answered,
    /// What an agent wrote in place of the summary is none.
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How many hours of the next day must have passed before a daily node is fixed.
    pub grace_hours: u8,
    /// Whether summaries wait for an agent to replace them, and are fixed only two weeks after they could be.
    pub await_agent: bool,
    /// Whether summaries wait for a command, until it was asked as often as it may be.
    pub await_command: bool,
}

impl Rules {
    /// Whether a summary may wait for a better one before its node is fixed.
    pub fn awaits(self) -> bool {
        self.await_agent || self.await_command
    }
}

impl Plan {
    pub fn new(inventory: &Inventory, now: Moment, rules: Rules, extent: Extent) -> Self {
        let plan = |extent| Planner::new(inventory, now, rules, extent).decide();
        if let Extent::Short(steps_max) = extent {
            let all = plan(Extent::All);
            return Some(all)
                .filter(|all| all.steps.len() <= steps_max)
                .unwrap_or_else(|| plan(Extent::Cycle));
        }
        plan(extent)
    }

    pub fn builds(&self) -> impl Iterator<Item = &Build> {
        self.steps.iter().filter_map(|step| match step {
            Step::Build(build) => Some(build),
            Step::Fix(_) | Step::Root(_) => None,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

impl Step {
    /// The period of the node that it changes; ROOT has none.
    pub fn period(&self) -> Option<Period> {
        match self {
            Self::Fix(period) => Some(*period),
            Self::Build(build) => Some(build.period),
            Self::Root(_) => None,
        }
    }
}

/// Whether a daily node must stay as it is: its logs are gone, its own or those whose late entries it carries, and no vault has them.
/// What they said stands in the node alone. `late` is what it is to carry.
fn is_sealed(day: Day, node: &NodeFacts, logs: &[Log], late: &[LateUnit]) -> bool {
    let in_vault = |digest: &UnitDigest| late.iter().any(|unit| (unit.day, unit.digest) == (day, *digest));
    !logs.iter().any(Log::may_say_something) && (late.is_empty() || !node.entries.iter().all(in_vault))
}

/// The hash a daily node of these sources has; none when one of them was not read.
pub fn daily_hash(logs: &[Log], late: &[LateUnit]) -> Option<Hash> {
    let mut known = Vec::with_capacity(logs.len());
    for log in logs {
        let facts = log.facts()?;
        if !facts.is_empty() {
            known.push((log.path.as_str(), facts.hash));
        }
    }
    Some(daily_sources(
        known,
        late.iter().map(|unit| (unit.day, unit.digest)),
    ))
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Missing => "new",
            Self::SourcesChanged => "its sources changed",
            Self::LateEntries => "late entries",
            Self::Placeholder => "only a placeholder stands there",
            Self::NewDay => "a new day",
            Self::Edited => "edited by hand",
            Self::Answered => "its summary has come",
            Self::Refused => "what an agent wrote is no summary of its sources",
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fix(period) => write!(out, "fix    {}", period.path()),
            Self::Build(build) => write!(
                out,
                "build  {} ({}, {})",
                build.period.path(),
                build.reason,
                match build.status {
                    Status::Fixed => "then fixed".to_owned(),
                    status => status.name().to_owned(),
                }
            ),
            Self::Root(reason) => write!(out, "build  memory/ROOT.md ({reason})"),
        }
    }
}

#[cfg(test)]
mod tests;
