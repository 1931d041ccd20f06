//! The schema, and the names that are near to others.

use super::*;
use crate::config::{Platform, UserConfig};

#[test]
fn what_only_the_user_can_set_is_in_the_schema() {
    let schema = schema();
    for name in USER_ONLY {
        assert!(schema["properties"].get(name).is_some(), "{name}");
    }
}

#[test]
fn every_choice_of_the_schema_is_one_of_the_program() {
    for name in ["claude-code", "openclaw", "opencode", "codex"] {
        let config: UserConfig = typed(&json!({ "platform": name }));
        assert_eq!(config.defaults.platform.map(Platform::name), Some(name));
    }
    let schema = schema();
    let platforms = schema["properties"]["platform"]["enum"].as_array().unwrap();
    assert_eq!(platforms.len(), Platform::ALL.len() + 1, "and null");
    let presets = &schema["properties"]["summarizers"]["additionalProperties"]["properties"]["preset"];
    for name in presets["enum"].as_array().unwrap() {
        let config: UserConfig = typed(&json!({"summarizers": {"a": {"preset": name}}}));
        assert_eq!(config.summarizers["a"].preset.is_some(), name.is_string(), "{name}");
    }
}

#[test]
fn a_misspelt_name_is_near_to_what_was_meant() {
    let near = |path: &str| nearest(&path.split('.').map(String::from).collect::<Vec<_>>());
    for (path, meant) in [
        ("compaction.coolDownHours", Some("compaction.cooldownHours")),
        ("rootMaxTokens", Some("compaction.rootMaxTokens")),
        ("Timezone", Some("timezone")),
        ("workspace", Some("workspaces")),
        ("vualt", Some("vault")),
        ("domains", None),
        ("search.engine", None),
    ] {
        assert_eq!(near(path).as_deref(), meant, "{path}");
    }
    assert_eq!(nearest(&["vault.keepDays".to_owned()]).as_deref(), Some("vault.keepDays"));
}
