//! The configuration's JSON schema, for editors, made from the types that the files are read into; and what else follows from
//! it: the rows of the documented tables, and the field that a misspelt name may have meant.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::{Settings, UserFields};

/// The name that stands for any summarizer's in a path.
const ANY_NAME: &str = "NAME";
/// What only the user's own configuration can set: the fields of [`UserFields`], which a test compares.
pub(super) const USER_ONLY: [&str; 3] = ["workspaces", "summarizers", "qmd"];

/// Both files.
#[derive(JsonSchema)]
#[schemars(
    title = "hipocampusd",
    description = "hipocampus.config.json of a workspace, and the user's own config.json"
)]
#[expect(dead_code, reason = "only its schema is used")]
struct File {
    #[schemars(flatten)]
    settings: Settings,
    #[schemars(flatten)]
    user: UserFields,
}

/// The schema of a workspace's file and of the user's own.
///
/// Fields that it does not know are allowed, as they are in a file, where they are warned about.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings
        .into_generator()
        .into_root_schema_for::<File>()
        .to_value()
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
    collect(&schema(), "", &mut rows);
    rows
}

fn collect(schema: &Value, path: &str, rows: &mut Vec<FieldRow>) {
    let any = schema
        .get("additionalProperties")
        .filter(|inner| inner.is_object());
    let named = schema["properties"].as_object().into_iter().flatten();
    let inner: Vec<(&str, &Value)> = named
        .map(|(name, inner)| (name.as_str(), inner))
        .chain(any.map(|inner| (ANY_NAME, inner)))
        .collect();
    if inner.is_empty() {
        rows.push(FieldRow {
            field: path.to_owned(),
            default: schema["default"].to_string(),
            user_only: USER_ONLY.contains(&path.split('.').next().unwrap_or(path)),
            meaning: schema["description"].as_str().unwrap_or_default().to_owned(),
        });
    }
    for (name, inner) in inner {
        let dot = if path.is_empty() { "" } else { "." };
        collect(inner, &format!("{path}{dot}{name}"), rows);
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
