//! From the folder to an [`Inventory`]: lists and stats every file, and reads what changed since the cache was made.

mod damage;
mod facts;

use std::collections::{BTreeMap, HashSet};

use super::cache::{Adopted, Adoption, Cache};
use super::issue::{Issue, chain};
use super::log_name::{folder, log_file, log_name, session_name};
use super::root_file;
use super::vault::Vault;
use super::workspace::{FileError, Listed, Stamp, Workspace};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::{Content, Inventory, Known, Log};
use crate::memory::level::Period;
use crate::memory::node::Node;
use crate::memory::plan::daily_hash;
use crate::memory::render::upper_sources;
use crate::memory::text;
use crate::memory::vault::Standing;

pub use super::listing::{Listing, list, log_issue, moved, vault_marks};
pub use crate::memory::inventory::NodeFacts as Facts;
use damage::Holds;
pub use facts::{ReadLog, facts_of, file_name, log_facts, node_facts, node_text, read_log};

#[derive(Debug, Default)]
pub struct Scan {
    pub inventory: Inventory,
    /// The stamp of each log, by date and place; [`Stamp::default`] where it may not be trusted.
    pub log_stamps: BTreeMap<(Day, usize), Stamp>,
    pub node_stamps: BTreeMap<Period, Stamp>,
    pub vault: Vault,
    pub issues: Vec<Issue>,
    /// What is less than promised, and waits for a person: a cycle passes it over, and has not failed.
    pub faults: Vec<Issue>,
}

/// Makes the inventory of a listing: facts from the cache where the stamp is the same, else from the file.
/// What the vault has of logs that are gone or were overwritten belongs to it.
pub fn scan(
    workspace: &Workspace,
    mut listing: Listing,
    mut cache: Cache,
    adopted: &mut Adopted,
    vault: Vault,
) -> Scan {
    listing.logs.extend(from_vault(&vault));
    let mut scan = Scan {
        issues: listing.issues,
        ..Scan::default()
    };
    scan.vault = vault;
    let strange = scan.nodes(workspace, listing.nodes, &mut cache, adopted);
    scan.logs(listing.logs, &cache);
    scan.lost();
    scan.inventory.root = root_file::look(workspace, &mut scan.issues);
    for (day, place) in scan.inventory.unread() {
        scan.read_log(workspace, day, place);
    }
    scan.judge(strange);
    scan.adopt(adopted);
    scan
}

/// The logs that are gone and whose text the vault has, as if they were listed. One that was moved to where a raw log goes is
/// there already.
fn from_vault(vault: &Vault) -> impl Iterator<Item = (Day, Listed)> {
    vault.logs().filter_map(|(path, kept)| {
        let is_away = match &kept.standing {
            Standing::There => false,
            Standing::Gone(_) => true,
            Standing::Moved(_, to) => log_name(to).is_none(),
        };
        let (day, _) = log_name(path).filter(|_| is_away)?;
        let file = Listed {
            name: log_file(path).to_owned(),
            regular: false,
            stamp: Stamp((kept.last.id.0 as u64).max(1)),
            changed_nanoseconds: 0,
        };
        Some((day, file))
    })
}

impl Scan {
    pub fn known(&self) -> Cache {
        let logs = self.inventory.logs.values().flatten();
        let logs = logs.zip(self.log_stamps.values());
        let logs = logs.filter_map(|(log, stamp)| Some((log.path.clone(), (*stamp, log.facts()?.clone()))));
        let nodes = self.node_stamps.iter();
        let nodes = nodes
            .filter_map(|(&period, stamp)| Some((period, (*stamp, self.inventory.node(period)?.clone()))));
        Cache {
            logs: logs.collect(),
            nodes: nodes.collect(),
        }
    }

    fn nodes(
        &mut self,
        workspace: &Workspace,
        mut listed: Vec<(Period, Listed)>,
        cache: &mut Cache,
        adopted: &Adopted,
    ) -> Vec<(Period, Holds)> {
        listed.sort_unstable_by_key(|(period, _)| *period);
        let mut strange = Vec::new();
        for (period, file) in listed {
            let known = match cache.nodes.remove(&period) {
                Some((stamp, facts)) if stamp == file.stamp && file.regular => Ok(Known::Node(facts)),
                _ => self.read_node(workspace, period, &file, adopted),
            };
            match known {
                Ok(known) => drop(self.inventory.nodes.insert(period, known)),
                Err(holds) => strange.push((period, holds)),
            }
            self.node_stamps.insert(period, file.stamp);
        }
        strange
    }

    fn read_node(
        &mut self,
        workspace: &Workspace,
        period: Period,
        file: &Listed,
        adopted: &Adopted,
    ) -> Result<Known, Holds> {
        let path = &period.path();
        let decoded = match workspace.read(folder(period.level()), &file.name) {
            Ok(contents) => text::decode(contents.bytes),
            Err(error @ FileError::NotAFile(_)) => {
                self.issues.push(Issue::from_error(path, &error));
                return Ok(Known::Blocked);
            }
            Err(error) => {
                let what = chain(&error) + "; what is made of it stays as it is until it can be read";
                self.issues.push(Issue::error(path, what));
                return Ok(Known::Unreadable);
            }
        };
        let text = &decoded.text;
        let node = Node::read(period, text).ok_or_else(|| damage::holds(period, &decoded))?;
        let mut facts = node_facts(&node, text);
        if facts.built_from.is_none()
            && let Some(adoption) = adopted.get(path)
            && adoption.content == facts.content
        {
            facts.built_from = Some(adoption.built_from);
            facts.entries.clone_from(&adoption.entries);
        }
        Ok(Known::Node(facts))
    }

    fn logs(&mut self, mut listed: Vec<(Day, Listed)>, cache: &Cache) {
        // The plain log comes first, then session files in name order.
        listed.sort_unstable_by(|(day, one), (other_day, other)| {
            let names = || session_name(&one.name).cmp(session_name(&other.name));
            day.cmp(other_day).then_with(names)
        });
        for (day, file) in listed {
            let path = ["memory/", &file.name].concat();
            let known = cache.log(&path, file.stamp).cloned();
            let logs = self.inventory.logs.entry(day).or_default();
            self.log_stamps.insert((day, logs.len()), file.stamp);
            logs.push(Log {
                path,
                content: known.map_or(Content::Unread, Content::Read),
                is_gone: !file.regular,
            });
        }
    }

    fn lost(&mut self) {
        for day in self.vault.days_with_losses() {
            let mut known = HashSet::new();
            let lost = self.vault.lost(day).into_iter().map(|(digest, ..)| digest);
            let lost: Vec<UnitDigest> = lost.filter(|digest| known.insert(*digest)).collect();
            if !lost.is_empty() {
                self.inventory.lost.insert(day, lost);
            }
        }
    }

    pub fn read_all(&mut self, workspace: &Workspace) {
        for (day, place) in self.inventory.unread_logs() {
            self.read_log(workspace, day, place);
        }
    }

    pub fn read_log(&mut self, workspace: &Workspace, day: Day, place: usize) {
        let logs = self.inventory.logs.get_mut(&day);
        let Some(log) = logs.and_then(|logs| logs.get_mut(place)) else {
            return;
        };
        match read_log(workspace, &self.vault, log) {
            Ok(read) => {
                if !read.oddities.is_empty() {
                    self.issues.push(Issue::warning(&log.path, read.oddities));
                }
                log.content = Content::Read(log_facts(&read.text));
            }
            Err(error) => {
                self.issues.push(log_issue(&log.path, &error));
                log.content = Content::Unreadable;
            }
        }
    }

    /// Nodes of somebody else's cover what their sources are now.
    fn adopt(&mut self, adopted: &mut Adopted) {
        let inventory = &self.inventory;
        let unknown = |(&period, known): (&Period, &Known)| {
            let Known::Node(facts) = known else {
                return None;
            };
            let logs = match period {
                Period::Day(day) => inventory.logs_of(day),
                Period::Week(_) | Period::Month(_) => &[],
            };
            let built_from = match period {
                _ if facts.built_from.is_some() => return None,
                Period::Day(_) => daily_hash(logs, &[])?,
                Period::Week(_) | Period::Month(_) => upper_sources(inventory.below(period)),
            };
            let units = logs.iter().flat_map(Log::units).map(|unit| unit.digest);
            let adoption = Adoption {
                content: facts.content,
                built_from,
                entries: units.collect(),
            };
            Some((period, adoption))
        };
        let unknown: Vec<(Period, Adoption)> = inventory.nodes.iter().filter_map(unknown).collect();
        for (period, adoption) in unknown {
            if let Some(Known::Node(facts)) = self.inventory.nodes.get_mut(&period) {
                facts.built_from = Some(adoption.built_from);
                facts.entries.clone_from(&adoption.entries);
                adopted.insert(period.path(), adoption);
            }
        }
    }
}
