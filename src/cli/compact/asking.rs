//! `compact` and summarizer commands: after the cycle the user's program is asked for what waits for a better summary, with
//! a word on standard error, and what passes is put in its place by a further cycle. No lock is held meanwhile.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde_json::{Value, json};

use super::interrupt;
use crate::cli::print::note;
use crate::cli::target::Target;
use crate::daemon::clock::Clock;
use crate::daemon::settings;
use crate::daemon::summarizer::{Instant, Orders, Turn, turn};
use crate::memory::calendar::Day;

/// How the workspace's command is asked; none when it has none.
pub(super) fn orders(target: &Target) -> Option<Orders> {
    let environment: Vec<_> = std::env::vars_os().collect();
    settings::orders(&target.user, &target.settings, &environment)
}

pub(super) fn ask(target: &Target, orders: &Orders, stop: &AtomicBool) -> Result<Turn> {
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
