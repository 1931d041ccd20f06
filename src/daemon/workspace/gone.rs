//! What is taken away again, or out of the way: files and folders that this program made. No raw log is ever handed in here.

use rustix::fs::AtFlags;

use super::{FileError, Folder, Stamp, Workspace, stamp};

impl Workspace {
    /// Removes a file that is still the one that was looked at.
    pub fn remove_file(&self, folder: Folder, name: &str, known: Stamp) -> Result<(), FileError> {
        let there = self.stat(folder, name)?;
        if there.is_none_or(|stat| stamp(&stat) != known) {
            return Err(FileError::Raced(self.file_path(folder, name)));
        }
        let at = self.at(folder, name, "remove")?;
        rustix::fs::unlinkat(at, name, AtFlags::empty())
            .map_err(|source| FileError::system("remove", self.file_path(folder, name), source))
    }

    pub fn remove_if_there(&self, folder: Folder, name: &str) -> Result<(), FileError> {
        match self.stat(folder, name)? {
            Some(stat) => self.remove_file(folder, name, stamp(&stat)),
            None => Ok(()),
        }
    }

    /// Gives a file, or whatever stands in its place, another name in its folder, which nothing there has yet.
    pub fn set_aside(&self, folder: Folder, name: &str, to: &str) -> Result<(), FileError> {
        let at = self.at(folder, name, "rename")?;
        let renamed = match self.stat(folder, to)? {
            Some(_) => Err(rustix::io::Errno::EXIST),
            None => rustix::fs::renameat(at, name, at, to),
        };
        renamed.map_err(|source| FileError::system("rename", self.file_path(folder, name), source))
    }

    /// Removes a folder, given by its path from the workspace, when there is nothing in it. Says whether it did.
    pub fn remove_empty_folder(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.descriptor(Folder::Workspace)
            .is_ok_and(|at| rustix::fs::unlinkat(at, path, AtFlags::REMOVEDIR).is_ok())
    }
}
