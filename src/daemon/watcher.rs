//! Hints that something in a workspace may have changed: notify, narrowed to raw logs, the state file and configurations.
//!
//! Watching buys latency, never correctness: whoever gets a hint looks at the folder afresh, and does so without one at every beat as well.
//! notify's thread only passes on which paths it heard of. A lost event queue is a hint to look at everything.
//!
//! Folders are watched one by one, never with what is below them: the daemon does not hear its own writes to `daily/`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use notify::{EventKindMask, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::log_name::{LogName, log_day};
use super::{ledger, settle};
use crate::config::WORKSPACE_FILE;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A file in `memory/` named like a raw log or a session file, or `.compaction-state.json`.
    Memory,
    /// A session asks for a cycle (see [`settle`]).
    Settle,
    /// `hipocampus.config.json`, or the file given to [`Watcher::add_file`].
    Configuration,
    /// Anything: events were lost, or a folder came, went or was replaced. [`Watcher::check`] is worth a call.
    Everything,
}

/// What may have changed, by the number of the workspace.
pub type Hints = BTreeSet<(usize, Change)>;

#[derive(Debug)]
pub enum Heard {
    Path(PathBuf),
    /// A folder is watched from now on: what happened in it before is not known.
    Watched(PathBuf),
    Lost,
}

#[derive(Debug)]
pub struct Watcher {
    heard: UnboundedSender<Heard>,
    /// None while the system has no inotify instance left.
    notify: Option<RecommendedWatcher>,
    folders: BTreeMap<PathBuf, Folder>,
}

impl Watcher {
    pub fn new() -> (Self, UnboundedReceiver<Heard>) {
        let (heard, hearing) = unbounded_channel();
        let watcher = Self { heard, notify: None, folders: BTreeMap::new() };
        (watcher, hearing)
    }

    /// Watches a workspace from the next [`Watcher::check`] on. The same folder may have several numbers.
    pub fn add_workspace(&mut self, workspace: usize, folder: &Path) {
        self.add(&folder.join("memory"), workspace, Part::Memory);
        self.add(folder, workspace, Part::Home);
    }

    pub fn add_file(&mut self, number: usize, file: &Path) {
        if let (Some(folder), Some(name)) = (file.parent(), file.file_name()) {
            self.add(folder, number, Part::File(name.to_owned()));
        }
    }

    fn add(&mut self, folder: &Path, number: usize, part: Part) {
        // notify names absolute paths, and a relative one would stop meaning the same.
        let path = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let folder = self.folders.entry(path).or_insert(Folder {
            follow: part != Part::Memory,
            owners: Vec::new(),
            standing: Standing::Missing,
            is_suspect: false,
        });
        folder.owners.push((number, part));
    }

    pub fn remove(&mut self, workspace: usize) {
        let notify = &mut self.notify;
        self.folders.retain(|path, folder| {
            folder.owners.retain(|(owner, _)| *owner != workspace);
            let is_needed = !folder.owners.is_empty();
            if !is_needed {
                folder.unwatch(path, notify);
            }
            is_needed
        });
    }

    /// What was heard, by who is concerned. A watched folder that was itself made, deleted or moved is looked at by the next
    /// [`Watcher::check`]: notify may have dropped the watch over it, also when the very same folder is put back in its place.
    pub fn understand(&mut self, heard: impl IntoIterator<Item = Heard>) -> Hints {
        let mut hints = Hints::new();
        for heard in heard {
            match heard {
                Heard::Lost => {
                    for folder in self.folders.values_mut() {
                        folder.is_suspect = true;
                        hints.extend(folder.everything());
                    }
                }
                Heard::Watched(path) => {
                    hints.extend(self.folders.get(&path).iter().flat_map(|at| at.everything()));
                }
                Heard::Path(path) => {
                    if let Some(folder) = self.folders.get_mut(&path) {
                        folder.is_suspect = true;
                        hints.extend(folder.everything());
                    }
                    let folder = path.parent().and_then(|folder| self.folders.get(folder));
                    if let (Some(folder), Some(name)) = (folder, path.file_name()) {
                        let owners = folder.owners.iter();
                        hints.extend(owners.filter_map(|(number, part)| Some((*number, part.change(name)?))));
                    }
                }
            }
        }
        hints
    }

    /// Puts every watch in order: folders that appeared, that were deleted and made again (which silently ends a
    /// watch), or that could not be watched before. To be called at start and at every beat. Each folder newly watched is heard of.
    pub fn check(&mut self) {
        for (path, folder) in &mut self.folders {
            let is_suspect = std::mem::take(&mut folder.is_suspect);
            // Asked before the watch is set: a folder replaced in between then differs at the next check.
            let met = standing(path, folder.follow);
            if met == folder.standing && !is_suspect {
                continue;
            }
            folder.unwatch(path, &mut self.notify);
            let watched = match met {
                Standing::Watched(..) => watch(path, &mut self.notify, &self.heard),
                _ => Ok(()),
            };
            let standing = watched.map_or_else(|error| Standing::Failed(error.to_string()), |()| met);
            let is_new = standing != folder.standing;
            folder.standing = standing;
            if is_new || is_suspect {
                // Whoever gave up listening wants no hints.
                let _ = self.heard.send(Heard::Watched(path.clone()));
            }
        }
    }

    /// The folders that exist and cannot be watched, by number, each with why. Their workspaces live on the scan at every beat alone.
    pub fn polled(&self) -> Vec<(usize, String)> {
        let mut polled = Vec::new();
        for (path, folder) in &self.folders {
            if let Standing::Failed(reason) = &folder.standing {
                let shown = path.display();
                let what =
                    format!("{shown} cannot be watched ({reason}); changes are noticed within a minute");
                polled.extend(folder.owners.iter().map(|(number, _)| (*number, what.clone())));
            }
        }
        polled
    }
}

fn watch(
    path: &Path,
    notify: &mut Option<RecommendedWatcher>,
    heard: &UnboundedSender<Heard>,
) -> notify::Result<()> {
    let watcher = match notify {
        Some(watcher) => watcher,
        None => {
            let heard = heard.clone();
            let handler = move |event| pass_on(event, &heard);
            // Not of what is opened and closed: each look of the daemon's own would wake it again.
            let config = notify::Config::default().with_event_kinds(EventKindMask::CORE);
            notify.insert(RecommendedWatcher::new(handler, config)?)
        }
    };
    watcher.watch(path, RecursiveMode::NonRecursive)
}

fn pass_on(event: notify::Result<notify::Event>, heard: &UnboundedSender<Heard>) {
    let event = event.ok().filter(|event| !event.need_rescan());
    // When nobody listens any more the daemon is about to end.
    let Some(event) = event else {
        let _ = heard.send(Heard::Lost);
        return;
    };
    let is_question = |path: &PathBuf| path.ends_with(settle::FILE_NAME);
    // The daemon does not ask itself by taking away what it has answered.
    if event.kind.is_remove() && event.paths.iter().all(is_question) {
        return;
    }
    for path in event.paths {
        let _ = heard.send(Heard::Path(path));
    }
}

#[derive(Debug)]
struct Folder {
    /// Whether a link to a folder will do: where the user says it is, yes; `memory/` inside of a workspace, no.
    follow: bool,
    owners: Vec<(usize, Part)>,
    standing: Standing,
    /// Whether something was heard that may have ended the watch.
    is_suspect: bool,
}

impl Folder {
    fn everything(&self) -> impl Iterator<Item = (usize, Change)> {
        let owners = self.owners.iter();
        owners.map(|(number, _)| (*number, Change::Everything))
    }

    fn unwatch(&self, path: &Path, notify: &mut Option<RecommendedWatcher>) {
        if let (Standing::Watched(..), Some(notify)) = (&self.standing, notify) {
            // It fails when the folder is gone and notify has noticed, which is as well.
            let _ = notify.unwatch(path);
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Home,
    Memory,
    File(OsString),
}

impl Part {
    fn change(&self, name: &OsStr) -> Option<Change> {
        match self {
            Self::Home if name == WORKSPACE_FILE => Some(Change::Configuration),
            Self::Home if name == "memory" => Some(Change::Everything),
            Self::Memory if name == settle::FILE_NAME => Some(Change::Settle),
            Self::Memory if name == ledger::FILE_NAME => Some(Change::Memory),
            Self::Memory if !matches!(log_day(&name.to_string_lossy()), LogName::Other) => {
                Some(Change::Memory)
            }
            Self::File(file) if name == file => Some(Change::Configuration),
            Self::Home | Self::Memory | Self::File(_) => None,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Standing {
    Missing,
    /// Which folder it is: device, inode and time of birth, because ext4 may give a new folder the old one's number.
    Watched(u64, u64, Option<SystemTime>),
    Failed(String),
}

fn standing(path: &Path, follow: bool) -> Standing {
    let met = match follow {
        true => path.metadata(),
        false => path.symlink_metadata(),
    };
    match met {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Standing::Missing,
        Err(error) => Standing::Failed(error.to_string()),
        Ok(met) if met.is_symlink() => Standing::Failed("it is a link".to_owned()),
        Ok(met) if !met.is_dir() => Standing::Missing,
        Ok(met) => Standing::Watched(met.dev(), met.ino(), met.created().ok()),
    }
}

#[cfg(test)]
mod tests;
