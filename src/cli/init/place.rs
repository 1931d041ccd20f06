//! Folders and files that `init` makes: each where nothing stands, and what stands there stays, whatever it is.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::daemon::wiring::{Note, NotedFile};
use crate::daemon::workspace::{Expected, FileError, Folder, Workspace};
use crate::memory::node::Hash;
use crate::memory::tree_folder::TreeFolder;

pub(super) struct Place {
    workspace: Workspace,
    /// What was made, as paths from the workspace, in the order of creation; folders end in a slash.
    pub(super) made: Vec<String>,
    pub(super) note: Note,
}

pub(super) fn cannot_create(path: &Path) -> String {
    let path = path.display();
    format!("cannot create {path}: see that this user may write there and that there is room")
}

pub(super) fn has(folder: &Path, path: &str) -> bool {
    fs::symlink_metadata(folder.join(path)).is_ok()
}

impl Place {
    pub(super) fn open(folder: &Path, tree: &TreeFolder) -> Result<Self, FileError> {
        Ok(Self {
            workspace: Workspace::begin(folder, tree.clone())?,
            made: Vec::new(),
            note: Note::default(),
        })
    }

    /// That a folder of the workspace is one, and no link, where it is there.
    pub(super) fn check(&self, name: &str) -> Result<(), FileError> {
        match self.workspace.open_way(name, false) {
            Err(error) if !error.is_missing() => Err(error),
            _ => Ok(()),
        }
    }

    pub(super) fn folder(&mut self, path: &str) -> Result<()> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        for part in ends.map(|end| &path[..end]) {
            if !has(self.workspace.path(), part) {
                let made = self.workspace.open_way(part, true);
                made.with_context(|| cannot_create(&self.workspace.path().join(part)))?;
                self.made.push(format!("{part}/"));
                self.note.folders.push(part.to_owned());
            }
        }
        Ok(())
    }

    pub(super) fn file(&mut self, folder: Folder, name: &str, text: &str) -> Result<()> {
        let path = self.workspace.shown(&folder.file(name));
        if has(self.workspace.path(), &path) {
            return Ok(());
        }
        if let Some((folder, _)) = path.rsplit_once('/') {
            self.folder(folder)?;
        }
        let mut make = || {
            self.workspace.open_folder(folder, false)?;
            self.workspace
                .replace_expected(folder, name, text.as_bytes(), 0o600, Expected::Absent)
        };
        let made = make();
        // The cycle of a daemon may have made it at the same moment; then it is not ours.
        if made.is_err() && has(self.workspace.path(), &path) {
            return Ok(());
        }
        made.with_context(|| cannot_create(&self.workspace.file_path(folder, name)))?;
        self.made.push(path.clone());
        self.note
            .files
            .push(NotedFile { path, before: None, after: Some(Hash::of_bytes(text)) });
        Ok(())
    }
}
