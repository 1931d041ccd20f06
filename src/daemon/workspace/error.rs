//! Why a file or folder of a workspace cannot be used.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::FILE_BYTES_MAX;

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("cannot {what} {}", path.display())]
    System {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{} is a link, and no link is followed there: put the folder that it leads to in its place", .0.display())]
    LinkedFolder(PathBuf),
    #[error("{} is no folder: put a folder in its place", .0.display())]
    NotAFolder(PathBuf),
    #[error("{} is no regular file; it is left alone", .0.display())]
    NotAFile(PathBuf),
    #[error("{} is no node any more; what is made of it stays as it is, and the next cycle looks at it again", .0.display())]
    NotANode(PathBuf),
    #[error("{} has another name somewhere (a hard link), so nothing is written into it", .0.display())]
    Shared(PathBuf),
    #[error("{} is larger than {} MiB; it is left alone", .0.display(), FILE_BYTES_MAX >> 20)]
    TooLarge(PathBuf),
    #[error("{} holds a version of a log that is not what it was when it was kept", .0.display())]
    Damaged(PathBuf),
    #[error("{} is there already: put it elsewhere, or choose another folder for the tree", .0.display())]
    Taken(PathBuf),
    #[error("the tree in {} was moved at this moment; run it again", .0.display())]
    Moved(PathBuf),
    #[error("{} was changed by somebody else at the same moment; it is looked at again in the next cycle", .0.display())]
    Raced(PathBuf),
    #[error("{} is not put in place, because a file that belongs below it is not; the next cycle tries again", .0.display())]
    Held(PathBuf),
}

impl FileError {
    /// Why a folder cannot be opened, `name` in the folder `at`. For a link and for a file the system says the same.
    pub(super) fn folder(at: BorrowedFd<'_>, name: &str, path: PathBuf, error: Errno) -> Self {
        if !matches!(error, Errno::NOTDIR | Errno::LOOP) {
            return Self::system("open the folder", path, error);
        }
        match rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => {
                Self::LinkedFolder(path)
            }
            _ => Self::NotAFolder(path),
        }
    }

    pub(super) fn system(what: &'static str, path: PathBuf, source: impl Into<io::Error>) -> Self {
        Self::System {
            what,
            path,
            source: source.into(),
        }
    }

    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
