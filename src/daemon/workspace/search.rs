//! Looking further than the folders of the tree: a stretch of a file, and files of a given content wherever they are.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};

use super::{FileError, Folder, Workspace, is_regular};

/// A search looks at so many names at most, and so many folders deep.
const NAMES_MAX: usize = 50_000;
const DEPTH_MAX: usize = 12;
/// Folders in which nobody keeps a log that was moved away.
const NOT_SEARCHED: [&str; 5] = [".", "..", ".git", ".hipocampus", "node_modules"];

impl Workspace {
    /// Reads so many bytes from a place in a file; fewer when the file ends before.
    pub fn read_range(
        &self,
        folder: Folder,
        name: &str,
        at: u64,
        length: usize,
    ) -> Result<Vec<u8>, FileError> {
        self.refuse_others(folder, name)?;
        let flags = OFlags::RDONLY | super::PLAIN;
        let opened = rustix::fs::openat(self.at(folder, name, "read")?, name, flags, Mode::empty());
        let mut file = File::from(opened.map_err(self.cannot("read", folder, name))?);
        let mut bytes = Vec::new();
        let read = file.seek(SeekFrom::Start(at));
        let read = read.and_then(|_| file.take(length as u64).read_to_end(&mut bytes));
        read.map_err(self.cannot("read", folder, name))?;
        Ok(bytes)
    }

    /// Hands every regular file whose size `is_wanted` to `each`: its path from the workspace and its bytes. Links are not
    /// followed; what cannot be read is passed over, and a very large workspace is searched in part.
    pub fn search(&self, is_wanted: &dyn Fn(u64) -> bool, each: &mut dyn FnMut(String, Vec<u8>)) {
        let mut names = 0;
        let mut waiting = vec![String::new()];
        while let Some(prefix) = waiting.pop() {
            let Some(folder) = self.below(&prefix) else {
                continue;
            };
            for entry in Dir::read_from(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_str();
                let Some(name) = name.ok().filter(|name| !NOT_SEARCHED.contains(name)) else {
                    continue;
                };
                names += 1;
                if names > NAMES_MAX {
                    return;
                }
                let Ok(stat) = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
                    continue;
                };
                let path = format!("{prefix}{name}");
                if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                    waiting.extend((path.matches('/').count() < DEPTH_MAX).then(|| path + "/"));
                } else if is_regular(&stat)
                    && is_wanted(u64::try_from(stat.st_size).unwrap_or(0))
                    && let Ok(contents) = Self::read_at(folder.as_fd(), name, || self.path.join(&path))
                {
                    each(path, contents.bytes);
                }
            }
        }
    }

    /// Opens a folder by its path from the workspace, no link on the way.
    pub(super) fn below(&self, path: &str) -> Option<OwnedFd> {
        self.open_way(path, false).ok()
    }

    /// How many bytes the regular file at a path from the workspace has; none when there is none, or a link on the way.
    pub fn size_of(&self, path: &str) -> Option<u64> {
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\0');
        if !path.split('/').all(is_plain) {
            return None;
        }
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stat = rustix::fs::statat(self.below(folders)?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        u64::try_from(stat.st_size).ok().filter(|_| is_regular(&stat))
    }
}
