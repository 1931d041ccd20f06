//! Who may write in a workspace: one daemon for its life, one cycle at a time (SPEC section 13).
//!
//! Both locks are the kernel's, on files under `.hipocampus/` that are never removed: whoever held one and died, however,
//! holds it no more. What stands in `run.lock` is only the number to name to people.

use std::fs::{File, TryLockError};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use super::workspace::{FileError, Folder, Stamp, Workspace};

const RUN: &str = "run.lock";
const CYCLE: &str = "cycle.lock";
const UNFINISHED: &[u8] = b"unfinished\n";

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{} already has a hipocampusd{}: stop that one first", .folder.display(), process(*.pid))]
    Held { folder: PathBuf, pid: Option<u32> },
    #[error("cannot take the lock, which must be a file that this user may read and write")]
    File(#[from] FileError),
}

fn process(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" (process {pid})"))
}

/// The right to be the daemon of a workspace, held as long as this value lives.
#[derive(Debug)]
pub struct RunLock {
    file: File,
    stamp: Option<Stamp>,
}

impl RunLock {
    pub fn take(workspace: &Workspace) -> Result<Self, LockError> {
        let Some(file) = workspace.try_lock(RUN)? else {
            let folder = workspace.path().to_owned();
            let pid = written_pid(workspace);
            return Err(LockError::Held { folder, pid });
        };
        let pid = format!("{}\n", std::process::id());
        // The number is only for people; a full disk must not keep a daemon from holding the lock.
        let emptied = file.set_len(0);
        let _ = emptied.and_then(|()| file.write_all_at(pid.as_bytes(), 0));
        let stamp = workspace.stamp(Folder::Own, RUN).ok().flatten();
        Ok(Self { file, stamp })
    }

    /// Whether the locked file is still the one in the workspace: when `.hipocampus/` was removed, another daemon could take a new one.
    pub fn is_current(&self, workspace: &Workspace) -> bool {
        let stamp = workspace.stamp(Folder::Own, RUN);
        stamp.is_ok_and(|stamp| stamp == self.stamp)
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Nobody is named any more; the lock itself goes with the descriptor.
        let _ = self.file.set_len(0);
    }
}

/// The right to write nodes, held for the length of a cycle.
///
/// Its file also says whether the last cycle came to its end: the state is written when a cycle starts (SPEC section
/// 10), so that one which a crash or an end cut short would otherwise wait for the next trigger.
#[derive(Debug)]
pub struct CycleLock {
    file: File,
}

impl CycleLock {
    pub fn wait(workspace: &Workspace) -> Result<Self, LockError> {
        let file = workspace.wait_lock(CYCLE)?;
        workspace.check_tree()?;
        Ok(Self { file })
    }

    pub fn try_take(workspace: &Workspace) -> Result<Option<Self>, LockError> {
        let Some(file) = workspace.try_lock(CYCLE)? else {
            return Ok(None);
        };
        workspace.check_tree()?;
        Ok(Some(Self { file }))
    }

    /// Whether there ever was a cycle here: who only looks makes no file for the lock.
    pub fn is_known(workspace: &Workspace) -> bool {
        matches!(workspace.stamp(Folder::Own, CYCLE), Ok(Some(_)))
    }

    /// Notes that a cycle has begun, or that nothing is left of one. Only a hint, so a failure is nothing to stop for.
    pub fn note_unfinished(&self, unfinished: bool) {
        let _ = match unfinished {
            true => self.file.write_all_at(UNFINISHED, 0),
            false => self.file.set_len(0),
        };
    }

    /// Whether the last cycle left something, or never came to its end.
    pub fn is_unfinished(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| metadata.len() > 0)
    }
}

pub fn running_pid(workspace: &Workspace) -> Option<u32> {
    // Without a number of a living process nobody holds the lock, and it is left untouched: a daemon that starts at this
    // very moment must not find it taken by somebody who only looks.
    let pid = written_pid(workspace)?;
    let number = rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)?;
    let is_alive = rustix::process::test_kill_process(number) != Err(rustix::io::Errno::SRCH);
    let file = is_alive.then(|| workspace.lock_file(RUN).ok())??;
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then_some(pid)
}

fn written_pid(workspace: &Workspace) -> Option<u32> {
    let written = workspace.text_if_there(Folder::Own, RUN).ok()??;
    written.trim().parse().ok()
}

#[cfg(test)]
mod tests;
