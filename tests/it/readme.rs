//! README and docs say what is true: tables of fields, the example, links.
#![expect(clippy::disallowed_methods, reason = "the tests read README and docs")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hipocampusd::config::{FieldRow, field_rows};

use crate::world::{World, program};

const CONFIGURATION: &str = "docs/configuration.md";

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The README and every page of `docs/`.
fn pages() -> Vec<String> {
    let docs = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).expect("there is docs/");
    let names = docs.map(|entry| format!("docs/{}", entry.expect("an entry").file_name().display()));
    names
        .filter(|name| name.ends_with(".md"))
        .chain(["README.md".to_owned()])
        .collect()
}

/// The block below the comment `<!-- mark -->`.
fn block(text: &str, mark: &str) -> String {
    let below = text.split(&format!("<!-- {mark} -->\n```markdown\n")).nth(1);
    let below = below.unwrap_or_else(|| panic!("README.md has no block {mark}"));
    below.split("```\n").next().unwrap_or_default().to_owned()
}

#[test]
fn the_example_is_what_the_program_makes_of_its_log() {
    let readme = read("README.md");
    let world = World::new();
    world.write("memory/2026-03-14.md", block(&readme, "example-log"));
    let run = program(&world, &["compact", "--all", "--today", "2026-03-15"]).status();
    assert!(run.expect("it runs").success());
    let root = world.text("memory/ROOT.md");
    let body = &root[root.find("## Active").expect("a section")..];
    assert_eq!(body, block(&readme, "example-root"));
}

#[test]
fn the_readme_is_short_and_every_page_is_linked_from_it() {
    let readme = read("README.md");
    assert!(readme.lines().count() <= 200);
    for page in pages().iter().filter(|page| *page != "README.md") {
        assert!(
            readme.contains(&format!("({page})")),
            "README.md has no link to {page}"
        );
    }
}

#[test]
fn every_link_leads_to_a_file() {
    for page in pages() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(&page);
        let folder: PathBuf = folder.parent().expect("a folder").into();
        for link in read(&page)
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or_default();
            if !file.contains("://") && !file.is_empty() {
                assert!(folder.join(file).exists(), "{page} links to {link}");
            }
        }
    }
}

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

fn documented() -> Vec<Row> {
    rows_of(&read(CONFIGURATION))
}

#[test]
fn the_docs_have_one_row_for_every_field_of_a_workspace_with_its_default_and_no_other() {
    let mut documented = BTreeMap::new();
    for Row { field, default } in self::documented() {
        if let Some(default) = default {
            assert_eq!(
                documented.insert(field.clone(), default),
                None,
                "{CONFIGURATION} has two rows for `{field}`"
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
            assert_eq!(found, Some(default), "{CONFIGURATION} needs a row like: {wanted}");
        }
    }
    assert!(
        documented.is_empty(),
        "{CONFIGURATION} has rows for what is no field: {documented:?}"
    );
}

#[test]
fn the_docs_name_what_only_the_user_may_set_and_no_more() {
    let first = |field: &str| field.split('.').next().unwrap_or(field).to_owned();
    let documented: BTreeSet<String> = documented()
        .iter()
        .filter(|row| row.default.is_none())
        .map(|row| first(&row.field))
        .collect();
    let wanted: BTreeSet<String> = field_rows()
        .iter()
        .filter(|row| row.user_only)
        .map(|row| first(&row.field))
        .collect();
    assert_eq!(documented, wanted, "the table of the user's own fields");
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
