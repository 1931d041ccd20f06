//! Private keys in armour, and what only looks like one.

use super::super::{MARK, is_clean, redact};
use super::{hex, mixed};

fn armour(kind: &str, edge: &str) -> String {
    format!("-----{edge} {kind}-----")
}

#[test]
fn a_private_key_becomes_one_mark() {
    let rows = [mixed(64), mixed(64), mixed(20) + "=="];
    for kind in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
    ] {
        let (begin, end) = (armour(kind, "BEGIN"), armour(kind, "END"));
        for prefix in ["", "    ", "\t", "> ", "> > ", "  > "] {
            let block: Vec<String> = std::iter::once(&begin)
                .chain(&rows)
                .chain([&end])
                .map(|row| format!("{prefix}{row}"))
                .collect();
            let text = format!("before\n{}\nafter\n", block.join("\n"));
            assert_eq!(
                redact(&text),
                format!("before\n{prefix}{MARK}\nafter\n"),
                "{kind}"
            );
            let cut = format!("before\n{}\n\nSome words after it.\n", block[..4].join("\n"));
            assert_eq!(
                redact(&cut),
                format!("before\n{prefix}{MARK}\n\nSome words after it.\n"),
                "{kind} cut off"
            );
        }
        let escaped = format!("{begin}\\n{}\\n{end}\\n", rows.join("\\n"));
        assert_eq!(
            redact(&format!("{{\"key\": \"{escaped}\", \"a\": 1}}")),
            format!("{{\"key\": \"{MARK}\\n\", \"a\": 1}}")
        );
        let unclosed = format!("{begin}\\n{}", rows.join("\\n"));
        assert_eq!(
            redact(&format!("{{\"key\": \"{unclosed}\", \"a\": 1}}")),
            format!("{{\"key\": \"{MARK}\", \"a\": 1}}")
        );
    }
}

#[test]
fn a_private_key_goes_whole_whatever_stands_behind_its_first_line() {
    let kind = "RSA PRIVATE KEY";
    let (begin, end) = (armour(kind, "BEGIN"), armour(kind, "END"));
    let rows = format!("{}\n{}\n{}==", mixed(64), mixed(64), mixed(20));
    for behind in [
        " (staging)",
        " # of the old server",
        " <- this one",
        &format!(" {}", mixed(64)),
        &mixed(20),
    ] {
        let text = format!("a\n{begin}{behind}\n{rows}\n{end}\nb");
        assert_eq!(redact(&text), format!("a\n{MARK}\nb"), "{behind}");
        let cut = format!("a\n{begin}{behind}\n{rows}\n\nWords behind it.");
        assert_eq!(
            redact(&cut),
            format!("a\n{MARK}\n\nWords behind it."),
            "{behind}, cut off"
        );
    }
    let encrypted = format!("{begin} (old)\nProc-Type: 4,ENCRYPTED\n\n{rows}\n{end}\nb");
    assert_eq!(redact(&encrypted), format!("{MARK}\nb"));
    for talk in [
        "It is 1,700 characters long.",
        &hex(64),
        "done",
        "memory/2026-03-15.md",
    ] {
        let text = format!("the {begin} line starts a key\n{talk}\n");
        assert!(is_clean(&text), "{}", redact(&text));
    }
}

#[test]
fn armour_of_other_tools_becomes_one_mark() {
    let rows = format!("Version: GnuPG v2\n\n{}\n{}\n=aB3d", mixed(64), mixed(30));
    let kind = "PGP PRIVATE KEY BLOCK";
    let text = format!("a\n{}\n{rows}\n{}\nb", armour(kind, "BEGIN"), armour(kind, "END"));
    assert_eq!(redact(&text), format!("a\n{MARK}\nb"));
    let text = format!("a\n{}\n{rows}\n\nWords.", armour(kind, "BEGIN"));
    assert_eq!(redact(&text), format!("a\n{MARK}\n\nWords."));
    let rows = format!(
        "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{}\n\n{}",
        hex(32),
        mixed(64)
    );
    let kind = "RSA PRIVATE KEY";
    let text = format!("a\n{}\n{rows}\n{}\nb", armour(kind, "BEGIN"), armour(kind, "END"));
    assert_eq!(redact(&text), format!("a\n{MARK}\nb"));
    let headless = format!("a b\n{}\n{}\n{}\nb", mixed(64), mixed(20), armour(kind, "END"));
    assert_eq!(redact(&headless), format!("a b\n{MARK}\nb"));
    let heading = format!(
        "{}\n{}\n## Heading\n- next\nDone\n",
        armour(kind, "BEGIN"),
        mixed(64)
    );
    assert_eq!(redact(&heading), format!("{MARK}\n## Heading\n- next\nDone\n"));
}

#[test]
fn certificates_and_public_keys_stay() {
    for kind in ["CERTIFICATE", "PUBLIC KEY", "PGP PUBLIC KEY BLOCK", "PGP MESSAGE"] {
        let text = format!(
            "{}\n{}\n{}\n",
            armour(kind, "BEGIN"),
            mixed(64),
            armour(kind, "END")
        );
        assert!(is_clean(&text), "{}", redact(&text));
    }
}
