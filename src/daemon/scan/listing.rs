//! The names and stamps of everything that a plan is made from.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::daemon::both::both;
use crate::daemon::issue::Issue;
use crate::daemon::summarizer::book;
use crate::daemon::workspace::{FileError, Folder, Listed, Stamp, Workspace};
use crate::daemon::{root_file, snapshot};
use crate::memory::calendar::Day;
use crate::memory::level::{Level, Period};

/// A change so close to the moment of looking may be followed by another one with the same time stamp.
const RACY_NANOSECONDS: i64 = 50_000_000;
/// The same on file systems that count whole seconds.
const RACY_COARSE_NANOSECONDS: i64 = 2_100_000_000;

/// A folder is large from some hundred names on, and so many bytes, whatever the file system.
const LARGE_FOLDER_BYTES: u64 = 6 * 1024;

/// What the folders of a workspace hold.
#[derive(Debug, Default)]
pub struct Listing {
    /// The raw logs, session files among them, in no order.
    pub logs: Vec<(Day, Listed)>,
    /// What stands where nodes go, in no order.
    pub nodes: Vec<(Period, Listed)>,
    pub(super) issues: Vec<Issue>,
    /// A hash over names and stamps, whatever the order.
    pub fingerprint: u64,
    /// Whether a log changed so recently that its stamp may not be trusted.
    pub racy: bool,
    /// Whether it is large, and made where the process is soon over: what follows is worth a thread, too.
    pub at_once: bool,
}

/// Which folder holds the nodes of a level.
pub fn folder(level: Level) -> Folder {
    match level {
        Level::Daily => Folder::Daily,
        Level::Weekly => Folder::Weekly,
        Level::Monthly => Folder::Monthly,
    }
}

/// Lists the folders. `now` is in nanoseconds since the epoch.
///
/// # Errors
/// A folder cannot be listed, or one of the few single files not be looked at.
pub fn list(workspace: &Workspace, session_files: bool, now: i64) -> Result<Listing, FileError> {
    let (logs, nodes) = (logs(workspace, session_files, now)?, nodes(workspace)?);
    complete(workspace, logs, nodes)
}

/// The same where somebody waits and the process is soon over: logs and nodes of a year and more are looked at side by side. (What a
/// second thread needs would stay with a process that goes on.)
///
/// # Errors
/// As [`list`].
pub fn list_at_once(workspace: &Workspace, session_files: bool, now: i64) -> Result<Listing, FileError> {
    let at_once = workspace.folder_bytes(Folder::Daily) >= LARGE_FOLDER_BYTES;
    let (nodes, logs) = both(
        at_once,
        || nodes(workspace),
        || logs(workspace, session_files, now),
    );
    let listing = complete(workspace, logs?, nodes?)?;
    Ok(Listing { at_once, ..listing })
}

/// What lies in `memory/` itself.
fn logs(workspace: &Workspace, session_files: bool, now: i64) -> Result<Listing, FileError> {
    let mut listing = Listing::default();
    workspace.list(Folder::Memory, |file| {
        if file.name == root_file::NAME {
            listing.mark(Folder::Memory, &file);
        } else {
            listing.memory_file(file, session_files, now);
        }
    })?;
    Ok(listing)
}

/// What lies in the folders of the levels.
fn nodes(workspace: &Workspace) -> Result<Listing, FileError> {
    let mut listing = Listing::default();
    for level in Level::ALL {
        workspace.list(folder(level), |file| {
            if let Some(period) = file.name.strip_suffix(".md").and_then(|stem| level.period(stem)) {
                listing.mark(folder(level), &file);
                listing.nodes.push((period, file));
            }
        })?;
    }
    Ok(listing)
}

/// Adds the nodes and the few single files.
fn complete(workspace: &Workspace, mut listing: Listing, nodes: Listing) -> Result<Listing, FileError> {
    listing.nodes = nodes.nodes;
    listing.fingerprint = listing.fingerprint.wrapping_add(nodes.fingerprint);
    for (folder, name) in [
        (Folder::Own, root_file::BASE_NAME),
        (Folder::Own, book::NAME),
        (Folder::Workspace, snapshot::WORKING),
        (Folder::Workspace, "MEMORY.md"),
    ] {
        if let Some(stamp) = workspace.stamp(folder, name)? {
            listing.mark_stamp(folder, name, stamp);
        }
    }
    Ok(listing)
}

impl Listing {
    fn mark(&mut self, folder: Folder, file: &Listed) {
        self.mark_stamp(folder, &file.name, file.stamp);
    }

    fn mark_stamp(&mut self, folder: Folder, name: &str, stamp: Stamp) {
        self.fingerprint = moved(self.fingerprint, folder, name, None, Some(stamp));
    }

    /// A raw log, a session file, something that looks like one and is not, or no matter of ours.
    fn memory_file(&mut self, mut file: Listed, session_files: bool, now: i64) {
        let path = || format!("memory/{}", file.name);
        match log_day(&file.name) {
            LogName::Session(_) if !session_files => {}
            LogName::Log(day) | LogName::Session(day) if file.regular => {
                self.mark(Folder::Memory, &file);
                let since = now - file.changed_nanoseconds;
                let coarse = file.changed_nanoseconds % 1_000_000_000 == 0;
                if since < RACY_NANOSECONDS || (coarse && since < RACY_COARSE_NANOSECONDS) {
                    self.racy = true;
                    file.stamp = Stamp::default();
                }
                self.logs.push((day, file));
            }
            LogName::Log(_) => self.issues.push(Issue::warning(
                &path(),
                "is no regular file; it is ignored as a raw log",
            )),
            LogName::Impossible => self.issues.push(Issue::warning(
                &path(),
                "names no date of the calendar; it is ignored",
            )),
            LogName::Session(_) | LogName::Other => {}
        }
    }
}

/// The fingerprint after one file was replaced, made or removed.
pub fn moved(fingerprint: u64, folder: Folder, name: &str, old: Option<Stamp>, new: Option<Stamp>) -> u64 {
    // What is unlike in any of the three gives another mark: the folder and the stamp are the seed.
    let mark = |stamp: Stamp| xxh3_64_with_seed(name.as_bytes(), stamp.0.rotate_left(8) ^ folder as u64);
    fingerprint
        .wrapping_sub(old.map_or(0, mark))
        .wrapping_add(new.map_or(0, mark))
}

enum LogName {
    Log(Day),
    Session(Day),
    Impossible,
    Other,
}

/// The name in `memory/` of a raw log, by its path from the workspace.
pub fn log_file(path: &str) -> &str {
    path.strip_prefix("memory/").unwrap_or(path)
}

/// What tells a date's logs apart, by their name in `memory/`: nothing for the plain one, whose name is its date, and the name of
/// a session file.
pub fn session_name(name: &str) -> &str {
    let is_plain = name.len() <= "2026-03-15.md".len();
    if is_plain { "" } else { name }
}

/// The date of a raw log by its path from the workspace, and whether it is a session file.
pub fn log_name(path: &str) -> Option<(Day, bool)> {
    match log_day(path.strip_prefix("memory/")?) {
        LogName::Log(day) => Some((day, false)),
        LogName::Session(day) => Some((day, true)),
        LogName::Impossible | LogName::Other => None,
    }
}

/// What a name in `memory/` says (SPEC section 2).
fn log_day(name: &str) -> LogName {
    let Some(stem) = name.strip_suffix(".md") else {
        return LogName::Other;
    };
    if let Some(day) = Day::parse(stem) {
        return LogName::Log(day);
    }
    if let Some((date, rest)) = stem.split_at_checked(10) {
        if rest.starts_with(['-', '_', 'T'])
            && rest.len() > 1
            && let Some(day) = Day::parse(date)
        {
            return LogName::Session(day);
        }
        let shape: String = date
            .chars()
            .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
            .collect();
        if (shape == "0000-00-00" && Day::parse(date).is_none()) || date == "YYYY-MM-DD" {
            return LogName::Impossible;
        }
    }
    if stem.starts_with("$(date") {
        LogName::Impossible
    } else {
        LogName::Other
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "makes the files that are listed")]

    use std::fs;

    use super::*;

    #[test]
    fn many_names_are_listed_side_by_side_as_one_after_the_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = folder.path().join("memory");
        fs::create_dir_all(memory.join("daily")).expect("the folders");
        let first = Day::parse("2016-01-01").expect("a date");
        for back in 0..3_000 {
            let name = format!("{}.md", first.plus(back));
            fs::write(memory.join("daily").join(&name), "").expect("a node");
            if back % 10 == 0 {
                fs::write(memory.join(&name), "").expect("a log");
            }
        }
        fs::write(memory.join("$(date).md"), "").expect("an odd name");
        let workspace = Workspace::open(folder.path(), true).expect("a workspace");
        let now = i64::MAX;
        let listed = |listing: Listing| {
            let mut nodes: Vec<Period> = listing.nodes.iter().map(|(period, _)| *period).collect();
            nodes.sort_unstable();
            (listing.fingerprint, nodes, listing.logs.len(), listing.issues)
        };
        let one = listed(list(&workspace, true, now).expect("a list"));
        let other = listed(list_at_once(&workspace, true, now).expect("a list"));
        assert_eq!((one.1.len(), one.2, one.3.len()), (3_000, 300, 1));
        assert_eq!(one, other);
    }
}
