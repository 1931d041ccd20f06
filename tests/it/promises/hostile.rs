//! Promise 12: whatever stands where a file or a folder is expected, nothing outside of the workspace is read or written,
//! nothing hangs, no terminal escape is printed, the rest goes on, and all is well once the thing is gone.
#![expect(clippy::disallowed_methods, reason = "puts things in the way of the program")]

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

use super::is_long;
use super::shot::{Shot, shot};
use crate::run::support::{Space, User, until, write_private};
use crate::world::{World, program};

/// Every place where the program looks for a file, or makes one.
const FILES: [&str; 45] = [
    "memory/2026-03-15.md",
    "memory/2026-03-15-session.md",
    "memory/daily/2026-03-15.md",
    "memory/daily/2026-03-08.md",
    "memory/weekly/2026-W11.md",
    "memory/monthly/2026-03.md",
    "memory/ROOT.md",
    "memory/.compaction-state.json",
    "memory/.compaction-state.json.bad",
    "memory/agents/compaction/AGENT.md",
    "MEMORY.md",
    "WORKING.md",
    "hipocampus.config.json",
    ".hipocampus/.gitignore",
    ".hipocampus/adopted.json",
    ".hipocampus/cache",
    ".hipocampus/cycle.lock",
    ".hipocampus/contributions",
    ".hipocampus/idle",
    ".hipocampus/history",
    ".hipocampus/mornings",
    ".hipocampus/root.json",
    ".hipocampus/run.lock",
    ".hipocampus/snapshot",
    ".hipocampus/status.json",
    ".hipocampusd-MEMORY.md.tmp",
    "memory/.hipocampusd-ROOT.md.tmp",
    "memory/daily/.hipocampusd-2026-03-15.md.tmp",
    "memory/monthly/.hipocampusd-2026-03.md.tmp",
    "memory/agents/compaction/.hipocampusd-AGENT.md.tmp",
    ".hipocampus/.hipocampusd-cache.tmp",
    ".hipocampus/.hipocampusd-root.json.tmp",
    ".hipocampus/.hipocampusd-snapshot.tmp",
    ".hipocampus/answers/2026-03-15.0123456789abcdef.json",
    ".hipocampus/captured.json",
    ".hipocampus/capture.lock",
    ".hipocampus/init.json",
    ".hipocampus/recall",
    ".hipocampus/sessions.json",
    ".hipocampus/summarizer.json",
    ".hipocampus/summarizer.lock",
    ".hipocampus/vault/index",
    ".hipocampus/vault/index-copy",
    ".hipocampus/vault/pack-0",
    ".hipocampus/vault/.hipocampusd-index.tmp",
];

/// Every place where it looks for a folder.
const FOLDERS: [&str; 9] = [
    "memory",
    "memory/daily",
    "memory/weekly",
    "memory/monthly",
    "memory/agents",
    "memory/agents/compaction",
    ".hipocampus",
    ".hipocampus/answers",
    ".hipocampus/vault",
];

/// What may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    /// A link to a file outside, which holds the secret.
    LinkOut,
    /// The same by way of `..`.
    LinkUp,
    /// A link to a folder outside.
    LinkToFolder,
    /// A link to nothing, outside: following it would make a file there.
    LinkToNothing,
    /// A link to itself.
    LinkToItself,
    /// A link to `/dev/zero`, which never ends.
    LinkToZero,
    /// Nobody writes into it: opening it plainly waits for ever.
    Fifo,
    Socket,
    /// A device that never ends.
    Zero,
    /// A device whose every write fails.
    Full,
    Folder,
    /// A folder with something in it, which no rename replaces.
    FullFolder,
    /// A terabyte of nothing.
    Giant,
    /// A second name of a file outside. Its text is in the workspace rightly; the file outside must not change.
    HardLink,
    Empty,
    /// Text that drives terminals, names secrets and pretends to be what it is not.
    Garbage,
}

const THINGS: [Thing; 16] = [
    Thing::LinkOut,
    Thing::LinkUp,
    Thing::LinkToFolder,
    Thing::LinkToNothing,
    Thing::LinkToItself,
    Thing::LinkToZero,
    Thing::Fifo,
    Thing::Socket,
    Thing::Zero,
    Thing::Full,
    Thing::Folder,
    Thing::FullFolder,
    Thing::Giant,
    Thing::HardLink,
    Thing::Empty,
    Thing::Garbage,
];

const TERABYTE: u64 = 1 << 40;
const SECRET: &str = "the secret that lies outside";
const GARBAGE: &[u8] =
    b"\x1b]0;pwned\x07\x1b[2J{\"lines\": \x9b31m ---\ntype: daily\nstatus: fixed\n../../etc/passwd\r\n";

/// What lies outside of the workspaces, beside them on the same file system.
struct Outside {
    folder: TempDir,
}

impl Outside {
    fn new(beside: &Path) -> Self {
        let folder = TempDir::new_in(beside.parent().expect("a folder above")).expect("a folder");
        fs::write(folder.path().join("file"), entry(SECRET)).expect("a file");
        Self { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("file")
    }

    /// What a write, or a new name, would change.
    fn seen(&self) -> (Vec<String>, Vec<u8>, u32, i64, i64) {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let met = fs::metadata(self.file()).expect("the file");
        (
            names,
            fs::read(self.file()).expect("the file"),
            met.mode(),
            met.mtime(),
            met.mtime_nsec(),
        )
    }
}

fn entry(what: &str) -> String {
    format!("## {what} [user]\n- outcome: {what} is kept\n")
}

/// Puts a thing at a place; false where this user may not make such a thing.
fn put(thing: Thing, path: &Path, outside: &Outside) -> bool {
    fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
    if path.symlink_metadata().is_ok_and(|met| met.is_dir()) {
        fs::remove_dir_all(path).expect("the folder goes");
    } else {
        let _ = fs::remove_file(path);
    }
    let node = |what: &[&str]| {
        let made = Command::new("mknod").arg(path).args(what).output();
        made.is_ok_and(|made| made.status.success())
    };
    let link = |to: &Path| symlink(to, path).is_ok();
    match thing {
        Thing::LinkOut => link(&outside.file()),
        Thing::LinkUp => link(&up_to(path, &outside.file())),
        Thing::LinkToFolder => link(outside.folder.path()),
        Thing::LinkToNothing => link(&outside.folder.path().join("made")),
        Thing::LinkToItself => link(path),
        Thing::LinkToZero => link(Path::new("/dev/zero")),
        Thing::Fifo => node(&["p"]),
        Thing::Socket => UnixListener::bind(path).is_ok(),
        Thing::Zero => node(&["c", "1", "5"]),
        Thing::Full => node(&["c", "1", "7"]),
        Thing::Folder => fs::create_dir(path).is_ok(),
        Thing::FullFolder => fs::create_dir(path).is_ok() && fs::write(path.join("in it"), "x").is_ok(),
        Thing::Giant => File::create(path).and_then(|file| file.set_len(TERABYTE)).is_ok(),
        Thing::HardLink => fs::hard_link(outside.file(), path).is_ok(),
        Thing::Empty => fs::write(path, "").is_ok(),
        Thing::Garbage => fs::write(path, GARBAGE).is_ok(),
    }
}

/// The way from beside `path` to `to` by as many `..` as it takes.
fn up_to(path: &Path, to: &Path) -> PathBuf {
    let above = path.parent().expect("a folder above").components().count() - 1;
    let mut way: PathBuf = std::iter::repeat_n("..", above).collect();
    way.extend(to.components().skip(1));
    way
}

fn remove(path: &Path) {
    let is_folder = path.symlink_metadata().is_ok_and(|met| met.is_dir());
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// A workspace with two days, one compacted already and one not.
fn workspace() -> World {
    let world = World::new();
    world.write("memory/2026-03-08.md", entry("an older day"));
    world.write("memory/2026-03-20.md", entry("another day"));
    world.write("MEMORY.md", "# Core\n\nMine.\n");
    world.write("WORKING.md", "# WORKING\n\n## Move the queue\n- next: step 2\n");
    world.write(
        "hipocampus.config.json",
        r#"{"platform": "openclaw", "search": {"enabled": false}}"#,
    );
    let shot = shot(
        program(&world, &["compact", "--all", "--no-index", "--today", "2026-03-10"]).env("TZ", "UTC"),
        "the first run",
    );
    assert_eq!(shot.code, Some(0), "{}", shot.said);
    world.write("memory/2026-03-15.md", entry("the day itself"));
    world
}

/// The text of every regular file of a sane size below a folder; links are not followed.
fn texts(folder: &Path, each: &mut dyn FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, met) = (entry.path(), entry.metadata().expect("metadata"));
        if met.is_dir() {
            texts(&path, each);
        } else if met.is_file() && met.len() < 1 << 20 {
            each(&path, &fs::read(&path).expect("a file"));
        }
    }
}

/// The places and what to put there: all of them together in the long form; in the short form every place meets many
/// things, and every thing many places.
fn cases() -> Vec<(&'static str, Thing)> {
    let all = FILES
        .iter()
        .chain(&FOLDERS)
        .flat_map(|place| THINGS.map(|thing| (*place, thing)));
    // A folder is what should stand in a folder's place.
    let is_wrong = |(place, thing): &(&str, Thing)| {
        !FOLDERS.contains(place) || !matches!(thing, Thing::Folder | Thing::FullFolder)
    };
    all.filter(is_wrong)
        .enumerate()
        .filter(|(number, _)| is_long() || number % 7 == 0)
        .map(|(_, case)| case)
        .collect()
}

/// Whether what stands at this place may keep a whole workspace from being compacted.
fn stops_all(place: &str) -> bool {
    // The vault may hold what a node is made of: nothing is made until it can be read.
    let is_vault = place.starts_with(".hipocampus/vault/");
    FOLDERS.contains(&place) || is_vault || place == "hipocampus.config.json" || place.ends_with(".lock")
}

/// One thing at one place, and all commands over it.
fn meets(start: &World, place: &str, thing: Thing) {
    let world = World::copy_of(start);
    let outside = Outside::new(world.path());
    let what = format!("{thing:?} at {place}");
    if !put(thing, &world.at(place), &outside) {
        println!("skipped: {what}: this user may not make one");
        return;
    }
    let before = outside.seen();
    let mut codes = Vec::new();
    for arguments in [
        &["compact", "--all", "--no-index", "--today", "2026-03-22"][..],
        &["status", "--today", "2026-03-22"],
        &["compact", "--dry-run", "--today", "2026-03-22"],
        &["compact", "--all", "--no-index", "--today", "2026-05-01"],
        &["verify", "--today", "2026-05-01"],
        &["recall", "another day", "--today", "2026-05-01", "--dir"],
        &["restore", "2026-03-15"],
        &["init"],
    ] {
        let shot = shot(&mut program(&world, arguments), &format!("{what}: {arguments:?}"));
        shot.is_harmless(&format!("{what}: {arguments:?}"));
        assert!(
            matches!(shot.code, Some(0 | 1 | 78)) && !shot.said.contains("panicked"),
            "{what}: {arguments:?}: {shot:?}"
        );
        codes.push((arguments[0], shot));
    }
    assert_eq!(outside.seen(), before, "{what}: something outside was changed");
    if thing != Thing::HardLink {
        texts(world.path(), &mut |path, text| {
            let found = text.windows(SECRET.len()).any(|at| at == SECRET.as_bytes());
            assert!(!found, "{what}: {} holds what lies outside", path.display());
        });
    }
    // One file in the way of one node stops neither the other days nor ROOT.
    if !stops_all(place) && !place.starts_with("memory/daily/") && !place.starts_with("memory/weekly/") {
        let daily = world.text("memory/daily/2026-03-20.md");
        assert!(daily.contains("another day is kept"), "{what}: {codes:?}");
    }
    // Once it is gone, all is well.
    remove(&world.at(place));
    if place == "memory" {
        return;
    }
    for arguments in [
        &["compact", "--all", "--no-index", "--today", "2026-05-01"][..],
        &["verify", "--today", "2026-05-01"],
    ] {
        let shot = shot(&mut program(&world, arguments), &what);
        assert_eq!(shot.code, Some(0), "{what}, gone again: {arguments:?}: {}", shot.said);
    }
    let daily = world.text("memory/daily/2026-03-20.md");
    assert!(daily.contains("another day is kept"), "{what}, gone again");
}

/// Every place with every thing in it, each in a workspace of its own, all kept by one daemon.
#[test]
fn promise_12_one_daemon_over_a_hundred_hostile_workspaces_touches_nothing_outside_and_serves_the_others() {
    let user = User::new();
    let outside = Outside::new(&user.path("work"));
    let today = chrono::Utc::now().date_naive();
    let log = format!("memory/{today}.md");
    let mut spaces = Vec::new();
    for (number, (place, thing)) in cases().into_iter().enumerate() {
        let space = user.workspace(&format!("space-{number}"));
        write_private(
            &space.file("hipocampus.config.json"),
            r#"{"platform": "openclaw", "search": {"enabled": false}, "daemon": {"settleSeconds": 0}}"#,
        );
        fs::write(space.file("MEMORY.md"), "# Core\n\nMine.\n").expect("a file");
        fs::write(space.file("WORKING.md"), "# WORKING\n\n- next: step 2\n").expect("a file");
        fs::write(space.file("memory/2026-03-20.md"), entry("another day")).expect("a log");
        // What stands for the day of a log here is the day on which a snapshot is appended.
        let place = if place == "memory/2026-03-15.md" { log.as_str() } else { place };
        if put(thing, &space.file(place), &outside) {
            spaces.push((space, place.to_owned(), thing));
        }
    }
    let before = outside.seen();
    let good = user.workspace("good");
    good.append("bridge", 1);
    let mut all: Vec<&Space> = spaces.iter().map(|(space, ..)| space).collect();
    all.push(&good);
    let daemon = user.daemon(&all).ready();
    good.until_daily_says("bridge 1 is done");
    for (space, place, thing) in &spaces {
        if !stops_all(place) && place != "memory/daily" {
            until(&format!("{thing:?} at {place} stops no other day"), || {
                space.text("memory/daily/2026-03-20.md").contains("another day is kept")
            });
        }
    }
    good.append("tunnel", 6);
    good.until_daily_says("tunnel 6 is done");
    let log = daemon.end();
    let shot = Shot { code: Some(0), said: log };
    shot.is_harmless("the daemon's log");
    assert!(!shot.said.contains("a fault in hipocampusd"), "{}", shot.said);
    assert_eq!(outside.seen(), before, "something outside was changed");
    for (space, place, thing) in spaces.iter().filter(|(_, _, thing)| *thing != Thing::HardLink) {
        texts(&space.path, &mut |path, text| {
            let found = text.windows(SECRET.len()).any(|at| at == SECRET.as_bytes());
            assert!(!found, "{thing:?} at {place}: {} holds what lies outside", path.display());
        });
    }
}

#[test]
fn promise_12_nothing_outside_the_workspace_is_read_or_written_whatever_stands_in_a_files_place() {
    let start = workspace();
    let cases = cases();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((place, thing)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let met = catch_unwind(AssertUnwindSafe(|| meets(&start, place, *thing)));
            if met.is_err() {
                failures.lock().expect("a list").push(format!("{thing:?} at {place}"));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let failures = failures.into_inner().expect("a list");
    assert!(failures.is_empty(), "{failures:#?}");
}
