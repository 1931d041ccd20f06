//! More cycles than one: where summaries may wait for better ones, and after a summarizer command has answered.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::{Shown, asking, compact};
use crate::cli::target::Target;
use crate::daemon::cycle::{self, Outcome, Request};
use crate::daemon::summarizer::Turn;
use crate::daemon::workspace::FileError;
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
    let Some(orders) = asking::orders(target) else {
        return Ok(turns);
    };
    while !stop.load(Ordering::Relaxed) {
        let turn = asking::ask(target, &orders, stop)?;
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
