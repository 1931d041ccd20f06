//! What follows the nodes: MEMORY.md, the compactor's notes, and the cache.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::{CycleSettings, Request};
use crate::daemon::cache::{self, Idle};
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::root_file;
use crate::daemon::scan::Scan;
use crate::daemon::workspace::{AGENT_FILE, Expected, FileError, Folder, Stamp, Workspace, modes};
use crate::memory::calendar::Day;
use crate::memory::{habits, sync, text};

const MEMORY_FILE: &str = "MEMORY.md";
/// How often a file that others keep changing is tried again.
const TRIES: usize = 5;

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
    for attempt in 1..=TRIES {
        match sync_once(workspace, scan) {
            Ok(written) => {
                wrote.extend(written.then(|| MEMORY_FILE.to_owned()));
                return;
            }
            Err(FileError::Raced(_)) if attempt < TRIES => {}
            Err(error) => {
                scan.issues.push(Issue::from_error(MEMORY_FILE, &error));
                return;
            }
        }
    }
}

fn sync_once(workspace: &Workspace, scan: &mut Scan) -> Result<bool, FileError> {
    let _turn = workspace.turn(Folder::Workspace);
    let Some(contents) = workspace.read_if_there(Folder::Workspace, MEMORY_FILE)? else {
        return Ok(false);
    };
    let Ok(memory) = String::from_utf8(contents.bytes) else {
        scan.issues.push(Issue::warning(
            MEMORY_FILE,
            "is not UTF-8; ROOT is not synced into it",
        ));
        return Ok(false);
    };
    let root = root_file::read(workspace)?;
    if root.stamp.is_none() || root_file::is_template(&root.text) {
        return Ok(false);
    }
    let synced = match sync::sync(&memory, &root.text, &workspace.tree().root()) {
        Ok(Some(synced)) => synced,
        Ok(None) => return Ok(false),
        Err(error) => {
            let what = format!("ROOT is not synced into it: {error}");
            scan.issues.push(Issue::warning(MEMORY_FILE, what));
            return Ok(false);
        }
    };
    if synced.is_full {
        scan.issues.push(Issue::warning(
            MEMORY_FILE,
            "is so long that no line of ROOT has room in it, for OpenClaw adds nothing to one of 10,000 characters; shorten what stands above",
        ));
    }
    let expected = Expected::Same(contents.stamp);
    workspace.replace_expected(
        Folder::Workspace,
        MEMORY_FILE,
        synced.text.as_bytes(),
        modes::WIDEST,
        expected,
    )?;
    Ok(true)
}

/// Adds what was measured about this workspace to the compactor's notes (SPEC section 8), when it changed.
pub(super) fn agent_notes(workspace: &Workspace, scan: &mut Scan, day: Day, wrote: &mut Vec<String>) {
    let Some(observed) = habits::observe(&scan.inventory) else {
        return;
    };
    let written = (|| -> Result<bool, FileError> {
        let mut workspace = Workspace::open(workspace.path(), false)?;
        workspace.open_agents(true)?;
        let existing = workspace.read_if_there(Folder::Agents, AGENT_FILE)?;
        let expected = existing
            .as_ref()
            .map_or(Expected::Absent, |contents| Expected::Same(contents.stamp));
        let notes = existing
            .map(|contents| text::decode(contents.bytes).text)
            .unwrap_or_default();
        let Some(notes) = habits::noted(&notes, &observed, day) else {
            return Ok(false);
        };
        workspace.replace_expected(
            Folder::Agents,
            AGENT_FILE,
            notes.as_bytes(),
            workspace.log_mode(),
            expected,
        )?;
        Ok(true)
    })();
    match written {
        Ok(written) => wrote.extend(written.then(|| format!("memory/agents/compaction/{AGENT_FILE}"))),
        Err(error) => scan
            .issues
            .push(Issue::from_error("memory/agents/compaction/AGENT.md", &error)),
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
    for (&(day, place), stamp) in scan.log_stamps.iter_mut().filter(|_| !scan.issues.is_empty()) {
        let path = scan.inventory.logs_of(day).get(place).map(|log| &log.path);
        if path.is_some_and(|path| scan.issues.iter().any(|issue| issue.is_about(path))) {
            *stamp = Stamp::default();
        }
    }
    if !scan.issues.is_empty() {
        let said: HashSet<&str> = scan.issues.iter().map(|issue| issue.path.as_str()).collect();
        scan.node_stamps
            .retain(|period, _| !said.contains(period.path().as_str()));
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

/// What there is to say. That a log has lost something, or that a person is waited for, is no failure of the cycle, no reason not to
/// rest, nor to look at a file again: so it comes last.
pub(super) fn said(scan: Scan) -> Vec<Issue> {
    let (losses, mut said) = (scan.vault.issues(), scan.issues);
    let faults = scan.faults.into_iter();
    said.extend(losses);
    said.extend(faults.map(|fault| Issue::warning(&fault.path, fault.what)));
    said
}

/// The settings that a plan depends on, as part of the fingerprint.
pub(super) fn settings_mark(settings: &CycleSettings) -> u64 {
    xxh3_64(format!("{settings:?}").as_bytes())
}
