//! The work itself, on a thread of its own: counting, cycles, and the small files. It blocks; the loop never does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::daemon::clock::{Clock, Now};
use crate::daemon::cycle::{self, CycleSettings, Fingerprint, Outcome, Request, Watch};
use crate::daemon::issue::Issue;
use crate::daemon::ledger::{FILE_NAME, Ledger, LedgerError, Notice};
use crate::daemon::lock::{CycleLock, RunLock};
use crate::daemon::status_file::StatusFile;
use crate::daemon::worker::{self, Ended, Task};
use crate::daemon::workspace::Workspace;
use crate::memory::plan::Extent;
use crate::memory::trigger::{Cadence, Counters};

#[derive(Debug)]
pub(super) struct JobState {
    pub(super) path: PathBuf,
    pub(super) ledger: Ledger,
    /// What was counted last, and the look of the folder it was counted in.
    pub(super) counted: Option<(u64, Counters)>,
}

impl JobState {
    /// A job state on which nothing lies yet: what is needed is read from disk.
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            ledger: Ledger::new(&path),
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
pub(super) struct JobContext {
    pub(super) settings: CycleSettings,
    pub(super) cadence: Cadence,
    pub(super) now: Now,
    pub(super) clock: Clock,
    pub(super) lock: Arc<RunLock>,
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

pub(super) fn work(job_state: JobState, work: &Work, context: &JobContext) -> (JobState, Done) {
    guarded(job_state, |job_state| attempt(job_state, work, context))
}

/// A panic ends as [`Done::Crashed`] with a fresh job state: whatever it left half done in memory is read again from disk.
fn guarded(mut job_state: JobState, work: impl FnOnce(&mut JobState) -> Done) -> (JobState, Done) {
    match catch_unwind(AssertUnwindSafe(|| work(&mut job_state))) {
        Ok(done) => (job_state, done),
        Err(payload) => {
            let message = worker::panic_message(payload.as_ref());
            (JobState::new(job_state.path), Done::Crashed(message))
        }
    }
}

fn attempt(job_state: &mut JobState, work: &Work, context: &JobContext) -> Done {
    if *work == Work::WriteCounters {
        let written = job_state.ledger.write();
        return Done::Wrote(written.map(|_| ()).map_err(|error| state_issue(&error)));
    }
    // Only a cycle makes folders: who looks must not put them back under the hands of somebody who removes them.
    let workspace = match Workspace::open(&job_state.path, *work == Work::Cycle) {
        Ok(workspace) => workspace,
        Err(error) => return Done::NoFolder(Issue::from_error(".", &error)),
    };
    if !context.lock.is_current(&workspace) {
        return Done::LockLost;
    }
    if let Work::WriteStatus(status) = work {
        let written = status.write(&workspace);
        return Done::Wrote(written.map_err(|error| Issue::from_error(".hipocampus/status.json", &error)));
    }
    let fingerprint = match cycle::fingerprint(&workspace, request(context)) {
        Ok(fingerprint) => fingerprint,
        Err(error) => return Done::NoFolder(Issue::from_error(".", &error)),
    };
    match (fingerprint, work) {
        (Fingerprint::Unchanged, _) => at_rest(job_state, &workspace, work, context),
        (Fingerprint::Changed(print), Work::Scan) => count(job_state, print, context),
        (Fingerprint::Changed(_), _) => run_cycle(job_state, context),
    }
}

fn request(context: &JobContext) -> Request<'_> {
    Request {
        settings: &context.settings,
        moment: context.now.moment(),
        now: context.now.wall,
        // SPEC section 5: what a bulk run ends in is what single cycles end in, and it is far cheaper.
        extent: Extent::All,
        stop: &context.stop,
    }
}

/// Nothing has changed since a run that left nothing due: only what a crash left behind is cleaned up.
fn at_rest(job_state: &mut JobState, workspace: &Workspace, work: &Work, context: &JobContext) -> Done {
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
        return scanned(job_state, Counters::default(), strays, unfinished);
    }
    if unfinished {
        lock.note_unfinished(false);
    }
    drop(lock);
    settle(&mut job_state.ledger, context);
    Done::Cycled {
        outcome: Outcome::default(),
        started: false,
        state: Vec::new(),
        notes: strays,
    }
}

/// Counts in a worker, unless nothing has changed since the last count.
fn count(job_state: &mut JobState, print: Option<u64>, context: &JobContext) -> Done {
    if let Some((_, counters)) = job_state.counted.filter(|(counted, _)| Some(*counted) == print) {
        return scanned(job_state, counters, Vec::new(), false);
    }
    let ended = worker::run(
        Task::Count,
        &job_state.path,
        request(context),
        &mut cycle::Unwatched,
    );
    match ended {
        Ended::Counted {
            counters,
            strays,
            unfinished,
        } => {
            job_state.counted = print.map(|print| (print, counters));
            scanned(job_state, counters, strays, unfinished)
        }
        other => done(other, false, Vec::new(), Vec::new()),
    }
}

fn scanned(job_state: &mut JobState, counters: Counters, strays: Vec<Issue>, unfinished: bool) -> Done {
    let before = (job_state.ledger.last_run(), job_state.ledger.counters());
    let (state, mut notes) = heard(job_state.ledger.refresh());
    notes.extend(strays);
    job_state.ledger.recounted(counters);
    Done::Scanned {
        unfinished,
        changed: before != (job_state.ledger.last_run(), job_state.ledger.counters()),
        state,
        notes,
    }
}

fn run_cycle(job_state: &mut JobState, context: &JobContext) -> Done {
    let mut cycle_watch = CycleWatch {
        ledger: &mut job_state.ledger,
        context,
        started: None,
    };
    let ended = worker::run(Task::Cycle, &job_state.path, request(context), &mut cycle_watch);
    let started = cycle_watch.started.take();
    if started.is_none() && matches!(ended, Ended::Cycled(_)) {
        settle(&mut job_state.ledger, context);
    }
    let is_started = started.is_some();
    let (state, notes) = started.map(heard).unwrap_or_default();
    done(ended, is_started, state, notes)
}

/// There was nothing to do: what made the cycle due is settled. What is wrong with the state file, the scan that follows says.
fn settle(ledger: &mut Ledger, context: &JobContext) {
    let _ = ledger.settle(&context.cadence, context.clock.utc());
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
struct CycleWatch<'a> {
    ledger: &'a mut Ledger,
    context: &'a JobContext,
    started: Option<Result<Vec<Notice>, LedgerError>>,
}

impl Watch for CycleWatch<'_> {
    fn started(&mut self) {
        self.started = Some(self.ledger.start_cycle(self.context.clock.utc()));
    }

    fn progressed(&mut self, _done: usize, _of: usize) {
        let life = self.context.clock.monotonic().as_millis();
        self.context
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
mod tests;
