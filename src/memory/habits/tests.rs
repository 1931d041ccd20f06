//! Habits are rounded and noted once.

use super::*;
use crate::memory::inventory::{Known, LogFacts, NodeFacts, UnitFacts};
use crate::memory::level::{Period, Status};
use crate::memory::node::Hash;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

#[test]
fn numbers_are_rounded_so_that_habits_and_not_days_change_the_file() {
    for (lines, rounded) in [
        (0, 0),
        (7, 7),
        (58, 60),
        (61, 60),
        (63, 65),
        (123, 100),
        (444, 450),
        (22_723, 25_000),
    ] {
        assert_eq!(round(lines), rounded, "{lines}");
    }
}

#[test]
fn an_observation_is_noted_once() {
    let first = noted("", "about 60 lines a day", day("2026-03-15")).unwrap();
    assert!(
        first.ends_with("## Learned Patterns\n- 2026-03-15: about 60 lines a day\n"),
        "{first}"
    );
    assert_eq!(noted(&first, "about 60 lines a day", day("2026-03-16")), None);
}

#[test]
fn the_oldest_observations_go_and_others_lines_stay() {
    let mut notes = "---\nagent: compaction\nupdated: x\n---\n\n## Learned Patterns\n- theirs\n\n## Tuning Notes\n- kept\n".to_owned();
    for at in 0..40 {
        notes = noted(&notes, &format!("about {at} lines a day"), day("2026-03-15")).unwrap();
    }
    assert_eq!(notes.lines().filter(|line| line.contains("lines a day")).count(), LINES_MAX);
    assert!(
        notes.contains("- theirs\n")
            && notes.contains("## Tuning Notes\n- kept\n")
            && notes.contains("about 39 lines")
    );
    assert!(!notes.contains("about 9 lines"));
}

/// A workspace with a log of so many lines on each day, of which the first daily nodes are summaries.
fn inventory(lines: &[u32], summaries: usize) -> Inventory {
    let mut inventory = Inventory::default();
    for (at, lines) in lines.iter().enumerate() {
        let date = day("2026-03-02").plus(i64::try_from(at).unwrap());
        let unit = |lines| UnitFacts {
            digest: crate::memory::entry::digest("x"),
            lines,
            checkpoint: true,
            snapshot: false,
        };
        let log = |facts| Log { path: String::new(), facts, is_gone: false };
        let facts = |lines: &[u32]| {
            Some(LogFacts {
                hash: 0,
                units: lines.iter().map(|lines| unit(*lines)).collect(),
            })
        };
        let logs = vec![log(facts(&[lines - 2, 1])), log(facts(&[1])), log(None)];
        inventory.logs.insert(date, logs);
        let node = NodeFacts {
            status: Status::Tentative,
            content: Hash(0),
            built_from: None,
            placeholder: false,
            summarized: at < summaries,
            answered: false,
            touched: false,
            sources: Vec::new(),
            entries: Vec::new(),
            late: Vec::new(),
        };
        inventory.nodes.insert(Period::Day(date), Known::Node(node));
    }
    inventory
}

#[test]
fn a_week_of_logs_says_how_long_a_day_is_and_how_often_a_level_is_summarized() {
    let week = [600, 20, 30, 40, 10, 50, 500];
    for (lines, summaries, expect) in [
        (&week[..6], 0, None),
        (&week[..], 0, Some("about 40 lines a day, daily over its threshold in 0%")),
        (&week[..], 2, Some("about 40 lines a day, daily over its threshold in 30%")),
        (&week[..], 5, Some("about 40 lines a day, daily over its threshold in 70%")),
        (&week[..], 7, Some("about 40 lines a day, daily over its threshold in 100%")),
        (
            &[10, 20, 30, 40, 50, 60, 70, 80][..],
            3,
            Some("about 50 lines a day, daily over its threshold in 40%"),
        ),
    ] {
        assert_eq!(
            observe(&inventory(lines, summaries)).as_deref(),
            expect,
            "{lines:?} {summaries}"
        );
    }
}

#[test]
fn a_level_without_nodes_is_not_spoken_of() {
    let mut inventory = inventory(&[30; 7], 0);
    let mut nodes = std::mem::take(&mut inventory.nodes);
    assert_eq!(observe(&inventory).as_deref(), Some("about 30 lines a day"));
    let (period, node) = nodes.pop_first().unwrap();
    inventory.nodes.insert(period.parent().unwrap(), node);
    assert_eq!(
        observe(&inventory).as_deref(),
        Some("about 30 lines a day, weekly over its threshold in 0%")
    );
}

#[test]
fn an_observation_goes_to_the_end_of_its_section_and_what_others_wrote_stays() {
    let said = "about 60 lines a day";
    for (notes, expect) in [
        (
            "---\nagent: compaction\nupdated: 2026-01-01\n---\n\n## Learned Patterns\n- theirs\n\n## Tuning\n- kept\n",
            "---\nagent: compaction\nupdated: 2026-03-15\n---\n\n## Learned Patterns\n- theirs\n- 2026-03-15: about 60 lines a day\n\n## Tuning\n- kept\n",
        ),
        (
            "## Learned Patterns\n\n## Tuning\n- kept\n\n## More\n- so\n",
            "## Learned Patterns\n- 2026-03-15: about 60 lines a day\n\n## Tuning\n- kept\n\n## More\n- so\n",
        ),
        (
            "## Learned Patterns\n- a\n## Tuning\n- kept\n",
            "## Learned Patterns\n- a\n- 2026-03-15: about 60 lines a day\n## Tuning\n- kept\n",
        ),
        (
            "# Notes\n- theirs",
            "# Notes\n- theirs\n\n## Learned Patterns\n- 2026-03-15: about 60 lines a day\n",
        ),
        (
            "# Notes\n\n## Learned Patterns\n- a\n- b\n\n\n",
            "# Notes\n\n## Learned Patterns\n- a\n- b\n- 2026-03-15: about 60 lines a day\n\n\n",
        ),
        // Neither is an observation of ours: the newest of ours is another.
        (
            "## Learned Patterns\n- 2026-03-10: about 90 lines a day\n- 2026-03-14: 60 lines\n- theirs: about 60 lines a day\n",
            "## Learned Patterns\n- 2026-03-10: about 90 lines a day\n- 2026-03-14: 60 lines\n- theirs: about 60 lines a day\n- 2026-03-15: about 60 lines a day\n",
        ),
    ] {
        assert_eq!(noted(notes, said, day("2026-03-15")).as_deref(), Some(expect));
    }
}
