//! Where the vault's contents lie: in few files, `pack-1` and so on, each content once.
//!
//! A pack is written once and whole, and before the index that names it. What a look has found new goes into the next one,
//! together with what is still needed of small packs and of those that are mostly waste; these are removed when the new one and
//! the index are in place. So there are few packs, a drain of ten years writes a dozen, and a crash at any instant leaves an
//! index whose packs are there.
//!
//! What a disk or somebody has changed of a pack is set aside under another name, and what is sound in it goes into the next one.
//!
//! Each content is preceded by its number in the order of time, its path, hash and length, so that an index that was lost or
//! damaged can be made again.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::daemon::issue::{Issue, or_issue};
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::vault::Id;

/// The permission bits of everything in the vault.
pub(super) const MODE: u32 = 0o600;
/// A pack is closed before it grows over so many bytes, unless one content alone has more.
const PACK_BYTES_MAX: usize = 2 << 20;
/// Packs smaller than this are always taken up into the next one.
const PACK_BYTES_MIN: u64 = 4096;
const PREFIX: &str = "pack-";
/// What a pack is called that was set aside.
const ASIDE: &str = "damaged-";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Spot {
    pack: u32,
    at: u64,
    length: u64,
    /// Its number in the order of time.
    number: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Packs {
    spots: BTreeMap<Id, Spot>,
    packs: BTreeMap<u32, u64>,
    next_pack: u32,
    next_number: u64,
    #[serde(skip)]
    buffer: Vec<u8>,
    /// The packs of which something is not what it was, and the names they have now.
    #[serde(skip)]
    aside: BTreeMap<u32, String>,
    /// The packs that the system cannot read just now.
    #[serde(skip)]
    unreadable: BTreeSet<u32>,
}

/// A content with what precedes it in its pack: its number, its hash, the path of its log.
type Record<'a> = (u64, Id, &'a str, &'a [u8]);

impl Packs {
    /// Whether a content is held, in a pack that can be read as far as is known.
    pub(super) fn holds(&self, id: Id) -> bool {
        let spot = self.spots.get(&id);
        spot.is_some_and(|spot| !self.unreadable.contains(&spot.pack))
    }

    pub(super) fn size(&self) -> u64 {
        self.packs.values().sum()
    }

    /// Reads a content; none when it is not held, or is not what it was.
    pub(super) fn read(&self, workspace: &Workspace, id: Id) -> Result<Option<Vec<u8>>, FileError> {
        let Some(spot) = self.spots.get(&id) else {
            return Ok(None);
        };
        let length = usize::try_from(spot.length).unwrap_or(usize::MAX);
        let bytes = if spot.pack == self.next_pack {
            let at = usize::try_from(spot.at).unwrap_or(usize::MAX);
            self.buffer.get(at..at + length).unwrap_or_default().to_vec()
        } else {
            workspace.read_range(Folder::Vault, &self.name(spot.pack), spot.at, length)?
        };
        Ok((xxh3_128(&bytes) == id.0).then_some(bytes))
    }

    /// Takes in a content of the log at a path, to be in place with the next [`Packs::settle`].
    pub(super) fn put(&mut self, workspace: &Workspace, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        let id = Id(xxh3_128(bytes));
        if self.holds(id) {
            return Ok(());
        }
        self.next_number += 1;
        self.add(workspace, (self.next_number - 1, id, path, bytes))
    }

    fn add(&mut self, workspace: &Workspace, record: Record<'_>) -> Result<(), FileError> {
        let (number, id, path, bytes) = record;
        if !self.buffer.is_empty() && self.buffer.len() + bytes.len() > PACK_BYTES_MAX {
            self.close(workspace)?;
        }
        let path = &path.as_bytes()[..path.len().min(usize::from(u16::MAX))];
        let length = bytes.len() as u64;
        for part in [
            &number.to_le_bytes()[..],
            &id.0.to_le_bytes(),
            &length.to_le_bytes(),
            &(path.len() as u16).to_le_bytes(),
            path,
        ] {
            self.buffer.extend_from_slice(part);
        }
        let spot = Spot {
            pack: self.next_pack,
            at: self.buffer.len() as u64,
            length,
            number,
        };
        self.buffer.extend_from_slice(bytes);
        self.spots.insert(id, spot);
        Ok(())
    }

    /// Puts what was taken in in its place.
    fn close(&mut self, workspace: &Workspace) -> Result<(), FileError> {
        if !self.buffer.is_empty() {
            workspace.replace(Folder::Vault, &name(self.next_pack), &self.buffer, MODE)?;
            self.packs.insert(self.next_pack, self.buffer.len() as u64);
            self.next_pack += 1;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Lets go of every content but those of `wanted`, each with its log's path, and puts in place all that an index may then name.
    /// `anew`: not a byte of the old packs stays. Answers which packs had to be set aside, and which contents went with them.
    pub(super) fn settle(
        &mut self,
        workspace: &Workspace,
        wanted: &FxHashMap<Id, &str>,
        anew: bool,
    ) -> Result<Vec<(String, Vec<Id>)>, FileError> {
        self.spots.retain(|id, _| wanted.contains_key(id));
        let mut condemned = Vec::new();
        let mut live: BTreeMap<u32, u64> = BTreeMap::new();
        for spot in self.spots.values() {
            *live.entry(spot.pack).or_default() += spot.length;
        }
        let mut gathered = self.buffer.len() as u64;
        let mut taken_up: BTreeSet<u32> = self.aside.keys().copied().collect();
        let stays = |pack: &u32| self.unreadable.contains(pack) && !anew;
        for (&pack, &size) in self.packs.iter().rev().filter(|(pack, _)| !stays(pack)) {
            let used = live.get(&pack).copied().unwrap_or(0);
            let is_small = gathered > 0 && size <= (2 * gathered).max(PACK_BYTES_MIN);
            let is_waste = used * 4 < size * 3 && size > PACK_BYTES_MIN;
            if anew || used == 0 || is_waste || (is_small && size < PACK_BYTES_MAX as u64 / 2) {
                gathered += used;
                taken_up.insert(pack);
            }
        }
        let moving = self.spots.iter().map(|(id, spot)| (*id, *spot));
        let mut moving: Vec<(Id, Spot)> = moving.filter(|(_, spot)| taken_up.contains(&spot.pack)).collect();
        moving.sort_by_key(|(_, spot)| spot.number);
        for (id, spot) in moving {
            // What is not what it was is lost already; its neighbours are not to be lost with it.
            if let Some(bytes) = self.read(workspace, id)? {
                self.add(workspace, (spot.number, id, wanted[&id], &bytes))?;
            } else if self.holds(id) {
                condemned.push(self.condemn(workspace, spot.pack)?);
            }
        }
        self.close(workspace)?;
        self.packs.retain(|pack, _| !taken_up.contains(pack));
        Ok(condemned)
    }

    /// Removes packs that the index does not name, and what a crash left behind.
    pub(super) fn sweep(&self, workspace: &Workspace) -> Result<(), FileError> {
        let mut strays = Vec::new();
        workspace.list(Folder::Vault, |file| {
            let number = number(&file.name);
            let is_stray = number.is_some_and(|number| !self.packs.contains_key(&number));
            strays.extend((is_stray || Workspace::is_temporary(&file.name)).then_some(file.name));
        })?;
        for name in strays {
            workspace.remove_temporary(Folder::Vault, &name);
        }
        Ok(())
    }

    /// The packs that are not as they were written: gone, or of another size; with `all`, also those in which a content is not what it
    /// was. One that cannot be read is not one of these: the issues say why.
    pub(super) fn unsound(&mut self, workspace: &Workspace, all: bool, issues: &mut Vec<Issue>) -> Vec<u32> {
        let mut unsound = Vec::new();
        for (&pack, &size) in &self.packs {
            let is_sound = || -> Result<bool, FileError> {
                let mut is_sound = workspace.length(Folder::Vault, &name(pack))? == Some(size);
                for (id, _) in self.spots.iter().filter(|(_, spot)| all && spot.pack == pack) {
                    is_sound = is_sound && self.read(workspace, *id)?.is_some();
                }
                Ok(is_sound)
            };
            match or_issue(is_sound(), super::PATH, issues) {
                Some(true) => {}
                Some(false) => unsound.push(pack),
                None => drop(self.unreadable.insert(pack)),
            }
        }
        unsound
    }

    pub(super) fn pack_of(&self, id: Id) -> Option<u32> {
        self.spots.get(&id).map(|spot| spot.pack)
    }

    /// Sets a pack aside: what it is called now, and which contents are lost with it. The others go into the next pack.
    pub(super) fn condemn(
        &mut self,
        workspace: &Workspace,
        pack: u32,
    ) -> Result<(String, Vec<Id>), FileError> {
        if let Entry::Vacant(entry) = self.aside.entry(pack) {
            let is_taken = |aside: &str| Ok::<_, FileError>(workspace.stamp(Folder::Vault, aside)?.is_some());
            // One that is gone leaves a name behind; after a crash it may be there already.
            let is_there = is_taken(&name(pack))?;
            let mut number = pack;
            while is_there && is_taken(&format!("{ASIDE}{number}"))? {
                number += 1;
            }
            let aside = format!("{ASIDE}{number}");
            if is_there {
                workspace.set_aside(Folder::Vault, &name(pack), &aside)?;
            } else if !is_taken(&aside)? {
                workspace.replace(Folder::Vault, &aside, b"", MODE)?;
            }
            entry.insert(aside);
        }
        let lies_there = self.spots.iter().filter(|(_, spot)| spot.pack == pack);
        let is_lost = |id: &Id| !matches!(self.read(workspace, *id), Ok(Some(_)));
        let lost: Vec<Id> = lies_there.map(|(id, _)| *id).filter(is_lost).collect();
        self.spots.retain(|id, _| !lost.contains(id));
        Ok((self.name(pack), lost))
    }

    fn name(&self, pack: u32) -> String {
        self.aside.get(&pack).cloned().unwrap_or_else(|| name(pack))
    }

    /// Finds out from the packs what they hold, and hands every content to `each` in the order of time, with its log's path.
    pub(super) fn recover(
        workspace: &Workspace,
        mut each: impl FnMut(&Self, &str, &[u8]),
    ) -> Result<Self, FileError> {
        let mut found = Vec::new();
        workspace.list(Folder::Vault, |file| found.extend(number(&file.name)))?;
        found.sort_unstable();
        let mut packs = Self::default();
        let mut records: Vec<(u64, Id, String)> = Vec::new();
        for pack in found {
            let bytes = workspace.read(Folder::Vault, &name(pack))?.bytes;
            let mut rest = bytes.as_slice();
            while let Some(((number, id, path, content), after)) = record_at(rest) {
                rest = after;
                let length = content.len() as u64;
                let at = (bytes.len() - rest.len()) as u64 - length;
                let spot = Spot {
                    pack,
                    at,
                    length,
                    number,
                };
                if packs.spots.insert(id, spot).is_none() {
                    records.push((number, id, path.to_owned()));
                }
                packs.next_number = packs.next_number.max(number + 1);
            }
            // What follows is damage: a pack of another size is set aside.
            packs.packs.insert(pack, (bytes.len() - rest.len()) as u64);
            packs.next_pack = pack + 1;
        }
        records.sort_by_key(|(number, ..)| *number);
        for (_, id, path) in &records {
            // One after the other: all of them may be more than there is memory.
            if let Some(bytes) = packs.read(workspace, *id)? {
                each(&packs, path, &bytes);
            }
        }
        Ok(packs)
    }
}

/// Whether a file of the vault's folder is a pack that was set aside.
pub(super) fn is_aside(name: &str) -> bool {
    name.strip_prefix(ASIDE)
        .is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The record at the start of these bytes, and what follows it.
fn record_at(bytes: &[u8]) -> Option<(Record<'_>, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    let (id, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (path_length, rest) = rest.split_first_chunk()?;
    let (path, rest) = rest.split_at_checked(u16::from_le_bytes(*path_length).into())?;
    let (bytes, rest) = rest.split_at_checked(u64::from_le_bytes(*length).try_into().ok()?)?;
    let (number, id) = (u64::from_le_bytes(*number), u128::from_le_bytes(*id));
    let record = (number, Id(id), std::str::from_utf8(path).ok()?, bytes);
    (xxh3_128(bytes) == id).then_some((record, rest))
}

fn name(pack: u32) -> String {
    format!("{PREFIX}{pack}")
}

fn number(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.parse().ok()
}
