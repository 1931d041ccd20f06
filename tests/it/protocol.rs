//! The agents' protocol as commands: sessions, tasks, checkpoints, captures, tidying, on real folders without a daemon.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the folders that the program finds"
)]

use std::io::Write as _;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::Utc;
use hipocampusd::daemon::capture::{self, When};
use hipocampusd::daemon::clock::Zone;
use hipocampusd::daemon::workspace::Workspace;
use serde_json::Value;

use crate::place::{Place, Ran, ran};

/// Runs the program in the workspace, with `--dir` naming it, or the folder behind the words.
fn told(place: &Place, words: &[&str]) -> Ran {
    ran(place.program().current_dir(place.path("")).args(words))
}

fn fed(place: &Place, words: &[&str], input: &str) -> Ran {
    let mut program = place.program();
    program.current_dir(place.path("")).args(words);
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("the program starts");
    child
        .stdin
        .take()
        .expect("its input")
        .write_all(input.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn good(ran: Ran) -> String {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

/// A log that holds a NUL byte looks like UTF-16.
#[test]
fn no_nul_byte_of_a_checkpoint_reaches_the_log() {
    let place = Place::new();
    let entry = "## Shelf [project]\n- outcome: le\0vel\0\n";
    good(fed(&place, &["checkpoint", "--stdin"], entry));
    let logs = std::fs::read_dir(place.path("memory")).expect("the folder");
    let logs = logs.map(|log| log.expect("a log").path());
    let logs: Vec<_> = logs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    let log = std::fs::read_to_string(&logs[0]).expect("the log");
    assert!(log.contains("- outcome: level\n") && !log.contains('\0'), "{log:?}");
}

#[test]
fn a_checkpoint_is_appended_to_the_log_and_nothing_before_it_changes() {
    let place = Place::new();
    let log = "## Before\n- outcome: x";
    place.write("memory/2026-03-15.md", log);
    let state = "{\"lastCompactionRun\": \"2026-03-15T10:00:00Z\"}";
    place.write("memory/.compaction-state.json", state);
    let said = good(told(
        &place,
        &[
            "checkpoint",
            "Shelf",
            "--type",
            "reference",
            "--outcome",
            "it holds",
            "--today",
            "2026-03-15",
        ],
    ));
    assert_eq!(said, "memory/2026-03-15.md:4: Shelf [reference]\n");
    let after = place.read("memory/2026-03-15.md");
    assert_eq!(after, format!("{log}\n\n## Shelf [reference]\n- outcome: it holds\n"));
    assert_eq!(after.lines().nth(3), Some("## Shelf [reference]"));
    assert_eq!(place.read("memory/.compaction-state.json"), state);
    let status = good(told(&place, &["status", "--json", "--today", "2026-03-15"]));
    let status: Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["counters"]["checkpoints"], 2, "it counts where it stands");
}

#[test]
fn an_entry_that_the_log_has_already_is_appended_and_said_to_be_there() {
    let place = Place::new();
    let shelf = |outcome: &str| {
        let words = [
            "checkpoint",
            "Shelf",
            "--outcome",
            outcome,
            "--today",
            "2026-03-15",
        ];
        told(&place, &words).stderr
    };
    assert_eq!(shelf("it holds"), "");
    assert_eq!(shelf("it holds well"), "");
    assert!(shelf("it holds").contains("note: memory/2026-03-15.md had this entry already"));
    assert_eq!(place.read("memory/2026-03-15.md").matches("it holds\n").count(), 2);
}

#[test]
fn what_breaks_a_rule_is_refused_with_it_and_writes_nothing() {
    let place = Place::new();
    let code = format!("## Shelf\n```\n{}```\n", "x\n".repeat(6));
    for (input, rule) in [
        (code.as_str(), "6 lines of code: over 5, record the file"),
        ("## Shelf\ndiff --git a/b c/d\n", "record the commit's hash"),
        ("no heading\n", "the entry has no topic"),
    ] {
        let ran = fed(&place, &["checkpoint", "--stdin"], input);
        assert_eq!((ran.code, ran.stderr.contains(rule)), (Some(1), true), "{ran:?}");
    }
    let ran = told(&place, &["checkpoint", "Shelf", "--type", "rumour", "--outcome", "x"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("project, feedback, user, reference"), "{}", ran.stderr);
    assert_eq!(place.tree().len(), 1, "memory/ alone: {:?}", place.tree().keys());
}

#[test]
fn a_piece_of_standard_input_is_not_taken_for_all_of_it() {
    let place = Place::new();
    let (entry, name) = ("## Shelf [user]\n- outcome: it holds\n", "Alice Smith");
    for (words, input) in [
        (["checkpoint", "--stdin"], entry),
        (["session", "start"], "{}"),
        (["forget", "-"], name),
    ] {
        let words: Vec<&str> = words.into_iter().chain((input == "{}").then_some("--stdin")).collect();
        let ran = fed(&place, &words, &format!("{input}{}", " ".repeat(1 << 20)));
        assert_eq!(ran.code, Some(1), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains("more than 1048576 bytes"), "{words:?}: {ran:?}");
    }
}

#[test]
fn a_secret_never_reaches_the_log() {
    let place = Place::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let said = good(fed(
        &place,
        &["checkpoint", "--stdin", "--today", "2026-03-15", "--json"],
        &format!("## Keys [user]\nthe token is {secret} here\n"),
    ));
    let written: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&written["redacted"], &written["type"]),
        (&Value::from(true), &Value::from("user"))
    );
    assert_eq!(
        place.read("memory/2026-03-15.md"),
        "## Keys [user]\nthe token is [REDACTED] here\n"
    );
}

#[test]
fn an_entry_after_midnight_goes_under_the_day_on_which_its_session_began() {
    let place = Place::new();
    good(told(&place, &["session", "start", "--today", "2026-03-15"]));
    good(told(
        &place,
        &[
            "checkpoint",
            "Shelf",
            "--outcome",
            "late",
            "--today",
            "2026-03-16",
        ],
    ));
    assert!(place.read("memory/2026-03-15.md").contains("late"));
    good(told(&place, &["session", "start", "--today", "2026-03-16"]));
    good(told(
        &place,
        &["checkpoint", "Shelf", "--outcome", "new", "--today", "2026-03-16"],
    ));
    assert!(place.read("memory/2026-03-16.md").contains("new"));
    let hook = "{\"session_id\": \"a1\", \"source\": \"startup\"}";
    good(fed(&place, &["session", "start", "--stdin", "--today", "2026-03-17"], hook));
    let said = good(fed(&place, &["session", "start", "--stdin", "--today", "2026-03-18"], hook));
    assert!(
        said.contains("a session goes on; its entries go to memory/2026-03-17.md"),
        "{said}"
    );
}

#[test]
fn a_task_goes_through_working_scratchpad_and_log() {
    let place = Place::new();
    good(place.run("init", &[]));
    good(told(
        &place,
        &[
            "task",
            "start",
            "Shelf",
            "--goal",
            "books off the floor",
            "--today",
            "2026-03-15",
        ],
    ));
    assert!(place.read("WORKING.md").contains(
        "## Shelf\n- status: in-progress\n- started: 2026-03-15 23:59\n- goal: books off the floor\n"
    ));
    assert!(
        place
            .read("SCRATCHPAD.md")
            .contains("## Current Focus\nShelf — books off the floor\n")
    );
    let said = good(told(&place, &["session", "start", "--today", "2026-03-15"]));
    assert!(said.contains("task \"Shelf\" is in progress since 2026-03-15 23:59"), "{said}");
    let said = good(told(
        &place,
        &[
            "task",
            "failed",
            "shelf",
            "--outcome",
            "no screws",
            "--today",
            "2026-03-15",
        ],
    ));
    assert!(said.contains("memory/2026-03-15.md:1: Shelf [project]"), "{said}");
    assert_eq!(
        place.read("memory/2026-03-15.md"),
        "## Shelf [project]\n- request: books off the floor\n- outcome: failed: no screws\n"
    );
    assert!(place.read("SCRATCHPAD.md").contains("(none) last: Shelf — failed: no screws"));
    good(told(&place, &["tidy"]));
    assert!(
        place.read("WORKING.md").contains("(no active tasks)") && !place.read("WORKING.md").contains("Shelf")
    );
}

#[test]
fn a_task_whose_entry_is_refused_changes_no_hot_file() {
    let place = Place::new();
    good(place.run("init", &[]));
    good(told(&place, &["task", "start", "Shelf"]));
    let before = (place.read("WORKING.md"), place.read("SCRATCHPAD.md"));
    let ran = told(
        &place,
        &[
            "task",
            "done",
            "Shelf",
            "--outcome",
            "x",
            "--analysis",
            "diff --git a/b c/d",
        ],
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!((place.read("WORKING.md"), place.read("SCRATCHPAD.md")), before);
    let ran = told(&place, &["task", "done", "Other", "--outcome", "x"]);
    assert!(
        ran.stderr.contains("no task \"Other\" is in progress, only \"Shelf\""),
        "{}",
        ran.stderr
    );
}

/// Cycles remove what crashes left behind, and a note that is being written is none of that.
#[test]
fn a_capture_beside_cycles_is_noted_and_so_not_captured_twice() {
    let place = Place::new();
    let workspace = Workspace::open(&place.path(""), true).unwrap();
    let cycles = Workspace::open(&place.path(""), true).unwrap();
    let transcript = place.path("t.jsonl");
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                cycles.remove_strays();
            }
        });
        let captured = (0..100).all(|_| {
            place.append(
                "t.jsonl",
                "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"a bridge, please\"}}\n",
            );
            let day = "2026-03-15".parse().unwrap();
            let when = When {
                zone: &Zone::System,
                today: day,
                now: Utc::now(),
                days_max: capture::HOOK_DAYS_MAX,
            };
            capture::file(&workspace, &transcript, when).is_ok()
        });
        ended.store(true, Ordering::Relaxed);
        assert!(captured);
    });
}

#[test]
fn a_hook_captures_the_new_part_of_a_transcript_once_under_the_day_it_began() {
    let place = Place::new();
    place.write("hipocampus.config.json", "{\"timezone\": \"Asia/Seoul\"}");
    let line = |at: &str, role: &str, text: &str| {
        format!(
            "{{\"type\":\"{role}\",\"timestamp\":\"{at}\",\"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let transcript = place.path("../transcript.jsonl");
    let first = line("2026-03-15T14:50:00Z", "user", "put up the shelf")
        + &line("2026-03-15T14:51:00Z", "assistant", "it holds");
    std::fs::write(&transcript, first.clone() + "{\"half\":").unwrap();
    let hook = serde_json::json!({"session_id": "a", "transcript_path": transcript}).to_string();
    let capture = ["capture", "--stdin", "--today", "2026-03-16"];
    assert_eq!(good(fed(&place, &capture, &hook)), "memory/2026-03-15.md: 2 messages\n");
    let once = "## Session 23:50 [project]\n- user: put up the shelf\n- assistant: it holds\n";
    assert_eq!(place.read("memory/2026-03-15.md"), once, "the day in Seoul on which it began");
    assert_eq!(good(fed(&place, &capture, &hook)), "", "nothing is new");
    std::fs::write(&transcript, first + &line("2026-03-15T15:10:00Z", "user", "and the lamp")).unwrap();
    good(fed(&place, &capture, &hook));
    assert_eq!(
        place.read("memory/2026-03-15.md"),
        format!("{once}\n## Session 23:50 [project]\n- user: and the lamp\n"),
        "under the hour at which the session began"
    );
    place.remove(".hipocampus/captured.json");
    good(fed(&place, &capture, &hook));
    assert_eq!(
        place.read("memory/2026-03-15.md").matches("put up the shelf").count(),
        1,
        "what the log has already is not told again, whatever became of the note"
    );
}

#[test]
fn a_fork_tells_only_what_is_new_and_a_session_left_for_a_day_goes_on_under_its_own() {
    let place = Place::new();
    let line = |uuid: &str, at: &str, text: &str| {
        let message = serde_json::json!({"role": "user", "content": text});
        serde_json::json!({"type": "user", "uuid": uuid, "timestamp": at, "message": message}).to_string()
            + "\n"
    };
    let history = line("a", "2026-03-14T09:00:00Z", "go on") + &line("b", "2026-03-14T09:01:00Z", "go on");
    place.write("old/one.jsonl", &history);
    let later = line("c", "2026-03-14T09:02:00Z", "a lamp") + &line("d", "2026-03-16T08:00:00Z", "a chair");
    place.write("old/in/fork.jsonl", history.clone() + &later);
    place.write("old/notes.txt", "user: not a transcript\n");
    let folder = place.path("old").display().to_string();
    let all = ["capture", "--all", &folder, "--today", "2027-03-16"];
    good(fed(&place, &all, ""));
    let mut logs = place.read("memory/2026-03-14.md");
    assert_eq!(logs.matches("- user: go on\n").count(), 2, "{logs}");
    assert_eq!(logs.matches("- user: a lamp\n").count(), 1, "{logs}");
    assert_eq!(
        place.read("memory/2026-03-16.md"),
        "## Session 08:00 [project]\n- user: a chair\n"
    );
    for note in [true, false] {
        if !note {
            place.remove(".hipocampus/captured.json");
        }
        good(fed(&place, &all, ""));
        logs = place.read("memory/2026-03-14.md");
        assert_eq!(logs.matches("- user: ").count(), 3, "{logs}");
    }
}

/// A session of Claude Code's from its start over a compaction and a fork to its end, with its hooks' JSON as it sends them, and one of Codex's.
#[test]
fn a_session_that_is_resumed_compacted_forked_and_ended_is_in_the_log_once() {
    let place = Place::new();
    let at = place.path("").display().to_string();
    let transcript = |id: &str| place.path(&format!("../{id}.jsonl"));
    let hook = |id: &str, event: &str, more: Value| {
        let mut hook = serde_json::json!({
            "session_id": id, "transcript_path": transcript(id), "cwd": at, "prompt_id": "d534b8c0-5733-46f1-959f-9f26a67c4a58",
            "hook_event_name": event,
        });
        hook.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        hook.to_string()
    };
    let line = |id: &str, uuid: &str, role: &str, said: &str, flag: &str| {
        serde_json::json!({
            "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": at, "sessionId": id, "version": "2.1.330",
            "gitBranch": "main", "type": role, "message": {"role": role, "content": [{"type": "text", "text": said}]},
            "uuid": uuid, "timestamp": "2026-03-14T23:50:00.000Z", flag: true,
        })
        .to_string()
            + "\n"
    };
    let history = |id: &str| {
        line(id, "u1", "user", "put up the walnut shelf", "x")
            + &line(id, "u2", "assistant", "It hangs.", "x")
            + &line(id, "u3", "user", "[Request interrupted by user]", "x")
            + &line(
                id,
                "u4",
                "user",
                "This session is being continued from a previous conversation.",
                "isCompactSummary",
            )
    };
    let day = ["--today", "2026-03-15"];
    let start = |json: &str| good(fed(&place, &[&["session", "start", "--stdin"][..], &day].concat(), json));
    let capture = |json: &str| good(fed(&place, &[&["capture", "--stdin"][..], &day].concat(), json));
    std::fs::write(transcript("one"), history("one")).unwrap();
    start(&hook("one", "SessionStart", serde_json::json!({"source": "startup"})));
    capture(&hook(
        "one",
        "PreCompact",
        serde_json::json!({"trigger": "auto", "custom_instructions": null}),
    ));
    start(&hook("one", "SessionStart", serde_json::json!({"source": "compact"})));
    start(&hook(
        "one",
        "SessionStart",
        serde_json::json!({"source": "resume", "seconds_since_last_response": 3, "context_tokens": 2}),
    ));
    capture(&hook("one", "SessionEnd", serde_json::json!({"reason": "other"})));
    std::fs::write(
        transcript("two"),
        history("two") + &line("two", "u5", "user", "and the lamp", "x"),
    )
    .unwrap();
    start(&hook("two", "SessionStart", serde_json::json!({"source": "fork"})));
    capture(&hook("two", "SessionEnd", serde_json::json!({"reason": "clear"})));
    capture(&hook("two", "SessionEnd", serde_json::json!({"reason": "other"})));
    let session = "## Session 23:50 [project]\n";
    assert_eq!(
        place.read("memory/2026-03-14.md"),
        format!(
            "{session}- user: put up the walnut shelf\n- assistant: It hangs.\n\n{session}- user: and the lamp\n"
        )
    );
    let codex = |event: &str, path: Value, more: &str| {
        format!(
            "{{\"session_id\":\"c\",\"turn_id\":\"t\",\"transcript_path\":{path},\"cwd\":{},\"hook_event_name\":\"{event}\",\"model\":\"gpt\",\"permission_mode\":\"default\",{more}}}",
            serde_json::json!(at)
        )
    };
    start(&codex("SessionStart", Value::Null, "\"source\":\"startup\""));
    assert_eq!(capture(&codex("SessionEnd", Value::Null, "\"reason\":\"other\"")), "");
    let item = |at: &str, role: &str, kind: &str, said: &str| {
        let payload =
            serde_json::json!({"type": "message", "role": role, "content": [{"type": kind, "text": said}]});
        serde_json::json!({"timestamp": at, "ordinal": 1, "type": "response_item", "payload": payload})
            .to_string()
            + "\n"
    };
    let rollout = transcript("rollout");
    let said = item(
        "2026-03-15T08:00:00.000Z",
        "user",
        "input_text",
        "# AGENTS.md instructions for /srv/w\n\n<INSTRUCTIONS>\n## Memory\n</INSTRUCTIONS>",
    ) + &item("2026-03-15T08:00:01.000Z", "user", "input_text", "paint the door green")
        + &item("2026-03-15T08:00:09.000Z", "assistant", "output_text", "It is green.");
    std::fs::write(&rollout, said).unwrap();
    for event in ["PreCompact", "SessionEnd"] {
        capture(&codex(event, serde_json::json!(rollout), "\"trigger\":\"manual\""));
    }
    assert_eq!(
        place.read("memory/2026-03-15.md"),
        "## Session 08:00 [project]\n- user: paint the door green\n- assistant: It is green.\n"
    );
}

#[test]
fn a_transcript_that_was_not_kept_is_nothing_and_a_text_that_is_none_is_said_to_be_none() {
    let place = Place::new();
    let capture = ["capture", "--stdin"];
    for path in [serde_json::json!("/nowhere/t.jsonl"), Value::Null] {
        let hook = serde_json::json!({"transcript_path": path}).to_string();
        let ran = fed(&place, &capture, &hook);
        let said = (ran.code, ran.stdout.as_str(), ran.stderr.as_str());
        assert_eq!(said, (Some(0), "", ""));
    }
    let ran = fed(&place, &capture, "{\"info\": {}}");
    assert!(
        ran.code == Some(0) && ran.stderr.contains("no transcript of a known shape"),
        "{ran:?}"
    );
}

#[test]
fn tidying_moves_the_oldest_of_what_was_learned_and_a_second_time_finds_nothing() {
    let place = Place::new();
    let learned: String = (0..70).map(|n| format!("- lesson {n}\n")).collect();
    place.write(
        "MEMORY.md",
        format!("## Core (Static)\n- mine\n\n## Adaptive (Dynamic)\n{learned}"),
    );
    place.write("TASK-QUEUE.md", "## Queued\n- [x] done\n- [ ] open\n");
    let before = place.read("MEMORY.md");
    good(told(&place, &["tidy", "--dry-run"]));
    assert_eq!(place.read("MEMORY.md"), before);
    let said = good(told(&place, &["tidy", "--today", "2026-03-15"]));
    assert!(said.contains("TASK-QUEUE.md: 1 entry removed\n  - [x] done\n"), "{said}");
    let (memory, archive) = (place.read("MEMORY.md"), place.read("knowledge/memory-adaptive.md"));
    assert!(memory.starts_with("## Core (Static)\n- mine\n\n## Adaptive (Dynamic)\n- older entries → knowledge/memory-adaptive.md\n- lesson 2"), "{memory}");
    for lesson in learned.lines() {
        let times = [&memory, &archive]
            .iter()
            .filter(|text| text.lines().any(|line| line == lesson))
            .count();
        assert_eq!(times, 1, "{lesson}");
    }
    assert_eq!(good(told(&place, &["tidy"])), "nothing to tidy\n");
}

#[test]
fn a_session_starts_with_what_is_over_its_size_and_what_is_due() {
    let place = Place::new();
    place.write("SCRATCHPAD.md", "x\n".repeat(151));
    let start: Value = serde_json::from_str(&good(told(&place, &["session", "start", "--json"]))).unwrap();
    assert_eq!(
        start["over"],
        serde_json::json!([{"file": "SCRATCHPAD.md", "lines": 151, "linesMax": 150}])
    );
    assert_eq!(start["due"], serde_json::json!([]), "it settles that");
    assert_eq!(start["settle"].as_array().unwrap().len(), 1);
    // OpenClaw's own file on the person has two lines for each thing it knows.
    place.remove("SCRATCHPAD.md");
    place.write(
        "USER.md",
        "<!-- observed: 2026-03-14 | status: active -->\nWrite in German.\n".repeat(40),
    );
    for (platform, is_told) in [("codex", true), ("openclaw", false)] {
        place.write("hipocampus.config.json", format!("{{\"platform\": \"{platform}\"}}"));
        let told = good(told(&place, &["session", "start"]));
        assert_eq!(told.contains("USER.md has 80 lines"), is_told, "{told}");
    }
}

#[test]
fn a_session_begins_on_a_tree_that_covers_all_and_hears_what_is_new_since_the_one_before() {
    let place = Place::new();
    let day = ["--today", "2026-03-15"];
    let start = |place: &Place| good(told(place, &[&["session", "start"], &day[..]].concat()));
    place.write("memory/2026-03-14.md", "## Shelf [project]\n- outcome: it holds\n");
    let said = start(&place);
    assert!(place.read("memory/ROOT.md").contains("Shelf"), "it is covered at once");
    assert!(!said.contains("new since"), "there was no session before: {said}");
    place.write("memory/2026-03-15.md", "## Lamp [project]\n- outcome: it is bright\n");
    let said = start(&place);
    assert!(
        said.contains("new since the session before (20") && said.contains("): Lamp\n"),
        "{said}"
    );
    assert!(place.read("memory/ROOT.md").contains("Lamp"));
    let said = start(&place);
    assert!(!said.contains("new since"), "it was told: {said}");
    let status: Value =
        serde_json::from_str(&good(told(&place, &[&["status", "--json"], &day[..]].concat()))).unwrap();
    assert_eq!((&status["due"], &status["backlog"]), (&serde_json::json!([]), &0.into()));
}

#[test]
fn a_session_waits_for_its_cooldown_where_a_cycle_may_cost_money() {
    let place = Place::new();
    place.configure("{\"summarizer\": \"mine\", \"summarizers\": {\"mine\": {\"command\": [\"false\"]}}}");
    place.write("memory/2026-03-15.md", "## Lamp [project]\n- outcome: it is bright\n");
    let start = told(&place, &["session", "start", "--today", "2026-03-15"]);
    let said = good(start);
    assert!(said.contains("a cycle is due (") && said.contains("no daemon runs"), "{said}");
    assert!(!place.path("memory/daily").join("2026-03-15.md").exists());
}

#[test]
fn what_a_session_leaves_is_covered_when_it_ends() {
    let place = Place::new();
    let line = serde_json::json!({"type": "user", "timestamp": "2026-03-15T10:00:00Z", "message": {"role": "user", "content": "the lamp comes from Porto"}});
    let capture = ["capture", "--stdin", "--today", "2026-03-15"];
    let said = good(fed(&place, &capture, &format!("{line}\n")));
    assert_eq!(said, "memory/2026-03-15.md: 1 message\n");
    assert!(place.read("memory/daily/2026-03-15.md").contains("Porto"));
}

#[test]
fn what_is_new_is_told_of_every_type_told_again_and_without_a_name_and_once() {
    let place = Place::new();
    let start = |id: &str| {
        let words = ["session", "start", "--session", id, "--today", "2026-03-15"];
        good(told(&place, &words))
    };
    let log = "## Kiln [project]\n- outcome: it burns\n";
    place.write("memory/2026-03-15.md", log);
    start("a");
    // The same name, other news; a rule; what was captured, which has no name.
    let log = format!(
        "{log}\n## Kiln [project]\n- outcome: it burned down\n\n## Reviews [feedback]\n- rule: short remarks\n\n\
         ## Session 10:00 [project]\n- user: move the Zanzibar trip to March\n"
    );
    place.write("memory/2026-03-15.md", &log);
    let said = start("b");
    for name in ["Kiln", "Reviews", "Zanzibar"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    // A session that goes on is no new one, and forgets nothing.
    assert!(start("b").contains("goes on"));
    let said = start("c");
    assert!(!said.contains("new since"), "nothing was written: {said}");
}

/// Claude Code hands on 10,000 characters of what a hook prints.
#[test]
fn what_a_session_hears_at_its_start_is_short_however_much_there_is_to_say() {
    let place = Place::new();
    let start = |place: &Place| good(told(place, &["session", "start", "--today", "2026-03-15"]));
    start(&place);
    let name = |n: usize| format!("Shelf {n} {}", "of the long hall in the house by the lake ".repeat(10));
    let log: String = (0..300)
        .map(|n| format!("## {}\n- outcome: it holds {n}\n\n", name(n)))
        .collect();
    place.write("memory/2026-03-15.md", log);
    let tasks: String = (0..300)
        .map(|n| format!("## {}\n- status: in-progress\n- goal: books\n\n", name(n)))
        .collect();
    place.write("WORKING.md", format!("# Working\n\n{tasks}"));
    place.write("SCRATCHPAD.md", "x\n".repeat(500));
    let said = start(&place);
    assert!(said.contains("new since the session before"), "{said}");
    assert!(said.contains("288 more tasks are in progress"), "{said}");
    assert!(said.contains("SCRATCHPAD.md has 500 lines"), "{said}");
    assert!(said.chars().count() < 9_000, "{}", said.chars().count());
}
