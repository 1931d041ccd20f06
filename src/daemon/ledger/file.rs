//! The state file as bytes: read without following anything, replaced whole and durably.
//!
//! Everything happens relative to a descriptor of the folder, so that nothing outside of it is touched (a link, a FIFO
//! or a folder in the file's place is named, not followed).

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::LedgerError;
use crate::daemon::workspace::exchange::{self, Exchanged};
use crate::daemon::workspace::modes;

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
    let mut file = create(&temporary, kept.unwrap_or_else(beside), kept.is_some())
        .map_err(|errno| failed("creating", temporary_path.clone(), errno))?;
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
    let at = folder.as_fd();
    let in_place = if old.is_none() {
        match rustix::fs::renameat_with(at, &temporary.name, at, name, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(Exchanged::Replaced),
            Err(Errno::EXIST) => Ok(Exchanged::Raced),
            Err(Errno::INVAL | Errno::NOSYS) => Ok(Exchanged::Unable),
            Err(errno) => Err(errno),
        }
    } else {
        let out = || read(folder, path, &temporary.name).ok().flatten();
        exchange::replace(at, &temporary.name, name, || out().as_deref() == old)
    };
    let in_place = match in_place {
        Ok(Exchanged::Replaced) => Ok(()),
        Ok(Exchanged::Raced) => return Ok(false),
        Ok(Exchanged::Unable) => rustix::fs::renameat(at, &temporary.name, at, name),
        Err(errno) => Err(errno),
    };
    in_place.map_err(|errno| failed("replacing", path.join(name), errno))?;
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

/// Creates the temporary file with a mode: that of the file it will replace, or else what the umask leaves of it.
fn create(temporary: &Temporary<'_>, mode: Mode, is_kept: bool) -> Result<File, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = || rustix::fs::openat(temporary.folder, &temporary.name, flags, mode);
    let descriptor = open().or_else(|errno| {
        if errno != Errno::EXIST {
            return Err(errno);
        }
        // Left by a process of the same number that died while it wrote.
        rustix::fs::unlinkat(temporary.folder, &temporary.name, AtFlags::empty())?;
        open()
    })?;
    if is_kept {
        rustix::fs::fchmod(&descriptor, mode)?;
    }
    Ok(File::from(descriptor))
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
