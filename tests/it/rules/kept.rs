//! What stays: raw logs, fixed nodes, and every unit of every log (rules 1, 3, 4 and 5).

use std::cell::RefCell;
use std::collections::BTreeMap;

use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::entry::{self, UnitDigest};
use hipocampusd::memory::level::{Period, Status};
use hipocampusd::memory::node::{Node, content};
use hipocampusd::memory::redact::redact;
use hipocampusd::memory::render::upper_sources;

use crate::history::{self, Story, check};
use crate::world::{Files, World, log_day};

/// Rule 1.
#[test]
fn promise_01_raw_logs_keep_every_byte() {
    check(120, &history::any(40), |history| {
        let world = World::new();
        world.write("WORKING.md", "# WORKING\n\n## Move the queue\n- next: step 2\n");
        let mut story = history.play(world, &mut |story, _| logs_are_whole(story));
        story.settle(&mut |story, _| logs_are_whole(story));
    });
}

/// Every log begins with what agents wrote; behind it stands nothing but a snapshot.
fn logs_are_whole(story: &Story) {
    let found = story
        .world
        .files()
        .into_iter()
        .filter(|(name, _)| log_day(name).is_some())
        .collect::<Files>();
    for (name, written) in &story.logs {
        let found = found.get(name).unwrap_or_else(|| panic!("{name} is gone"));
        let behind = found
            .strip_prefix(written.as_slice())
            .unwrap_or_else(|| panic!("{name} was changed"));
        let behind = String::from_utf8_lossy(behind);
        assert!(
            behind.is_empty() || behind.trim_start().starts_with("## Working State Snapshot [project]\n"),
            "{name}: {behind}"
        );
    }
    for name in found.keys().filter(|name| !story.logs.contains_key(*name)) {
        let text = story.world.text(name);
        assert!(
            text.starts_with("## Working State Snapshot [project]\n"),
            "{name} was made by nobody: {text}"
        );
    }
}

/// Rules 3, 4 and 5.
#[test]
fn a_fixed_node_is_whole_and_never_changes_again_and_every_unit_is_covered_once() {
    check(150, &history::any(50), |history| {
        let fixed: RefCell<BTreeMap<Period, Vec<u8>>> = RefCell::default();
        let look = |story: &Story| {
            let mut fixed = fixed.borrow_mut();
            for (period, bytes) in fixed.iter() {
                assert_eq!(
                    story.world.bytes(&period.path()).as_ref(),
                    Some(bytes),
                    "{period} changed after it was fixed"
                );
            }
            let nodes = story.world.nodes();
            for (period, node) in &nodes {
                if node.front.status == Status::Fixed && !fixed.contains_key(period) {
                    is_closed(story, &nodes, *period);
                    fixed.insert(*period, story.world.bytes(&period.path()).unwrap());
                }
            }
        };
        let mut story = history.play(World::new(), &mut |story, _| look(story));
        story.settle(&mut |story, _| look(story));
        all_is_covered(&story);
        story.now.day = story.now.day.plus(50);
        story.settle(&mut |story, _| look(story));
        all_is_covered(&story);
        assert!(story.logs.is_empty() || !fixed.borrow().is_empty());
    });
}

fn is_closed(story: &Story, nodes: &BTreeMap<Period, Node>, period: Period) {
    let node = &nodes[&period];
    assert!(
        period.fixable(story.now, 4),
        "{period} was fixed before its time, at {:?}",
        story.now
    );
    let below: Vec<Period> = match period {
        Period::Day(day) => {
            for (path, digest, _) in units_of(story, day) {
                assert!(
                    node.front.entries.contains(&digest),
                    "{period} was fixed without a unit of {path}"
                );
            }
            return;
        }
        Period::Week(week) => week.days().map(Period::Day).collect(),
        Period::Month(month) => month.weeks().map(Period::Week).collect(),
    };
    let present: Vec<Period> = below.iter().copied().filter(|below| nodes.contains_key(below)).collect();
    for source in &present {
        assert_eq!(
            nodes[source].front.status,
            Status::Fixed,
            "{period} was fixed and {source} was not"
        );
    }
    let paths: Vec<String> = present.iter().map(|source| source.path()).collect();
    assert_eq!(node.front.sources, paths, "{period} was fixed without a source");
    let hashes = present
        .iter()
        .map(|source| (*source, content(&story.world.text(&source.path()))));
    assert_eq!(
        node.front.built_from,
        Some(upper_sources(hashes)),
        "{period} was fixed over other bytes than its sources have"
    );
    for day in story
        .world
        .logs()
        .into_keys()
        .filter(|day| period.first_day() <= *day && *day <= period.last_day())
    {
        // A log that came when its week was fixed is carried elsewhere.
        let week = nodes
            .get(&Period::Week(day.week()))
            .filter(|_| matches!(period, Period::Month(_)));
        let elsewhere =
            week.is_some_and(|week| week.front.status == Status::Fixed) || units_of(story, day).is_empty();
        assert!(
            elsewhere || nodes.contains_key(&Period::Day(day)),
            "{period} was fixed while {day} had no node"
        );
    }
}

/// Path, digest and text of each unit of a day's logs as they stand.
fn units_of(story: &Story, day: Day) -> Vec<(String, UnitDigest, String)> {
    let logs = story.world.logs().remove(&day).unwrap_or_default();
    let mut units = Vec::new();
    for (path, text) in logs {
        units.extend(
            entry::read(&text)
                .units()
                .map(|unit| (path.clone(), entry::digest(unit.text), unit.text.to_owned())),
        );
    }
    units
}

fn all_is_covered(story: &Story) {
    let nodes = story.world.nodes();
    let dailies: Vec<(Day, &Node)> = nodes
        .iter()
        .filter_map(
            |(period, node)| {
                if let Period::Day(day) = period { Some((*day, node)) } else { None }
            },
        )
        .collect();
    for day in story.world.logs().into_keys() {
        for (path, digest, text) in units_of(story, day) {
            let covering: Vec<&(Day, &Node)> =
                dailies.iter().filter(|(own, node)| covers(*own, node, day, digest)).collect();
            let days: Vec<Day> = covering.iter().map(|(day, _)| *day).collect();
            assert_eq!(days.len(), 1, "{path} at {:?}: covered by {days:?}:\n{text}", story.now);
            let (_, node) = covering[0];
            let verbatim = node.front.summarizer.as_deref() == Some("verbatim");
            assert!(
                !verbatim || node.body.contains(redact(text.trim_end()).as_ref()),
                "{path} is not in {}:\n{text}",
                days[0]
            );
        }
    }
    let counters = story.world.count(story.now);
    assert_eq!(
        (counters.raw_lines, counters.checkpoints),
        (0, 0),
        "what is covered is still counted"
    );
}

fn covers(own: Day, node: &Node, day: Day, digest: UnitDigest) -> bool {
    let carried = node
        .front
        .late
        .iter()
        .any(|(late, digests)| *late == day && digests.contains(&digest));
    carried || (own == day && node.front.entries.contains(&digest))
}
