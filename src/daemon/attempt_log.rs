//! What was asked, how often, and with what success: `.hipocampus/summarizer.json`. It holds the budget of the day, so that a
//! restart does not forget it, and is written before each call: what cannot be written down is not asked.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::clock::iso;
use super::workspace::{Folder, Result, Workspace};
use crate::memory::calendar::Day;
use crate::memory::level::Period;
use crate::memory::node::Hash;

pub const NAME: &str = "summarizer.json";
/// A content is tried so often (SPEC section 8).
pub const ATTEMPTS_MAX: u32 = 3;
/// How long to wait before the second and the third try, in minutes.
const BACK_OFF_MINUTES: [i64; 2] = [10, 180];
/// After so many failures in a row, of whatever content, nothing is asked for a while.
const FAILURES_MAX: u32 = 3;
/// The first such while, in minutes; each further failure doubles it, up to the longest.
const PAUSE_MINUTES: i64 = 30;
const PAUSE_MINUTES_MAX: i64 = 12 * 60;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AttemptLog {
    pub day: Option<Day>,
    pub calls: u32,
    pub failures_in_a_row: u32,
    pub paused_until: Option<i64>,
    pub tries: BTreeMap<String, Attempt>,
    pub last_failure: Option<Failure>,
    pub last_answer: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Attempt {
    pub built_from: Hash,
    pub attempts: u32,
    /// Not again before then, in seconds since 1970.
    pub not_before: i64,
    pub day: Option<Day>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Failure {
    pub at: String,
    pub node: String,
    pub what: String,
}

impl AttemptLog {
    pub fn read(workspace: &Workspace) -> Self {
        workspace.read_json(Folder::Own, NAME).unwrap_or_default()
    }

    pub fn write(&self, workspace: &Workspace) -> Result<()> {
        workspace.write_json(Folder::Own, NAME, self)
    }

    pub fn given_up(&self) -> BTreeMap<Period, Hash> {
        let done = |(name, tried): (&String, &Attempt)| {
            let period = Period::parse(name)?;
            (tried.attempts >= ATTEMPTS_MAX).then_some((period, tried.built_from))
        };
        self.tries.iter().filter_map(done).collect()
    }

    /// How many calls were made on a date. A clock that was set back gives no calls back.
    pub fn calls_on(&self, today: Day) -> u32 {
        self.day.filter(|day| *day >= today).map_or(0, |_| self.calls)
    }

    pub fn asked_on(&self, period: Period, today: Day) -> bool {
        let tried = self.tries.get(&period.to_string());
        tried.is_some_and(|tried| tried.day == Some(today))
    }

    /// When a content may be asked about: none for now.
    pub fn not_before(&self, period: Period, built_from: Hash, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let tried = self.tries.get(&period.to_string());
        let tried = tried.filter(|tried| tried.built_from == built_from);
        let until = tried.map(|tried| tried.not_before).max(self.paused_until)?;
        // A clock that was set back must not make the pause longer than it ever is.
        let longest = now.timestamp() + PAUSE_MINUTES_MAX * 60;
        let until = DateTime::from_timestamp(until.min(longest), 0)?;
        Some(until).filter(|until| until.timestamp() > now.timestamp())
    }

    /// Takes down that a call is about to be made. The first call of a content is also one more try of it.
    pub fn call(&mut self, period: Period, built_from: Hash, today: Day, first: bool) {
        self.calls = self.calls_on(today) + 1;
        self.day = Some(today);
        if first {
            let tried = self.tried(period, built_from);
            tried.attempts += 1;
            tried.day = Some(today);
        }
    }

    pub fn went_well(&mut self, period: Period, now: DateTime<Utc>) {
        self.failures_in_a_row = 0;
        self.paused_until = None;
        self.last_answer = Some(iso(now));
        if let Some(tried) = self.tries.get_mut(&period.to_string()) {
            (tried.attempts, tried.not_before) = (0, 0);
        }
    }

    pub fn failed(&mut self, period: Period, built_from: Hash, now: DateTime<Utc>, what: &str) {
        let tried = self.tried(period, built_from);
        let attempt = usize::try_from(tried.attempts.saturating_sub(1)).unwrap_or(usize::MAX);
        let minutes = BACK_OFF_MINUTES.get(attempt).copied().unwrap_or(0);
        tried.not_before = (now + TimeDelta::minutes(minutes)).timestamp();
        self.failures_in_a_row += 1;
        if let Some(further) = self.failures_in_a_row.checked_sub(FAILURES_MAX) {
            let minutes = (PAUSE_MINUTES << further.min(8)).min(PAUSE_MINUTES_MAX);
            self.paused_until = Some((now + TimeDelta::minutes(minutes)).timestamp());
        }
        self.note_failure(period, now, what);
    }

    pub fn give_up(&mut self, period: Period, built_from: Hash, now: DateTime<Utc>, what: &str) {
        self.tried(period, built_from).attempts = ATTEMPTS_MAX;
        self.note_failure(period, now, what);
    }

    fn note_failure(&mut self, period: Period, now: DateTime<Utc>, what: &str) {
        self.last_failure = Some(Failure { at: iso(now), node: period.path(), what: what.to_owned() });
    }

    pub fn keep_only(&mut self, needed: impl Fn(Period) -> bool) {
        self.tries.retain(|name, _| Period::parse(name).is_some_and(&needed));
    }

    /// The tries of a period, begun anew when its content is another.
    fn tried(&mut self, period: Period, built_from: Hash) -> &mut Attempt {
        let tried = self.tries.entry(period.to_string()).or_default();
        if tried.built_from != built_from {
            *tried = Attempt { built_from, day: tried.day, ..Attempt::default() };
        }
        tried
    }
}

#[cfg(test)]
mod tests;
