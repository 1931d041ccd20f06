//! Names of periods, and when each may be fixed.

use super::*;
use crate::memory::level::Period;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

#[test]
fn only_dates_that_exist_are_days() {
    for name in [
        "2026-02-30",
        "2026-02-29",
        "2026-3-15",
        "2026-03-15x",
        "2026/03-15",
        "2026-03/15",
        "0000-01-01",
        "+026-01-01",
        "２０２６-01-01",
    ] {
        assert_eq!(Day::parse(name), None, "{name}");
    }
    assert_eq!(day("2024-02-29").to_string(), "2024-02-29");
    assert_eq!(day("2024-02-29").date().to_string(), "2024-02-29");
}

#[test]
fn only_weeks_and_months_that_exist_have_names() {
    for name in [
        "2026-W1",
        "2026-W111",
        "2026-w11",
        "2026_W11",
        "2026-W00",
        "2025-W53",
        "0000-W11",
    ] {
        assert_eq!(Week::parse(name), None, "{name}");
    }
    for name in ["2026-3", "2026-033", "2026_03", "2026-00", "2026-13", "0000-03"] {
        assert_eq!(Month::parse(name), None, "{name}");
    }
}

#[test]
fn weeks_follow_iso_at_year_ends() {
    for (date, week) in [
        ("2026-12-31", "2026-W53"),
        ("2027-01-03", "2026-W53"),
        ("2027-01-04", "2027-W01"),
        ("2024-12-30", "2025-W01"),
        ("2020-12-31", "2020-W53"),
        ("2024-01-01", "2024-W01"),
    ] {
        assert_eq!(day(date).week().to_string(), week);
        assert_eq!(Week::parse(week), Some(day(date).week()));
    }
}

#[test]
fn every_day_is_in_one_week_of_one_month() {
    let mut date = day("2019-12-01");
    while date < day("2028-02-01") {
        let month = date.node_month();
        let weeks: Vec<Week> =
            month.weeks().filter(|week| week.days().any(|inside| inside == date)).collect();
        assert_eq!(weeks, [date.week()]);
        let node = Period::Month(month);
        assert!(node.first_day() <= date && date <= node.last_day());
        assert_eq!(Month::parse(&month.to_string()), Some(month));
        date = date.plus(1);
    }
}

#[test]
fn nodes_become_fixable_on_their_dates() {
    let morning = |name, hour: u16| Moment { day: day(name), minutes: hour * 60 };
    let fixable = |name, now, grace_hours| Period::parse(name).unwrap().fixable(now, grace_hours);
    assert!(!fixable("2026-03-15", morning("2026-03-16", 3), 4));
    assert!(fixable("2026-03-15", morning("2026-03-16", 4), 4));
    assert!(!fixable("2026-03-15", Moment::end_of(day("2026-03-15")), 0));
    assert_eq!(Moment::end_of(day("2026-03-15")).minutes, 1440);
    assert!(!fixable("2026-W11", Moment::end_of(day("2026-03-21")), 4));
    assert!(fixable("2026-W11", morning("2026-03-22", 0), 4));
    assert!(!fixable("2026-12", Moment::end_of(day("2027-01-07")), 4));
    assert!(fixable("2026-12", morning("2027-01-08", 0), 4));
}
