//! What hooks hand in.

use super::*;

#[test]
fn a_prompt_is_read_from_a_hook_and_as_it_is() {
    let hook = r#"{"session_id": "s", "cwd": "/w", "hook_event_name": "UserPromptSubmit", "prompt": "where is the key?"}"#;
    assert_eq!(prompt_of(hook), ("where is the key?".to_owned(), Some("/w".into())));
    assert_eq!(prompt_of("where is it?\n"), ("where is it?\n".to_owned(), None));
    assert_eq!(prompt_of("[1, 2]").0, "[1, 2]");
    assert_eq!(prompt_of(r#"{"cwd": ""}"#), (String::new(), None));
}
