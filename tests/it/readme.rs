//! The README's tables of configuration fields say what the program says, field by field.
#![expect(clippy::disallowed_methods, reason = "the test reads the README")]

use std::collections::{BTreeMap, BTreeSet};

use hipocampusd::config::{FieldRow, field_rows};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// A row of a table whose first column is headed `field`.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    field: String,
    /// What the second column says, where that is headed `default`.
    default: Option<String>,
}

fn rows_of(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    // Outside a table; in one that is about something else; in one about fields, with or without defaults.
    let mut has_default: Option<Option<bool>> = None;
    for line in text.lines() {
        let Some(inner) = line.trim().strip_prefix('|') else {
            has_default = None;
            continue;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let headed =
            |at: usize, name: &str| cells.get(at).is_some_and(|cell| cell.eq_ignore_ascii_case(name));
        match has_default {
            None => has_default = Some(headed(0, "field").then(|| headed(1, "default"))),
            Some(Some(has_default)) if !cells[0].starts_with(['-', ':']) => {
                let bare = |at: usize| cells.get(at).map_or("", |cell| cell.trim_matches('`')).to_owned();
                rows.push(Row {
                    field: bare(0),
                    default: has_default.then(|| bare(1)),
                });
            }
            Some(_) => {}
        }
    }
    rows
}

fn readme() -> Vec<Row> {
    rows_of(&std::fs::read_to_string(README).expect("there is a README.md beside Cargo.toml"))
}

#[test]
fn the_readme_has_one_row_for_every_field_of_a_workspace_with_its_default_and_no_other() {
    let mut documented = BTreeMap::new();
    for Row { field, default } in readme() {
        if let Some(default) = default {
            assert_eq!(
                documented.insert(field.clone(), default),
                None,
                "README.md has two rows for `{field}`"
            );
        }
    }
    for FieldRow {
        field,
        default,
        meaning,
        user_only,
    } in field_rows()
    {
        let found = documented.remove(&field);
        // What only the user may set need not be in that table; where it is, it must be right.
        if !user_only || found.is_some() {
            let wanted = format!("| `{field}` | `{default}` | {meaning} |");
            assert_eq!(found, Some(default), "README.md needs a row like: {wanted}");
        }
    }
    assert!(
        documented.is_empty(),
        "README.md has rows for what is no field: {documented:?}"
    );
}

#[test]
fn the_readme_names_what_only_the_user_may_set_and_no_more() {
    let first = |field: &str| field.split('.').next().unwrap_or(field).to_owned();
    let documented: BTreeSet<String> = readme()
        .iter()
        .filter(|row| row.default.is_none())
        .map(|row| first(&row.field))
        .collect();
    let wanted: BTreeSet<String> = field_rows()
        .iter()
        .filter(|row| row.user_only)
        .map(|row| first(&row.field))
        .collect();
    assert_eq!(documented, wanted, "the README's table of the user's own fields");
}

#[test]
fn only_tables_of_fields_are_read() {
    let text = "| command | default |\n| --- | --- |\n| `run` | `1` |\n\n| field | default | |\n| :-- | --- | --- |\n\
                | `a.b` | `[]` | text |\n| `c` | `\"x\"` | |\n\n| Field | meaning |\n| --- | --- |\n| `d` | `1` |\n";
    let row = |field: &str, default: Option<&str>| Row {
        field: field.into(),
        default: default.map(Into::into),
    };
    assert_eq!(
        rows_of(text),
        [row("a.b", Some("[]")), row("c", Some("\"x\"")), row("d", None)]
    );
}
