//! The vault (SPEC section 15): logs that shrink, go and come back, in the shapes that real workspaces have.

use std::collections::BTreeSet;
use std::process::Stdio;

use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::level::{Level, Period, Status};
use hipocampusd::memory::plan::Extent;

use crate::world::{World, assert_same, day, moment, program};

mod commands;
mod forget;
mod store;

/// An entry of so many lines; its words are its own.
pub(crate) fn entry(name: &str, lines: usize) -> String {
    let body: String = (0..lines.saturating_sub(2))
        .map(|line| format!("- step {line} of {name}: done so\n"))
        .collect();
    format!("## {name}\n{body}\n")
}

/// A made-up name: headings that share their beginning, or differ in a number alone, would be one subject's.
pub(crate) fn name(prefix: &str, number: usize) -> String {
    let seed = format!("{prefix} {number}");
    let mut rest = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    rest ^= rest >> 29;
    let mut letter = |of: &str| {
        let letters: Vec<char> = of.chars().collect();
        let count = letters.len() as u64;
        let at = usize::try_from(rest % count).expect("a place");
        rest /= count;
        letters[at].to_string()
    };
    let first = letter("BDFGKLMNPRTVZ") + &letter("aeiou");
    let more: String = (0..3).map(|_| letter("bdfgklmnprtvz") + &letter("aeiou")).collect();
    format!("{first}{more}k")
}

/// A log of so many entries of ten lines, named by [`name`].
pub(crate) fn log(prefix: &str, entries: usize) -> String {
    (0..entries).map(|number| entry(&name(prefix, number), 10)).collect()
}

/// The names of topics of a day's node, and of those above it.
fn topics(world: &World, period: Period) -> BTreeSet<String> {
    let node = world.node(period).unwrap_or_else(|| panic!("no node of {period}"));
    node.front.topics.into_iter().map(|topic| topic.name).collect()
}

/// Whether the daily, weekly and monthly nodes of a date name all of so many entries.
fn names_all(world: &World, date: &str, prefix: &str, entries: usize) {
    let day = Period::Day(day(date));
    let week = day.parent().expect("a week");
    for period in [day, week, week.parent().expect("a month")] {
        let topics = topics(world, period);
        for number in 0..entries {
            let name = name(prefix, number);
            assert!(topics.contains(&name), "{period} does not name {name:?}: {topics:?}");
        }
    }
}

/// Nothing is due, and nothing is written by looking once more, in whatever way.
fn rests(world: &World, now: &str) {
    let (files, stamps) = (world.files(), world.stamps());
    for extent in [Extent::Cycle, Extent::All] {
        let outcome = world.run(moment(now), extent);
        assert!(outcome.wrote.is_empty() && outcome.left == 0, "{outcome:?}");
    }
    assert_same(&files, &world.files(), "a cycle with nothing due wrote");
    assert_eq!(stamps, world.stamps());
    assert_eq!(verified(world, &now[..10]), "");
}

/// What `verify` finds.
pub(crate) fn verified(world: &World, today: &str) -> String {
    let output = program(world, &["verify", "--today", today])
        .stdout(Stdio::piped())
        .output()
        .expect("verify runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn warned(outcome: &hipocampusd::daemon::cycle::Outcome, path: &str, what: &str) {
    let issues = outcome.issues.as_deref().unwrap_or_default();
    assert!(
        issues.iter().any(|issue| issue.path == path && issue.what.contains(what)),
        "{path}: {what}: {issues:?}"
    );
}

fn settled() -> World {
    let mut world = World::new();
    world.later_seconds = 10;
    world
}

#[test]
fn an_overwrite_on_the_same_day_stays_in_memory() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("Old", 99) + "four\nlines\nmore\nhere\n");
    world.bulk(moment("2026-03-15 12:00"));
    names_all(&world, "2026-03-15", "Old", 99);
    world.write("memory/2026-03-15.md", log("New", 17));
    let outcome = world.bulk(moment("2026-03-15 13:00"));
    warned(&outcome, "memory/2026-03-15.md", "was overwritten on 2026-03-15");
    names_all(&world, "2026-03-15", "Old", 99);
    names_all(&world, "2026-03-15", "New", 17);
    let text = world.text("memory/daily/2026-03-15.md");
    assert!(text.contains("\n# Overwritten entries of 2026-03-15\n"), "{text}");
    rests(&world, "2026-03-15 13:01");
    // It grows on, and is fixed with everything in it.
    world.append("memory/2026-03-15.md", "\n## Afterwards\n- outcome: fine\n");
    world.bulk(moment("2026-03-16 12:00"));
    let node = world.node(Period::Day(day("2026-03-15"))).expect("a node");
    assert_eq!(node.front.status, Status::Fixed);
    names_all(&world, "2026-03-15", "Old", 99);
    assert!(topics(&world, Period::Day(day("2026-03-15"))).contains("Afterwards"));
    rests(&world, "2026-03-16 12:01");
}

#[test]
fn an_overwrite_before_any_cycle_is_seen_when_the_counters_are() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("Old", 12));
    world.count(moment("2026-03-15 10:00"));
    world.write("memory/2026-03-15.md", "## Short\n- outcome: three lines\n");
    world.bulk(moment("2026-03-15 12:00"));
    names_all(&world, "2026-03-15", "Old", 12);
}

#[test]
fn an_overwrite_of_a_fixed_day_changes_nothing_but_what_is_said() {
    let world = settled();
    world.write("memory/2026-03-10.md", log("Old", 120) + "six\nmore\n");
    world.bulk(moment("2026-03-12 12:00"));
    let before = world.text("memory/daily/2026-03-10.md");
    world.write("memory/2026-03-10.md", "## Short\n- outcome: three lines\n");
    world.write("memory/2026-03-12.md", "## Today\n- outcome: fine\n");
    let outcome = world.bulk(moment("2026-03-12 13:00"));
    warned(&outcome, "memory/2026-03-10.md", "0 of 1082 lines are left");
    assert_eq!(world.text("memory/daily/2026-03-10.md"), before);
    let today = world.text("memory/daily/2026-03-12.md");
    assert!(today.contains("# Late entries of 2026-03-10\n\n## Short\n"), "{today}");
    assert!((0..120).all(|number| !today.contains(&name("Old", number))), "{today}");
    rests(&world, "2026-03-12 13:01");
}

#[test]
fn six_logs_purged_at_once_stay_in_memory() {
    let world = settled();
    for number in 1..=9 {
        let date = format!("2026-03-{number:02}");
        world.write(&format!("memory/{date}.md"), log(&format!("Day{number}"), 3));
    }
    world.bulk(moment("2026-03-09 20:00"));
    let before = world.tree();
    for number in 4..=9 {
        world.remove(&format!("memory/2026-03-{number:02}.md"));
    }
    let outcome = world.bulk(moment("2026-03-09 20:10"));
    for number in 4..=9 {
        let path = format!("memory/2026-03-{number:02}.md");
        warned(&outcome, &path, "is gone since 2026-03-09");
    }
    assert_same(&before, &world.tree(), "six logs were purged");
    rests(&world, "2026-03-09 20:11");
    // Time goes on, everything is fixed as if they were there.
    world.bulk(moment("2026-04-20 12:00"));
    for number in 1..=9 {
        names_all(&world, &format!("2026-03-{number:02}"), &format!("Day{number}"), 3);
    }
}

#[test]
fn a_log_that_is_gone_before_it_was_compacted_is_compacted_all_the_same() {
    let world = settled();
    world.write("memory/2026-03-14.md", log("Older", 4));
    world.write("memory/2026-03-15.md", log("Today", 4));
    // One node a level: the older day waits.
    world.run(moment("2026-03-15 12:00"), Extent::Cycle);
    assert!(world.node(Period::Day(day("2026-03-14"))).is_none());
    world.remove("memory/2026-03-14.md");
    world.drain(moment("2026-03-15 12:10"));
    names_all(&world, "2026-03-14", "Older", 4);
}

#[test]
fn seventy_two_logs_deleted_and_added_again_leave_no_trace() {
    let world = settled();
    let first = day("2026-01-01");
    let path = |number: i64| format!("memory/{}.md", first.plus(number));
    for number in 0..72 {
        world.write(&path(number), log(&format!("Day{number}"), 2));
    }
    world.bulk(moment("2026-03-13 20:00"));
    let before = world.tree();
    let logs: Vec<Vec<u8>> = (0..72).map(|number| world.bytes(&path(number)).expect("a log")).collect();
    (0..72).for_each(|number| world.remove(&path(number)));
    world.bulk(moment("2026-03-13 20:10"));
    assert_same(&before, &world.tree(), "deleted");
    for (number, log) in (0..72).zip(&logs) {
        world.write(&path(number), log);
    }
    let outcome = world.bulk(moment("2026-03-13 20:20"));
    assert_eq!(outcome.issues.as_deref(), Some(&[][..]), "something is still said to be lost");
    assert_same(&before, &world.tree(), "added again");
    rests(&world, "2026-03-13 20:21");
}

#[test]
fn logs_condensed_in_place_day_after_day_keep_what_was_condensed() {
    let world = settled();
    for number in 1..=6 {
        let date = format!("2026-03-{number:02}");
        let path = format!("memory/{date}.md");
        world.write(&path, log(&format!("Long{number}"), 8));
        world.bulk(moment(&format!("{date} 12:00")));
        world.write(&path, format!("## Condensed {number}\n- outcome: eight things done\n"));
        world.bulk(moment(&format!("{date} 20:00")));
        world.append(&path, format!("\n{}", log(&format!("Evening{number}"), 3)));
        world.bulk(moment(&format!("{date} 22:00")));
    }
    for number in 1..=6 {
        let date = format!("2026-03-{number:02}");
        names_all(&world, &date, &format!("Long{number}"), 8);
        names_all(&world, &date, &format!("Evening{number}"), 3);
    }
    rests(&world, "2026-03-06 22:01");
}

#[test]
fn a_log_moved_to_an_archive_is_not_lost_and_one_that_is_gone_from_there_is() {
    let world = settled();
    world.write("memory/2026-03-14.md", log("Kept", 3));
    world.write("memory/2026-03-15.md", log("Today", 3));
    world.bulk(moment("2026-03-15 12:00"));
    let before = world.tree();
    let text = world.bytes("memory/2026-03-14.md").expect("a log");
    world.write("memory/archive/2026/2026-03-14.md", text);
    world.remove("memory/2026-03-14.md");
    let outcome = world.bulk(moment("2026-03-15 12:10"));
    assert_eq!(outcome.issues.as_deref(), Some(&[][..]), "it was only moved");
    assert_same(&before, &world.tree(), "moved to an archive");
    world.remove("memory/archive");
    world.append("memory/2026-03-15.md", "\n## More\n- outcome: fine\n");
    let outcome = world.bulk(moment("2026-03-15 12:20"));
    warned(&outcome, "memory/2026-03-14.md", "is gone");
    names_all(&world, "2026-03-14", "Kept", 3);
}

#[test]
fn a_log_that_was_given_another_name_is_covered_once() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("Renamed", 3));
    world.bulk(moment("2026-03-15 12:00"));
    let text = world.bytes("memory/2026-03-15.md").expect("a log");
    world.write("memory/2026-03-15-talk.md", text);
    world.remove("memory/2026-03-15.md");
    world.bulk(moment("2026-03-15 12:10"));
    let node = world.node(Period::Day(day("2026-03-15"))).expect("a node");
    assert_eq!(node.front.sources, ["memory/2026-03-15-talk.md"]);
    assert_eq!(node.front.entries.len(), 3);
    rests(&world, "2026-03-15 12:11");
}

#[test]
fn an_insertion_at_the_top_and_an_edit_are_respected() {
    let world = settled();
    let text = "# 2026-03-15\n\n".to_owned() + &log("Step", 5);
    world.write("memory/2026-03-15.md", &text);
    world.bulk(moment("2026-03-15 12:00"));
    let edited = text.replace("# 2026-03-15\n\n", "# 2026-03-15\n\n## First\n- outcome: put in\n\n");
    let edited = edited.replace(&entry(&name("Step", 2), 10), "");
    world.write("memory/2026-03-15.md", &edited);
    let outcome = world.bulk(moment("2026-03-15 12:10"));
    assert_eq!(outcome.issues.as_deref(), Some(&[][..]));
    let with = World::new();
    with.write("memory/2026-03-15.md", &edited);
    with.bulk(moment("2026-03-15 12:10"));
    assert_same(&with.tree(), &world.tree(), "an edit, against a log that was always so");
    rests(&world, "2026-03-15 12:11");
}

#[test]
fn a_log_that_is_used_for_a_whole_week_and_then_emptied_is_kept_whole() {
    let world = settled();
    let path = "memory/2026-03-09.md";
    for number in 0..7 {
        world.append(path, log(&format!("Day{number}"), 3));
        world.bulk(moment(&format!("2026-03-{:02} 20:00", 9 + number)));
    }
    world.write(path, "");
    world.bulk(moment("2026-03-15 21:00"));
    let known: BTreeSet<String> = world
        .nodes()
        .into_iter()
        .filter(|(period, _)| period.level() == Level::Daily)
        .flat_map(|(_, node)| node.front.topics)
        .map(|topic| topic.name)
        .collect();
    for number in 0..7 {
        for of in 0..3 {
            assert!(known.contains(&name(&format!("Day{number}"), of)), "{known:?}");
        }
    }
    rests(&world, "2026-03-15 21:01");
    world.bulk(moment("2026-03-16 12:00"));
    rests(&world, "2026-03-16 12:01");
}

#[test]
fn thirty_logs_that_arrive_late_and_are_deleted_stay_with_the_day_that_carries_them() {
    let world = settled();
    for number in 0..90 {
        let date = day("2026-01-01").plus(number);
        if !(3..60).contains(&number) {
            world.write(&format!("memory/{date}.md"), log(&format!("Own{number}"), 1));
        }
    }
    world.bulk(moment("2026-03-31 12:00"));
    let late: Vec<Day> = (4..34).map(|number| day("2026-01-01").plus(number)).collect();
    for date in &late {
        world.write(&format!("memory/{date}.md"), log(&format!("Late of {date}"), 1));
    }
    world.bulk(moment("2026-03-31 13:00"));
    late.iter().for_each(|date| world.remove(&format!("memory/{date}.md")));
    // The carrier's own log goes, too, and one more log comes late: it is made anew.
    world.write("memory/2026-03-31.md", log("Carrier", 2));
    world.bulk(moment("2026-03-31 14:00"));
    world.remove("memory/2026-03-31.md");
    world.write("memory/2026-02-10.md", log("Latest", 1));
    world.bulk(moment("2026-03-31 15:00"));
    let carrier = topics(&world, Period::Day(day("2026-03-31")));
    for date in &late {
        let own = world.node(Period::Day(*date)).map(|node| node.front.topics.len());
        assert!(
            own == Some(1) || carrier.contains(&name(&format!("Late of {date}"), 0)),
            "{date}: {carrier:?}"
        );
    }
    assert!(carrier.contains(&name("Carrier", 1)), "{carrier:?}");
    rests(&world, "2026-03-31 15:01");
}

#[test]
fn without_a_vault_nothing_is_kept() {
    let mut world = World::without_vault();
    world.later_seconds = 10;
    world.write("memory/2026-03-15.md", log("Old", 20));
    world.bulk(moment("2026-03-15 12:00"));
    world.write("memory/2026-03-15.md", "## New\n- outcome: short\n");
    let outcome = world.bulk(moment("2026-03-15 13:00"));
    assert_eq!(outcome.issues.as_deref(), Some(&[][..]));
    let text = world.text("memory/daily/2026-03-15.md");
    assert!((0..20).all(|number| !text.contains(&name("Old", number))), "{text}");
    assert!(world.files().keys().all(|name| !name.starts_with(".hipocampus/vault/")));
}
