//! When a node is put off, fixed or made again: the cases that lose something when they are decided wrongly.

use super::*;

/// The steps on daily nodes alone, under rules of one's own.
fn daily_steps(inventory: &Inventory, now: Moment, rules: Rules) -> Vec<String> {
    let plan = Plan::new(inventory, now, rules, Extent::All);
    let mut steps: Vec<String> = plan.steps.iter().map(ToString::to_string).collect();
    steps.retain(|step| step.contains("memory/daily/"));
    steps
}

/// One log and its daily node, which `change` alters.
fn one_day(date: &str, change: impl FnOnce(&mut NodeFacts)) -> Inventory {
    let mut inventory = Inventory { logs: [log(date, &["a"])].into(), ..Inventory::default() };
    let (period, node) = node_of(&inventory, date, Status::Tentative);
    let Known::Node(mut facts) = node else {
        unreachable!()
    };
    change(&mut facts);
    inventory.nodes.insert(period, Known::Node(facts));
    inventory
}

#[test]
fn late_entries_go_to_yesterday_only_while_it_is_open_and_today_has_nothing() {
    let at = |minutes| Moment { day: day("2026-03-20"), minutes };
    let (night, morning) = (at(90), at(9 * 60));
    let (yesterday, today) = ("2026-03-19", "2026-03-20");
    // The hour, the node of yesterday, whether today has a log and whether it has a node, and who takes them in.
    for (now, node, has_log, has_node, taker) in [
        (night, Some(Status::Tentative), false, false, yesterday),
        (night, Some(Status::NeedsSummarization), false, false, yesterday),
        (night, Some(Status::Tentative), true, false, today),
        (night, Some(Status::Tentative), true, true, today),
        (night, Some(Status::Fixed), false, false, today),
        (night, None, false, false, today),
        (morning, Some(Status::Tentative), false, false, today),
    ] {
        let mut inventory = settled();
        inventory
            .logs
            .extend([log("2026-03-02", &["a", "b", "c"]), log(yesterday, &["d"])]);
        let of_yesterday = node.map(|status| node_of(&inventory, yesterday, status));
        inventory.nodes.extend(of_yesterday);
        if has_log {
            inventory.logs.extend([log(today, &["e"])]);
        }
        if has_node {
            let of_today = node_of(&inventory, today, Status::Tentative);
            inventory.nodes.extend([of_today]);
        }
        let plan = Plan::new(&inventory, now, RULES, Extent::All);
        let takers: Vec<String> = plan
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Build(build) if !build.late.is_empty() => Some(build.period.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(takers, [taker], "{now:?} {node:?} {has_log} {has_node}");
    }
}

#[test]
fn late_entries_pass_over_days_that_are_fixed() {
    let now = Moment { day: day("2026-03-19"), minutes: 9 * 60 };
    let mut inventory = settled();
    let days = [log("2026-03-02", &["a", "b", "c"]), log("2026-03-19", &["d"])];
    inventory.logs.extend(days);
    // Where the clock was ahead, today is over.
    let today = node_of(&inventory, "2026-03-19", Status::Fixed);
    inventory.nodes.extend([today]);
    assert_eq!(
        daily_steps(&inventory, now, RULES),
        ["build  memory/daily/2026-03-20.md (late entries, tentative)"]
    );
}

#[test]
fn nodes_whose_sources_are_gone_are_fixed_when_their_time_comes() {
    let mut inventory = Inventory {
        logs: [log("2026-03-02", &["a"])].into(),
        ..Inventory::default()
    };
    let daily = node_of(&inventory, "2026-03-02", Status::Tentative);
    inventory.logs.clear();
    let april = Period::Day(day("2026-04-06")).parent().unwrap();
    let may = Period::Day(day("2026-05-06")).parent().unwrap().parent().unwrap();
    inventory.nodes.extend([
        daily,
        (april, upper(Status::Tentative, 10, &[])),
        (may, upper(Status::Tentative, 20, &[])),
    ]);
    let all = steps(&inventory, noon("2026-06-08"), Extent::Cycle);
    for step in [
        "fix    memory/daily/2026-03-02.md",
        "fix    memory/weekly/2026-W15.md",
        "fix    memory/monthly/2026-05.md",
    ] {
        assert!(all.iter().any(|found| found == step), "{step}: {all:?}");
    }
}

#[test]
fn a_summary_that_came_is_put_in_place_once_and_only_for_its_own_sources() {
    // Whether another summary stands there, whether somebody changed it, whether the new one is of these sources.
    for (answered, touched, ours, expect) in [
        (false, false, true, true),
        (false, true, true, true),
        (true, false, true, false),
        (true, true, true, true),
        (false, false, false, false),
        (false, true, false, false),
    ] {
        let mut inventory = one_day("2026-03-15", |node| {
            node.summarized = true;
            node.answered = answered;
            node.touched = touched;
        });
        let period = Period::Day(day("2026-03-15"));
        let built_from = daily_hash(inventory.logs_of(day("2026-03-15")), &[]).unwrap();
        let hash = if ours { built_from } else { Hash(1) };
        inventory.summaries.ready.insert(period, hash);
        let expected: &[&str] = if expect {
            &["build  memory/daily/2026-03-15.md (its summary has come, tentative)"]
        } else {
            &[]
        };
        let found = daily_steps(&inventory, noon("2026-03-15"), RULES);
        assert_eq!(found, expected, "{answered} {touched} {ours}");
    }
}

#[test]
fn what_an_agent_wrote_and_is_none_goes_at_once_or_when_the_node_is_to_be_fixed() {
    let refused = "build  memory/daily/2026-03-15.md (what an agent wrote is no summary of its sources";
    let fix = "fix    memory/daily/2026-03-15.md".to_owned();
    for (at_once, now, expect) in [
        (Some(true), "2026-03-15", Some(format!("{refused}, tentative)"))),
        (Some(false), "2026-03-15", None),
        (Some(false), "2026-03-16", Some(format!("{refused}, then fixed)"))),
        (None, "2026-03-16", Some(fix)),
    ] {
        let mut inventory = one_day("2026-03-15", |_| {});
        let period = Period::Day(day("2026-03-15"));
        inventory.summaries.refused.extend(at_once.map(|now| (period, now)));
        let found = daily_steps(&inventory, noon(now), RULES);
        assert_eq!(found, Vec::from_iter(expect), "{at_once:?} on {now}");
    }
}

#[test]
fn a_summary_waits_two_weeks_for_an_agent_and_what_is_whole_waits_for_nobody() {
    let rules = Rules { await_agent: true, ..RULES };
    let fix: &[&str] = &["fix    memory/daily/2026-03-02.md"];
    for (summarized, answered, now, expect) in [
        (false, false, "2026-03-03", fix),
        (true, true, "2026-03-03", fix),
        (true, false, "2026-03-03", &[]),
        (true, false, "2026-03-16", &[]),
        (true, false, "2026-03-17", fix),
    ] {
        let inventory = one_day("2026-03-02", |node| {
            node.summarized = summarized;
            node.answered = answered;
        });
        let found = daily_steps(&inventory, noon(now), rules);
        assert_eq!(found, expect, "{summarized} {answered} on {now}");
    }
}

#[test]
fn a_summary_waits_for_a_command_until_that_was_given_up_for_these_sources() {
    let rules = Rules { await_command: true, ..RULES };
    let date = day("2026-03-02");
    let fix = "fix    memory/daily/2026-03-02.md";
    let summarized = |node: &mut NodeFacts| node.summarized = true;
    let built_from = daily_hash(one_day("2026-03-02", summarized).logs_of(date), &[]).unwrap();
    for (given_up, expect) in [(None, None), (Some(Hash(1)), None), (Some(built_from), Some(fix))] {
        let mut inventory = one_day("2026-03-02", summarized);
        inventory
            .summaries
            .given_up
            .extend(given_up.map(|hash| (Period::Day(date), hash)));
        let found = daily_steps(&inventory, noon("2026-06-01"), rules);
        assert_eq!(found, Vec::from_iter(expect), "{given_up:?}");
    }
    let whole = one_day("2026-03-02", |_| {});
    assert_eq!(daily_steps(&whole, noon("2026-06-01"), rules), [fix]);
}

#[test]
fn a_node_whose_log_is_gone_is_made_again_only_when_the_vault_has_all_of_it() {
    let late = "build  memory/daily/2026-03-15.md (late entries, tentative)";
    for (covered, lost, expect) in [
        (&["a"][..], &["a"][..], Some(late)),
        (&["a", "b"], &["a", "b"], Some(late)),
        (&["a", "b"], &["a"], None),
        (&["a", "b"], &[], None),
    ] {
        let mut inventory = Inventory {
            logs: [log("2026-03-15", covered)].into(),
            ..Inventory::default()
        };
        inventory.nodes = [node_of(&inventory, "2026-03-15", Status::Tentative)].into();
        inventory.logs.clear();
        let digests: Vec<UnitDigest> = lost.iter().map(|name| digest(name)).collect();
        inventory.lost.insert(day("2026-03-15"), digests);
        let found = daily_steps(&inventory, noon("2026-03-15"), RULES);
        assert_eq!(found, Vec::from_iter(expect), "{covered:?} {lost:?}");
    }
}

#[test]
fn a_node_says_whether_late_entries_or_its_own_log_made_it_due() {
    // What the late log holds, whether its entry is carried, what the own log holds.
    for (late_log, is_carried, own, expect) in [
        (&["a", "b", "c"][..], false, &["a"][..], "late entries"),
        (&["a", "b", "c", "d"], true, &["a"], "late entries"),
        (&["a", "b", "c"], true, &["a", "more"], "its sources changed"),
        (&["a", "b"], true, &["a"], "its sources changed"),
    ] {
        let mut inventory = settled();
        let own_day = one_day("2026-03-20", |node| {
            if is_carried {
                node.late = vec![(day("2026-03-02"), vec![digest("c")])];
                node.built_from = Some(Hash(1));
            }
        });
        inventory.nodes.extend(own_day.nodes);
        inventory.logs.extend([log("2026-03-02", late_log), log("2026-03-20", own)]);
        let found = daily_steps(&inventory, noon("2026-03-20"), RULES);
        let expect = format!("build  memory/daily/2026-03-20.md ({expect}, tentative)");
        assert_eq!(found, [expect], "{late_log:?} {is_carried} {own:?}");
    }
}

#[test]
fn a_weekly_node_that_is_made_again_makes_its_month_due_and_a_month_root() {
    let placeholder = |inventory: &mut Inventory, period: Period| {
        let Some(Known::Node(node)) = inventory.nodes.get_mut(&period) else {
            unreachable!()
        };
        node.placeholder = true;
        node.status = Status::Tentative;
    };
    let week = Period::Day(day("2026-03-02")).parent().unwrap();
    let month = week.parent().unwrap();
    let root = "build  memory/ROOT.md (its sources changed)";
    let mut inventory = settled();
    placeholder(&mut inventory, week);
    assert_eq!(
        steps(&inventory, noon("2026-03-20"), Extent::All),
        [
            "build  memory/weekly/2026-W10.md (only a placeholder stands there, then fixed)",
            "build  memory/monthly/2026-03.md (its sources changed, tentative)",
            root,
        ]
    );
    let mut inventory = settled();
    placeholder(&mut inventory, month);
    assert_eq!(
        steps(&inventory, noon("2026-03-20"), Extent::All),
        [
            "build  memory/monthly/2026-03.md (only a placeholder stands there, tentative)",
            root,
        ]
    );
    let mut inventory = settled();
    inventory.root.built_from = Some(Hash(1));
    assert_eq!(steps(&inventory, noon("2026-03-20"), Extent::All), [root]);
}

#[test]
fn a_file_in_the_place_of_a_daily_node_keeps_its_week_open_even_without_a_log() {
    let mut inventory = Inventory {
        logs: [log("2026-03-02", &["a"])].into(),
        ..Inventory::default()
    };
    inventory.nodes.insert(Period::Day(day("2026-03-04")), Known::Blocked);
    assert_eq!(
        steps(&inventory, noon("2026-05-15"), Extent::All)[..2],
        [
            "build  memory/daily/2026-03-02.md (new, then fixed)",
            "build  memory/weekly/2026-W10.md (new, tentative)",
        ]
    );
}
