//! Who gets a lock, who does not, and what its file says.
#![expect(clippy::disallowed_methods, reason = "the tests make and unmake folders")]

use super::*;

fn workspace() -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let workspace = Workspace::open(folder.path(), true).unwrap();
    (folder, workspace)
}

#[test]
fn a_second_daemon_hears_who_holds_the_workspace() {
    let (_folder, workspace) = workspace();
    assert_eq!(running_pid(&workspace), None);
    let first = RunLock::take(&workspace).unwrap();
    let own = std::process::id();
    let refusal = RunLock::take(&workspace).unwrap_err();
    assert!(
        matches!(refusal, LockError::Held { pid: Some(pid), .. } if pid == own),
        "{refusal}"
    );
    assert!(refusal.to_string().contains(&format!("(process {own})")), "{refusal}");
    assert_eq!(running_pid(&workspace), Some(own));
    drop(first);
    assert_eq!(running_pid(&workspace), None);
    RunLock::take(&workspace).unwrap();
}

#[test]
fn what_a_dead_daemon_left_names_nobody() {
    let (folder, workspace) = workspace();
    std::fs::write(folder.path().join(".hipocampus/run.lock"), "1\n").unwrap();
    assert_eq!(running_pid(&workspace), None);
    RunLock::take(&workspace).unwrap();
}

#[test]
fn a_lock_whose_file_was_removed_is_noticed() {
    let (folder, mut workspace) = workspace();
    let lock = RunLock::take(&workspace).unwrap();
    assert!(lock.is_current(&workspace));
    std::fs::remove_dir_all(folder.path().join(".hipocampus")).unwrap();
    workspace = Workspace::open(workspace.path(), true).unwrap();
    assert!(!lock.is_current(&workspace));
}

#[test]
fn cycles_take_turns() {
    let (_folder, workspace) = workspace();
    let first = CycleLock::wait(&workspace).unwrap();
    assert!(CycleLock::try_take(&workspace).unwrap().is_none());
    drop(first);
    assert!(CycleLock::try_take(&workspace).unwrap().is_some());
}

#[test]
fn a_cycle_that_never_ended_is_known_to_the_next() {
    let (_folder, workspace) = workspace();
    let take = || CycleLock::wait(&workspace).unwrap();
    assert!(!take().is_unfinished());
    take().note_unfinished(true);
    assert!(take().is_unfinished());
    take().note_unfinished(false);
    assert!(!take().is_unfinished());
}
