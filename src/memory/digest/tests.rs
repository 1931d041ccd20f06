//! Merging loses nothing that must be kept.

use proptest::prelude::*;

use super::*;

fn topic(name: &str, kind: Kind, day: i32, days: u32) -> Topic {
    let day = Day::try_from(739_000 + day).unwrap();
    Topic {
        days,
        keywords: vec![(format!("word {name}"), 1)],
        state: Some(format!("{name} on {day}")),
        ..Topic::bare(name.to_owned(), kind, day)
    }
}

fn digest(mentions: &[(String, u8, i32)]) -> Digest {
    let mut digest = Digest::default();
    for (name, kind, day) in mentions {
        let kind = Kind::ALL[usize::from(kind % 4)];
        let kept =
            matches!(kind, Kind::User | Kind::Feedback).then(|| format!("## {name} [{kind}]\ntext of {day}"));
        digest.add(Mention {
            topic: topic(name, kind, *day, 1),
            facts: vec![(Sort::Lesson, format!("{name} {day}"))],
            entities: Vec::new(),
            kept,
        });
    }
    digest
}

type Kept = (Vec<(String, Kind, Day)>, Vec<String>, usize);

/// What must survive: names by key, types, last mentions, kept entries, facts.
fn essence(digest: &Digest) -> Kept {
    let mut topics: Vec<_> = digest
        .topics()
        .iter()
        .map(|topic| (key(&topic.name).as_str().to_owned(), topic.kind, topic.last))
        .collect();
    topics.sort();
    let mut kept: Vec<_> = digest.kept().iter().map(|kept| kept.text.clone()).collect();
    kept.sort();
    (topics, kept, digest.said().len())
}

fn mentions() -> impl Strategy<Value = Vec<(String, u8, i32)>> {
    prop::collection::vec(("[abAB]{1,2}", 0_u8..4, 0_i32..20), 0..12)
}

proptest! {
    #[test]
    fn merging_is_associative_and_loses_nothing_that_must_be_kept(one in mentions(), two in mentions(), three in mentions()) {
        let (first, second, third) = (digest(&one), digest(&two), digest(&three));
        let mut left = first.clone();
        left.merge(second.clone());
        left.merge(third.clone());
        let mut right = second;
        right.merge(third);
        let mut whole = first;
        whole.merge(right);
        prop_assert_eq!(essence(&left), essence(&whole));
        let all: Vec<_> = [one, two, three].concat();
        let (topics, kept, facts) = essence(&digest(&all));
        prop_assert_eq!(essence(&left), (topics, kept, facts));
    }
}

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
