//! How files are written: each to a temporary file, all synced, then renamed over from the lowest level up, and the folders synced.
//!
//! After a crash at any instant every file is the old one or the new one. A file of a higher level is put in place
//! only when every file of the levels below it is, and on disk.
//!
//! A rename cannot tell what it replaces: what somebody writes between the last look and the rename is gone. So where others write a
//! file too, the two files change places, and only then the one that came out is looked at: if it is not what was expected, it goes back.
//!
//! Files that are written in place must be nobody else's: the raw logs by an append, and the lock files. And in a folder in which
//! several processes replace the same files one has its turn after the other.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, RawMode, RenameFlags};
use rustix::io::Errno;

use super::{FileError, Folder, MONTHLY, Result, Stamp, WEEKLY, Workspace};
use super::{is_regular, permission_bits, size, stamp, stat::identity, strays};
use crate::daemon::clock::pause;

/// From this many files on, the file system is asked to sync all at once.
#[cfg(target_os = "linux")]
const SYNC_ALL_FROM: usize = 12;
const HELD: &str =
    "is not put in place, because a file that belongs below it is not; the next cycle tries again";
const EDIT_TRIES: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Absent,
    Same(Stamp),
    /// Any regular file, or nothing.
    Whatever,
}

#[derive(Debug)]
pub struct Staged {
    folder: Folder,
    name: String,
    pub temporary: String,
    expected: Expected,
    pub bytes: usize,
}

impl Workspace {
    /// Puts files in place that belong together. What comes back could not be put there and keeps its old content; without a name it is a
    /// folder that could not be synced.
    pub fn commit(&self, mut staged: Vec<Staged>) -> Vec<(Folder, String, FileError)> {
        staged.sort_by_key(|file| file.folder);
        let mut fault = self.sync_contents(&staged).err();
        let mut failed = Vec::new();
        for files in staged.chunk_by(|one, other| one.folder == other.folder) {
            // A level below is not in place: what was built from it must not be either.
            let is_held = fault.is_some() || !failed.is_empty();
            for file in files {
                let held = || FileError::Refused(self.file_path(file.folder, &file.name), HELD);
                let placed = match is_held {
                    true => Err(fault.take().unwrap_or_else(held)),
                    false => self.put_in_place(file),
                };
                if let Err(error) = placed {
                    self.discard(file);
                    failed.push((file.folder, file.name.clone(), error));
                }
            }
            if !is_held && let Err(error) = self.sync_folder(files[0].folder) {
                failed.push((files[0].folder, String::new(), error));
            }
        }
        failed
    }

    /// The same where one file that could not be put in place is as bad as all of them.
    pub fn commit_all(&self, staged: Vec<Staged>) -> Result<()> {
        let first = self.commit(staged).into_iter().next();
        first.map_or(Ok(()), |(_, _, error)| Err(error))
    }

    fn sync_contents(&self, staged: &[Staged]) -> Result<()> {
        #[cfg(target_os = "linux")]
        if staged.len() >= SYNC_ALL_FROM {
            for files in staged.chunk_by(|one, other| one.folder == other.folder) {
                let folder = files[0].folder;
                let at = self.descriptor(folder);
                let synced = at.and_then(|at| Ok(rustix::fs::syncfs(at)?));
                synced.map_err(self.cannot("sync", folder, ""))?;
            }
            return Ok(());
        }
        for file in staged {
            let at = self.at(file.folder, &file.name, "sync")?;
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let opened = rustix::fs::openat(at, &file.temporary, flags, Mode::empty());
            let synced = opened.and_then(|opened| sync(opened.as_fd()));
            synced.map_err(self.cannot("sync", file.folder, &file.name))?;
        }
        Ok(())
    }

    /// Replaces one small file whole, durably, in its turn. The file keeps its mode if there is one, else it gets `mode`.
    pub fn replace(&self, folder: Folder, name: &str, bytes: &[u8], mode: u32) -> Result<()> {
        self.replace_expected(folder, name, bytes, mode, Expected::Whatever)
    }

    /// The same, provided that what stands there is what is expected.
    pub fn replace_expected(
        &self,
        folder: Folder,
        name: &str,
        bytes: &[u8],
        mode: u32,
        expected: Expected,
    ) -> Result<()> {
        let _turn = self.turn(folder);
        self.commit_all(vec![self.stage(folder, name, bytes, mode, expected)?])
    }

    /// Replaces a file whole without waiting for the disk: for what can be made again.
    pub fn replace_unsynced(&self, folder: Folder, name: &str, bytes: &[u8]) -> Result<()> {
        let _turn = self.turn(folder);
        let staged = self.stage(folder, name, bytes, 0o600, Expected::Whatever)?;
        // A folder in the file's place: nothing stays behind.
        let placed = self.put_in_place(&staged);
        placed.inspect_err(|_| self.discard(&staged))
    }

    /// Changes a file that others write too, none where there is no file; `change` answers the new text. Starts over when somebody wrote meanwhile.
    pub fn edit<E: From<FileError>>(
        &self,
        folder: Folder,
        name: &str,
        mode: u32,
        mut change: impl FnMut(Option<Vec<u8>>) -> Result<Option<String>, E>,
    ) -> Result<bool, E> {
        let mut tries_left = EDIT_TRIES;
        loop {
            tries_left -= 1;
            let _turn = self.turn(folder);
            let (bytes, expected) = match self.read_if_there(folder, name)? {
                Some(contents) => (Some(contents.bytes), Expected::Same(contents.stamp)),
                None => (None, Expected::Absent),
            };
            let Some(new) = change(bytes)? else {
                return Ok(false);
            };
            match self.replace_expected(folder, name, new.as_bytes(), mode, expected) {
                Ok(()) => return Ok(true),
                Err(FileError::Raced(_)) if tries_left > 0 => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn put_in_place(&self, file: &Staged) -> Result<()> {
        let (folder, name, temporary) = (file.folder, &*file.name, &*file.temporary);
        let at = self.at(folder, name, "replace")?;
        let there = self.stat(folder, name)?;
        if there.as_ref().is_some_and(|stat| !is_regular(stat)) {
            return Err(FileError::NotAFile(self.file_path(folder, name)));
        }
        let placed = match (file.expected, there) {
            (Expected::Whatever, _) => rustix::fs::renameat(at, temporary, at, name).map(|()| true),
            (Expected::Absent, None) => add(at, temporary, name),
            (Expected::Same(known), Some(stat)) if stamp(&stat) == known => {
                let is_expected = || strays::identity_at(at, temporary) == Some(identity(&stat));
                replace(at, temporary, name, is_expected)
            }
            _ => Ok(false),
        };
        match placed.map_err(self.cannot("replace", folder, name))? {
            true => Ok(()),
            false => Err(FileError::Raced(self.file_path(folder, name))),
        }
    }

    /// Removes what was staged. What could not go back to its place is somebody's; what becomes of it is said by the next cycle.
    fn discard(&self, file: &Staged) {
        if let Ok(at) = self.descriptor(file.folder) {
            let _ = self.clear(file.folder, at, &file.temporary);
        }
    }

    pub(super) fn sync_folder(&self, folder: Folder) -> Result<()> {
        let synced = self.descriptor(folder).and_then(|at| Ok(sync(at)?));
        synced.map_err(self.cannot("sync the folder", folder, ""))
    }

    /// Writes a file beside its place. A file that exists keeps its mode, a new one gets `mode`.
    pub fn stage(
        &self,
        folder: Folder,
        name: &str,
        bytes: &[u8],
        mode: u32,
        expected: Expected,
    ) -> Result<Staged> {
        let bytes = match folder {
            WEEKLY | MONTHLY => &self.tree.outer(bytes.to_vec()),
            _ => bytes,
        };
        let at = self.at(folder, name, "write")?;
        let there = self.stat(folder, name)?;
        if there.as_ref().is_some_and(|stat| !is_regular(stat)) {
            return Err(FileError::NotAFile(self.file_path(folder, name)));
        }
        let kept = there.as_ref().map(permission_bits);
        let mode = Mode::from_raw_mode(kept.unwrap_or(mode) as RawMode);
        let temporary = match (expected, &there) {
            (Expected::Same(_), Some(stat)) => strays::to_be_exchanged(name, bytes, stat),
            _ => strays::temporary(name),
        };
        let write = || -> io::Result<()> {
            let file = create(at, &temporary, mode)?;
            // Whatever the umask is.
            kept.map_or(Ok(()), |_| rustix::fs::fchmod(&file, mode))?;
            File::from(file).write_all(bytes)
        };
        // Best effort: what stays behind is removed at the next start.
        let written = write().inspect_err(|_| self.remove_temporary(folder, &temporary));
        written.map_err(self.cannot("write", folder, name))?;
        Ok(Staged {
            folder,
            name: name.to_owned(),
            temporary,
            expected,
            bytes: bytes.len(),
        })
    }
}

/// Makes a temporary file that is nobody else's: whatever stands there already goes, and is neither opened nor followed.
fn create(at: BorrowedFd<'_>, temporary: &str, mode: Mode) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = || rustix::fs::openat(at, temporary, flags, mode);
    open().or_else(|error| {
        if error != Errno::EXIST {
            return Err(error);
        }
        rustix::fs::unlinkat(at, temporary, AtFlags::empty())?;
        open()
    })
}

/// How often a file goes back and forth with somebody who writes all the time.
const TURNS: usize = 100;

/// Puts the file `ours` in the place of `name`, both in the folder `at`, provided that nothing stands there. Says whether it did. On a
/// file system that cannot tell it is put there in any case.
fn add(at: BorrowedFd<'_>, ours: &str, name: &str) -> Result<bool, Errno> {
    match rustix::fs::renameat_with(at, ours, at, name, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(errno) => unable(errno, at, ours, name).map(|()| true),
    }
}

/// The same where a file stands, provided that it is what was expected: `is_expected` looks at it when it has come out and bears the
/// name `ours`. Else it stands there again.
pub(super) fn replace(
    at: BorrowedFd<'_>,
    ours: &str,
    name: &str,
    is_expected: impl FnOnce() -> bool,
) -> Result<bool, Errno> {
    let swap = || rustix::fs::renameat_with(at, ours, at, name, RenameFlags::EXCHANGE);
    let mut put = strays::identity_at(at, ours);
    match swap() {
        Ok(()) => {}
        Err(Errno::NOENT) => return Ok(false),
        Err(errno) => return unable(errno, at, ours, name).map(|()| true),
    }
    if is_expected() {
        // What cannot be removed now is removed as a stray later.
        let _ = rustix::fs::unlinkat(at, ours, AtFlags::empty());
        return Ok(true);
    }
    for _ in 0..TURNS {
        let theirs = strays::identity_at(at, ours);
        match swap() {
            Ok(()) => {}
            // Removed since: whoever did that was the last to speak.
            Err(Errno::NOENT) => break,
            Err(errno) => return Err(errno),
        }
        if strays::identity_at(at, ours) == put {
            break;
        }
        // Newer than what has just gone back.
        put = theirs;
    }
    Ok(false)
}

fn unable(errno: Errno, at: BorrowedFd<'_>, ours: &str, name: &str) -> Result<(), Errno> {
    match errno {
        Errno::INVAL | Errno::NOSYS | Errno::NOTSUP => rustix::fs::renameat(at, ours, at, name),
        errno => Err(errno),
    }
}

/// Syncs a file or a folder. On macOS `fsync` leaves it in the disk's own memory; not every file system there knows the other call.
pub(super) fn sync(file: BorrowedFd<'_>) -> Result<(), Errno> {
    #[cfg(target_vendor = "apple")]
    if rustix::fs::fcntl_fullfsync(file).is_ok() {
        return Ok(());
    }
    rustix::fs::fsync(file)
}

/// How often, and how far apart, a process looks whether it is its turn: two seconds in all.
const TURN_LOOKS: u32 = 400;
const TURN_LOOK: Duration = Duration::from_millis(5);

const APPEND: &str = "append to";

#[derive(Debug)]
pub struct Turn<'a>(BorrowedFd<'a>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // It ends with the descriptor at the latest.
        let _ = rustix::fs::flock(self.0, FlockOperation::Unlock);
    }
}

impl Workspace {
    /// Appends to a raw log in one write (SPEC section 2), after a line break where the log does not end in one, and syncs it. The log
    /// is made with these permission bits when there is none; nothing else about it ever changes. NUL bytes are left out: they
    /// would make the log look like UTF-16.
    /// When the disk takes only a part of the text, that part stays.
    pub fn append(&self, name: &str, text: &str, mode: u32) -> Result<()> {
        let (log, bytes) = self.open_in_place(Folder::Memory, name, mode)?;
        let mut text = text.replace('\0', "");
        if let Some(last) = bytes.checked_sub(1) {
            let mut byte = [0];
            let read = log.read_at(&mut byte, last);
            read.map_err(self.cannot("read the end of", Folder::Memory, name))?;
            text.insert_str(0, if byte[0] == b'\n' { "\n" } else { "\n\n" });
        }
        self.write_to(log, name, text.as_bytes())
    }

    /// Appends the rest of a text of which a crash left only the beginning at the end of a raw log.
    pub fn go_on(&self, name: &str, rest: &[u8]) -> Result<()> {
        let (log, _) = self.open_in_place(Folder::Memory, name, 0o600)?;
        self.write_to(log, name, rest)
    }

    fn write_to(&self, mut log: File, name: &str, bytes: &[u8]) -> Result<()> {
        let written = log.write(bytes).and_then(|written| {
            if written < bytes.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(sync(log.as_fd())?)
        });
        written.map_err(self.cannot(APPEND, Folder::Memory, name))
    }

    /// Opens or makes a lock file in the daemon's own folder. It is never removed, so that it cannot go stale.
    pub fn lock_file(&self, name: &str) -> Result<File> {
        Ok(self.open_in_place(Folder::Own, name, 0o600)?.0)
    }

    pub fn try_lock(&self, name: &str) -> Result<Option<File>> {
        let file = self.lock_file(name)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(self.cannot("lock", Folder::Own, name)(source)),
        }
    }

    pub fn wait_lock(&self, name: &str) -> Result<File> {
        let file = self.lock_file(name)?;
        let locked = file.lock();
        locked.map_err(self.cannot("lock", Folder::Own, name))?;
        Ok(file)
    }

    /// Opens or makes a file to be written in place: a raw log at its end, or a lock.
    fn open_in_place(&self, folder: Folder, name: &str, mode: u32) -> Result<(File, u64)> {
        let (what, append) = match folder {
            Folder::Memory => (APPEND, OFlags::APPEND),
            _ => ("open the lock", OFlags::empty()),
        };
        let flags = append | OFlags::RDWR | OFlags::CREATE;
        let mode = Mode::from_raw_mode(mode as RawMode);
        let at = self.at(folder, name, what)?;
        let path = || self.file_path(folder, name);
        let (file, stat) = Self::open_file(at, name, what, (flags, mode), &path)?;
        if stat.st_nlink > 1 {
            let what = "has another name somewhere (a hard link), so nothing is written into it";
            return Err(FileError::Refused(path(), what));
        }
        Ok((file, size(&stat)))
    }

    /// Waits for its turn at a folder in which several processes replace the same files under the same temporary names: two at once would put
    /// the other's half in place. None on a file system that knows no such turns, and when one takes longer than any of ours: a lock that
    /// somebody else keeps on a folder stops nothing. A process may take its turn again, and loses it when the inner one ends.
    pub fn turn(&self, folder: Folder) -> Option<Turn<'_>> {
        take_turn(self.descriptor(folder).ok()?)
    }
}

pub(super) fn take_turn(at: BorrowedFd<'_>) -> Option<Turn<'_>> {
    for _ in 0..TURN_LOOKS {
        match rustix::fs::flock(at, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Some(Turn(at)),
            // The kernel knows no wait for a lock that ends by itself.
            Err(Errno::INTR | Errno::AGAIN) => pause(TURN_LOOK),
            Err(_) => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests;
