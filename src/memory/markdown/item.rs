//! A list item by itself, for who reads one line: its indentation, its checkbox, its text.

use super::scan;

/// A list item's line taken apart.
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
#[must_use]
pub fn item(line: &str) -> Option<Item<'_>> {
    let content = line.trim_start_matches([' ', '\t']);
    let marker = scan::list_marker(content.as_bytes(), false)?;
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
