//! Whether a cycle is due in a workspace, and why: the one answer that `status`, `session start` and `compact` give.

use super::cycle::{self, Request};
use super::issue::Issue;
use super::ledger::{self, State};
use super::scan::Scan;
use super::snapshot;
use super::workspace::{FileError, Folder, Result, Workspace};
use crate::memory::plan::Plan;
use crate::memory::trigger::{self, Counters, LastRun};

#[derive(Debug)]
pub struct Standing {
    pub last_run: LastRun,
    /// What no daily node covers, or the higher count of an agent.
    pub counters: Counters,
    /// The triggers that hold, in words. With nothing to do a cycle only settles a state file that is missing or says too much.
    pub due: Vec<String>,
    pub plan: Plan,
    /// Whether it would put WORKING.md's tasks into the day's log first.
    pub snapshot: bool,
    pub scan: Scan,
}

pub fn look(workspace: &Workspace, request: Request<'_>, cooldown_hours: f64) -> Result<Standing> {
    let (plan, mut scan) = cycle::plan(workspace, request)?;
    // One that cannot be read or is no state counts as missing.
    let peeked = ledger::peek(workspace).unwrap_or_else(|error| {
        let path = Folder::Memory.file(ledger::FILE_NAME);
        scan.issues.push(match error {
            FileError::Refused(..) => {
                let fate = "it counts as missing, and the next cycle sets it aside";
                Issue::warning(&path, format!("{}; {fate}", ledger::BAD))
            }
            error => Issue::from_error(&path, &error),
        });
        State::default()
    });
    let counted = scan.inventory.uncovered();
    let mut counters = counted;
    counters.checkpoints = counted.checkpoints.max(peeked.counters.checkpoints);
    let snapshot =
        request.settings.snapshot_working && snapshot::due(workspace).is_ok_and(|due| due.is_some());
    let due = |counters| trigger::due(peeked.last_run, counters, cooldown_hours, request.now);
    let due = if snapshot || !plan.is_empty() {
        due(counters)
    } else {
        let mut due = due(peeked.counters.beyond(counted));
        due.retain(|trigger| !trigger.is_of_time());
        due
    };
    Ok(Standing {
        last_run: peeked.last_run,
        counters,
        due: due.iter().map(ToString::to_string).collect(),
        plan,
        snapshot,
        scan,
    })
}
