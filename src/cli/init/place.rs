//! Folders and files that `init` makes: each exclusively, where nothing stands, relative to an opened folder.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::daemon::wiring::NotedFile;
use crate::memory::node::Hash;

pub(super) struct Place {
    descriptor: OwnedFd,
    path: PathBuf,
    /// What was made, as paths from the workspace, in the order of creation; folders end in a slash.
    pub(super) made: Vec<String>,
    /// The files among it, with what was written.
    pub(super) files: Vec<NotedFile>,
}

pub(super) fn cannot_create(path: &Path) -> String {
    format!(
        "cannot create {}: see that this user may write there and that there is room",
        path.display()
    )
}

fn cannot_open(path: &Path) -> String {
    format!("cannot open {}: see that this user may", path.display())
}

impl Place {
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self {
            descriptor: rustix::fs::open(folder, flags, Mode::empty())
                .with_context(|| cannot_open(folder))?,
            path: folder.to_path_buf(),
            made: Vec::new(),
            files: Vec::new(),
        })
    }

    /// That a folder of the workspace is one, and no link, where it is there.
    pub(super) fn check(&self, name: &str) -> Result<()> {
        self.open_in(&self.descriptor, name, name).map(drop)
    }

    pub(super) fn folder(&mut self, path: &str) -> Result<()> {
        let (at, name) = self.way_to(path)?;
        self.make(&at, name, path)
    }

    /// Makes a file where nothing stands. One that could not be written whole is taken away again.
    pub(super) fn file(&mut self, path: &str, text: &str) -> Result<()> {
        let (at, name) = self.way_to(path)?;
        let failed = || cannot_create(&self.path.join(path));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = match rustix::fs::openat(&at, name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(descriptor) => File::from(descriptor),
            // A read-only disk may say so before it says that the file is there.
            Err(_) if is_there(&at, name) => return Ok(()),
            Err(errno) => return Err(errno).with_context(failed),
        };
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()) {
            // The first error is the one worth telling.
            let _ = rustix::fs::unlinkat(&at, name, AtFlags::empty());
            return Err(error).with_context(failed);
        }
        self.made.push(path.to_owned());
        self.files.push(NotedFile {
            path: path.to_owned(),
            before: None,
            after: Some(Hash::of_bytes(text)),
        });
        Ok(())
    }

    /// The folder of a path, made where it is missing, and the path's last name.
    fn way_to<'path>(&mut self, path: &'path str) -> Result<(OwnedFd, &'path str)> {
        let at = self.descriptor.try_clone();
        let mut at = at.with_context(|| cannot_open(&self.path))?;
        let mut start = 0;
        for (end, _) in path.match_indices('/') {
            let (name, so_far) = (&path[start..end], &path[..end]);
            self.make(&at, name, so_far)?;
            let gone = || {
                format!(
                    "{} was removed meanwhile: try again",
                    self.path.join(so_far).display()
                )
            };
            at = self.open_in(&at, name, so_far)?.with_context(gone)?;
            start = end + 1;
        }
        Ok((at, &path[start..]))
    }

    fn make(&mut self, at: &OwnedFd, name: &str, path: &str) -> Result<()> {
        match rustix::fs::mkdirat(at, name, Mode::RWXU) {
            Ok(()) => self.made.push(format!("{path}/")),
            Err(_) if is_there(at, name) => {}
            Err(errno) => return Err(errno).with_context(|| cannot_create(&self.path.join(path))),
        }
        Ok(())
    }

    /// Opens a folder, `None` when there is none; a link is not followed.
    fn open_in(&self, at: &OwnedFd, name: &str, path: &str) -> Result<Option<OwnedFd>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = self.path.join(path);
        match rustix::fs::openat(at, name, flags, Mode::empty()) {
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                let shown = path.display();
                bail!("{shown} is a file or a link: put a folder in its place")
            }
            opened => opened.map(Some).with_context(|| cannot_open(&path)),
        }
    }
}

fn is_there(at: &OwnedFd, name: &str) -> bool {
    rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}
