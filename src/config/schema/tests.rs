//! The schema, its rows, and the names that are near to others.

use super::*;

#[test]
fn the_schema_in_the_repository_is_the_one_that_the_types_give() {
    let kept: Value = serde_json::from_str(include_str!("../../../config/schema.json")).unwrap();
    assert_eq!(
        kept,
        schema(),
        "write it anew: hipocampusd generate schema > config/schema.json"
    );
}

#[test]
fn every_field_has_a_meaning_and_the_users_own_are_named() {
    for row in field_rows() {
        assert!(!row.meaning.is_empty() && !row.meaning.contains('|'), "{row:?}");
    }
    let fields = serde_json::to_value(UserFields::default()).unwrap();
    let names: Vec<&String> = fields.as_object().unwrap().keys().collect();
    assert_eq!(names, USER_ONLY.iter().collect::<Vec<_>>());
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
    assert_eq!(
        nearest(&["vault.keepDays".to_owned()]).as_deref(),
        Some("vault.keepDays")
    );
}
