//! What a crash left behind. Nearly all of it is ours and goes. But a temporary file that has changed places with a file of somebody's may
//! hold what they wrote in that very moment (see [`replace`]): it goes back to its place, or is kept under a name that a person finds.

use std::os::fd::{AsFd as _, BorrowedFd};

use rustix::fs::{AtFlags, Dir, RenameFlags, Stat};
use rustix::io::Errno;
use xxhash_rust::xxh3::xxh3_64;

use super::stat::identity;
use super::write::{replace, take_turn};
use super::{DAILY, Folder, MONTHLY, WEEKLY, Workspace, is_regular};
use crate::daemon::issue::Issue;

/// The start of the name of every temporary file: whatever carries it and is older than the cycle is a stray.
const TEMPORARY: &str = ".hipocampusd-";
/// Behind the name of a file of somebody's that could not go back to its place.
const KEPT: &str = ".kept-by-hipocampusd";
/// So many of one file are kept, which takes as many crashes.
const KEPT_MAX: u32 = 100;
/// Wherever this program replaces files of a workspace.
const EVERYWHERE: [Folder; 13] = {
    use Folder::{Agents, Answers, Claude, Codex, Knowledge, Memory, Own, Tree, Vault, Workspace};
    [
        Workspace, Memory, Tree, DAILY, WEEKLY, MONTHLY, Agents, Own, Answers, Vault, Knowledge, Claude,
        Codex,
    ]
};

pub(super) fn temporary(name: &str) -> String {
    format!("{TEMPORARY}{name}.tmp")
}

/// The name of one that is to change places with the file that was looked at. It says what is ours and what is expected to come out,
/// so that after a crash the one is told from the other, and both from what somebody else wrote.
pub(super) fn to_be_exchanged(name: &str, bytes: &[u8], expected: &Stat) -> String {
    let (ours, expected) = (xxh3_64(bytes), identity(expected));
    format!("{TEMPORARY}{name}.{ours:016x}-{expected:016x}.tmp")
}

/// What [`to_be_exchanged`] was given: the name, the hash of what is ours, the identity of what was expected.
fn parts(temporary: &str) -> Option<(&str, u64, u64)> {
    let rest = temporary.strip_prefix(TEMPORARY)?.strip_suffix(".tmp")?;
    let (name, marks) = rest.rsplit_once('.')?;
    let (ours, expected) = marks.split_once('-')?;
    let number = |mark: &str| u64::from_str_radix(mark, 16).ok().filter(|_| mark.len() == 16);
    Some((name, number(ours)?, number(expected)?))
}

impl Workspace {
    /// Sees to what a crash left behind, and says what of it is not ours. The caller holds the workspace's cycle lock.
    pub fn remove_strays(&self) -> Vec<Issue> {
        let clear = |(folder, name): (Folder, String)| {
            let at = self.open_way(&self.folder_path(folder), false).ok()?;
            // What somebody was writing just now is gone in our own turn; what is still there is a stray.
            let _turn = take_turn(at.as_fd());
            self.clear(folder, at.as_fd(), &name)
        };
        self.strays().into_iter().filter_map(clear).collect()
    }

    pub fn strays(&self) -> Vec<(Folder, String)> {
        self.named(&EVERYWHERE, Self::is_temporary)
    }

    /// Whether there are strays in a folder that holds neither logs nor nodes: a listing of these does not see them.
    pub fn has_unlisted_strays(&self) -> bool {
        let is_listed = |folder: &Folder| matches!(folder, Folder::Memory | Folder::Level(_));
        let folders: Vec<Folder> = EVERYWHERE.into_iter().filter(|folder| !is_listed(folder)).collect();
        !self.named(&folders, Self::is_temporary).is_empty()
    }

    /// What lies there of others since a crash, until somebody has taken from it what they want.
    pub fn kept(&self) -> Vec<Issue> {
        let issue = |(folder, kept): (Folder, String)| {
            let name = kept.rsplit_once(KEPT).map_or("", |(name, _)| name);
            let what = format!(
                "is what somebody wrote into {name} when this program was killed; take from it what {name} lacks, then remove it"
            );
            Issue::warning(&folder.file(&kept), what)
        };
        self.named(&EVERYWHERE, is_kept).into_iter().map(issue).collect()
    }

    fn named(&self, folders: &[Folder], is_meant: impl Fn(&str) -> bool) -> Vec<(Folder, String)> {
        let mut found = Vec::new();
        for &folder in folders {
            // By default one folder has two names.
            if folder == Folder::Tree && self.tree.is_memory() {
                continue;
            }
            let at = self.open_way(&self.folder_path(folder), false);
            // The names alone: what else lies in a folder is not even looked at.
            let entries = at.ok().and_then(|at| Dir::read_from(at).ok());
            for entry in entries.into_iter().flatten().flatten() {
                let name = entry.file_name().to_str().unwrap_or_default();
                found.extend(is_meant(name).then(|| (folder, name.to_owned())));
            }
        }
        found
    }

    /// Whether a name is that of a temporary file of ours. Who writes one has the cycle's lock, or the turn at its folder.
    pub fn is_temporary(name: &str) -> bool {
        name.starts_with(TEMPORARY)
    }

    pub fn remove_temporary(&self, folder: Folder, name: &str) {
        if let Ok(at) = self.descriptor(folder) {
            remove(at, name);
        }
    }

    /// Sees to one temporary file: ours goes; what somebody else wrote goes back to its place, where ours stands still, or is kept.
    pub(super) fn clear(&self, folder: Folder, at: BorrowedFd<'_>, temporary: &str) -> Option<Issue> {
        let Some((name, ours, expected)) = parts(temporary) else {
            return remove(at, temporary);
        };
        let is_expected = |name| identity_at(at, name) == Some(expected);
        let is_ours = |name| {
            let read = Self::read_at(at, name, || self.file_path(folder, name));
            read.is_ok_and(|contents| xxh3_64(&contents.bytes) == ours)
        };
        let there = rustix::fs::statat(at, temporary, AtFlags::SYMLINK_NOFOLLOW);
        let is_empty = there.is_err() || there.is_ok_and(|stat| is_regular(&stat) && stat.st_size == 0);
        // Where what was expected still stands in its place, ours has not got there, and may be half written.
        if is_empty || is_expected(temporary) || is_ours(temporary) || is_expected(name) {
            return remove(at, temporary);
        }
        if is_ours(name) && replace(at, temporary, name, || is_ours(temporary)) == Ok(true) {
            let what = "this program was killed while it replaced what somebody had just written; that is back in its place";
            return Some(Issue::warning(&folder.file(name), what));
        }
        for number in 1..=KEPT_MAX {
            let kept = match number {
                1 => format!("{name}{KEPT}"),
                _ => format!("{name}{KEPT}-{number}"),
            };
            let what = match rustix::fs::renameat_with(at, temporary, at, &kept, RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => continue,
                Ok(()) => format!("somebody wrote it when this program was killed; it is kept as {kept}"),
                Err(errno) => {
                    let what = format!("is what somebody wrote into {name}, and cannot be renamed: {errno}");
                    return Some(Issue::error(&folder.file(temporary), what));
                }
            };
            return Some(Issue::warning(&folder.file(name), what));
        }
        None
    }
}

pub(super) fn identity_at(at: BorrowedFd<'_>, name: &str) -> Option<u64> {
    let stat = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.ok().map(|stat| identity(&stat))
}

fn remove(at: BorrowedFd<'_>, name: &str) -> Option<Issue> {
    // Best effort: what stays behind is removed at the next start.
    let _ = rustix::fs::unlinkat(at, name, AtFlags::empty());
    None
}

fn is_kept(name: &str) -> bool {
    let number = name.rsplit_once(KEPT).map(|(_, number)| number);
    number.is_some_and(|number| number.is_empty() || number.starts_with('-'))
}

#[cfg(test)]
mod tests;
