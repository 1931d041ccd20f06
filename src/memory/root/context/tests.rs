//! How long a line of Active Context may be, and what keeps coming back.

use super::*;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn topic(name: &str) -> Topic {
    Topic::bare(name.to_owned(), Kind::Project, day("2026-03-14"))
}

#[test]
fn a_line_in_a_script_that_costs_a_token_a_letter_has_more_room() {
    for (name, expect) in [
        ("auth refactor", false),
        ("x1!@#$%^&*()_+", false),
        // Russian words are mostly known as a whole: three tokens for five letters are few.
        ("миграция базы", false),
        ("поиск", false),
        ("базы", true),
        ("сборка архива", true),
        ("ย้ายฐาน", true),
        ("データベース移行", true),
        ("ไ", true),
        // Half of the letters are not enough.
        ("aไ", false),
        ("abไๅ", false),
        ("schéma", false),
    ] {
        let expect = Cost::of(if expect { 54 } else { 36 });
        assert_eq!(line_limit(&topic(name), 36), expect, "{name}");
    }
}

#[test]
fn a_long_state_is_cut_to_what_a_line_may_cost() {
    let mut auth = topic("auth");
    auth.state = Some("the tokens of the old service are turned into those of the new one, a table a night, and what is left of \
        the old tables is dropped as soon as nobody asks for them any more".to_owned());
    let spread = Spread::of([&auth]);
    let mut costs = Costs::default();
    let lines: Vec<String> = [60, 36, 24, 12]
        .map(|room| active_line(&auth, &spread, Cost::of(room), &mut costs))
        .to_vec();
    let whole = "- auth: the tokens of the old service are turned into those of the new one, a table a night, and what is \
        left of the old tables is dropped as soon…";
    assert_eq!(
        lines,
        [
            whole,
            whole,
            "- auth: the tokens of the old service are turned into those of the new one, a table a…",
            "- auth: the tokens of the old service are turned…",
        ]
    );
}

fn recent(words: &[(&str, u32, &[&str])]) -> Recent {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Recent {
        last_day: day("2026-03-31"),
        topics: Vec::new(),
        words: words
            .iter()
            .map(|&(word, days, topics)| (word.to_owned(), days, owned(topics)))
            .collect(),
        lessons: Vec::new(),
    }
}

#[test]
fn of_words_of_the_same_topics_the_one_of_most_days_is_the_pattern() {
    let both: &[&str] = &["auth", "billing", "search"];
    for (ledger, queue, expect) in [(3, 9, "queue"), (9, 3, "ledger")] {
        let month = recent(&[("ledger", ledger, both), ("queue", queue, both)]);
        assert_eq!(
            recurring_words(&[&month], 5),
            [format!("- {expect}: auth; billing; search")]
        );
    }
}

#[test]
fn as_many_words_are_patterns_as_are_asked_for() {
    let month = recent(&[
        ("ledger", 9, &["a", "b", "c"]),
        ("queue", 5, &["d", "e", "f"]),
        ("cache", 3, &["g", "h", "i"]),
    ]);
    assert_eq!(
        recurring_words(&[&month], 2),
        ["- ledger: a; b; c", "- queue: d; e; f"]
    );
}
