//! Every program that this one starts, started from within a workspace that brings along all that could lead it astray: programs of
//! their names, and files that shells, node, Python, git and qmd look for where they run.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out programs and looks at what they left"
)]

use std::fs;
use std::path::Path;

use crate::child::script;
use crate::place::{Place, ran};

/// Who is started, by which command.
const CHILDREN: [(&str, &[&str]); 4] = [
    ("qmd", &["compact", "--all", "--today", "2026-03-12", "."]),
    ("mine", &["compact", "--all", "--no-index", "--today", "2026-03-13", "."]),
    ("node", &["doctor", "."]),
    ("systemctl", &["service", "install", "."]),
];
/// What points into the folder that a program runs in, or holds what is none of its business.
const ASTRAY: [(&str, &str); 12] = [
    ("GIT_DIR", ".git"),
    ("GIT_CONFIG_GLOBAL", "gitconfig"),
    ("PYTHONPATH", "."),
    ("PYTHONSTARTUP", "planted"),
    ("BASH_ENV", "./planted"),
    ("ENV", "./planted"),
    ("PERL5OPT", "-Mplanted"),
    ("RUBYOPT", "-rplanted"),
    ("NODE_AUTH_TOKEN", "t0p"),
    ("GITHUB_TOKEN", "t0p"),
    ("QMD_TRUST_LOCAL_CONFIG", "1"),
    ("QMD_CONFIG_DIR", ".qmd"),
];

/// A program that notes where it runs and what it sees, and answers as the one of its name does.
fn recorder(folder: &Path, name: &str, answer: &str) {
    let seen = folder.join("seen").join(name);
    let body = format!("#!/bin/sh\n{{ pwd -P; /usr/bin/env; }} >> '{}'\n{answer}\n", seen.display());
    script(&folder.join("tools").join(name), &body);
}

#[test]
fn no_child_runs_in_a_workspace_or_finds_anything_of_it() {
    if cfg!(target_os = "macos") {
        println!("skipped: launchd is asked there by another name");
        return;
    }
    let place = Place::new();
    let home = place.path("../home").canonicalize().expect("a home");
    for folder in ["tools", "seen"] {
        fs::create_dir_all(home.join(folder)).expect("a folder");
    }
    let qmd = "case $1 in --version) echo qmd 2.8.3;; *) echo 'All collections updated';; esac";
    for (name, answer) in [
        ("qmd", qmd),
        ("mine", "/bin/cat > /dev/null; echo '- nothing'"),
        ("node", "echo v22.1.0"),
        ("systemctl", ""),
    ] {
        recorder(&home, name, answer);
    }
    let mine = home.join("tools/mine").display().to_string();
    place.configure(&format!("{{\"summarizers\": {{\"mine\": {{\"command\": [\"{mine}\"]}}}}}}"));
    place.write("hipocampus.config.json", "{\"summarizer\": \"mine\"}");
    for day in ["2026-03-10", "2026-03-11"] {
        let lines = (0..400).map(|number| format!("- request {number} of {day} measured\n"));
        let lines: String = lines.collect();
        place.write(&format!("memory/{day}.md"), format!("## Gateway [project]\n{lines}"));
    }
    // What a clone may bring along.
    let planted = format!("#!/bin/sh\n: > '{}'\n", home.join("seen/planted").display());
    for folder in [".", "bin", "node_modules/.bin"] {
        fs::create_dir_all(place.path(folder)).expect("a folder");
        for (name, _) in CHILDREN {
            script(&place.path(folder).join(name), &planted);
        }
        script(&place.path(folder).join("planted"), &planted);
    }
    place.write(
        ".qmd/index.yml",
        "collections:\n  memory:\n    path: memory\n    update: ./planted\n",
    );
    place.write(".git/config", "[core]\n\tfsmonitor = ./planted\n\tpager = ./planted\n");
    for name in [
        "sitecustomize.py",
        "planted.rb",
        "planted.pm",
        "planted.js",
        ".npmrc",
        ".nvmrc",
    ] {
        place.write(name, "planted");
    }

    for (name, words) in CHILDREN {
        let mut program = place.program();
        program.current_dir(place.path("")).args(words).envs(ASTRAY);
        let path = format!("::.:bin:node_modules/.bin:{}:/usr/bin:/bin", home.join("tools").display());
        program.env("PATH", path).env("NODE_OPTIONS", "--require=./planted.js");
        let told = ran(&mut program);
        let seen = fs::read_to_string(home.join("seen").join(name));
        let seen = seen.unwrap_or_else(|_| panic!("{name} was not started by {words:?}: {told:?}"));
        let workspace = place.path("").canonicalize().expect("a workspace");
        let workspace = workspace.display().to_string();
        for line in seen.lines() {
            let is_path = line.starts_with("PATH=");
            assert!(
                !line.contains(&workspace)
                    && (!is_path || line[5..].split(':').all(|it| it.starts_with('/'))),
                "{name} sees the workspace: {line}"
            );
            let variable = line.split_once('=').map_or("", |(variable, _)| variable);
            let astray = ASTRAY.iter().any(|(name, value)| variable == *name && line.ends_with(value));
            assert!(!astray, "{name} sees {line}");
        }
        assert!(
            seen.starts_with("/\n") || seen.starts_with(&format!("{}/.cache/", home.display())),
            "{name} ran in {seen}"
        );
        assert!(!home.join("seen/planted").exists(), "{words:?} ran what the workspace brought");
    }
}
