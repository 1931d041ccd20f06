//! `verify` is silent over what the program makes, and names what a hand did to it afterwards.
#![expect(clippy::disallowed_methods, reason = "the tests damage what the program made")]

mod histories;
mod root;

use hipocampusd::memory::level::Level;
use hipocampusd::memory::node::Node;

use crate::place::{Place, Ran, Seed, secret};

const TODAY: &str = "2026-03-25";

/// Five weeks of logs, all compacted: fixed days and weeks, an open month, and ROOT.
fn compacted() -> Place {
    let place = Place::new();
    let mut seed = Seed(42);
    for day in 1..=25 {
        place.write(&format!("memory/2026-03-{day:02}.md"), seed.log() + &seed.entry());
    }
    place.write("memory/2026-03-10.md", "## Commit messages [feedback]\n- rule: imperative mood\n- why: readers\n- how-to-apply: always\n\n## Auth [project]\n- outcome: done\n");
    place.drain(TODAY);
    place
}

fn verify(place: &Place) -> Ran {
    place.run("verify", &["--today", TODAY])
}

fn assert_silent(place: &Place, today: &str, when: &str) {
    let verified = place.run("verify", &["--today", today]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{when}: {verified:?}");
}

/// Before the next cycle, whatever happened to the logs is no damage.
#[test]
fn what_became_of_logs_since_the_last_cycle_is_no_damage() {
    let (fixed, open) = ("memory/2026-03-10.md", "memory/2026-03-25.md");
    let entry = "## Cache [project]\n- outcome: twice as fast\n";
    let check = |what: &str, change: &dyn Fn(&Place)| {
        let place = compacted();
        change(&place);
        assert_silent(&place, TODAY, what);
        place.drain(TODAY);
        assert_silent(&place, TODAY, what);
    };
    check("appended to", &|place| place.append(open, entry));
    check("overwritten", &|place| place.write(open, entry));
    check("a fixed day's appended to", &|place| place.append(fixed, entry));
    check("a fixed day's overwritten", &|place| place.write(fixed, entry));
    check("removed", &|place| place.remove(fixed));
    check("emptied", &|place| place.write(open, ""));
}

/// Damages a fresh workspace, and expects a line that begins as it should, and no other file of the tree to be named.
fn check(damage: impl FnOnce(&Place), expect: &str) {
    let place = compacted();
    damage(&place);
    let verified = verify(&place);
    assert_eq!(verified.code, Some(1), "{expect}: {verified:?}");
    assert!(
        verified.stdout.lines().any(|line| line.starts_with(expect)),
        "{expect}: {}",
        verified.stdout
    );
}

#[test]
fn all_is_well_after_a_drain() {
    let place = compacted();
    let verified = verify(&place);
    assert_eq!(
        (verified.code, verified.stdout.as_str(), verified.stderr.as_str()),
        (Some(0), "", "")
    );
}

#[test]
fn a_byte_of_a_body_is_found() {
    check(
        |place| place.replace("memory/daily/2026-03-10.md", "imperative", "Imperative"),
        "memory/daily/2026-03-10.md: digest: was changed",
    );
    check(
        |place| place.append("memory/weekly/2026-W11.md", "\n"),
        "memory/weekly/2026-W11.md: digest: was changed",
    );
    check(
        |place| place.replace("memory/daily/2026-03-10.md", "\n", "\r\n"),
        "memory/daily/2026-03-10.md: digest: was changed",
    );
}

#[test]
fn a_field_of_the_frontmatter_is_found() {
    let weekly = "memory/weekly/2026-W12.md";
    check(
        |place| place.replace(weekly, "status: tentative", "status: fixed"),
        "memory/weekly/2026-W12.md: status: is fixed before",
    );
    check(
        |place| place.replace(weekly, "status: tentative", "status: done"),
        "memory/weekly/2026-W12.md: digest: was changed",
    );
    check(
        |place| place.replace(weekly, "memory/daily/2026-03-17.md", "memory/daily/2026-03-27.md"),
        "memory/weekly/2026-W12.md: digest: was changed",
    );
    check(
        |place| place.replace(weekly, "memory/daily/2026-03-17.md", "memory/2026-03-17.md"),
        "memory/weekly/2026-W12.md: digest: was changed",
    );
    check(
        |place| place.replace(weekly, "topics: [", "topics: [Nothing, "),
        "memory/weekly/2026-W12.md: digest: was changed",
    );
    check(
        |place| place.replace(weekly, "period: 2026-W12", "period: 2026-W13"),
        "memory/weekly/2026-W12.md: digest: was changed",
    );
}

#[test]
fn a_digest_that_was_taken_out_is_found() {
    let without = |place: &Place, name: &str| {
        let text = place.read(name);
        let kept: String = text.split_inclusive('\n').filter(|line| !line.starts_with("digest:")).collect();
        place.write(name, kept);
    };
    check(
        |place| without(place, "memory/weekly/2026-W12.md"),
        "memory/weekly/2026-W12.md: digest: was changed",
    );
}

/// Changes a node and seals it with a digest of its own, as only this program should.
fn forge(place: &Place, level: Level, period: &str, change: impl FnOnce(&mut Node)) {
    let period = level.period(period).expect("a period");
    let mut node = Node::read(period, &place.read(&period.path())).expect("a node");
    change(&mut node);
    place.write(&period.path(), node.print());
}

#[test]
fn a_change_under_a_new_digest_is_found_by_making_the_node_again() {
    let daily = |place: &Place| {
        forge(place, Level::Daily, "2026-03-10", |node| {
            node.body = node.body.replace("imperative mood\n- why: readers", "any mood\n- why: writers");
        });
    };
    check(
        daily,
        "memory/daily/2026-03-10.md: content: is not what its sources give, from line ",
    );
    check(
        daily,
        "memory/weekly/2026-W11.md: built-from: its sources are not what they were",
    );
    let monthly = |place: &Place| {
        forge(place, Level::Monthly, "2026-03", |node| {
            node.body = node.body.replace("how-to-apply: always", "never");
        });
    };
    check(
        monthly,
        "memory/monthly/2026-03.md: content: is not what its sources give, from line ",
    );
}

#[test]
fn a_topic_or_an_entry_that_was_taken_out_under_a_new_digest_is_found() {
    let topic = |place: &Place| {
        forge(place, Level::Monthly, "2026-03", |node| {
            let at = node
                .front
                .topics
                .iter()
                .position(|topic| topic.name == "Commit messages")
                .expect("the topic");
            node.front.topics.remove(at);
            node.front.mentions.remove(at);
        });
    };
    check(
        topic,
        "memory/monthly/2026-03.md: content: is not what its sources give, from line ",
    );
    // The entry that nobody covers any more is backlog; that the node covered it once is not.
    let entry = |place: &Place| {
        forge(place, Level::Daily, "2026-03-10", |node| {
            node.front.entries.truncate(1);
        });
    };
    check(entry, "memory/daily/2026-03-10.md: content: is not what its sources give");
    let doubled = |place: &Place| {
        forge(place, Level::Daily, "2026-03-25", |node| {
            let log = hipocampusd::daemon::scan::log_facts(&place.read("memory/2026-03-10.md"));
            let day = hipocampusd::memory::calendar::Day::parse("2026-03-10").expect("a day");
            node.front.late.push((day, vec![log.units[0].digest]));
        });
    };
    check(
        doubled,
        "memory/2026-03-10.md: coverage: has an entry both in memory/daily/2026-03-10.md and in memory/daily/2026-03-25.md",
    );
}

#[test]
fn a_fixed_node_over_an_open_one_is_found() {
    let open =
        |place: &Place| place.replace("memory/daily/2026-03-10.md", "status: fixed", "status: tentative");
    check(
        open,
        "memory/weekly/2026-W11.md: status: is fixed, but memory/daily/2026-03-10.md is not",
    );
}

#[test]
fn a_node_that_is_gone_is_found_at_every_level() {
    check(
        |place| place.remove("memory/daily/2026-03-10.md"),
        "memory/weekly/2026-W11.md: sources: was built from memory/daily/2026-03-10.md, which is gone",
    );
    check(
        |place| place.remove("memory/weekly/2026-W12.md"),
        "memory/monthly/2026-03.md: sources: was built from memory/weekly/2026-W12.md, which is gone",
    );
    check(
        |place| place.remove("memory/monthly/2026-03.md"),
        "memory/monthly/2026-03.md: sources: is gone",
    );
    check(|place| place.remove("memory/ROOT.md"), "memory/ROOT.md: root: is not there");
}

#[test]
fn a_node_that_was_emptied_or_cut_is_found() {
    for kept in [0, 20] {
        check(
            |place| {
                let text = place.read("memory/daily/2026-03-10.md");
                place.write("memory/daily/2026-03-10.md", &text[..kept]);
            },
            "memory/daily/2026-03-10.md: file: holds nothing that can be read; the next cycle makes it anew",
        );
    }
}

#[test]
fn a_secret_is_found_wherever_it_was_put_and_never_shown() {
    for name in [
        "memory/daily/2026-03-10.md",
        "memory/monthly/2026-03.md",
        "memory/ROOT.md",
    ] {
        let place = compacted();
        place.append(name, &format!("the key is {}\n", secret()));
        let verified = verify(&place);
        assert_eq!(verified.code, Some(1));
        assert!(
            verified
                .stdout
                .contains(&format!("{name}: secret: holds what looks like a secret")),
            "{}",
            verified.stdout
        );
        assert!(!(verified.stdout + &verified.stderr).contains(&secret()));
    }
}

#[test]
fn promise_05_files_of_others_are_left_alone_and_reported() {
    let place = Place::new();
    let mut seed = Seed(3);
    (10..=14).for_each(|day| place.write(&format!("memory/2026-03-{day}.md"), seed.log()));
    place.write("memory/daily/2026-03-11.md", "# my own notes\n");
    place.write("memory/daily/2026-03-12.md", "---\ntype: daily\nstatus: tentative\nperiod: 2026-03-12\ntopics: [mine]\n---\n\n## Topics\n- mine: said by an agent\n\n## Key Decisions\n- mine\n");
    let theirs = [
        place.read("memory/daily/2026-03-11.md"),
        place.read("memory/daily/2026-03-12.md"),
    ];
    place.drain("2026-03-14");
    let verified = place.run("verify", &["--today", "2026-03-14"]);
    let only = "memory/daily/2026-03-11.md: file: is no daily node";
    assert_eq!(verified.code, Some(1), "{verified:?}");
    assert!(
        verified.stdout.starts_with(only) && verified.stdout.lines().count() == 1,
        "{verified:?}"
    );
    let status = place.run("status", &[]).stdout;
    assert!(
        status.contains("errors           memory/daily/2026-03-11.md: is no daily node"),
        "{status}"
    );
    let after = [
        place.read("memory/daily/2026-03-11.md"),
        place.read("memory/daily/2026-03-12.md"),
    ];
    assert_eq!(
        (&after[0], &after[1].replace("status: fixed", "status: tentative")),
        (&theirs[0], &theirs[1])
    );
}

#[test]
fn a_log_that_is_gone_is_a_note() {
    let place = compacted();
    place.remove("memory/2026-03-10.md");
    let verified = verify(&place);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
    assert!(
        verified.stderr.contains(
            "memory/2026-03-10.md: is gone since 2026-03-25; its 6 lines are kept in the vault and in memory"
        ),
        "{}",
        verified.stderr
    );
}

/// A day's summary names the larger subject that took a name in, and may say nothing of what told so: the logs do.
#[test]
fn a_name_that_a_larger_subject_took_in_is_named() {
    let place = Place::new();
    let mut log = "## Evening delivery of Brandt\n- nothing came of it\n- looked at once more\n".to_owned();
    for berth in 0..264 {
        if berth % 22 == 0 {
            log += &format!("\n## Harbour survey part {}\n", "abcdefghijkl".as_bytes()[berth / 22] as char);
        }
        let supplier = if berth % 6 == 0 { "Brandt" } else { "the office" };
        log += &format!(
            "- decided: berth {berth} gets rope of {} m from {supplier} under number {}\n",
            berth * 7,
            berth + 1000
        );
    }
    place.write("memory/2026-03-16.md", &log);
    place.drain(TODAY);
    let node = place.read("memory/daily/2026-03-16.md");
    assert!(!node.contains("Evening delivery"), "{node}");
    assert_silent(&place, TODAY, "taken in");
}
