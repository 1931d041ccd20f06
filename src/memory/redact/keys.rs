//! Private keys in armour (PEM of every kind, OpenSSH, PGP, PuTTY): from BEGIN to END, in lines or in one line with `\n`.
//!
//! A key whose END is missing reaches to its last line of key material; one whose BEGIN is missing starts at its first.
//! Certificates and public keys stay, and so does a sentence that only mentions the armour.

use std::ops::Range;

use super::line::Line;
use super::values::case_changes;

/// No key is longer; further away, an END belongs to something else.
const LINES_MAX: usize = 400;

/// The block that the armour at `at` belongs to. `line` is the line of `at`.
pub(super) fn block(text: &str, line: &Line, at: &Range<usize>) -> Option<Range<usize>> {
    let marker = &text[at.clone()];
    if marker.starts_with("PuTTY") {
        let end = material_end(text, line.end).max(line.end);
        return Some(at.start..end);
    }
    let label = private_label(&text[at.end..line.end])?;
    if marker.contains("END") {
        return headless(text, line, at.start).map(|start| start..at.end + label);
    }
    let dashes = text.as_bytes()[line.start..at.start]
        .iter()
        .rev()
        .take_while(|&&b| b == b'-')
        .count();
    let start = at.start - dashes;
    let body = at.end + label;
    let rest = &text[body..line.end];
    if rest
        .trim()
        .trim_matches(['"', '\'', '`', '\\', '*', '|'])
        .is_empty()
    {
        return in_lines(text, line, body).map(|end| start..end);
    }
    let here = in_one_line(rest).map(|length| body + length);
    let is_open = here.is_none_or(|end| {
        text[end..line.end]
            .trim_matches(|c: char| c.is_whitespace() || c == '\\')
            .is_empty()
            && !text[body..end].ends_with("----")
    });
    // Words, or the key's first part, stand behind BEGIN, and the key goes on below.
    let below = (is_open && goes_on_below(text, line))
        .then(|| in_lines(text, line, body))
        .flatten();
    here.max(below).map(|end| start..end)
}

/// Whether the line after this one is key material and nothing else: long, in mixed letters, as no word and no hash is.
fn goes_on_below(text: &str, line: &Line) -> bool {
    const HEADERS: [&str; 3] = ["Proc-Type: ", "DEK-Info: ", "Version: "];
    following(text, line.end).is_some_and(|(content, _)| {
        let bare = bare(content);
        let is_key = bare.len() >= 40 && bare.bytes().all(is_armour) && case_changes(bare) >= 3;
        is_key || HEADERS.iter().any(|header| bare.starts_with(header))
    })
}

/// The length of `RSA PRIVATE KEY-----` and the like, dashes included.
fn private_label(after_begin: &str) -> Option<usize> {
    let label = after_begin
        .split("----")
        .next()
        .filter(|label| label.len() < 48)?;
    let private = label
        .trim_end()
        .trim_end_matches(" BLOCK")
        .ends_with("PRIVATE KEY");
    let dashes = after_begin[label.len()..]
        .bytes()
        .take_while(|&b| b == b'-')
        .count();
    (private && dashes >= 4).then_some(label.len() + dashes)
}

/// BEGIN stands at the end of its line: the body is in the lines after it.
fn in_lines(text: &str, line: &Line, body: usize) -> Option<usize> {
    let mut begun = false;
    let mut at = line.end;
    for _ in 0..LINES_MAX {
        let Some((content, next)) = following(text, at) else {
            break;
        };
        if let Some(length) = end_marker(content) {
            return Some(next - content.len() + length);
        }
        if content.contains("BEGIN ") || content.starts_with("## ") {
            break;
        }
        let bare = bare(content);
        if !begun && !bare.is_empty() {
            // A sentence right behind BEGIN: somebody talks about the armour.
            if !could_be_material(bare) {
                return None;
            }
            begun = true;
        }
        at = next;
    }
    // There is no END: what follows without a break is the key.
    begun.then(|| material_end(text, line.end).max(body))
}

/// The end of the last of the lines after `at` that look like key material, without a break.
fn material_end(text: &str, mut at: usize) -> usize {
    let mut end = at;
    let mut first = true;
    let mut gap = false;
    for _ in 0..LINES_MAX {
        let Some((content, next)) = following(text, at) else {
            break;
        };
        let bare = bare(content);
        if bare.is_empty() {
            gap = true;
        } else {
            let last_of_a_key = !gap && !content.contains([' ', '#']) && mixed(bare);
            let fits = could_be_material(bare) && (first || is_long(bare) || last_of_a_key);
            if !fits {
                break;
            }
            end = next - content.len() + content.trim_end().len();
            (first, gap) = (false, false);
        }
        at = next;
    }
    end
}

/// The body and the END stand on BEGIN's own line. Gives the length of both.
fn in_one_line(rest: &str) -> Option<usize> {
    // Up to the next BEGIN only, so that a line of many of them is read once.
    let until = rest.find("---BEGIN ").unwrap_or(rest.len());
    let end = rest[..until]
        .find("---END ")
        .or_else(|| rest[..until].find("-- END "));
    let body = &rest[..end.unwrap_or(until)];
    let is_key = |&b: &u8| is_armour(b) || matches!(b, b' ' | b'\\' | b':' | b',' | b'.' | b'-');
    let length = body.bytes().take_while(is_key).count();
    let run_min = if body.starts_with('\\') { 4 } else { 24 };
    if longest_run(&body[..length]) < run_min {
        return None;
    }
    let closed = end.and_then(|end| {
        let label = end + rest[end..].find("END ")? + 4;
        private_label(&rest[label..]).map(|length| label + length)
    });
    Some(closed.unwrap_or(body[..length].trim_end_matches([' ', '\\', ',']).len()))
}

/// Where a key starts whose END is at `end` in `line` and whose BEGIN was lost.
fn headless(text: &str, line: &Line, end: usize) -> Option<usize> {
    let is_key = |&b: &u8| is_armour(b) || matches!(b, b' ' | b'\\');
    let same_line = text.as_bytes()[line.start..end]
        .iter()
        .rev()
        .take_while(|&b| is_key(b))
        .count();
    if longest_run(&text[end - same_line..end]) >= 40 {
        return Some(end - same_line);
    }
    let mut start = None;
    let mut until = line.start;
    let mut certain = false;
    for _ in 0..LINES_MAX {
        let Some(before) = text[..until].strip_suffix('\n') else {
            break;
        };
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let content = &before[line_start..];
        let bare = bare(content);
        let fits = bare.bytes().all(is_armour) && (is_long(bare) || start.is_none() && bare.len() >= 4);
        if !fits {
            break;
        }
        certain |= bare.len() >= 40;
        start = Some(line_start + content.find(bare).unwrap_or(0));
        until = line_start;
    }
    start.filter(|_| certain)
}

/// The line after the line end at `at`, and where it ends.
fn following(text: &str, at: usize) -> Option<(&str, usize)> {
    let start = at + 1;
    let rest = text.get(start..)?;
    let end = rest.find('\n').unwrap_or(rest.len());
    (!rest.is_empty()).then_some((&rest[..end], start + end))
}

/// The length of the line up to and with its END marker.
fn end_marker(content: &str) -> Option<usize> {
    let at = content
        .find("---END ")
        .map(|at| at + 7)
        .or_else(|| content.find("-- END ").map(|at| at + 7))?;
    private_label(&content[at..]).map(|length| at + length)
}

/// The line without indentation, quote marks, list and comment marks, string quotes and a written-out line end.
fn bare(content: &str) -> &str {
    let front = content
        .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '|' | '*' | '#' | '"' | '\''));
    let front = front
        .strip_prefix("- ")
        .or_else(|| front.strip_prefix("// "))
        .unwrap_or(front);
    let mut back = front
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '\\' | '+'));
    back = back.strip_suffix("\\n").unwrap_or(back);
    back.trim_end_matches(['"', '\''])
}

fn is_long(bare: &str) -> bool {
    bare.len() >= 20 || bare.contains(": ") || bare.starts_with('=')
}

fn mixed(bare: &str) -> bool {
    bare.bytes().skip(1).any(|b| !b.is_ascii_lowercase())
}

fn could_be_material(bare: &str) -> bool {
    const HEADERS: &[&str] = &[
        "Proc-Type:",
        "DEK-Info:",
        "Version:",
        "Comment:",
        "Charset:",
        "Hash:",
        "MessageID:",
        "Encryption:",
        "Public-Lines:",
        "Private-Lines:",
        "Private-MAC:",
        "Private-Hash:",
        "Key-Derivation:",
        "Argon2-",
        "X-",
    ];
    let body = bare.trim_matches('.').trim_matches('…');
    let armour = !bare.is_empty() && body.bytes().all(is_armour);
    armour || HEADERS.iter().any(|header| bare.starts_with(header))
}

fn is_armour(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The longest stretch of base64; a written-out `\n` ends one.
fn longest_run(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii() || !is_armour(c as u8))
        .map(str::len)
        .max()
        .unwrap_or(0)
}
