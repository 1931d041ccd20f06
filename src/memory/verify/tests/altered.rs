//! What was altered under a digest of its own, by an agent that was asked to, or with a secret in it.

use super::*;
use crate::memory::entry::Kind;
use crate::memory::node::GENERATION;

#[test]
fn a_node_made_again_from_its_sources_is_the_same() {
    let body = |name: &'static str, old: &'static str, new: &'static str| {
        move |world: &mut World| {
            world.forge(name, |node| {
                assert!(node.body.contains(old), "{}", node.body);
                node.body = node.body.replace(old, new);
            });
        }
    };
    let fixed_before =
        |path: &str| format!("{path}: built-from: its sources are not what they were when it was fixed");
    let content = |name: &str, old: &str| altered(name, line_of(&WHOLE, name, old));
    check(
        body("2026-02-10", "forty", "fifty"),
        &[
            &content("2026-02-10", "forty"),
            &fixed_before("memory/weekly/2026-W07.md"),
        ],
    );
    check(
        body("2026-W08", "gas", "coal"),
        &[
            &content("2026-W08", "gas"),
            &fixed_before("memory/monthly/2026-02.md"),
        ],
    );
    // Its week holds a node of somebody else's, who may change it: nothing is known of that week.
    check(body("2026-03-13", "oak", "pine"), &[&content("2026-03-13", "oak")]);
    check(|world| world.replace("2026-03-11", "beans", "peas"), &[]);
    check(body("2026-03-14", "town", "court"), &[&content("2026-03-14", "town")]);
    check(body("2026-W12", "rule 7 ", "rule 8 "), &[&content("2026-W12", "rule 7 ")]);
    check(
        body("2026-03", "apples first", "pears first"),
        &[&content("2026-03", "apples first")],
    );
    // Somebody else's node that came later changes nothing about that.
    let beside = |world: &mut World| {
        world.put(
            "2026-02-11",
            "---\ntype: daily\nstatus: fixed\nperiod: 2026-02-11\n---\n\nMy own day.\n",
        );
        body("2026-W07", "forty", "fifty")(world);
    };
    check(
        beside,
        &[
            &content("2026-W07", "forty"),
            &fixed_before("memory/monthly/2026-02.md"),
        ],
    );
}

#[test]
fn nodes_of_every_generation_of_this_program_are_in_order() {
    for generation in 1..=GENERATION {
        check(
            |world| world.forge("2026-03-19", |node| node.front.generation = generation),
            &[],
        );
    }
}

#[test]
fn what_another_generation_of_this_program_made_is_not_made_again() {
    check(
        |world| {
            world.forge("2026-03-19", |node| {
                node.front.generation -= 1;
                node.body = node.body.replace("rule 7 ", "rule seven ");
            });
        },
        &[],
    );
}

#[test]
fn a_node_with_late_entries_is_made_again_but_for_the_breaks_behind_them() {
    // An entry that is followed by a break now is still the same entry.
    check(|world| world.append("2026-03-10", "\n---\n"), &[]);
    let forged = |change: fn(&mut Node)| {
        move |world: &mut World| {
            world.append("2026-03-10", "\n---\n");
            world.forge("2026-03-25", change);
        }
    };
    let content = |line: usize| altered("2026-03-25", line);
    check(forged(|node| node.front.topics[0].kind = Kind::Reference), &[&content(6)]);
    check(forged(|node| node.front.mentions[1].days = 7), &[&content(7)]);
    check(
        forged(|node| node.body = node.body.replace("two hives", "three hives")),
        &[&content(8)],
    );
    check(
        forged(|node| node.body = node.body.replace("on Monday", "on Friday")),
        &[&content(8)],
    );
}

#[test]
fn what_somebody_else_summarized_is_held_against_its_sources() {
    let mut world = World::new("2026-03-12");
    world.log("2026-03-10", entry_of("Well", 230));
    world.drain();
    world.now = noon("2026-03-15");
    world.answers = true;
    world.append("2026-03-10", &(entry_of("Pump", 150) + &entry_of("Pipe", 150)));
    world.log("2026-03-15", entry_of("Kiln", 150) + &entry_of("Oven", 150));
    world.drain();
    let text = world.text("2026-03-15");
    assert!(text.contains("\nsummarizer: somebody\n"), "{text}");
    assert!(text.contains("\n# Late entries of 2026-03-10\n"), "{text}");
    assert_eq!(look(&world).found, [""; 0]);
    let said = |topic: &str| format!("the {topic} rule 3 is kept in src/rule3.rs");
    for topic in ["Oven", "Pipe"] {
        let mut forged = world.clone();
        forged.forge("2026-03-15", |node| {
            assert!(node.body.contains(&said(topic)), "{}", node.body);
            let other = said(topic).replace("rule 3 ", "rule 333 ");
            node.body = node.body.replace(&said(topic), &other);
        });
        // The extractive one would have other parts.
        assert_eq!(look(&forged).found, [altered("2026-03-15", 8)]);
    }
}

#[test]
fn a_summary_that_waits_for_an_agent_may_be_changed_and_nothing_else() {
    let mut world = World::new("2026-03-24");
    world.rules.await_agent = true;
    world.log("2026-02-25", entry_of("Well", 230));
    world.log("2026-03-24", entry_of("Pump", 230));
    world.drain();
    assert_eq!(look(&world), Looked::default());
    let changed = |name: &str, await_agent: bool| {
        let mut world = world.clone();
        world.rules.await_agent = await_agent;
        world.replace(name, "rule 7 ", "rule seven ");
        let looked = look(&world);
        (looked.found, looked.foreign)
    };
    let none = Vec::<String>::new();
    let path = |name: &str| period(name).path();
    let digest = |name: &str| format!("{}: digest: was changed since it was written", path(name));
    assert_eq!(changed("2026-03-24", true), (none.clone(), vec![path("2026-03-24")]));
    assert_eq!(changed("2026-03-24", false), (vec![digest("2026-03-24")], none.clone()));
    // It holds a summary, and is none.
    assert_eq!(changed("2026-W13", true), (vec![digest("2026-W13")], none.clone()));
    let above = "memory/weekly/2026-W09.md: built-from: its sources are not what they were when it was fixed";
    assert_eq!(
        changed("2026-02-25", true),
        (vec![digest("2026-02-25"), above.to_owned()], none)
    );
}

/// Something that looks like a secret.
pub(super) fn secret() -> String {
    ["ghp", "_", "q7Rt2LmX9bVd4Kz8Wn3Yc6Hf1Js5Pg0TaUeQ"].concat()
}

#[test]
fn a_secret_is_found_in_every_derived_file() {
    let put = |name: &'static str| {
        move |world: &mut World| {
            let text = format!("{}the key is {}\nand more\n", world.text(name), secret());
            world.put(name, text);
        }
    };
    check(
        put("2026-03-11"),
        &["memory/daily/2026-03-11.md: secret: holds what looks like a secret in line 13"],
    );
    let daily = [
        "memory/daily/2026-03-24.md: secret: holds what looks like a secret in line 23",
        "memory/daily/2026-03-24.md: digest: was changed since it was written",
    ];
    check(put("2026-03-24"), &daily);
    // The nodes above are made without it, and are what their sources give.
    let within = |world: &mut World| world.replace("2026-03-24", "swept", &format!("swept {}", secret()));
    check(
        |world| {
            within(world);
            assert!(world.drain() > 1);
            assert!(
                world.text("2026-W13").contains("swept [REDACTED]"),
                "{}",
                world.text("2026-W13")
            );
        },
        &[&daily[0].replace("line 23", "line 17"), daily[1]],
    );
    let key = format!("-----BEGIN {0} KEY-----\nabc\n-----END {0} KEY-----\n", "RSA PRIVATE");
    let what = super::super::secret("", &key);
    assert_eq!(what.as_deref(), Some("holds what looks like a secret"));
}
