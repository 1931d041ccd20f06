//! `hipocampusd compact`: one cycle now, or as many as it takes (SPEC sections 5 and 13).

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use super::print::{self, count, few, note, warning};
use super::target::{Target, TargetArgs};
use super::variables;
use crate::daemon::child::{self, Stop};
use crate::daemon::clock::{self, Clock, iso};
use crate::daemon::cycle::{self, Outcome, Progress, Request};
use crate::daemon::issue::{Severity, sentence};
use crate::daemon::ledger::{self, Ledger};
use crate::daemon::lock::{CycleLock, running_pid};
use crate::daemon::qmd::{QmdResult, reindex_once};
use crate::daemon::status_file::StatusFile;
use crate::daemon::summarizer::{Turn, turn};
use crate::daemon::workspace::FileError;
use crate::daemon::{root_file, settings, settle, signals};
use crate::memory::calendar::Day;
use crate::memory::plan::{Extent, Plan, Step};

const PATHS_SHOWN_MAX: usize = 6;
/// A drain in which summaries wait takes a few cycles; more than these are a fault.
const ROUNDS_MAX: usize = 8;
/// A longer backlog is for the daemon or `compact`: before a session only the newest part of it is done, one node a level.
const STEPS_MAX: usize = 40;
/// How often it is looked whether a signal came while a program runs: soon enough for somebody at a terminal.
const STOP_LOOK: Duration = Duration::from_millis(50);

const AFTER: &str = "\
Examples:
  hipocampusd compact ~/agents/work --dry-run           what a cycle would do, and why
  hipocampusd compact ~/agents/work                     one cycle, now
  hipocampusd compact ~/agents/work --all --no-index    until nothing is left to do, without qmd";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct CompactArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Go on until nothing is left to do
    #[arg(long)]
    all: bool,
    /// Say what would be done and why, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave the search index as it is, whatever the configuration says
    #[arg(long)]
    no_index: bool,
}

pub fn run(arguments: &CompactArgs) -> Result<u8> {
    let target = Target::find(&arguments.target.place(), !arguments.dry_run)?;
    let as_json = arguments.target.json();
    print::warnings(&target.warnings);
    let extent = if arguments.all { Extent::All } else { Extent::Cycle };
    if arguments.dry_run {
        return dry_run(&target, extent, as_json).map(|()| 0);
    }
    let stop = Arc::new(AtomicBool::new(false));
    signals::raise_at_first(&stop).context("cannot listen to signals")?;
    let (mut outcome, settled) = compact(&target, &target.turn()?, extent, &stop)?;
    summarize(&target, extent, &stop, &mut outcome)?;
    let stopped = stop.load(Ordering::Relaxed);
    let issues = outcome.issues.as_deref().unwrap_or_default();
    if !as_json {
        print::out(&said(&outcome, extent, settled))?;
    }
    print::issues(issues);
    if stopped {
        note(&format!("interrupted; {} to do, run it again", count(outcome.left, "step")));
    }
    let is_indexed = target.settings.search.enabled && !arguments.no_index;
    let is_stale = is_indexed && !outcome.wrote.is_empty() && !stopped;
    let qmd = is_stale.then(|| reindex(&target, &stop)).transpose()?;
    if as_json {
        print::json(&json!({
            "workspace": target.name(),
            "wrote": outcome.wrote,
            "left": outcome.left,
            "plan": steps(&target, &outcome.plan),
            "issues": issues,
            "qmd": qmd,
            "interrupted": stopped,
        }))?;
    }
    let failed = issues.iter().any(|issue| issue.severity == Severity::Error);
    Ok(u8::from(failed || stopped))
}

fn dry_run(target: &Target, extent: Extent, as_json: bool) -> Result<()> {
    let mut standing = target.standing(extent)?;
    let (due, plan, snapshot) = (standing.due, standing.plan, standing.snapshot);
    standing.scan.issues.append(&mut standing.scan.faults);
    let issues = cycle::shown(&target.workspace, standing.scan.issues);
    let answer = json!({
        "workspace": target.name(),
        "snapshot": snapshot,
        "plan": steps(target, &plan),
        "left": plan.left,
        "issues": issues,
    });
    print::answer(as_json, &answer, || {
        let mut text = String::new();
        if snapshot {
            text += &format!("append memory/{}.md (the tasks of WORKING.md)\n", target.moment.day);
        }
        let step = |step: &Step| target.workspace.shown(&step.to_string()) + "\n";
        text.extend(plan.steps.iter().map(step));
        if plan.left > 0 {
            text += &format!("left after this cycle: {}; --all does them too\n", count(plan.left, "node"));
        }
        if text.is_empty() && !due.is_empty() {
            text = format!("write  memory/{} ({})\n", ledger::FILE_NAME, due.join(", "));
        } else if text.is_empty() {
            text = "nothing to do\n".to_owned();
        }
        text
    })?;
    if !as_json {
        print::issues(&issues);
    }
    Ok(())
}

/// One cycle; more if everything is to be done and summaries may wait, for only when they are built it shows which of them do.
/// Says whether it found nothing to do but to write the state file.
fn compact(target: &Target, _turn: &CycleLock, extent: Extent, stop: &AtomicBool) -> Result<(Outcome, bool)> {
    let mut request = target.request();
    (request.extent, request.stop) = (extent, stop);
    let run = || run_noted(target, request).with_context(|| format!("cannot compact {}", target.name()));
    let (mut outcome, started) = run()?;
    let may_wait = extent != Extent::Cycle && target.cycle.rules.awaits();
    for _ in 0..ROUNDS_MAX {
        let is_left = outcome.plan.left == 0 && outcome.left > 0;
        if !may_wait || !is_left || stop.load(Ordering::Relaxed) {
            break;
        }
        let (more, _) = run()?;
        let is_done = more.wrote.is_empty();
        outcome = joined(outcome, more);
        if is_done {
            break;
        }
    }
    // A state file that called something due is written where there was nothing to do.
    let cooldown_hours = target.settings.compaction.cooldown_hours;
    let settled = !started
        && with_ledger(target, |ledger| ledger.settle(&target.workspace, cooldown_hours, target.now));
    Ok((outcome, settled))
}

/// A cycle that is written into the state file when it starts; says whether it did.
pub(super) fn run_noted(target: &Target, request: Request<'_>) -> Result<(Outcome, bool), FileError> {
    let mut started = false;
    let outcome = cycle::run(&target.workspace, request, &mut |progress| {
        if let Progress::Started = progress {
            started = true;
            with_ledger(target, |ledger| {
                ledger.start_cycle(&target.workspace, target.now).map(|()| true)
            });
        }
    })?;
    Ok((outcome, started))
}

/// Reads the state file and writes it; says whether it did. What is odd about it is said, and stops nothing.
fn with_ledger(target: &Target, change: impl FnOnce(&mut Ledger) -> Result<bool, FileError>) -> bool {
    let (mut ledger, workspace) = (Ledger::default(), &target.workspace);
    // One that is no state is looked at twice before it is set aside, and there is no later look here.
    let refreshed = match ledger.refresh(workspace) {
        Err(FileError::Refused(..)) => ledger.refresh(workspace),
        other => other,
    };
    let changed = refreshed.and_then(|()| change(&mut ledger));
    ledger.take_notice().iter().for_each(warning);
    changed.unwrap_or_else(|error| {
        warning(format!("{}; the cycle goes on without it", sentence(&error)));
        false
    })
}

fn joined(mut first: Outcome, second: Outcome) -> Outcome {
    first.wrote.extend(second.wrote);
    first.wrote.sort();
    first.wrote.dedup();
    first.plan.steps.extend(second.plan.steps);
    first.left = second.left;
    first.issues = second.issues.or(first.issues);
    first
}

/// Covers what is not covered yet, through the daemon where one runs. Does nothing where a cycle may cost money, or another process is at it
/// and takes long. `is_patient`: whoever waits has asked for all of it; `stop` ends it early. Says whether it is known that nothing is due
/// then.
pub fn settle(target: &mut Target, is_patient: bool, stop: &AtomicBool) -> Result<bool> {
    if settings::is_command(&target.settings) {
        return Ok(false);
    }
    // The daemon knows no date but the clock's.
    let today = Day::from(target.zone().local(target.now).date());
    let by_daemon = !is_patient && target.moment.day == today;
    let looks = match by_daemon.then(|| settle::ask(&target.workspace)) {
        Some(settle::Answer::Done) => return Ok(true),
        // Its time is over: it is looked at once whether anybody is at it at all.
        Some(settle::Answer::TooLong) => 1,
        Some(settle::Answer::NoDaemon) | None => settle::LOOKS_MAX,
    };
    // Nothing that is being worked on is lost meanwhile.
    target.cycle.snapshot_working = false;
    let extent = if is_patient { Extent::All } else { Extent::Short(STEPS_MAX) };
    for _ in 0..looks {
        if let Some(turn) = CycleLock::try_take(&target.workspace)? {
            let (outcome, _) = compact(target, &turn, extent, stop)?;
            return Ok(outcome.left == 0);
        }
        clock::pause(settle::LOOK);
    }
    Ok(false)
}

/// Asks the user's summarizer command for what waits, and puts what passes in its place. No lock is held meanwhile.
fn summarize(target: &Target, extent: Extent, stop: &AtomicBool, outcome: &mut Outcome) -> Result<()> {
    let Some(orders) = settings::orders(&target.user, &target.settings, &variables()) else {
        return Ok(());
    };
    let name = &orders.name;
    while !stop.load(Ordering::Relaxed) {
        let now = Clock::start().now(&target.zone());
        let path = target.workspace.path();
        let asked = attend(stop, async |stop| turn(path, &orders, target.moment, now, stop).await)?;
        match asked {
            Turn::Nothing => break,
            Turn::Unable(what) => {
                warning(format!("{name} is not asked: {what}"));
                break;
            }
            Turn::Answered(node) => note(&format!("{name}: {node} is summarized")),
            Turn::Failed(node, what) => {
                warning(format!("{name}: no summary of {node}: {what}; the extractive one stays"));
            }
        }
        // What was answered wants its place; what was given up may be fixed.
        let (more, _) = compact(target, &target.turn()?, extent, stop)?;
        *outcome = joined(std::mem::take(outcome), more);
        if extent != Extent::All {
            break;
        }
    }
    Ok(())
}

/// Waits for work that programs of the user's do, and tells it when `stop` is raised.
fn attend<T>(stop: &AtomicBool, work: impl AsyncFnOnce(&mut Stop) -> T) -> Result<T> {
    let runtime = child::runtime().context("cannot run a program")?;
    let done = runtime.block_on(async {
        let (sender, mut told) = watch::channel(false);
        let mut work = pin!(work(&mut told));
        loop {
            sender.send_replace(stop.load(Ordering::Relaxed));
            if let Ok(done) = timeout(STOP_LOOK, &mut work).await {
                return done;
            }
        }
    });
    Ok(done)
}

fn said(outcome: &Outcome, extent: Extent, settled: bool) -> String {
    let Outcome { wrote, left, .. } = outcome;
    let mut text = if !wrote.is_empty() {
        format!("wrote {}: {}\n", count(wrote.len(), "file"), few(wrote, PATHS_SHOWN_MAX))
    } else if *left > 0 {
        "wrote nothing\n".to_owned()
    } else if settled {
        format!("nothing to do; memory/{} is written\n", ledger::FILE_NAME)
    } else {
        "nothing to do\n".to_owned()
    };
    if *left > 0 && extent == Extent::Cycle {
        text += &format!("left: {}; run it again, or with --all\n", count(*left, "node"));
    }
    text
}

/// Has qmd index what was written, and leaves its result where `status` looks for it, unless a daemon keeps that file.
fn reindex(target: &Target, stop: &AtomicBool) -> Result<QmdResult> {
    let (qmd, workspace) = (target.qmd(), &target.workspace);
    let now = || iso(Clock::start().utc());
    let result = attend(stop, async |stop| reindex_once(&qmd, workspace.path(), now, stop).await)?;
    if !result.is_good() && !result.is_not_wanted() {
        warning(format!("the search index is not up to date: {}", result.sentence()));
    }
    if running_pid(workspace).is_none() {
        let mut file = StatusFile::read(workspace).unwrap_or_default();
        file.qmd = Some(result.clone());
        if let Err(error) = file.write(workspace) {
            warning(sentence(&error));
        }
    }
    Ok(result)
}

fn steps(target: &Target, plan: &Plan) -> Vec<Value> {
    let shown = |path: &str| target.workspace.shown(path);
    let step = |step: &Step| match step {
        Step::Fix(period) => json!({ "action": "fix", "path": shown(&period.path()) }),
        Step::Build(build) => json!({
            "action": "build",
            "path": shown(&build.period.path()),
            "reason": build.reason.to_string(),
            "status": build.status.name(),
        }),
        Step::Root(reason) => {
            json!({ "action": "build", "path": shown(root_file::PATH), "reason": reason.to_string() })
        }
    };
    plan.steps.iter().map(step).collect()
}
