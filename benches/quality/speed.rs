//! How long summaries and ROOT take at their largest: the longest of real days, ten megabytes, ten years.
#![expect(clippy::disallowed_methods, reason = "measures time")]

use std::hint::black_box;
use std::time::Instant;

use hipocampusd::memory::root::{self, Foreign};

use super::history as typical;
use super::stories;
use super::tree::{self, Tree};

/// Lines and bytes of the longest real day.
const LONGEST: (usize, usize) = (22_723, 800_000);
/// Bytes of a day that nobody has seen yet.
const LARGE: usize = 10_000_000;
const ROUNDS: usize = 5;

/// Prints a table of medians in milliseconds.
pub(crate) fn table() {
    println!("| what | ms |\n| --- | --- |");
    let today = typical::last_day();
    let day = |name: &str, text: &str| {
        row(
            &format!("{name}, {} lines, {} kB", text.lines().count(), text.len() / 1000),
            || {
                black_box(tree::daily(today, text));
            },
        );
    };
    let longest = longest();
    day("a daily node, lines that differ", &longest);
    let repeated: String = longest
        .lines()
        .take(LONGEST.0 * 3 / 100)
        .map(|line| format!("{line}\n"))
        .collect();
    day("a daily node, 97% repeats", &repeated.repeat(33));
    let mut large = String::new();
    let mut number = 0;
    while large.len() < LARGE {
        large += &typical::entry(number);
        number += 1;
    }
    day("a daily node", &large);

    let logs = stories::years(10);
    let last = logs.keys().next_back().copied().unwrap_or(today);
    let tree = Tree::grow(&logs, last);
    row("ROOT of ten years", || {
        black_box(root::print(&tree.history, &Foreign::default(), last, 3000));
    });
}

/// A day of the longest one's lines and bytes.
fn longest() -> String {
    let (lines, bytes) = LONGEST;
    let mut out = String::new();
    let mut number = 0;
    let mut count = 0;
    while count < lines {
        for line in typical::entry(number).lines().take(lines - count) {
            let left = (bytes - out.len()) / (lines - count);
            out.extend(line.chars().take(left.saturating_sub(1).max(1)));
            out.push('\n');
            count += 1;
        }
        number += 1;
    }
    out
}

fn row(name: &str, mut run: impl FnMut()) {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("| {name} | {:.1} |", times[ROUNDS / 2]);
}
