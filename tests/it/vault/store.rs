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
    assert_eq!(held.len(), 2, "a pack and an index: {held:?}");
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
fn many_days_leave_few_files() {
    let world = settled();
    for number in 0..60 {
        let today = day("2026-01-01").plus(number);
        world.write(
            &format!("memory/{today}.md"),
            log(&format!("Day{number}"), 1 + number as usize % 7),
        );
        world.bulk(moment(&format!("{today} 20:00")));
    }
    let held = held(&world);
    assert!(held.len() <= 9, "{held:?}");
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
    assert!(
        world
            .text("memory/daily/2026-03-15.md")
            .contains(&name("Old", 19))
    );
    world.bulk(moment("2026-03-16 12:00"));
    world.bulk(moment("2026-03-17 12:00"));
    assert!(
        world
            .text("memory/daily/2026-03-15.md")
            .contains(&name("Old", 19))
    );
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
    assert!(
        bytes(&world) < 13 * size,
        "{:?} for a log of {size} bytes",
        held(&world)
    );
}

#[test]
fn an_index_that_is_damaged_or_gone_is_made_again_from_the_packs() {
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
        assert!(
            said.iter().any(|issue| issue.contains("2026-03-14.md: is gone")),
            "{said:?}"
        );
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
fn a_pack_that_is_not_what_it_was_is_a_violation() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("There", 5));
    world.bulk(moment("2026-03-15 12:00"));
    let mut pack = world.bytes(".hipocampus/vault/pack-0").expect("a pack");
    let at = pack.len() - 3;
    pack[at] ^= 1;
    world.write(".hipocampus/vault/pack-0", pack);
    assert!(verified(&world, "2026-03-15").starts_with("memory/2026-03-15.md: vault: "));
}

#[test]
fn a_pack_that_somebody_removed_is_made_anew_of_the_logs_that_are_there() {
    let world = settled();
    world.write("memory/2026-03-15.md", log("There", 8));
    world.bulk(moment("2026-03-15 12:00"));
    world.remove(".hipocampus/vault/pack-0");
    assert!(verified(&world, "2026-03-15").starts_with("memory/2026-03-"));
    world.append("memory/2026-03-15.md", log("More", 1));
    let outcome = world.bulk(moment("2026-03-15 12:10"));
    let said: Vec<String> = outcome.issues.iter().flatten().map(ToString::to_string).collect();
    assert!(
        said.iter().any(|issue| issue.contains("are kept anew")),
        "{said:?}"
    );
    rests(&world, "2026-03-15 12:11");
    world.write("memory/2026-03-15.md", "## New\n- outcome: alone\n");
    world.bulk(moment("2026-03-15 13:00"));
    assert!(
        world
            .text("memory/daily/2026-03-15.md")
            .contains(&name("There", 7))
    );
}
