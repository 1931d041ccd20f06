//! Small made-up histories and everything that comes of them, whole: the summaries that a day, a week and a month of all their entries
//! would have, what reading these back gives, and the nodes of each level. The text in `trees/` holds the logs, then what is to come of
//! them. They were chosen because each tells this program from one that is wrong in a single place.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::memory::calendar::Day;
use crate::memory::digest::Digest;
use crate::memory::level::Period;
use crate::memory::node::{Form, Node};
use crate::memory::shown::{Tree, logs};
use crate::memory::{reading, summary};

const TREES: &str = include_str!("trees/small.txt");

/// What a digest holds, a line each.
fn digest_lines(digest: &Digest) -> String {
    let mut out = String::new();
    for topic in digest.topics() {
        let (first, last, days) = (topic.first, topic.last, topic.days);
        let _ = write!(
            out,
            "topic {}: {}, {first} to {last}, {days} days",
            topic.name, topic.kind
        );
        let _ = write!(
            out,
            ", place {} before {:?}, done {}",
            topic.place, topic.before, topic.done
        );
        let _ = writeln!(
            out,
            ", {:?}, {:?}, {:?}",
            topic.state, topic.keywords, topic.references
        );
    }
    for said in digest.said() {
        let again: Vec<String> = said.again.iter().map(Day::to_string).collect();
        let _ = writeln!(
            out,
            "{:?} of {:?} on {} {}: {}",
            said.sort,
            said.topic,
            said.day,
            again.join(" "),
            said.text
        );
    }
    for kept in digest.kept() {
        let _ = writeln!(out, "kept of {}: {:?}", kept.day, kept.text);
    }
    for named in digest.entities() {
        let _ = writeln!(out, "{:?} {} times: {}", named.sort, named.count, named.name);
    }
    out
}

/// A node without what is the same or a hash in every one.
fn node_text(node: &Node) -> String {
    let hashes = [
        "generation:",
        "built-from:",
        "digest:",
        "entries:",
        "late-entries:",
    ];
    let lines = node.print();
    let lines = lines
        .lines()
        .filter(|line| !hashes.iter().any(|name| line.starts_with(name)));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Everything that comes of the logs.
fn grown(logs: &BTreeMap<Day, String>) -> String {
    let mut out = String::new();
    let mut whole = Digest::default();
    for (&day, text) in logs {
        let mut digest = Digest::default();
        reading::part(&mut digest, Form::Raw, day, text);
        whole.merge(digest);
    }
    let Some((&last, _)) = logs.last_key_value() else {
        return out;
    };
    for period in [
        Period::Day(last),
        Period::Week(last.week()),
        Period::Month(last.node_month()),
    ] {
        let printed = summary::print(&whole, period);
        let mut back = Digest::default();
        reading::part(&mut back, Form::Summary, last, &printed);
        let _ = write!(
            out,
            "=== summary {period}\n{printed}=== read back\n{}",
            digest_lines(&back)
        );
    }
    let tree = Tree::of(logs);
    for (day, built) in &tree.days {
        let read = Node::read(Period::Day(*day), &built.node.print()).expect("a node can be read");
        let _ = write!(
            out,
            "=== {day}\n{}=== read back\n{}",
            node_text(&built.node),
            digest_lines(&reading::node(&read))
        );
    }
    let nodes = tree.weeks.values().chain(tree.months.values());
    for built in nodes {
        let read = reading::node(&built.node);
        assert_eq!(digest_lines(&built.digest), digest_lines(&read), "{}", built.text);
        assert_eq!(built.digest.topics(), read.topics(), "{}", built.text);
    }
    for (week, built) in &tree.weeks {
        let _ = write!(out, "=== {week}\n{}", node_text(&built.node));
    }
    for (month, built) in &tree.months {
        let _ = write!(out, "=== {month}\n{}", node_text(&built.node));
    }
    out
}

#[test]
fn of_every_history_comes_what_is_written_below_it() {
    for tree in TREES.split("=== tree\n").filter(|tree| !tree.is_empty()) {
        let (before, expected) = tree
            .split_once("=== summary ")
            .expect("the logs are followed by what comes of them");
        let grown = grown(&logs(before));
        for (found, line) in grown.lines().zip(format!("=== summary {expected}").lines()) {
            assert_eq!(found, line, "of the history that begins with\n{tree:.600}");
        }
        assert_eq!(grown, format!("=== summary {expected}"));
    }
}
