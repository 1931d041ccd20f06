//! What a node notes of the mentions of a topic: `2026-03-15 3`.

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

    /// Earlier generations noted more behind the two.
    pub(super) fn read(item: &str) -> Option<Self> {
        let mut words = item.split(' ');
        let last = Day::parse(words.next()?)?;
        let days = words.next().map_or(Some(1), |word| word.parse().ok())?;
        Some(Self { last, days })
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
