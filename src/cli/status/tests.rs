//! What fits a screen, and what of ROOT is counted.

use super::*;

#[test]
fn what_is_watched_fits_its_screen_and_says_what_does_not() {
    let text = "one\ntwo\nthree\nfour\n";
    assert_eq!(fitted(text, 5), text);
    assert_eq!(fitted(text, 4), "one\ntwo\n… 2 lines more; the screen is too small\n");
    assert_eq!(fitted(text, 0), "one\n… 3 lines more; the screen is too small\n");
}

#[test]
fn rules_and_the_person_stand_in_the_index_and_are_no_subjects() {
    let root = "## Recent Patterns\n- CI: on 3 days\n\n## Topics Index\n- Short answers [feedback, 2d]\n\
                - Home [user, 2d]: lives in Seoul\n- CI [project, 1d]: Node 24\n- Wiki [reference, 40d, ?]\n\n## Mine\n- x\n";
    assert_eq!(subjects(root), 2);
    assert_eq!(subjects(""), 0);
}
