//! `hipocampusd status`: what there is and what is due, on one screen or as JSON (SPEC section 13). It writes
//! nothing.

mod summarizer;
mod text;

use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::print::{self, Paint};
use super::target::{Target, TargetArgs};
use crate::daemon::cycle;
use crate::daemon::due::{self, Standing};
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::lock::running_pid;
use crate::daemon::qmd::QmdResult;
use crate::daemon::root_file;
use crate::daemon::scan::Scan;
use crate::daemon::settings;
use crate::daemon::status_file::{LastCycle, StatusFile};
use crate::memory::calendar::Day;
use crate::memory::inventory::{Inventory, Known};
use crate::memory::level::{Level, Status};
use crate::memory::root::SECTIONS;
use crate::memory::suspect::suspect;
use crate::memory::tokens;
use crate::memory::trigger::LastRun;
use crate::memory::vault::Loss;
use summarizer::ShownSummarizer;

const NEXT_SHOWN_MAX: usize = 3;
/// How often `--watch` looks.
const LOOK_EVERY: rustix::event::Timespec = rustix::event::Timespec {
    tv_sec: 2,
    tv_nsec: 0,
};
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
    /// The same for a program
    #[arg(long)]
    json: bool,
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
    last_compaction_run: Option<String>,
    #[schemars(with = "Value")]
    last_cycle: Option<LastCycle>,
    counters: ShownCounters,
    /// When the daemon asks next whether a cycle is due, if no log changes before; within a minute.
    next_beat: Option<String>,
    /// When a cycle is due at the latest, because the cooldown has passed then.
    due_at: Option<String>,
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
    /// The same times as people read them; texts of ours alone.
    #[serde(skip)]
    times: Times,
    /// How many lines and entries make a cycle due when there are more.
    #[serde(skip)]
    limits: (u64, u64),
}

/// Local times and how far off they are: `2026-03-15 08:30 (in 2 hours)`.
#[derive(Debug, Default)]
struct Times {
    last_run: Option<String>,
    next_beat: Option<String>,
    due_at: Option<String>,
    indexed: Option<String>,
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
}

pub fn run(arguments: &StatusArgs) -> Result<u8> {
    if let Some(all) = Target::many(&arguments.target)?.filter(|_| !arguments.watch) {
        return overview(all, arguments.json);
    }
    let mut before = String::new();
    loop {
        let target = Target::find(&arguments.target, false)?;
        let shown = look(&target)?;
        let text = if arguments.json {
            print::shown(&print::json_text(&shown)?)
        } else {
            shown.text(Paint::for_output())
        };
        if !arguments.watch {
            print::painted(&text)?;
            return Ok(0);
        }
        let screen = if std::io::stdout().is_terminal() && !arguments.json {
            terminal_size::terminal_size()
        } else {
            None
        };
        let text = match screen {
            Some((columns, rows)) => {
                let text = fitted(&text, rows.0.into());
                let lines = text.lines().map(|line| clipped(line, columns.0.into()) + "\n");
                format!("{CLEAR}{UNWRAPPED}{}{WRAPPED}", lines.collect::<String>())
            }
            None => text,
        };
        if text != before {
            print::painted(&text)?;
            before = text;
        }
        // Nothing to wait for but time: it looks afresh, as the daemon does.
        let _ = rustix::event::poll(&mut [], Some(&LOOK_EVERY));
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
    format!(
        "{shown}… {} more; the screen is too small\n",
        print::count(lines - room + 1, "line")
    )
}

/// As much of a line as fits the columns of the screen, with `…` where something is missing. Colours take no room.
fn clipped(line: &str, columns: usize) -> String {
    let mut is_colour = false;
    let takes_room = |char: char| {
        is_colour |= char == '\x1b';
        let takes_room = !is_colour;
        is_colour &= char != 'm';
        takes_room
    };
    let takes_room: Vec<bool> = line.chars().map(takes_room).collect();
    let mut room = columns;
    if takes_room.iter().filter(|takes| **takes).count() <= room {
        return line.to_owned();
    }
    let fits = line.chars().zip(takes_room).filter_map(|(char, takes_room)| {
        room = if takes_room { room.checked_sub(1)? } else { room };
        Some(if takes_room && room == 0 { '…' } else { char })
    });
    fits.collect()
}

fn overview(all: Vec<(PathBuf, Result<Target>)>, json: bool) -> Result<u8> {
    let (mut shown, mut failed) = (Vec::new(), false);
    let mut out = String::new();
    for (folder, target) in all {
        match target.and_then(|target| look(&target)) {
            Ok(one) => {
                out.push_str(&one.line(Paint::for_output()));
                shown.push(one);
            }
            Err(error) => {
                failed = true;
                print::note(&format!("{}: {error:#}", folder.display()));
            }
        }
    }
    if json {
        print::json(&shown)?;
    } else {
        print::painted(&out)?;
    }
    Ok(u8::from(failed))
}

pub(super) fn look(target: &Target) -> Result<Shown> {
    let workspace = &target.workspace;
    let failed = || format!("cannot look at {}", workspace.path().display());
    let cadence = settings::cadence(&target.settings);
    let standing = due::look(workspace, target.request(), &cadence).with_context(failed)?;
    let Standing {
        last_run,
        counters,
        due,
        plan,
        mut scan,
        ..
    } = standing;
    let mut issues = cycle::shown(workspace, std::mem::take(&mut scan.issues));
    scan.faults = cycle::shown(workspace, scan.faults);
    issues.extend(scan.vault.issues());
    let pid = running_pid(workspace);
    let file = StatusFile::read(workspace).unwrap_or_default();
    let next_beat = pid.and_then(|_| next_beat(&file, target));
    // What a daemon that is gone said of files may have been mended since; of what it could not do, it is the only witness. What waits
    // for a person is an error here, and was none of its cycle's.
    let is_news = |issue: &Issue| {
        let is_it = |fault: &Issue| fault.path == issue.path && fault.what == issue.what;
        (pid.is_some() || issue.severity == Severity::Error) && !scan.faults.iter().any(is_it)
    };
    issues.extend(file.issues.into_iter().filter(is_news));
    issues.extend_from_slice(&scan.faults);
    issues.sort();
    issues.dedup();
    let (errors, issues) = issues
        .into_iter()
        .partition(|issue| issue.severity == Severity::Error);
    let last_run = match last_run {
        LastRun::At(time) => Some(time),
        LastRun::Never | LastRun::StateMissing => None,
    };
    let due_at = last_run.and_then(|time| due_at(time, target));
    let people = |time: Option<DateTime<Utc>>| time.map(|time| text::moment(time, target));
    let indexed = file.qmd.as_ref().and_then(|result| result.at.parse().ok());
    Ok(Shown {
        times: Times {
            last_run: people(last_run),
            next_beat: people(next_beat),
            due_at: people(due_at),
            indexed: people(indexed),
        },
        limits: (cadence.raw_lines_max, cadence.checkpoints_max),
        workspace: workspace.path().display().to_string(),
        today: target.moment.day.to_string(),
        running: pid.is_some(),
        pid,
        last_compaction_run: last_run.map(iso),
        last_cycle: file.last_cycle,
        counters: ShownCounters {
            raw_lines: counters.raw_lines,
            checkpoints: counters.checkpoints,
        },
        next_beat: next_beat.map(iso),
        due_at: due_at.map(iso),
        due: due.iter().map(ToString::to_string).collect(),
        backlog: plan.steps.len(),
        next: plan
            .steps
            .iter()
            .take(NEXT_SHOWN_MAX)
            .map(|step| workspace.shown(&step.to_string()))
            .collect(),
        nodes: nodes(&scan.inventory),
        root: root(target),
        qmd: ShownQmd {
            enabled: target.settings.search.enabled,
            last_result: file.qmd,
        },
        vault: ShownVault {
            enabled: scan.vault.is_on(),
            logs: scan.vault.logs().count(),
            bytes: scan.vault.size(),
            lost: scan.vault.losses(),
        },
        summarizer: ShownSummarizer::look(target, &scan.inventory),
        suspect: suspects(&scan, target.moment.day),
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
    let note = root_file::note(&target.workspace).unwrap_or_default();
    let empty = ShownRoot {
        tokens_max: target.cycle.root_tokens_max,
        ..ShownRoot::default()
    };
    match root_file::read(&target.workspace) {
        Ok(standing) if standing.stamp.is_some() => ShownRoot {
            exists: true,
            tokens: tokens::count(&standing.text),
            topics: subjects(&standing.text),
            last_updated: root_file::last_updated(&standing.text).map(str::to_owned),
            cut_short: note.cut_short,
            ..empty
        },
        _ => empty,
    }
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

fn suspects(scan: &Scan, today: Day) -> Vec<String> {
    let days: Vec<Day> = scan.inventory.logs.keys().copied().collect();
    let logs = suspect(&days, today)
        .into_iter()
        .flat_map(|day| scan.inventory.logs_of(day));
    logs.map(|log| log.path.clone()).collect()
}

fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

#[cfg(test)]
mod tests;
