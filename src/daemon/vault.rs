//! The vault: the last seen version of every raw log and every version that lost text, each content once, under
//! `.hipocampus/vault/` (SPEC section 15).
//!
//! What is new is in place before anything is made of it. What an overwrite lost goes into the inventory beside the logs, and so does a log
//! that is gone: from there on the tree is made of them as of everything else.
//!
//! What was damaged lies beside the rest under another name until somebody removes it. All of it is private text: the files are 0600 in a
//! folder that is 0700, and none has a name that an index of Markdown would take up.

mod contents;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::cache::{self, Cache};
use super::issue::{Issue, or_issue};
use super::log_name::log_name;
use super::workspace::{FileError, Folder, Listed, Result, Workspace};
use crate::memory::calendar::Day;
use crate::memory::entry::{self, UnitDigest};
use crate::memory::forget::Forgotten;
use crate::memory::inventory::{Inventory, LogFacts};
use crate::memory::text;
use crate::memory::vault::{self, Id, KeptLog, Loss, Standing, Version};
use contents::{ASIDE, Contents, MODE};

/// The index lies there twice, so that one of them is whole. They are written one after the other.
pub const INDEX: &str = "index";
const INDEX_COPY: &str = "index-copy";
pub const PATH: &str = ".hipocampus/vault";
/// Changes with every change of what is stored.
const VERSION: &[u8] = b"vault002";

const FIRST_VERSION: &[u8] = b"vault001";
/// Where the first version kept its [`Damage`].
const FIRST_DAMAGE: &str = "damaged.json";
/// So many logs that went on the same day are named at most: as many lines as `status` shows.
const GONE_NAMED_MAX: usize = 10;

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Vault {
    logs: BTreeMap<String, KeptLog>,
    damage: Damage,
    #[serde(skip)]
    contents: Contents,
    #[serde(skip)]
    is_new: bool,
    /// There is no index that can be read: nobody knows what else was kept.
    #[serde(skip)]
    is_lost: bool,
    #[serde(skip)]
    changed: bool,
    /// Whether writing has failed: what is known here of the contents is then not what lies on disk.
    #[serde(skip)]
    failed: bool,
    #[serde(skip)]
    pub is_on: bool,
    #[serde(skip)]
    session_files: bool,
}

/// What cannot be told any more, as long as a file that was set aside is there.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Damage {
    /// The logs of which a version was lost, as paths from the workspace.
    logs: BTreeSet<String>,
    /// Whether nobody knows which logs these are.
    is_unknown: bool,
}

/// Units that are others now.
pub type Renamed = HashMap<UnitDigest, UnitDigest>;

impl Vault {
    /// Reads the index. Of one that is damaged there is a copy, and `issues` says so.
    pub fn open(workspace: &Workspace, issues: &mut Vec<Issue>) -> Result<Self> {
        let contents = Contents::list(workspace)?;
        let mut vault = match index(workspace, INDEX)? {
            Some(vault) => vault,
            None if contents.is_empty() => Self { is_new: true, ..Self::default() },
            None => {
                let what = "has no index that can be read; it is made again from its copy";
                issues.push(Issue::warning(PATH, what));
                let copy = index(workspace, INDEX_COPY)?;
                Self {
                    is_lost: copy.is_none(),
                    changed: true,
                    ..copy.unwrap_or_default()
                }
            }
        };
        let packed = std::mem::replace(&mut vault.contents, contents).packed;
        vault.contents.packed = packed;
        if vault.contents.aside.is_empty() {
            vault.damage = Damage::default();
        } else if vault.is_new || vault.is_lost {
            vault.damage.is_unknown = true;
        }
        (vault.is_on, vault.session_files) = (true, true);
        Ok(vault)
    }

    pub fn logs(&self) -> impl Iterator<Item = (&String, &KeptLog)> {
        self.logs.iter().filter(|(path, _)| self.counts(path))
    }

    fn counts(&self, path: &str) -> bool {
        log_name(path).is_some_and(|(_, session)| self.session_files || !session)
    }

    pub fn size(&self) -> u64 {
        self.contents.size()
    }

    pub fn losses(&self) -> Vec<Loss> {
        self.logs().flat_map(|(path, kept)| kept.losses(path)).collect()
    }

    /// What was lost, an issue each; of many logs that went on the same day, perhaps to an archive elsewhere, one for all.
    pub fn issues(&self) -> Vec<Issue> {
        let day = |loss: &Loss| log_name(&loss.log).map_or_else(Day::default, |(day, _)| day);
        let issue = |loss: &Loss| {
            let what = format!("{}; `hipocampusd restore {}` shows it", loss.words(), day(loss));
            Issue::warning(&loss.log, what)
        };
        let (gone, overwritten): (Vec<Loss>, Vec<Loss>) =
            self.losses().into_iter().partition(|loss| loss.gone);
        let mut issues: Vec<Issue> = overwritten.iter().map(issue).collect();
        let mut gone_by_day: BTreeMap<&str, Vec<&Loss>> = BTreeMap::new();
        for loss in &gone {
            gone_by_day.entry(&loss.since).or_default().push(loss);
        }
        for (since, gone) in gone_by_day {
            if gone.len() <= GONE_NAMED_MAX {
                issues.extend(gone.into_iter().map(issue));
                continue;
            }
            // They come in the order of their names, which begin with the date.
            let (first, last) = (day(gone[0]), day(gone[gone.len() - 1]));
            let (logs, lines) = (gone.len(), gone.iter().map(|loss| loss.lines).sum::<u32>());
            let dates = if first == last {
                format!("of {first}")
            } else {
                format!("from {first} to {last}")
            };
            let what = format!(
                "{logs} logs {dates} are gone since {since}; their {lines} lines are kept in the vault and in memory; `hipocampusd status --json` names them, `hipocampusd restore DATE` shows those of a date"
            );
            issues.push(Issue::warning("memory", what));
        }
        issues
    }

    pub fn bytes(&self, workspace: &Workspace, id: Id) -> Result<Vec<u8>> {
        let bytes = self.contents.read(workspace, id)?;
        bytes.ok_or_else(|| FileError::Damaged(workspace.path().join(PATH)))
    }

    pub fn text(&self, workspace: &Workspace, id: Id) -> Result<String> {
        Ok(text::decode(self.bytes(workspace, id)?).text)
    }

    /// The logs of which a content is not what it was, or not there and not to be taken in.
    pub fn damaged(&self, workspace: &Workspace) -> Vec<String> {
        let is_damaged = |kept: &KeptLog| {
            let is_there = kept.standing == Standing::There;
            let mut ids = kept.contents().map(|version| version.id);
            ids.any(|id| {
                let is_to_come = is_there && id == kept.last.id && !self.contents.holds(id);
                let is_known = !is_to_come || self.contents.unsound.contains(&id);
                is_known && self.bytes(workspace, id).is_err()
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
    pub fn forget(&mut self, workspace: &Workspace, text: &Forgotten, digests: &mut Renamed) -> Result<bool> {
        // A wish to be forgotten reaches also what is damaged.
        self.tidy(workspace, true, &mut Vec::new())?;
        let mut found = !self.contents.aside.is_empty();
        for file in std::mem::take(&mut self.contents.aside) {
            workspace.remove_if_there(Folder::Vault, &file)?;
        }
        self.damage = Damage::default();
        let contents = self.logs.iter();
        let contents = contents.flat_map(|(path, kept)| kept.contents().map(|of| (path.clone(), of.id)));
        for (path, id) in contents.collect::<Vec<_>>() {
            let old = match self.text(workspace, id) {
                Err(FileError::Damaged(_)) => continue,
                old => old?,
            };
            let new = text.log(&old, digests);
            if let Some((new, kept)) = new.zip(self.logs.get_mut(&path)) {
                self.contents.put(workspace, new.as_bytes())?;
                kept.replaced(id, &seen(new.as_bytes(), &new, kept.mode));
                found = true;
            }
        }
        if found {
            let new = |digest: &mut UnitDigest| *digest = digests.get(digest).copied().unwrap_or(*digest);
            let earlier = self.logs.values_mut().flat_map(|kept| &mut kept.earlier);
            earlier.flat_map(|earlier| &mut earlier.lost).for_each(new);
            self.write(workspace)?;
        }
        Ok(found)
    }

    /// Writes what has changed, durably; nothing any more when that has failed once, for the vault on disk is then what counts.
    pub fn commit(&mut self, workspace: &Workspace, issues: &mut Vec<Issue>) {
        if std::mem::take(&mut self.changed)
            && !self.failed
            && let Err(error) = self.write(workspace)
        {
            self.failed = true;
            issues.push(Issue::from_error(PATH, &error));
        }
    }

    fn write(&mut self, workspace: &Workspace) -> Result<()> {
        let wanted = self.wanted();
        let sealed = |vault: &Self| [VERSION, &cache::seal(vault).unwrap_or_default()].concat();
        if std::mem::take(&mut self.is_new) {
            // Contents without any index would be taken for those of one that was lost.
            workspace.replace(Folder::Vault, INDEX, &sealed(&Self::default()), MODE)?;
        }
        self.contents.settle(workspace, &wanted)?;
        let bytes = sealed(self);
        workspace.replace(Folder::Vault, INDEX, &bytes, MODE)?;
        workspace.replace_unsynced(Folder::Vault, INDEX_COPY, &bytes)?;
        self.contents.sweep(workspace, &wanted)
    }

    fn wanted(&self) -> BTreeSet<Id> {
        let kept = self.logs.values().flat_map(KeptLog::contents);
        kept.map(|version| version.id).collect()
    }

    /// What cannot be told any more because the vault was damaged, and what was merely set aside.
    pub fn damage(&self) -> (Vec<Issue>, Vec<Issue>) {
        let mut aside = self.contents.aside.iter();
        let file = match (aside.next(), aside.next()) {
            (None, _) => return (Vec::new(), Vec::new()),
            (Some(file), None) => Folder::Vault.file(file),
            (Some(_), Some(_)) => format!("{PATH}/{ASIDE}*"),
        };
        let unknown = format!(
            "what it said before cannot be told in full, for a file of the vault was damaged; look for a copy of yours, then remove {file}"
        );
        let logs = self.damage.logs.iter();
        let mut lost: Vec<Issue> = logs.map(|log| Issue::error(log, unknown.as_str())).collect();
        let is_aside = "was damaged and is set aside; what the logs still say is kept anew";
        let look = "remove it when you have looked at it";
        if self.damage.is_unknown {
            let what = format!("{is_aside}, and what else was in it cannot be told: {look}");
            lost.push(Issue::error(&file, what));
            return (lost, Vec::new());
        }
        (lost, vec![Issue::warning(&file, format!("{is_aside}: {look}"))])
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

    /// Sets a content aside, and lets go of it. What a log that is there says is to be kept anew.
    fn condemn(&mut self, workspace: &Workspace, id: Id) -> Result<()> {
        self.contents.condemn(workspace, id)?;
        self.logs.retain(|path, kept| {
            let before = kept.earlier.len();
            kept.earlier.retain(|earlier| earlier.version.id != id);
            let has_last = kept.last.id != id;
            let is_gone = matches!(kept.standing, Standing::Gone(_));
            if kept.earlier.len() < before || is_gone && !has_last {
                self.damage.logs.insert(path.clone());
            }
            has_last || kept.standing == Standing::There
        });
        self.changed = true;
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
pub struct ScanOptions<'a> {
    pub workspace: &'a Workspace,
    pub today: Day,
    pub session_files: bool,
    /// Whether new contents are taken in, rather than only looked at.
    pub keep: bool,
    /// Whether all that is kept is read, to know that it is what it was.
    pub check: bool,
}

/// Looking at the logs: what is new, what changed and how, what is gone and what was only moved.
impl Vault {
    /// Compares the logs that are there with those that were: what is gone, moved or back. What they say, [`Vault::take`] is told.
    pub fn reconcile(&mut self, logs: &[(Day, Listed)], look: ScanOptions<'_>, issues: &mut Vec<Issue>) {
        self.session_files = look.session_files;
        if look.keep {
            let tidied = self.tidy(look.workspace, look.check, issues);
            or_issue(tidied, PATH, issues);
        } else {
            self.check(look.workspace, false, issues);
            let what = "a file of it is damaged or gone; the next cycle sets it aside, and keeps anew what the logs still say";
            let is_damaged = self.is_lost || !self.contents.unsound.is_empty();
            issues.extend(is_damaged.then(|| Issue::error(PATH, what)));
        }
        let there = logs.iter().map(|(_, log)| Folder::Memory.file(&log.name));
        let there: BTreeSet<String> = there.collect();
        for (path, kept) in &mut self.logs {
            if kept.standing != Standing::There && there.contains(path) {
                kept.standing = Standing::There;
                self.changed = true;
            }
        }
        self.vanished(&there, look);
    }

    /// Sets aside what is not what it was, and removes what no index names. A log that is there is taken in again.
    fn tidy(&mut self, workspace: &Workspace, all: bool, issues: &mut Vec<Issue>) -> Result<()> {
        if std::mem::take(&mut self.is_lost) {
            self.contents.condemn_all(workspace)?;
            self.damage.is_unknown = true;
        }
        self.check(workspace, all, issues);
        for id in std::mem::take(&mut self.contents.unsound) {
            self.condemn(workspace, id)?;
        }
        let wanted = self.wanted();
        self.contents.sweep(workspace, &wanted)
    }

    fn check(&mut self, workspace: &Workspace, all: bool, issues: &mut Vec<Issue>) {
        let kept = self.logs.values().flat_map(KeptLog::contents);
        self.contents.check(workspace, kept, all, issues);
    }

    /// Whether a log that is there, with a text of this hash, is kept as it is to be.
    pub fn knows(&self, path: &str, hash: u64, look: ScanOptions<'_>) -> bool {
        let is_as_kept = |kept| self.is_as_kept(kept, hash, look);
        !self.is_on || self.logs.get(path).map_or(!look.keep, is_as_kept)
    }

    fn is_as_kept(&self, kept: &KeptLog, hash: u64, look: ScanOptions<'_>) -> bool {
        kept.text == hash && (!look.keep || self.contents.holds(kept.last.id))
    }

    /// Takes in a log that was read: with `keep`, its content is in place after the next [`Vault::commit`].
    pub fn take(
        &mut self,
        path: &str,
        (bytes, mode): (&[u8], u32),
        text: &str,
        known: &Cache,
        look: ScanOptions<'_>,
    ) -> Result<()> {
        let before = self.logs.get(path).cloned();
        if !self.is_on || before.is_none() && !look.keep {
            return Ok(());
        }
        let seen = seen(bytes, text, mode);
        if let Some(kept) = before {
            if self.is_as_kept(&kept, seen.text, look) {
                self.changed |= kept.mode != mode;
                self.logs.insert(path.to_owned(), KeptLog { mode, ..kept });
                return Ok(());
            }
            if kept.text != seen.text {
                self.look_back(path, &kept, text, known, look)?;
            }
        }
        if look.keep {
            self.contents.put(look.workspace, bytes)?;
        }
        self.changed = true;
        // What was set aside on the way may have taken it along.
        let mut kept = self.logs.remove(path).unwrap_or_else(|| seen.clone());
        kept.changed(seen, text, look.today, |id| self.text(look.workspace, id).ok());
        self.logs.insert(path.to_owned(), kept);
        Ok(())
    }

    /// What a log said before it changed must be there to be compared with. Where it is not what it was, only the cache may know that
    /// nothing was lost; while it cannot be read, nothing is concluded.
    fn look_back(
        &mut self,
        path: &str,
        before: &KeptLog,
        now: &str,
        known: &Cache,
        look: ScanOptions<'_>,
    ) -> Result<()> {
        let id = before.last.id;
        if self.contents.read(look.workspace, id)?.is_some() {
            return Ok(());
        }
        let mut known = known.logs.values().map(|(_, facts)| facts);
        let units = entry::by_digest(now);
        let is_lost = |known: &LogFacts| known.units.iter().any(|unit| !units.contains_key(&unit.digest));
        if known.find(|facts| facts.hash == before.text).is_none_or(is_lost) {
            self.damage.logs.insert(path.to_owned());
        }
        if look.keep && self.contents.has(id) {
            self.condemn(look.workspace, id)?;
        }
        Ok(())
    }

    /// Logs that are not `there` any more: gone, or moved to where the same content is.
    fn vanished(&mut self, there: &BTreeSet<String>, look: ScanOptions<'_>) {
        let is_missing = |path: &String, kept: &KeptLog| match &kept.standing {
            Standing::There => !there.contains(path),
            Standing::Moved(_, to) => look.workspace.size_of(to) != Some(kept.last.bytes),
            Standing::Gone(_) => false,
        };
        let missing = self.logs().filter(|(path, kept)| is_missing(path, kept));
        let missing: Vec<(String, Version)> = missing.map(|(path, kept)| (path.clone(), kept.last)).collect();
        if missing.is_empty() {
            return;
        }
        let mut found: BTreeMap<Id, String> = BTreeMap::new();
        let is_wanted = |size: u64| size > 0 && missing.iter().any(|(_, last)| last.bytes == size);
        look.workspace.search(&is_wanted, &mut |path, bytes| {
            found.entry(Id(xxh3_128(&bytes))).or_insert(path);
        });
        self.changed = true;
        for (path, Version { id, .. }) in missing {
            let standing = match found.get(&id) {
                Some(to) => Standing::Moved(look.today, to.clone()),
                None if !self.contents.has(id) => {
                    self.logs.remove(&path);
                    self.damage.logs.insert(path);
                    continue;
                }
                None => Standing::Gone(look.today),
            };
            if let Some(kept) = self.logs.get_mut(&path) {
                kept.standing = standing;
            }
        }
    }
}

/// Reads an index; none where there is none, or none that is whole.
fn index(workspace: &Workspace, name: &str) -> Result<Option<Vault>> {
    let Some(bytes) = workspace.bytes_if_there(Folder::Vault, name)? else {
        return Ok(None);
    };
    let Some(first) = bytes.strip_prefix(FIRST_VERSION) else {
        let bytes = bytes.strip_prefix(VERSION);
        return Ok(bytes.and_then(cache::unseal));
    };
    // The logs, and what lies in which pack; the sizes of the packs and the next numbers stand behind these.
    let Some((logs, packed)) = cache::unseal(first) else {
        return Ok(None);
    };
    let damage: Option<Damage> = workspace.read_json(Folder::Vault, FIRST_DAMAGE);
    let is_unknown = damage.is_none();
    let mut vault = Vault {
        logs,
        damage: damage.unwrap_or_default(),
        changed: true,
        ..Vault::default()
    };
    vault.damage.is_unknown |= is_unknown;
    vault.contents.packed = packed;
    Ok(Some(vault))
}

fn seen(content: &[u8], text: &str, mode: u32) -> KeptLog {
    KeptLog {
        last: Version {
            id: Id(xxh3_128(content)),
            bytes: content.len() as u64,
            lines: vault::line_count(text),
        },
        text: xxh3_64(text.as_bytes()),
        mode,
        standing: Standing::There,
        earlier: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
