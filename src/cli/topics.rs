//! `hipocampusd topics`: every topic that the tree knows, newest first.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::print;
use super::target::{Target, TargetArgs};
use crate::daemon::recall as files;
use crate::memory::calendar::Day;
use crate::memory::entry::Kind;
use crate::memory::level::{Level, Period};
use crate::memory::node::Node;
use crate::memory::recall;
use crate::memory::topic::{self, Key};

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
    /// The same for a program
    #[arg(long)]
    json: bool,
}

/// A subject of the tree.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Topic {
    /// Its name, in its newest spelling.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The newest date that mentions it.
    pub last: String,
    /// Days since then.
    pub age_days: i64,
    /// On how many days it was mentioned.
    pub days: u32,
    /// What to mind.
    pub warning: Option<String>,
}

pub fn run(arguments: &TopicsArgs) -> Result<u8> {
    let target = Target::find(&arguments.target, false)?;
    let all = topics(&target, arguments.kind)?;
    print::answer(arguments.json, &all, || text(&all))?;
    Ok(0)
}

pub(super) fn text(all: &[Topic]) -> String {
    if all.is_empty() {
        return "no subject is known\n".to_owned();
    }
    let mut out = String::new();
    for topic in all {
        let warning = topic.warning.as_ref().map_or("", |_| " ?");
        let name = print::harmless(&topic.name);
        let days = usize::try_from(topic.days).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}  {name} [{}, {}d{warning}], on {}",
            topic.last,
            topic.kind,
            topic.age_days,
            print::count(days, "day")
        );
    }
    out
}

pub fn topics(target: &Target, only: Option<Kind>) -> Result<Vec<Topic>> {
    let listing = target.list(true)?;
    let mut periods: Vec<Period> = listing.nodes.iter().map(|(period, _)| *period).collect();
    let newest = periods.iter().map(|period| period.last_day()).max();
    periods.retain(|period| {
        period.level() == Level::Monthly
            || newest.is_some_and(|newest| newest.days_since(period.last_day()) < RECENT_DAYS)
    });
    // From the months down: what a lower level says of days is part of what a higher one does.
    periods.sort_by_key(|period| (std::cmp::Reverse(period.level()), period.first_day()));
    let mut all: BTreeMap<Key, (String, Kind, Day, u32)> = BTreeMap::new();
    for period in periods {
        let Some(node) = files::read(&target.workspace, &period.path())
            .ok()
            .and_then(|text| Node::read(period, &text))
        else {
            continue;
        };
        for (at, topic) in node.front.topics.iter().enumerate() {
            let mentioned = node.front.mentions.get(at);
            let last = mentioned.map_or(period.last_day(), |mentioned| mentioned.last);
            let days = mentioned.map_or(1, |mentioned| mentioned.days.max(1));
            let known =
                all.entry(topic::key(&topic.name))
                    .or_insert((topic.name.clone(), topic.kind, last, 0));
            if last > known.2 {
                (known.0, known.1, known.2) = (topic.name.clone(), topic.kind, last);
            }
            // Late entries, which most often correct what was told.
            let is_late = last < period.first_day() && known.3 > 0;
            if period.level() == Level::Monthly && !is_late {
                known.3 += days;
            } else {
                known.3 = known.3.max(days);
            }
        }
    }
    let today = target.moment.day;
    let mut topics: Vec<Topic> = all
        .into_values()
        .filter(|(_, kind, ..)| only.is_none_or(|only| only == *kind))
        .map(|(name, kind, last, days)| {
            let age_days = today.days_since(last).max(0);
            Topic {
                name,
                kind: kind.to_string(),
                last: last.to_string(),
                age_days,
                days,
                warning: recall::warning(kind, age_days),
            }
        })
        .collect();
    topics.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.name.cmp(&other.name)));
    Ok(topics)
}
