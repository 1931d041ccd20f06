//! The chain in memory: raw logs to dailies, weeklies, monthlies and ROOT, with nothing written.

use std::collections::BTreeMap;

use hipocampusd::memory::calendar::{Day, Month, Week};
use hipocampusd::memory::digest::Digest;
use hipocampusd::memory::entry;
use hipocampusd::memory::level::{Period, Status};
use hipocampusd::memory::node::Hash;
use hipocampusd::memory::render::{self, Built, Log, Source};
use hipocampusd::memory::root::{self, Foreign, Printed};
use hipocampusd::memory::task::nobody;

use super::plant::Logs;

/// All nodes, and what ROOT is printed from.
pub(crate) struct Tree {
    pub(crate) days: BTreeMap<Day, Built>,
    pub(crate) weeks: BTreeMap<Week, Built>,
    pub(crate) months: BTreeMap<Month, Built>,
    pub(crate) history: Digest,
}

impl Tree {
    pub(crate) fn grow(logs: &Logs, today: Day) -> Self {
        let days: BTreeMap<Day, Built> =
            logs.iter().filter_map(|(&day, text)| Some((day, daily(day, text)?))).collect();
        Self::of(days, today)
    }

    /// What stands above these daily nodes.
    pub(crate) fn of(days: BTreeMap<Day, Built>, today: Day) -> Self {
        let mut weeks: BTreeMap<Week, Vec<Day>> = BTreeMap::new();
        for &day in days.keys() {
            weeks.entry(day.week()).or_default().push(day);
        }
        let weeks: BTreeMap<Week, Built> = weeks
            .into_iter()
            .filter_map(|(week, of)| {
                let below: Vec<Source<'_>> = of.iter().map(|day| source(&days[day])).collect();
                Some((week, render::upper(Period::Week(week), below, Status::Tentative, &nobody)?))
            })
            .collect();
        let mut months: BTreeMap<Month, Vec<Week>> = BTreeMap::new();
        for &week in weeks.keys() {
            months.entry(week.month()).or_default().push(week);
        }
        let months: BTreeMap<Month, Built> = months
            .into_iter()
            .filter_map(|(month, of)| {
                let below: Vec<Source<'_>> = of.iter().map(|week| source(&weeks[week])).collect();
                Some((month, render::upper(Period::Month(month), below, Status::Tentative, &nobody)?))
            })
            .collect();
        let history = told(&months, &days, today);
        Self { days, weeks, months, history }
    }

    /// ROOT when the log of `today` is this text and all else is as it is.
    pub(crate) fn root_with(&self, today: Day, text: &str, tokens_max: usize) -> Printed {
        let day = daily(today, text).expect("a log with an entry makes a node");
        let days = today
            .week()
            .days()
            .filter_map(|other| if other == today { Some(&day) } else { self.days.get(&other) });
        let below: Vec<Source<'_>> = days.map(source).collect();
        let week = render::upper(Period::Week(today.week()), below, Status::Tentative, &nobody)
            .expect("a week with a day makes a node");
        let weeks = today
            .node_month()
            .weeks()
            .filter_map(|other| if other == today.week() { Some(&week) } else { self.weeks.get(&other) });
        let below: Vec<Source<'_>> = weeks.map(source).collect();
        let month = render::upper(Period::Month(today.node_month()), below, Status::Tentative, &nobody)
            .expect("a month with a week makes a node");
        let (mut months, mut all_days) = (self.months.clone(), self.days.clone());
        months.insert(today.node_month(), month);
        all_days.insert(today, day.clone());
        print(&told(&months, &all_days, today), today, tokens_max)
    }

    /// ROOT on a later day of which there is nothing yet.
    pub(crate) fn root_as_of(&self, today: Day, tokens_max: usize) -> Printed {
        print(&told(&self.months, &self.days, today), today, tokens_max)
    }

    pub(crate) fn root(&self, today: Day, tokens_max: usize) -> Printed {
        print(&self.history, today, tokens_max)
    }
}

/// What ROOT is printed from.
fn told(months: &BTreeMap<Month, Built>, days: &BTreeMap<Day, Built>, today: Day) -> Digest {
    let dailies = root::active_days(days.keys().copied(), today).into_iter();
    let given = |built: &Built| root::contribution(built.digest.clone(), today);
    let dailies = dailies.map(|day| (day, given(&days[&day]))).collect();
    root::history(months.values().map(given), dailies, today)
}

fn print(history: &Digest, today: Day, tokens_max: usize) -> Printed {
    root::print(history, &Foreign::default(), today, tokens_max)
}

/// The daily node of a log.
pub(crate) fn daily(day: Day, text: &str) -> Option<Built> {
    let path = format!("memory/{day}.md");
    day_of(day, &[Log { path: &path, text }])
}

/// The daily node of a day's logs.
pub(crate) fn day_of(day: Day, logs: &[Log<'_>]) -> Option<Built> {
    let units = logs.iter().flat_map(|log| entry::read(log.text).units());
    let digests = units.map(|unit| entry::digest(unit.text)).collect();
    render::daily(day, logs, digests, &[], Hash(1), Status::Tentative, &nobody)
}

fn source(built: &Built) -> Source<'_> {
    Source {
        node: &built.node,
        content: built.content,
        digest: built.digest.clone(),
    }
}
