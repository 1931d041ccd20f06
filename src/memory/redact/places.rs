//! Places where a secret has no name: a URL's user part, an `Authorization` header, `curl -u`, a webhook's address.

use std::ops::Range;

use memchr::memmem;

use super::bytes::*;
use super::innocent;
use super::labels;
use super::lines::Line;
use super::values;

pub(super) fn webhook(bytes: &[u8], at: Range<usize>) -> Option<Range<usize>> {
    // `services/T…/B…/…`: the word stays, what grants the permission goes.
    let start = if bytes[at.start] == b'h' {
        bounded_run_end(bytes, at.end, 16, |b| b.is_ascii_lowercase()) + 1
    } else {
        at.end
    };
    let numbered =
        bytes[at.start] == b'h' || bounded_run_end(bytes, start, 5, |b| b.is_ascii_digit()) == start + 5;
    if !numbered {
        return None;
    }
    let end = run_end(bytes, start, |b| dashed(b) || b == b'/');
    (end >= start + 16).then_some(start..end)
}

/// The password of `scheme://user:password@host`, or the whole user part where it is a token.
pub(super) fn url(text: &str, line: &Line, at: Range<usize>) -> Option<Range<usize>> {
    const ADDRESS_MAX: usize = 2048;
    let bytes = &text.as_bytes()[..line.end];
    if at.start == 0 || !alphanumeric(bytes[at.start - 1]) {
        return None;
    }
    let ends =
        |b: u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'\\');
    let run = &bytes[at.end..bounded_run_end(bytes, at.end, ADDRESS_MAX, |b| !ends(b))];
    let authority = run
        .iter()
        .position(|&b| matches!(b, b'/' | b'?' | b'#'))
        .unwrap_or(run.len());
    let colon = run[..authority].iter().position(|&b| b == b':');
    let user_part = match (run[..authority].iter().rposition(|&b| b == b'@'), colon) {
        (Some(sign), _) => sign,
        // A password may hold a slash that should have been escaped; a port may not.
        (None, Some(colon)) if run[..authority][colon + 1..].iter().any(|b| !b.is_ascii_digit()) => {
            if run[0] == b'[' {
                return None;
            }
            authority + run[authority..].iter().position(|&b| b == b'@')?
        }
        _ => return None,
    };
    // Further on it comes before a port.
    let colon = colon.filter(|&colon| colon < user_part);
    let secret = match colon {
        Some(colon) if values::random(text_of(text, at.end, 0..colon)) => 0..user_part,
        Some(colon) => colon + 1..user_part,
        None => 0..user_part,
    };
    let value = text_of(text, at.end, secret.clone());
    let hidden = !innocent::stands_for_a_value(value) && (colon.is_some() || lone_user_is_token(value));
    (hidden && !value.is_empty()).then_some(at.end + secret.start..at.end + secret.end)
}

fn text_of(text: &str, base: usize, range: Range<usize>) -> &str {
    text.get(base + range.start..base + range.end).unwrap_or("")
}

fn lone_user_is_token(user: &str) -> bool {
    let letters_and_digits = innocent::has_letter(user) && innocent::has_digit(user);
    user.len() >= 8 && letters_and_digits || user.len() >= 20 && user.bytes().all(alphanumeric)
}

pub(super) fn authorization(text: &str, line: &Line, after: usize) -> Option<Range<usize>> {
    const SCHEMES: &[&str] = &[
        "bearer",
        "basic",
        "token",
        "apikey",
        "api-key",
        "key",
        "jwt",
        "bot",
        "digest",
        "negotiate",
        "hmac",
    ];
    let mut start = labels::value_start(text, line, after)?;
    let scheme_end = bounded_run_end(line.bytes(text), start, 16, dashed);
    let scheme = &text[start..scheme_end];
    let known = SCHEMES.iter().find(|it| it.eq_ignore_ascii_case(scheme));
    if known.is_some() {
        start = bounded_run_end(line.bytes(text), scheme_end, 8, |b| {
            matches!(b, b' ' | b'\t' | b'"' | b'\'' | b':')
        });
    }
    let end = run_end(line.bytes(text), start, credential);
    let value = &text[start..end];
    let mixed = three_kinds(value.as_bytes()) || innocent::mixed_case(value) || value.ends_with('=');
    let secret = match known {
        Some(&"basic") => value.len() >= 6 && (mixed || innocent::has_digit(value)),
        Some(_) => {
            value.len() >= 6 && innocent::has_digit(value)
                || value.len() >= 16 && (mixed || value.len() >= 24)
        }
        None => values::random(value),
    };
    (secret && !innocent::stands_for_a_value(value)).then_some(start..end)
}

pub(super) fn bearer(text: &str, line: &Line, after: usize) -> Option<Range<usize>> {
    let bytes = line.bytes(text);
    let start = bounded_run_end(bytes, after, 4, |b| {
        matches!(b, b' ' | b'\t' | b':' | b'=' | b'"' | b'\'' | b'`')
    });
    let end = run_end(bytes, start, credential);
    let value = text[start..end].trim_end_matches('.');
    let length = value.len();
    let secret = length >= 12 && innocent::has_digit(value) && innocent::has_letter(value)
        || length >= 20 && innocent::mixed_case(value)
        || length >= 32 && !value.contains('-');
    (start > after && secret && !innocent::stands_for_a_value(value)).then_some(start..start + length)
}

pub(super) fn curl(text: &str, line: &Line, after: usize) -> Option<Range<usize>> {
    const COMMAND_MAX: usize = 1024;
    let bytes = line.bytes(text);
    let command = &bytes[after..bytes.len().min(after + COMMAND_MAX)];
    let (flag, length) = memmem::find(command, b" -u")
        .map(|at| (at, 3))
        .or_else(|| memmem::find(command, b" --user").map(|at| (at, 7)))?;
    let from = after + flag + length;
    let start = bounded_run_end(bytes, from, 3, |b| matches!(b, b' ' | b'=' | b'"' | b'\''));
    let end = run_end(bytes, start, |b| {
        !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'')
    });
    let colon = start + bytes[start..end].iter().position(|&b| b == b':')? + 1;
    let value = text.get(colon..end)?;
    (!value.is_empty() && !value.starts_with("//") && !innocent::stands_for_a_value(value))
        .then_some(colon..end)
}
