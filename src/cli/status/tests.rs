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

#[test]
fn a_line_that_is_wider_than_the_screen_says_so_and_its_colour_ends() {
    assert_eq!(clipped("due  no", 7), "due  no");
    assert_eq!(clipped("due  now", 7), "due  n…");
    assert_eq!(clipped("due  \x1b[1mnow\x1b[0m", 8), "due  \x1b[1mnow\x1b[0m");
    assert_eq!(clipped("due  \x1b[1mnow\x1b[0m!", 8), "due  \x1b[1mno…\x1b[0m");
}

#[test]
fn rules_and_the_person_stand_in_the_index_and_are_no_subjects() {
    let root = "## Recent Patterns\n- CI: on 3 days\n\n## Topics Index\n- Short answers [feedback, 2d]\n\
                - Home [user, 2d]: lives in Seoul\n- CI [project, 1d]: Node 24\n- Wiki [reference, 40d, ?]\n\n## Mine\n- x\n";
    assert_eq!(subjects(root), 2);
    assert_eq!(subjects(""), 0);
}
