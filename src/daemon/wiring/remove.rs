//! `init --remove`: every file as it was before `init` where nobody edited it, and without our part where somebody did.

use serde::Serialize;

use super::{
    AGENTS_FILE, HEARTBEAT_FILE, HOOK_FILES, MEMORY_FILE, MemoryBefore, NOTE_NAME, Note, OPENCODE_FILES,
    heartbeat_line, note, put,
};
use crate::daemon::issue::{escaped, sentence};
use crate::daemon::root_file;
use crate::daemon::workspace::{Expected, FileError, Folder, Workspace, tree};
use crate::memory::node::Hash;
use crate::memory::{block, hooks, sync};

/// The files of platforms that may hold something of ours.
const INSTRUCTIONS: [&str; 2] = ["CLAUDE.md", AGENTS_FILE];
/// What the daemon keeps for itself and can make again, in `.hipocampus/`.
const MADE_AGAIN: [&str; 5] = ["cache", "status.json", "run.lock", "cycle.lock", ".gitignore"];

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Files brought back to what they were, or freed of our part.
    pub restored: Vec<String>,
    pub removed: Vec<String>,
    /// What stays, and why, in sentences.
    pub kept: Vec<String>,
    /// Whether a file could not be read or written, so that it is to be tried again.
    #[serde(skip)]
    pub is_unfinished: bool,
}

/// Takes back what `init` did. Raw logs, nodes and whatever somebody has changed since stay.
pub fn remove(workspace: &mut Workspace) -> Result<Removed, FileError> {
    let mut removal = Removal {
        note: note(workspace)?,
        workspace,
        removed: Removed::default(),
    };
    for name in INSTRUCTIONS {
        removal.undo(Folder::Workspace, name, |text, before| {
            Ok(block::take_out(text, before)?)
        });
    }
    removal.undo(Folder::Workspace, HEARTBEAT_FILE, |text, before| {
        Ok(heartbeat(text, before))
    });
    for (_, folder, name, _) in HOOK_FILES {
        // A platform's folder that is not there holds nothing of ours.
        let _ = removal.workspace.open_folder(folder, false);
        removal.undo(folder, name, |text, _| hooks::take_out(text));
    }
    let root = removal.workspace.tree().root();
    for name in OPENCODE_FILES {
        removal.undo(Folder::Workspace, name, |text, _| {
            hooks::take_out_instruction(text, &root)
        });
    }
    let memory = removal.note.memory.clone();
    removal.undo(Folder::Workspace, MEMORY_FILE, |text, _| {
        Ok(memory_file(text, memory.as_ref()))
    });
    removal.made();
    removal.own_folder()?;
    Ok(removal.removed)
}

/// What is left of a text when our part is out of it, given the text as it was before; none where there is none of ours in it.
type TakeOut<'a> = &'a dyn Fn(&str, &str) -> Result<Option<String>, String>;

struct Removal<'a> {
    workspace: &'a mut Workspace,
    note: Note,
    removed: Removed,
}

impl Removal<'_> {
    fn undo(
        &mut self,
        folder: Folder,
        name: &str,
        take_out: impl Fn(&str, &str) -> Result<Option<String>, String>,
    ) {
        let path = folder.file(name);
        match self.try_undo(folder, name, &path, &take_out) {
            Ok(true) => self.removed.restored.push(path),
            Ok(false) => {}
            Err(what) => {
                let kept = format!("{} is left as it is: {}", escaped(&path), escaped(&what));
                self.removed.kept.push(kept);
            }
        }
    }

    fn try_undo(
        &mut self,
        folder: Folder,
        name: &str,
        path: &str,
        take_out: TakeOut<'_>,
    ) -> Result<bool, String> {
        let read = self.workspace.read_if_there(folder, name);
        self.removed.is_unfinished |= read.is_err();
        let Some(contents) = read.map_err(|error| sentence(&error))? else {
            return Ok(false);
        };
        let text = String::from_utf8(contents.bytes).map_err(|_| "it is not UTF-8")?;
        let hash = Hash::of_bytes(&text);
        let mut made = self.note.made.iter();
        if made.any(|made| made.path == path && made.hash == hash) {
            return Ok(false); // as it was made: it goes whole
        }
        let edited = self.note.edited.iter().find(|edited| edited.path == path);
        let without = match edited {
            Some(edited) if edited.after == hash => Some(edited.before.clone()),
            _ => take_out(&text, edited.map_or("", |edited| &edited.before))?,
        };
        let Some(without) = without.filter(|without| *without != text) else {
            return Ok(false);
        };
        let expected = Expected::Same(contents.stamp);
        let put = put(self.workspace, folder, name, &without, expected);
        self.removed.is_unfinished |= put.is_err();
        put.map(|()| true).map_err(|error| sentence(&error))
    }

    /// The files and folders that `init` made and nobody has changed or filled since.
    fn made(&mut self) {
        for made in std::mem::take(&mut self.note.made) {
            let tree = self.workspace.tree().as_str();
            let Some((folder, name)) = place_of(&made.path, tree) else {
                continue;
            };
            let Ok(Some(contents)) = self.workspace.read_if_there(folder, name) else {
                continue;
            };
            let as_made = Hash::of_bytes(&contents.bytes) == made.hash;
            // A file that was ours alone has nothing left when our part is out of it.
            let emptied = contents.bytes.trim_ascii().is_empty() || contents.bytes.trim_ascii() == b"{}";
            let ours_alone = as_made || emptied && self.removed.restored.contains(&made.path);
            if !ours_alone {
                let kept = format!("{} stays: it is not as `init` made it any more", made.path);
                self.removed.kept.push(kept);
                continue;
            }
            match self.workspace.remove_file(folder, name, contents.stamp) {
                Ok(()) => {
                    self.removed.restored.retain(|path| *path != made.path);
                    self.removed.removed.push(made.path);
                }
                Err(error) => self.removed.kept.push(sentence(&error)),
            }
        }
        // The innermost first, so that those around them are empty.
        for path in self.note.folders.iter().rev() {
            if path != Folder::Own.path() && self.workspace.remove_empty_folder(path) {
                self.removed.removed.push(format!("{path}/"));
            }
        }
    }

    /// `.hipocampus/`: gone when all that is in it can be made again and no tree needs what it says.
    fn own_folder(&mut self) -> Result<(), FileError> {
        let mut held = Vec::new();
        self.workspace.list(Folder::Own, |file| held.push(file.name))?;
        if self.removed.is_unfinished {
            // What stood in those files before is in the note alone.
            let path = Folder::Own.file(NOTE_NAME);
            self.removed.kept.push(format!(
                "{path} stays: it has what these files were before; run `hipocampusd init --remove` again"
            ));
            return Ok(());
        }
        let is_tree_gone = !self.workspace.is_tree_there();
        let goes = |name: &str| MADE_AGAIN.contains(&name) || name == tree::NOTE_NAME && is_tree_gone;
        let is_needed = held.iter().any(|name| !goes(name) && name != NOTE_NAME);
        self.workspace.remove_if_there(Folder::Own, NOTE_NAME)?;
        if !is_needed {
            for name in MADE_AGAIN.into_iter().chain([tree::NOTE_NAME]) {
                self.workspace.remove_if_there(Folder::Own, name)?;
            }
            if self.workspace.remove_empty_folder(Folder::Own.path()) {
                self.removed.removed.push(format!("{}/", Folder::Own.path()));
                return Ok(());
            }
        }
        self.removed.kept.push(format!(
            "{}/ stays: it says which lines of ROOT are yours, and keeps earlier versions of logs; remove it by hand when you want neither",
            Folder::Own.path()
        ));
        Ok(())
    }
}

fn heartbeat(text: &str, before: &str) -> Option<String> {
    let (from, to) = block::old_heartbeat(before).unwrap_or_default();
    let line = heartbeat_line(before);
    let start = text.find(&line)?;
    Some([&text[..start], &before[from..to], &text[start + line.len()..]].concat())
}

/// MEMORY.md without ROOT's section, or with the one that stood there before `init`.
fn memory_file(text: &str, known: Option<&MemoryBefore>) -> Option<String> {
    let (before, section, after) = sync::split(text);
    if section.is_empty() {
        return None;
    }
    let Some(known) = known else {
        return Some(format!("{}{after}", ending_once(before)));
    };
    if let Some(back) = &known.section {
        return Some(format!("{before}{back}{after}"));
    }
    let untouched = before
        .get(..known.bytes)
        .filter(|start| Hash::of_bytes(start) == known.hash);
    let rest = untouched.map_or("", |start| &before[start.len()..]);
    // What was added between the file and the section is line breaks, and the mark that closed a fence.
    let added = rest.lines().all(|line| line.trim_matches(['`', '~']).is_empty());
    Some(match untouched.filter(|_| added) {
        Some(start) => format!("{start}{after}"),
        None => format!("{}{after}", ending_once(before)),
    })
}

fn ending_once(text: &str) -> String {
    let text = text.trim_end_matches(['\n', '\r']);
    if text.is_empty() {
        String::new()
    } else {
        format!("{text}\n")
    }
}

fn place_of<'a>(path: &'a str, tree: &str) -> Option<(Folder, &'a str)> {
    let Some((folder, name)) = path.rsplit_once('/') else {
        return Some((Folder::Workspace, path));
    };
    if folder == tree && name == root_file::NAME {
        return Some((Folder::Tree, name));
    }
    let folders = [Folder::Memory, Folder::Claude, Folder::Codex].into_iter();
    let mut known = folders.filter(|known| known.path() == folder);
    Some((known.next()?, name))
}
