//! More cycles than one: where summaries may wait for better ones, and after a summarizer command has answered. It is asked with a word
//! on standard error, and no lock is held meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use serde_json::{Value, json};

use super::{Shown, compact, interrupt};
use crate::cli::print::note;
use crate::cli::target::Target;
use crate::daemon::clock::Clock;
use crate::daemon::cycle::{self, Outcome, Request};
use crate::daemon::settings;
use crate::daemon::summarizer::{Instant, Orders, Turn, turn};
use crate::daemon::workspace::FileError;
use crate::memory::calendar::Day;
use crate::memory::plan::Extent;

/// A drain in which summaries wait takes a few cycles; more than these are a fault.
const ROUNDS_MAX: usize = 8;

/// Asks the user's summarizer command for what waits, and puts what passes in its place: one node after one cycle, all of
/// them where everything is to be done.
pub(super) fn summarize(
    target: &Target,
    extent: Extent,
    stop: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<Vec<Turn>> {
    let mut turns = Vec::new();
    let environment: Vec<_> = std::env::vars_os().collect();
    let Some(orders) = settings::orders(&target.user, &target.settings, &environment) else {
        return Ok(turns);
    };
    while !stop.load(Ordering::Relaxed) {
        let turn = ask(target, &orders, stop)?;
        let goes_on = extent == Extent::All && matches!(turn, Turn::Answered(_) | Turn::Failed(..));
        // What was answered wants its place; what was given up may be fixed.
        if matches!(turn, Turn::Answered(_) | Turn::Failed(..)) {
            let (more, ..) = compact(target, extent, stop)?;
            *outcome = joined(std::mem::take(outcome), more);
        }
        turns.push(turn);
        if !goes_on {
            break;
        }
    }
    Ok(turns)
}

fn ask(target: &Target, orders: &Orders, stop: &AtomicBool) -> Result<Turn> {
    let now = Clock::start().now(&settings::zone(&target.settings));
    let instant = Instant {
        moment: target.moment,
        today: Day::from(now.day),
        now: now.wall,
    };
    let path = target.workspace.path();
    let turn = interrupt::attend(stop, async |stop| turn(path, orders, instant, stop).await)?;
    match &turn {
        Turn::Answered(node) => note(&format!("{}: {node} is summarized", orders.name)),
        Turn::Failed(node, what) => note(&format!(
            "warning: {}: no summary of {node}: {what}; the extractive one stays",
            orders.name
        )),
        Turn::Unable(what) => note(&format!("warning: {} is not asked: {what}", orders.name)),
        Turn::Nothing(_) | Turn::Stopped => {}
    }
    Ok(turn)
}

pub(super) fn as_json(turns: &[Turn]) -> Value {
    let turn = |turn: &Turn| match turn {
        Turn::Answered(node) => Some(json!({ "path": node, "failed": null })),
        Turn::Failed(node, what) => Some(json!({ "path": node, "failed": what })),
        Turn::Unable(what) => Some(json!({ "path": null, "failed": what })),
        Turn::Nothing(_) | Turn::Stopped => None,
    };
    turns.iter().filter_map(turn).collect()
}

/// One cycle; or, where everything is to be done and summaries may wait for better ones, as many as that takes: which of
/// them wait shows only when they are built.
pub(super) fn drained(
    target: &Target,
    extent: Extent,
    stop: &AtomicBool,
    watch: &mut Shown,
) -> Result<Outcome, FileError> {
    let request = Request {
        extent,
        stop,
        ..target.request()
    };
    let run =
        |watch: &mut Shown| cycle::run(&target.workspace, request, &mut |progress| watch.hear(progress));
    let mut outcome = run(watch)?;
    for _ in 0..ROUNDS_MAX {
        let is_all = extent != Extent::Cycle && outcome.plan.left == 0;
        let goes_on = is_all && target.cycle.rules.awaits() && outcome.left > 0;
        if !goes_on || stop.load(Ordering::Relaxed) {
            break;
        }
        let more = run(watch)?;
        let is_done = more.wrote.is_empty();
        outcome = joined(outcome, more);
        if is_done {
            break;
        }
    }
    Ok(outcome)
}

fn joined(first: Outcome, second: Outcome) -> Outcome {
    let mut wrote = first.wrote;
    wrote.extend(second.wrote);
    wrote.sort();
    wrote.dedup();
    let mut plan = first.plan;
    plan.steps.extend(second.plan.steps);
    Outcome {
        wrote,
        plan,
        left: second.left,
        issues: second.issues.or(first.issues),
    }
}
