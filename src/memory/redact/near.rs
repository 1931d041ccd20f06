//! A value in the line of its label, with other words between them or before the label: in a call with a comment behind it, as
//! a command's option. The look of the value decides, and a word beside it that says that it is
//! something else.

use std::ops::Range;

use super::extent::{JUDGED_MAX, bare, nothing_more};
use super::labels::Label;
use super::line::{Line, floor, is_all, place};
use super::rules::pattern;
use super::values::{self, Trust};
use super::words;

/// As far from its label as a comment is from what it tells of, in bytes.
const REACH: usize = 160;

/// Adds the values around a label that cannot be anything else.
pub(super) fn around(text: &str, line: &Line, label: &Label, found: &mut Vec<Range<usize>>) {
    let from = floor(text, line.start.max(label.start.saturating_sub(REACH)));
    let until = floor(text, line.end.min(label.end + REACH));
    let rest = &text.as_bytes()[label.end..line.end.min(label.end + REACH)];
    if pattern("file-goes-on").is_match(rest) {
        return;
    }
    for chunk in text[from..until].split(|c| " \t\"'`()[]{}<>|,;".contains(c)) {
        let Range { start, end } = place(chunk, text);
        if end <= label.start || start >= label.end {
            found.extend(value(text, line, label, chunk));
        }
    }
}

/// The value in a chunk without white space, quotes and brackets.
fn value(text: &str, line: &Line, label: &Label, chunk: &str) -> Option<Range<usize>> {
    /// Shorter ones are words with a number, but for a PIN.
    const LENGTH_MIN: usize = 8;
    let is_code = label.trust == Trust::Code;
    let is_long = chunk.len() >= LENGTH_MIN || is_code && chunk.len() >= 4;
    let is_odd = values::has_digit(chunk) || chunk.bytes().filter(|b| *b == b'-').count() > 2;
    if !is_long || !is_odd || chunk.contains("://") {
        return None;
    }
    let value = values::without_name(chunk);
    let value = &value[..bare(value)];
    let Range { start, end } = place(value, text);
    let rest = &text[end..floor(text, line.end.min(end + JUDGED_MAX))];
    let before = match text.get(label.end..start) {
        Some(between) => format!("\u{2}{between}"),
        None => line.before(text, start).to_owned(),
    };
    let is_own = pattern("slot-own").is_match(before.as_bytes());
    let is_announced = is_own || pattern("slot-named").is_match(before.as_bytes());
    let is_password = matches!(label.trust, Trust::Password | Trust::Strong);
    let in_path = text[..label.start].ends_with(['/', '\\']);
    if in_path && (is_code || !is_announced) {
        return None;
    }
    let is_value = if is_code {
        is_number(text, label, start..end, rest, (is_own, is_announced))
    } else {
        let marked = || {
            let ends = || value.contains(['!', '#', '*', '$', '^']) && nothing_more(rest);
            // Sentences about passwords are written in English most often.
            let foreign = !words::within("english", &text[label.start..label.end].to_ascii_lowercase());
            text.get(label.end..start).is_some_and(is_talk) && (foreign || ends())
        };
        let apart = || values::is_apart(value) && values::is_password(value);
        is_password && !in_path && (is_own || !is_announced && marked()) && apart()
            || values::is_drawn_alone(value, is_announced)
                && values::is_secret(value, "", values::Setting::alone(Trust::Random))
    };
    let told = || {
        let before = before.rsplit(ends_word).filter(|word| !word.is_empty());
        let behind = rest.split(ends_word).filter(|word| !word.is_empty());
        before.take(2).chain(behind.take(3)).any(is_else)
    };
    (is_value && !told()).then_some(start..end)
}

/// Whether a word says that what it stands beside is something else than a secret.
pub(super) fn is_else(word: &str) -> bool {
    words::has("elsewhere", word) || words::has("digest", word)
}

pub(super) fn ends_word(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether four to eight digits are the code that the label announces, and no year or count.
fn is_number(
    text: &str,
    label: &Label,
    value: Range<usize>,
    rest: &str,
    (is_own, is_announced): (bool, bool),
) -> bool {
    let digits = &text[value.clone()];
    let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    let behind = value.start >= label.end;
    let is_year = is_year && !(behind && is_announced);
    if !(4..=8).contains(&digits.len()) || !values::is_number(digits) || is_year {
        return false;
    }
    let between = text
        .get(label.end..value.start)
        .or(text.get(value.end..label.start));
    let between = between.unwrap_or("");
    if !behind {
        let signs = ["//", "#", "--", "<-", "←", "("];
        let comment = signs.iter().filter_map(|sign| between.find(sign)).min();
        return comment.is_some_and(|at| is_own || between[..at].trim().is_empty());
    }
    let last = between.trim_end().rsplit(' ').next().unwrap_or("");
    let next = rest.split(ends_word).find(|word| !word.is_empty()).unwrap_or("");
    let ends = nothing_more(rest) || words::has("verb", last) || words::has("done", next);
    !between.contains(". ") && (is_announced || is_talk(between) && !between.is_empty() && ends)
}

/// Words and no signs of a sentence or of code.
fn is_talk(text: &str) -> bool {
    let belongs = |b: u8| !b.is_ascii() || b.is_ascii_alphabetic() || b" -'".contains(&b);
    is_all(text, belongs)
}
