//! What is taken away again: files and folders that `init` made. No raw log is ever handed in here.

use rustix::fs::AtFlags;

use super::{FileError, Folder, Stamp, Workspace, stamp};

impl Workspace {
    /// Removes a file that is still the one that was looked at.
    ///
    /// # Errors
    /// It changed meanwhile, or cannot be removed.
    pub fn remove_file(&self, folder: Folder, name: &str, known: Stamp) -> Result<(), FileError> {
        let there = self.stat(folder, name)?;
        if there.is_none_or(|stat| stamp(&stat) != known) {
            return Err(FileError::Raced(self.file_path(folder, name)));
        }
        let at = self.at(folder, name, "remove")?;
        rustix::fs::unlinkat(at, name, AtFlags::empty())
            .map_err(|source| FileError::system("remove", self.file_path(folder, name), source))
    }

    /// Removes a file, if there is one.
    ///
    /// # Errors
    /// As [`Workspace::remove_file`].
    pub fn remove_if_there(&self, folder: Folder, name: &str) -> Result<(), FileError> {
        match self.stat(folder, name)? {
            Some(stat) => self.remove_file(folder, name, stamp(&stat)),
            None => Ok(()),
        }
    }

    /// Removes a folder, given by its path from the workspace, when there is nothing in it. Says whether it did.
    pub fn remove_empty_folder(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.descriptor(Folder::Workspace)
            .is_ok_and(|at| rustix::fs::unlinkat(at, path, AtFlags::REMOVEDIR).is_ok())
    }
}
