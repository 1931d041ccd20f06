//! Where the vault's contents lie: each as it was, in a file of its own that is named by its hash, so that each is kept once.
//!
//! A file is in place before an index names it, and goes when none names it any more: a crash at any instant leaves an index whose
//! files are there. What a disk or somebody has changed of one is set aside under another name.
//!
//! Earlier releases kept many contents in one file, `pack-1` and so on. The next index that is written names a file of its own for each.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::xxh3_128;

use crate::daemon::issue::{Issue, or_issue};
use crate::daemon::workspace::{Expected, Folder, Result, Staged, Workspace};
use crate::memory::vault::{Id, Version};

pub(super) const MODE: u32 = 0o600;
pub(super) const ASIDE: &str = "damaged-";
const PACK: &str = "pack-";

/// Where a content lies in the packs of earlier releases: the pack's number, where it begins there, its length, and its own number.
pub(super) type Spot = (u32, u64, u64, u64);

#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The files that are there, with their sizes.
    sizes: BTreeMap<Id, u64>,
    packs: BTreeSet<String>,
    /// What lies in the packs, as the index of an earlier release says.
    pub(super) packed: BTreeMap<Id, Spot>,
    staged: BTreeMap<Id, Staged>,
    pub(super) aside: BTreeSet<String>,
    /// What the system cannot read just now.
    unreadable: BTreeSet<Id>,
    /// What was found not to be as it was kept.
    pub(super) unsound: BTreeSet<Id>,
}

impl Contents {
    pub(super) fn list(workspace: &Workspace) -> Result<Self> {
        let mut contents = Self::default();
        for file in workspace.list(Folder::Vault)? {
            if let Some(id) = id(&file.name) {
                contents.sizes.insert(id, file.bytes);
            } else if file.name.starts_with(ASIDE) {
                contents.aside.insert(file.name);
            } else if file.name.starts_with(PACK) {
                contents.packs.insert(file.name);
            }
        }
        Ok(contents)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.packs.is_empty()
    }

    pub(super) fn has(&self, id: Id) -> bool {
        self.staged.contains_key(&id) || self.sizes.contains_key(&id) || self.packed.contains_key(&id)
    }

    /// Whether a content is there, and can be read as far as is known.
    pub(super) fn holds(&self, id: Id) -> bool {
        self.has(id) && !self.unreadable.contains(&id)
    }

    pub(super) fn size(&self) -> u64 {
        let packed = self.packed.values().map(|(_, _, length, _)| length);
        self.sizes.values().chain(packed).sum()
    }

    /// Reads a content; none when it is not there, or is not what it was.
    pub(super) fn read(&self, workspace: &Workspace, id: Id) -> Result<Option<Vec<u8>>> {
        let read = |name: &str| workspace.bytes_if_there(Folder::Vault, name);
        let bytes = match (self.staged.get(&id), self.packed.get(&id)) {
            (Some(staged), _) => read(&staged.temporary)?.unwrap_or_default(),
            (None, Some(&(pack, at, length, _))) if !self.sizes.contains_key(&id) => {
                let bytes = read(&format!("{PACK}{pack}"))?.unwrap_or_default();
                let [at, length] = [at, length].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
                let behind = bytes.get(at..).unwrap_or_default();
                behind[..length.min(behind.len())].to_vec()
            }
            _ if self.sizes.contains_key(&id) => read(&name(id))?.unwrap_or_default(),
            _ => return Ok(None),
        };
        Ok((xxh3_128(&bytes) == id.0).then_some(bytes))
    }

    /// Takes in a content, to be in place with the next [`Contents::settle`].
    pub(super) fn put(&mut self, workspace: &Workspace, bytes: &[u8]) -> Result<()> {
        let id = Id(xxh3_128(bytes));
        match self.holds(id) {
            true => Ok(()),
            false => self.stage(workspace, id, bytes),
        }
    }

    fn stage(&mut self, workspace: &Workspace, id: Id, bytes: &[u8]) -> Result<()> {
        let staged = workspace.stage(Folder::Vault, &name(id), bytes, MODE, Expected::Whatever)?;
        self.staged.insert(id, staged);
        self.unreadable.remove(&id);
        Ok(())
    }

    /// Puts in place all that an index may then name.
    pub(super) fn settle(&mut self, workspace: &Workspace, wanted: &BTreeSet<Id>) -> Result<()> {
        let packed: Vec<Id> = self.packed.keys().copied().collect();
        for id in packed.into_iter().filter(|id| wanted.contains(id)) {
            if !self.sizes.contains_key(&id)
                && let Some(bytes) = self.read(workspace, id)?
            {
                self.stage(workspace, id, &bytes)?;
            }
        }
        let sizes = self.staged.iter().map(|(id, staged)| (*id, staged.bytes as u64));
        self.sizes.extend(sizes);
        workspace.commit_all(std::mem::take(&mut self.staged).into_values().collect())?;
        self.packed.clear();
        Ok(())
    }

    /// Removes what the index does not name, and what a crash left behind. The packs stay as long as the index names what is in them.
    pub(super) fn sweep(&mut self, workspace: &Workspace, wanted: &BTreeSet<Id>) -> Result<()> {
        let is_settled = self.packed.is_empty();
        for file in workspace.list(Folder::Vault)? {
            let is_stray = match id(&file.name) {
                Some(id) => !wanted.contains(&id),
                None => is_settled && (file.name.starts_with(PACK) || file.name == super::FIRST_DAMAGE),
            };
            if is_stray || Workspace::is_temporary(&file.name) {
                workspace.remove_temporary(Folder::Vault, &file.name);
            }
        }
        self.sizes.retain(|id, _| wanted.contains(id));
        Ok(())
    }

    /// Finds what is not as it was kept. Only what is of another size, or lies in a pack, is read; with `all` everything is. What cannot be
    /// read is not one of these: the issues say why.
    pub(super) fn check(
        &mut self,
        workspace: &Workspace,
        kept: impl Iterator<Item = Version>,
        all: bool,
        issues: &mut Vec<Issue>,
    ) {
        for Version { id, bytes, .. } in kept {
            let is_sound = match self.sizes.get(&id) {
                Some(size) if !all && *size == bytes => Ok(true),
                _ => self.read(workspace, id).map(|read| read.is_some()),
            };
            match or_issue(is_sound, super::PATH, issues) {
                Some(true) => {}
                Some(false) => drop(self.unsound.insert(id)),
                None => drop(self.unreadable.insert(id)),
            }
        }
    }

    /// Sets a content aside, as it lies there. One that is gone leaves a name behind.
    pub(super) fn condemn(&mut self, workspace: &Workspace, id: Id) -> Result<()> {
        let pack = self.packed.remove(&id).filter(|_| !self.sizes.contains_key(&id));
        self.sizes.remove(&id);
        let file = pack.map_or_else(|| name(id), |(pack, ..)| format!("{PACK}{pack}"));
        self.set_aside(workspace, &file)
    }

    pub(super) fn condemn_all(&mut self, workspace: &Workspace) -> Result<()> {
        let files = std::mem::take(&mut self.sizes).into_keys().map(name);
        for file in files.chain(std::mem::take(&mut self.packs)) {
            self.set_aside(workspace, &file)?;
        }
        Ok(())
    }

    /// Keeps a copy of a file under the name of what was set aside; the file itself is swept away or replaced.
    fn set_aside(&mut self, workspace: &Workspace, file: &str) -> Result<()> {
        let read = |name: &str| workspace.bytes_if_there(Folder::Vault, name);
        let mut aside = format!("{ASIDE}{file}");
        let bytes = match read(file)? {
            Some(bytes) => bytes,
            None if read(&aside)?.is_some() => return Ok(()),
            None => Vec::new(),
        };
        while read(&aside)?.is_some_and(|earlier| earlier != bytes) {
            aside.push('+');
        }
        workspace.replace(Folder::Vault, &aside, &bytes, MODE)?;
        self.aside.insert(aside);
        Ok(())
    }
}

fn name(id: Id) -> String {
    format!("{:032x}", id.0)
}

fn id(name: &str) -> Option<Id> {
    let id = u128::from_str_radix(name, 16).ok().filter(|_| name.len() == 32);
    id.map(Id)
}
