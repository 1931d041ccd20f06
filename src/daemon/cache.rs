//! What was learned of the files of a workspace, kept so that it need not be read again: `.hipocampus/cache`.
//!
//! The cache only ever saves reading. Each fact is bound to the stamp of the file it was taken from; a cache that is
//! missing, damaged or of another version is made anew from the files and gives the same plan. Its head answers the
//! most frequent question, "has anything changed at all?", without the rest being read.

mod facts;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::const_xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh3::xxh3_64;

use super::scan::Scan;
use super::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::{Day, Moment};
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::{LogFacts, NodeFacts};
use crate::memory::level::Period;
use crate::memory::node::{GENERATION, Hash};

const NAME: &str = "cache";
/// What earlier releases kept beside the cache. It can all be found out again, and is removed.
pub const LEFTOVERS: [&str; 3] = ["history", "mornings", "digests"];
const ADOPTED_NAME: &str = "adopted.json";
/// Changes with every change of what is stored, or of what the core makes of a text, and with every release: what another program
/// kept is never trusted, even where somebody forgot to say that it means something else now.
const VERSION: u64 = xxh3_64_with_seed(
    concat!("hipo0010 ", env!("CARGO_PKG_VERSION")).as_bytes(),
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
