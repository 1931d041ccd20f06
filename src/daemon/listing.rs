//! The names and stamps of everything that a plan is made from.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::issue::Issue;
use super::log_name::{LogName, log_day, log_name};
use super::workspace::{FILE_BYTES_MAX, FileError, Folder, Listed, Stamp, Workspace};
use super::{attempt_log, root_file, snapshot};
use crate::memory::calendar::Day;
use crate::memory::level::{Level, Period};

/// A change so close to the moment of looking may be followed by another one with the same time stamp.
const RACY_NANOSECONDS: i64 = 50_000_000;
/// The same on file systems that count whole seconds.
const RACY_COARSE_NANOSECONDS: i64 = 2_100_000_000;

#[derive(Debug, Default)]
pub struct Listing {
    /// The raw logs, session files among them, in no order.
    pub logs: Vec<(Day, Listed)>,
    /// What stands where nodes go, in no order.
    pub nodes: Vec<(Period, Listed)>,
    pub(super) issues: Vec<Issue>,
    /// A hash over names and stamps, whatever the order.
    pub fingerprint: u64,
    /// The same over the files of the vault; it is part of the other one.
    pub vault: u64,
    /// Whether a log changed so recently that its stamp may not be trusted.
    pub racy: bool,
}

/// Lists the folders. `now` is in nanoseconds since the epoch.
pub fn list(workspace: &Workspace, session_files: bool, now: i64) -> Result<Listing, FileError> {
    let mut listing = Listing::default();
    workspace.list(Folder::Memory, |file| {
        listing.memory_file(file, session_files, now);
    })?;
    for level in Level::ALL {
        workspace.list(Folder::Level(level), |file| {
            if let Some(period) = level.node(&file.name) {
                listing.mark(Folder::Level(level), &file.name, file.stamp);
                listing.nodes.push((period, file));
            }
        })?;
    }
    for (folder, name) in [
        (Folder::Tree, root_file::NAME),
        (Folder::Own, root_file::BASE_NAME),
        (Folder::Own, attempt_log::NAME),
        (Folder::Workspace, snapshot::WORKING),
        (Folder::Workspace, "MEMORY.md"),
    ] {
        if let Some(stamp) = workspace.stamp(folder, name)? {
            listing.mark(folder, name, stamp);
        }
    }
    listing.vault = vault_marks(workspace)?;
    listing.fingerprint = listing.fingerprint.wrapping_add(listing.vault);
    Ok(listing)
}

pub fn vault_marks(workspace: &Workspace) -> Result<u64, FileError> {
    let mut marks = 0;
    workspace.list(Folder::Vault, |file| {
        if !Workspace::is_temporary(&file.name) {
            marks = moved(marks, Folder::Vault, &file.name, None, Some(file.stamp));
        }
    })?;
    Ok(marks)
}

impl Listing {
    fn mark(&mut self, folder: Folder, name: &str, stamp: Stamp) {
        self.fingerprint = moved(self.fingerprint, folder, name, None, Some(stamp));
    }

    fn warn(&mut self, file: &Listed, what: &str) {
        self.issues
            .push(Issue::warning(&format!("memory/{}", file.name), what));
    }

    fn memory_file(&mut self, mut file: Listed, session_files: bool, now: i64) {
        match log_day(&file.name) {
            LogName::Session(_) if !session_files => {}
            LogName::Log(day) | LogName::Session(day) if file.regular => {
                self.mark(Folder::Memory, &file.name, file.stamp);
                let since = now - file.changed_nanoseconds;
                let coarse = file.changed_nanoseconds % 1_000_000_000 == 0;
                if since < RACY_NANOSECONDS || (coarse && since < RACY_COARSE_NANOSECONDS) {
                    self.racy = true;
                    file.stamp = Stamp::default();
                }
                self.logs.push((day, file));
            }
            LogName::Log(_) => self.warn(&file, "is no regular file; it is ignored as a raw log"),
            LogName::Impossible => self.warn(&file, "names no date of the calendar; it is ignored"),
            LogName::Session(_) | LogName::Other => {}
        }
    }
}

/// The fingerprint after one file was replaced, made or removed.
pub fn moved(fingerprint: u64, folder: Folder, name: &str, old: Option<Stamp>, new: Option<Stamp>) -> u64 {
    let mark = |stamp: Stamp| xxh3_64_with_seed(folder.file(name).as_bytes(), stamp.0);
    fingerprint
        .wrapping_sub(old.map_or(0, mark))
        .wrapping_add(new.map_or(0, mark))
}

/// Why a raw log cannot be read, and what to do where somebody can.
pub fn log_issue(path: &str, error: &FileError) -> Issue {
    let FileError::TooLarge(_) = error else {
        return Issue::from_error(path, error);
    };
    let day = log_name(path).map_or_else(|| "DATE".to_owned(), |(day, _)| day.to_string());
    let what = format!(
        "is larger than {} MiB, so it is not read, and what is new in it is in no node: move parts of it to smaller files of that day, such as memory/{day}-part-2.md",
        FILE_BYTES_MAX >> 20
    );
    Issue::error(path, what)
}
