//! Which dates are likely wrong.

use super::*;

fn check(days: &[&str], today: &str, expect: &[&str]) {
    let day = |name: &&str| Day::parse(name).unwrap();
    let days: Vec<Day> = days.iter().map(day).collect();
    let expect: Vec<Day> = expect.iter().map(day).collect();
    assert_eq!(suspect(&days, day(&today)), expect, "{days:?}");
}

#[test]
fn a_log_of_last_year_beside_those_of_this_january_is_suspect() {
    check(
        &["2025-01-05", "2026-01-03", "2026-01-04", "2026-01-06"],
        "2026-01-06",
        &["2025-01-05"],
    );
}

#[test]
fn sixty_days_are_not_more_than_sixty() {
    check(&["2026-01-01", "2026-03-02"], "2026-03-02", &[]);
    check(&["2026-01-01", "2026-03-02"], "2026-03-15", &[]);
    check(&["2026-01-01", "2026-06-01"], "2026-03-02", &["2026-06-01"]);
    check(&["2026-01-01", "2026-03-03"], "2026-03-03", &["2026-01-01"]);
}

#[test]
fn more_than_two_days_ahead_is_suspect_and_what_is_recent_is_not() {
    check(
        &[
            "2025-12-01",
            "2025-12-02",
            "2026-03-01",
            "2026-03-17",
            "2027-03-01",
        ],
        "2026-03-15",
        &["2027-03-01"],
    );
    check(&["2026-03-18"], "2026-03-15", &["2026-03-18"]);
}

#[test]
fn days_of_last_year_in_a_row_beside_those_of_this_january_are_suspect() {
    let row = [
        "2025-01-05",
        "2025-01-06",
        "2026-01-07",
        "2026-01-08",
        "2026-01-09",
    ];
    check(&row, "2026-01-09", &["2025-01-05", "2025-01-06"]);
}

#[test]
fn a_pause_parts_two_groups_and_makes_neither_suspect() {
    check(&["2024-01-01", "2024-01-02", "2026-01-01", "2026-01-02"], "2026-03-15", &[]);
}

#[test]
fn the_only_log_stands_apart_from_nothing() {
    check(&["2020-01-01"], "2026-03-15", &[]);
    check(&[], "2026-03-15", &[]);
}
