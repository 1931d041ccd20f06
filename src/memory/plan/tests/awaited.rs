//! What cannot be read, or has to be made anew, and what is made of it.

use super::*;

/// A day of each of two weeks of a month, all of it fixed but what is new in the second week.
fn two_weeks() -> Inventory {
    let mut inventory = Inventory {
        logs: [log("2026-03-04", &["a"]), log("2026-03-11", &["b"])].into(),
        ..Inventory::default()
    };
    for (date, week, monday) in [("2026-03-04", 10, "2026-03-02"), ("2026-03-11", 11, "2026-03-09")] {
        let (period, node) = node_of(&inventory, date, Status::Fixed);
        inventory.nodes.insert(period, node);
        let source = (period, Hash(digest(date).0));
        let week = (Period::Week(day(monday).week()), week);
        inventory.nodes.insert(week.0, upper(Status::Tentative, week.1, &[source]));
    }
    let weeks = [("2026-03-02", 10), ("2026-03-09", 11)]
        .map(|(monday, content)| (Period::Week(day(monday).week()), Hash(content)));
    let month = Period::parse("2026-03").unwrap();
    inventory.nodes.insert(month, upper(Status::Tentative, 3, &weeks));
    inventory.root = Root {
        exists: true,
        day: Some(day("2026-03-12")),
        built_from: Some(upper_sources([(month, Hash(3))])),
        ..Root::default()
    };
    inventory
}

#[test]
fn what_is_made_of_a_node_that_cannot_be_read_waits_until_it_can() {
    let all = |inventory: &Inventory| steps(inventory, noon("2026-03-12"), Extent::All);
    assert_eq!(all(&two_weeks()), [""; 0]);
    for name in ["2026-03-04", "2026-W10", "2026-03"] {
        let mut inventory = two_weeks();
        inventory.nodes.insert(Period::parse(name).unwrap(), Known::Unreadable);
        assert_eq!(all(&inventory), [""; 0], "{name}");
        // What is above waits for it also where the node between them is to be made anew, and the rest goes on.
        inventory.nodes.insert(Period::parse("2026-W10").unwrap(), Known::Unreadable);
        inventory.nodes.insert(Period::parse("2026-03").unwrap(), Known::Garbled);
        inventory.logs.extend([log("2026-03-12", &["c"])]);
        let rest = [
            "build  memory/daily/2026-03-12.md (new, tentative)",
            "build  memory/weekly/2026-W11.md (its sources changed, tentative)",
        ];
        assert_eq!(all(&inventory), rest, "{name}");
    }
    // One that was never read is no reason to have no ROOT.
    let mut inventory = two_weeks();
    inventory.nodes.insert(Period::parse("2026-03").unwrap(), Known::Unreadable);
    inventory.root = Root::default();
    inventory
        .nodes
        .insert(Period::parse("2026-02").unwrap(), upper(Status::Fixed, 2, &[]));
    assert_eq!(all(&inventory), ["build  memory/ROOT.md (new)"]);
}

#[test]
fn a_garbled_node_is_made_anew_before_what_is_made_of_it() {
    for name in ["2026-03-04", "2026-W10", "2026-03"] {
        let mut inventory = two_weeks();
        let period = Period::parse(name).unwrap();
        inventory.nodes.insert(period, Known::Garbled);
        let first = format!("build  {} (new, ", period.path());
        let all = steps(&inventory, noon("2026-03-12"), Extent::All);
        assert!(all[0].starts_with(&first), "{name}: {all:?}");
        assert_eq!(
            all.last().map(String::as_str),
            Some("build  memory/ROOT.md (its sources changed)"),
            "{name}"
        );
    }
    // One a cycle: the week waits for the other day.
    let mut inventory = two_weeks();
    inventory.logs.extend([log("2026-03-05", &["c"])]);
    let week = Period::parse("2026-W10").unwrap();
    let days = ["2026-03-04", "2026-03-05"].map(|date| Period::Day(day(date)));
    inventory
        .nodes
        .insert(week, upper(Status::Tentative, 10, &days.map(|day| (day, Hash(1)))));
    inventory.nodes.extend(days.map(|day| (day, Known::Garbled)));
    let one = steps(&inventory, noon("2026-03-12"), Extent::Cycle);
    assert_eq!(one, ["build  memory/daily/2026-03-05.md (new, then fixed)"]);
    // Nor is it made without a day whose log cannot be read.
    inventory.logs.get_mut(&day("2026-03-04")).unwrap()[0].facts = None;
    for known in [Some(Known::Garbled), None] {
        inventory.nodes.remove(&days[0]);
        inventory.nodes.extend(known.map(|known| (days[0], known)));
        let all = steps(&inventory, noon("2026-03-12"), Extent::All);
        assert_eq!(all, ["build  memory/daily/2026-03-05.md (new, then fixed)"]);
    }
}

#[test]
fn a_node_keeps_the_late_entries_of_what_cannot_be_read() {
    let mut inventory = Inventory {
        logs: [log("2026-03-04", &["a", "late"]), log("2026-03-11", &["b"])].into(),
        ..Inventory::default()
    };
    let (period, fixed) = node_of(&inventory, "2026-03-04", Status::Fixed);
    let Known::Node(mut node) = fixed else {
        unreachable!()
    };
    node.entries.pop();
    inventory.nodes.insert(period, Known::Node(node));
    let plan = Plan::new(&inventory, noon("2026-03-11"), RULES, Extent::All);
    let carrier = plan.steps.iter().find_map(|step| match step {
        Step::Build(build) if build.period == Period::Day(day("2026-03-11")) => Some(build.late.clone()),
        _ => None,
    });
    let late = carrier.expect("today's node");
    let (today, mut open) = node_of(&inventory, "2026-03-11", Status::Tentative);
    if let Known::Node(node) = &mut open {
        node.late = vec![(day("2026-03-04"), vec![digest("late")])];
        node.built_from = daily_hash(inventory.logs_of(day("2026-03-11")), &late);
    }
    inventory.nodes.insert(today, open.clone());
    let dailies = |inventory: &Inventory| {
        let mut all = steps(inventory, noon("2026-03-11"), Extent::All);
        all.retain(|step| step.contains("daily"));
        all
    };
    assert_eq!(dailies(&inventory), [""; 0]);
    // The node of the day cannot be read, or its log.
    let mut one = inventory.clone();
    one.nodes.insert(period, Known::Unreadable);
    assert_eq!(dailies(&one), [""; 0]);
    let mut other = inventory.clone();
    other.logs.get_mut(&day("2026-03-04")).unwrap()[0].facts = None;
    assert_eq!(dailies(&other), [""; 0]);
    // The one that carries it cannot: no other one takes it in.
    inventory.nodes.insert(today, Known::Unreadable);
    inventory.logs.extend([log("2026-03-12", &["c"])]);
    let plan = Plan::new(&inventory, noon("2026-03-12"), RULES, Extent::All);
    assert!(matches!(first_build(&plan), build if build.late.is_empty()), "{plan:?}");
}
