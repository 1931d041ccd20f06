//! What the mentions of a topic add up to.

use super::{day, topic};
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Keywords, Mention, Topic};
use crate::memory::entry::Kind;

#[test]
fn a_topic_keeps_its_newest_spelling_state_and_strongest_type() {
    let mut digest = Digest::default();
    for new in [
        topic("Auth  Refactor", Kind::Project, 5, 1),
        topic("auth-refactor", Kind::Feedback, 3, 1),
        topic("Auth refactor!", Kind::Project, 7, 1),
    ] {
        digest.add(Mention {
            topic: new,
            facts: Vec::new(),
            entities: Vec::new(),
            kept: None,
        });
    }
    let [known] = digest.topics() else {
        panic!("one topic: {:?}", digest.topics())
    };
    assert_eq!(
        (known.name.as_str(), known.kind, known.days),
        ("Auth refactor!", Kind::Feedback, 3)
    );
    assert!(known.state.as_deref().unwrap().starts_with("Auth refactor!"));
}

#[test]
fn several_mentions_on_one_day_are_one_day() {
    let mut digest = Digest::default();
    for _ in 0..3 {
        digest.add(Mention {
            topic: topic("a", Kind::Project, 1, 1),
            facts: Vec::new(),
            entities: Vec::new(),
            kept: None,
        });
    }
    assert_eq!(digest.topics()[0].days, 1);
}

#[test]
fn a_topic_knows_its_place_in_its_newest_day_and_the_day_before() {
    let day_of = |names: &[&str], day: i32| {
        let mut digest = Digest::default();
        for name in names {
            digest.add(Mention {
                topic: topic(name, Kind::Project, day, 1),
                facts: Vec::new(),
                entities: Vec::new(),
                kept: None,
            });
        }
        digest
    };
    let days = [
        day_of(&["a", "b"], 1),
        day_of(&["c", "b", "c", "a"], 3),
        day_of(&["d", "b"], 4),
    ];
    let merged = |order: [usize; 3]| {
        let mut digest = Digest::default();
        order.into_iter().for_each(|at| digest.merge(days[at].clone()));
        let known = |topic: &Topic| {
            let before = topic.before.map(|(day, _)| Day::days_since(day, topic.last));
            (topic.name.clone(), topic.place, before)
        };
        let mut topics: Vec<_> = digest.topics().iter().map(known).collect();
        topics.sort();
        topics
    };
    let expected = [
        ("a", 2, Some(-2)),
        ("b", 1, Some(-1)),
        ("c", 0, None),
        ("d", 0, None),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let known = merged(order);
        let known: Vec<_> = known
            .iter()
            .map(|(name, place, before)| (name.as_str(), *place, *before))
            .collect();
        assert_eq!(known, expected, "{order:?}");
    }
}

#[test]
fn keywords_add_up_and_the_newest_references_come_first() {
    let words = |words: &[(&str, u32)]| -> Keywords { words.iter().copied().collect() };
    let files = |files: &[&str]| -> Vec<String> { files.iter().map(|&file| file.to_owned()).collect() };
    let topic = |at: i32, keywords: &[(&str, u32)], references: &[&str]| Topic {
        keywords: words(keywords),
        references: files(references),
        ..Topic::bare("cache".into(), Kind::Project, day(at))
    };
    let mut known = topic(5, &[("size", 2), ("speed", 1)], &["a.rs", "b.rs"]);
    known.absorb(topic(7, &[("speed", 3), ("disk", 2)], &["c.rs", "a.rs"]), false);
    assert_eq!(known.keywords, words(&[("speed", 4), ("size", 2), ("disk", 2)]));
    assert_eq!(known.references, files(&["c.rs", "a.rs", "b.rs"]));
    known.absorb(topic(6, &[], &["d.rs", "b.rs"]), false);
    assert_eq!(known.references, files(&["c.rs", "a.rs", "b.rs", "d.rs"]));
}

/// What a topic was when a day began is known whatever is merged in which order, and as often.
#[test]
fn a_topic_is_known_as_it_was_without_its_newest_date() {
    let mention = |at: i32| topic("cache", Kind::Project, at, 1);
    let merged = |days: &[i32]| {
        let mut known = mention(days[0]);
        for &at in &days[1..] {
            let mut other = mention(at);
            other.keywords.push(&format!("word of {at}"), 1);
            known.absorb(other, true);
        }
        known
    };
    let whole = merged(&[3, 5, 7, 9]);
    let before = merged(&[3, 5, 7]);
    let as_of = |known: &Topic, at: i32| {
        known.as_of(day(at)).map(|known| Topic {
            earlier: None,
            ..known.clone()
        })
    };
    assert_eq!(as_of(&whole, 9), as_of(&before, 8));
    assert_eq!(as_of(&whole, 10).map(|known| known.days), Some(4));
    assert_eq!(as_of(&mention(3), 3), None);
    let mut halves = merged(&[3, 9]);
    halves.absorb(merged(&[5, 9]), true);
    let earlier = as_of(&halves, 9).unwrap();
    assert_eq!((earlier.last, earlier.days), (day(5), 2));
    assert!(earlier.keywords.iter().all(|(word, _)| word != "word of 9"));
}
