//! Promise 12, the names: newlines, escapes and worse in the name of a file, or of the workspace itself, are data.
#![expect(
    clippy::disallowed_methods,
    reason = "makes files with names that nobody should give"
)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use yaml_rust2::YamlLoader;

use super::shot::{Shot, shot};
use crate::run::support::{Daemon, Space, User, write_private};

/// Parts of names: each drives a terminal, ends a line, turns the text's direction, or is no text at all.
const ODD: [&[u8]; 12] = [
    b"\x1b]0;pwned\x07",
    b"\x1b[2J\x1b[31m",
    b"\nerror: forged line",
    b"\r\x0bgone",
    b"\t: [a, b]",
    "\u{9b}31m".as_bytes(),
    "\u{202e}dm.gpj".as_bytes(),
    "\u{2066}x\u{2069}\u{200f}".as_bytes(),
    b"\xff\xfe\x80",
    b"'; touch pwned; \"$(touch pwned)`touch pwned`",
    b"# comment: [&anchor *alias !tag",
    b"--all",
];

/// Names with an odd part, for a folder of raw logs and for one of nodes.
fn odd_names(odd: &[u8]) -> Vec<Vec<u8>> {
    let around = |start: &str, end: &str| [start.as_bytes(), odd, end.as_bytes()].concat();
    vec![
        around("2026-03-15-", ".md"),
        around("2026-03-15", ".md"),
        around("", "2026-03-15.md"),
        around("2026-W11", ".md"),
        around("2026-02-30", ".md"),
        around("", ".md"),
        around("", ""),
        around(".hipocampusd-", ".tmp"),
        around(".compaction-state.json.tmp-", ""),
    ]
}

fn fill(space: &Path) {
    fs::write(
        space.join("memory/2026-03-15.md"),
        "## Bridge [user]\n- outcome: the bridge is done\n",
    )
    .expect("a log");
    for folder in [
        "",
        "memory",
        "memory/daily",
        "memory/weekly",
        "memory/monthly",
        ".hipocampus",
        "memory/agents/compaction",
    ] {
        fs::create_dir_all(space.join(folder)).expect("a folder");
        for name in ODD.iter().flat_map(|odd| odd_names(odd)) {
            let text = "## An entry [user]\n- outcome: an entry under an odd name\n";
            fs::write(space.join(folder).join(OsStr::from_bytes(&name)), text).expect("a file");
        }
    }
}

/// Nothing was run, and every node's frontmatter is still YAML with the fields that it should have.
fn is_sound(space: &Path) {
    let mut nodes = 0;
    for level in ["daily", "weekly", "monthly"] {
        for entry in fs::read_dir(space.join("memory").join(level)).expect("a folder").flatten() {
            let text = fs::read_to_string(entry.path()).expect("a node");
            let Some(front) = text.strip_prefix("---\n").and_then(|rest| rest.split("\n---\n").next()) else {
                continue;
            };
            let yaml = YamlLoader::load_from_str(front).unwrap_or_else(|error| panic!("{error}\n{front}"));
            assert_eq!(yaml[0]["type"].as_str(), Some(level), "{front}");
            nodes += 1;
        }
    }
    assert!(nodes >= 3, "only {nodes} nodes");
    let logs = fs::read_dir(space.join("memory")).expect("a folder").count();
    assert!(logs > 100, "names in memory/ went away: {logs}");
    assert!(!space.join("pwned").exists() && !Path::new("pwned").exists(), "a name was run");
}

#[test]
fn promise_12_no_name_of_a_file_drives_a_terminal_forges_a_line_or_breaks_a_node() {
    let user = User::new();
    for odd in ODD {
        let name = [b"space ", odd]
            .concat()
            .iter()
            .filter(|byte| **byte != b'/')
            .copied()
            .collect::<Vec<u8>>();
        let path = user.path("home").join(OsStr::from_bytes(&name));
        fs::create_dir_all(path.join("memory")).expect("a folder");
        write_private(
            &path.join("hipocampus.config.json"),
            r#"{"platform": "openclaw", "odd": 1, "search": {"enabled": false}}"#,
        );
        fill(&path);
        for arguments in [
            &["compact", "--dry-run", "--all", "--today", "2026-03-22"][..],
            &["compact", "--all", "--no-index", "--today", "2026-03-22"],
            &["compact", "--all", "--no-index", "--today", "2026-05-01"],
            &["status", "--today", "2026-05-01"],
            &["status", "--json", "--today", "2026-05-01"],
            &["verify", "--today", "2026-05-01"],
            &["verify", "--json", "--today", "2026-05-01"],
            &["init"],
        ] {
            let shot = shot(user.command(arguments).arg(&path), &format!("{arguments:?}"));
            shot.is_harmless(&format!("{arguments:?} in {}", name.escape_ascii()));
            assert_eq!(
                shot.code,
                Some(0),
                "{arguments:?} in {}: {}",
                name.escape_ascii(),
                shot.said.escape_debug()
            );
        }
        is_sound(&path);
        // Errors name what they are about, too.
        for arguments in [&["init"][..], &["status"], &["verify"], &["compact"], &["run"]] {
            let inside = path.join(OsStr::from_bytes(&[odd, b"nowhere"].concat()));
            let shot = shot(user.command(arguments).arg(inside.join("x")), &format!("{arguments:?}"));
            shot.is_harmless(&format!("{arguments:?} nowhere in {}", name.escape_ascii()));
            assert!(matches!(shot.code, Some(1 | 2)), "{arguments:?}: {shot:?}");
        }
        let daemon = start(&user, &path);
        let space = Space { path };
        space.until_daily_says("the bridge is done");
        daemon.signal(Signal::HUP);
        let shot = Shot { code: None, said: daemon.end() };
        shot.is_harmless(&format!("the daemon in {}", name.escape_ascii()));
        assert!(
            !shot.said.lines().any(|line| line.starts_with("error: forged")),
            "{}",
            shot.said
        );
    }
}

fn start(user: &User, path: &Path) -> Daemon {
    let mut command: Command = user.command(&["run", "--log", "debug"]);
    command.arg(path);
    Daemon::start(command, user.path("log")).ready()
}
