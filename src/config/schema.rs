//! The configuration's JSON schema, `config/schema.json`, for editors and for the program itself; and what else follows from
//! it: the rows of the documented tables, and the field that a misspelt name may have meant.

use std::sync::LazyLock;

use serde_json::Value;

/// The name that stands for any summarizer's in a path.
const ANY_NAME: &str = "NAME";
/// What only the user's own configuration can set.
pub(super) const USER_ONLY: [&str; 3] = ["workspaces", "summarizers", "qmd"];

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../config/schema.json")).expect("the schema is JSON")
});

static OF_WORKSPACES: LazyLock<Value> = LazyLock::new(|| {
    let mut fields = SCHEMA.clone();
    for name in USER_ONLY {
        fields["properties"][name].take();
    }
    fields
});

/// The schema of a workspace's file and of the user's own.
///
/// Fields that it does not know are allowed, as they are in a file, where they are warned about.
pub fn schema() -> &'static Value {
    &SCHEMA
}

/// Of it what a workspace can set.
pub(super) fn of_workspaces() -> &'static Value {
    &OF_WORKSPACES
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRow {
    /// The dotted path, as `compaction.rootMaxTokens`; `NAME` stands for a summarizer's name.
    pub field: String,
    /// The default as JSON; `null` where there is none, or where it is found out at run time.
    pub default: String,
    pub user_only: bool,
    pub meaning: String,
}

pub fn field_rows() -> Vec<FieldRow> {
    let mut rows = Vec::new();
    collect(schema(), "", &mut rows);
    rows
}

fn collect(schema: &Value, path: &str, rows: &mut Vec<FieldRow>) {
    let any = schema.get("additionalProperties").map(|inner| (ANY_NAME, inner));
    let named = schema["properties"].as_object().into_iter().flatten();
    let inner = named.map(|(name, inner)| (name.as_str(), inner)).chain(any);
    let fields = rows.len();
    for (name, inner) in inner {
        let dot = if path.is_empty() { "" } else { "." };
        collect(inner, &format!("{path}{dot}{name}"), rows);
    }
    if rows.len() == fields {
        rows.push(FieldRow {
            field: path.to_owned(),
            default: schema["default"].to_string(),
            user_only: USER_ONLY.contains(&path.split('.').next().unwrap_or(path)),
            meaning: schema["description"].as_str().unwrap_or_default().to_owned(),
        });
    }
}

/// The dotted path of the field whose path or name is nearest to these names, if one is near.
pub(super) fn nearest(names: &[String]) -> Option<String> {
    let meant = names.join(".").to_lowercase();
    let last = names.last()?.to_lowercase();
    let distance = |field: &str| {
        let field = field.to_lowercase();
        let name = field.rsplit('.').next().unwrap_or(&field);
        strsim::osa_distance(&field, &meant).min(strsim::osa_distance(name, &last))
    };
    let rows = field_rows();
    let sections = rows.iter().filter_map(|row| row.field.split_once('.'));
    let fields = rows
        .iter()
        .map(|row| row.field.as_str())
        .filter(|field| !field.contains(ANY_NAME));
    let near = fields
        .chain(sections.map(|(section, _)| section))
        .min_by_key(|field| distance(field))?;
    // One letter in three may be wrong: less, and `domains` is taken for `daemon`.
    (distance(near) * 3 <= last.chars().count()).then(|| near.to_owned())
}

#[cfg(test)]
mod tests;
