//! Every entry is in one daily node, and its topic, and what is kept whole, in all above.

use super::*;

/// Takes a topic out of a node.
fn forget(world: &mut World, name: &str, topic: &str) {
    world.forge(name, |node| {
        let at = node.front.topics.iter().position(|known| known.name == topic);
        let at = at.expect("the topic");
        node.front.topics.remove(at);
        node.front.mentions.remove(at);
    });
}

#[test]
fn no_topic_is_lost_on_the_way_up() {
    for (name, line, topic) in [
        ("2026-03", 8, "Auth"),
        ("2026-W12", 7, "Pump"),
        ("2026-03-19", 6, "Pump"),
        ("2026-03-25", 6, "Billing"),
    ] {
        check(|world| forget(world, name, topic), &[&altered(name, line)]);
    }
}

#[test]
fn what_is_kept_whole_stands_in_the_monthly_node() {
    for (old, new) in [
        ("why: readers", "why: writers"),
        ("Keeps two hives.", "Keeps hives."),
    ] {
        check(
            |world| world.forge("2026-03", |node| node.body = node.body.replace(old, new)),
            &[&altered("2026-03", line_of(&WHOLE, "2026-03", old))],
        );
    }
}

#[test]
fn what_a_cycle_is_about_to_do_is_no_fault() {
    // New entries of an open day, of a closed one, and of a day without a node; an edit.
    check(
        |world| world.append("2026-03-25", "\n## Cider [project]\n- outcome: ten litres\n"),
        &[],
    );
    check(|world| world.append("2026-02-10", "\n## Cider [user]\nLikes it dry.\n"), &[]);
    check(
        |world| world.log("2026-03-20", "## Cider [project]\n- outcome: ten litres\n"),
        &[],
    );
    check(
        |world| {
            let log = world.log_mut("2026-03-10");
            *log = log.replace("## Auth [project]", "## Passwords [project]");
        },
        &[],
    );
    let lost = |world: &mut World| {
        let text = "## Cider [project]\n- outcome: ten litres\n".to_owned();
        world.lost.insert(day("2026-02-10"), vec![text]);
    };
    check(lost, &[]);
    // The cycle was killed behind the first node: the next one does the rest.
    check(
        |world| {
            world.append("2026-03-25", "\n## Cider [project]\n- outcome: ten litres\n");
            world.drain_in_part(1);
            assert!(world.text("2026-03-25").contains("Cider"));
            assert!(!world.text("2026-W13").contains("Cider"));
        },
        &[],
    );
    check(|world| world.now = noon("2026-04-02"), &[]);
    check(|world| world.logs.extend([("memory/2026-03-19.md".to_owned(), None)]), &[]);
}

#[test]
fn an_entry_that_no_node_can_take_in_is_found() {
    // Today's node cannot be made: somebody keeps a file of their own in its place.
    let blocked = |world: &mut World| {
        world.remove("2026-03-25");
        world.blocked.insert(period("2026-03-25"));
    };
    let gone = "memory/weekly/2026-W13.md: sources: was built from memory/daily/2026-03-25.md, which is gone";
    let late = "memory/2026-03-10.md: coverage: 2 of its 4 entries are in no daily node";
    check(blocked, &[gone, late]);
    let lost = |texts: &'static [&'static str]| {
        move |world: &mut World| {
            blocked(world);
            let texts: Vec<_> = texts.iter().map(|&text| text.to_owned()).collect();
            // The day on which one was lost waits for a person itself.
            world.lost.insert(day("2026-03-23"), texts.clone());
            world.lost.insert(day("2026-02-10"), texts);
        }
    };
    let what = "memory/2026-02-10.md: coverage: 1 entry that it lost is in no daily node";
    check(lost(&["## Cider [project]\n- dry\n"]), &[gone, late, what]);
    let what = "memory/2026-02-10.md: coverage: 2 entries that it lost are in no daily node";
    check(
        lost(&["## Cider [project]\n- dry\n", "## Perry [project]\n- sweet\n"]),
        &[gone, late, what],
    );
    let one = |world: &mut World| {
        blocked(world);
        let log = world.log_mut("2026-03-10");
        log.truncate(log.find("\n## Bees").expect("the entry"));
    };
    let late = "memory/2026-03-10.md: coverage: 1 of its 3 entries is in no daily node";
    check(one, &[gone, late]);
}

#[test]
fn an_entry_in_two_nodes_is_found() {
    let twice = |date: &'static str| {
        move |world: &mut World| {
            let units = &world.inventory();
            let node = units.node(period(date)).expect("a node");
            let digest = node.entries[0];
            world.forge("2026-03-25", |node| {
                node.front.late.push((day(date), vec![digest]));
            });
        }
    };
    check(
        twice("2026-03-13"),
        &[
            "memory/2026-03-13.md: coverage: has an entry both in memory/daily/2026-03-13.md and in memory/daily/2026-03-25.md",
        ],
    );
    // Somebody else's node covers what lay there when it was first seen.
    check(twice("2026-03-11"), &[]);
}
