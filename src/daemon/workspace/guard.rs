//! What may stand in a file's place, whose turn at a folder it is, and the lock files, which are written in place and so must
//! be nobody else's.

use std::fs::File;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::{FileError, Folder, Workspace, is_regular};

/// How often, and how far apart, it is looked whether it is one's turn: two seconds in all.
const TURN_LOOKS: u32 = 400;
const TURN_LOOK: Duration = Duration::from_millis(5);

/// A turn at a folder; the next one waits for its end.
#[derive(Debug)]
pub struct Turn<'a>(BorrowedFd<'a>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // It ends with the descriptor at the latest.
        let _ = rustix::fs::flock(self.0, FlockOperation::Unlock);
    }
}

impl Workspace {
    /// Waits for its turn at a folder in which several processes replace the same files, each beside its place under the same
    /// name: two at once would put the other's half in place. None on a file system that knows no such turns, and when one takes
    /// longer than any of ours: a lock that somebody else keeps on a folder stops nothing.
    pub fn turn(&self, folder: Folder) -> Option<Turn<'_>> {
        take_turn(self.descriptor(folder).ok()?)
    }

    /// An error when something else than a regular file stands there: opening a device may already do something.
    pub(super) fn refuse_others(&self, folder: Folder, name: &str) -> Result<(), FileError> {
        match self.stat(folder, name)? {
            Some(stat) if !is_regular(&stat) => Err(FileError::NotAFile(self.file_path(folder, name))),
            _ => Ok(()),
        }
    }

    /// Opens or makes a lock file in the daemon's own folder. It is never removed, so that it cannot go stale.
    pub fn lock_file(&self, name: &str) -> Result<File, FileError> {
        let folder = Folder::Own;
        self.refuse_others(folder, name)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let at = self.at(folder, name, "open the lock")?;
        let opened = rustix::fs::openat(at, name, flags, Mode::RUSR | Mode::WUSR)
            .map_err(|source| FileError::system("open the lock", self.file_path(folder, name), source))?;
        self.look_alone(folder, name, &opened)?;
        Ok(File::from(opened))
    }

    /// Looks at what was opened to be written in place. An error when it is no regular file, or has a second name: what is written into
    /// it would be written into the file of that name.
    pub(super) fn look_alone(&self, folder: Folder, name: &str, opened: &OwnedFd) -> Result<Stat, FileError> {
        let path = self.file_path(folder, name);
        match rustix::fs::fstat(opened) {
            Err(source) => Err(FileError::system("look at", path, source)),
            Ok(stat) if !is_regular(&stat) => Err(FileError::NotAFile(path)),
            Ok(stat) if stat.st_nlink > 1 => Err(FileError::Shared(path)),
            Ok(stat) => Ok(stat),
        }
    }
}

/// Waits for the turn at an opened folder; none where the kernel gives no lock.
pub(super) fn take_turn(at: BorrowedFd<'_>) -> Option<Turn<'_>> {
    for _ in 0..TURN_LOOKS {
        match rustix::fs::flock(at, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Some(Turn(at)),
            // The kernel knows no wait for a lock that ends by itself.
            Err(Errno::INTR | Errno::AGAIN) => pause(),
            Err(_) => return None,
        }
    }
    None
}

#[expect(
    clippy::disallowed_methods,
    reason = "another process's turn is over in milliseconds"
)]
fn pause() {
    std::thread::sleep(TURN_LOOK);
}
