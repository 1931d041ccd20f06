//! Nodes are printed strictly, read leniently, and sealed.

mod front;

use yaml_rust2::YamlLoader;

use super::*;
use crate::memory::entry::digest;

fn day(name: &str) -> Day {
    Day::parse(name).unwrap()
}

fn daily() -> Node {
    let front = Front {
        period: Period::Day(day("2026-03-15")),
        status: Status::Tentative,
        sources: vec![
            "memory/2026-03-15.md".to_owned(),
            "memory/2026-03-15-a \"b\".md".to_owned(),
        ],
        topics: vec![
            TopicName { name: "auth, sessions".to_owned(), kind: Kind::Project },
            TopicName { name: "시간대: \"UTC\"".to_owned(), kind: Kind::User },
        ],
        mentions: vec![
            Mentioned { last: day("2026-03-15"), days: 1 },
            Mentioned { last: day("2026-03-10"), days: 0 },
        ],
        parts: vec![
            Part {
                day: day("2026-03-15"),
                form: Form::Raw,
                first_line: 0,
                lines: 2,
            },
            Part {
                day: day("2026-03-10"),
                form: Form::Entry,
                first_line: 3,
                lines: 1,
            },
        ],
        entries: vec![digest("one"), digest("two")],
        late: vec![(day("2026-03-10"), vec![digest("three")])],
        built_from: Some(Hash(7)),
        generation: GENERATION,
        summarizer: Some("verbatim".to_owned()),
        digest: None,
    };
    Node {
        front,
        body: "## auth\nstatus: fixed\n\n## late\n".to_owned(),
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let node = daily();
    let text = node.print();
    let read = Node::read(node.front.period, &text).unwrap();
    assert_eq!(read.front.digest.is_some(), is_intact(&text).unwrap());
    assert_eq!(Node { front: Front { digest: None, ..read.front }, body: read.body }, node);
}

#[test]
fn a_yaml_parser_accepts_every_frontmatter() {
    let text = daily().print();
    let front = text.strip_prefix("---\n").unwrap().split("\n---\n").next().unwrap();
    let yaml = &YamlLoader::load_from_str(front).unwrap()[0];
    assert_eq!(yaml["type"].as_str(), Some("daily"));
    assert_eq!(yaml["topics"][0].as_str(), Some("auth, sessions [project]"));
    assert_eq!(yaml["topics"][1].as_str(), Some("시간대: \"UTC\" [user]"));
    assert_eq!(yaml["source-files"][0].as_str(), Some("memory/2026-03-15.md"));
}

#[test]
fn topics_are_read_in_every_form_found_in_the_wild() {
    for (written, expected) in [
        ("a, b", vec!["a [project]", "b [project]"]),
        ("[a, b]", vec!["a [project]", "b [project]"]),
        ("[a [project], b [user]]", vec!["a [project]", "b [user]"]),
        ("a [feedback], b", vec!["a [feedback]", "b [project]"]),
        ("[\"a, b [user]\", 'c']", vec!["a, b [user]", "c [project]"]),
        ("\n  - a\n  - b [reference]", vec!["a [project]", "b [reference]"]),
        ("[]", vec![]),
        ("", vec![]),
    ] {
        let text = format!("---\ntype: weekly\ntopics: {written}\n---\nbody\n");
        let node = Node::read(Level::Weekly.period("2026-W11").unwrap(), &text).unwrap();
        let topics = node.front.topics.iter();
        let topics: Vec<String> = topics.map(|topic| format!("{} [{}]", topic.name, topic.kind)).collect();
        assert_eq!(topics, expected, "{written}");
    }
}

#[test]
fn a_list_with_controls_in_it_is_read_as_it_would_be_printed() {
    let period = Level::Weekly.period("2026-W11").unwrap();
    let text = "---\ntype: weekly\ntopics: a,\0\u{7f} b, \u{feff}\nsource-files: [\"\u{1b} c\"]\n---\nbody\n";
    let node = Node::read(period, text).unwrap();
    let names: Vec<&str> = node.front.topics.iter().map(|topic| &*topic.name).collect();
    assert_eq!((names, &*node.front.sources[0]), (vec!["a", "b"], "c"));
    let printed = node.print();
    assert_eq!(Node::read(period, &printed).unwrap().print(), printed);
}

#[test]
fn a_file_without_frontmatter_of_its_type_is_no_node() {
    let period = Period::Day(day("2026-03-15"));
    for text in [
        "",
        "# notes\n",
        "---\ntype: weekly\n---\n",
        "---\nstatus: fixed\n---\n",
        "---\ntype: daily\n",
        "type: daily\n",
    ] {
        assert_eq!(Node::read(period, text), None, "{text:?}");
    }
}

#[test]
fn status_comes_from_the_frontmatter_and_never_from_the_body() {
    let text =
        "---\ntype: daily\nstatus: tentative\n---\n\nstatus: fixed\n---\nstatus: needs-summarization\n";
    let node = Node::read(Period::Day(day("2026-03-15")), text).unwrap();
    assert_eq!(node.front.status, Status::Tentative);
}

#[test]
fn a_change_of_status_leaves_every_other_byte_and_the_content_hash() {
    let text = daily().print();
    let fixed = with_status(&text, Status::Fixed);
    assert_eq!(content(&fixed), content(&text));
    assert_eq!(is_intact(&fixed), Some(true));
    let without = |text: &str| -> Vec<String> {
        let ours = |line: &&str| {
            !line.starts_with("digest:") && !line.starts_with("status: t") && *line != "status: fixed"
        };
        text.lines().filter(ours).map(str::to_owned).collect()
    };
    assert_eq!(without(&fixed), without(&text));
    assert_eq!(
        with_status("---\ntype: daily\n---\nx\n", Status::Fixed),
        "---\nstatus: fixed\ntype: daily\n---\nx\n"
    );
}

#[test]
fn any_changed_byte_breaks_the_seal() {
    let text = daily().print();
    assert_eq!(is_intact(&text), Some(true));
    for at in 4..text.len() {
        if !text.is_char_boundary(at) || !text.is_char_boundary(at + 1) || &text[at..=at] == "\n" {
            continue;
        }
        let changed = format!(
            "{}{}{}",
            &text[..at],
            if &text[at..=at] == "#" { "x" } else { "#" },
            &text[at + 1..]
        );
        assert_ne!(is_intact(&changed), Some(true), "byte {at}: {:?}", &text[at..=at]);
    }
}

#[test]
fn parts_that_no_longer_fit_the_body_say_nothing() {
    let mut node = daily();
    let parts = ["## auth\nstatus: fixed\n", "## late\n"];
    let texts: Vec<&str> = node.parts().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, parts);
    let body = node.body.clone();
    for (more, fits) in [
        ("", true),
        ("\n \n", true),
        ("```\n", true),
        ("~~~~", true),
        ("-->\n", true),
        ("- one line of theirs\n", false),
        ("more\nand more\n", false),
        ("```\nmore\n", false),
        ("``", false),
    ] {
        node.body = format!("{body}{more}");
        let texts: Vec<&str> = node.parts().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, parts[..if fits { 2 } else { 0 }], "{more:?}");
    }
    node.body = body.trim_end().to_owned();
    let texts: Vec<&str> = node.parts().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["## auth\nstatus: fixed\n", "## late"], "no newline at the end");
    for (first_line, lines) in [(3, 2), (1, 1), (4, 1), (usize::MAX, 1)] {
        node.front.parts[1].first_line = first_line;
        node.front.parts[1].lines = lines;
        assert_eq!(node.parts(), [], "{first_line} {lines}");
    }
}
