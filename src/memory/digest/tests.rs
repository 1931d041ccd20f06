//! Merging loses nothing that must be kept.

mod topic;

use proptest::prelude::*;

use super::*;

fn topic(name: &str, kind: Kind, day: i32, days: u32) -> Topic {
    let day = Day::try_from(739_000 + day).unwrap();
    Topic {
        days,
        keywords: [(format!("word {name}"), 1)].into_iter().collect(),
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

fn day(day: i32) -> Day {
    Day::try_from(739_000 + day).unwrap()
}

fn fact(topic: Option<usize>, first: i32, again: &[i32], sort: Sort, text: &str) -> Said {
    Said {
        topic,
        day: day(first),
        again: again.iter().copied().map(day).collect(),
        sort,
        text: text.to_owned(),
    }
}

fn mention(name: &str, at: i32, facts: &[(Sort, &str)], entities: &[&str], kept: Option<&str>) -> Mention {
    Mention {
        topic: Topic::bare(name.to_owned(), Kind::Project, day(at)),
        facts: facts
            .iter()
            .map(|&(sort, text)| (sort, text.to_owned()))
            .collect(),
        entities: entities
            .iter()
            .map(|name| (EntitySort::File, (*name).to_owned()))
            .collect(),
        kept: kept.map(str::to_owned),
    }
}

fn file(name: &str, count: u32) -> Named {
    Named {
        sort: EntitySort::File,
        name: name.to_owned(),
        count,
    }
}

#[test]
fn what_two_digests_know_is_known_once_and_belongs_to_its_topic() {
    let mut one = Digest::default();
    one.add(mention(
        "cache",
        1,
        &[(Sort::Decision, "use the cache")],
        &["a.rs", "a.rs", "b.rs"],
        Some("## me [user]\nx"),
    ));
    let mut two = Digest::default();
    for again in [
        mention(
            "queue",
            2,
            &[(Sort::Open, "empty the queue")],
            &["c.rs"],
            Some("## we [user]\ny"),
        ),
        mention(
            "cache",
            3,
            &[(Sort::Decision, "use cache")],
            &["b.rs", "b.rs"],
            Some("## me [user]\nx"),
        ),
        mention("queue", 4, &[(Sort::Lesson, "queues fill")], &[], None),
    ] {
        two.add(again);
    }
    one.name(Named {
        sort: EntitySort::User,
        ..file("b.rs", 1)
    });
    one.merge(two);
    let names: Vec<&str> = one.topics().iter().map(|topic| topic.name.as_str()).collect();
    assert_eq!(names, ["cache", "queue"]);
    assert_eq!(
        one.said(),
        [
            fact(Some(0), 1, &[3], Sort::Decision, "use the cache"),
            fact(Some(1), 2, &[], Sort::Open, "empty the queue"),
            fact(Some(1), 4, &[], Sort::Lesson, "queues fill"),
        ]
    );
    let user = Named {
        sort: EntitySort::User,
        ..file("b.rs", 1)
    };
    assert_eq!(
        one.entities(),
        [file("a.rs", 2), file("b.rs", 3), user, file("c.rs", 1)]
    );
    let kept = |at: i32, text: &str| super::Kept {
        day: day(at),
        text: text.to_owned(),
    };
    assert_eq!(
        one.kept(),
        [kept(1, "## me [user]\nx"), kept(2, "## we [user]\ny")]
    );
}

#[test]
fn a_fact_of_no_topic_is_not_lost_in_a_merge() {
    let mut one = Digest::default();
    one.say(fact(None, 1, &[], Sort::Lesson, "ask first"));
    let mut two = Digest::default();
    two.add(mention("cache", 2, &[(Sort::Open, "measure it")], &[], None));
    one.merge(two);
    assert_eq!(
        one.said(),
        [
            fact(None, 1, &[], Sort::Lesson, "ask first"),
            fact(Some(0), 2, &[], Sort::Open, "measure it"),
        ]
    );
}

#[test]
fn the_same_is_said_when_the_words_that_carry_meaning_are_the_same() {
    for (one, other, same) in [
        ("use the cache", "Use cache!", true),
        ("the cache", "a cache", true),
        ("use the cache", "do not use the cache", false),
        ("use the cache", "use the queue", false),
        ("cache the queue", "queue the cache", false),
        ("it is", "to be", false),
        ("it is", "It is.", true),
    ] {
        let mut digest = Digest::default();
        digest.say(fact(None, 1, &[], Sort::Lesson, one));
        digest.say(fact(None, 2, &[], Sort::Lesson, other));
        digest.say(fact(None, 2, &[], Sort::Open, one));
        let sorts = 1 + usize::from(!same) + 1;
        assert_eq!(digest.said().len(), sorts, "{one} / {other}");
    }
    let mut digest = Digest::default();
    digest.say(fact(None, 1, &[], Sort::Lesson, ""));
    assert_eq!(digest.said(), [], "nothing was said");
}

#[test]
fn a_fact_has_each_of_its_days_once_and_in_order() {
    let mut digest = Digest::default();
    for (first, again) in [
        (5, vec![]),
        (7, vec![5, 6]),
        (3, vec![]),
        (7, vec![]),
        (3, vec![9]),
    ] {
        digest.say(fact(None, first, &again, Sort::Lesson, "ask first"));
    }
    assert_eq!(
        digest.said(),
        [fact(None, 3, &[5, 6, 7, 9], Sort::Lesson, "ask first")]
    );
    assert_eq!(digest.said()[0].newest(), day(9));
}

#[test]
fn the_frontmatters_word_on_a_topic_stands_over_its_summarys() {
    let mut digest = Digest::default();
    digest.add(mention("cache", 9, &[], &[], None));
    let told = [
        (
            "Cache",
            Kind::User,
            Mentioned {
                last: day(4),
                days: 3,
                place: 1,
                before: Some((day(2), true)),
            },
        ),
        (
            "queue",
            Kind::Reference,
            Mentioned {
                last: day(5),
                days: 2,
                place: 7,
                before: None,
            },
        ),
    ];
    for (name, kind, mentioned) in told {
        digest.correct(name.into(), kind, mentioned);
    }
    let known = told.map(|(name, kind, mentioned)| Topic {
        days: mentioned.days,
        place: mentioned.place,
        before: mentioned.before,
        ..Topic::bare(name.into(), kind, mentioned.last)
    });
    assert_eq!(digest.topics(), known);
}
