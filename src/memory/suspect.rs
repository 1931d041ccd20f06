//! Logs whose date is likely a slip: agents type last year's date in January (SPEC section 4).

use super::calendar::Day;

/// How far from every other log, and how far back, a date must lie to be suspect: more than so many days.
const DAYS_APART: i64 = 60;

/// The dates among `days` (those of all raw logs, in order, each once) that lie more than 60 days from every other one
/// and more than 60 days before `today`. Their logs are compacted like any other; people are told of them.
///
/// A date that is the only one has no others to stand apart from.
pub fn suspect(days: &[Day], today: Day) -> Vec<Day> {
    let apart = |at: usize| {
        let before = at.checked_sub(1).map(|before| days[at].days_since(days[before]));
        let after = days.get(at + 1).map(|after| after.days_since(days[at]));
        before
            .into_iter()
            .chain(after)
            .all(|distance| distance > DAYS_APART)
    };
    let suspect = |at: &usize| days.len() > 1 && apart(*at) && today.days_since(days[*at]) > DAYS_APART;
    (0..days.len()).filter(suspect).map(|at| days[at]).collect()
}

#[cfg(test)]
mod tests {
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
        check(&["2026-01-01", "2026-06-01"], "2026-03-02", &[]);
        check(&["2026-01-01", "2026-03-03"], "2026-03-03", &["2026-01-01"]);
    }

    #[test]
    fn what_is_recent_or_in_the_future_is_not_suspect() {
        check(
            &["2025-12-01", "2025-12-02", "2026-03-01", "2027-03-01"],
            "2026-03-15",
            &[],
        );
    }

    #[test]
    fn a_pause_parts_two_groups_and_makes_neither_suspect() {
        check(
            &["2024-01-01", "2024-01-02", "2026-01-01", "2026-01-02"],
            "2026-03-15",
            &[],
        );
    }

    #[test]
    fn the_only_log_stands_apart_from_nothing() {
        check(&["2020-01-01"], "2026-03-15", &[]);
        check(&[], "2026-03-15", &[]);
    }
}
