//! What is covered, what is late and who carries it: nothing of a log is nobody's.

use super::*;
use crate::memory::entry::digest;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn digests(names: &[&str]) -> Vec<UnitDigest> {
    names.iter().map(|name| digest(name)).collect()
}

fn log(facts: Option<LogFacts>) -> Log {
    Log { path: "memory/log.md".to_owned(), facts, is_gone: false }
}

/// A log that was read: entries by name, of three lines each.
fn read(names: &[&str]) -> Log {
    let unit = |name: &&str| UnitFacts {
        digest: digest(name),
        lines: 3,
        checkpoint: true,
        snapshot: false,
    };
    log(Some(LogFacts { hash: 1, units: names.iter().map(unit).collect() }))
}

fn facts(status: Status) -> NodeFacts {
    NodeFacts {
        status,
        content: Hash(1),
        built_from: None,
        placeholder: false,
        summarized: false,
        answered: false,
        touched: false,
        sources: Vec::new(),
        entries: Vec::new(),
        late: Vec::new(),
    }
}

fn daily(date: &str, status: Status, entries: &[&str], late: &[(&str, &[&str])]) -> (Period, Known) {
    let late = late.iter().map(|(date, names)| (day(date), digests(names)));
    let node = NodeFacts {
        entries: digests(entries),
        late: late.collect(),
        ..facts(status)
    };
    (Period::Day(day(date)), Known::Node(node))
}

fn upper(period: Period, status: Status, sources: &[Period]) -> (Period, Known) {
    let node = NodeFacts { sources: sources.to_vec(), ..facts(status) };
    (period, Known::Node(node))
}

/// The week and the month that 2026-03-04 belongs to.
fn above() -> (Period, Period) {
    let week = Period::Day(day("2026-03-04")).parent().unwrap();
    (week, week.parent().unwrap())
}

/// An inventory in which 2026-03-04 may have no daily node any more: its week is fixed without it.
fn closed() -> Inventory {
    Inventory {
        nodes: [upper(above().0, Status::Fixed, &[])].into(),
        ..Inventory::default()
    }
}

fn unit(date: &str, place: Place, name: &str) -> LateUnit {
    LateUnit { day: day(date), place, digest: digest(name) }
}

fn uncovered(inventory: &Inventory) -> (u64, u64) {
    let counters = inventory.uncovered();
    (counters.raw_lines, counters.checkpoints)
}

#[test]
fn a_root_made_for_another_cap_is_due_and_one_for_this_cap_is_not() {
    for (tokens_max, left) in [(3000, Some(Hash(5))), (2000, None)] {
        let mut root = Root {
            exists: true,
            built_from: Some(Hash(5)),
            tokens_max: 3000,
            ..Root::default()
        };
        root.hold_to(tokens_max);
        assert_eq!(root.built_from, left, "{tokens_max}");
    }
}

#[test]
fn a_day_may_have_a_daily_node_until_its_week_or_month_is_fixed_without_it() {
    let date = day("2026-03-04");
    let own = Period::Day(date);
    let (week, month) = above();
    let other = Period::Day(day("2026-03-05"));
    for (nodes, may) in [
        (vec![], true),
        (vec![upper(week, Status::Tentative, &[other])], true),
        (vec![upper(week, Status::Fixed, &[other])], false),
        (vec![upper(week, Status::Fixed, &[other, own])], true),
        (vec![upper(month, Status::Tentative, &[])], true),
        (vec![upper(month, Status::Fixed, &[])], false),
        (vec![upper(month, Status::Fixed, &[week])], true),
        (
            vec![
                upper(week, Status::Fixed, &[other]),
                daily("2026-03-04", Status::Tentative, &[], &[]),
            ],
            true,
        ),
    ] {
        let inventory = Inventory { nodes: nodes.into_iter().collect(), ..Inventory::default() };
        assert_eq!(inventory.may_have_daily(date), may, "{:?}", inventory.nodes);
    }
}

#[test]
fn lines_and_entries_count_until_a_daily_node_covers_them() {
    let date = "2026-03-18";
    let mut logs = vec![read(&["covered", "carried", "new"]), log(None)];
    let facts = logs[0].facts.as_mut().unwrap();
    let paragraph = UnitFacts {
        digest: digest("paragraph"),
        lines: 4,
        checkpoint: false,
        snapshot: false,
    };
    let ours = UnitFacts {
        digest: digest("snapshot"),
        lines: 50,
        checkpoint: true,
        snapshot: true,
    };
    facts.units.extend([paragraph, ours]);
    let mut inventory = Inventory {
        logs: [
            (day(date), logs),
            (day("2026-03-20"), vec![read(&["covered", "b"])]),
        ]
        .into(),
        ..Inventory::default()
    };
    assert_eq!(uncovered(&inventory), (3 * 3 + 4 + 2 * 3, 3 + 2), "without nodes");
    inventory.nodes = [
        daily(date, Status::Fixed, &["covered"], &[]),
        daily("2026-03-19", Status::Tentative, &[], &[(date, &["carried"])]),
    ]
    .into();
    assert_eq!(
        uncovered(&inventory),
        (3 + 4 + 2 * 3, 1 + 2),
        "an entry of the same words on another day is another entry"
    );
}

#[test]
fn an_entry_of_a_further_log_of_a_fixed_day_is_late() {
    let date = "2026-03-18";
    let mut inventory = Inventory {
        logs: [(day(date), vec![read(&["a", "b"]), read(&["b", "c", "d", "c"])])].into(),
        nodes: [daily(date, Status::Fixed, &["a", "b"], &[])].into(),
        ..Inventory::default()
    };
    let (third, fourth) = (unit(date, Place::Log(1, 1), "c"), unit(date, Place::Log(1, 2), "d"));
    assert_eq!(
        inventory.late(),
        Late { carried: BTreeMap::new(), uncovered: vec![third, fourth] }
    );
    let carrier = daily("2026-03-20", Status::Fixed, &[], &[(date, &["c"])]);
    inventory.nodes.extend([carrier]);
    assert_eq!(
        inventory.late(),
        Late {
            carried: [(day("2026-03-20"), vec![third])].into(),
            uncovered: vec![fourth],
        }
    );
}

#[test]
fn what_the_vault_alone_holds_is_carried_by_its_own_day_while_that_is_open() {
    let date = "2026-03-04";
    let carrier = daily("2026-03-20", Status::Fixed, &[], &[(date, &["x"])]);
    let open = daily(date, Status::Tentative, &["x"], &[]);
    let fixed_with = daily(date, Status::Fixed, &["x"], &[]);
    let fixed_without = daily(date, Status::Fixed, &["a"], &[]);
    let week_without = closed().nodes.into_iter().next().unwrap();
    // What stands there, what the log holds now, and who carries the lost entry then: a day, nobody yet, or no one has to.
    let nobody = Some(None);
    let by = |name: &str| Some(Some(day(name)));
    for (nodes, now, carried) in [
        (vec![], "a", by(date)),
        (vec![open.clone()], "a", by(date)),
        (vec![open.clone(), carrier.clone()], "a", by("2026-03-20")),
        (vec![open], "x", None),
        (vec![fixed_with], "a", None),
        (vec![fixed_without.clone()], "a", nobody),
        (vec![fixed_without, carrier.clone()], "a", by("2026-03-20")),
        (vec![week_without.clone()], "x", nobody),
        (vec![week_without], "a", nobody),
    ] {
        let inventory = Inventory {
            logs: [(day(date), vec![log(None), read(&[now])])].into(),
            lost: [(day(date), digests(&["x"]))].into(),
            nodes: nodes.into_iter().collect(),
            ..Inventory::default()
        };
        let late = inventory.late();
        let named = |unit: &&LateUnit| unit.digest == digest("x");
        let uncovered: Vec<&LateUnit> = late.uncovered.iter().filter(named).collect();
        let carriers: Vec<(Day, LateUnit)> = late
            .carried
            .iter()
            .flat_map(|(day, units)| units.iter().map(|unit| (*day, *unit)))
            .collect();
        let is_there = now == "x";
        let place = if is_there { Place::Log(1, 0) } else { Place::Vault(0) };
        let expected = unit(date, place, "x");
        let (expect_carried, expect_uncovered) = match carried {
            Some(Some(day)) => (vec![(day, expected)], vec![]),
            Some(None) => (vec![], vec![&expected]),
            None => (vec![], vec![]),
        };
        let what = format!("{now} {:?}", inventory.nodes);
        assert_eq!(carriers, expect_carried, "{what}");
        assert_eq!(uncovered, expect_uncovered, "{what}");
    }
}

#[test]
fn only_fixed_nodes_cover_for_good() {
    let date = "2026-03-18";
    let inventory = Inventory {
        nodes: [
            daily(date, Status::Fixed, &["own"], &[("2026-03-10", &["other day"])]),
            daily(
                "2026-03-19",
                Status::Fixed,
                &["next day"],
                &[(date, &["late"]), ("2026-03-11", &["another"])],
            ),
            daily("2026-03-20", Status::Tentative, &[], &[(date, &["not yet"])]),
        ]
        .into(),
        ..Inventory::default()
    };
    let covered = |date: &str| {
        let mut covered: Vec<UnitDigest> = inventory.covered_for_good(day(date)).into_iter().collect();
        covered.sort_unstable();
        covered
    };
    let sorted = |names: &[&str]| {
        let mut digests = digests(names);
        digests.sort_unstable();
        digests
    };
    assert_eq!(covered(date), sorted(&["own", "late"]));
    assert_eq!(covered("2026-03-10"), sorted(&["other day"]));
    assert_eq!(covered("2026-03-20"), sorted(&[]));
}

#[test]
fn a_day_is_covered_twice_for_good_by_fixed_nodes_alone() {
    let date = "2026-03-18";
    for (own, carrier, is_twice) in [
        (Status::Fixed, Status::Fixed, true),
        (Status::Tentative, Status::Fixed, false),
        (Status::Fixed, Status::Tentative, false),
    ] {
        let inventory = Inventory {
            nodes: [
                daily(date, own, &["a", "late"], &[]),
                daily("2026-03-19", carrier, &["b"], &[(date, &["late"]), ("2026-03-11", &["other"])]),
            ]
            .into(),
            ..Inventory::default()
        };
        let twice: Vec<Day> = inventory.covered_twice_for_good().into_iter().collect();
        assert_eq!(twice == [day(date)], is_twice, "{twice:?}");
    }
}
