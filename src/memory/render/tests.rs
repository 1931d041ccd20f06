//! What goes into a node and what must not.

use super::*;
use crate::memory::entry::digest;
use crate::memory::redact::is_clean;

mod late;
mod upper;

fn late<'a>(texts: &[&'a str]) -> Vec<Late<'a>> {
    let day = Day::parse("2026-03-10").unwrap();
    let unit = |text: &&'a str| Late {
        day,
        path: "memory/2026-03-10.md",
        text: Cow::Borrowed(text),
        digest: digest(text),
    };
    texts.iter().map(unit).collect()
}

#[test]
fn a_key_that_goes_on_in_the_next_late_paragraph_is_hidden_there_too() {
    let material = |seed: usize| -> String {
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..64).map(|at| char::from(letters[(at * 37 + seed * 11) % 64])).collect()
    };
    let first = format!(
        "deploy\n-----BEGIN {} KEY-----\n{}\n{}",
        "RSA PRIVATE",
        material(1),
        material(2)
    );
    let second = format!(
        "{}\n{}\n-----END {} KEY-----\nthe rest stays",
        material(3),
        material(4),
        "RSA PRIVATE"
    );
    let texts = without_secrets(&late(&[&first, &second]));
    for seed in 1..=4 {
        assert!(!texts.iter().any(|text| text.contains(&material(seed))), "{texts:?}");
    }
    assert!(
        texts[0].starts_with("deploy\n") && texts[1].ends_with("\nthe rest stays"),
        "{texts:?}"
    );
    assert!(is_clean(&texts.join("\n\n")));
}

#[test]
fn late_paragraphs_without_secrets_stay_as_they_are() {
    assert_eq!(without_secrets(&late(&["one\ntwo\n\n", "three"])), ["one\ntwo", "three"]);
}

#[test]
fn a_key_of_which_no_late_paragraph_alone_looks_like_one_is_hidden() {
    let first = format!("deploy\n-----BEGIN {} KEY-----", "RSA PRIVATE");
    let third = format!("c\n-----END {} KEY-----\nthe rest stays", "RSA PRIVATE");
    let texts = without_secrets(&late(&[&first, "abcdefgh", &third]));
    assert_eq!(
        texts,
        [
            "deploy\n[REDACTED]",
            "[REDACTED]",
            "[REDACTED]\n[REDACTED]\nthe rest stays"
        ]
    );
}
