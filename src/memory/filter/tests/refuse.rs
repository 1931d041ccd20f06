//! What an entry is refused for.

use crate::memory::filter::{DIFF, LISTING, refusal};

#[test]
fn an_entry_is_refused_for_what_it_holds_and_for_nothing_less() {
    let code = |lines: usize| "    x = 1\n".repeat(lines);
    let tree = |lines: usize| "├── a\n".repeat(lines);
    let lines = |count: usize| {
        format!(
            "{count} lines of code: over 5, record the file and the lines (path/to/file.rs:10-42) instead"
        )
    };
    for (text, rule) in [
        (tree(2), None),
        (tree(3), Some(LISTING.to_owned())),
        ("- deployed it\n".repeat(3), None),
        (format!("so:\n\n{}", code(5)), None),
        (format!("so:\n\n{}", code(6)), Some(lines(6))),
        (code(7), Some(lines(7))),
        (format!("{}\n{}", code(3), code(3)), Some(lines(6))),
        (format!("{}text\n\n{}", code(3), code(3)), None),
        (format!("a long sentence\n{}", code(6)), None),
        (format!("- a\n\n{}", code(6)), None),
        (format!("- a\n\ntext\n\n{}", code(6)), Some(lines(6))),
        ("@@ -see +1 @@\n".to_owned(), None),
        ("@@ -1 @@\n".to_owned(), None),
        ("@@ -1 +1 @@\n".to_owned(), Some(DIFF.to_owned())),
        ("text\nAuthor: A\n".to_owned(), None),
        (format!("commit {}\nAuthor: A\n", "z".repeat(40)), None),
        (format!("commit {}\ntext\n", "0".repeat(40)), None),
        (format!("commit {}\nMerge: a b\n", "0".repeat(40)), Some(DIFF.to_owned())),
        (String::new(), None),
    ] {
        assert_eq!(refusal(&text), rule, "{text}");
    }
}
