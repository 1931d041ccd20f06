//! A heading without its Markdown: links and emphasis as their text, code as it stands.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser};

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
    // Behind the mark of a heading nothing is a block.
    let line = format!("# {}", heading.replace(['\n', '\r'], " "));
    let mut plain = String::with_capacity(heading.len());
    for event in Parser::new_ext(&line, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_WIKILINKS) {
        match event {
            Event::Text(text) | Event::Code(text) => plain.push_str(&text),
            Event::InlineHtml(html) if !html.starts_with("<!--") => plain.push_str(&html),
            _ => {}
        }
    }
    let is_kept = |char: &char| !char.is_control() && !is_direction_mark(*char);
    let words = plain
        .split_whitespace()
        .map(|word| word.chars().filter(is_kept).collect::<String>());
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}
