//! Which workspace's turn at qmd it is: a pure state machine, asked with the time and told what became of each turn.
//!
//! One turn at a time over all workspaces. A request for a workspace that already waits, or whose turn is under way, is
//! merged into one turn to come. Times are durations since the queue began.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Outcome, QmdResult};
use crate::daemon::clock::backoff;

/// A workspace takes no turn sooner than this after its last one: a backlog that drains asks many times.
pub(super) const TURN_GAP: Duration = Duration::from_secs(10);
/// Before the second try; doubled before each further one, up to the longest.
const RETRY_FIRST: Duration = Duration::from_secs(30);
const RETRY_LONGEST: Duration = Duration::from_secs(3600);
/// After this many failures in a row a workspace waits until it is asked for again.
const TRIES_MAX: u32 = 6;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Take the turn of this workspace, and tell [`Queue::finished`] about it.
    Run(PathBuf),
    /// Ask again at this time, or after the next request.
    At(Duration),
    /// Ask again after the next request.
    Idle,
}

#[derive(Debug, Default)]
struct Turns {
    due: Option<Duration>,
    ended: Option<Duration>,
    failures: u32,
    last: Option<(Outcome, Option<Outcome>)>,
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    workspaces: BTreeMap<PathBuf, Turns>,
    running: bool,
}

impl Queue {
    /// Asks for a turn. One that already waits, also after a failure, is this one.
    pub(super) fn request(&mut self, workspace: &Path, now: Duration) {
        let turns = self.workspaces.entry(workspace.to_owned()).or_default();
        let due = turns.ended.map_or(now, |ended| now.max(ended + TURN_GAP));
        turns.due.get_or_insert(due);
    }

    /// Takes back what a workspace asked for. A turn that is under way ends as it will, and is not tried again.
    pub(super) fn forget(&mut self, workspace: &Path) {
        self.workspaces.remove(workspace);
    }

    pub(super) fn next(&mut self, now: Duration) -> Next {
        let due = |(workspace, turns): (&PathBuf, &Turns)| Some((turns.due?, workspace.clone()));
        match self.workspaces.iter().filter_map(due).min() {
            Some((due, _)) if due > now && !self.running => Next::At(due),
            Some((_, workspace)) if !self.running => {
                self.workspaces.entry(workspace.clone()).or_default().due = None;
                self.running = true;
                Next::Run(workspace)
            }
            _ => Next::Idle,
        }
    }

    /// Takes note of how a turn ended. True when that is worth a warning: it is bad, and not just as bad as the last time.
    pub(super) fn finished(&mut self, workspace: &Path, result: &QmdResult, now: Duration) -> bool {
        self.running = false;
        let Some(turns) = self.workspaces.get_mut(workspace) else {
            return false;
        };
        let ended = (result.update, result.embed);
        let is_news = turns.last.replace(ended) != Some(ended);
        turns.ended = Some(now);
        let failed = [Some(result.update), result.embed];
        let failed = failed.into_iter().flatten().any(Outcome::is_worth_another_try);
        turns.failures = if failed {
            (turns.failures + 1) % TRIES_MAX
        } else {
            0
        };
        turns.due = match turns.failures {
            0 => turns.due.map(|due| due.max(now + TURN_GAP)),
            // A request that came meanwhile waits as long: it is the same qmd that would fail again.
            failures => Some(now + backoff(RETRY_FIRST, failures - 1, RETRY_LONGEST)),
        };
        let is_stopped = result.update == Outcome::Stopped || result.embed == Some(Outcome::Stopped);
        is_news && !result.is_good() && !is_stopped
    }
}

#[cfg(test)]
mod tests;
