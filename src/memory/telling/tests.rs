//! Tests of what is telling.

use super::{Spread, folded, is_telling};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;

fn topic(name: &str, day: u32, words: &[&str]) -> Topic {
    let day = Day::parse(&format!("2026-03-{day:02}")).expect("it is a date");
    let mut topic = Topic::bare(name.to_owned(), Kind::Project, day);
    topic.keywords = words.iter().map(|word| (word, 1)).collect();
    topic
}

#[test]
fn a_word_that_all_topics_share_tells_none_of_them() {
    let own = [
        "shard", "lease", "queue", "probe", "cursor", "mirror", "bucket", "timer", "window", "lock",
        "ledger", "batch", "digest",
    ];
    let topics: Vec<Topic> = own
        .iter()
        .enumerate()
        .map(|(at, word)| topic(&format!("part {at}"), at as u32 + 1, &["main.rs", "load", word]))
        .collect();
    let spread = Spread::of(&topics);
    for (topic, word) in topics.iter().zip(own) {
        assert_eq!(spread.rank(topic), [word]);
    }
    let all: Vec<&Topic> = topics.iter().collect();
    assert_eq!(spread.recurring(&all, topic("today", 31, &[]).last), []);
}

#[test]
fn a_name_of_three_topics_on_three_days_keeps_coming_back() {
    let topics = [
        topic("Trip to Moab", 2, &["Sierra Nevada", "cheaper"]),
        topic("Weekend in the hills", 9, &["Sierra", "tent", "cheaper"]),
        topic("New stove", 9, &["Sierra Stoves", "cheaper"]),
        topic("Tax return", 16, &["deduction", "cheaper"]),
        topic("Rain in the Sierra", 20, &["cheaper"]),
    ];
    let all: Vec<&Topic> = topics.iter().collect();
    let found = Spread::of(&topics).recurring(&all, topic("today", 31, &[]).last);
    let [(word, topics, days)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((word.as_str(), topics.len(), *days), ("sierra", 4, 3));
    assert_eq!(topics[0].name, "Rain in the Sierra");
}

/// Topics of which the first `with` have a word, each on a day of its own as far as a month goes.
fn sharing(word: &str, with: usize, of: usize) -> Vec<Topic> {
    (0..of)
        .map(|at| {
            let words = if at < with { &[word][..] } else { &[] };
            topic(&format!("part {at}"), at as u32 % 28 + 1, words)
        })
        .collect()
}

#[test]
fn a_word_tells_as_long_as_few_topics_share_it() {
    let tells = |with: usize, of: usize| {
        let topics = sharing("sierra", with, of);
        Spread::of(&topics).rank(&topics[0]) == ["sierra"]
    };
    for (with, of, expected) in [
        (12, 12, true),
        (12, 13, true),
        (13, 13, false),
        (12, 127, true),
        (13, 128, false),
        (25, 129, true),
        (26, 129, false),
        (25, 256, true),
        (51, 257, true),
        (52, 257, false),
    ] {
        assert_eq!(tells(with, of), expected, "{with} of {of}");
    }
}

#[test]
fn what_a_topics_name_says_already_tells_nothing_and_what_was_said_often_tells_most() {
    let mut topic = topic("Oak shelf", 1, &["shelf", "screws", "wall", "oak"]);
    let rank = |topic: &Topic| -> Vec<String> {
        let words = Spread::of([topic]);
        words.rank(topic).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(rank(&topic), ["screws", "wall"]);
    let words = [("shelf", 1), ("screws", 1), ("wall", 2), ("oak", 1)];
    topic.keywords = words.into_iter().collect();
    assert_eq!(rank(&topic), ["wall", "screws"]);
    // The first of a reading are worth more, but not by much.
    topic.keywords.push("hook", 2);
    assert_eq!(rank(&topic), ["wall", "hook", "screws"]);
}

#[test]
fn case_and_a_plural_make_no_other_word() {
    for (word, as_one) in [
        ("Lamps", "lamp"),
        ("LAMP", "lamp"),
        ("cats", "cats"),
        ("gas", "gas"),
        ("s", "s"),
        ("class", "class"),
        ("boss", "boss"),
        ("Äpfels", "äpfels"),
        ("ÄPFEL", "äpfel"),
    ] {
        assert_eq!(folded(word), as_one, "{word}");
    }
}

#[test]
fn a_word_of_every_conversation_names_nothing() {
    for word in ["sierra", "moab", "산책", "東京", "lamp"] {
        assert!(is_telling(word), "{word}");
    }
    for word in [
        "tax", "a1b2", "1234", "산", "東", "which", "awesome", "stuck", "area",
    ] {
        assert!(!is_telling(word), "{word}");
    }
    // A word of every conversation that only looks like a plural.
    assert!(!is_telling(&folded("perhaps")));
}
