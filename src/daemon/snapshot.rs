//! Step 0 of a cycle: what an agent is working on goes into the day's log before anything is compacted (SPEC section 5).

use std::fmt::Write as _;

use super::workspace::{Folder, Result, Workspace, stat};
use crate::memory::calendar::Day;
use crate::memory::filter::SNAPSHOT;
use crate::memory::hot;
use crate::memory::markdown::{self, What};
use crate::memory::node::Hash;
use crate::memory::redact::redact;

pub const WORKING: &str = "WORKING.md";
const LAST: &str = "snapshot";
const TEMPLATE: &str = include_str!("../../config/templates/WORKING.md");

/// The entry that is to be appended; none when no task is active, or nothing changed since the last snapshot.
pub fn due(workspace: &Workspace) -> Result<Option<(String, Hash)>> {
    let Some(working) = workspace.text_if_there(Folder::Workspace, WORKING)? else {
        return Ok(None);
    };
    let working = active(&working);
    let hash = Hash::of_bytes(working.trim_end().as_bytes());
    let last = workspace.read_note(LAST)?;
    let last = last.and_then(|last| Hash::read(String::from_utf8_lossy(&last).trim()));
    // Anything that is not in the empty template is a task.
    let is_known = |line: &str| TEMPLATE.lines().any(|known| known.trim() == line);
    let mut lines = working.lines().map(str::trim);
    let has_tasks = lines.any(|line| !line.is_empty() && !line.starts_with("# ") && !is_known(line));
    if !has_tasks || last == Some(hash) {
        return Ok(None);
    }
    Ok(Some((entry(&working), hash)))
}

/// Appends the entry to the day's log, unless it is the last snapshot there already, and remembers it. Says whether it appended.
pub fn append(workspace: &Workspace, day: Day, entry: &str, hash: Hash) -> Result<bool> {
    let name = format!("{day}.md");
    let log = workspace.text_if_there(Folder::Memory, &name)?;
    let stands = log.as_deref().and_then(last_snapshot) == Some(entry.trim_end());
    if !stands {
        // A new log is as private as what goes into it, and as the logs beside it.
        let mode = stat::narrowest([workspace.log_mode(), workspace.mode(Folder::Workspace, WORKING)]);
        workspace.append(&name, entry, mode)?;
    }
    workspace.replace(Folder::Own, LAST, format!("{hash}\n").as_bytes(), 0o600)?;
    Ok(!stands)
}

fn last_snapshot(log: &str) -> Option<&str> {
    let start = log.rfind(SNAPSHOT)?;
    let behind = &log[start + SNAPSHOT.len()..];
    let end = behind.find("\n#").unwrap_or(behind.len());
    let is_line = start == 0 || log[..start].ends_with('\n');
    is_line.then(|| log[start..start + SNAPSHOT.len() + end].trim_end())
}

/// WORKING.md without the tasks that have ended, and without comments.
fn active(working: &str) -> String {
    let running = hot::without_ended_tasks(working).map_or_else(|| working.to_owned(), |moved| moved.text);
    let mut active = String::new();
    for line in markdown::lines(&running).filter(|line| line.what != What::Comment) {
        // An empty line behind an empty line is where a comment or a task stood.
        if !(line.text.trim().is_empty() && active.ends_with("\n\n")) {
            active.push_str(line.text);
            active.push('\n');
        }
    }
    active
}

/// The text is indented below its list item, so that no heading of it starts an entry.
fn entry(working: &str) -> String {
    let mut entry = format!("{SNAPSHOT}\n- context: pre-compaction automatic snapshot\n- state:\n");
    for line in redact(working.trim_end()).lines() {
        let indent = if line.trim().is_empty() { "" } else { "    " };
        let _ = writeln!(entry, "{indent}{line}");
    }
    entry
}
