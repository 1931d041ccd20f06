//! ROOT.md on disk, and the note of what was generated last that tells others' lines apart from ours.

use super::issue::{Issue, or_issue};
pub use super::workspace::ROOT_FILE as NAME;
use super::workspace::{Folder, Result, Stamp, Workspace};
use crate::memory::inventory::Root;
use crate::memory::node::Hash;
use crate::memory::root_note::{RootNote, TEMPLATE};
use crate::memory::text;

pub const PATH: &str = "memory/ROOT.md";
pub const BASE_NAME: &str = "root.json";
const LAST_UPDATED: &str = "last-updated:";

#[derive(Debug, Default)]
pub struct RootFile {
    pub text: String,
    pub stamp: Option<Stamp>,
    /// Whether some of it is no text any more; that is left out.
    pub is_damaged: bool,
}

pub fn note(workspace: &Workspace) -> Result<RootNote> {
    Ok(workspace.read_json_note(BASE_NAME)?.unwrap_or_default())
}

pub fn save(workspace: &Workspace, note: &RootNote) -> Result<()> {
    workspace.write_json(Folder::Own, BASE_NAME, note)
}

pub fn read(workspace: &Workspace) -> Result<RootFile> {
    let Some(contents) = workspace.read_if_there(Folder::Tree, NAME)? else {
        return Ok(RootFile::default());
    };
    let decoded = text::decode(contents.bytes.clone());
    let is_damaged = decoded.is_damaged();
    let text = match is_damaged {
        true => text::sound_lines(&contents.bytes),
        false => decoded.text,
    };
    Ok(RootFile { text, stamp: Some(contents.stamp), is_damaged })
}

pub fn last_updated(root: &str) -> Option<&str> {
    let date = root.lines().find_map(|line| line.strip_prefix(LAST_UPDATED));
    date.map(str::trim)
}

/// Whether a ROOT is the one that `init` makes, of whatever date: nothing was compacted yet.
pub fn is_template(root: &str) -> bool {
    let is_dateless = |line: &&str| !line.starts_with(LAST_UPDATED);
    let lines = root.lines().filter(is_dateless);
    lines.eq(TEMPLATE.lines().filter(is_dateless))
}

pub fn look(workspace: &Workspace, issues: &mut Vec<Issue>) -> Root {
    let read = note(workspace).and_then(|note| Ok((note, read(workspace)?)));
    let Some((note, standing)) = or_issue(read, PATH, issues) else {
        return Root { blocked: true, ..Root::default() };
    };
    if standing.stamp.is_none() {
        return Root::default();
    }
    if standing.is_damaged || standing.text.trim().is_empty() && note.written.is_some() {
        let what = "is damaged; the next cycle makes it anew, with what others wrote into it as far as it can be read";
        issues.push(Issue::error(PATH, what));
    }
    Root {
        exists: true,
        day: note.day,
        built_from: note.stands_on(),
        tokens_max: note.tokens_max,
        touched: standing.is_damaged || note.written != Some(Hash::of_bytes(&standing.text)),
        blocked: false,
    }
}
