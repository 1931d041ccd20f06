//! A node that cannot be read is not gone, and one that says nothing any more is made anew; what is somebody's stays.

#![expect(
    clippy::disallowed_methods,
    reason = "starts the real program, under strace, and makes a log large"
)]

use std::process::{Command, Stdio};

use hipocampusd::memory::plan::Extent;
use serde_json::Value;

use crate::promises::shot::{Shot, shot};
use crate::rules::crash::strace_works;
use crate::world::{World, assert_same, hermetic, moment, program};

const TODAY: &str = "2026-03-25";
const NODES: [&str; 6] = [
    "memory/daily/2026-02-10.md",
    "memory/daily/2026-03-25.md",
    "memory/weekly/2026-W07.md",
    "memory/weekly/2026-W13.md",
    "memory/monthly/2026-02.md",
    "memory/monthly/2026-03.md",
];
const ROOT: &str = "memory/ROOT.md";

/// Two months of logs, all compacted: of each level there is a node that is fixed and one that is open.
fn compacted() -> World {
    let world = World::new();
    for date in [
        "2026-02-10",
        "2026-02-11",
        "2026-02-19",
        "2026-03-12",
        "2026-03-24",
        TODAY,
    ] {
        let log = format!(
            "## Bridge of {date} [project]\n- decision: stone {date}\n\n## Tea of {date} [user]\n- prefers leaf {date}\n"
        );
        world.write(&format!("memory/{date}.md"), log);
    }
    world.write("hipocampus.config.json", r#"{"search": {"enabled": false}}"#);
    for date in ["2026-02-12", TODAY] {
        assert_eq!(run(&world, &["compact", "--all", "--today", date]).said.lines().count(), 1);
    }
    world
}

fn run(world: &World, arguments: &[&str]) -> Shot {
    shot(&mut program(world, arguments), &format!("{arguments:?}"))
}

fn compact(world: &World) -> Shot {
    run(world, &["compact", "--all", "--no-index", "--today", TODAY])
}

fn verify(world: &World) -> Shot {
    run(world, &["verify", "--today", TODAY])
}

fn is_sound(world: &World, what: &str) {
    let shot = verify(world);
    assert_eq!((shot.code, shot.said.as_str()), (Some(0), ""), "{what}");
}

/// The paths of what `status` calls errors.
fn errors(command: &mut Command) -> Vec<String> {
    let output = command.stdout(Stdio::piped()).output().expect("status runs");
    let status: Value = serde_json::from_slice(&output.stdout).expect("a status");
    let errors = status["errors"].as_array().expect("a list").iter();
    errors
        .map(|issue| issue["path"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn status(world: &World) -> Vec<String> {
    errors(&mut program(world, &["status", "--json", "--today", TODAY]))
}

/// The program, every read of one of whose files fails in this way.
fn unreadable(world: &World, file: &str, error: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-P"]).arg(world.at(file));
    command.args(["-e", "trace=read", "-e", &format!("inject=read:error={error}")]);
    command.arg(env!("CARGO_BIN_EXE_hipocampusd")).args(arguments).arg(world.path());
    hermetic(&mut command, world);
    command
}

#[test]
fn promise_08_what_is_made_of_a_node_that_cannot_be_read_keeps_what_it_had() {
    if !strace_works() {
        println!("skipped: strace cannot inject errors here");
        return;
    }
    let start = compacted();
    for (number, file) in NODES.into_iter().chain([ROOT]).enumerate() {
        // What is fixed and what is open is no more different in one error than in another.
        let faults = ["EACCES", "EIO", "ESTALE"];
        let faults = if number % 2 == 1 || file == ROOT {
            &faults[..]
        } else {
            &faults[number / 2..=number / 2]
        };
        for error in faults {
            let what = format!("{error} from {file}");
            let world = World::copy_of(&start);
            let before = world.tree();
            let mut compact =
                unreadable(&world, file, error, &["compact", "--all", "--no-index", "--today", TODAY]);
            let shot = shot(&mut compact, &what);
            assert_eq!(shot.code, Some(1), "{what}: {shot:?}");
            assert_same(&before, &world.tree(), &what);
            let mut verify = unreadable(&world, file, error, &["verify", "--today", TODAY]);
            let shot = crate::promises::shot::shot(&mut verify, &what);
            assert_eq!(shot.code, Some(1), "{what}: {shot:?}");
            assert!(shot.said.contains(&format!("{file}: file: cannot read")), "{what}: {shot:?}");
            assert!(!shot.said.contains("gone"), "{what}: {shot:?}");
            let mut status = unreadable(&world, file, error, &["status", "--json", "--today", TODAY]);
            assert_eq!(errors(&mut status), [file], "{what}");
            if file != ROOT {
                let mut forget =
                    unreadable(&world, file, error, &["forget", "no such words", "--today", TODAY]);
                let shot = crate::promises::shot::shot(&mut forget, &what);
                assert!(
                    shot.code == Some(1) && shot.said.contains("not everything could be forgotten"),
                    "{what}: {shot:?}"
                );
            }
            // What is new goes on beside it, and once it can be read all is as if nothing had been.
            world.append("memory/2026-03-24.md", "\n## Late [project]\n- decision: mortar\n");
            let undisturbed = World::copy_of(&world);
            let mut compact =
                unreadable(&world, file, error, &["compact", "--all", "--no-index", "--today", TODAY]);
            crate::promises::shot::shot(&mut compact, &what);
            for world in [&undisturbed, &world] {
                let shot = self::compact(world);
                assert_eq!(shot.code, Some(0), "{what}: {shot:?}");
            }
            assert_same(&undisturbed.tree(), &world.tree(), &what);
            is_sound(&world, &what);
        }
    }
}

/// What a damaged disk leaves, or a crash.
fn damages(old: &[u8]) -> [Vec<u8>; 5] {
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let random = (0..old.len()).map(|_| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        dice.to_le_bytes()[3]
    });
    let half = [vec![0; old.len() / 2], old[old.len() / 2..].to_vec()].concat();
    [
        Vec::new(),
        vec![0; old.len()],
        random.collect(),
        old[..60].to_vec(),
        half,
    ]
}

#[test]
fn promise_08_a_node_that_says_nothing_any_more_is_made_anew_and_so_is_root() {
    let start = compacted();
    let before = start.tree();
    for file in NODES.into_iter().chain([ROOT]) {
        for (number, damage) in damages(&before[file]).into_iter().enumerate() {
            let what = format!("{file}, damage {number}");
            let world = World::copy_of(&start);
            world.write(file, damage);
            let shot = verify(&world);
            let is_named = shot.said.lines().any(|line| line.starts_with(file));
            assert!(shot.code == Some(1) && is_named, "{what}: {shot:?}");
            // A ROOT that was cut short is one that somebody edited, to begin with.
            if !(file == ROOT && number == 3) {
                assert_eq!(status(&world), [file], "{what}");
            }
            if file == ROOT && number == 3 {
                continue;
            }
            // Half of a month is a text between NULs, and nothing names a month: it may be somebody's.
            if number == 4 && file.starts_with("memory/monthly/") {
                assert_eq!(compact(&world).code, Some(0), "{what}");
                assert_ne!(before[file], world.bytes(file).expect("it"), "{what}");
                continue;
            }
            let shot = compact(&world);
            assert_eq!(shot.code, Some(0), "{what}: {shot:?}");
            assert_same(&before, &world.tree(), &what);
            assert_eq!(compact(&world).said, "nothing to do\n", "{what}");
            is_sound(&world, &what);
        }
    }
}

#[test]
fn nodes_of_all_levels_that_are_damaged_at_once_are_made_anew_in_single_cycles_too() {
    let start = compacted();
    let before = start.tree();
    for number in 0..3 {
        let world = World::copy_of(&start);
        for file in NODES
            .into_iter()
            .chain(["memory/daily/2026-02-11.md", "memory/daily/2026-03-24.md"])
        {
            world.write(file, &damages(&before[file])[number]);
        }
        let mut last = world.tree();
        for _ in 0..20 {
            world.run(moment(TODAY), Extent::Cycle);
            let tree = world.tree();
            // ROOT and the months never lose on the way what they had.
            for (file, bytes) in &tree {
                let is_old = last.get(file) == Some(bytes);
                assert!(is_old || before.get(file) == Some(bytes), "damage {number}: {file}");
            }
            last = tree;
        }
        assert_same(&before, &world.tree(), "single cycles");
        is_sound(&world, "single cycles");
    }
}

#[test]
fn a_fixed_day_whose_late_entries_another_one_carries_is_made_anew_and_in_order() {
    let world = compacted();
    world.append("memory/2026-02-19.md", "\n## Late [user]\n- prefers late tea\n");
    for date in [TODAY, "2026-05-20"] {
        world.bulk(moment(date));
    }
    let fixed = world.tree();
    let file = "memory/daily/2026-02-19.md";
    let carrier = world.text("memory/daily/2026-03-25.md");
    assert!(carrier.contains("status: fixed") && carrier.contains("late tea"), "{carrier}");
    world.write(file, "");
    world.bulk(moment("2026-05-20"));
    assert!(world.text(file).contains("stone 2026-02-19"));
    let mut after = world.tree();
    after.insert(file.to_owned(), fixed[file].clone());
    assert_same(&fixed, &after, "no other fixed node changes");
    let shot = run(&world, &["verify", "--today", "2026-05-20"]);
    assert_eq!((shot.code, shot.said.as_str()), (Some(0), ""));
}

#[test]
fn what_was_made_of_a_damaged_node_stays_where_there_is_nothing_to_make_it_from() {
    let mut world = compacted();
    world.settings.vault_keep_days = None;
    let file = "memory/daily/2026-03-12.md";
    world.remove("memory/2026-03-12.md");
    world.write(file, "");
    world.append("memory/2026-03-24.md", "\n## Late [project]\n- decision: mortar\n");
    let before = world.text("memory/weekly/2026-W11.md");
    let outcome = world.bulk(moment(TODAY));
    let said: Vec<String> = outcome.issues.iter().flatten().map(ToString::to_string).collect();
    assert!(
        said.iter()
            .any(|issue| issue.starts_with(file) && issue.contains("stays as it is until you remove")),
        "{said:?}"
    );
    assert_eq!(before, world.text("memory/weekly/2026-W11.md"));
    assert!(world.text(ROOT).contains("Tea of 2026-03-12"));
}

#[test]
fn the_text_of_somebody_where_a_node_belongs_stays_and_is_an_error_while_entries_are_in_no_node() {
    let start = compacted();
    let colours = "\x1b[1mmine\x1b[0m\n";
    for file in NODES {
        for text in [
            "# My diary\nOf today.\n",
            "---\ntitle: mine\n---\n",
            "caf\u{e9}\n",
            colours,
        ] {
            let world = World::copy_of(&start);
            let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
            world.write(file, &latin);
            assert_eq!(compact(&world).code, Some(0), "{file}");
            assert_eq!(world.bytes(file).as_ref(), Some(&latin), "{file}");
            let shot = verify(&world);
            assert_eq!(shot.code, Some(1), "{file}: {shot:?}");
            assert!(shot.said.contains("until you move it away"), "{file}: {shot:?}");
            assert_eq!(status(&world), [file]);
        }
    }
    // Where nothing is kept from memory it is worth a word and no more.
    let world = World::copy_of(&start);
    world.write("memory/daily/2026-03-01.md", "# My diary\nOf a Sunday.\n");
    assert_eq!(compact(&world).code, Some(0));
    let shot = verify(&world);
    assert!(shot.code == Some(0) && shot.said.contains("is no daily node"), "{shot:?}");
    assert!(status(&world).is_empty());
}

#[test]
fn what_others_wrote_into_a_root_that_is_damaged_in_part_stays() {
    let world = compacted();
    let theirs = "- The piano is tuned in May.\n";
    world.write(
        ROOT,
        world
            .text(ROOT)
            .replacen("## Recent Patterns\n", &format!("## Recent Patterns\n{theirs}"), 1),
    );
    assert_eq!(compact(&world).code, Some(0));
    let whole = world.bytes(ROOT).expect("a ROOT");
    let at = whole
        .windows(18)
        .position(|bytes| bytes == b"## Recent Patterns")
        .expect("its section");
    let mut damaged = whole.clone();
    damaged[..at - 40].fill(0);
    world.write(ROOT, damaged);
    let shot = compact(&world);
    assert_eq!(shot.code, Some(0), "{shot:?}");
    assert_eq!(world.text(ROOT), String::from_utf8(whole).expect("text"));
    is_sound(&world, "half a ROOT");
}

#[test]
fn a_log_that_is_too_large_to_read_is_told_with_what_to_do_about_it() {
    let world = compacted();
    let log = world.at("memory/2026-03-24.md");
    let before = world.tree();
    let file = std::fs::OpenOptions::new().write(true).open(log);
    file.and_then(|file| file.set_len(65 << 20)).expect("a large log");
    let shot = compact(&world);
    let words = "is larger than 64 MiB, so it is not read, and what is new in it is in no node: move parts of it to smaller files of that day, such as memory/2026-03-24-part-2.md";
    assert!(shot.code == Some(1) && shot.said.contains(words), "{shot:?}");
    assert_same(&before, &world.tree(), "a log that is too large");
    let shot = verify(&world);
    assert!(shot.code == Some(1) && shot.said.contains(words), "{shot:?}");
    assert_eq!(status(&world), ["memory/2026-03-24.md"]);
}

#[test]
fn a_root_that_never_was_is_not_said_to_be_gone() {
    let world = compacted();
    // As after a first cycle whose disk was full: the note is there, and ROOT is not.
    world.remove(ROOT);
    let shot = verify(&world);
    assert!(
        shot.said
            .contains("memory/ROOT.md: root: is not there; the next cycle makes it"),
        "{shot:?}"
    );
    assert!(!shot.said.contains("gone"), "{shot:?}");
}

#[test]
fn promise_08_a_content_of_the_vault_that_cannot_be_read_stays_known_and_is_kept_anew() {
    if !strace_works() {
        println!("skipped: strace cannot inject errors here");
        return;
    }
    let world = compacted();
    let log = world.bytes("memory/2026-03-25.md");
    let in_vault = |name: &String| name.starts_with(".hipocampus/vault/");
    let content = world
        .files()
        .into_iter()
        .find(|(name, bytes)| in_vault(name) && Some(bytes) == log.as_ref());
    let (content, _) = content.expect("it is kept");
    let compact = |today| {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-P"]).arg(world.at(&content));
        command.args([
            "-e",
            "trace=read",
            "-e",
            "inject=read:error=EIO",
            env!("CARGO_BIN_EXE_hipocampusd"),
        ]);
        command
            .args(["compact", "--all", "--no-index", "--today", today])
            .arg(world.path());
        hermetic(&mut command, &world);
        shot(&mut command, "a content that cannot be read")
    };
    let said = compact("2026-03-26");
    let name = content.rsplit('/').next().expect("a name");
    assert!(
        said.code == Some(1) && said.said.contains("cannot read") && said.said.contains(name),
        "{said:?}"
    );
    // As long as it cannot be read nothing is concluded from a log that says something else.
    world.write("memory/2026-03-25.md", "## Short [project]\n- outcome: little\n");
    let said = compact("2026-03-26");
    assert!(said.code == Some(1) && !said.said.contains("was overwritten"), "{said:?}");
    let files = world.files();
    assert!(!files.keys().any(|name| name.contains("damaged")), "{:?}", files.keys());
    // It can be read again.
    let arguments = ["compact", "--all", "--no-index", "--today", "2026-03-26"];
    let shot = run(&world, &arguments);
    assert!(
        shot.code == Some(0) && shot.said.contains("memory/2026-03-25.md: was overwritten"),
        "{shot:?}"
    );
    let shot = run(&world, &["verify", "--today", "2026-03-26"]);
    assert_eq!(shot.code, Some(0), "{shot:?}");
}
