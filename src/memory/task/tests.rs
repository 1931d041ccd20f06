//! Who is asked for, and in which order.

use super::*;
use crate::memory::calendar::Day;
use crate::memory::inventory::{Known, NodeFacts};
use crate::memory::plan::{Extent, Rules};

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

/// Nodes over their threshold with extractive summaries; nothing of their sources is due.
fn inventory(nodes: &[(Period, Status)]) -> Inventory {
    let facts = |status| NodeFacts {
        status,
        content: Hash(1),
        built_from: Some(Hash(2)),
        placeholder: false,
        summarized: true,
        answered: false,
        touched: false,
        sources: Vec::new(),
        entries: Vec::new(),
        late: Vec::new(),
    };
    Inventory {
        nodes: nodes
            .iter()
            .map(|&(period, status)| (period, Known::Node(facts(status))))
            .collect(),
        ..Inventory::default()
    }
}

fn names(inventory: &Inventory, now: &str, asked: &[Period]) -> Vec<String> {
    let plan = Plan::default();
    wanted(inventory, &plan, Moment::end_of(day(now)), |period| asked.contains(&period))
        .iter()
        .map(|wanted| wanted.node.to_string())
        .collect()
}

#[test]
fn days_are_asked_for_before_their_week_and_the_latest_first() {
    let (monday, tuesday) = (Period::Day(day("2026-03-09")), Period::Day(day("2026-03-10")));
    let week = Period::Week(day("2026-03-09").week());
    let open = Status::Tentative;
    let mut inventory = inventory(&[(monday, open), (tuesday, open), (week, open)]);
    assert_eq!(names(&inventory, "2026-03-20", &[]), ["2026-03-10", "2026-03-09"]);
    for period in [monday, tuesday] {
        inventory.summaries.given_up.insert(period, Hash(2));
    }
    assert_eq!(names(&inventory, "2026-03-20", &[]), ["2026-W11"]);
    inventory.summaries.given_up.insert(week, Hash(3));
    assert_eq!(
        names(&inventory, "2026-03-20", &[]),
        ["2026-W11"],
        "what was given up had other sources"
    );
}

#[test]
fn what_is_fixed_or_answered_is_not_asked_for_and_what_still_runs_once_a_day() {
    let (fixed, open) = (Period::Day(day("2026-03-09")), Period::Day(day("2026-03-10")));
    let mut inventory = inventory(&[(fixed, Status::Fixed), (open, Status::Tentative)]);
    assert_eq!(names(&inventory, "2026-03-10", &[]), ["2026-03-10"]);
    assert!(names(&inventory, "2026-03-10", &[open]).is_empty());
    assert_eq!(
        names(&inventory, "2026-03-11", &[open]),
        ["2026-03-10"],
        "the day is over: its last word counts"
    );
    inventory.summaries.ready.insert(open, Hash(2));
    assert!(names(&inventory, "2026-03-11", &[]).is_empty());
}

#[test]
fn what_is_about_to_be_built_is_not_asked_for_nor_what_is_above_it() {
    let log_day = day("2026-03-10");
    let week = Period::Week(log_day.week());
    let mut inventory = inventory(&[
        (Period::Day(log_day), Status::Tentative),
        (week, Status::Tentative),
    ]);
    if let Some(Known::Node(node)) = inventory.nodes.get_mut(&Period::Day(log_day)) {
        node.placeholder = true;
    }
    let rules = Rules { grace_hours: 4, await_agent: false, await_command: true };
    let now = Moment::end_of(day("2026-03-20"));
    let plan = Plan::new(&inventory, now, rules, Extent::All);
    let asked = wanted(&inventory, &plan, now, |_| false);
    assert!(
        asked
            .iter()
            .all(|wanted| !plan.steps.iter().any(|step| step.to_string().contains(&wanted.node.path()))),
        "{plan:?}\n{asked:?}"
    );
}

#[test]
fn a_week_waits_for_a_day_whose_summary_is_ready_and_not_for_one_that_has_it() {
    let period = Period::Day(day("2026-03-10"));
    let open = Status::Tentative;
    let mut inventory = inventory(&[(period, open), (Period::Week(day("2026-03-10").week()), open)]);
    let asked = |inventory: &Inventory| names(inventory, "2026-03-20", &[]);
    inventory.summaries.ready.insert(period, Hash(3));
    assert_eq!(asked(&inventory), ["2026-03-10"], "what is ready had other sources");
    inventory.summaries.ready.insert(period, Hash(2));
    assert!(asked(&inventory).is_empty(), "it is about to be put in place");
    if let Some(Known::Node(node)) = inventory.nodes.get_mut(&period) {
        node.answered = true;
    }
    assert_eq!(asked(&inventory), ["2026-W11"]);
}
