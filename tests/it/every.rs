//! What holds for every command: its help shows an example of it, its exit codes are those of SPEC section 13, it answers a
//! program as JSON where its output is data, and it needs no daemon. The commands are asked of the program itself, so that a
//! new one cannot be left out.

use std::process::Stdio;

use clap::CommandFactory as _;
use hipocampusd::cli::Cli;

use crate::place::{Place, Ran, ran};

/// A call of each command that works on the workspace of [`lived`]: the command, then its arguments.
const CALLS: [(&str, &[&str]); 29] = [
    ("capture", &["--stdin", "--json"]),
    ("checkpoint", &["Lamp", "--outcome", "bright", "--json"]),
    ("compact", &["--all", "--no-index", "--json"]),
    ("doctor", &["--json"]),
    ("forget", &["zeppelin", "--json"]),
    ("generate completions", &["bash"]),
    ("generate man", &["."]),
    ("generate schema", &[]),
    ("init", &["--json"]),
    ("mcp", &[]),
    ("recall", &["anchors", "--json"]),
    ("report", &["--json"]),
    ("restore", &["2026-03-14", "--json"]),
    ("run", &[]),
    ("service install", &["--print"]),
    ("service status", &["--json"]),
    ("service uninstall", &[]),
    ("session start", &["--json"]),
    ("show", &["2026-W11", "--json"]),
    ("status", &["--json"]),
    ("task abandoned", &["Shelf", "--outcome", "no room", "--json"]),
    ("task done", &["Shelf", "--outcome", "it holds", "--json"]),
    ("task failed", &["Shelf", "--outcome", "it fell", "--json"]),
    ("task start", &["Chair", "--json"]),
    ("tidy", &["--json"]),
    ("topics", &["--json"]),
    ("tree", &["--json"]),
    ("verify", &["--json"]),
    // A worker takes its order from the daemon; it is for nobody else.
    ("worker", &["cycle", "."]),
];

/// Commands that are about no workspace, or make one.
const ABOUT_NO_WORKSPACE: [&str; 7] = [
    "generate completions",
    "generate man",
    "generate schema",
    "init",
    "service install",
    "service status",
    "service uninstall",
];

/// Every command that does something, by its words, hidden ones too.
fn commands() -> Vec<String> {
    fn walk(command: &clap::Command, before: &str, all: &mut Vec<String>) {
        for inner in command.get_subcommands() {
            let name = format!("{before}{}", inner.get_name());
            if inner.has_subcommands() {
                walk(inner, &format!("{name} "), all);
            } else {
                all.push(name);
            }
        }
    }
    let mut all = Vec::new();
    walk(&Cli::command(), "", &mut all);
    all.sort();
    all
}

/// Runs a command in the folder, as somebody would who stands there, with nothing on standard input.
fn told(place: &Place, command: &str, arguments: &[&str]) -> Ran {
    ran(place
        .program()
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .args(command.split(' '))
        .args(arguments))
}

/// A workspace with a task in progress, no daemon on it.
fn lived() -> Place {
    let place = Place::new();
    place.write(
        "memory/2026-03-14.md",
        "## Shelf [project]\n- outcome: it holds with wall anchors\n",
    );
    place.drain("2026-03-20");
    assert_eq!(told(&place, "task start", &["Shelf"]).code, Some(0));
    place
}

fn is_for_people(command: &str) -> bool {
    command != "worker"
}

#[test]
fn every_command_is_called_here() {
    let called: Vec<&str> = CALLS.iter().map(|(command, _)| *command).collect();
    assert_eq!(commands(), called);
}

#[test]
fn every_help_shows_an_example_of_the_very_command() {
    let place = Place::new();
    for (command, _) in CALLS.into_iter().filter(|(command, _)| is_for_people(command)) {
        let groups = command.split_once(' ').map(|(group, _)| group);
        for command in groups.into_iter().chain([command]) {
            let help = told(&place, command, &["--help"]);
            assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""), "{command}");
            let example = format!("  hipocampusd {command}");
            let shown = help.stdout.split_once("Example").map(|(_, shown)| shown);
            let has_one = shown.is_some_and(|shown| shown.lines().any(|line| line.contains(example.trim())));
            assert!(has_one, "{command}: {}", help.stdout);
        }
    }
}

#[test]
fn every_command_does_its_work_where_no_daemon_runs_and_answers_a_program_as_json() {
    for (command, arguments) in CALLS {
        // The daemon is its own proof, and a worker's order comes from it.
        if matches!(command, "run" | "worker") {
            continue;
        }
        let place = lived();
        let done = told(&place, command, arguments);
        // None is installed here: that is what it says.
        let code = i32::from(command == "service status");
        assert_eq!(done.code, Some(code), "{command}: {done:?}");
        if arguments.contains(&"--json") {
            let json: Result<serde_json::Value, _> = serde_json::from_str(&done.stdout);
            assert!(
                json.is_ok_and(|json| json.is_object() || json.is_array()),
                "{command}: {done:?}"
            );
        }
    }
}

#[test]
fn every_command_says_wrong_use_with_2_no_workspace_with_1_and_a_configuration_that_cannot_be_used_with_78() {
    let (none, bad) = (Place::without_memory(), lived());
    bad.write("hipocampus.config.json", "{\"compaction\": 7}");
    for (command, arguments) in CALLS {
        let wrong = told(&none, command, &[arguments, &["--no-such-flag"]].concat());
        assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""), "{command}: {wrong:?}");
        assert!(wrong.stderr.contains("--no-such-flag"), "{command}: {wrong:?}");
        if ABOUT_NO_WORKSPACE.contains(&command) || !is_for_people(command) {
            continue;
        }
        // The daemon is told of no folder by standing in one that is no workspace.
        let named: &[&str] = if command == "run" { &["."] } else { &[] };
        for (place, code, why) in [(&none, 1, "hipocampusd init"), (&bad, 78, "compaction")] {
            if command == "doctor" && code == 78 {
                // To it that is one finding among others.
                continue;
            }
            let refused = told(place, command, &[arguments, named].concat());
            assert_eq!(
                (refused.code, refused.stdout.as_str()),
                (Some(code), ""),
                "{command}: {refused:?}"
            );
            assert!(
                refused.stderr.contains(why) && refused.stderr.lines().count() == 1,
                "{command}: {refused:?}"
            );
        }
    }
    assert!(none.tree().is_empty(), "a command that refused left something behind");
}
