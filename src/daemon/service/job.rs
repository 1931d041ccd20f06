//! The work itself, on a thread of its own: counting, cycles, and the small files. It blocks; the loop never does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::daemon::clock::{Clock, Now};
use crate::daemon::cycle::{self, CycleSettings, Glance, Outcome, Request, Watch};
use crate::daemon::issue::Issue;
use crate::daemon::ledger::{FILE_NAME, Ledger, LedgerError, Notice};
use crate::daemon::lock::{CycleLock, LockError, RunLock};
use crate::daemon::settings;
use crate::daemon::status_file::StatusFile;
use crate::daemon::worker::{self, Ended, Task};
use crate::daemon::workspace::{FileError, Workspace};
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
    pub(super) apart: bool,
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
    if circumstances.apart
        && let Some(done) = apart(desk, &workspace, work, circumstances)
    {
        return done;
    }
    // Counting needs the lock as well: it cleans up after a crash, and must not do so beside a cycle.
    let lock = match CycleLock::try_take(&workspace) {
        Ok(Some(lock)) => lock,
        Ok(None) => return Done::Busy,
        Err(error) => return Done::NoFolder(lock_issue(&error)),
    };
    let done = match work {
        Work::Cycle => run_cycle(desk, &workspace, &lock, circumstances),
        _ => scan(desk, &workspace, &lock, circumstances),
    };
    drop(lock);
    done.unwrap_or_else(|error| Done::NoFolder(Issue::from_error(".", &error)))
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

fn scan(
    desk: &mut Desk,
    workspace: &Workspace,
    lock: &CycleLock,
    circumstances: &Circumstances,
) -> Result<Done, FileError> {
    let (counters, strays) = cycle::count(workspace, request(circumstances))?;
    Ok(scanned(desk, counters, strays, lock.is_unfinished()))
}

fn run_cycle(
    desk: &mut Desk,
    workspace: &Workspace,
    lock: &CycleLock,
    circumstances: &Circumstances,
) -> Result<Done, FileError> {
    let mut seen = Seen {
        ledger: &mut desk.ledger,
        lock: Some(lock),
        circumstances,
        started: None,
    };
    let outcome = cycle::run(workspace, request(circumstances), &mut seen)?;
    let started = seen.ended();
    if outcome.left == 0 && lock.is_unfinished() {
        lock.note_unfinished(false);
    }
    let (state, notes) = seen.started.map(heard).unwrap_or_default();
    Ok(Done::Cycled {
        outcome,
        started,
        state,
        notes,
    })
}

/// Work by a [`worker`], when there is something to look at and a process to be had; else it is left to be done here.
fn apart(desk: &mut Desk, workspace: &Workspace, work: &Work, circumstances: &Circumstances) -> Option<Done> {
    match work {
        Work::Cycle => cycle_apart(desk, workspace, circumstances),
        _ => scan_apart(desk, workspace, circumstances),
    }
}

/// The counting. Where nothing has changed since the last one, its answer still holds.
fn scan_apart(desk: &mut Desk, workspace: &Workspace, circumstances: &Circumstances) -> Option<Done> {
    let request = request(circumstances);
    let Ok(Glance::Seen(print)) = cycle::glance(workspace, request) else {
        return None;
    };
    let known = desk.counted.filter(|(counted, _)| Some(*counted) == print);
    let ended = match known {
        Some((_, counters)) => Ended::Counted {
            counters,
            strays: Vec::new(),
            unfinished: false,
        },
        None => worker::run(Task::Count, &desk.path, request, &mut cycle::Unwatched).ok()?,
    };
    Some(match ended {
        Ended::Counted {
            counters,
            strays,
            unfinished,
        } => {
            desk.counted = print.map(|print| (print, counters));
            scanned(desk, counters, strays, unfinished)
        }
        other => done(other, false, Vec::new(), Vec::new()),
    })
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

/// A cycle by a worker, when there is something to look at and a process to be had; else it is left to be done here.
fn cycle_apart(desk: &mut Desk, workspace: &Workspace, circumstances: &Circumstances) -> Option<Done> {
    let request = request(circumstances);
    if !cycle::is_called_for(workspace, request).unwrap_or(false) {
        return None;
    }
    let mut seen = Seen {
        ledger: &mut desk.ledger,
        lock: None,
        circumstances,
        started: None,
    };
    let ended = worker::run(Task::Cycle, &desk.path, request, &mut seen).ok()?;
    let started = matches!(ended, Ended::Cycled(_)) && seen.ended();
    let (state, notes) = seen.started.map(heard).unwrap_or_default();
    Some(done(ended, started, state, notes))
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
    /// None where the worker holds it, and notes in it what is to be noted.
    lock: Option<&'a CycleLock>,
    circumstances: &'a Circumstances,
    started: Option<Result<Vec<Notice>, LedgerError>>,
}

impl Seen<'_> {
    /// The cycle has ended. Where there was nothing to do, what made it due is settled; what is wrong with the state file, the scan
    /// that follows says. Answers whether there was something to do.
    fn ended(&mut self) -> bool {
        if self.started.is_none() {
            let Circumstances { cadence, clock, .. } = self.circumstances;
            let _ = self.ledger.settle(cadence, clock.utc());
        }
        self.started.is_some()
    }
}

impl Watch for Seen<'_> {
    fn started(&mut self) {
        if let Some(lock) = self.lock {
            lock.note_unfinished(true);
        }
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

fn lock_issue(error: &LockError) -> Issue {
    Issue::from_error(".hipocampus/cycle.lock", error)
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
