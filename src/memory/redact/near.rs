//! A value in the line of its label, with other words between them or before the label: in a call with a comment behind it, as
//! a command's option; or alone on the line below. The look of the value decides, and a word beside it that says that it is
//! something else.

use std::ops::Range;

use super::extent::{JUDGED_MAX, bare, nothing_more};
use super::labels::Label;
use super::line::{Line, floor, is_all, lines_below, run};
use super::rules::pattern;
use super::values::{self, Trust};
use super::words;

/// As far from its label as a comment is from what it tells of, in bytes.
const REACH: usize = 160;

/// Adds the values around a label that cannot be anything else.
pub(super) fn around(text: &str, line: &Line, label: &Label, found: &mut Vec<Range<usize>>) {
    let mut from = floor(text, line.start.max(label.start.saturating_sub(REACH)));
    let until = floor(text, line.end.min(label.end + REACH));
    let belongs = |b: u8| !b" \t\"'`()[]{}<>|,;".contains(&b);
    let rest = &text.as_bytes()[label.end..line.end.min(label.end + REACH)];
    if pattern("file-goes-on").is_match(rest) {
        return;
    }
    while from < until {
        let chunk = from..from + run(&text[from..until], until, belongs);
        from = chunk.end + 1;
        if chunk.end <= label.start || chunk.start >= label.end {
            found.extend(value(text, line, label, chunk));
        }
    }
}

/// The value that the line below a label consists of, but for a short name before it: `= x`, `Out[4]: x`, `A: x`. Below a
/// command, and where the label or a colon ends the line, it may be any password that tells by itself.
pub(super) fn below(text: &str, line: &Line, label: &Label) -> Option<Range<usize>> {
    /// An empty line, a fence, and the value.
    const ROWS_MAX: usize = 3;
    /// `value:`
    const OWN_NAME_MAX: usize = 8;
    // On a long line only what is near its end looks below.
    if line.end - label.end > REACH {
        return None;
    }
    let is_blank =
        |row: &str| is_all(row, |b| b" \t+-=|".contains(&b)) || row.trim_start().starts_with("```");
    let rows = lines_below(text, line.end).take(ROWS_MAX);
    let row = rows.map(|row| &text[row]).find(|row| !is_blank(row))?;
    let content = row[..floor(row, JUDGED_MAX)].trim();
    let content = in_tags(
        content
            .trim_start_matches(['-', '*', ' ', '|'])
            .trim_end_matches(['|', ' ']),
    );
    let (name, value) = content.rsplit_once(' ').unwrap_or(("", content));
    let value = value.trim_matches(|c| "\"'`*,;".contains(c));
    let opens = text[..line.end].trim_end().ends_with(['{', '[', '(']);
    let is_name = name.len() <= OWN_NAME_MAX || opens && !name.contains(' ');
    let is_name = name.is_empty() || is_name && name.ends_with([':', '=', '>', '-']);
    let is_odd = values::has_digit(value) || value.contains('-');
    if !is_name || !is_odd || value.contains([';', ',', '|']) || says_else(name.split(ends_word), 1) {
        return None;
    }
    let own = &text[line.first..floor(text, line.end.min(line.first + JUDGED_MAX))];
    let rest = text[label.end..line.end].trim_end();
    let ends = rest.bytes().all(|b| b.is_ascii_punctuation()) || rest.ends_with(':');
    let announces = || ends || pattern("prompt").is_match(own.as_bytes());
    let tells = |trust| values::tells_itself(value, trust);
    let tells = tells(Trust::Random) || tells(label.trust) && announces();
    let told = || own.split(ends_word).any(|word| words::has("digest", word));
    let start = value.as_ptr() as usize - text.as_ptr() as usize;
    (tells && !told()).then_some(start..start + value.len())
}

/// What stands between `<value>` and `</value>`; all of it where there are no tags.
fn in_tags(content: &str) -> &str {
    let tag = content.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    tag.map_or(content, |(_, rest)| rest.split('<').next().unwrap_or(rest))
}

/// The value in a chunk without white space, quotes and brackets.
fn value(text: &str, line: &Line, label: &Label, chunk: Range<usize>) -> Option<Range<usize>> {
    /// Shorter ones are words with a number, but for a PIN.
    const LENGTH_MIN: usize = 8;
    let whole = &text[chunk.clone()];
    let is_code = label.trust == Trust::Code;
    let is_long = whole.len() >= LENGTH_MIN || is_code && whole.len() >= 4;
    let is_odd = values::has_digit(whole) || whole.bytes().filter(|b| *b == b'-').count() > 2;
    if !is_long || !is_odd || whole.contains("://") {
        return None;
    }
    let start = chunk.end - values::without_name(whole).len();
    let value = &text[start..chunk.end];
    let value = &value[..bare(value)];
    let end = start + value.len();
    let rest = &text[end..floor(text, line.end.min(end + JUDGED_MAX))];
    let before = line.before(text, start);
    let slot = Slot::before(before, start.checked_sub(label.end));
    let is_password = matches!(label.trust, Trust::Password | Trust::Strong);
    let in_path = text[..label.start].ends_with(['/', '\\']);
    if in_path && (is_code || slot == Slot::None) {
        return None;
    }
    let is_value = if is_code {
        is_number(text, label, start..end, rest, slot)
    } else {
        let marked = || {
            let ends = || value.contains(['!', '#', '*', '$', '^']) && nothing_more(rest);
            // Sentences about passwords are written in English most often.
            let foreign = !words::within("english", &text[label.start..label.end].to_ascii_lowercase());
            text.get(label.end..start).is_some_and(is_talk) && (foreign || ends())
        };
        let apart = || values::is_apart(value) && values::is_password(value);
        is_password && !in_path && (slot == Slot::Unnamed || slot == Slot::None && marked()) && apart()
            || values::is_drawn_alone(value, slot != Slot::None)
                && values::is_secret(value, "", values::Setting::alone(Trust::Random))
    };
    let told = || {
        let before = text.get(label.end..start).unwrap_or(before).rsplit(ends_word);
        says_else(before, 2) || says_else(rest.split(ends_word), 3)
    };
    (is_value && !told()).then_some(start..end)
}

/// Whether one of the first words says that the value beside it is something else.
fn says_else<'a>(words: impl Iterator<Item = &'a str>, most: usize) -> bool {
    let mut words = words.filter(|word| !word.is_empty()).take(most);
    words.any(|word| words::has("elsewhere", word) || words::has("digest", word))
}

fn ends_word(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether four to eight digits are the code that the label announces, and no year or count.
fn is_number(text: &str, label: &Label, value: Range<usize>, rest: &str, slot: Slot) -> bool {
    let digits = &text[value.clone()];
    let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    let behind = value.start >= label.end;
    let is_year = is_year && !(behind && slot != Slot::None);
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
        return comment.is_some_and(|at| slot == Slot::Unnamed || between[..at].trim().is_empty());
    }
    let last = between.trim_end().rsplit(' ').next().unwrap_or("");
    let next = rest.split(ends_word).find(|word| !word.is_empty()).unwrap_or("");
    let ends = nothing_more(rest) || words::has("verb", last) || words::has("done", next);
    !between.contains(". ") && (slot != Slot::None || is_talk(between) && !between.is_empty() && ends)
}

/// Words and no signs of a sentence or of code.
fn is_talk(text: &str) -> bool {
    let belongs = |b: u8| !b.is_ascii() || b.is_ascii_alphabetic() || b" -'".contains(&b);
    is_all(text, belongs)
}

/// What stands before a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// A word of a sentence.
    None,
    /// Another name and `=` or `:`.
    Named,
    /// The quote of an argument, a sign of comparison, an option of one letter, the label's own sign.
    Unnamed,
}

impl Slot {
    /// `own`: how far before the value the label ends.
    fn before(before: &str, own: Option<usize>) -> Slot {
        let bare = before.trim_end_matches(['"', '\'', '`', ' ', '(']);
        let option = bare.rsplit(' ').next().unwrap_or(bare);
        let signs = bare.trim_end_matches(['=', ':', '!', '-', '>']);
        if signs.len() < bare.len() {
            let name = own.and_then(|own| before.get(before.len().checked_sub(own)?..signs.len()));
            let is_own = name.is_some_and(is_talk);
            let compares = bare.ends_with("==");
            let name = signs.trim_end_matches(['"', '\'', ' ', ']']);
            if is_own || compares || !name.ends_with(char::is_alphanumeric) {
                return Slot::Unnamed;
            }
            return Slot::Named;
        }
        match option.len() {
            3.. if option.starts_with('-') => Slot::Named,
            2 if option.starts_with('-') => Slot::Unnamed,
            _ if before.ends_with(['"', '\'']) => Slot::Unnamed,
            _ => Slot::None,
        }
    }
}
