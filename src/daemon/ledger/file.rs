//! The state file as bytes: read without following anything, replaced whole and durably.
//!
//! Everything happens relative to a descriptor of the folder, so that nothing outside of it is touched (a link, a FIFO
//! or a folder in the file's place is named, not followed).

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::LedgerError;
use crate::daemon::workspace::{create, exchange, modes};

/// Nobody's state is larger than this: of what is, no more than one byte more is read.
pub(super) const BYTES_MAX: usize = 1024 * 1024;

/// Opens a folder to work in; a link in its place is refused.
pub(super) fn open_folder(path: &Path) -> Result<OwnedFd, LedgerError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| failed("opening", path.to_owned(), errno))
}

/// The bytes of a file, of one that is too large the first; none when there is none.
pub(super) fn read(folder: &OwnedFd, path: &Path, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
    Ok(read_with_mode(folder, path, name)?.map(|(bytes, _)| bytes))
}

/// Renames within the folder, durably.
pub(super) fn rename(folder: &OwnedFd, path: &Path, from: &str, to: &str) -> Result<(), LedgerError> {
    rustix::fs::renameat(folder, from, folder, to)
        .and_then(|()| rustix::fs::fsync(folder))
        .map_err(|errno| failed("setting aside", path.join(from), errno))
}

/// Replaces a file by `new`, whole and durably, provided that it still holds `old` (none: is still missing). Keeps the
/// file's mode. Answers false, with nothing done, when it does not.
pub(super) fn replace(
    folder: &OwnedFd,
    path: &Path,
    name: &str,
    old: Option<&[u8]>,
    new: &[u8],
) -> Result<bool, LedgerError> {
    let temporary = Temporary {
        folder,
        name: format!("{name}.tmp-{}", std::process::id()),
    };
    let temporary_path = path.join(&temporary.name);
    let kept = read_with_mode(folder, path, name)?.map(|(_, mode)| mode);
    let beside = || Mode::from_raw_mode(modes::of_logs(folder.as_fd()) as rustix::fs::RawMode);
    let made = create(folder.as_fd(), &temporary.name, kept.unwrap_or_else(beside)).and_then(|file| {
        // Whatever the umask is.
        kept.map_or(Ok(()), |mode| rustix::fs::fchmod(&file, mode))?;
        Ok(File::from(file))
    });
    let mut file = made.map_err(|errno| failed("creating", temporary_path.clone(), errno))?;
    file.write_all(new)
        .and_then(|()| file.sync_all())
        .map_err(|source| LedgerError::Io {
            action: "writing",
            path: temporary_path,
            source,
        })?;
    if read(folder, path, name)?.as_deref() != old {
        return Ok(false);
    }
    let out = || read(folder, path, &temporary.name).ok().flatten();
    let is_old = || out().as_deref() == old;
    let placed = exchange::put(folder.as_fd(), &temporary.name, name, old.is_some(), is_old);
    if !placed.map_err(|errno| failed("replacing", path.join(name), errno))? {
        return Ok(false);
    }
    rustix::fs::fsync(folder).map_err(|errno| failed("syncing", path.to_owned(), errno))?;
    Ok(true)
}

/// A temporary file's name; the file is gone when this is dropped, however the writing went.
struct Temporary<'a> {
    folder: &'a OwnedFd,
    name: String,
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // After the rename there is nothing to remove, and before it nothing better to do about a failure.
        let _ = rustix::fs::unlinkat(self.folder, &self.name, AtFlags::empty());
    }
}

fn read_with_mode(folder: &OwnedFd, path: &Path, name: &str) -> Result<Option<(Vec<u8>, Mode)>, LedgerError> {
    // NONBLOCK, because opening a FIFO would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let descriptor = match rustix::fs::openat(folder, name, flags, Mode::empty()) {
        Ok(descriptor) => descriptor,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => {
            if let Ok(stat) = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                regular(&stat, path, name)?;
            }
            return Err(failed("opening", path.join(name), errno));
        }
    };
    let stat =
        rustix::fs::fstat(&descriptor).map_err(|errno| failed("looking at", path.join(name), errno))?;
    regular(&stat, path, name)?;
    let mut bytes = Vec::new();
    File::from(descriptor)
        .take(BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| LedgerError::Io {
            action: "reading",
            path: path.join(name),
            source,
        })?;
    Ok(Some((bytes, Mode::from_raw_mode(stat.st_mode))))
}

fn regular(stat: &Stat, path: &Path, name: &str) -> Result<(), LedgerError> {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => return Ok(()),
        FileType::Symlink => "a link",
        FileType::Directory => "a folder",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        _ => "a device",
    };
    Err(LedgerError::NotAFile {
        path: path.join(name),
        kind,
    })
}

fn failed(action: &'static str, path: PathBuf, errno: Errno) -> LedgerError {
    LedgerError::Io {
        action,
        path,
        source: io::Error::from(errno),
    }
}
