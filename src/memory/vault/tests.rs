//! Changes told apart, what comes back, and what is dropped.

use std::collections::BTreeMap;

use super::*;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn seen(text: &str) -> Seen<'_> {
    Seen {
        id: id(text),
        bytes: text.len() as u64,
        mode: 0o600,
        hash: 0,
        text,
    }
}

fn id(text: &str) -> Id {
    Id(xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

fn entries(names: &[&str]) -> String {
    let entry = |name: &&str| format!("## {name}\n- decisions: about {name}\n- outcome: {name} works\n\n");
    names.iter().map(entry).collect()
}

/// A log that had these contents one after the other, each seen a day after the one before.
fn story(contents: &[&str]) -> Kept {
    let mut kept = Kept::new(&seen(contents[0]));
    for (number, text) in contents.iter().enumerate().skip(1) {
        let today = day("2026-03-01").plus(i64::try_from(number).unwrap());
        let text_of = |wanted| {
            contents
                .iter()
                .find(|text| id(text) == wanted)
                .map(ToString::to_string)
        };
        kept.changed(&seen(text), today, text_of);
    }
    kept
}

#[test]
fn growth_edits_and_overwrites_are_told_apart() {
    let what = |old: &str, new: &str| change(left(old, new));
    let old = entries(&["a", "b", "c", "d"]);
    assert_eq!(what(&old, &(old.clone() + "more\n")), Change::Grew);
    assert_eq!(what(&old, &("at the top\n".to_owned() + &old)), Change::Grew);
    assert_eq!(what(&old, &old.replace('\n', "\r\n")), Change::Grew);
    assert_eq!(what(&old, &entries(&["d", "c", "b", "a"])), Change::Grew);
    assert_eq!(what(&old, &entries(&["a", "b", "c"])), Change::Edited);
    assert_eq!(what(&old, &entries(&["a", "b"])), Change::Edited);
    assert_eq!(what(&old, &entries(&["a"])), Change::Overwritten);
    assert_eq!(what(&old, ""), Change::Overwritten);
    assert_eq!(what("", "anything"), Change::Grew);
}

#[test]
fn an_overwrite_loses_the_entries_that_are_not_there_any_more() {
    let (old, new) = (entries(&["a", "b", "c", "d"]), entries(&["b", "x"]));
    let kept = story(&[&old, &new]);
    let digests = |names: &[&str]| -> Vec<UnitDigest> {
        names
            .iter()
            .map(|name| entry::digest(&entries(&[name])))
            .collect()
    };
    assert_eq!(kept.earlier[0].lost, digests(&["a", "c", "d"]));
    assert_eq!(kept.lost().len(), 3);
    // What comes back is not lost any more, even inside of a longer entry.
    let grown = new + &entries(&["a"]).replace("works\n", "works\n- more: so\n");
    let kept = story(&[&old, &entries(&["b", "x"]), &grown]);
    assert!(kept.earlier[0].lost.is_empty(), "at least half is back: {kept:?}");
}

#[test]
fn a_log_that_was_emptied_and_written_anew_has_lost_nothing() {
    let old = entries(&["a", "b", "c"]);
    assert!(story(&[&old, "", &(old.clone() + "more\n")]).earlier.is_empty());
    let back = story(&[&old, "short\n", &old]);
    assert_eq!(back.earlier.len(), 1, "only the short one was lost: {back:?}");
    assert_eq!(back.earlier[0].version.id, id("short\n"));
    let edited = story(&[&old, "", &entries(&["a", "b"])]);
    assert_eq!(edited.earlier.len(), 1);
    assert!(edited.earlier[0].lost.is_empty(), "that was an edit: {edited:?}");
}

#[test]
fn an_edit_keeps_the_version_before_it_and_loses_nothing() {
    let (old, new) = (entries(&["a", "b", "c"]), entries(&["a", "b"]));
    let kept = story(&[&old, &new]);
    assert_eq!(kept.earlier.len(), 1);
    assert!(kept.lost().is_empty());
    let grown = story(&[&old, &(old.clone() + &new)]);
    assert!(grown.earlier.is_empty(), "an append keeps nothing: {grown:?}");
}

#[test]
fn what_is_dropped_is_the_oldest_superseded_version_and_never_the_last_of_a_log_that_is_gone() {
    let old = entries(&["a", "b", "c"]);
    let mut kept = story(&[&old, "short\n"]);
    let mut gone = story(&["all that there was\n"]);
    gone.standing = Standing::Gone(day("2020-01-01"));
    let bounds = |today: &str| Bounds {
        keep_days: 90,
        today: day(today),
    };
    let logs = |kept: &Kept| {
        BTreeMap::from([
            ("memory/a.md".to_owned(), kept.clone()),
            ("memory/b.md".to_owned(), gone.clone()),
        ])
    };
    assert!(overdue(&logs(&kept), bounds("2026-05-31"), |_, _| false).is_empty());
    let late = overdue(&logs(&kept), bounds("2026-06-01"), |_, _| false);
    assert_eq!(late, [("memory/a.md".to_owned(), id(&old))]);
    assert!(overdue(&logs(&kept), bounds("2026-06-01"), |_, _| true).is_empty());
    // Too many bytes: the oldest go first.
    let versions: Vec<String> = (0..30)
        .map(|number| format!("version {number}\n").repeat(9))
        .collect();
    let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
    kept = story(&versions);
    assert_eq!(kept.earlier.len(), 29);
    let dropped = overdue(&logs(&kept), bounds("2026-03-31"), |_, _| false);
    assert!((15..=20).contains(&dropped.len()), "{}", dropped.len());
    assert_eq!(dropped[0].1, id(versions[0]));
}
