//! What a node notes of the mentions of a topic: `2026-03-15 3 2 2026-03-12 done`.

use super::figures::{push_day, push_number};
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
    pub(in crate::memory) fn write(&self, out: &mut String, generation: u32) {
        push_day(out, self.last);
        out.push(' ');
        push_number(out, self.days.into());
        if generation < PLACES_SINCE {
            return;
        }
        out.push(' ');
        push_number(out, self.place.into());
        if let Some((day, done)) = self.before {
            out.push(' ');
            push_day(out, day);
            out.push_str(if done { " done" } else { "" });
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
