//! Every entry of every raw log, as it stands, is covered by a daily node, and by one only (SPEC section 4); and every one
//! that an overwrite lost is (SPEC section 15).

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Rule, Tree, Violation};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use crate::memory::level::{Level, Period};

/// Checks the logs that were read. What a plan is about to take in is backlog; the logs of a day whose node's place is taken
/// by something else wait for a person. `foreign` are the nodes of others, which cover what they cover.
pub fn coverage(tree: &Tree<'_>, foreign: &BTreeSet<Period>, found: &mut Vec<Violation>) {
    // The nodes that cover a unit, that of its own date first.
    let mut covering: HashMap<(Day, UnitDigest), Vec<Period>> = HashMap::new();
    let dailies = || tree.inventory.level(Level::Daily);
    let own = dailies().map(|(period, node)| (period, period.first_day(), &node.entries));
    let late =
        dailies().flat_map(|(period, node)| node.late.iter().map(move |(day, late)| (period, *day, late)));
    for (period, day, digests) in own.chain(late) {
        for digest in digests.iter().collect::<HashSet<_>>() {
            covering.entry((day, *digest)).or_default().push(period);
        }
    }
    let is_covered = |unit: (Day, UnitDigest)| covering.contains_key(&unit) || tree.taking_in.contains(&unit);
    let waits = |day: Day| {
        let own = Period::Day(day);
        tree.building.contains(&own) || tree.inventory.is_blocked(own)
    };
    let mut fault = |path: &str, what| found.push(Violation::new(path, Rule::Coverage, what));
    for (&day, logs) in &tree.inventory.logs {
        for log in logs {
            let units = log.units().iter().map(|unit| (day, unit.digest));
            let is_bare = |unit: &(Day, UnitDigest)| !waits(day) && !is_covered(*unit);
            let bare = units.clone().filter(is_bare).count();
            if bare > 0 {
                let of = log.units().len();
                fault(
                    &log.path,
                    format!("{bare} of its {of} entries {} in no daily node", are(bare)),
                );
            }
            let is_excused = |period: &Period| foreign.contains(period) || tree.made_anew.contains(&day);
            let twice = units.filter_map(|unit| match covering.get(&unit)?.as_slice() {
                [one, other, ..] if !is_excused(one) && !is_excused(other) => Some((*one, *other)),
                _ => None,
            });
            for (one, other) in twice.collect::<BTreeSet<_>>() {
                let (one, other) = (one.path(), other.path());
                fault(&log.path, format!("has an entry both in {one} and in {other}"));
            }
        }
    }
    // What the vault alone holds of a day.
    for (&day, lost) in &tree.inventory.lost {
        let bare = lost.iter().filter(|digest| !is_covered((day, **digest))).count();
        if bare > 0 && !waits(day) {
            let entries = if bare == 1 { "entry" } else { "entries" };
            let what = format!("{bare} {entries} that it lost {} in no daily node", are(bare));
            fault(&format!("memory/{day}.md"), what);
        }
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
