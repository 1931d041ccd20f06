//! A list item by itself, for who reads one line: its indentation, its checkbox, its text.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// Bytes of white space before the marker.
    pub indent: usize,
    /// What follows the marker and, if it has one, the checkbox.
    pub text: &'a str,
    /// Whether it has a checkbox, and if so whether that is ticked.
    pub checkbox: Option<bool>,
}

/// Reads a line as a list item: `- x`, `* x`, `+ x`, `1. x`, `2) x`, each with or without a checkbox, at any
/// indentation.
pub fn item(line: &str) -> Option<Item<'_>> {
    let content = line.trim_start_matches([' ', '\t']);
    let marker = list_marker(content.as_bytes())?;
    let text = content[marker..].trim();
    let ticked = match text.get(..3) {
        Some("[ ]") => Some(false),
        Some("[x]" | "[X]" | "[✓]") => Some(true),
        _ => None,
    };
    let checkbox = ticked.filter(|_| text.len() == 3 || text[3..].starts_with([' ', '\t']));
    let text = if checkbox.is_some() {
        text[3..].trim_start()
    } else {
        text
    };
    Some(Item {
        indent: line.len() - content.len(),
        text,
        checkbox,
    })
}

pub(super) fn list_marker(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.first()? {
        b'-' | b'+' | b'*' => 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            // CommonMark's limit.
            let delimited = digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')'));
            delimited.then_some(digits + 1)?
        }
        _ => return None,
    };
    matches!(bytes.get(length), None | Some(b' ' | b'\t')).then_some(length)
}
