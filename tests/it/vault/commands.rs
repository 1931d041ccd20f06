//! What people are told of lost logs, and how they get them back.

use super::{entry, log, name, names_all, rests};
use crate::place::{Place, Ran};
use crate::world::{World, moment, program};
use std::process::Stdio;

/// Runs the program, which prints what it is asked for.
pub(super) fn run(world: &World, arguments: &[&str]) -> Ran {
    let output = program(world, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .expect("the program runs");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn overwritten() -> World {
    let mut world = World::new();
    world.later_seconds = 10;
    world.write("memory/2026-03-15.md", log("Old", 5));
    world.write("memory/2026-03-14.md", log("Gone", 2));
    world.bulk(moment("2026-03-15 12:00"));
    world.write(
        "memory/2026-03-15.md",
        entry(&name("Old", 3), 10) + "## New\n- outcome: short\n",
    );
    world.remove("memory/2026-03-14.md");
    world.bulk(moment("2026-03-15 13:00"));
    world
}

#[test]
fn restore_shows_what_was_lost_and_appends_it_when_told_to() {
    let world = overwritten();
    let before = world.files();
    let shown = run(&world, &["restore", "2026-03-15", "--today", "2026-03-15"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for number in [0, 1, 2, 4] {
        assert!(shown.stdout.contains(&entry(&name("Old", number), 10)), "{shown:?}");
    }
    assert!(
        !shown.stdout.contains(&name("Old", 3)) && !shown.stdout.contains("New"),
        "{shown:?}"
    );
    assert!(shown.stderr.contains("was overwritten on 2026-03-15"), "{shown:?}");
    assert_eq!(world.files(), before, "looking changed something");

    let log_before = world.text("memory/2026-03-15.md");
    let applied = run(&world, &["restore", "2026-03-15", "--apply", "--today", "2026-03-15"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    let log_after = world.text("memory/2026-03-15.md");
    assert!(log_after.starts_with(&log_before), "it was not only appended to");
    assert!(log_after.contains(entry(&name("Old", 4), 10).trim_end()), "{log_after}");
    let again = run(&world, &["restore", "2026-03-15", "--apply", "--today", "2026-03-15"]);
    assert!(again.stderr.contains("nothing is known to be lost"), "{again:?}");
    world.bulk(moment("2026-03-15 14:00"));
    names_all(&world, "2026-03-15", "Old", 5);
    assert!(!world.text("memory/daily/2026-03-15.md").contains("# Overwritten"));
    rests(&world, "2026-03-15 14:01");
}

#[test]
fn restore_brings_back_a_log_that_is_gone_byte_for_byte() {
    let world = overwritten();
    let tree = world.tree();
    let applied = run(&world, &["restore", "2026-03-14", "--apply", "--today", "2026-03-15"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(world.text("memory/2026-03-14.md"), log("Gone", 2));
    let outcome = world.bulk(moment("2026-03-15 14:00"));
    assert!(
        outcome.wrote.iter().all(|path| !path.contains("daily/2026-03-14")),
        "{outcome:?}"
    );
    assert_eq!(
        world.tree().get("memory/daily/2026-03-14.md"),
        tree.get("memory/daily/2026-03-14.md")
    );
}

#[test]
fn an_earlier_version_can_be_shown_whole() {
    let world = overwritten();
    let shown = run(&world, &["restore", "2026-03-15", "--version", "1"]);
    assert_eq!(shown.stdout, log("Old", 5), "{shown:?}");
    let none = run(&world, &["restore", "2026-03-15", "--version", "7"]);
    assert!(
        none.code == Some(1) && none.stderr.contains("has 1 earlier version"),
        "{none:?}"
    );
}

#[test]
fn status_and_verify_say_what_was_lost() {
    let world = overwritten();
    let status = run(&world, &["status", "--json", "--today", "2026-03-15"]);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).expect("JSON");
    let lost = status["vault"]["lost"].as_array().expect("a list");
    assert_eq!(
        (lost.len(), lost[0]["gone"].as_bool(), lost[1]["entries"].as_u64()),
        (2, Some(true), Some(4)),
        "{lost:?}"
    );
    let text = run(&world, &["status", "--today", "2026-03-15"]).stdout;
    assert!(text.contains("1 gone, 1 overwrite"), "{text}");
    let verified = run(&world, &["verify", "--today", "2026-03-15"]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
    for what in [
        "2026-03-14.md: is gone since",
        "2026-03-15.md: was overwritten on",
    ] {
        assert!(verified.stderr.contains(what), "{what}: {verified:?}");
    }
}

#[test]
fn many_logs_that_went_on_one_day_are_one_warning() {
    let place = Place::new();
    let log = |day: usize| format!("memory/2026-03-{day:02}.md");
    for day in 1..=14 {
        place.write(&log(day), format!("## One\n- outcome: {day} is fine\n"));
    }
    place.run("compact", &["--all", "--today", "2026-03-15"]);
    let warnings = |today: &str, days: std::ops::RangeInclusive<usize>| {
        days.for_each(|day| place.remove(&log(day)));
        let ran = place.run("compact", &["--all", "--today", today]);
        let said = ran.stderr.lines().filter(|line| line.contains(" gone since "));
        said.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(warnings("2026-03-15", 1..=10).len(), 10);
    assert_eq!(warnings("2026-03-16", 11..=11).len(), 11, "each day for itself");
    let said = warnings("2026-03-15", 12..=12);
    let all = said
        .iter()
        .filter(|line| line.contains("11 logs from 2026-03-01 to 2026-03-12 are gone"));
    assert!(said.len() == 2 && all.clone().count() == 1, "{said:?}");
    assert!(all.clone().all(|line| line.contains("22 lines are kept")), "{said:?}");
}

#[test]
fn a_vault_that_is_off_is_said_to_be() {
    let place = Place::new();
    place.write("hipocampus.config.json", r#"{"vault": {"enabled": false}}"#);
    place.write("memory/2026-03-15.md", "## One\n- outcome: fine\n");
    let ran = place.run("compact", &["--all", "--today", "2026-03-15"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(place.run("status", &[]).stdout.contains("off (vault.enabled is false)"));
    assert!(!place.path(".hipocampus/vault/index").exists());
}

/// An edit was respected, and what was left after it may be overwritten later.
#[test]
fn what_is_left_of_an_earlier_version_is_what_the_log_holds_now() {
    let mut world = World::new();
    world.later_seconds = 10;
    let path = "memory/2026-03-15.md";
    for text in [
        log("Old", 3),
        log("Old", 3).replace("step 3", "pace 3"),
        "## New\n".to_owned(),
    ] {
        world.write(path, text);
        world.bulk(moment("2026-03-15 12:00"));
    }
    let shown = run(&world, &["restore", "2026-03-15", "--today", "2026-03-15"]);
    for number in [1, 2] {
        let words = format!("version {number}, until 2026-03-15, 27 lines, 0 of them left");
        assert!(shown.stderr.contains(&words), "{shown:?}");
    }
}
