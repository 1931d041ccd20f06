//! A workspace's folder: the only place where files of a workspace are listed, read and written.
//!
//! Everything is opened relative to a folder's descriptor and without following links, so that nothing outside the
//! workspace is ever touched. A node is replaced whole or not at all; a raw log is only ever appended to, and never taken away.

pub(in crate::daemon) mod stat;
mod strays;
pub mod tree;
mod write;

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use stat::{changed, is_regular, permission_bits, size, stamp};
pub use tree::{AGENT_FILE, ROOT_FILE};
pub use write::{Expected, Staged};

use crate::memory::level::{Level, Period};
use crate::memory::text;
use crate::memory::tree_folder::TreeFolder;

/// A file of more bytes than this is not read: it is no log, no node and no note.
pub const FILE_BYTES_MAX: u64 = 64 << 20;

const PLAIN: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

const DAILY: Folder = Folder::Level(Level::Daily);
const WEEKLY: Folder = Folder::Level(Level::Weekly);
const MONTHLY: Folder = Folder::Level(Level::Monthly);

/// Those that are made when they are missing.
const FOLDERS: [Folder; 6] = [
    Folder::Tree,
    DAILY,
    WEEKLY,
    MONTHLY,
    Folder::Answers,
    Folder::Vault,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Folder {
    Workspace,
    Level(Level),
    /// What holds the folders of the levels, and ROOT.md: `memory` unless the configuration says otherwise.
    Tree,
    Memory,
    Agents,
    Own,
    Answers,
    Knowledge,
    Claude,
    Codex,
    Vault,
}

/// A search looks at so many names at most, and so many folders deep.
const NAMES_MAX: usize = 50_000;
const DEPTH_MAX: usize = 12;
/// Folders in which nobody keeps a log that was moved away.
const NOT_SEARCHED: [&str; 5] = [".", "..", ".git", ".hipocampus", "node_modules"];

/// What makes a file the same file with the same content: a hash over inode, size and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Stamp(pub u64);

#[derive(Debug, Clone)]
pub struct Listed {
    pub name: String,
    /// Whether it is a regular file; links, folders, FIFOs and devices are not.
    pub regular: bool,
    pub stamp: Stamp,
    pub changed_nanoseconds: i64,
    pub mode: u32,
    pub bytes: u64,
}

#[derive(Debug)]
pub struct Contents {
    pub bytes: Vec<u8>,
    /// Its stamp before it was read.
    pub stamp: Stamp,
    pub mode: u32,
}

#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    tree: TreeFolder,
    folders: Vec<(Folder, OwnedFd)>,
}

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("cannot {what} {}", path.display())]
    System {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// With the sentence about the path that says why, and what to do.
    #[error("{} {}", .0.display(), .1)]
    Refused(PathBuf, &'static str),
    #[error("{} is no regular file; it is left alone", .0.display())]
    NotAFile(PathBuf),
    #[error("{} is larger than {} MiB; it is left alone", .0.display(), FILE_BYTES_MAX >> 20)]
    TooLarge(PathBuf),
    #[error("{} holds a version of a log that is not what it was when it was kept", .0.display())]
    Damaged(PathBuf),
    #[error("{} was changed by somebody else at the same moment; it is looked at again in the next cycle", .0.display())]
    Raced(PathBuf),
}

pub type Result<T, E = FileError> = std::result::Result<T, E>;

impl Folder {
    /// What it is called inside the program; [`Workspace::folder_path`] says where it lies.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Workspace => ".",
            Self::Memory | Self::Tree => "memory",
            DAILY => "memory/daily",
            WEEKLY => "memory/weekly",
            MONTHLY => "memory/monthly",
            Self::Agents => "memory/agents/compaction",
            Self::Own => ".hipocampus",
            Self::Answers => ".hipocampus/answers",
            Self::Knowledge => "knowledge",
            Self::Claude => ".claude",
            Self::Codex => ".codex",
            Self::Vault => ".hipocampus/vault",
        }
    }

    pub fn file(self, name: &str) -> String {
        match self {
            Self::Workspace => name.to_owned(),
            folder => format!("{}/{name}", folder.path()),
        }
    }
}

pub fn node_place(period: Period) -> (Folder, String) {
    (Folder::Level(period.level()), format!("{period}.md"))
}

impl Workspace {
    /// Opens a workspace: a folder with a `memory/` folder in it. The other folders are made when they are missing and `make` is set.
    pub fn open(path: &Path, make: bool) -> Result<Self> {
        Self::open_at(path, None, make)
    }

    /// A folder that is to become a workspace with its tree there: nothing of it but the folder itself is opened.
    pub fn begin(path: &Path, tree: TreeFolder) -> Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::openat(CWD, path, flags, Mode::empty())
            .map_err(|source| FileError::system("open the folder", path.to_owned(), source))?;
        Ok(Self {
            path: path.to_owned(),
            tree,
            folders: vec![(Folder::Workspace, root)],
        })
    }

    /// The same as [`Workspace::open`] with the tree in a folder where it is to lie, or lay.
    fn open_at(path: &Path, tree: Option<TreeFolder>, make: bool) -> Result<Self> {
        let mut workspace = Self::begin(path, TreeFolder::default())?;
        workspace.open_folder(Folder::Memory, false)?;
        let is_found = tree.is_none();
        workspace.open_or_pass(Folder::Own, make)?;
        workspace.tree = tree.map_or_else(|| workspace.noted_tree(), Ok)?;
        for folder in FOLDERS {
            workspace.open_or_pass(folder, make)?;
        }
        // Whoever writes there hears why it cannot be opened.
        let _ = workspace.open_folder(Folder::Agents, false);
        // The daemon's own folder stays out of version control.
        if make && workspace.stamp(Folder::Own, ".gitignore")?.is_none() {
            workspace.replace(Folder::Own, ".gitignore", b"*\n", 0o600)?;
        }
        if make && is_found {
            workspace.note_tree()?;
        }
        Ok(workspace)
    }

    /// Opens a folder, unless it is open; it is made when it is missing and `make` is set.
    pub fn open_folder(&mut self, folder: Folder, make: bool) -> Result<()> {
        if self.descriptor(folder).is_err() {
            let path = self.folder_path(folder);
            // From the one around it that is open: a folder put in its place meanwhile is not mixed in.
            let inside = |outer| path.strip_prefix(&*self.folder_path(outer));
            let way = |outer| inside(outer).filter(|way| way.is_empty() || way.starts_with('/'));
            let mut known = self.folders.iter().rev();
            let outer = known.find_map(|(outer, _)| Some((*outer, way(*outer)?)));
            let (outer, way) = outer.unwrap_or((Folder::Workspace, &path));
            let opened = self.open_from(outer, way, make)?;
            self.folders.push((folder, opened));
        }
        Ok(())
    }

    /// The same, where one that is missing is passed over if it is not to be made.
    fn open_or_pass(&mut self, folder: Folder, make: bool) -> Result<()> {
        match self.open_folder(folder, make) {
            Err(error) if error.is_missing() && !make => Ok(()),
            other => other,
        }
    }

    /// Opens folder after folder from the workspace, none of them a link; those that are missing are made when `make` is set.
    pub fn open_way(&self, way: &str, make: bool) -> Result<OwnedFd> {
        self.open_from(Folder::Workspace, way, make)
    }

    /// The same from a folder that is open.
    fn open_from(&self, outer: Folder, way: &str, make: bool) -> Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut path = self.file_path(outer, "");
        let outermost = self.at(outer, "", "open")?.try_clone_to_owned();
        let mut at = outermost.map_err(self.cannot("open", outer, ""))?;
        for name in way.split('/').filter(|name| !name.is_empty()) {
            path.push(name);
            let open = || rustix::fs::openat(&at, name, flags, Mode::empty());
            let mut opened = open();
            if make && matches!(opened, Err(Errno::NOENT)) {
                match rustix::fs::mkdirat(&at, name, Mode::RWXU) {
                    Ok(()) | Err(Errno::EXIST) => opened = open(),
                    Err(error) => return Err(FileError::system("make the folder", path, error)),
                }
            }
            at = opened.map_err(|error| FileError::folder(at.as_fd(), name, path.clone(), error))?;
        }
        Ok(at)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file lies, or the folder itself where there is no name.
    pub fn file_path(&self, folder: Folder, name: &str) -> PathBuf {
        let path = self.path.join(self.folder_path(folder)).join(name);
        path.components().collect()
    }

    fn descriptor(&self, folder: Folder) -> io::Result<BorrowedFd<'_>> {
        let found = self.folders.iter().find(|(known, _)| *known == folder);
        let (_, descriptor) = found.ok_or(io::ErrorKind::NotFound)?;
        Ok(descriptor.as_fd())
    }

    fn at(&self, folder: Folder, name: &str, what: &'static str) -> Result<BorrowedFd<'_>> {
        self.descriptor(folder).map_err(self.cannot(what, folder, name))
    }

    pub(in crate::daemon) fn cannot<E: Into<io::Error>>(
        &self,
        what: &'static str,
        folder: Folder,
        name: &str,
    ) -> impl Fn(E) -> FileError {
        move |source| FileError::system(what, self.file_path(folder, name), source)
    }

    /// The files of a folder. One that is not there has none. Names that are not UTF-8 are passed over.
    pub fn list(&self, folder: Folder) -> Result<Vec<Listed>> {
        let mut files = Vec::new();
        let Ok(at) = self.descriptor(folder) else {
            return Ok(files);
        };
        for entry in Dir::read_from(at).map_err(self.cannot("list", folder, ""))? {
            let entry = entry.map_err(self.cannot("list", folder, ""))?;
            let Ok(name) = entry.file_name().to_str() else {
                continue;
            };
            let is_folder = entry.file_type() == FileType::Directory && !name.ends_with(".md");
            if name == "." || name == ".." || is_folder {
                continue;
            }
            let stat = rustix::fs::statat(at, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
            if !matches!(stat, Err(Errno::NOENT)) {
                // One bad file is its own trouble: whoever wants it reads it, and hears why that cannot be done.
                let stat = stat.ok();
                files.push(Listed {
                    name: name.to_owned(),
                    regular: stat.as_ref().is_none_or(is_regular),
                    stamp: stat.as_ref().map(stamp).unwrap_or_default(),
                    changed_nanoseconds: stat.as_ref().map_or(0, changed),
                    mode: stat.as_ref().map_or(0, permission_bits),
                    bytes: stat.as_ref().map_or(0, size),
                });
            }
        }
        Ok(files)
    }

    pub fn stamp(&self, folder: Folder, name: &str) -> Result<Option<Stamp>> {
        Ok(self.stat(folder, name)?.map(|stat| stamp(&stat)))
    }

    pub fn changed_nanoseconds(&self, folder: Folder, name: &str) -> Option<i64> {
        self.stat(folder, name).ok()?.map(|stat| changed(&stat))
    }

    fn stat(&self, folder: Folder, name: &str) -> Result<Option<Stat>> {
        let Ok(at) = self.descriptor(folder) else {
            return Ok(None);
        };
        match rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(None),
            stat => stat.map(Some).map_err(self.cannot("look at", folder, name)),
        }
    }

    /// Reads a regular file whole. Links are not followed, and nothing waits for a FIFO's writer.
    pub fn read(&self, folder: Folder, name: &str) -> Result<Contents> {
        let at = self.at(folder, name, "read")?;
        let mut contents = Self::read_at(at, name, || self.file_path(folder, name))?;
        if let WEEKLY | MONTHLY = folder {
            contents.bytes = self.tree.inner(contents.bytes);
        }
        Ok(contents)
    }

    fn read_at(at: BorrowedFd<'_>, name: &str, path: impl Fn() -> PathBuf) -> Result<Contents> {
        let (file, stat) = Self::open_file(at, name, "open", (OFlags::RDONLY, Mode::empty()), &path)?;
        let size = size(&stat);
        if size > FILE_BYTES_MAX {
            return Err(FileError::TooLarge(path()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        let read = file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
        read.map_err(|source| FileError::system("read", path(), source))?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(FileError::TooLarge(path()));
        }
        Ok(Contents { bytes, stamp: stamp(&stat), mode: permission_bits(&stat) })
    }

    /// Opens a regular file. Anything else is not even opened: opening a device may already do something.
    fn open_file(
        at: BorrowedFd<'_>,
        name: &str,
        what: &'static str,
        (flags, mode): (OFlags, Mode),
        path: &dyn Fn() -> PathBuf,
    ) -> Result<(File, Stat)> {
        let there = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW);
        if there.is_ok_and(|stat| !is_regular(&stat)) {
            return Err(FileError::NotAFile(path()));
        }
        let opened = rustix::fs::openat(at, name, flags | OFlags::NOCTTY | PLAIN, mode);
        let opened = opened.and_then(|opened| Ok((rustix::fs::fstat(&opened)?, opened)));
        match opened {
            Ok((stat, opened)) if is_regular(&stat) => Ok((opened.into(), stat)),
            Ok(_) | Err(Errno::LOOP | Errno::NXIO) => Err(FileError::NotAFile(path())),
            Err(error) => Err(FileError::system(what, path(), error)),
        }
    }

    pub fn read_if_there(&self, folder: Folder, name: &str) -> Result<Option<Contents>> {
        match self.read(folder, name) {
            Err(error) if error.is_missing() => Ok(None),
            other => other.map(Some),
        }
    }

    pub fn text(&self, folder: Folder, name: &str) -> Result<String> {
        Ok(text::decode(self.read(folder, name)?.bytes).text)
    }

    pub fn bytes_if_there(&self, folder: Folder, name: &str) -> Result<Option<Vec<u8>>> {
        let contents = self.read_if_there(folder, name)?;
        Ok(contents.map(|contents| contents.bytes))
    }

    pub fn text_if_there(&self, folder: Folder, name: &str) -> Result<Option<String>> {
        let bytes = self.bytes_if_there(folder, name)?;
        Ok(bytes.map(|bytes| text::decode(bytes).text))
    }

    pub fn remove_file(&self, folder: Folder, name: &str, known: Stamp) -> Result<()> {
        let there = self.stat(folder, name)?;
        if there.is_none_or(|stat| stamp(&stat) != known) {
            return Err(FileError::Raced(self.file_path(folder, name)));
        }
        let at = self.at(folder, name, "remove")?;
        let removed = rustix::fs::unlinkat(at, name, AtFlags::empty());
        removed.map_err(self.cannot("remove", folder, name))
    }

    pub fn remove_if_there(&self, folder: Folder, name: &str) -> Result<()> {
        match self.stat(folder, name)? {
            Some(stat) => self.remove_file(folder, name, stamp(&stat)),
            None => Ok(()),
        }
    }

    /// Gives a file, or whatever stands in its place, another name in its folder, which nothing there has yet.
    pub fn set_aside(&self, folder: Folder, name: &str, to: &str) -> Result<()> {
        let at = self.at(folder, name, "rename")?;
        let renamed = match self.stat(folder, to)? {
            Some(_) => Err(Errno::EXIST),
            None => rustix::fs::renameat(at, name, at, to),
        };
        renamed.map_err(self.cannot("rename", folder, name))
    }

    pub fn remove_empty_folder(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.descriptor(Folder::Workspace)
            .is_ok_and(|at| rustix::fs::unlinkat(at, path, AtFlags::REMOVEDIR).is_ok())
    }

    /// Reads a note. None: there is no such note, or none that could be one. A disk that fails just now is an error: to go on
    /// as if nothing had been noted would lose what cannot be found out again.
    pub fn read_note(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.bytes_if_there(Folder::Own, name) {
            Err(error @ FileError::System { .. }) => Err(error),
            other => Ok(other.ok().flatten()),
        }
    }

    pub fn read_json_note<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let note = self.read_note(name)?;
        Ok(note.and_then(|note| serde_json::from_slice(&note).ok()))
    }

    /// Reads what can be found out again, or done without; none when it cannot be read.
    pub fn read_json<T: DeserializeOwned>(&self, folder: Folder, name: &str) -> Option<T> {
        serde_json::from_slice(&self.read(folder, name).ok()?.bytes).ok()
    }

    pub fn write_json(&self, folder: Folder, name: &str, value: &impl Serialize) -> Result<()> {
        let json = serde_json::to_vec_pretty(value).map_err(self.cannot("write", folder, name))?;
        self.replace(folder, name, &json, 0o600)
    }

    /// Hands every regular file whose size `is_wanted` to `each`: its path from the workspace and its bytes. Links are not
    /// followed; what cannot be read is passed over, and a very large workspace is searched in part.
    pub fn search(&self, is_wanted: &dyn Fn(u64) -> bool, each: &mut dyn FnMut(String, Vec<u8>)) {
        let mut names = 0;
        let mut waiting = vec![String::new()];
        while let Some(prefix) = waiting.pop() {
            let Ok(folder) = self.open_way(&prefix, false) else {
                continue;
            };
            for entry in Dir::read_from(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_str();
                let Some(name) = name.ok().filter(|name| !NOT_SEARCHED.contains(name)) else {
                    continue;
                };
                names += 1;
                if names > NAMES_MAX {
                    return;
                }
                let Ok(stat) = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
                    continue;
                };
                let path = format!("{prefix}{name}");
                if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                    waiting.extend((path.matches('/').count() < DEPTH_MAX).then(|| path + "/"));
                } else if is_regular(&stat)
                    && is_wanted(size(&stat))
                    && let Ok(contents) = Self::read_at(folder.as_fd(), name, || self.path.join(&path))
                {
                    each(path, contents.bytes);
                }
            }
        }
    }

    /// How many bytes the regular file at a path from the workspace has; none when there is none, or a link on the way.
    pub fn size_of(&self, path: &str) -> Option<u64> {
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\0');
        if !path.split('/').all(is_plain) {
            return None;
        }
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = self.open_way(folders, false).ok()?;
        let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        is_regular(&stat).then(|| size(&stat))
    }
}

impl FileError {
    /// Why a folder cannot be opened, `name` in the folder `at`. For a link and for a file the system says the same.
    fn folder(at: BorrowedFd<'_>, name: &str, path: PathBuf, error: Errno) -> Self {
        if !matches!(error, Errno::NOTDIR | Errno::LOOP) {
            return Self::system("open the folder", path, error);
        }
        let stat = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW);
        let is_link = stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
        let what = match is_link {
            true => "is a link, and no link is followed there: put the folder that it leads to in its place",
            false => "is no folder: put a folder in its place",
        };
        Self::Refused(path, what)
    }

    fn system(what: &'static str, path: PathBuf, source: impl Into<io::Error>) -> Self {
        let source = source.into();
        Self::System { what, path, source }
    }

    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
