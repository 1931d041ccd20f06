//! What fits a screen.

use super::*;

#[test]
fn what_is_watched_fits_its_screen_and_says_what_does_not() {
    let text = "one\ntwo\nthree\nfour\n";
    assert_eq!(fitted(text, 5), text);
    assert_eq!(
        fitted(text, 4),
        "one\ntwo\n… 2 lines more; the screen is too small\n"
    );
    assert_eq!(fitted(text, 0), "one\n… 3 lines more; the screen is too small\n");
}
