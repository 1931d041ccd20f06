//! Folders and files that `init` makes: each exclusively, where nothing stands, relative to an opened folder.
use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::daemon::wiring::MadeFile;
use crate::memory::node::Hash;

#[derive(Debug, Default)]
pub(super) struct Made {
    /// Relative to the workspace, in the order of creation; folders end in a slash.
    pub(super) paths: Vec<PathBuf>,
    /// The files among them, with what was written.
    pub(super) files: Vec<MadeFile>,
}

pub(super) fn cannot_create(path: &Path) -> String {
    format!(
        "cannot create {}: see that this user may write there and that there is room",
        path.display()
    )
}

pub(super) struct Place {
    descriptor: OwnedFd,
    path: PathBuf,
    /// Where it is in the workspace; empty for the workspace itself.
    relative: PathBuf,
}

impl Place {
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::open(folder, flags, Mode::empty())
            .with_context(|| format!("cannot open {}: see that this user may", folder.display()))?;
        Ok(Self {
            descriptor,
            path: folder.to_path_buf(),
            relative: PathBuf::new(),
        })
    }

    /// Opens a folder in this one, `None` when there is none; a link is not followed.
    fn open_inner(&self, name: &str) -> Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = self.path.join(name);
        match rustix::fs::openat(&self.descriptor, name, flags, Mode::empty()) {
            Ok(descriptor) => Ok(Some(Self {
                descriptor,
                path,
                relative: self.relative.join(name),
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                bail!(
                    "{} is a file or a link: put a folder in its place",
                    path.display()
                )
            }
            Err(errno) => {
                Err(errno).with_context(|| format!("cannot open {}: see that this user may", path.display()))
            }
        }
    }

    pub(super) fn check_inner(&self, name: &str) -> Result<()> {
        self.open_inner(name).map(drop)
    }

    pub(super) fn make_inner(&self, name: &str, made: &mut Made) -> Result<Self> {
        self.make_folder(name, made)?;
        match self.open_inner(name)? {
            Some(inner) => Ok(inner),
            None => bail!(
                "{} was removed meanwhile: try again",
                self.path.join(name).display()
            ),
        }
    }

    pub(super) fn make_way(&self, path: &str, made: &mut Made) -> Result<Self> {
        match path.split_once('/') {
            Some((first, rest)) => self.make_inner(first, made)?.make_way(rest, made),
            None => self.make_inner(path, made),
        }
    }

    pub(super) fn make_folder(&self, name: &str, made: &mut Made) -> Result<()> {
        match rustix::fs::mkdirat(&self.descriptor, name, Mode::RWXU) {
            Ok(()) => made.paths.push(self.relative.join(name).join("")),
            Err(Errno::EXIST) => {}
            // A read-only disk may say so before it says that the folder is there.
            Err(_) if self.has(name) => {}
            Err(errno) => return Err(errno).with_context(|| cannot_create(&self.path.join(name))),
        }
        Ok(())
    }

    /// Makes a file where nothing stands. One that could not be written whole is taken away again.
    pub(super) fn make_file(&self, name: &str, text: &str, made: &mut Made) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = match rustix::fs::openat(&self.descriptor, name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(descriptor) => File::from(descriptor),
            Err(Errno::EXIST) => return Ok(()),
            Err(_) if self.has(name) => return Ok(()),
            Err(errno) => return Err(errno).with_context(|| cannot_create(&self.path.join(name))),
        };
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()) {
            // The first error is the one worth telling.
            let _ = rustix::fs::unlinkat(&self.descriptor, name, AtFlags::empty());
            return Err(error).with_context(|| cannot_create(&self.path.join(name)));
        }
        let path = self.relative.join(name);
        made.files.push(MadeFile {
            path: path.display().to_string(),
            hash: Hash::of_bytes(text),
        });
        made.paths.push(path);
        Ok(())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        rustix::fs::statat(&self.descriptor, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }
}
