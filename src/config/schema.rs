//! `config/schema.json`, which editors know as well: a file is held against it, and what the file does not say is filled in from it.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::memory::text::escaped;
use crate::memory::tree_folder::TreeFolder;

/// The name that stands for any summarizer's in a path.
const ANY_NAME: &str = "NAME";
pub(super) const USER_ONLY: [&str; 3] = ["workspaces", "summarizers", "qmd"];
/// The longest line of text that a field takes, in bytes: the longest path of Linux.
const LINE_BYTES_MAX: usize = 4096;
/// How many letters of a wrong text a message repeats: enough to find it, and one line of a terminal holds the message.
const SHOWN_MAX: usize = 60;

/// Fields that it does not know are allowed, as they are in a file, where they are warned about.
pub fn schema() -> Value {
    serde_json::from_str(include_str!("../../config/schema.json")).expect("the schema is JSON")
}

/// A checked file in its type; what it does not say is as the schema has it.
pub(super) fn typed<T: DeserializeOwned>(file: &Value) -> T {
    let whole = filled(&schema(), file);
    serde_json::from_value(whole).expect("the types take what the schema allows")
}

fn filled(schema: &Value, said: &Value) -> Value {
    if let Some(fields) = schema["properties"].as_object() {
        let field = |(name, inner): (&String, &Value)| (name.clone(), filled(inner, &said[name]));
        return fields.iter().map(field).collect();
    }
    match (said, schema.get("additionalProperties")) {
        (Value::Object(members), Some(any)) => {
            let member = |(name, inner): (&String, &Value)| (name.clone(), filled(any, inner));
            members.iter().map(member).collect()
        }
        (Value::Null, Some(_)) => json!({}),
        (Value::Null, None) => schema["default"].clone(),
        _ => said.clone(),
    }
}

/// Holds a value against its schema. JSON has one kind of number: the 3.0 that a whole field is given becomes 3. The error says what is
/// wrong, and `names` lead to it then; `unknown` gets the names that lead to each field that the schema does not have.
pub(crate) fn check(
    schema: &Value,
    value: &mut Value,
    names: &mut Vec<String>,
    unknown: &mut Vec<Vec<String>>,
) -> Result<(), String> {
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    let number = value.as_f64().filter(|number| {
        let is_over = schema["minimum"].as_f64().is_none_or(|min| *number >= min);
        is_over && schema["maximum"].as_f64().is_none_or(|max| *number <= max)
    });
    match (kind.unwrap_or_default(), &mut *value) {
        (_, Value::Null) if schema["type"][1] == "null" => {}
        ("object", Value::Object(members)) => {
            for (name, member) in members {
                names.push(name.clone());
                let any = schema.get("additionalProperties").filter(|any| any.is_object());
                match schema["properties"].get(name).or(any) {
                    Some(inner) => check(inner, member, names, unknown)?,
                    None => unknown.push(names.clone()),
                }
                names.pop();
            }
        }
        ("array", Value::Array(elements)) => {
            for (at, element) in elements.iter_mut().enumerate() {
                names.push(at.to_string());
                let first = schema["prefixItems"].get(at);
                check(first.unwrap_or(&schema["items"]), element, names, unknown)?;
                names.pop();
            }
        }
        ("boolean", Value::Bool(_)) => {}
        ("number", _) if number.is_some() => {}
        ("integer", _) if number.is_some_and(|number| number.fract() == 0.0) => {
            *value = number.map_or(Value::Null, |number| json!(number as u64));
        }
        ("string", Value::String(text)) => {
            let (must, is_right) = rule_of(schema, text);
            if !is_right {
                return Err(wrong(must, quoted(text)));
            }
        }
        (kind, _) => return Err(wrong(expected(kind, schema), described(value))),
    }
    Ok(())
}

fn expected(kind: &str, schema: &Value) -> String {
    let range = || format!("{} to {}", schema["minimum"], schema["maximum"]);
    match kind {
        "object" => "an object in braces".to_owned(),
        "array" => "a list of texts in brackets".to_owned(),
        "boolean" => "true or false".to_owned(),
        "integer" => format!("a whole number from {}", range()),
        "number" => format!("a number from {}", range()),
        _ => "a text in quotes".to_owned(),
    }
}

fn rule_of(schema: &Value, text: &str) -> (String, bool) {
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return (format!("one of {}", choices.join(", ")), choices.contains(&text));
    }
    let is_below = |text: &str| text.starts_with('/') || text.starts_with("~/");
    let (must, is_right) = match schema["format"].as_str().unwrap_or_default() {
        "line" => ("a line of text that is not empty", is_line(text)),
        "time-zone" => (
            "the IANA name of a time zone, as Europe/Berlin",
            tzdb_data::find_tz(text.as_bytes()).is_some(),
        ),
        "tree-folder" => (TreeFolder::MUST, TreeFolder::parse(text).is_some()),
        "folders" => (
            "a folder or a glob that begins with / or ~/",
            (is_below(text) || text == "~") && is_line(text) && glob::Pattern::new(text).is_ok(),
        ),
        // A bare name is looked up on the PATH. A relative path could name a program that a cloned workspace brought along.
        "program" => (
            "a program's bare name, or a path that begins with / or ~/",
            (is_below(text) || !text.contains('/')) && is_line(text),
        ),
        "argument" => ("a text without a NUL character", !text.contains('\0')),
        "variable" => {
            let bare = text.strip_suffix('*').unwrap_or(text);
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            (
                "the name of a variable, or the beginning of one and a *",
                !bare.is_empty() && bare.bytes().all(is_plain),
            )
        }
        _ => ("", true),
    };
    (must.to_owned(), is_right)
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= LINE_BYTES_MAX && !text.chars().any(char::is_control)
}

pub(super) fn wrong(must: impl Display, found: impl Display) -> String {
    format!("must be {must}, not {found}")
}

/// A number as it is, of anything else only its kind: what stands in the wrong place may be a secret.
fn described(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

pub(super) fn dotted(names: &[String]) -> String {
    let is_odd = |name: &str| name.is_empty() || name.contains('.');
    let shown = |name: &String| if is_odd(name) { quoted(name) } else { short(name) };
    names.iter().map(shown).collect::<Vec<_>>().join(".")
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

/// The beginning of a text for a message, nothing in it that a terminal would obey.
fn short(text: &str) -> String {
    let beginning: String = text.chars().take(SHOWN_MAX).collect();
    let rest = if beginning.len() < text.len() { "…" } else { "" };
    escaped(&beginning) + rest
}

/// The dotted paths of all fields and of what holds them, as `compaction` and `compaction.rootMaxTokens`, below a path.
pub(super) fn fields(schema: &Value, path: &str, found: &mut Vec<String>) {
    let any = schema.get("additionalProperties").map(|any| (ANY_NAME, any));
    let named = schema["properties"].as_object().into_iter().flatten();
    for (name, inner) in named.map(|(name, inner)| (name.as_str(), inner)).chain(any) {
        let dot = if path.is_empty() { "" } else { "." };
        let path = format!("{path}{dot}{name}");
        fields(inner, &path, found);
        found.push(path);
    }
}

/// The dotted path of the field whose path or name is nearest to these names, if one is near.
pub(super) fn nearest(names: &[String]) -> Option<String> {
    let meant = names.join(".").to_lowercase();
    let last = names.last()?.to_lowercase();
    let distance = |field: &String| {
        let field = field.to_lowercase();
        let name = field.rsplit('.').next().unwrap_or(&field);
        strsim::osa_distance(&field, &meant).min(strsim::osa_distance(name, &last))
    };
    let mut all = Vec::new();
    fields(&schema(), "", &mut all);
    all.retain(|field| !field.contains(ANY_NAME));
    let near = all.into_iter().min_by_key(distance)?;
    // One letter in three may be wrong: less, and `domains` is taken for `daemon`.
    (distance(&near) * 3 <= last.chars().count()).then_some(near)
}

#[cfg(test)]
mod tests;
