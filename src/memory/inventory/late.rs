//! Who carries which late units (SPEC section 4, late data, and section 15).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Inventory, Known, Log};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use crate::memory::level::{Level, Period, Status};

/// A unit of one day that its own daily node does not cover as a part of its logs: of a log, because the node is fixed
/// without it; of the vault, because the log does not hold it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LateUnit {
    pub day: Day,
    pub place: Place,
    /// Which unit of that place it is.
    pub at: usize,
    pub digest: UnitDigest,
}

/// Where the text of a late unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In one of the date's logs, by its place in [`Inventory::logs`].
    Log(usize),
    /// In the vault alone: an overwrite lost it ([`Inventory::lost`]).
    Vault,
}

impl Inventory {
    /// The late units that each daily node carries and still has to carry, and those that nobody carries yet.
    ///
    /// A unit is late when its date's daily node is fixed without it, or when its date may have no daily node any
    /// more. A node that carries one keeps it for as long as the log or the vault holds it. What the vault alone holds
    /// is carried by the daily node of its own date, as long as that is open.
    pub fn late(&self) -> Late {
        let mut carriers: HashMap<Day, Vec<(Day, &[UnitDigest])>> = HashMap::new();
        for (period, node) in self.level(Level::Daily) {
            for (day, digests) in &node.late {
                carriers
                    .entry(*day)
                    .or_default()
                    .push((period.first_day(), digests));
            }
        }
        let mut late = Late::default();
        for (&day, logs) in &self.logs {
            let own = self.node(Period::Day(day));
            let is_unreadable = self.nodes.get(&Period::Day(day)) == Some(&Known::Unreadable);
            let closed = match own {
                Some(node) => node.status == Status::Fixed,
                None => is_unreadable || !self.may_have_daily(day),
            };
            if !closed {
                continue;
            }
            let own: &[UnitDigest] = own.map_or(&[], |node| node.entries.as_slice());
            let carriers = carriers.get(&day).map_or(&[][..], Vec::as_slice);
            let uncovered = late.uncovered.len();
            late.look_at(day, logs, own, carriers);
            if is_unreadable {
                // It may have all that nobody carries.
                late.uncovered.truncate(uncovered);
            }
        }
        for (&day, lost) in &self.lost {
            late.look_at_lost(self, day, lost, carriers.get(&day).map_or(&[][..], Vec::as_slice));
        }
        late.carried.values_mut().for_each(|units| units.sort_unstable());
        late.uncovered.sort_unstable();
        late
    }

    /// Whether a log of a date, as it stands, has this unit.
    fn stands(&self, day: Day, digest: UnitDigest) -> bool {
        let mut units = self.logs_of(day).iter().flat_map(Log::units);
        units.any(|unit| unit.digest == digest)
    }

    /// The dates whose fixed node covers what another fixed one carries as late.
    pub fn covered_twice_for_good(&self) -> BTreeSet<Day> {
        let fixed = self
            .level(Level::Daily)
            .filter(|(_, node)| node.status == Status::Fixed);
        let late = fixed.flat_map(|(_, node)| &node.late);
        let is_twice = |(day, digests): &&(Day, Vec<UnitDigest>)| {
            let own = self.node(Period::Day(*day));
            let own = own.filter(|node| node.status == Status::Fixed);
            own.is_some_and(|node| digests.iter().any(|digest| node.entries.contains(digest)))
        };
        late.filter(is_twice).map(|(day, _)| *day).collect()
    }

    /// The units of a date that a fixed node covers: nothing can take them out of memory any more.
    pub fn covered_for_good(&self, day: Day) -> HashSet<UnitDigest> {
        let fixed = self
            .level(Level::Daily)
            .filter(|(_, node)| node.status == Status::Fixed);
        let mut covered = HashSet::new();
        for (period, node) in fixed {
            if period.first_day() == day {
                covered.extend(&node.entries);
            }
            for (_, digests) in node.late.iter().filter(|(late, _)| *late == day) {
                covered.extend(digests);
            }
        }
        covered
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Late {
    /// By the date of the daily node that carries them.
    pub carried: BTreeMap<Day, Vec<LateUnit>>,
    pub uncovered: Vec<LateUnit>,
}

impl Late {
    fn look_at(&mut self, day: Day, logs: &[Log], own: &[UnitDigest], carriers: &[(Day, &[UnitDigest])]) {
        let own: HashSet<UnitDigest> = own.iter().copied().collect();
        let mut seen = HashSet::new();
        for (place, log) in logs.iter().enumerate() {
            for (at, unit) in log.units().iter().enumerate() {
                if own.contains(&unit.digest) || !seen.insert(unit.digest) {
                    continue;
                }
                let late = LateUnit {
                    day,
                    place: Place::Log(place),
                    at,
                    digest: unit.digest,
                };
                match carrier(carriers, unit.digest) {
                    Some(carrier) => self.carried.entry(carrier).or_default().push(late),
                    None => self.uncovered.push(late),
                }
            }
        }
    }

    /// What the vault alone holds of a date.
    fn look_at_lost(
        &mut self,
        inventory: &Inventory,
        day: Day,
        lost: &[UnitDigest],
        carriers: &[(Day, &[UnitDigest])],
    ) {
        let own = inventory.node(Period::Day(day));
        let is_open = match own {
            Some(node) => node.status != Status::Fixed,
            None => inventory.may_have_daily(day),
        };
        for (at, &digest) in lost.iter().enumerate() {
            let covered = !is_open && own.is_some_and(|node| node.entries.contains(&digest));
            if covered || inventory.stands(day, digest) {
                continue;
            }
            let late = LateUnit {
                day,
                place: Place::Vault,
                at,
                digest,
            };
            match carrier(carriers, digest) {
                Some(carrier) => self.carried.entry(carrier).or_default().push(late),
                None if is_open => self.carried.entry(day).or_default().push(late),
                None => self.uncovered.push(late),
            }
        }
    }
}

/// The date of the daily node that carries a unit.
fn carrier(carriers: &[(Day, &[UnitDigest])], digest: UnitDigest) -> Option<Day> {
    let carries = |(_, digests): &&(Day, &[UnitDigest])| digests.contains(&digest);
    carriers.iter().find(carries).map(|(carrier, _)| *carrier)
}
