//! ROOT and what MEMORY.md has of it.

use super::look::noted;
use super::*;
use crate::memory::plan::Reason;
use crate::memory::render::upper_sources;
use crate::memory::root::SECTIONS;
use crate::memory::root_note::RootNote;
use crate::memory::tokens;

const ALTERED: &str = "memory/ROOT.md: content: is not what its sources give, from line";

/// What is said of ROOT alone, when a look at it has been changed.
fn seen(world: &World, change: impl FnOnce(&mut RootSeen<'_>)) -> Vec<String> {
    let history = world.history(world.now.day);
    let mut seen = RootSeen {
        text: world.root.as_deref(),
        noted: noted(world),
        due: None,
        monthlies: upper_sources(world.monthlies()),
        dailies: upper_sources(world.active(world.note.day.unwrap_or(world.now.day))),
        history: &history,
        tokens_max: world.tokens_max,
    };
    change(&mut seen);
    let mut found = Vec::new();
    root(&seen, &mut found);
    found.iter().map(ToString::to_string).collect()
}

/// Has the look take another note for the one of the ROOT that was written last.
fn renote(seen: &mut RootSeen<'_>, change: impl FnOnce(&mut RootNote)) {
    let mut note = seen.noted.expect("a note").clone();
    change(&mut note);
    seen.noted = Some(Box::leak(Box::new(note)));
}

/// A tree whose ROOT was altered, and whose note says that it was written so.
fn written(change: impl FnOnce(&mut World)) -> World {
    let mut world = WHOLE.clone();
    change(&mut world);
    let hash = xxhash_rust::xxh3::xxh3_64(world.root_text().as_bytes());
    world.note.written = Some(Hash(hash));
    world
}

#[test]
fn a_root_that_is_gone_is_missed_if_it_was_ever_written() {
    let gone = "memory/ROOT.md: root: is not there; the next cycle makes it";
    check(|world| world.root = None, &[gone]);
    assert_eq!(
        seen(&WHOLE, |seen| {
            seen.text = None;
            seen.noted = None;
        }),
        [""; 0]
    );
}

#[test]
fn root_keeps_to_its_cap_where_it_can() {
    let cost = tokens::count(WHOLE.root_text());
    let over = format!("memory/ROOT.md: root: costs {cost} tokens, more than {}", cost - 1);
    assert_eq!(seen(&WHOLE, |seen| seen.tokens_max = cost), [""; 0]);
    assert_eq!(seen(&WHOLE, |seen| seen.tokens_max = cost - 1), std::slice::from_ref(&over));
    // The next cycle makes it shorter; it cannot be shorter; nobody knows what it was made for.
    assert_eq!(
        seen(&WHOLE, |seen| {
            seen.tokens_max = cost - 1;
            seen.due = Some(Reason::NewDay);
        }),
        [""; 0]
    );
    assert_eq!(
        seen(&WHOLE, |seen| {
            seen.tokens_max = cost - 1;
            renote(seen, |note| note.cut_short = true);
        }),
        [""; 0]
    );
    assert_eq!(
        seen(&WHOLE, |seen| {
            seen.tokens_max = cost - 1;
            seen.noted = None;
        }),
        [over]
    );
}

#[test]
fn root_has_its_four_sections_in_order() {
    for (at, name) in SECTIONS.iter().enumerate() {
        let heading = format!("## {name}\n");
        let world = written(|world| world.replace_root(&heading, "## Mine\n"));
        let found = seen(&world, |seen| seen.due = Some(Reason::Edited));
        let missing = format!("memory/ROOT.md: root: has no section {name:?}");
        assert_eq!(found[0], missing);
        assert_eq!(found.len(), 2, "{at}: {found:?}");
        assert!(found[1].starts_with(ALTERED), "{found:?}");
        check(|world| world.replace_root(&heading, &format!("## {name}  \n")), &[]);
    }
    check(
        |world| {
            world.replace_root("## Recent Patterns\n", "## x\n");
            world.replace_root("## Historical Summary\n", "## Recent Patterns\n");
            world.replace_root("## x\n", "## Historical Summary\n");
        },
        &["memory/ROOT.md: root: has its sections in another order"],
    );
}

#[test]
fn a_line_of_ours_that_is_gone_is_missed() {
    let attic = "- Attic [project, 1d]: swept\n";
    let one =
        "memory/ROOT.md: root: was altered by hand: \"- Attic [project, 1d]: swept\" is not there any more";
    let three = "memory/ROOT.md: root: was altered by hand: \"- Cellar (1d): next: who has the key?\" and 2 more are not there any more";
    let two = "memory/ROOT.md: root: was altered by hand: \"- Press (0d): apples first\" and 1 more are not there any more";
    check(|world| world.replace_root(attic, ""), &[one]);
    check(
        |world| {
            world.replace_root(attic, "");
            world.replace_root("- Press (0d): apples first\n", "");
        },
        &[two],
    );
    check(
        |world| {
            world.replace_root(attic, "");
            world.replace_root("- Cellar (1d): next: who has the key?\n", "- Cellar (1d): I have the key\n");
            world.replace_root("- Press (0d): apples first\n", "");
        },
        &[three],
    );
    // What others add, and white space at line ends, is theirs.
    check(
        |world| world.replace_root(attic, "- Attic [project, 1d]: swept \n- mine\n"),
        &[],
    );
    // The note was written, and ROOT not: it is that of the time before.
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let killed = |before: &'static str| {
        move |world: &mut World| {
            world.note.lines = lines("- new line\n- another");
            world.note.before = lines(before);
            world.note.written = Some(Hash(1));
        }
    };
    let new = "memory/ROOT.md: root: was altered by hand: \"- new line\" and 1 more are not there any more";
    check(killed(""), &[new]);
    check(
        killed("- Attic [project, 1d]: swept\n- Cellar (1d): next: who has the key?"),
        &[],
    );
    check(killed("- Attic [project, 1d]: swept\n- Cellar (1d): I have the key"), &[new]);
}

#[test]
fn root_made_again_is_the_same() {
    let altered = written(|world| {
        world.replace_root("- Attic [project, 1d]", "- Attic [project, 2d]");
        let line = world.note.lines.iter_mut().find(|line| line.starts_with("- Attic ["));
        *line.expect("the line") = "- Attic [project, 2d]: swept".to_owned();
    });
    let at = altered.root_text().lines().position(|line| line.starts_with("- Attic ["));
    let what = format!("{ALTERED} {} on", at.expect("the line") + 1);
    assert_eq!(look(&altered).found[0], what);
    let again = |change: fn(&mut RootSeen<'_>)| seen(&altered, change);
    assert_eq!(again(|_| {}), std::slice::from_ref(&what));
    // A cap that was not written down is the one that holds.
    assert_eq!(again(|seen| renote(seen, |note| note.tokens_max = 0)), [what]);
    // Made from other monthly nodes, changed by hand, or of an unknown day, it cannot be made again.
    assert_eq!(again(|seen| seen.monthlies = Hash(0)), [""; 0]);
    assert_eq!(again(|seen| renote(seen, |note| note.written = Some(Hash(0)))), [""; 0]);
    assert_eq!(again(|seen| renote(seen, |note| note.day = None)), [""; 0]);
    // The day after it is made again as of its own day.
    check(|world| world.now = noon("2026-03-26"), &[]);
    let lowered = |world: &mut World| world.tokens_max = 100;
    check(lowered, &[]);
}

#[test]
fn memory_md_has_what_root_says() {
    let other = "MEMORY.md: memory-file: its Compaction Root section is not what memory/ROOT.md says";
    check(
        |world| world.memory = world.memory.replace("- Alma [user, ", "- Eva [user, "),
        &[other],
    );
    // Without our section it is still to be synced.
    check(|world| world.memory.clear(), &[]);
    check(|world| world.memory.insert_str(0, "More of mine.\n\n"), &[]);
    let mut found = Vec::new();
    memory_file("", (WHOLE.root_text(), "memory/ROOT.md"), true, &mut found);
    assert_eq!(found, []);
    let key = altered::secret();
    check(|world| world.memory.insert_str(0, &format!("{key}\n\n")), &[]);
    let line_of = |text: &str, start: &str| {
        let found = text.lines().position(|line| line.starts_with(start));
        1 + found.expect("the line is there")
    };
    let alma = line_of(&WHOLE.memory, "- Alma [user, ");
    let below_index = 1 + line_of(WHOLE.root_text(), "## Topics Index");
    check(
        |world| {
            world.memory = world.memory.replace("- Alma [user, ", &format!("- {key} Alma [user, "));
        },
        &[
            &format!("MEMORY.md: secret: holds what looks like a secret in line {alma}"),
            other,
        ],
    );
    check(
        |world| world.replace_root("## Topics Index\n", &format!("## Topics Index\n- {key}\n")),
        &[&format!(
            "memory/ROOT.md: secret: holds what looks like a secret in line {below_index}"
        )],
    );
}
