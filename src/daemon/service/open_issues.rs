//! What is wrong in one workspace, by who found it: said in the log once, and kept for `status` until it is mended.

use std::collections::BTreeMap;
use std::path::Path;

use crate::daemon::issue::{Issue, Severity};

const SAID_MAX: usize = 20;
const KEPT_MAX: usize = 200;

/// Who found it. A source replaces only what it found itself; notes gather.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
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

#[derive(Debug, Default)]
pub(super) struct OpenIssues {
    known: BTreeMap<Source, Vec<Issue>>,
}

impl OpenIssues {
    pub(super) fn replace(&mut self, workspace: &Path, source: Source, mut issues: Vec<Issue>) {
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
    pub(super) fn all(&self) -> Vec<Issue> {
        let mut issues: Vec<Issue> = self.known.values().flatten().cloned().collect();
        issues.sort();
        issues.dedup();
        issues.truncate(KEPT_MAX);
        issues
    }

    pub(super) fn errors(&self) -> usize {
        let issues = self.known.values().flatten();
        issues.filter(|issue| issue.severity == Severity::Error).count()
    }
}
