//! Fields as agents write them.

use proptest::prelude::*;

use super::FieldName::*;
use super::*;

fn check(body: &str, expect: &[(FieldName, &str)]) {
    let found: Vec<_> = fields(body)
        .into_iter()
        .map(|field| (field.name, field.text))
        .collect();
    assert_eq!(found, expect, "{body}");
}

#[test]
fn list_items_are_fields_with_what_is_nested_in_them() {
    check(
        "- request: do it\n- analysis: thought\n- decisions: a\n- outcome: b\n- references: c.rs\n",
        &[
            (Request, "do it"),
            (Analysis, "thought"),
            (Decisions, "a"),
            (Outcome, "b"),
            (References, "c.rs"),
        ],
    );
    check(
        "- rule: r\n- why: w\n- how-to-apply: h\n",
        &[(Rule, "r"), (Why, "w"), (HowToApply, "h")],
    );
    check(
        "- Decisions:\n  - one\n  - why: nested\n\n  more\n- other\n- Outcome: x",
        &[(Decisions, "- one\n  - why: nested\n\n  more"), (Outcome, "x")],
    );
    check(
        "- decisions: one\nlazy line\n\nafter",
        &[(Decisions, "one\nlazy line")],
    );
    check("- decision: x\nOutcome: y\n", &[(Decisions, "x"), (Outcome, "y")]);
    check(
        "* **Decisions:** a\n* **Outcome**: b\n1. Next steps: c",
        &[(Decisions, "a"), (Outcome, "b"), (Open, "c")],
    );
    check(
        "- [x] Decision: a\n- ✅ Outcome: b\n",
        &[(Decisions, "a"), (Outcome, "b")],
    );
    check(
        "- decisions: a\n  ```\n- outcome: no\n  ```\n",
        &[(Decisions, "a\n  ```"), (Outcome, "no\n  ```")],
    );
    check(
        "- context: pre-compaction automatic snapshot\n- state:\n    # Working\n\n    ## Task\n",
        &[
            (Context, "pre-compaction automatic snapshot"),
            (State, "# Working\n\n    ## Task"),
        ],
    );
    check(
        "- decisions: a\n  ```\n  b\n  ```\nprose\n",
        &[(Decisions, "a\n  ```\n  b\n  ```")],
    );
    check("- no field: x\n- see https://example.org: y\n- 12:30: z\n", &[]);
}

#[test]
fn bold_labels_are_fields_to_the_next_label() {
    check(
        "**Decisions with rationale:** a\n\n- b\n- c\n\n**Outcome**: d\n",
        &[(Decisions, "a\n\n- b\n- c"), (Outcome, "d")],
    );
    check(
        "**背景:**\n文\n\n**決定事項：** 一\n\n---\nrest",
        &[(Context, "文"), (Decisions, "一")],
    );
    check(
        "**Decisions**\n- a\n\n**Anything else**\n- b\n",
        &[(Decisions, "- a")],
    );
    check("**Decisions** are hard to make.\n", &[]);
    check("__Why__ — because\n", &[(Why, "because")]);
    check(
        "**Decisions:** a\n```\n**Outcome:** no\n```\n",
        &[(Decisions, "a\n```\n**Outcome:** no\n```")],
    );
    check("> **Decisions:** quoted\n", &[]);
    check(
        &format!(
            "**Decisions:** a\n**{}:** b\n",
            "long label ".repeat(11).trim_end()
        ),
        &[(Decisions, "a")],
    );
}

#[test]
fn sub_headings_are_fields_to_the_next_heading() {
    check(
        "### Decisions\n- a\n\n### Notes\nb\n### 🎯 Outcome:\nc\n",
        &[(Decisions, "- a"), (Outcome, "c")],
    );
    check(
        "### Decisions\n#### first\na\n### x\n",
        &[(Decisions, "#### first\na")],
    );
    check("### Decisions\n#### Why\na\n", &[(Decisions, ""), (Why, "a")]);
    check(
        "### Decisions\n**some** text\n**Label:** x\n- item\n- why: y",
        &[(Decisions, "**some** text\n**Label:** x\n- item"), (Why, "y")],
    );
    check("Lessons learned\n---\na\n", &[(Lessons, "a")]);
}

#[test]
fn plain_labels_are_fields_of_a_paragraph() {
    check(
        "Decision: use x\nand y\n\nprose\n",
        &[(Decisions, "use x\nand y")],
    );
    check("Next steps:\n\n- a\n- b\n\n**Other:** c", &[(Open, "- a\n- b")]);
    check("It was a decision: x\n", &[]);
    check("", &[]);
}

#[test]
fn labels_are_known_in_every_language() {
    for (label, name) in [
        ("decision", Decisions),
        ("Key Decisions", Decisions),
        ("Decisions Made Today", Decisions),
        ("Outcome of today", Outcome),
        ("The outcome so far", Outcome),
        (
            &format!("Decisions ({})", "x".repeat(LABEL_BYTES_MAX - 12)),
            Decisions,
        ),
        ("Decisions (final)", Decisions),
        ("Decisions & Rationale", Decisions),
        ("User's request", Request),
        ("How to apply", HowToApply),
        ("how_to_apply", HowToApply),
        ("Tasks Completed", Tasks),
        ("Open Items", Open),
        ("TODO", Open),
        ("Lessons & Patterns", Lessons),
        ("결정 사항", Decisions),
        ("적용 방법", HowToApply),
        ("决定", Decisions),
        ("經驗教訓", Lessons),
        ("次のステップ", Open),
        ("背景", Context),
        ("理由", Why),
        ("Решения", Decisions),
        ("Entscheidungen", Decisions),
        ("DÉCISIONS", Decisions),
        ("Próximos pasos", Open),
        ("Decisões", Decisions),
        ("Quyết định", Decisions),
        ("القرارات", Decisions),
        ("החלטות", Decisions),
        ("การตัดสินใจ", Decisions),
    ] {
        assert_eq!(FieldName::read(label), Some(name), "{label}");
    }
    for label in [
        "",
        "note",
        "decisive",
        "user",
        "key",
        "the why not of it",
        &"decisions ".repeat(20),
        &format!("Decisions ({})", "x".repeat(LABEL_BYTES_MAX - 11)),
    ] {
        assert_eq!(FieldName::read(label), None, "{label}");
    }
    for name in FieldName::ALL {
        assert_eq!(FieldName::read(name.word()), Some(name));
        assert_eq!(name.to_string(), name.word());
    }
}

proptest! {
    #[test]
    fn any_body_is_read(pieces in proptest::collection::vec(proptest::sample::select(&[
        "- ", "decisions", ": ", "\n", "\n", "**", "### ", "Why", "x", "```", "  ", "> ", "：", "决定",
        "__", "---", "é", "[",
    ][..]), 0..30)) {
        let body = pieces.concat();
        let mut end = 0;
        for field in fields(&body) {
            let start = field.text.as_ptr() as usize - body.as_ptr() as usize;
            prop_assert!(start >= end);
            end = start + field.text.len();
        }
    }

    #[test]
    fn no_text_makes_it_fail(body in any::<String>()) {
        let _ = fields(&body);
    }
}

#[test]
fn hostile_bodies_take_linear_time() {
    for unit in [
        "- ",
        "- a: b\n",
        "**",
        "**a:** b\n",
        "### Decisions\n",
        "decisions:\n",
        "- decisions:\n  ",
        ":",
        "decisions: ",
    ] {
        let _ = fields(&unit.repeat(500_000 / unit.len()));
    }
}
