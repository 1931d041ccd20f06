//! The making of a plan: level by level, each step's effect known to the steps after it.

use std::collections::BTreeMap;

use super::{Build, Extent, Plan, Reason, Rules, Step, daily_hash, is_sealed};
use crate::memory::calendar::{Day, Moment, Month};
use crate::memory::inventory::{Content, Inventory, Known, Late, LateUnit, Log, NodeFacts};
use crate::memory::level::{Level, Period, Status};
use crate::memory::node::Hash;
use crate::memory::render::upper_sources;

/// How long a node waits for an agent's summary after it could be fixed (SPEC section 8).
const AWAIT_AGENT_DAYS: i64 = 14;

pub(super) struct Planner<'a> {
    inventory: &'a Inventory,
    now: Moment,
    rules: Rules,
    extent: Extent,
    /// The late units that each open daily node is to carry.
    late: BTreeMap<Day, Vec<LateUnit>>,
    /// The status nodes will have, and whether their content will be another, once the steps so far are done.
    ahead: BTreeMap<Period, Ahead>,
    plan: Plan,
}

#[derive(Clone, Copy)]
struct Ahead {
    status: Status,
    rebuilt: bool,
}

enum NodeDecision {
    Rest,
    Fix,
    Build(Reason),
}

impl<'a> Planner<'a> {
    pub(super) fn new(inventory: &'a Inventory, now: Moment, rules: Rules, extent: Extent) -> Self {
        Self {
            inventory,
            now,
            rules,
            extent,
            late: BTreeMap::new(),
            ahead: BTreeMap::new(),
            plan: Plan::default(),
        }
    }

    pub(super) fn decide(mut self) -> Plan {
        self.assign_late(self.inventory.late());
        for level in Level::ALL {
            self.level(level);
        }
        self.root();
        self.plan
    }

    /// Late units nobody carries go to the newest daily node that is open, or to a new one for today. Where the clock was ahead
    /// before, that one may be fixed already, and where the day's log was taken away, its node must stay as it is: then to the
    /// next that can be. A node of a later day that cannot be read just now may carry them: then they wait.
    fn assign_late(&mut self, mut late: Late) {
        self.late = late.carried;
        self.hold_back(&mut late.uncovered);
        if late.uncovered.is_empty() {
            return;
        }
        let today = self.now.day;
        let has_today =
            !self.inventory.logs_of(today).is_empty() || self.inventory.node(Period::Day(today)).is_some();
        let yesterday = today.plus(-1);
        let open_yesterday = !yesterday.fixable(self.now, self.rules.grace_hours)
            && self
                .inventory
                .node(Period::Day(yesterday))
                .is_some_and(|node| node.status != Status::Fixed);
        let mut target = if open_yesterday && !has_today {
            yesterday
        } else {
            today
        };
        while !self.takes_in(target, &late.uncovered) {
            target = target.plus(1);
        }
        let units = self.late.entry(target).or_default();
        units.extend(late.uncovered);
        units.sort_unstable();
    }

    /// Whether a date may still get a daily node, or has one that can be made anew with these units too.
    fn takes_in(&self, day: Day, units: &[LateUnit]) -> bool {
        let carried = self.late.get(&day).map_or(&[][..], Vec::as_slice);
        let stays = |node: &NodeFacts| {
            let logs = self.inventory.logs_of(day);
            node.status == Status::Fixed || is_sealed(day, node, logs, &[carried, units].concat())
        };
        !self.inventory.node(Period::Day(day)).is_some_and(stays) && self.inventory.may_have_daily(day)
    }

    fn level(&mut self, level: Level) {
        let mut due: Vec<(Period, Reason)> = Vec::new();
        for period in self.candidates(level) {
            match self.decision(period) {
                NodeDecision::Rest => {}
                NodeDecision::Fix => {
                    let (status, rebuilt) = (Status::Fixed, false);
                    self.ahead.insert(period, Ahead { status, rebuilt });
                    self.plan.steps.push(Step::Fix(period));
                }
                NodeDecision::Build(reason) => due.push((period, reason)),
            }
        }
        if self.extent == Extent::Cycle {
            let left = due.len().saturating_sub(1);
            self.plan.left += left;
            due.drain(..left);
        }
        for (period, reason) in due {
            let open = if self.rules.await_agent {
                Status::NeedsSummarization
            } else {
                Status::Tentative
            };
            let status = if self.may_fix(period, Some(reason)) {
                Status::Fixed
            } else {
                open
            };
            let rebuilt = true;
            self.ahead.insert(period, Ahead { status, rebuilt });
            let late = match period {
                Period::Day(day) => self.late.get(&day).cloned().unwrap_or_default(),
                _ => Vec::new(),
            };
            self.plan.steps.push(Step::Build(Build {
                period,
                reason,
                status,
                late,
            }));
        }
    }

    /// Every period of a level that has a node or something to make one from, in order of time.
    fn candidates(&self, level: Level) -> Vec<Period> {
        let with_node = self
            .inventory
            .level(level)
            .filter(|(_, node)| node.status != Status::Fixed)
            .map(|(period, _)| period);
        let mut periods: Vec<Period> = with_node.collect();
        match level.below() {
            None => {
                periods.extend(self.inventory.logs.keys().map(|&day| Period::Day(day)));
                periods.extend(self.late.keys().map(|&day| Period::Day(day)));
            }
            Some(below) => {
                let ahead = self
                    .ahead
                    .keys()
                    .copied()
                    .filter(|period| period.level() == below);
                let present = self.inventory.level(below).map(|(period, _)| period);
                periods.extend(present.chain(ahead).filter_map(Period::parent));
            }
        }
        periods.sort_unstable();
        periods.dedup();
        periods.retain(|&period| !self.inventory.is_blocked(period));
        periods
    }

    fn decision(&self, period: Period) -> NodeDecision {
        let node = self.inventory.node(period);
        if node.is_some_and(|node| node.status == Status::Fixed) || self.awaits_below(period) {
            return NodeDecision::Rest;
        }
        let reason = match period {
            Period::Day(day) => self.daily_reason(day, node),
            Period::Week(_) | Period::Month(_) => self.upper_reason(period, node),
        };
        match (reason, node) {
            (Some(reason), _) => NodeDecision::Build(reason),
            (None, Some(node)) => self.rebuilt_or_fixed(period, node),
            (None, None) => NodeDecision::Rest,
        }
    }

    fn rebuilt_or_fixed(&self, period: Period, node: &NodeFacts) -> NodeDecision {
        let summaries = &self.inventory.summaries;
        let ready = summaries.ready.get(&period);
        if ready.is_some() && ready == node.built_from.as_ref() && (!node.answered || node.touched) {
            return NodeDecision::Build(Reason::Answered);
        }
        let refused = summaries.refused.get(&period);
        if refused == Some(&true) {
            return NodeDecision::Build(Reason::Refused);
        }
        match self.may_fix(period, None) {
            true if refused.is_some() => NodeDecision::Build(Reason::Refused),
            true => NodeDecision::Fix,
            false => NodeDecision::Rest,
        }
    }

    /// How long a summary waits for a better one: so many days after it could be fixed, or none for no end of it.
    fn waits(&self, period: Period, building: Option<Reason>) -> Option<i64> {
        let node = self.inventory.node(period);
        let waiting = match building {
            Some(Reason::Answered) => false,
            // Refused after its time: it has waited.
            Some(Reason::Refused) => self.rules.await_agent,
            Some(_) => true,
            None => node.is_some_and(|node| node.summarized && !node.answered),
        };
        if !waiting {
            Some(0)
        } else if self.rules.await_agent {
            Some(AWAIT_AGENT_DAYS)
        } else if self.rules.await_command {
            let given_up = self.inventory.summaries.given_up.get(&period);
            let asked = building.is_none()
                && given_up.is_some()
                && given_up == node.and_then(|node| node.built_from.as_ref());
            asked.then_some(0)
        } else {
            Some(0)
        }
    }

    fn daily_reason(&self, day: Day, node: Option<&NodeFacts>) -> Option<Reason> {
        let logs = self.inventory.logs_of(day);
        let late = self.late.get(&day).map_or(&[][..], Vec::as_slice);
        let mut carried = node.iter().flat_map(|node| &node.late).map(|(day, _)| *day);
        if self.has_unreadable_log(day) || carried.any(|day| self.has_unreadable_log(day)) {
            return None;
        }
        let Some(node) = node else {
            let own = self.inventory.may_have_daily(day) && logs.iter().any(Log::may_say_something);
            return match (own, late.is_empty()) {
                (true, _) => Some(Reason::Missing),
                (false, false) => Some(Reason::LateEntries),
                (false, true) => None,
            };
        };
        if is_sealed(day, node, logs, late) {
            return None;
        }
        let expected = daily_hash(logs, late)?;
        if node.placeholder {
            return Some(Reason::Placeholder);
        }
        if node.built_from == Some(expected) {
            return None;
        }
        let carried: usize = node.late.iter().map(|(_, digests)| digests.len()).sum();
        Some(if late.len() > carried {
            Reason::LateEntries
        } else {
            Reason::SourcesChanged
        })
    }

    fn upper_reason(&self, period: Period, node: Option<&NodeFacts>) -> Option<Reason> {
        let sources = self.sources(period);
        if sources.is_empty() {
            return None;
        }
        let Some(node) = node else {
            return Some(Reason::Missing);
        };
        if node.placeholder {
            return Some(Reason::Placeholder);
        }
        let known: Option<Vec<(Period, Hash)>> = sources.into_iter().collect();
        let unchanged = known.is_some_and(|known| node.built_from == Some(upper_sources(known)));
        (!unchanged).then_some(Reason::SourcesChanged)
    }

    /// The nodes a weekly or monthly node is built from, once the steps so far are done; none for one whose content
    /// is still to be made.
    fn sources(&self, period: Period) -> Vec<Option<(Period, Hash)>> {
        let source = |below: Period| {
            if self.ahead.get(&below).is_some_and(|ahead| ahead.rebuilt) {
                return Some(None);
            }
            let node = self.inventory.node(below)?;
            Some(Some((below, node.content)))
        };
        period.below().into_iter().filter_map(source).collect()
    }

    /// Whether a node may be fixed: the date has come, and everything its period can have is in it and fixed itself.
    fn may_fix(&self, period: Period, building: Option<Reason>) -> bool {
        let Some(days) = self.waits(period, building) else {
            return false;
        };
        let now = Moment {
            day: self.now.day.plus(-days),
            ..self.now
        };
        period.fixable(now, self.rules.grace_hours) && self.is_closed(period)
    }

    fn is_closed(&self, period: Period) -> bool {
        let fixed = |below: Period| self.status(below) == Some(Status::Fixed);
        match period {
            Period::Day(day) => !self.has_unreadable_log(day),
            Period::Week(_) | Period::Month(_) => period
                .below()
                .into_iter()
                .all(|below| fixed(below) || !self.can_have(below)),
        }
    }

    /// Whether a period has a node, or something that can still become one.
    fn can_have(&self, period: Period) -> bool {
        if self.inventory.nodes.contains_key(&period) || self.ahead.contains_key(&period) {
            return true;
        }
        match period {
            Period::Day(day) => {
                let says_something = self.inventory.logs_of(day).iter().any(Log::may_say_something);
                self.inventory.may_have_daily(day) && (says_something || self.late.contains_key(&day))
            }
            Period::Week(_) | Period::Month(_) => {
                period.below().into_iter().any(|below| self.can_have(below))
            }
        }
    }

    fn status(&self, period: Period) -> Option<Status> {
        let ahead = self.ahead.get(&period).map(|ahead| ahead.status);
        ahead.or_else(|| self.inventory.node(period).map(|node| node.status))
    }

    fn root(&mut self) {
        let root = &self.inventory.root;
        let rebuilt = |period: &Period, ahead: &Ahead| period.level() == Level::Monthly && ahead.rebuilt;
        let changed = self.ahead.iter().any(|(period, ahead)| rebuilt(period, ahead));
        let mut monthlies = self.inventory.level(Level::Monthly).peekable();
        if root.blocked || (!changed && monthlies.peek().is_none()) {
            return;
        }
        if root.exists && self.awaits_a_month() {
            return;
        }
        let reason = if !root.exists {
            Some(Reason::Missing)
        } else if changed
            || root.built_from
                != Some(upper_sources(
                    monthlies.map(|(period, node)| (period, node.content)),
                ))
        {
            Some(Reason::SourcesChanged)
        } else if root.day != Some(self.now.day) {
            Some(Reason::NewDay)
        } else {
            root.touched.then_some(Reason::Edited)
        };
        self.plan.steps.extend(reason.map(Step::Root));
    }
}

/// What cannot be read is not gone: what is made of it keeps what it had until then.
impl Planner<'_> {
    fn awaits_below(&self, period: Period) -> bool {
        period.below().into_iter().any(|below| self.is_awaited(below))
    }

    fn awaits_a_month(&self) -> bool {
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

    fn has_unreadable_log(&self, day: Day) -> bool {
        let mut logs = self.inventory.logs_of(day).iter();
        logs.any(|log| log.content == Content::Unreadable)
    }

    /// Takes out the late units that a daily node which cannot be read may carry: one of a later day than theirs.
    fn hold_back(&self, uncovered: &mut Vec<LateUnit>) {
        let unreadable = |(period, known): (&Period, &Known)| match period {
            Period::Day(day) if *known == Known::Unreadable => Some(*day),
            _ => None,
        };
        let last = self.inventory.nodes.iter().filter_map(unreadable).max();
        uncovered.retain(|unit| last.is_none_or(|day| unit.day >= day));
    }
}
