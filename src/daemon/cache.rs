//! What was learned of the files of a workspace, kept so that it need not be read again: `.hipocampus/cache`.
//!
//! The cache only ever saves reading: one that is missing, damaged or of another version is made anew from the files and gives the same plan.
//! A small file beside it answers the most frequent question, "has anything changed at all?".

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::const_xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh3::xxh3_64;

use super::workspace::{Folder, Stamp, Workspace};
use crate::memory::calendar::{Day, Moment};
use crate::memory::digest::Contribution;
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::{LogFacts, NodeFacts};
use crate::memory::level::Period;
use crate::memory::node::{GENERATION, Hash};

const NAME: &str = "cache";
const IDLE: &str = "idle";
/// What earlier releases kept beside the cache. It can all be found out again, and is removed.
const LEFTOVERS: [&str; 3] = ["history", "mornings", "digests"];
pub const ADOPTED_NAME: &str = "adopted.json";
/// Changes with every change of what is stored, or of what the core makes of a text, and with every release: what another program
/// kept is never trusted, even where somebody forgot to say that it means something else now.
const VERSION: u64 =
    xxh3_64_with_seed(concat!("hipo0017 ", env!("CARGO_PKG_VERSION")).as_bytes(), GENERATION as u64);
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    /// A hash over names and stamps of all files that a plan is made from, and over the settings.
    pub fingerprint: u64,
    pub from: Moment,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    /// By their paths from the workspace. A log whose stamp may not be trusted has the default one.
    pub logs: BTreeMap<String, (Stamp, LogFacts)>,
    pub nodes: BTreeMap<Period, (Stamp, NodeFacts)>,
}

impl Cache {
    pub fn log(&self, path: &str, stamp: Stamp) -> Option<&LogFacts> {
        let (known, facts) = self.logs.get(path)?;
        (*known == stamp && stamp != Stamp::default()).then_some(facts)
    }
}

/// A node of somebody else's covers what its sources were when it was first seen. Unlike the cache this cannot be found out again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adoption {
    /// The node's content; another one is another summary, adopted anew.
    pub content: Hash,
    pub built_from: Hash,
    pub entries: Vec<UnitDigest>,
}

pub type Adopted = BTreeMap<String, Adoption>;

/// The state of a workspace in which a run found nothing more to do.
pub fn idle(workspace: &Workspace) -> Option<Idle> {
    read(workspace, IDLE)?
}

pub fn load(workspace: &Workspace) -> Cache {
    read(workspace, NAME).unwrap_or_default()
}

pub fn save(workspace: &Workspace, cache: &Cache, rest: Option<Idle>) {
    for name in LEFTOVERS {
        workspace.remove_temporary(Folder::Own, name);
    }
    keep(workspace, NAME, cache);
    keep(workspace, IDLE, &rest);
}

/// What this very release has kept in a file, if it is whole.
fn read<T: DeserializeOwned>(workspace: &Workspace, name: &str) -> Option<T> {
    let contents = workspace.read(Folder::Own, name).ok()?;
    let (version, value): (u64, T) = unseal(&contents.bytes)?;
    (version == VERSION).then_some(value)
}

/// Keeps a value. A failure costs reading next time and nothing else.
pub(super) fn keep(workspace: &Workspace, name: &str, value: &impl Serialize) {
    if let Ok(bytes) = seal(&(VERSION, value)) {
        let _ = workspace.replace_unsynced(Folder::Own, name, &bytes);
    }
}

pub(super) fn seal(value: &impl Serialize) -> postcard::Result<Vec<u8>> {
    let bytes = postcard::to_stdvec(value)?;
    Ok([&xxh3_64(&bytes).to_le_bytes()[..], &bytes].concat())
}

pub(super) fn unseal<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (hash, bytes) = bytes.split_first_chunk::<8>()?;
    let is_whole = xxh3_64(bytes) == u64::from_le_bytes(*hash);
    postcard::from_bytes(bytes).ok().filter(|_| is_whole)
}

pub const CONTRIBUTIONS: &str = "contributions";

/// What monthly and daily nodes give to ROOT, each with the content of the node that it was read from. Kept in `.hipocampus/contributions`,
/// so that no node is read for it twice: it saves over a third of a second on ten years of logs.
pub type Contributions = BTreeMap<Period, (Hash, Contribution)>;

/// What is kept for a date of the nodes that have these contents. What was kept for a later date may lack what an earlier one asks for.
pub fn contributions(workspace: &Workspace, today: Day, contents: &BTreeMap<Period, Hash>) -> Contributions {
    let kept: Option<(Day, Contributions)> = read(workspace, CONTRIBUTIONS);
    let kept = kept.filter(|(day, _)| *day <= today);
    let mut nodes = kept.map(|(_, nodes)| nodes).unwrap_or_default();
    let is_sound = |given: &Contribution| {
        let mut statements = given.statements.iter();
        statements.all(|statement| statement.words.fit(&statement.text))
    };
    nodes.retain(|period, (content, given)| contents.get(period) == Some(content) && is_sound(given));
    nodes
}

#[cfg(test)]
mod tests;
