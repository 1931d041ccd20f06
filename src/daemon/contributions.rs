//! What monthly and daily nodes give to ROOT, kept so that no node is read for it twice: `.hipocampus/contributions`.
//!
//! Each is bound to the content of its node. A file that is missing, damaged or of another version is made anew from the nodes. It saves
//! over a third of a second on ten years of logs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::cache::VERSION;
use super::workspace::{Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::digest::Contribution;
use crate::memory::level::Period;
use crate::memory::node::Hash;

pub const NAME: &str = "contributions";

/// What each node gives, and the content that it was read from.
pub type Contributions = BTreeMap<Period, (Hash, Contribution)>;

/// The file, behind a hash over the rest of it.
#[derive(Serialize, Deserialize)]
struct Stored<M> {
    version: u64,
    /// The date for which it was made: an earlier one may ask for more.
    day: Day,
    nodes: M,
}

/// What is kept for a date of the nodes that have these contents.
pub fn load(workspace: &Workspace, today: Day, contents: &BTreeMap<Period, Hash>) -> Contributions {
    let file = workspace.read(Folder::Own, NAME).ok();
    let stored = file.and_then(|file| {
        let (hash, rest) = file.bytes.split_first_chunk::<8>()?;
        if xxh3_64(rest) != u64::from_le_bytes(*hash) {
            return None;
        }
        postcard::from_bytes::<Stored<Contributions>>(rest).ok()
    });
    let fit = |(_, given): &(Hash, Contribution)| {
        given
            .statements
            .iter()
            .all(|statement| statement.words.fit(&statement.text))
    };
    let is_good = |stored: &Stored<Contributions>| {
        stored.version == VERSION && stored.day <= today && stored.nodes.values().all(fit)
    };
    let mut nodes = stored
        .filter(is_good)
        .map_or_else(Contributions::new, |stored| stored.nodes);
    nodes.retain(|period, (content, _)| contents.get(period) == Some(content));
    nodes
}

/// Keeps them. A failure costs reading next time and nothing else.
pub fn save(workspace: &Workspace, today: Day, nodes: &Contributions) {
    let stored = Stored {
        version: VERSION,
        day: today,
        nodes,
    };
    if let Ok(rest) = postcard::to_stdvec(&stored) {
        let bytes = [&xxh3_64(&rest).to_le_bytes()[..], &rest].concat();
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &bytes);
    }
}
