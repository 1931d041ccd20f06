//! Summaries of others, as a cycle sees them: what is known of them before it plans, and what an agent wrote in place of one
//! (SPEC section 8).

use std::sync::Mutex;

use super::CycleSettings;
use super::month::rebuild;
use crate::config::SUMMARIZER_AGENT;
use crate::daemon::answers::{self, Kept};
use crate::daemon::attempt_log::AttemptLog;
use crate::daemon::issue::Issue;
use crate::daemon::scan::{self, Scan};
use crate::daemon::workspace::Workspace;
use crate::memory::answer::{Basis, mend};
use crate::memory::calendar::Moment;
use crate::memory::inventory::NodeFacts;
use crate::memory::level::{Period, Status};
use crate::memory::node::{Hash, Node};
use crate::memory::plan::{Build, Extent, Plan, Reason};
use crate::memory::redact::is_clean;
use crate::memory::task::{Portion, Task, Wanted};

/// What stands before the entries of another day that a daily node carries, and before those that its own log lost.
const LATE_HEADINGS: [&str; 2] = ["# Late entries of ", "# Overwritten entries of "];

/// What is known of summaries by others, and what agents wrote. With `keep` what passes the checks is kept; the plan is the same without.
pub fn summaries(
    workspace: &Workspace,
    settings: &CycleSettings,
    moment: Moment,
    scan: &mut Scan,
    keep: bool,
) {
    if !settings.rules.awaits() {
        return;
    }
    scan.inventory.summaries.ready = answers::list(workspace);
    scan.inventory.summaries.given_up = AttemptLog::read(workspace).given_up();
    if settings.rules.await_agent {
        agents(workspace, settings, moment, scan, keep);
    }
}

fn agents(workspace: &Workspace, settings: &CycleSettings, moment: Moment, scan: &mut Scan, keep: bool) {
    let waits = |node: &NodeFacts| node.touched && node.summarized && node.status != Status::Fixed;
    let nodes = scan.inventory.nodes.keys().copied();
    let touched = nodes.filter(|&period| scan.inventory.node(period).is_some_and(waits));
    let touched: Vec<Period> = touched.collect();
    if touched.is_empty() {
        return;
    }
    let ready = &mut scan.inventory.summaries.ready;
    ready.retain(|period, _| !touched.contains(period));
    let plan = Plan::new(&scan.inventory, moment, settings.rules, Extent::All);
    let building = |period: &Period| plan.builds().any(|build| build.period == *period);
    for period in touched.into_iter().filter(|period| !building(period)) {
        let Some(built_from) = scan.inventory.node(period).and_then(|node| node.built_from) else {
            continue;
        };
        let Some((wrote, clean)) = written(workspace, period) else {
            continue;
        };
        let node = Wanted {
            node: period,
            built_from,
        };
        match taken_over(workspace, scan, node, &wrote) {
            Some(Ok(kept)) => {
                if keep && let Err(error) = answers::save(workspace, period, built_from, &kept) {
                    scan.issues.push(Issue::from_error(&period.path(), &error));
                    continue;
                }
                scan.inventory.summaries.ready.insert(period, built_from);
            }
            Some(Err(fault)) => {
                let what = format!(
                    "was changed by somebody, and what stands there now {fault}; it stays until its sources change or its time to be fixed comes"
                );
                scan.issues.push(Issue::warning(&period.path(), what));
                scan.inventory.summaries.refused.insert(period, !clean);
            }
            None => {}
        }
    }
}

/// What stands in a node's body for each of its summaries, and whether there is no secret in the file.
fn written(workspace: &Workspace, period: Period) -> Option<([String; 2], bool)> {
    let text = scan::node_text(workspace, period).ok()?;
    let node = Node::read(period, &text)?;
    let late = LATE_HEADINGS.iter();
    let late = late.flat_map(|heading| node.body.match_indices(heading).map(|(at, _)| at));
    let late = late.filter(|&at| at == 0 || node.body[..at].ends_with('\n'));
    let (own, late) = node.body.split_at(late.min().unwrap_or(node.body.len()));
    Some(([own.to_owned(), late.to_owned()], is_clean(&text)))
}

/// The mended summaries of an agent; none when the sources are not what the node was built from.
fn taken_over(
    workspace: &Workspace,
    scan: &Scan,
    node: Wanted,
    wrote: &[String; 2],
) -> Option<Result<Kept, String>> {
    let mended = tasks(workspace, scan, node, |task| {
        let body = match task.portion {
            Portion::Own => &wrote[0],
            Portion::Late => &wrote[1],
        };
        // What is kept whole behind a summary is no part of it.
        let kept = task.digest.kept().iter();
        let body = kept.fold(body.clone(), |body, kept| body.replace(&kept.text, ""));
        mend(&[&body], &Basis::new(*task))
    })?;
    (!mended.is_empty()).then(|| Kept::new(SUMMARIZER_AGENT, mended))
}

/// What `each` makes of every summary of a node; none when its sources are not those that it was built from, or cannot be read.
pub(in crate::daemon) fn tasks<T: Send>(
    workspace: &Workspace,
    scan: &Scan,
    Wanted { node, built_from }: Wanted,
    each: impl Fn(&Task<'_>) -> T + Sync,
) -> Option<Vec<(Portion, T)>> {
    let late = match node {
        Period::Day(day) => scan.inventory.late().carried.remove(&day),
        _ => None,
    };
    let build = Build {
        period: node,
        reason: Reason::Answered,
        status: Status::Tentative,
        late: late.unwrap_or_default(),
    };
    let made: Mutex<Vec<(Portion, Hash, T)>> = Mutex::default();
    let answers = |task: &Task<'_>| {
        if let Ok(mut made) = made.lock() {
            made.push((task.portion, task.built_from, each(task)));
        }
        None
    };
    rebuild(workspace, scan, &build, &node.below(), &answers)?;
    let made = made.into_inner().ok()?.into_iter();
    made.map(|(portion, hash, made)| (hash == built_from).then_some((portion, made)))
        .collect()
}
