//! What a cycle survives: a file that cannot be read or written, or that is not what its name says.

use std::fmt;

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
        Self::new(Severity::Error, path, &what)
    }

    pub fn warning(path: &str, what: impl fmt::Display) -> Self {
        Self::new(Severity::Warning, path, &what)
    }

    fn new(severity: Severity, path: &str, what: &dyn fmt::Display) -> Self {
        Self {
            severity,
            path: escaped(path),
            what: escaped(&what.to_string()),
        }
    }

    pub fn from_error(path: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        Self::error(path, chain(error))
    }
}

/// What came of something that was tried with a file; when nothing, one of the `issues` says why.
pub fn or_issue<T, E>(tried: Result<T, E>, path: &str, issues: &mut Vec<Issue>) -> Option<T>
where
    E: std::error::Error + 'static,
{
    tried
        .map_err(|error| issues.push(Issue::from_error(path, &error)))
        .ok()
}

/// An error with all its causes, in one line that drives no terminal.
pub fn sentence(error: &(dyn std::error::Error + 'static)) -> String {
    escaped(&chain(error))
}

pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
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
