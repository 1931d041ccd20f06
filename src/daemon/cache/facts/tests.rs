//! What is written to the cache is what is read from it, and damage is noticed.

use super::*;
use crate::daemon::workspace::Stamp;
use crate::memory::inventory::Log;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn facts(digests: &[u64]) -> LogFacts {
    let unit = |&digest: &u64| UnitFacts {
        digest: UnitDigest(digest),
        lines: 7,
        checkpoint: digest % 2 == 0,
        snapshot: digest % 3 == 0,
    };
    LogFacts {
        hash: digests.len() as u64,
        units: digests.iter().map(unit).collect(),
    }
}

fn node(entries: &[u64], sources: &[Period]) -> Known {
    Known::Node(NodeFacts {
        status: Status::Fixed,
        content: Hash(17),
        built_from: Some(Hash(18)),
        placeholder: false,
        summarized: true,
        answered: true,
        touched: false,
        sources: sources.to_vec(),
        entries: entries.iter().copied().map(UnitDigest).collect(),
        late: vec![(day("2026-02-01"), vec![UnitDigest(99)])],
    })
}

fn scan() -> Scan {
    let mut scan = Scan::default();
    let logs = [
        ("2026-03-15", "2026-03-15.md", 0, facts(&[1, 2, 6])),
        ("2026-03-15", "2026-03-15-b.md", 1, facts(&[4])),
        ("2026-03-16", "2026-03-16.md", 0, facts(&[])),
    ];
    for (date, name, place, facts) in logs {
        scan.log_stamps
            .insert((day(date), place), Stamp(5 + place as u64));
        scan.inventory.logs.entry(day(date)).or_default().push(Log {
            path: format!("memory/{name}"),
            content: Content::Read(facts),
            is_gone: false,
        });
    }
    scan.inventory.logs.insert(
        day("2026-03-17"),
        vec![Log {
            path: "memory/2026-03-17.md".to_owned(),
            content: Content::Unread,
            is_gone: false,
        }],
    );
    scan.log_stamps.insert((day("2026-03-17"), 0), Stamp(8));
    let (first, second) = (Period::Day(day("2026-03-15")), Period::Day(day("2026-03-16")));
    let (week, month) = (
        first.parent().unwrap(),
        first.parent().and_then(Period::parent).unwrap(),
    );
    for (period, known) in [
        (first, node(&[1, 2, 6, 4], &[])),
        (second, node(&[3], &[])),
        (week, node(&[], &[first, second])),
        (month, node(&[], &[week])),
    ] {
        scan.node_stamps.insert(period, Stamp(9));
        scan.inventory.nodes.insert(period, known);
    }
    scan
}

#[test]
fn what_was_known_is_read_back() {
    let scan = scan();
    let cache = read(&write(&scan)).unwrap();
    let names: Vec<_> = cache
        .logs
        .iter()
        .map(|log| (log.day.to_string(), log.name.as_str(), log.stamp))
        .collect();
    let plain = |date: &str, stamp| (date.to_owned(), "", stamp);
    assert_eq!(
        names,
        [
            plain("2026-03-15", 5),
            ("2026-03-15".to_owned(), "2026-03-15-b.md", 6),
            plain("2026-03-16", 5)
        ]
    );
    let nodes: Vec<_> = scan.inventory.nodes.iter().collect();
    assert_eq!(cache.nodes.len(), nodes.len());
    for (read, (period, known)) in cache.nodes.iter().zip(nodes) {
        assert_eq!(
            (&read.period, &Known::Node(read.facts.clone()), read.stamp),
            (period, known, 9)
        );
    }
    let logs = scan
        .inventory
        .logs
        .values()
        .flatten()
        .filter(|log| log.content != Content::Unread);
    for (read, log) in cache.logs.iter().zip(logs) {
        assert_eq!(Content::Read(read.facts.clone()), log.content);
    }
}

#[test]
fn a_file_cut_short_anywhere_is_no_cache() {
    let whole = write(&scan());
    for length in 0..whole.len() {
        assert!(
            read(&whole[..length]).is_none(),
            "{length} of {} bytes",
            whole.len()
        );
    }
}
