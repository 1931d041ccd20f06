//! Entries that are written, and those that are not.

use super::*;
use crate::memory::filter::{DIFF, LISTING, TRACE};

fn from(topic: &str, fields: &[(&'static str, &str)], text: &str) -> Result<Ready, String> {
    entry(&Checkpoint { topic, kind: None, fields: fields.to_vec(), text })
}

fn assert_refused(entry: Result<Ready, String>, why: &str) {
    let error = entry.unwrap_err();
    assert!(error.starts_with(why), "{error}");
}

#[test]
fn an_entry_has_a_heading_with_its_type_and_a_list_of_fields() {
    let ready =
        from("Shelf", &[("request", "put it up"), ("outcome", "it\nholds"), ("why", " ")], "").unwrap();
    assert_eq!(ready.text, "## Shelf [project]\n- request: put it up\n- outcome: it\n  holds\n");
    let ready = from("Shelf [user]", &[("request", "x")], "and more\n").unwrap();
    assert_eq!(
        (ready.kind, ready.text.as_str()),
        (Kind::User, "## Shelf [user]\n- request: x\nand more\n")
    );
}

#[test]
fn a_whole_entry_may_come_as_text() {
    let ready = from("", &[], "## Shelf [feedback]\n- rule: ask first\n").unwrap();
    assert_eq!((ready.kind, ready.topic.as_str()), (Kind::Feedback, "Shelf"));
    assert_eq!(ready.text, "## Shelf [feedback]\n- rule: ask first\n");
    for text in [
        "no heading",
        " no heading",
        "##no heading\nx",
        "## \nx",
        "#\t\nx",
        "##",
        "",
    ] {
        assert_refused(from("", &[], text), "the entry has no topic");
    }
}

#[test]
fn a_type_that_heading_and_caller_agree_on_is_that_type() {
    let both = Checkpoint {
        topic: "Shelf [user]",
        kind: Some(Kind::User),
        fields: vec![("why", "x")],
        text: "",
    };
    assert_eq!(entry(&both).unwrap().text, "## Shelf [user]\n- why: x\n");
}

#[test]
fn feedback_is_written_with_its_rule_or_in_words_of_its_own_and_not_without() {
    let feedback = |fields: &[(&'static str, &str)], text: &str| from("Shelf [feedback]", fields, text);
    assert_eq!(
        feedback(&[("rule", "ask first"), ("why", "x")], "").unwrap().text,
        "## Shelf [feedback]\n- rule: ask first\n- why: x\n"
    );
    assert_eq!(
        feedback(&[("why", "x")], "ask first").unwrap().text,
        "## Shelf [feedback]\n- why: x\nask first\n"
    );
    assert_refused(
        feedback(&[("rule", " \n"), ("why", "x")], ""),
        "a feedback entry needs its rule",
    );
}

#[test]
fn an_entry_may_have_so_many_bytes_and_not_one_more() {
    let rest = BYTES_MAX - "## Shelf [project]\n\n".len();
    let text: String = "long ".chars().cycle().take(rest - 1).collect();
    let fits = from("Shelf", &[], &format!("{text}x")).unwrap();
    assert_eq!(fits.text.len(), BYTES_MAX);
    assert_refused(from("Shelf", &[], &format!("{text}xx")), "the entry has 65537 bytes");
}

#[test]
fn what_is_no_entry_is_refused() {
    assert_refused(from("Shelf", &[], " \n"), "the entry says nothing");
    assert_refused(from("Session", &[("outcome", "x")], ""), "\"Session\" names no topic");
    assert_refused(
        from("Shelf", &[], "text\n\n## Other\n"),
        "a heading of level 1 or 2 stands in the text",
    );
    assert_refused(
        from("Shelf", &[], "text\n\n# Other\n"),
        "a heading of level 1 or 2 stands in the text",
    );
    let feedback = Checkpoint {
        topic: "Shelf",
        kind: Some(Kind::Feedback),
        fields: vec![("why", "x")],
        text: "",
    };
    assert_refused(entry(&feedback), "a feedback entry needs its rule");
    let two = Checkpoint {
        topic: "Shelf [user]",
        kind: Some(Kind::Project),
        fields: vec![("why", "x")],
        text: "",
    };
    assert_refused(entry(&two), "the heading says [user] and the type is given as project");
    let long = from("Shelf", &[], &"long ".repeat(20_000)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "the entry has 100019 bytes, 65536 are the most: put it into knowledge/ and name the file"
    );
}

#[test]
fn a_topic_or_value_cannot_start_another_entry() {
    let ready = from("## a\n## b", &[("outcome", "x\n## c\n```\nnever closed")], "").unwrap();
    assert_eq!(
        entry::read(&format!("{}\n## After\n", ready.text)).entries.len(),
        2,
        "{}",
        ready.text
    );
}

#[test]
fn code_over_five_lines_diffs_listings_and_traces_are_refused_with_their_rule() {
    let code = |lines: usize| format!("so:\n```rust\n{}```\n", "let x = 1;\n".repeat(lines));
    assert!(from("Shelf", &[], &code(5)).is_ok());
    let rule = "refused, 6 lines of code: over 5, record the file";
    assert_refused(from("Shelf", &[], &code(6)), rule);
    let indented = format!("so:\n\n{}", "    x = 1\n".repeat(6));
    assert_refused(from("Shelf", &[], &indented), rule);
    for (text, rule) in [
        ("diff --git a/x b/x\n", DIFF),
        ("@@ -1,2 +1,3 @@ fn main\n", DIFF),
        (&format!("commit {}\nAuthor: A\n", "0".repeat(40)), DIFF),
        ("├── a\n├── b\n└── c\n", LISTING),
        ("drwxr-xr-x 2 a a 40 x\n-rw-r--r-- 1 a a 4 y\n-rw-r--r-- 1 a a 4 z\n", LISTING),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    x()\nValueError: no\n",
            TRACE,
        ),
    ] {
        assert_refused(from("Shelf", &[], text), &format!("refused, {rule}"));
        let beside = from("Shelf", &[("analysis", text)], "");
        assert_refused(beside, &format!("refused, {rule}"));
    }
}

#[test]
fn talk_and_lists_are_no_code() {
    for text in [
        "- a\n    - b\n    - c\n    - d\n    - e\n    - f\n    - g\n",
        "the diff of a/b was small, see @@ in it\n",
        "at night it works at home\n",
    ] {
        assert!(from("Shelf", &[], text).is_ok(), "{text}");
    }
}

#[test]
fn a_secret_is_redacted_and_said() {
    let secret = format!("the key is ghp_{}", "a1B2".repeat(9));
    let ready = from("Shelf", &[("outcome", &secret)], "").unwrap();
    assert!(ready.redacted && ready.text.contains("[REDACTED]"), "{}", ready.text);
    let ready = from(&secret, &[("outcome", "changed")], "").unwrap();
    assert!(
        ready.topic.contains("[REDACTED]") && !ready.topic.contains("a1B2"),
        "{}",
        ready.topic
    );
}

#[test]
fn a_log_that_leaves_a_fence_open_is_closed_before_the_entry() {
    for (log, closing) in [
        ("", ""),
        ("## A\n", ""),
        ("## A\n```\ncode\n", "```\n\n"),
        ("## A\n```\ncode", "```\n\n"),
        ("## A\n~~~~\ncode\n```\n", "~~~~\n\n"),
        ("## A\n<!-- talk\n", "-->\n\n"),
        // What stands in a list item ends with it: a mark behind it would open something, or be words.
        ("## A\n- a\n  ```\n  code\n", ""),
        ("## A\n- <!-- talk\n", ""),
    ] {
        assert_eq!(lead(log), closing, "{log}");
    }
}
