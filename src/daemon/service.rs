//! The loop: every minute, and a moment after a log changes, it looks at each folder, decides what is due, and has it done.
//!
//! The `select!` in [`serve`] only picks an event; for one workspace its [`agenda`](super::agenda) decides. What takes time is done on two
//! threads that the workspaces share in turn; what goes wrong there, a panic included, concerns that workspace alone.

mod job;
mod pool;
mod runner;
mod turns;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::agenda::{BEAT, Event};
use super::child::Environment;
use super::clock::{Clock, Now, Zone};
use super::issue::{Issue, Source, sentence};
use super::lock::{LockError, RunLock};
use super::settings;
use super::signals::{Signal, Signals};
use super::systemd::Notifier;
use super::watcher::{Change, Hints, Watcher};
use super::workspace::Workspace;
use crate::config::{Home, UserConfig, WORKSPACE_FILE, expand_workspaces, load_user, load_workspace};
use job::Done;
pub use pool::THREADS;
use pool::{COLLECT, Finished, Pool};
use runner::WorkspaceRunner;
use turns::Turns;

/// The watcher's number for the user's configuration; workspaces are counted from 1.
const USER: usize = 0;
/// So many events of the watcher at most are looked at together.
const HEARD_MAX: usize = 1024;
/// A configuration is read again so long after it changed: editors write in several steps.
const RELOAD_AFTER: Duration = Duration::from_millis(500);
/// How often, and how far apart, it is looked at the start whether a workspace is free: two seconds, many times what a killed process takes.
const START_LOOKS: u32 = 40;
const START_LOOK: Duration = Duration::from_millis(50);
/// How long the end waits for the work under way. SIGTERM is answered within 5 seconds, whatever happens (SPEC section 13).
const WORK_ENDS_WITHIN: Duration = Duration::from_millis(3500);
/// How long it waits for qmd, which has 2 seconds between SIGTERM and SIGKILL.
const QMD_ENDS_WITHIN: Duration = Duration::from_millis(4300);

#[derive(Debug)]
pub struct Start {
    pub clock: Clock,
    pub home: Home,
    pub config: Option<PathBuf>,
    pub user: UserConfig,
    /// None: `workspaces` of the user's configuration, looked up again at every beat.
    pub folders: Option<Vec<PathBuf>>,
    pub notifier: Notifier,
    /// How often the service manager wants to hear that the loop turns.
    pub watchdog: Option<Duration>,
    pub environment: Environment,
}

/// Serves until it is told to end. The errors say why no workspace can be served, one each.
pub async fn serve(start: Start) -> Result<(), Vec<anyhow::Error>> {
    let deaf = |error| vec![anyhow::Error::new(error).context("cannot listen to signals")];
    let mut signals = Signals::listen().map_err(deaf)?;
    let (watcher, mut hearing) = Watcher::new();
    let mut heard = Vec::new();
    let mut service = Service::new(start, watcher);
    service.begin().await?;
    let mut turns = Turns::default();
    loop {
        service.turn();
        let index = service.start_index(&mut turns.index);
        let turn = index.min(service.start_summarizer(&mut turns.summarize));
        let wake = turn.min(service.next_wake());
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
            () = service.pool.ended() => {}
            Some(Ok(indexed)) = turns.index.join_next() => service.indexed(indexed),
            Some(Ok(summarized)) = turns.summarize.join_next() => service.summarized(summarized),
            () = sleep(wake) => {}
        }
    }
    service.end(turns).await;
    Ok(())
}

struct Service {
    start: Start,
    watcher: Watcher,
    pool: Pool,
    stop: watch::Sender<bool>,
    runners: BTreeMap<usize, WorkspaceRunner>,
    next_number: usize,
    /// Folders that cannot be served at present, and why, as it was last said.
    refused: BTreeMap<PathBuf, String>,
    said: HashSet<String>,
    reload_at: Option<Duration>,
    beat: Now,
    ready: bool,
    status: String,
    pinged: Duration,
}

impl Service {
    fn new(start: Start, watcher: Watcher) -> Self {
        let beat = start.clock.now(&Zone::System);
        let mut service = Self {
            watcher,
            pool: Pool::default(),
            stop: watch::Sender::new(false),
            runners: BTreeMap::new(),
            next_number: USER + 1,
            refused: BTreeMap::new(),
            said: HashSet::new(),
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
        warn(&mut service.said, &service.start.user.warnings);
        service
    }

    /// What is to be done between two events: what has ended, the beat, what time has brought, new work, and word to the service manager.
    fn turn(&mut self) {
        self.all_finished();
        let now = self.start.clock.now(&Zone::System);
        if now.since(self.beat) >= BEAT {
            self.beat = now;
            self.look_around_again();
            for number in self.numbers(|runner| runner.status.polled) {
                self.reload_workspace(number);
            }
            self.runners.values_mut().for_each(|runner| runner.handle(Event::Beat));
        }
        if self.reload_at.is_some_and(|at| at <= now.monotonic) {
            self.reload_user();
        }
        self.runners.values_mut().for_each(|runner| runner.wake(now));
        for (number, runner) in &mut self.runners {
            if let Some((job_state, context)) = runner.take_work() {
                self.pool.add((*number, job_state, context));
            }
        }
        self.report(now.monotonic);
    }

    fn next_wake(&self) -> Duration {
        let now = self.start.clock.now(&Zone::System);
        let beat = BEAT.saturating_sub(now.since(self.beat));
        let collect = (!self.pool.is_idle()).then_some(COLLECT);
        let reload = self.reload_at.map(|at| at.saturating_sub(now.monotonic));
        // Where the manager is content with a word a beat, no wake-up is added for it.
        let ping = self.start.watchdog.filter(|interval| *interval < BEAT);
        let ping = ping.map(|interval| (self.pinged + interval).saturating_sub(now.monotonic));
        let own = reload.into_iter().chain(ping).chain(collect).fold(beat, Duration::min);
        let runners = self.runners.values().map(|runner| runner.next_wake(now));
        runners.fold(own, Duration::min)
    }

    fn check_watches(&mut self) {
        self.watcher.check();
        let polled = self.watcher.polled();
        for (_, what) in polled.iter().filter(|(number, _)| *number == USER) {
            let what = format!("{what}; the configuration is read again on SIGHUP only");
            warn(&mut self.said, &[what]);
        }
        for (number, runner) in &mut self.runners {
            let own = polled.iter().filter(|(polled, _)| polled == number);
            let issues: Vec<Issue> = own.map(|(_, what)| Issue::warning(".", what)).collect();
            runner.status.polled = !issues.is_empty();
            runner.tell(Source::Watch, issues);
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

    fn all_finished(&mut self) {
        for finished in self.pool.take_finished() {
            self.finished(finished);
        }
    }

    /// Has work that waits for a thread ordered anew, with what holds then.
    fn put_off(&mut self, number: usize) {
        if let Some(job_state) = self.pool.take_back(number) {
            self.finished((number, job_state, Done::Busy));
        }
    }

    fn finished(&mut self, (number, job_state, done): Finished) {
        let Some(runner) = self.runners.get_mut(&number) else {
            return;
        };
        if !matches!(done, Done::LockLost) {
            return runner.finished(job_state, done);
        }
        // Its own folder was removed or replaced. A moment later it is looked whether it is still there: who is removing all of it must
        // not find `.hipocampus/` made again under his hands.
        if let Some(runner) = self.dismiss(number) {
            tracing::warn!(
                workspace = %runner.path.display(),
                "no longer served: its folder .hipocampus was removed or replaced; it is taken on anew if it is still there"
            );
        }
        let look_at = self.start.clock.monotonic() + RELOAD_AFTER;
        self.reload_at.get_or_insert(look_at);
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
        self.tell_manager(&format!("RELOADING=1\nMONOTONIC_USEC={now}"));
        self.reload_user();
        if self.ready {
            self.tell_manager(&format!("READY=1\nSTATUS={}", self.status));
        }
    }

    /// Says that the daemon is ready once every workspace was looked at, what it does, and that the loop turns when no work has hung.
    fn report(&mut self, monotonic: Duration) {
        let summary = self.summary();
        let before = std::mem::replace(&mut self.status, summary);
        let all_scanned = self.runners.values().all(|runner| runner.scanned);
        if !self.ready && all_scanned {
            self.tell_manager(&format!("READY=1\nSTATUS={}", self.status));
            self.ready = true;
            tracing::info!(workspaces = self.runners.len(), "ready");
        } else if self.ready && before != self.status {
            self.tell_manager(&format!("STATUS={}", self.status));
        }
        let Some(interval) = self.start.watchdog else {
            return;
        };
        let every = interval.min(BEAT);
        let hung = self.runners.values().any(|runner| runner.is_hung(monotonic));
        if !hung && monotonic.saturating_sub(self.pinged) >= every - every / 20 {
            self.tell_manager("WATCHDOG=1");
            self.pinged = monotonic;
        }
    }

    fn tell_manager(&self, message: &str) {
        // A manager that cannot be reached is nothing to act upon.
        let _ = self.start.notifier.tell(message);
    }

    fn summary(&self) -> String {
        let (served, refused) = (self.runners.len(), self.refused.len());
        let ending = if served == 1 { "" } else { "s" };
        let errors = self.runners.values().map(|runner| runner.open_issues.errors());
        let errors: usize = errors.sum();
        format!("keeping {served} workspace{ending}; not served: {refused}; errors: {errors}")
    }

    /// The end: work and turns under way are asked to end, and the counters are written.
    async fn end(mut self, mut turns: Turns) {
        tracing::info!("told to end");
        self.tell_manager("STOPPING=1");
        self.stop.send_replace(true);
        self.runners.values().for_each(WorkspaceRunner::stop);
        self.numbers(|_| true).into_iter().for_each(|number| self.put_off(number));
        let work = async {
            let all = async {
                while !self.pool.is_idle() {
                    self.pool.ended().await;
                }
            };
            let _ = timeout(WORK_ENDS_WITHIN, all).await;
            self.all_finished();
            self.runners.values_mut().for_each(WorkspaceRunner::close);
        };
        let ended = async {
            while turns.index.join_next().await.is_some() {}
            while turns.summarize.join_next().await.is_some() {}
        };
        let _ = tokio::join!(work, timeout(QMD_ENDS_WITHIN, ended));
        turns.index.shutdown().await;
        turns.summarize.shutdown().await;
    }
}

/// Which workspaces are served: who is taken on, who is let go, and which configuration each one runs with.
impl Service {
    /// Takes on everybody who is wanted when the daemon starts. Whoever has a workspace may be dying: that is waited for.
    async fn begin(&mut self) -> Result<(), Vec<anyhow::Error>> {
        let mut refusals = self.look_around();
        let is_held =
            |(_, why): &(PathBuf, anyhow::Error)| matches!(why.downcast_ref(), Some(LockError::Held { .. }));
        for _ in 0..START_LOOKS {
            if !refusals.iter().any(is_held) {
                break;
            }
            tracing::debug!("waiting a moment for another hipocampusd to end");
            sleep(START_LOOK).await;
            refusals = self.look_around();
        }
        if self.runners.is_empty() && !refusals.is_empty() {
            return Err(refusals.into_iter().map(|(_, refusal)| refusal).collect());
        }
        self.say_refusals(refusals);
        self.check_watches();
        Ok(())
    }

    /// Takes on the workspaces that are wanted, and lets go of the others. Answers who was refused.
    fn look_around(&mut self) -> Vec<(PathBuf, anyhow::Error)> {
        let wanted = self.wanted();
        for number in self.numbers(|runner| !wanted.contains(&runner.path)) {
            if let Some(runner) = self.dismiss(number) {
                let workspace = runner.path.display();
                tracing::info!(%workspace, "no longer served: its folder is gone, or no configuration names it");
            }
        }
        let mut refusals = Vec::new();
        for folder in wanted {
            if self.runners.values().all(|runner| runner.path != folder)
                && let Err(refusal) = self.take_on(&folder)
            {
                refusals.push((folder, refusal));
            }
        }
        refusals
    }

    /// Says in the log who was refused, and why, once until it is for another reason.
    fn say_refusals(&mut self, refusals: Vec<(PathBuf, anyhow::Error)>) {
        let refusals = refusals.into_iter();
        let refused = refusals.map(|(folder, refusal)| (folder, sentence(&*refusal)));
        let before = std::mem::replace(&mut self.refused, refused.collect());
        for (folder, reason) in &self.refused {
            if before.get(folder) != Some(reason) {
                tracing::error!(workspace = %folder.display(), reason, "a workspace is not served");
            }
        }
    }

    /// The numbers of the workspaces that are meant: what is done with one may change which are served.
    fn numbers(&self, is_meant: impl Fn(&WorkspaceRunner) -> bool) -> Vec<usize> {
        let meant = self.runners.iter().filter(|(_, runner)| is_meant(runner));
        meant.map(|(number, _)| *number).collect()
    }

    fn wanted(&mut self) -> Vec<PathBuf> {
        if let Some(folders) = &self.start.folders {
            let mut seen = HashSet::new();
            let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            let folders = folders.iter().filter(|folder| seen.insert(real(folder)));
            return folders.cloned().collect();
        }
        let home = self.start.home.folder.as_deref();
        let expanded = expand_workspaces(&self.start.user.workspaces, home);
        for pattern in expanded.unanswered {
            let what = "no folder with memory/ in it answers to this yet; it is looked for every minute";
            warn(&mut self.said, &[format!("{pattern}: {what}")]);
        }
        expanded.folders
    }

    fn take_on(&mut self, folder: &Path) -> Result<()> {
        let config = load_workspace(folder, &self.start.user)?;
        let workspace = Workspace::open(folder, true).map_err(|error| {
            let shown = folder.display();
            match error.is_missing() && !folder.join("memory").exists() {
                true => anyhow!("{shown} has no memory/ folder: run `hipocampusd init` on it, or add --init"),
                false => anyhow!(error).context(format!("cannot serve {shown}")),
            }
        })?;
        let lock = RunLock::take(&workspace)?;
        warn(&mut self.said, &config.warnings);
        let number = self.next_number;
        self.next_number += 1;
        self.watcher.add_workspace(number, folder);
        let runner = WorkspaceRunner::new(folder.to_owned(), config, lock, self.start.clock);
        self.runners.insert(number, runner);
        tracing::info!(workspace = %folder.display(), "serving");
        Ok(())
    }

    /// Lets go of a workspace. Work under way ends early and is then forgotten, the lock with it.
    fn dismiss(&mut self, number: usize) -> Option<WorkspaceRunner> {
        self.watcher.remove(number);
        self.put_off(number);
        let mut runner = self.runners.remove(&number)?;
        runner.stop();
        if runner.is_at_rest() {
            runner.close();
        }
        Some(runner)
    }

    /// Reads the user's configuration again, and every workspace's. One that cannot be used changes nothing.
    fn reload_user(&mut self) {
        self.reload_at = None;
        match load_user(self.start.config.as_deref(), &self.start.home) {
            Ok(user) if user == self.start.user => {}
            Ok(user) => {
                self.start.user = user;
                tracing::info!("the user's configuration was read again");
            }
            Err(error) => {
                let reason = sentence(&error);
                tracing::error!(reason, "the configuration from before stays in force");
            }
        }
        warn(&mut self.said, &self.start.user.warnings);
        for number in self.numbers(|_| true) {
            self.reload_workspace(number);
        }
        self.look_around_again();
    }

    fn look_around_again(&mut self) {
        let refusals = self.look_around();
        self.say_refusals(refusals);
        self.check_watches();
    }

    fn reload_workspace(&mut self, number: usize) {
        let Some(runner) = self.runners.get_mut(&number) else {
            return;
        };
        match load_workspace(&runner.path, &self.start.user) {
            Ok(config) => {
                warn(&mut self.said, &config.warnings);
                if runner.configure(config) {
                    tracing::info!(workspace = %runner.path.display(), "the configuration was read again");
                    self.put_off(number);
                }
            }
            Err(error) => {
                let what = sentence(&error) + "; the configuration from before stays in force";
                runner.tell(Source::Configuration, vec![Issue::error(WORKSPACE_FILE, what)]);
            }
        }
    }
}

fn warn(said: &mut HashSet<String>, what: &[String]) {
    for what in what {
        if said.insert(what.clone()) {
            tracing::warn!("{what}");
        }
    }
}

#[cfg(test)]
mod tests;
