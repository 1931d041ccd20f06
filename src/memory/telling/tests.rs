//! Tests of what is telling.

use super::Spread;
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;

fn topic(name: &str, day: u32, words: &[&str]) -> Topic {
    let day = Day::parse(&format!("2026-03-{day:02}")).expect("it is a date");
    let mut topic = Topic::bare(name.to_owned(), Kind::Project, day);
    topic.keywords = words.iter().map(|word| ((*word).to_owned(), 1)).collect();
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
