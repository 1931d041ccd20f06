//! How agents' platforms are told of the memory: a block in their instructions, hooks and the path of ROOT in their settings, one line
//! in a heartbeat. What `init` puts there is noted in `.hipocampus/init.json`, so that `init --remove` can give every byte back.

mod earlier;

use anyhow::{Error, Result};
use serde::{Deserialize, Serialize};

use self::earlier::EarlierNote;
use super::issue::{escaped, sentence};
use super::root_file;
use super::workspace::{FileError, Folder, Workspace, tree};
use crate::config::{Platform, WORKSPACE_FILE, with_tree_folder};
use crate::memory::hooks::{self, Hook};
use crate::memory::level::Level;
use crate::memory::node::Hash;
use crate::memory::tree_folder::TreeFolder;
use crate::memory::{block, sync};

pub const NOTE_NAME: &str = "init.json";
/// The line that stands for the older tool's section of HEARTBEAT.md.
const HEARTBEAT_LINE: &str = "Memory is compacted by hipocampusd, not here. <!-- hipocampusd init --remove brings the old section back -->\n";
const BLOCK: &str = include_str!("../../config/templates/BLOCK.md");
const MEMORY_FILE: &str = "MEMORY.md";
const AGENTS_FILE: &str = "AGENTS.md";
const HEARTBEAT_FILE: &str = "HEARTBEAT.md";
/// OpenCode's settings, the first that is there.
const OPENCODE_FILES: [&str; 2] = ["opencode.json", "opencode.jsonc"];
const CLAUDE_HOOKS: (Folder, &str) = (Folder::Claude, "settings.json");
const CODEX_HOOKS: (Folder, &str) = (Folder::Codex, "hooks.json");
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
    pub files: Vec<NotedFile>,
    pub folders: Vec<String>,
    /// The folder of the tree that agents were told of; empty: `memory`.
    pub tree: String,
    /// MEMORY.md as it was, as far as ROOT's section changes it; none when there was no such file.
    pub memory: Option<MemoryBefore>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedFile {
    pub path: String,
    /// All of it, as it was before there was anything of ours in it; none when there was no such file.
    pub before: Option<String>,
    /// The file as we left it last, unless somebody had edited it until then; none while it is being written.
    pub after: Option<Hash>,
}

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

fn note(workspace: &Workspace) -> Result<Note, FileError> {
    let mut note: Note = workspace.read_json_note(NOTE_NAME)?.unwrap_or_default();
    if note.files.is_empty() {
        let earlier: EarlierNote = workspace.read_json_note(NOTE_NAME)?.unwrap_or_default();
        note.files = earlier.files(|path| {
            let (folder, name) = place_of(path, workspace.tree().as_str())?;
            let contents = workspace.read_if_there(folder, name).ok()??;
            String::from_utf8(contents.bytes).ok()
        });
    }
    Ok(note)
}

pub fn exists(workspace: &Workspace) -> bool {
    matches!(workspace.stamp(Folder::Own, NOTE_NAME), Ok(Some(_)))
}

pub fn configure(workspace: &mut Workspace, folder: &TreeFolder) -> Result<Wired, FileError> {
    let note = note(workspace)?;
    let mut wiring = Wiring::new(workspace, How::default(), note);
    wiring.edit(Folder::Workspace, WORKSPACE_FILE, |text| {
        let text = with_tree_folder(text, folder.as_str());
        text.map(Some).ok_or("it is no JSON object".to_owned())
    });
    wiring.note.save(wiring.workspace)?;
    Ok(wiring.wired)
}

#[derive(Debug, Clone, Copy, Default)]
pub struct How<'a> {
    pub platforms: &'a [Platform],
    /// How a shell calls this program: by its name, or by its path where the name is not found.
    pub program: &'a str,
    pub before_prompt: bool,
}

/// A second time changes nothing.
pub fn wire(workspace: &mut Workspace, how: How<'_>, made: Note) -> Result<Wired, FileError> {
    let before = note(workspace)?;
    let mut wiring = Wiring::new(workspace, how, before);
    let note = &mut wiring.note;
    for file in made.files {
        note.files.retain(|known| known.path != file.path);
        note.files.push(file);
    }
    for folder in made.folders {
        if !note.folders.contains(&folder) {
            note.folders.push(folder);
        }
    }
    note.follow(wiring.workspace.tree());
    wiring.instructions();
    how.platforms.iter().for_each(|platform| wiring.platform(*platform));
    wiring.note.save(wiring.workspace)?;
    Ok(wiring.wired)
}

impl Note {
    fn file(&mut self, path: &str) -> Option<&mut NotedFile> {
        self.files.iter_mut().find(|file| file.path == path)
    }

    /// Notes what a file was before it is changed. What was noted and not ended, because it failed or somebody killed us, never was:
    /// our part would be in the file.
    fn begin(&mut self, path: &str, before: Option<String>) {
        self.files.retain(|file| file.path != path || file.after.is_some());
        if self.file(path).is_none() {
            self.files.push(NotedFile { path: path.to_owned(), before, after: None });
        }
    }

    /// Notes what a file is by now, and was before it was changed.
    fn end(&mut self, path: &str, was: Option<Hash>, is: Option<Hash>) {
        let file = self.file(path);
        if let Some(file) = file.filter(|file| file.after.is_none() || file.after == was) {
            file.after = is;
        }
    }

    fn save(&self, workspace: &Workspace) -> Result<(), FileError> {
        if note(workspace)? != *self {
            workspace.write_json(Folder::Own, NOTE_NAME, self)?;
        }
        Ok(())
    }

    /// Has what was made where the tree lay where it lies.
    fn follow(&mut self, tree: &TreeFolder) {
        let before = folder_of(&self.tree);
        if before == *tree {
            return;
        }
        let made = self.files.iter_mut().map(|file| &mut file.path);
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
    told_tree: TreeFolder,
    wired: Wired,
}

impl<'a> Wiring<'a> {
    fn new(workspace: &'a mut Workspace, how: How<'a>, note: Note) -> Self {
        Self {
            told_tree: folder_of(&note.tree),
            workspace,
            how,
            note,
            wired: Wired::default(),
        }
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
        match platform {
            Platform::ClaudeCode => self.hooks(CLAUDE_HOOKS, &hooks::CLAUDE_CODE),
            Platform::Codex => self.hooks(CODEX_HOOKS, &hooks::CODEX),
            Platform::OpenClaw => self.heartbeat(),
            Platform::OpenCode => {
                let [first, other] = OPENCODE_FILES;
                let is_other = self.lacks(first) && !self.lacks(other);
                let name = if is_other { other } else { first };
                let root = self.workspace.tree().root();
                let before = self.told_tree.root();
                self.edit(Folder::Workspace, name, |text| hooks::instruct(text, Some(&root), &before));
            }
        }
        if platform.has_memory_file() && self.note.memory.is_none() {
            self.note.memory = self.memory_before();
        }
    }

    fn hooks(&mut self, (folder, file): (Folder, &str), all: &[Hook]) {
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

    /// Changes one file, or says why not. What the file was is in the note, and on the disk, before the file is another.
    fn edit(&mut self, folder: Folder, name: &str, change: impl Fn(&str) -> Result<Option<String>, String>) {
        let path = folder.file(name);
        let (workspace, note) = (&*self.workspace, &mut self.note);
        let (mut was, mut is) = (None, None);
        let written = workspace.edit(folder, name, 0o600, |bytes| {
            let before = utf8(bytes)?;
            was = before.as_ref().map(Hash::of_bytes);
            let text = change(before.as_deref().unwrap_or_default()).map_err(Error::msg)?;
            is = text.as_ref().map(Hash::of_bytes).or(was);
            if text.is_some() {
                note.begin(&path, before);
                note.save(workspace)?;
            }
            anyhow::Ok(text)
        });
        match written {
            Ok(is_written) => {
                note.end(&path, was, is);
                self.wired.changed.extend(is_written.then_some(path));
            }
            Err(error) => self.warn(&path, &sentence(&*error)),
        }
    }

    fn warn(&mut self, path: &str, what: &str) {
        self.wired.warnings.push(left(path, what));
    }
}

fn left(path: &str, what: &str) -> String {
    format!("{} is left as it is: {}", escaped(path), escaped(what))
}

fn heartbeat_line(before: &str) -> String {
    let is_last = block::old_heartbeat(before).is_none_or(|(_, end)| end == before.len());
    format!("{HEARTBEAT_LINE}{}", if is_last { "" } else { "\n" })
}

fn utf8(bytes: Option<Vec<u8>>) -> Result<Option<String>> {
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| Error::msg("it is not UTF-8"))
}

/// What the daemon keeps for itself and can make again, in `.hipocampus/`.
const MADE_AGAIN: [&str; 6] = [
    "cache",
    "idle",
    "status.json",
    "run.lock",
    "cycle.lock",
    ".gitignore",
];

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Files brought back to what they were, or freed of our part.
    pub restored: Vec<String>,
    pub removed: Vec<String>,
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
    for name in ["CLAUDE.md", AGENTS_FILE] {
        removal.undo(Folder::Workspace, name, |text, before| Ok(block::take_out(text, before)?));
    }
    removal.undo(Folder::Workspace, HEARTBEAT_FILE, |text, before| Ok(heartbeat(text, before)));
    for (folder, name) in [CLAUDE_HOOKS, CODEX_HOOKS] {
        // A platform's folder that is not there holds nothing of ours.
        let _ = removal.workspace.open_folder(folder, false);
        removal.undo(folder, name, |text, _| hooks::put(text, "", &[]));
    }
    let root = removal.workspace.tree().root();
    for name in OPENCODE_FILES {
        removal.undo(Folder::Workspace, name, |text, _| hooks::instruct(text, None, &root));
    }
    let memory = removal.note.memory.clone();
    removal.undo(Folder::Workspace, MEMORY_FILE, |text, _| Ok(memory_file(text, memory.as_ref())));
    removal.made();
    removal.own_folder()?;
    Ok(removal.removed)
}

struct Removal<'a> {
    workspace: &'a mut Workspace,
    note: Note,
    removed: Removed,
}

impl Removal<'_> {
    /// Gives a file back. `take_out` takes our part out of a text, given the text as it was before; none where there is none of ours in it.
    fn undo(
        &mut self,
        folder: Folder,
        name: &str,
        take_out: impl Fn(&str, &str) -> Result<Option<String>, String>,
    ) {
        let path = folder.file(name);
        let known = self.note.files.iter().find(|file| file.path == path);
        let before = known.and_then(|file| file.before.as_deref());
        let restored = self.workspace.edit(folder, name, 0o600, |bytes| {
            let Some(text) = utf8(bytes)? else {
                return anyhow::Ok(None);
            };
            let is_as_left = known.is_some_and(|file| file.after == Some(Hash::of_bytes(&text)));
            let without = match before {
                None if is_as_left => None, // as it was made: it goes whole
                Some(before) if is_as_left => Some(before.to_owned()),
                before => take_out(&text, before.unwrap_or_default()).map_err(Error::msg)?,
            };
            Ok(without.filter(|without| *without != text))
        });
        match restored {
            Ok(is_restored) => self.removed.restored.extend(is_restored.then_some(path)),
            Err(error) => {
                self.removed.is_unfinished |= error.is::<FileError>();
                self.removed.kept.push(left(&path, &sentence(&*error)));
            }
        }
    }

    /// The files and folders that `init` made and nobody has changed or filled since.
    fn made(&mut self) {
        for made in std::mem::take(&mut self.note.files) {
            let tree = self.workspace.tree().as_str();
            let place = place_of(&made.path, tree).filter(|_| made.before.is_none());
            let Some((folder, name)) = place else {
                continue;
            };
            let Ok(Some(contents)) = self.workspace.read_if_there(folder, name) else {
                continue;
            };
            let as_made = Some(Hash::of_bytes(&contents.bytes)) == made.after;
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
        let mut held = self.workspace.list(Folder::Own)?.into_iter();
        if self.removed.is_unfinished {
            // What stood in those files before is in the note alone.
            let path = Folder::Own.file(NOTE_NAME);
            self.removed.kept.push(format!(
                "{path} stays: it has what these files were before; run `hipocampusd init --remove` again"
            ));
            return Ok(());
        }
        let tree = self.workspace.tree().as_str();
        let is_tree_gone = self.workspace.open_way(tree, false).is_err();
        let goes = |name: &str| MADE_AGAIN.contains(&name) || name == tree::NOTE_NAME && is_tree_gone;
        let is_needed = held.any(|file| !goes(&file.name) && file.name != NOTE_NAME);
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
    let is_as_known = |start: &&str| Hash::of_bytes(start) == known.hash;
    let untouched = before.get(..known.bytes).filter(is_as_known);
    let rest = untouched.map_or("", |start| &before[start.len()..]);
    // What was added between the file and the section is line breaks, and the mark that closed a fence.
    let added = rest.lines().all(|line| line.trim_matches(['`', '~']).is_empty());
    Some(match untouched.filter(|_| added) {
        Some(start) => format!("{start}{after}"),
        None => format!("{}{after}", ending_once(before)),
    })
}

fn ending_once(text: &str) -> String {
    match text.trim_end_matches(['\n', '\r']) {
        "" => String::new(),
        text => format!("{text}\n"),
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
