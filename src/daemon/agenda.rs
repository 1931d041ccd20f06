//! When one workspace is looked at, asked about and compacted: a state machine, event in, actions out.
//!
//! It knows nothing but times and what it is told. The service feeds it hints, wake-ups and results, and does what it
//! answers, in order:
//!
//! - A **hint** starts a delay; the folder is scanned when it has been quiet for `settle`, but no later than five times that
//!   after the first hint: under a writer who never rests the delay would otherwise never end.
//! - At every **beat**, within a minute, the folder is scanned without any hint.
//! - At every **heartbeat**, when a scan finds other counters, and on a new day, the triggers are asked (SPEC section 10).
//! - While a **cycle** runs nothing else is done; what comes meanwhile is done when it ends.
//! - A **backlog** is drained cycle upon cycle as long as it shrinks (SPEC section 5): a cycle costs nothing, whatever the summarizer.
//! - A cycle that **failed**, or left as much as there was, is tried again after 2 s, then twice as long each time up to 30 minutes.
//!
//! Time that has passed is what [`Now::since`] says, so that a laptop's sleep counts and a clock set back does not.

use std::time::Duration;

use super::clock::Now;
use crate::memory::calendar::Day;

/// The longest time between two looks at a folder: a missed event, midnight, or a machine that woke up is noticed within it.
pub const BEAT: Duration = Duration::from_secs(60);
/// The longest settling, in times the shortest.
const SETTLE_TIMES_MAX: u32 = 5;
const RETRY_FIRST: Duration = Duration::from_secs(2);
const RETRY_MAX: Duration = Duration::from_secs(30 * 60);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rhythm {
    pub settle: Duration,
    pub heartbeat: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Time passed, at most what [`Agenda::next_wake`] said; also the first event of all.
    Wake,
    /// The folder is looked at now, unless a hint settles or a cycle runs: a beat for all workspaces, so that the daemon is woken once for
    /// them, and not once for each.
    Beat,
    Hint,
    /// A scan has ended: whether it found other counters, or another last run, than were known, and whether any trigger holds.
    Scanned {
        changed: bool,
        due: bool,
    },
    CycleNow,
    /// A cycle has ended, with so many nodes still due.
    CycleFinished {
        failed: bool,
        backlog: u64,
    },
    /// A cycle came to no end: what it has done is not known.
    CycleFailed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Recount the counters from disk, bring the state file up to date; answer [`Event::Scanned`].
    Scan,
    /// Start a cycle and answer [`Event::CycleFinished`] or [`Event::CycleFailed`] when it has ended, whatever comes.
    StartCycle(Reason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Triggers,
    Asked,
    Backlog,
    Retry,
}

#[derive(Debug, Default)]
pub struct Agenda {
    pub rhythm: Rhythm,
    day: Day,
    is_running: bool,
    asked: bool,
    /// The first and the last hint since the folder was quiet.
    settling: Option<(Now, Now)>,
    ask_when_settled: bool,
    /// Whether the triggers are asked when the scan has ended, even where it finds nothing new.
    ask_when_scanned: bool,
    /// Whether the folder was quiet at a scan that has not ended. At that of a beat, without a hint, somebody may be writing just now.
    was_quiet: bool,
    scanned: Option<Now>,
    heartbeat: Option<Now>,
    /// Since when, and how long to wait.
    retry: Option<(Now, Duration)>,
    failures: u32,
    /// Nodes that the last cycle left due.
    backlog: u64,
}

impl Agenda {
    /// An agenda that begins at `now`: its first event makes it scan and ask.
    pub fn new(rhythm: Rhythm, now: Now) -> Self {
        Self { rhythm, day: now.moment.day, ..Self::default() }
    }

    pub fn handle(&mut self, event: Event, now: Now) -> Vec<Action> {
        let mut actions = Vec::new();
        match event {
            Event::Wake => {}
            Event::Beat => self.scanned = None,
            Event::Hint => self.hint(now),
            Event::Scanned { changed, due } => self.scan_ended(changed, due, now, &mut actions),
            Event::CycleNow => self.asked = true,
            Event::CycleFinished { failed, backlog } => self.finished(failed, backlog, now, &mut actions),
            Event::CycleFailed => self.finished(true, self.backlog.max(1), now, &mut actions),
        }
        // Time passes with every event: a stream of hints must not keep anything else waiting.
        self.advance(now, &mut actions);
        actions
    }

    /// How long to sleep from `now` on, unless an event comes first; at most a [`BEAT`].
    pub fn next_wake(&self, now: Now) -> Duration {
        if self.is_running {
            return BEAT;
        }
        if let Some(settling) = self.settling {
            return self.settling_left(settling, now).min(BEAT);
        }
        let scan = left(now, self.scanned, BEAT);
        let heartbeat = left(now, self.heartbeat, self.rhythm.heartbeat);
        let retry_left = |(since, delay)| left(now, Some(since), delay);
        let retry = self.retry.map_or(BEAT, retry_left);
        scan.min(heartbeat).min(retry)
    }

    fn hint(&mut self, now: Now) {
        let first = self.settling.map_or(now, |(first, _)| first);
        self.settling = Some((first, now));
    }

    fn scan_ended(&mut self, changed: bool, due: bool, now: Now, actions: &mut Vec<Action>) {
        let ask = std::mem::take(&mut self.ask_when_scanned);
        // A retry that has nodes to retry is waited for; where all the rest is done, what is new goes on.
        let waits = self.is_running || self.retry.is_some() && self.backlog > 0;
        let was_quiet = std::mem::take(&mut self.was_quiet);
        if ask || changed && was_quiet {
            if due && !waits {
                self.start(Reason::Triggers, actions);
            }
        } else if changed && !self.is_running {
            self.ask_when_settled = true;
            self.hint(now);
        }
    }

    fn finished(&mut self, failed: bool, backlog: u64, now: Now, actions: &mut Vec<Action>) {
        self.is_running = false;
        let before = std::mem::replace(&mut self.backlog, backlog);
        // The sound part of a backlog goes on; once nothing but failures is left, they wait.
        let is_new = before == 0 && !failed;
        let go_on = backlog > 0 && (backlog < before || is_new);
        if backlog == 0 && !failed {
            self.failures = 0;
        } else if !go_on {
            let delay = RETRY_FIRST.saturating_mul(2_u32.saturating_pow(self.failures));
            self.retry = Some((now, delay.min(RETRY_MAX)));
            self.failures = self.failures.saturating_add(1);
        }
        if go_on && !self.asked {
            self.start(Reason::Backlog, actions);
        }
    }

    fn start(&mut self, reason: Reason, actions: &mut Vec<Action>) {
        self.is_running = true;
        self.asked = false;
        self.retry = None;
        actions.push(Action::StartCycle(reason));
    }

    fn advance(&mut self, now: Now, actions: &mut Vec<Action>) {
        if self.is_running {
            return;
        }
        if self.asked {
            self.start(Reason::Asked, actions);
            return;
        }
        let new_day = std::mem::replace(&mut self.day, now.moment.day) != now.moment.day;
        self.ask_when_settled |= new_day;
        let settled = match self.settling {
            Some(settling) if self.settling_left(settling, now) > Duration::ZERO => return,
            settling => settling.is_some(),
        };
        self.settling = None;
        let heartbeat = left(now, self.heartbeat, self.rhythm.heartbeat).is_zero();
        let beat = left(now, self.scanned, BEAT).is_zero();
        let ask = std::mem::take(&mut self.ask_when_settled) || heartbeat;
        if settled || ask || beat {
            self.was_quiet |= settled || ask;
            self.ask_when_scanned |= ask;
            self.scanned = Some(now);
            actions.push(Action::Scan);
        }
        if heartbeat {
            self.heartbeat = Some(now);
        }
        if self.retry.is_some_and(|(since, delay)| now.since(since) >= delay) {
            self.start(Reason::Retry, actions);
        }
    }

    fn settling_left(&self, (first, last): (Now, Now), now: Now) -> Duration {
        let quiet = left(now, Some(last), self.rhythm.settle);
        let longest = self.rhythm.settle.saturating_mul(SETTLE_TIMES_MAX);
        quiet.min(left(now, Some(first), longest))
    }
}

/// How much of a delay is left; nothing of one that never began.
fn left(now: Now, since: Option<Now>, delay: Duration) -> Duration {
    since.map_or(Duration::ZERO, |since| delay.saturating_sub(now.since(since)))
}

#[cfg(test)]
mod tests;
