//! What holds for any text at all.

use proptest::prelude::*;

use super::{texts, untagged};
use crate::memory::fact::{ENTITIES_MAX, FACTS_MAX, KEYWORDS_MAX, REFERENCES_MAX, Sort, read};

/// Lines as they come in logs, with the pieces that steer the reader in random places.
fn any_body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("- ".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("**Decisions:** ".to_owned()),
        Just("### Next steps\n".to_owned()),
        Just("- [ ] ".to_owned()),
        Just("| a | status |\n|---|---|\n| b | done |\n".to_owned()),
        Just("User: ".to_owned()),
        Just("Assistant: ".to_owned()),
        Just("```\n".to_owned()),
        Just("<!-- ".to_owned()),
        Just("[[x](".to_owned()),
        Just("decided on 决定了 完了 완료했다 готово تم ตัดสินใจ ".to_owned()),
        Just("https://a.b/c#".to_owned()),
        Just("src/a.rs:".to_owned()),
        Just("Dr. O’Neil's ".to_owned()),
        "\\PC{0,12}",
        "[a-zA-Z0-9 .,'*_`/#@:-]{0,40}",
        "[가-힣一-龥ぁ-んァ-ンก-๛ ]{0,20}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_is_read_within_bounds_and_always_alike(heading in "\\PC{0,20}", body in any_body()) {
        let reading = read(&heading, None, &body);
        prop_assert_eq!(&reading, &read(&heading, None, &body));
        prop_assert!(reading.facts.len() <= FACTS_MAX);
        prop_assert!(reading.keywords.len() <= KEYWORDS_MAX);
        prop_assert!(reading.references.len() <= REFERENCES_MAX);
        prop_assert!(reading.entities.len() <= ENTITIES_MAX);
        let lines = reading.facts.iter().map(|fact| &fact.text).chain(&reading.state).chain(&reading.label);
        for line in lines {
            prop_assert!(line.chars().count() <= 160, "{}", line);
            prop_assert!(!line.contains('\n'));
            prop_assert!(!line.is_empty());
        }
        for keyword in &reading.keywords {
            prop_assert!(!keyword.contains('\n') && !keyword.trim().is_empty());
        }
    }
}

#[test]
fn one_endless_line_is_read_in_pieces() {
    let mut body = "- ".to_owned() + &"Grafana shows latency on checkout. ".repeat(8000);
    body.push_str("We decided to shard the queue by tenant.\n");
    let reading = untagged("Worker", &body);
    assert_eq!(texts(&reading, Sort::Decision), ["shard the queue by tenant"]);
    for piece in [
        "<!--\n",
        "```\n~~~\n",
        "a.",
        "a/",
        "**a",
        "[[a](",
        "#1 ",
        "Aa Bb ",
        "数",
        "ก",
        "가",
    ] {
        let reading = untagged("Worker", &piece.repeat(30_000));
        assert!(reading.facts.is_empty(), "{piece}");
    }
}
