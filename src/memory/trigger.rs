//! When a cycle is due, and why: the counters, the cadence and the time of the last run in, the triggers that
//! hold out (SPEC section 10).

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What has gathered in the raw logs since the last cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Lines of raw logs that no daily node covers.
    pub raw_lines: u64,
    /// Entries of raw logs that no daily node covers, or the higher count of an agent.
    pub checkpoints: u64,
}

impl Counters {
    /// What they say beyond what was counted: nothing in the logs stands for it.
    pub fn beyond(self, counted: Self) -> Self {
        Self {
            raw_lines: self.raw_lines.saturating_sub(counted.raw_lines),
            checkpoints: self.checkpoints.saturating_sub(counted.checkpoints),
        }
    }
}

/// How much has to gather, and how long to wait, before a cycle is due.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cadence {
    /// Hours from one cycle to the next; 0 means that a cycle is always due.
    pub cooldown_hours: f64,
    /// More raw lines than this make a cycle due.
    pub raw_lines_max: u64,
    /// More checkpoints than this make a cycle due.
    pub checkpoints_max: u64,
}

impl Default for Cadence {
    fn default() -> Self {
        Self {
            cooldown_hours: 3.0,
            raw_lines_max: 300,
            checkpoints_max: 5,
        }
    }
}

/// What the state file says about the last cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastRun {
    /// There is no state file.
    StateMissing,
    /// There is one, and it names no time.
    Never,
    /// A cycle was started then.
    At(DateTime<Utc>),
}

/// One reason why a cycle is due. Displayed as a few words for `status` and the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// There is no state file.
    StateMissing,
    /// The configuration asks for no cooldown.
    NoCooldown,
    /// The cooldown has passed, was never started, or was started in the future.
    CooldownPassed,
    /// More raw lines than the limit.
    RawLines {
        /// Lines counted.
        count: u64,
        /// The limit they are over.
        max: u64,
    },
    /// More checkpoints than the limit.
    Checkpoints {
        /// Checkpoints counted.
        count: u64,
        /// The limit they are over.
        max: u64,
    },
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateMissing => f.write_str("no cycle on record"),
            Self::NoCooldown => f.write_str("no cooldown"),
            Self::CooldownPassed => f.write_str("cooldown passed"),
            Self::RawLines { count, max } => write!(f, "{count} lines not yet covered, over {max}"),
            Self::Checkpoints { count, max } => write!(f, "{count} entries not yet covered, over {max}"),
        }
    }
}

impl Trigger {
    /// Whether nothing but time made it hold.
    pub fn is_of_time(self) -> bool {
        matches!(self, Self::NoCooldown | Self::CooldownPassed)
    }
}

/// The triggers that hold at `now`, in the order of SPEC section 10. A cycle is due when there is any.
pub fn due(last_run: LastRun, counters: Counters, cadence: &Cadence, now: DateTime<Utc>) -> Vec<Trigger> {
    let mut triggers = Vec::new();
    if last_run == LastRun::StateMissing {
        triggers.push(Trigger::StateMissing);
    }
    // Written so that a value which is no number at all means "no cooldown" and not "never again".
    if cadence.cooldown_hours > 0.0 {
        if cooldown_passed(last_run, cadence.cooldown_hours, now) {
            triggers.push(Trigger::CooldownPassed);
        }
    } else {
        triggers.push(Trigger::NoCooldown);
    }
    if counters.raw_lines > cadence.raw_lines_max {
        triggers.push(Trigger::RawLines {
            count: counters.raw_lines,
            max: cadence.raw_lines_max,
        });
    }
    if counters.checkpoints > cadence.checkpoints_max {
        triggers.push(Trigger::Checkpoints {
            count: counters.checkpoints,
            max: cadence.checkpoints_max,
        });
    }
    triggers
}

fn cooldown_passed(last_run: LastRun, cooldown_hours: f64, now: DateTime<Utc>) -> bool {
    match last_run {
        // Not this trigger's business: the missing file is a trigger of its own.
        LastRun::StateMissing => false,
        LastRun::Never => true,
        LastRun::At(then) => {
            let elapsed = now.signed_duration_since(then);
            elapsed < chrono::Duration::zero() || elapsed.as_seconds_f64() >= cooldown_hours * 3600.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn names(last_run: LastRun, raw_lines: u64, checkpoints: u64, cooldown_hours: f64) -> String {
        let cadence = Cadence {
            cooldown_hours,
            ..Cadence::default()
        };
        due(
            last_run,
            Counters {
                raw_lines,
                checkpoints,
            },
            &cadence,
            at("2026-03-15T12:00:00Z"),
        )
        .iter()
        .map(Trigger::to_string)
        .collect::<Vec<_>>()
        .join(", ")
    }

    fn ran(text: &str) -> LastRun {
        LastRun::At(at(text))
    }

    #[test]
    fn nothing_is_due_within_the_cooldown_and_at_the_limits() {
        assert_eq!(names(ran("2026-03-15T09:00:01Z"), 300, 5, 3.0), "");
    }

    #[test]
    fn a_missing_state_file_is_a_trigger_of_its_own() {
        assert_eq!(names(LastRun::StateMissing, 0, 0, 3.0), "no cycle on record");
    }

    #[test]
    fn a_state_file_that_names_no_run_counts_as_never() {
        assert_eq!(names(LastRun::Never, 0, 0, 3.0), "cooldown passed");
    }

    #[test]
    fn the_cooldown_passes_on_the_second() {
        assert_eq!(names(ran("2026-03-15T09:00:00Z"), 0, 0, 3.0), "cooldown passed");
        assert_eq!(names(ran("2026-03-15T11:30:00Z"), 0, 0, 0.5), "cooldown passed");
        assert_eq!(names(ran("2026-03-15T11:30:01Z"), 0, 0, 0.5), "");
    }

    #[test]
    fn a_run_in_the_future_counts_as_passed() {
        assert_eq!(names(ran("2026-03-15T12:00:01Z"), 0, 0, 3.0), "cooldown passed");
        assert_eq!(names(ran("2126-01-01T00:00:00Z"), 0, 0, 3.0), "cooldown passed");
    }

    #[test]
    fn a_cooldown_of_zero_is_always_due() {
        assert_eq!(names(ran("2026-03-15T12:00:00Z"), 0, 0, 0.0), "no cooldown");
        assert_eq!(
            names(LastRun::StateMissing, 0, 0, 0.0),
            "no cycle on record, no cooldown"
        );
        assert_eq!(names(ran("2026-03-15T12:00:00Z"), 0, 0, f64::NAN), "no cooldown");
    }

    #[test]
    fn one_more_than_a_limit_is_due() {
        assert_eq!(
            names(ran("2026-03-15T12:00:00Z"), 301, 5, 3.0),
            "301 lines not yet covered, over 300"
        );
        assert_eq!(
            names(ran("2026-03-15T12:00:00Z"), 300, 6, 3.0),
            "6 entries not yet covered, over 5"
        );
        assert_eq!(
            names(ran("2026-03-15T08:00:00Z"), 301, 6, 3.0),
            "cooldown passed, 301 lines not yet covered, over 300, 6 entries not yet covered, over 5"
        );
    }
}
