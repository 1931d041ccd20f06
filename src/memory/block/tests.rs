//! Blocks in files of every shape, put in and taken out.

use proptest::prelude::*;

use super::*;

fn there_and_back(text: &str) {
    let put = put(text, "inner\n").unwrap().unwrap();
    assert_eq!(take_out(&put, text).unwrap().unwrap(), text);
    assert_eq!(super::put(&put, "inner\n"), Ok(None), "a second time changes nothing");
}

#[test]
fn a_file_is_what_it_was_when_the_block_is_taken_out() {
    for text in [
        "",
        "a",
        "a\n",
        "a\n\n",
        "a\r\nb\r\n",
        "a\r\n\r\n",
        "# A\n\n```\ncode\n```\n",
        "\n",
    ] {
        there_and_back(text);
    }
}

#[test]
fn one_blank_line_parts_the_block_from_what_stands_before_it() {
    for (text, gap) in [
        ("", ""),
        ("\n", "\n"),
        ("a", "\n\n"),
        ("a\n", "\n"),
        ("a\n\n", ""),
        ("a\r\nb", "\r\n\r\n"),
        ("a\r\nb\r\n", "\r\n"),
        ("a\r\n\r\n", ""),
    ] {
        let put = put(text, "inner\n").unwrap().unwrap();
        let block = put.strip_prefix(&format!("{text}{gap}"));
        assert!(block.is_some_and(|block| block.starts_with(BEGIN)), "{text:?}");
    }
}

#[test]
fn a_mark_in_a_quote_or_a_list_is_talk_about_the_mark() {
    for talk in [
        format!("> {BEGIN} x -->\n> {END}\n"),
        format!("- a\n\n  {BEGIN} x -->\n  {END}\n"),
    ] {
        assert_eq!(take_out(&talk, ""), Ok(None), "{talk}");
        there_and_back(&talk);
    }
}

#[test]
fn a_block_keeps_the_line_endings_of_its_file() {
    let put = put("a\r\n", "x\ny\n").unwrap().unwrap();
    assert_eq!(put.matches('\n').count(), put.matches("\r\n").count());
}

#[test]
fn a_new_version_takes_the_old_ones_place_and_what_follows_stays() {
    let first = put("before\n", "one\n").unwrap().unwrap();
    let second = put(&format!("{first}after\n"), "two\n").unwrap().unwrap();
    assert!(second.contains("two\n") && !second.contains("one\n"));
    let back = take_out(&second, "before\n").unwrap();
    assert_eq!(back.as_deref(), Some("before\nafter\n"));
}

#[test]
fn the_block_of_the_older_tool_makes_room_and_comes_back() {
    let old = "# Mine\n\n<!-- hipocampus:protocol:start -->\nrun compaction\n<!-- hipocampus:protocol:end -->\nmine\n";
    let put = put(old, "new\n").unwrap().unwrap();
    assert!(!put.contains("run compaction") && put.ends_with("end -->\nmine\n"));
    let back = take_out(&put, old).unwrap();
    assert_eq!(back.as_deref(), Some(old));
}

#[test]
fn a_mark_in_a_code_fence_is_talk_about_the_mark() {
    let talk = format!("```\n{BEGIN} x -->\n```\n");
    there_and_back(&talk);
    assert_eq!(take_out(&talk, ""), Ok(None));
}

#[test]
fn half_a_block_is_left_to_people() {
    assert_eq!(put(&format!("{BEGIN} x -->\nmine\n"), "a\n"), Err(HALF_MARKED));
    assert_eq!(put(&format!("mine\n\n{END}\n"), "a\n"), Err(HALF_MARKED));
    assert_eq!(put("```\nmine\n", "a\n"), Err(LEFT_OPEN));
    assert_eq!(put("<!-- mine\n", "a\n"), Err(LEFT_OPEN));
}

#[test]
fn the_heartbeat_section_of_the_older_tool_is_found_and_no_other() {
    let text = "# H\n\n## 1. Hipocampus Compaction Maintenance\n\n1. a\n\n### more\n\n## 2. Mine\n\nx\n";
    let (start, end) = old_heartbeat(text).unwrap();
    assert!(text[start..].starts_with("## 1.") && text[end..].starts_with("## 2. Mine"));
    assert_eq!(old_heartbeat("## Compaction of my shelf\n"), None);
}

proptest! {
    #[test]
    fn whatever_the_file_holds_taking_out_gives_it_back(text in "([a-z#`>\\- \r\t]{0,6}\n){0,8}[a-z]{0,3}") {
        if let Ok(Some(put)) = put(&text, "inner\n") {
            let back = take_out(&put, &text);
            prop_assert_eq!(back.unwrap().unwrap(), text);
            prop_assert_eq!(super::put(&put, "inner\n"), Ok(None));
        }
    }
}
