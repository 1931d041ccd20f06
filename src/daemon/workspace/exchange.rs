//! Replacing a file that others write too, with no moment in which a change of theirs could be lost.
//!
//! A rename cannot tell what it replaces: what somebody writes between the last look and the rename is gone. So the two
//! files change places, and only then the one that came out is looked at: if it is not what was expected, it goes back.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

/// How often a file goes back and forth with somebody who writes all the time.
const TURNS: usize = 100;

/// How a replacement went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::daemon) enum Exchanged {
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
pub(in crate::daemon) fn put(
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

/// Puts the file `ours` in the place of `name`, both in the folder `at`, provided that what stood there is what was
/// expected. `is_expected` looks at it when it has come out and bears the name `ours`.
pub(in crate::daemon) fn replace(
    at: BorrowedFd<'_>,
    ours: &str,
    name: &str,
    is_expected: impl FnOnce() -> bool,
) -> Result<Exchanged, Errno> {
    let mut put = Seen::at(at, ours)?;
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
        let theirs = Seen::at(at, ours)?;
        match swap(at, ours, name) {
            Ok(()) => {}
            // Removed since: whoever did that was the last to speak.
            Err(Errno::NOENT) => break,
            Err(errno) => return Err(errno),
        }
        let out = Seen::at(at, ours)?;
        if out.is(&put) {
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

/// A file as it was when it was looked at.
struct Seen {
    /// Kept open where it may be, so that no other file gets its number.
    _pin: Option<OwnedFd>,
    stat: Stat,
}

impl Seen {
    fn at(at: BorrowedFd<'_>, name: &str) -> Result<Self, Errno> {
        // NONBLOCK, because opening a FIFO would wait for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let pin = rustix::fs::openat(at, name, flags, Mode::empty()).ok();
        let stat = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Self { _pin: pin, stat })
    }

    fn is(&self, other: &Self) -> bool {
        is_same(&self.stat, &other.stat)
    }
}

/// Whether a file is the one that was looked at, with the same content. (The time of its last change of name says nothing:
/// it has just been renamed.)
pub(in crate::daemon) fn is_same(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino, one.st_size) == (other.st_dev, other.st_ino, other.st_size)
        && (one.st_mtime, one.st_mtime_nsec) == (other.st_mtime, other.st_mtime_nsec)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "looks at what it made as others would")]

    use std::fs;
    use std::os::fd::AsFd as _;

    use super::*;

    #[test]
    fn what_was_expected_is_replaced_and_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "old").expect("the old one");
        fs::write(folder.path().join("new"), "new").expect("the new one");
        let at = fs::File::open(folder.path()).expect("the folder");
        let out = || fs::read_to_string(folder.path().join("new")).expect("what came out");
        let done = replace(at.as_fd(), "new", "file", || out() == "old");
        assert_eq!(done, Ok(Exchanged::Replaced));
        let names = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(names, 1);
        assert_eq!(
            fs::read_to_string(folder.path().join("file")).expect("the file"),
            "new"
        );
    }

    /// The moment between the last look and the replacement, and the one before it goes back, both used by somebody.
    #[test]
    fn what_somebody_wrote_meanwhile_stands_again_and_the_newest_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let rename_over = |text: &str| {
            fs::write(path("theirs"), text).expect("their file");
            fs::rename(path("theirs"), path("file")).expect("their rename");
        };
        let at = fs::File::open(folder.path()).expect("the folder");
        let append = |text: &str| {
            let old = fs::read_to_string(path("file")).expect("the file");
            fs::write(path("file"), old + text).expect("their append");
        };
        type Act<'a> = (&'a str, &'a dyn Fn(), &'a str);
        let acts: [Act<'_>; 4] = [
            ("nothing more", &|| {}, "theirs"),
            ("another rename", &|| rename_over("newest"), "newest"),
            ("an append in place", &|| append("+"), "ours+"),
            (
                "two renames",
                &|| {
                    rename_over("newer");
                    rename_over("newest");
                },
                "newest",
            ),
        ];
        for (what, act, expected) in acts {
            rename_over("theirs");
            fs::write(path("new"), "ours").expect("ours");
            let done = replace(at.as_fd(), "new", "file", || {
                act();
                false
            });
            assert_eq!(done, Ok(Exchanged::Raced), "{what}");
            assert_eq!(
                fs::read_to_string(path("file")).expect("the file"),
                expected,
                "{what}"
            );
        }
        fs::remove_file(path("file")).expect("it is removed");
        let done = replace(at.as_fd(), "new", "file", || true);
        assert_eq!(done, Ok(Exchanged::Raced), "a file that was removed");
        assert!(!path("file").exists());
    }
}
