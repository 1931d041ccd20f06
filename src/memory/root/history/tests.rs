//! What is remembered of a month, and what of it is let go again.

use super::*;
use crate::memory::digest::Mention;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn month(name: &str) -> Month {
    Month::parse(name).unwrap()
}

fn project(name: &str, last: &str) -> Topic {
    Topic::bare(name.to_owned(), Kind::Project, day(last))
}

fn mention(topic: Topic, facts: &[(Sort, &str)]) -> Mention {
    Mention {
        topic,
        facts: facts
            .iter()
            .map(|&(sort, text)| (sort, text.to_owned()))
            .collect(),
        entities: Vec::new(),
        kept: None,
    }
}

fn digest(mentions: impl IntoIterator<Item = Mention>) -> Digest {
    let mut digest = Digest::default();
    for mention in mentions {
        digest.add(mention);
    }
    digest
}

#[test]
fn a_history_is_empty_until_a_month_is_added() {
    let mut history = History::default();
    assert!(history.is_empty());
    history.add(
        month("2026-02"),
        &digest([mention(project("billing", "2026-02-03"), &[])]),
        day("2026-03-01"),
    );
    assert!(!history.is_empty());
}

#[test]
fn what_is_mentioned_in_passing_only_is_no_topic_yet() {
    let passing = |last| Topic {
        days: 0,
        ..project("billing", last)
    };
    let mut history = History::default();
    let one = digest([
        mention(passing("2026-02-03"), &[]),
        mention(project("auth", "2026-02-03"), &[]),
    ]);
    history.add(month("2026-02"), &one, day("2026-03-15"));
    assert!(history.topic("billing").is_none());
    assert_eq!(history.months[0].phrases.len(), 1);
    // Nor is it what it was before today, when today it is more.
    let mut march = digest([mention(passing("2026-03-14"), &[])]);
    march.merge(digest([mention(project("billing", "2026-03-15"), &[])]));
    history.add(month("2026-03"), &march, day("2026-03-15"));
    assert_eq!(
        history.topic("billing").map(|topic| topic.earlier.is_some()),
        Some(false)
    );
    assert_eq!(history.settled(day("2026-03-15")).count(), 1);
    assert_eq!(history.months.len(), 1, "of March there is nothing but today");
}

#[test]
fn what_a_topic_was_before_its_newest_day_is_kept_for_that_day_only() {
    for (today, is_kept) in [("2026-03-14", true), ("2026-03-15", false)] {
        let mut both = digest([mention(project("billing", "2026-03-12"), &[])]);
        both.merge(digest([mention(project("billing", "2026-03-14"), &[])]));
        let mut history = History::default();
        history.add(
            month("2026-02"),
            &digest([mention(project("billing", "2026-02-12"), &[])]),
            day(today),
        );
        history.add(month("2026-03"), &both, day(today));
        let earlier = history
            .topic("billing")
            .and_then(|topic| topic.earlier.as_deref());
        let expect = is_kept.then_some((day("2026-03-12"), 2));
        assert_eq!(
            earlier.map(|earlier| (earlier.last, earlier.days)),
            expect,
            "{today}"
        );
        let mut alone = History::default();
        alone.add(month("2026-03"), &both, day(today));
        let earlier = alone.topic("billing").and_then(|topic| topic.earlier.as_deref());
        let expect = is_kept.then_some((day("2026-03-12"), 1));
        assert_eq!(
            earlier.map(|earlier| (earlier.last, earlier.days)),
            expect,
            "{today}"
        );
    }
}

#[test]
fn a_month_is_over_when_its_last_day_is() {
    let facts = [
        (Sort::Decision, "chose a ledger"),
        (Sort::Decision, "chose a queue"),
        (Sort::Decision, "chose a bank"),
    ];
    let billing = Topic {
        days: 2,
        ..project("billing", "2026-03-20")
    };
    let last = month("2026-03").last_day();
    for (today, told) in [(last, None), (last.plus(1), Some((day("2026-03-20"), 3)))] {
        let mut history = History::default();
        history.add(
            month("2026-03"),
            &digest([mention(billing.clone(), &facts)]),
            today,
        );
        assert_eq!(history.told.get("billing").copied(), told, "{today}");
    }
}

#[test]
fn phrases_of_a_month_become_few_when_it_is_no_longer_recent() {
    let mut history = History::default();
    let mut left = Vec::new();
    for name in ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02"] {
        let topics = (0..30).map(|at| mention(project(&format!("matter {at}"), &format!("{name}-10")), &[]));
        history.add(month(name), &digest(topics), day("2026-03-15"));
        left = history.months.iter().map(|month| month.phrases.len()).collect();
    }
    assert_eq!(left, [24, 24, 24, 30, 30]);
    assert_eq!(history.recent.len(), 2);
}

#[test]
fn words_and_lessons_are_as_long_as_lines_have_room_for() {
    let word = "w".repeat(50);
    let lesson = format!("always {}", "measure before you cut ".repeat(6));
    let mut billing = project("billing", "2026-03-10");
    billing.keywords = [(word, 1)].into_iter().collect();
    let mut history = History::default();
    let march = digest([mention(billing, &[(Sort::Lesson, lesson.trim_end())])]);
    history.add(month("2026-03"), &march, day("2026-04-02"));
    let phrase = &history.months[0].phrases[0].text;
    assert_eq!(phrase, &format!("billing ({}…)", "w".repeat(29)));
    let (_, learned) = &history.recent[0].lessons[0];
    assert_eq!(learned, &format!("billing: {}", one_line(&lesson, 120)));
    assert!(learned.chars().count() > 110, "{learned}");
}

#[test]
fn many_words_that_topics_share_are_kept_of_a_month() {
    let shared = |at: usize| {
        format!(
            "{}{}ndral",
            char::from(b'b' + (at / 5) as u8),
            ["a", "e", "i", "o", "u"][at % 5]
        )
    };
    let mentions = (0..40).flat_map(|at| {
        (0..3).map(move |nth| {
            let name = format!("{} {}", shared(at), ["crane", "anvil", "fjord"][nth]);
            mention(
                project(&name, ["2026-03-02", "2026-03-03", "2026-03-04"][nth]),
                &[],
            )
        })
    });
    let mut history = History::default();
    history.add(month("2026-03"), &digest(mentions), day("2026-04-02"));
    assert_eq!(history.recent[0].words.len(), 32);
}

#[test]
fn pointers_to_files_that_are_gone_are_forgotten() {
    let references = [
        "knowledge/auth.md",
        "./knowledge/gone.md#tokens",
        "plans/q3.md:12",
        "plans/gone/",
        "src/knowledge/gone.md",
        "https://example.com/plans/gone.md",
    ];
    let with = |last| Topic {
        references: references.map(str::to_owned).to_vec(),
        ..project("auth", last)
    };
    let mut march = digest([mention(with("2026-03-12"), &[])]);
    march.merge(digest([mention(with("2026-03-14"), &[])]));
    let mut history = History::default();
    history.add(month("2026-03"), &march, day("2026-03-14"));
    let missing = history.keep_pointers(|path| ["knowledge/auth.md", "plans/q3.md"].contains(&path));
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    assert_eq!(missing, ["knowledge/gone.md", "plans/gone"]);
    let kept = [references[0], references[2], references[4], references[5]];
    let topic = history.topic("auth").unwrap();
    assert_eq!(topic.references, kept);
    assert_eq!(topic.earlier.as_deref().unwrap().references, kept);
}
