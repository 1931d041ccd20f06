//! Looking at the logs for the vault: what is new, what changed and how, what is gone and what was only moved.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use xxhash_rust::xxh3::xxh3_128;

use super::{Vault, seen};
use crate::daemon::cache::Cache;
use crate::daemon::issue::{Issue, or_issue};
use crate::daemon::log_name::log_file;
use crate::daemon::scan::{Listing, log_issue};
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::entry::{self, UnitDigest};
use crate::memory::inventory::LogFacts;
use crate::memory::text;
use crate::memory::vault::{Id, KeptLog, Standing, Version};

#[derive(Debug, Clone, Copy)]
pub struct ScanOptions<'a> {
    pub workspace: &'a Workspace,
    pub today: Day,
    pub session_files: bool,
    /// Whether new contents are taken in, rather than only looked at.
    pub keep: bool,
    /// Whether all that is kept is read, to know that it is what it was.
    pub check: bool,
    pub known: &'a Cache,
}

impl Vault {
    /// Compares the logs with what is known of them. Only those that the cache does not vouch for are read.
    pub fn reconcile(&mut self, listing: &Listing, look: ScanOptions<'_>, issues: &mut Vec<Issue>) {
        self.session_files = look.session_files;
        if look.keep {
            let tidied = self.tidy(look.workspace, look.check, issues);
            or_issue(tidied, super::PATH, issues);
        } else {
            self.check(look.workspace, false, issues);
            let what = "a file of it is damaged or gone; the next cycle sets it aside, and keeps anew what the logs still say";
            let is_damaged = self.is_lost || !self.contents.unsound.is_empty();
            issues.extend(is_damaged.then(|| Issue::error(super::PATH, what)));
        }
        let (mut there, mut unlike) = (BTreeSet::new(), Vec::new());
        for (_, file) in &listing.logs {
            let path = format!("memory/{}", file.name);
            let known = look.known.log(&path, file.stamp).zip(self.logs.get(&path));
            let is_known = known.is_some_and(|(facts, kept)| self.is_as_kept(kept, facts.hash, look));
            unlike.extend((!is_known).then(|| path.clone()));
            there.insert(path);
        }
        // What the vault has of one that fails stays, and it is tried again: nothing rests on a log that was not kept.
        for path in unlike {
            issues.extend(self.log(&path, look).err());
        }
        self.vanished(&there, look);
    }

    /// Sets aside what is not what it was, and removes what no index names. A log that is there is taken in again.
    pub(super) fn tidy(
        &mut self,
        workspace: &Workspace,
        all: bool,
        issues: &mut Vec<Issue>,
    ) -> Result<(), FileError> {
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

    /// Whether a log whose text has this hash is what is known of it, and is kept where it is to be.
    fn is_as_kept(&self, kept: &KeptLog, hash: u64, look: ScanOptions<'_>) -> bool {
        let is_kept = !look.keep || self.contents.holds(kept.last.id);
        is_kept && kept.text == hash && kept.standing == Standing::There
    }

    fn log(&mut self, path: &str, look: ScanOptions<'_>) -> Result<(), Issue> {
        let of_vault = |error: FileError| Issue::from_error(super::PATH, &error);
        let before = self.logs.get(path).cloned();
        if before.is_none() && !look.keep {
            return Ok(());
        }
        let read = look.workspace.read(Folder::Memory, log_file(path));
        let contents = read.map_err(|error| log_issue(path, &error))?;
        let text = text::decode(contents.bytes.clone()).text;
        let seen = seen(&contents.bytes, &text, contents.mode);
        if let Some(kept) = before {
            if self.is_as_kept(&kept, seen.text, look) {
                self.changed |= kept.mode != seen.mode;
                let mode = seen.mode;
                self.logs.insert(path.to_owned(), KeptLog { mode, ..kept });
                return Ok(());
            }
            if kept.text != seen.text {
                self.look_back(path, &kept, &text, look).map_err(of_vault)?;
            }
        }
        if look.keep {
            let put = self.contents.put(look.workspace, &contents.bytes);
            put.map_err(of_vault)?;
        }
        self.changed = true;
        // What was set aside on the way may have taken it along.
        let mut kept = self.logs.remove(path).unwrap_or_else(|| seen.clone());
        kept.changed(seen, &text, look.today, |id| self.text(look.workspace, id).ok());
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
        look: ScanOptions<'_>,
    ) -> Result<(), FileError> {
        let id = before.last.id;
        if self.contents.read(look.workspace, id)?.is_some() {
            return Ok(());
        }
        let mut known = look.known.logs.values().map(|(_, facts)| facts);
        let units: HashSet<UnitDigest> = entry::by_digest(now).into_keys().collect();
        let is_lost = |known: &LogFacts| known.units.iter().any(|unit| !units.contains(&unit.digest));
        if known.find(|facts| facts.hash == before.text).is_none_or(is_lost) {
            self.damage.logs.insert(path.to_owned());
        }
        if look.keep && self.contents.has(id) {
            self.condemn(look.workspace, id)?;
        }
        Ok(())
    }

    /// Logs that were there and are not `there` now: gone, or moved to where the same content is. A moved one whose new place is
    /// empty by now is looked for again.
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
