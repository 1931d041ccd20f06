//! Which nodes are due, in which order, and why (SPEC sections 4 and 5), by what lies on disk and the date alone. A cycle builds at most
//! one node a level, the most recent due one first; a drain builds every due node once, from the bottom up, and ends in the same tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::calendar::{Day, Moment, Month};
use super::entry::UnitDigest;
use super::inventory::{Inventory, Known, Late, LateUnit, Log, NodeFacts};
use super::level::{Level, Period, Status};
use super::node::Hash;
use super::render::{daily_sources, upper_sources};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// One node a level, and ROOT.
    Cycle,
    All,
    /// Everything, or one node a level where that takes more than so many steps.
    Short(usize),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// How many nodes stay due after this plan because of the limit of one a level.
    pub left: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Fix(Period),
    Build(Build),
    Root(Reason),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    pub period: Period,
    pub reason: Reason,
    pub status: Status,
    pub late: Vec<LateUnit>,
}

impl Build {
    pub fn new(period: Period, reason: Reason, status: Status, late: Vec<LateUnit>) -> Self {
        Self { period, reason, status, late }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Missing,
    SourcesChanged,
    LateEntries,
    Placeholder,
    /// Ages and "recent" are those of another day.
    NewDay,
    Edited,
    /// A checked summary of a command or an agent waits for its place.
    Answered,
    /// What an agent wrote in place of the summary is none.
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    pub grace_hours: u8,
    /// Whether summaries wait for an agent to replace them, and are fixed only two weeks after they could be.
    pub await_agent: bool,
    /// Whether summaries wait for a command, until it was asked as often as it may be.
    pub await_command: bool,
}

impl Rules {
    pub fn awaits(self) -> bool {
        self.await_agent || self.await_command
    }
}

impl Plan {
    pub fn new(inventory: &Inventory, now: Moment, rules: Rules, extent: Extent) -> Self {
        let plan = |extent| Planner::plan(inventory, now, rules, extent);
        let Extent::Short(steps_max) = extent else {
            return plan(extent);
        };
        let all = Some(plan(Extent::All)).filter(|all| all.steps.len() <= steps_max);
        all.unwrap_or_else(|| plan(Extent::Cycle))
    }

    pub fn builds(&self) -> impl Iterator<Item = &Build> {
        self.steps.iter().filter_map(|step| match step {
            Step::Build(build) => Some(build),
            Step::Fix(_) | Step::Root(_) => None,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

impl Step {
    pub fn period(&self) -> Option<Period> {
        match self {
            Self::Fix(period) => Some(*period),
            Self::Build(build) => Some(build.period),
            Self::Root(_) => None,
        }
    }
}

/// Whether a daily node must stay as it is: its logs are gone, its own or those whose late entries it carries, and no vault has them.
/// What they said stands in the node alone. `late` is what it is to carry.
fn is_sealed(inventory: &Inventory, day: Day, node: &NodeFacts, late: &[LateUnit]) -> bool {
    let in_vault = |digest: &UnitDigest| late.iter().any(|unit| (unit.day, unit.digest) == (day, *digest));
    !inventory.may_say_something(day) && (late.is_empty() || !node.entries.iter().all(in_vault))
}

/// The hash a daily node of these sources has; none when one of them cannot be read.
pub fn daily_hash(logs: &[Log], late: &[LateUnit]) -> Option<Hash> {
    let known = logs.iter().map(|log| Some((log, log.facts.as_ref()?)));
    let known: Vec<_> = known.collect::<Option<_>>()?;
    let said = known.into_iter().filter(|(_, facts)| !facts.units.is_empty());
    let said = said.map(|(log, facts)| (log.path.as_str(), facts.hash));
    let late = late.iter().map(|unit| (unit.day, unit.digest));
    Some(daily_sources(said, late))
}

named!(Reason:
    Missing = "new",
    SourcesChanged = "its sources changed",
    LateEntries = "late entries",
    Placeholder = "only a placeholder stands there",
    NewDay = "a new day",
    Edited = "edited by hand",
    Answered = "its summary has come",
    Refused = "what an agent wrote is no summary of its sources"
);

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fix(period) => write!(out, "fix    {}", period.path()),
            Self::Build(build) => {
                let (path, reason, status) = (build.period.path(), build.reason, build.status);
                let then = if status == Status::Fixed { "then " } else { "" };
                write!(out, "build  {path} ({reason}, {then}{status})")
            }
            Self::Root(reason) => write!(out, "build  memory/ROOT.md ({reason})"),
        }
    }
}

/// How long a node waits for an agent's summary after it could be fixed (SPEC section 8).
const AWAIT_AGENT_DAYS: i64 = 14;

struct Planner<'a> {
    inventory: &'a Inventory,
    now: Moment,
    rules: Rules,
    extent: Extent,
    /// The late units that each open daily node is to carry.
    late: BTreeMap<Day, Vec<LateUnit>>,
    /// The status nodes will have, and whether their content will be another, once the steps so far are done.
    ahead: BTreeMap<Period, (Status, bool)>,
    plan: Plan,
}

enum NodeDecision {
    Rest,
    Fix,
    Build(Reason),
}

impl<'a> Planner<'a> {
    fn plan(inventory: &'a Inventory, now: Moment, rules: Rules, extent: Extent) -> Plan {
        let mut planner = Self {
            inventory,
            now,
            rules,
            extent,
            late: BTreeMap::new(),
            ahead: BTreeMap::new(),
            plan: Plan::default(),
        };
        planner.assign_late(inventory.late());
        for level in Level::ALL {
            planner.level(level);
        }
        planner.root();
        planner.plan
    }

    /// Late units nobody carries go to the newest daily node that is open, or to a new one for today, or to the next day that can take them:
    /// today's may be fixed after a wrong clock. Where a node of a later day cannot be read just now, it may carry them: then they wait.
    fn assign_late(&mut self, mut late: Late) {
        self.late = late.carried;
        let unreadable = |(period, known): (&Period, &Known)| match period {
            Period::Day(day) if *known == Known::Unreadable => Some(*day),
            _ => None,
        };
        let last = self.inventory.nodes.iter().filter_map(unreadable).max();
        late.uncovered.retain(|unit| last.is_none_or(|day| unit.day >= day));
        if late.uncovered.is_empty() {
            return;
        }
        let (today, yesterday) = (self.now.day, self.now.day.plus(-1));
        let node = |day| self.inventory.node(Period::Day(day));
        let has_today = !self.inventory.logs_of(today).is_empty() || node(today).is_some();
        let is_open = !Period::Day(yesterday).fixable(self.now, self.rules.grace_hours)
            && node(yesterday).is_some_and(|node| node.status != Status::Fixed);
        let mut target = if is_open && !has_today { yesterday } else { today };
        // Whether a date may still get a daily node, or has one that can be made anew with these units too.
        let takes_in = |day| {
            let carried = self.late.get(&day).map_or(&[][..], Vec::as_slice);
            let units = || [carried, &late.uncovered].concat();
            let stays = |known: &NodeFacts| {
                known.status == Status::Fixed || is_sealed(self.inventory, day, known, &units())
            };
            !node(day).is_some_and(stays) && self.inventory.may_have_daily(day)
        };
        while !takes_in(target) {
            target = target.plus(1);
        }
        let units = self.late.entry(target).or_default();
        units.extend(late.uncovered);
        units.sort_unstable();
    }

    fn level(&mut self, level: Level) {
        let mut due: Vec<(Period, Reason)> = Vec::new();
        for period in self.candidates(level) {
            match self.decision(period) {
                NodeDecision::Rest => {}
                NodeDecision::Fix => {
                    self.ahead.insert(period, (Status::Fixed, false));
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
            let status = match self.may_fix(period, Some(reason)) {
                true => Status::Fixed,
                false if self.rules.await_agent => Status::NeedsSummarization,
                false => Status::Tentative,
            };
            self.ahead.insert(period, (status, true));
            let late = match period {
                Period::Day(day) => self.late.get(&day).cloned().unwrap_or_default(),
                _ => Vec::new(),
            };
            let build = Build::new(period, reason, status, late);
            self.plan.steps.push(Step::Build(build));
        }
    }

    /// Every period of a level that has a node or something to make one from, in order of time.
    fn candidates(&self, level: Level) -> Vec<Period> {
        let nodes = self.inventory.level(level);
        let open = nodes.filter(|(_, node)| node.status != Status::Fixed);
        let mut periods: BTreeSet<Period> = open.map(|(period, _)| period).collect();
        match level.below() {
            None => {
                let days = self.inventory.logs.keys().chain(self.late.keys());
                periods.extend(days.map(|&day| Period::Day(day)));
            }
            Some(below) => {
                let ahead = self.ahead.keys().copied();
                let ahead = ahead.filter(|period| period.level() == below);
                let present = self.inventory.level(below).map(|(period, _)| period);
                periods.extend(present.chain(ahead).filter_map(Period::parent));
            }
        }
        periods.retain(|&period| !self.inventory.is_blocked(period));
        periods.into_iter().collect()
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
        if let Some(reason) = reason {
            return NodeDecision::Build(reason);
        }
        let Some(node) = node else {
            return NodeDecision::Rest;
        };
        let summaries = &self.inventory.summaries;
        let ready = summaries.ready.get(&period);
        if ready.is_some() && ready == node.built_from.as_ref() && (!node.answered || node.touched) {
            return NodeDecision::Build(Reason::Answered);
        }
        let (refused, may_fix) = (summaries.refused.get(&period), self.may_fix(period, None));
        match refused {
            Some(at_once) if *at_once || may_fix => NodeDecision::Build(Reason::Refused),
            _ if may_fix => NodeDecision::Fix,
            _ => NodeDecision::Rest,
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
        if waiting && self.rules.await_agent {
            return Some(AWAIT_AGENT_DAYS);
        }
        let given_up = self.inventory.summaries.given_up.get(&period);
        let asked = building.is_none()
            && given_up.is_some()
            && given_up == node.and_then(|node| node.built_from.as_ref());
        (!waiting || !self.rules.await_command || asked).then_some(0)
    }

    fn daily_reason(&self, day: Day, node: Option<&NodeFacts>) -> Option<Reason> {
        let late = self.late.get(&day).map_or(&[][..], Vec::as_slice);
        let mut carried = node.iter().flat_map(|node| &node.late).map(|(day, _)| *day);
        if self.has_unreadable_log(day) || carried.any(|day| self.has_unreadable_log(day)) {
            return None;
        }
        let Some(node) = node else {
            let own = self.inventory.may_have_daily(day) && self.inventory.may_say_something(day);
            let carries = (!late.is_empty()).then_some(Reason::LateEntries);
            return own.then_some(Reason::Missing).or(carries);
        };
        if is_sealed(self.inventory, day, node, late) {
            return None;
        }
        let expected = daily_hash(self.inventory.logs_of(day), late)?;
        if node.placeholder {
            return Some(Reason::Placeholder);
        }
        if node.built_from == Some(expected) {
            return None;
        }
        match late.len() > node.late_units().count() {
            true => Some(Reason::LateEntries),
            false => Some(Reason::SourcesChanged),
        }
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

    /// The nodes that a weekly or monthly node is made of after the steps so far; none for one whose content is still to be made.
    fn sources(&self, period: Period) -> Vec<Option<(Period, Hash)>> {
        let source = |below: Period| match self.ahead.get(&below) {
            Some((_, true)) => Some(None),
            _ => Some(Some((below, self.inventory.node(below)?.content))),
        };
        period.below().into_iter().filter_map(source).collect()
    }

    /// Whether a node may be fixed: the date has come, and everything its period can have is in it and fixed itself.
    fn may_fix(&self, period: Period, building: Option<Reason>) -> bool {
        let Some(days) = self.waits(period, building) else {
            return false;
        };
        let now = Moment { day: self.now.day.plus(-days), ..self.now };
        period.fixable(now, self.rules.grace_hours) && self.is_closed(period)
    }

    fn is_closed(&self, period: Period) -> bool {
        let status = |period| {
            let ahead = self.ahead.get(&period).map(|(status, _)| *status);
            ahead.or_else(|| Some(self.inventory.node(period)?.status))
        };
        let is_done = |below| status(below) == Some(Status::Fixed) || !self.can_have(below);
        match period {
            Period::Day(day) => !self.has_unreadable_log(day),
            _ => period.below().into_iter().all(is_done),
        }
    }

    /// Whether a period has a node, or something that can still become one.
    fn can_have(&self, period: Period) -> bool {
        if self.inventory.nodes.contains_key(&period) || self.ahead.contains_key(&period) {
            return true;
        }
        match period {
            Period::Day(day) => {
                let says_something = self.inventory.may_say_something(day);
                self.inventory.may_have_daily(day) && (says_something || self.late.contains_key(&day))
            }
            _ => period.below().into_iter().any(|below| self.can_have(below)),
        }
    }

    fn root(&mut self) {
        let root = &self.inventory.root;
        let mut ahead = self.ahead.iter();
        let changed = ahead.any(|(period, (_, rebuilt))| period.level() == Level::Monthly && *rebuilt);
        let monthlies = self.inventory.level(Level::Monthly);
        let monthlies: Vec<_> = monthlies.map(|(period, node)| (period, node.content)).collect();
        let has_none = !changed && monthlies.is_empty();
        let months = self.inventory.nodes.keys().map(|period| period.month());
        let mut months = months.collect::<BTreeSet<Month>>().into_iter();
        let mut awaits_a_month = || months.any(|month| self.is_awaited(Period::Month(month)));
        if root.blocked || has_none || root.exists && awaits_a_month() {
            return;
        }
        let sources_changed = changed || root.built_from != Some(upper_sources(monthlies));
        let reasons = [
            (!root.exists, Reason::Missing),
            (sources_changed, Reason::SourcesChanged),
            (root.day != Some(self.now.day), Reason::NewDay),
            (root.touched, Reason::Edited),
        ];
        let reason = reasons.into_iter().find(|(holds, _)| *holds);
        let step = reason.map(|(_, reason)| Step::Root(reason));
        self.plan.steps.extend(step);
    }

    /// What cannot be read is not gone: what is made of it keeps what it had until then.
    fn awaits_below(&self, period: Period) -> bool {
        period.below().into_iter().any(|below| self.is_awaited(below))
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
        logs.any(|log| log.facts.is_none())
    }
}

#[cfg(test)]
mod tests;
