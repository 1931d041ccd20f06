//! What is known twice is known once, with all its days.

use super::*;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn said(on: &str, text: &str) -> Statement {
    Statement::of(day(on), text, 0)
}

#[test]
fn a_statement_that_is_said_again_is_one_with_its_newest_wording_and_all_its_days() {
    let mut digest = Digest::default();
    for (on, text) in [
        ("2026-03-10", "the lantern costs 40 crowns"),
        ("2026-03-12", "The lantern costs 40 crowns!"),
        ("2026-03-11", "the lantern costs 40 crowns"),
        ("2026-03-12", "the lantern costs 45 crowns"),
    ] {
        digest.state(said(on, text));
    }
    let statements: Vec<(&str, Vec<Day>)> = digest
        .statements()
        .iter()
        .map(|statement| (statement.text.as_str(), statement.days().collect()))
        .collect();
    let days = |names: &[&str]| names.iter().map(|name| day(name)).collect::<Vec<_>>();
    assert_eq!(
        statements,
        [
            (
                "The lantern costs 40 crowns!",
                days(&["2026-03-10", "2026-03-11", "2026-03-12"])
            ),
            // Another number is another statement.
            ("the lantern costs 45 crowns", days(&["2026-03-12"])),
        ]
    );
}

#[test]
fn a_day_that_mentions_a_topic_in_two_nodes_counts_once() {
    let mentioned = |on: &str| {
        let mut digest = Digest::default();
        digest.mention(Topic::mentioned_on("Harbour".to_owned(), Kind::Project, day(on)));
        digest
    };
    let mut week = mentioned("2026-03-10");
    week.merge(mentioned("2026-03-12"));
    week.merge(mentioned("2026-03-10"));
    assert_eq!(week.topics().len(), 1);
    assert_eq!(week.topics()[0].count(), 2);
    assert_eq!(week.topics()[0].last, day("2026-03-12"));
}

#[test]
fn the_type_that_says_most_about_the_person_wins_and_the_newest_spelling_is_shown() {
    let mut digest = Digest::default();
    for (name, kind, on) in [
        ("tea", Kind::Project, "2026-03-10"),
        ("Tea", Kind::User, "2026-03-11"),
        ("TEA", Kind::Reference, "2026-03-12"),
    ] {
        digest.mention(Topic::mentioned_on(name.to_owned(), kind, day(on)));
    }
    assert_eq!((digest.topics()[0].name.as_str(), digest.topics()[0].kind), ("TEA", Kind::User));
}

#[test]
fn files_that_are_not_there_are_taken_out_of_what_is_stated() {
    let mut digest = Digest::default();
    digest.state(said("2026-03-10", "gateway notes in knowledge/gateway.md and plans/old.md:12"));
    let missing = digest.keep_pointers(|path| path == "knowledge/gateway.md");
    assert_eq!(missing.into_iter().collect::<Vec<_>>(), ["plans/old.md"]);
    assert_eq!(digest.statements()[0].text, "gateway notes in knowledge/gateway.md and old:12");
}
