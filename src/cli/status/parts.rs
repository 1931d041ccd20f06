//! The parts of `status`: each for programs and for people, side by side.

use chrono::DateTime;
use serde_json::{Map, Value, json};

use super::{Part, local};
use crate::cli::print::count;
use crate::cli::target::Target;
use crate::cli::tree;
use crate::config::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE};
use crate::daemon::attempt_log::{AttemptLog, Failure};
use crate::daemon::clock::{Clock, iso};
use crate::daemon::qmd::QmdResult;
use crate::daemon::root_file;
use crate::daemon::vault::Vault;
use crate::memory::calendar::Day;
use crate::memory::inventory::{Inventory, NodeFacts};
use crate::memory::level::{Level, Period, Status};
use crate::memory::root::SECTIONS;
use crate::memory::tokens;

/// What there may be of a node, or in its place: as [`tree::state`] calls it, for programs, and for people.
const STATES: [(&str, &str, &str); 6] = [
    ("fixed", "fixed", "fixed"),
    ("tentative", "tentative", "tentative"),
    (
        "needs-summarization",
        "needsSummarization",
        "waiting for a summary",
    ),
    ("blocked", "blocked", "held by another file"),
    ("unreadable", "unreadable", "unreadable"),
    ("damaged", "damaged", "damaged"),
];

impl Part {
    fn new(value: Value, line: String) -> Self {
        let lines = vec![line];
        Self { value, lines }
    }
}

pub(super) fn nodes(inventory: &Inventory) -> Part {
    let (mut value, mut lines) = (Map::new(), Vec::new());
    for level in Level::ALL {
        let (mut counts, mut there) = (Map::new(), Vec::new());
        for (state, name, words) in STATES {
            let nodes = inventory.nodes.iter();
            let nodes =
                nodes.filter(|(period, known)| period.level() == level && tree::state(known) == state);
            let number = nodes.count();
            counts.insert(name.to_owned(), json!(number));
            there.extend((number > 0).then(|| format!("{number} {words}")));
        }
        let there = if there.is_empty() {
            "none".to_owned()
        } else {
            there.join(", ")
        };
        lines.push(format!("{:8} {there}", level.name()));
        value.insert(level.name().to_owned(), counts.into());
    }
    let value = value.into();
    Part { value, lines }
}

pub(super) fn root(target: &Target) -> Part {
    let standing = root_file::read(&target.workspace).ok();
    let text = standing.filter(|standing| standing.stamp.is_some());
    let text = text.map(|standing| standing.text);
    let (tokens_max, exists) = (target.cycle.root_tokens_max, text.is_some());
    let text = text.unwrap_or_default();
    let (tokens, topics) = (tokens::count(&text), subjects(&text));
    let last_updated = root_file::last_updated(&text);
    // The cap is too small for what must be in it.
    let cut_short = exists && root_file::note(&target.workspace).is_ok_and(|note| note.cut_short);
    let mut line = match exists {
        true => format!("{tokens} of {tokens_max} tokens, {}", count(topics, "subject")),
        false => "none yet".to_owned(),
    };
    if let Some(day) = last_updated {
        line += &format!(", of {day}");
    }
    if cut_short {
        line += "; the cap is too small for what must be in it, raise compaction.rootMaxTokens";
    }
    let value = json!({
        "exists": exists,
        "tokens": tokens,
        "tokensMax": tokens_max,
        "topics": topics,
        "lastUpdated": last_updated,
        "cutShort": cut_short,
    });
    Part::new(value, line)
}

/// How many subjects the index of ROOT names; the person and the rules stand there too, and are none.
pub(in crate::cli) fn subjects(root: &str) -> usize {
    let index = root
        .lines()
        .skip_while(|line| line.strip_prefix("## ").map(str::trim_end) != Some(SECTIONS[3]))
        .skip(1);
    let is_personal = |line: &&str| line.contains(" [user, ") || line.contains(" [feedback, ");
    index
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("- ") && !is_personal(line))
        .count()
}

pub(super) fn vault(vault: &Vault) -> Part {
    let (logs, bytes, lost) = (vault.logs().count(), vault.size(), vault.losses());
    let mut line = format!("{}, {} KiB", count(logs, "log"), bytes.div_ceil(1024));
    if !lost.is_empty() {
        let gone = lost.iter().filter(|loss| loss.gone).count();
        line += &format!("; {gone} gone, {}", count(lost.len() - gone, "overwrite"));
    }
    if !vault.is_on() {
        line = "off (vault.enabled is false)".to_owned();
    }
    let value = json!({"enabled": vault.is_on(), "logs": logs, "bytes": bytes, "lost": lost});
    Part::new(value, line)
}

pub(super) fn qmd(target: &Target, result: Option<&QmdResult>) -> Part {
    let enabled = target.settings.search.enabled;
    let at = result.and_then(|result| result.at.parse().ok());
    let at = at.map_or_else(String::new, |at| local(at, target));
    let line = match result {
        _ if !enabled => "off (search.enabled is false)".to_owned(),
        None => "qmd, where it is installed, follows the next cycle".to_owned(),
        Some(result) if result.is_good() => format!("up to date, {at}"),
        Some(result) if result.is_not_wanted() => result.sentence(),
        Some(result) => {
            let said = result.sentence();
            format!("failed, {at}: {said}; `hipocampusd doctor` tells more")
        }
    };
    Part::new(json!({"enabled": enabled, "lastResult": result}), line)
}

pub(super) fn summarizer(target: &Target, inventory: &Inventory) -> Part {
    let log = AttemptLog::read(&target.workspace);
    let now = Clock::start().now(&target.zone());
    let name = &target.settings.summarizer;
    let nodes = || Level::ALL.into_iter().flat_map(|level| inventory.level(level));
    let given_up = &inventory.summaries.given_up;
    // Open nodes whose summary is the extractive one, and might be a better one yet.
    let waits = |(period, node): &(Period, &NodeFacts)| {
        node.summarized
            && !node.answered
            && node.status != Status::Fixed
            && (given_up.get(period).is_none() || given_up.get(period) != node.built_from.as_ref())
    };
    let waiting = nodes().filter(waits).count();
    let is_answered = |(_, node): &(Period, &NodeFacts)| node.summarized && node.answered;
    let answered = nodes().filter(is_answered).count();
    let refused = inventory.summaries.refused.len();
    let calls_today = log.calls_on(Day::from(now.day));
    let calls_max = target.settings.compaction.max_summaries_per_day;
    let paused_until = log.paused_until.filter(|&until| until > now.wall.timestamp());
    let paused_until = paused_until.and_then(|until| DateTime::from_timestamp(until, 0));
    let paused_until = paused_until.map(iso);
    let mut line = format!("{name}, {waiting} waiting, {answered} summarized");
    if name == SUMMARIZER_EXTRACTIVE {
        line.clone_from(name);
    } else if name == SUMMARIZER_AGENT {
        if refused > 0 {
            line += &format!(", {refused} refused");
        }
    } else {
        line += &format!(", {calls_today} of {calls_max} calls today");
        if calls_max == 0 {
            line += ", never asked (compaction.maxSummariesPerDay is 0)";
        }
        if let Some(until) = &paused_until {
            line += &format!(", not asked before {until}, after failures in a row");
        }
        if let Some(Failure { at, node, what }) = &log.last_failure {
            line += &format!(", last failure {at} at {node}: {what}");
        }
    }
    let value = json!({
        "name": name,
        "waiting": waiting,
        "answered": answered,
        "refused": refused,
        "callsToday": calls_today,
        "callsMax": calls_max,
        "pausedUntil": paused_until,
        "lastAnswer": log.last_answer,
        "lastFailure": log.last_failure,
    });
    Part::new(value, line)
}
