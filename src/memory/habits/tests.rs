//! Habits are rounded and noted once.

use super::*;

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
    assert_eq!(
        notes.lines().filter(|line| line.contains("lines a day")).count(),
        LINES_MAX
    );
    assert!(
        notes.contains("- theirs\n")
            && notes.contains("## Tuning Notes\n- kept\n")
            && notes.contains("about 39 lines")
    );
    assert!(!notes.contains("about 9 lines"));
}
