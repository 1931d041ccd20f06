//! Frontmatter whole, as it is written, and as people and older tools write it.

use super::*;

/// What is printed, without the digest, which the seal's own tests hold.
fn printed(node: &Node) -> String {
    let text = node.print();
    assert_eq!(is_intact(&text), Some(true));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("digest: ")).collect();
    lines.join("\n") + "\n"
}

#[test]
fn a_daily_node_is_printed_whole() {
    let (one, two, three) = (digest("one"), digest("two"), digest("three"));
    let expect = format!(
        "---
type: daily
status: tentative
period: 2026-03-15
source-files: [memory/2026-03-15.md, \"memory/2026-03-15-a \\\"b\\\".md\"]
topics: [\"auth, sessions [project]\", \"시간대: \\\"UTC\\\" [user]\"]
mentions: [0, \"-5 0\"]
parts: [2026-03-15 raw 0 2, 2026-03-10 entry 3 1]
entries: [{one}, {two}]
late-entries: [2026-03-10 {three}]
built-from: 0000000000000007
generation: 40
summarizer: verbatim
---

## auth
status: fixed

## late
"
    );
    assert_eq!(printed(&daily()), expect);
}

#[test]
fn a_weekly_and_a_monthly_node_say_their_dates_and_a_monthly_its_weeks() {
    let node = |level: Level, name: &str, sources: &[&str]| {
        let mut node = daily();
        node.front = Front {
            period: level.period(name).unwrap(),
            status: Status::Fixed,
            sources: sources.iter().map(|path| (*path).to_owned()).collect(),
            topics: Vec::new(),
            mentions: Vec::new(),
            parts: Vec::new(),
            entries: Vec::new(),
            late: Vec::new(),
            built_from: None,
            generation: 1,
            summarizer: None,
            digest: None,
        };
        node.body = "body\n".to_owned();
        node
    };
    let weeks = ["memory/weekly/2026-W10.md", "memory/weekly/2026-W11.md"];
    assert_eq!(
        printed(&node(Level::Monthly, "2026-03", &weeks)),
        "---
type: monthly
status: fixed
period: 2026-03
dates: 2026-03-02 to 2026-03-29
weeks: 2026-W10, 2026-W11
source-files: [memory/weekly/2026-W10.md, memory/weekly/2026-W11.md]
topics: []
mentions: []
parts: []
summarizer: unknown
---

body
"
    );
    assert_eq!(
        printed(&node(Level::Weekly, "2026-W11", &["memory/daily/2026-03-15.md"])),
        "---
type: weekly
status: fixed
period: 2026-W11
dates: 2026-03-09 to 2026-03-15
source-files: [memory/daily/2026-03-15.md]
topics: []
mentions: []
parts: []
summarizer: unknown
---

body
"
    );
}

#[test]
fn the_stem_of_a_path_is_its_name_without_folder_and_ending() {
    for (path, stem) in [
        ("memory/weekly/2026-W10.md", Some("2026-W10")),
        ("2026-W10.md", Some("2026-W10")),
        ("memory/weekly/2026-W10.txt", None),
        ("memory/weekly.md/notes", None),
    ] {
        assert_eq!(file_stem(path), stem, "{path}");
    }
}

#[test]
fn what_a_yaml_parser_might_trim_or_take_for_something_else_is_quoted() {
    for (item, expect) in [
        ("memory/2026-03-15_a b.md", "memory/2026-03-15_a b.md"),
        ("memory/a ", "\"memory/a \""),
        ("-a", "\"-a\""),
        ("", "\"\""),
        ("a: b", "\"a: b\""),
        ("a\\b", "\"a\\\\b\""),
    ] {
        let mut out = String::new();
        write_list(&mut out, "key", [item, "c"]);
        assert_eq!(out, format!("key: [{expect}, c]\n"));
        let yaml = &YamlLoader::load_from_str(&out).unwrap()[0];
        assert_eq!(yaml["key"][0].as_str(), Some(item));
    }
}

#[test]
fn frontmatter_of_people_and_older_tools_is_read_field_by_field() {
    let check = |front: &str, status: Status, topics: &[&str], sources: &[&str]| {
        let text = format!("---\ntype: weekly\n{front}---\nbody\n");
        let node = Node::read(Level::Weekly.period("2026-W11").unwrap(), &text).unwrap();
        let named: Vec<&str> = node.front.topics.iter().map(|topic| &*topic.name).collect();
        assert_eq!(named, topics, "{front}");
        assert_eq!(node.front.sources, sources, "{front}");
        assert_eq!(node.front.status, status, "{front}");
    };
    let (open, fixed) = (Status::Tentative, Status::Fixed);
    // A list is over when it is closed, and a value is no list.
    check("topics: [a, b]\n- stray\nstatus: fixed\n- stray\n", fixed, &["a", "b"], &[]);
    // A field without a value is empty, whatever follows.
    check("topics:\nstatus: fixed\n", fixed, &[], &[]);
    check("topics:\n  about: x\nstatus: fixed\n", fixed, &[], &[]);
    // A flow list goes on over indented lines, and ends at the next field even when it is never closed.
    check("topics: [a,\n  b,\n\tc]\nstatus: fixed\n", fixed, &["a", "b", "c"], &[]);
    check("topics: [a,\nstatus: fixed\n", fixed, &["a"], &[]);
    // Items of a block list, plain and quoted, with a comment between them.
    check(
        "topics:\n  # still open:\n  - \"auth, sessions\"\n  - 'b, c'\n  - plain, too\nsource-files:\n- memory/a.md\n",
        open,
        &["auth, sessions", "b, c", "plain, too"],
        &["memory/a.md"],
    );
    // A quote inside of a word is none, and a comma in brackets parts nothing.
    check("topics: [it's fine, don't]\n", open, &["it's fine", "don't"], &[]);
    check("topics: [a [x, y] z, b]\n", open, &["a [x, y] z", "b"], &[]);
    check("topics: [a [x [y], z] end, b]\n", open, &["a [x [y], z] end", "b"], &[]);
    // A single value may be quoted, or have a comment behind it.
    check("status: \"fixed\"\n", fixed, &[], &[]);
    check("status: 'fixed'\n", fixed, &[], &[]);
    check("status: fixed # for good\n", fixed, &[], &[]);
}

#[test]
fn mentions_are_read_as_they_were_written_and_as_earlier_generations_wrote_them() {
    let first = Level::Monthly.period("2026-03").unwrap().first_day();
    for (last, days, text) in [
        (first, 1, "0"),
        (first.plus(34), 3, "34 3"),
        (first.plus(-60), 0, "-60 0"),
        (first.plus(-40_000), 2, "1916-08-26 2"),
    ] {
        let mentioned = Mentioned { last, days };
        assert_eq!(mentioned.short(first), text);
        assert_eq!(Mentioned::read(text, first), Some(mentioned));
        assert_eq!(Mentioned::read(&format!("{last} {days}"), first), Some(mentioned));
    }
    for text in ["", "x", "3 x", "99999999999"] {
        assert_eq!(Mentioned::read(text, first), None, "{text}");
    }
}
