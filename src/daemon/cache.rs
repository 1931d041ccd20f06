//! What was learned of the files of a workspace, kept so that it need not be read again: `.hipocampus/cache`.
//!
//! The cache only ever saves reading. Each fact is bound to the stamp of the file it was taken from; a cache that is
//! missing, damaged or of another version is made anew from the files and gives the same plan. Its head answers the
//! most frequent question, "has anything changed at all?", without the rest being read.

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
/// What earlier releases kept beside the cache. It can all be found out again, and is removed.
const LEFTOVERS: [&str; 3] = ["history", "mornings", "digests"];
pub const ADOPTED_NAME: &str = "adopted.json";
/// Changes with every change of what is stored, or of what the core makes of a text, and with every release: what another program
/// kept is never trusted, even where somebody forgot to say that it means something else now.
const VERSION: u64 = xxh3_64_with_seed(
    concat!("hipo0016 ", env!("CARGO_PKG_VERSION")).as_bytes(),
    GENERATION as u64,
);
/// So many bytes of the file hold its head, and a little more.
const HEAD_BYTES_MAX: usize = 64;

/// The beginning of the file, before the cache: the version, and whether there is nothing to do.
type Head = (u64, Option<Idle>);

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

pub fn idle(workspace: &Workspace) -> Option<Idle> {
    let bytes = workspace.read_range(Folder::Own, NAME, 0, HEAD_BYTES_MAX).ok()?;
    read_head(&bytes)?.0
}

pub fn load(workspace: &Workspace) -> Cache {
    let contents = workspace.read(Folder::Own, NAME).ok();
    let cache = contents.and_then(|contents| read(&contents.bytes));
    cache.unwrap_or_default()
}

/// Writes facts and head, and removes what earlier releases kept beside them. A failure costs reading next time and nothing else.
pub fn save(workspace: &Workspace, cache: &Cache, rest: Option<Idle>) {
    for name in LEFTOVERS {
        workspace.remove_temporary(Folder::Own, name);
    }
    if let Ok(bytes) = write(cache, rest) {
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &bytes);
    }
}

fn write(cache: &Cache, rest: Option<Idle>) -> postcard::Result<Vec<u8>> {
    let head: Head = (VERSION, rest);
    Ok([seal(&head)?, seal(cache)?].concat())
}

fn read_head(bytes: &[u8]) -> Option<(Option<Idle>, &[u8])> {
    let ((version, rest), body) = unseal::<Head>(bytes)?;
    (version == VERSION).then_some((rest, body))
}

fn read(bytes: &[u8]) -> Option<Cache> {
    let (cache, after) = unseal(read_head(bytes)?.1)?;
    after.is_empty().then_some(cache)
}

/// The bytes of a value behind a hash over them.
pub(super) fn seal(value: &impl Serialize) -> postcard::Result<Vec<u8>> {
    let bytes = postcard::to_stdvec(value)?;
    Ok([&xxh3_64(&bytes).to_le_bytes()[..], &bytes].concat())
}

/// What was sealed at the start of these bytes, if it is whole, and what follows it.
pub(super) fn unseal<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (hash, bytes) = bytes.split_first_chunk::<8>()?;
    let (value, after) = postcard::take_from_bytes(bytes).ok()?;
    let is_whole = xxh3_64(&bytes[..bytes.len() - after.len()]) == u64::from_le_bytes(*hash);
    is_whole.then_some((value, after))
}

pub const CONTRIBUTIONS: &str = "contributions";

/// What monthly and daily nodes give to ROOT, each with the content of the node that it was read from. Kept in `.hipocampus/contributions`,
/// so that no node is read for it twice: it saves over a third of a second on ten years of logs.
pub type Contributions = BTreeMap<Period, (Hash, Contribution)>;

/// The file: the version, the date for which it was made, for an earlier one may ask for more, and what each node gives.
type Stored = (u64, Day, Contributions);

/// What is kept for a date of the nodes that have these contents.
pub fn contributions(workspace: &Workspace, today: Day, contents: &BTreeMap<Period, Hash>) -> Contributions {
    let file = workspace.read(Folder::Own, CONTRIBUTIONS).ok();
    let stored = file.and_then(|file| Some(unseal::<Stored>(&file.bytes)?.0));
    let Some((VERSION, _, mut nodes)) = stored.filter(|(_, day, _)| *day <= today) else {
        return Contributions::new();
    };
    let is_sound = |given: &Contribution| {
        let mut statements = given.statements.iter();
        statements.all(|statement| statement.words.fit(&statement.text))
    };
    nodes.retain(|period, (content, given)| contents.get(period) == Some(content) && is_sound(given));
    nodes
}

/// Keeps them. A failure costs reading next time and nothing else.
pub fn keep_contributions(workspace: &Workspace, today: Day, nodes: &Contributions) {
    if let Ok(bytes) = seal(&(VERSION, today, nodes)) {
        let _ = workspace.replace_unsynced(Folder::Own, CONTRIBUTIONS, &bytes);
    }
}

#[cfg(test)]
mod tests;
