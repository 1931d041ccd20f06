//! What cannot be read is not gone: what is made of it keeps what it had until then.

use super::Planner;
use crate::memory::calendar::{Day, Month};
use crate::memory::inventory::{Content, Known, LateUnit};
use crate::memory::level::Period;

impl Planner<'_> {
    /// Whether something below a period is waited for.
    pub(super) fn awaits_below(&self, period: Period) -> bool {
        period.below().into_iter().any(|below| self.is_awaited(below))
    }

    /// Whether a month is.
    pub(super) fn awaits_a_month(&self) -> bool {
        let mut months: Vec<Month> = self.inventory.nodes.keys().map(|period| period.month()).collect();
        months.dedup();
        months
            .into_iter()
            .any(|month| self.is_awaited(Period::Month(month)))
    }

    /// Whether a node is there and cannot be read just now, or has to be made anew and is not yet.
    fn is_awaited(&self, period: Period) -> bool {
        if self.ahead.contains_key(&period) {
            return false;
        }
        let above = period.parent().and_then(|above| self.inventory.node(above));
        let is_in_above = above.map(|node| node.sources.contains(&period));
        match self.inventory.nodes.get(&period) {
            Some(Known::Node(_) | Known::Blocked) => false,
            Some(Known::Unreadable) => true,
            Some(Known::Garbled) if is_in_above != Some(false) => true,
            Some(Known::Garbled) | None => match period {
                Period::Day(day) => is_in_above == Some(true) && self.has_unreadable_log(day),
                Period::Week(_) | Period::Month(_) => self.awaits_below(period),
            },
        }
    }

    pub(super) fn has_unreadable_log(&self, day: Day) -> bool {
        let mut logs = self.inventory.logs_of(day).iter();
        logs.any(|log| log.content == Content::Unreadable)
    }

    /// Takes out the late units that a daily node which cannot be read may carry: one of a later day than theirs.
    pub(super) fn hold_back(&self, uncovered: &mut Vec<LateUnit>) {
        let unreadable = |(period, known): (&Period, &Known)| match period {
            Period::Day(day) if *known == Known::Unreadable => Some(*day),
            _ => None,
        };
        let last = self.inventory.nodes.iter().filter_map(unreadable).max();
        uncovered.retain(|unit| last.is_none_or(|day| unit.day >= day));
    }
}
