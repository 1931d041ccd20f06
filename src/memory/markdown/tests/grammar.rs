//! The corners of the grammar, each small enough to read, and each with `pulldown-cmark` as the judge of its headings.

use super::*;

fn check(text: &str, expect: &str) {
    assert_eq!(kinds(text), expect, "{text:?}");
    assert_eq!(scanned(text), judged(text), "{text:?}");
}

#[test]
fn an_item_goes_on_as_long_as_its_lines_are_indented_to_its_content() {
    check("-\n  # no\n# yes", "*tH");
    check("-\n\n  # yes", "*.H");
    check("- a\n\n  # no\n # yes", "*.tH");
    check("10. a\n\n    # no\n", "*.t");
    check("10. a\n\n        code\n", "*.i");
    check("-   a\n\n  # yes", "*.H");
    check("-    a\n\n  # yes", "*.H");
    check("-    a\n\n     # no", "*.t");
    check("-     code\n  # no", "it");
    check("-     code\n\n # yes", "i.H");
    check("- a\n\n      code\n\n      more\n  # no", "*.i.it");
}

#[test]
fn a_tab_reaches_to_the_next_multiple_of_four_columns() {
    check("-\ta\n\n    # no", "*.t");
    check("- a\n\n\t  code", "*.i");
    check("- a\n\n\t # no", "*.t");
    check(">\t # no", "t");
    check(">\t  code", "i");
    for (spaces, kind) in [(7, 'i'), (8, 't'), (11, 't'), (12, 'i')] {
        let line = format!("{}# no", " ".repeat(spaces));
        check(&format!("1. a\n\n\t-\tb\n\n{line}"), &format!("*.*.{kind}"));
    }
    for (spaces, kind) in [(11, 'i'), (12, 't'), (15, 't'), (16, 'i')] {
        let line = format!("{}# no", " ".repeat(spaces));
        check(&format!("10.  a\n\n\t\t-\tb\n\n{line}"), &format!("*.*.{kind}"));
    }
}

#[test]
fn only_a_number_one_and_an_item_with_content_interrupt_a_paragraph() {
    check("text\n1. x", "t*");
    check("text\n01. x", "t*");
    check("text\n21. x", "tt");
    check("text\n10. x", "tt");
    check("text\n* ", "tt");
    check("text\n*\tx", "t*");
}

#[test]
fn marks_count_up_to_their_limits() {
    check("###### six\n####### seven", "Ht");
    check("```\n    ```\n   ```\n# yes", "[c]H");
}

#[test]
fn html_blocks_start_and_end_as_commonmark_says() {
    check("<?php\n## no\n\n?>\n## yes", "<<<<H");
    check("<!DOCTYPE\n## no\n\n>\n## yes", "<<<<H");
    check("<![CDATA[\n## no\n> x\n]]>\n## yes", "<<<<H");
    check("<!1\n## yes", "tH");
    check("<!\n## yes", "tH");
}

#[test]
fn a_line_that_is_one_tag_starts_a_block_and_a_broken_tag_does_not() {
    for tag in [
        "<b>",
        "<b >",
        "<b/>",
        "<b />",
        "</b>",
        "</b >",
        "<b a>",
        "<b a=c>",
        "<b a=\"c d\">",
        "<b a='c d' e>",
        "<b a= \"c d\">",
        "<b a = 'c d'>",
        "<b _a :c=\"\">",
        "<b a=\"c\"  d=efg />  ",
    ] {
        check(&format!("{tag}\n## no\n\n## yes"), "<<.H");
    }
    for broken in [
        "</b/>",
        "</b a>",
        "<b a=\"c\"d>",
        "<b 1a>",
        "<b a=>",
        "<b a=\"c d>",
        "<b a= ",
        "<b a",
        "<b> x",
        "<b//>",
    ] {
        check(&format!("{broken}\n## yes"), "tH");
    }
}

#[test]
fn frontmatter_may_hold_comments_and_lists_and_is_never_empty() {
    for (text, length) in [
        ("---\na: b\n# comment\n- item\n---\n# b\n", 30),
        ("---\na: b\n\n\tc: d\n---\n", 20),
        ("---\n---\n# b\n", 0),
        ("---\n...\n# b\n", 0),
        ("---\n- item\n---\n", 0),
    ] {
        assert_eq!(frontmatter_length(text), length, "{text:?}");
    }
}
