//! The scanner against CommonMark: hand-made cases, and generated texts with `pulldown-cmark` as the judge.

mod grammar;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::*;

/// Every top-level heading as (line, level), by the scanner.
fn scanned(text: &str) -> Vec<(usize, u8)> {
    lines(text)
        .filter_map(|line| match line.what {
            What::Heading(heading) => Some((heading.number, heading.level)),
            _ => None,
        })
        .collect()
}

/// The same by the judge.
fn judged(text: &str) -> Vec<(usize, u8)> {
    let mut depth = 0;
    let mut headings = Vec::new();
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if let Tag::Heading { level, .. } = tag
                    && depth == 0
                {
                    headings.push((text[..range.start].matches('\n').count() + 1, level as u8));
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    headings
}

/// Pieces that, put together, make the nasty texts.
const PIECES: &[&str] = &[
    "a",
    "word",
    "#",
    "##",
    "# ",
    "## x",
    "####### x",
    "#x",
    "# x #",
    "### y ###",
    "#\tz",
    "```",
    "````",
    "~~~",
    "~~~~",
    "``` sh",
    "``` a`b",
    "~~~ a`b",
    "-",
    "- ",
    "---",
    "- - -",
    "***",
    "* ",
    "+ ",
    "___",
    "_",
    "=",
    "===",
    "==",
    "1. ",
    "2. ",
    "1) ",
    "12. ",
    "1.",
    ">",
    "> ",
    ">>",
    " ",
    "  ",
    "   ",
    "    ",
    "     ",
    "<!--",
    "-->",
    "<!-- x -->",
    "<div>",
    "</div>",
    "<span>",
    "<a b=c>",
    "</a >",
    "<pre>",
    "</pre>",
    "<?",
    "?>",
    "<!X",
    ">",
    "<![CDATA[",
    "]]>",
    "<b",
    "`",
    "\\",
    "x",
    "é",
    "中",
];

fn nasty_line() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..5)
        .prop_map(|pieces| pieces.concat().trim_end_matches('\t').to_owned())
}

/// What lines start with where people nest things.
const OPENINGS: &[&str] = &[
    "", "", "", "", " ", "  ", "   ", "    ", "      ", "> ", ">", "- ", "  - ", "* ", "1. ", "2) ", "   > ",
    "    - ", "> - ", "- > ",
];
/// What then stands there.
const CONTENTS: &[&str] = &[
    "",
    "",
    "text",
    "# one",
    "## two",
    "### three",
    "---",
    "===",
    "```",
    "~~~",
    "````",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "<b>",
    "- x",
    "<pre>",
    "</pre>",
    "-",
    "***",
    "10. x",
    "> x",
];

fn nested_line() -> impl Strategy<Value = String> {
    (proptest::sample::select(OPENINGS), proptest::sample::select(CONTENTS))
        .prop_map(|(opening, content)| format!("{opening}{content}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn headings_are_those_of_commonmark(lines in proptest::collection::vec(nasty_line(), 0..10)) {
        let text = lines.join("\n");
        prop_assert_eq!(scanned(&text), judged(&text), "{}", text);
    }

    #[test]
    fn nested_headings_are_those_of_commonmark(lines in proptest::collection::vec(nested_line(), 0..16)) {
        let text = lines.join("\n");
        prop_assert_eq!(scanned(&text), judged(&text), "{}", text);
    }
}

/// The first letter of what each line is.
fn kinds(text: &str) -> String {
    lines(text)
        .map(|line| match line.what {
            What::Blank => '.',
            What::Heading(_) => 'H',
            What::FenceOpen => '[',
            What::Code => 'c',
            What::FenceClose => ']',
            What::IndentedCode => 'i',
            What::Comment => '!',
            What::Html => '<',
            What::Rule => '-',
            What::Item => '*',
            What::Text => 't',
        })
        .collect()
}

#[test]
fn every_line_is_told_for_what_it_is() {
    let check = |text: &str, expect: &str| assert_eq!(kinds(text), expect, "{text}");
    check("", "");
    check("\n\n", "..");
    check("# a\ntext\n\n    code\n", "Ht.i");
    check("```sh\n# comment\n\n```\ntext", "[cc]t");
    check("```\nnever closed\n## no\n", "[cc");
    check("```\n```\t\n## yes\n", "[]H");
    check("~~~\n```\n~~~~\n", "[c]");
    check("- a\n\t- b\n\n\t\t- c\n", "**.*");
    check("````\n```\n````\n", "[c]");
    check("<!-- a\n\n## no -->\n## yes\n", "!!!H");
    check("<!--\n## no\n", "!!");
    check("<script>\n## no\n</script>\n## yes\n", "<<<H");
    check("<div>\n## no\n\n## yes\n", "<<.H");
    check("text\n<b>\n## yes", "ttH");
    check("- a\n  # no\n\n  b\n# yes", "*t.tH");
    check("- a\n# yes", "*H");
    check("- a\n---\nb\n---", "*-tH");
    check("- ```\n  # no\n  ```\n- [ ] x", "[c]*");
    check("1. a\n\n       code\n", "*.i");
    check("> # no\n> b\nlazy\n\nc", "ttt.t");
    check("> a\n===\n", "tt");
    check("a\nb\n===", "ttH");
    check("#hashtag\n####### seven\n#\n", "ttH");
    check("\t# code\n", "i");
    check("-\t# in an item\n", "*");
    check("* * *\n- - x\n", "-*");
    check("[a]: /b\n===\n", "tt");
    check("[a]: <b> \"t\"\ntitle\n---\n", "ttH");
    check("[a]:\n/b\n'two\nlines'\n---\n", "tttt-");
}

#[test]
fn headings_carry_title_place_and_level() {
    fn heading(text: &str) -> Heading<'_> {
        lines(text)
            .find_map(|line| if let What::Heading(heading) = line.what { Some(heading) } else { None })
            .unwrap()
    }
    let check = |text: &str, level, title: &str, number| {
        let found = heading(text);
        assert_eq!((found.level, found.title, found.number), (level, title, number), "{text}");
    };
    check("## a", 2, "a", 1);
    check("x\n\n   ###  a b ##  \n", 3, "a b", 3);
    check("# a#", 1, "a#", 1);
    check("## ##", 2, "", 1);
    check("#\ta \\#", 1, "a \\#", 1);
    check("\na\nb\n---", 2, "a\nb", 2);
    check("[a]: /b\nc\n===", 1, "c", 2);
}

#[test]
fn frontmatter_is_told_from_a_thematic_break() {
    for (text, length) in [
        ("---\ntitle: x\ntags:\n  - a\n---\n# b\n", 29),
        ("---\na: b\n...\n", 13),
        ("---\na: b\n---", 12),
        ("---\n\n# Log\n---\n", 0),
        ("---\n# Log\n---\n", 0),
        ("---\na: b\n## Topic\n---\n", 0),
        ("---\na: b\n", 0),
        ("\n---\na: b\n---\n", 0),
        ("---\nhe said: hello\n---\n", 0),
        ("---", 0),
        ("", 0),
    ] {
        assert_eq!(frontmatter_length(text), length, "{text}");
    }
}

#[test]
fn list_items_are_taken_apart() {
    let check = |line: &str, expect: Option<(usize, &str, Option<bool>)>| {
        assert_eq!(item(line).map(|item| (item.indent, item.text, item.checkbox)), expect, "{line}");
    };
    check("- a", Some((0, "a", None)));
    check("  * [x] done ", Some((2, "done", Some(true))));
    check("1. [ ] todo", Some((0, "todo", Some(false))));
    check("- [ ]", Some((0, "", Some(false))));
    check("- [x](link)", Some((0, "[x](link)", None)));
    check("+", Some((0, "", None)));
    check("-a", None);
    check("text", None);
    check("", None);
}

proptest! {
    #[test]
    fn the_lines_of_any_text_are_its_lines(text in "(\\PC|[\n\t #>`<-]){0,200}") {
        let expect: Vec<&str> = text.lines().collect();
        // `str::lines` takes a carriage return for part of the line end; there is none in decoded text.
        let found: Vec<Line<'_>> = lines(&text).collect();
        prop_assert_eq!(found.iter().map(|line| line.text).collect::<Vec<_>>(), expect);
        for (index, line) in found.iter().enumerate() {
            prop_assert_eq!(line.number, index + 1);
            prop_assert_eq!(&text[line.start..line.start + line.text.len()], line.text);
        }
    }
}

#[test]
fn a_long_text_is_parsed_in_pieces_as_it_would_be_whole() {
    let blocks =
        "# one\n\n- a\n\n  # no\n\n```\ncode\n\n# no\n```\n<!--\n\n# no\n-->\n\n[a]: /b\ntitle\n===\n\n\n";
    let long_fence = format!("~~~\n{}~~~\n", "# no\n\n".repeat(2 * PIECE_BYTES / 6));
    let count = PIECE_BYTES / blocks.len() + 7;
    let many = blocks.repeat(count);
    let expect = kinds(blocks).repeat(count) + &kinds(&long_fence) + &kinds(blocks).repeat(count);
    assert!(kinds(&format!("{many}{long_fence}{many}")) == expect);
}

#[test]
fn hostile_texts_take_linear_time() {
    let bytes = 1_000_000;
    let units = [
        "#",
        ">",
        "`",
        "<!--",
        "- ",
        "> - ",
        "\n",
        "```\n",
        "<!--\n",
        "[a]:\n===\n",
        "* ",
        "<a ",
        "1. ",
        "\t",
        "a\n===\n",
        "- a\n\n",
        "[",
        "](",
        "x <!-- ",
        "<?x ",
        "*a_ ",
        "\\",
        "  - a\n",
    ];
    for unit in units {
        let text = unit.repeat(bytes / unit.len());
        assert_eq!(lines(&text).count(), line_count(&text), "{unit}");
        let deep = format!("{}\n{}", "- ".repeat(1000), unit.repeat(bytes / 10 / unit.len()));
        assert_eq!(lines(&deep).count(), line_count(&deep), "{unit}");
    }
}
