//! The rules of the house that no compiler and no lint checks: what the core may know, how long a file may be, how
//! each one opens, and what no source and no test may hold. Reads the source itself.
#![expect(clippy::disallowed_methods, reason = "reads the files of the repository")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;

/// More lines than this in a file of `src/` are a noun too many.
const LINES_MAX: usize = 600;
/// The same for the tests beside the source.
const TEST_LINES_MAX: usize = 600;

/// What `src/memory/` must not know: the rooms above it, and whatever reaches for files, time, processes or the user.
const ABOVE_THE_CORE: [&str; 20] = [
    "anyhow",
    "chrono::Local",
    "clap",
    "cli",
    "config",
    "daemon",
    "hipocampusd",
    "notify",
    "rustix",
    "signal_hook",
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "tokio",
    "tracing",
    "tracing_subscriber",
];

/// Names in a home folder's path that stand for anybody.
const ANYBODY: [&str; 14] = [
    "NAME",
    "YOUR_NAME",
    "%i",
    "agent",
    "agents",
    "alice",
    "bob",
    "dev",
    "me",
    "name",
    "somebody",
    "someone",
    "user",
    "you",
];

#[test]
fn the_core_knows_nothing_above_it() {
    let mut faults = Vec::new();
    for file in sources("src/memory") {
        let code = code_of(&file.text);
        for path in paths_of(&code) {
            let known = ABOVE_THE_CORE
                .iter()
                .find(|above| path == **above || path.starts_with(&format!("{above}::")));
            if known.is_some() {
                faults.push(format!("{}: {path}", file.name));
            }
        }
    }
    assert_none("src/memory/ reaches for what it must not know", &faults);
}

#[test]
fn every_file_says_first_what_it_is_for() {
    let opens_silent = |file: &File| !file.text.starts_with("//!");
    let faults: Vec<String> = all_sources().into_iter().filter(opens_silent).map(|file| file.name).collect();
    assert_none("these files do not open with //!", &faults);
}

#[test]
fn no_file_of_the_source_nor_of_its_tests_is_over_600_lines() {
    let lines_max = |name: &str| {
        if name.ends_with("tests.rs") { TEST_LINES_MAX } else { LINES_MAX }
    };
    let count = |file: File| (file.text.lines().count(), file.name);
    let mut long: Vec<_> = sources("src")
        .into_iter()
        .map(count)
        .filter(|(lines, name)| *lines > lines_max(name))
        .collect();
    long.sort_unstable_by(|left, right| right.cmp(left));
    let faults: Vec<String> = long.iter().map(|(lines, name)| format!("{name}: {lines} lines")).collect();
    assert_none("these files are too long", &faults);
}

#[test]
fn nothing_is_left_undone_and_no_test_is_left_out() {
    let undone = Regex::new(r"#\s*\[\s*ignore\b|\b(?:todo|unimplemented)\s*!").expect("a pattern");
    let mut faults = Vec::new();
    for file in all_sources() {
        let code = code_of(&file.text);
        faults.extend(
            undone
                .find_iter(&code)
                .map(|found| format!("{}: {}", file.name, found.as_str())),
        );
    }
    assert_none("left undone, or left out", &faults);
}

#[test]
fn no_test_waits_for_time_to_pass() {
    let sleeps = Regex::new(r"\bsleep(?:_ms|_until)?\s*\(").expect("a pattern");
    let mut faults = Vec::new();
    for file in all_sources() {
        let code = code_of(&file.text);
        let tests = if is_all_tests(&file.name) { code.as_str() } else { tests_inside(&code) };
        faults.extend(
            sleeps
                .find_iter(tests)
                .map(|found| format!("{}: {}", file.name, found.as_str())),
        );
    }
    assert_none("tests that sleep; wait for a condition, with a deadline", &faults);
}

#[test]
fn no_module_takes_the_name_of_rusts_own_core() {
    let named_core = Regex::new(r"\bmod\s+core\b").expect("a pattern");
    let is_core = |file: &File| {
        file.name.ends_with("/core.rs")
            || file.name.contains("/core/")
            || named_core.is_match(&code_of(&file.text))
    };
    let faults: Vec<String> = all_sources().into_iter().filter(is_core).map(|file| file.name).collect();
    assert_none("a module called core", &faults);
}

#[test]
fn nothing_names_a_place_on_somebodys_machine() {
    let home = Regex::new(r"/(?:home|Users)/([^/\s\x22'`]+)").expect("a pattern");
    let places = places_of_this_machine();
    let mut faults = Vec::new();
    for file in written_text() {
        for (number, line) in file.text.lines().enumerate() {
            let someone = home
                .captures_iter(line)
                .any(|found| !ANYBODY.contains(&&found[1]) && is_name(&found[1]));
            if someone || places.iter().any(|place| names(line, place)) {
                faults.push(format!("{}:{}: {}", file.name, number + 1, line.trim()));
            }
        }
    }
    assert_none("a path of one machine", &faults);
}

#[test]
fn the_reader_of_these_tests_tells_code_from_words() {
    let text = concat!(
        "//! tokio::time\nuse std::{fmt, fs::{self, File}};\n/* std::process */ let a = \"std::net\";\n",
        "let b = r#\"tokio::spawn\"#; let c = '\"'; fn d<'a>(x: &'a str) { super::super::daemon::go(x) }\n",
        "#[cfg(test)]\nmod tests { fn e() { f(0) } }\n",
    );
    let code = code_of(text);
    let paths: Vec<String> = paths_of(&code).into_iter().collect();
    assert_eq!(paths, ["daemon::go", "std::fmt", "std::fs", "std::fs::File"]);
    assert!(tests_inside(&code).contains("f(0)") && !tests_inside(&code).contains("daemon"));
    assert_eq!(tests_inside("#[cfg(test)]\nmod tests;\nfn sleepy() {}\n"), "");
}

/// A file of the repository: its path from the top, with `/`, and its text.
struct File {
    name: String,
    text: String,
}

/// All Rust files of the repository.
fn all_sources() -> Vec<File> {
    ["src", "tests", "benches", "fuzz/fuzz_targets"]
        .into_iter()
        .flat_map(sources)
        .collect()
}

/// The Rust files below `folder`; none when the folder is not there.
fn sources(folder: &str) -> Vec<File> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(top, &top.join(folder), &mut files);
    files.retain(|file| file.name.ends_with(".rs"));
    files
}

/// Every text of the repository that somebody wrote: its folders, and the pages and settings at its top.
fn written_text() -> Vec<File> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [
        ".ci",
        "benches",
        "config",
        "fuzz/fuzz_targets",
        "launchd",
        "src",
        "systemd",
        "tests",
    ] {
        collect(top, &top.join(folder), &mut files);
    }
    for entry in fs::read_dir(top).expect("the top of the repository").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Ok(text) = fs::read_to_string(entry.path())
            && (name.ends_with(".md") || name.ends_with(".toml"))
        {
            files.push(File { name, text });
        }
    }
    files
}

fn collect(top: &Path, folder: &Path, files: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    for path in paths {
        let name = path
            .strip_prefix(top)
            .expect("a path below the top")
            .to_string_lossy()
            .replace('\\', "/");
        if path.is_dir() && !path.is_symlink() {
            collect(top, &path, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            files.push(File { name, text });
        }
    }
}

/// The source with its comments and the contents of its strings taken out.
fn code_of(text: &str) -> String {
    let words = Regex::new(
        r##"(?sx) //[^\n]* | /\*.*?\*/
            | b?r"[^"]*" | b?r\#"(?:.*?)"\# | b?r\#\#"(?:.*?)"\#\#
            | b?"(?:\\.|[^"\\])*" | b?'(?:\\[^\n]*?|[^'\\\n])'"##,
    )
    .expect("a pattern");
    words.replace_all(text, " ").into_owned()
}

/// The paths that a piece of code names, its `use` trees spelled out, without leading `crate`, `self` and `super`.
fn paths_of(code: &str) -> BTreeSet<String> {
    let imports = Regex::new(r"\buse\s+([^;]+);").expect("a pattern");
    let mut paths = BTreeSet::new();
    for import in imports.captures_iter(code) {
        spell_out("", &import[1], &mut paths);
    }
    let named = Regex::new(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+").expect("a pattern");
    let rest = imports.replace_all(code, " ");
    paths.extend(named.find_iter(&rest).map(|found| found.as_str().to_owned()));
    paths
        .iter()
        .map(|path| without_way(path).to_owned())
        .filter(|path| !path.is_empty())
        .collect()
}

/// Adds every path of the `use` tree `tree`, each behind `prefix`.
fn spell_out(prefix: &str, tree: &str, paths: &mut BTreeSet<String>) {
    let Some((head, group)) = tree.split_once('{') else {
        let leaf = tree.split(" as ").next().unwrap_or_default().trim();
        let path = format!("{prefix}{leaf}");
        paths.insert(path.strip_suffix("::self").unwrap_or(&path).to_owned());
        return;
    };
    let prefix = format!("{prefix}{}", head.trim());
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let (mut depth, mut start) = (0_usize, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                spell_out(&prefix, &group[start..at], paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        spell_out(&prefix, &group[start..], paths);
    }
}

/// `path` without the steps that only say where it starts.
fn without_way(path: &str) -> &str {
    let steps = ["::", "crate::", "self::", "super::"];
    match steps.iter().find_map(|step| path.strip_prefix(step)) {
        Some(rest) => without_way(rest),
        None => path,
    }
}

fn is_all_tests(name: &str) -> bool {
    name.starts_with("tests/") || name.ends_with("/tests.rs") || name.contains("/tests/")
}

/// The test module at the end of a source file; empty where there is none, or where it has a file of its own.
fn tests_inside(code: &str) -> &str {
    let start = Regex::new(r"#\[cfg\(test\)\]\s*mod\s+\w+\s*\{").expect("a pattern");
    start.find(code).map_or("", |found| &code[found.start()..])
}

/// Where this machine keeps the repository and the home folder, unless that is a place every machine has.
fn places_of_this_machine() -> Vec<String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let everywhere = [
        "/", "/home", "/root", "/tmp", "/usr", "/var", "/opt", "/srv", "/mnt", "/Users", "/private",
    ];
    let mut places = vec![repository.to_string_lossy().into_owned()];
    let around = repository.parent().map(|parent| parent.to_string_lossy().into_owned());
    let home = std::env::var("HOME").ok();
    places.extend(around.into_iter().chain(home));
    places.retain(|place| place.starts_with('/') && !everywhere.contains(&place.as_str()));
    places
}

/// Whether `line` names `place` or something in it, as a path of its own and not as the end of a longer one.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + place.len()..].chars().next();
        let starts = before.is_none_or(|one| !one.is_alphanumeric() && !"~._-}%)>*]".contains(one));
        starts && after.is_none_or(|one| one == '/')
    })
}

/// Whether the text behind `/home/` could be somebody's name, and is not a pattern or a gap to fill.
fn is_name(text: &str) -> bool {
    text.chars().all(|one| one.is_alphanumeric() || "._-".contains(one))
        && text.chars().any(char::is_alphanumeric)
}

fn assert_none(what: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{what}:\n  {}", faults.join("\n  "));
}
