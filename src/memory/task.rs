//! A summary that somebody else than this program may write: what it is made from, and what was written. Rendering a node asks once for
//! each summary in it. What answers: nobody, what was kept of a command's or an agent's work, or the node itself when it is verified.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::calendar::Moment;
use super::digest::Digest;
use super::inventory::Inventory;
use super::level::{Level, Period, Status};
use super::node::Hash;
use super::plan::Plan;

/// The names under which this program's own work stands in a node's `summarizer`.
pub const BUILT_IN: [&str; 2] = [VERBATIM, EXTRACTIVE];
pub const VERBATIM: &str = "verbatim";
pub const EXTRACTIVE: &str = "extractive";

/// Which summary of a node: a daily node may carry a second one, of late entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Portion {
    Own,
    /// Of the entries of other days that a daily node carries.
    Late,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    /// What it is: `2026-03-15`, `2026-W11`.
    pub name: String,
    /// The text, redacted.
    pub text: Cow<'a, str>,
}

#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    pub node: Period,
    pub portion: Portion,
    /// What it speaks of.
    pub period: Period,
    pub built_from: Hash,
    pub digest: &'a Digest,
    /// The extractive summary of it, which stands where no other does.
    pub printed: &'a str,
    pub texts: &'a [Text<'a>],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    pub by: String,
}

/// Whoever may have an answer.
pub type Answers<'a> = &'a (dyn Fn(&Task<'_>) -> Option<Answer> + Sync);

/// Nobody has one: every summary is the extractive one.
pub fn nobody(_: &Task<'_>) -> Option<Answer> {
    None
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub node: Period,
    pub built_from: Hash,
}

/// The nodes to ask a command for, in order (SPEC section 8): from the bottom up, for a summary of a week is made from those of its days;
/// the latest first, for they are read most. A period that still runs changes many times: it is asked for once a day. `plan` is what a
/// drain would do now: what it builds has no sources to ask about yet.
pub fn wanted(
    inventory: &Inventory,
    plan: &Plan,
    now: Moment,
    asked_today: impl Fn(Period) -> bool,
) -> Vec<Wanted> {
    let building: BTreeSet<Period> = plan.builds().map(|build| build.period).collect();
    let summaries = &inventory.summaries;
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut waiting: BTreeSet<Period> = BTreeSet::new();
    for level in Level::ALL {
        for (period, node) in inventory.level(level) {
            let is_of_it = |known: Option<&Hash>| known.is_some() && known == node.built_from.as_ref();
            let is_ready = !node.answered && is_of_it(summaries.ready.get(&period));
            let below = waiting.iter().any(|lower| lower.parent() == Some(period));
            let coming = below || is_ready || building.contains(&period);
            let runs = period.last_day() >= now.day;
            let asks = !coming
                && node.summarized
                && !node.answered
                && !node.touched
                && node.status != Status::Fixed
                && !is_of_it(summaries.given_up.get(&period))
                && !(runs && asked_today(period));
            if asks || coming {
                waiting.insert(period);
            }
            let built_from = node.built_from.filter(|_| asks);
            wanted.extend(built_from.map(|built_from| Wanted { node: period, built_from }));
        }
    }
    wanted.sort_by_key(|wanted| (std::cmp::Reverse(wanted.node.last_day()), wanted.node));
    wanted
}

#[cfg(test)]
mod tests;
