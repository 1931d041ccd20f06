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
use crate::memory::digest;
use crate::memory::entry::Kind;
use crate::memory::level::{Level, Period};
use crate::memory::node::Node;
use crate::memory::topic::Key;
use crate::memory::{reading, recall};

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
    print::answer(arguments.json, &all, || text(&all, arguments.kind))?;
    Ok(0)
}

pub(super) fn text(all: &[Topic], only: Option<Kind>) -> String {
    let mut out = String::new();
    if all.is_empty() {
        out.push_str(match only {
            None => "no subject is known\n",
            Some(Kind::User | Kind::Feedback) => {
                "no subject has this type; ROOT has what else is known of the person and the rules: `hipocampusd show ROOT`\n"
            }
            Some(_) => "no subject has this type\n",
        });
    }
    for topic in all {
        let warning = topic.warning.as_ref().map_or("", |_| " ?");
        let name = print::harmless(&topic.name);
        let _ = writeln!(
            out,
            "{}  {name} [{}, {}d{warning}], on {}",
            topic.last,
            topic.kind,
            topic.age_days,
            print::count(topic.days, "day")
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
    let mut all: BTreeMap<Key, (digest::Topic, u32)> = BTreeMap::new();
    for period in periods {
        let Some(node) = files::read(&target.workspace, &period.path())
            .ok()
            .and_then(|text| Node::read(period, &text))
        else {
            continue;
        };
        for topic in reading::topics(&node) {
            let days = topic.mentioned(period.first_day()).days.max(1);
            // Late entries most often correct what was told.
            let adds = period.level() == Level::Monthly && topic.late == 0;
            let known = all
                .entry(topic.key().clone())
                .or_insert_with(|| (topic.clone(), 0));
            known.1 = if adds { known.1 + days } else { known.1.max(days) };
            if topic.last > known.0.last {
                known.0 = topic;
            }
        }
    }
    let today = target.moment.day;
    let mut topics: Vec<Topic> = all
        .into_values()
        .filter(|(topic, _)| only.is_none_or(|only| only == topic.kind))
        .map(|(topic, days)| {
            let age_days = today.days_since(topic.last).max(0);
            Topic {
                name: topic.name,
                kind: topic.kind.to_string(),
                last: topic.last.to_string(),
                age_days,
                days,
                warning: recall::warning(topic.kind, age_days),
            }
        })
        .collect();
    topics.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.name.cmp(&other.name)));
    Ok(topics)
}
