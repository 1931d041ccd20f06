//! Small made-up histories and everything that comes of them, whole: the summaries that a day, a week and a month of all their entries
//! would have, what reading these back gives, and the nodes of each level. The texts in `trees/` hold the logs, then what is to come of
//! them. They were chosen because each tells this program from one that is wrong in a single place.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::{Built, Log, Source, daily, monthly, weekly};
use crate::memory::calendar::{Day, Month, Week};
use crate::memory::digest::Digest;
use crate::memory::entry;
use crate::memory::level::{Period, Status};
use crate::memory::node::{Form, Hash, Node};
use crate::memory::task::nobody;
use crate::memory::{reading, summary};

const TREES: [&str; 1] = [include_str!("trees/small.txt")];

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

fn source(built: &Built) -> Source<'_> {
    Source {
        node: &built.node,
        content: built.content,
        digest: built.digest.clone(),
    }
}

/// Everything that comes of the logs.
fn grown(logs: &BTreeMap<Day, String>) -> String {
    let mut out = String::new();
    let (mut whole, mut days) = (Digest::default(), BTreeMap::new());
    for (&day, text) in logs {
        let mut digest = Digest::default();
        reading::part(&mut digest, Form::Raw, day, text);
        whole.merge(digest);
        let path = format!("memory/{day}.md");
        let units = entry::read(text)
            .units()
            .map(|unit| entry::digest(unit.text))
            .collect();
        let log = Log { path: &path, text };
        days.extend(
            daily(day, &[log], units, &[], Hash(1), Status::Tentative, &nobody).map(|built| (day, built)),
        );
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
    for (day, built) in &days {
        let read = Node::read(Period::Day(*day), &built.node.print()).expect("a node can be read");
        let _ = write!(
            out,
            "=== {day}\n{}=== read back\n{}",
            node_text(&built.node),
            digest_lines(&reading::node(&read))
        );
    }
    let mut weeks: BTreeMap<Week, Vec<Day>> = BTreeMap::new();
    for day in days.keys() {
        weeks.entry(day.week()).or_default().push(*day);
    }
    let mut months: BTreeMap<Month, Vec<Built>> = BTreeMap::new();
    for (week, of) in weeks {
        let below = of.iter().map(|day| source(&days[day])).collect();
        let built = weekly(week, below, Status::Tentative, &nobody).expect("there are days");
        let _ = write!(out, "=== {week}\n{}", node_text(&built.node));
        months.entry(week.month()).or_default().push(built);
    }
    for (month, of) in &months {
        let built = monthly(
            *month,
            of.iter().map(source).collect(),
            Status::Tentative,
            &nobody,
        )
        .expect("there are weeks");
        let _ = write!(out, "=== {month}\n{}", node_text(&built.node));
    }
    out
}

#[test]
fn of_every_history_comes_what_is_written_below_it() {
    for tree in TREES
        .iter()
        .flat_map(|text| text.split("=== tree\n"))
        .filter(|tree| !tree.is_empty())
    {
        let (logs, expected) = tree
            .split_once("=== summary ")
            .expect("the logs are followed by what comes of them");
        let logs = logs.split("=== log ").filter(|log| !log.is_empty()).map(|log| {
            let (day, text) = log.split_once('\n').expect("a log has a date and a text");
            (
                Day::parse(day).expect("the date of a log is one"),
                text.to_owned(),
            )
        });
        let logs: BTreeMap<Day, String> = logs.collect();
        let grown = grown(&logs);
        for (found, line) in grown.lines().zip(format!("=== summary {expected}").lines()) {
            assert_eq!(found, line, "of the history that begins with\n{tree:.600}");
        }
        assert_eq!(grown, format!("=== summary {expected}"));
    }
}
