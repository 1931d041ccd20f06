//! Hints that something in a workspace may have changed: notify, narrowed to raw logs, the state file and configurations.
//!
//! Watching buys latency, never correctness: whoever gets a hint looks at the folder afresh, and does so without one at
//! every beat as well. Hints of one workspace that nobody has fetched yet melt into one, so that neither notify's thread
//! ever waits nor a hint is ever lost, and a lost event queue is a hint to look at everything.
//!
//! Folders are watched one by one, never with what is below them: the daemon does not hear its own writes to `daily/`.
#![expect(
    clippy::disallowed_methods,
    reason = "whether a folder is still the one being watched is this module's to ask"
)]

mod hints;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

pub use hints::{Changes, Hints};
use hints::{Part, Shared};

/// A folder that exists and cannot be watched. Its workspace lives on the scan at every beat alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot be watched ({reason}); changes are noticed within a minute", .folder.display())]
pub struct Unwatched {
    pub workspace: usize,
    pub folder: PathBuf,
    pub reason: String,
}

#[derive(Debug)]
pub struct Watcher {
    shared: Arc<Shared>,
    /// None while the system has no inotify instance left.
    notify: Option<RecommendedWatcher>,
    folders: BTreeMap<PathBuf, Folder>,
}

impl Watcher {
    pub fn new() -> (Self, Hints) {
        let shared = Arc::new(Shared::default());
        let watcher = Self {
            shared: Arc::clone(&shared),
            notify: None,
            folders: BTreeMap::new(),
        };
        (watcher, Hints { shared })
    }

    /// Watches a workspace from the next [`Watcher::check`] on. The same folder may have several numbers.
    pub fn add_workspace(&mut self, workspace: usize, folder: &Path) {
        self.add(folder.join("memory"), workspace, Part::Memory);
        self.add(folder.to_owned(), workspace, Part::Home);
    }

    /// Watches one file, such as the user's configuration, by the folder it is in.
    pub fn add_file(&mut self, number: usize, file: &Path) {
        if let (Some(folder), Some(name)) = (file.parent(), file.file_name()) {
            self.add(folder.to_owned(), number, Part::File(name.to_owned()));
        }
    }

    pub fn remove(&mut self, workspace: usize) {
        let mut inner = self.shared.lock();
        inner.pending.remove(&workspace);
        for owners in inner.owners.values_mut() {
            owners.retain(|(owner, _)| *owner != workspace);
        }
        inner.owners.retain(|_, owners| !owners.is_empty());
        let gone = self
            .folders
            .keys()
            .filter(|path| !inner.owners.contains_key(*path));
        let gone: Vec<PathBuf> = gone.cloned().collect();
        // notify's thread may be waiting for the lock while it is asked to unwatch.
        drop(inner);
        for path in gone {
            if let Some(folder) = self.folders.remove(&path) {
                self.unwatch(&path, &folder);
            }
        }
    }

    /// Puts every watch in order: folders that appeared, that were deleted and made again (which silently ends a
    /// watch), or that could not be watched before. To be called at start and at every beat. Each folder newly watched
    /// is a hint. Answers what could not be watched and could before, or was never tried.
    pub fn check(&mut self) -> Vec<Unwatched> {
        let mut news = Vec::new();
        let suspects = std::mem::take(&mut self.shared.lock().suspects);
        let paths: Vec<PathBuf> = self.folders.keys().cloned().collect();
        for path in paths {
            let Some(mut folder) = self.folders.remove(&path) else {
                continue;
            };
            let is_suspect = suspects.contains(&path);
            let standing = self.renewed(&path, &folder, is_suspect);
            let is_new = std::mem::replace(&mut folder.standing, standing) != folder.standing;
            if is_new || is_suspect && matches!(folder.standing, Standing::Watched(_)) {
                self.shared.hint_owners(&path);
            }
            let failure = folder.failure().filter(|_| is_new);
            news.extend(failure.map(|reason| self.unwatched(&path, reason)));
            self.folders.insert(path, folder);
        }
        news.concat()
    }

    pub fn polled(&self) -> Vec<Unwatched> {
        let folders = self.folders.iter();
        let failed = folders.filter_map(|(path, folder)| Some((path, folder.failure()?)));
        let unwatched = failed.flat_map(|(path, reason)| self.unwatched(path, reason));
        unwatched.collect()
    }

    fn add(&mut self, folder: PathBuf, workspace: usize, part: Part) {
        // notify names absolute paths, and a relative one would stop meaning the same.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let follow = part != Part::Memory;
        self.folders.entry(folder.clone()).or_insert(Folder {
            follow,
            standing: Standing::Missing,
        });
        let mut inner = self.shared.lock();
        inner.owners.entry(folder).or_default().push((workspace, part));
    }

    /// How a folder stands now, watched again where it is another one, or where its watch may have ended.
    fn renewed(&mut self, path: &Path, folder: &Folder, suspect: bool) -> Standing {
        // Asked before the watch is set: a folder replaced in between then differs at the next check.
        let identity = identity(path, folder.follow).map(Standing::Watched);
        if identity.as_ref() == Ok(&folder.standing) && !suspect {
            return folder.standing.clone();
        }
        self.unwatch(path, folder);
        let watched = identity.map(|watched| (self.watch(path), watched));
        match watched {
            Ok((Ok(()), watched)) => watched,
            Ok((Err(error), _)) => Standing::Failed(error.to_string()),
            Err(standing) => standing,
        }
    }

    fn watch(&mut self, path: &Path) -> notify::Result<()> {
        if self.notify.is_none() {
            let shared = Arc::clone(&self.shared);
            let handler = move |event: notify::Result<notify::Event>| shared.handle(event);
            self.notify = Some(RecommendedWatcher::new(handler, notify::Config::default())?);
        }
        let notify = self.notify.as_mut();
        notify.map_or(Ok(()), |notify| notify.watch(path, RecursiveMode::NonRecursive))
    }

    fn unwatch(&mut self, path: &Path, folder: &Folder) {
        if let (Standing::Watched(_), Some(notify)) = (&folder.standing, &mut self.notify) {
            // It fails when the folder is gone and notify has noticed, which is as well.
            let _ = notify.unwatch(path);
        }
    }

    fn unwatched(&self, folder: &Path, reason: &str) -> Vec<Unwatched> {
        let inner = self.shared.lock();
        let owners = inner.owners.get(folder).into_iter().flatten();
        let workspaces: BTreeSet<usize> = owners.map(|(workspace, _)| *workspace).collect();
        let unwatched = |workspace| Unwatched {
            workspace,
            folder: folder.to_owned(),
            reason: reason.to_owned(),
        };
        workspaces.into_iter().map(unwatched).collect()
    }
}

#[derive(Debug)]
struct Folder {
    /// Whether a link to a folder will do: where the user says it is, yes; `memory/` inside of a workspace, no.
    follow: bool,
    standing: Standing,
}

impl Folder {
    fn failure(&self) -> Option<&str> {
        match &self.standing {
            Standing::Failed(reason) => Some(reason),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    Missing,
    Watched(Identity),
    Failed(String),
}

/// Which folder it is: device, inode and time of birth, because ext4 may give a new folder the old one's number.
type Identity = (u64, u64, Option<SystemTime>);

fn identity(path: &Path, follow: bool) -> Result<Identity, Standing> {
    let metadata = if follow {
        std::fs::metadata(path)
    } else {
        std::fs::symlink_metadata(path)
    };
    match metadata {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Standing::Missing),
        Err(error) => Err(Standing::Failed(error.to_string())),
        Ok(met) if met.is_symlink() => Err(Standing::Failed("it is a link".to_owned())),
        Ok(met) if !met.is_dir() => Err(Standing::Missing),
        Ok(met) => Ok((met.dev(), met.ino(), met.created().ok())),
    }
}

#[cfg(test)]
mod tests;
