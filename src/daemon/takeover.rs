//! What is found in a workspace that somebody else kept until now: an older tool, or agents by hand. It is taken over as
//! it is; this only says what there is and what becomes of it.

use super::cycle::{self, Request};
use super::ledger;
use super::root_file;
use super::scan::node_text;
use super::workspace::{FileError, Workspace};
use crate::memory::inventory::Known;
use crate::memory::level::{Period, Status};
use crate::memory::node::Node;
use crate::memory::trigger::LastRun;

/// What there is, in sentences.
pub fn look(workspace: &Workspace, request: Request<'_>) -> Result<Vec<String>, FileError> {
    let (_, scan) = cycle::plan(workspace, request)?;
    let (mut nodes, mut fixed, mut placeholders, mut broken_topics) = (0, 0, 0, 0);
    let mut others = Vec::new();
    for (&period, known) in &scan.inventory.nodes {
        let facts = match known {
            Known::Node(facts) => facts,
            Known::Blocked => {
                others.push(format!(
                    "{} is no node: it is left alone, and its period gets none",
                    period.path()
                ));
                continue;
            }
            Known::Unreadable | Known::Garbled => continue,
        };
        let Some(text) = others_text(workspace, period) else {
            continue;
        };
        nodes += 1;
        fixed += usize::from(facts.status == Status::Fixed);
        placeholders += usize::from(facts.placeholder);
        broken_topics += usize::from(has_broken_topics(&text));
    }
    if ledger::peek(workspace).is_ok_and(|peeked| matches!(peeked.last_run, LastRun::At(_))) {
        others.push("a state file, whose last run counts".to_owned());
    }
    let says_something = |text: &str| !text.trim().is_empty() && !root_file::is_template(text);
    if root_file::read(workspace).is_ok_and(|root| says_something(&root.text)) {
        others.push("a ROOT, whose lines are merged and not thrown away".to_owned());
    }
    let said = [
        (
            scan.inventory.logs.values().map(Vec::len).sum(),
            "raw log, which is never changed",
            "raw logs, which are never changed",
        ),
        (
            nodes,
            "node of somebody else's, kept until its sources change",
            "nodes of somebody else's, kept until their sources change",
        ),
        (
            fixed,
            "of them is fixed and stays as it is",
            "of them are fixed and stay as they are",
        ),
        (
            placeholders,
            "of them says only that a summary is to come, and is built anew",
            "of them say only that a summary is to come, and are built anew",
        ),
        (
            broken_topics,
            "of them has topics that are no YAML; they are read all the same",
            "of them have topics that are no YAML; they are read all the same",
        ),
    ];
    let said = said.into_iter().filter_map(|(number, one, many)| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{number} {many}")),
    });
    Ok(said.chain(others).collect())
}

fn others_text(workspace: &Workspace, period: Period) -> Option<String> {
    let text = node_text(workspace, period).ok()?;
    let node = Node::read(period, &text)?;
    node.front.digest.is_none().then_some(text)
}

/// `topics: [auth [project]]` is a list in a list with text behind it, and `topics: a: b` a mapping: no YAML.
fn has_broken_topics(text: &str) -> bool {
    let topics = text.lines().find_map(|line| line.strip_prefix("topics:"));
    topics
        .map(str::trim)
        .is_some_and(|topics| match topics.strip_prefix('[') {
            Some(inner) => inner.contains('['),
            None => topics.contains(": ") || topics.starts_with(['*', '&', '!', '{', '%', '@', '`']),
        })
}
