//! The loop: every minute, and a moment after a log changes, it looks at each folder, decides what is due, and has that
//! much done.
//!
//! The `select!` in [`serve`] only picks an event and hands it on. Everything that is decided is decided by plain functions between two
//! events, and for one workspace by its [`agenda`](super::agenda). What takes time is done on two threads that the
//! workspaces share in turn; what goes wrong there, a panic included, concerns that workspace alone.

mod job;
mod open_issues;
mod registry;
mod runner;

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use super::agenda::{BEAT, Event};
use super::clock::{Clock, Now, Zone, iso};
use super::issue::Issue;
use super::qmd;
use super::settings;
use super::signals::{Signal, Signals};
use super::summarizer::{self, SummaryRequest, Turn};
use super::systemd::Notifier;
use super::watcher::{Change, Hints, Watcher};
use crate::config::{Home, UserConfig};
use job::{Done, JobState};
use runner::{JobResult, WorkspaceRunner};

/// The watcher's number for the user's configuration; workspaces are counted from 1.
const USER: usize = 0;
const AT_ONCE: usize = 2;
/// So many events of the watcher at most are looked at together.
const HEARD_MAX: usize = 1024;
/// A configuration is read again so long after it changed: editors write in several steps.
const RELOAD_AFTER: Duration = Duration::from_millis(500);
/// The loop's own beat may come this much early, to fall together with those of the workspaces.
const SLACK: Duration = Duration::from_secs(1);
/// How long the end waits for the work under way. SIGTERM is answered within 5 seconds, whatever happens (SPEC section 13).
const WORK_ENDS_WITHIN: Duration = Duration::from_millis(3500);
/// How long it waits for qmd, which has 2 seconds between SIGTERM and SIGKILL.
const QMD_ENDS_WITHIN: Duration = Duration::from_millis(4300);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Folders(Vec<PathBuf>),
    /// `workspaces` of the user's configuration, looked up again at every beat.
    Configuration,
}

#[derive(Debug)]
pub struct Start {
    pub clock: Clock,
    pub home: Home,
    pub config: Option<PathBuf>,
    pub user: UserConfig,
    pub source: Source,
    pub notifier: Notifier,
    /// How often the service manager wants to hear that the loop turns.
    pub watchdog: Option<Duration>,
    /// The environment this program was started with; qmd gets a part of it.
    pub environment: Vec<(OsString, OsString)>,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen to signals")]
    Signals(#[source] io::Error),
    #[error("no workspace can be served")]
    Refused(Vec<anyhow::Error>),
    #[error("a fault in hipocampusd itself: the queue of qmd has ended")]
    QueueEnded,
}

pub async fn serve(start: Start) -> Result<(), ServeError> {
    let mut signals = Signals::listen().map_err(ServeError::Signals)?;
    let (watcher, mut hearing) = Watcher::new();
    let mut heard = Vec::new();
    let (report, mut reports) = mpsc::unbounded_channel();
    let (stop, stopped) = watch::channel(false);
    let clock = start.clock;
    let now = move || iso(clock.utc());
    let (qmd, queue) = qmd::service(report, now, stopped.clone());
    let (report, mut turns) = mpsc::unbounded_channel();
    let (summarizer, asking) = summarizer::service(report, clock, stopped);
    let mut service = Service::new(start, watcher, qmd, summarizer);
    service.begin().await?;
    let mut jobs = JoinSet::new();
    let mut queue = tokio::spawn(async {
        tokio::join!(queue, asking);
    });
    loop {
        service.turn(&mut jobs);
        let wake = service.next_wake();
        tokio::select! {
            signal = signals.next() => match signal {
                Signal::Terminate => break,
                Signal::Reload => service.reload_on_request(),
                Signal::CycleNow => service.cycle_now(),
            },
            _ = hearing.recv_many(&mut heard, HEARD_MAX) => {
                let hints = service.watcher.understand(heard.drain(..));
                service.hinted(&hints);
            }
            Some(finished) = jobs.join_next() => service.finished(finished),
            Some(report) = reports.recv() => service.indexed(report),
            Some(report) = turns.recv() => service.summarized(report),
            () = sleep(wake) => {}
            _ = &mut queue => return Err(ServeError::QueueEnded),
        }
    }
    // Every receiver hears of it, or is gone already.
    let _ = stop.send(true);
    service.end(jobs, queue).await;
    Ok(())
}

/// Whose work ended, and how. No error is to be expected: a panic in the work is a [`Done`] of its own.
type Finished = (usize, JobState, Done);

struct Service {
    start: Start,
    watcher: Watcher,
    qmd: UnboundedSender<qmd::Request>,
    summarizer: UnboundedSender<SummaryRequest>,
    runners: BTreeMap<usize, WorkspaceRunner>,
    next_number: usize,
    served_last: usize,
    /// Folders that cannot be served at present, and why, as it was last said.
    refused: BTreeMap<PathBuf, String>,
    said: HashSet<String>,
    user_fault: Option<String>,
    reload_at: Option<Duration>,
    beat: Now,
    ready: bool,
    status: String,
    pinged: Duration,
}

impl Service {
    fn new(
        start: Start,
        watcher: Watcher,
        qmd: UnboundedSender<qmd::Request>,
        summarizer: UnboundedSender<SummaryRequest>,
    ) -> Self {
        let beat = start.clock.now(&Zone::System);
        let mut service = Self {
            watcher,
            qmd,
            summarizer,
            runners: BTreeMap::new(),
            next_number: USER + 1,
            served_last: USER,
            refused: BTreeMap::new(),
            said: HashSet::new(),
            user_fault: None,
            reload_at: None,
            beat,
            ready: false,
            status: String::new(),
            pinged: beat.monotonic,
            start,
        };
        let (config, home) = (&service.start.config, &service.start.home);
        if let Some(file) = config.clone().or_else(|| home.config_file()) {
            service.watcher.add_file(USER, &file);
        }
        service.warn_user();
        service
    }

    /// What is to be done between two events: the beat, what time has brought, new work, and word to the service manager.
    fn turn(&mut self, jobs: &mut JoinSet<Finished>) {
        let now = self.start.clock.now(&Zone::System);
        if now.since(self.beat) >= BEAT.saturating_sub(SLACK) {
            self.beat = now;
            self.on_beat();
        }
        if self.reload_at.is_some_and(|at| at <= now.monotonic) {
            self.reload_user();
        }
        self.runners.values_mut().for_each(WorkspaceRunner::wake);
        self.start_work(jobs);
        self.tell_manager(now.monotonic);
    }

    /// Gives work to the threads that are free. The workspaces take turns, so that a busy one starves nobody.
    fn start_work(&mut self, jobs: &mut JoinSet<Finished>) {
        let last = self.served_last;
        let (before, after): (Vec<usize>, Vec<usize>) =
            self.runners.keys().partition(|number| **number <= last);
        for number in after.into_iter().chain(before) {
            if jobs.len() == AT_ONCE {
                return;
            }
            let taken = self.runners.get_mut(&number).and_then(WorkspaceRunner::take_work);
            if let Some((job_state, work, context)) = taken {
                self.served_last = number;
                jobs.spawn_blocking(move || {
                    let (job_state, done) = job::work(job_state, &work, &context);
                    (number, job_state, done)
                });
            }
        }
    }

    fn next_wake(&self) -> Duration {
        let now = self.start.clock.now(&Zone::System);
        let beat = (BEAT + SLACK).saturating_sub(now.since(self.beat));
        let reload = self.reload_at.map(|at| at.saturating_sub(now.monotonic));
        // Where the manager is content with a word a beat, no wake-up is added for it.
        let ping = self.start.watchdog.filter(|interval| *interval < BEAT);
        let ping = ping.map(|interval| (self.pinged + interval).saturating_sub(now.monotonic));
        let own = reload.into_iter().chain(ping).fold(beat, Duration::min);
        let runners = self.runners.values().map(WorkspaceRunner::next_wake);
        runners.fold(own, Duration::min)
    }

    fn on_beat(&mut self) {
        self.look_around_again();
        for number in self.numbers(|runner| runner.status.polled) {
            self.reload_workspace(number);
        }
        self.runners.values_mut().for_each(WorkspaceRunner::beat);
    }

    fn check_watches(&mut self) {
        self.watcher.check();
        let polled = self.watcher.polled();
        for (_, what) in polled.iter().filter(|(number, _)| *number == USER) {
            self.warn(&format!("{what}; the configuration is read again on SIGHUP only"));
        }
        for (number, runner) in &mut self.runners {
            let own = polled.iter().filter(|(polled, _)| polled == number);
            let issues = own.map(|(_, what)| Issue::warning(".", what)).collect();
            runner.watched(issues);
        }
    }

    fn hinted(&mut self, hints: &Hints) {
        for (number, change) in hints {
            let runner = self.runners.get_mut(number);
            match (change, runner) {
                (Change::Memory | Change::Everything, Some(runner)) => runner.handle(Event::Hint),
                // A command may cost money; its cooldown rules.
                (Change::Settle, Some(runner)) if !settings::is_command(&runner.settings) => {
                    runner.handle(Event::CycleNow);
                }
                _ => {}
            }
        }
        let any = |wanted| hints.iter().any(|(_, change)| *change == wanted);
        if any(Change::Configuration) || any(Change::Everything) {
            let reload_at = self.start.clock.monotonic() + RELOAD_AFTER;
            self.reload_at.get_or_insert(reload_at);
        }
        if any(Change::Everything) {
            self.check_watches();
        }
    }

    fn finished(&mut self, finished: Result<Finished, JoinError>) {
        let Ok((number, job_state, done)) = finished else {
            return;
        };
        let Some(runner) = self.runners.get_mut(&number) else {
            return;
        };
        match runner.finished(job_state, done) {
            JobResult::Nothing => {}
            JobResult::Wrote => {
                if runner.settings.search.enabled {
                    let settings = settings::qmd(&self.start.user, &runner.settings, &self.start.environment);
                    // Without its task there is no search index to care for: the daemon is about to end.
                    let _ = self.qmd.send(qmd::Request {
                        workspace: runner.path.clone(),
                        settings: Some(settings),
                    });
                }
                self.wish(number);
            }
            JobResult::LockLost => self.take_anew(number),
        }
    }

    fn indexed(&mut self, report: qmd::Report) {
        if let Some(runner) = self.runner_of(&report.workspace) {
            runner.status.qmd = Some(report.result);
        }
    }

    fn wish(&self, number: usize) {
        let Some(runner) = self.runners.get(&number) else {
            return;
        };
        // Without its task nobody is asked: the daemon is about to end.
        let _ = self.summarizer.send(SummaryRequest {
            workspace: runner.path.clone(),
            orders: settings::orders(&self.start.user, &runner.settings, &self.start.environment),
            zone: settings::zone(&runner.settings),
        });
    }

    /// What became of a turn. An answer is put in its place by a cycle.
    fn summarized(&mut self, report: summarizer::Report) {
        let Some(runner) = self.runner_of(&report.workspace) else {
            return;
        };
        let workspace = report.workspace.display();
        let issue = match report.turn {
            Turn::Answered(node) => {
                tracing::info!(%workspace, node, "a summary has come");
                runner.handle(Event::CycleNow);
                None
            }
            Turn::Failed(node, what) => Some(Issue::warning(&node, format!("no summary: {what}"))),
            Turn::Unable(what) => Some(Issue::warning(".hipocampus/summarizer.json", what)),
            Turn::Nothing(_) | Turn::Stopped => return,
        };
        runner.tell(open_issues::Source::Summarizer, issue.into_iter().collect());
    }

    fn runner_of(&mut self, workspace: &Path) -> Option<&mut WorkspaceRunner> {
        let mut runners = self.runners.values_mut();
        runners.find(|runner| runner.path == workspace)
    }

    fn cycle_now(&mut self) {
        tracing::info!("told to run a cycle now");
        for runner in self.runners.values_mut() {
            runner.handle(Event::CycleNow);
        }
    }

    fn reload_on_request(&mut self) {
        tracing::info!("told to read the configuration again");
        let now = self.start.clock.monotonic_microseconds();
        let _ = self.start.notifier.reloading(now);
        self.user_fault = None;
        self.reload_user();
        if self.ready {
            let _ = self.start.notifier.ready(&self.status);
        }
    }

    /// The end: work under way is asked to end, qmd has been told already, and the counters are written.
    async fn end(mut self, mut jobs: JoinSet<Finished>, mut queue: JoinHandle<()>) {
        tracing::info!("told to end");
        let _ = self.start.notifier.stopping();
        self.runners.values().for_each(WorkspaceRunner::stop);
        let work = async {
            let all = async {
                while let Some(finished) = jobs.join_next().await {
                    self.finished(finished);
                }
            };
            let _ = timeout(WORK_ENDS_WITHIN, all).await;
            self.runners.values_mut().for_each(WorkspaceRunner::close);
        };
        let (_, ended) = tokio::join!(work, timeout(QMD_ENDS_WITHIN, &mut queue));
        if ended.is_err() {
            // Dropping it kills what is left of qmd.
            queue.abort();
            let _ = queue.await;
        }
    }
}

impl Service {
    /// Says that the daemon is ready, once every workspace has been looked at; what it does, when that has changed; and
    /// that the loop turns, when it is time to and no work has hung.
    fn tell_manager(&mut self, monotonic: Duration) {
        // A manager that cannot be reached is nothing to act upon.
        let notifier = &self.start.notifier;
        let summary = self.summary();
        let before = std::mem::replace(&mut self.status, summary);
        let all_scanned = self.runners.values().all(|runner| runner.scanned);
        if !self.ready && all_scanned {
            let _ = notifier.ready(&self.status);
            self.ready = true;
            tracing::info!(workspaces = self.runners.len(), "ready");
        } else if self.ready && before != self.status {
            let _ = notifier.status(&self.status);
        }
        let Some(interval) = self.start.watchdog else {
            return;
        };
        let every = interval.min(BEAT);
        let hung = self.runners.values().any(|runner| runner.is_hung(monotonic));
        if !hung && monotonic.saturating_sub(self.pinged) >= every - every / 20 {
            let _ = self.start.notifier.watchdog();
            self.pinged = monotonic;
        }
    }

    fn summary(&self) -> String {
        let mut line = match self.runners.len() {
            0 => "no workspace yet".to_owned(),
            1 => "keeping 1 workspace".to_owned(),
            count => format!("keeping {count} workspaces"),
        };
        let runners = || self.runners.values();
        let compacting = runners().filter(|runner| runner.is_compacting()).count();
        let errors: usize = runners().map(|runner| runner.open_issues.errors()).sum();
        for (count, words) in [
            (compacting, "in a cycle"),
            (self.refused.len(), "not served"),
            (errors, "errors, see hipocampusd status"),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(line, ", {count} {words}");
            }
        }
        line
    }
}
