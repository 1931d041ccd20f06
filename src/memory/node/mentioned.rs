//! What a node notes of the mentions of a topic: `14 3`, last on the day that is fourteen days after the first of its period, and on three
//! days. Earlier generations wrote the date, `2026-03-15 3`.

use std::fmt;

use crate::memory::calendar::Day;

/// When a topic was last mentioned, and on how many days it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mentioned {
    /// The newest date of a log that mentions it.
    pub last: Day,
    /// The number of days with a mention that was no passing note (SPEC section 7): 0 keeps a topic out of ROOT.
    pub days: u32,
}

impl Mentioned {
    /// What goes without saying in a node of that date, and is not written: one mention, on the date itself.
    pub(super) fn is_plain(self, day: Day) -> bool {
        self == Self { last: day, days: 1 }
    }

    /// Reads one of a node whose period begins on that day. Earlier generations noted more behind the two.
    pub(super) fn read(item: &str, first: Day) -> Option<Self> {
        let mut words = item.split(' ');
        let last = words.next()?;
        let after = || Some(first.plus(i64::from(last.parse::<i16>().ok()?)));
        let last = Day::parse(last).or_else(after)?;
        let days = words.next().map_or(Some(1), |word| word.parse().ok())?;
        Some(Self { last, days })
    }

    /// As a node of this generation writes it.
    pub(super) fn short(self, first: Day) -> String {
        let after = self.last.days_since(first);
        // What cannot be read again as so many days is written as earlier generations did.
        match (i16::try_from(after), self.days) {
            (Err(_), _) => self.to_string(),
            (Ok(after), 1) => after.to_string(),
            (Ok(after), days) => format!("{after} {days}"),
        }
    }
}

impl fmt::Display for Mentioned {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.days {
            1 => self.last.fmt(out),
            days => write!(out, "{} {days}", self.last),
        }
    }
}
