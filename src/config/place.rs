//! Where in a configuration's text a field stands, so that an error can point at it.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

/// Line and column (in characters) of a byte, both from 1. A byte past the end is taken for the end.
pub(super) fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// Line and column of the value of a field, given as the names that lead to it (a number for an element of a list).
/// Where the text does not go that far, of the last value on the way.
pub(super) fn of_field(text: &str, names: &[String]) -> (usize, usize) {
    let mut value = text.trim_start();
    for name in names {
        match inner(value, name) {
            Some(found) => value = found,
            None => break,
        }
    }
    position(text, value.as_ptr().addr() - text.as_ptr().addr())
}

/// The text of a member or an element of a JSON value: a part of the very string that was given.
fn inner<'text>(value: &'text str, name: &str) -> Option<&'text str> {
    if value.starts_with('[') {
        let elements: Vec<&RawValue> = serde_json::from_str(value).ok()?;
        return elements
            .get(name.parse::<usize>().ok()?)
            .map(|element| element.get());
    }
    let members: HashMap<Cow<'text, str>, &'text RawValue> = serde_json::from_str(value).ok()?;
    members.get(name).map(|member| member.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, path: &str) -> (usize, usize) {
        of_field(text, &path.split('.').map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_value_is_found_where_it_begins() {
        let text = "\n{ \"a\": 1,\n  \"b\": {\n    \"c\": [true,\n      \"x\"]\n  }\n}\n";
        assert_eq!(at(text, "a"), (2, 8));
        assert_eq!(at(text, "b"), (3, 8));
        assert_eq!(at(text, "b.c"), (4, 10));
        assert_eq!(at(text, "b.c.1"), (5, 7));
    }

    #[test]
    fn columns_count_characters_and_escaped_names_are_read() {
        assert_eq!(at("{\"é\": 0, \"\\u0061\": 7}", "a"), (1, 20));
    }

    #[test]
    fn a_way_that_ends_early_points_at_its_end() {
        assert_eq!(at("{\"a\": {}}", "a.b.c"), (1, 7));
        assert_eq!(at("  7", "a"), (1, 3));
        assert_eq!(at("[1]", "9"), (1, 1));
    }
}
