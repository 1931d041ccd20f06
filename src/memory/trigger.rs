//! When a cycle is due, and why (SPEC section 10).

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What has gathered in the raw logs since the last cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
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

/// How much has to gather before a cycle is due (SPEC section 10).
pub const RAW_LINES_MAX: u64 = 300;
pub const CHECKPOINTS_MAX: u64 = 5;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LastRun {
    #[default]
    StateMissing,
    /// There is one, and it names no time.
    Never,
    At(DateTime<Utc>),
}

/// One reason why a cycle is due. Displayed as a few words for `status` and the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    StateMissing,
    NoCooldown,
    /// The cooldown has passed, was never started, or was started in the future.
    CooldownPassed,
    RawLines(u64),
    Checkpoints(u64),
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateMissing => f.write_str("no cycle has run yet"),
            Self::NoCooldown => f.write_str("no cooldown"),
            Self::CooldownPassed => f.write_str("cooldown passed"),
            Self::RawLines(count) => write!(f, "{count} lines not yet covered, over {RAW_LINES_MAX}"),
            Self::Checkpoints(count) => {
                write!(f, "{count} entries not yet covered, over {CHECKPOINTS_MAX}")
            }
        }
    }
}

impl Trigger {
    /// Whether nothing but time made it hold.
    pub fn is_of_time(self) -> bool {
        matches!(self, Self::NoCooldown | Self::CooldownPassed)
    }
}

/// The triggers that hold at `now`, in the order of SPEC section 10; of `cooldown_hours` 0 means that a cycle is always due.
pub fn due(last_run: LastRun, counters: Counters, cooldown_hours: f64, now: DateTime<Utc>) -> Vec<Trigger> {
    // Written so that a value which is no number at all means "no cooldown" and not "never again".
    let has_cooldown = cooldown_hours > 0.0;
    let passed = match last_run {
        LastRun::At(then) => {
            let elapsed = now.signed_duration_since(then).as_seconds_f64();
            elapsed < 0.0 || elapsed >= cooldown_hours * 3600.0
        }
        LastRun::Never => true,
        // The missing file is a trigger of its own.
        LastRun::StateMissing => false,
    };
    let (lines, entries) = (counters.raw_lines, counters.checkpoints);
    let triggers = [
        (last_run == LastRun::StateMissing).then_some(Trigger::StateMissing),
        (has_cooldown && passed).then_some(Trigger::CooldownPassed),
        (!has_cooldown).then_some(Trigger::NoCooldown),
        (lines > RAW_LINES_MAX).then_some(Trigger::RawLines(lines)),
        (entries > CHECKPOINTS_MAX).then_some(Trigger::Checkpoints(entries)),
    ];
    triggers.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
