//! What a log names, and what it does not.

use super::*;

fn digest_of(log: &str) -> Digest {
    let mut digest = Digest::default();
    part(&mut digest, Form::Raw, Day::parse("2026-03-15").unwrap(), log);
    settle(&mut digest);
    digest
}

fn names(log: &str) -> Vec<String> {
    digest_of(log)
        .topics()
        .iter()
        .map(|topic| topic.name.clone())
        .collect()
}

#[test]
fn an_entry_is_named_without_dates_times_serials_and_brackets() {
    for (heading, name) in [
        ("## Failed login post (10:59)", "Failed login post"),
        ("## Session 3: Failed login post (10:59)", "Failed login post"),
        ("## Review #17", "Review"),
        ("## 14:20 — Roof inspection [project]", "Roof inspection"),
        ("## Addendum — 2026-03-02 10:19 UTC (late)", "Addendum"),
    ] {
        assert_eq!(
            names(&format!("{heading}\n- slates counted twice\n")),
            [name],
            "{heading}"
        );
    }
}

#[test]
fn a_section_of_a_template_is_no_topic_in_any_language() {
    for heading in [
        "Summary",
        "Decisions",
        "Next steps",
        "Заметки",
        "Résumé",
        "決定事項",
        "下一步",
        "Notizen",
    ] {
        let log = format!("## {heading}\n- slates counted twice before the rain\n");
        assert_eq!(names(&log), [""; 0], "{heading}");
    }
}

#[test]
fn a_type_is_kept_whole_and_a_passing_note_counts_no_day() {
    let digest = digest_of(
        "## Tea [user]\n- no sugar, ever\n\n## Scratch [project]\n- status: temporary\n\n## Roof\n- slates ordered\n",
    );
    assert_eq!(digest.kept().len(), 1);
    assert_eq!(digest.kept()[0].text, "## Tea [user]\n- no sugar, ever");
    let counts: Vec<(&str, u32)> = digest
        .topics()
        .iter()
        .map(|topic| (topic.name.as_str(), topic.count()))
        .collect();
    assert_eq!(counts, [("Tea", 1), ("Scratch", 0), ("Roof", 1)]);
}

#[test]
fn a_preamble_s_bullets_are_told_like_any_other() {
    let digest =
        digest_of("- offer accepted, 19,300, start 11 January\n\n## CI pipeline\n- outcome: green\n");
    assert!(
        digest
            .statements()
            .iter()
            .any(|told| told.text.contains("offer accepted")),
        "{digest:?}"
    );
}

#[test]
fn a_part_of_a_chinese_log_names_nothing() {
    for (heading, name) in [
        ("核心教训", None),
        ("执行原则", None),
        ("核心教训 [feedback]", Some("核心教训")),
        ("港口起重机", Some("港口起重机")),
    ] {
        assert_eq!(heading_name(heading).as_deref(), name, "{heading}");
    }
}
