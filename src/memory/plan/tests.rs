//! What is due, in which order, and what may be fixed.

mod awaited;
mod verdicts;

use super::*;
use crate::memory::calendar::Day;
use crate::memory::entry::{UnitDigest, digest};
use crate::memory::inventory::{Known, LogFacts, NodeFacts, Place, Root, UnitFacts};
use crate::memory::render::upper_sources;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn noon(name: &str) -> Moment {
    Moment { day: day(name), minutes: 12 * 60 }
}

const RULES: Rules = Rules { grace_hours: 4, await_agent: false, await_command: false };

/// A log of entries by name.
fn log(date: &str, entries: &[&str]) -> (Day, Vec<Log>) {
    let unit = |text: &&str| UnitFacts {
        digest: digest(text),
        lines: 3,
        checkpoint: true,
        snapshot: false,
    };
    let facts = LogFacts {
        hash: digest(&entries.join("\n")).0,
        units: entries.iter().map(unit).collect(),
    };
    (
        day(date),
        vec![Log {
            path: format!("memory/{date}.md"),
            facts: Some(facts),
            is_gone: false,
        }],
    )
}

/// A daily node that was built from a log as it is.
fn node_of(inventory: &Inventory, date: &str, status: Status) -> (Period, Known) {
    let logs = inventory.logs_of(day(date));
    let facts = logs[0].facts.as_ref().unwrap();
    let entries: Vec<UnitDigest> = facts.units.iter().map(|unit| unit.digest).collect();
    let node = NodeFacts {
        status,
        content: Hash(digest(date).0),
        built_from: daily_hash(logs, &[]),
        placeholder: false,
        summarized: false,
        answered: false,
        touched: false,
        sources: Vec::new(),
        entries,
        late: Vec::new(),
    };
    (Period::Day(day(date)), Known::Node(node))
}

fn upper(status: Status, content: u64, sources: &[(Period, Hash)]) -> Known {
    Known::Node(NodeFacts {
        status,
        content: Hash(content),
        built_from: Some(upper_sources(sources.iter().copied())),
        placeholder: false,
        summarized: false,
        answered: false,
        touched: false,
        sources: sources.iter().map(|(period, _)| *period).collect(),
        entries: Vec::new(),
        late: Vec::new(),
    })
}

fn steps(inventory: &Inventory, now: Moment, extent: Extent) -> Vec<String> {
    Plan::new(inventory, now, RULES, extent)
        .steps
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn first_build(plan: &Plan) -> &Build {
    match &plan.steps[0] {
        Step::Build(build) => build,
        _ => panic!("{plan:?}"),
    }
}

#[test]
fn the_first_log_makes_the_whole_tree() {
    let inventory = Inventory {
        logs: [log("2026-03-15", &["a"])].into(),
        ..Inventory::default()
    };
    assert_eq!(
        steps(&inventory, noon("2026-03-15"), Extent::Cycle),
        [
            "build  memory/daily/2026-03-15.md (new, tentative)",
            "build  memory/weekly/2026-W11.md (new, tentative)",
            "build  memory/monthly/2026-03.md (new, tentative)",
            "build  memory/ROOT.md (new)",
        ]
    );
}

#[test]
fn a_cycle_builds_one_node_a_level_the_most_recent_first() {
    let logs = ["2026-03-01", "2026-03-10", "2026-03-15"].map(|date| log(date, &[date])).into();
    let inventory = Inventory { logs, ..Inventory::default() };
    let plan = Plan::new(&inventory, noon("2026-03-15"), RULES, Extent::Cycle);
    assert_eq!(plan.steps.len(), 4);
    assert_eq!(plan.steps[0].to_string(), "build  memory/daily/2026-03-15.md (new, tentative)");
    assert_eq!(plan.left, 2);
    let all = Plan::new(&inventory, noon("2026-03-15"), RULES, Extent::All);
    assert_eq!(all.steps.len(), 3 + 2 + 2 + 1);
    let short = |steps_max| Plan::new(&inventory, noon("2026-03-15"), RULES, Extent::Short(steps_max));
    assert_eq!((short(8), short(7)), (all, plan));
}

#[test]
fn a_backlog_never_freezes_what_misses_something() {
    let logs = ["2025-03-03", "2025-03-05"].map(|date| log(date, &[date])).into();
    let inventory = Inventory { logs, ..Inventory::default() };
    let one = steps(&inventory, noon("2026-03-15"), Extent::Cycle);
    assert_eq!(one[0], "build  memory/daily/2025-03-05.md (new, then fixed)");
    assert_eq!(one[1], "build  memory/weekly/2025-W10.md (new, tentative)");
    let all = steps(&inventory, noon("2026-03-15"), Extent::All);
    assert_eq!(all[2], "build  memory/weekly/2025-W10.md (new, then fixed)");
    assert_eq!(all[3], "build  memory/monthly/2025-03.md (new, then fixed)");
}

#[test]
fn an_unreadable_log_keeps_its_week_open() {
    let mut inventory = Inventory {
        logs: [log("2025-03-03", &["a"]), log("2025-03-05", &["b"])].into(),
        ..Inventory::default()
    };
    inventory.logs.get_mut(&day("2025-03-05")).unwrap()[0].facts = None;
    let all = steps(&inventory, noon("2026-03-15"), Extent::All);
    assert_eq!(all[0], "build  memory/daily/2025-03-03.md (new, then fixed)");
    assert_eq!(all[1], "build  memory/weekly/2025-W10.md (new, tentative)");
}

fn settled() -> Inventory {
    let mut inventory = Inventory {
        logs: [log("2026-03-02", &["a", "b"])].into(),
        ..Inventory::default()
    };
    let (daily, node) = node_of(&inventory, "2026-03-02", Status::Fixed);
    let Known::Node(facts) = &node else { unreachable!() };
    let (week, month) = (daily.parent().unwrap(), daily.parent().unwrap().parent().unwrap());
    let weekly = upper(Status::Fixed, 10, &[(daily, facts.content)]);
    let monthly = upper(Status::Tentative, 20, &[(week, Hash(10))]);
    inventory.nodes.extend([(daily, node), (week, weekly), (month, monthly)]);
    inventory.root = Root {
        exists: true,
        day: Some(day("2026-03-20")),
        built_from: Some(upper_sources([(month, Hash(20))])),
        ..Root::default()
    };
    inventory
}

#[test]
fn nothing_due_means_no_steps_and_a_new_day_means_root() {
    let inventory = settled();
    assert!(steps(&inventory, noon("2026-03-20"), Extent::All).is_empty());
    assert_eq!(
        steps(&inventory, noon("2026-03-21"), Extent::All),
        ["build  memory/ROOT.md (a new day)"]
    );
    assert_eq!(
        steps(&inventory, noon("2026-04-08"), Extent::All),
        [
            "fix    memory/monthly/2026-03.md",
            "build  memory/ROOT.md (a new day)"
        ]
    );
}

#[test]
fn an_entry_added_after_its_day_was_fixed_goes_to_today() {
    let mut inventory = settled();
    inventory.logs.extend([log("2026-03-02", &["a", "b", "c"])]);
    let plan = Plan::new(&inventory, noon("2026-03-20"), RULES, Extent::All);
    let build = first_build(&plan);
    assert_eq!(
        (build.period, build.reason),
        (Period::Day(day("2026-03-20")), Reason::LateEntries)
    );
    assert_eq!(
        build.late,
        [LateUnit {
            day: day("2026-03-02"),
            place: Place::Log(0, 2),
            digest: digest("c")
        }]
    );
}

#[test]
fn a_log_of_a_week_that_closed_without_it_is_late_as_a_whole() {
    let mut inventory = settled();
    inventory.logs.extend([log("2026-03-04", &["x", "y"])]);
    let plan = Plan::new(&inventory, noon("2026-03-20"), RULES, Extent::All);
    let build = first_build(&plan);
    assert_eq!(build.period, Period::Day(day("2026-03-20")));
    assert_eq!(build.late.len(), 2);
    assert!(!plan.steps.iter().any(|step| step.to_string().contains("daily/2026-03-04")));
}

#[test]
fn late_entries_stay_where_they_are_carried() {
    let mut inventory = settled();
    inventory.logs.extend([
        log("2026-03-02", &["a", "b", "c"]),
        log("2026-03-18", &["today then"]),
    ]);
    let (period, node) = node_of(&inventory, "2026-03-18", Status::Fixed);
    let Known::Node(mut facts) = node else {
        unreachable!()
    };
    facts.late = vec![(day("2026-03-02"), vec![digest("c")])];
    inventory.nodes.insert(period, Known::Node(facts));
    assert!(inventory.late().uncovered.is_empty());
    assert!(
        !steps(&inventory, noon("2026-03-20"), Extent::All)
            .iter()
            .any(|step| step.contains("2026-03-20"))
    );
}

#[test]
fn before_the_grace_hour_yesterday_takes_late_entries_in() {
    let mut inventory = settled();
    inventory
        .logs
        .extend([log("2026-03-02", &["a", "b", "c"]), log("2026-03-19", &["d"])]);
    let yesterday = node_of(&inventory, "2026-03-19", Status::Tentative);
    inventory.nodes.extend([yesterday]);
    let night = Moment { day: day("2026-03-20"), minutes: 90 };
    let plan = Plan::new(&inventory, night, RULES, Extent::All);
    let build = first_build(&plan);
    assert_eq!(build.period, Period::Day(day("2026-03-19")));
}

#[test]
fn a_file_that_is_no_node_blocks_its_period_and_nothing_else() {
    let mut inventory = Inventory {
        logs: [log("2026-03-14", &["a"]), log("2026-03-15", &["b"])].into(),
        ..Inventory::default()
    };
    inventory.nodes.insert(Period::Day(day("2026-03-14")), Known::Blocked);
    let all = steps(&inventory, noon("2026-05-15"), Extent::All);
    assert_eq!(all[0], "build  memory/daily/2026-03-15.md (new, then fixed)");
    assert_eq!(all[1], "build  memory/weekly/2026-W11.md (new, tentative)");
}

#[test]
fn a_node_whose_log_is_gone_is_left_as_it_is() {
    let mut inventory = Inventory {
        logs: [log("2026-03-15", &["a"])].into(),
        ..Inventory::default()
    };
    let (period, node) = node_of(&inventory, "2026-03-15", Status::Tentative);
    inventory.nodes.insert(period, node);
    inventory.logs.clear();
    let all = steps(&inventory, noon("2026-03-15"), Extent::All);
    assert!(!all.iter().any(|step| step.contains("daily")), "{all:?}");
}

#[test]
fn late_entries_pass_over_a_day_whose_log_is_gone() {
    let mut inventory = settled();
    inventory.logs.extend([
        log("2026-03-02", &["a", "b", "c"]),
        log("2026-03-20", &["moved away"]),
    ]);
    let (period, node) = node_of(&inventory, "2026-03-20", Status::Tentative);
    inventory.nodes.insert(period, node);
    inventory.logs.remove(&day("2026-03-20"));
    let plan = Plan::new(&inventory, noon("2026-03-20"), RULES, Extent::All);
    let build = first_build(&plan);
    assert_eq!(build.period, Period::Day(day("2026-03-21")));
    let late: Vec<UnitDigest> = build.late.iter().map(|unit| unit.digest).collect();
    assert_eq!(late, [digest("c")]);
}

#[test]
fn a_log_that_says_nothing_makes_no_node_and_changes_none() {
    let silent = Inventory {
        logs: [log("2026-03-15", &[])].into(),
        ..Inventory::default()
    };
    let plan = Plan::new(&silent, noon("2026-03-15"), RULES, Extent::Cycle);
    assert!(plan.is_empty(), "{plan:?}");
    let (_, said) = log("2026-03-15", &["a"]);
    let (_, other) = log("2026-03-15", &["b"]);
    let (_, mut with_silent) = log("2026-03-15", &[]);
    with_silent.extend(said.clone());
    assert_eq!(daily_hash(&with_silent, &[]), daily_hash(&said, &[]));
    assert_ne!(daily_hash(&other, &[]), daily_hash(&said, &[]));
    with_silent[0].facts = None;
    assert_eq!(daily_hash(&with_silent, &[]), None);
}

#[test]
fn a_log_that_changed_makes_its_node_due() {
    let mut inventory = Inventory {
        logs: [log("2026-03-15", &["a"])].into(),
        ..Inventory::default()
    };
    inventory.nodes = [node_of(&inventory, "2026-03-15", Status::Tentative)].into();
    inventory.logs = [log("2026-03-15", &["a", "b"])].into();
    let plan = Plan::new(&inventory, noon("2026-03-15"), RULES, Extent::Cycle);
    assert!(!plan.is_empty());
    assert_eq!(
        plan.steps[0].to_string(),
        "build  memory/daily/2026-03-15.md (its sources changed, tentative)"
    );
}

#[test]
fn summaries_wait_for_an_agent_or_for_a_command() {
    for (await_agent, await_command) in [(false, false), (true, false), (false, true), (true, true)] {
        let rules = Rules { await_agent, await_command, ..RULES };
        assert_eq!(rules.awaits(), await_agent || await_command);
    }
}
