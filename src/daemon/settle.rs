//! How a session's beginning or end has the running daemon cover what is not covered (SPEC section 10): an empty file in `memory/`,
//! which the daemon watches anyway. It runs a cycle at once and takes the file away when that has ended.

use std::time::Duration;

use super::clock::pause;
use super::lock::running_pid;
use super::workspace::{Folder, Stamp, Workspace};

pub const FILE_NAME: &str = ".compaction-settle";

/// How often, and how far apart, a session looks whether the cycle has ended: 200 milliseconds in all (SPEC section 10).
pub const LOOKS_MAX: usize = 40;
pub const LOOK: Duration = Duration::from_millis(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A cycle that began after the question has ended.
    Done,
    /// The daemon is at it, or at something else, and takes longer.
    TooLong,
    NoDaemon,
}

pub fn ask(workspace: &Workspace) -> Answer {
    let put = || workspace.replace_unsynced(Folder::Memory, FILE_NAME, b"");
    let is_asked = running_pid(workspace).is_some() && put().is_ok();
    if !is_asked {
        return Answer::NoDaemon;
    }
    for _ in 0..LOOKS_MAX {
        pause(LOOK);
        if asked(workspace).is_none() {
            return Answer::Done;
        }
    }
    // A daemon that has not seen it yet sees the logs at its next look.
    let _ = workspace.remove_if_there(Folder::Memory, FILE_NAME);
    Answer::TooLong
}

/// The question that waits for an answer, as a cycle begins.
pub fn asked(workspace: &Workspace) -> Option<Stamp> {
    workspace.stamp(Folder::Memory, FILE_NAME).ok().flatten()
}

/// The cycle has ended. Who asked while it ran waits for the next one.
pub fn answer(workspace: &Workspace, asked: Option<Stamp>) {
    if let Some(asked) = asked {
        let _ = workspace.remove_file(Folder::Memory, FILE_NAME, asked);
    }
}
