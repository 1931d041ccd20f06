//! What is found and what takes its place.

use super::*;
use crate::memory::calendar::Day;
use crate::memory::entry::Kind;
use crate::memory::level::Status;
use crate::memory::node::{Mentioned, TopicName};

fn check(text: &str, within: &str, expect: Option<&str>) {
    let forgotten = Forgotten::new(text).unwrap();
    assert_eq!(forgotten.scrubbed(within).as_deref(), expect, "{text:?} in {within:?}");
}

#[test]
fn a_text_is_found_in_any_case_and_over_line_ends() {
    check("Alice Smith", "met ALICE  smith today", Some("met (forgotten) today"));
    check("Alice Smith", "met Alice\nSmith today\n", Some("met (forgotten)\n today\n"));
    check("Straße 5", "in der STRASSE 5", None);
    check("ÅSA", "by åsa, twice: Åsa", Some("by (forgotten), twice: (forgotten)"));
    check("Alice Smith", "Alice Smit", None);
    check("김철수", "## 김철수 [user]\n", Some("## (forgotten) [user]\n"));
}

#[test]
fn every_line_of_a_text_is_looked_for_by_itself_too() {
    let text = "## Phone\n- number: 555-0100\n- ok\n";
    check(text, "a\n## Phone\n- number: 555-0100\n- ok\n", Some("a\n(forgotten)\n\n\n"));
    check(
        text,
        "- Phone: number: 555-0100; more",
        Some("- (forgotten): (forgotten); more"),
    );
}

#[test]
fn too_little_is_no_text() {
    assert!(Forgotten::new(" a. \n- b\n").is_none());
}

#[test]
fn a_log_without_it_says_which_units_are_others_now() {
    let text = "## One\n- fine\n\n## Two\n- Alice Smith called\n";
    let mut changed = HashMap::new();
    let after = Forgotten::new("alice smith").unwrap().log(text, &mut changed).unwrap();
    assert_eq!(after, "## One\n- fine\n\n## Two\n- (forgotten) called\n");
    let digest = |text| entry::digest(text);
    let expect = (
        digest("## Two\n- Alice Smith called\n"),
        digest("## Two\n- (forgotten) called\n"),
    );
    assert_eq!(changed.into_iter().collect::<Vec<_>>(), [expect]);
}

#[test]
fn a_text_is_said_to_be_in_another_and_on_which_line() {
    let forgotten = Forgotten::new("Alice Smith").unwrap();
    for (within, line) in [
        ("ALICE  smith\n", Some(1)),
        ("one\ntwo\nby alice smith\nand Alice Smith\n", Some(3)),
        ("one\nby Alice\n  Smith\n", Some(2)),
        ("Alice Smi\nth", None),
        ("", None),
    ] {
        assert_eq!(forgotten.line_in(within), line, "{within:?}");
        assert_eq!(forgotten.is_in(within), line.is_some(), "{within:?}");
    }
}

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

const LOG: &str = "## Plan\n- decisions: use tokens\n\n## Call [user]\n- Alice Smith called about the plan\n";

/// The daily node of a log, as this program makes it.
fn daily(log: &str) -> Node {
    let log = render::Log { path: "memory/2026-03-15.md", text: log };
    let entries = entry::read(log.text).units().map(|unit| entry::digest(unit.text)).collect();
    let built = render::daily(day("2026-03-15"), &[log], entries, &[], Hash(1), Status::Fixed, &nobody);
    built.unwrap().node
}

fn weekly(source: &Node) -> String {
    let source = Source {
        node: source,
        content: node::content(&source.print()),
        digest: reading::node(source),
    };
    let week = Period::Week(day("2026-03-15").week());
    render::upper(week, vec![source], Status::Fixed, &nobody).unwrap().text
}

#[test]
fn a_node_of_ours_is_sealed_anew_and_topics_that_are_now_the_same_are_one() {
    let mut node = daily(LOG);
    let topic = |name: &str| TopicName { name: name.to_owned(), kind: Kind::User };
    let mentioned = |days| Mentioned { last: day("2026-03-15"), days };
    node.front.topics = ["plan", "Alice Smith", "met", "alice smith", "plan"].map(topic).into();
    let [one, other, gone] = ["one", "other", "gone"].map(entry::digest);
    node.front.entries = vec![one, other];
    node.front.late = vec![(day("2026-03-10"), vec![gone, one])];
    let changed = HashMap::from([(other, gone), (gone, other)]);
    let forgotten = Forgotten::new("alice smith").unwrap();
    // The days of each mention tell which is left; a node that others wrote may have fewer mentions than topics.
    for (mentions, left) in [(vec![1, 2, 3, 4, 5], vec![1, 2, 3, 5]), (vec![1], vec![1])] {
        node.front.mentions = mentions.into_iter().map(mentioned).collect();
        let mut expect = node.clone();
        expect.body = node.body.replace("Alice Smith", MARK);
        expect.front.topics = ["plan", MARK, "met", "plan"].map(topic).into();
        expect.front.mentions = left.into_iter().map(mentioned).collect();
        expect.front.entries = vec![one, gone];
        expect.front.late = vec![(day("2026-03-10"), vec![other, one])];
        let period = node.front.period;
        assert_eq!(forgotten.node(period, &node.print(), &changed), Some(expect.print()));
        assert_eq!(forgotten.node(period, &expect.print(), &HashMap::new()), None);
    }
}

#[test]
fn a_node_that_somebody_else_wrote_keeps_every_other_byte() {
    let forgotten = Forgotten::new("alice smith").unwrap();
    let period = Period::Day(day("2026-03-15"));
    let text = "---\ntype: daily\nmood:   fine\n---\nAlice Smith called\n";
    let none = HashMap::new();
    assert_eq!(
        forgotten.node(period, text, &none).as_deref(),
        Some("---\ntype: daily\nmood:   fine\n---\n(forgotten) called\n")
    );
    assert_eq!(forgotten.node(period, "---\ntype: daily\n---\nx\n", &none), None);
    let touched = daily(LOG).print().replace("about the plan", "about my plan");
    assert_eq!(
        forgotten.node(period, &touched, &none),
        Some(touched.replace("Alice Smith", MARK))
    );
}

#[test]
fn a_week_is_made_again_of_days_that_changed_when_it_was_made_of_what_they_were() {
    let (old, new) = (daily(LOG), daily(&LOG.replace("Alice Smith", MARK)));
    let read = |text: &str| Node::read(Period::Week(day("2026-03-15").week()), text).unwrap();
    let week = read(&weekly(&old));
    let was = [(old.front.period, node::content(&old.print()))];
    let sources = [new.clone()];
    assert_eq!(again(&week, &was, &sources), Some(weekly(&new)));
    assert_eq!(
        again(&week, &[(new.front.period, Hash(7))], &sources),
        None,
        "it was made of something else"
    );
    assert_eq!(again(&week, &was, &[]), None, "there is nothing to make it of");
    let mut theirs = week.clone();
    theirs.front.summarizer = Some("claude".to_owned());
    assert_eq!(again(&theirs, &was, &sources), None, "somebody else summarized it");
    assert_eq!(again(&old, &was, &sources), None, "a day is made of its logs");
}
