//! Whether a value is believed to be a secret, by how it is announced.

use super::super::values::{Setting, Trust, is_secret, is_strong, random};
use super::hex;

/// Bare, behind a colon, with more words behind it.
fn setting(trust: Trust) -> Setting {
    Setting {
        trust,
        quoted: false,
        loose: false,
        assigned: false,
        alone: false,
        private: false,
    }
}

fn holds(setting: Setting, yes: &[&str], no: &[&str]) {
    for value in yes {
        assert!(is_secret(value, setting), "{value:?} is a secret");
    }
    for value in no {
        assert!(!is_secret(value, setting), "{value:?} is no secret");
    }
}

#[test]
fn a_quoted_password_may_be_any_word_that_is_not_about_passwords() {
    let quoted = Setting {
        quoted: true,
        ..setting(Trust::Password)
    };
    holds(
        quoted,
        &["x", "it works", "hunter", "12"],
        &[
            "required",
            "./x1",
            "/etc/x",
            "getToken()",
            "---",
            "<token>",
            "sha256-abc",
        ],
    );
    let loose = Setting {
        loose: true,
        ..quoted
    };
    holds(
        loose,
        &["hunter2", "abcde1", "hunt!er"],
        &["hunter", "abcd1", "ab1", "hunter 2", "base64", "./hunter2"],
    );
    let several = Setting {
        trust: Trust::Strong,
        ..quoted
    };
    holds(several, &["hunter"], &["required"]);
}

#[test]
fn a_bare_password_is_believed_by_its_strength_and_by_what_follows() {
    let followed = setting(Trust::Password);
    holds(
        followed,
        &["hunter2", "abcde1", "hünter2", "Open€!sesame"],
        &[
            "abcd1",
            "hunter",
            "12345",
            "geändert",
            "required",
            "DB_TOKEN_FILE_V2",
            "./hunter2",
            "(hunter2",
            "base64",
        ],
    );
    let alone = Setting {
        alone: true,
        ..followed
    };
    holds(
        alone,
        &["ab1", "hunter", "123", "12/34", "hunter-two", "it's"],
        &[
            "12",
            "2026-03-15",
            "1.2",
            "rotated",
            "sha256",
            "geändert",
            "DB_OLD_FILE",
        ],
    );
    let assigned = Setting {
        assigned: true,
        ..followed
    };
    holds(
        assigned,
        &["ab1", "hunter", "1", "rotated", "12/34"],
        &["2026-03-15", "sha256"],
    );
    let loose = Setting { loose: true, ..alone };
    holds(loose, &["abcde1", "1234"], &["abcd1", "123", "hunter", "rotated"]);
    let both = Setting {
        loose: true,
        ..followed
    };
    holds(both, &["abcde1"], &["1234"]);
}

#[test]
fn behind_pass_only_letters_with_digits_or_signs_count() {
    let alone = Setting {
        alone: true,
        assigned: true,
        ..setting(Trust::Strong)
    };
    holds(
        alone,
        &["ab12cd", "hunt!er"],
        &["ab12c", "12345", "hunter", "sha256"],
    );
}

#[test]
fn a_secret_does_not_read_as_words() {
    let quoted = Setting {
        quoted: true,
        ..setting(Trust::Secret)
    };
    let assigned = Setting {
        assigned: true,
        ..setting(Trust::Secret)
    };
    for setting in [quoted, assigned] {
        holds(
            setting,
            &["abc123", "correcthorsebattery", "abcdefghijkl"],
            &[
                "./config/keys",
                "getSecret(user)",
                "authentication",
                "bob@example.com",
                "DB_PASSWORD_FILE",
                "abc12",
                "sha256",
                "abcdefghijk",
                "the key is old here",
                "schlüsselwörterbuch",
            ],
        );
    }
    let loose = Setting {
        loose: true,
        ..quoted
    };
    holds(loose, &["a1b2c3d4e5f6"], &["abc123", "handledelsewhere"]);
    let followed = setting(Trust::Secret);
    holds(
        followed,
        &["abcd12345678"],
        &[
            "abcd1234",
            "abcd1234567",
            "abcdefghijklmnop",
            "handled-in-v2-release",
            "base64abcdefg",
        ],
    );
    let alone = Setting {
        alone: true,
        ..followed
    };
    holds(
        alone,
        &["abcd1234", "abcd12345678", "abcdefghijklmnop"],
        &[
            "abc1234",
            "abcdefgh",
            "abcdefghijklmno",
            "handled-elsewhere",
            "handled-in-v2-release",
            "sha256sum",
        ],
    );
}

#[test]
fn behind_a_token_only_what_looks_random_counts() {
    holds(
        setting(Trust::Random),
        &["a1b2c3d4e5f6"],
        &["abc123", "a1b2c3d4@example.com", "abcdefgh12::xy"],
    );
    let digits = hex(64);
    let prefixed = format!("0x{digits}");
    let private = Setting {
        private: true,
        ..setting(Trust::Secret)
    };
    holds(private, &[&digits, &prefixed], &["0x12"]);
}

#[test]
fn the_random_is_told_from_the_written() {
    let cased = |run: &str| format!("{run}-abcdefghijklmnopqrstuvwxyzabcdefghijklmn");
    for value in [
        // Three changes of case in place of a digit.
        "aB!cD!eF!ghi",
        "aB!cD!eF!gHi",
        // A run of ten with letters and digits.
        "abcdefgh12-xy",
        "abcd/efg12-xy",
        "abcd+efg1=-xy",
        // A run of twenty whose case changes often.
        &cased("aaBccDeeFggHiiJkkkkk"),
        // A strong one that changes five times.
        "ab1-cd2-ef3-gh",
        "abcd1efg-hijk-l",
        // Twenty signs that change often.
        "aB-cD-eF-gH-iJ-kL-mN",
        "aBcDefghij-klmnOpqrst",
    ] {
        assert!(random(value), "{value} looks random");
    }
    for value in [
        "aB!cD!ef!ghi",
        "abcdefg12-xyz",
        "abcdefghijk-12",
        "pbkdf2abcd-xy",
        &cased("aaBccDeeFggHiijkkkkk"),
        &cased("aaBccDeeFggHiiJkkkk"),
        "abcd1efgh-ijk",
        "aB-cD-eF-gHi",
        "aB-cD-eF-gH-iJ-kL-m",
        "a1b2c3d4e5f",
        "a1b2c3 d4e5f6",
        "~/a1b2c3d4e5f6",
        "aaaaaaaaaa11",
        "0xa1b2c3d4e5f6",
    ] {
        assert!(!random(value), "{value} does not look random");
    }
}

#[test]
fn a_strong_value_mixes_letters_digits_and_signs() {
    for value in ["hunter2", "hunt!er", "12!34", "a+b", "1é=a"] {
        assert!(is_strong(value), "{value}");
    }
    for value in [
        "", "hunter", "hunter!", "12345", "123-456", "12+34", "1234!", "-!-!",
    ] {
        assert!(!is_strong(value), "{value}");
    }
}
