//! `hipocampusd status`: what there is and what is due, on one screen or as JSON (SPEC section 13).

use std::io::IsTerminal as _;
use std::time::Duration;

use anyhow::Result;
use chrono::{DateTime, Utc};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::print::Colour::{self, Bad, Good, Strong, Usual, Warning};
use super::print::{self, Paint, count};
use super::target::{Target, TargetArgs};
use super::tree;
use crate::config::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE};
use crate::daemon::attempt_log::{AttemptLog, Failure};
use crate::daemon::clock::{Clock, iso, pause};
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::lock::running_pid;
use crate::daemon::qmd::QmdResult;
use crate::daemon::status_file::StatusFile;
use crate::daemon::vault::Vault;
use crate::daemon::{cycle, root_file};
use crate::memory::calendar::Day;
use crate::memory::inventory::{Inventory, Known, NodeFacts};
use crate::memory::level::{Level, Period, Status};
use crate::memory::plan::Extent;
use crate::memory::root::SECTIONS;
use crate::memory::suspect::{WHAT, suspect};
use crate::memory::tokens;
use crate::memory::trigger::{CHECKPOINTS_MAX, LastRun, RAW_LINES_MAX};

const NEXT_SHOWN_MAX: usize = 3;
const ISSUES_SHOWN_MAX: usize = 10;
const LOOK_EVERY: Duration = Duration::from_secs(2);

const AFTER: &str = "\
Examples:
  hipocampusd status ~/agents/work
  hipocampusd status ~/agents/work --watch
  hipocampusd status --json | jq .backlog

Without DIR it is about the workspace around the current folder; where there is none, it shows a line for each workspace of \
your configuration.";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct StatusArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Show it again whenever something has changed, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

/// Everything that is shown: for programs, under the names of SPEC section 13 and more, and for people as rows of lines.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Shown {
    value: Value,
    /// Each with its name and the colour of its first line.
    #[serde(skip)]
    rows: Vec<(&'static str, Colour, Vec<String>)>,
}

/// A part of it: for programs, and for people in a line.
type Part = (Value, String);

pub fn run(arguments: &StatusArgs) -> Result<u8> {
    let (paint, place) = (Paint::for_output(), arguments.target.place());
    let (json, look) = (place.json, |place: &_| look(&Target::find(place, false)?));
    let all = place.many()?;
    if !all.is_empty() && !arguments.watch {
        let shown = place.each(&all, "", look);
        let text = || shown.iter().map(|one| one.line(paint)).collect();
        print::answer_painted(json, &shown, text)?;
        return Ok(u8::from(shown.len() < all.len()));
    }
    let is_screen = arguments.watch && !json && std::io::stdout().is_terminal();
    let mut before = String::new();
    loop {
        let shown = look(&place)?;
        let text = if json { print::json_text(&shown)? } else { shown.text(paint) };
        if text != before {
            let size = terminal_size::terminal_size().filter(|_| is_screen);
            let shown = size.map(|(_, rows)| fitted(&text, rows.0.into()));
            // Home, all below it gone, and lines that are too long cut at the edge, or they would take two.
            let shown = shown.map(|text| format!("\x1b[H\x1b[2J\x1b[?7l{text}\x1b[?7h"));
            print::painted(shown.as_ref().unwrap_or(&text))?;
            before = text;
        }
        if !arguments.watch {
            return Ok(0);
        }
        // Nothing to wait for but time: it looks afresh, as the daemon does.
        pause(LOOK_EVERY);
    }
}

/// As many lines as the screen has; the last says how many more there are.
fn fitted(text: &str, rows: usize) -> String {
    let lines = text.lines().count();
    // The cursor stands below the last line.
    let room = rows.saturating_sub(1).max(2);
    if lines <= room {
        return text.to_owned();
    }
    let shown: String = text.split_inclusive('\n').take(room - 1).collect();
    let more = count(lines - room + 1, "line");
    format!("{shown}… {more} more; the screen is too small\n")
}

pub(super) fn look(target: &Target) -> Result<Shown> {
    let workspace = &target.workspace;
    let standing = target.standing(Extent::All)?;
    let (counters, plan, mut scan) = (standing.counters, standing.plan, standing.scan);
    let path = target.name();
    let pid = running_pid(workspace);
    let file = StatusFile::read(workspace).unwrap_or_default();
    let issues = cycle::shown(workspace, std::mem::take(&mut scan.issues));
    let faults = cycle::shown(workspace, std::mem::take(&mut scan.faults));
    let issues = [issues, scan.vault.issues()].concat();
    let (errors, issues) = parted(pid.is_some(), issues, faults, file.issues.clone());
    let last_run = if let LastRun::At(time) = standing.last_run { Some(time) } else { None };
    let due_at = last_run.and_then(|run| due_at(run, target));
    let local = |time: DateTime<Utc>| local(time, target);
    let (due, backlog) = (standing.due, plan.steps.len());
    let steps = plan.steps.iter().take(NEXT_SHOWN_MAX);
    let next: Vec<String> = steps.map(|step| workspace.shown(&step.to_string())).collect();
    let inventory = &scan.inventory;
    let days: Vec<Day> = inventory.logs.keys().copied().collect();
    let suspect = suspect(&days, target.moment.day).into_iter();
    let suspect = suspect.flat_map(|day| inventory.logs_of(day));
    let suspect: Vec<&String> = suspect.map(|log| &log.path).collect();
    let ((nodes, node_lines), (root, root_line)) = (nodes(inventory), root(target));
    let (qmd, qmd_line) = qmd(target, file.qmd.as_ref());
    let (vault, vault_line) = vault(&scan.vault);
    let (summarizer, summarizer_line) = summarizer(target, inventory);
    let value = json!({
        "workspace": path,
        "today": target.moment.day.to_string(),
        "running": pid.is_some(),
        "pid": pid,
        "lastCompactionRun": last_run.map(iso),
        "lastCycle": file.last_cycle,
        "counters": {"rawLines": counters.raw_lines, "checkpoints": counters.checkpoints},
        "dueAt": due_at.map(iso),
        "due": due,
        "backlog": backlog,
        "next": next,
        "nodes": nodes,
        "root": root,
        "qmd": qmd,
        "vault": vault,
        "summarizer": summarizer,
        "suspect": suspect,
        "issues": issues,
        "errors": errors,
        "warnings": target.warnings,
    });
    let daemon = pid.map(|pid| format!("running, process {pid}"));
    let daemon = daemon.unwrap_or("not running; `hipocampusd service install` starts it".to_owned());
    let lines = count(counters.raw_lines, "line");
    let entries = count(counters.checkpoints, "entry");
    let uncovered =
        format!("{lines}, {entries} (a cycle is due at more than {RAW_LINES_MAX} or {CHECKPOINTS_MAX})");
    let is_due = match due_at {
        _ if !due.is_empty() => format!("yes: {}", due.join("; ")),
        None => "no".to_owned(),
        Some(at) => format!("no; at the latest {}", local(at)),
    };
    let suspect: Vec<String> = suspect.iter().map(|log| format!("{log}: {WHAT}")).collect();
    let last_cycle = last_run.map_or("never".to_owned(), local);
    let waiting = waiting(backlog, next, pid.is_some());
    let has_failed = qmd_line.starts_with("failed");
    let only_if = |holds, colour| if holds { colour } else { Usual };
    let rows = vec![
        ("workspace", Strong, vec![path]),
        ("daemon", if pid.is_some() { Good } else { Warning }, vec![daemon]),
        ("last cycle", Usual, vec![last_cycle]),
        ("not yet covered", Usual, vec![uncovered]),
        ("due", only_if(!due.is_empty(), Strong), vec![is_due]),
        ("backlog", only_if(backlog > 0, Strong), waiting),
        ("nodes", Usual, node_lines),
        ("ROOT", Usual, vec![root_line]),
        ("search index", only_if(has_failed, Warning), vec![qmd_line]),
        ("vault", Usual, vec![vault_line]),
        ("summarizer", Usual, vec![summarizer_line]),
        ("suspect date", Warning, some(&suspect)),
        ("passed over", Warning, some(&issues)),
        ("errors", Bad, some(&errors)),
        ("configuration", Warning, some(&target.warnings)),
    ];
    Ok(Shown { value, rows })
}

/// Errors, and what was passed over: of the files (`issues`, `faults`), and what a daemon has `noted`.
fn parted(
    is_served: bool,
    mut issues: Vec<Issue>,
    faults: Vec<Issue>,
    noted: Vec<Issue>,
) -> (Vec<Issue>, Vec<Issue>) {
    // What a daemon that is gone said of files may have been mended since; of what it could not do, it is the only witness. What waits
    // for a person is an error here, and was none of its cycle's.
    let is_news = |issue: &Issue| {
        let is_it = |fault: &Issue| fault.path == issue.path && fault.what == issue.what;
        (is_served || issue.severity == Severity::Error) && !faults.iter().any(is_it)
    };
    issues.extend(noted.into_iter().filter(is_news));
    issues.extend(faults);
    issues.sort();
    issues.dedup();
    let issues = issues.into_iter();
    issues.partition(|issue| issue.severity == Severity::Error)
}

/// When a cycle is due at the latest, because the cooldown has passed then.
fn due_at(last_run: DateTime<Utc>, target: &Target) -> Option<DateTime<Utc>> {
    let seconds = (target.settings.compaction.cooldown_hours * 3600.0) as i64;
    let at = last_run.checked_add_signed(chrono::Duration::try_seconds(seconds)?)?;
    (seconds > 0 && at > target.now).then_some(at)
}

/// A time as people read it, in the zone of the workspace, with how far off it is: `2026-03-15 08:30 (in 2 hours)`.
fn local(time: DateTime<Utc>, target: &Target) -> String {
    let local = target.zone().local(time);
    let seconds = target.now.signed_duration_since(time).num_seconds();
    let far = match seconds.unsigned_abs() {
        0..60 => "a moment".to_owned(),
        seconds @ 60..7_170 => count((seconds + 30) / 60, "minute"),
        seconds @ 7_170..171_000 => count((seconds + 1_800) / 3_600, "hour"),
        seconds => count((seconds + 43_200) / 86_400, "day"),
    };
    let (before, after) = if seconds < 0 { ("in ", "") } else { ("", " ago") };
    format!("{} ({before}{far}{after})", local.format("%Y-%m-%d %H:%M"))
}

fn some(all: &[impl ToString]) -> Vec<String> {
    let shown = all.iter().take(ISSUES_SHOWN_MAX).map(ToString::to_string);
    let more = all.len().saturating_sub(ISSUES_SHOWN_MAX);
    let more = (more > 0).then(|| format!("… and {more} more; --json has them all"));
    shown.chain(more).collect()
}

fn waiting(backlog: usize, next: Vec<String>, is_served: bool) -> Vec<String> {
    let steps = count(backlog, "step");
    let first = match (backlog, is_served) {
        (0, _) => "none".to_owned(),
        (_, true) => format!("{steps}, waiting for a cycle"),
        (_, false) => format!("{steps}; `hipocampusd compact --all` does them now"),
    };
    let more = backlog - next.len();
    let more = (more > 0).then(|| format!("… and {more} more; `hipocampusd compact --dry-run` shows all"));
    [first].into_iter().chain(next).chain(more).collect()
}

impl Shown {
    fn line(&self, paint: Paint) -> String {
        let first = |name| self.rows.iter().find(|row| row.0 == name).map_or("", |row| &row.2[0]);
        let is_served = self.value["running"] == true;
        let (colour, daemon) = if is_served { (Good, "served") } else { (Warning, "not served") };
        let daemon = paint.paint(colour, daemon);
        let errors = self.value["errors"].as_array().filter(|errors| !errors.is_empty());
        let errors = errors.map(|errors| paint.paint(Bad, &count(errors.len(), "error")));
        let errors = print::part(", ", errors, "");
        let workspace = paint.paint(Strong, &print::harmless(first("workspace")));
        let (last_cycle, backlog) = (first("last cycle"), &self.value["backlog"]);
        format!("{workspace}  {daemon}, last cycle {last_cycle}, backlog {backlog}{errors}\n")
    }

    pub(super) fn text(&self, paint: Paint) -> String {
        let mut out = String::new();
        for (name, colour, lines) in &self.rows {
            for (at, line) in lines.iter().enumerate() {
                let (name, colour) = if at == 0 { (*name, *colour) } else { ("", Usual) };
                out += &format!("{name:17}{}\n", paint.paint(colour, &print::harmless(line)));
            }
        }
        out
    }
}

/// What there may be of a node, or in its place: as [`tree::state`] calls it, for programs, and for people.
const STATES: [(&str, &str, &str); 6] = [
    ("fixed", "fixed", "fixed"),
    ("tentative", "tentative", "tentative"),
    ("needs-summarization", "needsSummarization", "waiting for a summary"),
    ("blocked", "blocked", "held by another file"),
    ("unreadable", "unreadable", "unreadable"),
    ("damaged", "damaged", "damaged"),
];

fn nodes(inventory: &Inventory) -> (Value, Vec<String>) {
    let (mut value, mut lines) = (Map::new(), Vec::new());
    for level in Level::ALL {
        let (mut counts, mut there) = (Map::new(), Vec::new());
        for (state, name, words) in STATES {
            let is_one = |node: &(&Period, &Known)| node.0.level() == level && tree::state(node.1) == state;
            let number = inventory.nodes.iter().filter(is_one).count();
            counts.insert(name.to_owned(), json!(number));
            there.extend((number > 0).then(|| format!("{number} {words}")));
        }
        there.extend(there.is_empty().then(|| "none".to_owned()));
        lines.push(format!("{:8} {}", level.name(), there.join(", ")));
        value.insert(level.name().to_owned(), counts.into());
    }
    (value.into(), lines)
}

fn root(target: &Target) -> Part {
    let standing = root_file::read(&target.workspace).unwrap_or_default();
    let (text, exists) = (standing.text, standing.stamp.is_some());
    let tokens_max = target.cycle.root_tokens_max;
    let (tokens, topics) = (tokens::count(&text), subjects(&text));
    let last_updated = root_file::last_updated(&text);
    // The cap is too small for what must be in it.
    let cut_short = exists && root_file::note(&target.workspace).is_ok_and(|note| note.cut_short);
    let subjects = count(topics, "subject");
    let there = exists.then(|| format!("{tokens} of {tokens_max} tokens, {subjects}"));
    let mut line = there.unwrap_or("none yet".to_owned()) + &print::part(", of ", last_updated, "");
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
    (value, line)
}

/// How many subjects the index of ROOT names; the person and the rules stand there too, and are none.
pub(super) fn subjects(root: &str) -> usize {
    let is_head = |line: &str| line.strip_prefix("## ").map(str::trim_end) == Some(SECTIONS[3]);
    let index = root.lines().skip_while(|line| !is_head(line)).skip(1);
    let is_personal = |line: &str| line.contains(" [user, ") || line.contains(" [feedback, ");
    let index = index.take_while(|line| !line.starts_with("## "));
    index.filter(|line| line.starts_with("- ") && !is_personal(line)).count()
}

fn vault(vault: &Vault) -> Part {
    let (logs, bytes, lost) = (vault.logs().count(), vault.size(), vault.losses());
    let mut line = format!("{}, {} KiB", count(logs, "log"), bytes.div_ceil(1024));
    if !lost.is_empty() {
        let gone = lost.iter().filter(|loss| loss.gone).count();
        line += &format!("; {gone} gone, {}", count(lost.len() - gone, "overwrite"));
    }
    if !vault.is_on {
        line = "off (vault.enabled is false)".to_owned();
    }
    let value = json!({"enabled": vault.is_on, "logs": logs, "bytes": bytes, "lost": lost});
    (value, line)
}

fn qmd(target: &Target, result: Option<&QmdResult>) -> Part {
    let enabled = target.settings.search.enabled;
    let at = result.and_then(|result| result.at.parse().ok());
    let at = at.map_or_else(String::new, |at| local(at, target));
    let line = match result {
        _ if !enabled => "off (search.enabled is false)".to_owned(),
        None => "qmd, where it is installed, follows the next cycle".to_owned(),
        Some(result) if result.is_good() => format!("up to date, {at}"),
        Some(result) if result.is_not_wanted() => result.sentence(),
        Some(result) => format!("failed, {at}: {}; `hipocampusd doctor` tells more", result.sentence()),
    };
    (json!({"enabled": enabled, "lastResult": result}), line)
}

fn summarizer(target: &Target, inventory: &Inventory) -> Part {
    let log = AttemptLog::read(&target.workspace);
    let now = Clock::start().now(&target.zone());
    let name = &target.settings.summarizer;
    let nodes = Level::ALL.into_iter().flat_map(|level| inventory.level(level));
    let (answered, open): (Vec<_>, Vec<_>) =
        nodes.filter(|(_, node)| node.summarized).partition(|(_, node)| node.answered);
    let given_up = &inventory.summaries.given_up;
    // Open nodes whose summary is the extractive one, and might be a better one yet.
    let waits = |(period, node): &&(Period, &NodeFacts)| {
        node.status != Status::Fixed
            && given_up.get(period).is_none_or(|known| Some(known) != node.built_from.as_ref())
    };
    let (waiting, answered) = (open.iter().filter(waits).count(), answered.len());
    let refused = inventory.summaries.refused.len();
    let calls_today = log.calls_on(now.moment.day);
    let calls_max = target.settings.compaction.max_summaries_per_day;
    let paused_until = log.paused_until.filter(|&until| until > now.wall.timestamp());
    let paused_until = paused_until.and_then(|until| DateTime::from_timestamp(until, 0)).map(iso);
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
        line += &print::part(", not asked before ", paused_until.as_ref(), ", after failures in a row");
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
    (value, line)
}

#[cfg(test)]
mod tests;
