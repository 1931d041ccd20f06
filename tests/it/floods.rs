//! Thousands of lines that are nearly the same cost about what as many different ones cost.
#![expect(clippy::disallowed_methods, reason = "measures two runs beside each other")]

use std::time::{Duration, Instant};

use crate::world::{World, program};

/// Twelve sessions of a day.
fn log(line: impl Fn(usize) -> String) -> String {
    let session = |hour: usize| {
        let lines: String = (hour * 700..hour * 700 + 700).map(&line).collect();
        format!("## Session {hour:02}:00 [project]\n{lines}")
    };
    (0..12).map(session).collect()
}

fn alike(at: usize) -> String {
    format!(
        "- user: message {at} of the harbour, about crane {} and valve {}\n",
        at % 97,
        at % 31
    )
}

fn different(at: usize) -> String {
    let word = |of: usize| format!("{}o{}a", ["bel", "dim", "fur", "gav", "kes"][of % 5], of % 911);
    format!(
        "- {} of the {}, about {} and {}\n",
        word(at),
        word(at * 7),
        word(at * 11),
        word(at * 13)
    )
}

fn compacted(world: &World, today: &str) -> Duration {
    let start = Instant::now();
    let run = program(world, &["compact", "--all", "--today", today]).status();
    assert!(run.expect("it runs").success());
    start.elapsed()
}

#[test]
fn lines_alike_cost_little_more_than_lines_that_differ() {
    let (one, other) = (World::new(), World::new());
    one.write("memory/2026-03-14.md", log(different));
    other.write("memory/2026-03-14.md", log(alike));
    let (usual, flood) = (compacted(&one, "2026-03-14"), compacted(&other, "2026-03-14"));
    assert!(flood < usual * 6, "{flood:?} beside {usual:?}");
    // And when they come late, each of them could correct another.
    one.write("memory/2026-03-14.md", log(different) + &log(|at| different(at + 50_000)));
    other.write("memory/2026-03-14.md", log(alike) + &log(|at| alike(at + 50_000)));
    let (usual, flood) = (compacted(&one, "2026-04-20"), compacted(&other, "2026-04-20"));
    assert!(flood < usual * 6, "late: {flood:?} beside {usual:?}");
}
