//! README and docs say what is true: tables of fields, the example, links.
#![expect(clippy::disallowed_methods, reason = "the tests read README and docs")]

mod claims;
mod names;
mod numbers;
mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hipocampusd::config::schema;
use serde_json::Value;

use crate::place::{Place, ran};
use crate::world::{World, program};

const CONFIGURATION: &str = "docs/configuration.md";

/// A field of the configuration, as the tables of the pages have it.
#[derive(Debug)]
struct FieldRow {
    /// The dotted path; `NAME` stands for a summarizer's name.
    field: String,
    /// The default as JSON.
    default: String,
    user_only: bool,
    meaning: String,
}

fn field_rows() -> Vec<FieldRow> {
    let mut rows = Vec::new();
    collect(&schema(), "", &mut rows);
    rows
}

fn collect(schema: &Value, path: &str, rows: &mut Vec<FieldRow>) {
    let dot = if path.is_empty() { "" } else { "." };
    if let Some(any) = schema.get("additionalProperties") {
        collect(any, &format!("{path}{dot}NAME"), rows);
    } else if let Some(named) = schema["properties"].as_object() {
        for (name, inner) in named {
            collect(inner, &format!("{path}{dot}{name}"), rows);
        }
    } else {
        let section = path.split('.').next().unwrap_or(path);
        let meaning = schema["description"].as_str().unwrap_or_default();
        assert!(!meaning.is_empty() && !meaning.contains('|'), "{path}: {meaning}");
        rows.push(FieldRow {
            field: path.to_owned(),
            default: schema["default"].to_string(),
            user_only: ["workspaces", "summarizers", "qmd"].contains(&section),
            meaning: meaning.to_owned(),
        });
    }
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The README and every page of `docs/`.
fn pages() -> Vec<String> {
    let docs = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).expect("there is docs/");
    let names = docs.map(|entry| format!("docs/{}", entry.expect("an entry").file_name().display()));
    names
        .filter(|name| name.ends_with(".md"))
        .chain(["README.md".to_owned()])
        .collect()
}

/// The block below the comment `<!-- mark -->`.
fn block(text: &str, mark: &str) -> String {
    let below = text.split(&format!("<!-- {mark} -->\n```markdown\n")).nth(1);
    let below = below.unwrap_or_else(|| panic!("README.md has no block {mark}"));
    below.split("```\n").next().unwrap_or_default().to_owned()
}

#[test]
fn the_example_is_what_the_program_makes_of_its_log() {
    let readme = read("README.md");
    let world = World::new();
    world.write("memory/2026-03-14.md", block(&readme, "example-log"));
    let run = program(&world, &["compact", "--all", "--today", "2026-03-15"]).status();
    assert!(run.expect("it runs").success());
    let root = world.text("memory/ROOT.md");
    let body = &root[root.find("## Active").expect("a section")..];
    assert_eq!(body, block(&readme, "example-root"));
}

#[test]
fn the_readme_is_short_and_every_page_is_linked_from_it() {
    let readme = read("README.md");
    assert!(readme.lines().count() <= 200);
    for page in pages().iter().filter(|page| *page != "README.md") {
        assert!(readme.contains(&format!("({page})")), "README.md has no link to {page}");
    }
}

#[test]
fn every_link_leads_to_a_file() {
    for page in pages() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(&page);
        let folder: PathBuf = folder.parent().expect("a folder").into();
        for link in read(&page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.contains("://") && !file.is_empty() {
                assert!(folder.join(file).exists(), "{page} links to {link}");
            }
        }
    }
}

/// A row of a table whose first column is headed `field`.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    field: String,
    /// What the second column says, where that is headed `default`.
    default: Option<String>,
}

fn rows_of(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    // Outside a table; in one that is about something else; in one about fields, with or without defaults.
    let mut has_default: Option<Option<bool>> = None;
    for line in text.lines() {
        let Some(inner) = line.trim().strip_prefix('|') else {
            has_default = None;
            continue;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let headed =
            |at: usize, name: &str| cells.get(at).is_some_and(|cell| cell.eq_ignore_ascii_case(name));
        match has_default {
            None => has_default = Some(headed(0, "field").then(|| headed(1, "default"))),
            Some(Some(has_default)) if !cells[0].starts_with(['-', ':']) => {
                let bare = |at: usize| cells.get(at).map_or("", |cell| cell.trim_matches('`')).to_owned();
                rows.push(Row { field: bare(0), default: has_default.then(|| bare(1)) });
            }
            Some(_) => {}
        }
    }
    rows
}

fn documented() -> Vec<Row> {
    rows_of(&read(CONFIGURATION))
}

#[test]
fn the_docs_have_one_row_for_every_field_of_a_workspace_with_its_default_and_no_other() {
    let mut documented = BTreeMap::new();
    for Row { field, default } in self::documented() {
        if let Some(default) = default {
            assert_eq!(
                documented.insert(field.clone(), default),
                None,
                "{CONFIGURATION} has two rows for `{field}`"
            );
        }
    }
    for FieldRow { field, default, meaning, user_only } in field_rows() {
        let found = documented.remove(&field);
        // What only the user may set need not be in that table; where it is, it must be right.
        if !user_only || found.is_some() {
            let wanted = format!("| `{field}` | `{default}` | {meaning} |");
            assert_eq!(found, Some(default), "{CONFIGURATION} needs a row like: {wanted}");
        }
    }
    assert!(
        documented.is_empty(),
        "{CONFIGURATION} has rows for what is no field: {documented:?}"
    );
}

#[test]
fn the_docs_name_what_only_the_user_may_set_and_no_more() {
    let first = |field: &str| field.split('.').next().unwrap_or(field).to_owned();
    let documented: BTreeSet<String> = documented()
        .iter()
        .filter(|row| row.default.is_none())
        .map(|row| first(&row.field))
        .collect();
    let wanted: BTreeSet<String> = field_rows()
        .iter()
        .filter(|row| row.user_only)
        .map(|row| first(&row.field))
        .collect();
    assert_eq!(documented, wanted, "the table of the user's own fields");
}

#[test]
fn only_tables_of_fields_are_read() {
    let text = "| command | default |\n| --- | --- |\n| `run` | `1` |\n\n| field | default | |\n| :-- | --- | --- |\n\
                | `a.b` | `[]` | text |\n| `c` | `\"x\"` | |\n\n| Field | meaning |\n| --- | --- |\n| `d` | `1` |\n";
    let row =
        |field: &str, default: Option<&str>| Row { field: field.into(), default: default.map(Into::into) };
    assert_eq!(rows_of(text), [row("a.b", Some("[]")), row("c", Some("\"x\"")), row("d", None)]);
}

/// What the pages show and this test does not run, by how it begins, and why not.
const NOT_RUN: [(&str, &str); 23] = [
    ("cargo ", "builds and tests the program: CI does"),
    (".ci/run", "is CI"),
    ("config/install ", "builds the program: CI does"),
    ("config/package/lint", "is a step of CI"),
    ("config/package/pack ", "packs the program: CI does"),
    ("(cd config/package && maturin ", "packs the program: CI does"),
    ("pip ", "installs the program: CI does"),
    ("npm ", "installs the program: CI does"),
    ("claude ", "a program of others"),
    ("codex ", "a program of others"),
    ("openclaw ", "a program of others"),
    ("opencode ", "a program of others"),
    ("qmd ", "a program of others"),
    ("loginctl ", "a program of others"),
    ("journalctl ", "a program of others"),
    ("systemctl ", "a program of others"),
    ("sudo ", "asks for root"),
    ("# ", "a line of a file"),
    ("hipocampusd run", "goes on until it is stopped: the tests of `run` start it"),
    (
        "hipocampusd status --watch",
        "goes on until it is stopped: tried on a terminal of its own",
    ),
    (
        "hipocampusd service install ~",
        "asks for a service manager: tried with one that is made up",
    ),
    (
        "hipocampusd service uninstall",
        "asks for a service manager: tried with one that is made up",
    ),
    (
        "hipocampusd service status",
        "asks for a service manager: tried with one that is made up",
    ),
];

/// The lines of all `sh` blocks of a page.
fn shown(page: &str) -> Vec<String> {
    let text = blocks(page, "sh").join("\n");
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_command_that_the_pages_show_is_run_or_it_is_said_why_not() {
    let mut unused: BTreeSet<&str> = NOT_RUN.iter().map(|(begins, _)| *begins).collect();
    let mut ran = 0;
    for page in pages() {
        let place = Place::new();
        let home = place.path("..").canonicalize().expect("a folder");
        let work = home.join("agents/work");
        std::fs::create_dir_all(work.join("memory")).expect("a workspace");
        std::fs::create_dir_all(home.join(".openclaw/workspace/memory")).expect("a workspace");
        std::fs::create_dir_all(home.join(".claude/projects/-home-me-agents-work")).expect("a folder");
        let own = home.join(".config/hipocampusd");
        std::fs::create_dir_all(&own).expect("a folder");
        let config = "{ \"workspaces\": [\"~/agents/work\"] }";
        std::fs::write(own.join("config.json"), config).expect("a configuration");
        let log = "## Deploy pipeline [project]\n- outcome: ferry tariffs are in it\n\n\
                   ## Reviews [feedback]\n- rule: short reviews\n";
        for day in ["2026-03-14", "2026-03-15"] {
            std::fs::write(work.join(format!("memory/{day}.md")), log).expect("a log");
        }
        let program = Path::new(env!("CARGO_BIN_EXE_hipocampusd"));
        let path = format!("{}:/usr/bin:/bin", program.parent().expect("its folder").display());
        let run = |line: &str| {
            let line = line
                .replace("DIR", "~/agents/work")
                .replace("/tmp/try", &home.join("try").display().to_string())
                .replace("less ", "cat ");
            let mut shell = std::process::Command::new("sh");
            shell.env_clear().env("HOME", &home).env("PATH", &path);
            shell.stdin(std::process::Stdio::null());
            let output = shell.current_dir(&work).args(["-c", &line]).output().expect("sh starts");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let made = run("hipocampusd compact --all --no-index");
        assert_eq!(made.0, Some(0), "{made:?}");
        for line in shown(&page) {
            if let Some((begins, _)) = NOT_RUN.iter().find(|(begins, _)| line.starts_with(begins)) {
                unused.remove(begins);
                continue;
            }
            let (code, said) = run(&line);
            // A workspace in which something is amiss or nothing is found ends with 1; a command that there is not, with 2 or 127.
            let found_out = ["doctor", "restore", "forget"]
                .iter()
                .any(|name| line.contains(&format!("hipocampusd {name}")));
            assert!(
                code == Some(0) || found_out && code == Some(1),
                "{page}: `{line}` ended with {code:?}: {said}"
            );
            ran += 1;
        }
    }
    assert_eq!(unused, BTreeSet::new(), "no page shows these");
    assert!(ran > 40, "only {ran} commands were found");
}

/// The blocks of a page in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = read(page);
    let fence = format!("\n```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split("\n```").next().unwrap_or_default().to_owned())
        .collect()
}

/// What stands between back quotes in the prose and the tables of a page.
fn quoted(page: &str) -> Vec<String> {
    let text = read(page);
    let prose: String = text.split("```").step_by(2).collect();
    let quoted = prose.split('`').skip(1).step_by(2);
    quoted.map(|words| words.replace('\n', " ")).collect()
}

#[test]
fn every_configuration_that_the_pages_show_is_accepted() {
    let mut seen = 0;
    for page in pages() {
        for block in blocks(&page, "json") {
            let value: Value = serde_json::from_str(&block).unwrap_or_else(|error| panic!("{page}: {error}"));
            // The settings of another program.
            if value.get("plugins").is_some() {
                continue;
            }
            let place = Place::new();
            place.write("own.json", &block);
            let told = place.run("status", &["--config", &place.path("own.json").display().to_string()]);
            assert!(
                told.code == Some(0)
                    && !told.stderr.contains("not a field")
                    && !told.stdout.contains("configuration "),
                "{page}: {told:?}"
            );
            seen += 1;
        }
    }
    assert!(seen >= 2, "only {seen} were found");
}

#[test]
fn every_entry_that_the_pages_show_is_one() {
    let place = Place::new();
    let shown = blocks("docs/how-it-works.md", "markdown").concat();
    place.write("memory/2026-03-14.md", &shown);
    place.drain("2026-03-15");
    let told = place.run("topics", &["--today", "2026-03-15"]);
    for heading in shown.lines().filter_map(|line| line.strip_prefix("## ")) {
        assert!(
            told.stdout.contains(heading.trim_end_matches(']')),
            "{heading}: {}",
            told.stdout
        );
    }
}

/// The help of a command, as `service install`.
fn help(words: &[&str]) -> Option<String> {
    let place = Place::new();
    let told = ran(place.program().args(words).arg("--help"));
    (told.code == Some(0)).then_some(told.stdout)
}

#[test]
fn every_command_of_the_program_is_in_the_docs() {
    let all = help(&[]).expect("there is a help");
    let page = read("docs/commands.md");
    let commands = all
        .split("Commands:\n")
        .nth(1)
        .expect("commands")
        .split("\n\n")
        .next()
        .unwrap_or_default();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut seen = 0;
    for name in names.filter(|name| !name.is_empty() && *name != "help") {
        assert!(
            page.contains(&format!("hipocampusd {name}")),
            "docs/commands.md does not show `{name}`"
        );
        seen += 1;
    }
    assert!(seen >= 20, "only {seen} were found");
}

#[test]
fn every_file_of_the_repository_that_the_pages_name_is_there() {
    let mut seen = 0;
    for page in pages() {
        for name in quoted(&page) {
            let first = name.split('/').next().unwrap_or_default();
            let is_ours = [
                "config", "docs", "src", "tests", "benches", "systemd", "launchd", ".ci", ".github",
            ]
            .contains(&first);
            if is_ours && name.contains('/') && !name.contains(char::is_whitespace) {
                assert!(
                    Path::new(env!("CARGO_MANIFEST_DIR")).join(&name).exists(),
                    "{page} names {name}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 15, "only {seen} were found");
}

/// The names in the first column of a page's table under "What changes".
fn changed(page: &str) -> Vec<String> {
    let text = read(page);
    let part = text
        .split("## What changes\n")
        .nth(1)
        .unwrap_or_else(|| panic!("{page} has no such part"));
    let rows = part
        .split("\n## ")
        .next()
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.strip_prefix("| "));
    let first = rows.filter_map(|row| row.split(" |").next());
    first
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_the_pages_say_of_each_platform_is_what_init_changes() {
    for (page, platform, marks) in [
        ("docs/claude-code.md", "claude-code", &["CLAUDE.md"][..]),
        ("docs/codex.md", "codex", &["AGENTS.md"][..]),
        ("docs/opencode.md", "opencode", &["AGENTS.md", "opencode.json"][..]),
        (
            "docs/openclaw.md",
            "openclaw",
            &["AGENTS.md", "SOUL.md", "memory/2026-03-14.md"][..],
        ),
    ] {
        let place = Place::without_memory();
        for mark in marks {
            let text = if mark.ends_with(".json") { "{}\n" } else { "# mine\n" };
            place.write(mark, text);
        }
        let told = place.run("init", &["--platform", platform]);
        assert_eq!(told.code, Some(0), "{platform}: {told:?}");
        let named = changed(page);
        for name in &named {
            // The other file of instructions is told where it is there.
            let is_other =
                matches!((name.as_str(), platform), ("AGENTS.md", "claude-code") | ("CLAUDE.md", "codex"));
            assert!(
                is_other || place.path(name).exists(),
                "{page} says that {name} changes: {told:?}"
            );
        }
        let changed = told
            .stdout
            .split("told the agents of it in:\n")
            .nth(1)
            .unwrap_or_else(|| panic!("{platform}: {told:?}"));
        for name in changed.lines().map_while(|line| line.strip_prefix("  ")) {
            assert!(
                named.iter().any(|known| known == name),
                "{page} does not say that {name} changes"
            );
        }
    }
}
