//! A label and its value, where they stand apart or stand in a heading, a signed address, a phrase.

use super::super::{merged, whole_lines};
use super::{check, hex, mixed};

#[test]
fn a_heading_has_a_topic_and_no_value() {
    for marked in [
        "## DB_PASSWORD: hunter2",
        "# password=hunter2",
        "# DB_PASSWORD=⟦hunter2⟧",
        "#password: ⟦hunter2⟧",
        "####### password: ⟦hunter2⟧",
        "## password: ⟦a1b2c3d4e5f6⟧",
    ] {
        check(marked);
    }
    check(&format!("## private key: ⟦0x{}⟧", hex(64)));
    check(&format!("## transaction: 0x{}", hex(64)));
}

#[test]
fn a_value_may_stand_on_a_line_after_its_label() {
    for marked in [
        "**Password:**\n⟦hunter2⟧\n",
        "Password: \n⟦hunter2⟧\n",
        "密码：\n⟦hunter2⟧\n",
        "Password:\n\n⟦hunter2⟧\n",
        "Password:\n> ⟦hunter2⟧\n",
        "Password:\n- `⟦hunter2⟧`\n",
        "Password:\n* **⟦hunter2⟧**\n",
        "Password:\n```text\n⟦hunter2⟧\n```\n",
        "Password:\n\n\n\nhunter2\n",
        "Password:\nhunter2 and more\n",
        "Password:\nuser=hunter2\n",
        "Token:\nhunter2\n",
        "Token:\n⟦a1b2c3d4e5f6⟧\n",
    ] {
        check(marked);
    }
}

#[test]
fn a_value_may_stand_beside_its_name() {
    for marked in [
        "- name: DB_PASSWORD\n  value: ⟦hunter2⟧\n",
        "{\"name\": \"DB_PASSWORD\",\n \"value\": \"⟦hunter2⟧\"}",
        "key: DB_PASSWORD\nvalue: ⟦hunter2⟧",
        "- name: password\n  value: ⟦hunter2⟧\n",
        "- env: DB_PASSWORD\n  value: hunter2\n",
        "- name: DB_PASSWORD of mine\n  value: hunter2\n",
        "- name: DB_PASSWORD\n  other: hunter2\n",
        "- name: DB_PASSWORD",
        "- name: DB_PASSWORD\n",
    ] {
        check(marked);
    }
}

#[test]
fn a_value_is_told_from_its_type_and_from_what_follows() {
    for marked in [
        "password: str = \"⟦hunter2⟧\"",
        "password: Option<String> = '⟦hunter2⟧'",
        "password: str = hunter2",
        "password: f(x) = \"hunter2\"",
        "<password>⟦1⟧</password>",
        "password:hunter more",
        "password:=⟦hunter⟧ more",
        "password=⟦hunter⟧ more",
        "password: <12345678",
        "ID/PW: ⟦admin / Admin@123⟧ / x",
    ] {
        check(marked);
    }
}

#[test]
fn a_passphrase_is_plain_words_and_no_sentence() {
    for marked in [
        "passphrase: ⟦correct horse battery staple 42⟧",
        "passphrase: Foo-1 bar-2 baz-3 qux-4",
        "passphrase: as it is so correct horse battery staple",
        "passphrase: correct horse battery stapling-x",
        "passphrase: correct horse battery",
    ] {
        check(marked);
    }
}

#[test]
fn the_signature_of_an_address_is_long_and_mixed() {
    let twenty = "a1b2c3d4e5f6a1b2c3d4";
    check(&format!("https://x/y?a=b&sig=⟦{twenty}⟧&se=2"));
    check(&format!("https://x/y?sig=⟦{twenty}⟧"));
    for value in [&twenty[1..], "abcdefghijklmnopqrst", "12345678901234567890"] {
        check(&format!("https://x/y?sig={value}&se=2"));
    }
    check(&format!("let sig={twenty};"));
}

#[test]
fn a_seed_phrase_ends_with_its_last_word() {
    let eleven = "legal winner thank year wave sausage worth useful legal winner thank";
    check(&format!(
        "seed phrase: ⟦{eleven} yellow⟧, kept by bob and by nobody else"
    ));
    check(&format!("seed phrase: ⟦{eleven} yellow⟧ 1 or"));
    check(&format!("seed phrase: {eleven}, kept by bob"));
}

#[test]
fn a_column_below_a_secret_heading_is_hidden_in_every_row() {
    let prose = "Words that stand before. ".repeat(120);
    for marked in [
        "| user | password |\n|---|---|\n| bob | ⟦hunter2⟧\n| al | ⟦hunter3⟧ |",
        "| password | api key |\n|---|---|\n| ⟦hunter2⟧ | ⟦a1b2c3d4e5f6⟧ |\n",
        // A row that looks like a head is none.
        "| service | password |\n|---|---|\n| db | ⟦hunter2⟧ |\n| password | token |\n|---|---|\n| zeta9x1 | y |",
        // A second table.
        "| user | password |\n|---|---|\n| bob | ⟦hunter2⟧ |\n\n| password | user |\n|---|---|\n| ⟦hunter3⟧ | bob |",
        // No tables.
        "user | password |\n|---|---|\n| ⟦hunter2x⟧ | y |",
        "| user | password |\n| bob | x |\n| al | hunter2x |",
        "| user | password |\n|  |  |\n| al | hunter2x |",
        "| user | password |\n|--| x |\n| al | hunter2x |",
        "| user | password rules |\n|---|---|\n| al | hunter2x |",
    ] {
        check(marked);
        check(&format!("{prose}\n{marked}"));
    }
}

#[test]
fn the_head_of_a_table_has_a_longest_length() {
    for (length, hidden) in [(2048, true), (2049, false)] {
        let head = format!("| password | {} |", "x".repeat(length - 15));
        assert_eq!(head.len(), length);
        let (open, close) = if hidden { ("⟦", "⟧") } else { ("", "") };
        check(&format!("a\n{head}\n|---|---|\n| {open}hunter2{close} | y |\n"));
    }
}

#[test]
fn spans_are_joined_where_they_overlap_and_widened_to_their_lines() {
    let sorted = |spans: [(usize, usize); 3]| {
        merged(spans.map(|(start, end)| start..end).to_vec())
            .into_iter()
            .map(|span| (span.start, span.end))
            .collect::<Vec<_>>()
    };
    assert_eq!(sorted([(3, 5), (0, 3), (8, 9)]), [(0, 3), (3, 5), (8, 9)]);
    assert_eq!(sorted([(3, 5), (0, 4), (1, 2)]), [(0, 5)]);
    let text = "ab\ncd\nef\ngh";
    assert_eq!(whole_lines(text, &(4..5)), 3..5);
    assert_eq!(whole_lines(text, &(4..7)), 3..8);
    assert_eq!(whole_lines(text, &(0..1)), 0..2);
    assert_eq!(whole_lines(text, &(10..11)), 9..11);
    check(&format!("a {0}\n{0} b", mixed(5)));
}
