//! Lines of ROOT and excerpts.

use super::*;

#[test]
fn roots_lines_are_found_by_their_words() {
    let root = "---\ntype: root\n---\n\n## Active Context (recent ~7 days)\n- shelves: they hold\n\n## Topics Index\n- shelf [project, 2d]: screws\n- lamp [user, 3d]: bright\n";
    let hits = in_root(root, &Question::of("shelf screws"));
    assert_eq!(hits, [(9, "shelf [project, 2d]: screws".to_owned())]);
    assert_eq!(in_root(root, &Question::of("holding"))[0].0, 6);
    assert_eq!(in_root(root, &Question::default()), []);
}

fn shown(text: &str, best: usize, question: &str) -> Option<(usize, String, String)> {
    excerpt(text, 1, best, &Question::of(question)).map(|found| (found.line, found.sentence, found.text))
}

#[test]
fn an_excerpt_is_the_sentence_that_answers_whole_with_its_neighbours() {
    let filler = "Nothing of that is asked here at all, and it goes on for a while. ".repeat(12);
    let text = format!(
        "## Shelf\n{filler}My aunt Tilda sold me the shelf for 40 crowns. She kept the screws. {filler}\n"
    );
    let (line, sentence, told) = shown(&text, 1, "what did Tilda's shelf cost?").unwrap();
    assert_eq!((line, sentence.as_str()), (1, "My aunt Tilda sold me the shelf for 40 crowns."));
    assert!(told.contains("for 40 crowns. She kept the screws."), "{told}");
    assert!(told.chars().count() <= EXCERPT_CHARS && told.ends_with('.'), "{told}");
    // The fact stands at the end of what is far too long for one sentence.
    let endless = format!("## Shelf\n{} and the shelf cost 40 crowns", "word ".repeat(900));
    assert!(shown(&endless, 1, "shelf cost").unwrap().2.ends_with("shelf cost 40 crowns"));
}

#[test]
fn a_heading_is_shown_by_the_line_below_it_that_says_most() {
    let text = "## Shelf\n- request: put it up\n- outcome: the shelf holds with screws\n";
    let (line, sentence, told) = shown(text, 0, "shelf screw").unwrap();
    assert_eq!((line, sentence.as_str()), (2, "outcome: the shelf holds with screws"));
    assert_eq!(told, "request: put it up; outcome: the shelf holds with screws");
    assert_eq!(shown(text, 0, "zeppelin").unwrap().0, 1);
    assert_eq!(shown("## Shelf\n\n---\n", 0, "shelf"), None);
}

#[test]
fn only_what_ages_is_warned_of() {
    let said = |kind, age| warning(kind, age).unwrap_or_default();
    assert_eq!(said(Kind::Reference, 30), "");
    assert_eq!(
        said(Kind::Reference, 31),
        "not mentioned for 31 days: check that it is still there"
    );
    assert_eq!(said(Kind::Project, 90), "");
    assert_eq!(said(Kind::Project, 91), "91 days old: it may be finished or overtaken");
    assert_eq!((said(Kind::User, 999), said(Kind::Feedback, 999)), Default::default());
}
