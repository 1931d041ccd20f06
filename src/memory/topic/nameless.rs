//! Headings that name nothing: dates, times, numbers, session keys and other ids, and the words for "a piece
//! of a log".

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::memory::text::is_listed;

/// The lists of `words.txt`.
pub(super) static LISTS: LazyLock<FxHashMap<&str, FxHashSet<&str>>> = LazyLock::new(|| {
    let mut lists: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    let lines = include_str!("words.txt").lines();
    for (name, words) in lines.filter_map(|line| line.split_once(": ")) {
        lists.entry(name).or_default().extend(words.split(' '));
    }
    lists
});

fn is_in(list: &str, word: &str) -> bool {
    LISTS[list].contains(word.to_lowercase().as_str())
}

/// `CET`, or `Europe/Berlin`.
fn is_zone(word: &str) -> bool {
    is_in("zones", word) || word.contains('/') && tzdb_data::find_tz(word.as_bytes()).is_some()
}

/// Whether a plain heading, with all stripped that stands around a name, names no topic.
pub(super) fn names_nothing(name: &str) -> bool {
    if !name.chars().any(char::is_alphanumeric) {
        // Scripts have names of letters; a face or a rule is none.
        return true;
    }
    let session = || words(name).any(|word| is_in("session", word));
    let mut chunks = name.split_whitespace().peekable();
    let first = chunks.peek().copied().unwrap_or("");
    let alone = first.len() == name.trim().len();
    if alone && (is_session_key(first) || is_opaque(first)) {
        return true;
    }
    chunks.all(|chunk| {
        let chunk = chunk.trim_matches(|char: char| !char.is_alphanumeric());
        let id = || is_session_key(chunk) || is_id(chunk) || is_opaque(chunk);
        words(chunk).all(is_no_name) || is_zone(chunk) || id() && session()
    })
}

/// The words of a text, parted by anything that is no letter or digit. Vowel signs are letters enough here.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inside = |char: char| char.is_alphanumeric() || unicode_normalization::char::is_combining_mark(char);
    text.split(move |char| !inside(char))
        .filter(|word| !word.is_empty())
}

/// Numbers, ordinals, parts of timestamps, and the words above.
fn is_no_name(word: &str) -> bool {
    const UNITS: &str = "t z tz h m s w am pm st nd rd th ms";
    let is_digit = |letter: char| letter.is_ascii_digit();
    if word.is_ascii() && word.contains(is_digit) {
        let unit = word.replace(is_digit, "").to_ascii_lowercase();
        let is_stamp = unit.is_empty() || is_listed(&unit, UNITS);
        return is_stamp && word.starts_with(|first| is_digit(first) || matches!(first, 'W' | 'w' | 'T'));
    }
    let mut lists = ["generic", "weekdays", "zones"].iter();
    lists.any(|list| is_in(list, word))
        || is_in("months", word) && !word.eq_ignore_ascii_case("may")
        || word.chars().all(char::is_numeric)
}

/// `agent:main:main`, `telegram:group:-100123`.
fn is_session_key(word: &str) -> bool {
    word.split(':').count() >= 3 && word.is_ascii() && word.split(':').all(|part| !part.is_empty())
}

/// An id after the word "session": ends in a number, or has digits in it and is long. `gpt4` is a name.
fn is_id(word: &str) -> bool {
    let (_, last) = word.rsplit_once(['_', '-']).unwrap_or_default();
    let numbered = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = || word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_long = digits >= 2 && word.len() >= 6 && is_hex() || digits >= 3 && word.len() >= 10;
    is_plain(word) && (numbered || is_long)
}

fn is_plain(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// A UUID, a commit, a long token: one of its parts is seven or more hexadecimal digits, letters and figures
/// mixed.
fn is_opaque(word: &str) -> bool {
    let hex = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        part.len() >= 7
            && digits >= 2
            && digits < part.len()
            && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    is_plain(word) && word.split(['_', '-']).any(hex)
}
