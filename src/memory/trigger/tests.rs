//! When a cycle is due.

use super::*;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn names(last_run: LastRun, raw_lines: u64, checkpoints: u64, cooldown_hours: f64) -> String {
    due(
        last_run,
        Counters { raw_lines, checkpoints },
        cooldown_hours,
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
    assert_eq!(names(LastRun::StateMissing, 0, 0, 3.0), "no cycle has run yet");
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
    assert_eq!(names(LastRun::StateMissing, 0, 0, 0.0), "no cycle has run yet, no cooldown");
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
