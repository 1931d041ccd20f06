//! The three levels of nodes between the raw logs and ROOT, and a node's period and status (SPEC sections 1, 2 and 6).

use std::fmt;

use chrono::Months;
use serde::{Deserialize, Serialize};

use super::calendar::{Day, Moment, Month, Week};
use super::text::line_count;

/// A level of the tree that has nodes of its own. The order is that of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Daily,
    Weekly,
    Monthly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Period {
    Day(Day),
    Week(Week),
    Month(Month),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Its period may still get data.
    Tentative,
    Fixed,
    /// Usable, and waiting for a better summary.
    NeedsSummarization,
}

// The node's `type`, which is also the name of its folder below `memory/`.
named!(Level: Daily = "daily", Weekly = "weekly", Monthly = "monthly");
named!(Status: Tentative = "tentative", Fixed = "fixed", NeedsSummarization = "needs-summarization");

impl Level {
    pub const fn below(self) -> Option<Self> {
        match self {
            Self::Daily => None,
            Self::Weekly => Some(Self::Daily),
            Self::Monthly => Some(Self::Weekly),
        }
    }

    /// How many lines of source a node carries verbatim; beyond them it carries a summary.
    pub const fn threshold_lines(self) -> usize {
        match self {
            Self::Daily => 200,
            Self::Weekly => 300,
            Self::Monthly => 500,
        }
    }

    /// Whether a node carries texts verbatim. Nobody reads lines by the megabyte either: what so long a line says is summarized too.
    pub fn carries<'a>(self, texts: impl Iterator<Item = &'a str>) -> bool {
        const BYTES_MAX: usize = 1 << 20;
        let (lines, bytes) =
            texts.fold((0, 0), |(lines, bytes), text| (lines + line_count(text), bytes + text.len()));
        lines <= self.threshold_lines() && bytes <= BYTES_MAX
    }

    /// How many lines a summary may have, user and feedback entries not counted: half the threshold.
    pub const fn summary_lines(self) -> usize {
        self.threshold_lines() / 2
    }

    pub fn period(self, name: &str) -> Option<Period> {
        match self {
            Self::Daily => Day::parse(name).map(Period::Day),
            Self::Weekly => Week::parse(name).map(Period::Week),
            Self::Monthly => Month::parse(name).map(Period::Month),
        }
    }

    pub fn node(self, name: &str) -> Option<Period> {
        self.period(name.strip_suffix(".md")?)
    }
}

impl Period {
    /// Reads the name of a period of any level: `2026-03-15`, `2026-W11` or `2026-03`.
    pub fn parse(name: &str) -> Option<Self> {
        Level::ALL.into_iter().find_map(|level| level.period(name))
    }

    pub const fn level(self) -> Level {
        match self {
            Self::Day(_) => Level::Daily,
            Self::Week(_) => Level::Weekly,
            Self::Month(_) => Level::Monthly,
        }
    }

    /// The period one level up that is built from this one; a month has none, for it goes into ROOT.
    pub fn parent(self) -> Option<Self> {
        match self {
            Self::Day(day) => Some(Self::Week(day.week())),
            Self::Week(week) => Some(Self::Month(week.month())),
            Self::Month(_) => None,
        }
    }

    pub fn below(self) -> Vec<Self> {
        match self {
            Self::Day(_) => Vec::new(),
            Self::Week(week) => week.days().map(Self::Day).collect(),
            Self::Month(month) => month.weeks().map(Self::Week).collect(),
        }
    }

    /// The month whose node it goes into, or is.
    pub fn month(self) -> Month {
        match self {
            Self::Day(day) => day.node_month(),
            Self::Week(week) => week.month(),
            Self::Month(month) => month,
        }
    }

    /// The first day of what its node holds: of a month the Monday of its first week.
    pub fn first_day(self) -> Day {
        match self {
            Self::Day(day) => day,
            Self::Week(week) => week.monday(),
            Self::Month(month) => month.weeks().next().expect("a month has a week").monday(),
        }
    }

    pub fn last_day(self) -> Day {
        match self {
            Self::Day(day) => day,
            Self::Week(week) => week.sunday(),
            Self::Month(month) => month.weeks().last().expect("a month has a week").sunday(),
        }
    }

    /// Whether the calendar allows its node to be fixed (SPEC section 4): a daily one when the grace hours of the next day have passed, a
    /// weekly one seven days after its Sunday, a monthly one on the 8th of the next month. Closure comes on top.
    pub fn fixable(self, now: Moment, grace_hours: u8) -> bool {
        match self {
            Self::Day(day) => (now.day, now.minutes) >= (day.plus(1), u16::from(grace_hours) * 60),
            Self::Week(week) => now.day >= week.sunday().plus(7),
            Self::Month(month) => now.day.date() >= month.date(8) + Months::new(1),
        }
    }

    /// What its node is called, wherever the tree lies: `memory/weekly/2026-W11.md`.
    pub fn path(self) -> String {
        format!("memory/{}/{self}.md", self.level().name())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(out),
            Self::Week(week) => week.fmt(out),
            Self::Month(month) => month.fmt(out),
        }
    }
}
