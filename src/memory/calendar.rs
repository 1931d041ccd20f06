//! Days, ISO weeks and months (SPEC section 4). A week belongs to the month that holds its Thursday, so every day is in exactly one
//! weekly and in exactly one monthly node.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate, TimeDelta};
use serde::{Deserialize, Serialize};

/// A calendar date, named `2026-03-15`; stored as the number of days since the start of the common era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(into = "i32", try_from = "i32")]
pub struct Day(NaiveDate);

/// An ISO week by its Monday, named `2026-W11`. The year is the ISO year: 2027-01-01 lies in `2026-W53`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Week(Day);

/// A calendar month by its first day, named `2026-03`, as the weeks whose Thursday lies in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Month(Day);

/// A local date and the minutes passed since its midnight (0 to 1440; 1440 is the end of the day).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    pub day: Day,
    pub minutes: u16,
}

impl Moment {
    /// The end of a day, which is what `--today DATE` means.
    pub fn end_of(day: Day) -> Self {
        Self { day, minutes: 24 * 60 }
    }
}

impl Day {
    /// Reads `2026-03-15` and nothing else: four digits, two, two, and a date that exists.
    pub fn parse(name: &str) -> Option<Self> {
        let date = NaiveDate::parse_from_str(name, "%Y-%m-%d").ok()?;
        // The reader takes `2026-3-15`, too.
        ((1..10_000).contains(&date.year()) && name == date.to_string()).then_some(Self(date))
    }

    pub fn week(self) -> Week {
        Week(self.plus(-i64::from(self.0.weekday().num_days_from_monday())))
    }

    /// The month whose node holds this day: that of its week's Thursday, not always its own.
    pub fn node_month(self) -> Month {
        self.week().month()
    }

    /// The day so many days later, or earlier when negative; stays where it is at the ends of the calendar.
    pub fn plus(self, days: i64) -> Self {
        let moved = TimeDelta::try_days(days).and_then(|days| self.0.checked_add_signed(days));
        Self(moved.unwrap_or(self.0))
    }

    pub fn days_since(self, other: Self) -> i64 {
        (self.0 - other.0).num_days()
    }

    pub fn date(self) -> NaiveDate {
        self.0
    }
}

impl Week {
    /// Reads `2026-W11` and nothing else, and only a week that its year has.
    pub fn parse(name: &str) -> Option<Self> {
        let monday = NaiveDate::parse_from_str(&format!("{name}-1"), "%G-W%V-%u").ok()?;
        let week = Self(Day(monday));
        // The reader takes `2026-W9`, too.
        (name == week.to_string() && monday.iso_week().year() > 0).then_some(week)
    }

    pub fn monday(self) -> Day {
        self.0
    }

    pub fn sunday(self) -> Day {
        self.0.plus(6)
    }

    pub fn month(self) -> Month {
        let thursday = self.0.plus(3).0;
        Month(Day(thursday.with_day(1).expect("each month has a first day")))
    }

    pub fn days(self) -> impl Iterator<Item = Day> {
        (0..7).map(move |offset| self.0.plus(offset))
    }
}

impl Month {
    pub fn parse(name: &str) -> Option<Self> {
        Day::parse(&format!("{name}-01")).map(Self)
    }

    /// A date in the month itself, not always in its node.
    pub(super) fn date(self, day: u32) -> NaiveDate {
        self.0.0.with_day(day).expect("a Month has its first 28 days")
    }

    /// The ISO weeks whose Thursday lies in it, in order: four or five.
    pub fn weeks(self) -> impl Iterator<Item = Week> {
        (0..6)
            .map(move |offset| self.0.plus(offset * 7).week())
            .filter(move |week| week.month() == self)
    }
}

impl From<NaiveDate> for Day {
    fn from(date: NaiveDate) -> Self {
        Self(date)
    }
}

impl From<Day> for i32 {
    fn from(day: Day) -> Self {
        day.0.num_days_from_ce()
    }
}

impl TryFrom<i32> for Day {
    type Error = &'static str;

    fn try_from(days: i32) -> Result<Self, Self::Error> {
        let date = NaiveDate::from_num_days_from_ce_opt(days);
        date.map(Self).ok_or("is no day of the calendar")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::parse(name).ok_or_else(|| format!("\"{name}\" is not a calendar date of the form YYYY-MM-DD"))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl fmt::Display for Week {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0.0.format("%G-W%V"))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0.0.format("%Y-%m"))
    }
}

#[cfg(test)]
mod tests;
