//! Frontmatter as lines: read leniently, since it comes from people, agents and older tools; written so that any
//! YAML parser accepts it (SPEC section 6).

use std::fmt::Display;

use crate::memory::text::unbroken;

pub(super) struct Cut<'a> {
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
    for line in rest.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == "---" {
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
pub(super) fn items(value: &str) -> Vec<String> {
    let value = value.trim();
    let list = value
        .strip_prefix('[')
        .map_or(value, |rest| rest.strip_suffix(']').unwrap_or(rest));
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

/// Takes an item in as it would be printed, so that what is read and printed reads the same.
fn push(items: &mut Vec<String>, item: &mut String) {
    let printed = unbroken(item).trim().to_owned();
    if !printed.is_empty() {
        items.push(printed);
    }
    item.clear();
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
        Some('"' | '\'') => items(value).into_iter().next().unwrap_or_default(),
        _ => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

/// Writes `key: [a, b]`, each item quoted when a YAML parser might take it for something else than text.
pub(super) fn write_list<I: Display>(out: &mut String, key: &str, items: impl IntoIterator<Item = I>) {
    out.push_str(key);
    out.push_str(": [");
    for (index, item) in items.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        let item = item.to_string();
        let item = unbroken(&item);
        if is_plain(&item) {
            out.push_str(&item);
        } else {
            write_quoted(out, &item);
        }
    }
    out.push_str("]\n");
}

fn is_plain(item: &str) -> bool {
    item.starts_with(|first: char| first.is_ascii_alphanumeric())
        && !item.ends_with(' ')
        && item
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"./_- ".contains(&byte))
}

fn write_quoted(out: &mut String, item: &str) {
    out.push('"');
    for letter in item.chars() {
        if matches!(letter, '"' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('"');
}
