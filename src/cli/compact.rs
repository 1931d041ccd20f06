//! `hipocampusd compact`: one cycle now, or as many as it takes (SPEC sections 5 and 13).

mod interrupt;
mod rounds;
mod settle;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use chrono::{DateTime, Utc};
use clap::Args;
use serde_json::{Value, json};

use super::print::{self, count, few, note};
use super::target::{Target, TargetArgs};
use crate::daemon::clock::{Clock, iso};
use crate::daemon::cycle::{self, Outcome, Progress, Request};
use crate::daemon::due::{self, Standing};
use crate::daemon::issue::Severity;
use crate::daemon::ledger::{self, Ledger, LedgerError};
use crate::daemon::lock::{CycleLock, running_pid};
use crate::daemon::qmd::{Known, QmdResult, reindex_once};
use crate::daemon::root_file;
use crate::daemon::settings;
use crate::daemon::status_file::StatusFile;
use crate::daemon::workspace::Workspace;
use crate::memory::plan::{Extent, Plan, Step};
use crate::memory::trigger::Cadence;

pub use settle::settle;

const PATHS_SHOWN_MAX: usize = 6;
/// A run of more time than this says how long it took.
const QUIET_TIME_MAX: Duration = Duration::from_secs(1);

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
    /// Say what was done as JSON
    #[arg(long)]
    json: bool,
}

/// Runs it. 0: done, also when nothing was due. 1: something could not be read or written, or it was interrupted.
pub fn run(arguments: &CompactArgs) -> Result<u8> {
    let target = Target::find(&arguments.target, !arguments.dry_run)?;
    print::warnings(&target.warnings);
    let extent = if arguments.all { Extent::All } else { Extent::Cycle };
    if arguments.dry_run {
        return dry_run(&target, extent, arguments.json);
    }
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::listen(&stop)?;
    let (mut outcome, took, settled) = compact(&target, extent, &stop)?;
    let turns = rounds::summarize(&target, extent, &stop, &mut outcome)?;
    let stopped = stop.load(Ordering::Relaxed);
    let wants_index =
        target.settings.search.enabled && !arguments.no_index && !outcome.wrote.is_empty() && !stopped;
    let issues = outcome.issues.as_deref().unwrap_or_default();
    if !arguments.json {
        print::out(&said(&outcome, extent, took, settled))?;
    }
    print::issues(issues);
    if stopped {
        let steps = count(outcome.left, "step");
        note(&format!("interrupted; {steps} to do, run it again"));
    }
    let qmd = wants_index.then(|| reindex(&target, &stop)).transpose()?;
    if arguments.json {
        print::json(&json!({
            "workspace": target.workspace.path(),
            "wrote": outcome.wrote,
            "left": outcome.left,
            "plan": steps(&target, &outcome.plan),
            "issues": issues,
            "qmd": qmd,
            "interrupted": stopped,
            "summaries": rounds::as_json(&turns),
        }))?;
    }
    let failed = issues.iter().any(|issue| issue.severity == Severity::Error);
    Ok(u8::from(failed || stopped))
}

fn dry_run(target: &Target, extent: Extent, as_json: bool) -> Result<u8> {
    let request = Request {
        extent,
        ..target.request()
    };
    let cadence = settings::cadence(&target.settings);
    let standing = due::look(&target.workspace, request, &cadence).context("cannot look at the workspace")?;
    let Standing {
        due,
        plan,
        snapshot,
        mut scan,
        ..
    } = standing;
    scan.issues.append(&mut scan.faults);
    scan.issues = cycle::shown(&target.workspace, scan.issues);
    if as_json {
        let plan = json!({
            "workspace": target.workspace.path(),
            "snapshot": snapshot,
            "plan": steps(target, &plan),
            "left": plan.left,
            "issues": scan.issues,
        });
        print::json(&plan)?;
    } else {
        let day = target.moment.day;
        let append = snapshot.then(|| format!("append memory/{day}.md (the tasks of WORKING.md)"));
        let steps = plan
            .steps
            .iter()
            .map(|step| target.workspace.shown(&step.to_string()));
        let mut lines: Vec<String> = append.into_iter().chain(steps).collect();
        if lines.is_empty() && !due.is_empty() {
            let due: Vec<String> = due.iter().map(ToString::to_string).collect();
            lines.push(format!(
                "write  memory/{} ({})",
                ledger::FILE_NAME,
                due.join(", ")
            ));
        } else if lines.is_empty() {
            lines.push("nothing to do".to_owned());
        } else if plan.left > 0 {
            let nodes = count(plan.left, "node");
            lines.push(format!("left after this cycle: {nodes}; --all does them too"));
        }
        print::out(&(lines.join("\n") + "\n"))?;
        print::issues(&scan.issues);
    }
    Ok(0)
}

/// Runs the cycle when it is its turn. Says how long it took, and whether it found nothing to do but to write the state file.
fn compact(target: &Target, extent: Extent, stop: &AtomicBool) -> Result<(Outcome, Duration, bool)> {
    let _turn = match CycleLock::try_take(&target.workspace)? {
        Some(lock) => lock,
        None => {
            note("waiting for the cycle that is under way here");
            CycleLock::wait(&target.workspace)?
        }
    };
    compacted(target, extent, stop)
}

fn compacted(target: &Target, extent: Extent, stop: &AtomicBool) -> Result<(Outcome, Duration, bool)> {
    let workspace = &target.workspace;
    let mut watch = Shown::new(workspace.path(), target.now);
    let outcome = rounds::drained(target, extent, stop, &mut watch);
    let outcome = outcome.with_context(|| format!("cannot compact {}", workspace.path().display()))?;
    let settled = !watch.started && watch.settle(&settings::cadence(&target.settings));
    Ok((outcome, watch.clock.monotonic(), settled))
}

pub(super) struct Shown {
    ledger: Ledger,
    now: DateTime<Utc>,
    clock: Clock,
    started: bool,
}

impl Shown {
    pub(super) fn new(workspace: &Path, now: DateTime<Utc>) -> Self {
        let ledger = Ledger::new(workspace);
        Self {
            ledger,
            now,
            clock: Clock::start(),
            started: false,
        }
    }

    /// Writes the state file where it called something due, and there was nothing to do. Says whether it did.
    fn settle(&mut self, cadence: &Cadence) -> bool {
        let now = self.now;
        self.with_ledger(|ledger| ledger.settle(cadence, now))
    }

    /// Reads the state file and writes it; says whether it did. What is odd about it is said, and stops nothing.
    fn with_ledger(&mut self, change: impl FnOnce(&mut Ledger) -> Result<bool, LedgerError>) -> bool {
        // One that is no state is looked at twice before it is set aside, and there is no later look here.
        let refreshed = match self.ledger.refresh() {
            Err(LedgerError::Unsettled { .. }) => self.ledger.refresh(),
            other => other,
        };
        let changed = refreshed.and_then(|()| change(&mut self.ledger));
        if let Some(notice) = self.ledger.take_notice() {
            note(&format!("warning: {notice}"));
        }
        changed.unwrap_or_else(|error| {
            let error = anyhow::Error::new(error);
            note(&format!("warning: {error:#}; the cycle goes on without it"));
            false
        })
    }

    pub(super) fn hear(&mut self, progress: Progress) {
        if let Progress::Started = progress {
            self.started = true;
            let now = self.now;
            self.with_ledger(|ledger| ledger.start_cycle(now).map(|()| true));
        }
    }
}

fn said(outcome: &Outcome, extent: Extent, took: Duration, settled: bool) -> String {
    let mut text = if outcome.wrote.is_empty() {
        if outcome.left > 0 {
            "wrote nothing\n".to_owned()
        } else if settled {
            format!("nothing to do; memory/{} is written\n", ledger::FILE_NAME)
        } else {
            "nothing to do\n".to_owned()
        }
    } else {
        let time = Some(format!(" in {:.1} s", took.as_secs_f64())).filter(|_| took > QUIET_TIME_MAX);
        let (files, paths) = (
            count(outcome.wrote.len(), "file"),
            few(&outcome.wrote, PATHS_SHOWN_MAX),
        );
        format!("wrote {files}{}: {paths}\n", time.unwrap_or_default())
    };
    if outcome.left > 0 && extent == Extent::Cycle {
        let nodes = count(outcome.left, "node");
        text += &format!("left: {nodes}; run it again, or with --all\n");
    }
    text
}

fn reindex(target: &Target, stop: &AtomicBool) -> Result<QmdResult> {
    let environment: Vec<_> = std::env::vars_os().collect();
    let qmd = settings::qmd(&target.user, &target.settings, &environment);
    let now = || iso(Clock::start().utc());
    let path = target.workspace.path();
    let mut known = Known::default();
    let result = interrupt::attend(stop, async |stop| {
        reindex_once(&qmd, path, &mut known, now, stop).await
    })?;
    if !result.is_good() && !result.is_not_wanted() {
        let said = result.sentence();
        note(&format!("warning: the search index is not up to date: {said}"));
    }
    remember(&target.workspace, &result);
    Ok(result)
}

/// Leaves the result where `status` looks for it, unless a daemon keeps that file.
fn remember(workspace: &Workspace, result: &QmdResult) {
    if running_pid(workspace).is_none() {
        let file = StatusFile {
            qmd: Some(result.clone()),
            ..StatusFile::read(workspace).unwrap_or_default()
        };
        if let Err(error) = file.write(workspace) {
            note(&format!("warning: {:#}", anyhow::Error::new(error)));
        }
    }
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
