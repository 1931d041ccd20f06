//! What a word announces, with the letters around it taken into account.

use super::super::lines::Line;
use super::super::values::Trust;
use super::super::words::{Word, label};
use super::check;

/// The label at `word` in `text`: how far it is trusted, its text up to its end, and whether it is part of an identifier.
fn told<'a>(text: &'a str, word: &str, kind: Word) -> Option<(&'static str, &'a str, bool)> {
    let start = text.find(word).expect("the word is in the text");
    let line = Line::at(text, start);
    let found = label(text, &line, &(start..start + word.len()), kind)?;
    let trust = match found.trust {
        Trust::Password => "password",
        Trust::Strong => "strong",
        Trust::Secret => "secret",
        Trust::Random => "random",
    };
    Some((trust, &text[start..found.end], found.identifier))
}

#[test]
fn a_password_keeps_its_endings() {
    let password = |text| told(text, "word", Word::Password);
    for (text, label, identifier) in [
        ("word: x", "word", false),
        ("my_word: x", "word", true),
        ("my-word: x", "word", true),
        ("myword: x", "word", true),
        ("word(s): x", "word(s)", false),
        ("word 1: x", "word 1", false),
        ("word 12: x", "word", false),
        ("word2=x", "word2", false),
        ("word_12=x", "word_12", false),
        ("word-123=x", "word-123", false),
        ("word_1234=x", "word", false),
        ("word_prod=x", "word_prod", false),
        ("word-STAGING=x", "word-STAGING", false),
        ("wordprod=x", "wordprod", false),
        ("word_prod_x=y", "word", false),
        ("word_product=y", "word", false),
        ("word_other=y", "word", false),
        ("wordsmith: x", "word", false),
    ] {
        assert_eq!(password(text), Some(("password", label, identifier)), "{text}");
    }
    assert_eq!(password("words: x"), Some(("strong", "words", false)));
    assert_eq!(password("wordS_2: x"), Some(("strong", "wordS_2", false)));
    assert_eq!(password("word_hash: x"), Some(("random", "word_hash", false)));
}

#[test]
fn a_short_password_stands_alone() {
    let short = |text, word| told(text, word, Word::ShortPassword);
    assert_eq!(short("pw: x", "pw:"), Some(("password", "pw", false)));
    assert_eq!(short("db_pw=x", "pw="), Some(("password", "pw", true)));
    assert_eq!(short("mypw: x", "pw:"), None);
    assert_eq!(short("épw: x", "pw:"), None);
}

#[test]
fn pass_counts_at_the_start_of_a_statement_and_inside_an_identifier() {
    let pass = |text| told(text, "pass", Word::Pass);
    assert_eq!(pass("passphrase: x"), Some(("password", "passphrase", false)));
    assert_eq!(pass("mot de passe : x"), Some(("password", "passe", false)));
    assert_eq!(pass("mot de pass : x"), None);
    assert_eq!(pass("la passe : x"), None);
    assert_eq!(pass("  pass: x"), Some(("strong", "pass", false)));
    assert_eq!(pass("bob, pass: x"), Some(("strong", "pass", false)));
    assert_eq!(pass("tests pass: x"), None);
    assert_eq!(pass("passed: x"), None);
    assert_eq!(pass("pass: true"), None);
    assert_eq!(pass("db_pass: x"), Some(("password", "pass", true)));
    assert_eq!(pass("db-pass: x"), Some(("strong", "pass", true)));
    assert_eq!(pass("dbpass: x"), Some(("strong", "pass", true)));
    assert_eq!(pass("compass: x"), None);
    check("const dbPass = ⟦hunter2⟧");
}

#[test]
fn a_secret_in_another_script_keeps_the_rest_of_its_word() {
    let secret = |text, word| told(text, word, Word::Secret);
    assert_eq!(secret("ключи: x", "ключ"), Some(("secret", "ключи", false)));
    assert_eq!(secret("ключ: x", "ключ"), Some(("secret", "ключ", false)));
    assert_eq!(secret("secrets: x", "secret"), Some(("secret", "secrets", false)));
    check("ключи: ⟦a1b2c3d4e5f6⟧");
}

#[test]
fn a_token_in_capitals_inside_an_identifier_is_a_secret() {
    let token = |text, word| told(text, word, Word::Token);
    assert_eq!(token("GITHUB_TOKEN=x", "TOKEN"), Some(("secret", "TOKEN", true)));
    assert_eq!(token("TOKEN=x", "TOKEN"), Some(("random", "TOKEN", false)));
    assert_eq!(token("github_token=x", "token"), Some(("random", "token", true)));
    assert_eq!(token("tokens=x", "token"), Some(("random", "token", false)));
}

#[test]
fn a_key_says_what_for() {
    let key = |text| told(text, "key", Word::Key);
    for text in [
        "api_key: x",
        "api-key: x",
        "api.key: x",
        "apikey: x",
        "api\tkey: x",
    ] {
        assert_eq!(key(text), Some(("secret", "key", true)), "{text}");
    }
    assert_eq!(key("the api key: x"), Some(("secret", "key", false)));
    assert_eq!(key("foo_key: x"), None);
    assert_eq!(key("key: x"), None);
    assert_eq!(key("STRIPE key: x"), None);
    for text in ["STRIPE_KEY=x", "S3_KEY=x"] {
        assert_eq!(
            told(text, "KEY", Word::Key),
            Some(("random", "KEY", true)),
            "{text}"
        );
    }
}
