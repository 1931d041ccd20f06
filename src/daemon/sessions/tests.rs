//! Sessions that begin at once.
#![expect(clippy::disallowed_methods, reason = "the test makes the workspace")]

use super::*;

#[test]
fn sessions_that_begin_at_the_same_moment_are_all_remembered() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    Workspace::open(folder.path(), true).unwrap();
    let (began, today) = (Day::parse("2026-03-15").unwrap(), Day::parse("2026-03-16").unwrap());
    let now: DateTime<Utc> = "2026-03-15T23:59:59Z".parse().unwrap();
    let names: Vec<String> = (0..8).map(|number| format!("session-{number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let path = folder.path();
            scope.spawn(move || {
                let workspace = Workspace::open(path, false).unwrap();
                begin(&workspace, name, began, now).unwrap();
            });
        }
    });
    let workspace = Workspace::open(folder.path(), false).unwrap();
    for name in &names {
        assert_eq!(day(&workspace, name, today, now), began, "{name}");
    }
}
