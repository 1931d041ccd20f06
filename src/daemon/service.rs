//! The loop: every minute, and a moment after a log changes, it looks at each folder, decides what is due, and has that
//! much done.
//!
//! The `select!` in [`serve`] only picks an event. Everything that is decided is decided by plain functions between two
//! events, and for one workspace by its [`agenda`](super::agenda). What takes time is done on two threads that the
//! workspaces share in turn (`works`); what goes wrong there, a panic included, is that workspace's trouble alone.

mod job;
mod keeper;
mod manager;
mod roster;
mod summaries;
mod trouble;
mod works;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::agenda::{BEAT, Event as AgendaEvent};
use super::clock::{Clock, Now, Zone, iso};
use super::qmd::{self, Qmd};
use super::settings;
use super::signals::{Signal, Signals};
use super::summarizer::{self, Summarizer};
use super::systemd::Notifier;
use super::watcher::{Changes, Watcher};
use crate::config::{Home, UserConfig, Warning};
use keeper::{Aftermath, Keeper};
pub use roster::Refusal;
use works::{Finished, Works};

/// The watcher's number for the user's configuration; workspaces are counted from 1.
const USER: usize = 0;
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
    Refused(Vec<Refusal>),
    /// The queue of qmd has ended by itself.
    #[error("a fault in hipocampusd itself: the queue of qmd has ended")]
    QueueEnded,
}

enum Event {
    Woke,
    Signal(Signal),
    Hints(BTreeMap<usize, Changes>),
    Finished(Box<Finished>),
    Qmd(qmd::Report),
    Summarized(summarizer::Report),
}

/// Runs until a signal ends it.
pub async fn serve(start: Start) -> Result<(), ServeError> {
    let mut signals = Signals::listen().map_err(ServeError::Signals)?;
    let (watcher, mut hints) = Watcher::new();
    let (report, mut reports) = mpsc::unbounded_channel();
    let (stop, stopped) = watch::channel(false);
    let clock = start.clock;
    let now = move || iso(clock.utc());
    let (qmd, queue) = qmd::service(report, now, stopped.clone());
    let (report, mut turns) = mpsc::unbounded_channel();
    let (summarizer, asking) = summarizer::service(report, clock, stopped);
    let mut service = Service::new(start, watcher, qmd, summarizer);
    service.begin().await?;
    let mut works = Works::default();
    let mut queue = tokio::spawn(async {
        tokio::join!(queue, asking);
    });
    loop {
        service.turn(&mut works);
        let wake = service.next_wake();
        let event = tokio::select! {
            signal = signals.next() => Event::Signal(signal),
            hints = hints.next() => Event::Hints(hints),
            Some(finished) = works.finished() => Event::Finished(Box::new(finished)),
            Some(report) = reports.recv() => Event::Qmd(report),
            Some(report) = turns.recv() => Event::Summarized(report),
            () = sleep(wake) => Event::Woke,
            _ = &mut queue => return Err(ServeError::QueueEnded),
        };
        match event {
            Event::Woke => {}
            Event::Signal(Signal::Terminate) => break,
            Event::Signal(Signal::Reload) => service.reload_on_request(),
            Event::Signal(Signal::CycleNow) => service.cycle_now(),
            Event::Hints(hints) => service.hinted(&hints),
            Event::Finished(finished) => service.finished(*finished),
            Event::Qmd(report) => service.indexed(report),
            Event::Summarized(report) => service.summarized(report),
        }
    }
    // Every receiver hears of it, or is gone already.
    let _ = stop.send(true);
    service.end(works, queue).await;
    Ok(())
}

struct Service {
    start: Start,
    watcher: Watcher,
    qmd: Qmd,
    summarizer: Summarizer,
    keepers: BTreeMap<usize, Keeper>,
    next_number: usize,
    /// Folders that cannot be served at present, and why, as it was last said.
    refused: BTreeMap<PathBuf, String>,
    /// Folders that were let go of to be taken on anew.
    between: Vec<PathBuf>,
    /// What was said about configurations, and need not be said again.
    said: HashSet<Warning>,
    unanswered: BTreeSet<String>,
    user_fault: Option<String>,
    reload_at: Option<Duration>,
    beat: Now,
    ready: bool,
    status: String,
    pinged: Duration,
}

impl Service {
    fn new(start: Start, watcher: Watcher, qmd: Qmd, summarizer: Summarizer) -> Self {
        let beat = start.clock.now(&Zone::System);
        let mut service = Self {
            watcher,
            qmd,
            summarizer,
            keepers: BTreeMap::new(),
            next_number: USER + 1,
            refused: BTreeMap::new(),
            between: Vec::new(),
            said: HashSet::new(),
            unanswered: BTreeSet::new(),
            user_fault: None,
            reload_at: None,
            beat,
            ready: false,
            status: String::new(),
            pinged: beat.monotonic,
            start,
        };
        if let Some(file) = service
            .start
            .config
            .clone()
            .or_else(|| service.start.home.config_file())
        {
            service.watcher.add_file(USER, &file);
        }
        service.warn_user();
        service
    }

    /// What is to be done between two events: the beat, what time has brought, new work, and word to the service manager.
    fn turn(&mut self, works: &mut Works) {
        let now = self.start.clock.now(&Zone::System);
        if now.since(self.beat) >= BEAT.saturating_sub(SLACK) {
            self.beat = now;
            self.on_beat();
        }
        if self.reload_at.is_some_and(|at| at <= now.monotonic) {
            self.reload_user();
        }
        let numbers: Vec<usize> = self.keepers.keys().copied().collect();
        for number in numbers {
            let Some(keeper) = self.keepers.get_mut(&number) else {
                continue;
            };
            if keeper.reload_at.is_some_and(|at| at <= now.monotonic) {
                self.reload_workspace(number);
            }
            let Some(keeper) = self.keepers.get_mut(&number) else {
                continue;
            };
            keeper.wake();
            if keeper.wants_work() {
                works.ask(number);
            }
        }
        while let Some(number) = works.next() {
            if let Some((desk, work, circumstances)) =
                self.keepers.get_mut(&number).and_then(Keeper::take_work)
            {
                works.start(number, desk, work, circumstances);
            }
        }
        self.tell_manager(now.monotonic);
    }

    fn next_wake(&self) -> Duration {
        let now = self.start.clock.now(&Zone::System);
        let beat = (BEAT + SLACK).saturating_sub(now.since(self.beat));
        let reload = self.reload_at.map(|at| at.saturating_sub(now.monotonic));
        // Where the manager is content with a word a beat, no wake-up is added for it.
        let ping = self.start.watchdog.filter(|interval| *interval < BEAT);
        let ping = ping.map(|interval| (self.pinged + interval).saturating_sub(now.monotonic));
        let own = reload.into_iter().chain(ping).fold(beat, Duration::min);
        self.keepers
            .values()
            .map(Keeper::next_wake)
            .fold(own, Duration::min)
    }

    fn on_beat(&mut self) {
        self.look_around_and_say();
        self.check_watches();
        let polled: Vec<usize> = self
            .keepers
            .iter()
            .filter(|(_, keeper)| keeper.is_polled())
            .map(|(number, _)| *number)
            .collect();
        for number in polled {
            self.reload_workspace(number);
        }
        self.keepers.values_mut().for_each(Keeper::beat);
    }

    /// Puts the watches in order, and tells each workspace whether it is watched.
    fn check_watches(&mut self) {
        for unwatched in self.watcher.check() {
            if unwatched.workspace == USER {
                tracing::warn!(%unwatched, "the configuration is read again on SIGHUP only");
            }
        }
        let polled = self.watcher.polled();
        for (number, keeper) in &mut self.keepers {
            let reasons = polled.iter().filter(|unwatched| unwatched.workspace == *number);
            keeper.watched(&reasons.map(ToString::to_string).collect::<Vec<_>>());
        }
    }

    fn hinted(&mut self, hints: &BTreeMap<usize, Changes>) {
        let reload_at = self.start.clock.monotonic() + RELOAD_AFTER;
        for (number, changes) in hints {
            let configuration = changes.configuration || changes.everything;
            if *number == USER && configuration {
                self.reload_at.get_or_insert(reload_at);
            }
            let Some(keeper) = self.keepers.get_mut(number) else {
                continue;
            };
            if configuration {
                keeper.reload_at.get_or_insert(reload_at);
            }
            if changes.logs || changes.state || changes.everything {
                keeper.handle(AgendaEvent::Hint);
            }
        }
        if hints.values().any(|changes| changes.everything) {
            self.check_watches();
        }
    }

    fn finished(&mut self, (number, end): Finished) {
        let Some(keeper) = self.keepers.get_mut(&number) else {
            return;
        };
        let aftermath = keeper.finished(end);
        if aftermath == Aftermath::Wrote {
            self.wish(number);
        }
        let Some(keeper) = self.keepers.get(&number) else {
            return;
        };
        match aftermath {
            Aftermath::Nothing => {}
            Aftermath::Wrote if keeper.settings.search.enabled => {
                let settings = settings::qmd(&self.start.user, &keeper.settings, &self.start.environment);
                self.qmd.request(qmd::Request {
                    workspace: keeper.path.clone(),
                    settings: Some(settings),
                });
            }
            Aftermath::Wrote => {}
            Aftermath::LockLost => {
                let look_at = self.start.clock.monotonic() + RELOAD_AFTER;
                self.take_anew(number, look_at);
            }
        }
    }

    fn indexed(&mut self, report: qmd::Report) {
        let keeper = self
            .keepers
            .values_mut()
            .find(|keeper| keeper.path == report.workspace);
        if let Some(keeper) = keeper {
            keeper.indexed(report.result);
        }
    }

    fn cycle_now(&mut self) {
        tracing::info!("told to run a cycle now");
        self.keepers
            .values_mut()
            .for_each(|keeper| keeper.handle(AgendaEvent::CycleNow));
    }

    fn reload_on_request(&mut self) {
        tracing::info!("told to read the configuration again");
        let _ = self
            .start
            .notifier
            .reloading(self.start.clock.monotonic_microseconds());
        self.user_fault = None;
        self.reload_user();
        if self.ready {
            let _ = self.start.notifier.ready(&self.status);
        }
    }

    /// The end: work under way is asked to end, qmd has been told already, and the counters are written.
    async fn end(mut self, mut works: Works, mut queue: JoinHandle<()>) {
        tracing::info!("told to end");
        let _ = self.start.notifier.stopping();
        works.close();
        self.keepers.values().for_each(Keeper::stop);
        let work = async {
            let all = async {
                while let Some(finished) = works.finished().await {
                    self.finished(finished);
                }
            };
            let _ = timeout(WORK_ENDS_WITHIN, all).await;
            self.keepers.values_mut().for_each(Keeper::close);
        };
        let (_, ended) = tokio::join!(work, timeout(QMD_ENDS_WITHIN, &mut queue));
        if ended.is_err() {
            // Dropping it kills what is left of qmd.
            queue.abort();
            let _ = queue.await;
        }
    }
}
