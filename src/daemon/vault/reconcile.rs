//! Looking at the logs for the vault: what is new, what changed and how, what is gone and what was only moved.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use xxhash_rust::xxh3::xxh3_128;

use super::{Vault, seen};
use crate::daemon::cache::Cache;
use crate::daemon::issue::Issue;
use crate::daemon::listing::{Listing, log_issue};
use crate::daemon::log_name::{log_file, log_name};
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::entry::{self, UnitDigest};
use crate::memory::inventory::LogFacts;
use crate::memory::text;
use crate::memory::vault::{Id, KeptLog, Standing};

#[derive(Debug, Clone, Copy)]
pub struct ScanOptions<'a> {
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
    pub fn reconcile(
        &mut self,
        workspace: &Workspace,
        listing: &Listing,
        look: ScanOptions<'_>,
        issues: &mut Vec<Issue>,
    ) {
        self.session_files = look.session_files;
        if let Err(error) = self.tidy(workspace, look, issues) {
            issues.push(Issue::from_error(super::PATH, &error));
        }
        let (mut there, mut unlike) = (HashSet::new(), BTreeSet::new());
        for (_, file) in &listing.logs {
            let path = format!("memory/{}", file.name);
            // The cache vouches for it.
            let known = look.known.log(&path, file.stamp).zip(self.logs.get(&path));
            if !known.is_some_and(|(facts, kept)| self.is_as_kept(kept, facts.hash, look)) {
                unlike.insert(path.clone());
            }
            there.insert(path);
        }
        let unlisted = self.logs.keys().filter(|path| !there.contains(*path));
        let unlisted: Vec<String> = unlisted.cloned().collect();
        // What the vault has of one that fails stays, and it is tried again: nothing rests on a log that was not kept.
        let mut take_in = |vault: &mut Self, path| issues.extend(vault.log(workspace, path, look).err());
        unlike.iter().for_each(|path| take_in(self, path));
        // A pack that was found damaged on the way held what others said, too.
        let lost = self.logs.iter().filter(|(path, kept)| {
            look.keep
                && self.packs.pack_of(kept.last.id).is_none()
                && there.contains(*path)
                && !unlike.contains(*path)
        });
        let lost: Vec<String> = lost.map(|(path, _)| path.clone()).collect();
        lost.iter().for_each(|path| take_in(self, path));
        self.vanished(workspace, &unlisted, look);
    }

    /// Sets aside what is not what it was, and removes what no index names. A log that is there is taken in again.
    fn tidy(
        &mut self,
        workspace: &Workspace,
        look: ScanOptions<'_>,
        issues: &mut Vec<Issue>,
    ) -> Result<(), FileError> {
        let (unsound, unreadable) = self.packs.unsound(workspace, look.check);
        issues.extend(unreadable.map(|error| Issue::from_error(super::PATH, &error)));
        if !look.keep {
            let what = "a file of it is damaged or gone; the next cycle sets it aside, and keeps anew what the logs still say";
            issues.extend((!unsound.is_empty()).then(|| Issue::error(super::PATH, what)));
            return Ok(());
        }
        for pack in unsound {
            self.condemn(workspace, pack)?;
        }
        self.packs.sweep(workspace, super::INDEX)
    }

    /// Whether a log whose text has this hash is what is known of it, and is kept where it is to be.
    fn is_as_kept(&self, kept: &KeptLog, hash: u64, look: ScanOptions<'_>) -> bool {
        let is_kept = !look.keep || self.packs.holds(kept.last.id);
        is_kept && kept.text == hash && kept.standing == Standing::There
    }

    fn log(&mut self, workspace: &Workspace, path: &str, look: ScanOptions<'_>) -> Result<(), Issue> {
        let of_vault = |error: FileError| Issue::from_error(super::PATH, &error);
        let before = self.logs.get(path);
        if before.is_none() && !look.keep {
            return Ok(());
        }
        let read = workspace.read(Folder::Memory, log_file(path));
        let contents = read.map_err(|error| log_issue(path, &error))?;
        let bytes = contents.bytes;
        let text = text::decode(bytes.clone()).text;
        let seen = seen(&bytes, &text, contents.mode);
        if before.is_some_and(|kept| self.is_as_kept(kept, seen.hash, look)) {
            if let Some(kept) = self.logs.get_mut(path).filter(|kept| kept.mode != seen.mode) {
                kept.mode = seen.mode;
                self.changed = true;
            }
            return Ok(());
        }
        if let Some(kept) = before.filter(|kept| kept.text != seen.hash).cloned() {
            self.look_back(workspace, path, (&kept, text.as_str()), look)
                .map_err(of_vault)?;
        }
        if look.keep {
            self.packs
                .put(workspace, path, seen.id, &bytes)
                .map_err(of_vault)?;
        }
        self.changed = true;
        let kept = match self.logs.remove(path) {
            None => KeptLog::new(&seen),
            Some(mut kept) => {
                kept.changed(&seen, look.today, |id| self.text(workspace, id).ok());
                kept
            }
        };
        self.logs.insert(path.to_owned(), kept);
        Ok(())
    }

    /// What a log said before it changed must be there to be compared with. Where it is not what it was, only the cache may know that
    /// nothing was lost; while it cannot be read, nothing is concluded.
    fn look_back(
        &mut self,
        workspace: &Workspace,
        path: &str,
        (before, now): (&KeptLog, &str),
        look: ScanOptions<'_>,
    ) -> Result<(), FileError> {
        let id = before.last.id;
        if self.packs.read(workspace, id)?.is_some() {
            return Ok(());
        }
        let is_it = |facts: &&LogFacts| facts.hash == before.text;
        let known = look.known.logs.values().map(|(_, facts)| facts).find(is_it);
        let units: HashSet<UnitDigest> = entry::by_digest(now).into_keys().collect();
        if known.is_none_or(|known| known.units.iter().any(|unit| !units.contains(&unit.digest))) {
            self.damage.hides(path);
        }
        if let Some(pack) = self.packs.pack_of(id).filter(|_| look.keep) {
            self.condemn(workspace, pack)?;
        }
        Ok(())
    }

    /// Logs that were there and are not (`unlisted`, in order): gone, or moved to where the same content is. A moved one whose new
    /// place is empty by now is looked for again.
    fn vanished(&mut self, workspace: &Workspace, unlisted: &[String], look: ScanOptions<'_>) {
        let is_missing = |path: &String, kept: &KeptLog| match &kept.standing {
            Standing::There => unlisted.binary_search(path).is_ok(),
            Standing::Moved(_, to) => workspace.size_of(to) != Some(kept.last.bytes),
            Standing::Gone(_) => false,
        };
        let counts = |path: &str| log_name(path).is_some_and(|(_, session)| look.session_files || !session);
        let missing = self.logs.iter();
        let missing = missing.filter(|(path, kept)| is_missing(path, kept) && counts(path));
        let missing = missing.map(|(path, kept)| (path.clone(), kept.last.id, kept.last.bytes));
        let missing: Vec<(String, Id, u64)> = missing.collect();
        if missing.is_empty() {
            return;
        }
        let mut found: BTreeMap<Id, String> = BTreeMap::new();
        let is_wanted = |size: u64| size > 0 && missing.iter().any(|(_, _, bytes)| *bytes == size);
        workspace.search(&is_wanted, &mut |path, bytes| {
            found.entry(Id(xxh3_128(&bytes))).or_insert(path);
        });
        for (path, id, _) in missing {
            let standing = match found.get(&id) {
                Some(to) => Standing::Moved(look.today, to.clone()),
                None if self.packs.pack_of(id).is_none() => {
                    self.damage.hides(&path);
                    self.logs.remove(&path);
                    self.changed = true;
                    continue;
                }
                None => Standing::Gone(look.today),
            };
            if let Some(kept) = self.logs.get_mut(&path) {
                kept.standing = standing;
                self.changed = true;
            }
        }
    }
}
