//! What does not depend on the way: one level reads one level, nothing due writes nothing, any order ends the same,
//! and counters are the same after a restart (rules 2, 9, 10 and 12).

use std::collections::{BTreeMap, BTreeSet};

use hipocampusd::daemon::ledger::Ledger;
use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::entry::{self, UnitDigest};
use hipocampusd::memory::level::Period;
use hipocampusd::memory::plan::Extent;
use hipocampusd::memory::text::line_count;

use crate::history::{self, Story, check};
use crate::world::{Files, World, assert_same, is_node, log_day};

/// Rule 2.
#[test]
fn the_chain_goes_in_order_and_each_level_reads_the_one_below_and_no_other() {
    check(40, &history::any(40), |history| {
        let mut story = history.play(World::new(), &mut |_, outcome| {
            let level = |path: &String| {
                ["daily", "weekly", "monthly"]
                    .iter()
                    .position(|level| path.contains(&format!("/{level}/")))
            };
            let order: Vec<usize> =
                outcome.wrote.iter().filter(|path| is_node(path)).filter_map(level).collect();
            let root = outcome.wrote.iter().position(|path| path == "memory/ROOT.md");
            assert!(
                root.is_none_or(|at| outcome.wrote[at..].iter().all(|path| !is_node(path))),
                "{:?}",
                outcome.wrote
            );
            let one_each = outcome
                .plan
                .steps
                .iter()
                .filter(|step| step.to_string().starts_with("fix"))
                .count()
                + 3
                >= order.len();
            assert!(
                one_each || outcome.plan.left == 0,
                "a cycle built more than one node a level: {:?}",
                outcome.wrote
            );
        });
        story.settle(&mut |_, _| {});
        for (period, node) in story.world.nodes() {
            let folder = match period {
                Period::Day(_) => "memory/",
                Period::Week(_) => "memory/daily/",
                Period::Month(_) => "memory/weekly/",
            };
            for source in &node.front.sources {
                let one_down = source.strip_prefix(folder).is_some_and(|name| !name.contains('/'));
                assert!(one_down, "{period} names {source} as a source");
            }
        }
        // Whatever is two levels down may be gone, and the level comes out the same.
        let before = story.world.tree();
        let gone = |names: &[&str], made_again: &[&str]| {
            let world = World::copy_of(&story.world);
            for name in story.world.files().into_keys() {
                let starts = |folders: &[&str]| folders.iter().any(|folder| name.starts_with(folder));
                let raw = log_day(&name).is_some() && names.contains(&"raw");
                if raw || starts(names) || starts(made_again) || name.starts_with(".hipocampus/") {
                    world.remove(&name);
                }
            }
            world.drain(story.now);
            // ROOT reads the newest dailies, too: without them it knows the months' words only.
            let is_compared = |name: &str| {
                let is_of_dailies = names.contains(&"memory/daily") && name == "memory/ROOT.md";
                !is_of_dailies && !names.iter().any(|folder| name.starts_with(folder))
            };
            let of = |files: Files| files.into_iter().filter(|(name, _)| is_compared(name)).collect();
            assert_same(
                &without_status(of(before.clone())),
                &without_status(of(world.tree())),
                &format!("made again without {names:?}"),
            );
        };
        gone(&["raw"], &["memory/weekly", "memory/monthly", "memory/ROOT.md"]);
        gone(&["raw", "memory/daily"], &["memory/monthly", "memory/ROOT.md"]);
        gone(&["raw", "memory/daily", "memory/weekly"], &["memory/ROOT.md"]);
    });
}

/// The files without the lines that change with the status: with nothing below it, nothing holds a node open.
fn without_status(mut files: Files) -> Files {
    for bytes in files.values_mut() {
        let text = String::from_utf8_lossy(bytes);
        let kept = text
            .lines()
            .filter(|line| !line.starts_with("status: ") && !line.starts_with("digest: "));
        *bytes = kept.collect::<Vec<_>>().join("\n").into_bytes();
    }
    files
}

/// Rule 9.
#[test]
fn with_nothing_due_a_cycle_writes_no_file() {
    check(60, &history::any(40), |history| {
        let mut world = World::new();
        world.later_seconds = 10;
        world.write("MEMORY.md", "# Core\n\nMine.\n");
        world.write("WORKING.md", "# WORKING\n\n## Move the queue\n- next: step 2\n");
        let mut story = history.play(world, &mut |_, _| {});
        story.settle(&mut |_, _| {});
        let (files, stamps) = (story.world.files(), story.world.stamps());
        for extent in [Extent::Cycle, Extent::All, Extent::Cycle] {
            let outcome = story.world.run(story.now, extent);
            assert!(outcome.wrote.is_empty() && outcome.left == 0, "{outcome:?}");
            assert_same(&files, &story.world.files(), "a cycle with nothing due wrote");
            assert_eq!(stamps, story.world.stamps(), "a cycle with nothing due touched a file");
        }
        // Nor does it when all that was remembered is gone, but for remembering it again.
        for name in ["cache", "contributions", "idle", "history", "mornings"] {
            story.world.remove(&format!(".hipocampus/{name}"));
        }
        let outcome = story.world.run(story.now, Extent::All);
        assert!(
            outcome.wrote.is_empty(),
            "without a cache: {:?} {:?}",
            outcome.plan,
            outcome.wrote
        );
        let without_own = |mut stamps: BTreeMap<String, _>| {
            stamps.retain(|name, _| !name.starts_with(".hipocampus/"));
            stamps
        };
        assert_eq!(
            without_own(stamps),
            without_own(story.world.stamps()),
            "a cycle without a cache touched a file"
        );
    });
}

/// Rule 10, for histories in which everything comes in time: the whole tree.
#[test]
fn any_order_of_appends_days_and_cycles_ends_in_the_tree_of_one_bulk_run() {
    check(150, &history::in_time(50), |history| {
        let mut story = history.play(World::without_vault(), &mut |_, _| {});
        story.settle(&mut |_, _| {});
        let bulk = World::with_logs_of(&story.world);
        bulk.bulk(story.now);
        assert_same(
            &bulk.tree(),
            &story.world.tree(),
            "drained cycle by cycle, against one bulk run",
        );
        let again = bulk.bulk(story.now);
        assert!(
            again.wrote.is_empty(),
            "one bulk run was not enough: {:?} {:?}",
            again.plan,
            again.wrote
        );
    });
}

/// Rule 10, for histories with late data: the nodes that were open throughout, and ROOT over the same monthlies.
#[test]
fn nodes_that_were_open_throughout_equal_those_of_one_bulk_run() {
    check(100, &history::any(40), |history| {
        let mut story = history.play(World::without_vault(), &mut |_, _| {});
        story.settle(&mut |_, _| {});
        let bulk = World::with_logs_of(&story.world);
        bulk.bulk(story.now);
        let nodes = story.world.nodes();
        let mut late: BTreeSet<Day> = story.late.iter().copied().collect();
        for (period, node) in &nodes {
            if !node.front.late.is_empty() {
                late.insert(period.first_day());
            }
        }
        let is_clean =
            |period: &Period| !late.iter().any(|day| period.first_day() <= *day && *day <= period.last_day());
        let clean = |world: &World| -> Files {
            let paths: BTreeSet<String> =
                world.nodes().into_keys().filter(is_clean).map(Period::path).collect();
            world.tree().into_iter().filter(|(name, _)| paths.contains(name)).collect()
        };
        assert_same(&clean(&bulk), &clean(&story.world), "nodes of periods without late data");

        let again = World::copy_of(&story.world);
        for name in ["memory/ROOT.md", ".hipocampus"] {
            again.remove(name);
        }
        again.bulk(story.now);
        let root = |world: &World| {
            Files::from([("memory/ROOT.md".to_owned(), world.bytes("memory/ROOT.md").unwrap_or_default())])
        };
        assert_same(
            &root(&again),
            &root(&story.world),
            "ROOT made at once, against ROOT made step by step",
        );
    });
}

/// Rule 12.
#[test]
fn counters_after_a_restart_equal_counters_without_it() {
    check(60, &history::any(40), |history| {
        let look = |story: &Story| {
            let expected = uncovered(story);
            let counted = story.world.count(story.now);
            assert_eq!(
                (counted.raw_lines, counted.checkpoints),
                expected,
                "counted with what is remembered"
            );
            let restarted = World::copy_of(&story.world);
            restarted.remove(".hipocampus");
            assert_eq!(restarted.count(story.now), counted, "counted from the disk alone");

            let workspace = story.world.open();
            let mut before = Ledger::default();
            before.refresh(&workspace).unwrap();
            before.recounted(counted);
            before.start_cycle(&workspace, chrono::DateTime::UNIX_EPOCH).unwrap();
            before.recounted(counted);
            before.write(&workspace).unwrap();
            let mut after = Ledger::default();
            after.refresh(&workspace).unwrap();
            after.recounted(story.world.count(story.now));
            assert_eq!(before.counters(), after.counters(), "the daemon's counters");
            story.world.remove("memory/.compaction-state.json");
        };
        let mut story = history.play(World::new(), &mut |story, _| look(story));
        story.settle(&mut |story, _| look(story));
    });
}

/// Lines and entries of logs that no daily node covers, counted the plain way.
fn uncovered(story: &Story) -> (u64, u64) {
    let nodes = story.world.nodes();
    let covered = |day: Day, digest: UnitDigest| {
        nodes.iter().any(|(period, node)| {
            let own = *period == Period::Day(day) && node.front.entries.contains(&digest);
            own || node
                .front
                .late
                .iter()
                .any(|(late, digests)| *late == day && digests.contains(&digest))
        })
    };
    let (mut lines, mut checkpoints) = (0, 0);
    for (day, logs) in story.world.logs() {
        for (_, text) in logs {
            let log = entry::read(&text);
            for unit in log.units().filter(|unit| !covered(day, entry::digest(unit.text))) {
                lines += line_count(unit.text) as u64;
                checkpoints +=
                    u64::from(log.entries.iter().any(|entry| entry.level > 0 && entry.line == unit.line));
            }
        }
    }
    (lines, checkpoints)
}
