//! Settings files of every shape.

use serde_json::{Value, json};

use super::*;

const ROOT: &str = "memory/ROOT.md";

fn take_out(text: &str) -> Result<Option<String>, String> {
    put(text, "", &[])
}

#[test]
fn an_empty_file_gets_an_entry_for_every_event_and_a_second_time_changes_nothing() {
    let made = put("", "hipocampusd", &CLAUDE_CODE).unwrap().unwrap();
    let value: Value = serde_json::from_str(&made).unwrap();
    for (event, command, timeout) in CLAUDE_CODE {
        let command = format!("hipocampusd {command}");
        let hook = &value["hooks"][event][0]["hooks"][0];
        assert_eq!(*hook, json!({"type": "command", "command": command, "timeout": timeout}));
    }
    assert_eq!(put(&made, "hipocampusd", &CLAUDE_CODE), Ok(None));
    assert_eq!(take_out(&made).unwrap().unwrap().trim(), "{}");
}

#[test]
fn everything_else_keeps_its_order_and_its_layout() {
    let mine = "{\n    \"zeta\": 1.50,\n    \"hooks\": {\n        \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}]\n    },\n    \"alpha\": [1,2]\n}\n";
    let made = put(mine, "hipocampusd", &CLAUDE_CODE).unwrap().unwrap();
    assert!(
        made.starts_with("{\n    \"zeta\": 1.50,\n    \"hooks\": {\n        \"Stop\": [{\"hooks\": [{"),
        "{made}"
    );
    assert!(made.ends_with("    \"alpha\": [1,2]\n}\n"), "{made}");
    serde_json::from_str::<Value>(&made).unwrap();
    let without: Value = serde_json::from_str(&take_out(&made).unwrap().unwrap()).unwrap();
    assert_eq!(without, serde_json::from_str::<Value>(mine).unwrap());
}

#[test]
fn a_command_beside_ours_in_one_entry_stays() {
    let mine = r#"{"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "mine"}, {"type": "command", "command": "hipocampusd old"}]}]}}"#;
    let made: Value =
        serde_json::from_str(&put(mine, "hipocampusd", &CLAUDE_CODE).unwrap().unwrap()).unwrap();
    assert_eq!(made["hooks"]["SessionStart"][0]["hooks"].as_array().unwrap().len(), 1);
    assert_eq!(made["hooks"]["SessionStart"][0]["matcher"], "startup");
    assert_eq!(made["hooks"]["SessionStart"].as_array().unwrap().len(), 2);
}

#[test]
fn hooks_of_the_older_tool_go() {
    let old = r#"{"hooks": {"TaskCompleted": [{"hooks": [{"type": "command", "command": "npx hipocampus compact"}]}]}}"#;
    let made: Value = serde_json::from_str(&put(old, "hipocampusd", &CLAUDE_CODE).unwrap().unwrap()).unwrap();
    assert_eq!(made["hooks"].get("TaskCompleted"), None);
    assert_eq!(made["hooks"].as_object().unwrap().len(), 4);
}

#[test]
fn what_cannot_be_understood_is_refused() {
    let error = put("{", "hipocampusd", &CLAUDE_CODE).unwrap_err();
    assert!(error.starts_with("is not JSON: "), "{error}");
    assert_eq!(put("[]", "hipocampusd", &CLAUDE_CODE), Err(shape("the file")));
    assert_eq!(put(r#"{"hooks": 1}"#, "hipocampusd", &CLAUDE_CODE), Err(shape("hooks")));
    assert_eq!(
        put(r#"{"hooks": {"PreCompact": {}}}"#, "hipocampusd", &CLAUDE_CODE),
        Err(shape("hooks"))
    );
    assert_eq!(take_out(r#"{"a": 1}"#), Ok(None));
}

#[test]
fn a_hook_of_ours_without_its_timeout_gets_it_and_stays_one() {
    let [(event, command, _), ..] = CLAUDE_CODE;
    let command = format!("hipocampusd {command}");
    let old = json!({"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}}).to_string();
    let made: Value =
        serde_json::from_str(&put(&old, "hipocampusd", &CLAUDE_CODE).unwrap().unwrap()).unwrap();
    assert_eq!(made["hooks"][event].as_array().unwrap().len(), 1);
    assert_eq!(made["hooks"][event][0]["hooks"][0]["timeout"], 10);
}

#[test]
fn root_is_one_of_opencodes_instructions_once_and_others_stay() {
    let made = instruct("", Some(ROOT), ROOT).unwrap().unwrap();
    let value: Value = serde_json::from_str(&made).unwrap();
    assert_eq!(value["instructions"], json!(["memory/ROOT.md"]));
    assert_eq!(instruct(&made, Some(ROOT), ROOT), Ok(None));
    assert_eq!(instruct(&made, None, ROOT), Ok(Some(String::new())));

    let theirs = "{\n  // mine\n  \"model\": \"a/b\",\n  \"instructions\": [\"docs/style.md\"]\n}\n";
    let made = instruct(theirs, Some(ROOT), ROOT).unwrap().unwrap();
    assert!(
        made.contains("\"docs/style.md\", \"memory/ROOT.md\"") && made.contains("// mine"),
        "{made}"
    );
    assert_eq!(instruct(&made, None, ROOT).unwrap().unwrap(), theirs);
    assert_eq!(instruct(theirs, None, ROOT), Ok(None));
    // Where it lay before it is not any more.
    let moved = instruct(&made, Some("hipocampus/ROOT.md"), ROOT).unwrap().unwrap();
    assert_eq!(moved, made.replace(ROOT, "hipocampus/ROOT.md"));
    assert_eq!(instruct(&moved, Some(ROOT), "hipocampus/ROOT.md"), Ok(Some(made)));
    let odd = "{\"instructions\": \"docs/style.md\"}";
    assert_eq!(instruct(odd, Some(ROOT), ROOT), Err(shape("instructions")));
    assert_eq!(instruct(odd, None, ROOT), Err(shape("instructions")));
}

#[test]
fn a_hook_that_is_not_wanted_any_more_goes_and_a_program_by_its_path_is_ours_too() {
    let made = put("", "'/opt/my tools/hipocampusd'", &CLAUDE_CODE).unwrap().unwrap();
    let value: Value = serde_json::from_str(&made).unwrap();
    assert_eq!(
        value["hooks"]["UserPromptSubmit"][0]["hooks"][0],
        json!({"type": "command", "command": "'/opt/my tools/hipocampusd' recall --prompt --dir \"$CLAUDE_PROJECT_DIR\"", "timeout": 5})
    );
    let fewer: Vec<Hook> = CLAUDE_CODE.into_iter().filter(|hook| hook.0 != BEFORE_PROMPT).collect();
    let made = put(&made, "hipocampusd", &fewer).unwrap().unwrap();
    assert!(!made.contains("UserPromptSubmit") && !made.contains("/opt/"), "{made}");
    assert_eq!(made.matches("hipocampusd session start").count(), 1, "{made}");
    assert_eq!(take_out(&made).unwrap().unwrap().trim(), "{}");
}
