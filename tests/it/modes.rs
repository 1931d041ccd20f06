//! Nothing is wider than what it was made of: nodes, ROOT, the state file, logs that a command or a cycle begins.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out files with modes, and start the program under a umask"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::place::{Place, Ran, ran};

const TODAY: &str = "2026-03-20";
const TASKS: &str = "# Working\n\n## Shelf\n- status: in-progress\n- goal: books off the floor\n";

/// A workspace that others may look into, with logs of a week, so that something can be said of it in AGENT.md.
fn open_to_others(logs: u32) -> Place {
    let place = Place::new();
    for day in 9..=15 {
        let name = format!("memory/2026-03-{day:02}.md");
        place.write(&name, "## Shelf\n- outcome: it holds\n");
        set_mode(&place, &name, logs);
    }
    for folder in ["", "memory", "memory/daily", "memory/weekly", "memory/monthly"] {
        fs::create_dir_all(place.path(folder)).expect("a folder");
        set_mode(&place, folder, 0o755);
    }
    place.write(
        "hipocampus.config.json",
        "{\"platform\": \"openclaw\", \"search\": {\"enabled\": false}}",
    );
    place
}

fn set_mode(place: &Place, name: &str, mode: u32) {
    fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).expect("its mode");
}

fn mode(place: &Place, name: &str) -> u32 {
    let met = fs::metadata(place.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    met.permissions().mode() & 0o777
}

/// Runs the program in the workspace under a umask.
fn under(umask: &str, place: &Place, words: &[&str]) -> Ran {
    let program = place.program();
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")])
        .arg(program.get_program())
        .args(words)
        .args(["--today", TODAY])
        .env_clear()
        .envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(place.path(""));
    if let Ok(input) = fs::File::open(place.path("t.jsonl")) {
        shell.stdin(input);
    }
    let ran = ran(&mut shell);
    assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
    ran
}

/// What a drain made, daily first.
const MADE: [&str; 6] = [
    "memory/daily/2026-03-14.md",
    "memory/weekly/2026-W11.md",
    "memory/monthly/2026-03.md",
    "memory/ROOT.md",
    "memory/.compaction-state.json",
    "memory/agents/compaction/AGENT.md",
];

#[test]
fn what_is_made_is_as_private_as_the_most_private_of_what_it_was_made_of() {
    for logs in [0o600, 0o640, 0o644] {
        let place = open_to_others(logs);
        under("022", &place, &["compact", "--all"]);
        for name in MADE {
            assert_eq!(mode(&place, name), logs, "{name} of logs with {logs:o}");
        }
    }
    let place = open_to_others(0o644);
    set_mode(&place, "memory/2026-03-15.md", 0o600);
    place.write("memory/2026-01-05.md", "## Lamp\n- outcome: bright\n");
    set_mode(&place, "memory/2026-01-05.md", 0o644);
    under("022", &place, &["compact", "--all"]);
    for (name, expected) in [
        ("memory/daily/2026-03-14.md", 0o644),
        ("memory/daily/2026-03-15.md", 0o600),
        ("memory/weekly/2026-W11.md", 0o600),
        ("memory/monthly/2026-03.md", 0o600),
        ("memory/weekly/2026-W02.md", 0o644),
        ("memory/monthly/2026-01.md", 0o644),
        ("memory/ROOT.md", 0o600),
        ("memory/.compaction-state.json", 0o600),
    ] {
        assert_eq!(mode(&place, name), expected, "{name}");
    }
}

#[test]
fn a_late_entry_makes_its_node_as_private_as_its_log() {
    let place = open_to_others(0o644);
    place.write("memory/2026-01-05.md", "## Lamp\n- outcome: bright\n");
    under("022", &place, &["compact", "--all"]);
    // Its month is over; it goes into a new node of today's.
    place.append("memory/2026-01-05.md", "\n## Diary\n- outcome: late\n");
    set_mode(&place, "memory/2026-01-05.md", 0o600);
    place.write("memory/2026-03-20.md", "## Hook\n- outcome: new\n");
    set_mode(&place, "memory/2026-03-20.md", 0o644);
    under("022", &place, &["compact", "--all"]);
    assert!(place.read("memory/daily/2026-03-20.md").contains("Diary"));
    assert_eq!(mode(&place, "memory/daily/2026-03-20.md"), 0o600);
    assert_eq!(mode(&place, "memory/weekly/2026-W12.md"), 0o600);
}

#[test]
fn a_new_log_is_as_private_as_what_goes_into_it_and_as_the_logs_beside_it() {
    let checkpoint = ["checkpoint", "Shelf", "--outcome", "it holds"];
    let log = "memory/2026-03-20.md";
    for (logs, expected) in [(0o600, 0o600), (0o640, 0o640), (0o666, 0o644)] {
        let place = open_to_others(logs);
        under("022", &place, &checkpoint);
        assert_eq!(mode(&place, log), expected, "a checkpoint beside {logs:o}");
        let place = open_to_others(logs);
        let line = "{\"type\":\"user\",\"timestamp\":\"2026-03-20T10:00:00Z\",\"message\":{\"role\":\"user\",\"content\":\"put up the shelf\"}}\n";
        place.write("t.jsonl", line);
        under("022", &place, &["capture", "--stdin"]);
        assert_eq!(mode(&place, log), expected, "a capture beside {logs:o}");
        for working in [0o600, 0o644] {
            let place = open_to_others(logs);
            place.write("WORKING.md", TASKS);
            set_mode(&place, "WORKING.md", working);
            under("022", &place, &["compact", "--all"]);
            assert!(place.read(log).contains("Working State Snapshot"));
            assert_eq!(
                mode(&place, log),
                expected & working,
                "a snapshot of {working:o} beside {logs:o}"
            );
        }
    }
    let place = Place::new();
    under("022", &place, &checkpoint);
    assert_eq!(mode(&place, log), 0o644, "nothing stands beside it");
}

#[test]
fn a_file_that_exists_keeps_its_mode_whatever_the_umask_is() {
    let place = open_to_others(0o644);
    place.write("MEMORY.md", "# Mine\n");
    place.write("memory/2026-03-20.md", "## Hook\n- outcome: new\n");
    under("022", &place, &["compact", "--all"]);
    place.write("memory/.compaction-state.json", "{}");
    let open = [
        "memory/daily/2026-03-20.md",
        "memory/weekly/2026-W12.md",
        "MEMORY.md",
    ];
    let kept = MADE[2..].iter().chain(&open);
    kept.clone().for_each(|name| set_mode(&place, name, 0o664));
    let lines = "- outcome: bright\n".repeat(300);
    place.append("memory/2026-03-20.md", &format!("\n## Lamp [feedback]\n{lines}"));
    under("077", &place, &["compact", "--all"]);
    for name in kept {
        assert_eq!(mode(&place, name), 0o664, "{name}");
        let is_new = name.ends_with(".json") || place.read(name).contains("Lamp");
        assert!(is_new || name.ends_with("AGENT.md"), "{name} was not written anew");
    }
}
