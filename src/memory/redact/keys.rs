//! Private keys in armour (PEM of every kind, OpenSSH, PGP, PuTTY): from BEGIN to END, in lines or in one line with `\n`, in
//! quotes, diffs and source code.
//!
//! A key whose END is missing reaches to its last line of key material; one whose BEGIN is missing starts at its first.
//! Certificates and public keys stay, and so does a sentence that only mentions the armour.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::line::{Line, floor};
use super::rules::regex;
use super::values::case_changes;

/// No key is longer; further away, an END belongs to something else.
const BLOCK_MAX: usize = 32 * 1024;

/// `-----BEGIN`, a name of 48 letters or fewer, `PRIVATE KEY BLOCK-----`.
const ARMOUR_MAX: usize = 96;

/// The block that the armour at `at` belongs to. `line` is the line of `at`.
pub(super) fn block(text: &str, line: &Line, at: &Range<usize>) -> Option<Range<usize>> {
    static ARMOUR: LazyLock<Regex> =
        LazyLock::new(|| regex(r"-{4,6} ?(?:BEGIN|END) [A-Z0-9 ]{0,48}PRIVATE KEY(?: BLOCK)? ?-{4,5}"));
    // A list's hyphen before the armour looks like one more of its own.
    let from = line.start.max(at.start.saturating_sub(1));
    let near = line.end.min(at.end + ARMOUR_MAX);
    let Some(armour) = ARMOUR.find(&text.as_bytes()[from..near]) else {
        let putty = text[at.clone()].starts_with('P');
        return putty.then(|| {
            at.start
                ..material(text, line.end + 1, text.len(), false)
                    .0
                    .unwrap_or(line.end)
        });
    };
    let (start, body) = (from + armour.start(), from + armour.end());
    if text[at.clone()].contains("END") {
        return headless(text, line, at.start).map(|start| start..body);
    }
    // Up to the next BEGIN only, so that many of them are read once.
    let rest = &text[body..floor(text, body + BLOCK_MAX)];
    let limit = body + rest.find("BEGIN ").unwrap_or(rest.len());
    let end = ARMOUR.find(&text.as_bytes()[body..limit]);
    let (last, whole) = material(
        text,
        body,
        end.map_or(limit, |end| body + end.start()),
        end.is_some(),
    );
    let until = end.filter(|_| whole).map(|end| body + end.end()).or(last)?;
    Some(start..until)
}

/// The end of the last key material in a stretch that begins with it, and whether there is nothing else up to its end.
/// `closed` is whether an END follows.
fn material(text: &str, from: usize, until: usize, closed: bool) -> (Option<usize>, bool) {
    /// A shorter run may be a word.
    const RUN_MIN: usize = 20;
    static ROWS: LazyLock<Regex> =
        LazyLock::new(|| regex(r"(?:[^\n\\]|\\[^nr\n])+(?:\\[nr]|\\?\n|\\?$)|\\[nr]|\n"));
    let (mut end, mut gap, mut talked) = (None, false, false);
    let window = text.get(from..until).unwrap_or("");
    for row in ROWS.find_iter(window.as_bytes()) {
        let first = row.start() == 0;
        let content = &window[row.range()];
        if content.starts_with("## ") {
            return (end, false);
        }
        let bare = bare(content);
        let strong = bare.len() >= 2 * RUN_MIN && case_changes(bare) >= 3;
        let is_key = bare.bytes().all(|b| is_armour(b) || b == b' ');
        let long = bare.split(' ').all(|word| word.len() >= RUN_MIN);
        let mixed = !bare.contains(' ') && bare.bytes().skip(1).any(|b| !b.is_ascii_lowercase());
        let short = if closed {
            !first
        } else {
            end.is_some() && (mixed && !gap || bare.starts_with('='))
        };
        let short = short && !bare.contains(' ');
        if bare.is_empty() {
            gap |= !first;
        } else if is_header(bare) || is_key && (long || short) && (strong || !talked) {
            let start = from + row.start() + (bare.as_ptr() as usize - content.as_ptr() as usize);
            end = Some(start + bare.len());
            (gap, talked) = (false, false);
            let behind = &text[start + bare.len()..from + row.end()];
            if behind.contains(|c: char| c.is_ascii_alphanumeric() && c != 'n' && c != 'r') {
                // A string ends, and something else follows on its line.
                return (end, false);
            }
        } else if first {
            // Words behind BEGIN, or the key's first part.
            talked = true;
        } else {
            return (end, false);
        }
    }
    (end, end.is_some())
}

/// Where a key starts whose END is at `at` in `line` and whose BEGIN was lost.
fn headless(text: &str, line: &Line, at: usize) -> Option<usize> {
    /// The length of a line of most keys is 64.
    const LINE_MIN: usize = 40;
    let before = &text[line.start..at];
    let own = before.trim_end_matches(|c: char| c.is_ascii() && (is_armour(c as u8) || c == '\\'));
    if before[own.len()..].split('\\').any(|run| run.len() >= LINE_MIN) {
        return Some(line.start + own.len());
    }
    let mut start = None;
    let mut until = line.start;
    while let Some(above) = text[..until]
        .strip_suffix('\n')
        .filter(|_| at - until < BLOCK_MAX)
    {
        let from = above.rfind('\n').map_or(0, |at| at + 1);
        let bare = bare(&above[from..]);
        let enough = if start.is_none() { 4 } else { LINE_MIN / 2 };
        if bare.len() < enough || !bare.bytes().all(is_armour) {
            break;
        }
        start = Some((
            from + above[from..].find(bare)?,
            bare.len() >= LINE_MIN || start.is_some_and(|(_, it)| it),
        ));
        until = from;
    }
    start.filter(|(_, certain)| *certain).map(|(start, _)| start)
}

/// A row without what stands around key material: indentation, marks of quotes, lists, diffs and tables, a line's number, a
/// tag, string quotes and a written-out line end.
fn bare(row: &str) -> &str {
    static FRONT: LazyLock<Regex> =
        LazyLock::new(|| regex(r#"^(?:\d{1,4}[:|]|<[a-z]+>|//|[\s>|*#"'-]|\+[\s"'])*\+?"#));
    let front = FRONT.find(row.as_bytes()).map_or(0, |front| front.end());
    // A plus may be the key's own.
    let front = if row[..front].ends_with('+') && front > 1 {
        front - 1
    } else {
        front
    };
    let back = row[front..]
        .split(['"', '\'', '`'])
        .next()
        .unwrap_or("")
        .trim_end();
    let back = back
        .strip_suffix("\\n")
        .or(back.strip_suffix("\\r"))
        .unwrap_or(back);
    back.trim_end_matches(|c: char| c.is_whitespace() || ",;\\+.…".contains(c))
}

fn is_header(bare: &str) -> bool {
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        let names = "Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID|Encryption|Key-Derivation";
        regex(&format!(
            "^(?:{names}|(?:Public|Private)-(?:Lines|MAC|Hash)|Argon2-[A-Za-z]+|X-[A-Za-z-]+): "
        ))
    });
    HEADER.is_match(bare.as_bytes())
}

fn is_armour(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
