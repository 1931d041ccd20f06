//! The few threads that all workspaces share: who waits for one, in order of asking, and who has one.

use std::collections::{HashMap, VecDeque};

use tokio::task::{Id, JoinSet};

use super::job::{Done, JobContext, JobState, Work, work};

/// So many workspaces are worked on at once.
pub(super) const AT_ONCE: usize = 2;

#[derive(Debug, Default)]
pub(super) struct WorkerPool {
    jobs: JoinSet<(JobState, Done)>,
    at_work: HashMap<Id, usize>,
    waiting: VecDeque<usize>,
}

/// Whose work ended, and how; nothing when its thread could not even end in a panic of its own.
pub(super) type Finished = (usize, Option<(JobState, Done)>);

impl WorkerPool {
    /// Puts a workspace into the queue, at its end, unless it stands there already. A workspace whose work has just ended
    /// asks again like any other, so that a busy one starves nobody.
    pub(super) fn ask(&mut self, number: usize) {
        if !self.waiting.contains(&number) {
            self.waiting.push_back(number);
        }
    }

    /// Whose turn it is; none while all threads are taken or nobody waits.
    pub(super) fn next(&mut self) -> Option<usize> {
        if self.jobs.len() < AT_ONCE {
            self.waiting.pop_front()
        } else {
            None
        }
    }

    pub(super) fn start(&mut self, number: usize, job_state: JobState, what: Work, context: JobContext) {
        let handle = self.jobs.spawn_blocking(move || work(job_state, &what, &context));
        self.at_work.insert(handle.id(), number);
    }

    /// The next work to end; none, at once, when there is none under way. May be dropped and called again.
    pub(super) async fn finished(&mut self) -> Option<Finished> {
        let (id, end) = match self.jobs.join_next_with_id().await? {
            Ok((id, end)) => (id, Some(end)),
            Err(error) => (error.id(), None),
        };
        let number = self.at_work.remove(&id)?;
        Some((number, end))
    }

    pub(super) fn close(&mut self) {
        self.waiting.clear();
    }
}
