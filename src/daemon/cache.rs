//! What was learned of the files of a workspace, kept so that it need not be read again: `.hipocampus/cache`.
//!
//! The cache only ever saves reading. Each fact is bound to the stamp of the file it was taken from; a cache that is
//! missing, damaged or of another version is made anew from the files and gives the same plan. Its head answers the
//! most frequent question, "has anything changed at all?", without the rest being read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::const_xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh3::xxh3_64;

use super::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::{Day, Moment};
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
const VERSION: u64 = xxh3_64_with_seed(
    concat!("hipo0011 ", env!("CARGO_PKG_VERSION")).as_bytes(),
    GENERATION as u64,
);
/// So many bytes of the file hold its head, and a little more.
const HEAD_BYTES_MAX: usize = 64;

/// The beginning of the file, after a hash over the head itself.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u64,
    rest: Option<Rest>,
    /// The hash over what follows the head.
    body: u64,
}

/// When, and for which files, nothing was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// A hash over names and stamps of all files that a plan is made from, and over the settings.
    pub fingerprint: u64,
    pub from: Moment,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    pub logs: Vec<KnownLog>,
    pub nodes: Vec<KnownNode>,
}

/// What is known of a log that had this stamp.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownLog {
    pub day: Day,
    /// Its name; empty when that is only the date.
    pub name: String,
    pub stamp: u64,
    pub facts: LogFacts,
}

/// What is known of a node that had this stamp.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownNode {
    pub period: Period,
    pub stamp: u64,
    pub facts: NodeFacts,
}

/// A node of somebody else's, as it was when it was first seen: what it covers is taken to be what its sources were
/// at that moment. Unlike the cache this cannot be found out again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adoption {
    /// The node's content; another one is another summary, adopted anew.
    pub content: Hash,
    pub built_from: Hash,
    /// The units of its logs.
    pub entries: Vec<UnitDigest>,
}

/// The nodes of others by their path from the workspace.
pub type Adopted = BTreeMap<String, Adoption>;

/// Reads only the head.
pub fn rest(workspace: &Workspace) -> Option<Rest> {
    let bytes = workspace.read_range(Folder::Own, NAME, 0, HEAD_BYTES_MAX).ok()?;
    read_head(&bytes)?.0.rest
}

/// Reads the facts; empty when there are none to trust.
pub fn load(workspace: &Workspace) -> Cache {
    let contents = workspace.read(Folder::Own, NAME).ok();
    contents
        .and_then(|contents| read(&contents.bytes))
        .unwrap_or_default()
}

/// Writes facts and head, and removes what earlier releases kept beside them. A failure costs reading next time and nothing else.
pub fn save(workspace: &Workspace, cache: &Cache, rest: Option<Rest>) {
    for name in LEFTOVERS {
        workspace.remove_temporary(Folder::Own, name);
    }
    if let Ok(bytes) = write(cache, rest) {
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &bytes);
    }
}

fn write(cache: &Cache, rest: Option<Rest>) -> postcard::Result<Vec<u8>> {
    let body = postcard::to_stdvec(cache)?;
    let head = postcard::to_stdvec(&Head {
        version: VERSION,
        rest,
        body: xxh3_64(&body),
    })?;
    Ok([&xxh3_64(&head).to_le_bytes()[..], &head, &body].concat())
}

/// The head, and what follows it.
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

/// Reads what was adopted.
pub fn load_adopted(workspace: &Workspace) -> Result<Adopted, FileError> {
    Ok(workspace.read_json_note(ADOPTED_NAME)?.unwrap_or_default())
}

/// Writes what was adopted, durably.
pub fn save_adopted(workspace: &Workspace, adopted: &Adopted) -> Result<(), FileError> {
    workspace.write_json(Folder::Own, ADOPTED_NAME, adopted)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "lays out what an earlier release kept")]

    use super::*;
    use crate::memory::inventory::UnitFacts;
    use crate::memory::level::Status;

    fn cache() -> Cache {
        let day = Day::parse("2026-03-15").unwrap();
        let unit = |digest| UnitFacts {
            digest: UnitDigest(digest),
            lines: 7,
            checkpoint: true,
            snapshot: false,
        };
        let log = |name: &str| KnownLog {
            day,
            name: name.to_owned(),
            stamp: 5,
            facts: LogFacts {
                hash: 3,
                units: vec![unit(1), unit(u64::MAX)],
            },
        };
        let node = |period| KnownNode {
            period,
            stamp: 9,
            facts: NodeFacts {
                status: Status::Fixed,
                content: Hash(17),
                built_from: Some(Hash(18)),
                placeholder: false,
                summarized: true,
                answered: true,
                touched: false,
                sources: vec![Period::Day(day)],
                entries: vec![UnitDigest(1)],
                late: vec![(day, vec![UnitDigest(99)])],
            },
        };
        Cache {
            logs: vec![log(""), log("2026-03-15-b.md")],
            nodes: vec![node(Period::Day(day)), node(Period::Week(day.week()))],
        }
    }

    fn rest_at(fingerprint: u64) -> Rest {
        let day = Day::parse("2026-03-16").unwrap();
        Rest {
            fingerprint,
            from: Moment::end_of(day),
        }
    }

    #[test]
    fn what_was_known_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let workspace = Workspace::open(folder.path(), true).unwrap();
        assert_eq!((load(&workspace), rest(&workspace)), (Cache::default(), None));
        for known in [Some(rest_at(u64::MAX)), Some(rest_at(1)), None] {
            save(&workspace, &cache(), known);
            assert_eq!((load(&workspace), rest(&workspace)), (cache(), known));
        }
    }

    #[test]
    fn a_file_that_is_cut_short_or_changed_anywhere_is_no_cache() {
        let whole = write(&cache(), Some(rest_at(7))).unwrap();
        assert!(read(&whole).is_some());
        for at in 0..whole.len() {
            assert!(read(&whole[..at]).is_none(), "{at} of {} bytes", whole.len());
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(read(&changed).is_none(), "byte {at} of {}", whole.len());
        }
    }

    #[test]
    fn what_earlier_releases_kept_beside_it_goes() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let workspace = Workspace::open(folder.path(), true).unwrap();
        let own = folder.path().join(".hipocampus");
        for name in LEFTOVERS {
            std::fs::write(own.join(name), "old").unwrap();
        }
        std::fs::write(own.join("notes"), "mine").unwrap();
        save(&workspace, &cache(), None);
        for name in LEFTOVERS {
            assert!(!own.join(name).exists(), "{name}");
        }
        assert!(own.join("notes").exists());
    }
}
