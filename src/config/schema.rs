//! The configuration's JSON schema, for editors: made from the very table that files are checked against, so that what it
//! accepts and what the program accepts are one.

use serde_json::{Map, Value, json};

use super::Platform;
use super::fields::{ANY_NAME, FIELDS, Field, Kind};

/// The schema of a workspace's file and of the user's own.
///
/// Fields that it does not know are allowed, as they are in a file, where they are warned about.
#[must_use]
pub fn schema() -> Value {
    let mut root = object();
    root.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    root.insert("title".to_owned(), json!("hipocampusd"));
    root.insert(
        "description".to_owned(),
        json!("hipocampus.config.json of a workspace, and the user's own config.json"),
    );
    for field in FIELDS {
        place(
            &mut root,
            field.path.split('.').collect::<Vec<_>>().as_slice(),
            of_field(field),
        );
    }
    Value::Object(root)
}

fn object() -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("type".to_owned(), json!("object"));
    map
}

/// Puts a field's schema where its path says; `NAME` is any name.
fn place(parent: &mut Map<String, Value>, path: &[&str], schema: Value) {
    let Some((&name, rest)) = path.split_first() else {
        return;
    };
    let slot = if name == ANY_NAME {
        parent
            .entry("additionalProperties")
            .or_insert_with(|| Value::Object(object()))
    } else {
        let properties = parent.entry("properties").or_insert_with(|| json!({}));
        &mut properties[name]
    };
    if rest.is_empty() {
        *slot = schema;
        return;
    }
    if !slot.is_object() {
        *slot = Value::Object(object());
    }
    if let Some(inner) = slot.as_object_mut() {
        place(inner, rest, schema);
    }
}

fn of_field(field: &Field) -> Value {
    let mut schema = match field.kind {
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Whole { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        Kind::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
        Kind::Text(_) => json!({"type": "string", "minLength": 1}),
        Kind::List { count_min, .. } => {
            json!({"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": count_min})
        }
    };
    if field.path == "platform" {
        let mut names: Vec<Value> = Platform::ALL
            .iter()
            .map(|platform| json!(platform.as_str()))
            .collect();
        names.push(Value::Null);
        schema = json!({ "enum": names });
    } else if field.is_nullable() {
        schema["type"] = json!([schema["type"].clone(), "null"]);
    }
    schema["description"] = json!(field.meaning);
    // A program has no default; the empty list in its place is only a form.
    if field.path != "summarizers.NAME.command" {
        schema["default"] = field.default();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::super::fields::default_tree;
    use super::*;

    #[test]
    fn the_schema_in_the_repository_is_the_one_that_the_table_gives() {
        let kept: Value = serde_json::from_str(include_str!("../../config/schema.json")).unwrap();
        assert_eq!(
            kept,
            schema(),
            "write it anew: hipocampusd generate schema > config/schema.json"
        );
    }

    #[test]
    fn every_field_of_the_defaults_is_in_the_schema_and_the_other_way_round() {
        fn walk(schema: &Value, defaults: &Value, at: &str) {
            let Some(members) = defaults.as_object() else {
                assert_eq!(schema.get("properties"), None, "{at}");
                return;
            };
            for (name, value) in members {
                let inner = if name == ANY_NAME {
                    &schema["additionalProperties"]
                } else {
                    &schema["properties"][name]
                };
                assert!(inner.is_object(), "{at}.{name}");
                walk(inner, value, &format!("{at}.{name}"));
            }
            let known = schema["properties"].as_object().map_or(1, Map::len);
            assert_eq!(known, members.len(), "{at}");
        }
        walk(&schema(), &default_tree(), "");
    }
}
