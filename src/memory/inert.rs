//! Text is data: what came from logs, in a form that no agent obeys (SPEC section 7).
//!
//! Agents load ROOT.md, MEMORY.md and the output of hooks into every prompt, and some of them act on what stands there: `@../.env` loads
//! that file, `<system-reminder>` passes for the platform's own. [`inert`] takes that power away where text goes into such a place; a text
//! that [`gives_orders`] does not go there at all.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

use super::text::drives;

/// A line without power: `@path` and `<tag>` stand in code spans, or have a space for the sign where a code span is not sure to hold. What
/// stands in a code span already stays, and so do e-mail addresses and comparisons. Idempotent.
#[must_use]
pub fn inert(line: &str) -> String {
    let Some(spans) = code_spans(line) else {
        return without_signs(line);
    };
    let is_code = |at: usize| spans.iter().any(|span| span.contains(&at));
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, sign) in line.match_indices(['@', '<']) {
        if is_code(at) || !has_power(line, at) || words.last().is_some_and(|last| at < last.end) {
            continue;
        }
        // A tag in the middle of a line may end where a code span seems to begin.
        if sign == "<" && line[at..].contains('`') {
            return without_signs(line);
        }
        let word = word_around(line, at);
        match words.last_mut() {
            Some(last) if word.start <= last.end => last.end = word.end,
            _ => words.push(word),
        }
    }
    // Beside a backtick or behind a backslash ours would mean something else.
    let touches =
        |word: &Range<usize>| line[..word.start].ends_with(['`', '\\']) || line[word.end..].starts_with('`');
    if words.iter().any(touches) {
        return without_signs(line);
    }
    let (mut out, mut from) = (String::new(), 0);
    for word in words {
        out.extend([&line[from..word.start], "`", &line[word.clone()], "`"]);
        from = word.end;
    }
    out + &line[from..]
}

/// Whether a sign begins a path or a tag. Behind an ASCII letter or digit an `@` is in an e-mail address.
fn has_power(line: &str, at: usize) -> bool {
    let rest = &line[at + 1..];
    // What follows the bracket of a tag, a comment, a mark such as `<|im_start|>`, or an address, which is a link even where a code span
    // begins in it.
    if line[at..].starts_with('<') {
        let word = rest.split(char::is_whitespace).next().unwrap_or(rest);
        return word.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?|".contains(c))
            || word.contains('@');
    }
    let next = rest.chars().next();
    let before = line[..at].chars().next_back();
    next.is_some_and(|next| !next.is_whitespace() && next != '`')
        && !before.is_some_and(|c| c.is_ascii_alphanumeric())
}

/// The word that goes into a code span: a tag with the name right before it (`Vec<String>`), else all up to white space or marks.
fn word_around(line: &str, at: usize) -> Range<usize> {
    let rest = &line[at..line[at..].find('`').map_or(line.len(), |tick| at + tick)];
    if let Some(end) = rest.find('>').filter(|_| rest.starts_with('<')) {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        return line[..at].trim_end_matches(is_name).len()..at + end + 1;
    }
    let word = rest.split(char::is_whitespace).next().unwrap_or(rest);
    let bare = word.trim_end_matches(|c: char| ".,;:!?)]}'\"*_。，、；：！？）」』”".contains(c));
    at..at + if bare.len() > 1 { bare.len() } else { word.len() }
}

/// The code spans of a line; none when it is not sure where they are: a backtick has no partner, or stands behind a backslash or beside
/// another one.
fn code_spans(line: &str) -> Option<Vec<Range<usize>>> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    let (pairs, single) = ticks.as_chunks::<2>();
    let is_plain = |[open, _]: &[usize; 2]| !line[..*open].ends_with('\\');
    let is_clear = single.is_empty() && pairs.iter().all(is_plain) && !line.contains("``");
    is_clear.then(|| pairs.iter().map(|[open, close]| *open..close + 1).collect())
}

/// The text with a space for each sign that may have power, wherever code spans are.
fn without_signs(text: &str) -> String {
    let is_live = |at: usize| has_power(text, at) || text[at..].starts_with("@`");
    let sign = |(at, letter)| match letter {
        '@' | '<' if is_live(at) => ' ',
        _ => letter,
    };
    text.char_indices().map(sign).collect()
}

/// A log's text with the lines that give orders in quotation marks, for nodes: they say what was written, in a form that speaks to nobody
/// (SPEC section 7). Headings, bullets and boxes keep their marks, and the lines their number. Idempotent; borrowed where none gives any.
#[must_use]
pub fn quoted(text: &str) -> Cow<'_, str> {
    if !gives_orders(text) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut orders: Vec<bool> = lines.iter().map(|line| gives_orders(line)).collect();
    // An order may go over the end of a line.
    for at in 1..lines.len() {
        if !orders[at - 1] && !orders[at] && gives_orders(&lines[at - 1..=at].concat()) {
            orders[at - 1..=at].fill(true);
        }
    }
    let lines = lines.into_iter().zip(orders);
    let told = lines.map(|(line, orders)| if orders { in_quotes(line) } else { line.into() });
    Cow::Owned(told.collect())
}

fn in_quotes(line: &str) -> Cow<'_, str> {
    let text = line.trim_end();
    let said = text.trim_start_matches(|c: char| c.is_whitespace() || "#-*+>".contains(c));
    let mut boxes = ["[ ] ", "[x] ", "[X] "].iter();
    let said = boxes.find_map(|mark| said.strip_prefix(mark)).unwrap_or(said);
    if said.is_empty() || said.len() > 1 && said.starts_with('"') && said.ends_with('"') {
        return Cow::Borrowed(line);
    }
    let (marks, end) = (&text[..text.len() - said.len()], &line[text.len()..]);
    Cow::Owned(format!("{marks}\"{said}\"{end}"))
}

patterns! {
    /// Marks of conversations with a model: text that holds them passes for another speaker's.
    MARKS = r"(?i)<\|(?:im_start|im_end|system|endoftext)\|>|\[/?inst\]|<<sys>>";
}

static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
    let lines = include_str!("inert/orders.txt").lines();
    let orders = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let orders = orders.collect::<Vec<_>>().join("|");
    // A gap of so many words.
    let orders = orders.replace('…', r"(?:[^ ]+ ){0,4}").replace('‥', r"(?:[^ ]+ )?");
    // Bytes, for classes of all that is no space are a hundred times as large in letters.
    let built = RegexBuilder::new(&orders).unicode(false).build();
    built.expect("the table of orders is valid")
});

/// Whether a text tells the model that reads it to drop its rules, to take up another part, or to hide something from people.
#[must_use]
pub fn gives_orders(text: &str) -> bool {
    let is_hidden = |c: char| !c.is_whitespace() && drives(c);
    if text.contains(['<', '[']) && MARKS.is_match(&text.replace(is_hidden, "")) {
        return true;
    }
    // Words with one space between them, whatever stood there.
    let mut words = Vec::with_capacity(text.len() + 2);
    words.push(b' ');
    for letter in text.chars() {
        match letter {
            '\'' | '’' => words.push(b'\''),
            '。' | '，' | '、' | '।' => words.push(b'.'),
            _ if letter.is_ascii_alphanumeric() => words.push(letter.to_ascii_lowercase() as u8),
            _ if letter.is_whitespace() || letter.is_ascii_punctuation() => {
                words.extend(Some(b' ').filter(|space| words.last() != Some(space)));
            }
            _ if drives(letter) => {}
            _ => words.extend(letter.to_lowercase().collect::<String>().as_bytes()),
        }
    }
    words.push(b' ');
    ORDERS.is_match(&words)
}
