//! Values in a table's column whose heading is *Password*, *API key*, *Token* and the like.

use std::ops::Range;

use super::labels;
use super::lines::Line;
use super::values::Trust;
use super::words::{self, Word};

/// Adds the secret cells below the heading at `at`; nothing when `line` is not a table's head.
///
/// `table` is the last table that was looked through: none of its rows is a head, however much it looks like one.
pub(super) fn column_values(
    text: &str,
    line: &Line,
    at: &Range<usize>,
    word: Word,
    table: &mut Range<usize>,
    found: &mut Vec<Range<usize>>,
) {
    // Both bounds are far beyond what people write, and keep a monstrous line cheap.
    const HEAD_MAX: usize = 2048;
    let is_row = table.start < line.start && line.start < table.end;
    if is_row || !line.is_table_row(text) || line.end - line.first > HEAD_MAX || !starts_table(text, line) {
        return;
    }
    let Some(label) = words::label(text, line, at, word) else {
        return;
    };
    let column = text[line.first..label.end].bytes().filter(|&b| b == b'|').count();
    let rest = text[label.end..line.end].trim_start_matches([' ', '*', '`', '_', ')']);
    if rest.starts_with('|') {
        *table = line.start..add_cells(text, line, column, label.trust, found);
    }
}

/// Gives the table's end.
fn add_cells(text: &str, head: &Line, column: usize, trust: Trust, found: &mut Vec<Range<usize>>) -> usize {
    let rows = text.get(head.end + 1..).unwrap_or("");
    let mut start = head.end + 1;
    for row in rows.split('\n') {
        if !row.trim_start_matches([' ', '\t']).starts_with('|') {
            break;
        }
        if let Some(cell) = cell(text, start..start + row.len(), column) {
            let value = &text[cell.clone()];
            if !value.contains(char::is_whitespace) && labels::is_secret_cell(value, trust, false) {
                found.push(cell);
            }
        }
        start += row.len() + 1;
    }
    start
}

/// Whether the next line is the delimiter row `|---|---|`.
fn starts_table(text: &str, line: &Line) -> bool {
    let next = text.as_bytes().get(line.end + 1..).unwrap_or_default();
    let length = next
        .iter()
        .take_while(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'\t'))
        .count();
    next[..length].windows(2).any(|two| two == b"--") && matches!(next.get(length), None | Some(b'\n'))
}

/// The cell's text without white space and decoration. Columns count from 1, as the bars before them.
fn cell(text: &str, row: Range<usize>, column: usize) -> Option<Range<usize>> {
    let content = &text[row.clone()];
    let mut bars = content.match_indices('|').map(|(at, _)| at);
    let start = bars.nth(column - 1)? + 1;
    let end = bars.next().unwrap_or(content.len());
    let value =
        content[start..end].trim_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | '"' | '\''));
    let offset = start + content[start..end].find(value)?;
    (!value.is_empty()).then_some(row.start + offset..row.start + offset + value.len())
}
