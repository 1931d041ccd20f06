//! What was learned of the files of a workspace, kept so that it need not be read again: `.hipocampus/cache`.
//!
//! The cache only ever saves reading. Each fact is bound to the stamp of the file it was taken from; a cache that is
//! missing, damaged or of another version is made anew from the files and gives the same plan. Its head answers the
//! most frequent question, "has anything changed at all?", without the rest being read.

mod facts;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::const_xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh3::xxh3_64;

use super::scan::Scan;
use super::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::{Day, Moment};
use crate::memory::digest::Digest;
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::{LogFacts, NodeFacts};
use crate::memory::level::Period;
use crate::memory::node::{GENERATION, Hash};
use crate::memory::root::{Costs, History, Mornings};

const NAME: &str = "cache";
const HISTORY_NAME: &str = "history";
const MORNINGS_NAME: &str = "mornings";
const DIGESTS_NAME: &str = "digests";
const ADOPTED_NAME: &str = "adopted.json";
/// Changes with every change of what is stored, or of what the core makes of a text, and with every release: what another program
/// kept is never trusted, even where somebody forgot to say that it means something else now.
const VERSION: u64 = xxh3_64_with_seed(
    concat!("hipo0009 ", env!("CARGO_PKG_VERSION")).as_bytes(),
    GENERATION as u64,
);
const HEAD_BYTES: usize = 48;

/// When, and for which files, nothing was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// A hash over names and stamps of all files that a plan is made from, and over the settings.
    pub fingerprint: u64,
    /// From this moment on.
    pub from: Moment,
}

/// What is known of the files.
#[derive(Debug, Default)]
pub struct Cache {
    /// The logs by date; those of a date in the order of the inventory.
    pub logs: Vec<KnownLog>,
    /// The nodes in the order of the inventory.
    pub nodes: Vec<KnownNode>,
    /// What the lines of the last ROOT cost.
    pub costs: Costs,
}

/// What is known of a log that had this stamp.
#[derive(Debug)]
pub struct KnownLog {
    /// Its date.
    pub day: Day,
    /// Its name; empty when that is only the date.
    pub name: String,
    /// Its stamp.
    pub stamp: u64,
    /// What is in it.
    pub facts: LogFacts,
}

/// What is known of a node that had this stamp.
#[derive(Debug)]
pub struct KnownNode {
    /// What it covers.
    pub period: Period,
    /// Its stamp.
    pub stamp: u64,
    /// What is in it.
    pub facts: NodeFacts,
}

/// The history of the oldest months, and of which nodes it was made.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct KeptHistory {
    /// Month and content of each node, oldest first.
    pub months: Vec<(String, Hash)>,
    /// What they add up to.
    pub history: History,
}

/// A node of somebody else's, as it was when it was first seen: what it covers is taken to be what its sources were
/// at that moment. Unlike the cache this cannot be found out again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adoption {
    /// The node's content; another one is another summary, adopted anew.
    pub content: Hash,
    /// The hash over its sources.
    pub built_from: Hash,
    /// The units of its logs.
    pub entries: Vec<UnitDigest>,
}

/// The nodes of others by their path from the workspace.
pub type Adopted = BTreeMap<String, Adoption>;

/// Reads only the head.
pub fn rest(workspace: &Workspace) -> Option<Rest> {
    let bytes = workspace.read_start(Folder::Own, NAME, HEAD_BYTES).ok()?;
    let word = |at: usize| {
        Some(u64::from_le_bytes(
            bytes.get(at * 8..at * 8 + 8)?.try_into().ok()?,
        ))
    };
    if word(0)? != VERSION || word(1)? != xxh3_64(bytes.get(16..HEAD_BYTES)?) || word(2)? == 0 {
        return None;
    }
    let day = Day::try_from(i32::try_from(word(3)?).ok()?).ok()?;
    Some(Rest {
        fingerprint: word(2)?,
        from: Moment {
            day,
            minutes: u16::try_from(word(4)?).ok()?,
        },
    })
}

/// Reads the facts; empty when there are none to trust.
pub fn load(workspace: &Workspace) -> Cache {
    body(workspace, NAME)
        .and_then(|bytes| facts::read(&bytes[HEAD_BYTES..]))
        .unwrap_or_default()
}

/// Writes facts and head. A failure costs reading next time and nothing else.
pub fn save(workspace: &Workspace, scan: &Scan, rest: Option<Rest>) {
    write(workspace, NAME, &facts::write(scan), rest);
}

/// Reads the kept history.
pub fn load_history(workspace: &Workspace) -> KeptHistory {
    load_kept(workspace, HISTORY_NAME)
}

/// Keeps the history of the oldest months.
pub fn save_history(workspace: &Workspace, history: &KeptHistory) {
    keep(workspace, HISTORY_NAME, history);
}

/// Reads what is known of the day's mornings.
pub fn load_mornings(workspace: &Workspace) -> Mornings {
    load_kept(workspace, MORNINGS_NAME)
}

/// Keeps the day's mornings.
pub fn save_mornings(workspace: &Workspace, mornings: &Mornings) {
    keep(workspace, MORNINGS_NAME, mornings);
}

/// Reads what nodes say, each with a hash over its period and text.
pub fn load_digests(workspace: &Workspace) -> Vec<(u64, Digest)> {
    load_kept(workspace, DIGESTS_NAME)
}

/// Keeps what nodes say.
pub fn save_digests(workspace: &Workspace, digests: &[(u64, Digest)]) {
    keep(workspace, DIGESTS_NAME, digests);
}

/// Nothing when there is nothing to trust.
fn load_kept<T: DeserializeOwned + Default>(workspace: &Workspace, name: &str) -> T {
    body(workspace, name)
        .and_then(|bytes| postcard::from_bytes(&bytes[HEAD_BYTES..]).ok())
        .unwrap_or_default()
}

/// A failure costs finding out again and nothing else.
fn keep<T: Serialize + ?Sized>(workspace: &Workspace, name: &str, value: &T) {
    if let Ok(body) = postcard::to_allocvec(value) {
        write(workspace, name, &body, None);
    }
}

/// Reads what was adopted.
///
/// # Errors
/// The disk fails: whatever was adopted would be adopted anew, as it is today.
pub fn load_adopted(workspace: &Workspace) -> Result<Adopted, FileError> {
    Ok(workspace.read_json_note(ADOPTED_NAME)?.unwrap_or_default())
}

/// Writes what was adopted, durably.
///
/// # Errors
/// The note cannot be written.
pub fn save_adopted(workspace: &Workspace, adopted: &Adopted) -> Result<(), FileError> {
    workspace.write_json(Folder::Own, ADOPTED_NAME, adopted)
}

/// The head: version, checksum of what follows in the head, fingerprint, day, minutes, checksum of the body.
fn write(workspace: &Workspace, name: &str, body: &[u8], rest: Option<Rest>) {
    let mut head = [0_u8; HEAD_BYTES];
    let mut put = |at: usize, value: u64| head[at * 8..at * 8 + 8].copy_from_slice(&value.to_le_bytes());
    put(0, VERSION);
    if let Some(rest) = rest {
        put(2, rest.fingerprint);
        put(3, u64::try_from(i32::from(rest.from.day)).unwrap_or(0));
        put(4, u64::from(rest.from.minutes));
    }
    put(5, xxh3_64(body));
    let checksum = xxh3_64(&head[16..]);
    head[8..16].copy_from_slice(&checksum.to_le_bytes());
    let _ = workspace.replace_unsynced(Folder::Own, name, &[&head, body]);
}

/// A whole file whose head and body are as they were written.
fn body(workspace: &Workspace, name: &str) -> Option<Vec<u8>> {
    let bytes = workspace.read(Folder::Own, name).ok()?.bytes;
    let word = |at: usize| {
        Some(u64::from_le_bytes(
            bytes.get(at * 8..at * 8 + 8)?.try_into().ok()?,
        ))
    };
    let fits = word(0)? == VERSION
        && word(1)? == xxh3_64(bytes.get(16..HEAD_BYTES)?)
        && word(5)? == xxh3_64(&bytes[HEAD_BYTES..]);
    fits.then_some(bytes)
}
