//! `hipocampusd tree`: the nodes as a tree: months, weeks, days, and the days that have only a log.

use std::collections::BTreeSet;

use anyhow::Result;
use serde::Serialize;

use super::print;
use super::target::{PlaceArgs, Target};
use crate::memory::inventory::{Inventory, Known};
use crate::memory::level::{Level, Period};
use crate::memory::outside;

pub const AFTER: &str = "\
Example:
  hipocampusd tree ~/agents/work

Each line is a node: `hipocampusd show 2026-W11` prints it.";

#[derive(Debug, Clone, Serialize)]
pub struct Branch {
    pub period: String,
    /// Its status; `none` when there is no node yet, `blocked` when something else stands there,
    /// `unreadable` or `damaged`.
    pub status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<Branch>,
}

pub fn run(arguments: &PlaceArgs) -> Result<()> {
    let target = Target::find(arguments, false)?;
    let tree = tree(&target)?;
    print::answer(arguments.json, &tree, || {
        let mut out = String::from("ROOT\n");
        tree.iter().for_each(|branch| branch.text(1, &mut out));
        out
    })
}

pub fn tree(target: &Target) -> Result<Vec<Branch>> {
    let scan = target.look(false)?;
    let inventory = &scan.inventory;
    // What only the vault still has is no part of it.
    let logs = inventory.logs.iter().filter(|(_, logs)| logs.iter().any(|log| !log.is_gone));
    let days = logs.map(|(day, _)| Period::Day(*day));
    let mut known: BTreeSet<Period> = inventory.nodes.keys().copied().chain(days).collect();
    for _ in [Level::Weekly, Level::Monthly] {
        let above: Vec<Period> = known.iter().copied().filter_map(Period::parent).collect();
        known.extend(above);
    }
    let months = known.iter().filter(|period| period.level() == Level::Monthly);
    Ok(months.map(|month| branch(inventory, &known, *month)).collect())
}

fn branch(inventory: &Inventory, known: &BTreeSet<Period>, period: Period) -> Branch {
    let below = period.below().into_iter().filter(|below| known.contains(below));
    let status = inventory.nodes.get(&period).map_or("none", state);
    let logs = if let Period::Day(day) = period { inventory.logs_of(day) } else { &[] };
    let logs = logs.iter().map(|log| outside::path(&log.path).into_owned());
    Branch {
        period: period.to_string(),
        status,
        logs: logs.collect(),
        below: below.map(|below| branch(inventory, known, below)).collect(),
    }
}

pub(super) fn state(known: &Known) -> &'static str {
    match known {
        Known::Blocked => "blocked",
        Known::Unreadable => "unreadable",
        Known::Garbled => "damaged",
        Known::Node(facts) => facts.status.name(),
    }
}

impl Branch {
    /// Its period and those below it, the newest first.
    pub(super) fn periods<'a>(&'a self, all: &mut Vec<&'a str>) {
        all.push(&self.period);
        self.below.iter().rev().for_each(|branch| branch.periods(all));
    }

    fn text(&self, depth: usize, out: &mut String) {
        let logs = print::part(", ", Some(self.logs.len()).filter(|logs| *logs > 1), " logs");
        let status = if self.status == "none" { "no node yet" } else { self.status };
        *out += &format!("{}{}  {status}{logs}\n", "  ".repeat(depth), self.period);
        self.below.iter().for_each(|branch| branch.text(depth + 1, out));
    }
}
