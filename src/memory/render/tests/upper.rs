//! Weekly nodes from daily ones.

use super::*;
use crate::memory::task::nobody;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

/// A daily node of a log.
fn daily_with(date: &str, text: &str) -> Built {
    let path = format!("memory/{date}.md");
    let log = Log { path: &path, text };
    daily(day(date), &[log], vec![digest(text)], &[], Hash(7), Status::Fixed, &nobody).unwrap()
}

#[test]
fn a_week_is_verbatim_up_to_three_hundred_lines() {
    for (lines, summarizer) in [
        (99, "verbatim"),
        (100, "verbatim"),
        (101, "extractive"),
        (150, "extractive"),
    ] {
        let days = [("2026-03-10", 200), ("2026-03-11", lines)]
            .map(|(date, lines)| daily_with(date, &"x\n".repeat(lines)));
        let week = Period::Week(day("2026-03-10").week());
        let built = upper(week, sources(&days), Status::Tentative, &nobody).unwrap();
        assert_eq!(built.node.front.summarizer.as_deref(), Some(summarizer), "{lines}");
        let named = days.each_ref().map(|built| (built.node.front.period, built.content));
        assert_eq!(built.node.front.built_from, Some(upper_sources(named)));
        assert_eq!(
            built.node.front.sources,
            ["memory/daily/2026-03-10.md", "memory/daily/2026-03-11.md"]
        );
    }
}

#[test]
fn a_week_without_days_has_no_node() {
    let week = Period::Week(day("2026-03-10").week());
    assert!(upper(week, Vec::new(), Status::Tentative, &nobody).is_none());
}

#[test]
fn the_hash_of_sources_is_over_the_name_and_content_of_each_in_order() {
    let (one, two) = (Period::Day(day("2026-03-10")), Period::Week(day("2026-03-10").week()));
    assert_eq!(
        upper_sources([(one, Hash(1)), (two, Hash(2))]),
        Hash::of([("2026-03-10", 1), ("2026-W11", 2)])
    );
    assert_eq!(upper_sources([]), Hash::of([("", 0); 0]));
    let late = [
        (day("2026-03-10"), UnitDigest(3)),
        (day("2026-03-12"), UnitDigest(4)),
    ];
    assert_eq!(
        daily_sources([("memory/2026-03-15.md", 1), ("memory/2026-03-15-b.md", 2)], late),
        Hash::of([
            ("memory/2026-03-15.md", 1),
            ("memory/2026-03-15-b.md", 2),
            ("2026-03-10", 3),
            ("2026-03-12", 4)
        ])
    );
}

fn sources<'a>(built: &'a [Built]) -> Vec<Source<'a>> {
    let source = |built: &'a Built| Source {
        node: &built.node,
        content: built.content,
        digest: built.digest.clone(),
    };
    built.iter().map(source).collect()
}
