//! Two threads that do the workspaces' work, one piece after the other, each workspace in its turn.
//!
//! The loop is woken when nothing is left to do, and looks every [`COLLECT`] until then: of hundreds of workspaces in which nothing has
//! changed it hears together, and not of each by itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::spawn_blocking;

use super::job::{self, Done, JobContext, JobState};

pub const THREADS: usize = 2;
/// How often the loop takes what has ended while there is more to do: `session start` waits 200 ms for an answer.
pub(super) const COLLECT: Duration = Duration::from_millis(50);

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
    /// That a thread found nothing more to do.
    ended: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Work>,
    finished: Vec<Finished>,
    /// How many threads serve. When none does, `finished` may still hold something.
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

    /// Takes a workspace's work back, if it has not begun.
    pub(super) fn take_back(&self, number: usize) -> Option<JobState> {
        let mut state = self.shared.state();
        let at = state.waiting.iter().position(|(waiting, ..)| *waiting == number)?;
        state.waiting.remove(at).map(|(_, job_state, _)| job_state)
    }

    /// Resolves when a thread has found nothing more to do.
    pub(super) async fn ended(&self) {
        self.shared.ended.notified().await;
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
        while let Some((number, job_state, context)) = self.next() {
            let (job_state, done) = job::work(job_state, |state| job::attempt(state, &context));
            self.state().finished.push((number, job_state, done));
        }
        self.ended.notify_one();
    }

    fn next(&self) -> Option<Work> {
        let mut state = self.state();
        let next = state.waiting.pop_front();
        state.threads -= usize::from(next.is_none());
        next
    }
}

#[cfg(test)]
mod tests;
