//! Where a tree may lie, and what its files are called there.

use super::*;

#[test]
fn only_a_plain_folder_inside_the_workspace_holds_a_tree() {
    for path in ["memory", "hipocampus", "notes/tree", "gedächtnis", "tree_2.old"] {
        assert_eq!(TreeFolder::parse(path).map(|folder| folder.0), Some(path.to_owned()));
    }
    let long = "a".repeat(BYTES_MAX + 1);
    for path in [
        "",
        "/",
        "/tree",
        "tree/",
        "a//b",
        ".",
        "..",
        "../tree",
        "a/../b",
        ".hipocampus",
        ".hipocampus/vault",
        ".git",
        "a/.b",
        "knowledge",
        "plans/x",
        "memory/tree",
        "a b",
        "a\\b",
        "@x",
        "a\nb",
        "~",
        &long,
    ] {
        assert_eq!(TreeFolder::parse(path), None, "{path:?}");
    }
}

#[test]
fn a_nodes_sources_are_turned_there_and_back_and_nothing_else_of_it() {
    let folder = TreeFolder::parse("hipocampus").unwrap();
    let node = "---\ntype: weekly\nsource-files: [memory/daily/2026-03-09.md, memory/daily/2026-03-10.md]\ntopics: [memory/daily/ [project]]\n---\n\nsource-files: memory/daily/x\n";
    let outer = folder.outer(node.into());
    let text = String::from_utf8(outer.clone()).unwrap();
    assert!(text.contains("source-files: [hipocampus/daily/2026-03-09.md, hipocampus/daily/2026-03-10.md]\ntopics: [memory/daily/ "));
    assert!(text.ends_with("\nsource-files: memory/daily/x\n"));
    assert_eq!(folder.inner(outer), node.as_bytes());
    for other in [
        "no node, source-files: memory/daily/x",
        "---\na: b\n---\nsource-files: [memory/daily/x]\n",
        "",
    ] {
        assert_eq!(folder.outer(other.into()), other.as_bytes());
    }
    assert_eq!(TreeFolder::default().outer(node.into()), node.as_bytes());
    assert_eq!(
        folder.shown("memory/weekly/2026-W11.md is fixed without memory/daily/x; see memory/ROOT.md and memory/2026-03-09.md"),
        "hipocampus/weekly/2026-W11.md is fixed without hipocampus/daily/x; see hipocampus/ROOT.md and memory/2026-03-09.md"
    );
}

/// A workspace may have been cloned from anywhere, and its note of where the tree lies with it.
#[test]
fn a_folder_that_was_noted_is_checked_like_one_that_was_asked_for() {
    for folder in ["../x", "x/../..", "/x", ".git", "", "memory/x", "knowledge"] {
        let noted = serde_json::to_string(folder).unwrap();
        assert!(serde_json::from_str::<TreeFolder>(&noted).is_err(), "{folder}");
    }
    let noted = serde_json::from_str::<TreeFolder>("\"hipocampus\"").unwrap();
    assert_eq!(noted.as_str(), "hipocampus");
}
