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
    daily(
        day(date),
        &[log],
        vec![digest(text)],
        &[],
        Hash(7),
        Status::Fixed,
        &nobody,
    )
    .unwrap()
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
        let week = day("2026-03-10").week();
        let built = weekly(week, sources(&days), Status::Tentative, &nobody).unwrap();
        assert_eq!(
            built.node.front.summarizer.as_deref(),
            Some(summarizer),
            "{lines}"
        );
        let named = days
            .each_ref()
            .map(|built| (built.node.front.period, built.content));
        assert_eq!(built.node.front.built_from, Some(upper_sources(named)));
        assert_eq!(
            built.node.front.sources,
            ["memory/daily/2026-03-10.md", "memory/daily/2026-03-11.md"]
        );
    }
}

#[test]
fn a_week_without_days_has_no_node() {
    assert!(weekly(day("2026-03-10").week(), Vec::new(), Status::Tentative, &nobody).is_none());
}

#[test]
fn the_hash_of_sources_is_over_the_name_and_content_of_each_in_order() {
    let (one, two) = (
        Period::Day(day("2026-03-10")),
        Period::Week(day("2026-03-10").week()),
    );
    assert_eq!(
        upper_sources([(one, Hash(1)), (two, Hash(2))]),
        Hash::of([("2026-03-10", 1), ("2026-W11", 2)])
    );
    assert_eq!(upper_sources([]), Hash::of([]));
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

/// A weekly node of two days, each with so many lines more. Both mention `auth`, only the first one `backup`.
fn weekly_of(dates: [&str; 2], more: usize) -> Built {
    let more = "x\n".repeat(more);
    let days = [
        daily_with(
            dates[0],
            &format!("## auth\n\nDecision: jwt\n\n## backup\n\nDecision: nightly\n{more}"),
        ),
        daily_with(dates[1], &format!("## auth\n\nDecision: cookies\n{more}")),
    ];
    weekly(day(dates[0]).week(), sources(&days), Status::Fixed, &nobody).unwrap()
}

/// What a node notes of its topics as they were before its newest date.
fn earlier(built: &Built) -> Vec<String> {
    let noted = built.node.front.earlier.iter();
    let noted = noted.map(|(mentioned, line)| {
        let mut out = String::new();
        mentioned.write(&mut out, GENERATION);
        format!("{out}: {line}")
    });
    noted.collect()
}

#[test]
fn a_node_whose_summary_cannot_tell_its_newest_date_notes_what_its_topics_were_before() {
    let dates = ["2026-03-10", "2026-03-11"];
    let none: [&str; 0] = [];
    // Whole, of days that are whole, and of days that are summaries.
    assert_eq!(earlier(&weekly_of(dates, 10)), none);
    assert_eq!(earlier(&weekly_of(dates, 250)), none);
    assert_eq!(
        earlier(&weekly_of(dates, 160)),
        ["2026-03-10 1 0: auth [project]: jwt — jwt"]
    );
    let month = |one, other| {
        let weeks = [
            weekly_of(["2026-03-10", "2026-03-11"], one),
            weekly_of(["2026-03-17", "2026-03-18"], other),
        ];
        let month = day("2026-03-10").node_month();
        earlier(&monthly(month, sources(&weeks), Status::Tentative, &nobody).unwrap())
    };
    assert_eq!(month(10, 10), none);
    let noted = "2026-03-17 3 0 2026-03-11: auth [project]: jwt, jwt, cookies — jwt";
    assert_eq!(month(160, 10), [noted]);
    assert_eq!(month(10, 160), [noted]);
    assert_eq!(month(160, 160), [noted]);
}
