//! The note of an earlier form of `init`, which kept pieces of files: read as one that has them as they were.

use serde::Deserialize;

use super::{HEARTBEAT_FILE, HEARTBEAT_LINE, NotedFile};
use crate::memory::block;
use crate::memory::node::Hash;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct EarlierNote {
    made: Vec<MadeFile>,
    edited: Vec<EditedFile>,
}

#[derive(Deserialize)]
struct MadeFile {
    path: String,
    hash: Hash,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EditedFile {
    path: String,
    /// What was put between the file and the block.
    gap: Option<String>,
    /// What stood in the block's place.
    back: Option<String>,
    /// All of it, where pieces were not enough.
    before: Option<String>,
    after: Hash,
}

impl EarlierNote {
    /// The files that it speaks of, as [`super::Note`] has them. `text` reads one as it stands.
    pub(super) fn files(self, text: impl Fn(&str) -> Option<String>) -> Vec<NotedFile> {
        let noted = |made: MadeFile| NotedFile { path: made.path, before: None, after: Some(made.hash) };
        let mut files: Vec<NotedFile> = self.made.into_iter().map(noted).collect();
        for edited in self.edited {
            let is_made = files.iter().any(|file| file.path == edited.path);
            // What cannot be told from the pieces is found by the marks in the file.
            let before = edited.before.clone();
            let before = before.or_else(|| edited.as_it_was(&text(&edited.path)?));
            if before.is_some() && !is_made {
                files.push(NotedFile { path: edited.path, before, after: Some(edited.after) });
            }
        }
        files
    }
}

impl EditedFile {
    /// The file without our part, from the file as it stands.
    fn as_it_was(&self, text: &str) -> Option<String> {
        let gap = self.gap.as_deref().unwrap_or_default();
        if self.path == HEARTBEAT_FILE {
            let ours = format!("{HEARTBEAT_LINE}{gap}");
            let back = self.back.as_deref().unwrap_or_default();
            return text.contains(&ours).then(|| text.replacen(&ours, back, 1));
        }
        // A text of which the block would take the same place.
        let alike = match (&self.back, gap) {
            (Some(back), _) => back,
            (None, "\n") => "x\n",
            (None, "\r\n") => "x\r\n",
            (None, "\n\n") => "x",
            (None, "\r\n\r\n") => "x\r\nx",
            (None, _) => "",
        };
        block::take_out(text, alike).ok()?
    }
}
