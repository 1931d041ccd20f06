//! Logs whose date is likely a slip: agents type last year's date in January, often for days (SPEC section 4).

use super::calendar::Day;

/// How far from every other log, and how far back, a date must lie to be suspect: more than so many days (SPEC section 4).
const DAYS_APART: i64 = 60;
/// A date further ahead than so many days is suspect (SPEC section 4).
pub const DAYS_AHEAD_MAX: i64 = 2;
const YEAR_DAYS: i64 = 365;

pub const WHAT: &str = "is dated far from every other log, or ahead of today: is the year right?";

/// The dates among `days` (those of all raw logs, in order, each once) whose year is likely wrong: those more than
/// [`DAYS_AHEAD_MAX`] days ahead of `today`; and dates more than `DAYS_APART` days back and from every other one, alone or a few in a row
/// whose year later is where the other logs are. A date that is the only one is not suspect.
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
mod tests;
