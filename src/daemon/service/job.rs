//! The work itself, on a thread of its own: counting, cycles, and the small files. It blocks; the loop never does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::daemon::clock::{Clock, Now, Zone};
use crate::daemon::cycle::{self, CycleSettings, Outcome, Progress, Request};
use crate::daemon::issue::{Issue, Source};
use crate::daemon::ledger::{FILE_NAME, Ledger};
use crate::daemon::lock::RunLock;
use crate::daemon::settle;
use crate::daemon::status_file::StatusFile;
use crate::daemon::worker::{self, Ended, Task};
use crate::daemon::workspace::{Folder, Result, Workspace};
use crate::memory::trigger::Counters;

#[derive(Debug, Default)]
pub(super) struct JobState {
    pub(super) path: PathBuf,
    pub(super) ledger: Ledger,
    /// What was counted last, and the look of the folder it was counted in.
    counted: Option<(u64, Counters)>,
    /// Whether `status` could not be told; the next look at the folder tries again.
    is_untold: bool,
    pub(super) found: Vec<(Source, Vec<Issue>)>,
    /// When the work began.
    pub(super) started: Option<Now>,
}

impl JobState {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, ..Self::default() }
    }

    fn hear(&mut self, answer: Result<()>) {
        let path = Folder::Memory.file(FILE_NAME);
        let notice = self.ledger.take_notice();
        let note = notice.map(|what| Issue::warning(&path, what));
        self.found.push((Source::Note, note.into_iter().collect()));
        let wrong = answer.err().map(|error| Issue::from_error(&path, &error));
        self.found.push((Source::State, wrong.into_iter().collect()));
    }
}

#[derive(Debug)]
pub(super) struct JobContext {
    /// None: only `status` is to be told.
    pub(super) task: Option<Task>,
    pub(super) settings: CycleSettings,
    pub(super) cooldown_hours: f64,
    pub(super) zone: Zone,
    pub(super) clock: Clock,
    pub(super) shared: Arc<Shared>,
    pub(super) status: StatusFile,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) lock: RunLock,
    pub(super) stop: AtomicBool,
    /// In milliseconds of the monotonic clock.
    life: AtomicU64,
}

impl Shared {
    pub(super) fn new(lock: RunLock) -> Arc<Self> {
        let (stop, life) = (AtomicBool::default(), AtomicU64::default());
        Arc::new(Self { lock, stop, life })
    }

    pub(super) fn alive(&self, monotonic: Duration) {
        let milliseconds = u64::try_from(monotonic.as_millis()).unwrap_or(u64::MAX);
        self.life.store(milliseconds, Ordering::Relaxed);
    }

    /// Work that waits for its turn is not silent.
    pub(super) fn waits(&self) {
        self.alive(Duration::MAX);
    }

    pub(super) fn silent_for(&self, monotonic: Duration) -> Duration {
        monotonic.saturating_sub(Duration::from_millis(self.life.load(Ordering::Relaxed)))
    }
}

#[derive(Debug)]
pub(super) enum Done {
    /// Whether the counters or the last run are others than they were, and whether the last cycle was cut short.
    Scanned {
        unfinished: bool,
        changed: bool,
    },
    /// A cycle has ended. `started` is false when nothing was due.
    Cycled {
        outcome: Outcome,
        started: bool,
    },
    ToldStatus,
    /// Another process runs a cycle just now, or the work was put off before it began. To be tried again in a moment.
    Busy,
    /// `.hipocampus/` was removed or replaced, and the lock with it.
    LockLost,
    /// The folder cannot be used, or the work or its process did not come to its end.
    Failed(Source, Issue),
}

/// Does the work. A panic ends as [`Done::Failed`] with a fresh job state: whatever it left half done in memory is read again from disk.
pub(super) fn work(
    mut job_state: JobState,
    attempt: impl FnOnce(&mut JobState) -> Result<Done>,
) -> (JobState, Done) {
    match catch_unwind(AssertUnwindSafe(|| attempt(&mut job_state))) {
        Ok(Ok(done)) => (job_state, done),
        Ok(Err(error)) => {
            let issue = Issue::from_error(".", &error);
            (job_state, Done::Failed(Source::Folder, issue))
        }
        Err(payload) => {
            let issue = Issue::error(".", worker::fault(payload.as_ref()));
            (JobState::new(job_state.path), Done::Failed(Source::Crash, issue))
        }
    }
}

pub(super) fn attempt(job_state: &mut JobState, context: &JobContext) -> Result<Done> {
    // It may have waited for its turn.
    let now = context.clock.now(&context.zone);
    context.shared.alive(now.monotonic);
    job_state.started = Some(now);
    if context.shared.stop.load(Ordering::Relaxed) {
        return Ok(Done::Busy);
    }
    // Of the jobs only the worker makes folders: who looks must not put them back under the hands of somebody who removes them.
    let workspace = Workspace::open(&job_state.path, false)?;
    if !context.shared.lock.is_current(&workspace) {
        return Ok(Done::LockLost);
    }
    if context.task.is_none() || job_state.is_untold {
        // That it could not be written is said nowhere, for this file says what is wrong.
        job_state.is_untold = context.status.write(&workspace).is_err();
    }
    let Some(task) = context.task else {
        return Ok(Done::ToldStatus);
    };
    if task == Task::Count {
        return count(job_state, &workspace, request(context, now));
    }
    let asked = settle::asked(&workspace);
    let done = run_cycle(job_state, &workspace, context, request(context, now));
    if matches!(done, Done::Cycled { .. }) {
        settle::answer(&workspace, asked);
    }
    Ok(done)
}

/// SPEC section 5: what a bulk run ends in is what single cycles end in, and it is far cheaper.
fn request(context: &JobContext, now: Now) -> Request<'_> {
    let mut request = Request::new(&context.settings, now.moment, now.wall);
    request.stop = &context.shared.stop;
    request
}

fn count(job_state: &mut JobState, workspace: &Workspace, request: Request<'_>) -> Result<Done> {
    let look = cycle::fingerprint(workspace, request)?;
    let known = job_state.counted.filter(|(counted, _)| Some(*counted) == look);
    let (counters, strays, unfinished) = match known {
        Some((_, counters)) => (counters, Vec::new(), false),
        None => match worker::run(Task::Count, &job_state.path, request, &mut |_| {}) {
            Ended::Done { outcome, unfinished } => {
                job_state.counted = look.map(|look| (look, outcome.uncovered));
                (outcome.uncovered, outcome.issues.unwrap_or_default(), unfinished)
            }
            other => return Ok(done(other, false)),
        },
    };
    let ledger = &mut job_state.ledger;
    let before = (ledger.last_run(), ledger.counters());
    let noted = recount(ledger, workspace, counters);
    let changed = before != (ledger.last_run(), ledger.counters());
    job_state.hear(noted);
    job_state.found.push((Source::Note, strays));
    Ok(Done::Scanned { unfinished, changed })
}

fn recount(ledger: &mut Ledger, workspace: &Workspace, counters: Counters) -> Result<()> {
    let refreshed = ledger.refresh(workspace);
    ledger.recounted(counters);
    refreshed.and_then(|()| ledger.write(workspace)).map(drop)
}

fn run_cycle(
    job_state: &mut JobState,
    workspace: &Workspace,
    context: &JobContext,
    request: Request<'_>,
) -> Done {
    let (ledger, mut started) = (&mut job_state.ledger, None);
    let mut hear = |progress| match progress {
        // SPEC section 10: the state is taken down when the cycle starts.
        Progress::Started => started = Some(ledger.start_cycle(workspace, context.clock.utc())),
        Progress::Done(..) => context.shared.alive(context.clock.monotonic()),
    };
    let ended = worker::run(Task::Cycle, &job_state.path, request, &mut hear);
    let is_started = started.is_some();
    if let Ended::Done { outcome, .. } = &ended {
        // If nothing was due, what called it due is settled. What the cycle left is counted: whatever a later scan finds beyond is new.
        let (cooldown_hours, now) = (context.cooldown_hours, context.clock.utc());
        let noted = started.unwrap_or_else(|| ledger.settle(workspace, cooldown_hours, now).map(drop));
        started = Some(noted.and_then(|()| recount(ledger, workspace, outcome.uncovered)));
    }
    if let Some(noted) = started {
        job_state.hear(noted);
    }
    done(ended, is_started)
}

fn done(ended: Ended, started: bool) -> Done {
    match ended {
        Ended::Done { outcome, .. } => Done::Cycled { outcome, started },
        Ended::Busy => Done::Busy,
        Ended::NoFolder(what) => Done::Failed(Source::Folder, Issue::error(".", what)),
        Ended::Crashed(what) => Done::Failed(Source::Crash, Issue::error(".", what)),
    }
}

#[cfg(test)]
mod tests;
