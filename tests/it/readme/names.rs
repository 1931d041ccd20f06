//! Every name in back quotes in the pages is the program's: a command with its options, a field, a file, or a word that stands in
//! its sources; or it is known to be another program's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use super::{field_rows, help, pages, quoted, read, shown};

/// What is an example, or belongs to others.
const OUTSIDE: [&str; 26] = [
    "cargo ",
    "codex mcp remove memory",
    "docker compose ",
    "grep VmRSS ",
    "perf stat ",
    "launchctl bootout",
    "sudo apt ",
    "systemctl reload",
    "renameatx_np",
    "F_FULLFSYNC",
    "~/.claude/projects/",
    "~/.codex/",
    "~/.local/share/opencode",
    "$XDG_CONFIG_HOME/",
    "DIR/memory/ROOT.md",
    "main → cli → daemon → memory",
    "YYYY-MM-DD-….md",
    "memory/YYYY-MM-DD-some-session.md",
    "memory/2026-",
    "memory://2026-W11",
    "[[2026-W47]]",
    "[\"gemini\"",
    "[\"llm\"",
    "[\"LLM_*\"",
    "\"Asia/Seoul\"",
    "summarizers.NAME",
];

/// What a page shows in other words than the sources: with a number, a day, a value.
const VARIED: [(&str, &str); 8] = [
    ("# Late entries of 2026-03-15", "# Late entries of "),
    ("# Overwritten entries of 2026-03-15", "# Overwritten entries of "),
    ("HIPOCAMPUSD_SUMMARIZER=1", "HIPOCAMPUSD_SUMMARIZER"),
    ("status: needs-summarization", "needs-summarization"),
    ("[reference]", "\"reference\""),
    ("memory/daily/2026-03-15.md", "daily"),
    ("memory/monthly/2026-03.md", "monthly"),
    ("/hipocampusd:", "\"name\": \"hipocampusd\""),
];

/// All that the program and its packages are made of, but for tests.
fn sources() -> String {
    fn walk(folder: &Path, out: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_test = path.file_name().is_some_and(|name| name == "tests" || name == "tests.rs");
            if is_test {
            } else if path.is_dir() {
                walk(&path, out);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                out.push_str(&text);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = read("Cargo.toml");
    for folder in ["src", "config", "benches", "systemd", "launchd", ".ci", ".github"] {
        walk(&root.join(folder), &mut out);
    }
    out
}

/// The program's commands with their helps, by their words.
struct Commands(BTreeMap<String, String>);

impl Commands {
    fn all() -> Self {
        let mut all = BTreeMap::new();
        // What packages call, and no help lists.
        let mut open = vec![String::new(), "generate".to_owned()];
        while let Some(command) = open.pop() {
            let words: Vec<&str> = command.split_whitespace().collect();
            let text = help(&words).unwrap_or_else(|| panic!("{command:?} has no help"));
            let listed = text.split("Commands:\n").nth(1).unwrap_or_default();
            let names = listed.lines().take_while(|line| !line.is_empty());
            for name in names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()) {
                if !name.is_empty() && name != "help" {
                    open.push(format!("{command} {name}").trim().to_owned());
                }
            }
            all.insert(command, text);
        }
        Self(all)
    }

    /// The help of the command that a line begins with; none when it begins with no command.
    fn of(&self, line: &str) -> Option<&str> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let longest = words[..words.len().min(2)].join(" ");
        let first = words.first().copied().unwrap_or_default();
        self.0.get(&longest).or_else(|| self.0.get(first)).map(String::as_str)
    }

    fn has_option(&self, option: &str) -> bool {
        self.0.values().any(|help| help.contains(option))
    }
}

#[test]
fn every_command_and_option_that_the_pages_name_is_the_programs() {
    let commands = Commands::all();
    let mut seen = 0;
    for page in pages() {
        for line in quoted(&page).into_iter().chain(shown(&page)) {
            let line = line.split(" #").next().unwrap_or_default();
            let line = line.split('|').next().unwrap_or_default();
            let called = line.strip_prefix("hipocampusd ");
            let Some(help) = commands.of(called.unwrap_or(line)) else {
                assert!(called.is_none(), "{page}: `{line}`: there is no such command");
                continue;
            };
            for option in line.split_whitespace().filter(|word| word.starts_with("--")) {
                assert!(
                    help.contains(option) || option == "--dir",
                    "{page}: `{line}`: there is no {option}"
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 120, "only {seen} were found");
}

#[test]
fn every_name_in_the_pages_is_the_programs_or_known_to_be_anothers() {
    let commands = Commands::all();
    let fields: BTreeSet<String> = field_rows().into_iter().map(|row| row.field).collect();
    let sections: BTreeSet<&str> = fields.iter().filter_map(|field| field.split('.').next()).collect();
    let sources = sources();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut unused: BTreeSet<&str> = OUTSIDE.iter().copied().collect();
    unused.extend(VARIED.iter().map(|(shown, _)| *shown));
    let mut unknown = String::new();
    for page in pages() {
        for name in quoted(&page) {
            let name = name.as_str();
            let first = name.split_whitespace().next().unwrap_or_default();
            let key = name.strip_prefix('"').and_then(|rest| rest.split_once("\":"));
            let dotted = name.split_once('.').filter(|(section, _)| sections.contains(section));
            let is_known =
                if let Some((shown, said)) = VARIED.iter().find(|(shown, _)| name.starts_with(shown)) {
                    unused.remove(shown);
                    sources.contains(said)
                } else if let Some(shown) = OUTSIDE.iter().find(|shown| name.starts_with(**shown)) {
                    unused.remove(shown);
                    true
                } else if first == "hipocampusd" || commands.of(name).is_some() {
                    true
                } else if first.starts_with("--") {
                    commands.has_option(first) || sources.contains(first)
                } else if let Some((key, _)) = key {
                    sources.contains(&format!("\"{key}\""))
                } else if dotted.is_some() && !sources.contains(name) {
                    fields.contains(name)
                } else {
                    fields.contains(name) || root.join(name).exists() || sources.contains(name)
                };
            if !is_known {
                let _ = writeln!(unknown, "{page}: `{name}`");
            }
        }
    }
    assert_eq!(unknown, "", "what is this?");
    assert_eq!(unused, BTreeSet::new(), "no page names these");
}
