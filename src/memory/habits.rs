//! What the compactor learns about a workspace, as lines of `memory/agents/compaction/AGENT.md` (SPEC section 8).
//!
//! The numbers are rounded, so that the file changes when a habit does and not with every day.

use std::fmt::Write as _;

use super::calendar::Day;
use super::inventory::{Inventory, Log};
use super::level::Level;

/// How many observations the file keeps; the oldest go first.
const LINES_MAX: usize = 30;
const HEADING: &str = "## Learned Patterns";

/// What can be said of a workspace; none as long as there is too little to say anything.
pub fn observe(inventory: &Inventory) -> Option<String> {
    let lines = |logs: &Vec<Log>| {
        let units = logs.iter().flat_map(Log::units);
        units.map(|unit| u64::from(unit.lines)).sum()
    };
    let mut days: Vec<u64> = inventory.logs.values().map(lines).collect();
    if days.len() < 7 {
        return None;
    }
    days.sort_unstable();
    let mut line = format!("about {} lines a day", round(days[days.len() / 2]));
    for level in Level::ALL {
        let all = inventory.level(level).count();
        let over = inventory.level(level).filter(|(_, node)| node.summarized).count();
        if let Some(tenths) = (over * 10 + all / 2).checked_div(all) {
            let _ = write!(line, ", {level} over its threshold in {}%", tenths * 10);
        }
    }
    Some(line)
}

/// Two leading digits at most, the second 0 or 5.
fn round(lines: u64) -> u64 {
    let step = (10_u64.pow(lines.max(1).ilog10()) / 2).max(1);
    (lines + step / 2) / step * step
}

/// The notes with the observation in them; none when it is the newest one already.
pub fn noted(notes: &str, observed: &str, day: Day) -> Option<String> {
    let is_ours = |line: &str| line.starts_with("- 20") && line.contains(": about ");
    let last = notes.lines().rfind(|line| is_ours(line));
    if last.and_then(|line| Some(line.split_once(": ")?.1)) == Some(observed) {
        return None;
    }
    let line = format!("- {day}: {observed}");
    if notes.trim().is_empty() {
        return Some(format!("---\nagent: compaction\nupdated: {day}\n---\n\n{HEADING}\n{line}\n"));
    }
    let updated = |line: &str| match line.starts_with("updated: ") {
        true => format!("updated: {day}"),
        false => line.to_owned(),
    };
    let mut lines: Vec<String> = notes.lines().map(updated).collect();
    if !lines.iter().any(|line| line == HEADING) {
        lines.extend([String::new(), HEADING.to_owned()]);
    }
    let heading = lines.iter().take_while(|line| *line != HEADING).count();
    let section = lines.iter().enumerate().skip(heading + 1);
    let section = section.take_while(|(_, line)| !line.starts_with('#'));
    let last = section.filter(|(_, line)| !line.trim().is_empty()).last();
    lines.insert(last.map_or(heading, |(at, _)| at) + 1, line);
    let ours = lines.iter().filter(|line| is_ours(line)).count();
    let mut surplus = ours.saturating_sub(LINES_MAX);
    lines.retain(|line| {
        let goes = surplus > 0 && is_ours(line);
        surplus -= usize::from(goes);
        !goes
    });
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests;
