//! What must be hidden, what must stay, and what holds for any text.
//!
//! The cases stand in tables beside this file, and are written so that no scanner finds a secret there: `«m36»` becomes 36
//! letters and digits when a test runs.

use std::borrow::Cow;

use proptest::prelude::*;

use super::plain::Plain;
use super::{MARK, is_clean, redact};

/// Draws letters and digits without a system, the same ones for the same seed.
struct Draw(u32);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as usize % count
    }

    fn signs(&mut self, kind: char, length: usize) -> String {
        const SMALL: &str = "abcdefghijklmnopqrstuvwxyz";
        const DIGITS: &str = "0123456789";
        let capitals = SMALL.to_uppercase();
        let alphabet: String = match kind {
            'm' => [SMALL, &capitals, DIGITS].concat(),
            'a' => [SMALL, DIGITS].concat(),
            'A' => [&capitals, DIGITS].concat(),
            'u' => [&capitals, "234567"].concat(),
            'h' => [DIGITS, "abcdef"].concat(),
            'd' => DIGITS.to_owned(),
            'w' => [SMALL, &capitals].concat(),
            'b' => [SMALL, &capitals, DIGITS, "_-"].concat(),
            's' => [SMALL, &capitals, DIGITS, "+/"].concat(),
            // A regular change, alike in every part.
            'r' => return "Ab1x".chars().cycle().take(length).collect(),
            _ => panic!("no such kind of signs: {kind}"),
        };
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    /// A case as it is meant: `«m36»` drawn, `« ×20»` repeated, `\n`, `\t`, `\e` (escape) and `\z` (zero width) as what they say.
    fn case(&mut self, written: &str) -> String {
        let mut case = String::new();
        let mut rest = written;
        while let Some((before, after)) = rest.split_once('«') {
            let (inside, behind) = after.split_once('»').expect("a closing mark");
            case.push_str(before);
            match inside.split_once('×') {
                Some((what, times)) => case.push_str(&what.repeat(times.parse().expect("a number"))),
                None => {
                    case.push_str(&self.signs(
                        inside.chars().next().expect("a kind"),
                        inside[1..].parse().expect("a length"),
                    ));
                }
            }
            rest = behind;
        }
        case.push_str(rest);
        let mut plain = String::new();
        let mut signs = case.chars();
        while let Some(sign) = signs.next() {
            plain.push(match sign {
                '\\' => match signs.next().expect("a sign behind the backslash") {
                    'n' => '\n',
                    't' => '\t',
                    'e' => '\u{1b}',
                    'z' => '\u{200b}',
                    other => other,
                },
                other => other,
            });
        }
        plain
    }
}

const SEED: u32 = 0x2545_f491;

fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|row| !row.is_empty() && !row.starts_with("# "))
}

/// `⟦…⟧` marks what must be hidden; everything around it must stay.
fn fault(marked: &str) -> Option<String> {
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
    if redacted != expected {
        return Some(format!("{text:?}\n    became {redacted:?}\n    not    {expected:?}"));
    }
    let borrowed = matches!(redacted, Cow::Borrowed(_));
    (is_clean(&text) != (text == expected) || borrowed != is_clean(&text) || redact(&redacted) != expected)
        .then(|| format!("{text:?} does not stay as it became"))
}

fn assert_no_faults(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_rule_is_valid() {
    let mut rules = super::rules::RULES.iter();
    assert!(rules.all(|rule| rule.regex.captures_len() <= 4));
}

#[test]
fn what_is_secret_is_hidden_and_nothing_around_it() {
    let mut draw = Draw(SEED);
    let cases = rows(include_str!("tests/hidden.txt"));
    let faults: Vec<String> = cases.filter_map(|case| fault(&draw.case(case))).collect();
    assert_no_faults(&faults);
}

#[test]
fn talk_code_and_placeholders_stay() {
    let mut draw = Draw(SEED);
    let cases: Vec<String> = rows(include_str!("tests/kept.txt")).map(|case| draw.case(case)).collect();
    let faults: Vec<String> = cases.iter().filter_map(|case| fault(case)).collect();
    assert_no_faults(&faults);
}

/// The tokens of `tests/shapes.txt`, each with its issuer.
fn tokens(draw: &mut Draw) -> Vec<(String, String)> {
    let mut tokens = Vec::new();
    for row in rows(include_str!("tests/shapes.txt")) {
        let mut name = String::new();
        for word in row.split(' ') {
            if word.contains('«') {
                tokens.push((name.clone(), draw.case(word)));
            } else {
                name = format!("{name}{word} ");
            }
        }
    }
    tokens
}

/// The share of the cases in which nothing of the end of the secret is left, in thousandths; the others are printed.
fn hidden_share(cases: &[(String, String, String)]) -> usize {
    let mut hidden = 0;
    for (name, text, secret) in cases {
        let redacted = redact(text);
        let end = &secret[secret.len() - secret.len().min(8)..];
        if redacted.contains(end) {
            println!("{name}: {text:?} became {redacted:?}");
        } else {
            hidden += 1;
        }
        assert_eq!(redacted.lines().count(), text.lines().count(), "lines stay lines: {text:?}");
    }
    hidden * 1000 / cases.len()
}

#[test]
fn tokens_of_many_issuers_are_hidden_wherever_they_stand() {
    const FORMS: [&str; 10] = [
        "V",
        "rotated V today, see the runbook",
        "- outcome: the new one is **V**.",
        "`V`",
        "(V)",
        "## token: V refactor [project]",
        "密钥是V。",
        "| a | V | b |",
        "curl https://api.example.com/?x=V&y=1",
        "memory/2026-01-20-V.md",
    ];
    let mut draw = Draw(SEED);
    let mut cases = Vec::new();
    for _ in 0..4 {
        for (name, token) in tokens(&mut draw) {
            for form in FORMS {
                let text = format!("one line\n{}\nlast line\n", form.replace('V', &token));
                cases.push((name.clone(), text, token.clone()));
            }
        }
    }
    assert!(hidden_share(&cases) >= 980);
}

#[test]
fn tokens_behind_a_label_are_hidden() {
    const FORMS: [&str; 15] = [
        "acme key V",
        "**acme key**: `V`",
        "acme ACCESS V",
        "acme-secret-V",
        "ACME_PAT: V",
        "| acme key | `V` |",
        "ACME_API_KEY=V",
        "export ACME_TOKEN='V'",
        "{\"acme_secret\": \"V\"}",
        "acme_api_key: V",
        "the acme API key is V, keep it",
        "let acmeToken = \"V\";",
        "the acme access token (V) is live",
        "<add key=\"AcmeToken\" value=\"V\"/>",
        "| acme token | V |",
    ];
    // Keys without a look of their own are known by their label alone.
    const PLAIN: [(&str, &str); 6] = [
        ("hexadecimal", "«h32»"),
        ("letters and digits", "«a24»"),
        ("mixed", "«m20»"),
        ("base64", "«s43»="),
        ("identifier", "«h8»-«h4»-«h4»-«h4»-«h12»"),
        ("number", "«d18»"),
    ];
    let mut draw = Draw(SEED);
    let mut cases = Vec::new();
    for _ in 0..4 {
        let plain: Vec<_> = PLAIN.iter().map(|(name, it)| ((*name).to_owned(), draw.case(it))).collect();
        for (name, token) in tokens(&mut draw).into_iter().chain(plain) {
            let of_form = |form: &&str| (name.clone(), form.replace('V', &token), token.clone());
            cases.extend(FORMS.iter().map(of_form));
        }
    }
    assert!(hidden_share(&cases) >= 990);
}

#[test]
fn values_are_hidden_in_every_layout() {
    const PASSWORDS: [&str; 6] = [
        "hunter2x",
        "Admin@1234",
        "zT7mQx2Lp9aa",
        "p4ssW0rd!9",
        "S3cr3t_pass9",
        "zebra-Q81kd-lantern",
    ];
    let mut draw = Draw(SEED);
    let mut cases = Vec::new();
    for placement in rows(include_str!("tests/placements.txt")) {
        let tokens = ["«m32»", "«m24»", "«h32»", "«h40»"].map(|it| draw.case(it));
        let any = placement.strip_prefix("token ");
        let passwords = PASSWORDS.iter().map(|it| (*it).to_owned()).filter(|_| any.is_none());
        for value in passwords.chain(tokens) {
            let (before, after) = any.unwrap_or(placement).rsplit_once('V').expect("the value's place");
            let text = draw.case(before) + &value + &draw.case(after);
            cases.push((placement.to_owned(), text, value));
        }
    }
    assert!(hidden_share(&cases) >= 990);
}

#[test]
fn a_token_is_known_in_any_disguise() {
    let mut draw = Draw(SEED);
    let mut cases = Vec::new();
    for (name, token) in tokens(&mut draw).into_iter().filter(|(_, token)| token.is_ascii()) {
        let (head, tail) = token.split_at(token.len() / 2);
        let strong = token.find(['_', '-']).is_some_and(|at| (3..12).contains(&at));
        let disguised = [
            token.replace('_', "\\_").replace('-', "\\-"),
            token.replace('_', "%5F"),
            format!("\u{1b}[31m{token}\u{1b}[0m"),
            format!("{head}\u{200b}{tail}"),
            format!("{head}\u{ad}{tail}"),
            format!("&quot;{token}&quot;"),
            if strong { format!("7{token}") } else { token.clone() },
        ];
        cases.extend(
            disguised
                .map(|it| (name.clone(), format!("use {it} there"), token[token.len() - 4..].to_owned())),
        );
    }
    assert!(hidden_share(&cases) >= 980);
    let shouted = draw.case("ghp_«m36»").to_uppercase();
    assert_eq!(redact(&format!("use {shouted} there")), format!("use {MARK} there"));
}

fn armour(kind: &str, edge: &str) -> String {
    format!("-----{edge} {kind}-----")
}

#[test]
fn a_private_key_becomes_one_mark() {
    let mut draw = Draw(SEED);
    let rows = ["«s64»", "«s64»", "«s20»=="].map(|row| draw.case(row));
    for kind in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
    ] {
        let (begin, end) = (armour(kind, "BEGIN"), armour(kind, "END"));
        for front in [
            "", "    ", "\t", "> ", "> > ", "+", " ", "# ", "// ", "| ", "12: ",
        ] {
            let block: Vec<String> = [&begin]
                .into_iter()
                .chain(&rows)
                .chain([&end])
                .map(|row| format!("{front}{row}"))
                .collect();
            let text = format!("before\n{}\nafter\n", block.join("\n"));
            assert_eq!(redact(&text), format!("before\n{front}{MARK}\nafter\n"), "{kind}");
            let cut = format!("before\n{}\n\nSome words after it.\n", block[..4].join("\n"));
            assert_eq!(
                redact(&cut),
                format!("before\n{front}{MARK}\n\nSome words after it.\n"),
                "{kind}, cut off"
            );
        }
        let escaped = format!("{begin}\\n{}\\n{end}\\n", rows.join("\\n"));
        let json = |key: &str| format!("{{\"key\": \"{key}\", \"a\": 1}}");
        assert_eq!(redact(&json(&escaped)), json(&format!("{MARK}\\n")));
        assert_eq!(redact(&json(&format!("{begin}\\n{}", rows.join("\\n")))), json(MARK));
    }
    let kind = "PGP PRIVATE KEY BLOCK";
    let pgp = format!(
        "{}\nVersion: GnuPG v2\n\n{}\n=aB3d\n{}",
        armour(kind, "BEGIN"),
        rows.join("\n"),
        armour(kind, "END")
    );
    assert_eq!(redact(&format!("a\n{pgp}\nb")), format!("a\n{MARK}\nb"));
    for kind in ["CERTIFICATE", "PUBLIC KEY", "PGP PUBLIC KEY BLOCK", "PGP MESSAGE"] {
        let text = format!("{}\n{}\n{}\n", armour(kind, "BEGIN"), rows.join("\n"), armour(kind, "END"));
        assert!(is_clean(&text), "{}", redact(&text));
    }
}

#[test]
fn a_key_of_putty_becomes_one_mark() {
    let mut draw = Draw(SEED);
    let head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: eddsa-key-20240101\nPublic-Lines: 2\n«s64»\n«s24»\n";
    let body = "Private-Lines: 1\n«s48»\nPrivate-MAC: «h64»";
    for (front, key) in [
        ("", format!("{head}{body}")),
        ("> ", format!("{head}{body}")),
        ("+", body.to_owned()),
    ] {
        let key = draw.case(&key.replace('\n', "\\n")).replace('\n', &format!("\n{front}"));
        let text = format!("a\n{front}{key}\n\nWords of it.");
        assert_eq!(redact(&text), format!("a\n{front}{MARK}\n\nWords of it."));
    }
}

#[test]
fn a_text_is_read_as_a_person_sees_it() {
    for (text, plain) in [
        ("ghp\\_x", "ghp_x"),
        ("a\u{1b}[1;31mb\u{1b}[0m c", "ab c"),
        ("pass\u{ad}word\u{a0}：x", "password :x"),
        ("密码（x）。", "密码 (x). "),
        ("“a”&amp;%5F", "\"a\"&_"),
        ("a\\nb %20 &c é—", "a\\nb %20 &c é—"),
    ] {
        assert_eq!(Plain::of(text).text, plain);
    }
    let text = "密码：“x\\_y”。";
    let plain = Plain::of(text);
    let value = plain.text.find("x_y").expect("the value");
    assert_eq!(&text[plain.original(value..value + 3)], "x\\_y");
}

#[test]
fn a_monstrous_line_is_read_in_linear_time() {
    const HEADS: [&str; 41] = [
        "eyJ",
        "password: \"",
        "password=",
        "token:",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "_eyJ",
        "curl ",
        "key = '",
        "*",
        "cookie=",
        "mnemonic ",
        "backup codes: ",
        "kind: Secret ",
        "passphrase: a ",
        "|password",
        "password (",
        "ghp_",
        "\\_",
        "hooks.slack.com/",
        "-u x -p ",
        "password for x ",
        "passwort von x ",
        "<password a=\"b\" ",
        "| DB password ",
        "password x: ",
        "echo x | ",
        "use x1 as ",
        "密码x",
        "a:hunter2x@h:1 ",
        "password: <",
        "| password | x ",
        "password</",
        "<b password: >",
        "user  password ",
        "bob/aB3!d2e3f ",
        "\"value\": \"a\", \"name\": \"password ",
        "<td>",
        "-----END RSA PRIVATE KEY-----",
        "passwords: - a b ",
    ];
    for head in HEADS {
        let line = head.repeat(50_000 / head.len());
        assert!(is_clean(&redact(&line)), "{head}");
    }
}

fn prose() -> impl Strategy<Value = String> {
    const WORDS: &str = "the cache 密码 password token \n \n\n -· ##· key : = is \" ` api ** secret |· refactor 2026-03-15 ö → [x] >· ' \\ \
        hunter2 :// @ 🙂 pwd BEGIN· ： （ s _ - -- < / , ; $ { ( bearer· name:· value:· |--|\n ” curl·-u· \
        -----BEGIN·RSA·PRIVATE·KEY----- -----END·RSA·PRIVATE·KEY----- \\n eyJ sig= authorization é1 \u{3000} cookie· pin· 839201 seed·phrase \
        backup·codes:\n kind:·Secret data: \t , </ \u{1b}[31m \\_ %5F &quot; \u{ad} PuTTY-User-Key-File Private-Lines:· = values·(";
    let words: Vec<String> = WORDS
        .split(' ')
        .filter(|it| !it.is_empty())
        .map(|it| it.replace('·', " "))
        .collect();
    (prop::collection::vec(prop::sample::select(words), 0..40), prop::bool::ANY)
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
    fn a_planted_token_never_survives(before in prose(), after in prose(), which in 0..200_usize) {
        let tokens = tokens(&mut Draw(SEED));
        let (name, token) = &tokens[which % tokens.len()];
        let redacted = redact(&format!("{before} {token} {after}")).into_owned();
        prop_assert!(!redacted.contains(&token[token.len() - 12..]), "{name}: {redacted}");
    }

    #[test]
    fn a_text_without_a_beginning_is_borrowed(text in "[a-jA-J \n.,é中]{0,300}") {
        prop_assert!(matches!(redact(&text), Cow::Borrowed(_)), "{}", redact(&text));
    }
}
