//! What follows the nodes: MEMORY.md, the compactor's notes, and the cache.

use std::collections::HashSet;

use super::{CycleSettings, Request};
use crate::daemon::cache::{self, Idle};
use crate::daemon::issue::{Issue, Severity, escaped};
use crate::daemon::root_file;
use crate::daemon::scan::Scan;
use crate::daemon::workspace::{AGENT_FILE, FileError, Folder, Stamp, Workspace, modes};
use crate::memory::calendar::Day;
use crate::memory::{habits, sync, text};

const MEMORY_FILE: &str = "MEMORY.md";
const FULL: &str = "is so long that no line of ROOT has room in it, for OpenClaw adds nothing to one of 10,000 characters; shorten what stands above";

/// Syncs ROOT into MEMORY.md, starting again from its new content when somebody changes it meanwhile.
pub(super) fn memory_file(
    workspace: &Workspace,
    settings: &CycleSettings,
    scan: &mut Scan,
    wrote: &mut Vec<String>,
) {
    if !settings.sync_memory_file || !scan.inventory.root.exists && wrote.is_empty() {
        return;
    }
    let mut said = None;
    let written = workspace.edit(Folder::Workspace, MEMORY_FILE, modes::WIDEST, |memory| {
        said = None;
        memory.map_or(Ok(None), |memory| synced(workspace, memory, &mut said))
    });
    scan.issues
        .extend(said.map(|what| Issue::warning(MEMORY_FILE, what)));
    match written {
        Ok(written) => wrote.extend(written.then(|| MEMORY_FILE.to_owned())),
        Err(error) => scan.issues.push(Issue::from_error(MEMORY_FILE, &error)),
    }
}

/// MEMORY.md with ROOT in it; none where it stays as it is. `said` is what a person should know of it.
fn synced(
    workspace: &Workspace,
    memory: Vec<u8>,
    said: &mut Option<String>,
) -> Result<Option<String>, FileError> {
    let Ok(memory) = String::from_utf8(memory) else {
        *said = Some("is not UTF-8; ROOT is not synced into it".to_owned());
        return Ok(None);
    };
    let root = root_file::read(workspace)?;
    if root.stamp.is_none() || root_file::is_template(&root.text) {
        return Ok(None);
    }
    Ok(match sync::sync(&memory, &root.text, &workspace.tree().root()) {
        Ok(synced) => {
            let full = synced.as_ref().filter(|synced| synced.is_full);
            *said = full.map(|_| FULL.to_owned());
            synced.map(|synced| synced.text)
        }
        Err(error) => {
            *said = Some(format!("ROOT is not synced into it: {error}"));
            None
        }
    })
}

/// Adds what was measured about this workspace to the compactor's notes (SPEC section 8), when it changed.
pub(super) fn agent_notes(workspace: &Workspace, scan: &mut Scan, day: Day, wrote: &mut Vec<String>) {
    let Some(observed) = habits::observe(&scan.inventory) else {
        return;
    };
    let note = || -> Result<bool, FileError> {
        let mut workspace = Workspace::open(workspace.path(), false)?;
        workspace.open_agents(true)?;
        workspace.edit(Folder::Agents, AGENT_FILE, scan.log_mode, |existing| {
            let notes = existing.map(|bytes| text::decode(bytes).text);
            Ok(habits::noted(&notes.unwrap_or_default(), &observed, day))
        })
    };
    let path = Folder::Agents.file(AGENT_FILE);
    match note() {
        Ok(written) => wrote.extend(written.then_some(path)),
        Err(error) => scan.issues.push(Issue::from_error(&path, &error)),
    }
}

/// Saves what was learned. `rested` is the fingerprint of a workspace with nothing left to do. What failed is tried
/// again, so there is no rest then; and a log or node that something had to be said of is read again whenever somebody looks.
pub(super) fn rest(
    workspace: &Workspace,
    request: Request<'_>,
    scan: &mut Scan,
    rested: Option<u64>,
    needed: bool,
) {
    let clean = !scan.issues.iter().any(|issue| issue.severity == Severity::Error);
    if !scan.issues.is_empty() {
        let said: HashSet<&str> = scan.issues.iter().map(|issue| issue.path.as_str()).collect();
        let is_said = |path: &str| said.contains(escaped(path).as_str());
        scan.node_stamps.retain(|period, _| !is_said(&period.path()));
        for (&(day, place), stamp) in &mut scan.log_stamps {
            let log = scan.inventory.logs_of(day).get(place);
            if log.is_some_and(|log| is_said(&log.path)) {
                *stamp = Stamp::default();
            }
        }
    }
    let rest = rested.filter(|_| clean).map(|fingerprint| Idle {
        fingerprint,
        from: request.moment,
    });
    if !needed && (rest.is_none() || cache::idle(workspace) == rest) {
        return;
    }
    cache::save(workspace, &scan.known(), rest);
}

/// What there is to say. A loss, or a person who is waited for, is no failure and no reason to look again: so these come last.
pub(super) fn said(scan: Scan) -> Vec<Issue> {
    let mut said = scan.issues;
    said.extend(scan.vault.issues());
    let faults = scan.faults.into_iter();
    said.extend(faults.map(|fault| Issue::warning(&fault.path, fault.what)));
    said
}
