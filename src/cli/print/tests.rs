//! Colours, and lists that are shortened.

use super::*;

#[test]
fn colours_are_for_those_who_see_them() {
    assert_eq!(Paint(false).paint(Colour::Bad, "x"), "x");
    assert_eq!(Paint(true).paint(Colour::Bad, "x"), "\x1b[31mx\x1b[0m");
    assert_eq!(Paint(true).paint(Colour::Good, ""), "");
}

#[test]
fn long_lists_are_shortened_and_short_ones_are_not() {
    let all: Vec<String> = ["a", "b", "c"].map(String::from).into();
    assert_eq!(few(&all, 3), "a, b, c");
    assert_eq!(few(&all, 2), "a, b and 1 more");
    assert_eq!((count(1, "file"), count(0, "file")), ("1 file".into(), "0 files".into()));
}
