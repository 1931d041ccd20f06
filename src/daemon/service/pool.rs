//! Two threads that do the workspaces' work, one piece after the other, each workspace in its turn.
//!
//! The loop is woken when somebody has news, or when nothing is left to do: of hundreds of workspaces in which nothing has changed it
//! hears together.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::spawn_blocking;

use super::job::{self, Done, JobContext, JobState};
use crate::daemon::worker::Task;

const THREADS: usize = 2;

/// The workspace's number, and what the work needs.
pub(super) type Work = (usize, JobState, JobContext);
/// Whose work ended, and how. No error is to be expected: a panic in the work is a [`Done`] of its own.
pub(super) type Finished = (usize, JobState, Done);

#[derive(Debug, Default)]
pub(super) struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// That there is something for the loop to hear.
    news: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Work>,
    finished: Vec<Finished>,
    threads: usize,
}

impl Pool {
    pub(super) fn add(&self, work: Work) {
        let mut state = self.shared.state();
        state.waiting.push_back(work);
        if state.threads < THREADS {
            state.threads += 1;
            let shared = Arc::clone(&self.shared);
            spawn_blocking(move || shared.serve());
        }
    }

    /// Resolves when [`Pool::take_finished`] is worth a call.
    pub(super) async fn news(&self) {
        self.shared.news.notified().await;
    }

    pub(super) fn take_finished(&self) -> Vec<Finished> {
        std::mem::take(&mut self.shared.state().finished)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.shared.state().threads == 0
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // What panics is the work, and that is done while nothing is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until nothing waits.
    fn serve(&self) {
        while let Some((number, job_state, mut context)) = self.next() {
            context.begin();
            let (job_state, done) = job::work(job_state, |state| job::attempt(state, &context));
            let is_news =
                !matches!(done, Done::ToldStatus | Done::Scanned { unfinished: false, changed: false });
            self.state().finished.push((number, job_state, done));
            if is_news {
                self.news.notify_one();
            }
        }
        self.news.notify_one();
    }

    fn next(&self) -> Option<Work> {
        let mut state = self.state();
        let next = state.waiting.pop_front();
        match &next {
            None => state.threads -= 1,
            // What was found before a cycle need not wait for its end.
            Some((.., context)) if context.task == Some(Task::Cycle) => self.news.notify_one(),
            Some(_) => {}
        }
        next
    }
}

#[cfg(test)]
mod tests;
