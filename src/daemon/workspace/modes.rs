//! Which permission bits a new file gets: none that one of its sources, or of its neighbours, withholds. A file that exists
//! keeps its own.

use std::os::fd::BorrowedFd;

use super::stat::permission_bits;
use super::{Folder, Workspace};
use crate::memory::calendar::Day;

/// What a new file may get at most, as editors make files.
pub(in crate::daemon) const WIDEST: u32 = 0o644;
/// What it gets at least: its owner reads and writes it.
const NARROWEST: u32 = 0o600;

pub(in crate::daemon) fn narrowest(modes: impl IntoIterator<Item = u32>) -> u32 {
    modes.into_iter().fold(WIDEST, |all, mode| all & mode) | NARROWEST
}

impl Workspace {
    /// The permission bits of a file; the widest when there is none, for it withholds nothing.
    pub fn mode(&self, folder: Folder, name: &str) -> u32 {
        self.descriptor(folder)
            .map_or(WIDEST, |at| Self::mode_at(at, name))
    }

    /// What the raw logs leave of the widest: for what is made beside them, or of all of them.
    pub fn log_mode(&self) -> u32 {
        let is_log = |name: &str| name.ends_with(".md") && name.get(..10).and_then(Day::parse).is_some();
        let mut mode = narrowest([]);
        let listed = self.list(Folder::Memory, |file| {
            if is_log(&file.name) {
                mode = narrowest([mode, file.mode]);
            }
        });
        listed.map_or(NARROWEST, |()| mode)
    }

    fn mode_at(folder: BorrowedFd<'_>, name: &str) -> u32 {
        match rustix::fs::statat(folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => permission_bits(&stat),
            Err(rustix::io::Errno::NOENT) => WIDEST,
            Err(_) => NARROWEST,
        }
    }
}
