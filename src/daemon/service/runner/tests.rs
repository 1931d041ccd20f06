//! A runner whose work the tests take and bring back themselves.
#![expect(clippy::disallowed_methods, reason = "the test makes a folder")]

use super::*;
use crate::config::{UserConfig, load_workspace};
use crate::daemon::service::job::{self, Done};
use crate::daemon::workspace::Workspace;

/// A runner of a new workspace whose first look waits for its turn.
pub(in crate::daemon::service) fn waiting() -> (tempfile::TempDir, WorkspaceRunner, JobState, JobContext) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let config = load_workspace(folder.path(), &UserConfig::default()).unwrap();
    let lock = RunLock::take(&Workspace::open(folder.path(), true).unwrap()).unwrap();
    let mut runner = WorkspaceRunner::new(folder.path().to_owned(), config, lock, Clock::start());
    runner.wake(runner.now());
    let (job_state, context) = runner.take_work().unwrap();
    assert_eq!(context.task, Some(Task::Count));
    assert!(runner.take_work().is_none());
    (folder, runner, job_state, context)
}

/// The same when it is under way.
fn at_work() -> (tempfile::TempDir, WorkspaceRunner, JobState) {
    let (folder, runner, job_state, context) = waiting();
    context.shared.alive(context.clock.monotonic());
    (folder, runner, job_state)
}

#[test]
fn work_that_waits_for_its_turn_has_not_hung() {
    let (_folder, runner, ..) = waiting();
    assert!(!runner.is_hung(HUNG_AFTER * 2));
}

#[test]
fn work_that_the_end_finds_waiting_is_not_begun() {
    let (_folder, runner, mut job_state, context) = waiting();
    runner.stop();
    let done = job::attempt(&mut job_state, &context).unwrap();
    assert!(matches!(done, Done::Busy));
}

#[test]
fn work_without_a_sign_of_life_has_hung_and_work_that_ended_has_not() {
    let (_folder, mut runner, job_state) = at_work();
    assert!(!runner.is_hung(HUNG_AFTER));
    assert!(runner.is_hung(HUNG_AFTER * 2));
    runner.finished(job_state, Done::Scanned { unfinished: false, changed: false });
    assert!(!runner.is_hung(HUNG_AFTER * 2));
}

#[test]
fn a_crash_is_told_and_the_next_look_goes_on() {
    let (_folder, mut runner, job_state) = at_work();
    let fault = Done::Failed(Source::Crash, Issue::error(".", "a fault"));
    runner.finished(job_state, fault);
    assert_eq!(runner.open_issues.errors(), 1);
    assert!(runner.scanned && runner.take_work().is_some());
}

#[test]
fn work_that_another_process_holds_up_is_asked_for_again() {
    let (_folder, mut runner, job_state) = at_work();
    runner.finished(job_state, Done::Busy);
    assert!(runner.take_work().is_none() && runner.next_wake(runner.now()) <= BUSY_PAUSE);
    runner.paused_until = Some(Duration::ZERO);
    runner.wake(runner.now());
    assert_eq!(runner.take_work().unwrap().1.task, Some(Task::Count));
}

#[test]
fn a_configuration_that_is_good_again_is_told_at_once() {
    let (folder, mut runner, _desk) = at_work();
    runner.tell(
        Source::Configuration,
        vec![Issue::error("hipocampus.config.json", "is not JSON")],
    );
    assert_eq!(runner.status.issues.len(), 1);
    let config = load_workspace(folder.path(), &UserConfig::default()).unwrap();
    assert!(!runner.configure(config), "nothing in it is another");
    assert_eq!(runner.status.issues, []);
}

#[test]
fn what_a_missing_folder_kept_from_being_done_is_mended_with_it() {
    let (_folder, mut runner, job_state) = at_work();
    let missing = Issue::error(".", "cannot open memory: No such file or directory");
    runner.finished(job_state, Done::Failed(Source::Folder, missing));
    assert_eq!(runner.open_issues.errors(), 1);
    let job_state = runner.job_state.take().unwrap();
    runner.at_work = Some(Action::Scan);
    let scanned = Done::Scanned { unfinished: false, changed: false };
    runner.finished(job_state, scanned);
    assert_eq!(runner.status.issues, []);
}
