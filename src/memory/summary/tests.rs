//! How a summary's lines are shared out.

mod shares;

use super::*;
use crate::memory::calendar::Day;
use crate::memory::digest::Mention;

/// More than any summary has room for: so many topics, each with a fact of every sort and an error of its own.
fn plenty(day: Day) -> Digest {
    let mut digest = Digest::default();
    for number in 0..600 {
        let name = format!("Shelf {number}");
        let sorts = [Sort::Decision, Sort::Done, Sort::Lesson, Sort::Open];
        digest.add(Mention {
            topic: Topic::bare(name.clone(), Kind::Project, day),
            facts: sorts.map(|sort| (sort, format!("{sort:?} of {name}"))).to_vec(),
            entities: vec![(EntitySort::Error, format!("E{number}"))],
            kept: None,
        });
    }
    digest
}

#[test]
fn the_higher_the_level_the_more_of_a_full_summary_are_its_topics() {
    let day: Day = "2026-03-18".parse().unwrap();
    let digest = plenty(day);
    let found = [
        Period::Day(day),
        Period::Week(day.week()),
        Period::Month(day.node_month()),
    ]
    .map(|period| {
        let text = print(&digest, period);
        let mut found = format!("{} lines", text.lines().count());
        for section in text.split("## ").skip(1) {
            let (heading, lines) = section.split_once('\n').unwrap();
            let items = lines.lines().filter(|line| !line.is_empty()).count();
            let _ = write!(found, ", {items} {heading}");
        }
        found
    });
    assert_eq!(
        found,
        [
            "99 lines, 36 Topics, 15 Key Decisions, 14 Tasks Completed, 10 Lessons Learned, 10 Open Items",
            "149 lines, 90 Topics, 12 Key Decisions, 11 Tasks Completed, 1 Entities Referenced, 8 Lessons Learned, 8 Open Items",
            "249 lines, 187 Topics, 12 Major Decisions, 12 Completed Work, 1 Recurring Entities, 9 Lessons & Patterns, 9 Carried Forward",
        ]
    );
}
