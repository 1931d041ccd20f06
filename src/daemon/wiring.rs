//! How agents' platforms are told of the memory: a block in their instructions, hooks and the path of ROOT in their settings, one line
//! in a heartbeat. What `init` puts there is noted in `.hipocampus/init.json`, so that `init --remove` can give every byte back.

mod remove;

use serde::{Deserialize, Serialize};

use super::issue::{escaped, sentence};
use super::workspace::{Expected, FileError, Folder, Workspace};
use crate::config::{Platform, WORKSPACE_FILE, with_tree_folder};
use crate::memory::hooks::{self, Hook};
use crate::memory::level::Level;
use crate::memory::node::Hash;
use crate::memory::tree_folder::TreeFolder;
use crate::memory::{block, sync};

pub use remove::{Removed, remove};

/// Where the note of what `init` did is kept, in `.hipocampus/`.
pub const NOTE_NAME: &str = "init.json";
/// The line that stands for the older tool's section of HEARTBEAT.md.
const HEARTBEAT_LINE: &str = "Memory is compacted by hipocampusd, not here. <!-- hipocampusd init --remove brings the old section back -->\n";
const BLOCK: &str = include_str!("../../config/templates/BLOCK.md");
const MEMORY_FILE: &str = "MEMORY.md";
const AGENTS_FILE: &str = "AGENTS.md";
const HEARTBEAT_FILE: &str = "HEARTBEAT.md";
/// OpenCode's settings, the first that is there.
const OPENCODE_FILES: [&str; 2] = ["opencode.json", "opencode.jsonc"];
/// Where platforms keep hooks, and which of ours go there.
const HOOK_FILES: [(Platform, Folder, &str, &[Hook]); 2] = [
    (
        Platform::ClaudeCode,
        Folder::Claude,
        "settings.json",
        &hooks::CLAUDE_CODE,
    ),
    (Platform::Codex, Folder::Codex, "hooks.json", &hooks::CODEX),
];
/// What the block in `CLAUDE.md` has Claude Code read.
const READ_CLAUDE: &str = "@{{TREE}}/ROOT.md\n@SCRATCHPAD.md\n@WORKING.md\n@TASK-QUEUE.md";
/// What the block in `AGENTS.md` has the others read.
const READ_AGENTS: &str = "Read at session start what is not in your context already: `{{TREE}}/ROOT.md` (the index of everything remembered), `SCRATCHPAD.md`, `WORKING.md`, `TASK-QUEUE.md`.";
/// What it says of OpenClaw's own memory beside that.
const READ_OPENCLAW: &str = " The most important of what it says of the rules and the person is also the section \"Compaction Root\" of `MEMORY.md`; what stands above that section, and `USER.md`, is yours, to be kept as your own instructions say.";

/// What `init` did to a workspace, all its runs together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Note {
    pub made: Vec<MadeFile>,
    pub folders: Vec<String>,
    pub edited: Vec<Edited>,
    /// The folder of the tree that agents were told of; empty: `memory`.
    pub tree: String,
    /// MEMORY.md as it was, as far as ROOT's section changes it; none when there was no such file.
    pub memory: Option<MemoryBefore>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeFile {
    pub path: String,
    pub hash: Hash,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Edited {
    pub path: String,
    /// All of it, as it was before there was anything of ours in it.
    pub before: String,
    /// The file as we left it last, unless somebody had edited it until then; none known while it is being written.
    pub after: Hash,
}

/// How MEMORY.md stood before ROOT was synced into it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MemoryBefore {
    /// The length, in bytes, of what stood before the section's place.
    pub bytes: usize,
    pub hash: Hash,
    pub section: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wired {
    pub changed: Vec<String>,
    pub warnings: Vec<String>,
}

/// Reads the note; an empty one when there is none.
fn note(workspace: &Workspace) -> Result<Note, FileError> {
    Ok(workspace.read_json_note(NOTE_NAME)?.unwrap_or_default())
}

pub fn exists(workspace: &Workspace) -> bool {
    matches!(workspace.stamp(Folder::Own, NOTE_NAME), Ok(Some(_)))
}

/// Writes the folder of the tree into the workspace's configuration.
pub fn configure(workspace: &mut Workspace, folder: &TreeFolder) -> Result<Wired, FileError> {
    let note = note(workspace)?;
    let mut wiring = Wiring::new(workspace, How::default(), note);
    wiring.edit(Folder::Workspace, WORKSPACE_FILE, |text| {
        let text = with_tree_folder(text, folder.as_str());
        text.map(Some).ok_or("it is no JSON object".to_owned())
    });
    wiring.save()?;
    Ok(wiring.wired)
}

#[derive(Debug, Clone, Copy, Default)]
pub struct How<'a> {
    pub platforms: &'a [Platform],
    /// How a shell calls this program: by its name, or by its path where the name is not found.
    pub program: &'a str,
    pub before_prompt: bool,
}

/// Tells the platforms of the memory, and notes it. A second time changes nothing.
pub fn wire(workspace: &mut Workspace, how: How<'_>, made: Note) -> Result<Wired, FileError> {
    let before = note(workspace)?;
    let mut wiring = Wiring::new(workspace, how, before);
    let note = &mut wiring.note;
    made.made.into_iter().for_each(|file| note.add(file));
    for folder in made.folders {
        if !note.folders.contains(&folder) {
            note.folders.push(folder);
        }
    }
    note.follow(wiring.workspace.tree());
    wiring.instructions();
    how.platforms
        .iter()
        .for_each(|platform| wiring.platform(*platform));
    wiring.save()?;
    Ok(wiring.wired)
}

impl Note {
    fn add(&mut self, made: MadeFile) {
        self.made.retain(|known| known.path != made.path);
        self.made.push(made);
    }

    /// Notes what a file was before it is edited, unless it was ours alone. One that is not known to be done, because it failed or
    /// somebody killed us, never was: our part would be in the file.
    fn remember(&mut self, path: &str, before: Option<String>, hash: Hash) {
        let is_made = |text: &String| {
            let made = MadeFile {
                path: path.to_owned(),
                hash: Hash::of_bytes(text),
            };
            self.made.contains(&made)
        };
        let Some(before) = before.filter(|before| !is_made(before)) else {
            let path = path.to_owned();
            return self.add(MadeFile { path, hash });
        };
        self.edited
            .retain(|known| known.path != path || known.after != Hash::default());
        if self.edited.iter().all(|known| known.path != path) {
            self.edited.push(Edited {
                path: path.to_owned(),
                before,
                after: Hash::default(),
            });
        }
    }

    fn edited_to(&mut self, path: &str, after: Hash) -> Option<&mut Edited> {
        let mut edited = self.edited.iter_mut();
        edited.find(|edited| edited.path == path && edited.after == after)
    }

    /// Has what was made where the tree lay where it lies.
    fn follow(&mut self, tree: &TreeFolder) {
        let before = folder_of(&self.tree);
        if before == *tree {
            return;
        }
        let made = self.made.iter_mut().map(|made| &mut made.path);
        for path in made.chain(&mut self.folders) {
            let level = Level::ALL.into_iter().find(|level| *path == before.level(*level));
            if *path == before.root() {
                *path = tree.root();
            } else if let Some(level) = level {
                *path = tree.level(level);
            }
        }
        // Those on the way to the tree, before what is in them.
        let ends = tree.as_str().match_indices('/').map(|(at, _)| at);
        for (at, end) in ends.chain([tree.as_str().len()]).enumerate() {
            let path = tree.as_str()[..end].to_owned();
            if !tree.is_memory() && !self.folders.contains(&path) {
                self.folders.insert(at.min(self.folders.len()), path);
            }
        }
        self.tree = tree.as_str().to_owned();
    }
}

/// The folder of a note; what earlier versions told was in `memory`.
fn folder_of(noted: &str) -> TreeFolder {
    TreeFolder::parse(noted).unwrap_or_default()
}

struct Wiring<'a> {
    workspace: &'a mut Workspace,
    how: How<'a>,
    note: Note,
    /// Where the tree was when the agents were told of it.
    told_tree: TreeFolder,
    saved: Note,
    wired: Wired,
}

impl<'a> Wiring<'a> {
    fn new(workspace: &'a mut Workspace, how: How<'a>, note: Note) -> Self {
        Self {
            told_tree: folder_of(&note.tree),
            workspace,
            how,
            saved: note.clone(),
            note,
            wired: Wired::default(),
        }
    }

    fn save(&mut self) -> Result<(), FileError> {
        if self.note != self.saved {
            let _turn = self.workspace.turn(Folder::Own);
            self.workspace.write_json(Folder::Own, NOTE_NAME, &self.note)?;
            self.saved = self.note.clone();
        }
        Ok(())
    }

    /// In a folder with both files each has a block: who works there with another program tomorrow is told as well.
    fn instructions(&mut self) {
        let platforms = self.how.platforms;
        let has = |platform: Platform| platforms.contains(&platform);
        let both = self.text("CLAUDE.md").zip(self.text(AGENTS_FILE));
        // One that imports the other has what stands there.
        let both = both.is_some_and(|(claude, _)| !claude.contains("@AGENTS.md"));
        let others = platforms.iter().any(|platform| *platform != Platform::ClaudeCode);
        if has(Platform::ClaudeCode) || both && others {
            self.block("CLAUDE.md", READ_CLAUDE);
        }
        // OpenClaw makes its own `AGENTS.md`, unless one is there.
        let alone = has(Platform::OpenClaw) && !has(Platform::Codex) && !has(Platform::OpenCode);
        if alone && self.lacks(AGENTS_FILE) {
            let what = "there is none yet; run `openclaw setup`, and then this again";
            self.warn(AGENTS_FILE, what);
        } else if others || both && has(Platform::ClaudeCode) {
            let more = Some(READ_OPENCLAW).filter(|_| has(Platform::OpenClaw));
            self.block(AGENTS_FILE, &format!("{READ_AGENTS}{}", more.unwrap_or_default()));
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        let contents = self.workspace.read(Folder::Workspace, name).ok()?;
        String::from_utf8(contents.bytes).ok()
    }

    fn lacks(&self, name: &str) -> bool {
        matches!(self.workspace.stamp(Folder::Workspace, name), Ok(None))
    }

    fn block(&mut self, name: &str, read: &str) {
        let tree = self.workspace.tree().as_str();
        let inner = BLOCK.replace("{{READ}}", read).replace("{{TREE}}", tree);
        self.edit(Folder::Workspace, name, |text| Ok(block::put(text, &inner)?));
    }

    fn platform(&mut self, platform: Platform) {
        for (_, folder, name, hooks) in HOOK_FILES.iter().filter(|file| file.0 == platform) {
            self.hooks(*folder, name, hooks);
        }
        match platform {
            Platform::ClaudeCode | Platform::Codex => {}
            Platform::OpenClaw => self.heartbeat(),
            Platform::OpenCode => {
                let [first, other] = OPENCODE_FILES;
                let name = if self.lacks(first) && !self.lacks(other) {
                    other
                } else {
                    first
                };
                let root = self.workspace.tree().root();
                let before = self.told_tree.root();
                self.edit(Folder::Workspace, name, |text| {
                    hooks::put_instruction(text, &root, &before)
                });
            }
        }
        if platform.has_memory_file() && self.note.memory.is_none() {
            self.note.memory = self.memory_before();
        }
    }

    fn hooks(&mut self, folder: Folder, file: &str, all: &[Hook]) {
        let name = folder.path();
        let is_new = self.lacks(name);
        if let Err(error) = self.workspace.open_folder(folder, true) {
            return self.warn(name, &sentence(&error));
        }
        if is_new {
            self.note.folders.push(name.to_owned());
        }
        let how = self.how;
        let mut wanted = all.to_vec();
        wanted.retain(|(event, ..)| how.before_prompt || *event != hooks::BEFORE_PROMPT);
        self.edit(folder, file, |text| hooks::put(text, how.program, &wanted));
    }

    /// The older tool's section is of its own making; a heartbeat without one is left alone.
    fn heartbeat(&mut self) {
        if !self.lacks(HEARTBEAT_FILE) {
            self.edit(Folder::Workspace, HEARTBEAT_FILE, |text| {
                let old = block::old_heartbeat(text);
                Ok(old.map(|(start, end)| [&text[..start], &heartbeat_line(text), &text[end..]].concat()))
            });
        }
    }

    fn memory_before(&self) -> Option<MemoryBefore> {
        let text = self.text(MEMORY_FILE)?;
        let (before, section, _) = sync::split(&text);
        Some(MemoryBefore {
            bytes: before.len(),
            hash: Hash::of_bytes(before),
            section: Some(section.to_owned()).filter(|section| !section.is_empty()),
        })
    }

    /// Changes one file, or says why not. A file that somebody changes at the same moment is left to the next run.
    fn edit(&mut self, folder: Folder, name: &str, change: impl Fn(&str) -> Result<Option<String>, String>) {
        let path = folder.file(name);
        match self.try_edit(folder, name, &path, &change) {
            Ok(false) => {}
            Ok(true) => self.wired.changed.push(path),
            Err(what) => self.warn(&path, &what),
        }
    }

    /// What the file was is in the note, and on the disk, before the file is another.
    fn try_edit(
        &mut self,
        folder: Folder,
        name: &str,
        path: &str,
        change: &dyn Fn(&str) -> Result<Option<String>, String>,
    ) -> Result<bool, String> {
        let failed = |error: FileError| sentence(&error);
        let (mut expected, mut before) = (Expected::Absent, None);
        if let Some(contents) = self.workspace.read_if_there(folder, name).map_err(failed)? {
            expected = Expected::Same(contents.stamp);
            before = Some(String::from_utf8(contents.bytes).map_err(|_| "it is not UTF-8")?);
        }
        let was = before.as_ref().map(Hash::of_bytes);
        let Some(text) = change(before.as_deref().unwrap_or_default())? else {
            // It is done, and was not known to be.
            if let (Some(was), Some(edited)) = (was, self.note.edited_to(path, Hash::default())) {
                edited.after = was;
            }
            return Ok(false);
        };
        let hash = Hash::of_bytes(&text);
        self.note.remember(path, before, hash);
        self.save().map_err(failed)?;
        put(self.workspace, folder, name, &text, expected).map_err(failed)?;
        for known in [Some(Hash::default()), was].into_iter().flatten() {
            if let Some(edited) = self.note.edited_to(path, known) {
                edited.after = hash;
            }
        }
        Ok(true)
    }

    fn warn(&mut self, path: &str, what: &str) {
        self.wired
            .warnings
            .push(format!("{} is left as it is: {}", escaped(path), escaped(what)));
    }
}

/// What stands in the place of the older tool's section of a heartbeat.
fn heartbeat_line(before: &str) -> String {
    let is_last = block::old_heartbeat(before).is_none_or(|(_, end)| end == before.len());
    format!("{HEARTBEAT_LINE}{}", if is_last { "" } else { "\n" })
}

fn put(
    workspace: &Workspace,
    folder: Folder,
    name: &str,
    text: &str,
    expected: Expected,
) -> Result<(), FileError> {
    let _turn = workspace.turn(folder);
    workspace.replace_expected(folder, name, text.as_bytes(), 0o600, expected)
}
