//! What the pages say and no other test holds: what the program does not do, the packages, the plugin, the picture, and words that
//! stand in a file.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::read;
use crate::place::{Place, ran};
use crate::rules::crash::strace_works;

/// A phrase of a page, and what the file that it is about says, white space aside.
const SAME: [(&str, &str, &str, &str); 13] = [
    ("README.md", "a C linker", "config/install", "command -v cc"),
    (
        "README.md",
        "that they only write, and that hipocampusd keeps order",
        "config/templates/BLOCK.md",
        "keeps the memory of this folder in order. It compacts; you only write.",
    ),
    (
        "docs/commands.md",
        "A heading counts twice",
        "src/memory/search.rs",
        "WEIGHTS: [f32; 3] = [1.0, 0.2, 2.0];",
    ),
    (
        "docs/commands.md",
        "what an assistant said a fifth",
        "src/memory/search.rs",
        "WEIGHTS: [f32; 3] = [1.0, 0.2, 2.0];",
    ),
    ("docs/development.md", "say `skipped:`", "tests/it/damage.rs", "skipped:"),
    (
        "docs/development.md",
        "how to run the long forms",
        "tests/README.md",
        "HIPOCAMPUSD_TESTS=long cargo test",
    ),
    (
        "docs/development.md",
        "tells what faults they inject",
        "tests/README.md",
        "## What was injected",
    ),
    (
        "docs/packages.md",
        "docker build -f config/package/Dockerfile -t hipocampusd .",
        "config/package/Dockerfile",
        "docker build -f config/package/Dockerfile -t hipocampusd .",
    ),
    (
        "docs/packages.md",
        "docker compose -f config/package/compose.yaml up -d",
        "config/package/compose.yaml",
        "docker compose -f config/package/compose.yaml run",
    ),
    (
        "docs/packages.md",
        "brew install --HEAD",
        "config/package/hipocampusd.rb",
        "brew install --HEAD",
    ),
    ("docs/packages.md", "makepkg -si", "config/package/PKGBUILD", "makepkg -si"),
    (
        "docs/packages.md",
        "github:hipocampus/hipocampusd?dir=config/package",
        "config/package/flake.nix",
        "github:hipocampus/hipocampusd?dir=config/package",
    ),
    (
        "docs/packages.md",
        "cargo binstall hipocampusd",
        "Cargo.toml",
        "[package.metadata.binstall]",
    ),
];

#[test]
fn the_words_of_the_pages_are_those_of_the_files() {
    let squeezed = |name: &str| read(name).split_whitespace().collect::<Vec<_>>().join(" ");
    for (page, phrase, file, said) in SAME {
        assert!(squeezed(page).contains(phrase), "{page} says no longer {phrase:?}");
        assert!(squeezed(file).contains(said), "{file} says no longer {said:?}");
    }
}

#[test]
fn the_picture_shows_the_parts_of_the_page_in_their_order() {
    let page = read("config/templates/report.html");
    let parts = [
        "id=\"rules\"",
        "Search",
        ">Activity<",
        ">Timeline<",
        ">Subjects<",
        "id=\"reader\"",
    ];
    let places: Vec<_> = parts.iter().map(|part| page.find(part)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.png");
    assert!(std::fs::read(picture).expect("a picture").starts_with(b"\x89PNG"));
}

/// What a program that asks the network is made of.
const NETWORK: [&str; 8] = [
    "reqwest",
    "hyper",
    "ureq",
    "curl",
    "rustls",
    "openssl",
    "native-tls",
    "isahc",
];

#[test]
fn no_socket_is_opened_and_no_program_started_where_none_is_named() {
    let lock = read("Cargo.lock");
    for name in NETWORK {
        assert!(!lock.contains(&format!("name = \"{name}\"\n")), "{name}");
    }
    if !strace_works() {
        println!("skipped: strace does not work here");
        return;
    }
    let place = Place::new();
    place.write(
        "memory/2026-03-14.md",
        "## Shelf [project]\n- outcome: it holds, https://example.org says so\n",
    );
    let (calls, page) = (place.path("../calls"), place.path("../report.html"));
    let page = page.display().to_string();
    let workspace = place.path("").display().to_string();
    for words in [
        &["compact", &workspace, "--all", "--today", "2026-03-15"][..],
        &["session", "start", &workspace],
        &["recall", "shelf", "--dir", &workspace],
        &["report", &workspace, "--output", &page],
        &["status", &workspace],
        &["verify", &workspace],
    ] {
        let program = place.program();
        let mut strace = Command::new("strace");
        strace
            .args(["-f", "-qq", "-e", "trace=socket,connect,execve", "-o"])
            .arg(&calls);
        strace.arg(program.get_program()).args(words).env_clear();
        for (name, value) in program.get_envs() {
            strace.env(name, value.unwrap_or_default());
        }
        let ended = ran(strace.env("PATH", "/usr/bin:/bin"));
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        let told = std::fs::read_to_string(&calls).expect("the calls");
        let others: Vec<&str> = told
            .lines()
            .filter(|line| {
                line.contains("AF_INET") || line.contains("execve(") && !line.contains("hipocampusd")
            })
            .collect();
        assert_eq!(others, Vec::<&str>::new(), "{words:?}");
        assert!(told.contains("execve("), "{words:?}: nothing was traced");
    }
}

/// A program that needs a glibc, or none, and writes what packages ask a program for.
fn made_up(place: &Place, needs: &str) -> String {
    let script = format!(
        "#!/bin/sh\n# {needs}\nif [ \"$2\" = man ]; then echo page >\"$3/hipocampusd.1\"; else echo words; fi\n"
    );
    place.write("../program", script);
    let path = place.path("../program");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is executable");
    path.display().to_string()
}

#[test]
fn every_package_says_what_the_program_needs() {
    for (needs, depends) in [("GLIBC_2.17 GLIBC_2.36", "libc6 (>= 2.36)"), ("static", "")] {
        let place = Place::new();
        let program = made_up(&place, needs);
        let made = place.path("../made");
        let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/package/pack");
        let mut python = Command::new("python3");
        let Ok(packed) = python.arg(pack).arg(&program).arg(&made).output() else {
            println!("skipped: there is no python3");
            return;
        };
        assert!(packed.status.success(), "{packed:?}");
        let entries = std::fs::read_dir(&made).expect("packages");
        let names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().display().to_string())
            .collect();
        let ending = |with: &str| names.iter().filter(|name| name.ends_with(with)).count();
        assert_eq!((ending(".tgz"), ending(".deb")), (2, 1), "{names:?}");
        let package = names.iter().find(|name| name.ends_with(".deb")).expect("a package");
        let mut field = Command::new("dpkg-deb");
        match field.arg("--field").arg(made.join(package)).arg("Depends").output() {
            Ok(said) => assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), depends),
            Err(_) => println!("skipped: there is no dpkg-deb"),
        }
    }
}

#[test]
fn the_plugin_of_claude_code_has_the_hooks_of_init_the_tools_and_two_commands() {
    let place = Place::without_memory();
    place.write("CLAUDE.md", "# mine\n");
    let program = Path::new(env!("CARGO_BIN_EXE_hipocampusd"));
    let mut init = place.program();
    init.env("PATH", program.parent().expect("a folder")).arg("init");
    let told = ran(init.arg(place.path("")));
    assert_eq!(told.code, Some(0), "{told:?}");
    let json = |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("JSON") };
    let (ours, plugin) = (
        json(&place.read(".claude/settings.json")),
        json(&read("config/plugins/claude-code/hooks/hooks.json")),
    );
    let commands = |settings: &serde_json::Value| -> Vec<(String, String)> {
        let events = settings["hooks"].as_object().expect("events");
        let mut all: Vec<(String, String)> = events
            .iter()
            .map(|(event, entries)| {
                let command = entries[0]["hooks"][0]["command"].as_str().expect("a command");
                (event.clone(), command.to_owned())
            })
            .collect();
        all.sort();
        all
    };
    let plain = |command: &str| {
        command
            .replace(" --brief", "")
            .replace(" 2>/dev/null", "")
            .replace(" || true", "")
    };
    let bare: Vec<_> = commands(&plugin)
        .into_iter()
        .map(|(event, command)| (event, plain(&command)))
        .collect();
    assert_eq!(bare, commands(&ours));
    for (event, command) in commands(&plugin) {
        let stops = ["UserPromptSubmit", "PreCompact"].contains(&event.as_str());
        assert!(
            command.starts_with("hipocampusd ") && (!stops || command.ends_with(" || true")),
            "{event}: {command}"
        );
    }
    let server = &json(&read("config/plugins/claude-code/.mcp.json"))["mcpServers"]["memory"];
    assert_eq!((&server["command"], &server["args"][0]), (&"hipocampusd".into(), &"mcp".into()));
    for name in ["recall", "checkpoint"] {
        let text = read(&format!("config/plugins/claude-code/commands/{name}.md"));
        assert!(text.contains(&format!("hipocampusd {name}")), "{text}");
    }
}

#[test]
fn the_block_is_small_and_asks_for_root_where_nothing_is_imported() {
    for platform in ["codex", "opencode", "openclaw"] {
        let place = Place::without_memory();
        place.write("AGENTS.md", "# mine\n");
        place.write("memory/2026-03-14.md", "");
        let told = place.run("init", &["--platform", platform]);
        assert_eq!(told.code, Some(0), "{platform}: {told:?}");
        let block = place.read("AGENTS.md");
        let block = block.split("<!-- hipocampusd:begin").nth(1).expect("a block");
        assert!((1_500..2_500).contains(&block.len()), "{platform}: {} bytes", block.len());
        let tree = if platform == "openclaw" { "hipocampus" } else { "memory" };
        assert!(block.contains(&format!("`{tree}/ROOT.md`")), "{platform}: {block}");
        assert!(!block.contains(&format!("@{tree}/ROOT.md")), "{platform}: {block}");
    }
}
