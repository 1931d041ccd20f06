//! What may stand between a label and its value.

use super::super::lines::{Line, floor, starts_with_ignoring_case};
use super::super::separators::separator;

/// What is behind the separator that follows `label`, and what the separator is.
fn behind<'a>(text: &'a str, label: &str) -> Option<(&'a str, Vec<&'static str>)> {
    let start = text.find(label).expect("the label is in the text");
    let line = Line::at(text, start);
    let found = separator(text, &line, start, start + label.len())?;
    let kinds = [
        ("loose", found.loose),
        ("colon", found.colon),
        ("glued", found.glued),
        ("cell", found.cell),
    ];
    let kinds = kinds
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(name, _)| name)
        .collect();
    Some((&text[found.end..line.end], kinds))
}

#[test]
fn a_separator_is_known_by_its_sign_and_the_space_around_it() {
    for (text, value, kinds) in [
        ("label: x", " x", vec!["colon"]),
        ("label            : x", " x", vec!["colon"]),
        ("label:=x", "x", vec!["colon"]),
        ("label：x", "x", vec!["colon"]),
        ("label=x", "x", vec!["glued"]),
        ("label= x", " x", vec![]),
        ("label =x", "x", vec![]),
        ("label==x", "x", vec![]),
        ("label => x", " x", vec![]),
        ("| label | x |", " x |", vec!["loose", "cell"]),
        ("\"label\", \"x\"", " \"x\"", vec!["loose"]),
        ("<label>x</label>", "x</label>", vec!["glued"]),
        ("<ns:db-label>x</ns:db-label>", "x</ns:db-label>", vec!["glued"]),
        ("--label x y", "x y", vec![]),
        ("--db-label x y", "x y", vec![]),
        ("machine h login bob label x", "x", vec![]),
        ("machine h my label x", "x", vec!["loose"]),
        ("my login bob label x", "x", vec!["loose"]),
        ("machine h login bob my-label x", "x", vec!["loose"]),
        ("label is x y", "x y", vec!["loose"]),
        ("label x", "x", vec!["loose"]),
    ] {
        assert_eq!(behind(text, "label"), Some((value, kinds)), "{text}");
    }
    for text in [
        "label             : x",
        "label::Kind",
        "label://x",
        "label, \"x\"",
        "label|x",
        "label>x</b>",
        "--labelx",
        "label x y",
    ] {
        assert_eq!(behind(text, "label"), None, "{text}");
    }
}

#[test]
fn a_line_knows_its_heading_and_whether_it_is_a_row() {
    for (text, heading) in [
        ("# x", 1),
        ("  ###### x", 6),
        ("##\tx", 2),
        ("####### x", 0),
        ("#x", 0),
        ("#", 0),
        ("x # y", 0),
    ] {
        assert_eq!(Line::at(text, text.len()).heading, heading, "{text}");
    }
    for (text, row) in [("| x", true), ("  | x", true), ("x |", false), ("", false)] {
        assert_eq!(Line::at(text, 0).is_table_row(text), row, "{text}");
    }
    let line = Line::at("a\n  b\nc", 4);
    assert_eq!((line.start, line.first, line.end), (2, 4, 5));
}

#[test]
fn a_cut_is_at_the_start_of_a_character() {
    assert_eq!([0, 1, 2, 3, 9].map(|at| floor("aéb", at)), [0, 1, 1, 3, 4]);
    assert!(starts_with_ignoring_case("PassWord", "password"));
    assert!(!starts_with_ignoring_case("pass", "password"));
    assert!(!starts_with_ignoring_case("é", "e"));
}
