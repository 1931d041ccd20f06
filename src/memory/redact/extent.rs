//! Where a value ends: at its closing quote, before the next assignment, with its sentence.

use std::ops::Range;

use super::line::{Line, floor, run};
use super::rules::pattern;

/// Longer values are judged by their first part, which bounds the work on one long line.
pub(super) const JUDGED_MAX: usize = 128;

/// The value within quotes at the start of the text. A quote that is not closed reaches to the next white space.
pub(super) fn quoted(text: &str) -> Option<Range<usize>> {
    /// A closing quote further away belongs to something else.
    const QUOTED_MAX: usize = 1024;
    const QUOTES: &[&str] = &["\\\"", "\"\"\"", "'''", "\"", "'", "``", "`"];
    let prefix = run(text, 2, |b| b"rbfuLRBFU@".contains(&b));
    let prefix = prefix * usize::from(text[prefix..].starts_with(['"', '\'']));
    let quote = QUOTES.iter().find(|quote| text[prefix..].starts_with(**quote))?;
    let mut start = prefix + quote.len();
    // A string in a code span.
    while text[start..].starts_with(['"', '\'']) && !text[start..].starts_with(quote) {
        start += 1;
    }
    let body = &text[start..floor(text, start.saturating_add(QUOTED_MAX))];
    let length = closing(body, quote).unwrap_or_else(|| body.find(char::is_whitespace).unwrap_or(body.len()));
    let length = body[..length].trim_end_matches(['"', '\'']).len();
    Some(start..start + length)
}

/// The second part of a string in two: `"x" + "y"`, on the next line too.
pub(super) fn joined(text: &str, end: usize) -> Option<Range<usize>> {
    let near = &text.as_bytes()[end..floor(text, end + JUDGED_MAX)];
    let second = near.starts_with(b"\"") || near.starts_with(b"'");
    let second = second.then(|| pattern("joined").captures(near))??.get(1)?;
    Some(end + second.start()..end + second.end())
}

/// The first closing quote without a backslash of its own before it.
fn closing(body: &str, quote: &str) -> Option<usize> {
    let bytes = body.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(quote.as_bytes()) {
            // YAML and SQL double a quote that does not close.
            if quote != "'" || bytes.get(at + 1) != Some(&b'\'') {
                return Some(at);
            }
            at += 1;
        }
        at += 1 + usize::from(bytes[at] == b'\\' && !quote.starts_with('`'));
    }
    None
}

/// The length of a bare value at the start of the text. One that is longer than what is judged is cut there.
pub(super) fn bare(text: &str) -> usize {
    let window = &text[..floor(text, JUDGED_MAX)];
    let run = window.find(ends_bare).unwrap_or(window.len());
    let after = &text[run..floor(text, run + JUDGED_MAX)];
    let end = cut_at_next_assignment(&window[..run], after);
    // `xです`: who writes in the scripts of South and East Asia puts no space.
    let other = window[..end].find(|c| c >= '\u{e00}' && char::is_alphabetic(c));
    let other = other.filter(|at| *at > 0 && window[..*at].is_ascii());
    trim_closing(&window[..other.unwrap_or(end)]).len()
}

/// Where a bare value ends that was judged up to `judged`: one that is longer goes as a whole.
pub(super) fn whole(text: &str, line: &Line, start: usize, judged: usize) -> usize {
    if judged < floor(text, start + JUDGED_MAX) {
        return judged;
    }
    let rest = &text[judged..line.end];
    judged + rest.find(ends_bare).unwrap_or(rest.len())
}

fn ends_bare(c: char) -> bool {
    c.is_whitespace() || matches!(c, '`' | '"')
}

/// `hunter2,user=bob`, `hunter2;Server=x`, `hunter2&b=c`, `hunter2</password>`: the value ends before the next thing.
fn cut_at_next_assignment(window: &str, after: &str) -> usize {
    for (at, sign) in window.match_indices([',', ';', '&', '<', '|', '\'', '\\']) {
        let rest = &window[at + 1..];
        let name = run(rest, 40, |b| b.is_ascii_alphanumeric() || b"_-\"'".contains(&b));
        let assigns = name > 0 && rest[name..].starts_with(['=', ':']);
        let words = name == rest.len() && after.contains('=') && sign == ";";
        let cuts = match sign {
            "<" => rest.starts_with('/') || rest.starts_with("br"),
            "'" => rest.starts_with([',', ';', ')', '}', ']']),
            "\\" => rest.starts_with(['n', 'r']) && (assigns || rest.len() == 1 || rest.contains('\\')),
            "|" => true,
            _ => assigns || words,
        };
        if cuts && at > 0 {
            return at;
        }
    }
    window.len()
}

/// Sentence marks and brackets behind a value are not part of it; a bracket that was opened in it is, and so is `!`.
fn trim_closing(mut value: &str) -> &str {
    loop {
        let cut = match value.chars().next_back() {
            Some('*') if value.ends_with("**") => true,
            Some(',' | ';' | '.' | ':' | '\'' | '>' | '\\' | '」' | '』' | '«') => true,
            Some(')') => !value.contains('('),
            Some(']') => !value.contains('['),
            Some('}') => !value.contains('{'),
            _ => false,
        };
        if !cut {
            return value;
        }
        value = value
            .strip_suffix("**")
            .unwrap_or_else(|| &value[..floor(value, value.len() - 1)]);
    }
}

/// Whether what follows a value is not the rest of a sentence.
pub(super) fn nothing_more(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"')]}.\\".contains(c));
    let next = rest.split_whitespace().next().unwrap_or("");
    rest.is_empty()
        || rest.starts_with(['#', '(', ',', ';', '|', '/', '&', '<', '-', '—', '–', '·', '['])
        || next.contains('=')
        || next.contains(':') && !next.contains("://")
}
