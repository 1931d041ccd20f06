//! Time that passes, zones, and back-off.

use super::*;

fn local(zone: &str, wall: &str) -> String {
    let zone = Zone::Named(tzdb_data::find_tz(zone.as_bytes()).unwrap());
    zone.local(wall.parse().unwrap()).to_string()
}

#[test]
fn a_named_zone_has_its_own_midnight() {
    assert_eq!(local("Asia/Seoul", "2026-03-15T14:59:59Z"), "2026-03-15 23:59:59");
    assert_eq!(local("Asia/Seoul", "2026-03-15T15:00:00Z"), "2026-03-16 00:00:00");
    assert_eq!(local("America/St_Johns", "2026-03-15T02:29:59Z"), "2026-03-14 23:59:59");
}

#[test]
fn summer_time_skips_and_repeats_an_hour() {
    assert_eq!(local("Europe/Berlin", "2026-03-29T00:59:59Z"), "2026-03-29 01:59:59");
    assert_eq!(local("Europe/Berlin", "2026-03-29T01:00:00Z"), "2026-03-29 03:00:00");
    assert_eq!(local("Europe/Berlin", "2026-10-25T00:30:00Z"), "2026-10-25 02:30:00");
    assert_eq!(local("Europe/Berlin", "2026-10-25T01:30:00Z"), "2026-10-25 02:30:00");
}

#[test]
fn a_date_that_a_zone_skipped_is_skipped() {
    assert_eq!(local("Pacific/Apia", "2011-12-30T09:59:59Z"), "2011-12-29 23:59:59");
    assert_eq!(local("Pacific/Apia", "2011-12-30T10:00:00Z"), "2011-12-31 00:00:00");
}

#[test]
fn the_clock_agrees_with_the_system() {
    let clock = Clock::start();
    let earlier = Utc::now();
    let now = clock.now(&Zone::System);
    assert!(now.wall >= earlier);
    assert_eq!(now.moment, moment(Zone::System.local(now.wall)));
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
            moment: moment(wall.naive_utc()),
        }
    };
    let start = now(100, "2026-03-15T12:00:00Z");
    assert_eq!(now(160, "2026-03-15T12:01:00Z").since(start), Duration::from_secs(60));
    assert_eq!(now(101, "2026-03-15T20:00:00Z").since(start), Duration::from_secs(8 * 3600));
    assert_eq!(now(160, "2026-03-15T02:00:00Z").since(start), Duration::from_secs(60));
}
