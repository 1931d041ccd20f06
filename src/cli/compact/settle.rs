//! What a session must not begin without: a tree that covers what was told before it (SPEC section 10).

use anyhow::Result;

use super::compacted;
use crate::cli::target::Target;
use crate::daemon::cycle::UNSTOPPED;
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
    let Some(_turn) = turn(target)? else {
        return Ok(None);
    };
    let extent = if is_patient {
        Extent::All
    } else {
        Extent::Short(STEPS_MAX)
    };
    let (outcome, ..) = compacted(target, extent, &UNSTOPPED)?;
    Ok((outcome.left == 0).then(Vec::new))
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
