//! ROOT under its cap, with the lines of others in it.

mod merged;
mod mornings;
mod over;
mod spent;
mod table;

use super::*;
use crate::memory::calendar::Month;
use crate::memory::digest::{Digest, Mention, Topic};
use crate::memory::fact::Sort;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn mention(digest: &mut Digest, name: &str, kind: Kind, last: &str, words: &[&str]) {
    let mut topic = Topic::bare(name.to_owned(), kind, day(last));
    topic.keywords = words.iter().map(|word| (word, 1)).collect();
    topic.state = Some(format!("where {name} stands"));
    let facts = vec![(Sort::Decision, format!("chose a way for {name}"))];
    digest.add(Mention {
        topic,
        facts,
        entities: Vec::new(),
        kept: None,
    });
}

fn history(topics: &[(&str, Kind, &str)]) -> History {
    let mut history = History::default();
    for month in ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"] {
        let month = Month::parse(month).unwrap();
        let mut digest = Digest::default();
        for (name, kind, last) in topics
            .iter()
            .filter(|(_, _, last)| day(last).node_month() == month)
        {
            mention(&mut digest, name, *kind, last, &["jwt", "tokens", name]);
        }
        if !digest.topics().is_empty() {
            history.add(month, &digest, day("2026-03-31"));
        }
    }
    history
}

const TOPICS: [(&str, Kind, &str); 6] = [
    ("auth refactor", Kind::Project, "2026-03-14"),
    ("billing", Kind::Project, "2026-02-20"),
    ("old migration", Kind::Project, "2025-11-20"),
    ("terse answers", Kind::Feedback, "2025-12-15"),
    ("lives in Lisbon", Kind::User, "2026-01-15"),
    ("status page", Kind::Reference, "2026-01-20"),
];

fn printed(tokens_max: usize) -> Printed {
    print(
        &history(&TOPICS),
        &Foreign::default(),
        day("2026-03-15"),
        tokens_max,
    )
}

#[test]
fn the_index_names_types_and_ages() {
    let text = printed(3000).text;
    for line in [
        "- auth refactor [project, 1d]: ",
        "- billing [project, 23d]: ",
        "- old migration [project, 115d]: ",
        "- terse answers [feedback, 90d]: ",
        "- lives in Lisbon [user, 59d]: ",
        "- status page [reference, 54d, ?]: ",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(text.contains(
        "## Active Context (recent ~7 days)\n- auth refactor: where auth refactor stands; jwt, tokens\n"
    ));
    assert!(text.contains("- 2025-11: "), "{text}");
}

#[test]
fn the_cap_is_never_exceeded_and_people_go_last() {
    for tokens_max in (120..700).step_by(10) {
        let root = printed(tokens_max);
        assert!(
            root.tokens <= tokens_max,
            "{} of {tokens_max}\n{}",
            root.tokens,
            root.text
        );
        let shows = |name: &str| root.text.contains(&format!("- {name} ["));
        assert!(
            !shows("old migration") || shows("billing"),
            "resting projects leave first"
        );
        assert!(
            !shows("billing") || (shows("terse answers") && shows("lives in Lisbon")),
            "the person goes last"
        );
        assert_eq!(
            root.cut_short,
            !shows("terse answers") || !shows("lives in Lisbon"),
            "{}",
            root.text
        );
    }
}

#[test]
fn printing_again_with_what_was_printed_changes_nothing() {
    let root = printed(3000);
    let mut base = Base::default();
    base.remember(root.generated.iter().map(String::as_str));
    let history = history(&TOPICS);
    let foreign = Foreign::read(&root.text, &base, |name| history.topic(name).is_some());
    assert!(foreign.is_empty(), "{foreign:?}");
    let next_day = print(&history, &foreign, day("2026-03-16"), 3000);
    let foreign = Foreign::read(&next_day.text, &base, |name| history.topic(name).is_some());
    assert!(
        foreign.is_empty(),
        "an age alone makes no line another's: {foreign:?}"
    );
}

#[test]
fn lines_of_others_survive_and_are_told_apart_for_ever() {
    let history = history(&TOPICS);
    let root = printed(3000);
    let theirs = root
        .text
        .replace(
            "## Recent Patterns\n",
            "## Recent Patterns\n- never deploy on Friday\n",
        )
        .replace(
            "- auth refactor [project, 1d]: ",
            "- auth refactor [project, 1d]: see Anna → knowledge/auth.md; ",
        )
        + "\n## My own\nkeep this\n";
    let mut base = Base::default();
    base.remember(root.generated.iter().map(String::as_str));
    let mut text = theirs;
    for date in ["2026-03-15", "2026-03-16", "2026-03-20"] {
        let foreign = Foreign::read(&text, &base, |name| history.topic(name).is_some());
        let again = print(&history, &foreign, day(date), 3000);
        base.remember(again.generated.iter().map(String::as_str));
        text = again.text;
        assert!(
            text.contains("## Recent Patterns\n- never deploy on Friday\n"),
            "{text}"
        );
        assert!(text.contains("]: see Anna → knowledge/auth.md; "), "{text}");
        assert_eq!(text.matches("- auth refactor [").count(), 1, "{text}");
        assert!(text.ends_with("\n## My own\nkeep this\n"), "{text}");
    }
    assert!(text.contains("- auth refactor [project, 6d]: see Anna"), "{text}");
}

#[test]
fn a_topic_that_left_the_sources_leaves_root() {
    let root = printed(3000);
    let mut base = Base::default();
    base.remember(root.generated.iter().map(String::as_str));
    let fewer = history(&TOPICS[..5]);
    let foreign = Foreign::read(&root.text, &base, |name| fewer.topic(name).is_some());
    assert!(
        !print(&fewer, &foreign, day("2026-03-15"), 3000)
            .text
            .contains("status page")
    );
}

#[test]
fn continuing_a_kept_history_equals_starting_again() {
    let whole = history(&TOPICS);
    let mut kept = history(
        &TOPICS
            .iter()
            .copied()
            .filter(|(_, _, last)| day(last) < day("2026-02-01"))
            .collect::<Vec<_>>(),
    );
    for month in ["2026-02", "2026-03"] {
        let month = Month::parse(month).unwrap();
        let mut digest = Digest::default();
        for (name, kind, last) in TOPICS
            .iter()
            .filter(|(_, _, last)| day(last).node_month() == month)
        {
            mention(&mut digest, name, *kind, last, &["jwt", "tokens", name]);
        }
        kept.add(month, &digest, day("2026-03-31"));
    }
    assert_eq!(kept, whole);
}

/// SPEC section 9 wants an order that stays: what comes up again today takes no line from anybody.
#[test]
fn a_topic_that_comes_up_again_takes_no_line_of_active_context() {
    let month = Month::parse("2026-03").unwrap();
    let names: Vec<String> = (0..28).map(|number| format!("matter {number}")).collect();
    let with = |again: &[usize]| {
        let mut digest = Digest::default();
        for (at, name) in names.iter().enumerate() {
            let last = ["2026-03-12", "2026-03-14", "2026-03-01"][usize::from(at > 3) + usize::from(at > 15)];
            mention(&mut digest, name, Kind::Project, last, &[name]);
        }
        let mut today = Digest::default();
        for at in again {
            mention(&mut today, &names[*at], Kind::Project, "2026-03-15", &[]);
        }
        digest.merge(today);
        let mut history = History::default();
        history.add(month, &digest, day("2026-03-15"));
        let text = print(&history, &Foreign::default(), day("2026-03-15"), 3000).text;
        let active = text.split("## ").nth(1).unwrap().lines().skip(1);
        active
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut again = Vec::new();
    let mut before = with(&again);
    assert_eq!(before.len(), 16, "{before:?}");
    // Some had a line among those of the days before, others had none.
    for at in [4, 0, 20, 5, 12, 21, 22, 3, 23, 24, 25, 6, 26, 27, 16, 17, 1] {
        again.push(at);
        let after = with(&again);
        let others = |line: &&String| !line.starts_with(&format!("- {}:", names[at]));
        let stayed = |line: &String| after.contains(line);
        assert!(
            before.iter().filter(others).all(stayed),
            "{at}: {before:?} {after:?}"
        );
        let known = |line: &String| before.contains(line);
        assert!(
            after.iter().filter(others).all(known),
            "{at}: {before:?} {after:?}"
        );
        before = after;
    }
    assert_eq!(before.len(), 24, "{before:?}");
}
