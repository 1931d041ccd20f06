//! The loop and the users' summarizer commands: who is told that something may wait, and what follows when an answer came.

use super::Service;
use super::open_issues::Source;
use crate::daemon::agenda::Event;
use crate::daemon::clock::Zone;
use crate::daemon::issue::Issue;
use crate::daemon::settings;
use crate::daemon::summarizer::{Report, SummaryRequest, Turn};

impl Service {
    pub(super) fn wish(&self, number: usize) {
        let Some(runner) = self.runners.get(&number) else {
            return;
        };
        // Without its task nobody is asked: the daemon is about to end.
        let _ = self.summarizer.send(SummaryRequest {
            workspace: runner.path.clone(),
            orders: settings::orders(&self.start.user, &runner.settings, &self.start.environment),
            zone: settings::zone(&runner.settings),
        });
    }

    pub(super) fn wish_nothing(&self, workspace: &std::path::Path) {
        let _ = self.summarizer.send(SummaryRequest {
            workspace: workspace.to_owned(),
            orders: None,
            zone: Zone::System,
        });
    }

    /// What became of a turn. An answer is put in its place by a cycle.
    pub(super) fn summarized(&mut self, report: Report) {
        let found = self
            .runners
            .values_mut()
            .find(|runner| runner.path == report.workspace);
        let Some(runner) = found else { return };
        let workspace = report.workspace.display();
        let issue = match report.turn {
            Turn::Answered(node) => {
                tracing::info!(%workspace, node, "a summary has come");
                runner.handle(Event::CycleNow);
                None
            }
            Turn::Failed(node, what) => Some(Issue::warning(&node, format!("no summary: {what}"))),
            Turn::Unable(what) => Some(Issue::warning(".hipocampus/summarizer.json", what)),
            Turn::Nothing(_) | Turn::Stopped => return,
        };
        runner
            .open_issues
            .replace(&report.workspace, Source::Summarizer, issue.into_iter().collect());
    }
}
