//! A keeper whose work the tests take and bring back themselves.
#![expect(clippy::disallowed_methods, reason = "the test makes a folder")]

use super::aftermath::BUSY_PAUSE;
use super::*;
use crate::config::{UserConfig, load_workspace};
use crate::daemon::service::job::Done;
use crate::daemon::workspace::Workspace;

/// A keeper of a new workspace whose first look is under way.
fn at_work() -> (tempfile::TempDir, Keeper, Desk) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let config = load_workspace(folder.path(), &UserConfig::default()).unwrap();
    let lock = RunLock::take(&Workspace::open(folder.path(), true).unwrap()).unwrap();
    let mut keeper = Keeper::new(folder.path().to_owned(), config, lock, Clock::start());
    keeper.wake();
    assert!(keeper.wants_work());
    let (desk, work, _) = keeper.take_work().unwrap();
    assert_eq!(work, Work::Scan);
    assert!(!keeper.wants_work());
    (folder, keeper, desk)
}

#[test]
fn work_without_a_sign_of_life_has_hung_and_work_that_ended_has_not() {
    let (_folder, mut keeper, desk) = at_work();
    assert!(!keeper.is_hung(HUNG_AFTER));
    assert!(keeper.is_hung(HUNG_AFTER * 2));
    keeper.finished(Some((
        desk,
        Done::Scanned {
            unfinished: false,
            changed: false,
            state: Vec::new(),
            notes: Vec::new(),
        },
    )));
    assert!(!keeper.is_hung(HUNG_AFTER * 2));
}

#[test]
fn a_crash_is_told_and_the_next_look_goes_on() {
    let (_folder, mut keeper, _desk) = at_work();
    assert_eq!(keeper.finished(None), Aftermath::Nothing);
    assert_eq!(keeper.trouble.errors(), 1);
    assert!(keeper.scanned && keeper.wants_work());
}

#[test]
fn work_that_another_process_holds_up_is_asked_for_again() {
    let (_folder, mut keeper, desk) = at_work();
    keeper.finished(Some((desk, Done::Busy)));
    assert!(!keeper.wants_work() && keeper.next_wake() <= BUSY_PAUSE);
    keeper.paused_until = Some(Duration::ZERO);
    keeper.wake();
    assert!(keeper.wants_work());
    assert_eq!(keeper.take_work().unwrap().1, Work::Scan);
}

#[test]
fn a_configuration_that_is_good_again_is_told_at_once() {
    let (folder, mut keeper, _desk) = at_work();
    keeper.misconfigured(Issue::error("hipocampus.config.json", "is not JSON"));
    assert_eq!(keeper.status.issues.len(), 1);
    let config = load_workspace(folder.path(), &UserConfig::default()).unwrap();
    assert!(!keeper.configure(config), "nothing in it is another");
    assert_eq!(keeper.status.issues, []);
}

#[test]
fn what_a_missing_folder_kept_from_being_done_is_mended_with_it() {
    let (_folder, mut keeper, desk) = at_work();
    let missing = || Issue::error(".", "cannot open memory: No such file or directory");
    keeper.finished(Some((desk, Done::NoFolder(missing()))));
    let next = |keeper: &mut Keeper, work: Work, done: Done| {
        let desk = keeper.desk.take().unwrap();
        keeper.at_work = Some(work);
        keeper.finished(Some((desk, done)));
    };
    next(&mut keeper, Work::WriteCounters, Done::Wrote(Err(missing())));
    assert_eq!(keeper.trouble.errors(), 2);
    let scanned = || Done::Scanned {
        unfinished: false,
        changed: false,
        state: Vec::new(),
        notes: Vec::new(),
    };
    next(&mut keeper, Work::Scan, scanned());
    assert_eq!(keeper.status.issues, []);
    // With the folder there, a state that cannot be written stays an error until it can.
    next(&mut keeper, Work::WriteCounters, Done::Wrote(Err(missing())));
    next(&mut keeper, Work::Scan, scanned());
    assert_eq!(keeper.trouble.errors(), 1);
}
