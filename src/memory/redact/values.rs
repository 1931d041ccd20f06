//! Whether a value is a secret: how it was announced, and what it looks like itself. What stands where a secret could and is
//! none: placeholders, references, paths, code, words, names of algorithms.

use super::words;

/// How a value is announced, as far as it bears on belief.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// A password: short and simple values count.
    Password,
    /// `pass`, or several passwords: as a password, but only letters with digits or signs count.
    Strong,
    /// A secret or a named key: a value counts when it does not read as words.
    Secret,
    /// A token, or any word used too often for other things: only what looks random counts.
    Random,
    /// A key that does not say what for: only what is random and in three kinds of signs counts.
    Wary,
    /// A number of four to ten digits: a PIN, a code sent to a telephone.
    Code,
}

/// What is known about a value besides its text.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) trust: Trust,
    /// In quotes of its own.
    pub(super) quoted: bool,
    /// Behind a loose separator (`is`, `to`, a dash, a table's bar) that prose uses as well.
    pub(super) loose: bool,
    /// Right behind a `=`, as in a shell or an environment file, or behind a `--flag`.
    pub(super) assigned: bool,
    /// Nothing but a comment or the next assignment follows.
    pub(super) alone: bool,
}

pub(super) fn is_secret(value: &str, label: &str, setting: Setting) -> bool {
    if !value.contains(char::is_alphanumeric) || stands_for_a_value(value) || is_public(value) {
        return false;
    }
    let named_like_its_label = is_named_like(value, label, setting.assigned);
    let plain = is_said(value) || is_path(value) || is_code(value) || named_like_its_label;
    match setting.trust {
        Trust::Code => is_code_number(value),
        _ if plain => false,
        Trust::Random => is_random(value) && !is_address(value),
        Trust::Wary => is_random(value) && value.len() >= 20 && has_three_kinds(value),
        Trust::Secret => is_key(value, setting) && !is_address(value),
        _ if reads_as_talk(value) => false,
        Trust::Password | Trust::Strong if setting.quoted => quoted_password(value, setting),
        Trust::Password => bare_password(value, setting),
        Trust::Strong => {
            is_strong(value)
                && bare_password(
                    value,
                    Setting {
                        loose: true,
                        ..setting
                    },
                )
        }
    }
}

/// Whether a value that nothing but a space or a bracket announces cannot be a word.
pub(super) fn is_unmistakable(value: &str, trust: Trust) -> bool {
    let password = matches!(trust, Trust::Password | Trust::Strong) && value.len() >= 8 && is_strong(value);
    let broken =
        has_digit(value) && value.contains(|c: char| c.is_ascii_uppercase() || "!@#$%^&*".contains(c));
    let odd = password && broken && pieces_apart(value.as_bytes()) >= 3;
    trust == Trust::Code || is_random(value) || odd && !is_technical(value) && !is_wordy(value)
}

fn quoted_password(value: &str, setting: Setting) -> bool {
    !setting.loose || is_strong(value) && value.len() >= 6 && !value.contains(' ') && !is_technical(value)
}

fn bare_password(value: &str, setting: Setting) -> bool {
    if value.starts_with(['(', '[', '{', '<', '"', '|']) {
        return false;
    }
    let length = value.chars().count();
    if is_strong(value) {
        let believed = length >= 6 || !setting.loose && (setting.alone || setting.assigned);
        return believed && !is_technical(value);
    }
    if setting.loose {
        return is_number(value) && length >= 4 && setting.alone || is_random(value);
    }
    if is_number(value) {
        return setting.alone && length >= 3 || setting.assigned;
    }
    let readable = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-_.'".contains(&b));
    let reads_as_news = !setting.assigned && value.ends_with("ed");
    (setting.assigned || setting.alone) && !reads_as_news && (!readable || has_letter(value))
}

fn is_key(value: &str, setting: Setting) -> bool {
    if setting.loose || value.contains(' ') || !value.is_ascii() {
        return is_random(value);
    }
    let is_word = |word: &str| word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    let named = value
        .split_once('=')
        .is_some_and(|(name, rest)| is_word(name) && rest.contains(|c| c != '='));
    let length = value.len();
    if named || is_technical(value) && length < 16 {
        return false;
    }
    let mixed = has_letter(value) && has_digit(value);
    if setting.quoted || setting.assigned {
        return mixed && length >= 6 || length >= 12;
    }
    let unbroken = value.bytes().all(|b| b.is_ascii_alphanumeric());
    mixed && length >= 8 && (setting.alone || length >= 12) && !is_wordy(value)
        || setting.alone && unbroken && length >= 16
}

fn is_code_number(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    (4..=10).contains(&digits)
        && value
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b' '))
}

/// At least 12 signs, letters and digits mixed without a system, as no words and no date are.
pub(super) fn is_random(value: &str) -> bool {
    let length = value.len();
    let charset = |b: u8| b.is_ascii_alphanumeric() || b"-_.:+/=~!@#$%^&*|?".contains(&b);
    if length < 12 || !value.bytes().all(charset) || is_public(value) || is_path(value) || is_date(value) {
        return false;
    }
    let is_hexadecimal = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit());
    if value.strip_prefix("0x").is_some_and(is_hexadecimal) {
        return false;
    }
    // No time and no count has so many digits.
    if is_number(value) {
        return length >= 15;
    }
    if !has_digit(value) && case_changes(value) < 3 || entropy_bits(value) < 2.6 {
        return false;
    }
    let in_run = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let is_mixed = |run: &str| {
        let mixed = has_letter(run) && has_digit(run) && pieces(run.as_bytes()) >= 3;
        run.len() >= 10 && mixed && !is_technical(run)
            || run.len() >= 20 && case_changes(run) * 4 >= run.len()
    };
    let broken_up = length >= 20 && has_letter(value) && pieces_apart(value.as_bytes()) * 3 >= length;
    is_uuid(value)
        || is_drawn(value.as_bytes())
        || value.split(|c| !in_run(c)).any(is_mixed)
        || broken_up && !is_wordy(value)
}

/// Whether the body of a token was drawn by a machine: a run of signs changes its kind often, as words, dates and versions
/// joined by hyphens do not.
pub(super) fn is_drawn(body: &[u8]) -> bool {
    let your = body
        .get(..4)
        .is_some_and(|head| head.eq_ignore_ascii_case(b"your"));
    if your || body.iter().all(|b| b"xX0-_.*".contains(b)) {
        return false;
    }
    let is_drawn_run = |run: &[u8]| {
        let (length, pieces) = (run.len(), pieces(run));
        let digits = run.iter().filter(|b| b.is_ascii_digit()).count();
        // Random letters of both cases with digits make a piece of every 1.7 signs, small letters with digits of 2.5.
        let broken = length >= 10 && pieces * 3 > length || length >= 20 && pieces * 4 > length;
        // No word and no name is so long.
        broken || length >= 24 && (pieces == 1 || digits > 0 && digits < length)
    };
    let letters = body.iter().filter(|b| b.is_ascii_alphanumeric()).count();
    let mut runs = body.split(|b| !b.is_ascii_alphanumeric());
    runs.any(is_drawn_run) || letters >= 16 && pieces_apart(body) * 2 >= letters
}

/// How many pieces a run of letters and digits has: a number, letters of one case, a word with a capital.
fn pieces(run: &[u8]) -> usize {
    let kind = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase());
    let changes = run.windows(2).filter(|two| kind(two[0]) != kind(two[1])).count();
    // The capital of a word belongs to it.
    let is_capital = |at: usize| run[at].is_ascii_uppercase() && run[at + 1].is_ascii_lowercase();
    let words = (0..run.len().saturating_sub(1)).filter(|&at| is_capital(at));
    let words = words
        .filter(|&at| at == 0 || !run[at - 1].is_ascii_uppercase())
        .count();
    usize::from(!run.is_empty()) + changes - words
}

fn pieces_apart(value: &[u8]) -> usize {
    value.split(|b| !b.is_ascii_alphanumeric()).map(pieces).sum()
}

/// Letters with digits, or with a sign inside that words do not have.
fn is_strong(value: &str) -> bool {
    let sign = |c: char| "!@#$%^&*+=~?".contains(c);
    let last = value.char_indices().next_back().map_or(0, |(at, _)| at);
    let has_letter = value.contains(char::is_alphabetic);
    has_letter && (has_digit(value) || value[..last].contains(sign))
        || has_digit(value) && value[..last].contains(|c: char| sign(c) && c != '+')
}

/// Shannon's entropy of one character, in bits.
fn entropy_bits(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let share = |count: &u32| f64::from(*count) / value.len() as f64;
    let bits = |count: &u32| -share(count) * share(count).log2();
    counts.iter().filter(|count| **count > 0).map(bits).sum()
}

/// Something that stands where a value goes: a reference to it, a placeholder, the mark itself.
pub(super) fn stands_for_a_value(value: &str) -> bool {
    let filler = |c: char| "*•●.…-_#?/—–=~".contains(c);
    let crosses = value.len() >= 3 && value.bytes().all(|b| matches!(b, b'x' | b'X'));
    let cut = value.len() <= 16 && (value.contains("...") || value.contains('…'));
    let tag = value.starts_with('<') && (value.ends_with('>') || has_letter(value));
    let said = words::begins("placeholder", value).is_some();
    value.contains(super::MARK)
        || value.chars().all(filler)
        || crosses
        || cut
        || tag
        || said
        || is_reference(value)
}

/// `$NAME`, `${…}`, `$(…)`, `%NAME%`, `{{ … }}`, `{name}`, `[name]`.
fn is_reference(value: &str) -> bool {
    let identifier = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if let Some(name) = value.strip_prefix('$') {
        let plain = identifier(name) && (!name.bytes().any(|b| b.is_ascii_lowercase()) || !has_digit(name));
        let scope = name
            .split([':', '.', '-', '['])
            .next()
            .filter(|scope| scope.len() < name.len());
        let scoped = scope.is_some_and(|scope| identifier(scope) && !has_digit(scope));
        return plain || scoped || name.starts_with(['{', '(', '$']);
    }
    let enclosed = |open: char, close: char| value.starts_with(open) && value.ends_with(close);
    let percent = value
        .strip_prefix('%')
        .map(|rest| rest.strip_suffix('%').unwrap_or(rest));
    ["{{", "<%", "#{", "!vault", "{$"]
        .iter()
        .any(|start| value.starts_with(start))
        || enclosed('{', '}')
        || enclosed('[', ']')
        || percent.is_some_and(|name| identifier(name) && (value.ends_with('%') || name.len() == 1))
}

/// What is meant to be seen: public keys and checksums.
fn is_public(value: &str) -> bool {
    words::list("public")
        .iter()
        .any(|start| value.starts_with(start.as_str()))
}

/// A file, a folder or an address.
fn is_path(value: &str) -> bool {
    let mut signs = value.chars();
    let drive = signs.next().is_some_and(|c| c.is_ascii_alphabetic()) && signs.as_str().starts_with(":\\");
    // A base64 value may begin with a slash; folders' names are not made of so many mixed letters and digits.
    let is_base64 = |part: &str| part.len() >= 16 && has_digit(part) && case_changes(part) >= 4;
    let rooted = value.starts_with('/') && !value.split('/').any(is_base64);
    let relative = ["~/", "./", "../"].iter().any(|start| value.starts_with(start));
    let file = value.len() < 64 && words::ends("file", value);
    drive || rooted || relative || file || value.contains("://")
}

/// A call, an index, a member of something: the name of a value, not the value.
fn is_code(value: &str) -> bool {
    let bare = value.trim_start_matches(['&', '*']);
    let in_name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b':');
    let (name, after) = bare.split_at(bare.bytes().take_while(in_name).count());
    let root = name.split(['.', ':']).next().unwrap_or(name);
    let open = !after.contains([')', ']']) || after.ends_with([')', ']', '"', '\'']) || after.contains(").");
    let called = after.starts_with('(') && (open || name.contains('.'));
    let indexed = after.starts_with(['[', '<']) || after.starts_with("?.");
    let member = after.is_empty() && name.contains('.') && words::has("root", root);
    let borrowed = after.is_empty() && bare.len() < value.len();
    let in_path = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.');
    !name.is_empty() && (called || indexed || member || borrowed)
        || bare.contains("::") && bare.bytes().all(in_path)
}

/// `password: db_password`, `token = user.token`: what is called as its label is.
fn is_named_like(value: &str, label: &str, assigned: bool) -> bool {
    let identifier = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    let own = label
        .rsplit([' ', '_', '-', '.'])
        .next()
        .unwrap_or(label)
        .to_ascii_lowercase();
    let ends_so = own.len() >= 3 && value.to_ascii_lowercase().ends_with(&own);
    value.eq_ignore_ascii_case(label)
        || !assigned && identifier && value.contains(['_', '.']) && ends_so && !is_random(value)
}

/// One word that says something about a value, names its type, or is the name of a variable, in capitals.
fn is_said(value: &str) -> bool {
    let upper = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    let variable =
        value.starts_with(|c: char| c.is_ascii_uppercase()) && value.contains('_') && is_wordy(value);
    words::has("said", value.trim_end_matches(['!', '?', '.'])) || variable && value.bytes().all(upper)
}

/// A word of a language that is not written in Latin letters; with numbers too where nobody types passwords in it (`8자`).
fn reads_as_talk(value: &str) -> bool {
    /// From here on: the scripts of South and East Asia.
    const NOT_TYPED: char = '\u{900}';
    let written = value.contains(|c: char| !c.is_ascii() && c.is_alphabetic());
    let typed = value.contains(|c: char| c.is_alphabetic() && c < NOT_TYPED);
    written && (!typed || !has_digit(value) && value.chars().all(char::is_alphabetic))
}

/// Names of algorithms, types, versions: letters and digits, and no secret.
fn is_technical(value: &str) -> bool {
    let lower = value
        .get(..value.len().min(12))
        .unwrap_or(value)
        .to_ascii_lowercase();
    let in_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | '_');
    let counted = lower.trim_start_matches(in_number);
    let is_count = counted.len() < lower.len() && !is_number(value);
    let unit = is_count && (counted.is_empty() || words::has("unit", counted));
    let sized = |number: &str| ["8", "16", "32", "64", "128"].contains(&number);
    let version = lower
        .strip_prefix('v')
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    let typed = counted.strip_prefix(['u', 'i', 'f']).is_some_and(sized);
    words::begins("technical", &lower).is_some() || unit || typed || version
}

fn is_date(value: &str) -> bool {
    let shape = value
        .bytes()
        .take(10)
        .map(|b| if b.is_ascii_digit() { b'0' } else { b });
    shape.eq(*b"0000-00-00")
}

fn is_uuid(value: &str) -> bool {
    let groups = value
        .split('-')
        .map(|group| (group.len(), group.bytes().all(|b| b.is_ascii_hexdigit())));
    groups.eq([8, 4, 4, 4, 12].map(|length| (length, true)))
}

/// `handled-in-v2-release`, `agent:main:telegram:12345`: words with a short number among them.
fn is_wordy(value: &str) -> bool {
    let parts = || {
        value
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|part| !part.is_empty())
    };
    let is_word =
        |part: &str| !has_digit(part) && case_changes(part) <= 1 || part.len() <= 4 || is_number(part);
    parts().filter(|part| part.len() >= 3 && !has_digit(part)).count() >= 2 && parts().all(is_word)
}

fn is_address(value: &str) -> bool {
    let (name, host) = value.split_once('@').unwrap_or_default();
    !name.is_empty() && host.contains('.') && !host.contains('/')
}

pub(super) fn has_letter(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_alphabetic())
}

pub(super) fn has_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit())
}

fn has_three_kinds(value: &str) -> bool {
    let any = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    has_digit(value) && any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase)
}

pub(super) fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit())
}

/// How often a small letter is followed by a capital.
pub(super) fn case_changes(value: &str) -> usize {
    let is_change = |two: &&[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    value.as_bytes().windows(2).filter(is_change).count()
}
