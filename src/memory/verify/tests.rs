//! Silent over every tree that plans made, and over what waits for a cycle or a person; of any damage it says what it is.

mod altered;
mod covered;
mod look;
mod root;
mod scan;
mod words;
mod world;

use std::fmt::Write as _;
use std::sync::LazyLock;

use look::{Looked, look};
use world::{World, day, noon, period, sealed};

use super::*;
use crate::memory::level::Status;

/// An entry of so many lines.
fn entry_of(heading: &str, lines: usize) -> String {
    let mut text = format!("## {heading}\n");
    for at in 1..lines {
        let _ = writeln!(text, "- decision: the {heading} rule {at} is kept in src/rule{at}.rs");
    }
    text
}

/// Two months: all that a healthy tree may hold.
///
/// - February and the weeks before 2026-W12 are fixed.
/// - 2026-03-10 lost nothing and got an entry late, which 2026-03-25 carries.
/// - 2026-03-11 is somebody else's node, and where that of 2026-03-23 would go somebody keeps a file.
/// - 2026-03-13 has a session file that says nothing, 2026-03-14 one that does.
/// - 2026-03-19 is summarized; the log of 2026-03-24 was overwritten, and its node carries what was lost.
static WHOLE: LazyLock<World> = LazyLock::new(|| {
    let mut world = World::new("2026-03-24");
    world.log(
        "2026-02-10",
        "# 2026-02-10\n\n## Pots [project]\n- outcome: forty pots were fired\n",
    );
    world.log(
        "2026-02-17",
        "## Alma [user]\nShe likes short answers.\n\n## Kiln [project]\n- decision: gas it is\n",
    );
    world.log("2026-03-10", "## Commit messages [feedback]\n- rule: imperative mood\n- why: readers\n\n## Auth [project]\n- decision: tokens rotate by the week\n");
    world.log("2026-03-11", "## Garden [project]\n- outcome: beans were sown\n");
    world.log("2026-03-23", "## Roof [project]\n- outcome: the roof is dry\n");
    world.log("2026-03-13", "## Fence [project]\n- decision: oak posts\n");
    world.log("2026-03-13-empty", "\n");
    world.log("2026-03-14", "## Gate [project]\n- decision: iron hinges\n");
    world.log("2026-03-14-talk", "## Hinges [project]\n- outcome: bought in town\n");
    world.log("2026-03-19", entry_of("Well", 120) + &entry_of("Pump", 120));
    world.log(
        "2026-03-24",
        "## Cellar [project]\n- open: who has the key?\n\n## Attic [project]\n- outcome: swept\n",
    );
    world.put("2026-03-11", "---\ntype: daily\nstatus: fixed\nperiod: 2026-03-11\ntopics: [Garden]\n---\n\n## Topics\n- Garden\n\n## Key Decisions\n- beans\n");
    world.blocked.insert(period("2026-03-23"));
    world.drain();
    world.now = noon("2026-03-25");
    world.append(
        "2026-03-10",
        "\n## Billing [project]\n- decision: invoices go out on Monday\n\n## Bees [user]\nKeeps two hives.\n",
    );
    world.log("2026-03-25", "## Press [project]\n- decision: apples first\n");
    world.log("2026-03-24", "## Attic [project]\n- outcome: swept\n");
    world.lost.insert(
        day("2026-03-24"),
        vec!["## Cellar [project]\n- open: who has the key?\n\n".to_owned()],
    );
    world.drain();
    world
});

/// What is seen of the tree once something was done to it.
fn looked(damage: impl FnOnce(&mut World)) -> Looked {
    let mut world = WHOLE.clone();
    damage(&mut world);
    look(&world)
}

/// Damages the tree; what is said of it then is this, and no more.
#[track_caller]
fn check(damage: impl FnOnce(&mut World), expect: &[&str]) {
    assert_eq!(looked(damage).found, expect);
}

/// What is said of a node that is not what its sources give.
fn altered(name: &str, line: usize) -> String {
    let path = period(name).path();
    format!("{path}: content: is not what its sources give, from line {line} on")
}

/// The line of a node in which something stands, from 1.
fn line_of(world: &World, name: &str, what: &str) -> usize {
    let text = world.text(name);
    let at = text.find(what).expect("the text");
    text[..at].lines().count() + usize::from(text[..at].ends_with('\n'))
}

#[test]
fn a_whole_tree_is_whole() {
    let foreign = vec!["memory/daily/2026-03-11.md".to_owned()];
    let silent = Looked { foreign, ..Looked::default() };
    assert_eq!(looked(|_| {}), silent);
    assert_eq!(looked(|world| assert_eq!(world.drain(), 0)), silent);
}

#[test]
fn what_lies_in_a_node_is_what_was_written() {
    let changed = "memory/daily/2026-03-13.md: digest: was changed since it was written";
    check(|world| world.replace("2026-03-13", "oak", "Oak"), &[changed]);
    check(|world| world.replace("2026-03-13", "digest: ", "digest: 0"), &[changed]);
    let without_digest = |world: &mut World| {
        let lines = world.text("2026-03-13").split_inclusive('\n');
        let kept: String = lines.filter(|line| !line.starts_with("digest: ")).collect();
        world.put("2026-03-13", kept);
    };
    check(without_digest, &[changed]);
    let other_line_ends = |world: &mut World| {
        world.nodes.get_mut(&period("2026-03-13")).expect("a node").exact = false;
    };
    check(other_line_ends, &[changed]);
    // Other text is other text for the node above.
    check(
        |world| world.replace("2026-02-10", "forty pots", "fifty pots"),
        &[
            "memory/daily/2026-02-10.md: digest: was changed since it was written",
            "memory/weekly/2026-W07.md: built-from: its sources are not what they were when it was fixed",
        ],
    );
}

#[test]
fn a_status_is_one_of_three_and_may_be_what_it_is() {
    let changed = "memory/weekly/2026-W12.md: digest: was changed since it was written";
    let done = |world: &mut World| world.replace("2026-W12", "status: tentative", "status: done");
    check(done, &[changed]);
    let none = |world: &mut World| world.replace("2026-W12", "status: tentative\n", "");
    check(none, &[changed]);
    let status = |world: &mut World, name: &str, status: Status| {
        let text = nodes::with_status(world.text(name), status);
        world.put(name, text);
    };
    // It holds its sources whole, so it waits for no summary.
    check(
        |world| status(world, "2026-W12", Status::NeedsSummarization),
        &[&altered("2026-W12", 3)],
    );
    check(
        |world| status(world, "2026-W12", Status::Fixed),
        &["memory/weekly/2026-W12.md: status: is fixed before its period may be"],
    );
    check(
        |world| status(world, "2026-02-10", Status::Tentative),
        &["memory/weekly/2026-W07.md: status: is fixed, but memory/daily/2026-02-10.md is not"],
    );
    check(
        |world| status(world, "2026-W08", Status::Tentative),
        &["memory/monthly/2026-02.md: status: is fixed, but memory/weekly/2026-W08.md is not"],
    );
}

/// A node of ours beside the others of a week.
fn add_day(world: &mut World, date: &str) {
    let mut other = World::new("2026-03-25");
    other.log(date, "## Shed [project]\n- outcome: painted\n");
    other.drain();
    world.logs.extend(other.logs);
    let text = other.nodes[&period(date)].text.clone();
    world.put(date, text);
}

#[test]
fn a_fixed_node_holds_every_node_of_ours_in_its_period() {
    check(
        |world| add_day(world, "2026-02-11"),
        &["memory/weekly/2026-W07.md: status: is fixed without memory/daily/2026-02-11.md"],
    );
    check(|world| add_day(world, "2026-03-20"), &[]);
    let foreign = |world: &mut World| {
        world.put(
            "2026-02-11",
            "---\ntype: daily\nstatus: fixed\nperiod: 2026-02-11\n---\n\nMy own day.\n",
        );
    };
    check(foreign, &[]);
}

#[test]
fn a_node_is_written_as_this_program_writes_it() {
    check(
        |world| {
            let text = world.text("2026-W12").replace("period: 2026-W12", "period: 2026-W13");
            world.put("2026-W12", sealed(&text));
        },
        &[&altered("2026-W12", 4)],
    );
    check(
        |world| {
            let text = world.text("2026-W12").replace("topics: ", "mood: calm\ntopics: ");
            world.put("2026-W12", sealed(&text));
        },
        &[&altered("2026-W12", 7)],
    );
    check(
        |world| {
            world.forge("2026-W12", |node| {
                node.front.mentions.pop();
            });
        },
        &[&altered("2026-W12", 8)],
    );
    check(
        |world| world.forge("2026-W12", |node| node.front.parts[0].lines = 1_000),
        &[&altered("2026-W12", 9)],
    );
    check(
        |world| world.forge("2026-W12", |node| node.front.built_from = None),
        &["memory/weekly/2026-W12.md: format: does not say what it was built from"],
    );
}

#[test]
fn a_summary_keeps_to_its_lines_and_sections() {
    let grown = |world: &mut World, lines: usize| {
        world.forge("2026-03-19", |node| {
            let more = "- Well: more\n".repeat(lines - node.front.parts[0].lines);
            node.body.push_str(&more);
            node.front.parts[0].lines = lines;
        });
    };
    let content = altered("2026-03-19", 7);
    check(|world| grown(world, 101), &[&content]);
    check(
        |world| {
            world.forge("2026-03-19", |node| {
                node.body = node.body.replace("## Key Decisions", "## Musings");
            });
        },
        &[&altered(
            "2026-03-19",
            line_of(&WHOLE, "2026-03-19", "## Key Decisions"),
        )],
    );
    // What is no summary may have what headings it likes, and any number of lines.
    check(
        |world| {
            world.log("2026-03-25", entry_of("Press", 190));
            world.drain();
        },
        &[],
    );
}

#[test]
fn a_node_names_the_sources_it_was_made_of_and_they_are_there() {
    let names = |name: &'static str, source: &'static str| {
        move |world: &mut World| {
            world.forge(name, |node| node.front.sources.push(source.to_owned()));
        }
    };
    for source in [
        "memory/daily/2026-03-27.md",
        "memory/2026-03-19.md",
        "memory/weekly/2026-03-19.md",
    ] {
        let looked = looked(names("2026-W12", source));
        assert!(looked.found.contains(&altered("2026-W12", 6)), "{source}: {:?}", looked.found);
    }
    check(
        |world| world.forge("2026-W12", |node| node.front.sources.clear()),
        &[&altered("2026-W12", 6)],
    );
    for source in [
        "memory/2026-03-20.md",
        "memory/daily/2026-03-19.md",
        "memory/2026-03-19.txt",
        "2026-03-19.md",
    ] {
        check(names("2026-03-19", source), &[&altered("2026-03-19", 5)]);
    }
    for (gone, above) in [
        ("2026-02-10", "memory/weekly/2026-W07.md"),
        ("2026-W08", "memory/monthly/2026-02.md"),
        ("2026-W12", "memory/monthly/2026-03.md"),
    ] {
        let what = format!("{above}: sources: was built from {}, which is gone", period(gone).path());
        check(|world| world.remove(gone), &[&what]);
    }
    for month in ["2026-02", "2026-03"] {
        let what = format!("memory/monthly/{month}.md: sources: is gone");
        check(|world| world.remove(month), &[&what]);
        // What somebody put in its place is seen by whoever looks there.
        let other = |world: &mut World| {
            world.remove(month);
            world.blocked.insert(period(month));
        };
        check(other, &[]);
    }
}

#[test]
fn a_log_that_is_gone_is_no_fault_of_the_node_that_took_it_in() {
    for log in [
        "memory/2026-02-10.md",
        "memory/2026-03-14-talk.md",
        "memory/2026-03-10.md",
        "memory/2026-03-13-empty.md",
    ] {
        let looked = looked(|world| {
            world.logs.remove(log).expect("a log");
        });
        assert_eq!(looked.found, [""; 0], "{log}");
    }
}
