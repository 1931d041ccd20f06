//! The one way in which a raw log is ever written: by an append (SPEC section 2).

use std::borrow::Cow;
use std::io;
use std::os::fd::AsFd as _;

use rustix::fs::{Mode, OFlags};

use super::{FileError, Folder, Workspace};

impl Workspace {
    /// Appends to a raw log in one write, after a line break where the log does not end in one, and syncs it. The log
    /// is made with these permission bits when there is none; nothing else about it ever changes. NUL bytes are left out: they
    /// would make the log look like UTF-16.
    /// When the disk takes only a part of the text, that part stays.
    pub fn append(&self, name: &str, text: &str, mode: u32) -> Result<(), FileError> {
        let path = || self.file_path(Folder::Memory, name);
        self.refuse_others(Folder::Memory, name)?;
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let at = self.at(Folder::Memory, name, "append to")?;
        let descriptor =
            rustix::fs::openat(at, name, flags, Mode::from_raw_mode(mode as rustix::fs::RawMode))
                .map_err(|source| FileError::system("append to", path(), source))?;
        let stat = self.look_alone(Folder::Memory, name, &descriptor)?;
        let mut text = if text.contains('\0') {
            Cow::Owned(text.replace('\0', ""))
        } else {
            Cow::Borrowed(text)
        };
        if let Some(last) = u64::try_from(stat.st_size)
            .ok()
            .and_then(|size| size.checked_sub(1))
        {
            let mut byte = [0];
            let read = rustix::io::pread(&descriptor, &mut byte, last);
            read.map_err(|source| FileError::system("read the end of", path(), source))?;
            let gap = if byte[0] == b'\n' { "\n" } else { "\n\n" };
            text = format!("{gap}{text}").into();
        }
        let failed = |source| FileError::system("append to", path(), source);
        let written = rustix::io::write(&descriptor, text.as_bytes()).map_err(failed)?;
        if written < text.len() {
            return Err(FileError::system(
                "append to",
                path(),
                io::Error::from(io::ErrorKind::StorageFull),
            ));
        }
        super::batch::sync(descriptor.as_fd()).map_err(failed)
    }
}
