//! Which topics are looked at, and what a line says in the room that it has.

use super::*;
use crate::memory::calendar::Month;
use crate::memory::digest::{Digest, Mention};
use crate::memory::root::shown::index;
use crate::memory::tokens;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

const TODAY: &str = "2026-03-15";

fn history(topics: impl IntoIterator<Item = Topic>) -> History {
    let mut digest = Digest::default();
    for topic in topics {
        let mention = Mention {
            topic,
            facts: Vec::new(),
            entities: Vec::new(),
            kept: None,
        };
        let mut one = Digest::default();
        one.add(mention);
        digest.merge(one);
    }
    let mut history = History::default();
    history.add(Month::parse("2026-03").unwrap(), &digest, day(TODAY));
    history
}

fn topic(name: &str, kind: Kind, last: &str) -> Topic {
    Topic::bare(name.to_owned(), kind, day(last))
}

fn spread(history: &History) -> Spread {
    Spread::of(history.settled(day(TODAY)))
}

fn looked_at<'a>(history: &'a History, spread: &'a Spread, tokens_max: usize) -> Vec<Candidate<'a>> {
    candidates(
        history,
        spread,
        &Foreign::default(),
        (day(TODAY), &HashSet::new()),
        tokens_max,
    )
}

fn heads(history: &History, tokens_max: usize) -> Vec<String> {
    let spread = spread(history);
    let candidates = looked_at(history, &spread, tokens_max);
    candidates
        .iter()
        .map(|candidate| candidate.head.clone())
        .collect()
}

#[test]
fn a_project_rests_when_it_was_not_mentioned_for_over_90_days() {
    for (kind, last, expect) in [
        (Kind::Project, "2025-12-15", false),
        (Kind::Project, "2025-12-14", true),
        (Kind::Reference, "2025-12-14", false),
    ] {
        let history = history([topic("auth", kind, last)]);
        assert_eq!(
            looked_at(&history, &spread(&history), 3000)[0].is_resting(),
            expect,
            "{kind} {last}"
        );
    }
}

#[test]
fn of_more_topics_than_fit_the_person_and_the_newest_are_looked_at() {
    let mut topics = vec![
        topic("Lisbon", Kind::User, "2025-03-01"),
        topic("old migration", Kind::Project, "2025-03-02"),
        topic("manual", Kind::Reference, "2025-03-03"),
    ];
    topics.extend((1..9).map(|at| topic(&format!("matter {at}"), Kind::Project, &format!("2026-03-0{at}"))));
    let known = history(topics.clone());
    assert_eq!(
        heads(&known, 4 * LINE_TOKENS_MIN),
        [
            "- Lisbon [user, 379d]",
            "- matter 8 [project, 7d]",
            "- matter 7 [project, 8d]",
            "- matter 6 [project, 9d]",
        ]
    );
    assert_eq!(
        heads(&known, 3000)[8..],
        [
            "- matter 1 [project, 14d]",
            "- manual [reference, 377d, ?]",
            "- old migration [project, 378d]",
        ]
    );
    // What came up today takes part, whoever is before it.
    topics.push(topic("outage", Kind::Project, TODAY));
    assert_eq!(
        heads(&history(topics), LINE_TOKENS_MIN),
        ["- Lisbon [user, 379d]", "- outage [project, 0d]"]
    );
}

#[test]
fn where_to_read_on_is_said_where_it_leaves_most_of_the_room_to_words() {
    let reference = "knowledge/how-tokens-are-refreshed.md".to_owned();
    let pointer = tokens::count(&format!(" → {reference}"));
    let fitted = |words: &[&str], room: usize| {
        let mut auth = topic("auth", Kind::Project, "2026-03-12");
        auth.references.push(reference.clone());
        auth.keywords = words.iter().map(|word| (word, 1)).collect();
        let mut costs = Costs::default();
        let history = history([auth]);
        looked_at(&history, &spread(&history), 3000)[0].fitted(room, false, &mut costs)
    };
    for (words, room, expect) in [
        (
            &[][..],
            pointer,
            "- auth [project, 3d]: → knowledge/how-tokens-are-refreshed.md",
        ),
        (&[], pointer - 1, "- auth [project, 3d]"),
        (
            &["ledger"],
            2 * pointer,
            "- auth [project, 3d]: ledger → knowledge/how-tokens-are-refreshed.md",
        ),
        (&["ledger"], 2 * pointer - 1, "- auth [project, 3d]: ledger"),
    ] {
        assert_eq!(fitted(words, room), expect, "{words:?} {room}");
    }
}

#[test]
fn what_today_made_of_a_topic_points_on_where_that_leaves_most_of_the_room_to_words() {
    let reference = "knowledge/tokens.md";
    let pointer = tokens::count(&format!(" → {reference}"));
    for (room, expect) in [
        (
            2 * pointer - 1,
            "- auth [project, 0d]: ledger, queue, bank, coins",
        ),
        (
            2 * pointer,
            "- auth [project, 0d]: ledger, queue → knowledge/tokens.md",
        ),
    ] {
        let before = topic("auth", Kind::Project, "2026-03-12");
        let mut now = topic("auth", Kind::Project, TODAY);
        now.references.push(reference.to_owned());
        now.keywords = ["ledger", "queue", "bank", "coins", "trade", "market", "garden"]
            .into_iter()
            .map(|word| (word, 1))
            .collect();
        let history = history([before, now]);
        let mut costs = Costs::default();
        let spread = spread(&history);
        let auth = looked_at(&history, &spread, 3000).remove(0);
        let limit = costs.line(&head(&history.topics["auth"], day(TODAY))).tokens() + room;
        let mut line = auth.head.clone();
        while costs.line(&line).tokens() < limit {
            line.push_str(" a");
        }
        let shown = Shown {
            folded: auth.folded,
            kind: auth.kind,
            line: Line::Made(line),
        };
        let lines = index(
            &history,
            &spread,
            &Foreign::default(),
            day(TODAY),
            vec![shown],
            &mut costs,
        );
        assert_eq!(lines, [expect], "{room}");
    }
}

#[test]
fn a_line_is_filled_to_its_limit() {
    let head = "- auth [project, 3d]";
    let pointer = " → knowledge/tokens.md";
    let mut costs = Costs::default();
    let room = costs.line(head).tokens();
    for (more, pointer, expect) in [
        (1, "", "- auth [project, 3d]"),
        (2, "", "- auth [project, 3d]: ledger"),
        (4, "", "- auth [project, 3d]: ledger, queue"),
        (5, pointer, "- auth [project, 3d]"),
        (6, pointer, "- auth [project, 3d]: → knowledge/tokens.md"),
        (7, pointer, "- auth [project, 3d]: ledger → knowledge/tokens.md"),
        (
            11,
            pointer,
            "- auth [project, 3d]: ledger, queue, bank → knowledge/tokens.md",
        ),
    ] {
        let words = ["ledger", "queue", "bank"].into_iter();
        let line = fill(
            head.to_owned(),
            ": ",
            words,
            Cost::of(room + more),
            pointer,
            &mut costs,
        );
        assert_eq!(line, expect, "{more} {pointer:?}");
    }
}
