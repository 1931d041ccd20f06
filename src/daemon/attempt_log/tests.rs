//! Budget, back-off and breaker, at moments of the test's choosing.

use super::*;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn at(minutes: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_773_000_000 + minutes * 60, 0).unwrap()
}

const ONE: &str = "2026-03-09";
const OTHER: &str = "2026-03-10";

#[test]
fn the_calls_of_a_day_are_counted_and_a_clock_set_back_gives_none_back() {
    let mut book = AttemptLog::default();
    let period = Period::Day(day(ONE));
    book.call(period, Hash(1), day(OTHER), true);
    book.call(period, Hash(1), day(OTHER), false);
    assert_eq!(book.calls_on(day(OTHER)), 2);
    assert_eq!(book.calls_on(day(ONE)), 2);
    assert_eq!(book.calls_on(day("2026-03-11")), 0);
    assert_eq!(book.tries["2026-03-09"].attempts, 1, "two parts, one try");
    assert!(book.asked_on(period, day(OTHER)) && !book.asked_on(period, day("2026-03-11")));
}

#[test]
fn a_content_is_tried_three_times_with_back_off_and_then_given_up_until_it_is_another() {
    let mut book = AttemptLog::default();
    let period = Period::Day(day(ONE));
    for (attempt, wait) in [(1, 10), (2, 180), (3, 0)] {
        book.paused_until = None;
        assert!(book.given_up().is_empty());
        book.call(period, Hash(1), day(OTHER), true);
        book.failed(period, Hash(1), at(0), "fell over");
        book.paused_until = None;
        let until = book.not_before(period, Hash(1), at(0));
        assert_eq!(until, (wait > 0).then(|| at(wait)), "try {attempt}");
    }
    assert_eq!(book.given_up(), [(period, Hash(1))].into());
    book.call(period, Hash(2), day(OTHER), true);
    assert!(book.given_up().is_empty(), "another content is tried anew");
}

#[test]
fn three_failures_in_a_row_stop_all_asking_for_a_while_that_grows_until_one_goes_well() {
    let mut book = AttemptLog::default();
    let periods = [1, 2, 3, 4].map(|at| Period::Day(day(&format!("2026-03-0{at}"))));
    for period in &periods[..3] {
        assert_eq!(book.paused_until, None);
        book.failed(*period, Hash(1), at(0), "fell over");
    }
    assert_eq!(
        book.not_before(periods[3], Hash(1), at(0)),
        Some(at(30)),
        "a content never tried waits as well"
    );
    assert_eq!(book.not_before(periods[3], Hash(1), at(30)), None);
    book.failed(periods[3], Hash(1), at(30), "fell over");
    assert_eq!(book.not_before(periods[3], Hash(2), at(30)), Some(at(90)));
    for _ in 0..20 {
        book.failed(periods[3], Hash(1), at(100), "fell over");
    }
    assert_eq!(book.not_before(periods[3], Hash(2), at(100)), Some(at(100 + 720)));
    book.went_well(periods[3], at(900));
    assert_eq!(book.not_before(periods[3], Hash(2), at(900)), None);
    assert_eq!(book.last_failure.map(|failure| failure.what), Some("fell over".to_owned()));
}

#[test]
fn what_needs_no_summary_any_more_is_forgotten() {
    let mut book = AttemptLog::default();
    for name in [ONE, OTHER] {
        book.call(Period::Day(day(name)), Hash(1), day(OTHER), true);
    }
    book.keep_only(|period| period == Period::Day(day(OTHER)));
    assert_eq!(book.tries.into_keys().collect::<Vec<_>>(), [OTHER]);
}
