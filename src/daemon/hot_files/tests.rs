//! Hot files that several change at once.
#![expect(clippy::disallowed_methods, reason = "the test makes the workspace")]

use super::*;

#[test]
fn edits_at_the_same_moment_are_all_made() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let lines: Vec<String> = (0..8).map(|number| format!("line {number}\n")).collect();
    std::thread::scope(|scope| {
        for line in &lines {
            let path = folder.path();
            scope.spawn(move || {
                let workspace = Workspace::open(path, false).unwrap();
                let add = |text: &str| Ok(Some(format!("{text}{line}")));
                edit(&workspace, Folder::Workspace, "WORKING.md", "", add).unwrap();
            });
        }
    });
    let text = std::fs::read_to_string(folder.path().join("WORKING.md")).unwrap();
    let mut written: Vec<&str> = text.split_inclusive('\n').collect();
    written.sort_unstable();
    assert_eq!(written, lines);
}

#[test]
fn a_folder_that_somebody_else_has_locked_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let theirs = std::fs::File::open(folder.path()).unwrap();
    theirs.lock().unwrap();
    let workspace = Workspace::open(folder.path(), false).unwrap();
    let add = |_: &str| Ok(Some("- a task\n".to_owned()));
    assert!(edit(&workspace, Folder::Workspace, "WORKING.md", "", add).unwrap());
    let text = std::fs::read_to_string(folder.path().join("WORKING.md")).unwrap();
    assert_eq!(text, "- a task\n");
}
