//! What became of a run of qmd, read from how it ended **and** from what it printed: exit code 0 does not mean success.
//!
//! The words looked for are those of qmd 2.8. A run that says none of them is [`Outcome::Failed`], also
//! with exit code 0: that it worked is never guessed.

use serde::{Deserialize, Serialize};

use crate::daemon::child::{Ended, How};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Ok,
    NothingToDo,
    /// Another process has the index; worth another try.
    Busy,
    /// Done in part: a time cap, a file that could not be read; worth another try.
    Partial,
    /// qmd has no collection, so it indexes nothing.
    NoCollections,
    /// Only a person can mend it: its configuration, its database, its models, a collection without its folder.
    Configuration,
    Crashed,
    /// qmd, or the node that it runs on, is not installed where we can find it.
    Missing,
    /// It is older than any that is safe to run (see `version`).
    TooOld,
    TimedOut,
    Stopped,
    /// It was not run, because the workspace's memory folder is missing or suddenly empty: qmd would have emptied the index.
    Skipped,
    Failed,
}

impl Outcome {
    pub fn is_good(self) -> bool {
        matches!(self, Self::Ok | Self::NothingToDo)
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Ok => "done",
            Self::NothingToDo => "nothing to do",
            Self::Busy => "the index is in use by another process",
            Self::Partial => "done in part",
            Self::NoCollections => {
                "qmd has no collections; add one with: qmd collection add ./memory --name NAME"
            }
            Self::Configuration => "qmd needs a hand: its configuration, its models or its database",
            Self::Crashed => "qmd crashed",
            Self::Missing => "qmd or its node is not installed where the daemon looks",
            Self::TooOld => {
                "qmd is too old and is not run; install 2.8.3 or newer: npm install -g @tobilu/qmd"
            }
            Self::TimedOut => "qmd took too long and was stopped",
            Self::Stopped => "stopped with the daemon",
            Self::Skipped => "skipped: the memory folder is missing or empty",
            Self::Failed => "qmd failed",
        }
    }
}

pub fn read_update(ended: &Ended) -> Outcome {
    read(ended, update_said)
}

pub fn read_embed(ended: &Ended) -> Outcome {
    read(ended, embed_said)
}

/// Whether a `qmd update` that found nothing changed still saw texts without vectors, left from an embed that failed.
pub fn lacks_vectors(ended: &Ended) -> bool {
    ended.stdout.text().contains("need vectors")
}

pub(super) fn read(ended: &Ended, said: fn(&str) -> Option<Outcome>) -> Outcome {
    let code = match &ended.how {
        How::NotStarted { is_missing: true, .. } => return Outcome::Missing,
        How::NotStarted { .. } => return Outcome::Configuration,
        How::TimedOut => return Outcome::TimedOut,
        How::Stopped => return Outcome::Stopped,
        How::Exited(code) => *code,
        // As a shell would say it: the launcher passes the worker's signal on either way.
        How::Signalled(signal) => 128 + signal,
    };
    let text = ended.text();
    match code {
        0 => said(&text).unwrap_or(Outcome::Failed),
        127 => Outcome::Missing,
        // Metal aborts at exit on some Macs, after all was done and said: such a death counts for nothing.
        129..=192 => said(&text)
            .filter(|outcome| outcome.is_good())
            .unwrap_or(Outcome::Crashed),
        _ => failure(&text),
    }
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn update_said(text: &str) -> Option<Outcome> {
    if text.contains("No collections found") {
        return Some(Outcome::NoCollections);
    }
    if !text.contains("All collections updated") {
        return None;
    }
    const SKIPPED: &[&str] = &["Skipped unreadable file", "Skipped file outside collection"];
    let counts: Vec<[u64; 4]> = text.lines().filter_map(counts).collect();
    // All of it removed at once is what a collection looks like whose folder is gone.
    let was_emptied =
        |&[new, updated, unchanged, removed]: &[u64; 4]| removed > 0 && new + updated + unchanged == 0;
    let is_changed = |&[new, updated, _, removed]: &[u64; 4]| new + updated + removed > 0;
    Some(if counts.iter().any(was_emptied) {
        Outcome::Configuration
    } else if has(text, SKIPPED) {
        Outcome::Partial
    } else if counts.iter().any(is_changed) {
        Outcome::Ok
    } else {
        Outcome::NothingToDo
    })
}

fn embed_said(text: &str) -> Option<Outcome> {
    const NOTHING: &[&str] = &[
        "All content hashes already have embeddings",
        "No non-empty documents to embed",
    ];
    if text.contains("Another embed process is already running") {
        Some(Outcome::Busy)
    } else if has(text, &["Session expired", "chunks still failed after retries"]) {
        Some(Outcome::Partial)
    } else if has(text, NOTHING) {
        Some(Outcome::NothingToDo)
    } else {
        has(text, &["Done! Embedded"]).then_some(Outcome::Ok)
    }
}

/// An exit code that says failure: whether time, a person, or neither will mend it.
fn failure(text: &str) -> Outcome {
    const BUSY: &[&str] = &["database is locked", "database is busy", "SQLITE_BUSY"];
    const CONFIGURATION: &[&str] = &[
        "file is not a database",
        "database disk image is malformed",
        "Failed to parse /",
        "YAMLParseError",
        "No model file found",
        "NoBinaryFoundError",
        "ERR_DLOPEN_FAILED",
        "Collection not found",
        "readonly database",
        "qmd is not built",
    ];
    if has(text, BUSY) {
        Outcome::Busy
    } else if has(text, CONFIGURATION) {
        Outcome::Configuration
    } else {
        Outcome::Failed
    }
}

fn counts(line: &str) -> Option<[u64; 4]> {
    let mut counts = line.trim().strip_prefix("Indexed: ")?.split(", ");
    let mut count = |word: &str| counts.next()?.strip_suffix(word)?.trim_end().parse().ok();
    Some([
        count("new")?,
        count("updated")?,
        count("unchanged")?,
        count("removed")?,
    ])
}

#[cfg(test)]
mod tests;
