//! What a session must not begin without: a tree that covers what was told before it (SPEC section 10).

use anyhow::{Context as _, Result};

use super::compacted;
use crate::cli::target::Target;
use crate::daemon::cycle::UNSTOPPED;
use crate::daemon::due;
use crate::daemon::lock::CycleLock;
use crate::daemon::settings;
use crate::memory::plan::Extent;
use crate::memory::trigger::Trigger;

/// A longer backlog is for the daemon or `compact`: of it only the newest part is done, one node a level.
const STEPS_MAX: usize = 40;
/// How often, and how long at a time, a cycle of another process is waited for: 200 milliseconds in all.
const LOOKS_MAX: usize = 20;
const LOOK_EVERY: rustix::event::Timespec = rustix::event::Timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};

/// Covers what is not covered yet, however short ago the last cycle was. Nothing where a cycle may cost money, or another process is at
/// it and takes long. `is_patient`: whoever waits has asked for all of it. Answers what is due then, where that is known without another
/// look.
pub fn settle(target: &mut Target, is_patient: bool) -> Result<Option<Vec<Trigger>>> {
    if settings::is_command(&target.settings) {
        return Ok(None);
    }
    // Nothing that is being worked on is lost meanwhile.
    target.cycle.snapshot_working = false;
    let cadence = settings::cadence(&target.settings);
    let standing =
        due::look(&target.workspace, target.request(), &cadence).context("cannot look at the workspace")?;
    let steps = standing.plan.steps.len();
    if steps == 0 && standing.due.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let Some(_turn) = turn(target)? else {
        return Ok(None);
    };
    let extent = if is_patient || steps <= STEPS_MAX {
        Extent::All
    } else {
        Extent::Cycle
    };
    let (outcome, ..) = compacted(target, extent, &UNSTOPPED)?;
    Ok((extent == Extent::All && outcome.left == 0).then(Vec::new))
}

fn turn(target: &Target) -> Result<Option<CycleLock>> {
    for _ in 0..LOOKS_MAX {
        if let Some(lock) = CycleLock::try_take(&target.workspace)? {
            return Ok(Some(lock));
        }
        let _ = rustix::event::poll(&mut [], Some(&LOOK_EVERY));
    }
    Ok(None)
}
