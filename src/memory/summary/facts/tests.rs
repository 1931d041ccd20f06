//! Which facts are one line, and which days it names.

use super::*;
use crate::memory::digest::{Mention, Topic};
use crate::memory::entry::Kind;

/// The words of some texts, as a digest has them.
fn words<const N: usize>(texts: [&str; N]) -> [Vec<u32>; N] {
    let mut digest = Digest::default();
    texts.map(|text| {
        let at = digest.said().len();
        digest.say(Said {
            topic: None,
            day: Day::parse("2026-03-15").unwrap(),
            again: Vec::new(),
            sort: Sort::Done,
            text: text.to_owned(),
        });
        digest.words_said(at).to_vec()
    })
}

fn alike(one: &str, other: &str) -> bool {
    let ([one], [other]) = (words([one]), words([other]));
    let (one, other) = (Words::of(&one), Words::of(&other));
    let alike = one.are_like(&other);
    assert_eq!(other.are_like(&one), alike, "whichever comes first");
    alike
}

#[test]
fn two_facts_are_alike_when_four_of_five_of_all_their_words_are_in_both() {
    let cases = [
        // 5 of 5, in another order and said twice.
        (
            "deploy moves to friday evening",
            "Friday evening: deploy moves to",
            true,
        ),
        (
            "deploy moves to friday evening",
            "deploy deploy moves to friday evening",
            true,
        ),
        // 4 of 6, 7 of 9, 8 of 10.
        (
            "deploy moves to friday evening",
            "deploy moves to monday evening",
            false,
        ),
        ("a1 a2 a3 a4 a5 a6 a7 b1", "a1 a2 a3 a4 a5 a6 a7 b2", false),
        ("a1 a2 a3 a4 a5 a6 a7 a8 b1", "a1 a2 a3 a4 a5 a6 a7 a8 b2", true),
        // 5 of 6, 5 of 7, 8 of 10, 8 of 11.
        ("a1 a2 a3 a4 a5", "a1 a2 a3 a4 a5 a6", true),
        ("a1 a2 a3 a4 a5", "a1 a2 a3 a4 a5 a6 a7", false),
        ("a1 a2 a3 a4 a5 a6 a7 a8", "a1 a2 a3 a4 a5 a6 a7 a8 a9 b1", true),
        (
            "a1 a2 a3 a4 a5 a6 a7 a8",
            "a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2",
            false,
        ),
        ("a1 a2 a3 a4 a5 a6", "b1 b2 b3 b4 b5 b6", false),
        // Short texts differ by the one word that matters, and so they do when it is written otherwise.
        ("deploy on friday evening", "deploy on friday evening", false),
        ("deploy on friday", "on friday deploy", false),
    ];
    for (one, other, expected) in cases {
        assert_eq!(alike(one, other), expected, "{one} / {other}");
    }
}

#[test]
fn words_of_many_texts_are_kept_apart() {
    let words = words(["a1 a2 a3 a4 a5", "b1 b2 b3 b4 b5", "c1 c2 c1", "a5 a4 a3 a2 a1"]);
    assert_eq!(words.each_ref().map(Vec::len), [5, 5, 2, 5]);
    assert_eq!(words[0], words[3]);
    assert!(!Words::of(&words[1]).are_like(&Words::of(&words[3])));
}

#[test]
fn words_whose_bits_are_the_same_are_no_reason_to_tell_facts_apart() {
    // Of 200 words many share a bit with another one of the same text.
    let words: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
    for few in [5, 20, 60, 100] {
        for start in 0..words.len() - few {
            let text = words[start..start + few].join(" ");
            let shorter = words[start..start + few - few / 5].join(" ");
            assert!(few < 7 || alike(&text, &shorter), "{text} / {shorter}");
        }
    }
}

#[test]
fn a_line_names_its_first_day_and_the_last_three() {
    let day = |number: u32| Day::parse(&format!("2026-03-{number:02}")).unwrap();
    let cases = [
        (0, " (2026-03-01)"),
        (1, " (2026-03-01, 2026-03-02)"),
        (3, " (2026-03-01, 2026-03-02, 2026-03-03, 2026-03-04)"),
        (5, " (2026-03-01, 2026-03-04, 2026-03-05, 2026-03-06)"),
    ];
    for (again, expected) in cases {
        let said = Said {
            topic: None,
            day: day(1),
            again: (2..2 + again).map(day).collect(),
            sort: Sort::Decision,
            text: "tokens rotate".to_owned(),
        };
        let mut out = String::new();
        dates(&mut out, &said);
        assert_eq!(out, expected);
    }
}

#[test]
fn every_topic_has_a_turn_for_what_it_says_newly_and_one_for_what_was_said_before() {
    let day = |text: &str| Day::parse(text).unwrap();
    let mut digest = Digest::default();
    for name in ["light", "heavy"] {
        digest.add(Mention {
            topic: Topic::bare(name.to_owned(), Kind::Project, day("2026-03-12")),
            facts: Vec::new(),
            entities: Vec::new(),
            kept: None,
        });
    }
    for (topic, date, text) in [
        (Some(0), "2026-03-09", "light jwt"),
        (Some(0), "2026-03-10", "light cookies"),
        (Some(1), "2026-03-10", "heavy nightly"),
        (None, "2026-03-11", "nobody upstairs"),
        (Some(0), "2026-03-12", "light bearer"),
        (Some(1), "2026-03-12", "heavy hourly"),
        (None, "2026-03-12", "nobody downstairs"),
        (Some(0), "2026-03-12", "light passkeys"),
    ] {
        digest.say(Said {
            topic,
            day: day(date),
            again: Vec::new(),
            sort: Sort::Decision,
            text: text.to_owned(),
        });
    }
    let chosen = facts(&digest, &[1, 0], Section::Decisions).chosen;
    let chosen: Vec<&str> = chosen.iter().map(|fact| fact.said.text.as_str()).collect();
    assert_eq!(
        chosen,
        [
            "heavy hourly",
            "light passkeys",
            "nobody downstairs",
            "heavy nightly",
            "light cookies",
            "nobody upstairs",
            "light bearer",
            "light jwt",
        ]
    );
}
