//! Link reference definitions at the start of a paragraph (`[name]: /address "title"`): they are no part of
//! the heading that an underline makes of the paragraph. Asked only at an underline, so plain rather than
//! fast.

/// How many bytes of definitions a paragraph starts with.
pub(super) fn definitions_length(paragraph: &str) -> usize {
    let mut length = 0;
    while let Some(definition) = definition_length(&paragraph[length..]) {
        length += definition;
    }
    length
}

/// The length of one definition, with its newline.
fn definition_length(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start_matches([' ', '\t']).len();
    let label = label_length(&text[start..])?;
    let colon = start + label;
    if !text[colon..].starts_with(':') {
        return None;
    }
    let address = colon + 1 + space_length(&text[colon + 1..]);
    let address_end = address + address_length(&text[address..])?;
    let plain_end = line_end(&text[address_end..]).map(|end| address_end + end);
    let title = address_end + space_length(&text[address_end..]);
    if title > address_end
        && let Some(length) = title_length(&text[title..])
        && let Some(end) = line_end(&text[title + length..])
    {
        return Some(title + length + end);
    }
    plain_end
}

/// `[label]`, with something in it.
fn label_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('[')?;
    let end = unescaped(inside, ['[', ']'])?;
    let label = &inside[..end];
    (inside[end..].starts_with(']') && !label.trim().is_empty() && label.chars().count() < 1000)
        .then_some(end + 2)
}

/// Spaces and tabs with at most one newline among them.
fn space_length(text: &str) -> usize {
    let before = text.len() - text.trim_start_matches([' ', '\t']).len();
    let Some(next) = text[before..].strip_prefix('\n') else {
        return before;
    };
    before + 1 + (next.len() - next.trim_start_matches([' ', '\t']).len())
}

fn address_length(text: &str) -> Option<usize> {
    if let Some(inside) = text.strip_prefix('<') {
        let end = unescaped(inside, ['<', '>', '\n'])?;
        return inside[end..].starts_with('>').then_some(end + 2);
    }
    let length = text
        .find(|char: char| char == ' ' || char.is_ascii_control())
        .unwrap_or(text.len());
    (length > 0).then_some(length)
}

fn title_length(text: &str) -> Option<usize> {
    let close = match text.chars().next()? {
        '(' => ')',
        quote @ ('"' | '\'') => quote,
        _ => return None,
    };
    let end = unescaped(&text[1..], [close, if close == ')' { '(' } else { close }])?;
    text[1 + end..].starts_with(close).then_some(end + 2)
}

/// The length up to and with the newline, if there is nothing else.
fn line_end(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches([' ', '\t']);
    let spaces = text.len() - rest.len();
    if rest.is_empty() {
        return Some(spaces);
    }
    rest.starts_with('\n').then_some(spaces + 1)
}

/// Where the first of `ends` is that no backslash stands before.
fn unescaped<const COUNT: usize>(text: &str, ends: [char; COUNT]) -> Option<usize> {
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        if !escaped && ends.contains(&char) {
            return Some(at);
        }
        escaped = !escaped && char == '\\';
    }
    None
}
