//! Others write at the same moment: a log's writer, an agent in MEMORY.md and the state file, a second process, an older tool's
//! hook. What they wrote survives, and nothing of a log is lost.
#![expect(clippy::disallowed_methods, reason = "writes files as agents do")]

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hipocampusd::daemon::ledger::Ledger;
use hipocampusd::daemon::workspace::FileError;
use hipocampusd::memory::level::Period;
use hipocampusd::memory::plan::Extent;

use super::is_long;
use crate::run::support::User;
use crate::vault::{name, verified};
use crate::world::{World, day, moment};

const NOW: &str = "2026-03-15 12:00";

fn rounds(short: usize) -> usize {
    if is_long() { short * 40 } else { short }
}

/// How many acts of a writer go with a cycle.
const ACTS_A_CYCLE: usize = 6;

/// Runs `act` again and again on a thread of its own, numbered, while cycles run beside it; and once more when all is done.
fn while_cycles_run(
    world: &World,
    acts: usize,
    mut act: impl FnMut(usize) + Send,
    mut between: impl FnMut(usize),
) {
    let (ended, cycles) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _ended = Raise(&ended);
            for number in 0..acts {
                // Neither runs away from the other.
                while cycles.load(Ordering::Acquire) < number / ACTS_A_CYCLE {
                    std::thread::yield_now();
                }
                act(number);
            }
        });
        while !ended.load(Ordering::Acquire) {
            let cycle = cycles.load(Ordering::Acquire);
            between(cycle);
            world.run(moment(NOW), if cycle % 2 == 0 { Extent::All } else { Extent::Cycle });
            cycles.fetch_add(1, Ordering::Release);
        }
    });
    world.drain(moment(NOW));
}

/// Raises a flag when it goes, in a panic too.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Replaces a file as a careful writer does: whole, by a rename.
fn rename_over(world: &World, name: &str, text: &str) {
    let beside = world.at(&format!("{name}.agent"));
    fs::write(&beside, text).expect("a file beside it");
    fs::rename(beside, world.at(name)).expect("the rename");
}

#[test]
fn promise_01_and_03_a_writer_that_appends_truncates_and_renames_while_cycles_run_loses_nothing() {
    let world = World::new();
    let names = [
        "memory/2026-03-10.md",
        "memory/2026-03-14.md",
        "memory/2026-03-15.md",
    ];
    let writes = rounds(150);
    let mut written = vec![String::new(); names.len()];
    let act = |round: usize| {
        let (at, how) = (round % names.len(), round % 4);
        let named = name("Entry", round);
        let entry = format!("## {named}\n- outcome: number {round} of {named} is kept\n\n");
        written[at].push_str(&entry);
        let (name, text) = (names[at], &written[at]);
        match how {
            0 | 1 => world.append(name, &entry),
            2 => rename_over(&world, name, text),
            _ => {
                let mut file = fs::File::create(world.at(name)).expect("the log is emptied");
                let middle = text.len() / 2;
                for part in [&text[..middle], &text[middle..]] {
                    file.write_all(part.as_bytes()).expect("the log is written");
                    std::thread::yield_now();
                }
            }
        }
    };
    while_cycles_run(&world, writes, act, |_| {});
    for (name, text) in names.iter().zip(&written) {
        assert_eq!(&world.text(name), text, "{name} is not what its writer wrote");
    }
    assert_eq!(verified(&world, "2026-03-15"), "");
    let nodes = world.nodes();
    let topics = nodes.values().flat_map(|node| &node.front.topics);
    let topics: std::collections::BTreeSet<&str> = topics.map(|topic| topic.name.as_str()).collect();
    for round in 0..writes {
        let name = name("Entry", round);
        assert!(topics.contains(name.as_str()), "{name}, entry {round}, is in no node");
    }
}

#[test]
fn promise_05_what_an_agent_writes_into_memory_md_and_the_state_while_cycles_run_survives() {
    let world = World::new();
    world.write("MEMORY.md", "# Core\n\n## Mine\n");
    world.write("memory/2026-03-15.md", "## First\n- outcome: fine\n");
    world.write("memory/.compaction-state.json", "{}");
    let (mut ledger, workspace) = (Ledger::default(), world.open());
    let lines = rounds(120);
    let act = |number: usize| {
        // Its own section, and a key of its own: read, changed, put back whole.
        let memory = world.text("MEMORY.md");
        let memory = memory.replacen("## Mine\n", &format!("## Mine\n- line {number} of mine\n"), 1);
        rename_over(&world, "MEMORY.md", &memory);
        let state: serde_json::Value =
            serde_json::from_str(&world.text("memory/.compaction-state.json")).expect("the state is whole");
        let mut state = state.as_object().cloned().expect("an object");
        state.insert("agent".to_owned(), number.into());
        let state = serde_json::Value::Object(state).to_string();
        rename_over(&world, "memory/.compaction-state.json", &state);
    };
    while_cycles_run(&world, lines, act, |cycle| {
        let named = name("Cycle", cycle);
        world.append(
            "memory/2026-03-15.md",
            format!("\n## {named}\n- outcome: {cycle} of {named} done\n"),
        );
        // A state that never stands still is left for the next time.
        let contended = |error: &FileError| matches!(error, FileError::Raced(_));
        let written = ledger.refresh(&workspace);
        let written = written.and_then(|()| ledger.start_cycle(&workspace, chrono::Utc::now()));
        assert!(written.is_ok() || written.as_ref().is_err_and(contended), "{written:?}");
    });
    let memory = world.text("MEMORY.md");
    for number in 0..lines {
        assert!(
            memory.contains(&format!("- line {number} of mine\n")),
            "line {number} is lost:\n{memory}"
        );
    }
    assert_eq!(memory.matches("## Compaction Root").count(), 1, "{memory}");
    let state = world.text("memory/.compaction-state.json");
    let state: serde_json::Value = serde_json::from_str(&state).expect("the state is whole");
    assert_eq!(state["agent"], lines - 1, "{state}");
    assert_eq!(verified(&world, "2026-03-15"), "");
}

#[test]
fn promise_05_nodes_that_an_older_tools_hook_writes_while_cycles_run_are_left_alone() {
    let world = World::new();
    let (daily, writes) = (Period::Day(day("2026-03-15")).path(), rounds(60));
    world.write("memory/2026-03-14.md", "## Before\n- outcome: fine\n");
    world.write("memory/2026-03-15.md", "## Bridge\n- outcome: the bridge stands\n");
    let text = |number: usize| {
        format!(
            "---\ntype: daily\nstatus: tentative\nperiod: 2026-03-15\ntopics: [bridge [project]]\n---\n\n## Topics\n- bridge: hook {number}\n"
        )
    };
    let act = |number: usize| {
        if number % 5 == 4 {
            // As if it were its first time here.
            world.remove(&daily);
            std::thread::yield_now();
        }
        fs::create_dir_all(world.at("memory/daily")).expect("a folder");
        rename_over(&world, &daily, &text(number));
    };
    while_cycles_run(&world, writes, act, |_| {});
    assert_eq!(world.text(&daily), text(writes - 1), "the hook's node is gone");
    assert!(world.text("memory/weekly/2026-W11.md").contains("bridge"));
    assert_eq!(verified(&world, "2026-03-15"), "");
}

#[test]
fn promise_06_compact_and_restore_beside_a_daemon_and_a_second_daemon_take_turns() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 3);
    let daemon = user.daemon(&[&space]).ready();
    let folder = space.path.display().to_string();
    let mut refused = 0;
    for round in 0..rounds(6) {
        space.append(&format!("round{round}"), 7);
        let mut children: Vec<_> = [
            vec!["compact", "--all", "--no-index", &folder],
            vec!["compact", "--no-index", &folder],
            vec!["restore", "2026-03-01", "--apply", &folder],
        ]
        .into_iter()
        .map(|arguments| {
            let mut command = user.command(&arguments);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("the program starts")
        })
        .collect();
        let (code, _, error) = user.output(&["run", &folder]);
        refused += usize::from(code == Some(1) && error.contains("already has a hipocampusd"));
        for child in &mut children {
            let status = child.wait().expect("the child ends");
            assert!(status.success(), "round {round}: {status}");
        }
    }
    assert_eq!(refused, rounds(6), "a second daemon was let in");
    // Where there are too many for a line each, their common name is told, without the numbers.
    space.until_daily_says(&format!("round{}", rounds(6) - 1));
    daemon.end();
    let (code, said, error) = user.output(&["compact", "--all", "--no-index", &folder]);
    assert_eq!(code, Some(0), "{said}{error}");
    let (code, said, error) = user.output(&["verify", &folder]);
    assert_eq!((code, said.as_str()), (Some(0), ""), "{error}");
}
