//! What is shown of texts and names, and on which lines.

use super::*;
use crate::memory::text::line_count;

/// Something that looks like a token, and stands nowhere in the source as such.
fn token() -> String {
    format!("{}{}", "ghp_", "a1B2".repeat(9))
}

/// A private key in armour, of eight lines.
fn key() -> String {
    let line = "MIIEowIBAAKCAQEA7bq1nY2kP0sVx3Lw9uTz5c8RjHfG4dKm\n".repeat(6);
    let armour = |word: &str| format!("-----{word} RSA PRIVATE {}-----\n", "KEY");
    armour("BEGIN") + &line + &armour("END")
}

#[test]
fn every_line_stands_where_it_stood() {
    let secret = token();
    let whole = format!(
        "## Keys\nbefore {secret} behind\n\n{}\n## Key again\n{}{}last\n",
        key(),
        key(),
        key()
    );
    let shown = text(&whole);
    assert_eq!(line_count(&shown), line_count(&whole), "{shown}");
    for (at, line) in whole.lines().enumerate() {
        let shown = shown.lines().nth(at).unwrap();
        if ["##", "last"].iter().any(|start| line.starts_with(start)) {
            assert_eq!(shown, line);
        }
        assert!(!shown.contains("MIIE") && !shown.contains("a1B2"), "{shown}");
    }
    assert_eq!(lines(&shown, 1, 2), format!("before {MARK} behind\n"));
    assert_eq!(text(&shown), shown, "shown once more it is the same");
    let ends = format!("a\n{}", key());
    assert_eq!(text(&ends), format!("a\n{MARK}\n{}", "\n".repeat(7)));
}

#[test]
fn what_nobody_sees_hides_nothing() {
    let secret = token();
    for hidden in ["\u{200b}", "\u{ad}", "\u{202e}", "\u{1b}[31m", "\u{e0041}"] {
        let (start, end) = secret.split_at(8);
        for odd in [
            format!("x {hidden}{secret} y"),
            format!("x {start}{hidden}{end} y"),
        ] {
            assert_eq!(text(&odd), format!("x {MARK} y"), "{odd:?}");
        }
        assert_eq!(text(&format!("pl{hidden}ain\u{2028}text\n")), "plain text\n");
    }
    assert!(matches!(text("한국어\t👩‍👩‍👧 بی‌نام\n"), Cow::Borrowed(_)));
}

#[test]
fn a_unit_that_is_secret_in_its_log_alone_is_so_in_another_day_s_node_too() {
    let (id, companion) = (format!("AKIA{}", "Q7X2".repeat(4)), "wJalrXUtnF/EMIK7MD".repeat(2) + "NGbP");
    let late = format!("## Billing\n- companion {companion} stored\n- kept\n\n");
    let log = format!("## AWS\n- id {id}\n\n{late}## Keys\n- {}\n", token());
    assert_eq!(redact(&late), late, "by itself it does not show");
    let units = units(&log);
    let told = |text: &str| units[&entry::digest(text)].as_str();
    assert_eq!(told(&late), format!("## Billing\n{MARK}\n- kept\n"));
    let keys = format!("## Keys\n- {}\n", token());
    assert_eq!(told(&keys), keys, "what shows by itself is left to whoever carries it");
}

#[test]
fn a_name_keeps_folder_date_and_ending() {
    let secret = token();
    for (name, shown) in [
        ("memory/2026-01-20.md".to_owned(), "memory/2026-01-20.md"),
        ("memory/2026-01-20-shelf.md".to_owned(), "memory/2026-01-20-shelf.md"),
        (format!("memory/2026-01-20-{secret}.md"), "memory/2026-01-20-[REDACTED].md"),
        (format!("2026-01-20-a-{secret}"), "2026-01-20-a-[REDACTED]"),
        (format!("{secret}.md"), "[REDACTED].md"),
        ("2026-03-1é.md".to_owned(), "2026-03-1é.md"),
    ] {
        assert_eq!(path(&name), shown);
        assert_eq!(path(shown), shown);
    }
}
