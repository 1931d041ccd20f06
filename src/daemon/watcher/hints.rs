//! From notify's events to hints: what an event means to whom, and the meeting point of notify's thread and the loop.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::Event;
use tokio::sync::Notify;

use crate::daemon::{ledger, settle};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// A file in `memory/` named like a raw log or a session file, or `.compaction-state.json`.
    pub memory: bool,
    /// A session asks for a cycle (see [`settle`]).
    pub settle: bool,
    /// `hipocampus.config.json`, or the file given to [`Watcher::add_file`](super::Watcher::add_file).
    pub configuration: bool,
    /// Anything: events were lost, or a folder came, went or was replaced. [`Watcher::check`](super::Watcher::check) is worth a call.
    pub everything: bool,
}

impl Changes {
    pub fn merge(&mut self, other: Self) {
        self.memory |= other.memory;
        self.settle |= other.settle;
        self.configuration |= other.configuration;
        self.everything |= other.everything;
    }
}

pub(super) const EVERYTHING: Changes = Changes {
    memory: false,
    settle: false,
    configuration: false,
    everything: true,
};

#[derive(Debug)]
pub struct Hints {
    pub(super) shared: Arc<Shared>,
}

impl Hints {
    /// Waits for hints and takes all there are, by workspace. May be dropped and called again; nothing is lost.
    pub async fn next(&mut self) -> BTreeMap<usize, Changes> {
        loop {
            let pending = std::mem::take(&mut self.shared.lock().pending);
            if !pending.is_empty() {
                return pending;
            }
            self.shared.arrived.notified().await;
        }
    }
}

/// Whose folder it is, and which.
type Owner = (usize, Part);

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    Home,
    Memory,
    File(OsString),
}

impl Part {
    /// What the change of a file of that name means here, if anything.
    fn changes(&self, name: &OsStr) -> Changes {
        match self {
            Self::Home => Changes {
                configuration: name == "hipocampus.config.json",
                everything: name == "memory",
                ..Changes::default()
            },
            Self::Memory => Changes {
                memory: name == ledger::FILE_NAME || name.to_str().is_some_and(looks_like_a_log),
                settle: name == settle::FILE_NAME,
                ..Changes::default()
            },
            Self::File(file) => Changes {
                configuration: name == file,
                ..Changes::default()
            },
        }
    }
}

/// `YYYY-MM-DD….md`. Which of them are logs is for the scan to say.
fn looks_like_a_log(name: &str) -> bool {
    let date = name.get(..10).filter(|_| name.ends_with(".md"));
    date.is_some_and(|date| date.replace(|letter: char| letter.is_ascii_digit(), "0") == "0000-00-00")
}

#[derive(Debug, Default)]
pub(super) struct Shared {
    inner: Mutex<Inner>,
    arrived: Notify,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) owners: HashMap<PathBuf, Vec<Owner>>,
    pub(super) pending: BTreeMap<usize, Changes>,
    /// Watched folders about which something was heard that may have ended the watch.
    pub(super) suspects: BTreeSet<PathBuf>,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing in here is ever left half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn handle(&self, event: notify::Result<Event>) {
        let mut inner = self.lock();
        match event {
            Ok(event) if event.need_rescan() => inner.everything_changed(),
            // The daemon's own reading is an access too.
            Ok(event) if event.kind.is_access() => return,
            // Nor does the daemon ask itself by taking away what it has answered.
            Ok(event)
                if event.kind.is_remove()
                    && event.paths.iter().all(|path| path.ends_with(settle::FILE_NAME)) =>
            {
                return;
            }
            Ok(event) => event.paths.iter().for_each(|path| inner.changed(path)),
            Err(_) => inner.everything_changed(),
        }
        self.announce(&inner);
    }

    pub(super) fn hint_owners(&self, folder: &Path) {
        let mut inner = self.lock();
        inner.hint(folder, |_| EVERYTHING);
        self.announce(&inner);
    }

    fn announce(&self, inner: &Inner) {
        if !inner.pending.is_empty() {
            self.arrived.notify_one();
        }
    }
}

impl Inner {
    fn changed(&mut self, path: &Path) {
        // About a watched folder itself: made, deleted, moved. notify may have dropped the watch over it, also when the
        // very same folder is put back in its place.
        if self.owners.contains_key(path) {
            self.suspects.insert(path.to_owned());
            self.hint(path, |_| EVERYTHING);
        }
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            self.hint(folder, |part| part.changes(name));
        }
    }

    fn everything_changed(&mut self) {
        self.suspects.extend(self.owners.keys().cloned());
        for (workspace, _) in self.owners.values().flatten() {
            self.pending.entry(*workspace).or_default().merge(EVERYTHING);
        }
    }

    fn hint(&mut self, folder: &Path, changes: impl Fn(&Part) -> Changes) {
        for (workspace, part) in self.owners.get(folder).into_iter().flatten() {
            let changes = changes(part);
            if changes != Changes::default() {
                self.pending.entry(*workspace).or_default().merge(changes);
            }
        }
    }
}
