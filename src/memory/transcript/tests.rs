//! Transcripts of each platform's shape, as its program writes them.

use serde_json::{Value, json};

use super::*;

fn said(transcript: &str) -> String {
    messages(transcript).iter().filter_map(line).collect()
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// A line of Claude Code's transcript.
fn claude(uuid: &str, role: &str, content: impl Into<Value>) -> Value {
    let content: Value = content.into();
    json!({
        "parentUuid": null, "isSidechain": false, "type": role, "uuid": uuid, "cwd": "/srv/w", "sessionId": "s", "version": "2.1.330",
        "gitBranch": "main", "timestamp": "2026-03-15T23:50:00.000Z", "message": {"role": role, "content": content},
    })
}

fn with(mut value: Value, name: &str, flag: Value) -> Value {
    value[name] = flag;
    value
}

#[test]
fn of_claude_codes_lines_what_was_said_is_kept_and_nothing_that_nobody_said() {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let summary = "This session is being continued from a previous conversation that ran out of context. The shelf fell.";
    let mut of_the_program = claude("8", "assistant", text("No response requested."));
    of_the_program["message"]["model"] = json!("<synthetic>");
    let transcript = lines(&[
        json!({"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-03-15T20:00:00.000Z", "sessionId": "s"}),
        claude("1", "user", json!("put up the shelf")),
        claude(
            "2",
            "assistant",
            json!([{"type": "text", "text": "It\nholds."}, {"type": "tool_use", "id": "t", "name": "x", "input": {}}]),
        ),
        claude(
            "3",
            "user",
            json!([{"type": "tool_result", "tool_use_id": "t", "content": "a result"}]),
        ),
        with(claude("4", "user", json!("a note")), "isMeta", json!(true)),
        with(
            with(claude("5", "user", json!(summary)), "isCompactSummary", json!(true)),
            "isVisibleInTranscriptOnly",
            json!(true),
        ),
        claude("6", "user", json!(summary)),
        claude("7", "user", text("[Request interrupted by user]")),
        of_the_program,
        with(
            claude("9", "assistant", text("API Error: 529")),
            "isApiErrorMessage",
            json!(true),
        ),
        claude("10", "user", json!("<bash-input>ls</bash-input>")),
        claude("11", "user", json!("<bash-stdout>a b</bash-stdout><bash-stderr></bash-stderr>")),
        claude("12", "user", json!("<command-name>/x</command-name>")),
        claude(
            "13",
            "user",
            json!([{"type": "text", "text": "<system-reminder>a rule</system-reminder>"}, {"type": "text", "text": "and the lamp"}]),
        ),
        claude("14", "assistant", text("Caveat: The lamp is warm.")),
        with(claude("15", "assistant", text("a subagent")), "isSidechain", json!(true)),
        json!({
            "type": "api-request-blob", "sessionId": "s", "hash": "0",
            "message": {"role": "user", "content": text("put up the shelf")},
        }),
    ]) + "{ broken\n";
    assert_eq!(
        said(&transcript),
        "- user: put up the shelf\n- assistant: It holds.\n- user: and the lamp\n- assistant: Caveat: The lamp is warm.\n"
    );
    assert_eq!(messages(&transcript)[0].at, Some("2026-03-15T23:50:00Z".parse().unwrap()));
}

#[test]
fn a_copy_of_a_message_is_known_and_the_same_words_said_again_are_another_message() {
    let ids = |value: Value| messages(&lines(&[value]))[0].id;
    let one = claude("u-1", "user", json!("go on"));
    let copy = with(
        with(one.clone(), "sessionId", json!("fork")),
        "timestamp",
        json!("2026-03-16T01:00:00Z"),
    );
    assert_eq!(ids(one.clone()), ids(copy));
    assert_ne!(ids(one), ids(claude("u-2", "user", json!("go on"))));
    let codex = |at: &str| json!({"timestamp": at, "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]}});
    let at = "2026-03-15T23:50:00Z";
    assert_eq!(ids(codex(at)), ids(codex(at)));
    assert_ne!(ids(codex(at)), ids(codex("2026-03-15T23:51:00Z")));
    let with_id = |at: &str| {
        let mut item = codex(at);
        item["payload"]["id"] = json!("msg_0123");
        item
    };
    assert_eq!(ids(with_id(at)), ids(with_id("2026-03-15T23:51:00Z")));
}

#[test]
fn codexs_own_blocks_are_not_the_persons_words() {
    let item = |role: &str, kind: &str, texts: &[&str]| {
        let parts: Vec<Value> = texts.iter().map(|text| json!({"type": kind, "text": text})).collect();
        json!({"timestamp": "2026-03-15T23:50:00.000Z", "ordinal": 1, "type": "response_item", "payload": {"type": "message", "role": role, "content": parts}})
    };
    let block = "# AGENTS.md instructions for /srv/w\n\n<INSTRUCTIONS>\n## Memory\n</INSTRUCTIONS>";
    let transcript = lines(&[
        json!({"timestamp": "2026-03-15T23:49:00.000Z", "type": "session_meta", "payload": {"id": "s", "cwd": "/srv/w"}}),
        item("developer", "input_text", &["<permissions instructions>"]),
        item(
            "user",
            "input_text",
            &[
                block,
                "<environment_context>\n  <cwd>/srv/w</cwd>\n</environment_context>",
            ],
        ),
        item("user", "input_text", &[block, "put up the shelf"]),
        json!({"timestamp": "2026-03-15T23:50:00.000Z", "type": "event_msg", "payload": {"type": "user_message", "message": "put up the shelf"}}),
        item(
            "user",
            "input_text",
            &["<turn_aborted>\nThe user interrupted.\n</turn_aborted>"],
        ),
        item("user", "input_text", &["<user_instructions>x</user_instructions>"]),
        item("user", "input_text", &["<skill>\n<name>x</name>"]),
        item("assistant", "output_text", &["It holds."]),
    ]);
    assert_eq!(said(&transcript), "- user: put up the shelf\n- assistant: It holds.\n");
}

#[test]
fn an_export_of_opencode_is_read_with_its_times() {
    let part = |text: &str| json!({"id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1", "type": "text", "text": text});
    let message = |id: &str, role: &str, parts: Value| json!({"info": {"id": id, "sessionID": "ses_1", "role": role, "time": {"created": 1_773_618_600_000_i64}}, "parts": parts});
    let mut summary = message("msg_3", "assistant", json!([part("## Goal")]));
    summary["info"]["summary"] = json!(true);
    let export = json!({
        "info": {"id": "ses_1", "title": "New session", "time": {"created": 1_773_618_000_000_i64}},
        "messages": [
            message("msg_1", "user", json!([part("put up the shelf"), with(part("Called the Read tool"), "synthetic", json!(true))])),
            message("msg_2", "assistant", json!([{"type": "step-start"}, part("It holds."), {"type": "tool", "tool": "bash"}])),
            summary,
        ],
    });
    for text in [export.to_string(), format!("{export:#}\n")] {
        assert_eq!(said(&text), "- user: put up the shelf\n- assistant: It holds.\n");
        let first = &messages(&text)[0];
        assert_eq!(first.at, Some("2026-03-15T23:50:00Z".parse().unwrap()));
        assert!(first.id.is_some());
    }
}

#[test]
fn no_secret_and_no_long_message_passes() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let message = format!("{} {secret} end", "word ".repeat(116));
    let line = said(&lines(&[claude("1", "user", json!(message))]));
    assert!(!line.contains("ghp_a1B2"), "{line}");
    assert!(line.chars().count() < 700);
}

#[test]
fn marks_of_what_is_private_may_be_nested_and_spelled_otherwise() {
    for (message, kept) in [
        ("a <private x=\"y\">b</private> c", "- user: a c\n"),
        ("a < private >b< / private > c", "- user: a c\n"),
        ("a <private>b<private>c</private>d</private> e", "- user: a e\n"),
        ("a <private>b", "- user: a\n"),
        ("a </private> b", "- user: a </private> b\n"),
        ("the <privateer> sails", "- user: the <privateer> sails\n"),
    ] {
        assert_eq!(said(&lines(&[claude("1", "user", json!(message))])), kept, "{message}");
    }
}

#[test]
fn what_is_private_stays_in_the_transcript() {
    let transcript = lines(&[
        claude("1", "user", json!("the door <private>opens with\n4711</private> opens")),
        claude("2", "assistant", json!("yes <PRIVATE>and never")),
        claude("3", "user", json!("hello")),
        claude("4", "user", json!("<private>x</private>")),
    ]);
    assert_eq!(said(&transcript), "- user: the door opens\n- assistant: yes\n- user: hello\n");
    assert_eq!(said("nothing was said\n"), "");
}

#[test]
fn what_is_said_behind_a_long_listing_is_kept() {
    let listing = "let shelf = board;\n".repeat(10_000);
    let text = format!("It falls:\n```\n{listing}```\nWhich screw holds it?");
    let message = Message { role: "user", text, at: None, id: None };
    assert_eq!(line(&message).unwrap(), "- user: It falls: Which screw holds it?\n");
}
