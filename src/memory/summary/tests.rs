//! A summary says what its sources say, in its lines, and is read back as it was printed.

use super::*;
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;
use crate::memory::kind::kind_of;
use crate::memory::language::{Role, Speaker};
use crate::memory::node::Form;
use crate::memory::reading;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn digest_of(logs: &[(&str, &str)]) -> Digest {
    let mut digest = Digest::default();
    for (on, text) in logs {
        let mut one = Digest::default();
        reading::part(&mut one, Form::Raw, day(on), text);
        digest.merge(one);
    }
    digest
}

fn printed(mut digest: Digest, period: Period) -> String {
    let subjects = reading::settle(&mut digest);
    print(&digest, &subjects, period)
}

const LOGS: [(&str, &str); 2] = [
    (
        "2026-03-14",
        "## Shop dashboard\n- decisions: the date filter goes by order date\n- next: ask Ilse about the export\n- header takes two lines on phones\n",
    ),
    (
        "2026-03-15",
        "## Greenhouse\n- outcome: pump replaced before the frost\n- lessons: seals dry out in winter\n- header takes two lines on phones\n",
    ),
];

#[test]
fn every_sort_has_its_section_and_a_line_its_subject_and_days() {
    let week = Period::Week(day("2026-03-15").week());
    let text = printed(digest_of(&LOGS), week);
    for line in [
        "# Weekly Summary: 2026-W11",
        "## Key Decisions\n\n- Shop dashboard: the date filter goes by order date (03-14)\n",
        "## Tasks Completed\n\n- Greenhouse: pump replaced before the frost (03-15)\n",
        "## Lessons Learned\n\n- Greenhouse: seals dry out in winter (03-15)\n",
        "## Open Items\n\n- Shop dashboard: [ ] ask Ilse about the export (03-14)\n",
        "header takes two lines on phones (03-14, 03-15)",
    ] {
        assert!(text.contains(line), "{line}\n\n{text}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let digest = digest_of(&LOGS);
    let week = Period::Week(day("2026-03-15").week());
    let text = printed(digest.clone(), week);
    let mut again = Digest::default();
    again.set_topics(digest.topics().to_vec());
    read(&mut again, day("2026-03-15"), &text);
    let told = |digest: &Digest| {
        let mut told: Vec<_> = digest
            .statements()
            .iter()
            .map(|told| (told.text.clone(), told.sort, told.day, told.again.clone()))
            .collect();
        told.sort();
        told
    };
    assert_eq!(told(&again), told(&digest), "{text}");
}

/// What the assistant says is no rule, however often it is summarized; what the person says of themselves stays theirs.
#[test]
fn who_said_it_is_read_back() {
    let log = "## Boat\n\nUser: I bought a wooden dinghy in Visby last spring.\nUser: Can you compare copper paint and silicone paint for the keel?\nAssistant: Always rinse the rigging with fresh water after sailing.\n";
    let text = printed(digest_of(&[("2026-03-15", log)]), Period::Day(day("2026-03-15")));
    let mut again = Digest::default();
    read(&mut again, day("2026-03-15"), &text);
    let kinds: Vec<_> = again
        .statements()
        .iter()
        .map(|told| (kind_of(told, None).kind, told.speaker, told.text.contains("dinghy")))
        .collect();
    assert_eq!(kinds.len(), 3, "{text}");
    for kind in [
        (Kind::User, Some(Speaker::User), true),
        (Kind::Project, Some(Speaker::User), false),
        (Kind::Project, Some(Speaker::Assistant), false),
    ] {
        assert!(kinds.contains(&kind), "{kind:?}: {text}");
    }
}

/// What an agent notes under a label for it lasts, and is nothing that the person said.
#[test]
fn what_is_noted_of_the_person_is_read_back() {
    let log = "## Site\n\n**User Preferences:**\n- a quiet harbour site without flags\n\n**Rules:**\n- Two berths a week, no more\n\n\
               ## Harbour\n- [ ] paint the crane\n- the crane was lifted by Lindqvist\n";
    let mut text = printed(digest_of(&[("2026-03-15", log)]), Period::Day(day("2026-03-15")));
    for _ in 0..2 {
        let mut again = Digest::default();
        read(&mut again, day("2026-03-15"), &text);
        let told = again.statements().iter();
        let kinds: Vec<_> = told
            .map(|told| (kind_of(told, None).kind, told.speaker, told.role == Some(Role::Open)))
            .collect();
        for (kind, count) in [(Kind::User, 1), (Kind::Feedback, 1), (Kind::Project, 2)] {
            assert_eq!(kinds.iter().filter(|(found, ..)| *found == kind).count(), count, "{text}");
        }
        assert!(kinds.iter().all(|(_, speaker, _)| speaker.is_none()), "{text}");
        assert_eq!(kinds.iter().filter(|(_, _, is_open)| *is_open).count(), 1, "{text}");
        text = printed(again, Period::Day(day("2026-03-15")));
    }
}

/// However much else is told, the person has lines beside it.
#[test]
fn the_person_has_as_many_lines_again() {
    let talk: String = (0..120)
        .map(|at| format!("User: I bought kiln shelf{at} in Visby{at} last week\nUser: which glaze{at} suits kiln shelf{at} best?\n"))
        .collect();
    let log = format!("## Session 1\n\n{talk}");
    let text = printed(digest_of(&[("2026-03-14", &log)]), Period::Day(day("2026-03-14")));
    let is_personal = |line: &&str| PERSONAL.iter().any(|(_, _, mark)| line.contains(mark));
    let personal = text.lines().filter(is_personal).count();
    assert!(personal >= 100, "{personal}: {text}");
    assert!(text.lines().count() - personal <= Level::Daily.summary_lines(), "{text}");
    assert!(text.contains("(said) which glaze"), "{text}");
}

/// What has no subject is told as well, several statements on the line of their label.
#[test]
fn what_stands_under_a_label_alone_is_read_back() {
    let log = "## Notes\n- Ferry: the lower deck was painted by Tolvanen\n- Ferry: Brenhart invoices the varnish in June\n- fog until noon over both piers; no boats went out to the reef\n";
    let text = printed(digest_of(&[("2026-03-15", log)]), Period::Day(day("2026-03-15")));
    let mut again = Digest::default();
    again.set_topics(vec![Topic::mentioned_on(
        "Granite quay".to_owned(),
        Kind::Project,
        day("2026-03-15"),
    )]);
    read(&mut again, day("2026-03-15"), &text);
    let told: Vec<&str> = again.statements().iter().map(|told| told.text.as_str()).collect();
    for words in ["Tolvanen", "Brenhart", "fog until noon"] {
        assert!(told.iter().any(|told| told.contains(words)), "{words}: {text}");
    }
}

#[test]
fn a_label_that_says_only_when_names_nothing_in_a_summary_either() {
    let text = "## Topics\n\n- Heartbeat at 2026-03-15 07:40 UTC: both piers are dry\n- Ferry lamp: the wick is new\n";
    let mut again = Digest::default();
    let topic = |name: &str| Topic::mentioned_on(name.to_owned(), Kind::Project, day("2026-03-15"));
    again.set_topics(vec![topic("Granite quay")]);
    read(&mut again, day("2026-03-15"), text);
    let labels = |words: &str| {
        let told = again.statements().iter().find(|told| told.text.contains(words));
        told.unwrap_or_else(|| panic!("{words}: {text}")).label.clone()
    };
    assert_eq!(labels("both piers"), None);
    assert_eq!(labels("wick").as_deref(), Some("Ferry lamp"));
}

/// The same told again and again, in nearly the same words, leaves room for what is told once.
#[test]
fn what_is_said_again_in_other_words_comes_after_what_is_new() {
    let again: String = (0..300)
        .map(|at| format!("- queue report {at}: depot scanner mentions belt motor, spare lamps and two open gates again\n"))
        .collect();
    let log = format!("{again}- cousin of Petra keeps bees behind the silo\n");
    let text = printed(digest_of(&[("2026-03-15", &log)]), Period::Day(day("2026-03-15")));
    assert!(text.contains("keeps bees behind the silo"), "{text}");
}

#[test]
fn a_flood_of_one_matter_leaves_the_others_their_lines() {
    let flood: String = (0..400)
        .map(|at| format!("- decisions: valve {at} stays on branch {at}\n"))
        .collect();
    let log = format!(
        "## Valves\n{flood}\n## Roof\n- decisions: slates instead of tin\n\n## Fence\n- decisions: oak posts along the lane\n"
    );
    let text = printed(digest_of(&[("2026-03-15", &log)]), Period::Day(day("2026-03-15")));
    assert!(text.lines().count() <= Level::Daily.summary_lines(), "{text}");
    for line in [
        "- Roof: slates instead of tin",
        "- Fence: oak posts along the lane",
    ] {
        assert!(text.contains(line), "{line}\n\n{text}");
    }
}

#[test]
fn days_are_read_in_every_form() {
    let until = day("2026-01-04");
    let (one, other) = (day("2026-01-03"), day("2025-12-30"));
    for (text, said, days) in [
        ("slates (01-03)", "slates", Some((one, vec![]))),
        ("slates (12-30, 01-03)", "slates", Some((one, vec![other]))),
        ("slates (2025-12-30)", "slates", Some((other, vec![]))),
        ("slates (both sides)", "slates (both sides)", None),
        ("slates", "slates", None),
    ] {
        assert_eq!(split_dates(text, until), (said, days), "{text}");
    }
}

#[test]
fn advice_comes_after_what_the_person_told() {
    let advice: String = (0..400)
        .map(|at| format!("Assistant: number{at} glaze{at} dries slowly{at} in a cold kiln{at}\n"))
        .collect();
    let told: String = (0..30)
        .map(|at| format!("User: I bought kiln shelf{at} in Visby{at} last week\n"))
        .collect();
    let text = printed(
        digest_of(&[("2026-03-14", &format!("## Session 1\n\n{advice}{told}"))]),
        Period::Day(day("2026-03-14")),
    );
    let said = (0..30).filter(|at| text.contains(&format!("shelf{at} "))).count();
    assert_eq!(said, 30, "{text}");
}
