//! The commands as people type them: the real binary on real folders.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the folders that the program finds"
)]

use serde_json::Value;

use crate::place::{Place, Seed, ran};

/// A workspace with a week of logs in March 2026.
pub(crate) fn week() -> Place {
    let place = Place::new();
    let mut seed = Seed(7);
    for day in 9..=15 {
        place.write(&format!("memory/2026-03-{day:02}.md"), seed.log());
    }
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn help_names_every_command_and_shows_how_to_begin() {
    let place = Place::new();
    for flag in ["--help", "-h"] {
        let help = ran(place.program().arg(flag));
        assert_eq!(help.code, Some(0));
        for word in [
            "run",
            "compact",
            "init",
            "status",
            "verify",
            "run --init",
            "Exit codes",
            "memory/ROOT.md",
        ] {
            assert!(help.stdout.contains(word), "{word}: {}", help.stdout);
        }
    }
    let version = ran(place.program().arg("--version"));
    let number = format!("hipocampusd {}", env!("CARGO_PKG_VERSION"));
    let built = version.stdout.strip_prefix(&number).unwrap_or_else(|| panic!("{version:?}"));
    // From a clone: the commit and its date.
    let words: Vec<&str> = built.trim().trim_matches(['(', ')']).split(' ').collect();
    assert!(
        built == "\n" || words.len() == 2 && words[1].len() == "2026-03-15".len(),
        "{built}"
    );
    for command in ["run", "compact", "init", "status", "verify"] {
        let help = ran(place.program().args([command, "--help"]));
        assert_eq!(help.code, Some(0), "{command}");
        assert!(help.stdout.contains("DIR"), "{command}: {}", help.stdout);
    }
}

#[test]
fn wrong_use_is_told_so_with_exit_code_2() {
    let place = Place::new();
    let wrong: [&[&str]; 6] = [
        &[],
        &["compress"],
        &["compact", "--alll"],
        &["compact", "--today", "2026-02-30"],
        &["verify", "a", "b"],
        &["init", "--platform", "emacs"],
    ];
    for arguments in wrong {
        let told = ran(place.program().args(arguments));
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{arguments:?}: {told:?}");
        assert!(!told.stderr.is_empty());
    }
    let told = ran(place.program().args(["compact", "--today", "2026-02-30"]));
    assert!(told.stderr.contains("is not a calendar date"), "{}", told.stderr);
}

#[test]
fn a_folder_that_is_no_workspace_is_told_how_to_become_one() {
    let place = Place::without_memory();
    for command in ["compact", "status", "verify"] {
        let told = place.run(command, &[]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""), "{command}");
        assert!(
            told.stderr.contains("has no memory/ folder: run `hipocampusd init "),
            "{}",
            told.stderr
        );
        assert_eq!(told.stderr.lines().count(), 1, "{}", told.stderr);
        let told = ran(place.program().args([command, "/nowhere/at/all"]));
        assert!(
            told.stderr.contains("is not there: run `hipocampusd init /nowhere/at/all`"),
            "{}",
            told.stderr
        );
    }
    assert!(place.tree().is_empty());
}

#[test]
fn a_configuration_that_cannot_be_used_is_exit_code_78() {
    let place = week();
    place.write("hipocampus.config.json", "{\"compaction\": {\"graceHours\": \"soon\"}}");
    for command in ["compact", "status", "verify"] {
        let told = place.run(command, &[]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(78), ""), "{command}: {told:?}");
        assert!(
            told.stderr.contains("compaction.graceHours") && told.stderr.contains(":1:"),
            "{}",
            told.stderr
        );
        assert_eq!(told.stderr.lines().count(), 1);
    }
    let told = ran(place
        .program()
        .args(["status", "--config", "/nowhere/config.json"])
        .arg(place.path("")));
    assert_eq!(told.code, Some(78), "{told:?}");
}

#[test]
fn init_prepares_and_a_second_init_has_nothing_to_do() {
    let place = Place::without_memory();
    let first = place.run("init", &["--platform", "codex"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(
        first.stdout.contains("memory/daily/") && first.stdout.contains("hipocampus.config.json"),
        "{}",
        first.stdout
    );
    let files =
        |place: &Place| -> Vec<_> { place.tree().into_iter().filter(|(path, _)| path.is_file()).collect() };
    let before = files(&place);
    assert!(place.run("init", &[]).stdout.contains("nothing to do"));
    for command in ["compact", "status", "verify"] {
        assert_eq!(place.run(command, &[]).code, Some(0), "{command} after init");
    }
    assert_eq!(place.run("compact", &[]).stdout, "nothing to do\n");
    place.drain("2026-03-20");
    let after = files(&place);
    assert!(
        before.iter().all(|file| after.contains(file)),
        "files that init made were touched"
    );
}

#[test]
fn a_dry_run_says_what_and_why_and_writes_nothing() {
    let place = week();
    let before = place.tree();
    let said = place.run("compact", &["--dry-run", "--today", "2026-03-15"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let expected = "build  memory/daily/2026-03-15.md (new, tentative)\n";
    assert!(said.stdout.starts_with(expected), "{}", said.stdout);
    assert!(said.stdout.contains("left after this cycle: 6 nodes"), "{}", said.stdout);
    let all = json(
        &place
            .run("compact", &["--dry-run", "--all", "--json", "--today", "2026-03-15"])
            .stdout,
    );
    assert_eq!(all["plan"].as_array().map(Vec::len), Some(7 + 1 + 1 + 1), "{all}");
    assert_eq!(all["plan"][0]["reason"], "new");
    assert_eq!(place.tree(), before);
    place.drain("2026-03-15");
    let said = place.run("compact", &["--dry-run", "--today", "2026-03-15"]);
    assert_eq!(said.stdout, "nothing to do\n");
}

#[test]
fn compact_twice_writes_once() {
    let place = week();
    let first = place.drain("2026-03-15");
    assert!(
        first.stdout.starts_with("wrote 11 files") && first.stdout.contains("memory/daily/2026-03-09.md"),
        "{}",
        first.stdout
    );
    assert!(first.stdout.contains(" and 5 more"), "{}", first.stdout);
    let state = json(&place.read("memory/.compaction-state.json"));
    assert_eq!(
        (&state["rawLinesSinceLastCompaction"], &state["checkpointsSinceLastCompaction"]),
        (&0.into(), &0.into())
    );
    // The second run may write down what it learned of files that were too fresh to be trusted before; the third may not.
    let memory = |place: &Place| -> Vec<_> {
        place
            .tree()
            .into_iter()
            .filter(|(path, _)| path.starts_with(place.path("memory/")))
            .collect()
    };
    let before = memory(&place);
    for _ in 0..2 {
        let again = place.drain("2026-03-15");
        assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("nothing to do\n", ""));
        assert_eq!(memory(&place), before);
    }
}

#[test]
fn single_cycles_end_where_a_drain_does() {
    let (drained, stepped) = (week(), week());
    drained.drain("2026-03-15");
    let mut cycles = 0;
    while stepped.run("compact", &["--no-index", "--today", "2026-03-15"]).stdout != "nothing to do\n" {
        cycles += 1;
        assert!(cycles < 20, "no end");
        let verified = stepped.run("verify", &["--today", "2026-03-15"]);
        assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
    }
    assert_eq!(cycles, 7);
    assert!(drained.derived() == stepped.derived(), "the trees differ");
}

#[test]
fn json_says_what_was_done() {
    let place = week();
    let done = json(&place.run("compact", &["--json", "--no-index", "--today", "2026-03-15"]).stdout);
    assert_eq!(done["wrote"][0], "memory/daily/2026-03-15.md", "{done}");
    assert_eq!(
        (&done["left"], &done["issues"], &done["qmd"], &done["interrupted"]),
        (&6.into(), &Value::Array(vec![]), &Value::Null, &false.into())
    );
    let status = json(&place.run("status", &["--json", "--today", "2026-03-15"]).stdout);
    for field in [
        "workspace",
        "running",
        "pid",
        "lastCompactionRun",
        "counters",
        "due",
        "backlog",
        "nodes",
        "root",
        "qmd",
        "errors",
    ] {
        assert!(status.get(field).is_some(), "{field}: {status}");
    }
    assert_eq!(
        (&status["running"], &status["pid"], &status["qmd"]["lastResult"]),
        (&false.into(), &Value::Null, &Value::Null)
    );
    assert_eq!(status["nodes"]["daily"]["tentative"], 1);
    assert_eq!(
        (
            &status["nodes"]["weekly"]["fixed"],
            &status["nodes"]["monthly"]["needsSummarization"]
        ),
        (&0.into(), &0.into())
    );
    assert!(
        status["backlog"].as_u64() > Some(5) && status["root"]["tokens"].as_u64() > Some(0),
        "{status}"
    );
    assert!(
        status["counters"]["rawLines"].as_u64() > Some(0) && status["counters"]["checkpoints"].is_u64(),
        "{status}"
    );
    place.drain("2026-03-15");
    let status = json(&place.run("status", &["--json", "--today", "2026-03-15"]).stdout);
    assert_eq!(
        (&status["backlog"], &status["counters"]["rawLines"], &status["due"]),
        (&0.into(), &0.into(), &Value::Array(vec![]))
    );
    let verified = json(&place.run("verify", &["--json", "--today", "2026-03-15"]).stdout);
    assert_eq!(
        (&verified["violations"], &verified["backlog"]),
        (&Value::Array(vec![]), &0.into())
    );
}

#[test]
fn a_missing_qmd_is_a_quiet_line_of_status_unless_somebody_named_one() {
    let place = week();
    let done = place.run("compact", &["--today", "2026-03-15"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(done.stderr, "");
    let status = json(&place.run("status", &["--json"]).stdout);
    assert_eq!(status["qmd"]["lastResult"]["update"], "missing", "{status}");
    let status = place.run("status", &[]).stdout;
    let line = "search index     qmd is not installed (optional; recall works without it)\n";
    assert!(status.contains(line), "{status}");
    place.configure("{\"qmd\": {\"path\": \"/nowhere/qmd\"}}");
    place.write("memory/2026-03-08.md", "## Lamp\n- outcome: it is bright\n");
    let done = place.run("compact", &["--all", "--today", "2026-03-15"]);
    let warning = "warning: the search index is not up to date: ";
    assert!(done.stderr.contains(warning), "{done:?}");
    place.configure("{}");
    place.append("memory/2026-03-08.md", "- decisions: no other one\n");
    place.write("hipocampus.config.json", "{\"search\": {\"enabled\": false}}");
    let done = place.run("compact", &["--today", "2026-03-15"]);
    assert!(done.stdout.starts_with("wrote ") && done.stderr.is_empty(), "{done:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let place = week();
    let mut shell = std::process::Command::new("sh");
    let line = "\"$0\" status \"$1\" | head -n 1; \"$0\" compact \"$1\" --dry-run --all | true";
    shell
        .args(["-c", line, env!("CARGO_BIN_EXE_hipocampusd")])
        .arg(place.path(""))
        .env("HOME", place.path(""));
    let piped = ran(&mut shell);
    assert_eq!(piped.stderr, "", "{piped:?}");
    assert_eq!(piped.stdout.lines().count(), 1, "{piped:?}");
}

#[test]
fn a_misspelt_field_of_the_users_own_file_is_named_where_no_workspace_is_found() {
    let place = Place::without_memory();
    let config = place.path("c.json");
    place.write("c.json", "{\n  // mine\n  \"workspace\": [\"~/agents/*\"],\n}\n");
    std::fs::set_permissions(&config, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
    for command in ["run", "compact"] {
        let mut program = place.program();
        program.current_dir(place.path("")).args([command, "--config"]).arg(&config);
        let ran = ran(&mut program);
        assert_ne!(ran.code, Some(0), "{ran:?}");
        let hint = "`workspace` is not a field of hipocampusd and has no effect: did you mean `workspaces`?";
        assert!(ran.stderr.contains(hint), "{command}: {ran:?}");
    }
}

#[test]
fn a_wrong_argument_is_told_in_lines_of_their_own() {
    let told = Place::new().run("status", &["--nonsense"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    let first = told.stderr.lines().next().unwrap_or_default();
    assert_eq!(first, "hipocampusd: unexpected argument '--nonsense' found");
    assert!(told.stderr.lines().count() > 2 && !told.stderr.contains("\\n"), "{told:?}");
}
