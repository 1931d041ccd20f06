//! What is found in a workspace that somebody else kept until now: an older tool, or agents by hand. It is taken over as
//! it is; this only says what there is and what becomes of it.

use super::cycle::{self, Request};
use super::ledger;
use super::root_file;
use super::scan::node_text;
use super::workspace::{FileError, Workspace};
use crate::memory::inventory::Known;
use crate::memory::level::{Level, Period, Status};
use crate::memory::node::Node;
use crate::memory::trigger::LastRun;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub logs: usize,
    /// How many nodes of others there are, by level from daily to monthly.
    pub nodes: [usize; 3],
    /// Those of them that are fixed and stay as they are.
    pub fixed: usize,
    /// Those that say only that a summary is to come, and are built anew.
    pub placeholders: usize,
    /// Those whose list of topics no YAML parser reads; it is read all the same.
    pub broken_topics: usize,
    /// Places of nodes where something else stands, as paths from the workspace.
    pub blocked: Vec<String>,
    /// Whether there is a state file that says when it was compacted last.
    pub has_state: bool,
    pub has_root: bool,
}

pub fn look(workspace: &Workspace, request: Request<'_>) -> Result<Found, FileError> {
    let (_, scan) = cycle::plan(workspace, request)?;
    let mut found = Found {
        logs: scan.inventory.logs.values().map(Vec::len).sum(),
        ..Found::default()
    };
    for (&period, known) in &scan.inventory.nodes {
        let facts = match known {
            Known::Node(facts) => facts,
            Known::Blocked => {
                found.blocked.push(period.path());
                continue;
            }
            Known::Unreadable | Known::Garbled => continue,
        };
        let Some(text) = others_text(workspace, period) else {
            continue;
        };
        let level = period.level();
        found.nodes[Level::ALL
            .iter()
            .position(|known| *known == level)
            .unwrap_or_default()] += 1;
        found.fixed += usize::from(facts.status == Status::Fixed);
        found.placeholders += usize::from(facts.placeholder);
        found.broken_topics += usize::from(has_broken_topics(&text));
    }
    let peeked = ledger::peek(workspace);
    found.has_state = peeked.is_ok_and(|peeked| matches!(peeked.last_run, LastRun::At(_)));
    found.has_root = root_file::read(workspace)
        .is_ok_and(|root| !root.text.trim().is_empty() && !root_file::is_template(&root.text));
    Ok(found)
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

impl Found {
    pub fn sentences(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut say = |number: usize, one: &str, many: &str| {
            if number > 0 {
                out.push(format!("{number} {}", if number == 1 { one } else { many }));
            }
        };
        say(
            self.logs,
            "raw log, which is never changed",
            "raw logs, which are never changed",
        );
        let nodes = self.nodes.iter().sum();
        say(
            nodes,
            "node of somebody else's, kept until its sources change",
            "nodes of somebody else's, kept until their sources change",
        );
        say(
            self.fixed,
            "of them is fixed and stays as it is",
            "of them are fixed and stay as they are",
        );
        say(
            self.placeholders,
            "of them says only that a summary is to come, and is built anew",
            "of them say only that a summary is to come, and are built anew",
        );
        say(
            self.broken_topics,
            "of them has topics that are no YAML; they are read all the same",
            "of them have topics that are no YAML; they are read all the same",
        );
        for path in &self.blocked {
            out.push(format!(
                "{path} is no node: it is left alone, and its period gets none"
            ));
        }
        if self.has_state {
            out.push("a state file, whose last run counts".to_owned());
        }
        if self.has_root {
            out.push("a ROOT, whose lines are merged and not thrown away".to_owned());
        }
        out
    }
}
