//! The work itself, on a thread of its own: counting, cycles, and the small files. It blocks; the loop never does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::daemon::clock::{Clock, Now};
use crate::daemon::cycle::{self, CycleSettings, Glance, Outcome, Request, Watch};
use crate::daemon::issue::Issue;
use crate::daemon::ledger::{FILE_NAME, Ledger, LedgerError, Notice};
use crate::daemon::lock::{CycleLock, RunLock};
use crate::daemon::settings;
use crate::daemon::status_file::StatusFile;
use crate::daemon::worker::{self, Ended, Task};
use crate::daemon::workspace::Workspace;
use crate::memory::plan::Extent;
use crate::memory::trigger::{Cadence, Counters};

#[derive(Debug)]
pub(super) struct Desk {
    pub(super) path: PathBuf,
    pub(super) ledger: Ledger,
    /// What was counted last, and the look of the folder it was counted in.
    pub(super) counted: Option<(u64, Counters)>,
}

impl Desk {
    /// A desk on which nothing lies yet: what is needed is read from disk.
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            ledger: Ledger::new(&path.join("memory")),
            path,
            counted: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Work {
    Scan,
    Cycle,
    WriteCounters,
    WriteStatus(Box<StatusFile>),
}

#[derive(Debug, Clone)]
pub(super) struct Circumstances {
    pub(super) settings: CycleSettings,
    pub(super) cadence: Cadence,
    pub(super) now: Now,
    pub(super) clock: Clock,
    pub(super) lock: Arc<RunLock>,
    /// Raised when the work is to end early.
    pub(super) stop: Arc<AtomicBool>,
    /// The last sign of life, in milliseconds of the monotonic clock.
    pub(super) life: Arc<AtomicU64>,
}

#[derive(Debug)]
pub(super) enum Done {
    /// Whether the counters, or the last run, are others than they were; whether the last cycle, of whatever process,
    /// was cut short; and what is wrong with the state file.
    Scanned {
        unfinished: bool,
        changed: bool,
        state: Vec<Issue>,
        notes: Vec<Issue>,
    },
    /// A cycle has ended. `started` is false when nothing was due.
    Cycled {
        outcome: Outcome,
        started: bool,
        state: Vec<Issue>,
        notes: Vec<Issue>,
    },
    Wrote(Result<(), Issue>),
    /// Another process runs a cycle just now. To be tried again in a moment.
    Busy,
    /// `.hipocampus/` was removed or replaced, and the lock with it.
    LockLost,
    NoFolder(Issue),
    /// The process of the cycle ended before the cycle did.
    Gone(Issue),
    Crashed(String),
}

pub(super) fn work(desk: Desk, work: &Work, circumstances: &Circumstances) -> (Desk, Done) {
    guarded(desk, |desk| attempt(desk, work, circumstances))
}

/// A panic ends as [`Done::Crashed`] with a fresh desk: whatever it left half done in memory is read again from disk.
fn guarded(mut desk: Desk, work: impl FnOnce(&mut Desk) -> Done) -> (Desk, Done) {
    match catch_unwind(AssertUnwindSafe(|| work(&mut desk))) {
        Ok(done) => (desk, done),
        Err(payload) => {
            let message = worker::panic_message(payload.as_ref());
            (Desk::new(desk.path), Done::Crashed(message))
        }
    }
}

fn attempt(desk: &mut Desk, work: &Work, circumstances: &Circumstances) -> Done {
    if *work == Work::WriteCounters {
        let written = desk.ledger.write();
        return Done::Wrote(written.map(|_| ()).map_err(|error| state_issue(&error)));
    }
    // Only a cycle makes folders: who looks must not put them back under the hands of somebody who removes them.
    let workspace = match Workspace::open(&desk.path, *work == Work::Cycle) {
        Ok(workspace) => workspace,
        Err(error) => return Done::NoFolder(Issue::from_error(".", &error)),
    };
    if !circumstances.lock.is_current(&workspace) {
        return Done::LockLost;
    }
    if let Work::WriteStatus(status) = work {
        let written = status.write(&workspace);
        return Done::Wrote(written.map_err(|error| Issue::from_error(".hipocampus/status.json", &error)));
    }
    let glance = match cycle::glance(&workspace, request(circumstances)) {
        Ok(glance) => glance,
        Err(error) => return Done::NoFolder(Issue::from_error(".", &error)),
    };
    match (glance, work) {
        (Glance::AtRest, _) => at_rest(desk, &workspace, work, circumstances),
        (Glance::Seen(print), Work::Scan) => count(desk, print, circumstances),
        (Glance::Seen(_), _) => run_cycle(desk, circumstances),
    }
}

fn request(circumstances: &Circumstances) -> Request<'_> {
    Request {
        settings: &circumstances.settings,
        moment: settings::moment(circumstances.now),
        now: circumstances.now.wall,
        // SPEC section 5: what a bulk run ends in is what single cycles end in, and it is far cheaper.
        extent: Extent::All,
        stop: &circumstances.stop,
    }
}

/// Nothing has changed since a run that left nothing due: only what a crash left behind is cleaned up.
fn at_rest(desk: &mut Desk, workspace: &Workspace, work: &Work, circumstances: &Circumstances) -> Done {
    // Cleaning up needs the lock: it must not happen beside a cycle.
    let lock = match CycleLock::try_take(workspace) {
        Ok(Some(lock)) => lock,
        Ok(None) => return Done::Busy,
        Err(error) => return Done::NoFolder(Issue::from_error(".hipocampus/cycle.lock", &error)),
    };
    let strays = workspace.remove_strays();
    let unfinished = lock.is_unfinished();
    if *work == Work::Scan {
        drop(lock);
        return scanned(desk, Counters::default(), strays, unfinished);
    }
    if unfinished {
        lock.note_unfinished(false);
    }
    drop(lock);
    settle(&mut desk.ledger, circumstances);
    Done::Cycled {
        outcome: Outcome::default(),
        started: false,
        state: Vec::new(),
        notes: strays,
    }
}

/// Counts in a worker, unless nothing has changed since the last count.
fn count(desk: &mut Desk, print: Option<u64>, circumstances: &Circumstances) -> Done {
    if let Some((_, counters)) = desk.counted.filter(|(counted, _)| Some(*counted) == print) {
        return scanned(desk, counters, Vec::new(), false);
    }
    let ended = worker::run(
        Task::Count,
        &desk.path,
        request(circumstances),
        &mut cycle::Unwatched,
    );
    match ended {
        Ended::Counted {
            counters,
            strays,
            unfinished,
        } => {
            desk.counted = print.map(|print| (print, counters));
            scanned(desk, counters, strays, unfinished)
        }
        other => done(other, false, Vec::new(), Vec::new()),
    }
}

/// Takes what was counted into the books.
fn scanned(desk: &mut Desk, counters: Counters, strays: Vec<Issue>, unfinished: bool) -> Done {
    let before = (desk.ledger.last_run(), desk.ledger.counters());
    let (state, mut notes) = heard(desk.ledger.refresh());
    notes.extend(strays);
    desk.ledger.recounted(counters);
    Done::Scanned {
        unfinished,
        changed: before != (desk.ledger.last_run(), desk.ledger.counters()),
        state,
        notes,
    }
}

fn run_cycle(desk: &mut Desk, circumstances: &Circumstances) -> Done {
    let mut seen = Seen {
        ledger: &mut desk.ledger,
        circumstances,
        started: None,
    };
    let ended = worker::run(Task::Cycle, &desk.path, request(circumstances), &mut seen);
    let started = seen.started.take();
    if started.is_none() && matches!(ended, Ended::Cycled(_)) {
        settle(&mut desk.ledger, circumstances);
    }
    let is_started = started.is_some();
    let (state, notes) = started.map(heard).unwrap_or_default();
    done(ended, is_started, state, notes)
}

/// There was nothing to do: what made the cycle due is settled. What is wrong with the state file, the scan that follows says.
fn settle(ledger: &mut Ledger, circumstances: &Circumstances) {
    let _ = ledger.settle(&circumstances.cadence, circumstances.clock.utc());
}

fn done(ended: Ended, started: bool, state: Vec<Issue>, notes: Vec<Issue>) -> Done {
    match ended {
        Ended::Cycled(outcome) => Done::Cycled {
            outcome,
            started,
            state,
            notes,
        },
        // Nobody asks for both.
        Ended::Counted { .. } | Ended::Busy => Done::Busy,
        Ended::NoFolder(what) => Done::NoFolder(Issue::error(".", what)),
        Ended::Crashed(message) => Done::Crashed(message),
        Ended::Gone(how) => Done::Gone(Issue::error(".", format!("the work did not end: {how}"))),
    }
}

/// Takes the state down when the cycle starts (SPEC section 10), and passes on its signs of life.
struct Seen<'a> {
    ledger: &'a mut Ledger,
    circumstances: &'a Circumstances,
    started: Option<Result<Vec<Notice>, LedgerError>>,
}

impl Watch for Seen<'_> {
    fn started(&mut self) {
        self.started = Some(self.ledger.start_cycle(self.circumstances.clock.utc()));
    }

    fn progressed(&mut self, _done: usize, _of: usize) {
        let life = self.circumstances.clock.monotonic().as_millis();
        self.circumstances
            .life
            .store(u64::try_from(life).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// What the ledger said: what is wrong as it stands, and what happened once.
fn heard(answer: Result<Vec<Notice>, LedgerError>) -> (Vec<Issue>, Vec<Issue>) {
    match answer {
        Err(error) => (vec![state_issue(&error)], Vec::new()),
        Ok(notices) => {
            let (stands, happened): (Vec<_>, Vec<_>) = notices
                .into_iter()
                .partition(|notice| matches!(notice, Notice::NotATime { .. }));
            let issue = |notice: Notice| Issue::warning(&state_path(), notice);
            (
                stands.into_iter().map(issue).collect(),
                happened.into_iter().map(issue).collect(),
            )
        }
    }
}

fn state_path() -> String {
    format!("memory/{FILE_NAME}")
}

fn state_issue(error: &LedgerError) -> Issue {
    Issue::from_error(&state_path(), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_the_work_comes_back_as_its_message() {
        let path = PathBuf::from("/nowhere");
        let (desk, done) = guarded(Desk::new(path.clone()), |_| panic!("{} fell over", "it"));
        assert_eq!(desk.path, path);
        assert!(matches!(done, Done::Crashed(message) if message == "it fell over"));
    }
}
