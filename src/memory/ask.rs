//! Which nodes wait for a command's summary, and in which order it is asked for them (SPEC section 8).
//!
//! From the bottom up, for a summary of a week is made from those of its days; the latest first, for they are read most.
//! A period that still runs changes many times: it is asked for once a day.

use std::collections::BTreeSet;

use super::calendar::Moment;
use super::inventory::{Inventory, NodeFacts};
use super::level::{Level, Period, Status};
use super::node::Hash;
use super::plan::Plan;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub node: Period,
    pub built_from: Hash,
}

/// The nodes to ask for, in order. `plan` is what a drain would do now: what it builds has no sources to ask about yet.
/// `asked_today` says of a period whether the command was asked for it today, for whatever content.
pub fn wanted(
    inventory: &Inventory,
    plan: &Plan,
    now: Moment,
    asked_today: impl Fn(Period) -> bool,
) -> Vec<Wanted> {
    let building: BTreeSet<Period> = plan.builds().map(|build| build.period).collect();
    let summaries = &inventory.summaries;
    let waits = |period: Period, node: &NodeFacts| {
        let is_of_it = |known: Option<&Hash>| known.is_some() && known == node.built_from.as_ref();
        let runs = period.last_day() >= now.day;
        node.summarized
            && !node.answered
            && !node.touched
            && node.status != Status::Fixed
            && !is_of_it(summaries.given_up.get(&period))
            && !is_of_it(summaries.ready.get(&period))
            && !(runs && asked_today(period))
    };
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut waiting: BTreeSet<Period> = BTreeSet::new();
    for level in Level::ALL {
        for (period, node) in inventory.level(level) {
            let below = waiting.iter().any(|lower| lower.parent() == Some(period));
            let ready = summaries.ready.get(&period);
            let is_ready = ready.is_some_and(|ready| !node.answered && Some(*ready) == node.built_from);
            let coming = building.contains(&period) || is_ready;
            let asks = !coming && !below && waits(period, node);
            if asks || coming || below {
                waiting.insert(period);
            }
            let built_from = node.built_from.filter(|_| asks);
            wanted.extend(built_from.map(|built_from| Wanted {
                node: period,
                built_from,
            }));
        }
    }
    wanted.sort_by_key(|wanted| (std::cmp::Reverse(wanted.node.last_day()), wanted.node));
    wanted
}

#[cfg(test)]
mod tests;
