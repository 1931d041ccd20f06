//! Every entry of every raw log, as it stands, is covered by a daily node, and by one only (SPEC section 4); and every one
//! that an overwrite lost is (SPEC section 15).

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Rule, Tree, Violation};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::Log;
use crate::memory::level::{Level, Period};

/// Checks the logs that were read. What a plan is about to take in is backlog; the logs of a day whose node's place is taken
/// by something else wait for a person. `foreign` are the nodes of others, which cover what they cover.
pub fn coverage(tree: &Tree<'_>, foreign: &BTreeSet<Period>, found: &mut Vec<Violation>) {
    let mut carriers: HashMap<Day, Vec<(Period, HashSet<UnitDigest>)>> = HashMap::new();
    for (period, node) in tree.inventory.level(Level::Daily) {
        for (day, digests) in &node.late {
            carriers
                .entry(*day)
                .or_default()
                .push((period, digests.iter().copied().collect()));
        }
    }
    let days = tree.inventory.logs.keys().chain(tree.inventory.lost.keys());
    for &day in days.collect::<BTreeSet<_>>() {
        let own = Period::Day(day);
        let mut nodes = carriers.remove(&day).unwrap_or_default();
        if let Some(node) = tree.inventory.node(own) {
            nodes.insert(0, (own, node.entries.iter().copied().collect()));
        }
        let waits = tree.building.contains(&own) || tree.inventory.is_blocked(own);
        for log in tree.inventory.logs_of(day) {
            check(tree, day, log, &nodes, waits, foreign, found);
        }
        // What the vault alone holds of a day.
        let lost = tree.inventory.lost.get(&day).map_or(&[][..], Vec::as_slice);
        let covered = |digest: &UnitDigest| {
            nodes.iter().any(|(_, digests)| digests.contains(digest))
                || tree.taking_in.contains(&(day, *digest))
        };
        let bare = lost.iter().filter(|digest| !covered(digest)).count();
        if bare > 0 && !waits {
            let entries = if bare == 1 { "entry" } else { "entries" };
            let what = format!("{bare} {entries} that it lost {} in no daily node", are(bare));
            found.push(Violation::new(&format!("memory/{day}.md"), Rule::Coverage, what));
        }
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn check(
    tree: &Tree<'_>,
    day: Day,
    log: &Log,
    nodes: &[(Period, HashSet<UnitDigest>)],
    waits: bool,
    foreign: &BTreeSet<Period>,
    found: &mut Vec<Violation>,
) {
    let is_excused = |period| foreign.contains(&period) || tree.made_anew.contains(&day);
    let mut bare = 0;
    let mut doubled: BTreeSet<(Period, Period)> = BTreeSet::new();
    for unit in log.units() {
        let mut covering = nodes
            .iter()
            .filter(|(_, digests)| digests.contains(&unit.digest))
            .map(|(period, _)| *period);
        match (covering.next(), covering.next()) {
            (None, _) => bare += usize::from(!waits && !tree.taking_in.contains(&(day, unit.digest))),
            (Some(one), Some(other)) if !is_excused(one) && !is_excused(other) => {
                doubled.insert((one, other));
            }
            _ => {}
        }
    }
    if bare > 0 {
        let of = log.units().len();
        let what = format!("{bare} of its {of} entries {} in no daily node", are(bare));
        found.push(Violation::new(&log.path, Rule::Coverage, what));
    }
    for (one, other) in doubled {
        let what = format!("has an entry both in {} and in {}", one.path(), other.path());
        found.push(Violation::new(&log.path, Rule::Coverage, what));
    }
}
