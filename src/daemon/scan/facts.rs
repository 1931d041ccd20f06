//! What is to be known of one log or node.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::Facts;
use crate::daemon::log_name::{folder, log_file};
use crate::daemon::snapshot;
use crate::daemon::vault::Vault;
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::inventory::{Log, LogFacts, UnitFacts};
use crate::memory::level::{Period, Status};
use crate::memory::node::{self, Form, GENERATION, Hash, Node};
use crate::memory::task::{BUILT_IN, VERBATIM};
use crate::memory::{entry, summary, text};

#[derive(Debug)]
pub struct ReadLog {
    pub text: String,
    /// What had to be mended to read it; empty when nothing had.
    pub oddities: String,
    pub mode: u32,
}

/// Reads a raw log, or what the vault has of one that is gone.
pub fn read_log(workspace: &Workspace, vault: &Vault, log: &Log) -> Result<ReadLog, FileError> {
    let path = log.path.as_str();
    let (bytes, mode) = match vault.gone(path).filter(|_| log.is_gone) {
        Some(kept) => (vault.bytes(workspace, kept.last.id)?, kept.mode),
        None => {
            let contents = workspace.read(Folder::Memory, log_file(path))?;
            (contents.bytes, contents.mode)
        }
    };
    let decoded = text::decode(bytes);
    let oddities: Vec<String> = decoded.oddities.iter().map(ToString::to_string).collect();
    Ok(ReadLog {
        text: decoded.text,
        oddities: oddities.join("; "),
        mode,
    })
}

pub fn file_name(period: Period) -> String {
    format!("{period}.md")
}

pub fn node_text(workspace: &Workspace, period: Period) -> Result<String, FileError> {
    let contents = workspace.read(folder(period.level()), &file_name(period))?;
    Ok(text::decode(contents.bytes).text)
}

pub fn log_facts(text: &str) -> LogFacts {
    let log = entry::read(text);
    let headed = log.entries.iter().filter(|entry| entry.level > 0);
    let headed: HashSet<usize> = headed.map(|entry| entry.line).collect();
    let units = log.units().map(|unit| UnitFacts {
        digest: entry::digest(unit.text),
        lines: u32::try_from(text::line_count(unit.text)).unwrap_or(u32::MAX),
        checkpoint: headed.contains(&unit.line),
        snapshot: snapshot::is_snapshot(unit.text),
    });
    LogFacts {
        hash: xxh3_64(text.as_bytes()),
        units: units.collect(),
    }
}

pub fn node_facts(node: &Node, text: &str) -> Facts {
    let intact = node::is_intact(text);
    Facts {
        touched: intact == Some(false),
        ..facts_of(node, intact.is_some(), node::content(text))
    }
}

/// The same, of a node whose content's hash is known already.
pub fn facts_of(node: &Node, ours: bool, content: Hash) -> Facts {
    let front = &node.front;
    let built_in = |name: &String| BUILT_IN.contains(&name.as_str());
    Facts {
        status: front.status,
        content,
        // Of another generation it is one that no sources give: an open node of that is built anew.
        built_from: front
            .built_from
            .filter(|_| ours)
            .map(|hash| Hash(hash.0 ^ u64::from(front.generation).wrapping_sub(u64::from(GENERATION)))),
        placeholder: !ours && is_placeholder(node),
        summarized: if ours {
            // A node over its threshold; one that holds its sources whole may hold summaries of theirs.
            front.summarizer.as_deref() != Some(VERBATIM)
                && front.parts.iter().any(|part| part.form == Form::Summary)
        } else {
            summary::is_summary(&node.body)
        },
        answered: !ours || !front.summarizer.as_ref().is_none_or(built_in),
        touched: false,
        sources: front.below(),
        entries: front.entries.clone(),
        late: front.late.clone(),
    }
}

/// A node of an older tool that says only that a summary is to come.
fn is_placeholder(node: &Node) -> bool {
    let says = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && !line.starts_with("<!--")
    };
    node.front.status == Status::NeedsSummarization && node.body.lines().filter(says).take(3).count() < 3
}
