//! Logs whose date is likely a slip: agents type last year's date in January, often for days (SPEC section 4).

use super::calendar::Day;

/// How far from every other log, and how far back, a date must lie to be suspect: more than so many days (SPEC section 4).
const DAYS_APART: i64 = 60;
/// A date further ahead than so many days is suspect (SPEC section 4).
pub const DAYS_AHEAD_MAX: i64 = 2;
const YEAR_DAYS: i64 = 365;

/// What is told of a log with a suspect date.
pub const WHAT: &str = "is dated far from every other log, or ahead of today: is the year right?";

/// The dates among `days` (those of all raw logs, in order, each once) whose year is likely wrong: those more than two days ahead of
/// `today`; and a date more than 60 days back that lies more than 60 days from every other one, or a few such dates in a row
/// whose year later is where the other logs are. Their logs are compacted like any other; people are told of them.
///
/// A date that is the only one has no others to stand apart from.
pub fn suspect(days: &[Day], today: Day) -> Vec<Day> {
    let mut found = Vec::new();
    for group in days.chunk_by(|day, next| next.days_since(*day) <= DAYS_APART) {
        let is_old = today.days_since(group[group.len() - 1]) > DAYS_APART;
        // A pause of months parts two groups as well, and then no year is wrong.
        let is_a_year_early = |day: &Day| {
            let others = days.iter().filter(|other| !group.contains(other));
            others
                .map(|other| other.days_since(*day) - YEAR_DAYS)
                .any(|off| off.abs() <= DAYS_APART)
        };
        let is_slip = match group.len() {
            1 => days.len() > 1,
            few => few * 2 < days.len() && group.iter().all(is_a_year_early),
        };
        let is_ahead = |day: &&Day| day.days_since(today) > DAYS_AHEAD_MAX;
        found.extend(group.iter().filter(|day| is_old && is_slip || is_ahead(day)));
    }
    found
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
