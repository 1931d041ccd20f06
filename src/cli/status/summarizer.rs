//! What `status` says of the summarizer: which one, how often it was asked today, what it last failed at.

use chrono::DateTime;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::cli::target::Target;
use crate::config::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE};
use crate::daemon::attempt_log::{AttemptLog, Failure};
use crate::daemon::clock::Clock;
use crate::daemon::settings;
use crate::memory::calendar::Day;
use crate::memory::inventory::{Inventory, NodeFacts};
use crate::memory::level::{Level, Period, Status};

/// The names are those of `status --json`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownSummarizer {
    name: String,
    /// Open nodes whose summary is the extractive one, and might be a better one yet.
    waiting: usize,
    /// Nodes whose summary a command or an agent wrote.
    answered: usize,
    /// Nodes that were changed in place of a summary, and are none.
    refused: usize,
    calls_today: u32,
    calls_max: u32,
    /// Nothing is asked before then, after failures in a row.
    paused_until: Option<String>,
    last_answer: Option<String>,
    #[schemars(with = "Value")]
    last_failure: Option<Failure>,
}

impl ShownSummarizer {
    pub(super) fn look(target: &Target, inventory: &Inventory) -> Self {
        let log = AttemptLog::read(&target.workspace);
        let now = Clock::start().now(&settings::zone(&target.settings));
        let nodes = || Level::ALL.into_iter().flat_map(|level| inventory.level(level));
        let given_up = &inventory.summaries.given_up;
        let waits = |(period, node): &(Period, &NodeFacts)| {
            node.summarized
                && !node.answered
                && node.status != Status::Fixed
                && (given_up.get(period).is_none() || given_up.get(period) != node.built_from.as_ref())
        };
        let paused = log.paused_until.filter(|&until| until > now.wall.timestamp());
        Self {
            name: target.settings.summarizer.clone(),
            waiting: nodes().filter(waits).count(),
            answered: nodes()
                .filter(|(_, node)| node.summarized && node.answered)
                .count(),
            refused: inventory.summaries.refused.len(),
            calls_today: log.calls_on(Day::from(now.day)),
            calls_max: target.settings.compaction.max_summaries_per_day,
            paused_until: paused
                .and_then(|until| DateTime::from_timestamp(until, 0))
                .map(super::iso),
            last_answer: log.last_answer,
            last_failure: log.last_failure,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = self.name.clone();
        if self.name == SUMMARIZER_EXTRACTIVE {
            return text;
        }
        let mut add = |what: String| {
            text.push_str(", ");
            text.push_str(&what);
        };
        add(format!("{} waiting, {} summarized", self.waiting, self.answered));
        if self.name == SUMMARIZER_AGENT {
            if self.refused > 0 {
                add(format!("{} refused", self.refused));
            }
            return text;
        }
        add(format!("{} of {} calls today", self.calls_today, self.calls_max));
        if self.calls_max == 0 {
            add("never asked (compaction.maxSummariesPerDay is 0)".to_owned());
        }
        if let Some(until) = &self.paused_until {
            add(format!("not asked before {until}, after failures in a row"));
        }
        if let Some(failure) = &self.last_failure {
            add(format!(
                "last failure {} at {}: {}",
                failure.at, failure.node, failure.what
            ));
        }
        text
    }
}
