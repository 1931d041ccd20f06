//! What lies in the vault's folder: each content once, private, bounded, whole after damage.
#![expect(clippy::disallowed_methods, reason = "looks at the modes of files")]

use std::os::unix::fs::PermissionsExt as _;

use super::{log, name, names_all, rests, settled, verified, warned};
use crate::world::{World, day, moment};

/// The files of the vault, with their sizes.
fn held(world: &World) -> Vec<(String, usize)> {
    let files = world.files().into_iter();
    let held = files.filter(|(name, _)| name.starts_with(".hipocampus/vault/"));
    held.map(|(name, bytes)| (name, bytes.len())).collect()
}

/// The files of its contents alone.
fn contents(world: &World) -> Vec<(String, usize)> {
    let mut held = held(world);
    held.retain(|(name, _)| name.rsplit('/').next().is_some_and(|name| name.len() == 32));
    held
}

/// The file that holds what a log says.
fn content_of(world: &World, log: &str) -> String {
    let said = world.bytes(log).expect("a log");
    let mut contents = contents(world).into_iter().map(|(name, _)| name);
    let content = contents.find(|name| world.bytes(name).as_ref() == Some(&said));
    content.expect("it is kept")
}

fn bytes(world: &World) -> usize {
    held(world).iter().map(|(_, bytes)| bytes).sum()
}

#[test]
fn what_the_vault_keeps_is_private_and_no_index_takes_it_up() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("Private", 9));
    world.bulk(moment("2026-03-15 12:00"));
    let mode = |name: &str| {
        let data = std::fs::symlink_metadata(world.at(name)).expect("it is there");
        data.permissions().mode() & 0o777
    };
    assert_eq!(mode(".hipocampus/vault"), 0o700);
    let held = held(&world);
    assert_eq!(held.len(), 3, "a content, an index and its copy: {held:?}");
    for (name, _) in held {
        assert_eq!(mode(&name), 0o600, "{name}");
        assert!(!name.ends_with(".md"), "{name}");
    }
    assert_eq!(world.text(".hipocampus/.gitignore"), "*\n");
}

#[test]
fn each_content_is_kept_once_and_a_log_that_grows_leaves_one() {
    let world = settled();
    let mut size = 0;
    for hour in 8..20 {
        world.append("memory/2026-03-15.md", log(&format!("Hour{hour}"), 2));
        world.bulk(moment(&format!("2026-03-15 {hour:02}:30")));
        size = world.bytes("memory/2026-03-15.md").expect("a log").len();
    }
    assert!(bytes(&world) < size + 1000, "{:?} for {size} bytes", held(&world));
    let text = world.bytes("memory/2026-03-15.md").expect("a log");
    for copy in ["-one", "-two", "-three"] {
        world.write(&format!("memory/2026-03-15{copy}.md"), &text);
    }
    world.bulk(moment("2026-03-15 21:00"));
    assert!(bytes(&world) < size + 2000, "{:?} for {size} bytes", held(&world));
}

#[test]
fn every_day_leaves_one_file() {
    let world = settled();
    for number in 0..60 {
        let today = day("2026-01-01").plus(number);
        world.write(
            &format!("memory/{today}.md"),
            log(&format!("Day{number}"), 1 + number as usize % 7),
        );
        world.bulk(moment(&format!("{today} 20:00")));
    }
    let contents = contents(&world);
    assert_eq!(contents.len(), 60, "{contents:?}");
}

#[test]
fn a_superseded_version_is_kept_for_its_days_and_the_last_of_a_gone_log_for_good() {
    let mut world = settled();
    world.settings.vault_keep_days = Some(10);
    world.write("memory/2026-03-10.md", log("Overwritten", 50));
    world.write("memory/2026-03-11.md", log("Gone", 50));
    world.bulk(moment("2026-03-12 12:00"));
    let full = bytes(&world);
    world.write("memory/2026-03-10.md", "## Short\n- outcome: short\n");
    world.remove("memory/2026-03-11.md");
    world.bulk(moment("2026-03-12 13:00"));
    assert!(bytes(&world) >= full);
    world.bulk(moment("2026-03-22 13:00"));
    assert!(bytes(&world) >= full, "ten days are not over");
    world.bulk(moment("2026-03-23 13:00"));
    assert!(bytes(&world) < full * 2 / 3, "{:?}, {full}", held(&world));
    world.bulk(moment("2027-03-23 13:00"));
    assert!(
        bytes(&world) > full / 3,
        "the last good version of a log that is gone was dropped"
    );
    rests(&world, "2027-03-23 13:01");
}

#[test]
fn what_an_open_node_is_made_of_is_kept_however_old_it_is() {
    let mut world = settled();
    world.settings.vault_keep_days = Some(0);
    world.write("memory/2026-03-15.md", log("Old", 20));
    world.bulk(moment("2026-03-15 12:00"));
    world.write("memory/2026-03-15.md", "## New\n- outcome: short\n");
    world.bulk(moment("2026-03-15 13:00"));
    // The day after, but in its grace: the node is open yet.
    world.append("memory/2026-03-15.md", "\n## More\n- outcome: fine\n");
    world.bulk(moment("2026-03-16 01:00"));
    assert!(world.text("memory/daily/2026-03-15.md").contains(&name("Old", 19)));
    world.bulk(moment("2026-03-16 12:00"));
    world.bulk(moment("2026-03-17 12:00"));
    assert!(world.text("memory/daily/2026-03-15.md").contains(&name("Old", 19)));
    assert!(bytes(&world) < 1000, "{:?}", held(&world));
    rests(&world, "2026-03-17 12:01");
}

#[test]
fn all_versions_together_stay_below_ten_times_the_logs() {
    let world = settled();
    world.write("memory/2026-03-10.md", "## Still\n- outcome: fine\n");
    world.bulk(moment("2026-03-12 12:00"));
    for number in 0..25 {
        world.write("memory/2026-03-10.md", log(&format!("Version{number}"), 8));
        world.bulk(moment("2026-03-12 13:00"));
    }
    // The open day takes in what is late, and is fixed with it: nothing needs the versions any more.
    world.bulk(moment("2026-03-14 12:00"));
    world.bulk(moment("2026-03-15 12:00"));
    let size = world.bytes("memory/2026-03-10.md").expect("a log").len();
    assert!(bytes(&world) < 13 * size, "{:?} for a log of {size} bytes", held(&world));
}

#[test]
fn an_index_that_is_damaged_or_gone_is_made_again_from_its_copy() {
    for damage in [None, Some(b"vault001 and no more".to_vec()), Some(Vec::new())] {
        let world = settled();
        world.write("memory/2026-03-14.md", log("Gone", 5));
        world.write("memory/2026-03-15.md", log("There", 5));
        world.bulk(moment("2026-03-15 12:00"));
        world.write("memory/2026-03-15.md", log("New", 1));
        world.bulk(moment("2026-03-15 12:01"));
        match &damage {
            None => world.remove(".hipocampus/vault/index"),
            Some(bytes) => world.write(".hipocampus/vault/index", bytes),
        }
        world.remove("memory/2026-03-14.md");
        let outcome = world.bulk(moment("2026-03-15 12:10"));
        let said: Vec<String> = outcome.issues.iter().flatten().map(ToString::to_string).collect();
        assert!(said.iter().any(|issue| issue.contains("made again")), "{said:?}");
        assert!(said.iter().any(|issue| issue.contains("2026-03-14.md: is gone")), "{said:?}");
        // What an overwrite lost stays in memory, and in the node that is made anew.
        world.append("memory/2026-03-15.md", log("More", 1));
        warned(
            &world.bulk(moment("2026-03-15 12:11")),
            "memory/2026-03-15.md",
            "was overwritten",
        );
        names_all(&world, "2026-03-15", "There", 5);
        rests(&world, "2026-03-15 12:12");
    }
}

#[test]
fn without_any_index_everything_is_set_aside_and_what_the_logs_say_is_kept_anew() {
    let world = five_days();
    let before = contents(&world);
    for name in ["index", "index-copy"] {
        world.write(&format!(".hipocampus/vault/{name}"), "vault002 and no more");
    }
    let outcome = world.bulk(moment("2026-03-31 20:01"));
    warned(&outcome, ".hipocampus/vault/damaged-*", "what else was in it cannot be told");
    assert_eq!(contents(&world), before);
    for (name, bytes) in before {
        let aside = name.replace("/vault/", "/vault/damaged-");
        assert_eq!(world.bytes(&aside).map(|aside| aside.len()), Some(bytes));
        world.remove(&aside);
    }
    world.bulk(moment("2026-03-31 20:02"));
    rests(&world, "2026-03-31 20:03");
}

/// What an earlier release kept, which put many contents into one file: a log that was overwritten, and one that is gone.
#[test]
fn what_an_earlier_release_kept_is_read_and_moves_into_files_of_its_own() {
    let world = settled();
    world.write("hipocampus.config.json", r#"{"search": {"enabled": false}}"#);
    world.write("memory/2026-03-14.md", "## Small [project]\n- outcome: little\n");
    let kept = [
        ("index", &include_bytes!("first/index")[..]),
        ("pack-1", include_bytes!("first/pack-1")),
    ];
    for (name, bytes) in kept {
        world.write(&format!(".hipocampus/vault/{name}"), bytes);
    }
    let is_told = |world: &World| {
        let said = restored(world, "2026-03-14");
        assert!(said.contains("the quay was drawn") && said.contains("Lantern"), "{said}");
        let said = restored(world, "2026-03-15");
        assert!(said.contains("nine trees were planted"), "{said}");
    };
    is_told(&world);
    let name = ".hipocampus/vault/pack-1";
    let damaged = World::copy_of(&world);
    let mut pack = world.bytes(name).expect("a pack");
    world.bulk(moment("2026-03-15 12:00"));
    assert_eq!((contents(&world).len(), world.bytes(name)), (3, None));
    is_told(&world);
    rests(&world, "2026-03-15 12:01");
    // The last of it says what the log that is gone said.
    let at = pack.len() - 3;
    pack[at] ^= 1;
    damaged.write(name, &pack);
    let outcome = damaged.bulk(moment("2026-03-15 12:00"));
    warned(&outcome, ".hipocampus/vault/damaged-pack-1", "is set aside");
    assert_eq!(damaged.bytes(".hipocampus/vault/damaged-pack-1"), Some(pack));
    let said = restored(&damaged, "2026-03-14");
    assert!(said.contains("the quay was drawn"), "{said}");
    let said = restored(&damaged, "2026-03-15");
    assert!(said.contains("cannot be told in full"), "{said}");
}

#[test]
fn a_content_that_is_not_what_it_was_is_a_violation() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("There", 5));
    world.bulk(moment("2026-03-15 12:00"));
    let name = content_of(&world, "memory/2026-03-15.md");
    let mut content = world.bytes(&name).expect("a content");
    let at = content.len() - 3;
    content[at] ^= 1;
    world.write(&name, content);
    assert!(verified(&world, "2026-03-15").starts_with("memory/2026-03-15.md: vault: "));
}

#[test]
fn a_content_that_somebody_removed_is_kept_anew_of_the_log_that_is_there() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("There", 8));
    world.bulk(moment("2026-03-15 12:00"));
    world.remove(&content_of(&world, "memory/2026-03-15.md"));
    assert!(verified(&world, "2026-03-15").contains("memory/2026-03-15.md: vault: "));
    world.append("memory/2026-03-15.md", log("More", 1));
    let outcome = world.bulk(moment("2026-03-15 12:10"));
    let said: Vec<String> = outcome.issues.iter().flatten().map(ToString::to_string).collect();
    assert!(said.iter().any(|issue| issue.contains("is kept anew")), "{said:?}");
    rests(&world, "2026-03-15 12:11");
    world.write("memory/2026-03-15.md", "## New\n- outcome: alone\n");
    world.bulk(moment("2026-03-15 13:00"));
    assert!(world.text("memory/daily/2026-03-15.md").contains(&name("There", 7)));
}

/// Five days of many entries.
fn five_days() -> World {
    let world = settled();
    for date in [
        "2026-03-27",
        "2026-03-28",
        "2026-03-29",
        "2026-03-30",
        "2026-03-31",
    ] {
        world.write(&format!("memory/{date}.md"), log(&format!("Topic{date}"), 30));
    }
    world.bulk(moment("2026-03-31 20:00"));
    world
}

/// What a damaged disk leaves of a content, or somebody's hand: nothing, less, something else, something more, no file.
fn damages(world: &World) {
    let name = &content_of(world, "memory/2026-03-29.md");
    let content = world.bytes(name).expect("a content");
    let flipped: Vec<u8> = content.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at > 100)).collect();
    for damage in [
        Vec::new(),
        vec![0; content.len()],
        content[..content.len() / 2].to_vec(),
        flipped,
        [&content[..], b"more"].concat(),
    ] {
        let mut other = World::copy_of(world);
        other.later_seconds = world.later_seconds;
        other.write(name, &damage);
        heals(&other, name);
    }
    let mut other = World::copy_of(world);
    other.later_seconds = world.later_seconds;
    other.remove(name);
    heals(&other, name);
}

/// The next cycle keeps anew what the logs still say, so that what happens afterwards is noticed, and nothing is lost.
fn heals(world: &World, file: &str) {
    let aside = &file.replace("/vault/", "/vault/damaged-");
    let before = held(world);
    assert_ne!(verified(world, "2026-04-01"), "", "{before:?}");
    // The day's first look reads all that is kept.
    let outcome = world.bulk(moment("2026-04-01 12:00"));
    warned(&outcome, aside, "what the logs still say is kept anew");
    let said = restored(world, "2026-03-29");
    assert!(said.contains("nothing is known to be lost"), "{said}");
    rests(world, "2026-04-01 12:01");
    world.append("memory/2026-03-30.md", log("New", 1));
    world.bulk(moment("2026-04-01 12:02"));
    world.write("memory/2026-03-29.md", log("Small", 1));
    warned(
        &world.bulk(moment("2026-04-01 12:03")),
        "memory/2026-03-29.md",
        "was overwritten",
    );
    let said = restored(world, "2026-03-29");
    assert!(
        [0, 29]
            .iter()
            .all(|&number| said.contains(&format!("## {}\n", name("Topic2026-03-29", number)))),
        "{said}"
    );
    rests(world, "2026-04-01 12:04");
    world.remove(aside);
    assert!(
        !world
            .run(moment("2026-04-01 12:05"), hipocampusd::memory::plan::Extent::All)
            .issues
            .unwrap_or_default()
            .iter()
            .any(|issue| issue.path.contains("damaged"))
    );
}

/// What `restore` says of a date.
fn restored(world: &World, date: &str) -> String {
    let shot = crate::promises::shot::shot(&mut crate::world::program(world, &["restore", date]), "restore");
    assert_eq!(shot.code, Some(0), "{}", shot.said);
    shot.said
}

#[test]
fn a_content_that_was_damaged_is_set_aside_and_what_the_logs_still_say_is_kept_anew() {
    let world = five_days();
    world.write("hipocampus.config.json", r#"{"search": {"enabled": false}}"#);
    damages(&world);
}

#[test]
fn a_content_that_was_emptied_is_noticed_on_the_same_day_and_before_any_cycle() {
    let mut world = five_days();
    // No log was written just now: only what changed is looked at.
    world.later_seconds = 10;
    let name = content_of(&world, "memory/2026-03-29.md");
    world.write(&name, "");
    let status = crate::promises::shot::shot(
        &mut crate::world::program(&world, &["status", "--today", "2026-03-31"]),
        "status",
    );
    assert!(status.said.contains("a file of it is damaged or gone"), "{}", status.said);
    // Nothing else has changed: that it was altered where it lies is seen by the next cycle that has something to do.
    world.append("memory/2026-03-31.md", "- One more line\n");
    let outcome = world.bulk(moment("2026-03-31 20:01"));
    let aside = name.replace("/vault/", "/vault/damaged-");
    warned(&outcome, &aside, "is set aside");
    assert_eq!(verified(&world, "2026-03-31"), "");
}

#[test]
fn what_a_log_said_before_is_not_called_known_where_it_was_damaged() {
    let world = five_days();
    world.write("memory/2026-03-28.md", log("Small", 1));
    world.bulk(moment("2026-03-31 20:01"));
    world.remove("memory/2026-03-27.md");
    world.bulk(moment("2026-03-31 20:02"));
    for (name, _) in contents(&world) {
        world.write(&name, "");
    }
    // Overwritten, and removed, before anybody looked.
    world.remove("memory/2026-03-31.md");
    world.write("memory/2026-03-29.md", log("Less", 1));
    let before = restored(&world, "2026-03-29");
    world.bulk(moment("2026-03-31 20:03"));
    for (date, hides) in [
        ("2026-03-27", true),
        ("2026-03-28", true),
        ("2026-03-29", true),
        ("2026-03-30", false),
        ("2026-03-31", true),
    ] {
        let said = restored(&world, date);
        assert_eq!(said.contains("cannot be told in full"), hides, "{date}: {said}");
        assert_eq!(said.contains("nothing is known to be lost"), !hides, "{date}: {said}");
    }
    assert!(before.contains("cannot be told in full"), "{before}");
    let found = verified(&world, "2026-03-31");
    assert!(
        found.contains("memory/2026-03-29.md: file: what it said before cannot be told in full"),
        "{found}"
    );
    assert!(found.contains("then remove .hipocampus/vault/damaged-"), "{found}");
    // Who has looked for a copy removes it, and all is in order again.
    for (name, _) in held(&world) {
        if name.contains("/damaged-") {
            world.remove(&name);
        }
    }
    world.bulk(moment("2026-03-31 20:04"));
    rests(&world, "2026-03-31 20:05");
}

#[test]
fn what_is_to_be_forgotten_goes_from_what_was_set_aside_too() {
    let world = five_days();
    let name_of_it = content_of(&world, "memory/2026-03-29.md");
    let mut content = world.bytes(&name_of_it).expect("a content");
    content.push(0);
    world.write(&name_of_it, content);
    world.bulk(moment("2026-03-31 20:01"));
    world.write("memory/2026-03-29.md", "## Small\n- outcome: short\n");
    let topic = name("Topic2026-03-29", 7);
    let mut forget = crate::world::program(&world, &["forget", &topic, "--today", "2026-03-31"]);
    let shot = crate::promises::shot::shot(&mut forget, "forget");
    assert_eq!(shot.code, Some(0), "{}", shot.said);
    let named = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&topic);
    let left: Vec<String> = world
        .files()
        .into_iter()
        .filter(|(_, bytes)| named(bytes))
        .map(|(name, _)| name)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
