//! Settings files of every shape.

use serde_json::Value;

use super::*;

#[test]
fn an_empty_file_gets_an_entry_for_every_event_and_a_second_time_changes_nothing() {
    let made = put("").unwrap().unwrap();
    let value: Value = serde_json::from_str(&made).unwrap();
    for (event, command) in HOOKS {
        assert_eq!(value["hooks"][event][0]["hooks"][0]["command"], command);
    }
    assert_eq!(put(&made), Ok(None));
    assert_eq!(take_out(&made).unwrap().unwrap().trim(), "{}");
}

#[test]
fn everything_else_keeps_its_order_and_its_layout() {
    let mine = "{\n    \"zeta\": 1.50,\n    \"hooks\": {\n        \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}]\n    },\n    \"alpha\": [1,2]\n}\n";
    let made = put(mine).unwrap().unwrap();
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
    let made: Value = serde_json::from_str(&put(mine).unwrap().unwrap()).unwrap();
    assert_eq!(
        made["hooks"]["SessionStart"][0]["hooks"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(made["hooks"]["SessionStart"][0]["matcher"], "startup");
    assert_eq!(made["hooks"]["SessionStart"].as_array().unwrap().len(), 2);
}

#[test]
fn hooks_of_the_older_tool_go() {
    let old = r#"{"hooks": {"TaskCompleted": [{"hooks": [{"type": "command", "command": "npx hipocampus compact"}]}]}}"#;
    let made: Value = serde_json::from_str(&put(old).unwrap().unwrap()).unwrap();
    assert_eq!(made["hooks"].get("TaskCompleted"), None);
    assert_eq!(made["hooks"].as_object().unwrap().len(), 3);
}

#[test]
fn what_cannot_be_understood_is_refused() {
    assert!(matches!(put("{"), Err(HooksError::NotJson(_))));
    assert_eq!(put("[]"), Err(HooksError::Shape("the file")));
    assert_eq!(put(r#"{"hooks": 1}"#), Err(HooksError::Shape("hooks")));
    assert_eq!(
        put(r#"{"hooks": {"PreCompact": {}}}"#),
        Err(HooksError::Shape("hooks"))
    );
    assert_eq!(take_out(r#"{"a": 1}"#), Ok(None));
}
