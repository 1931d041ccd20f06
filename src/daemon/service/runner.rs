//! One workspace as the loop sees it: its agenda, the orders not carried out yet, and what is known of it.
//!
//! It decides nothing itself: events go to the agenda, and what the agenda answers is carried out in order.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::job::{Done, JobContext, JobState, Shared};
use crate::config::{Settings, WorkspaceConfig};
use crate::daemon::agenda::{Action, Agenda, BEAT, Event, Reason};
use crate::daemon::clock::{Clock, Now, iso};
use crate::daemon::issue::{Issue, OpenIssues, Severity, Source, sentence};
use crate::daemon::lock::RunLock;
use crate::daemon::status_file::{LastCycle, StatusFile};
use crate::daemon::worker::Task;
use crate::daemon::workspace::Workspace;
use crate::daemon::{cycle, settings};
use crate::memory::trigger;

const HUNG_AFTER: Duration = Duration::from_secs(10 * 60);
const BUSY_PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct WorkspaceRunner {
    pub(super) path: PathBuf,
    pub(super) settings: Settings,
    clock: Clock,
    agenda: Agenda,
    /// What no thread was asked for yet, in the order in which it was ordered: under a writer who never rests there is always another scan to
    /// come.
    orders: VecDeque<Action>,
    /// None while a piece of work has it.
    job_state: Option<JobState>,
    /// What is being carried out.
    at_work: Option<Action>,
    shared: Arc<Shared>,
    /// Another process runs a cycle; to be tried again then (monotonic).
    paused_until: Option<Duration>,
    /// Whether the first look at the folder is over, for better or worse.
    pub(super) scanned: bool,
    looked: bool,
    /// Whether the last cycle could not even open the folder.
    owes_cycle: bool,
    /// The triggers that held when they were asked last and one did.
    triggers: String,
    /// When a turn at qmd was asked for, and when the last one ended (monotonic).
    pub(super) index_at: Option<Duration>,
    pub(super) indexed: Option<Duration>,
    /// When the summarizer's command is to be asked next (monotonic).
    pub(super) summarize_at: Option<Duration>,
    pub(super) open_issues: OpenIssues,
    pub(super) status: StatusFile,
    told: Option<StatusFile>,
}

impl WorkspaceRunner {
    pub(super) fn new(path: PathBuf, config: WorkspaceConfig, lock: RunLock, clock: Clock) -> Self {
        let now = clock.now(&settings::zone(&config.settings));
        Self {
            agenda: Agenda::new(settings::rhythm(&config.settings), now),
            settings: config.settings,
            clock,
            orders: VecDeque::new(),
            job_state: Some(JobState::new(path.clone())),
            at_work: None,
            shared: Shared::new(lock),
            triggers: String::new(),
            paused_until: None,
            scanned: false,
            looked: false,
            owes_cycle: false,
            index_at: None,
            indexed: None,
            summarize_at: Some(now.monotonic),
            open_issues: OpenIssues::default(),
            status: StatusFile::default(),
            told: None,
            path,
        }
    }

    pub(super) fn configure(&mut self, config: WorkspaceConfig) -> bool {
        self.tell(Source::Configuration, Vec::new());
        // The summarizers of the user's configuration may be others.
        self.summarize_at = Some(self.clock.monotonic());
        if config.settings == self.settings {
            return false;
        }
        self.settings = config.settings;
        self.agenda.rhythm = settings::rhythm(&self.settings);
        self.index_at = self.index_at.filter(|_| self.settings.search.enabled);
        true
    }

    pub(super) fn now(&self) -> Now {
        self.clock.now(&settings::zone(&self.settings))
    }

    pub(super) fn handle(&mut self, event: Event) {
        let now = self.now();
        for action in self.agenda.handle(event, now) {
            // What is ordered twice before a thread is asked for it is done once.
            if !self.orders.contains(&action) {
                self.orders.push_back(action);
            }
        }
    }

    /// `now` may have another zone's date, which does not count here.
    pub(super) fn next_wake(&self, now: Now) -> Duration {
        let paused = self.paused_until.map(|at| at.saturating_sub(now.monotonic));
        self.agenda.next_wake(now).min(paused.unwrap_or(BEAT))
    }

    pub(super) fn wake(&mut self, now: Now) {
        self.paused_until.take_if(|at| *at <= now.monotonic);
        if self.agenda.next_wake(now).is_zero() {
            self.handle(Event::Wake);
        }
    }

    fn is_due(&mut self) -> bool {
        let Some(ledger) = self.job_state.as_ref().map(|job_state| &job_state.ledger) else {
            return false;
        };
        let cooldown_hours = self.settings.compaction.cooldown_hours;
        let (last_run, counters) = (ledger.last_run(), ledger.counters());
        let due = trigger::due(last_run, counters, cooldown_hours, self.now().wall);
        if !due.is_empty() {
            let words: Vec<String> = due.iter().map(ToString::to_string).collect();
            self.triggers = words.join("; ");
            tracing::debug!(workspace = %self.path.display(), due = self.triggers, "triggers hold");
        }
        !due.is_empty()
    }

    pub(super) fn take_work(&mut self) -> Option<(JobState, JobContext)> {
        if self.paused_until.is_some() || !self.is_at_rest() {
            return None;
        }
        let order = self.orders.pop_front();
        let task = match order {
            Some(Action::StartCycle(_)) => Some(Task::Cycle),
            Some(Action::Scan) => Some(Task::Count),
            None if !self.scanned || self.told.as_ref() == Some(&self.status) => return None,
            None => {
                self.told = Some(self.status.clone());
                None
            }
        };
        let job_state = self.job_state.take()?;
        self.shared.waits();
        self.at_work = order;
        let context = JobContext {
            task,
            settings: settings::cycle(&self.settings),
            cooldown_hours: self.settings.compaction.cooldown_hours,
            zone: settings::zone(&self.settings),
            clock: self.clock,
            shared: Arc::clone(&self.shared),
            status: self.status.clone(),
        };
        Some((job_state, context))
    }

    pub(super) fn tell(&mut self, source: Source, issues: Vec<Issue>) {
        self.open_issues.replace(&self.path, source, issues);
        self.status.issues = self.open_issues.all();
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.job_state.is_some()
    }

    pub(super) fn is_hung(&self, monotonic: Duration) -> bool {
        self.job_state.is_none() && self.shared.silent_for(monotonic) > HUNG_AFTER
    }

    pub(super) fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    pub(super) fn close(&mut self) {
        let Some(job_state) = &mut self.job_state else {
            tracing::warn!(workspace = %self.path.display(), "work did not end in time; counters are counted again at the next start");
            return;
        };
        let workspace = Workspace::open(&self.path, false);
        if let Err(error) = workspace.and_then(|workspace| job_state.ledger.write(&workspace)) {
            tracing::warn!(workspace = %self.path.display(), what = sentence(&error), "counters not written");
        }
    }

    pub(super) fn finished(&mut self, mut job_state: JobState, done: Done) {
        let order = self.at_work.take();
        let found = std::mem::take(&mut job_state.found);
        self.job_state = Some(job_state);
        if matches!(done, Done::Scanned { .. } | Done::Cycled { .. }) {
            self.tell(Source::Folder, Vec::new());
        }
        for (source, issues) in found {
            self.tell(source, issues);
        }
        let mut has_changed = false;
        match done {
            Done::Busy => {
                self.paused_until = Some(self.clock.monotonic() + BUSY_PAUSE);
                let order = order.unwrap_or(Action::Scan);
                self.orders.retain(|known| *known != order);
                self.orders.push_front(order);
                // `compact` may take its time; that it does is nothing to be ready for.
                self.scanned = true;
                return;
            }
            Done::LockLost | Done::ToldStatus => {}
            Done::Scanned { unfinished, changed } => {
                has_changed = changed;
                // Asked once: what this very process leaves undone, the agenda knows.
                let resume = !std::mem::replace(&mut self.looked, true) && unfinished;
                // A cycle that failed only for want of a folder need not wait any longer.
                if std::mem::take(&mut self.owes_cycle) || resume {
                    self.handle(Event::CycleNow);
                }
            }
            Done::Cycled { outcome, started } => self.cycled(order, outcome, started),
            Done::Failed(source, issue) => {
                self.tell(source, vec![issue]);
                if let Some(Action::StartCycle(_)) = order {
                    self.owes_cycle = source == Source::Folder;
                    self.handle(Event::CycleFailed);
                }
            }
        }
        if order == Some(Action::Scan) {
            self.scanned = true;
            let (changed, due) = (has_changed, self.is_due());
            self.handle(Event::Scanned { changed, due });
        }
    }

    fn cycled(&mut self, order: Option<Action>, outcome: cycle::Outcome, started: bool) {
        let now = self.now();
        let since = self.job_state.as_ref().and_then(|job_state| job_state.started).unwrap_or(now);
        let errors = outcome.issues.iter().flatten();
        let errors = errors.filter(|issue| issue.severity == Severity::Error).count();
        let (wrote, left) = (outcome.wrote.len(), outcome.left);
        let took_ms = now.monotonic.saturating_sub(since.monotonic).as_millis();
        let workspace = self.path.display();
        let reason = match order {
            Some(Action::StartCycle(Reason::Asked)) => "asked for",
            Some(Action::StartCycle(Reason::Backlog)) => "more was due after the last one",
            Some(Action::StartCycle(Reason::Retry)) => "the last one failed",
            Some(Action::StartCycle(Reason::Triggers) | Action::Scan) | None => self.triggers.as_str(),
        };
        if wrote > 0 {
            if self.settings.search.enabled {
                self.index_at.get_or_insert(now.monotonic);
            }
            self.summarize_at = Some(now.monotonic);
            tracing::info!(%workspace, reason, wrote, left, errors, took_ms, "cycle finished");
        } else {
            tracing::debug!(%workspace, reason, left, errors, took_ms, "cycle finished, nothing written");
        }
        if wrote > 0 || started {
            self.status.last_cycle = Some(LastCycle {
                started_at: iso(since.wall),
                finished_at: iso(now.wall),
                wrote,
                left,
            });
        }
        // None: nothing has changed since the run that found nothing to say.
        self.tell(Source::Cycle, outcome.issues.unwrap_or_default());
        self.tell(Source::Crash, Vec::new());
        let (failed, backlog) = (errors > 0, u64::try_from(left).unwrap_or(u64::MAX));
        self.handle(Event::CycleFinished { failed, backlog });
    }
}

#[cfg(test)]
pub(super) mod tests;
