//! Logs in the shapes that agents really write, and that no text is ever lost or counted twice.

use proptest::prelude::*;

use super::*;

/// Each entry as `level line heading tag`.
fn outline(text: &str) -> Vec<String> {
    let line = |entry: &Entry<'_>| {
        let tag = entry.tag.map_or(String::new(), |kind| format!(" = {kind}"));
        format!("{} {} {}{tag}", entry.level, entry.line, entry.heading.replace('\n', "/"))
    };
    read(text).entries.iter().map(line).collect()
}

#[test]
fn entries_start_where_the_level_rule_says() {
    let check = |text: &str, expect: &[&str]| assert_eq!(outline(text), expect, "{text}");
    check("", &[]);
    check("\n \n", &[]);
    check("just text\n\nmore\n", &["0 1 "]);
    check(
        "# 2026-03-15\n\n## Auth [project]\n- x\n## Style [Feedback]\n",
        &["2 3 Auth [project] = project", "2 5 Style [Feedback] = feedback"],
    );
    check("## a\n### b\n#### c\n## d", &["2 1 a", "2 4 d"]);
    check("## a\nx\n# 2026-03-15\ny\n## b\n", &["2 1 a", "1 3 2026-03-15", "2 5 b"]);
    check("# a\n# b\n### c\n", &["1 1 a", "1 2 b"]);
    check("text\n\n### a\nx\n### b\n# end\n", &["3 3 a", "3 5 b", "1 6 end"]);
    check("# title\n\n### a\n### b\n# end\n", &["1 1 title", "1 5 end"]);
    check("# title\n\n### a\n#### b\n", &["0 1 "]);
    check("### a\n# t\n#### b\n#### c\n", &["4 3 b", "4 4 c"]);
    check("---\ndate: 2026-03-15\n---\ntext\n", &["0 4 "]);
    check("---\ndate: 2026-03-15\n---\n", &[]);
    check("---\na: b\n---\n# t\n## a\n", &["2 5 a"]);
    check("```sh\n## no\n```\n## yes\n```\n## unclosed\n## fence", &["2 4 yes"]);
    check(
        "## 14:30 — 인증 리팩터링\nx\n## 🎯 目标\n## \u{202b}سجل\u{202c}\n",
        &[
            "2 1 14:30 — 인증 리팩터링",
            "2 3 🎯 目标",
            "2 4 \u{202b}سجل\u{202c}",
        ],
    );
    check("Title\n---\nx\n\na\nb\n---\n", &["2 1 Title", "2 5 a/b"]);
    check("> ## no\n- ## no\n    ## no\n<!-- \n## no\n-->\n## yes ##\n", &["2 7 yes"]);
    check(
        "You are an agent. Follow:\n1. read\n   ## in the item\n2. write\n\n## Prompt\n",
        &["2 6 Prompt"],
    );
}

#[test]
fn an_entry_knows_its_text_and_its_body() {
    let log = read("pre\n## a\nb\n\n## c");
    assert_eq!(log.preamble, "pre\n");
    let texts: Vec<_> = log.entries.iter().map(|entry| (entry.text, entry.body)).collect();
    assert_eq!(texts, [("## a\nb\n\n", "b\n\n"), ("## c", "")]);
    let log = read("a\nb\n---\nc\n");
    assert_eq!((log.entries[0].text, log.entries[0].body), ("a\nb\n---\nc\n", "c\n"));
}

#[test]
fn tags_are_split_off_headings() {
    for (heading, name, tag) in [
        ("Auth [project]", "Auth", Some(Kind::Project)),
        ("Auth[USER]  ", "Auth", Some(Kind::User)),
        ("**Auth [reference]**", "**Auth", Some(Kind::Reference)),
        ("Auth `[feedback]`", "Auth", Some(Kind::Feedback)),
        ("[user]", "", Some(Kind::User)),
        ("Auth [wip]", "Auth [wip]", None),
        ("Auth [project] more", "Auth [project] more", None),
        ("]", "]", None),
        ("", "", None),
    ] {
        assert_eq!(split_tag(heading), (name, tag), "{heading}");
    }
    assert_eq!("User".parse(), Ok(Kind::User));
    assert_eq!("users".parse::<Kind>(), Err("is none of project, feedback, user, reference"));
    assert_eq!(format!("{:>9}", Kind::Project), "  project");
}

#[test]
fn units_are_entries_and_loose_paragraphs() {
    let check = |text: &str, expect: &[(&str, usize)]| {
        let found: Vec<_> = read(text).units().map(|unit| (unit.text, unit.line)).collect();
        assert_eq!(found, expect, "{text}");
    };
    check("", &[]);
    check("# 2026-03-15\n\n## a\nx\n", &[("## a\nx\n", 3)]);
    check(
        "# 2026-03-15\nloose\nnotes\n\n<!-- c -->\n\nmore\n## a\n",
        &[("# 2026-03-15\nloose\nnotes", 1), ("more", 7), ("## a\n", 8)],
    );
    check("---\na: b\n---\n\n2026-03-15\n===\n\n---\n\n## a", &[("## a", 10)]);
    check(
        "one\n\n```\na\n\nb\n```\n\n\n- two\n",
        &[("one", 1), ("```\na\n\nb\n```", 3), ("- two", 10)],
    );
    check(
        "# title\n\ntext\n\n### only heading\n\nmore",
        &[("text", 3), ("### only heading", 5), ("more", 7)],
    );
    check("---\na: b\n---\ntext\n", &[("text", 4)]);
    check(
        "one\n\n<!-- never closed\n\ntwo\n",
        &[("one", 1), ("<!-- never closed\n\ntwo", 3)],
    );
    check("## a\n# b\nc\n", &[("## a\n", 1), ("# b\nc\n", 2)]);
    check("# 2026-03-15\n<!-- c -->\n***\n\n## a\nx\n", &[("## a\nx\n", 5)]);
}

#[test]
fn a_digest_is_of_what_a_reader_sees() {
    let one = digest("## a\nb");
    for same in [
        "## a\nb\n",
        "## a \nb\t\n\n \n",
        "## a\nb\n\n---\n",
        "## a\nb\n\n* * *\n\n---\n\n",
        "## a\nb\n\n-\t-\t-\n",
        "## a\u{3000}\nb\u{a0}",
    ] {
        assert_eq!(digest(same), one, "{same:?}");
    }
    for other in [
        "## a\nB",
        "## a\n\nb",
        "## a\n b",
        "## a\nb\nc",
        "## a\nb\n--",
        "## a\nb\nc ---",
        "## a\nb\n***---",
        "## a\nb\u{7f}\n",
        "## a\u{7f}\nb\n",
        "## a b",
        "",
    ] {
        assert_ne!(digest(other), one, "{other:?}");
    }
    assert_eq!(digest("a  \n \nb"), digest("a\n\nb"));
    assert_eq!(digest("").0, 0x2d06_8005_38d3_94c2);
}

#[test]
fn digests_are_printed_and_read_as_sixteen_digits() {
    let digest = UnitDigest(0xab);
    assert_eq!(digest.to_string(), "00000000000000ab");
    assert_eq!(UnitDigest::read("00000000000000ab"), Some(digest));
    for bad in [
        "",
        "ab",
        "00000000000000ag",
        "+0000000000000ab",
        "00000000000000abc",
    ] {
        assert_eq!(UnitDigest::read(bad), None);
    }
}

#[test]
fn a_huge_day_and_a_huge_line_are_read() {
    let day: String = (0..22_000)
        .map(
            |line| {
                if line % 40 == 0 { format!("## topic {line}\n") } else { "- a line\n".into() }
            },
        )
        .collect();
    assert_eq!(read(&day).entries.len(), 550);
    let line = format!("## a\n{}\n## b\n", "x".repeat(10_000_000));
    assert_eq!(read(&line).entries.len(), 2);
}

/// Lines of logs, nasty ones among them.
fn any_log() -> impl Strategy<Value = String> {
    let lines = &[
        "",
        "",
        "text",
        "## a",
        "## b [user]",
        "# t",
        "# u",
        "### c",
        "```",
        "~~~",
        "---",
        "===",
        "- item",
        "  more",
        "> quote",
        "<!--",
        "-->",
        "key: value",
        "    code",
        "<div>",
        "\t",
        "## ",
        "é 中文",
    ][..];
    let line = prop_oneof![9 => proptest::sample::select(lines).prop_map(str::to_owned), 1 => "\\PC{0,12}"];
    (proptest::collection::vec(line, 0..20), any::<bool>())
        .prop_map(|(lines, end)| lines.join("\n") + if end { "\n" } else { "" })
}

#[test]
fn white_space_of_any_kind_is_no_unit() {
    for text in ["\u{2000}", "a\n\n\u{2003}\u{2000}\n\nb\n", "\u{3000}\n"] {
        assert!(read(text).units().all(|unit| !unit.text.trim().is_empty()), "{text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn preamble_and_entries_are_the_text_again(text in any_log()) {
        let log = read(&text);
        let entries: String = log.entries.iter().map(|entry| entry.text).collect();
        let joined = format!("{}{entries}", log.preamble);
        prop_assert_eq!(&joined, &text);
        for entry in &log.entries {
            prop_assert!(entry.text.ends_with(entry.body));
            let before = entry.text.as_ptr() as usize - text.as_ptr() as usize;
            prop_assert_eq!(entry.line, text[..before].matches('\n').count() + 1);
        }
    }

    #[test]
    fn units_are_in_order_apart_and_never_blank(text in any_log()) {
        let mut end = 0;
        for unit in read(&text).units() {
            let start = unit.text.as_ptr() as usize - text.as_ptr() as usize;
            prop_assert!(start >= end && !unit.text.trim().is_empty());
            prop_assert_eq!(unit.line, text[..start].matches('\n').count() + 1);
            end = start + unit.text.len();
        }
    }

    #[test]
    fn every_word_of_a_log_is_in_a_unit(text in any_log()) {
        // But for frontmatter and comments that are closed.
        let text = text.replace("-->", "--").replacen("---\n", "\n", 1);
        let units: String = read(&text).units().map(|unit| unit.text).collect();
        for word in ["- item", "quote"] {
            prop_assert_eq!(units.matches(word).count(), text.matches(word).count(), "{}", word);
        }
    }

    #[test]
    fn appending_an_entry_leaves_the_others_as_they_were(text in any_log(), rule in any::<bool>()) {
        let text = format!("## first\n{text}");
        let log = read(&text);
        let before: Vec<_> = log.units().map(|unit| digest(unit.text)).collect();
        let more = format!("{text}\n\n{}## next\n- x\n", if rule { "---\n\n" } else { "" });
        let log = read(&more);
        let after: Vec<_> = log.units().map(|unit| digest(unit.text)).collect();
        // Inside a fence or a comment that was never closed, what is appended is part of the last entry.
        let open = log.entries.last().is_some_and(|entry| entry.heading != "next");
        let same = before.len() - usize::from(open);
        prop_assert_eq!(&after[..same], &before[..same]);
    }

    #[test]
    fn no_text_makes_reading_fail(text in any::<String>()) {
        for unit in read(&text).units() {
            let _ = digest(unit.text);
        }
    }
}

#[test]
fn hostile_logs_take_linear_time() {
    for unit in [
        "#", "## a\n", "# a\n", "a\n---\n", "---\n", "\n", " \n", "<!--\n", "[user]", "```\n\n", "a\n\n",
        "a: b\n",
    ] {
        let text = format!("---\n{}", unit.repeat(500_000 / unit.len()));
        for text in [&text, &text[4..]] {
            let all = read(text).units().fold(0, |all, unit| all ^ digest(unit.text).0);
            std::hint::black_box(all);
        }
    }
}
