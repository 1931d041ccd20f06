//! ROOT.md on disk, and the note of what was generated last that tells others' lines apart from ours.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::issue::Issue;
pub use super::workspace::ROOT_FILE as NAME;
use super::workspace::{FileError, Folder, Stamp, Workspace};
use crate::memory::calendar::Day;
use crate::memory::inventory::Root;
use crate::memory::node::{GENERATION, Hash};
use crate::memory::root::{Base, Printed};
use crate::memory::text;

pub const PATH: &str = "memory/ROOT.md";
pub const BASE_NAME: &str = "root.json";
const LAST_UPDATED: &str = "last-updated:";
const TEMPLATE: &str = include_str!("../../config/templates/ROOT.md");

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Note {
    pub day: Option<Day>,
    pub built_from: Option<Hash>,
    pub dailies: Option<Hash>,
    /// Which generation of this program made it (see [`GENERATION`]).
    pub generation: u32,
    /// The hash of the whole file as it was to be written.
    pub written: Option<Hash>,
    pub tokens_max: usize,
    /// Whether the cap was too small for what must be in it.
    pub cut_short: bool,
    pub lines: Vec<String>,
    /// Those of the generation before.
    pub before: Vec<String>,
    /// The files of `knowledge/` and `plans/` that statements point to and that were not there; none when that was not written down.
    pub missing: Option<BTreeSet<String>>,
}

#[derive(Serialize, Deserialize)]
struct StoredNote {
    #[serde(flatten)]
    note: Note,
    /// The hash over the note. Earlier versions wrote none.
    digest: Option<Hash>,
}

#[derive(Debug, Default)]
pub struct RootFile {
    pub text: String,
    pub stamp: Option<Stamp>,
    /// Whether some of it is no text any more; that is left out.
    pub is_damaged: bool,
}

/// Reads the note; an empty one when there is none. Of one that was garbled only the lines are believed, lest it be ROOT that is
/// blamed: a line that is garbled is nobody's, and the others are ours still.
pub fn note(workspace: &Workspace) -> Result<Note, FileError> {
    let kept: Option<StoredNote> = workspace.read_json_note(BASE_NAME)?;
    let Some(StoredNote { note, digest }) = kept else {
        return Ok(Note::default());
    };
    if digest.is_none_or(|digest| note.hash() == Some(digest)) {
        return Ok(note);
    }
    let Note { lines, before, .. } = note;
    Ok(Note {
        lines,
        before,
        ..Note::default()
    })
}

/// Whether there is a note, and nobody can tell what is in it.
pub fn is_illegible(workspace: &Workspace) -> Result<bool, FileError> {
    let contents = workspace.read_note(BASE_NAME)?;
    Ok(contents.is_some_and(|contents| serde_json::from_slice::<StoredNote>(&contents.bytes).is_err()))
}

pub fn read(workspace: &Workspace) -> Result<RootFile, FileError> {
    let Some(contents) = workspace.read_if_there(Folder::Tree, NAME)? else {
        return Ok(RootFile::default());
    };
    let decoded = text::decode(contents.bytes.clone());
    let is_damaged = decoded.is_damaged();
    Ok(RootFile {
        text: if is_damaged {
            text::sound_lines(&contents.bytes)
        } else {
            decoded.text
        },
        stamp: Some(contents.stamp),
        is_damaged,
    })
}

pub fn last_updated(root: &str) -> Option<&str> {
    let date = root.lines().find_map(|line| line.strip_prefix(LAST_UPDATED));
    date.map(str::trim)
}

/// Whether a ROOT is the one that `init` makes, of whatever date: nothing was compacted yet.
pub fn is_template(root: &str) -> bool {
    let dateless = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with(LAST_UPDATED));
        lines.map(str::to_owned).collect()
    };
    dateless(root) == dateless(TEMPLATE)
}

pub fn look(workspace: &Workspace, issues: &mut Vec<Issue>) -> Root {
    match note(workspace).and_then(|note| Ok((note, read(workspace)?))) {
        Ok((_, RootFile { stamp: None, .. })) => Root::default(),
        Ok((note, standing)) => {
            if standing.is_damaged || standing.text.trim().is_empty() && note.written.is_some() {
                let what = "is damaged; the next cycle makes it anew, with what others wrote into it as far as it can be read";
                issues.push(Issue::error(PATH, what));
            }
            let hash = Hash::of_bytes(&standing.text);
            Root {
                exists: true,
                day: note.day,
                built_from: note.stands_on(),
                tokens_max: note.tokens_max,
                touched: standing.is_damaged || note.written != Some(hash),
                blocked: false,
            }
        }
        Err(error) => {
            issues.push(Issue::from_error(PATH, &error));
            Root {
                blocked: true,
                ..Root::default()
            }
        }
    }
}

impl Note {
    /// What ROOT was made from; none when another generation of this program made it, for this one makes it anew.
    pub fn stands_on(&self) -> Option<Hash> {
        self.built_from.filter(|_| self.generation == GENERATION)
    }

    pub fn base(&self) -> Base {
        let mut base = Base {
            is_blank: self.lines.is_empty() && self.before.is_empty(),
            ..Base::default()
        };
        base.remember(self.lines.iter().chain(&self.before).map(String::as_str));
        base.remember(TEMPLATE.lines());
        base
    }

    /// The note on the ROOT just made of monthly and daily nodes; `missing` are the files that it would point to if they were there.
    pub fn after(
        &self,
        printed: &Printed,
        day: Day,
        [built_from, dailies]: [Hash; 2],
        tokens_max: usize,
        missing: BTreeSet<String>,
    ) -> Self {
        let before = if self.lines == printed.generated {
            self.before.clone()
        } else {
            self.lines.clone()
        };
        Self {
            day: Some(day),
            built_from: Some(built_from),
            dailies: Some(dailies),
            generation: GENERATION,
            written: Some(Hash::of_bytes(&printed.text)),
            tokens_max,
            cut_short: printed.cut_short,
            lines: printed.generated.clone(),
            before,
            missing: Some(missing),
        }
    }

    pub fn save(&self, workspace: &Workspace) -> Result<(), FileError> {
        let kept = StoredNote {
            digest: self.hash(),
            note: self.clone(),
        };
        workspace.write_json(Folder::Own, BASE_NAME, &kept)
    }

    fn hash(&self) -> Option<Hash> {
        Some(Hash(xxh3_64(&postcard::to_allocvec(self).ok()?)))
    }
}

#[cfg(test)]
mod tests;
