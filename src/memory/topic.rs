//! A topic's identity: what the heading of an entry calls it, and when two names are the same topic (SPEC section 3).

mod stamp;

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub(super) use self::stamp::without_clock;
use super::entry::split_tag;
use super::language::lexicon;
use super::text::{head, is_direction_mark, is_listed, is_unseen, one_line};

/// Characters of a name at most; a heading over several lines of prose makes a name too.
pub const NAME_CHARS_MAX: usize = 80;
const HEADING_BYTES_MAX: usize = 600;

/// The name that a heading gives its topic: without type tag, clock times and dates around it, list numbers, emoji and Markdown marks, on
/// one line. `None` when the rest names nothing: dates, times and numbers, an opaque id, or words such as "Session" or "Notes" alone.
pub fn name(heading: &str) -> Option<String> {
    let heading = head(heading, HEADING_BYTES_MAX);
    // The bracket of a type tag looks like that of a link, and most headings have no other dress.
    let plain = match split_tag(heading) {
        (untagged, Some(_)) if !is_dressed(untagged) => Cow::Borrowed(untagged),
        _ => unwrapped(heading),
    };
    let name = bare(&plain);
    let is_long = name.chars().nth(NAME_CHARS_MAX).is_some();
    (!names_nothing(name)).then(|| match is_long {
        true => one_line(name, NAME_CHARS_MAX),
        false => name.to_owned(),
    })
}

fn is_dressed(heading: &str) -> bool {
    let dressed = |char: char| {
        matches!(char, '*' | '_' | '`' | '~' | '[' | '<' | '\\' | '&' | '!')
            || char.is_control()
            || is_direction_mark(char)
    };
    heading.contains(dressed) || heading.contains("  ")
}

/// The plain text of a heading on one line.
fn unwrapped(heading: &str) -> Cow<'_, str> {
    let heading = heading.trim();
    if !is_dressed(heading) {
        return Cow::Borrowed(heading);
    }
    // Behind the mark of a heading nothing is a block.
    let line = format!("# {}", heading.replace(['\n', '\r'], " "));
    let mut plain = String::with_capacity(heading.len());
    for event in Parser::new_ext(&line, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_WIKILINKS) {
        match event {
            Event::Text(text) | Event::Code(text) => plain.push_str(&text),
            Event::InlineHtml(html) if !html.starts_with("<!--") => plain.push_str(&html),
            _ => {}
        }
    }
    let is_kept = |char: &char| !char.is_control() && !is_direction_mark(*char);
    let bare = |word: &str| word.chars().filter(is_kept).collect::<String>();
    Cow::Owned(plain.split_whitespace().map(bare).collect::<Vec<_>>().join(" "))
}

fn bare(heading: &str) -> &str {
    let mut name = heading.trim();
    loop {
        let shorter = stamp::without_trailing(stamp::without_leading(split_tag(name).0));
        let shorter = without_form(shorter);
        if shorter.len() == name.len() {
            return name;
        }
        name = shorter;
    }
}

/// What parts a heading's name from what else it says.
pub(super) const SEPARATORS: [&str; 5] = [" — ", " – ", " - ", ": ", "："];

/// Without what a form puts before and behind the name: "Update: pier kiosk", "Pier kiosk — DONE".
fn without_form(name: &str) -> &str {
    let has_role = |label: &&str| lexicon().label(label).role.is_some();
    // What stands behind "id:" or "pm:" is no name.
    let is_form = |label: &&str| {
        // "Issue 2: lift stuck".
        let word = label.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, ' ' | '#'));
        let is_numbered = word.len() < label.len() && lexicon().is_form(word);
        is_numbered || has_role(label) || label.len() > 2 && lexicon().heading(word).dull
    };
    for separator in SEPARATORS {
        let parts = name.rsplit_once(separator);
        if let Some((rest, _)) = parts.filter(|(rest, label)| has_role(label) && !rest.trim().is_empty()) {
            return rest.trim();
        }
        let parts = name.split_once(separator);
        if let Some((_, rest)) = parts.filter(|(label, rest)| is_form(label) && !rest.trim().is_empty()) {
            return rest.trim();
        }
    }
    name
}

/// What two names of one topic have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(String);

impl Key {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// The key of a name: NFKC, letter case folded (to lower, upper and lower case again, which knows `ẞ`, `ß` and `ς`), every run
/// of white space, punctuation and symbols one space. `+` and `#` after a word stay, so that C, C++ and C#
/// are three topics. A name of symbols alone keeps them. The key of a key is itself.
pub fn key(name: &str) -> Key {
    // A name that was cut ends so; it parts words as a full stop does.
    let name = Some(name.trim_end_matches('…')).filter(|cut| !cut.is_empty()).unwrap_or(name);
    // Nearly half of all names are such, and the tables of Unicode take fifty times as long.
    if name.is_ascii() && name.contains(|letter: char| letter.is_ascii_alphanumeric()) {
        return Key(fold(name.chars().map(|letter| letter.to_ascii_lowercase())));
    }
    // Folding case can undo NFKC, and the other way round.
    let lower = name.nfkc().flat_map(char::to_lowercase);
    let folded = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let folded = fold(folded.nfkc());
    if folded.is_empty() {
        // White space may have stood between marks that NFKC puts in another order.
        return Key(name.nfkc().filter(|char| !char.is_whitespace()).nfkc().collect());
    }
    Key(folded)
}

fn fold(chars: impl Iterator<Item = char>) -> String {
    let (mut folded, mut apart, mut suffix) = (String::new(), false, false);
    for char in chars {
        let is_mark = || !char.is_ascii() && is_combining_mark(char);
        if char.is_alphanumeric() || !apart && !folded.is_empty() && is_mark() {
            if apart && !folded.is_empty() {
                folded.push(' ');
            }
            folded.push(char);
            (apart, suffix) = (false, true);
        } else if matches!(char, '+' | '#') && suffix {
            folded.push(char);
        } else if !is_unseen(char) {
            (apart, suffix) = (true, false);
        }
    }
    folded
}

static LISTS: LazyLock<FxHashMap<&str, FxHashSet<&str>>> = LazyLock::new(|| {
    let mut lists: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    let lines = include_str!("topic/words.txt").lines();
    for (name, words) in lines.filter_map(|line| line.split_once(": ")) {
        lists.entry(name).or_default().extend(words.split(' '));
    }
    lists
});

fn is_in(list: &str, word: &str) -> bool {
    LISTS[list].contains(word.to_lowercase().as_str())
}

/// Whether a word is the name of a month, in one of many languages.
pub fn is_month(word: &str) -> bool {
    is_in("months", word)
}

/// Whether a plain heading, with all stripped that stands around a name, names no topic.
fn names_nothing(name: &str) -> bool {
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
        // `Europe/Berlin`; `CET` is a word that names nothing.
        let is_zone = || chunk.contains('/') && tzdb_data::find_tz(chunk.as_bytes()).is_some();
        words(chunk).all(is_no_name) || is_zone() || id() && session()
    })
}

/// The words of a text, parted by anything that is no letter or digit. Vowel signs are letters enough here.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inside = |char: char| char.is_alphanumeric() || is_combining_mark(char);
    text.split(move |char| !inside(char)).filter(|word| !word.is_empty())
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
        || is_month(word) && !word.eq_ignore_ascii_case("may")
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

/// A UUID, a commit, a long token: one of its parts is seven or more hexadecimal digits, letters and figures mixed.
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

#[cfg(test)]
mod tests;
