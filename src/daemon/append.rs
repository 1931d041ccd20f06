//! An entry of an agent's at the end of a raw log: one append, and counted (SPEC sections 2 and 10).

use super::issue::Issue;
use super::ledger::Ledger;
use super::lock::running_pid;
use super::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::trigger::Counters;
use crate::memory::{checkpoint, text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    pub path: String,
    pub line: usize,
    pub issue: Option<Issue>,
}

/// Appends an entry to the log of a date, in one write, and counts it. A daemon that runs counts it by itself.
pub fn append(workspace: &Workspace, day: Day, entry: &str) -> Result<Appended, FileError> {
    let name = format!("{day}.md");
    let log = text::decode(log_bytes(workspace, &name)?).text;
    let lead = checkpoint::lead(&log);
    workspace.append(&name, &format!("{lead}{entry}"), workspace.log_mode())?;
    let gap = usize::from(!log.is_empty());
    let is_counted = running_pid(workspace).is_some();
    let issue = if is_counted { None } else { count(workspace, entry) };
    Ok(Appended {
        path: format!("memory/{name}"),
        line: text::line_count(&log) + gap + text::line_count(&lead) + 1,
        issue,
    })
}

/// None of a log that is missing, or too large to be looked at: it can still be appended to.
pub fn log_bytes(workspace: &Workspace, name: &str) -> Result<Vec<u8>, FileError> {
    match workspace.read_if_there(Folder::Memory, name) {
        Err(FileError::TooLarge(_)) => Ok(Vec::new()),
        log => Ok(log?.map(|log| log.bytes).unwrap_or_default()),
    }
}

/// Adds the entry to the counters. A state file that is missing stays so: that is a trigger of its own.
fn count(workspace: &Workspace, entry: &str) -> Option<Issue> {
    let mut ledger = Ledger::new(workspace.path());
    let counted = ledger.refresh().and_then(|_| {
        let before = ledger.counters();
        let lines = u64::try_from(text::line_count(entry)).unwrap_or_default();
        ledger.recounted(Counters {
            raw_lines: before.raw_lines + lines,
            checkpoints: before.checkpoints + 1,
        });
        ledger.write()
    });
    counted
        .err()
        .map(|error| Issue::from_error("memory/.compaction-state.json", &error))
}
