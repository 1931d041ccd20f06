//! Turns at qmd and at the summarizers' commands, of each one at a time over all workspaces.
//!
//! The loop begins a turn and hears how it ended; it never waits for one. What is asked for several times before its turn begins is one
//! turn, and what is asked for while it is under way another.

use std::time::Duration;

use tokio::task::JoinSet;

use super::Service;
use super::runner::WorkspaceRunner;
use crate::daemon::agenda::{BEAT, Event};
use crate::daemon::clock::iso;
use crate::daemon::issue::{Issue, Source};
use crate::daemon::qmd::{self, Outcome, QmdResult};
use crate::daemon::settings;
use crate::daemon::summarizer::{self, Turn};

/// A workspace takes no turn at qmd sooner than this after its last one: somebody who writes all the time asks many times.
const INDEX_GAP: Duration = Duration::from_secs(10);
/// What waits for its time, or could not be looked at, is looked at again so long after.
const LOOK: Duration = Duration::from_secs(10 * 60);

type Indexed = (usize, QmdResult);
type Summarized = (usize, Turn);

#[derive(Default)]
pub(super) struct Turns {
    pub(super) index: JoinSet<Indexed>,
    pub(super) summarize: JoinSet<Summarized>,
}

impl Service {
    /// The workspace that is due first, and how long it is until then.
    fn first(&self, due: impl Fn(&WorkspaceRunner) -> Option<Duration>) -> Option<(Duration, usize)> {
        let waiting = self.runners.iter();
        let waiting = waiting.filter_map(|(number, runner)| Some((due(runner)?, *number)));
        let (due, number) = waiting.min()?;
        Some((due.saturating_sub(self.start.clock.monotonic()), number))
    }

    /// Begins a turn whose time has come. Answers how long it is to the next one that may begin.
    pub(super) fn start_index(&mut self, turns: &mut JoinSet<Indexed>) -> Duration {
        let first = self.first(|runner| {
            let rested = runner.indexed.map_or(Duration::ZERO, |ended| ended + INDEX_GAP);
            Some(runner.index_at?.max(rested))
        });
        let Some((left, number)) = first.filter(|_| turns.is_empty()) else {
            return BEAT;
        };
        let Some(runner) = self.runners.get_mut(&number).filter(|_| left.is_zero()) else {
            return left;
        };
        runner.index_at = None;
        let clock = self.start.clock;
        let settings = settings::qmd(&self.start.user, &runner.settings, &self.start.environment);
        let (path, mut stop) = (runner.path.clone(), self.stop.subscribe());
        turns.spawn(async move {
            let now = || iso(clock.utc());
            let result = qmd::reindex_once(&settings, &path, now, &mut stop).await;
            (number, result)
        });
        BEAT
    }

    /// The same for the summarizers.
    pub(super) fn start_summarizer(&mut self, turns: &mut JoinSet<Summarized>) -> Duration {
        let first = self.first(|runner| runner.summarize_at);
        let Some((left, number)) = first.filter(|_| turns.is_empty()) else {
            return BEAT;
        };
        let Some(runner) = self.runners.get_mut(&number).filter(|_| left.is_zero()) else {
            return left;
        };
        let now = runner.now();
        runner.summarize_at = None;
        let orders = settings::orders(&self.start.user, &runner.settings, &self.start.environment);
        let Some(orders) = orders else {
            return Duration::ZERO;
        };
        let (path, mut stop) = (runner.path.clone(), self.stop.subscribe());
        turns.spawn(async move {
            let turn = summarizer::turn(&path, &orders, now.moment, now, &mut stop).await;
            (number, turn)
        });
        BEAT
    }

    /// Says how a turn at qmd ended: a warning where it is bad, and not just as bad as the last time.
    pub(super) fn indexed(&mut self, (number, result): Indexed) {
        let Some(runner) = self.runners.get_mut(&number) else {
            return;
        };
        runner.indexed = Some(self.start.clock.monotonic());
        let before = runner.status.qmd.replace(result.clone());
        let (update, embed, said) = (result.update, result.embed, &result.said);
        let is_new = before.is_none_or(|before| (before.update, before.embed) != (update, embed));
        let is_stopped = update == Outcome::Stopped || embed == Some(Outcome::Stopped);
        let workspace = runner.path.display();
        if matches!(update, Outcome::Missing | Outcome::TooOld) {
            // Once for the whole daemon: it is one program.
            let is_first = self.said.insert(said.clone());
            if is_first && result.is_not_wanted() {
                tracing::info!("{said}");
            } else if is_first {
                tracing::warn!(%workspace, said, "search index is not kept: this qmd cannot be used");
            }
        } else if is_new && !result.is_good() && !is_stopped {
            tracing::warn!(%workspace, ?update, ?embed, said, "search index is not up to date");
        } else if update == Outcome::Ok || embed == Some(Outcome::Ok) {
            tracing::info!(%workspace, ?update, ?embed, "search index updated");
        } else {
            tracing::debug!(%workspace, ?update, ?embed, said, "search index looked at");
        }
    }

    /// What became of a turn of the summarizer. A cycle puts an answer in its place, and is followed by the next turn.
    pub(super) fn summarized(&mut self, (number, turn): Summarized) {
        let Some(runner) = self.runners.get_mut(&number) else {
            return;
        };
        let now = self.start.clock.monotonic();
        let next = match &turn {
            Turn::Answered(_) | Turn::Failed(..) => now,
            Turn::Nothing | Turn::Unable(_) => now + LOOK,
        };
        runner.summarize_at = Some(runner.summarize_at.map_or(next, |at| at.min(next)));
        let issue = match turn {
            Turn::Answered(node) => {
                tracing::info!(workspace = %runner.path.display(), node, "a summary has come");
                runner.handle(Event::CycleNow);
                None
            }
            Turn::Failed(node, what) => Some(Issue::warning(&node, format!("no summary: {what}"))),
            Turn::Unable(what) => Some(Issue::warning(".hipocampus/summarizer.json", what)),
            Turn::Nothing => return,
        };
        runner.tell(Source::Summarizer, issue.into_iter().collect());
    }
}
