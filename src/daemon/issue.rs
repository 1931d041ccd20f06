//! What a cycle survives: a file that cannot be read or written, or that is not what its name says.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::memory::redact::redact;
use crate::memory::text;

/// Something a person should know about a file. A cycle collects them; they are logged once and shown by `status`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Issue {
    pub severity: Severity,
    /// The file, as a path from the workspace, [`escaped`].
    pub path: String,
    pub what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something could not be done; it is tried again.
    Error,
    /// Something is not as it should be; the rest goes on without it.
    Warning,
}

impl Issue {
    pub fn error(path: &str, what: impl fmt::Display) -> Self {
        Self {
            severity: Severity::Error,
            path: escaped(path),
            what: escaped(&what.to_string()),
        }
    }

    pub fn warning(path: &str, what: impl fmt::Display) -> Self {
        Self { severity: Severity::Warning, ..Self::error(path, what) }
    }

    pub fn from_error(path: &str, error: &(dyn Error + 'static)) -> Self {
        Self::error(path, chain(error))
    }
}

/// What came of something that was tried with a file; when nothing, one of the `issues` says why.
pub fn or_issue<T>(tried: Result<T, impl Error + 'static>, path: &str, issues: &mut Vec<Issue>) -> Option<T> {
    let said = tried.map_err(|error| issues.push(Issue::from_error(path, &error)));
    said.ok()
}

/// An error with all its causes, in one line that drives no terminal.
pub fn sentence(error: &(dyn Error + 'static)) -> String {
    escaped(&chain(error))
}

pub fn chain(error: &(dyn Error + 'static)) -> String {
    let all: Vec<String> = anyhow::Chain::new(error).map(ToString::to_string).collect();
    all.join(": ")
}

impl fmt::Display for Issue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path, self.what)
    }
}

/// Names and texts of others in a message are data: without secrets, in one line, and nothing that drives a terminal.
pub fn escaped(text: &str) -> String {
    text::escaped(&redact(text))
}

const SAID_MAX: usize = 20;
const KEPT_MAX: usize = 200;

/// Who found an issue in a workspace. A source replaces only what it found itself; notes gather.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::daemon) enum Source {
    Configuration,
    Summarizer,
    /// What happened once and stays worth knowing, such as a state file that was set aside.
    Note,
    Watch,
    Folder,
    State,
    Cycle,
    Crash,
}

/// What is wrong in one workspace: said in the log once, and kept for `status` until it is mended.
#[derive(Debug, Default)]
pub(in crate::daemon) struct OpenIssues {
    known: BTreeMap<Source, Vec<Issue>>,
}

impl OpenIssues {
    pub(in crate::daemon) fn replace(&mut self, workspace: &Path, source: Source, mut issues: Vec<Issue>) {
        let before = self.known.remove(&source).unwrap_or_default();
        if source == Source::Note {
            issues.extend(before.iter().cloned());
        }
        issues.sort();
        issues.dedup();
        self.known.insert(source, issues);
        let mut news = self.known[&source].iter().filter(|issue| !before.contains(issue));
        let workspace = workspace.display();
        for Issue { severity, path, what } in news.by_ref().take(SAID_MAX) {
            match severity {
                Severity::Error => tracing::error!(%workspace, path, "{what}"),
                Severity::Warning => tracing::warn!(%workspace, path, "{what}"),
            }
        }
        let more = news.count();
        if more > 0 {
            tracing::warn!(%workspace, more, "more of the same; `hipocampusd status` lists it");
        }
    }

    /// What `status` is told: errors first.
    pub(in crate::daemon) fn all(&self) -> Vec<Issue> {
        let mut issues: Vec<Issue> = self.known.values().flatten().cloned().collect();
        issues.sort();
        issues.dedup();
        issues.truncate(KEPT_MAX);
        issues
    }

    pub(in crate::daemon) fn errors(&self) -> usize {
        let issues = self.known.values().flatten();
        issues.filter(|issue| issue.severity == Severity::Error).count()
    }
}
