//! `hipocampusd status`: what there is and what is due, on one screen or as JSON (SPEC section 13). It writes
//! nothing.

mod text;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};
use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::print::{self, Paint, count};
use super::target::{Target, TargetArgs};
use crate::daemon::attempt_log::{AttemptLog, Failure};
use crate::daemon::clock::{Clock, pause};
use crate::daemon::cycle;
use crate::daemon::due::{self, Standing};
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::lock::running_pid;
use crate::daemon::qmd::QmdResult;
use crate::daemon::root_file;
use crate::daemon::settings;
use crate::daemon::status_file::{LastCycle, StatusFile};
use crate::memory::calendar::Day;
use crate::memory::inventory::{Inventory, Known, NodeFacts};
use crate::memory::level::{Level, Period, Status};
use crate::memory::root::SECTIONS;
use crate::memory::suspect::suspect;
use crate::memory::tokens;
use crate::memory::trigger::LastRun;
use crate::memory::vault::Loss;

const NEXT_SHOWN_MAX: usize = 3;
/// How often `--watch` looks.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Home, and all below it gone.
const CLEAR: &str = "\x1b[H\x1b[2J";
/// A line that is too long is cut at the edge, or it would take two; and as it was again.
const UNWRAPPED: &str = "\x1b[?7l";
const WRAPPED: &str = "\x1b[?7h";

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

/// Everything that is shown; the names are those of SPEC section 13 and more.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    workspace: String,
    today: String,
    running: bool,
    pid: Option<u32>,
    last_compaction_run: Option<Time>,
    #[schemars(with = "Value")]
    last_cycle: Option<LastCycle>,
    counters: ShownCounters,
    /// When the daemon asks next whether a cycle is due, if no log changes before; within a minute.
    next_beat: Option<Time>,
    /// When a cycle is due at the latest, because the cooldown has passed then.
    due_at: Option<Time>,
    due: Vec<String>,
    backlog: usize,
    next: Vec<String>,
    nodes: Nodes,
    root: ShownRoot,
    qmd: ShownQmd,
    vault: ShownVault,
    summarizer: ShownSummarizer,
    suspect: Vec<String>,
    #[schemars(with = "Vec<Value>")]
    issues: Vec<Issue>,
    #[schemars(with = "Vec<Value>")]
    errors: Vec<Issue>,
    warnings: Vec<String>,
}

// For programs in UTC; for people in the zone of the workspace, with how far off it is: `2026-03-15 08:30 (in 2 hours)`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Time {
    utc: String,
    #[serde(skip)]
    local: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownCounters {
    raw_lines: u64,
    checkpoints: u64,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct Nodes {
    daily: Statuses,
    weekly: Statuses,
    monthly: Statuses,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Statuses {
    tentative: usize,
    fixed: usize,
    needs_summarization: usize,
    /// Places of nodes where something else stands.
    blocked: usize,
    /// Those that cannot be read.
    unreadable: usize,
    /// Those that say nothing any more and are to be made anew.
    damaged: usize,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownRoot {
    exists: bool,
    tokens: usize,
    tokens_max: usize,
    topics: usize,
    last_updated: Option<String>,
    /// Whether the cap is too small for what must be in it.
    cut_short: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownVault {
    enabled: bool,
    /// How many logs it knows, and how many bytes their versions take.
    logs: usize,
    bytes: u64,
    #[schemars(with = "Vec<Value>")]
    lost: Vec<Loss>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownQmd {
    enabled: bool,
    #[schemars(with = "Value")]
    last_result: Option<QmdResult>,
    #[serde(skip)]
    at: Option<Time>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownSummarizer {
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

pub fn run(arguments: &StatusArgs) -> Result<u8> {
    let (paint, json) = (Paint::for_output(), arguments.target.json);
    if let Some(all) = Target::many(&arguments.target)?.filter(|_| !arguments.watch) {
        return overview(all, json, paint);
    }
    let mut before = String::new();
    loop {
        let shown = look(&Target::find(&arguments.target, false)?)?;
        let text = match json {
            true => print::shown(&print::json_text(&shown)?),
            false => shown.text(paint),
        };
        if !arguments.watch {
            print::painted(&text)?;
            return Ok(0);
        }
        let is_screen = std::io::stdout().is_terminal() && !json;
        let text = match terminal_size::terminal_size().filter(|_| is_screen) {
            Some((columns, rows)) => on_screen(&text, columns.0.into(), rows.0.into()),
            None => text,
        };
        if text != before {
            print::painted(&text)?;
            before = text;
        }
        // Nothing to wait for but time: it looks afresh, as the daemon does.
        pause(LOOK_EVERY);
    }
}

fn on_screen(text: &str, columns: usize, rows: usize) -> String {
    let text = fitted(text, rows);
    let lines: String = text.lines().map(|line| clipped(line, columns) + "\n").collect();
    format!("{CLEAR}{UNWRAPPED}{lines}{WRAPPED}")
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

/// As much of a line as fits the columns of the screen, with `…` where something is missing. Colours take no room.
fn clipped(line: &str, columns: usize) -> String {
    let (mut width, mut is_colour) = (0, false);
    let mut placed = Vec::new();
    for letter in line.chars() {
        is_colour |= letter == '\x1b';
        width += usize::from(!is_colour);
        placed.push((letter, if is_colour { 0 } else { width }));
        is_colour &= letter != 'm';
    }
    if width <= columns {
        return line.to_owned();
    }
    placed.retain(|(_, column)| *column <= columns);
    let cut = |(letter, column)| if column == columns { '…' } else { letter };
    placed.into_iter().map(cut).collect()
}

fn overview(all: Vec<(PathBuf, Result<Target>)>, json: bool, paint: Paint) -> Result<u8> {
    let looked = all.into_iter().map(|(folder, target)| {
        let shown = target.and_then(|target| look(&target));
        (folder, shown)
    });
    let (shown, failed) = print::found_out(looked, "");
    let text = || shown.iter().map(|one| one.line(paint)).collect();
    print::answer_painted(json, &shown, text)?;
    Ok(u8::from(failed))
}

pub(super) fn look(target: &Target) -> Result<Shown> {
    let workspace = &target.workspace;
    let cooldown_hours = target.settings.compaction.cooldown_hours;
    let standing = due::look(workspace, target.request(), cooldown_hours);
    let Standing {
        last_run,
        counters,
        due,
        plan,
        mut scan,
        ..
    } = standing.with_context(|| format!("cannot look at {}", workspace.path().display()))?;
    let mut issues = cycle::shown(workspace, std::mem::take(&mut scan.issues));
    let faults = cycle::shown(workspace, std::mem::take(&mut scan.faults));
    issues.extend(scan.vault.issues());
    let pid = running_pid(workspace);
    let file = StatusFile::read(workspace).unwrap_or_default();
    let beat = pid.and_then(|_| next_beat(&file, target));
    // What a daemon that is gone said of files may have been mended since; of what it could not do, it is the only witness. What waits
    // for a person is an error here, and was none of its cycle's.
    let is_news = |issue: &Issue| {
        let is_it = |fault: &Issue| fault.path == issue.path && fault.what == issue.what;
        (pid.is_some() || issue.severity == Severity::Error) && !faults.iter().any(is_it)
    };
    issues.extend(file.issues.into_iter().filter(is_news));
    issues.extend(faults);
    issues.sort();
    issues.dedup();
    let (errors, issues) = issues
        .into_iter()
        .partition(|issue| issue.severity == Severity::Error);
    let last_run = match last_run {
        LastRun::At(time) => Some(time),
        LastRun::Never | LastRun::StateMissing => None,
    };
    let time = |time: DateTime<Utc>| Time {
        utc: iso(time),
        local: text::local(time, target),
    };
    let steps = plan.steps.iter().take(NEXT_SHOWN_MAX);
    let inventory = &scan.inventory;
    let days: Vec<Day> = inventory.logs.keys().copied().collect();
    let suspect = suspect(&days, target.moment.day).into_iter();
    let suspect = suspect.flat_map(|day| inventory.logs_of(day));
    Ok(Shown {
        workspace: workspace.path().display().to_string(),
        today: target.moment.day.to_string(),
        running: pid.is_some(),
        pid,
        last_compaction_run: last_run.map(time),
        last_cycle: file.last_cycle,
        counters: ShownCounters {
            raw_lines: counters.raw_lines,
            checkpoints: counters.checkpoints,
        },
        next_beat: beat.map(time),
        due_at: last_run.and_then(|run| due_at(run, target)).map(time),
        due: due.iter().map(ToString::to_string).collect(),
        backlog: plan.steps.len(),
        next: steps.map(|step| workspace.shown(&step.to_string())).collect(),
        nodes: nodes(inventory),
        root: root(target),
        qmd: ShownQmd {
            enabled: target.settings.search.enabled,
            at: file.qmd.as_ref().and_then(|qmd| qmd.at.parse().ok()).map(time),
            last_result: file.qmd,
        },
        vault: ShownVault {
            enabled: scan.vault.is_on(),
            logs: scan.vault.logs().count(),
            bytes: scan.vault.size(),
            lost: scan.vault.losses(),
        },
        summarizer: summarizer(target, inventory),
        suspect: suspect.map(|log| log.path.clone()).collect(),
        issues,
        errors,
        warnings: target.warnings.clone(),
    })
}

/// The beats are counted from the daemon's start. It asks whether one is due once a minute, so that each may be a little
/// late, and a machine that slept is asked at once.
fn next_beat(file: &StatusFile, target: &Target) -> Option<DateTime<Utc>> {
    let started: DateTime<Utc> = file.started_at.parse().ok()?;
    let beat = i64::from(target.settings.daemon.heartbeat_minutes).max(1) * 60;
    let passed = (target.now - started).num_seconds().max(0);
    Some(started + chrono::Duration::seconds((passed / beat + 1) * beat))
}

fn due_at(last_run: DateTime<Utc>, target: &Target) -> Option<DateTime<Utc>> {
    let seconds = (target.settings.compaction.cooldown_hours * 3600.0) as i64;
    let at = last_run.checked_add_signed(chrono::Duration::try_seconds(seconds)?)?;
    (seconds > 0 && at > target.now).then_some(at)
}

fn nodes(inventory: &Inventory) -> Nodes {
    let mut nodes = Nodes::default();
    for (period, known) in &inventory.nodes {
        let statuses = match period.level() {
            Level::Daily => &mut nodes.daily,
            Level::Weekly => &mut nodes.weekly,
            Level::Monthly => &mut nodes.monthly,
        };
        *match known {
            Known::Blocked => &mut statuses.blocked,
            Known::Unreadable => &mut statuses.unreadable,
            Known::Garbled => &mut statuses.damaged,
            Known::Node(facts) => match facts.status {
                Status::Tentative => &mut statuses.tentative,
                Status::Fixed => &mut statuses.fixed,
                Status::NeedsSummarization => &mut statuses.needs_summarization,
            },
        } += 1;
    }
    nodes
}

fn root(target: &Target) -> ShownRoot {
    let mut root = ShownRoot {
        tokens_max: target.cycle.root_tokens_max,
        ..ShownRoot::default()
    };
    if let Ok(standing) = root_file::read(&target.workspace)
        && standing.stamp.is_some()
    {
        root.exists = true;
        root.tokens = tokens::count(&standing.text);
        root.topics = subjects(&standing.text);
        root.last_updated = root_file::last_updated(&standing.text).map(str::to_owned);
        root.cut_short = root_file::note(&target.workspace).is_ok_and(|note| note.cut_short);
    }
    root
}

/// How many subjects the index of ROOT names; the person and the rules stand there too, and are none.
pub(super) fn subjects(root: &str) -> usize {
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

fn summarizer(target: &Target, inventory: &Inventory) -> ShownSummarizer {
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
    let is_answered = |(_, node): &(Period, &NodeFacts)| node.summarized && node.answered;
    let paused = log.paused_until.filter(|&until| until > now.wall.timestamp());
    ShownSummarizer {
        name: target.settings.summarizer.clone(),
        waiting: nodes().filter(waits).count(),
        answered: nodes().filter(is_answered).count(),
        refused: inventory.summaries.refused.len(),
        calls_today: log.calls_on(Day::from(now.day)),
        calls_max: target.settings.compaction.max_summaries_per_day,
        paused_until: paused
            .and_then(|until| DateTime::from_timestamp(until, 0))
            .map(iso),
        last_answer: log.last_answer,
        last_failure: log.last_failure,
    }
}

fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

#[cfg(test)]
mod tests;
