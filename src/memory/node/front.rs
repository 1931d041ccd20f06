//! Frontmatter as lines: read leniently, since it comes from people, agents and older tools; written so that any
//! YAML parser accepts it (SPEC section 6).

use std::borrow::Cow;

use crate::memory::text::unbroken;

/// A text cut into its frontmatter and what follows it.
pub(super) struct Cut<'a> {
    /// The lines between the two `---` lines.
    pub(super) front: &'a str,
    /// Everything after the closing line, one blank line of it left out.
    pub(super) body: &'a str,
}

/// Cuts off the frontmatter; none when the text does not start with one that ends.
pub(super) fn cut(text: &str) -> Option<Cut<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))?;
    let mut start = 0;
    while start < rest.len() {
        let end =
            memchr::memchr(b'\n', &rest.as_bytes()[start..]).map_or(rest.len(), |found| start + found + 1);
        if rest[start..end].trim_end() == "---" {
            let body = &rest[end..];
            let body = body
                .strip_prefix('\n')
                .or_else(|| body.strip_prefix("\r\n"))
                .unwrap_or(body);
            return Some(Cut {
                front: &rest[..start],
                body,
            });
        }
        start = end;
    }
    None
}

/// The fields of a frontmatter, in order: key, and value as written. The items of a block list (`- a` lines below the
/// key) become a flow list of quoted items; a flow list over several lines becomes one line.
pub(super) fn fields(front: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in front.lines() {
        let inner = line.trim();
        let open = fields
            .last()
            .is_some_and(|(_, value)| value.is_empty() || (value.starts_with('[') && !value.ends_with(']')));
        match (fields.last_mut().filter(|_| open), inner.strip_prefix("- ")) {
            (Some((_, value)), Some(item)) => {
                value.push_str(if value.is_empty() { "[" } else { ", " });
                match item.trim() {
                    quoted if quoted.starts_with(['"', '\'']) => value.push_str(quoted),
                    plain => write_quoted(value, &unbroken(plain)),
                }
            }
            (Some((_, value)), None) if !value.is_empty() && line.starts_with([' ', '\t']) => {
                value.push(' ');
                value.push_str(inner);
            }
            _ if line.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                fields.extend(
                    line.split_once(':')
                        .map(|(key, value)| (key.trim_end(), value.trim().to_owned())),
                );
            }
            _ => {}
        }
    }
    fields
}

/// The items of a list in any of the forms found in the wild: `a, b`, `[a, b]`, `["a", 'b']` and
/// `[a [project], b [user]]`, which is not YAML.
pub(super) fn items(value: &str) -> Vec<Cow<'_, str>> {
    let value = value.trim();
    let mut rest = value
        .strip_prefix('[')
        .map_or(value, |rest| rest.strip_suffix(']').unwrap_or(rest));
    let mut items = Vec::new();
    while let Some((item, behind)) = plain_item(rest) {
        items.extend(Some(as_printed(item)).filter(|item| !item.is_empty()));
        rest = behind;
    }
    items.extend(letter_by_letter(rest).into_iter().map(Cow::Owned));
    items
}

/// The next item of a list, and what stands behind its comma; none at the end, nor where it takes a closer look: at an escaped letter, a
/// bracket, or what follows a closing quote.
fn plain_item(list: &str) -> Option<(&str, &str)> {
    let list = list.trim_start();
    let (item, behind) = match *list.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let list = &list[1..];
            let (item, behind) = list.split_at(memchr::memchr2(quote, b'\\', list.as_bytes())?);
            (item, behind.strip_prefix(char::from(quote))?.trim_start())
        }
        _ => list.split_at(memchr::memchr2(b',', b'[', list.as_bytes()).unwrap_or(list.len())),
    };
    let is_last = behind.is_empty();
    Some((item, if is_last { "" } else { behind.strip_prefix(',')? }))
}

/// The items of a list, whatever it holds.
fn letter_by_letter(list: &str) -> Vec<String> {
    let mut items = Vec::new();
    let (mut item, mut quote, mut depth, mut escaped) = (String::new(), None, 0_usize, false);
    for letter in list.chars() {
        match (quote, letter) {
            (Some('"'), _) if escaped => {
                item.push(unescaped(letter));
                escaped = false;
            }
            (Some('"'), '\\') => escaped = true,
            (Some(mark), _) if mark == letter => quote = None,
            (Some(_), _) => item.push(letter),
            (None, '"' | '\'') if item.trim().is_empty() => quote = Some(letter),
            (None, ',') if depth == 0 => push(&mut items, &mut item),
            (None, _) => {
                match letter {
                    '[' => depth += 1,
                    ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                item.push(letter);
            }
        }
    }
    push(&mut items, &mut item);
    items
}

fn push(items: &mut Vec<String>, item: &mut String) {
    let printed = as_printed(item).into_owned();
    if !printed.is_empty() {
        items.push(printed);
    }
    item.clear();
}

/// An item as it would be printed, so that what is read and printed reads the same.
fn as_printed(item: &str) -> Cow<'_, str> {
    match unbroken(item) {
        Cow::Borrowed(item) => Cow::Borrowed(item.trim()),
        Cow::Owned(item) => Cow::Owned(item.trim().to_owned()),
    }
}

fn unescaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        other => other,
    }
}

/// One plain value of a field: quotes around it and a comment behind it are cut.
pub(super) fn scalar(value: &str) -> String {
    let value = value.trim();
    match value.chars().next() {
        Some('"' | '\'') => items(value).into_iter().next().unwrap_or_default().into_owned(),
        _ => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

/// Writes `key: [a, b]`, each item as `write` writes it, and quoted when a YAML parser might take it for something else than text.
pub(super) fn write_list<I>(
    out: &mut String,
    key: &str,
    items: impl IntoIterator<Item = I>,
    mut write: impl FnMut(&mut String, I),
) {
    out.push_str(key);
    out.push_str(": [");
    for (index, item) in items.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        let start = out.len();
        write(out, item);
        let item = &out.as_bytes()[start..];
        if is_plain(item) {
            continue;
        }
        if item.iter().all(|byte| CLASSES[usize::from(*byte)] != ODD) {
            out.insert(start, '"');
            out.push('"');
            continue;
        }
        let item = out.split_off(start);
        match &*unbroken(&item) {
            plain if is_plain(plain.as_bytes()) => out.push_str(plain),
            other => write_quoted(out, other),
        }
    }
    out.push_str("]\n");
}

/// Bytes that need no quotes.
const PLAIN: u8 = 0;
/// Bytes that stand between quotes as they are.
const QUOTED: u8 = 1;
/// Bytes that need a closer look.
const ODD: u8 = 2;

/// What a byte is in an item.
static CLASSES: [u8; 256] = {
    let mut classes = [ODD; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        classes[byte as usize] = match byte {
            b'.' | b'/' | b'_' | b'-' | b' ' => PLAIN,
            b'"' | b'\\' => ODD,
            _ if byte.is_ascii_alphanumeric() => PLAIN,
            _ => QUOTED,
        };
        byte += 1;
    }
    classes
};

/// Whether an item needs no quotes.
fn is_plain(item: &[u8]) -> bool {
    item.first().is_some_and(u8::is_ascii_alphanumeric)
        && item.last() != Some(&b' ')
        && item.iter().all(|byte| CLASSES[usize::from(*byte)] == PLAIN)
}

/// Writes a text of one line between quotes.
fn write_quoted(out: &mut String, item: &str) {
    out.push('"');
    let mut rest = item;
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push('\\');
        out.push_str(&rest[at..=at]);
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_is_read_as_it_is_letter_by_letter(list in "[ab ,\"'\\[\\]\\\\n\u{1b}\u{2028}é]{0,24}") {
            // Brackets around the whole list are cut off first.
            let whole = format!("[{list}]");
            prop_assert_eq!(items(&whole), letter_by_letter(&list));
        }
    }

    #[test]
    fn what_is_plain_is_borrowed() {
        let list = "[\"auth, sessions [project]\", billing , 'it', , \"a\\nb\", c]";
        let read = items(list);
        assert_eq!(read, ["auth, sessions [project]", "billing", "it", "a b", "c"]);
        let borrowed = read.iter().take_while(|item| matches!(item, Cow::Borrowed(_)));
        assert_eq!(borrowed.count(), 3);
    }
}
