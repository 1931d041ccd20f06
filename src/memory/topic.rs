//! A topic's identity: what the heading of an entry calls it, and when two names are the same topic (SPEC
//! section 3).

mod markup;
mod nameless;
mod stamp;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::entry::split_tag;
use super::language::{Role, lexicon};
use super::text::{head, is_unseen, one_line};

/// Characters of a name at most; a heading over several lines of prose makes a name too.
pub const NAME_CHARS_MAX: usize = 80;
/// Bytes of a heading that are looked at for its name.
const HEADING_BYTES_MAX: usize = 600;

/// The name that a heading gives its topic: without type tag, clock times and dates around it, list numbers,
/// emoji and Markdown marks, on one line of at most [`NAME_CHARS_MAX`] characters. Borrowed when nothing
/// inside it had to change.
///
/// `None` when the rest names nothing: only dates, times and numbers, a session's key or another opaque id,
/// or words such as "Session" or "Notes" alone, in any of the languages known.
pub fn name(heading: &str) -> Option<Cow<'_, str>> {
    let heading = head(heading, HEADING_BYTES_MAX);
    // The bracket of a type tag looks like that of a link, and most headings have no other dress.
    let (untagged, tag) = split_tag(heading);
    let name = if tag.is_some() && !markup::is_dressed(untagged) {
        Cow::Borrowed(bare(untagged))
    } else {
        match markup::unwrapped(heading) {
            Cow::Borrowed(plain) => Cow::Borrowed(bare(plain)),
            Cow::Owned(plain) => Cow::Owned(bare(&plain).to_owned()),
        }
    };
    if nameless::names_nothing(&name) {
        return None;
    }
    // A character is at least a byte: most names need no counting.
    if name.len() <= NAME_CHARS_MAX || name.chars().count() <= NAME_CHARS_MAX {
        return Some(name);
    }
    Some(Cow::Owned(one_line(&name, NAME_CHARS_MAX)))
}

/// What is left of a plain heading without what stands before and behind the name.
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

/// Without what a form puts before and behind the name: "Update: pier kiosk", "Pier kiosk — DONE".
fn without_form(name: &str) -> &str {
    // What stands behind "id:" or "pm:" is no name.
    let is_dull = |label: &&str| label.len() > 2 && lexicon().label(label).dull;
    let is_state = |label: &&str| matches!(lexicon().label(label).role, Some(Role::Done | Role::Open));
    for separator in [" — ", " – ", " - ", ": ", "："] {
        let parts = name.split_once(separator);
        if let Some((_, rest)) = parts.filter(|(label, rest)| is_dull(label) && !rest.trim().is_empty()) {
            return rest.trim();
        }
        let parts = name.rsplit_once(separator);
        if let Some((rest, _)) = parts.filter(|(rest, label)| is_state(label) && !rest.trim().is_empty()) {
            return rest.trim();
        }
    }
    name
}

/// What two names of one topic have in common. Two names are the same topic when their keys are equal; the
/// order is that of the folded text. Displays as that text.
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
    let name = Some(name.trim_end_matches('…'))
        .filter(|cut| !cut.is_empty())
        .unwrap_or(name);
    // Nearly half of all names are such, and the tables of Unicode take fifty times as long.
    if name.is_ascii() && name.contains(|letter: char| letter.is_ascii_alphanumeric()) {
        return Key(fold(
            name.chars().map(|letter| letter.to_ascii_lowercase()),
            name.len(),
        ));
    }
    // Folding case can undo NFKC, and the other way round.
    let folded: String = name
        .nfkc()
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect();
    let folded = fold(folded.nfkc(), folded.len());
    if folded.is_empty() {
        return Key(name.nfkc().filter(|char| !char.is_whitespace()).collect());
    }
    Key(folded)
}

/// Words parted by single spaces.
fn fold(chars: impl Iterator<Item = char>, capacity: usize) -> String {
    let mut folded = String::with_capacity(capacity);
    let mut apart = false;
    let mut suffix = false;
    for char in chars {
        let is_mark = || !char.is_ascii() && is_combining_mark(char);
        if char.is_alphanumeric() || !apart && !folded.is_empty() && is_mark() {
            if apart && !folded.is_empty() {
                folded.push(' ');
            }
            folded.push(char);
            apart = false;
            suffix = true;
        } else if matches!(char, '+' | '#') && suffix {
            folded.push(char);
        } else if !is_unseen(char) {
            apart = true;
            suffix = false;
        }
    }
    folded
}

#[cfg(test)]
mod tests;
