//! What is written into a fresh workspace.

use super::*;

#[test]
fn the_configuration_spells_out_what_people_change_and_reads_back_as_the_defaults() {
    let defaults = UserConfig::default().defaults;
    let expected = "{\n  \"platform\": \"codex\",\n  \"search\": {\n    \"vector\": true\n  },\n  \"compaction\": {\n    \
                    \"rootMaxTokens\": 3000,\n    \"cooldownHours\": 3\n  }\n}\n";
    let text =
        |platforms: &[Platform], tree| config_text(platforms, &defaults, &TreeFolder::parse(tree).unwrap());
    assert_eq!(text(&[Platform::Codex], "memory"), expected);
    assert!(!text(&[Platform::Codex, Platform::ClaudeCode], "memory").contains("platform"));
    assert!(text(&[Platform::OpenClaw], "a").contains("\"tree\": {\n    \"folder\": \"a\""));
}

#[test]
fn the_root_template_has_headings_and_a_date_to_fill_in_and_no_line_of_its_own() {
    let body = ROOT_FILE.split("---\n").nth(2).unwrap();
    assert!(body.lines().all(|line| line.is_empty() || line.starts_with("## ")));
    assert_eq!(ROOT_FILE.matches("YYYY-MM-DD").count(), 1);
}

fn place_in(folder: &Path) -> Place {
    let workspace = Workspace::begin(folder, TreeFolder::default()).unwrap();
    Place { workspace, note: Note::default() }
}

/// A daemon may serve the workspace already, and each of its cycles removes what a crash left.
#[test]
fn a_file_is_made_while_somebody_removes_what_a_crash_left() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("memory")).unwrap();
    let cycles = Workspace::open(folder.path(), true).unwrap();
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                assert!(cycles.remove_strays().is_empty());
            }
        });
        let made = (0..100).all(|_| {
            let mut place = place_in(folder.path());
            let (name, text) = TASK_QUEUE;
            let made = place.file(Folder::Workspace, name, text);
            made.is_ok() && fs::remove_file(folder.path().join(name)).is_ok()
        });
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(made);
    });
}

/// A cycle of a daemon makes ROOT.md at the same moment as `init`.
#[test]
fn a_file_that_somebody_makes_at_the_same_moment_is_there() {
    const ROUNDS: usize = 300;
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("memory")).unwrap();
    let (name, text) = TASK_QUEUE;
    let path = folder.path().join(name);
    let start = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        let theirs = scope.spawn(|| {
            (0..ROUNDS).for_each(|_| {
                start.wait();
                fs::write(&path, "theirs").unwrap();
                start.wait();
            });
        });
        let mut failed = 0;
        for _ in 0..ROUNDS {
            let mut place = place_in(folder.path());
            start.wait();
            failed += usize::from(place.file(Folder::Workspace, name, text).is_err());
            start.wait();
            fs::remove_file(&path).unwrap();
        }
        theirs.join().unwrap();
        assert_eq!(failed, 0);
    });
}
