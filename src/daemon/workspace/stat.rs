//! What the system says about a file, as far as it matters here; and which permission bits a new file gets: none that one of its
//! sources, or of its neighbours, withholds. A file that exists keeps its own.
#![expect(clippy::useless_conversion, reason = "systems differ in their widths")]

use rustix::fs::{FileType, Mode, Stat};
use xxhash_rust::xxh3::xxh3_64;

use super::{Folder, Stamp, Workspace, node_place};
use crate::memory::calendar::Day;
use crate::memory::level::Period;

/// What a new file may get at most, as editors make files.
pub(in crate::daemon) const WIDEST: u32 = 0o644;
/// What it gets at least: its owner reads and writes it.
const NARROWEST: u32 = 0o600;

pub(super) fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

pub(super) fn permission_bits(stat: &Stat) -> u32 {
    u32::from(Mode::from_raw_mode(stat.st_mode).bits()) & 0o777
}

pub(super) fn size(stat: &Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(0)
}

pub(super) fn changed(stat: &Stat) -> i64 {
    i64::from(stat.st_ctime)
        .saturating_mul(1_000_000_000)
        .saturating_add(i64::try_from(stat.st_ctime_nsec).unwrap_or(0))
}

/// What stays the same of a file when its name changes, and changes with its content.
pub(super) fn identity(stat: &Stat) -> u64 {
    hash(marks(stat))
}

pub(super) fn stamp(stat: &Stat) -> Stamp {
    let [inode, size, seconds, nanoseconds] = marks(stat);
    Stamp(hash([inode, size, changed(stat), seconds, nanoseconds]).max(1))
}

fn marks(stat: &Stat) -> [i64; 4] {
    [
        u64::from(stat.st_ino).cast_signed(),
        i64::from(stat.st_size),
        i64::from(stat.st_mtime),
        i64::try_from(stat.st_mtime_nsec).unwrap_or(0),
    ]
}

fn hash<const N: usize>(numbers: [i64; N]) -> u64 {
    xxh3_64(numbers.map(i64::to_le_bytes).as_flattened())
}

pub(in crate::daemon) fn narrowest(modes: impl IntoIterator<Item = u32>) -> u32 {
    modes.into_iter().fold(WIDEST, |all, mode| all & mode) | NARROWEST
}

impl Workspace {
    /// The permission bits of a file; the widest when there is none, for it withholds nothing.
    pub fn mode(&self, folder: Folder, name: &str) -> u32 {
        let stat = self.stat(folder, name);
        stat.map_or(NARROWEST, |stat| stat.as_ref().map_or(WIDEST, permission_bits))
    }

    pub fn node_mode(&self, period: Period) -> u32 {
        let (folder, name) = node_place(period);
        self.mode(folder, &name)
    }

    /// What the raw logs leave of the widest: for what is made beside them, or of all of them.
    pub fn log_mode(&self) -> u32 {
        let is_log = |name: &str| name.ends_with(".md") && name.get(..10).and_then(Day::parse).is_some();
        let Ok(files) = self.list(Folder::Memory) else {
            return NARROWEST;
        };
        let logs = files.iter().filter(|file| is_log(&file.name));
        narrowest(logs.map(|log| log.mode))
    }
}
