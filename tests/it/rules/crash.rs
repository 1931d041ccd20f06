//! Killed at any system call that changes a file, the next run ends in the same bytes (rule 11).
#![expect(clippy::disallowed_methods, reason = "starts the real program, under strace")]

use std::process::{Command, Stdio};

use hipocampusd::daemon::vault::Vault;
use hipocampusd::daemon::workspace::Workspace;

use crate::history::piece::Piece;
use crate::promises::is_long;
use crate::world::{Files, World, assert_same, hermetic, program};

/// The calls by which a run changes anything, and the opens between them.
const CALLS: [&str; 9] = [
    "openat",
    "write",
    "fsync",
    "syncfs",
    "renameat",
    "renameat2",
    "unlinkat",
    "mkdirat",
    "ftruncate",
];
/// No run of the small workspaces here makes more calls of one kind.
const CALLS_MAX: usize = 400;

/// Runs the program under strace, killed at the n-th call of a kind. Says whether it was.
fn killed_at(world: &World, call: &str, n: usize, arguments: &[&str]) -> bool {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-o", "/dev/null", "-e"])
        .arg(format!("trace={call}"));
    command.arg("-e").arg(format!("inject={call}:signal=SIGKILL:when={n}"));
    command.arg(env!("CARGO_BIN_EXE_hipocampusd")).args(arguments).arg(world.path());
    hermetic(&mut command, world);
    // strace dies of the signal that its child died of.
    !command.status().expect("strace runs").success()
}

pub(crate) fn strace_works() -> bool {
    let tried = Command::new("strace")
        .args([
            "-o",
            "/dev/null",
            "-e",
            "inject=fsync:signal=SIGKILL:when=1",
            "true",
        ])
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

/// Everything that must be the same however the run went: all but what is only remembered.
pub(crate) fn lasting(world: &World) -> Files {
    let passing = [
        "memory/.compaction-state.json",
        ".hipocampus/cache",
        ".hipocampus/contributions",
        ".hipocampus/idle",
        ".hipocampus/history",
        ".hipocampus/mornings",
        ".hipocampus/status.json",
    ];
    let mut files = world.files();
    // In which of its files the vault holds what depends on the way; what it holds does not.
    let in_vault = |name: &str| name.starts_with(".hipocampus/vault/");
    if files.keys().any(|name| in_vault(name)) {
        let workspace = Workspace::open(world.path(), false).expect("the workspace opens");
        let vault = Vault::open(&workspace, &mut Vec::new());
        let vault = vault.expect("the vault is read");
        assert_eq!(vault.damaged(&workspace), [""; 0]);
        for (path, kept) in vault.logs() {
            // An index that was lost is made again from texts alone: the log is its owner's only, then.
            let held = (&kept.last, kept.text, &kept.standing, &kept.earlier);
            files.insert(format!("what the vault has of {path}"), format!("{held:?}").into_bytes());
        }
    }
    files
        .retain(|name, _| !passing.contains(&name.as_str()) && !name.starts_with("home/") && !in_vault(name));
    // What was generated before the last time is remembered, too, and differs between one run and two.
    if let Some(note) = files.get_mut(".hipocampus/root.json") {
        let text = String::from_utf8_lossy(note).into_owned();
        *note = text.split("\"before\"").next().unwrap_or_default().as_bytes().to_vec();
    }
    files
}

pub(crate) fn small_workspace() -> World {
    let world = World::new();
    let piece = |shape, topic, salt| Piece { shape, topic, salt }.text() + "\n\n";
    world.write("memory/2026-03-08.md", piece(0, 0, 1) + &piece(3, 1, 2));
    world.write(
        "memory/2026-03-15.md",
        "# 2026-03-15\n\n".to_owned() + &piece(4, 2, 3) + &piece(19, 3, 180),
    );
    world.write("memory/2026-03-15-standup.md", piece(7, 4, 5));
    world.write("MEMORY.md", "# Core\n\nMine.\n");
    world.write("WORKING.md", "# WORKING\n\n## Move the queue\n- next: step 2\n");
    world.write(
        "hipocampus.config.json",
        r#"{"platform": "openclaw", "search": {"enabled": false}}"#,
    );
    world
}

/// The same after a first run, with a log that came late, one that grew, a new day, and a line that somebody wrote into ROOT.
pub(crate) fn grown_workspace(first: &[&str]) -> World {
    let world = small_workspace();
    run(&world, first);
    world.append("memory/2026-03-08.md", "\n## Came late [user]\n- likes tea\n");
    world.append("memory/2026-03-15.md", "\n## One more\n- decisions: go on\n");
    world.write("memory/2026-03-20.md", "## Another day\n- outcome: done\n");
    world.append("memory/ROOT.md", "- by hand [project, 1d]: stays\n");
    world
}

pub(crate) fn run(world: &World, arguments: &[&str]) {
    let status = program(world, arguments).status().expect("the program runs");
    assert!(status.success(), "{arguments:?} ended with {status}");
}

/// Rule 11.
#[test]
fn promise_02_a_crash_at_any_write_converges() {
    if !strace_works() {
        println!("skipped: strace cannot inject signals here");
        return;
    }
    // From nothing; and from a finished tree into which a log came late, another grew and a day turned.
    let first = ["compact", "--all", "--no-index", "--today", "2026-03-15"];
    let second = ["compact", "--all", "--no-index", "--today", "2026-03-24"];
    let fresh = small_workspace();
    every_crash(&fresh, &first);
    every_crash(&grown_workspace(&first), &second);
}

/// Kills a run from this start at every call of every kind, runs again, and compares with a run that nobody killed.
fn every_crash(start: &World, arguments: &[&str]) {
    let undisturbed = World::copy_of(start);
    run(&undisturbed, arguments);
    let expected = lasting(&undisturbed);
    let before = start.tree();
    let mut crashes = 0;
    for call in CALLS {
        // A kill at an open leaves the same files as a kill right after the last change before it, so the short form tries every fifth.
        let step = if call == "openat" && !is_long() { 5 } else { 1 };
        for n in (1..).step_by(step) {
            assert!(
                n < CALLS_MAX,
                "{CALLS_MAX} calls of {call} are more than a small workspace needs"
            );
            let world = World::copy_of(start);
            if !killed_at(&world, call, n, arguments) {
                break;
            }
            crashes += 1;
            let what = format!("killed at {call} number {n}");
            for (name, bytes) in world.tree().iter().filter(|(name, _)| !name.contains(".hipocampusd-")) {
                let whole = before.get(name) == Some(bytes) || expected.get(name) == Some(bytes);
                assert!(whole, "{what}: {name} is neither the old nor the new one");
            }
            run(&world, arguments);
            assert_same(&expected, &lasting(&world), &what);
            if n % 5 == 1 {
                let verified = program(&world, &["verify", "--today", arguments[4]])
                    .stdout(Stdio::piped())
                    .output()
                    .expect("verify runs");
                assert!(
                    verified.status.success() && verified.stdout.is_empty(),
                    "{what}: {}",
                    String::from_utf8_lossy(&verified.stdout)
                );
            }
        }
    }
    println!("killed at {crashes} calls");
    assert!(crashes > 30, "only {crashes} crashes were tried");
}

/// Rule 1, seen from the system: a raw log is opened for reading, but for the one append of the snapshot.
#[test]
fn promise_01_a_raw_log_is_never_opened_for_writing_but_for_the_one_append() {
    if !strace_works() {
        println!("skipped: strace cannot inject signals here");
        return;
    }
    let world = small_workspace();
    let calls = world.at("calls");
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-qq", "-e", "trace=%file,ftruncate", "-o"])
        .arg(&calls);
    command
        .arg(env!("CARGO_BIN_EXE_hipocampusd"))
        .args(["compact", "--all", "--no-index", "--today", "2026-03-15"])
        .arg(world.path());
    hermetic(&mut command, &world);
    assert!(command.status().expect("strace runs").success());
    let calls = world.text("calls");
    let on_logs: Vec<&str> = calls.lines().filter(|call| call.contains("/memory>, \"2026-03-")).collect();
    let reads =
        |call: &&&str| call.contains("O_RDONLY") || call.contains("newfstatat(") || call.contains("statx(");
    let others: Vec<&&str> = on_logs.iter().filter(|call| !reads(call)).collect();
    assert!(on_logs.len() >= 3, "the logs were not seen to be read:\n{calls}");
    let append = others.first().filter(|call| {
        call.contains("\"2026-03-15.md\"") && call.contains("O_APPEND") && !call.contains("O_TRUNC")
    });
    assert!(others.len() == 1 && append.is_some(), "a raw log was touched: {others:#?}");
}
