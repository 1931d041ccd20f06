//! Whether a value is a secret: how it was announced, and what it looks like itself. What stands where a secret could and is
//! none: placeholders, references, paths, code, words, names of algorithms.

use super::super::text::head;
use super::rules::{is, pattern};
use super::words;

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
    /// A number of four to ten digits: a PIN, a code sent to a telephone.
    Code,
}

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

impl Setting {
    /// Of a value with nothing around it, as in a table's cell.
    pub(super) fn alone(trust: Trust) -> Self {
        Self {
            trust,
            quoted: false,
            loose: true,
            assigned: false,
            alone: true,
        }
    }
}

pub(super) fn is_secret(value: &str, label: &str, setting: Setting) -> bool {
    if !value.contains(char::is_alphanumeric) || stands_for_a_value(value) || is("public-value", value) {
        return false;
    }
    let is_plain = is_said(value) || is_path(value) || is_code(value) || is_named_like(value, label, setting);
    match setting.trust {
        Trust::Code => is_code_number(value),
        _ if is_plain => false,
        Trust::Random | Trust::Secret if is("address", value) => false,
        Trust::Random => {
            // `Spring2024!`: letters, digits and a sign that no name has, and nothing that prose could read so.
            let is_marked = value.contains(['!', '$', '^'])
                && value.bytes().all(|b| b.is_ascii_graphic())
                && has_digit(value);
            is_random(value) || !setting.loose && value.len() >= 8 && (is_marked || is_knot(value))
        }
        Trust::Secret => is_named_key(value, setting),
        _ if reads_as_talk(value) => false,
        Trust::Password | Trust::Strong if setting.quoted => {
            let is_word =
                is_strong(value) && !value.contains(' ') && !is_technical(value) || is_number(value);
            !setting.loose || is_word && value.len() >= 6 || is_phrase(value.split(' '), 0)
        }
        Trust::Password => bare_password(value, setting),
        Trust::Strong if is_number(value) => value.len() >= 6 && !setting.loose && setting.alone,
        Trust::Strong => is_strong(value) && bare_password(value, Setting::alone(setting.trust)),
    }
}

/// Whether a value that stands by itself, with no quotes around it, is a password.
pub(super) fn is_password(value: &str) -> bool {
    is_secret(value, "", Setting::alone(Trust::Password)) && !is("address", value)
        || phrase(value) == Some(value.len())
}

/// Whether what stands in a header behind its scheme is no word.
pub(super) fn is_credential(value: &str, mixed_min: usize, plain_min: usize) -> bool {
    let length = value.len();
    let mixed = length >= mixed_min && case_changes(value) >= 2;
    mixed || has_digit(value) || length >= plain_min && !value.contains('-')
}

/// Whether a value that nothing but a space or a bracket announces cannot be a word.
pub(super) fn is_unmistakable(value: &str, trust: Trust, alone: bool) -> bool {
    let password = trust == Trust::Password && value.len() >= 8 && is_strong(value);
    let broken =
        has_digit(value) && value.contains(|c: char| c.is_ascii_uppercase() || "!@#$%^&*".contains(c));
    // `Spring2024!` is no word either.
    let marked = value.contains(|c: char| "!@#$%^&*".contains(c));
    let odd = password && broken && (marked || pieces_apart(value.as_bytes()) >= 3);
    let random = is_random(value) && (trust != Trust::Strong || is_drawn(value.as_bytes()));
    // `pin 4711 to the board`
    let is_code = trust == Trust::Code && (alone || value.len() >= 6);
    is_code
        || random
        || odd && !is_technical(value) && !is_wordy(value) && !is("number", value) && !is_path(value)
}

/// The same of a password that stands apart from its label: no word, no year, no name with a number.
pub(super) fn is_apart(value: &str) -> bool {
    let is_phrase = || is_phrase(value.split('-'), 0);
    is_number(value) && value.len() >= 6 || is_phrase() || is_unmistakable(value, Trust::Password, true)
}

/// Whether a value tells by itself that it is a secret: random or, behind a password's label, no word.
pub(super) fn tells_itself(value: &str, trust: Trust) -> bool {
    let is_password = matches!(trust, Trust::Password | Trust::Strong);
    is_drawn_alone(value, false)
        || is_password && is_apart(value)
        || trust == Trust::Code && is_code_number(value)
}

/// A token or a key that stands alone: 20 letters and digits of three kinds, or hexadecimal digits as many as keys have. A commit has 40.
pub(super) fn is_drawn_alone(value: &str, announced: bool) -> bool {
    let hexadecimal = value.bytes().all(|b| b.is_ascii_hexdigit());
    if hexadecimal {
        return value.len() >= 32 && (announced || value.len() != 40) && has_letter(value);
    }
    let in_run = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b) || announced && b"_-".contains(&b);
    let mixed = has_three_kinds(value.as_bytes()) || pieces_apart(value.as_bytes()) * 3 > value.len();
    value.len() >= 20 && value.bytes().all(in_run) && mixed && is_drawn(value.as_bytes())
}

fn bare_password(value: &str, setting: Setting) -> bool {
    if value.starts_with(['(', '[', '{', '<', '"', '|']) || setting.loose && is_named(value) {
        return false;
    }
    let length = value.chars().count();
    if is_strong(value) {
        let believed = length >= 6 || !setting.loose && (setting.alone || setting.assigned);
        return believed && !is_technical(value);
    }
    if setting.loose {
        // No year.
        let is_long = length > 4 || length == 4 && !value.starts_with("20");
        return is_number(value) && is_long && setting.alone || is_random(value);
    }
    if is_number(value) {
        return setting.alone && length >= 3 || setting.assigned;
    }
    let is_readable = |b: u8| b.is_ascii_alphanumeric() || b"-_.'".contains(&b);
    let is_news = value.ends_with("ed");
    let is_announced = setting.assigned || setting.alone && !is_news;
    is_announced && (has_letter(value) || !value.bytes().all(is_readable))
}

fn is_named_key(value: &str, setting: Setting) -> bool {
    if setting.loose || value.contains(' ') || !value.is_ascii() {
        return is_random(value);
    }
    let length = value.len();
    if is_named(value) || is_technical(value) && length < 16 {
        return false;
    }
    if is_number(value) {
        return length >= 6 && (setting.quoted || setting.assigned || setting.alone);
    }
    let mixed = has_letter(value) && has_digit(value);
    if setting.quoted || setting.assigned {
        return mixed && length >= 6 || length >= 12;
    }
    let unbroken = value.bytes().all(|b| b.is_ascii_alphanumeric());
    mixed && length >= 8 && (setting.alone || length >= 12) && !is_wordy(value)
        || setting.alone && unbroken && length >= 16
}

/// `type=x`: something else and its value.
fn is_named(value: &str) -> bool {
    let given = without_name(value);
    given.len() < value.len()
        && value[..value.len() - given.len()].ends_with('=')
        && given.contains(|c| c != '=')
}

/// What stands behind the name of `type=x`, `--type=x` or `type:x`. What is drawn at random is no name.
pub(super) fn without_name(value: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    let length = value.len() - value.trim_start_matches(is_name).len();
    let pieces = pieces_apart(&value.as_bytes()[..length]);
    let joints = value[..length].trim_start_matches('-');
    let is_name =
        length > 1 && (pieces == 1 || pieces * 2 < length) && !(joints.contains('_') && joints.contains('-'));
    let rest = value[length..].strip_prefix(['=', ':']).filter(|_| is_name);
    rest.unwrap_or(value)
}

fn is_code_number(value: &str) -> bool {
    is("code-number", value) && !is("number", value)
}

/// At least 12 signs, letters and digits mixed without a system, as no words and no date are.
pub(super) fn is_random(value: &str) -> bool {
    let length = value.len();
    if length < 12 || value.contains(char::is_whitespace) || is("number", value) {
        return false;
    }
    // No time and no count has so many digits.
    if is_number(value) || is("uuid", value) {
        return length >= 15;
    }
    let in_run = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let is_mixed = |run: &str| {
        let mixed = has_letter(run) && has_digit(run) && pieces(run.as_bytes()) >= 3;
        run.len() >= 10 && mixed && !is_technical(run)
    };
    let broken_up = length >= 20 && has_letter(value) && pieces_apart(value.as_bytes()) * 3 >= length;
    let mut runs = value.split(|c| !in_run(c));
    is_drawn(value.as_bytes())
        || runs.any(|run| is_mixed(run) || is_knot(run))
        || broken_up && !is_wordy(value)
}

/// `Q81kd`: a few signs of three kinds, as stand between the words of a password that a program proposes.
fn is_knot(run: &str) -> bool {
    let mut small = run.split(|c: char| !c.is_ascii_lowercase());
    let word = small.any(|small| small.len() > 3);
    (4..12).contains(&run.len()) && has_kinds(run.as_bytes(), 1) && !word && pieces(run.as_bytes()) >= 3
}

/// Whether the body of a token was drawn by a machine: its signs change their kind oftener than words, dates and versions do.
pub(super) fn is_drawn(body: &[u8]) -> bool {
    let head = body.get(..4).unwrap_or_default();
    if head.eq_ignore_ascii_case(b"your") || body.iter().all(|b| b"xX0-_.*".contains(b)) {
        return false;
    }
    let hexadecimal = count(body, u8::is_ascii_hexdigit);
    let is_mixed = body.iter().any(u8::is_ascii_digit) && body.iter().any(u8::is_ascii_alphabetic);
    if hexadecimal >= 16 && is_mixed && hexadecimal + count(body, |b| *b == b'-') == body.len() {
        return true;
    }
    let is_drawn_run = |run: &[u8]| {
        let (length, pieces, digits) = (run.len(), pieces(run), count(run, u8::is_ascii_digit));
        // Random letters of both cases with digits make a piece of every 1.7 signs, small letters with digits of 2.5.
        let broken = length >= 10 && pieces * 3 > length || length >= 20 && pieces * 4 > length;
        // No word and no name is so long.
        broken || length >= 24 && (pieces == 1 || digits > 0 && digits < length)
    };
    let letters = count(body, u8::is_ascii_alphanumeric);
    let mut runs = body.split(|b| !b.is_ascii_alphanumeric());
    let changes = if has_three_kinds(body) { 3 } else { 2 };
    runs.any(is_drawn_run) || letters >= 16 && pieces_apart(body) * changes >= letters
}

/// Whether what stands behind somebody's prefix is random all through, and no hash.
pub(super) fn is_key(value: &str) -> bool {
    let run = value.split_once(['_', '-']).unwrap_or_default().1.as_bytes();
    let letters = count(run, u8::is_ascii_alphanumeric);
    let kinds = has_three_kinds(run) || letters == run.len() && !run.iter().all(u8::is_ascii_hexdigit);
    count(run, u8::is_ascii_digit) > 2 && kinds && pieces_apart(run) * 4 > letters
}

/// How many pieces a run of letters and digits has: a number, letters of one case, a word with a capital.
fn pieces(run: &[u8]) -> usize {
    pattern("piece").find_iter(run).count()
}

fn pieces_apart(value: &[u8]) -> usize {
    pattern("piece-apart").find_iter(value).count()
}

fn count(value: &[u8], kind: impl Fn(&u8) -> bool) -> usize {
    value.iter().filter(|b| kind(b)).count()
}

/// Letters with digits, or with a sign inside that words do not have.
fn is_strong(value: &str) -> bool {
    let sign = |c: char| "!@#$%^&*+=~?".contains(c);
    let last = value.char_indices().next_back().map_or(0, |(at, _)| at);
    let has_letter = value.contains(char::is_alphabetic);
    has_letter && (has_digit(value) || value[..last].contains(sign))
        || has_digit(value) && value[..last].contains(|c: char| sign(c) && c != '+')
        || is_phrase(value.split('-'), 1)
}

/// Four to twelve plain words that make no sentence, perhaps with short numbers among them; so many of them may talk.
fn is_phrase<'a>(words: impl Iterator<Item = &'a str>, talks_max: usize) -> bool {
    const WORDS_MAX: usize = 13;
    let is_plain = |word: &str| {
        let small = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
        let capitals = word.len() - small.len();
        (3..=10).contains(&word.len()) && capitals < 2 && small.bytes().all(|b| b.is_ascii_lowercase())
    };
    let talks = |word: &&&str| word.ends_with("tion") || word.ends_with("ment") || words::has("talk", word);
    let words = words.take(WORDS_MAX);
    let words: Vec<&str> = words.filter(|it| it.len() > 4 || !is_number(it)).collect();
    (4..WORDS_MAX).contains(&words.len())
        && words.iter().all(|word| is_plain(word))
        && words.iter().filter(talks).count() <= talks_max
}

/// The length of the pass phrase that a text begins with: at least four plain words, up to a sign, or to a word that goes on
/// talking. Of those that people draw at random few are inflected, as in headlines most are.
pub(super) fn phrase(text: &str) -> Option<usize> {
    /// A longer one is prose.
    const PHRASE_MAX: usize = 96;
    let near = head(text, PHRASE_MAX);
    let behind = near.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == ' ');
    let length = near.len() - behind.len();
    let words = || text[..length].split(' ');
    let talks = words().position(|word| words::has("talk", word));
    let words = words().take(talks.unwrap_or(usize::MAX));
    let end: usize = words.clone().map(|word| word.len() + 1).sum();
    let end = end.min(length);
    let phrase = text[..end].trim_end_matches(' ');
    let goes_on = |c: char| c.is_alphanumeric() || "-_/=:@([".contains(c);
    let ends = talks.is_some() || text[..end].ends_with(' ') || !text[end..].starts_with(goes_on);
    let inflected = words.clone().any(|word| is("inflects", word));
    (ends && !inflected && is_phrase(phrase.split(' '), 0)).then_some(phrase.len())
}

/// Something that stands where a value goes: the mark itself, a filler, a placeholder, a reference such as `$NAME`, `${…}`,
/// `$(…)`, `%NAME%`, `{{ … }}`, `{name}`, `[name]`.
pub(super) fn stands_for_a_value(value: &str) -> bool {
    let cut = value.len() <= 16 && (value.contains("...") || value.contains('…'));
    cut || is("stands", value)
}

/// A file, a folder or an address.
fn is_path(value: &str) -> bool {
    // A base64 value may begin with a slash; folders' names are not made of so many mixed letters and digits.
    let is_base64 = |part: &str| part.len() >= 16 && has_digit(part) && case_changes(part) >= 4;
    let is_folder = || !value.split('/').any(is_base64) && (value.contains('.') || case_changes(value) < 6);
    is("path", value) || value.starts_with('/') && !value.ends_with('=') && is_folder()
}

/// A call, an index, a member of something: the name of a value, not the value.
fn is_code(value: &str) -> bool {
    is("code", value) || is("member", value) && !is_random(value)
}

/// `password: db_password`, `token = user.token`: what is called as its label is.
fn is_named_like(value: &str, label: &str, setting: Setting) -> bool {
    let last = |name: &str| name.rsplit([' ', '_', '-', '.']).next().unwrap_or(name).to_ascii_lowercase();
    let (own, given) = (last(label), last(value));
    let alike = own.len() >= 3 && given.len() >= 3 && (own.starts_with(&given) || given.ends_with(&own));
    value.eq_ignore_ascii_case(label)
        || !setting.assigned && is("joined-name", value) && alike && !is_random(value)
}

/// One word that says something about a value, names its type, or is the name of a variable, in capitals.
fn is_said(value: &str) -> bool {
    let is_name = || is_wordy(value.trim_end_matches(|c: char| c.is_ascii_digit())) || is("own-name", value);
    is("said-value", value) || is("constant", value) && is_name()
}

/// A word of a language that is not written in Latin letters; with numbers too where nobody types passwords in it (`8자`).
fn reads_as_talk(value: &str) -> bool {
    /// From here on: the scripts of South and East Asia.
    const NOT_TYPED: char = '\u{900}';
    let written = value.contains(|c: char| !c.is_ascii() && c.is_alphabetic());
    let typed = value.contains(|c: char| c.is_alphabetic() && c < NOT_TYPED);
    let begins = value.starts_with(|c: char| c >= NOT_TYPED && c.is_alphabetic());
    begins || written && (!typed || !has_digit(value) && value.chars().all(char::is_alphabetic))
}

/// Names of algorithms and types, versions, counts: letters and digits, and no secret.
fn is_technical(value: &str) -> bool {
    // No name is so long without a hyphen.
    (value.len() < 24 || value.contains('-')) && is("technical", value)
}

/// `handled-in-v2-release`, `agent:main:telegram:12345`: words with a short number among them.
fn is_wordy(value: &str) -> bool {
    let parts = value.split(|c: char| !c.is_ascii_alphanumeric());
    let parts = || parts.clone().filter(|part| !part.is_empty());
    let is_word =
        |part: &str| !has_digit(part) && case_changes(part) <= 1 || part.len() <= 4 || is_number(part);
    let last = value.char_indices().next_back().map_or(0, |(at, _)| at);
    let joined = !value[..last].contains(|c: char| "!#$%^&*=?~".contains(c));
    joined && parts().filter(|part| part.len() >= 3 && !has_digit(part)).count() >= 2 && parts().all(is_word)
}

pub(super) fn has_letter(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_alphabetic())
}

pub(super) fn has_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit())
}

/// Small letters, capitals and digits, each so often.
pub(super) fn has_kinds(value: &[u8], often: usize) -> bool {
    let kinds = [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
    kinds.iter().all(|kind| count(value, kind) >= often)
}

/// Each more than once, as dates and names in capitals do not have them.
pub(super) fn has_three_kinds(value: &[u8]) -> bool {
    has_kinds(value, 2)
}

pub(super) fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit())
}

/// How often a small letter is followed by a capital.
pub(super) fn case_changes(value: &str) -> usize {
    let is_change = |two: &&[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    value.as_bytes().windows(2).filter(is_change).count()
}
