//! What is kept of a long output, and what a terminal would have obeyed.

use super::{Printed, clean};

#[test]
fn the_end_of_a_long_output_is_kept_and_the_rest_counted() {
    let mut printed = Printed::new(10);
    for piece in ["0123456789", "abcdefghij", "ABCDEFGHIJ", "xyz"] {
        printed.push(piece.as_bytes());
    }
    assert_eq!(printed.bytes, b"DEFGHIJxyz");
    assert_eq!(printed.dropped, 23);
}

#[test]
fn a_short_output_is_kept_whole() {
    let mut printed = Printed::new(10);
    printed.push(b"12345");
    assert_eq!((&*printed.bytes, printed.dropped), (&b"12345"[..], 0));
}

#[test]
fn a_character_cut_in_half_is_read_lossily() {
    let mut printed = Printed::new(4);
    printed.push("aé✓".as_bytes());
    assert_eq!(printed.text(), "\u{fffd}✓");
}

#[test]
fn what_steers_a_terminal_is_taken_out() {
    for (text, expected) in [
        ("plain ✓ text\n\tindented", "plain ✓ text\n\tindented"),
        ("\u{1b}[?25lModel\u{1b}[?25h", "Model"),
        ("\u{1b}[1;31mred\u{1b}[0m", "red"),
        ("\u{1b}]0;a title\u{7}after", "after"),
        ("\u{1b}]8;;http://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}]9;4;3\u{1b}\\x", "x"),
        ("\u{1b}Psixel\u{1b}\\after", "after"),
        ("\u{1b}(Bcharset\u{1b}7saved", "charsetsaved"),
        ("\u{9b}31mred\u{9d}title\u{9c}!", "red!"),
        ("an unfinished \u{1b}]title\nnext line", "an unfinished \nnext line"),
        ("ends in an escape \u{1b}", "ends in an escape "),
        ("ends in a sequence \u{1b}[12", "ends in a sequence "),
        ("10%\r20%\r\ndone\r", "10%\n20%\ndone\n"),
        ("bell\u{7} null\0 back\u{8} delete\u{7f}", "bell null back delete"),
        ("turned \u{202e}round\u{2069}", "turned round"),
    ] {
        assert_eq!(clean(text), expected, "{text:?}");
    }
}
