//! Tokens at the bounds of their lengths, and what only resembles them.

use super::{UPPER, check, hex, mixed, random};

/// Letters and digits in a short, regular change: alike in every part.
fn regular(length: usize) -> String {
    "Ab1x".chars().cycle().take(length).collect()
}

#[test]
fn a_token_has_its_length_and_ends_before_a_sentence_does() {
    for (head, tail, length) in [
        ("gh", "p_", 30),
        ("gl", "pat-", 18),
        ("s", "k-", 20),
        ("ya", "29.", 20),
        ("wh", "sec_", 20),
    ] {
        let token = |length| format!("{head}{tail}{}", regular(length));
        check(&format!("a ⟦{}⟧ b", token(length)));
        check(&format!("a {} b", token(length - 1)));
        if head.len() + tail.len() > 3 {
            check(&format!("a x⟦{}⟧ b", token(length)));
        } else {
            check(&format!("a x{} b", token(length)));
        }
        check(&format!("a ⟦{}⟧. b", token(length)));
    }
    check(&format!("a ⟦gl{}⟧--", format_args!("pat-{}", regular(20))));
    check(&format!("a ⟦ya{}⟧..", format_args!("29.{}", regular(20))));
    check(&format!("a ⟦gl{}⟧, b", format_args!("pat-{}", regular(300))));
}

#[test]
fn words_behind_a_prefix_are_no_token() {
    check("use sk-learn-style-estimators-everywhere in it");
    check("xapp-your-app-token-here-please-now");
    check("sk-your1-long-token-here-please");
    check(&format!("⟦s{}⟧", format_args!("k-proj-{}", "abcdefgh".repeat(3))));
    check(&format!("s{}", format_args!("k-proj-{}-abc", "abcdefghijklmno")));
}

#[test]
fn a_twilio_key_stands_alone_and_has_its_length() {
    let key = |length: usize| format!("S{}{}", "K", hex(length));
    let far = "It is a long way from the name to the one, and it may stand again: ";
    check(&format!("Twilio. {far}⟦{}⟧ and ⟦{}⟧", key(32), key(32)));
    check(&format!("⟦{}⟧ is Twilio's", key(32)));
    for (before, length, after) in [
        ("", 31, ""),
        ("", 33, ""),
        ("x", 32, ""),
        ("", 32, "_"),
        ("", 32, "g"),
        ("", 31, "g"),
    ] {
        check(&format!("Twilio. {far}{before}{}{after} and", key(length)));
    }
}

#[test]
fn a_bot_token_of_telegram_is_a_number_and_35_signs_or_so() {
    for (digits, length, secret) in [
        (8, 35, true),
        (12, 35, true),
        (7, 35, false),
        (13, 35, false),
        (9, 33, true),
        (9, 46, true),
        (9, 32, false),
        (9, 47, false),
    ] {
        let token = format!("{}:{}", "9".repeat(digits), regular(length));
        let (open, close) = if secret { ("⟦", "⟧") } else { ("", "") };
        check(&format!("the bot {open}{token}{close} writes"));
    }
    check(&format!("at 123456789:{} it ran", "1".repeat(35)));
}

#[test]
fn a_bot_token_of_discord_has_three_parts() {
    for (first, head, middle, tail, secret) in [
        ("M", 23, "Ab1x-_", 27, true),
        ("N", 32, "Ab1xAb", 38, true),
        ("O", 24, "Ab1xAb", 27, true),
        ("P", 24, "Ab1xAb", 38, false),
        ("M", 22, "Ab1xAb", 38, false),
        ("M", 33, "Ab1xAb", 38, false),
        ("M", 24, "Ab1xAb", 26, false),
        ("M", 24, "Ab xAb", 38, false),
        ("M", 24, "Ab1xA", 38, false),
    ] {
        let token = format!("{first}{}.{middle}.{}", regular(head - 1), regular(tail));
        let (open, close) = if secret { ("⟦", "⟧") } else { ("", "") };
        check(&format!("the bot {open}{token}{close}, see"));
    }
}

fn aws_id(length: usize) -> String {
    format!("A{}{}", "KIA", random(UPPER, length))
}

#[test]
fn an_aws_key_id_stands_alone_and_has_its_length() {
    check(&format!("⟦{}⟧", aws_id(16)));
    check(&format!("id=⟦{}⟧,", aws_id(16)));
    check(&format!("x{}", aws_id(16)));
    check(&format!("{}a", aws_id(16)));
    check(&aws_id(15));
    check(&aws_id(17));
}

#[test]
fn an_aws_secret_is_looked_for_near_its_id_and_only_whole() {
    let id = aws_id(16);
    let secret = mixed(40);
    check(&format!("⟦{secret}⟧ ⟦{id}⟧"));
    check(&format!("⟦{id}⟧ ⟦{secret}⟧"));
    check(&format!("⟦{id}⟧{}⟦{secret}⟧.", " ".repeat(359)));
    check(&format!("a{}⟦{secret}⟧{}⟦{id}⟧", " ".repeat(9), " ".repeat(159)));
    // Further away, and what reaches further away, belongs to something else.
    check(&format!("⟦{id}⟧{}{secret}", " ".repeat(370)));
    check(&format!("⟦{id}⟧{}{secret} b", " ".repeat(500)));
    check(&format!("{secret}{}⟦{id}⟧", " ".repeat(170)));
    // A longer run whose part within reach has just that length.
    check(&format!("⟦{id}⟧{}{} b", " ".repeat(360), mixed(100)));
    check(&format!("{}{}⟦{id}⟧", mixed(100), " ".repeat(160)));
    check(&format!("⟦{id}⟧ {} {}", mixed(39), mixed(41)));
}

fn jwt(header: usize, rest: &str) -> String {
    format!("e{}{}.{rest}", "yJ", regular(header - 3))
}

#[test]
fn a_web_token_has_a_header_and_a_payload_and_mostly_a_signature() {
    let inner = format!("e{}{}", "yJ", regular(7));
    for (token, after) in [
        (jwt(8, "abcde.s1"), " b"),
        (jwt(20, &inner), ", b"),
        (jwt(20, "abcdef.s-_1"), ""),
        (jwt(20, "abcdef.s1.more"), ""),
        (jwt(20, "abcdef.s1"), ". Next"),
        (jwt(20, "abcdef.s1"), ".."),
    ] {
        check(&format!("a ⟦{token}⟧{after}"));
    }
    for token in [
        jwt(7, "abcde.s1"),
        jwt(20, "abcd.s1"),
        jwt(20, "abcdef"),
        jwt(20, "abcdef. Next"),
        jwt(20, "abcdef."),
        jwt(8, "abcde.s1").replace('.', ","),
    ] {
        check(&format!("a {token} b"));
        check(&format!("a {token}"));
    }
    check(&format!("a x{}", jwt(8, "abcde.s1")));
}

#[test]
fn a_key_of_send_grid_has_two_parts() {
    let key = |first, sign: &str, second| format!("S{}{}{sign}{}", "G.", regular(first), regular(second));
    check(&format!("a ⟦{}⟧ b", key(16, ".", 16)));
    check(&format!("a ⟦{}⟧ b", key(22, ".", 43)));
    for key in [
        key(15, ".", 16),
        key(16, ".", 15),
        key(20, ",", 40),
        key(41, ".", 20),
    ] {
        check(&format!("a {key} b"));
    }
}

#[test]
fn a_token_of_slack_has_a_kind_and_a_body() {
    let token = |kind: &str, body: &str| format!("xo{}{kind}{body}", "x");
    let long = "abcdefghijklmnopqrstuvwx";
    for token in [
        token("b-", "abcdefghi1"),
        token("b-", long),
        token("e.", &token("p-1-", &regular(20))),
        token("e-1-", &regular(20)),
    ] {
        check(&format!("a ⟦{token}⟧, b"));
    }
    for token in [
        token("b-", "abcdefgh1"),
        token("b-", &long[1..]),
        token("B-", "abcdefghi1"),
        token("b_", "abcdefghi1"),
    ] {
        check(&format!("a {token}, b"));
    }
}
