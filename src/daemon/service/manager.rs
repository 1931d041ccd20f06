//! What the service manager is told, from the loop's progress and never from a timer of its own.

use std::fmt::Write as _;
use std::time::Duration;

use super::Service;
use crate::daemon::agenda::BEAT;

impl Service {
    /// Says that the daemon is ready, once every workspace has been looked at; what it does, when that has changed; and
    /// that the loop turns, when it is time to and no work has hung.
    pub(super) fn tell_manager(&mut self, monotonic: Duration) {
        // A manager that cannot be reached is nothing to act upon.
        let notifier = &self.start.notifier;
        let status = self.summary();
        let all_scanned = self.runners.values().all(|runner| runner.scanned);
        if !self.ready && all_scanned {
            let _ = notifier.ready(&status);
            self.ready = true;
            self.status = status;
            tracing::info!(workspaces = self.runners.len(), "ready");
        } else if self.ready && status != self.status {
            let _ = notifier.status(&status);
            self.status = status;
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
