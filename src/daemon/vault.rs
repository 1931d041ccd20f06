//! The vault: the last seen version of every raw log and every version that lost text, each content once, under
//! `.hipocampus/vault/` (SPEC section 15).
//!
//! It is looked into before a cycle reads a changed log, and what is new is in place before anything is made of it. What an
//! overwrite lost goes into the inventory beside the logs, and so does a log that is gone: from there on the tree is made of
//! them as of everything else.
//!
//! Packs that were damaged lie beside the others under another name until somebody removes them, and of some logs nobody can tell
//! any more what they said before.
//!
//! All of it is private text. The files are 0600 in a folder that is 0700, and none has a name that an index of Markdown would
//! take up.

mod packs;
mod reconcile;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::cache;
use super::issue::{Issue, Severity};
use super::log_name::log_name;
use super::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use crate::memory::forget::Forgotten;
use crate::memory::inventory::Inventory;
use crate::memory::text;
use crate::memory::vault::{self, Id, KeptLog, Loss, Seen, Standing, Version};
use packs::{Packs, is_aside};
pub use reconcile::ScanOptions;

const DAMAGE_NAME: &str = "damaged.json";
const INDEX: &str = "index";
pub const PATH: &str = ".hipocampus/vault";
/// Changes with every change of what is stored.
const VERSION: &[u8] = b"vault001";

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Vault {
    logs: BTreeMap<String, KeptLog>,
    packs: Packs,
    #[serde(skip)]
    damage: Damage,
    /// Whether the index was lost: nobody knows what else was kept.
    #[serde(skip)]
    was_recovered: bool,
    #[serde(skip)]
    changed: bool,
    /// Whether writing has failed: what is known of the packs here is then not what lies on disk.
    #[serde(skip)]
    failed: bool,
    #[serde(skip)]
    is_on: bool,
    #[serde(skip)]
    session_files: bool,
}

impl Vault {
    pub fn off() -> Self {
        Self::default()
    }

    /// Reads the index. One that is damaged is made again from the packs, and `issues` says so.
    pub fn open(workspace: &Workspace, today: Day, issues: &mut Vec<Issue>) -> Result<Self, FileError> {
        let read = workspace.read_if_there(Folder::Vault, INDEX)?;
        let mut vault = match read.as_ref().and_then(|contents| index(&contents.bytes)) {
            Some(vault) => vault,
            None => {
                let vault = Self::recover(workspace, today)?;
                if read.is_some() || !vault.logs.is_empty() {
                    let what = "has no index that can be read; it was made again from what lies there";
                    issues.push(Issue::warning(PATH, what));
                }
                vault
            }
        };
        (vault.is_on, vault.session_files) = (true, true);
        vault.damage = Damage::load(workspace)?;
        Ok(vault)
    }

    fn recover(workspace: &Workspace, today: Day) -> Result<Self, FileError> {
        let mut logs: BTreeMap<String, KeptLog> = BTreeMap::new();
        let packs = Packs::recover(workspace, |packs, path, bytes| {
            let text = text::decode(bytes.to_vec()).text;
            let seen = seen(bytes, &text, 0o600);
            match logs.get_mut(path) {
                // What was lost with the version before is found out again.
                Some(kept) => kept.changed(&seen, today, |id| {
                    let before = packs.read(workspace, id).ok().flatten()?;
                    Some(text::decode(before).text)
                }),
                None => drop(logs.insert(path.to_owned(), KeptLog::new(&seen))),
            }
        })?;
        Ok(Self {
            changed: !logs.is_empty(),
            logs,
            packs,
            was_recovered: true,
            ..Self::default()
        })
    }

    pub fn is_on(&self) -> bool {
        self.is_on
    }

    pub fn logs(&self) -> impl Iterator<Item = (&String, &KeptLog)> {
        self.logs.iter().filter(|(path, _)| self.counts(path))
    }

    fn counts(&self, path: &str) -> bool {
        log_name(path).is_some_and(|(_, session)| self.session_files || !session)
    }

    pub fn size(&self) -> u64 {
        self.packs.size()
    }

    pub fn losses(&self) -> Vec<Loss> {
        self.logs().flat_map(|(path, kept)| kept.losses(path)).collect()
    }

    pub fn issues(&self) -> Vec<Issue> {
        let issue = |loss: Loss| {
            let day = loss.log.strip_prefix("memory/").and_then(|name| name.get(..10));
            let hint = format!("; `hipocampusd restore {}` shows it", day.unwrap_or("DATE"));
            Issue::warning(&loss.log, loss.words() + &hint)
        };
        self.losses().into_iter().map(issue).collect()
    }

    pub fn bytes(&self, workspace: &Workspace, id: Id) -> Result<Vec<u8>, FileError> {
        let bytes = self.packs.read(workspace, id)?;
        bytes.ok_or_else(|| FileError::Damaged(workspace.path().join(PATH)))
    }

    pub fn text(&self, workspace: &Workspace, id: Id) -> Result<String, FileError> {
        Ok(text::decode(self.bytes(workspace, id)?).text)
    }

    /// The logs of which a content is not what it was, or not there and not to be taken in.
    pub fn damaged(&self, workspace: &Workspace) -> Vec<String> {
        let is_damaged = |kept: &KeptLog| {
            let is_there = kept.standing == Standing::There;
            let mut ids = kept.contents().map(|version| version.id);
            ids.any(|id| {
                let is_to_come = is_there && id == kept.last.id && !self.packs.holds(id);
                !is_to_come && self.bytes(workspace, id).is_err()
            })
        };
        let damaged = self.logs.iter().filter(|(_, kept)| is_damaged(kept));
        damaged.map(|(path, _)| path.clone()).collect()
    }

    pub fn kept(&self, path: &str) -> Option<&KeptLog> {
        self.logs.get(path)
    }

    /// The units that overwritten logs lost, by date, each once, with the log's path and the content that has it.
    pub fn lost(&self) -> BTreeMap<Day, Vec<(UnitDigest, &str, Id)>> {
        let mut all: BTreeMap<Day, Vec<(UnitDigest, &str, Id)>> = BTreeMap::new();
        let mut known = HashSet::new();
        for (path, kept) in self.logs() {
            let Some((day, _)) = log_name(path) else { continue };
            for (digest, id) in kept.lost() {
                if known.insert((day, digest)) {
                    all.entry(day).or_default().push((digest, path, id));
                }
            }
        }
        all
    }

    pub fn of(&self, day: Day) -> impl Iterator<Item = (&String, &KeptLog)> {
        let prefix = format!("memory/{day}");
        self.logs().filter(move |(path, _)| path.starts_with(&prefix))
    }

    /// Lets go of what is kept for too long or takes too much, as far as no open node of `inventory` needs it.
    pub fn prune(&mut self, inventory: &Inventory, keep_days: i64, today: Day) {
        let dropped = vault::overdue(&self.logs, keep_days, today, |path, lost| {
            let Some((day, _)) = log_name(path) else {
                return false;
            };
            let covered = inventory.covered_for_good(day);
            let log = inventory.logs_of(day).iter().find(|log| log.path == path);
            match (lost, log) {
                (Some(lost), _) => !lost.iter().all(|digest| covered.contains(digest)),
                (None, Some(log)) => {
                    log.facts.is_none() || !log.units().iter().all(|unit| covered.contains(&unit.digest))
                }
                (None, None) => false,
            }
        });
        for (path, id) in dropped {
            self.changed = true;
            let Some(kept) = self.logs.get_mut(&path) else {
                continue;
            };
            if kept.last.id == id {
                self.logs.remove(&path);
            } else {
                kept.earlier.retain(|earlier| earlier.version.id != id);
            }
        }
    }

    /// Takes a text out of everything that is kept; `digests` learns which units are others now. Says whether there was any.
    pub fn forget(
        &mut self,
        workspace: &Workspace,
        text: &Forgotten,
        digests: &mut HashMap<UnitDigest, UnitDigest>,
    ) -> Result<bool, FileError> {
        let removed = self.damage.remove(workspace)?;
        let mut found = false;
        let contents = self.logs.iter();
        let contents = contents.flat_map(|(path, kept)| kept.contents().map(|of| (path.clone(), of.id)));
        for (path, id) in contents.collect::<Vec<_>>() {
            let new = self.text(workspace, id).ok();
            let new = new.and_then(|old| text.log(&old, digests));
            if let Some((new, kept)) = new.zip(self.logs.get_mut(&path)) {
                self.packs.put(workspace, &path, new.as_bytes())?;
                kept.replaced(id, &seen(new.as_bytes(), &new, kept.mode));
                found = true;
            }
        }
        if !found {
            return Ok(removed);
        }
        let new = |digest: &mut UnitDigest| *digest = digests.get(digest).copied().unwrap_or(*digest);
        let earlier = self.logs.values_mut().flat_map(|kept| &mut kept.earlier);
        earlier.flat_map(|earlier| &mut earlier.lost).for_each(new);
        self.write(workspace, true)?;
        self.damage.remove(workspace)?;
        Ok(true)
    }

    /// Writes what has changed, durably; nothing any more when that has failed once, for the vault on disk is then what counts.
    pub fn commit(&mut self, workspace: &Workspace, issues: &mut Vec<Issue>) {
        if std::mem::take(&mut self.changed)
            && !self.failed
            && let Err(error) = self.write(workspace, false)
        {
            self.failed = true;
            issues.push(Issue::from_error(PATH, &error));
        }
    }

    fn write(&mut self, workspace: &Workspace, anew: bool) -> Result<(), FileError> {
        let mut wanted: FxHashMap<Id, &str> = FxHashMap::default();
        for (path, kept) in &self.logs {
            wanted.extend(kept.contents().map(|version| (version.id, path.as_str())));
        }
        for (file, lost) in self.packs.settle(workspace, &wanted, anew)? {
            self.lose(file, &lost);
        }
        self.damage.save(workspace)?;
        let bytes = [VERSION, &cache::seal(self).unwrap_or_default()].concat();
        workspace.replace(Folder::Vault, INDEX, &bytes, packs::MODE)?;
        self.packs.sweep(workspace)
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Damage {
    #[serde(skip)]
    files: BTreeSet<String>,
    /// The logs of which a version was lost with them, as paths from the workspace.
    logs: BTreeSet<String>,
    /// Whether nobody knows which logs these are.
    is_unknown: bool,
}

impl Damage {
    /// What was noted, as long as a file that was set aside is there.
    fn load(workspace: &Workspace) -> Result<Self, FileError> {
        let mut files = BTreeSet::new();
        workspace.list(Folder::Vault, |file| {
            files.extend(is_aside(&file.name).then_some(file.name));
        })?;
        if files.is_empty() {
            return Ok(Self::default());
        }
        let noted = workspace.read_if_there(Folder::Vault, DAMAGE_NAME)?;
        let noted = noted.and_then(|contents| serde_json::from_slice(&contents.bytes).ok());
        let mut damage = noted.unwrap_or(Self {
            is_unknown: true,
            ..Self::default()
        });
        damage.files = files;
        Ok(damage)
    }

    fn save(&self, workspace: &Workspace) -> Result<(), FileError> {
        match self.files.is_empty() {
            true => Ok(()),
            false => workspace.write_json(Folder::Vault, DAMAGE_NAME, self),
        }
    }

    /// It in sentences: an error where something is lost, a warning where it is not.
    fn issues(&self) -> Vec<Issue> {
        let files: Vec<String> = self.files.iter().map(|file| Folder::Vault.file(file)).collect();
        let is_aside = "was damaged and is set aside; what the logs still say is kept anew";
        let look = "remove it when you have looked at it";
        let aside = |file: &String| match self.is_unknown {
            true => Issue::error(
                file,
                format!("{is_aside}, and what else was in it cannot be told: {look}"),
            ),
            false => Issue::warning(file, format!("{is_aside}: {look}")),
        };
        let unknown = format!(
            "what it said before cannot be told in full, for a file of the vault was damaged; look for a copy of yours, then remove {}",
            files.join(" and ")
        );
        let logs = self.logs.iter().map(|log| Issue::error(log, unknown.as_str()));
        files.iter().map(aside).chain(logs).collect()
    }

    /// Removes every file that was set aside: a wish to be forgotten reaches what is left of them too. Says whether there was one.
    fn remove(&mut self, workspace: &Workspace) -> Result<bool, FileError> {
        for file in &self.files {
            workspace.remove_if_there(Folder::Vault, file)?;
        }
        let removed = !self.files.is_empty();
        if removed {
            workspace.remove_if_there(Folder::Vault, DAMAGE_NAME)?;
        }
        *self = Self::default();
        Ok(removed)
    }
}

impl Vault {
    /// What cannot be told any more because the vault was damaged, and what was merely set aside.
    pub fn damage(&self) -> (Vec<Issue>, Vec<Issue>) {
        let issues = self.damage.issues().into_iter();
        issues.partition(|issue| issue.severity == Severity::Error)
    }

    /// The logs of a date of which it cannot be told what they said before, as paths from the workspace.
    pub fn hidden(&self, workspace: &Workspace, day: Day) -> Vec<String> {
        let is_lost = |kept: &KeptLog| {
            let last = kept.is_gone().then_some(kept.last);
            let mut versions = kept.earlier.iter().map(|earlier| earlier.version).chain(last);
            versions.any(|version| self.bytes(workspace, version.id).is_err())
        };
        let lost = self.of(day).filter(|(_, kept)| is_lost(kept));
        let mut hidden: BTreeSet<String> = lost.map(|(path, _)| path.clone()).collect();
        let of_day = |path: &&String| log_name(path).is_some_and(|(date, _)| date == day);
        hidden.extend(self.damage.logs.iter().filter(of_day).cloned());
        if self.damage.is_unknown {
            hidden.insert(format!("memory/{day}.md"));
        }
        hidden.into_iter().collect()
    }

    /// Sets a pack aside. What only it had is lost.
    fn condemn(&mut self, workspace: &Workspace, pack: u32) -> Result<(), FileError> {
        let (file, lost) = self.packs.condemn(workspace, pack)?;
        self.lose(file, &lost);
        Ok(())
    }

    /// A pack was set aside under this name, and these contents with it. What a log that is there says is to be kept anew.
    fn lose(&mut self, file: String, lost: &[Id]) {
        self.logs.retain(|path, kept| {
            let before = kept.earlier.len();
            kept.earlier.retain(|earlier| !lost.contains(&earlier.version.id));
            let has_last = !lost.contains(&kept.last.id);
            let is_gone = matches!(kept.standing, Standing::Gone(_));
            if kept.earlier.len() < before || is_gone && !has_last {
                self.damage.logs.insert(path.clone());
            }
            has_last || kept.standing == Standing::There
        });
        self.damage.files.insert(file);
        self.damage.is_unknown |= self.was_recovered;
        self.changed = true;
    }
}

fn index(bytes: &[u8]) -> Option<Vault> {
    let (vault, after) = cache::unseal(bytes.strip_prefix(VERSION)?)?;
    after.is_empty().then_some(vault)
}

fn seen<'a>(bytes: &[u8], text: &'a str, mode: u32) -> Seen<'a> {
    Seen {
        version: Version {
            id: Id(xxh3_128(bytes)),
            bytes: bytes.len() as u64,
            lines: vault::line_count(text),
        },
        mode,
        hash: xxh3_64(text.as_bytes()),
        text,
    }
}

#[cfg(test)]
mod tests;
