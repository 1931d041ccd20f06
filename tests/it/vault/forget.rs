//! A person's wish to be forgotten is above every rule: the text goes from everything that was made of it.

use super::commands::run;
use super::{log, rests, settled, verified};
use crate::world::{World, moment};

const NAME: &str = "Alice Smith";

/// Days that are fixed up to their month and days that are open, one log gone and one overwritten, all naming somebody.
fn told() -> World {
    let world = settled();
    let about = |number: usize| {
        format!(
            "## Call with {NAME} [user]\n- fact: {NAME} lives at number {number}\n\n{}",
            log(&format!("Work{number}"), 3)
        )
    };
    for (number, date) in [
        "2026-01-05",
        "2026-01-06",
        "2026-01-20",
        "2026-03-14",
        "2026-03-15",
    ]
    .iter()
    .enumerate()
    {
        world.write(&format!("memory/{date}.md"), about(number));
    }
    world.write("memory/2026-01-21.md", about(9) + &log("Long", 40));
    world.write("MEMORY.md", "# Core\n\nAsk alice  smith first.\n\nMine.\n");
    world.bulk(moment("2026-03-15 12:00"));
    world.remove("memory/2026-01-06.md");
    world.write("memory/2026-03-15.md", "## Short\n- outcome: fine\n");
    world.bulk(moment("2026-03-15 13:00"));
    world
}

/// The files that hold the name, in any case.
fn holding(world: &World) -> Vec<String> {
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase().contains("alice");
    let files = world.files().into_iter();
    files.filter(|(_, bytes)| holds(bytes)).map(|(name, _)| name).collect()
}

#[test]
fn what_is_forgotten_is_in_no_file_but_the_raw_logs_that_still_hold_it() {
    let world = told();
    let failure = format!("{{\"lastFailure\": {{\"what\": \"it ended with exit code 1: {NAME}?\"}}}}");
    world.write(".hipocampus/summarizer.json", failure);
    assert!(holding(&world).len() > 12, "{:?}", holding(&world));
    let ran = run(&world, &["forget", "alice smith", "--today", "2026-03-15"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for what in [
        "memory/2026-01-05.md:1 still holds it",
        "memory/2026-03-14.md:1 still holds it",
    ] {
        assert!(ran.stderr.contains(what), "{ran:?}");
    }
    // The person takes it out of the logs, and it is gone for good.
    for date in ["2026-01-05", "2026-01-20", "2026-01-21", "2026-03-14"] {
        let path = format!("memory/{date}.md");
        world.write(&path, world.text(&path).replace(NAME, "somebody"));
    }
    let ran = run(&world, &["forget", "alice smith", "--today", "2026-03-15"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(holding(&world), [""; 0]);
    assert!(
        world
            .text("MEMORY.md")
            .starts_with("# Core\n\nAsk (forgotten) first.\n\nMine.\n")
    );
    assert_eq!(
        run(&world, &["forget", "alice smith", "--today", "2026-03-15"]).stdout,
        "nothing that was made of the logs holds it\n"
    );
}

#[test]
fn a_fixed_tree_without_a_text_is_sound_and_keeps_the_rest() {
    let world = settled();
    for number in 5..12 {
        let about = if number == 6 {
            format!("## {NAME}\n- phone: {NAME}, 555-0100\n\n")
        } else {
            String::new()
        };
        let text = about + &log(&format!("Day{number}"), if number == 8 { 30 } else { 3 });
        world.write(&format!("memory/2026-01-{number:02}.md"), text);
    }
    world.bulk(moment("2026-03-15 12:00"));
    world.remove("memory/2026-01-06.md");
    world.bulk(moment("2026-03-15 12:10"));
    let before = world.tree();
    let ran = run(&world, &["forget", NAME, "--json", "--today", "2026-03-15"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(holding(&world), [""; 0]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let changed: Vec<&str> = said["changed"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|path| path.as_str())
        .collect();
    for path in [
        ".hipocampus/vault",
        "memory/daily/2026-01-06.md",
        "memory/weekly/2026-W02.md",
        "memory/monthly/2026-01.md",
        "memory/ROOT.md",
    ] {
        assert!(changed.contains(&path), "{path}: {changed:?}");
    }
    let daily = world.text("memory/daily/2026-01-06.md");
    assert!(
        daily.contains("## (forgotten)\n- phone: (forgotten), 555-0100\n") && daily.contains("status: fixed"),
        "{daily}"
    );
    for (name, bytes) in before.iter().filter(|(name, _)| !changed.contains(&name.as_str())) {
        assert_eq!(world.bytes(name).as_ref(), Some(bytes), "{name} changed and was not named");
    }
    assert_eq!(verified(&world, "2026-03-15"), "");
    // The program and these runs have other settings; the first of them takes that down.
    assert!(world.bulk(moment("2026-03-15 24:00")).wrote.is_empty());
    rests(&world, "2026-03-15 24:00");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "makes a file that is too large to be read"
)]
fn an_answer_that_cannot_be_looked_into_does_not_outlive_what_is_forgotten() {
    let world = told();
    let answer = ".hipocampus/answers/2026-03-14.0000000000000001.json";
    world.write(answer, NAME);
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(world.path().join(answer))
        .expect("the answer");
    file.set_len((64 << 20) + 1).expect("it grows");
    run(&world, &["forget", NAME, "--today", "2026-03-15"]);
    assert_eq!(world.bytes(answer), None);
}

/// The note of ROOT's lines was garbled, so that it is believed in part, or cut off, so that it cannot be read.
#[test]
fn a_note_of_root_that_was_garbled_forgets_too() {
    let note = ".hipocampus/root.json";
    for cut in [false, true] {
        let world = told();
        let text = world.text(note);
        assert!(text.contains(NAME) && text.contains("\"tokensMax\": 3000"));
        let garbled = if cut {
            text[..text.rfind(NAME).unwrap() + NAME.len()].to_owned()
        } else {
            text.replace("\"tokensMax\": 3000", "\"tokensMax\": 3001")
        };
        world.write(note, garbled);
        for date in ["2026-01-05", "2026-01-20", "2026-01-21", "2026-03-14"] {
            let path = format!("memory/{date}.md");
            world.write(&path, world.text(&path).replace(NAME, "somebody"));
        }
        let ran = run(&world, &["forget", NAME, "--today", "2026-03-15"]);
        assert!(
            ran.code == Some(0) && ran.stdout.contains(&format!("changed {note}\n")),
            "{ran:?}"
        );
        assert_eq!(holding(&world), [""; 0]);
        assert_eq!(verified(&world, "2026-03-15"), "");
    }
}

#[test]
fn a_text_that_is_too_short_is_refused() {
    let world = told();
    let before = world.files();
    let ran = run(&world, &["forget", "a."]);
    assert!(ran.code == Some(1) && ran.stderr.contains("too short"), "{ran:?}");
    assert_eq!(world.files(), before);
}

/// What lies there stays where it is when the vault is turned off, but not what somebody wishes to be forgotten.
#[test]
fn a_vault_that_is_turned_off_forgets_too() {
    let world = told();
    for date in ["2026-01-05", "2026-01-20", "2026-01-21", "2026-03-14"] {
        let path = format!("memory/{date}.md");
        world.write(&path, world.text(&path).replace(NAME, "somebody"));
    }
    world.write("hipocampus.config.json", r#"{"vault": {"enabled": false}}"#);
    let ran = run(&world, &["forget", NAME, "--today", "2026-03-15"]);
    assert!(
        ran.code == Some(0) && ran.stdout.contains("changed .hipocampus/vault\n"),
        "{ran:?}"
    );
    assert_eq!(holding(&world), [""; 0]);
    world.remove("hipocampus.config.json");
    world.bulk(moment("2026-03-15 14:00"));
    assert_eq!(verified(&world, "2026-03-15"), "");
    let shown = run(&world, &["restore", "2026-01-06", "--today", "2026-03-15"]);
    assert!(shown.code == Some(0) && shown.stdout.contains("(forgotten)"), "{shown:?}");
}

/// A snapshot would take it into a log (SPEC section 5, step 0).
#[test]
fn a_hot_file_that_still_holds_it_is_named_and_no_snapshot_is_taken_of_it() {
    let world = World::new();
    world.write("memory/2026-03-15.md", log("Work", 2));
    let working = format!("# Working\n\n## Call {NAME}\n- status: in-progress\n");
    world.write("WORKING.md", &working);
    let ran = run(&world, &["forget", NAME, "--today", "2026-03-15"]);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("WORKING.md:3 still holds it"),
        "{ran:?}"
    );
    assert_eq!(holding(&world), ["WORKING.md"]);
    world.write("WORKING.md", working.replace(NAME, "back"));
    let ran = run(&world, &["forget", NAME, "--today", "2026-03-15"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    world.bulk(moment("2026-03-15 14:00"));
    assert_eq!(holding(&world), [""; 0]);
}

/// A raw log that still holds it is the person's: until it is mended it stays covered, and so nothing of it comes back, not even
/// as a late entry; afterwards every entry is covered by one node (SPEC section 4).
#[test]
fn what_a_raw_log_still_holds_comes_back_nowhere_and_is_no_damage() {
    for (path, mended) in [
        ("memory/2026-03-01.md", "## Call\n- number: five\n"),
        ("memory/2026-03-01.md", ""),
        ("memory/2026-03-15.md", "## Call\n- number: five\n"),
    ] {
        let world = settled();
        let other = "## Other\n- outcome: else\n";
        let about = format!("## Call with {NAME} [user]\n- outcome: {NAME} called\n\n");
        world.write(path, about + other);
        world.bulk(moment("2026-03-15 12:00"));
        let path = if mended.is_empty() {
            // The vault knows it by two names then.
            world.write("memory/2026-03-01-old.md", world.text(path));
            world.remove(path);
            world.bulk(moment("2026-03-15 12:10"));
            "memory/2026-03-01-old.md"
        } else {
            path
        };
        let ran = run(&world, &["forget", NAME, "--today", "2026-03-15"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let nodes: Vec<String> = holding(&world);
        assert!(
            nodes.iter().all(|name| name == path || name.starts_with(".hipocampus/")),
            "{nodes:?}"
        );
        assert_eq!(verified(&world, "2026-03-15"), "");
        world.write(path, format!("{mended}\n{other}"));
        let ran = run(&world, &["forget", NAME, "--today", "2026-03-15"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(holding(&world), [""; 0]);
        assert_eq!(verified(&world, "2026-03-15"), "");
        world.bulk(moment("2026-03-15 24:00"));
        assert_eq!(verified(&world, "2026-03-15"), "");
        assert_eq!(holding(&world), [""; 0]);
    }
}
