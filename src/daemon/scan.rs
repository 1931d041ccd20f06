//! From the folder to an [`Inventory`]: lists and stats every file, and reads what changed since the cache was made.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::cache::{Adopted, Adoption, Cache};
use super::issue::{Issue, Severity, chain, or_issue};
use super::log_name::{LogName, log_day, log_file, log_issue, log_name};
use super::vault::{self, ScanOptions, Vault};
use super::workspace::{FileError, Folder, Listed, Result, Stamp, Workspace, node_place, stat};
use super::{attempt_log, root_file, snapshot};
use crate::memory::calendar::Day;
use crate::memory::filter::SNAPSHOT;
use crate::memory::inventory::{Inventory, Known, Log, LogFacts, NodeFacts, UnitFacts};
use crate::memory::level::{Level, Period, Status};
use crate::memory::node::{self, Form, GENERATION, Hash, Node};
use crate::memory::plan::daily_hash;
use crate::memory::render::upper_sources;
use crate::memory::task::{BUILT_IN, VERBATIM};
use crate::memory::text::{self, Decoded};
use crate::memory::vault::Standing;
use crate::memory::{entry, summary};

/// A change so close to the moment of looking may be followed by another one with the same time stamp.
const RACY_NANOSECONDS: i64 = 50_000_000;
/// The same on file systems that count whole seconds.
const RACY_COARSE_NANOSECONDS: i64 = 2_100_000_000;

#[derive(Debug, Default)]
pub struct Listing {
    /// The raw logs, session files among them, in no order.
    pub logs: Vec<(Day, Listed)>,
    /// What stands where nodes go, in no order.
    pub nodes: Vec<(Period, Listed)>,
    issues: Vec<Issue>,
    /// A hash over names and stamps, whatever the order.
    pub fingerprint: u64,
    /// Whether a log changed so recently that its stamp may not be trusted.
    pub racy: bool,
    /// Whether a crash left a temporary file in a folder that is listed.
    pub has_strays: bool,
}

pub fn list(workspace: &Workspace, session_files: bool, now: DateTime<Utc>) -> Result<Listing> {
    let now = now.timestamp_nanos_opt().unwrap_or(i64::MAX);
    let mut listing = Listing::default();
    for file in workspace.list(Folder::Memory)? {
        listing.has_strays |= Workspace::is_temporary(&file.name);
        listing.memory_file(file, session_files, now);
    }
    for level in Level::ALL {
        for file in workspace.list(Folder::Level(level))? {
            listing.has_strays |= Workspace::is_temporary(&file.name);
            if let Some(period) = level.node(&file.name) {
                listing.mark(Folder::Level(level), &file.name, Some(file.stamp));
                listing.nodes.push((period, file));
            }
        }
    }
    for (folder, name) in [
        (Folder::Tree, root_file::NAME),
        (Folder::Own, root_file::BASE_NAME),
        (Folder::Own, attempt_log::NAME),
        (Folder::Workspace, snapshot::WORKING),
        (Folder::Workspace, "MEMORY.md"),
    ] {
        listing.mark(folder, name, workspace.stamp(folder, name)?);
    }
    Ok(listing)
}

/// What changes when the vault does: the marks of its folder and of its index. A content that is altered in place is found once a day.
pub fn vault_marks(workspace: &Workspace) -> Result<u64> {
    let mut marks = 0_u64;
    for name in [".", vault::INDEX] {
        marks = marks.wrapping_add(mark(Folder::Vault, name, workspace.stamp(Folder::Vault, name)?));
    }
    Ok(marks)
}

impl Listing {
    fn mark(&mut self, folder: Folder, name: &str, stamp: Option<Stamp>) {
        self.fingerprint = self.fingerprint.wrapping_add(mark(folder, name, stamp));
    }

    fn memory_file(&mut self, mut file: Listed, session_files: bool, now: i64) {
        let what = match log_day(&file.name) {
            LogName::Session(_) if !session_files => return,
            LogName::Log(day) | LogName::Session(day) if file.regular => {
                self.mark(Folder::Memory, &file.name, Some(file.stamp));
                let since = now - file.changed_nanoseconds;
                let coarse = file.changed_nanoseconds % 1_000_000_000 == 0;
                if since < RACY_NANOSECONDS || (coarse && since < RACY_COARSE_NANOSECONDS) {
                    self.racy = true;
                    file.stamp = Stamp::default();
                }
                return self.logs.push((day, file));
            }
            LogName::Log(_) => "is no regular file; it is ignored as a raw log",
            LogName::Impossible => "names no date of the calendar; it is ignored",
            LogName::Session(_) | LogName::Other => return,
        };
        self.issues.push(Issue::warning(&Folder::Memory.file(&file.name), what));
    }
}

/// What a file adds to a fingerprint; nothing when there is none.
pub fn mark(folder: Folder, name: &str, stamp: Option<Stamp>) -> u64 {
    let path = folder.file(name);
    stamp.map_or(0, |stamp| xxh3_64_with_seed(path.as_bytes(), stamp.0))
}

#[derive(Debug, Default)]
pub struct Scan {
    pub inventory: Inventory,
    /// The stamp of each log, by its path; [`Stamp::default`] where it may not be trusted.
    pub log_stamps: BTreeMap<String, Stamp>,
    pub node_stamps: BTreeMap<Period, Stamp>,
    /// What the permission bits of the logs leave of the widest: for what is made of all of them.
    pub log_mode: u32,
    pub vault: Vault,
    pub issues: Vec<Issue>,
    /// What is less than promised, and waits for a person: a cycle passes it over, and has not failed.
    pub faults: Vec<Issue>,
}

/// Facts come from the cache where the stamp is the same, else from the file. The vault takes in what is new of the logs as they are read.
pub fn scan(
    listing: Listing,
    mut cache: Cache,
    adopted: &mut Adopted,
    vault: Vault,
    look: ScanOptions<'_>,
) -> Scan {
    let mut scan = Scan {
        vault,
        issues: listing.issues,
        log_mode: stat::WIDEST,
        ..Scan::default()
    };
    let workspace = look.workspace;
    if scan.vault.is_on {
        scan.vault.reconcile(&listing.logs, look, &mut scan.issues);
    }
    let strange = scan.nodes(workspace, listing.nodes, &mut cache);
    scan.logs(listing.logs, &cache, look);
    scan.logs(from_vault(&scan.vault).collect(), &cache, look);
    // The plain log comes first, then session files in name order.
    let is_session = |log: &Log| log_name(&log.path).is_some_and(|(_, is_session)| is_session);
    for logs in scan.inventory.logs.values_mut() {
        logs.sort_by_cached_key(|log| (is_session(log), log.path.clone()));
    }
    let lost = scan.vault.lost().into_iter();
    let lost = lost.map(|(day, lost)| (day, lost.into_iter().map(|(digest, ..)| digest).collect()));
    scan.inventory.lost = lost.collect();
    scan.inventory.root = root_file::look(workspace, &mut scan.issues);
    scan.judge(strange);
    scan.adopt(adopted);
    scan
}

/// The logs that only the vault has, as if they were listed. One that was moved to where a raw log goes is there already.
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
            mode: kept.mode,
            bytes: kept.last.bytes,
        };
        Some((day, file))
    })
}

impl Scan {
    pub fn known(&self) -> Cache {
        let log = |log: &Log| {
            let known = (*self.log_stamps.get(&log.path)?, log.facts.clone()?);
            Some((log.path.clone(), known))
        };
        let node = |(&period, stamp): (&Period, &Stamp)| {
            let known = (*stamp, self.inventory.node(period)?.clone());
            Some((period, known))
        };
        Cache {
            logs: self.inventory.logs.values().flatten().filter_map(log).collect(),
            nodes: self.node_stamps.iter().filter_map(node).collect(),
        }
    }

    fn nodes(
        &mut self,
        workspace: &Workspace,
        mut listed: Vec<(Period, Listed)>,
        cache: &mut Cache,
    ) -> Vec<(Period, Decoded)> {
        listed.sort_unstable_by_key(|(period, _)| *period);
        let mut strange = Vec::new();
        for (period, file) in listed {
            let known = match cache.nodes.remove(&period) {
                Some((stamp, facts)) if stamp == file.stamp && file.regular => Ok(Known::Node(facts)),
                _ => self.read_node(workspace, period, &file),
            };
            match known {
                Ok(known) => drop(self.inventory.nodes.insert(period, known)),
                Err(decoded) => strange.push((period, decoded)),
            }
            self.node_stamps.insert(period, file.stamp);
        }
        strange
    }

    fn read_node(&mut self, workspace: &Workspace, period: Period, file: &Listed) -> Result<Known, Decoded> {
        let path = &period.path();
        let decoded = match workspace.read(Folder::Level(period.level()), &file.name) {
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
        let Some(node) = Node::read(period, text) else {
            return Err(decoded);
        };
        let intact = node::is_intact(text);
        let mut facts = facts_of(&node, intact.is_some(), node::content(text));
        facts.touched = intact == Some(false);
        Ok(Known::Node(facts))
    }

    fn logs(&mut self, mut listed: Vec<(Day, Listed)>, cache: &Cache, look: ScanOptions<'_>) {
        listed.sort_unstable_by(|(_, one), (_, other)| one.name.cmp(&other.name));
        for (day, file) in listed {
            self.log_mode = stat::narrowest([self.log_mode, file.mode]);
            let path = ["memory/", &file.name].concat();
            let mut log = Log {
                facts: cache.log(&path, file.stamp).cloned(),
                path,
                is_gone: !file.regular,
            };
            let is_kept = |facts: &LogFacts| log.is_gone || self.vault.knows(&log.path, facts.hash, look);
            if !log.facts.as_ref().is_some_and(is_kept)
                && let Err(error) = self.read_log(&mut log, cache, look)
            {
                // Nothing rests on a log that cannot be read; it is tried again.
                self.issues.push(log_issue(&log.path, &error));
            }
            self.log_stamps.insert(log.path.clone(), file.stamp);
            self.inventory.logs.entry(day).or_default().push(log);
        }
    }

    fn read_log(&mut self, log: &mut Log, cache: &Cache, look: ScanOptions<'_>) -> Result<()> {
        let (bytes, mode) = read_log(look.workspace, &self.vault, log)?;
        let Decoded { text, oddities, .. } = text::decode(bytes.clone());
        if !oddities.is_empty() {
            self.issues.push(Issue::warning(&log.path, oddities.join("; ")));
        }
        if !log.is_gone {
            let taken = self.vault.take(&log.path, (&bytes, mode), &text, cache, look);
            or_issue(taken, vault::PATH, &mut self.issues);
        }
        log.facts = Some(log_facts(&text));
        Ok(())
    }

    /// Nodes of somebody else's cover what their sources were when they were first seen as they are.
    fn adopt(&mut self, adopted: &mut Adopted) {
        let periods: Vec<Period> = self.inventory.nodes.keys().copied().collect();
        for period in periods {
            let content = match self.inventory.node(period) {
                Some(facts) if facts.built_from.is_none() => facts.content,
                _ => continue,
            };
            let path = period.path();
            let known = adopted.get(&path).filter(|known| known.content == content);
            let Some(adoption) = known.cloned().or_else(|| self.adoption(period, content)) else {
                continue;
            };
            if let Some(Known::Node(facts)) = self.inventory.nodes.get_mut(&period) {
                facts.built_from = Some(adoption.built_from);
                facts.entries.clone_from(&adoption.entries);
            }
            adopted.insert(path, adoption);
        }
    }

    /// What a node covers that is made of its sources as they are now.
    fn adoption(&self, period: Period, content: Hash) -> Option<Adoption> {
        let (logs, built_from) = match period {
            Period::Day(day) => {
                let logs = self.inventory.logs_of(day);
                (logs, daily_hash(logs, &[])?)
            }
            _ => (&[][..], upper_sources(self.inventory.below(period))),
        };
        let units = logs.iter().flat_map(Log::units).map(|unit| unit.digest);
        Some(Adoption { content, built_from, entries: units.collect() })
    }

    /// What was damaged has been made anew: no error any more, and worth a word.
    pub fn mended(&mut self, path: &str) {
        let is_damage = |issue: &&mut Issue| issue.path == path && issue.severity == Severity::Error;
        for issue in self.issues.iter_mut().filter(is_damage) {
            *issue = Issue::warning(path, "was damaged, and is made anew of what it is made of");
        }
    }

    /// Judges what is no node, the lowest level first.
    fn judge(&mut self, strange: Vec<(Period, Decoded)>) {
        for (period, decoded) in strange {
            let path = &period.path();
            let level = period.level();
            let has_sources = has_sources(&self.inventory, period);
            // No more than NULs and white space, bytes that are no text in any encoding, or the beginning of a node.
            let is_garbage = decoded.text.trim().is_empty()
                || decoded.is_garbage()
                || decoded.text.starts_with(&format!("---\ntype: {level}\n"));
            // Text between NULs may be of a node or of a person.
            let is_known = (is_garbage || decoded.is_damaged()) && is_named(&self.inventory, period);
            let is_ours = is_known || is_garbage && has_sources;
            let nothing = "holds nothing that can be read";
            let no_node = format!("is no {level} node (no frontmatter with its type); it is left alone");
            match (is_ours, has_sources) {
                (true, true) => self.issues.push(Issue::error(path, format!("{nothing}; the next cycle makes it anew"))),
                (true, false) => self.issues.push(Issue::error(path, format!(
                    "{nothing}, nor is there anything to make it from; what was made of it stays as it is until you remove the file"
                ))),
                (false, true) => self.faults.push(Issue::error(path, format!(
                    "{no_node}, and its period has no node until you move it away"
                ))),
                (false, false) => self.issues.push(Issue::warning(path, no_node)),
            }
            let known = if is_ours { Known::Garbled } else { Known::Blocked };
            self.inventory.nodes.insert(period, known);
        }
    }
}

/// Reads a raw log, or what the vault has of one that is gone, with its permission bits.
pub fn read_log(workspace: &Workspace, vault: &Vault, log: &Log) -> Result<(Vec<u8>, u32)> {
    let path = log.path.as_str();
    if let Some(kept) = vault.kept(path).filter(|_| log.is_gone) {
        return Ok((vault.bytes(workspace, kept.last.id)?, kept.mode));
    }
    let contents = workspace.read(Folder::Memory, log_file(path))?;
    Ok((contents.bytes, contents.mode))
}

pub fn node_text(workspace: &Workspace, period: Period) -> Result<String> {
    let (folder, name) = node_place(period);
    workspace.text(folder, &name)
}

pub fn log_facts(text: &str) -> LogFacts {
    let log = entry::read(text);
    let headed = log.entries.iter().filter(|entry| entry.level > 0);
    let headed: HashSet<usize> = headed.map(|entry| entry.line).collect();
    let units = log.units().map(|unit| UnitFacts {
        digest: entry::digest(unit.text),
        lines: u32::try_from(text::line_count(unit.text)).unwrap_or(u32::MAX),
        checkpoint: headed.contains(&unit.line),
        snapshot: unit.text.starts_with(SNAPSHOT),
    });
    LogFacts { hash: xxh3_64(text.as_bytes()), units: units.collect() }
}

pub fn facts_of(node: &Node, ours: bool, content: Hash) -> NodeFacts {
    let front = &node.front;
    let built_in = |name: &String| BUILT_IN.contains(&name.as_str());
    let built_from = front.built_from.filter(|_| ours);
    let older = u64::from(front.generation).wrapping_sub(u64::from(GENERATION));
    NodeFacts {
        status: front.status,
        content,
        // Of another generation it is one that no sources give: an open node of that is built anew.
        built_from: built_from.map(|hash| Hash(hash.0 ^ older)),
        placeholder: !ours && is_placeholder(node),
        summarized: if ours {
            // A node over its threshold; one that holds its sources whole may hold summaries of theirs.
            front.summarizer.as_deref() != Some(VERBATIM)
                && front.parts.iter().any(|part| part.form == Form::Summary)
        } else {
            summary::is_summary(&node.body)
        },
        answered: !ours || !front.summarizer.as_ref().is_none_or(built_in),
        touched: false,
        sources: front.below(),
        entries: front.entries.clone(),
        late: front.late.clone(),
    }
}

/// A node of an older tool that says only that a summary is to come.
fn is_placeholder(node: &Node) -> bool {
    let says = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && !line.starts_with("<!--")
    };
    node.front.status == Status::NeedsSummarization && node.body.lines().filter(says).take(3).count() < 3
}

/// Whether there is something to make a node from, now or once it can be read.
fn has_sources(inventory: &Inventory, period: Period) -> bool {
    if let Period::Day(day) = period {
        return inventory.may_have_daily(day) && inventory.may_say_something(day);
    }
    let mut below = period.below().into_iter();
    below.any(|below| match inventory.nodes.get(&below) {
        Some(Known::Node(_) | Known::Unreadable) => true,
        Some(Known::Blocked) => false,
        Some(Known::Garbled) | None => has_sources(inventory, below),
    })
}

fn is_named(inventory: &Inventory, period: Period) -> bool {
    let above = period.parent().and_then(|above| inventory.node(above));
    above.is_some_and(|node| node.sources.contains(&period))
}
