//! What is read from log text, single entries and the summaries of others.

use super::summarized::entities_line;
use super::*;
use crate::memory::fact::EntitySort;
use crate::memory::level::Period;
use crate::memory::node::Part;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn read(form: Form, text: &str) -> Digest {
    let mut digest = Digest::default();
    part(&mut digest, form, day("2026-03-15"), text);
    digest
}

/// What a digest says, a line each.
fn lines(digest: &Digest) -> Vec<String> {
    let topics = digest.topics();
    let topic = |topic: &Topic| {
        let words: Vec<&str> = topic.keywords.words().collect();
        let state = topic.state.as_deref().unwrap_or("nothing");
        format!(
            "{} [{}] {} on {} days: {}; says {state}",
            topic.name,
            topic.kind,
            topic.last,
            topic.days,
            words.join(" ")
        )
    };
    let said = |said: &Said| {
        let of = said.topic.map_or("nothing", |at| &topics[at].name);
        let again: String = said.again.iter().map(|day| format!(" {day}")).collect();
        format!("{:?} of {of} on {}{again}: {}", said.sort, said.day, said.text)
    };
    let topics = topics.iter().map(topic);
    let said = digest.said().iter().map(said);
    let kept = digest
        .kept()
        .iter()
        .map(|kept| format!("kept of {}: {:?}", kept.day, kept.text));
    let named = digest
        .entities()
        .iter()
        .map(|named| format!("{:?}: {}", named.sort, named.name));
    topics.chain(said).chain(kept).chain(named).collect()
}

#[test]
fn an_entry_by_itself_is_read_as_it_is_in_its_log() {
    let headed = |heading, level, tag, text, body| Entry {
        heading,
        level,
        tag,
        text,
        body,
        line: 1,
    };
    let whole = |text| headed("", 0, None, text, text);
    let cases = [
        headed(
            "tabs [feedback]",
            2,
            Some(Kind::Feedback),
            "## tabs [feedback]\n- rule: use tabs\n\n### Why\nthey asked\n",
            "- rule: use tabs\n\n### Why\nthey asked\n",
        ),
        headed("deploy", 4, None, "#### deploy\n\nmoved\n", "\nmoved\n"),
        headed("tabs [user]", 2, Some(Kind::User), "## tabs [user]", ""),
        headed(
            "tabs [user]",
            1,
            Some(Kind::User),
            "tabs [user]\n===\nuse tabs\n",
            "use tabs\n",
        ),
        whole("moved\n## deploy\nmore\n"),
        whole("moved\n\n## deploy\nmore\n"),
        whole("\n## deploy\nmore\n"),
        whole("moved\n\ndeploy\n---\nmore\n"),
        whole("moved"),
        whole(""),
    ];
    for entry in cases {
        assert_eq!(one_entry(entry.text), entry);
        if entry.level == 2 {
            assert_eq!(entry::read(entry.text).entries, [entry]);
        }
    }
}

#[test]
fn a_date_title_between_two_entries_is_no_topic() {
    let cases = [
        ("2026-03-15", "", false),
        ("2026-03-15", " \n\n", false),
        ("2026-03-15", "moved\n", true),
        ("deploy", "\n", true),
        ("", "", false),
    ];
    for (heading, body, expected) in cases {
        let entry = Entry {
            heading,
            body,
            ..one_entry("")
        };
        assert_eq!(has_topic(&entry), expected, "{heading:?} {body:?}");
    }
    let log = "## deploy\n\nmoved\n\n## 2026-03-15\n\n## auth\n\ndone\n";
    let names: Vec<String> = read(Form::Raw, log)
        .topics()
        .iter()
        .map(|topic| topic.name.clone())
        .collect();
    assert_eq!(names, ["deploy", "auth"]);
}

#[test]
fn a_preamble_says_something_when_it_is_more_than_a_title() {
    let log = |preamble: &str| format!("{preamble}\n\n## auth\n\nlooked at it\n");
    let title = read(Form::Raw, &log("Decision: tokens rotate daily"));
    let more = read(Form::Raw, &log("March\n\nDecision: tokens rotate daily"));
    assert_eq!(
        lines(&title),
        ["auth [project] 2026-03-15 on 1 days: looked; says looked at it"]
    );
    assert_eq!(
        lines(&more),
        [
            "auth [project] 2026-03-15 on 1 days: looked; says looked at it",
            "Decision of nothing on 2026-03-15: tokens rotate daily",
        ]
    );
}

#[test]
fn a_passing_note_is_a_topic_of_no_day_unless_it_is_about_the_person() {
    let passing = "Decision: tokens rotate daily\n(temporary)\n";
    let project = read(Form::Raw, &format!("## auth\n\n{passing}"));
    let user = read(Form::Raw, &format!("## auth [user]\n\n{passing}"));
    let work = read(Form::Raw, "## auth\n\nDecision: tokens rotate daily\n");
    assert_eq!(
        lines(&project),
        ["auth [project] 2026-03-15 on 0 days: ; says nothing"]
    );
    assert_eq!(
        lines(&user),
        [
            "auth [user] 2026-03-15 on 1 days: tokens rotate daily temporary; says tokens rotate daily",
            "Decision of auth on 2026-03-15: tokens rotate daily",
            "kept of 2026-03-15: \"## auth [user]\\n\\nDecision: tokens rotate daily\\n(temporary)\"",
        ]
    );
    assert_eq!(
        lines(&work),
        [
            "auth [project] 2026-03-15 on 1 days: tokens rotate daily; says tokens rotate daily",
            "Decision of auth on 2026-03-15: tokens rotate daily",
        ]
    );
}

#[test]
fn a_feedback_entry_comes_down_to_its_rule() {
    let state = |text: &str| {
        let digest = read(Form::Entry, text);
        digest.topics()[0].state.clone()
    };
    const LONG: &str = concat!(
        "use tabs use tabs use tabs use tabs use tabs use tabs use tabs use tabs ",
        "use tabs use tabs use tabs use tabs use tabs use tabs use tabs use…"
    );
    let long = format!("## tabs [feedback]\n\n- rule: {}\n", "use tabs ".repeat(40));
    let cases = [
        (
            "## tabs [feedback]\n\n- why: they asked\n- rule: use tabs\n- state: agreed\n",
            Some("use tabs"),
        ),
        (
            "## tabs [user]\n\n- rule: use tabs\n- state: agreed\n",
            Some("use tabs"),
        ),
        (
            "## tabs [project]\n\n- rule: use tabs\n- state: agreed\n",
            Some("agreed"),
        ),
        ("## tabs [feedback]\n\n- rule:\n- state: agreed\n", Some("agreed")),
        ("## tabs [feedback]\n\nthey asked\n", None),
        (&long, Some(LONG)),
    ];
    for (text, expected) in cases {
        assert_eq!(state(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_summary_is_read_section_by_section_and_so_are_the_entries_kept_behind_it() {
    let summary = "\
# Weekly Summary: 2026-W11 [project]

## Topics

- auth [project]: jwt, rotation — tokens rotate → src/auth.rs
- services [project]: kafka
deploy, tabs [user]

## Key Themes

- services: on 3 days, kafka

## Key Decisions

- auth: tokens rotate daily (2026-03-10, 2026-03-12)
* nothing known: stays
-
*

## Entities Referenced

- users: alice, bob
services: kafka
- planets: mars

## Lessons Learned

- tabs: (user) likes tabs

## Open Items

- auth: expire sessions

## What else

- Decision: not read

## spaces [feedback]

- rule: no spaces
";
    assert_eq!(
        lines(&read(Form::Summary, summary)),
        [
            "auth [project] 2026-03-15 on 1 days: jwt rotation; says tokens rotate",
            "services [project] 2026-03-15 on 1 days: kafka; says nothing",
            "deploy [project] 2026-03-15 on 1 days: ; says nothing",
            "tabs [user] 2026-03-15 on 1 days: ; says nothing",
            "spaces [feedback] 2026-03-15 on 1 days: spaces; says no spaces",
            "Decision of auth on 2026-03-10 2026-03-12: tokens rotate daily",
            "Decision of nothing on 2026-03-15: nothing known: stays",
            "Personal of tabs on 2026-03-15: likes tabs",
            "Open of auth on 2026-03-15: expire sessions",
            "kept of 2026-03-15: \"## spaces [feedback]\\n\\n- rule: no spaces\"",
            "User: alice",
            "User: bob",
            "Service: kafka",
        ]
    );
}

/// The phrase that says best what an entry is about may be one that names nothing.
#[test]
fn an_entry_without_a_name_is_called_by_its_first_keyword_that_is_one() {
    let text = "## Session 42\n\nUser: U =\n-2 -1 0 1 2\n\nAssistant: a cumulative frequency distribution, \
        and the cumulative frequency distribution tells the median\n";
    let digest = read(Form::Raw, text);
    assert_eq!(digest.topics()[0].name, "cumulative frequency distribution");
}

#[test]
fn an_entity_is_named_by_the_label_of_its_line() {
    let mut digest = Digest::default();
    entities_line(&mut digest, "errors: E0308, E0599");
    entities_line(&mut digest, "files : src/auth.rs");
    entities_line(&mut digest, "planets: mars");
    let named: Vec<(EntitySort, &str)> = digest
        .entities()
        .iter()
        .map(|named| (named.sort, named.name.as_str()))
        .collect();
    assert_eq!(
        named,
        [
            (EntitySort::Error, "E0308"),
            (EntitySort::Error, "E0599"),
            (EntitySort::File, "src/auth.rs")
        ]
    );
}

#[test]
fn what_a_topic_was_before_its_newest_date_is_what_its_node_notes_and_what_was_kept_until_then() {
    let mentioned = |last: &str, days, before: Option<&str>| Mentioned {
        last: day(last),
        days,
        place: 3,
        before: before.map(|before| (day(before), true)),
    };
    let kept = |rule: &str| format!("## tabs [feedback]\n\n- rule: {rule}\n\n");
    let parts = [
        ("2026-03-09", Form::Raw, kept("raw")),
        ("2026-03-10", Form::Entry, kept("four spaces")),
        (
            "2026-03-10",
            Form::Entry,
            "## lint [feedback]\n\n- rule: quietly\n\n".to_owned(),
        ),
        ("2026-03-11", Form::Entry, kept("newest")),
    ];
    let front = "---\ntype: weekly\nstatus: fixed\ntopics: [\"tabs [feedback]\"]\n---\n\n";
    let mut node = Node::read(Period::Week(day("2026-03-10").week()), front).unwrap();
    for (at, (date, form, text)) in parts.iter().enumerate() {
        node.front.parts.push(Part {
            day: day(date),
            form: *form,
            first_line: 4 * at,
            lines: 4,
        });
        node.body.push_str(text);
    }
    node.front.mentions = vec![mentioned("2026-03-11", 3, Some("2026-03-10"))];
    let line = "tabs [feedback, done]: editor, editor, width — two spaces → .editorconfig";
    node.front.earlier = vec![(mentioned("2026-03-10", 2, Some("2026-03-09")), line.to_owned())];
    let read = super::node(&node);
    let topic = read
        .find(&topic::key("tabs"))
        .map(|at| &read.topics()[at])
        .unwrap();
    let expected = Topic {
        name: "tabs".to_owned(),
        kind: Kind::Feedback,
        first: day("2026-03-10"),
        last: day("2026-03-10"),
        place: 3,
        before: Some((day("2026-03-09"), true)),
        days: 2,
        done: true,
        state: Some("two spaces".to_owned()),
        keywords: [("editor", 2), ("width", 1), ("four", 1), ("spaces", 1)]
            .into_iter()
            .collect(),
        references: vec![".editorconfig".to_owned()],
        earlier: None,
    };
    assert_eq!(topic.earlier.as_deref(), Some(&expected));
}

#[test]
fn what_an_entry_says_does_not_depend_on_the_white_space_behind_it() {
    let entries = [
        "## Tea [user]\n- prefers green tea, never after 16:00\n- decided: two boxes of sencha\n",
        "## Reviews [feedback]\n**Rule:** small commits\n**Why:** `git bisect` finds them\n\n```\ncode\n```\n",
        "## Tables [user]\n| task | status |\n|---|---|\n| paint | done |\n",
        "## 14:30 [feedback]\nuser: stop guessing\nassistant: I will ask first, see src/ask.rs\n",
        "## 차 [user]\n녹차를 좋아한다. 커피는 싫어한다\n- 결정: 센차 두 상자\n",
        "## Short [user]\nx\n",
        "## Empty [user]\n",
    ];
    for entry in entries {
        for behind in ["", "\n", "\n\n \t\n", "   "] {
            let log = format!("{entry}{behind}\n## Next\n\nSomething else was done.\n");
            let log = entry::read(&log);
            let first = mention(&log.entries[0], day("2026-03-15"));
            let kept = first.kept.clone().expect("it is about the person");
            assert!(is_whole(&log.entries[0], &kept), "{kept}");
            let again = mention(&one_entry(&kept), day("2026-03-15"));
            assert_eq!(format!("{first:?}"), format!("{again:?}"));
        }
    }
    let long = format!("## Long [user]\n{}", "many words ".repeat(3000));
    let log = entry::read(&long);
    assert!(!is_whole(&log.entries[0], long.trim_end()));
    let other = entry::read("## Tea [user]\nsencha\n").entries;
    assert!(!is_whole(&other[0], "## Tea [user]\nbancha"));
    assert!(!is_whole(&other[0], "## Tee [user]\nsencha"));
    assert!(!is_whole(&other[0], "## Tea [feedback]\nsencha"));
}
