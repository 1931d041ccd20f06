//! `hipocampusd topics`: every topic that the tree knows, newest first.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::print;
use super::target::{Target, TargetArgs};
use crate::daemon::recall as files;
use crate::memory::entry::Kind;
use crate::memory::level::{Level, Period};
use crate::memory::node::Node;
use crate::memory::topic::Key;
use crate::memory::{digest, reading, recall};

const AFTER: &str = "\
Examples:
  hipocampusd topics ~/agents/work
  hipocampusd topics --type feedback --json";
/// Days before the newest node whose weeks and days are looked at too: what is older is in its month.
const RECENT_DAYS: i64 = 45;

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct TopicsArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Only those of this type: project, feedback, user or reference
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<Kind>,
}

/// A subject of the tree; `config/tools.json` says what its fields are.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Topic {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub last: String,
    pub age_days: i64,
    pub days: u32,
    pub warning: Option<String>,
}

pub fn run(arguments: &TopicsArgs) -> Result<()> {
    let target = Target::find(&arguments.target.place(), false)?;
    let all = topics(&target, arguments.kind)?;
    print::answer(arguments.target.json(), &all, || text(&all))
}

pub(super) fn text(all: &[Topic]) -> String {
    let line = |topic: &Topic| {
        let warning = topic.warning.as_ref().map_or("", |_| " ?");
        let (last, name, kind) = (&topic.last, print::harmless(&topic.name), &topic.kind);
        let (age, days) = (topic.age_days, print::count(topic.days, "day"));
        format!("{last}  {name} [{kind}, {age}d{warning}], on {days}\n")
    };
    if all.is_empty() {
        return "no such subject is known; the person and the rules stand in ROOT: `hipocampusd show ROOT`\n"
            .to_owned();
    }
    all.iter().map(line).collect()
}

pub fn topics(target: &Target, only: Option<Kind>) -> Result<Vec<Topic>> {
    let mut periods: Vec<Period> = target.list(true)?.nodes.iter().map(|(period, _)| *period).collect();
    let newest = periods.iter().map(|period| period.last_day()).max();
    let is_recent =
        |period: Period| newest.is_some_and(|newest| newest.days_since(period.last_day()) < RECENT_DAYS);
    periods.retain(|period| period.level() == Level::Monthly || is_recent(*period));
    // From the months down: what a lower level says of days is part of what a higher one does.
    periods.sort_by_key(|period| (std::cmp::Reverse(period.level()), period.first_day()));
    let mut all: BTreeMap<Key, (digest::Topic, u32)> = BTreeMap::new();
    for period in periods {
        let text = files::read(&target.workspace, &period.path()).unwrap_or_default();
        let node = Node::read(period, &text);
        for topic in node.iter().flat_map(reading::topics) {
            let days = topic.mentioned(period.first_day()).days.max(1);
            // Late entries most often correct what was told.
            let adds = period.level() == Level::Monthly && topic.late == 0;
            let known = all.entry(topic.key().clone()).or_insert_with(|| (topic.clone(), 0));
            known.1 = if adds { known.1 + days } else { known.1.max(days) };
            if topic.last > known.0.last {
                known.0 = topic;
            }
        }
    }
    let shown = |(topic, days): (digest::Topic, u32)| {
        let age_days = target.moment.day.days_since(topic.last).max(0);
        Topic {
            name: topic.name,
            kind: topic.kind.to_string(),
            last: topic.last.to_string(),
            age_days,
            days,
            warning: recall::warning(topic.kind, age_days),
        }
    };
    let wanted = |(topic, _): &(digest::Topic, u32)| only.is_none_or(|only| only == topic.kind);
    let mut topics: Vec<Topic> = all.into_values().filter(wanted).map(shown).collect();
    topics.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.name.cmp(&other.name)));
    Ok(topics)
}
