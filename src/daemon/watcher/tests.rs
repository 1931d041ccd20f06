//! The watcher on real folders. "No hint" is told by a cookie: a later event that has arrived while nothing else has.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests play the agents that write the files"
)]

mod polled;

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use notify::event::{Event, EventKind, Flag};

use super::*;
use crate::daemon::ledger;

/// The workspace under test, and the one whose log is the cookie.
const HOME: usize = 1;
const COOKIE: usize = 2;

struct Stage {
    folder: tempfile::TempDir,
    watcher: Watcher,
    hearing: UnboundedReceiver<Heard>,
    pending: Hints,
}

impl Stage {
    /// Two watched workspaces, all hints of the start fetched.
    fn new() -> Self {
        let stage = Self::bare();
        fs::create_dir_all(stage.memory()).unwrap();
        stage.started()
    }

    fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("cookie/memory")).unwrap();
        let (watcher, hearing) = Watcher::new();
        Self { folder, watcher, hearing, pending: Hints::new() }
    }

    fn started(mut self) -> Self {
        let (home, cookie) = (self.home(), self.folder.path().join("cookie"));
        self.watcher.add_workspace(HOME, &home);
        self.watcher.add_workspace(COOKIE, &cookie);
        self.watcher.check();
        assert_eq!(self.watcher.polled(), []);
        self.arrived();
        self.pending.clear();
        self
    }

    /// Takes in what is there by now.
    fn arrived(&mut self) {
        while let Ok(heard) = self.hearing.try_recv() {
            let hints = self.watcher.understand([heard]);
            self.pending.extend(hints);
        }
    }

    /// What is pending, once there is something.
    fn next(&mut self) -> Hints {
        self.arrived();
        while self.pending.is_empty() {
            let heard = block_on(self.hearing.recv()).expect("the watcher is there");
            self.pending = self.watcher.understand([heard]);
            self.arrived();
        }
        std::mem::take(&mut self.pending)
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn memory(&self) -> PathBuf {
        self.home().join("memory")
    }

    fn append(&self, name: &str) {
        let path = self.memory().join(name);
        fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .unwrap()
            .write_all(b"## more\n")
            .unwrap();
    }

    /// What was heard of the workspace before the cookie that is written now.
    fn heard(&mut self) -> Vec<Change> {
        self.arrived();
        self.pending.retain(|(number, _)| *number != COOKIE);
        // A rename is one event; writing would be several, and the late ones would pass for the next cookie.
        let written = self.folder.path().join("cookie.tmp");
        fs::write(&written, "cookie").unwrap();
        fs::rename(&written, self.folder.path().join("cookie/memory/2001-01-01.md")).unwrap();
        let mut heard = Hints::new();
        while !heard.contains(&(COOKIE, Change::Memory)) {
            heard.extend(self.next());
        }
        let home = heard.into_iter().filter(|(number, _)| *number == HOME);
        home.map(|(_, change)| change).collect()
    }

    fn hears_of_everything(&mut self) -> bool {
        self.heard().contains(&Change::Everything)
    }
}

/// Waits for a hint, and fails instead of hanging when none comes.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(30), future)
            .await
            .expect("no hint came")
    })
}

const NOTHING: [Change; 0] = [];
const LOGS: [Change; 1] = [Change::Memory];

#[test]
fn an_append_a_new_log_and_a_log_renamed_over_are_heard() {
    let mut stage = Stage::new();
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), LOGS, "created");
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), LOGS, "appended");
    fs::write(stage.memory().join(".2026-03-15.md.swp"), "x").unwrap();
    assert_eq!(stage.heard(), NOTHING, "an editor's own file");
    fs::rename(stage.memory().join(".2026-03-15.md.swp"), stage.memory().join("2026-03-15.md")).unwrap();
    assert_eq!(stage.heard(), LOGS, "renamed over");
    stage.append("2026-03-15-1430.md");
    assert_eq!(stage.heard(), LOGS, "a session file");
    fs::remove_file(stage.memory().join("2026-03-15.md")).unwrap();
    assert_eq!(stage.heard(), LOGS, "removed");
}

#[test]
fn the_other_files_are_told_apart() {
    let mut stage = Stage::new();
    fs::write(stage.memory().join(ledger::FILE_NAME), "{}").unwrap();
    assert_eq!(stage.heard(), LOGS, "the state");
    fs::write(stage.home().join("WORKING.md"), "x").unwrap();
    assert_eq!(stage.heard(), NOTHING, "no matter of a hint");
    fs::write(stage.home().join("hipocampus.config.json"), "{}").unwrap();
    assert_eq!(stage.heard(), [Change::Configuration]);
    for other in [
        "notes.md",
        "memory/ROOT.md",
        "memory/.2026-03-15.md",
        "memory/2026-03-15.txt",
        "2026-03-15.md",
    ] {
        fs::write(stage.home().join(other), "x").unwrap();
        assert_eq!(stage.heard(), NOTHING, "{other}");
    }
}

#[test]
fn reading_is_not_heard() {
    let mut stage = Stage::new();
    stage.append("2026-03-15.md");
    stage.heard();
    for _ in 0..100 {
        fs::read(stage.memory().join("2026-03-15.md")).unwrap();
        fs::read_dir(stage.memory()).unwrap().for_each(drop);
    }
    assert_eq!(stage.heard(), NOTHING);
}

#[test]
fn the_daemons_own_nodes_are_not_heard() {
    let mut stage = Stage::new();
    for level in ["daily", "weekly", "monthly"] {
        let folder = stage.memory().join(level);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("2026-03-15.md.tmp-1"), "x").unwrap();
        fs::rename(folder.join("2026-03-15.md.tmp-1"), folder.join("2026-03-15.md")).unwrap();
    }
    fs::write(stage.memory().join(".ROOT.md.tmp-1"), "x").unwrap();
    fs::rename(stage.memory().join(".ROOT.md.tmp-1"), stage.memory().join("ROOT.md")).unwrap();
    assert_eq!(stage.heard(), NOTHING);
}

#[test]
fn a_memory_folder_deleted_and_made_again_is_watched_again() {
    let mut stage = Stage::new();
    for round in 0..3 {
        fs::remove_dir_all(stage.memory()).unwrap();
        fs::create_dir(stage.memory()).unwrap();
        assert!(stage.hears_of_everything(), "round {round}");
        stage.watcher.check();
        assert_eq!(stage.watcher.polled(), []);
        assert!(
            stage.hears_of_everything(),
            "what was written before the new watch must be looked at"
        );
        stage.append("2026-03-15.md");
        assert_eq!(stage.heard(), LOGS, "round {round}");
    }
}

#[test]
fn a_workspace_deleted_and_made_again_is_watched_again() {
    let mut stage = Stage::new();
    fs::remove_dir_all(stage.home()).unwrap();
    stage.watcher.check();
    fs::create_dir_all(stage.memory()).unwrap();
    stage.watcher.check();
    assert!(stage.hears_of_everything());
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), LOGS);
}

#[test]
fn a_folder_moved_away_and_back_is_watched_again() {
    let mut stage = Stage::new();
    let away = stage.folder.path().join("away");
    fs::rename(stage.memory(), &away).unwrap();
    fs::rename(&away, stage.memory()).unwrap();
    assert!(stage.hears_of_everything());
    stage.watcher.check();
    assert_eq!(stage.watcher.polled(), []);
    stage.heard();
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), LOGS, "it is the very same folder, and notify had dropped it");
}

#[test]
fn a_folder_missing_at_the_start_may_appear_later() {
    let mut stage = Stage::bare().started();
    stage.watcher.check();
    assert_eq!(stage.heard(), NOTHING);
    fs::create_dir(stage.home()).unwrap();
    stage.watcher.check();
    assert!(stage.hears_of_everything());
    fs::create_dir(stage.memory()).unwrap();
    assert!(stage.hears_of_everything(), "the workspace's own folder tells");
    stage.watcher.check();
    stage.heard();
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), LOGS);
}

#[test]
fn a_check_with_everything_in_order_says_nothing() {
    let mut stage = Stage::new();
    stage.watcher.check();
    assert_eq!(stage.watcher.polled(), []);
    assert_eq!(stage.heard(), NOTHING);
}

#[test]
fn lost_events_are_a_hint_to_look_at_everything() {
    let mut stage = Stage::new();
    let lost = |event| pass_on(event, &stage.watcher.heard);
    lost(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan)));
    let everything = [(HOME, Change::Everything), (COOKIE, Change::Everything)];
    assert_eq!(stage.next(), Hints::from(everything));
    let lost = |event| pass_on(event, &stage.watcher.heard);
    lost(Err(notify::Error::generic("reading failed")));
    assert_eq!(stage.next(), Hints::from(everything));
}

#[test]
fn any_number_of_events_is_one_hint_and_the_last_is_not_lost() {
    let mut stage = Stage::new();
    for _ in 0..1000 {
        stage.append("2026-03-15.md");
    }
    assert_eq!(stage.heard(), LOGS);
    stage.append("2026-03-15.md");
    assert_eq!(stage.next(), Hints::from([(HOME, Change::Memory)]));
}

#[test]
fn a_file_of_its_own_is_watched_through_its_folder() {
    let mut stage = Stage::new();
    let file = stage.folder.path().join("config.json");
    stage.watcher.add_file(7, &file);
    stage.watcher.check();
    stage.heard();
    fs::write(stage.folder.path().join("new.json"), "{}").unwrap();
    stage.heard();
    fs::rename(stage.folder.path().join("new.json"), &file).unwrap();
    // On a busy machine what made the stage is still heard.
    let heard = loop {
        if let Some((_, change)) = stage.next().into_iter().find(|(number, _)| *number == 7) {
            break change;
        }
    };
    assert_eq!(heard, Change::Configuration);
}

#[test]
fn a_removed_workspace_is_silent() {
    let mut stage = Stage::new();
    stage.watcher.remove(HOME);
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), NOTHING);
    assert_eq!(stage.watcher.folders.len(), 2);
}
