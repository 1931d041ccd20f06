//! What stands where a secret could and is none: placeholders, references, paths, code, words, names of algorithms.

use super::lines::starts_with_ignoring_case;

/// Something that stands where a value goes: a reference to it, a placeholder, the mark itself.
pub(super) fn stands_for_a_value(value: &str) -> bool {
    value.contains(super::MARK)
        || is_filler(value)
        || is_reference(value)
        || value.starts_with('<') && (value.ends_with('>') || has_letter(value))
        || value.len() <= 16 && (value.contains("...") || value.contains('…'))
        || [
            "your",
            "my-api",
            "my_api",
            "insert",
            "enter-",
            "enter_",
            "placeholder",
            "op://",
            "arn:",
            "vault:",
        ]
        .iter()
        .any(|start| starts_with_ignoring_case(value, start))
}

/// `***`, `xxxxxxxx`, `...`, `----`: nothing but one filling sign and its like.
pub(super) fn is_filler(value: &str) -> bool {
    value.chars().all(|c| {
        matches!(
            c,
            '*' | '•' | '●' | '.' | '…' | '-' | '_' | '#' | '?' | '/' | '—' | '–' | '=' | '~'
        )
    }) || value.len() >= 3 && value.bytes().all(|b| matches!(b, b'x' | b'X'))
}

/// `$NAME`, `${…}`, `$(…)`, `%NAME%`, `{{ … }}`, `{name}`, `[name]`.
pub(super) fn is_reference(value: &str) -> bool {
    let identifier = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if let Some(name) = value.strip_prefix('$') {
        let upper = identifier(name) && !name.bytes().any(|b| b.is_ascii_lowercase());
        let lower = identifier(name) && !has_digit(name);
        let scoped = name
            .split_once([':', '.', '-', '['])
            .is_some_and(|(scope, _)| identifier(scope) && !has_digit(scope));
        return upper || lower || scoped || name.starts_with(['{', '(', '$']);
    }
    let enclosed = |open: char, close: char| value.starts_with(open) && value.ends_with(close);
    ["%s", "%v", "%q", "%d", "%@"].contains(&value)
        || value.starts_with("{{")
        || value.starts_with("<%")
        || value.starts_with("#{")
        || value.starts_with("!vault")
        || enclosed('{', '}')
        || enclosed('[', ']')
        || value
            .strip_prefix('%')
            .and_then(|rest| rest.strip_suffix('%'))
            .is_some_and(identifier)
}

/// What is meant to be seen: public keys, checksums, `0x…` hashes and addresses.
pub(super) fn is_public(value: &str) -> bool {
    [
        "ssh-",
        "ecdsa-sha2",
        "sha256-",
        "sha384-",
        "sha512-",
        "sha256:",
        "sha1-",
        "SHA256:",
        "pk_live_",
        "pk_test_",
        "age1",
    ]
    .iter()
    .any(|start| value.starts_with(start))
}

pub(super) fn is_prefixed_hexadecimal(value: &str) -> bool {
    value
        .strip_prefix("0x")
        .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

pub(super) fn is_hexadecimal(value: &str, length: usize) -> bool {
    value.len() == length && value.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A file, a folder or an address.
pub(super) fn is_path(value: &str) -> bool {
    let drive = value
        .strip_prefix(|c: char| c.is_ascii_alphabetic())
        .is_some_and(|rest| rest.starts_with(":\\"));
    let rooted = value.starts_with('/') && !looks_base64(value);
    drive
        || rooted
        || value.contains("://")
        || ["~/", "./", "../"].iter().any(|start| value.starts_with(start))
}

/// A base64 value may begin with a slash; folders' names are not made of 40 mixed letters and digits.
pub(super) fn looks_base64(value: &str) -> bool {
    value
        .split('/')
        .any(|part| part.len() >= 16 && has_digit(part) && case_changes(part) >= 4)
}

/// A call, an index, a member of something: the name of a value, not the value.
pub(super) fn is_code(value: &str) -> bool {
    const ROOTS: &str = "\
        self this config cfg conf settings process os env args opts options req request res response \
        body user account params input secrets vars var local data props state form event ctx context \
        row credentials creds auth client import module app values inputs github token password secret \
        payload result";
    let borrowed = value.starts_with(['&', '*']);
    let value = value.trim_start_matches(['&', '*']);
    let in_name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b':');
    let (name, after) = value.split_at(value.bytes().take_while(in_name).count());
    let root = name.split(['.', ':']).next().unwrap_or(name);
    let unclosed = !after.contains([')', ']']);
    let called = after.starts_with('(')
        && (unclosed || after.ends_with([')', ']', '"', '\'']) || after.contains(").") || name.contains('.'));
    let indexed = after.starts_with(['[']) || after.starts_with("?.") || after.starts_with('<');
    let scoped = value.contains("::")
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.'));
    let member =
        name.contains('.') && after.is_empty() && ROOTS.split_ascii_whitespace().any(|it| it == root);
    !name.is_empty() && (called || indexed || member || borrowed && after.is_empty())
        || scoped
        || is_name_of_secret(value)
}

/// `url_user_password`, `node.dot2_token`: a variable or a member that is called what a secret is called.
pub(super) fn is_name_of_secret(value: &str) -> bool {
    const LAST: &[&str] = &[
        "password",
        "passwd",
        "pwd",
        "token",
        "secret",
        "key",
        "credentials",
        "pass",
    ];
    let identifier = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    let lower = value
        .get(value.len().saturating_sub(12)..)
        .unwrap_or(value)
        .to_ascii_lowercase();
    let joined = value.contains(['_', '.']) && (value.contains('.') || !has_digit(value));
    identifier && joined && LAST.iter().any(|last| lower.ends_with(last))
}

/// One word that says something about a value, or names its type, instead of being one.
pub(super) fn is_word_about_values(value: &str) -> bool {
    const WORDS: &str = "\
        string str text int integer number bool boolean bytes char varchar any object null none nil \
        undefined true false void unknown never optional required redacted hidden masked empty unset \
        missing invalid valid wrong incorrect same see ask todo tbd n/a na yes no ok done set reset fail \
        pass works working changed field input password passwd pwd passphrase pass secret token key \
        manager vault keychain bitwarden lastpass keepass prompt interactive pending default env below \
        above enabled disabled on off plaintext plain auth authentication login role type value username \
        and or is flag option options argument with from via in to as by using instead must can cannot \
        user name email notes description self me secretstr option here there not the";
    let word = value.trim_end_matches(['!', '?', '.']);
    WORDS
        .split_ascii_whitespace()
        .any(|it| it.eq_ignore_ascii_case(word))
}

/// Names of algorithms, types, versions, dates: letters and digits, and no secret.
pub(super) fn is_technical(value: &str) -> bool {
    const STARTS: &str = "\
        sha1 sha2 sha3 sha5 sha- aes rsa md5 base64 base32 bcrypt argon2 scrypt pbkdf2 utf oauth \
        1password k8s 2fa mfa totp ed25519 x25519 hs256 rs256 es256 int8 int1 int3 int6 uint float \
        varchar( char( web3 sqlite3 python3 http1 http2 ipv4 ipv6 s3: p256 secp256 kyber chacha20 hmac";
    let lower = value
        .get(..value.len().min(12))
        .unwrap_or(value)
        .to_ascii_lowercase();
    let known = STARTS
        .split_ascii_whitespace()
        .any(|start| lower.starts_with(start));
    let counted = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
    let unit = has_digit(value)
        && [
            "", "chars", "char", "min", "mins", "h", "hr", "hrs", "d", "s", "ms", "days", "th", "st", "nd",
            "rd", "x", "k", "kb", "mb", "%",
        ]
        .contains(&counted)
        && !is_number(value);
    let sized = |number: &str| ["8", "16", "32", "64", "128"].contains(&number);
    let typed = lower
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')
        .strip_prefix(['u', 'i', 'f'])
        .is_some_and(sized);
    known || unit || typed
}

/// `handled-in-v2-release`: words with a short number among them.
pub(super) fn is_wordy(value: &str) -> bool {
    let mut parts = value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty());
    let wordlike = |part: &str| !has_digit(part) && case_changes(part) <= 1 || part.len() <= 4;
    let words = value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| part.len() >= 3 && !has_digit(part))
        .count();
    words >= 2 && parts.all(wordlike)
}

pub(super) fn is_name_of_variable(value: &str) -> bool {
    let upper = value
        .bytes()
        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    upper && value.contains('_') && value.as_bytes()[0].is_ascii_uppercase() && is_wordy(value)
}

pub(super) fn is_address(value: &str) -> bool {
    value
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('/'))
}

/// A bracket that is no password's first sign.
pub(super) fn is_markup(value: &str) -> bool {
    value.starts_with(['(', '[', '{', '<', '"', '|'])
}

pub(super) fn has_letter(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_alphabetic())
}

pub(super) fn has_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit())
}

pub(super) fn mixed_case(value: &str) -> bool {
    case_changes(value) >= 2
}

pub(super) fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit())
}

/// How often a small letter is followed by a capital, or a digit by a letter, or the other way round.
pub(super) fn kind_changes(value: &str) -> usize {
    let kind = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase(), b.is_ascii_lowercase());
    value
        .as_bytes()
        .windows(2)
        .filter(|two| kind(two[0]) != kind(two[1]))
        .count()
}

pub(super) fn case_changes(value: &str) -> usize {
    value
        .as_bytes()
        .windows(2)
        .filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
        .count()
}
