//! Replacing a file that others write too, with no moment in which a change of theirs could be lost.
//!
//! A rename cannot tell what it replaces: what somebody writes between the last look and the rename is gone. So the two
//! files change places, and only then the one that came out is looked at: if it is not what was expected, it goes back.

use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

use super::strays::identity_at;

/// How often a file goes back and forth with somebody who writes all the time.
const TURNS: usize = 100;

/// Puts the file `ours` in the place of `name`, both in the folder `at`, provided that nothing stands there. Says whether it did. On a
/// file system that cannot tell it is put there in any case.
pub(super) fn add(at: BorrowedFd<'_>, ours: &str, name: &str) -> Result<bool, Errno> {
    match rustix::fs::renameat_with(at, ours, at, name, RenameFlags::NOREPLACE) {
        Err(Errno::EXIST) => Ok(false),
        renamed => renamed
            .or_else(|errno| unable(errno, at, ours, name))
            .map(|()| true),
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
    let mut put = identity_at(at, ours);
    match swap(at, ours, name) {
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
        let theirs = identity_at(at, ours);
        match swap(at, ours, name) {
            Ok(()) => {}
            // Removed since: whoever did that was the last to speak.
            Err(Errno::NOENT) => break,
            Err(errno) => return Err(errno),
        }
        if identity_at(at, ours) == put {
            break;
        }
        // Newer than what has just gone back.
        put = theirs;
    }
    Ok(false)
}

fn swap(at: BorrowedFd<'_>, one: &str, other: &str) -> Result<(), Errno> {
    rustix::fs::renameat_with(at, one, at, other, RenameFlags::EXCHANGE)
}

/// A plain rename where the file system knows no other.
fn unable(errno: Errno, at: BorrowedFd<'_>, ours: &str, name: &str) -> Result<(), Errno> {
    match errno {
        Errno::INVAL | Errno::NOSYS | Errno::NOTSUP => rustix::fs::renameat(at, ours, at, name),
        errno => Err(errno),
    }
}

#[cfg(test)]
mod tests;
