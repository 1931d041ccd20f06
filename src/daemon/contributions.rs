//! What monthly and daily nodes give to ROOT, kept so that no node is read for it twice: `.hipocampus/contributions`.
//!
//! Each is bound to the content of its node. A file that is missing, damaged or of another version is made anew from the nodes. It saves
//! over a third of a second on ten years of logs.

use std::collections::BTreeMap;

use super::cache::{VERSION, seal, unseal};
use super::workspace::{Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::digest::Contribution;
use crate::memory::level::Period;
use crate::memory::node::Hash;

pub const NAME: &str = "contributions";

/// What each node gives, and the content that it was read from.
pub type Contributions = BTreeMap<Period, (Hash, Contribution)>;

/// The file: the version, the date for which it was made, for an earlier one may ask for more, and what each node gives.
type Stored = (u64, Day, Contributions);

/// What is kept for a date of the nodes that have these contents.
pub fn load(workspace: &Workspace, today: Day, contents: &BTreeMap<Period, Hash>) -> Contributions {
    let file = workspace.read(Folder::Own, NAME).ok();
    let stored = file.and_then(|file| Some(unseal::<Stored>(&file.bytes)?.0));
    let fit = |(_, given): &(Hash, Contribution)| {
        given
            .statements
            .iter()
            .all(|statement| statement.words.fit(&statement.text))
    };
    let is_good =
        |(version, day, nodes): &Stored| *version == VERSION && *day <= today && nodes.values().all(fit);
    let mut nodes = stored
        .filter(is_good)
        .map(|(.., nodes)| nodes)
        .unwrap_or_default();
    nodes.retain(|period, (content, _)| contents.get(period) == Some(content));
    nodes
}

/// Keeps them. A failure costs reading next time and nothing else.
pub fn save(workspace: &Workspace, today: Day, nodes: &Contributions) {
    if let Ok(bytes) = seal(&(VERSION, today, nodes)) {
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &bytes);
    }
}
