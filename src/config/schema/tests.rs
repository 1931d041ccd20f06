//! The schema, its rows, and the names that are near to others.

use super::*;
use crate::config::{SummarizerCommand, UserConfig};

#[test]
fn the_types_have_the_fields_and_the_defaults_of_the_schema() {
    let types = serde_json::to_value(UserConfig::default()).unwrap();
    let sections = schema()["properties"].as_object().unwrap();
    assert_eq!(types.as_object().unwrap().len(), sections.len());
    for (name, section) in sections {
        let default = serde_json::to_value(&types[name]).unwrap();
        assert_eq!(default, section["default"], "{name}");
        for (field, inner) in section["properties"].as_object().into_iter().flatten() {
            let whole = |value: &Value| value.as_f64().map_or(value.clone(), Value::from);
            assert_eq!(
                whole(&section["default"][field]),
                whole(&inner["default"]),
                "{name}.{field}"
            );
        }
    }
    let program = &schema()["properties"]["summarizers"]["additionalProperties"]["properties"];
    let command: SummarizerCommand = serde_json::from_value(
        program
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, field)| (name.clone(), field["default"].clone()))
            .collect(),
    )
    .unwrap();
    assert_eq!(
        serde_json::to_value(command).unwrap().as_object().unwrap().len(),
        program.as_object().unwrap().len()
    );
}

#[test]
fn every_field_has_a_meaning() {
    for row in field_rows() {
        assert!(!row.meaning.is_empty() && !row.meaning.contains('|'), "{row:?}");
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
    assert_eq!(
        nearest(&["vault.keepDays".to_owned()]).as_deref(),
        Some("vault.keepDays")
    );
}
