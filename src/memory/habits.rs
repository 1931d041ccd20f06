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
    let mut days: Vec<u64> = Vec::new();
    for logs in inventory.logs.values() {
        let units = logs.iter().flat_map(Log::units);
        days.push(units.map(|unit| u64::from(unit.lines)).sum());
    }
    if days.len() < 7 {
        return None;
    }
    days.sort_unstable();
    let mut line = format!("about {} lines a day", round(days[days.len() / 2]));
    for level in Level::ALL {
        let (all, over) = inventory
            .level(level)
            .fold((0_u64, 0_u64), |(all, over), (_, node)| {
                (all + 1, over + u64::from(node.summarized))
            });
        if let Some(tenths) = (over * 10 + all / 2).checked_div(all) {
            let _ = write!(line, ", {level} over its threshold in {}%", tenths * 10);
        }
    }
    Some(line)
}

/// Two leading digits at most, the second 0 or 5.
fn round(lines: u64) -> u64 {
    let step = (1..)
        .map(|digits| 10_u64.pow(digits))
        .find(|power| lines < *power)
        .map_or(1, |power| (power / 20).max(1));
    (lines + step / 2) / step * step
}

/// The notes with the observation in them; none when it is the newest one already.
pub fn noted(notes: &str, observed: &str, day: Day) -> Option<String> {
    let is_ours = |line: &&str| line.starts_with("- 20") && line.contains(": about ");
    let last = notes
        .lines()
        .rfind(is_ours)
        .and_then(|line| line.split_once(": "))
        .map(|(_, said)| said);
    if last == Some(observed) {
        return None;
    }
    let line = format!("- {day}: {observed}");
    if notes.trim().is_empty() {
        return Some(format!(
            "---\nagent: compaction\nupdated: {day}\n---\n\n{HEADING}\n{line}\n"
        ));
    }
    let mut lines: Vec<String> = notes
        .lines()
        .map(|line| {
            if line.starts_with("updated: ") {
                format!("updated: {day}")
            } else {
                line.to_owned()
            }
        })
        .collect();
    let heading = lines.iter().position(|line| line == HEADING).unwrap_or_else(|| {
        lines.extend([String::new(), HEADING.to_owned()]);
        lines.len() - 1
    });
    let end = lines[heading + 1..]
        .iter()
        .position(|line| line.starts_with('#'))
        .map_or(lines.len(), |at| heading + 1 + at);
    let end = end
        - lines[heading + 1..end]
            .iter()
            .rev()
            .take_while(|line| line.trim().is_empty())
            .count();
    lines.insert(end, line);
    let ours: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_ours(&line.as_str()))
        .map(|(at, _)| at)
        .collect();
    for at in ours.iter().take(ours.len().saturating_sub(LINES_MAX)).rev() {
        lines.remove(*at);
    }
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests;
