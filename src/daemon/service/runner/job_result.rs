//! What became of a piece of work: what the agenda, the log and `status` are told of it.

use std::time::Duration;

use super::{WorkspaceRunner, iso};
use crate::daemon::agenda::{self, Action, Event, Reason};
use crate::daemon::cycle;
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::service::job::{Done, Heard, JobState, Work};
use crate::daemon::service::open_issues::Source;
use crate::daemon::status_file::LastCycle;

/// How long to wait when another process runs a cycle.
pub(super) const BUSY_PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq, Eq)]
pub(in crate::daemon::service) enum JobResult {
    Nothing,
    /// Something was written: the search index is behind.
    Wrote,
    LockLost,
}

impl WorkspaceRunner {
    pub(in crate::daemon::service) fn finished(&mut self, mut job_state: JobState, done: Done) -> JobResult {
        let Some(what) = &self.at_work.take() else {
            return JobResult::Nothing;
        };
        let heard = std::mem::take(&mut job_state.heard);
        self.job_state = Some(job_state);
        if matches!(done, Done::Scanned { .. } | Done::Cycled { .. }) {
            self.sound();
        }
        self.heard(heard);
        let mut job_result = JobResult::Nothing;
        match done {
            Done::Busy => {
                self.paused_until = Some(self.clock.monotonic() + BUSY_PAUSE);
                self.again(what);
                // `compact` may take its time; that it does is nothing to be ready for.
                self.scanned = true;
            }
            Done::LockLost => return JobResult::LockLost,
            Done::Scanned { unfinished, changed } => {
                if changed {
                    self.handle(Event::CountersChanged);
                }
                // Asked once: what this very process leaves undone, the agenda knows.
                let resume = !std::mem::replace(&mut self.looked, true) && unfinished;
                // A cycle that failed only for want of a folder need not wait any longer.
                if std::mem::take(&mut self.owes_cycle) || resume {
                    self.handle(Event::CycleNow);
                }
            }
            Done::Cycled { outcome, started } => {
                if !outcome.wrote.is_empty() {
                    job_result = JobResult::Wrote;
                }
                self.cycled(outcome, started);
            }
            Done::Wrote(result) => self.wrote(what, result),
            Done::Failed(source, issue) => self.failed(what, source, issue),
        }
        self.scanned |= *what == Work::Scan;
        job_result
    }

    /// Puts work that could not be done yet back to where it was.
    fn again(&mut self, what: &Work) {
        match (what, self.cycle) {
            (Work::Cycle, Some((reason, _))) => self.orders.push_front(Action::StartCycle(reason)),
            (Work::Scan, _) if !self.orders.contains(&Action::Scan) => self.orders.push_front(Action::Scan),
            _ => {}
        }
    }

    /// The folder can be used again. That the counters could not be written while it was not is no news any more.
    fn sound(&mut self) {
        if self.open_issues.has(Source::Folder) {
            self.tell(Source::Folder, Vec::new());
            self.tell(Source::Counters, Vec::new());
        }
    }

    fn heard(&mut self, heard: Heard) {
        if let Some(state) = heard.state {
            self.tell(Source::State, state);
        }
        for note in heard.notes {
            self.open_issues.add(&self.path, Source::Note, note);
        }
        self.status.issues = self.open_issues.all();
    }

    fn wrote(&mut self, what: &Work, result: Result<(), Issue>) {
        let failed = result.is_err();
        let issues: Vec<Issue> = result.err().into_iter().collect();
        match what {
            Work::WriteCounters => {
                self.tell(Source::Counters, issues);
                if failed {
                    self.handle(Event::WriteFailed);
                }
            }
            // A status that says that it cannot be written would have to be written again.
            _ => {
                self.status_failed = failed;
                for issue in issues {
                    tracing::debug!(workspace = %self.path.display(), %issue, "status not written");
                }
            }
        }
    }

    fn failed(&mut self, what: &Work, source: Source, issue: Issue) {
        self.tell(source, vec![issue]);
        match what {
            Work::Cycle => {
                self.cycle = None;
                self.owes_cycle = source == Source::Folder;
                self.handle(Event::CycleFinished(agenda::Outcome {
                    failed: true,
                    backlog: self.backlog.max(1),
                }));
                if source == Source::Crash {
                    // Who counts would end in the same way; the next beat counts.
                    self.orders.retain(|order| *order != Action::Scan);
                }
            }
            Work::WriteCounters => self.handle(Event::WriteFailed),
            Work::WriteStatus(_) => self.status_failed = true,
            Work::Scan => {}
        }
    }

    fn cycled(&mut self, outcome: cycle::Outcome, started: bool) {
        let now = self.now();
        let (reason, since) = self.cycle.take().unwrap_or((Reason::Triggers, now));
        let errors = outcome.issues.iter().flatten();
        let errors = errors.filter(|issue| issue.severity == Severity::Error).count();
        let (wrote, left) = (outcome.wrote.len(), outcome.left);
        self.backlog = u64::try_from(left).unwrap_or(u64::MAX);
        let took_ms = now.monotonic.saturating_sub(since.monotonic).as_millis();
        let workspace = self.path.display();
        let reason = match reason {
            Reason::Triggers => self.triggers.as_str(),
            Reason::Asked => "asked for",
            Reason::Backlog => "more was due after the last one",
            Reason::Retry => "the last one failed",
        };
        if wrote > 0 {
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
        self.handle(Event::CycleFinished(agenda::Outcome {
            failed: errors > 0,
            backlog: self.backlog,
        }));
    }
}
