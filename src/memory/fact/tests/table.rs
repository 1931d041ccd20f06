//! Made-up entries of every shape, and what each is read as, whole. The texts in `readings/` hold what to read and what must come of it:
//! a heading with its tag, the lines of the body behind `>`, and below them what was found. Each was chosen because it tells the reader
//! from one that is wrong in a single place; a line that changes here is a change in what agents will be told.

use std::fmt::Write as _;

use super::{EntitySort, Reading, Sort};
use crate::memory::entry::{Kind, split_tag};
use crate::memory::fact::{Room, read_labelled};
use crate::memory::shown::unescaped;

const TABLES: [&str; 2] = [
    include_str!("readings/lines.txt"),
    include_str!("readings/rare.txt"),
];

/// A reading as the tables show it.
fn shown(reading: &Reading) -> String {
    let mut out = format!(
        "{}{}\n",
        reading.kind.word(),
        if reading.done { ", done" } else { "" }
    );
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name}: {text}");
    };
    if let Some(label) = &reading.label {
        line("label", label);
    }
    if let Some(state) = &reading.state {
        line("state", state);
    }
    for fact in &reading.facts {
        let name = match fact.sort {
            Sort::Decision => "decision",
            Sort::Done => "done",
            Sort::Lesson => "lesson",
            Sort::Open => "open",
            Sort::Personal => "personal",
        };
        line(name, &fact.text);
    }
    for (name, list) in [
        ("keywords", &reading.keywords),
        ("references", &reading.references),
    ] {
        if !list.is_empty() {
            line(name, &list.join(" | "));
        }
    }
    for entity in &reading.entities {
        let name = match entity.sort {
            EntitySort::User => "person",
            EntitySort::Service => "service",
            EntitySort::File => "file",
            EntitySort::Error => "error",
        };
        line(name, &entity.name);
    }
    out
}

#[test]
fn every_entry_of_the_tables_is_read_as_they_say() {
    for case in TABLES
        .iter()
        .flat_map(|table| table.split("\n\n"))
        .filter(|case| case.starts_with("## "))
    {
        let (heading, rest) = case.split_once('\n').expect("a case has more than a heading");
        let (title, tag): (&str, Option<Kind>) = split_tag(&heading[3..]);
        let mut body = String::new();
        let mut expected = String::new();
        for line in rest.lines() {
            match line.strip_prefix('>') {
                Some(text) => body += &(unescaped(text.strip_prefix(' ').unwrap_or(text)) + "\n"),
                None => expected += &(line.to_owned() + "\n"),
            }
        }
        let reading = read_labelled(&unescaped(title), tag, &body, true, &mut Room::default());
        assert_eq!(shown(&reading), unescaped(&expected), "of {case}");
    }
}
