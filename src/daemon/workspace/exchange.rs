//! Replacing a file that others write too, with no moment in which a change of theirs could be lost.
//!
//! A rename cannot tell what it replaces: what somebody writes between the last look and the rename is gone. So the two
//! files change places, and only then the one that came out is looked at: if it is not what was expected, it goes back.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

/// How often a file goes back and forth with somebody who writes all the time.
const TURNS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchanged {
    /// The new file stands in its place, and the old one is gone.
    Replaced,
    /// Something else than expected stood there, and stands there again; the new file is where it was.
    Raced,
    /// This file system cannot let two files change places: nothing was done.
    Unable,
}

/// Puts the file `ours` in the place of `name`, both in the folder `at`: where something is to be replaced, provided that it is
/// what was expected (see [`replace`]), else provided that nothing stands there. On a file system that can do neither it is put
/// there in any case. Says whether it is there.
pub(super) fn put(
    at: BorrowedFd<'_>,
    ours: &str,
    name: &str,
    replaces: bool,
    is_expected: impl FnOnce() -> bool,
) -> Result<bool, Errno> {
    let done = if replaces {
        replace(at, ours, name, is_expected)?
    } else {
        match rustix::fs::renameat_with(at, ours, at, name, RenameFlags::NOREPLACE) {
            Ok(()) => Exchanged::Replaced,
            Err(Errno::EXIST) => Exchanged::Raced,
            Err(Errno::INVAL | Errno::NOSYS) => Exchanged::Unable,
            Err(errno) => return Err(errno),
        }
    };
    if done == Exchanged::Unable {
        rustix::fs::renameat(at, ours, at, name)?;
    }
    Ok(done != Exchanged::Raced)
}

/// The same for a file that stands there. `is_expected` looks at it when it has come out and bears the name `ours`.
pub(super) fn replace(
    at: BorrowedFd<'_>,
    ours: &str,
    name: &str,
    is_expected: impl FnOnce() -> bool,
) -> Result<Exchanged, Errno> {
    let mut put = seen(at, ours)?;
    match swap(at, ours, name) {
        Ok(()) => {}
        Err(Errno::NOENT) => return Ok(Exchanged::Raced),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => return Ok(Exchanged::Unable),
        Err(errno) => return Err(errno),
    }
    if is_expected() {
        // What cannot be removed now is removed as a stray later.
        let _ = rustix::fs::unlinkat(at, ours, AtFlags::empty());
        return Ok(Exchanged::Replaced);
    }
    for _ in 0..TURNS {
        let theirs = seen(at, ours)?;
        match swap(at, ours, name) {
            Ok(()) => {}
            // Removed since: whoever did that was the last to speak.
            Err(Errno::NOENT) => break,
            Err(errno) => return Err(errno),
        }
        let (out, _pin) = seen(at, ours)?;
        if is_same(&out, &put.0) {
            break;
        }
        // Newer than what has just gone back.
        put = theirs;
    }
    Ok(Exchanged::Raced)
}

fn swap(at: BorrowedFd<'_>, one: &str, other: &str) -> Result<(), Errno> {
    rustix::fs::renameat_with(at, one, at, other, RenameFlags::EXCHANGE)
}

/// A file as it was seen, kept open where it may be, so that no other file gets its number.
type Seen = (Stat, Option<OwnedFd>);

fn seen(at: BorrowedFd<'_>, name: &str) -> Result<Seen, Errno> {
    let pin = rustix::fs::openat(at, name, OFlags::RDONLY | super::PLAIN, Mode::empty());
    let stat = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((stat, pin.ok()))
}

/// Whether a file is the one that was looked at, with the same content. It has just been renamed, which says nothing.
pub(super) fn is_same(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino, one.st_size) == (other.st_dev, other.st_ino, other.st_size)
        && (one.st_mtime, one.st_mtime_nsec) == (other.st_mtime, other.st_mtime_nsec)
}

#[cfg(test)]
mod tests;
