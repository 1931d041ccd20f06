//! The note of what was generated last, whole, garbled and of an earlier version.
#![expect(
    clippy::disallowed_methods,
    reason = "makes the workspace, and garbles the note"
)]

use std::fs;

use super::*;
use crate::memory::calendar::Day;

#[test]
fn of_a_garbled_note_the_lines_are_believed_and_an_earlier_version_s_whole() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("memory")).unwrap();
    let workspace = Workspace::open(folder.path(), true).unwrap();
    let path = folder.path().join(".hipocampus").join(BASE_NAME);
    let saved = RootNote {
        day: Day::parse("2026-03-15"),
        built_from: Some(Hash(7)),
        lines: vec!["- Deploy [project, 0d]".to_owned()],
        before: vec!["- Deploy [project, 1d]".to_owned()],
        ..RootNote::default()
    };
    save(&workspace, &saved).unwrap();
    assert_eq!(note(&workspace).unwrap(), saved);

    let text = fs::read_to_string(&path).unwrap();
    let (from, to) = ("Deploy", "Depl0y");
    fs::write(&path, text.replace(from, to)).unwrap();
    let lines = RootNote {
        lines: vec![saved.lines[0].replace(from, to)],
        before: vec![saved.before[0].replace(from, to)],
        ..RootNote::default()
    };
    assert_eq!(note(&workspace).unwrap(), lines);
    fs::write(&path, serde_json::to_string(&saved).unwrap()).unwrap();
    assert_eq!(note(&workspace).unwrap(), saved);
}
