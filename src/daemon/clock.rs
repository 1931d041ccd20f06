//! The only place that asks what time it is. Everything else is handed a [`Now`].
//!
//! The wall clock may jump (a step, a suspended laptop) and the monotonic one may stand still (a suspended
//! laptop), so whoever waits for time to pass is given both and believes the larger (SPEC section 10).
#![expect(clippy::disallowed_methods, reason = "this module owns the clock")]

use std::time::{Duration, Instant};

use chrono::{DateTime, Local, NaiveDateTime, SecondsFormat, TimeDelta, TimeZone, Timelike as _, Utc};
use tz::TimeZoneRef;

use crate::memory::calendar::{Day, Moment};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Time since the program started; never goes back, stands still while the machine sleeps.
    pub monotonic: Duration,
    /// The wall clock; may jump either way.
    pub wall: DateTime<Utc>,
    pub moment: Moment,
}

impl Now {
    /// How long ago `earlier` was: by the wall clock when it ran further than the monotonic one (the machine
    /// slept), by the monotonic one when the wall clock was set back.
    pub fn since(&self, earlier: Self) -> Duration {
        let by_wall = (self.wall - earlier.wall).to_std().unwrap_or_default();
        self.monotonic.saturating_sub(earlier.monotonic).max(by_wall)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: Instant,
}

/// Blocks the thread: in a command, and while another process has its turn at a folder (`workspace::write::take_turn`), for two seconds at
/// most. The daemon's loop waits for its timers; it comes here only when it takes on a workspace or lets go of one.
pub fn pause(time: Duration) {
    std::thread::sleep(time);
}

impl Clock {
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    pub fn now(&self, zone: &Zone) -> Now {
        let wall = Utc::now();
        let local = zone.local(wall);
        Now { monotonic: self.monotonic(), wall, moment: moment(local) }
    }

    pub fn utc(&self) -> DateTime<Utc> {
        Utc::now()
    }

    pub fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    /// `CLOCK_MONOTONIC` in microseconds, as systemd's `RELOADING=1` wants it.
    pub fn monotonic_microseconds(&self) -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        seconds.saturating_mul(1_000_000) + u64::try_from(time.tv_nsec).unwrap_or_default() / 1000
    }
}

fn moment(local: NaiveDateTime) -> Moment {
    Moment {
        day: Day::from(local.date()),
        minutes: u16::try_from(local.hour() * 60 + local.minute()).unwrap_or_default(),
    }
}

/// A time as programs read it: ISO 8601, UTC, whole seconds.
pub fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Whose midnight ends a workspace's day (`timezone` in the configuration, SPEC section 12).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Zone {
    /// The system's. `TZ` and `/etc/localtime` are read again when they change.
    #[default]
    System,
    Named(&'static TimeZoneRef<'static>),
}

impl Zone {
    pub fn local(&self, wall: DateTime<Utc>) -> NaiveDateTime {
        let utc = wall.naive_utc();
        match self {
            Self::System => utc + Local.offset_from_utc_datetime(&utc),
            Self::Named(zone) => {
                let kind = zone.find_local_time_type(wall.timestamp());
                utc + TimeDelta::seconds(kind.map_or(0, |kind| kind.ut_offset().into()))
            }
        }
    }
}

#[cfg(test)]
mod tests;
