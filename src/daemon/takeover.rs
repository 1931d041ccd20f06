//! What is found in a workspace that somebody else kept until now: an older tool, or agents by hand. It is taken over as
//! it is; this only says what there is and what becomes of it.

use super::cycle::{self, Request};
use super::scan::node_text;
use super::workspace::{Result, Workspace};
use super::{ledger, root_file};
use crate::memory::inventory::Known;
use crate::memory::level::Status;
use crate::memory::node::Node;
use crate::memory::trigger::LastRun;

pub fn look(workspace: &Workspace, request: Request<'_>) -> Result<Vec<String>> {
    let (_, scan) = cycle::plan(workspace, request)?;
    let (mut nodes, mut fixed, mut placeholders) = (0, 0, 0);
    let mut others = Vec::new();
    for (&period, known) in &scan.inventory.nodes {
        match known {
            Known::Node(facts) => {
                let text = node_text(workspace, period).unwrap_or_default();
                if Node::read(period, &text).is_some_and(|node| node.front.digest.is_none()) {
                    nodes += 1;
                    fixed += usize::from(facts.status == Status::Fixed);
                    placeholders += usize::from(facts.placeholder);
                }
            }
            Known::Blocked => {
                let what = "is no node: it is left alone, and its period gets none";
                others.push(format!("{} {what}", period.path()));
            }
            Known::Unreadable | Known::Garbled => {}
        }
    }
    if ledger::peek(workspace).is_ok_and(|peeked| matches!(peeked.last_run, LastRun::At(_))) {
        others.push("a state file, whose last run counts".to_owned());
    }
    let says_something = |text: &str| !text.trim().is_empty() && !root_file::is_template(text);
    if root_file::read(workspace).is_ok_and(|root| says_something(&root.text)) {
        others.push("a ROOT, whose lines are merged and not thrown away".to_owned());
    }
    let logs: usize = scan.inventory.logs.values().map(Vec::len).sum();
    let said = [
        (logs, "raw logs, which are never changed"),
        (nodes, "nodes of somebody else's, kept until their sources change"),
        (fixed, "of them fixed, which stay as they are"),
        (
            placeholders,
            "of them saying only that a summary is to come, which are built anew",
        ),
    ];
    let said = said.into_iter().filter(|(number, _)| *number > 0);
    let said = said.map(|(number, words)| format!("{words}: {number}"));
    Ok(said.chain(others).collect())
}
