//! Promises 5 and 8: wherever a command that changes several files is killed, and whichever of its calls fails, what people and agents
//! had written is in some file where a person would look, and so is what the command has taken from where it stood.
#![expect(clippy::disallowed_methods, reason = "starts the real program, under strace")]

use std::fs::{self, File};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::NamedTempFile;

use super::is_long;
use super::shot::{Shot, shot, shot_with};
use crate::rules::crash::{run, strace_works};
use crate::world::{World, hermetic, program};

/// The calls by which a command changes anything, and the opens between them.
const CALLS: [&str; 7] = [
    "openat",
    "write",
    "fsync",
    "renameat",
    "renameat2",
    "unlinkat",
    "mkdirat",
];
/// Killed, out of room, not allowed.
const FAULTS: [&str; 3] = ["signal=SIGKILL", "error=ENOSPC", "error=EACCES"];
/// No command here makes more calls of one kind.
const CALLS_MAX: usize = 400;
const TODAY: &str = "2026-03-20";
const COMPACT: [&str; 5] = ["compact", "--all", "--no-index", "--today", TODAY];

/// A command, and what it is called on.
struct Case {
    /// The folder is named behind them.
    arguments: &'static [&'static str],
    /// What it reads from standard input.
    input: &'static str,
    /// Adds to what every workspace here has.
    prepare: fn(&World),
    /// Looks at the workspace afterwards, and once more when a cycle was run.
    check: fn(&World) -> Result<(), String>,
}

/// What stands in no file of `.hipocampus/`, nor in a temporary one.
fn stands(world: &World, text: &str) -> bool {
    let is_seen = |name: &str| {
        !name.starts_with("home/") && !name.starts_with(".hipocampus/") && !name.contains(".hipocampusd-")
    };
    world
        .files()
        .iter()
        .any(|(name, bytes)| is_seen(name) && String::from_utf8_lossy(bytes).contains(text))
}

fn all_stand(world: &World, texts: &[&str]) -> Result<(), String> {
    match texts.iter().find(|text| !stands(world, text)) {
        Some(text) => Err(format!("{text:?} is in no file")),
        None => Ok(()),
    }
}

const WORKING: &str = "# WORKING\n\n## Shelf\n- status: in-progress\n- started: 2026-03-20 09:00\n- goal: books off the floor\n\n## Boiler\n- status: in-progress\n- goal: warm water\n";
const LOG: &str = "## Boiler [project]\n- outcome: the valve leaks\n";
const HEARTBEAT: &str =
    "# Heartbeat\n\n## 1. Hipocampus Compaction Maintenance\n\n1. Search, then look out of the window\n";
const AGENTS: &str =
    "# Mine\n\n<!-- hipocampus:protocol:start -->\nby hand, as we agreed\n<!-- hipocampus:protocol:end -->\n";
const LOST: &str = "## Attic [project]\n- outcome: the trunk is empty\n- decisions: keep the trunk\n- references: knowledge/trunk.md\n";

fn workspace() -> World {
    let world = World::new();
    world.write("WORKING.md", WORKING);
    world.write(
        "SCRATCHPAD.md",
        "# SCRATCHPAD\n\n## Current Focus\nthe boiler\n\n- [ ] call the plumber\n",
    );
    world.write("memory/2026-03-20.md", LOG);
    world.write("memory/2026-03-18.md", "## Alice Smith [user]\n- outcome: has a cat\n");
    world.write(
        "hipocampus.config.json",
        r#"{"platform": "openclaw", "search": {"enabled": false}}"#,
    );
    world
}

/// The task is still open, or the log says what came of it.
fn task_is_told(world: &World) -> Result<(), String> {
    all_stand(world, &["books off the floor", "the valve leaks", "call the plumber"])?;
    let is_open = world.text("WORKING.md").contains("## Shelf\n- status: in-progress");
    if is_open || world.text("memory/2026-03-20.md").contains("it holds") {
        return Ok(());
    }
    Err("the task is over, and nobody knows how".to_owned())
}

fn with_much_learned(world: &World) {
    let learned: String = (0..60).map(|number| format!("- learned number {number}.\n")).collect();
    world.write("MEMORY.md", format!("# Core\n\nMine.\n\n# Adaptive\n\n{learned}"));
}

fn with_a_loss(world: &World) {
    world.write("memory/2026-03-19.md", LOST);
    run(world, &COMPACT);
    world.write("memory/2026-03-19.md", "## New [project]\n- outcome: begun anew\n");
    run(world, &COMPACT);
}

/// It is in the log again, or can still be put there.
fn loss_is_told(world: &World) -> Result<(), String> {
    all_stand(world, &["begun anew", "the valve leaks", "books off the floor"])?;
    let restore = ["restore", "2026-03-19", "--apply", "--today", TODAY];
    let again = shot(&mut program(world, &restore), "restore");
    if world.text("memory/2026-03-19.md").contains("the trunk is empty") {
        return Ok(());
    }
    Err(format!("the attic is lost: {again:?}"))
}

/// Once it was run to its end and taken back, every byte is as it was.
fn is_taken_back(world: &World) -> Result<(), String> {
    let copy = World::copy_of(world);
    run(&copy, &["init"]);
    run(&copy, &["init", "--remove"]);
    let found = (copy.text("HEARTBEAT.md"), copy.text("AGENTS.md"));
    if found == (HEARTBEAT.to_owned(), AGENTS.to_owned()) {
        return Ok(());
    }
    Err(format!("{found:?}"))
}

const CASES: [Case; 13] = [
    Case {
        arguments: &[
            "task",
            "done",
            "Shelf",
            "--outcome",
            "it holds",
            "--today",
            TODAY,
            "--dir",
        ],
        input: "",
        prepare: |_| {},
        check: |world| {
            task_is_told(world)?;
            let copy = World::copy_of(world);
            run(&copy, &["tidy"]);
            task_is_told(&copy)
        },
    },
    Case {
        arguments: &[
            "task", "start", "Roof", "--goal", "dry", "--today", TODAY, "--dir",
        ],
        input: "",
        prepare: |_| {},
        check: |world| all_stand(world, &["books off the floor", "warm water", "call the plumber"]),
    },
    Case {
        arguments: &[
            "checkpoint",
            "Roof",
            "--outcome",
            "dry",
            "--today",
            TODAY,
            "--dir",
        ],
        input: "",
        prepare: |_| {},
        check: |world| all_stand(world, &["the valve leaks", "books off the floor"]),
    },
    Case {
        arguments: &["capture", "--stdin", "--today", TODAY],
        input: "{\"type\":\"user\",\"timestamp\":\"2026-03-20T09:00:00Z\",\"message\":{\"role\":\"user\",\"content\":\"I live in Seoul\"}}\n",
        prepare: |_| {},
        check: |world| all_stand(world, &["the valve leaks", "books off the floor"]),
    },
    Case {
        arguments: &["tidy", "--today", TODAY],
        input: "",
        prepare: with_much_learned,
        check: |world| {
            let learned: Vec<String> = (0..60).map(|number| format!("- learned number {number}.")).collect();
            let learned: Vec<&str> = learned.iter().map(String::as_str).collect();
            all_stand(world, &learned)?;
            all_stand(world, &["Mine.", "warm water", "call the plumber"])
        },
    },
    Case {
        arguments: &["restore", "2026-03-19", "--apply", "--today", TODAY],
        input: "",
        prepare: with_a_loss,
        check: loss_is_told,
    },
    Case {
        arguments: &["forget", "Alice Smith", "--today", TODAY],
        input: "",
        prepare: |world| {
            with_much_learned(world);
            run(world, &COMPACT);
            world.append("MEMORY.md", "\n## Others\n- Alice Smith and the blue door\n");
            world.append("memory/ROOT.md", "- by hand [project, 1d]: stays\n");
        },
        check: |world| {
            all_stand(
                world,
                &[
                    "Mine.",
                    "the blue door",
                    "by hand",
                    "the valve leaks",
                    "has a cat",
                ],
            )
        },
    },
    Case {
        arguments: &["init"],
        input: "",
        prepare: |world| {
            world.write("HEARTBEAT.md", HEARTBEAT);
            world.write("AGENTS.md", AGENTS);
        },
        check: |world| {
            all_stand(world, &["books off the floor", "the valve leaks"])?;
            is_taken_back(world)
        },
    },
    Case {
        arguments: &["init", "--remove"],
        input: "",
        prepare: |world| {
            world.write("HEARTBEAT.md", HEARTBEAT);
            world.write("AGENTS.md", AGENTS);
            run(world, &["init"]);
            run(world, &COMPACT);
        },
        check: |world| {
            all_stand(world, &["books off the floor", "the valve leaks", "has a cat"])?;
            is_taken_back(world)
        },
    },
    Case {
        arguments: &["init", "--tree", "notes/tree"],
        input: "",
        prepare: |world| {
            run(world, &["init"]);
            run(world, &COMPACT);
            world.append("memory/ROOT.md", "- by hand [project, 1d]: stays\n");
            world.write("memory/daily/notes.md", "somebody's own\n");
        },
        check: |world| {
            all_stand(world, &["by hand", "somebody's own", "the valve leaks", "has a cat"])?;
            let copy = World::copy_of(world);
            run(&copy, &["init", "--tree", "notes/tree"]);
            let root = copy.text("notes/tree/ROOT.md");
            match root.contains("by hand") && !copy.at("memory/ROOT.md").exists() {
                true => Ok(()),
                false => Err(format!("the tree is not whole where it was moved to: {root}")),
            }
        },
    },
    Case {
        arguments: &["capture", "--all", "talks", "--today", TODAY],
        input: "",
        prepare: |world| {
            let line = |date: &str, said: &str| {
                format!(
                    "{{\"type\":\"user\",\"uuid\":\"{said}\",\"timestamp\":\"{date}T09:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"{said}\"}}}}\n"
                )
            };
            world.write("talks/a.jsonl", line("2026-03-18", "I live in Seoul"));
            let door = line("2026-03-19", "paint the door") + &line("2026-03-19", "the paint is blue");
            world.write("talks/b/c.jsonl", door);
        },
        check: talks_are_told_once,
    },
    Case {
        arguments: &["session", "start", "--today", TODAY],
        input: "",
        prepare: |_| {},
        check: |world| {
            let copy = World::copy_of(world);
            run(&copy, &["session", "start", "--today", TODAY]);
            all_stand(
                &copy,
                &[
                    "the valve leaks",
                    "books off the floor",
                    "call the plumber",
                    "has a cat",
                ],
            )
        },
    },
    Case {
        arguments: &["service", "install"],
        input: "",
        prepare: |world| {
            world.write(
                "home/hipocampusd/config.json",
                "{\n  // mine\n  \"timezone\": \"UTC\",\n  \"workspaces\": []\n}\n",
            );
        },
        check: |world| {
            let mine = world.text("home/hipocampusd/config.json");
            let ended = shot(&mut program(world, &["status"]), "status");
            match mine.contains("// mine\n  \"timezone\": \"UTC\"") && ended.code == Some(0) {
                true => Ok(()),
                false => Err(format!("{mine}: {ended:?}")),
            }
        },
    },
];

/// A second capture ends with each message told once.
fn talks_are_told_once(world: &World) -> Result<(), String> {
    all_stand(world, &["the valve leaks", "books off the floor"])?;
    let copy = World::copy_of(world);
    let capture = ["capture", "--all", "talks", "--today", TODAY];
    let ended = shot(program(&copy, &capture).current_dir(copy.path()), "capture --all again");
    let told: String = ["2026-03-18", "2026-03-19"]
        .map(|date| copy.text(&format!("memory/{date}.md")))
        .concat();
    let once = ["I live in Seoul", "paint the door", "the paint is blue"]
        .iter()
        .all(|said| told.matches(said).count() == 1);
    if once && ended.code == Some(0) {
        return Ok(());
    }
    Err(format!("{told:?} after {ended:?}"))
}

/// Runs a command with the n-th call of a kind going wrong. None: there was no such call.
fn disturbed(world: &World, case: &Case, call: &str, n: usize, fault: &str) -> Option<Shot> {
    let trace = NamedTempFile::new().expect("a temporary file");
    let input = NamedTempFile::new().expect("a temporary file");
    fs::write(input.path(), case.input).expect("the input is written");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(trace.path());
    command.args(["-e", &format!("trace={call}")]);
    command.args(["-e", &format!("inject={call}:{fault}:when={n}")]);
    command
        .arg(env!("CARGO_BIN_EXE_hipocampusd"))
        .args(case.arguments)
        .arg(world.path())
        .current_dir(world.path());
    hermetic(&mut command, world);
    let input = File::open(input.path()).expect("the input");
    let ended = shot_with(&mut command, input, &format!("{fault} at {call} number {n}"));
    let traced = fs::read_to_string(trace.path()).unwrap_or_default();
    (traced.contains("(INJECTED)") || traced.contains("killed by SIGKILL")).then_some(ended)
}

#[test]
fn promise_05_and_08_what_was_written_is_found_wherever_a_command_is_killed_or_fails() {
    if !strace_works() {
        println!("skipped: strace cannot inject anything here");
        return;
    }
    let starts: Vec<(&Case, World)> = CASES
        .iter()
        .map(|case| {
            let start = workspace();
            (case.prepare)(&start);
            (case, start)
        })
        .collect();
    let cases: Vec<_> = starts.iter().flat_map(|start| CALLS.map(|call| (start, call))).collect();
    let (next, count) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let faults = Mutex::new(Vec::new());
    let work = || {
        while let Some(((case, start), call)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            // The short form meets every fourth write with one of the faults, and an open here and there.
            let step = match *call {
                _ if is_long() => 1,
                "openat" => 29,
                _ => 4,
            };
            for n in (1..CALLS_MAX).step_by(step) {
                let met = if is_long() { &FAULTS[..] } else { &FAULTS[n % 3..=n % 3] };
                let went = |fault: &&&str| {
                    let world = World::copy_of(start);
                    let Some(ended) = disturbed(&world, case, call, n, fault) else {
                        return false;
                    };
                    let at_once = (case.check)(&world);
                    run(&world, &COMPACT);
                    if let Err(what) = at_once.and_then(|()| (case.check)(&world)) {
                        let arguments = case.arguments;
                        let fault =
                            format!("{arguments:?}, {fault} at {call} number {n}: {what} ({ended:?})");
                        faults.lock().expect("a list").push(fault);
                    }
                    true
                };
                match met.iter().filter(went).count() {
                    0 => break,
                    went => count.fetch_add(went, Ordering::Relaxed),
                };
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let faults = faults.into_inner().expect("a list");
    assert!(faults.is_empty(), "{faults:#?}");
    let count = count.into_inner();
    println!("{count} calls went wrong");
    assert!(count > 100, "only {count} calls went wrong");
}
