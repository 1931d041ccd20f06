//! Changes told apart, what comes back, and what is dropped.

use std::collections::BTreeMap;

use super::*;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn seen(text: &str) -> KeptLog {
    KeptLog {
        last: Version {
            id: id(text),
            bytes: text.len() as u64,
            lines: line_count(text),
        },
        text: 0,
        mode: 0o600,
        standing: Standing::There,
        earlier: Vec::new(),
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
fn story(contents: &[&str]) -> KeptLog {
    let mut kept = seen(contents[0]);
    for (number, text) in contents.iter().enumerate().skip(1) {
        let today = day("2026-03-01").plus(i64::try_from(number).unwrap());
        let text_of = |wanted| contents.iter().find(|text| id(text) == wanted).map(ToString::to_string);
        kept.changed(seen(text), text, today, text_of);
    }
    kept
}

#[test]
fn growth_edits_and_overwrites_are_told_apart() {
    #[derive(Debug, PartialEq, Eq)]
    enum Change {
        Grew,
        Edited,
        Overwritten,
    }
    let what = |old: &str, new: &str| match story(&[old, new]).earlier.as_slice() {
        [] => Change::Grew,
        [earlier] if earlier.lost.is_empty() => Change::Edited,
        _ => Change::Overwritten,
    };
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
        names.iter().map(|name| entry::digest(&entries(&[name]))).collect()
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
    let logs = |kept: &KeptLog| {
        BTreeMap::from([
            ("memory/a.md".to_owned(), kept.clone()),
            ("memory/b.md".to_owned(), gone.clone()),
        ])
    };
    assert!(overdue(&logs(&kept), 90, day("2026-05-31"), |_, _| false).is_empty());
    let late = overdue(&logs(&kept), 90, day("2026-06-01"), |_, _| false);
    assert_eq!(late, [("memory/a.md".to_owned(), id(&old))]);
    assert!(overdue(&logs(&kept), 90, day("2026-06-01"), |_, _| true).is_empty());
    // Too many bytes: the oldest go first.
    let versions: Vec<String> = (0..30).map(|number| format!("version {number}\n").repeat(9)).collect();
    let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
    kept = story(&versions);
    assert_eq!(kept.earlier.len(), 29);
    let dropped = overdue(&logs(&kept), 90, day("2026-03-31"), |_, _| false);
    assert!((15..=20).contains(&dropped.len()), "{}", dropped.len());
    assert_eq!(dropped[0].1, id(versions[0]));
}

#[test]
fn what_is_left_counts_each_line_as_often_as_it_stands() {
    for (old, new, expect) in [
        ("a\nb\na\n", "a\nb\n", (2, 3)),
        ("a\na\na\n", "x\na\na\n", (2, 3)),
        ("a\nb\na\nc\n", "a\nb\nd\na\n", (3, 4)),
        ("a\nb\n", "a\n\nb\nb\nc\n", (2, 2)),
        ("a\n\n  \nb  \n", "b\n\n\nc\n", (1, 2)),
        ("", "a\n", (0, 0)),
        ("a\n", "", (0, 1)),
    ] {
        assert_eq!(left(old, new), expect, "{old:?} {new:?}");
    }
    assert_eq!(line_count("a\n\n \t\nb\n\nc"), 3);
    assert_eq!(line_count("\n \n"), 0);
}

#[test]
fn an_entry_whose_lines_all_stand_somewhere_is_not_lost() {
    let old = entries(&["a", "b", "c"]);
    let longer = entries(&["a"]).replace("works\n", "works\n- more: so\n");
    let expect = |names: &[&str]| -> Vec<UnitDigest> {
        names.iter().map(|name| entry::digest(&entries(&[name]))).collect()
    };
    assert_eq!(lost(&old, &longer), expect(&["b", "c"]));
    assert_eq!(lost(&old, &entries(&["c", "x", "b"])), expect(&["a"]));
    assert_eq!(lost(&(old.clone() + &old), ""), expect(&["a", "b", "c"]), "each once");
    assert_eq!(lost(&old, &old), []);
    assert_eq!(
        lost("## a\n- x\n\n---\n\n## b\n- y\n", "## a\n- x\n"),
        [entry::digest("## b\n- y\n")],
        "a break behind an entry is no part of it"
    );
}

#[test]
fn lost_entries_are_given_back_whole_and_in_order() {
    let old = "# Monday\n\n## One\n- first\n\n\n## Two\n- second\n## Three\n- third";
    let digest = |text| entry::digest(text);
    let (one, three) = (digest("## One\n- first\n"), digest("## Three\n- third\n"));
    assert_eq!(lost_text(old, old, &[three, one]), "## One\n- first\n\n## Three\n- third\n\n");
    assert_eq!(lost_text(old, old, &[]), "");
}

#[test]
fn what_is_given_back_stands_under_a_heading_of_its_own() {
    for (lost, expect) in [
        ("## One\n- first\n\n", "## One\n- first\n"),
        ("only a paragraph\n\n", "## Restored\n\nonly a paragraph\n"),
        ("# One\n- first", "## Restored\n\n# One\n- first\n"),
    ] {
        assert_eq!(as_log_text(lost), expect);
    }
}

#[test]
fn only_an_overwrite_has_losses() {
    let old = entries(&["a", "b", "c"]);
    assert!(story(&[&old]).lost().is_empty());
    assert!(story(&[&old, &entries(&["a", "b"])]).lost().is_empty(), "an edit");
    assert!(!story(&[&old, "short\n"]).lost().is_empty());
    assert!(!story(&[&old, "short\n", "shorter still\n"]).lost().is_empty());
}

#[test]
fn a_version_that_is_replaced_is_replaced_wherever_it_is_known() {
    let (old, new) = (entries(&["a", "b", "c"]), "short\n");
    let kept = story(&[&old, new]);
    let scrubbed = KeptLog { text: 77, ..seen("(forgotten)\n\nb\n") };
    let version = Version { id: scrubbed.last.id, bytes: 15, lines: 2 };
    let mut last = kept.clone();
    last.replaced(id(new), &scrubbed);
    assert_eq!(last, KeptLog { last: version, text: 77, ..kept.clone() });
    let mut earlier = kept.clone();
    earlier.replaced(id(&old), &scrubbed);
    let mut expect = kept.clone();
    expect.earlier[0].version = version;
    assert_eq!(earlier, expect);
    let mut neither = kept.clone();
    neither.replaced(id("another"), &scrubbed);
    assert_eq!(neither, kept);
}

#[test]
fn losses_are_told_in_words_for_people() {
    let old = entries(&["a", "b", "c"]);
    let words = |kept: &KeptLog| -> Vec<String> {
        kept.losses("memory/a.md")
            .iter()
            .map(|loss| format!("{} {}", loss.log, loss.words()))
            .collect()
    };
    let overwritten = story(&[&old, &entries(&["x"]), &entries(&["b"])]);
    assert_eq!(
        words(&overwritten),
        [
            "memory/a.md was overwritten on 2026-03-02, 3 of 9 lines are left; 2 entries that it lost are kept in the vault and in memory",
            "memory/a.md was overwritten on 2026-03-03, 0 of 3 lines are left; 1 entry that it lost is kept in the vault and in memory",
        ]
    );
    assert_eq!(words(&story(&[&old, &entries(&["a", "b"])])), [""; 0], "an edit");
    let mut gone = story(&[&old]);
    for (standing, is_gone) in [
        (Standing::There, false),
        (Standing::Moved(day("2026-03-05"), "notes/a.md".to_owned()), false),
        (Standing::Gone(day("2026-03-05")), true),
    ] {
        gone.standing = standing;
        assert_eq!(gone.is_gone(), is_gone, "{:?}", gone.standing);
        let expect = "memory/a.md is gone since 2026-03-05; its 9 lines are kept in the vault and in memory"
            .to_owned();
        assert_eq!(words(&gone), Vec::from_iter(is_gone.then_some(expect)));
    }
}
