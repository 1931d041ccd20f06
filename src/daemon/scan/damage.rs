//! What stands where a node belongs and is none: whose it is, and what is said of it.
//!
//! A text is somebody's, and stays. What nobody wrote, a disk or a crash did: no bytes, NULs, garbage. Where a node of ours belongs,
//! that is ours to mend. The sources tell where that is, and the node above, which names those that it was built from.

use super::Scan;
use crate::daemon::issue::{Issue, Severity};
use crate::memory::inventory::{Inventory, Known, Log};
use crate::memory::level::Period;
use crate::memory::text::Decoded;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// No more than NULs and white space.
    Nothing,
    /// Bytes that are no text in any encoding, or the beginning of a node.
    Garbage,
    /// Text between NULs, of a node or of a person.
    Pieces,
    /// A text of somebody's.
    Text,
}

pub(super) fn holds(period: Period, decoded: &Decoded) -> Holds {
    let begins = format!("---\ntype: {}\n", period.level());
    if decoded.text.trim().is_empty() {
        Holds::Nothing
    } else if decoded.is_garbage() || decoded.text.starts_with(&begins) {
        Holds::Garbage
    } else if decoded.is_damaged() {
        Holds::Pieces
    } else {
        Holds::Text
    }
}

impl Scan {
    /// What was damaged has been made anew: no error any more, and worth a word.
    pub fn mended(&mut self, path: &str) {
        let is_damage = |issue: &&mut Issue| issue.path == path && issue.severity == Severity::Error;
        for issue in self.issues.iter_mut().filter(is_damage) {
            *issue = Issue::warning(path, "was damaged, and is made anew of what it is made of");
        }
    }

    /// Judges what is no node, those of the lowest level first.
    pub(super) fn judge(&mut self, strange: Vec<(Period, Holds)>) {
        for (period, holds) in strange {
            let path = &period.path();
            let level = period.level();
            let has_sources = has_sources(&self.inventory, period);
            let is_ours = match holds {
                Holds::Nothing | Holds::Garbage => has_sources || is_named(&self.inventory, period),
                Holds::Pieces => is_named(&self.inventory, period),
                Holds::Text => false,
            };
            let nothing = "holds nothing that can be read";
            let no_node = format!("is no {level} node (no frontmatter with its type); it is left alone");
            match (is_ours, has_sources) {
                (true, true) => self.issues.push(Issue::error(path, format!("{nothing}; the next cycle makes it anew"))),
                (true, false) => self.issues.push(Issue::error(path, format!(
                    "{nothing}, nor is there anything to make it from; what was made of it stays as it is until you remove the file"
                ))),
                (false, true) => self.faults.push(Issue::error(path, format!(
                    "{no_node}, and its period has no node until you move it away"
                ))),
                (false, false) => self.issues.push(Issue::warning(path, no_node)),
            }
            let known = if is_ours { Known::Garbled } else { Known::Blocked };
            self.inventory.nodes.insert(period, known);
        }
    }
}

/// Whether there is something to make a node from, now or once it can be read.
fn has_sources(inventory: &Inventory, period: Period) -> bool {
    if let Period::Day(day) = period {
        return inventory.may_have_daily(day) && inventory.logs_of(day).iter().any(Log::may_say_something);
    }
    period
        .below()
        .into_iter()
        .any(|below| match inventory.nodes.get(&below) {
            Some(Known::Node(_) | Known::Unreadable) => true,
            Some(Known::Blocked) => false,
            Some(Known::Garbled) | None => has_sources(inventory, below),
        })
}

/// Whether the node above was built from that of this period.
fn is_named(inventory: &Inventory, period: Period) -> bool {
    let above = period.parent().and_then(|above| inventory.node(above));
    above.is_some_and(|node| node.sources.contains(&period))
}
