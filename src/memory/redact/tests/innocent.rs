//! What is no secret, one kind at a time, with its nearest neighbours that are none of it.

use super::super::innocent::*;

fn holds(judge: impl Fn(&str) -> bool, yes: &[&str], no: &[&str]) {
    for value in yes {
        assert!(judge(value), "{value:?} is one");
    }
    for value in no {
        assert!(!judge(value), "{value:?} is none");
    }
}

#[test]
fn what_stands_for_a_value_is_told_from_a_value() {
    let yes = "[REDACTED] x[REDACTED]y **** xxx $NAME <1> <token> sk-... sk-… abcdefghijklm... your_key_1 YOUR-KEY-1 \
        my-api-key1 MY_API_KEY1 insert1 enter-it1 enter_it1 placeholder1 op://vault/item1 arn:aws:1 vault:kv1";
    let no = "hunter2 <12 abcdefghijklmn... abcdefghijklmn… xx entering1 a-your-key1";
    holds(
        stands_for_a_value,
        &yes.split(' ').collect::<Vec<_>>(),
        &no.split(' ').collect::<Vec<_>>(),
    );
    assert!(stands_for_a_value("<token of"));
}

#[test]
fn a_reference_is_told_from_a_password_with_a_dollar_sign() {
    let yes = [
        "$DB_PASSWORD1",
        "$password",
        "$env:DB_PASSWORD1",
        "$secrets.db1",
        "$db-password1",
        "$cfg[1",
        "${X",
        "$(pass",
        "$$X",
        "%s",
        "{{ x",
        "<% x",
        "#{x",
        "!vault |",
        "{x}",
        "[x]",
        "%DB_PASSWORD%",
        "%x1%",
    ];
    let no = "$ $A!B $Hunter2 $pass2word $a2.b $a2:b $.x {abc abc} [abc abc] % %% %abc abc% %a!b% %x hunter2";
    holds(is_reference, &yes, &no.split(' ').collect::<Vec<_>>());
}

#[test]
fn a_hexadecimal_number_has_its_length_and_no_other_letter() {
    holds(
        |value| is_hexadecimal(value, 6),
        &["a1b2C3", "123456"],
        &["a1b2c", "a1b2c3d", "a1b2g3", "zzzzz", "zzzzzz"],
    );
    holds(
        is_prefixed_hexadecimal,
        &["0xA1b2", "0x1"],
        &["a1b2", "0xg1", "x1"],
    );
}

#[test]
fn a_path_is_told_from_base64_that_begins_with_a_slash() {
    let yes = "C:\\keys c:\\ /etc/passwd https://example.org ~/x ./x ../x /aBaBaBaBaaaaaa1 /keys/aBaBaBaaaaaaaaa1 \
        /aBaBaBaBaaaaaaaa";
    let no = "C: 1:\\x éC:\\x hunter2 /aBaBaBaBaaaaaaa1 /x/aBaBaBaBaaaaaaa1/y ~x .../x";
    holds(
        is_path,
        &yes.split_whitespace().collect::<Vec<_>>(),
        &no.split(' ').collect::<Vec<_>>(),
    );
    holds(
        looks_base64,
        &["aBaBaBaBaaaaaaa1", "x/aBaBaBaBaaaaaaa1"],
        &[
            "aBaBaBaBaaaaaa1",
            "aBaBaBaaaaaaaaa1",
            "aBaBaBaBaaaaaaaa",
            "aBaBaBaB/aaaaaaa1",
        ],
    );
}

#[test]
fn code_is_told_from_a_value_with_brackets() {
    let yes = "getToken(user getToken(user) getToken(\"user\" getToken(user).value os.getenv(KEY)! env[KEY user?.token1 \
        Option<String config.db self.x &password *password token::Kind2 db_password user.key";
    let no =
        "hunter(2)x hunter.two config config.db!x hunter?x a::b!c &hunter2! (x) db_passwordx db2_password";
    holds(
        is_code,
        &yes.split_whitespace().collect::<Vec<_>>(),
        &no.split(' ').collect::<Vec<_>>(),
    );
}

#[test]
fn the_technical_is_told_from_a_short_password() {
    let yes = "sha256 Base64url 30min 12-16chars -5min +5h 50% u32 257u32 1_000u64 f16 i128";
    let no = "3000 hunter2 u33 a257u32 min 30mins2 g32";
    holds(
        is_technical,
        &yes.split(' ').collect::<Vec<_>>(),
        &no.split(' ').collect::<Vec<_>>(),
    );
}

#[test]
fn words_with_a_short_number_among_them_are_wordy() {
    holds(
        is_wordy,
        &[
            "handled-in-v2-release",
            "handled-release",
            "handled--release-ab12",
            "handled-release-camelCase",
            "the old",
        ],
        &[
            "handled",
            "handled-in-v2",
            "handled-a1b-v2",
            "handled-release-ab12c",
            "handled-release-aBcDe",
            "handled-release-a1b2c3d4",
            "ab-cd-ef",
        ],
    );
}

#[test]
fn the_name_of_a_variable_is_in_capitals_and_words() {
    holds(
        is_name_of_variable,
        &["DB_PASSWORD_FILE", "DB_TOKEN_FILE_V2", "THE_OLD_ONE_2"],
        &[
            "PASSWORD",
            "db_password_file",
            "_DB_PASSWORD_FILE",
            "2DB_PASSWORD_FILE",
            "A1B2C3D4_E5F6G7",
            "DB_PASSWORD-FILE",
        ],
    );
}

#[test]
fn an_address_has_a_name_and_a_host() {
    holds(
        is_address,
        &["bob@example.com", "b@e.f"],
        &[
            "@example.com",
            "bob@example",
            "bob@example.com/x",
            "bob.example.com",
        ],
    );
}

#[test]
fn letters_digits_and_their_changes_are_counted() {
    holds(
        is_markup,
        &["(x", "[x", "{x", "<x", "\"x", "|x"],
        &["x(", "hunter2", ")x"],
    );
    holds(has_letter, &["1a", "Z"], &["123", "", "é"]);
    holds(has_digit, &["1a"], &["abc", ""]);
    holds(is_number, &["0", "12345"], &["", "12a", "-1"]);
    holds(mixed_case, &["aBcD", "aBCdE"], &["abC", "ABCD", "AbCd1", ""]);
    for (value, kinds, cases) in [
        ("", 0, 0),
        ("a", 0, 0),
        ("abc", 0, 0),
        ("abCd", 2, 1),
        ("a1b2", 3, 0),
        ("aB1-", 3, 1),
        ("aBcD--", 4, 2),
    ] {
        assert_eq!(
            (kind_changes(value), case_changes(value)),
            (kinds, cases),
            "{value}"
        );
    }
}
