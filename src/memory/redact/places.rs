//! Places where a secret has no name and no shape: beside an account's name, in a cookie; and private keys in armour (PEM of every
//! kind, OpenSSH, PGP, PuTTY).

use std::ops::Range;

use memchr::memchr_iter;

use super::Listed;
use super::line::{Line, floor, place};
use super::rules::{group, pattern};
use super::values::{self, Trust, has_digit, has_letter};
use super::words;

/// The passwords of `bob:password@host` without a scheme. Mail addresses are written so, too (`cc:bob2@host`): where neither the host nor
/// the word before tells of a login, only what no name is made of counts.
pub(super) fn logins(text: &str, zone: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut seen = 0;
    for at in memchr_iter(b'@', &text.as_bytes()[zone.clone()]) {
        let at = zone.start + at;
        if at < seen {
            continue;
        }
        let line = Line::at(text, at);
        seen = line.end;
        let whole = &text[line.start..seen];
        for login in pattern("login").captures_iter(whole.as_bytes()) {
            let part = |name| whole.get(login.name(name)?.range());
            let Some(value) = part("password") else {
                continue;
            };
            let is_login =
                part("host").is_some() || part("word").is_some_and(|word| words::has("connects", word));
            if values::is_password(value)
                && (is_login || values::is_unmistakable(value, Trust::Password, true))
            {
                found.push(place(value, text));
            }
        }
    }
}

/// What is no word in the cookies behind `Cookie:`.
pub(super) fn cookies(text: &str, line: &Line, at: &Range<usize>) -> Listed {
    const COOKIES_MAX: usize = 4096;
    let until = floor(text, line.end.min(at.end + COOKIES_MAX));
    let rest = &text[at.end..until];
    let names = |c| matches!(c, '"' | '\'' | ' ');
    if !rest.trim_start_matches(names).starts_with([':', '=', ',']) {
        return (Vec::new(), at.end);
    }
    let values = pattern("cookie").captures_iter(rest.as_bytes());
    let values = values.filter_map(|cookie| rest.get(cookie.get(1)?.range()));
    let is_secret =
        |value: &&str| has_letter(value) && has_digit(value) && !values::stands_for_a_value(value);
    let places = values.filter(is_secret).map(|value| place(value, text));
    (places.collect(), until)
}

/// No key is longer; further away, an END belongs to something else.
const BLOCK_MAX: usize = 32 * 1024;

/// The block that the armour of a private key at `at` belongs to: from BEGIN to END, in lines or in one line with `\n`, in quotes, diffs
/// and source code. A key whose END is missing reaches to its last line of key material; one whose BEGIN is missing starts at its first.
/// Certificates and public keys stay, and so does a sentence that only mentions the armour.
pub(super) fn key_block(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    if text[at.clone()].contains("END") {
        let from = floor(text, at.start.saturating_sub(BLOCK_MAX));
        let from = text[from..at.start]
            .rfind("-----")
            .map_or(from, |last| from + last);
        let Range { start, .. } = place(group("key-ended", &text[from..at.start])?, text);
        let end = text[at.end..].find("PRIVATE KEY").filter(|name| *name <= 48)? + at.end;
        return Some(start..end + text[end..].find("----").map_or(0, |dashes| dashes + 5));
    }
    // A list's hyphen before the armour looks like one more of its own.
    let from = at.start - usize::from(text[..at.start].ends_with('-'));
    // Up to the next BEGIN only, so that many of them are read once.
    let rest = &text[at.end..floor(text, at.end + BLOCK_MAX)];
    let window = &text[from..at.end + rest.find("BEGIN ").unwrap_or(rest.len())];
    if let Some(whole) = pattern("key-whole").find(window.as_bytes()) {
        return Some(from..from + whole.end());
    }
    let begun = from + pattern("key-begun").find(window.as_bytes())?.end();
    let last = group("key-last", &text[begun..from + window.len()]);
    Some(from..begun + last.map_or(0, str::len))
}
