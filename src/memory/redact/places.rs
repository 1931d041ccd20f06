//! Private keys in armour: PEM of every kind, OpenSSH, PGP, PuTTY.

use std::ops::Range;

use super::line::{floor, place};
use super::rules::{group, pattern};

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
