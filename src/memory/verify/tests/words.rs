//! What is said, and what tells two texts apart.

use super::*;
use crate::memory::entry;

#[test]
fn texts_that_are_the_same_entry_are_the_same_plain_text() {
    let entry = "## Auth\n- one\n- two\n";
    for same in [
        "## Auth  \n- one\t\n- two",
        "## Auth\n- one\n- two\n\n---\n",
        "## Auth\n- one\n- two\n***\n\n_ _\t_\n\n",
    ] {
        assert_eq!(plain(same), entry, "{same:?}");
        assert_eq!(entry::digest(same), entry::digest(entry), "{same:?}");
    }
    // Where a text goes on, what stood behind an entry is within it.
    assert_eq!(plain("## Auth\n- one\n\n - - -\t-\n___\n- two\n"), entry);
    for other in ["--", "--*", "===", "- - two", " - one", "-- -- x", "*"] {
        let other = format!("{entry}{other}\n");
        assert_eq!(plain(&other), other);
        assert_ne!(entry::digest(&other), entry::digest(entry), "{other:?}");
    }
}

#[test]
fn the_first_line_that_differs_is_named() {
    for (one, other, line) in [
        ("", "a", 1),
        ("a\nb\nc", "x\nb\nc", 1),
        ("a\nb\nc", "a\nb\nx", 3),
        ("a\nb", "a\nb\nc", 3),
        ("a\nb\nc", "a\nx\nc", 2),
        ("a\ndigest: 1\nb", "a\ndigest: 2\nc", 3),
        ("a\ndigest: 1\nb", "a\nb\nb", 2),
    ] {
        let what = format!("is not what its sources give, from line {line} on");
        assert_eq!(other_content(one, other), what, "{one:?} {other:?}");
        assert_eq!(other_content(other, one), what, "{other:?} {one:?}");
    }
}

#[test]
fn a_violation_names_file_rule_and_matter() {
    let violation = Violation::new("memory/ROOT.md", Rule::BuiltFrom, "is not");
    assert_eq!(violation.to_string(), "memory/ROOT.md: built-from: is not");
    assert_eq!(
        serde_json::to_string(&violation).expect("JSON"),
        r#"{"path":"memory/ROOT.md","rule":"built-from","what":"is not"}"#
    );
}
