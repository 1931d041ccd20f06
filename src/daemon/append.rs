//! An entry of an agent's at the end of a raw log: one append (SPEC section 2). It is counted where it stands, by whoever looks next.

use super::workspace::{FileError, Folder, Result, Workspace};
use crate::memory::calendar::Day;
use crate::memory::{checkpoint, text};

/// Answers the line on which the entry begins.
pub fn append(workspace: &Workspace, day: Day, entry: &str) -> Result<usize> {
    let name = format!("{day}.md");
    let log = text::decode(log_bytes(workspace, &name)?).text;
    let lead = checkpoint::lead(&log);
    workspace.append(&name, &format!("{lead}{entry}"), workspace.log_mode())?;
    let gap = usize::from(!log.is_empty());
    Ok(text::line_count(&log) + gap + text::line_count(&lead) + 1)
}

/// None of a log that is missing, or too large to be looked at: it can still be appended to.
pub fn log_bytes(workspace: &Workspace, name: &str) -> Result<Vec<u8>> {
    match workspace.bytes_if_there(Folder::Memory, name) {
        Err(FileError::TooLarge(_)) => Ok(Vec::new()),
        log => Ok(log?.unwrap_or_default()),
    }
}
