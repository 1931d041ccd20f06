//! Files that are written in place and so must be nobody else's, the raw logs by an append and the lock files; and whose turn at a
//! folder it is.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, RawMode};
use rustix::io::Errno;

use super::{FileError, Folder, Workspace, is_regular};
use crate::daemon::clock::pause;

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
    pub fn append(&self, name: &str, text: &str, mode: u32) -> Result<(), FileError> {
        let (log, bytes) = self.open_in_place(Folder::Memory, name, APPEND, OFlags::APPEND, mode)?;
        let mut text = Cow::Borrowed(text);
        if text.contains('\0') {
            text = text.replace('\0', "").into();
        }
        if let Some(last) = bytes.checked_sub(1) {
            let mut byte = [0];
            let read = log.read_at(&mut byte, last);
            read.map_err(self.cannot("read the end of", Folder::Memory, name))?;
            let gap = if byte[0] == b'\n' { "\n" } else { "\n\n" };
            text = format!("{gap}{text}").into();
        }
        self.write_to(log, name, text.as_bytes())
    }

    /// Appends the rest of a text of which a crash left only the beginning at the end of a raw log.
    pub fn go_on(&self, name: &str, rest: &[u8]) -> Result<(), FileError> {
        let (log, _) = self.open_in_place(Folder::Memory, name, APPEND, OFlags::APPEND, 0o600)?;
        self.write_to(log, name, rest)
    }

    fn write_to(&self, mut log: File, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        let written = log.write(bytes).and_then(|written| {
            if written < bytes.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(super::batch::sync(log.as_fd())?)
        });
        written.map_err(self.cannot(APPEND, Folder::Memory, name))
    }

    /// Opens or makes a lock file in the daemon's own folder. It is never removed, so that it cannot go stale.
    pub fn lock_file(&self, name: &str) -> Result<File, FileError> {
        let opened = self.open_in_place(Folder::Own, name, "open the lock", OFlags::empty(), 0o600)?;
        Ok(opened.0)
    }

    /// Opens or makes a file to be written in place. With a second name it would be somebody's file that is written into.
    fn open_in_place(
        &self,
        folder: Folder,
        name: &str,
        what: &'static str,
        flags: OFlags,
        mode: u32,
    ) -> Result<(File, u64), FileError> {
        self.refuse_others(folder, name)?;
        let flags = flags | OFlags::RDWR | OFlags::CREATE;
        let mode = Mode::from_raw_mode(mode as RawMode);
        let opened = rustix::fs::openat(self.at(folder, name, what)?, name, flags | super::PLAIN, mode)
            .map_err(self.cannot(what, folder, name))?;
        let stat = rustix::fs::fstat(&opened).map_err(self.cannot("look at", folder, name))?;
        if !is_regular(&stat) {
            return Err(FileError::NotAFile(self.file_path(folder, name)));
        }
        if stat.st_nlink > 1 {
            return Err(FileError::Shared(self.file_path(folder, name)));
        }
        Ok((opened.into(), u64::try_from(stat.st_size).unwrap_or_default()))
    }

    /// An error when something else than a regular file stands there: opening a device may already do something.
    pub(super) fn refuse_others(&self, folder: Folder, name: &str) -> Result<(), FileError> {
        match self.stat(folder, name)? {
            Some(stat) if !is_regular(&stat) => Err(FileError::NotAFile(self.file_path(folder, name))),
            _ => Ok(()),
        }
    }

    /// Waits for its turn at a folder in which several processes replace the same files, each beside its place under the same
    /// name: two at once would put the other's half in place. None on a file system that knows no such turns, and when one takes
    /// longer than any of ours: a lock that somebody else keeps on a folder stops nothing.
    pub fn turn(&self, folder: Folder) -> Option<Turn<'_>> {
        take_turn(self.descriptor(folder).ok()?)
    }
}

/// Waits for the turn at an opened folder; none where the kernel gives no lock.
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
