//! A heading without its Markdown: emphasis, code marks, links and comments give way to the text they dress.

use std::borrow::Cow;

use super::super::text::is_direction_mark;

/// Whether there may be anything to unwrap.
pub(super) fn is_dressed(heading: &str) -> bool {
    let dressed = |char: char| {
        matches!(char, '*' | '_' | '`' | '~' | '[' | '<' | '\\' | '&' | '!')
            || char.is_control()
            || is_direction_mark(char)
    };
    heading.contains(dressed) || heading.contains("  ")
}

/// The plain text of a heading on one line. Borrowed when there was nothing to unwrap.
pub(super) fn unwrapped(heading: &str) -> Cow<'_, str> {
    let heading = heading.trim();
    if !is_dressed(heading) {
        return Cow::Borrowed(heading);
    }
    let plain = without_emphasis(&without_links(heading));
    let mut folded = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(
            word.chars()
                .filter(|char| !char.is_control() && !is_direction_mark(*char)),
        );
    }
    Cow::Owned(folded)
}

/// `[text](address)`, `![text](address)`, `[[page|text]]` as their text; comments dropped; code as it stands;
/// escapes and the few entities people type undone. What is literal from here on is hidden from emphasis
/// behind private marks.
fn without_links(heading: &str) -> String {
    let mut plain = String::with_capacity(heading.len());
    let mut rest = heading;
    while let Some(char) = rest.chars().next() {
        let special = match char {
            '`' => code(rest).map(|(inside, length)| {
                plain.extend(inside.chars().map(literal));
                length
            }),
            '!' if rest.starts_with("![") => link(&rest[1..]).map(|(inside, length)| {
                plain.push_str(inside);
                length + 1
            }),
            '[' => wiki_link(rest).or_else(|| link(rest)).map(|(inside, length)| {
                plain.push_str(inside);
                length
            }),
            '<' if rest.starts_with("<!--") => rest.find("-->").map(|end| end + 3),
            '\\' => rest[1..]
                .chars()
                .next()
                .filter(char::is_ascii_punctuation)
                .map(|escaped| {
                    plain.push(literal(escaped));
                    2
                }),
            '&' => [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&nbsp;", ' ')]
                .into_iter()
                .find_map(|(entity, char)| {
                    rest.starts_with(entity).then(|| {
                        plain.push(char);
                        entity.len()
                    })
                }),
            _ => None,
        };
        let taken = special.unwrap_or_else(|| {
            plain.push(char);
            char.len_utf8()
        });
        rest = &rest[taken..];
    }
    plain
}

/// Marks that mean emphasis, moved to a private place where they are only themselves.
const LITERALS: [(char, char); 3] = [('*', '\u{f8f0}'), ('_', '\u{f8f1}'), ('~', '\u{f8f2}')];

fn literal(char: char) -> char {
    LITERALS
        .iter()
        .find(|(mark, _)| *mark == char)
        .map_or(char, |(_, hidden)| *hidden)
}

/// The inside of a code span at the start of `text`, and the length of the whole.
fn code(text: &str) -> Option<(&str, usize)> {
    let marks = text.len() - text.trim_start_matches('`').len();
    let inside = &text[marks..];
    let length = inside.find(&text[..marks])?;
    Some((inside[..length].trim(), length + 2 * marks))
}

fn link(text: &str) -> Option<(&str, usize)> {
    let end = text.find("](")?;
    let inside = &text[1..end];
    let address = text[end + 2..].find(')')?;
    let plain = !inside.contains(['[', ']']) || inside.starts_with("![");
    plain.then_some((inside, end + 2 + address + 1))
}

fn wiki_link(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix("[[")?;
    let end = inside.find("]]")?;
    let page = &inside[..end];
    Some((page.rsplit_once('|').map_or(page, |(_, shown)| shown), end + 4))
}

/// Drops `*`, `_` and `~~` where an opening run has a closing one; `a * b`, `*.rs` and `snake_case` stay.
fn without_emphasis(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut dropped = vec![false; chars.len()];
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let mark = chars[at];
        let length = chars[at..].iter().take_while(|char| **char == mark).count();
        if matches!(mark, '*' | '_') || mark == '~' && length == 2 {
            let before = at.checked_sub(1).map_or(' ', |before| chars[before]);
            let after = chars.get(at + length).copied().unwrap_or(' ');
            // Within a word an underscore is a letter.
            let inside_word = mark == '_' && before.is_alphanumeric() && after.is_alphanumeric();
            let opener = open
                .iter()
                .rposition(|(open, _, count)| *open == mark && *count == length);
            if !inside_word
                && !before.is_whitespace()
                && let Some(opener) = opener
            {
                let (_, start, _) = open[opener];
                open.truncate(opener);
                dropped[start..start + length].fill(true);
                dropped[at..at + length].fill(true);
            } else if !inside_word && !after.is_whitespace() {
                open.push((mark, at, length));
            }
        }
        at += length;
    }
    let kept = chars
        .into_iter()
        .zip(dropped)
        .filter(|(_, dropped)| !dropped)
        .map(|(char, _)| char);
    kept.map(|char| {
        LITERALS
            .iter()
            .find(|(_, hidden)| *hidden == char)
            .map_or(char, |(mark, _)| *mark)
    })
    .collect()
}
