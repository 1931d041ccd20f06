//! Where the tree lies, and how it is moved: copied whole, then known there, then removed where it was. A crash at any instant leaves
//! one whole tree that is known, and whoever moves it again ends what was begun.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{DAILY, Expected, FileError, Folder, MONTHLY, Result, WEEKLY, Workspace};
use crate::config::tree_folder_of;
use crate::memory::level::Period;
use crate::memory::node::Node;
use crate::memory::tree_folder::TreeFolder;

pub const NOTE_NAME: &str = "tree.json";
pub const STAYS: &str =
    "stays: somebody changed it while the tree was moved; take from it what is missing, and remove it";
const TAKEN: &str = "is there already: put it elsewhere, or choose another folder for the tree";
pub const AGENT_FILE: &str = "AGENT.md";
pub const ROOT_FILE: &str = "ROOT.md";
const FOLDERS: [Folder; 5] = [DAILY, WEEKLY, MONTHLY, Folder::Agents, Folder::Tree];

/// Where it lies. Without the note it is where the configuration says, if there is one, and else in `memory/`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct TreeNote {
    folder: TreeFolder,
    copying_to: Option<TreeFolder>,
    /// Where it lay before, and may still have files.
    left: Option<TreeFolder>,
}

impl TreeNote {
    fn of(folder: &TreeFolder) -> Self {
        Self { folder: folder.clone(), ..Self::default() }
    }
}

impl Workspace {
    pub fn tree(&self) -> &TreeFolder {
        &self.tree
    }

    /// A path, or a sentence of ours, with the files of the tree where they lie.
    pub fn shown(&self, text: &str) -> String {
        self.tree.shown(text)
    }

    pub fn folder_path(&self, folder: Folder) -> String {
        match folder {
            Folder::Tree => self.tree.as_str().to_owned(),
            Folder::Level(level) => self.tree.level(level),
            Folder::Agents => self.tree.agents(),
            other => other.path().to_owned(),
        }
    }

    /// Refuses to go on where the tree lay until a moment ago.
    pub fn check_tree(&self) -> Result<()> {
        if self.noted_tree()? == self.tree {
            return Ok(());
        }
        let what = "is not where the tree lies any more: it was moved at this moment; run it again";
        Err(FileError::Refused(self.path.join(self.tree.as_str()), what))
    }

    pub(super) fn noted_tree(&self) -> Result<TreeFolder> {
        let note: Option<TreeNote> = self.read_json_note(NOTE_NAME)?;
        let noted = note.map(|note| note.folder);
        let configured = || {
            let folder = tree_folder_of(&self.path)?;
            let has_root = |folder: &TreeFolder| self.size_of(&folder.root()).is_some();
            (has_root(&folder) && !has_root(&TreeFolder::default())).then_some(folder)
        };
        Ok(noted.or_else(configured).unwrap_or_default())
    }

    /// Notes where the tree lies, unless that is where everybody looks for it.
    pub fn note_tree(&self) -> Result<()> {
        if self.tree.is_memory() || self.stamp(Folder::Own, NOTE_NAME)?.is_some() {
            return Ok(());
        }
        self.write_tree_note(&TreeNote::of(&self.tree))
    }

    fn write_tree_note(&self, note: &TreeNote) -> Result<()> {
        if *note == TreeNote::default() {
            return self.remove_if_there(Folder::Own, NOTE_NAME);
        }
        self.write_json(Folder::Own, NOTE_NAME, note)
    }

    pub fn is_tree_settled(&self, folder: &TreeFolder) -> Result<bool> {
        let note = self.tree_note()?;
        Ok(note.copying_to.is_none() && note.left.is_none() && self.tree == *folder)
    }

    fn tree_note(&self) -> Result<TreeNote> {
        Ok(self.read_json_note(NOTE_NAME)?.unwrap_or_default())
    }

    fn tree_files(&self) -> Result<Vec<(Folder, String)>> {
        let mut files = Vec::new();
        for folder in FOLDERS {
            for file in self.list(folder)? {
                let is_its = match folder {
                    Folder::Level(level) => level.node(&file.name).is_some(),
                    Folder::Agents => file.name == AGENT_FILE,
                    _ => file.name == ROOT_FILE,
                };
                files.extend(is_its.then_some((folder, file.name)));
            }
        }
        Ok(files)
    }

    /// Whether a file is part of the tree, and not a log or note that somebody keeps in its place.
    fn is_of_tree(&self, folder: Folder, name: &str) -> bool {
        if matches!(folder, Folder::Tree | Folder::Agents) {
            return true;
        }
        let period = name.strip_suffix(".md").and_then(Period::parse);
        let node = period.zip(self.text(folder, name).ok());
        node.is_some_and(|(period, text)| Node::read(period, &text).is_some())
    }

    /// The files of the tree, but not what somebody keeps in the place of one.
    fn own_files(&self) -> Result<Vec<(Folder, String)>> {
        let mut files = self.tree_files()?;
        files.retain(|(folder, name)| self.is_of_tree(*folder, name));
        Ok(files)
    }
}

/// Moves the tree, or ends a move that was cut short. Answers which paths stay where they were because somebody changed the files meanwhile.
/// The caller holds the workspace's cycle lock.
pub fn move_tree(path: &Path, to: &TreeFolder) -> Result<Vec<String>> {
    let workspace = Workspace::open(path, false)?;
    // What a crash left goes back to its place before that is moved. What cannot is told of by the next cycle.
    workspace.remove_strays();
    let mut kept = end_move(&workspace)?;
    let copying_to = workspace.tree_note()?.copying_to;
    if workspace.tree() == to {
        clear(&workspace, copying_to.as_ref(), true)?;
    } else {
        if copying_to.as_ref() != Some(to) {
            clear(&workspace, copying_to.as_ref(), true)?;
            let target = Workspace::open_at(path, Some(to.clone()), false)?;
            if let Some((folder, name)) = target.tree_files()?.first() {
                return Err(FileError::Refused(target.file_path(*folder, name), TAKEN));
            }
        }
        // Noted before its folders are made: a crash leaves none that nobody knows of.
        let mut note = TreeNote::of(workspace.tree());
        note.copying_to = Some(to.clone());
        workspace.write_tree_note(&note)?;
        let mut target = Workspace::open_at(path, Some(to.clone()), true)?;
        if workspace.descriptor(Folder::Agents).is_ok() {
            target.open_folder(Folder::Agents, true)?;
        }
        copy(&workspace, &target)?;
        let mut note = TreeNote::of(to);
        note.left = Some(workspace.tree().clone());
        target.write_tree_note(&note)?;
        kept.extend(clear(&target, Some(workspace.tree()), false)?);
    }
    workspace.write_tree_note(&TreeNote::of(to))?;
    Ok(kept)
}

/// Removes what a move that was cut short has left where the tree lay. The answer and the lock are those of [`move_tree`].
pub fn end_move(workspace: &Workspace) -> Result<Vec<String>> {
    let mut note = workspace.tree_note()?;
    let Some(left) = note.left.take() else {
        return Ok(Vec::new());
    };
    let kept = clear(workspace, Some(&left), false)?;
    workspace.write_tree_note(&note)?;
    Ok(kept)
}

fn copy(workspace: &Workspace, target: &Workspace) -> Result<()> {
    let mut staged = Vec::new();
    for (folder, name) in workspace.own_files()? {
        let is_there = target.stamp(folder, &name)?.is_some();
        if is_there && !target.is_of_tree(folder, &name) {
            return Err(FileError::Refused(target.file_path(folder, &name), TAKEN));
        }
        let contents = workspace.read(folder, &name)?;
        staged.push(target.stage(folder, &name, &contents.bytes, contents.mode, Expected::Whatever)?);
    }
    target.commit_all(staged)?;
    for folder in [Folder::Tree, Folder::Workspace] {
        target.sync_folder(folder)?;
    }
    Ok(())
}

/// Removes from another folder what is left of the tree, and that folder where it is empty then. Answers what stays because somebody
/// changed it meanwhile; of copies that nobody was told of nothing does.
fn clear(workspace: &Workspace, other: Option<&TreeFolder>, are_copies: bool) -> Result<Vec<String>> {
    let Some(other) = other.filter(|other| *other != workspace.tree()) else {
        return Ok(Vec::new());
    };
    let there = Workspace::open_at(workspace.path(), Some(other.clone()), false)?;
    let mut kept = Vec::new();
    for (folder, name) in there.own_files()? {
        let old = there.read(folder, &name)?;
        let new = workspace.read_if_there(folder, &name)?;
        if are_copies || new.is_some_and(|new| new.bytes == old.bytes) {
            there.remove_file(folder, &name, old.stamp)?;
        } else {
            kept.push(format!("{}/{name}", there.folder_path(folder)));
        }
    }
    remove_folders(&there);
    Ok(kept)
}

/// Removes the folders of a tree that are empty but for what a crash left half written.
fn remove_folders(there: &Workspace) {
    let is_own = |folder: &Folder| *folder != Folder::Tree || !there.tree.is_memory();
    for folder in FOLDERS.into_iter().filter(is_own) {
        // What cannot be listed is not removed either.
        for file in there.list(folder).unwrap_or_default() {
            if Workspace::is_temporary(&file.name) {
                there.remove_temporary(folder, &file.name);
            }
        }
        let mut path = there.folder_path(folder);
        let is_tree = folder == Folder::Tree;
        let end = if is_tree { "" } else { there.tree.as_str() };
        while path != end && (there.remove_empty_folder(&path) || there.open_way(&path, false).is_err()) {
            path.truncate(path.rfind('/').unwrap_or(0));
        }
    }
}
