//! One node by itself: its bytes, its status, its size, its sources, and the nodes below it.

use std::collections::BTreeMap;

use super::{Loaded, NodeFile, Rule, Tree, Violation, first_difference, secret};
use crate::memory::calendar::{Day, Moment};
use crate::memory::inventory::Known;
use crate::memory::level::{Period, Status};
use crate::memory::node::{Form, GENERATION, file_stem};
use crate::memory::outside;
use crate::memory::summary::{self, Section};

/// What can be said of a node without looking at any other. Of one that somebody else wrote: only whether it is clean.
pub(super) fn check(tree: &Tree<'_>, loaded: &Loaded, written: &NodeFile, found: &mut Vec<Violation>) {
    let path = loaded.path();
    secret(&path, "", &written.text, found);
    if loaded.is_foreign() {
        return;
    }
    let mut fault = |rule: Rule, what: &str| found.push(Violation::new(&path, rule, what));
    let intact = loaded.intact == Some(true);
    if !intact || !written.exact {
        fault(Rule::Digest, "was changed since it was written");
    }
    let field = |name: &str| field(&written.text, name);
    let status = field("status");
    if Status::parse(status).name() != status {
        fault(Rule::Status, "is none of tentative, fixed, needs-summarization");
    }
    if field("period") != loaded.period().to_string() {
        fault(Rule::Format, "its name and its period are not the same");
    }
    // It may have been fixed where the day is over sooner, or after another grace: people travel and change their configuration.
    let elsewhere = Moment {
        day: tree.now.day.plus(1),
        ..tree.now
    };
    if loaded.node.front.status == Status::Fixed && !loaded.period().fixable(elsewhere, 0) {
        fault(Rule::Status, "is fixed before its period may be");
    }
    if loaded.node.front.mentions.len() != loaded.node.front.topics.len() {
        fault(
            Rule::Topics,
            "does not say of each topic when it was last mentioned",
        );
    }
    if intact {
        let printed = loaded.node.print();
        // An earlier generation may have written the same in other words.
        if printed != written.text && loaded.node.front.generation == GENERATION {
            let line = first_difference(&printed, &written.text);
            fault(
                Rule::Format,
                &format!("line {line} is not as this program writes it"),
            );
        }
        size(loaded, &mut fault);
    }
}

fn field<'a>(text: &'a str, name: &str) -> &'a str {
    let front = text.lines().skip(1).take_while(|line| line.trim_end() != "---");
    let mut values = front.filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    values.next().unwrap_or_default().trim()
}

/// Summaries keep to their lines and sections. What is kept whole stands outside of them, and the person and the rules have as many lines
/// again.
fn size(loaded: &Loaded, fault: &mut impl FnMut(Rule, &str)) {
    let parts = loaded.node.parts();
    if parts.len() != loaded.node.front.parts.len() {
        fault(Rule::Format, "its parts do not fit its body");
    }
    let lines_max = loaded.period().level().summary_lines();
    for (part, text) in parts.iter().filter(|(part, _)| part.form == Form::Summary) {
        let personal = text.lines().filter(|line| summary::is_personal(line)).count();
        if part.lines > lines_max + personal.min(lines_max) {
            let what = format!("has a summary of {} lines, more than {lines_max}", part.lines);
            fault(Rule::Size, &what);
        }
        let strange = text
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .find(|title| Section::parse(title).is_none());
        if let Some(title) = strange {
            fault(Rule::Format, &format!("has no section {title:?} in a summary"));
        }
    }
}

/// A fixed node holds every node of its period, and they are fixed (SPEC section 4, closure).
pub(super) fn closure(
    tree: &Tree<'_>,
    loaded: &Loaded,
    files: &BTreeMap<Period, Loaded>,
    found: &mut Vec<Violation>,
) {
    if loaded.node.front.status != Status::Fixed {
        return;
    }
    let contained = loaded.node.front.below();
    for below in loaded.period().below() {
        let Some(node) = tree.inventory.node(below) else {
            continue;
        };
        let what = match (contained.contains(&below), node.status == Status::Fixed) {
            (true, true) => continue,
            (true, false) => format!("is fixed, but {} is not", below.path()),
            // What somebody else put there later was not there to be taken in.
            (false, _) if files.get(&below).is_none_or(Loaded::is_foreign) => continue,
            (false, _) => format!("is fixed without {}", below.path()),
        };
        found.push(Violation::new(&loaded.path(), Rule::Status, what));
    }
}

/// Sources are of the level right below, within the period, and there.
pub(super) fn sources(
    tree: &Tree<'_>,
    loaded: &Loaded,
    found: &mut Vec<Violation>,
    gone: &mut Vec<(String, String)>,
) {
    let path = loaded.path();
    let front = &loaded.node.front;
    let mut fault = |what: String| found.push(Violation::new(&path, Rule::Sources, what));
    if front.sources.is_empty() {
        fault("names no sources".to_owned());
    }
    if let Period::Day(own) = front.period {
        for source in &front.sources {
            let day = log_day(source);
            let is_source =
                day.is_some_and(|day| day == own || front.late.iter().any(|(late, _)| *late == day));
            if !is_source {
                fault(format!(
                    "names {source}, which is no log of its day nor of an entry that it carries"
                ));
            } else if day.is_some_and(|day| !is_there(tree, day, source)) {
                gone.push((path.clone(), source.clone()));
            }
        }
        return;
    }
    let inside = front.period.below();
    for source in &front.sources {
        match inside.iter().find(|period| period.path() == *source) {
            None => fault(format!("names {source}, which is no node right below its period")),
            Some(period) => match tree.inventory.nodes.get(period) {
                None | Some(Known::Blocked) => fault(format!("was built from {source}, which is gone")),
                // What cannot be read is a fault of its own, and is not gone.
                Some(Known::Node(_) | Known::Unreadable | Known::Garbled) => {}
            },
        }
    }
}

/// Whether a date has a log that is told by this path.
fn is_there(tree: &Tree<'_>, day: Day, told: &str) -> bool {
    let mut logs = tree.inventory.logs_of(day).iter();
    logs.any(|log| outside::path(&log.path) == told)
}

/// The date of a log by its path from the workspace.
pub(super) fn log_day(path: &str) -> Option<Day> {
    let stem = file_stem(path).filter(|stem| {
        path.strip_prefix("memory/")
            .and_then(|name| name.strip_suffix(".md"))
            == Some(*stem)
    })?;
    Day::parse(stem.get(..10)?)
}
