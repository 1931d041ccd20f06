//! What was known is read back, or nothing is.
#![expect(clippy::disallowed_methods, reason = "lays out what an earlier release kept")]

use super::*;
use crate::memory::calendar::Day;
use crate::memory::inventory::UnitFacts;
use crate::memory::level::Status;

fn cache() -> Cache {
    let day = Day::parse("2026-03-15").unwrap();
    let unit = |digest| UnitFacts {
        digest: UnitDigest(digest),
        lines: 7,
        checkpoint: true,
        snapshot: false,
    };
    let log = |path: &str| {
        let units = vec![unit(1), unit(u64::MAX)];
        (path.to_owned(), (Stamp(5), LogFacts { hash: 3, units }))
    };
    let node = |period| {
        let facts = NodeFacts {
            status: Status::Fixed,
            content: Hash(17),
            built_from: Some(Hash(18)),
            placeholder: false,
            summarized: true,
            answered: true,
            touched: false,
            sources: vec![Period::Day(day)],
            entries: vec![UnitDigest(1)],
            late: vec![(day, vec![UnitDigest(99)])],
        };
        (period, (Stamp(9), facts))
    };
    let nodes = [Period::Day(day), Period::Week(day.week())];
    Cache {
        logs: ["memory/2026-03-15.md", "memory/2026-03-15-b.md"].map(log).into(),
        nodes: nodes.map(node).into(),
    }
}

fn rest_at(fingerprint: u64) -> Idle {
    let day = Day::parse("2026-03-16").unwrap();
    Idle { fingerprint, from: Moment::end_of(day) }
}

#[test]
fn what_was_known_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let workspace = Workspace::open(folder.path(), true).unwrap();
    assert_eq!((load(&workspace), idle(&workspace)), (Cache::default(), None));
    for known in [Some(rest_at(u64::MAX)), Some(rest_at(1)), None] {
        save(&workspace, &cache(), known);
        assert_eq!((load(&workspace), idle(&workspace)), (cache(), known));
    }
}

#[test]
fn a_file_that_is_cut_short_or_changed_anywhere_is_no_cache() {
    let whole = seal(&cache()).unwrap();
    assert_eq!(unseal(&whole), Some(cache()));
    for at in 0..whole.len() {
        assert!(unseal::<Cache>(&whole[..at]).is_none(), "{at} of {} bytes", whole.len());
        let mut changed = whole.clone();
        changed[at] ^= 1;
        assert!(unseal::<Cache>(&changed).is_none(), "byte {at} of {}", whole.len());
    }
}
