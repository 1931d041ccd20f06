//! What a node notes of the mentions of a topic: `2026-03-15 3 2 2026-03-12 done`.

use std::fmt;

use crate::memory::calendar::Day;

/// When a topic was last mentioned and when before that, and on how many days it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mentioned {
    /// The newest date of a log that mentions it.
    pub last: Day,
    /// The number of days with a mention that was no passing note (SPEC section 7): 0 keeps a topic out of ROOT.
    pub days: u32,
    /// How many other topics the newest date mentions before it; 0 where that is not known.
    pub place: u32,
    /// The newest date before that one, and whether the matter was completed by then.
    pub before: Option<(Day, bool)>,
}

/// The first generation that notes more of a mention than its date and the number of days.
const PLACES_SINCE: u32 = 5;

impl Mentioned {
    /// As a node of this generation notes it: a node that is printed again has the bytes that it had.
    pub(super) fn noted_by(&self, generation: u32) -> String {
        if generation < PLACES_SINCE {
            format!("{} {}", self.last, self.days)
        } else {
            self.to_string()
        }
    }

    pub(super) fn read(item: &str) -> Option<Self> {
        let mut words = item.split(' ');
        let last = Day::parse(words.next()?)?;
        let mut number = |unsaid| words.next().map_or(Some(unsaid), |word| word.parse().ok());
        let (days, place) = (number(1)?, number(0)?);
        let before = words.next().and_then(Day::parse);
        let done = words.next() == Some("done");
        Some(Self {
            last,
            days,
            place,
            before: before.map(|day| (day, done)),
        })
    }
}

impl fmt::Display for Mentioned {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.last, self.days, self.place)?;
        match self.before {
            Some((day, true)) => write!(out, " {day} done"),
            Some((day, false)) => write!(out, " {day}"),
            None => Ok(()),
        }
    }
}
