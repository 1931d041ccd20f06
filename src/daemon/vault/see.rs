//! Looking at the logs for the vault: what is new, what changed and how, what is gone and what was only moved.

use std::collections::{BTreeMap, HashMap};

use xxhash_rust::xxh3::xxh3_128;

use super::{Vault, seen};
use crate::daemon::cache::Cache;
use crate::daemon::issue::Issue;
use crate::daemon::scan::{Listing, log_file, log_name, session_name};
use crate::daemon::workspace::{FileError, Folder, Listed, Workspace};
use crate::memory::calendar::Day;
use crate::memory::hashing::Hashing;
use crate::memory::text;
use crate::memory::vault::{Id, Kept, Standing};

/// How to look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// The date, which superseded versions are kept from.
    pub today: Day,
    /// Whether session files are raw logs.
    pub session_files: bool,
    /// Whether new contents are taken in, rather than only looked at.
    pub keep: bool,
}

impl Vault {
    /// Compares the logs with what is known of them. Only those that the cache does not vouch for are read.
    pub fn see(
        &mut self,
        workspace: &Workspace,
        listing: &Listing,
        cache: &Cache,
        look: Look,
        issues: &mut Vec<Issue>,
    ) {
        self.session_files = look.session_files;
        if look.keep
            && let Err(error) = self.tidy(workspace, issues)
        {
            issues.push(Issue::from_error(super::PATH, &error));
        }
        let known: HashMap<(Day, &str), (u64, u64), Hashing> = cache
            .logs
            .iter()
            .filter(|log| log.stamp != 0)
            .map(|log| ((log.day, log.name.as_str()), (log.stamp, log.facts.hash)))
            .collect();
        // Nearly all logs are as they were, and one look from the vault's side tells which.
        let mut listed: HashMap<&str, (Day, &Listed), Hashing> = HashMap::default();
        listed.extend(
            listing
                .logs
                .iter()
                .map(|(day, file)| (file.name.as_str(), (*day, file))),
        );
        let vouched = |day: Day, file: &Listed| {
            let known = known.get(&(day, session_name(&file.name)));
            known
                .filter(|(stamp, _)| *stamp == file.stamp.0)
                .map(|(_, hash)| *hash)
        };
        let mut unlisted = Vec::new();
        for (path, kept) in &self.logs {
            let Some(&(day, file)) = listed.get(log_file(path)) else {
                unlisted.push(path.clone());
                continue;
            };
            if vouched(day, file).is_some_and(|hash| self.is_as_kept(kept, hash, look)) {
                listed.remove(log_file(path));
            }
        }
        let mut unlike: Vec<&str> = listed.into_keys().collect();
        unlike.sort_unstable();
        for name in unlike {
            let path = format!("memory/{name}");
            match self.log(workspace, &path, look) {
                Ok(()) => {}
                // What the vault has of it stays, and it is tried again: nothing rests on a log that was not kept.
                Err(Trouble::Log(error)) => issues.push(Issue::from_error(&path, &error)),
                Err(Trouble::Vault(error)) => issues.push(Issue::from_error(super::PATH, &error)),
            }
        }
        self.vanished(workspace, &unlisted, look);
    }

    /// Removes what no index names, and lets go of what lay in packs that somebody removed: a log that is there is taken in
    /// again, and what only they had is lost.
    fn tidy(&mut self, workspace: &Workspace, issues: &mut Vec<Issue>) -> Result<(), FileError> {
        if self.packs.let_go(workspace)? {
            for kept in self.logs.values_mut() {
                kept.earlier
                    .retain(|earlier| self.packs.holds(earlier.version.id));
            }
            self.changed = true;
            let what = "files of it are gone, and with them what only they had; the logs that are there are kept anew";
            issues.push(Issue::warning(super::PATH, what));
        }
        self.packs.sweep(workspace, super::INDEX)
    }

    /// Whether a log whose text has this hash is what is known of it, and is kept where it is to be.
    fn is_as_kept(&self, kept: &Kept, hash: u64, look: Look) -> bool {
        let is_kept = !look.keep || self.packs.holds(kept.last.id);
        is_kept && kept.text == hash && kept.standing == Standing::There
    }

    /// Compares one log with what is known of it.
    fn log(&mut self, workspace: &Workspace, path: &str, look: Look) -> Result<(), Trouble> {
        let before = self.logs.get(path);
        if before.is_none() && !look.keep {
            return Ok(());
        }
        let read = workspace.read(Folder::Memory, log_file(path));
        let contents = read.map_err(Trouble::Log)?;
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
        if look.keep {
            self.packs.put(workspace, path, seen.id, &bytes)?;
        }
        self.changed = true;
        let Some(mut kept) = self.logs.remove(path) else {
            self.logs.insert(path.to_owned(), Kept::new(&seen));
            return Ok(());
        };
        kept.changed(&seen, look.today, |id| self.text(workspace, id).ok());
        self.logs.insert(path.to_owned(), kept);
        Ok(())
    }

    /// Logs that were there and are not (`unlisted`, in order): gone, or moved to where the same content is. A moved one whose new
    /// place is empty by now is looked for again.
    fn vanished(&mut self, workspace: &Workspace, unlisted: &[String], look: Look) {
        let is_missing = |path: &String, kept: &Kept| match &kept.standing {
            Standing::There => unlisted.binary_search(path).is_ok(),
            Standing::Moved(_, to) => workspace.size_of(to) != Some(kept.last.bytes),
            Standing::Gone(_) => false,
        };
        let counts = |path: &str| log_name(path).is_some_and(|(_, session)| look.session_files || !session);
        let missing: Vec<(String, Id, u64)> = self
            .logs
            .iter()
            .filter(|(path, kept)| is_missing(path, kept) && counts(path))
            .map(|(path, kept)| (path.clone(), kept.last.id, kept.last.bytes))
            .collect();
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
                None => Standing::Gone(look.today),
            };
            if let Some(kept) = self.logs.get_mut(&path) {
                kept.standing = standing;
                self.changed = true;
            }
        }
    }
}

/// Why a log was not taken in.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    /// The log itself cannot be read.
    #[error(transparent)]
    Log(FileError),
    /// The vault cannot be written.
    #[error(transparent)]
    Vault(#[from] FileError),
}
