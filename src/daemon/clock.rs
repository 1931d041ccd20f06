//! The only place that asks what time it is. Everything else is handed a [`Now`].
//!
//! The wall clock may jump (a step, a suspended laptop) and the monotonic one may stand still (a suspended
//! laptop), so whoever waits for time to pass is given both and believes the larger (SPEC section 10).
#![expect(clippy::disallowed_methods, reason = "this module owns the clock")]

use std::time::{Duration, Instant};

use chrono::{DateTime, Local, NaiveDate, NaiveDateTime, NaiveTime, Offset, SecondsFormat, TimeZone, Utc};

/// What time it is, for one workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Time since the program started; never goes back, stands still while the machine sleeps.
    pub monotonic: Duration,
    /// The wall clock; may jump either way.
    pub wall: DateTime<Utc>,
    /// The calendar date in the workspace's zone.
    pub day: NaiveDate,
    /// The time of that day.
    pub time: NaiveTime,
}

impl Now {
    /// How long ago `earlier` was: by the wall clock when it ran further than the monotonic one (the machine
    /// slept), by the monotonic one when the wall clock was set back.
    pub fn since(&self, earlier: Self) -> Duration {
        let by_wall = self
            .wall
            .signed_duration_since(earlier.wall)
            .to_std()
            .unwrap_or_default();
        self.monotonic.saturating_sub(earlier.monotonic).max(by_wall)
    }
}

/// The clocks of this process.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: Instant,
}

impl Clock {
    /// A clock whose monotonic side starts at zero here.
    pub fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    /// The time in `zone`.
    pub fn now(&self, zone: &Zone) -> Now {
        let wall = Utc::now();
        let local = zone.local(wall);
        Now {
            monotonic: self.monotonic(),
            wall,
            day: local.date(),
            time: local.time(),
        }
    }

    /// The wall clock.
    pub fn utc(&self) -> DateTime<Utc> {
        Utc::now()
    }

    /// Time since [`Clock::start`].
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

/// How long to wait after a number of failures in a row: `first` after none, then doubled, up to `longest`.
pub fn backoff(first: Duration, failures: u32, longest: Duration) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(failures)).min(longest)
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
    /// A named one.
    Named(chrono_tz::Tz),
}

impl Zone {
    /// The local date and time at `wall`.
    pub fn local(&self, wall: DateTime<Utc>) -> NaiveDateTime {
        let offset = match self {
            Self::System => Local.offset_from_utc_datetime(&wall.naive_utc()),
            Self::Named(zone) => zone.offset_from_utc_datetime(&wall.naive_utc()).fix(),
        };
        wall.naive_utc() + offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(zone: &str, wall: &str) -> String {
        let zone = Zone::Named(zone.parse().unwrap());
        zone.local(wall.parse().unwrap()).to_string()
    }

    #[test]
    fn a_named_zone_has_its_own_midnight() {
        assert_eq!(local("Asia/Seoul", "2026-03-15T14:59:59Z"), "2026-03-15 23:59:59");
        assert_eq!(local("Asia/Seoul", "2026-03-15T15:00:00Z"), "2026-03-16 00:00:00");
        assert_eq!(
            local("America/St_Johns", "2026-03-15T02:29:59Z"),
            "2026-03-14 23:59:59"
        );
    }

    #[test]
    fn summer_time_skips_and_repeats_an_hour() {
        assert_eq!(
            local("Europe/Berlin", "2026-03-29T00:59:59Z"),
            "2026-03-29 01:59:59"
        );
        assert_eq!(
            local("Europe/Berlin", "2026-03-29T01:00:00Z"),
            "2026-03-29 03:00:00"
        );
        assert_eq!(
            local("Europe/Berlin", "2026-10-25T00:30:00Z"),
            "2026-10-25 02:30:00"
        );
        assert_eq!(
            local("Europe/Berlin", "2026-10-25T01:30:00Z"),
            "2026-10-25 02:30:00"
        );
    }

    #[test]
    fn a_date_that_a_zone_skipped_is_skipped() {
        assert_eq!(
            local("Pacific/Apia", "2011-12-30T09:59:59Z"),
            "2011-12-29 23:59:59"
        );
        assert_eq!(
            local("Pacific/Apia", "2011-12-30T10:00:00Z"),
            "2011-12-31 00:00:00"
        );
    }

    #[test]
    fn the_clock_agrees_with_the_system() {
        let clock = Clock::start();
        let earlier = Utc::now();
        let now = clock.now(&Zone::System);
        assert!(now.wall >= earlier);
        assert_eq!(
            NaiveDateTime::new(now.day, now.time),
            Zone::System.local(now.wall)
        );
        assert!(clock.monotonic() >= now.monotonic);
        assert!(clock.monotonic_microseconds() > 0);
    }

    #[test]
    fn elapsed_time_survives_sleep_and_a_clock_set_back() {
        let now = |monotonic: u64, wall: &str| {
            let wall: DateTime<Utc> = wall.parse().unwrap();
            Now {
                monotonic: Duration::from_secs(monotonic),
                wall,
                day: wall.date_naive(),
                time: wall.time(),
            }
        };
        let start = now(100, "2026-03-15T12:00:00Z");
        assert_eq!(
            now(160, "2026-03-15T12:01:00Z").since(start),
            Duration::from_secs(60)
        );
        assert_eq!(
            now(101, "2026-03-15T20:00:00Z").since(start),
            Duration::from_secs(8 * 3600)
        );
        assert_eq!(
            now(160, "2026-03-15T02:00:00Z").since(start),
            Duration::from_secs(60)
        );
    }
}
