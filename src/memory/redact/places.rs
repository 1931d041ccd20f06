//! Places where a secret has no name and no shape: beside an account's name, in a cookie.

use std::ops::Range;

use memchr::memchr_iter;

use super::line::{Line, floor, run};
use super::rules::pattern;
use super::values::{self, Trust, has_digit, has_letter};
use super::words;

/// The passwords of `bob:password@host` without a scheme. Mail addresses are written so, too (`cc:bob2@host`): where neither the host nor
/// the word before tells of a login, only what no name is made of counts.
pub(super) fn logins(text: &str, found: &mut Vec<Range<usize>>) {
    /// A password, or a name and what is around it, is no longer.
    const NEAR: usize = 64;
    for at in memchr_iter(b'@', text.as_bytes()) {
        let near = &text[floor(text, at.saturating_sub(NEAR))..at];
        let Some((_, value)) = near.rsplit_once(':').filter(|(_, value)| value.len() >= 6) else {
            continue;
        };
        let before = &text[floor(text, at.saturating_sub(value.len() + NEAR))..at - value.len() - 1];
        let ends = |c: char| c.is_whitespace() || "\"'`/<>|(=,".contains(c);
        if before.ends_with(ends) || value.contains(ends) || !values::is_password(value) {
            continue;
        }
        let host = &text.as_bytes()[at + 1..text.len().min(at + NEAR)];
        let word = before.rsplit(ends).nth(1).unwrap_or("");
        let is_login = pattern("login").is_match(host) || words::has("connects", word);
        let believed = is_login || values::is_unmistakable(value, Trust::Password, true);
        if believed && pattern("host").is_match(host) && !host.starts_with(b"sha") {
            found.push(at - value.len()..at);
        }
    }
}

/// The passwords of `bob/x` and `bob / x`, where the line tells of a login and no path and no word looks so.
pub(super) fn pairs(text: &str, found: &mut Vec<Range<usize>>) {
    /// A name or a password is no longer, nor are they further from what tells of them.
    const NEAR: usize = 64;
    let ends = |c: char| c.is_whitespace() || "\"'`,;|()[]<>*".contains(c);
    let belongs = |b: u8| b.is_ascii_alphanumeric() || b"!@#$%^&+=~?".contains(&b);
    for at in memchr_iter(b'/', text.as_bytes()) {
        let spaced = text[..at].ends_with(' ') && text[at + 1..].starts_with(' ');
        let start = at + 1 + usize::from(spaced);
        let length = run(&text[start..], NEAR, belongs);
        if length < 8 {
            continue;
        }
        let (value, rest) = text[start..].split_at(length);
        let value = value.trim_end_matches(['!', '?']);
        let goes_on = rest.starts_with(['/', '.', ':', '-', '_']) && !rest[1..].starts_with(ends);
        if goes_on || !has_digit(value) || !value.contains(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        let near = text[floor(text, at.saturating_sub(NEAR))..at].rsplit('\n').next();
        let before = near.unwrap_or("").trim_end_matches(' ');
        let name = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "_.@+-".contains(c));
        let named = before[name.len()..].starts_with(|c: char| c.is_ascii_alphabetic())
            && (name.is_empty() || name.ends_with(ends));
        let behind = rest[..floor(rest, NEAR)].split('\n').next().unwrap_or("");
        let believed = || values::is_unmistakable(value, Trust::Password, true) && values::is_password(value);
        let told = || {
            [before, behind]
                .iter()
                .any(|it| pattern("login-near").is_match(it.as_bytes()))
        };
        if named && believed() && told() {
            found.push(start..start + value.len());
        }
    }
}

/// What is no word in the cookies behind `Cookie:`, and where they end.
pub(super) fn cookies(text: &str, line: &Line, at: usize) -> (Vec<Range<usize>>, usize) {
    const COOKIES_MAX: usize = 4096;
    let mut found = Vec::new();
    let until = floor(text, line.end.min(at + COOKIES_MAX));
    let rest = &text[at..until];
    if !rest
        .trim_start_matches(['"', '\'', ' '])
        .starts_with([':', '=', ','])
    {
        return (found, at);
    }
    for cookie in rest.split(|c: char| c.is_whitespace() || ";,\"'\\".contains(c)) {
        let value = cookie.split_once('=').map_or("", |(_, value)| value);
        if value.len() >= 8 && has_letter(value) && has_digit(value) && !values::stands_for_a_value(value) {
            let start = at + (value.as_ptr() as usize - rest.as_ptr() as usize);
            found.push(start..start + value.len());
        }
    }
    (found, until)
}
