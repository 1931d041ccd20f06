//! Work of new workspaces, and how often the loop hears of it.

use tokio::runtime::Builder;

use super::super::runner::tests::waiting;
use super::*;

impl Pool {
    /// As if all threads had work that does not end.
    pub(in crate::daemon::service) fn keep_busy(&self) {
        self.shared.state().threads = THREADS;
    }
}

/// The status of each of so many new workspaces is to be told.
fn statuses(count: usize) -> (Vec<tempfile::TempDir>, Vec<Work>) {
    let status = |number| {
        let (folder, _, job_state, mut context) = waiting();
        context.task = None;
        (folder, (number, job_state, context))
    };
    (0..count).map(status).unzip()
}

#[test]
fn of_many_workspaces_without_news_the_loop_hears_together() {
    let (_folders, statuses) = statuses(40);
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let pool = Pool::default();
        assert!(pool.is_idle());
        statuses.into_iter().for_each(|work| pool.add(work));
        let (mut heard, mut finished) = (0, Vec::new());
        while !pool.is_idle() {
            pool.ended().await;
            heard += 1;
            finished.extend(pool.take_finished());
        }
        finished.extend(pool.take_finished());
        assert!(heard <= 2 * THREADS, "{heard} times");
        let mut numbers: Vec<usize> = finished.iter().map(|(number, ..)| *number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..40).collect::<Vec<_>>());
        assert!(finished.iter().all(|(.., done)| matches!(done, Done::ToldStatus)));
    });
}

#[test]
fn what_waits_can_be_taken_back_and_what_is_under_way_cannot() {
    let (folders, statuses) = statuses(2);
    let pool = Pool::default();
    pool.keep_busy();
    statuses.into_iter().for_each(|work| pool.add(work));
    let job_state = pool.take_back(1).unwrap();
    assert_eq!(job_state.path, folders[1].path());
    assert!(pool.take_back(1).is_none());
    let next = pool.shared.next().unwrap();
    assert_eq!(next.0, 0);
    assert!(pool.take_back(0).is_none() && pool.shared.next().is_none());
    assert_eq!(pool.shared.state().threads, THREADS - 1);
}
