//! Secrets without a name: in addresses, headers and commands.

use super::{check, mixed};

#[test]
fn a_webhook_keeps_its_service() {
    let (first, last) = (mixed(8), mixed(24));
    check(&format!(
        "https://hooks.slack{}⟦T0{first}/B0{first}/{last}⟧, b",
        ".com/services/"
    ));
    check(&format!("hooks.slack{}⟦{}⟧ b", ".com/services/", mixed(16)));
    check(&format!("hooks.slack{}{} b", ".com/services/", mixed(15)));
    check(&format!(
        "https://discord.com/api/web{}⟦12345/{last}⟧ b",
        "hooks/"
    ));
    check(&format!("https://example.com/api/web{}1234a/{last} b", "hooks/"));
}

#[test]
fn only_what_is_secret_of_an_address_is_hidden() {
    let twenty = "abcdefghijklmnopqrst";
    for marked in [
        "https://x1.com said bob@example.com",
        "https://⟦a1b2c3d4e5f6:x-oauth-basic⟧@github.com/a",
        "https://bob:⟦hunter2⟧@host:8080/a",
        "https://bob:@host",
        "ssh://git@github.com:22/a",
        "ssh://git@[::1]:22/a",
        "ftp://somebody@host/a",
        "ftp://abcdef1@host/a",
        "ftp://⟦abcdefg1⟧@host/a",
        "ftp://12345678@host/a",
        "http://[::1]:8080/a@b",
        "see ://bob:hunter2@host",
    ] {
        check(marked);
    }
    check(&format!("ftp://⟦{twenty}⟧@host/a"));
    check(&format!("ftp://{}@host/a", &twenty[1..]));
    check(&format!("ftp://{}-{}@host/a", &twenty[10..], &twenty[10..]));
}

#[test]
fn an_authorization_is_judged_by_its_scheme() {
    for marked in [
        "Authorization: Basic ⟦dX1lcj⟧",
        "Authorization: Basic dX1=",
        "Authorization: Basic authentication",
        "Authorization: JWT ⟦abcde1⟧",
        "Authorization: JWT abcd1",
        "Authorization: JWT abcdef",
        "Authorization: JWT ⟦aBcDefghijklmnop⟧",
        "Authorization: JWT aBcDefghijklmno",
        "Authorization: JWT abcdefghijklmnop",
        "Authorization: JWT ⟦abcdefghijklmnopqrstuvwx⟧",
        "Authorization: JWT abcdefghijklmnopqrstuvw",
        "Authorization: JWT your_key_123",
        "Authorization: ⟦a1b2c3d4e5f6⟧",
        "Authorization: abcdefghijkl",
    ] {
        check(marked);
    }
}

#[test]
fn a_bearer_is_told_from_talk_of_one() {
    for marked in [
        "bearer ⟦abcdefghijk1⟧",
        "bearer abcdefghij1",
        "bearer abcdefghijkl",
        "bearer 123456789012",
        "bearerabcdefghijk1",
        "bearer ⟦aBcDefghijklmnopqrst⟧.",
        "bearer aBcDefghijklmnopqrs",
        "bearer abcdefghijklmnopqrst",
        "bearer ⟦abcdefghijklmnopqrstuvwxyzabcdef⟧",
        "bearer abcdefghijklmnopqrstuvwxyzabcde",
        "bearer abcdefghijklmnop-rstuvwxyzabcdef",
    ] {
        check(marked);
    }
}

#[test]
fn the_user_of_a_curl_command_is_found_within_it() {
    check("curl -s -u bob:⟦hunter2⟧ https://example.org");
    check("curl -sS --user \"bob:⟦hunter2⟧\" https://example.org");
    check("curl -s -u bob https://example.org");
    check(&format!("curl {}-u bob:⟦hunter2⟧", "x ".repeat(200)));
    check(&format!("curl {}-u bob:hunter2", "x ".repeat(600)));
}
