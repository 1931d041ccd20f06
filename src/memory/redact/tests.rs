//! What must be hidden, what must stay, and what holds for any text.
//!
//! Secret-shaped strings are put together at run time, so that no scanner finds one here.

mod blocks;
mod kept;
mod keys;
mod labelled;
mod labels;
mod places;
mod shapes;

use std::borrow::Cow;

use proptest::prelude::*;

use super::{MARK, is_clean, redact};

/// Letters and digits without a system, the same ones each time.
fn random(alphabet: &str, length: usize) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state: u32 = 0x2545_f491;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        letters[state as usize % letters.len()]
    };
    (0..length).map(|_| next()).collect()
}

const MIXED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

fn mixed(length: usize) -> String {
    random(MIXED, length)
}

fn hex(length: usize) -> String {
    random(HEX, length)
}

/// Tokens that are secret wherever they stand.
fn known_shapes() -> Vec<(&'static str, String)> {
    let join = |parts: &[&str]| parts.concat();
    vec![
        ("AWS key id", join(&["AK", "IA", &random(UPPER, 16)])),
        ("AWS session key id", join(&["AS", "IA", &random(UPPER, 16)])),
        ("GitHub personal", join(&["gh", "p_", &mixed(36)])),
        ("GitHub OAuth", join(&["gh", "o_", &mixed(36)])),
        ("GitHub user", join(&["gh", "u_", &mixed(36)])),
        ("GitHub server", join(&["gh", "s_", &mixed(36)])),
        ("GitHub refresh", join(&["gh", "r_", &mixed(36)])),
        (
            "GitHub fine-grained",
            join(&["github", "_pat_", &mixed(22), "_", &mixed(59)]),
        ),
        ("GitLab", join(&["gl", "pat-", &mixed(20)])),
        ("OpenAI", join(&["s", "k-", &mixed(48)])),
        ("OpenAI, letters", join(&["s", "k-", &"a".repeat(40)])),
        (
            "OpenAI project",
            join(&["s", "k-proj-", &mixed(40), "_", &mixed(40)]),
        ),
        (
            "Anthropic",
            join(&["s", "k-ant-api03-", &mixed(40), "-", &mixed(30)]),
        ),
        ("OpenRouter", join(&["s", "k-or-v1-", &hex(64)])),
        (
            "Slack bot",
            join(&["xo", "xb-", "123456789012-1234567890123-", &mixed(24)]),
        ),
        ("Slack user", join(&["xo", "xp-", "123456789012-", &hex(32)])),
        ("Slack app", join(&["xa", "pp-1-A0", &mixed(30)])),
        (
            "Slack webhook",
            join(&[
                "https://hooks.slack",
                ".com/services/T0",
                &mixed(8),
                "/B0",
                &mixed(8),
                "/",
                &mixed(24),
            ]),
        ),
        (
            "Discord webhook",
            join(&[
                "https://discord.com/api/web",
                "hooks/123456789012345678/",
                &mixed(60),
            ]),
        ),
        ("Google API", join(&["AI", "za", &mixed(35)])),
        ("Google OAuth", join(&["ya", "29.", &mixed(60)])),
        ("Google client", join(&["GOC", "SPX-", &mixed(28)])),
        ("Stripe live", join(&["sk", "_live_", &mixed(24)])),
        ("Stripe restricted", join(&["rk", "_live_", &mixed(24)])),
        ("Stripe test", join(&["sk", "_test_", &mixed(24)])),
        ("npm", join(&["np", "m_", &mixed(36)])),
        ("PyPI", join(&["py", "pi-AgEIcHlwaS5vcmc", &mixed(60)])),
        (
            "JWT",
            join(&["ey", "J", &mixed(17), ".ey", "J", &mixed(40), ".", &mixed(43)]),
        ),
        ("Telegram", join(&["1234567890", ":AA", &mixed(33)])),
        ("Telegram, other start", join(&["123456789", ":", &mixed(35)])),
        (
            "Discord",
            join(&["MT", &mixed(22), ".", &mixed(6), ".", &mixed(38)]),
        ),
        ("Hugging Face", join(&["h", "f_", &mixed(34)])),
        ("SendGrid", join(&["S", "G.", &mixed(22), ".", &mixed(43)])),
        ("DigitalOcean", join(&["dop", "_v1_", &hex(64)])),
        ("Notion", join(&["nt", "n_", &mixed(46)])),
        ("Notion, old", join(&["secret", "_", &mixed(43)])),
        ("Vault", join(&["hv", "s.", &mixed(24)])),
        ("age", join(&["AGE-SECRET", "-KEY-1", &random(UPPER, 58)])),
        ("Groq", join(&["gs", "k_", &mixed(52)])),
        ("Shopify", join(&["shp", "at_", &hex(32)])),
    ]
}

/// `⟦…⟧` marks what must be hidden; everything around it must stay.
fn check(marked: &str) {
    let text = marked.replace(['⟦', '⟧'], "");
    let mut expected = String::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('⟦') {
        let (_, behind) = after.split_once('⟧').expect("a closing mark");
        expected.push_str(before);
        expected.push_str(MARK);
        rest = behind;
    }
    expected.push_str(rest);
    let redacted = redact(&text);
    assert_eq!(redacted, expected, "from {text:?}");
    assert_eq!(is_clean(&text), text == expected, "{text:?}");
    assert_eq!(redact(&redacted), expected, "twice");
}

#[test]
fn a_known_shape_is_hidden_in_any_place() {
    for (name, token) in known_shapes() {
        let kept_of_address = if token.starts_with("http") {
            &token[..token.len() - 40]
        } else {
            ""
        };
        for (before, after) in [
            ("", ""),
            ("the key is ", " and works"),
            ("`", "`"),
            ("- outcome: rotated **", "**, see the runbook"),
            ("\"", "\","),
            ("(", ")."),
            ("## token: ", " refactor [project]"),
            ("密钥是", "。"),
            ("| a | ", " | b |"),
            ("x=", "&y=1"),
        ] {
            let text = format!("one line\n{before}{token}{after}\nlast line\n");
            let redacted = redact(&text);
            let secret = &token[token.len() - 12..];
            assert!(!redacted.contains(secret), "{name} in {before:?}: {redacted}");
            assert!(
                redacted.contains(MARK) && redacted.starts_with("one line\n"),
                "{name}: {redacted}"
            );
            assert!(
                redacted.ends_with(&format!("{after}\nlast line\n")),
                "{name} in {before:?}: {redacted}"
            );
            assert!(
                redacted.contains(before.trim_end_matches("x=")),
                "{name} in {before:?}: {redacted}"
            );
            assert!(
                kept_of_address.len() < 20 || redacted.contains("https://"),
                "{name}: {redacted}"
            );
        }
    }
}

#[test]
fn a_twilio_key_needs_no_twilio() {
    let key = format!("S{}{}", "K", hex(32));
    check(&format!("use ⟦{key}⟧ there"));
}

#[test]
fn an_aws_secret_key_is_hidden_beside_its_id() {
    let id = format!("{}{}", "AK", format_args!("IA{}", random(UPPER, 16)));
    let secret = mixed(39) + "/";
    check(&format!("⟦{id}⟧ / ⟦{secret}⟧ for the bucket"));
    check(&format!("id,secret\n⟦{id}⟧,⟦{secret}⟧\n"));
    check(&format!("⟦{id}⟧\ncommit {}\n", hex(40)));
}

#[test]
fn the_password_of_an_address_is_hidden() {
    for marked in [
        "postgres://u:⟦p⟧@h",
        "postgres://user:⟦p@ss⟧@host:5432/db?x=1",
        "postgres://user:⟦p/w⟧@host/db",
        "redis://:⟦hunter2⟧@cache:6379",
        "[db](mongodb+srv://u:⟦hunter2⟧@h/x)",
        "https://git@github.com/a/b",
        "ssh://git@github.com/a/b",
        "https://medium.com/@someone",
        "http://localhost:3000/@someone",
        "postgres://user:$PASSWORD@host",
        "postgres://user:${PASSWORD}@host",
        "postgres://user:<password>@host",
        "postgres://user:****@host",
        "https://example.org:8080/a?b=c@d",
    ] {
        check(marked);
    }
}

#[test]
fn a_monstrous_line_is_read_in_linear_time() {
    let token_heads = [
        "eyJ",
        "password: \"",
        "password=",
        "token:",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "_eyJ",
        "curl",
        "key = '",
    ];
    for head in token_heads {
        let line = head.repeat(50_000 / head.len());
        assert!(is_clean(&redact(&line)), "{head}");
    }
}

fn prose() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "the",
        "cache",
        "密码",
        "password",
        "token",
        "\n",
        "\n\n",
        "- ",
        "## ",
        "key",
        ":",
        "=",
        "is",
        "\"",
        "`",
        "api",
        "**",
        "secret",
        "| ",
        "refactor",
        "2026-03-15",
        "ö",
        "→",
        "[x]",
        "> ",
        "'",
        "\\",
        "hunter2",
        "://",
        "@",
        "🙂",
        "pwd",
        "BEGIN ",
        "：",
        "（",
        "s",
        "_",
        "-",
        "--",
        "<",
        "/",
        ",",
        ";",
        "$",
        "{",
        "(",
        "bearer ",
        "name: ",
        "value: ",
        "|--|\n",
        "”",
        "curl -u ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY-----",
        "\\n",
        "eyJ",
        "sig=",
        "authorization",
        "é1",
        "\u{3000}",
    ]);
    (prop::collection::vec(words, 0..40), prop::bool::ANY)
        .prop_map(|(words, spaced)| words.join(if spaced { " " } else { "" }))
}

proptest! {
    #[test]
    fn any_text_is_clean_after_redaction(text in "(?s).{0,200}") {
        let redacted = redact(&text);
        prop_assert!(is_clean(&redacted));
        prop_assert_eq!(redact(&redacted), redacted.as_ref());
    }

    #[test]
    fn prose_is_clean_after_redaction(text in prose(), other in prose()) {
        let text = format!("{text}{other}");
        let redacted = redact(&text).into_owned();
        prop_assert!(is_clean(&redacted), "{redacted:?}");
        prop_assert_eq!(redact(&redacted), redacted.as_str());
    }

    #[test]
    fn a_planted_token_never_survives(before in prose(), after in prose(), which in 0..known_shapes().len()) {
        let (name, token) = known_shapes().swap_remove(which);
        let redacted = redact(&format!("{before} {token} {after}")).into_owned();
        prop_assert!(!redacted.contains(&token[token.len() - 12..]), "{name}: {redacted}");
    }

    #[test]
    fn a_text_without_a_beginning_is_borrowed(text in "[a-jA-J \n.,é中]{0,300}") {
        prop_assert!(matches!(redact(&text), Cow::Borrowed(_)), "{}", redact(&text));
    }
}
