//! What was learned of the files of a workspace, kept so that it need not be read again: `.hipocampus/cache`.
//!
//! The cache only ever saves reading. Each fact is bound to the stamp of the file it was taken from; a cache that is
//! missing, damaged or of another version is made anew from the files and gives the same plan. Its head answers the
//! most frequent question, "has anything changed at all?", without the rest being read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::const_xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh3::xxh3_64;

use super::workspace::{FileError, Folder, Stamp, Workspace};
use crate::memory::calendar::Moment;
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::{LogFacts, NodeFacts};
use crate::memory::level::Period;
use crate::memory::node::{GENERATION, Hash};

const NAME: &str = "cache";
/// What earlier releases kept beside the cache. It can all be found out again, and is removed.
const LEFTOVERS: [&str; 3] = ["history", "mornings", "digests"];
const ADOPTED_NAME: &str = "adopted.json";
/// Changes with every change of what is stored, or of what the core makes of a text, and with every release: what another program
/// kept is never trusted, even where somebody forgot to say that it means something else now.
pub(super) const VERSION: u64 = xxh3_64_with_seed(
    concat!("hipo0015 ", env!("CARGO_PKG_VERSION")).as_bytes(),
    GENERATION as u64,
);
/// So many bytes of the file hold its head, and a little more.
const HEAD_BYTES_MAX: usize = 64;

/// The beginning of the file, after a hash over the head itself.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u64,
    rest: Option<Idle>,
    body: u64,
}

/// When, and for which files, nothing was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    /// A hash over names and stamps of all files that a plan is made from, and over the settings.
    pub fingerprint: u64,
    pub from: Moment,
}

/// What each file says, and its stamp when it said so.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    /// By their paths from the workspace. A log whose stamp may not be trusted has the default one.
    pub logs: BTreeMap<String, (Stamp, LogFacts)>,
    pub nodes: BTreeMap<Period, (Stamp, NodeFacts)>,
}

impl Cache {
    /// What a log of this stamp says, if it is known.
    pub fn log(&self, path: &str, stamp: Stamp) -> Option<&LogFacts> {
        let (known, facts) = self.logs.get(path)?;
        (*known == stamp && stamp != Stamp::default()).then_some(facts)
    }
}

/// A node of somebody else's, as it was when it was first seen: what it covers is taken to be what its sources were
/// at that moment. Unlike the cache this cannot be found out again.
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
    read_head(&bytes)?.0.rest
}

pub fn load(workspace: &Workspace) -> Cache {
    let contents = workspace.read(Folder::Own, NAME).ok();
    contents
        .and_then(|contents| read(&contents.bytes))
        .unwrap_or_default()
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
    let body = postcard::to_stdvec(cache)?;
    let head = postcard::to_stdvec(&Head {
        version: VERSION,
        rest,
        body: xxh3_64(&body),
    })?;
    Ok([&xxh3_64(&head).to_le_bytes()[..], &head, &body].concat())
}

fn read_head(bytes: &[u8]) -> Option<(Head, &[u8])> {
    let (hash, rest) = bytes.split_first_chunk::<8>()?;
    let (head, body) = postcard::take_from_bytes::<Head>(rest).ok()?;
    let is_whole = xxh3_64(&rest[..rest.len() - body.len()]) == u64::from_le_bytes(*hash);
    (is_whole && head.version == VERSION).then_some((head, body))
}

fn read(bytes: &[u8]) -> Option<Cache> {
    let (head, body) = read_head(bytes)?;
    if head.body != xxh3_64(body) {
        return None;
    }
    postcard::from_bytes(body).ok()
}

pub fn load_adopted(workspace: &Workspace) -> Result<Adopted, FileError> {
    Ok(workspace.read_json_note(ADOPTED_NAME)?.unwrap_or_default())
}

pub fn save_adopted(workspace: &Workspace, adopted: &Adopted) -> Result<(), FileError> {
    workspace.write_json(Folder::Own, ADOPTED_NAME, adopted)
}

#[cfg(test)]
mod tests;
