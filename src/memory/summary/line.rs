//! The line of a topic: how it is written, and how it is read back.

use std::borrow::Cow;

use super::{KEYWORDS_PER_TOPIC, REFERENCES_PER_TOPIC};
use crate::memory::calendar::Day;
use crate::memory::digest::{Keywords, Topic};

/// The line of a topic with its keywords as they are.
pub(in crate::memory) fn topic_line(topic: &Topic) -> String {
    let mut line = String::new();
    let words = topic.keywords.words().take(KEYWORDS_PER_TOPIC);
    line_of(&mut line, topic, words, REFERENCES_PER_TOPIC);
    line
}

/// Writes the line of a topic with the keywords given, and so many references.
pub(super) fn line_of<'a>(
    line: &mut String,
    topic: &Topic,
    words: impl Iterator<Item = &'a str>,
    references_max: usize,
) {
    let done = if topic.done { ", done]" } else { "]" };
    for piece in ["- ", &topic.name, " [", topic.kind.word(), done] {
        line.push_str(piece);
    }
    let mut separator = ": ";
    for word in words {
        line.push_str(separator);
        push_item(line, word);
        separator = ", ";
    }
    if let Some(state) = &topic.state {
        line.push_str(if separator == ": " { ": — " } else { " — " });
        line.push_str(&plain(state));
        separator = ", ";
    }
    for (at, reference) in topic.references.iter().take(references_max).enumerate() {
        let before = if at > 0 {
            ", "
        } else if separator == ": " {
            ": → "
        } else {
            " → "
        };
        line.push_str(before);
        push_item(line, reference);
    }
}

/// Writes an item of a list that is parted by commas.
pub(super) fn push_item(line: &mut String, item: &str) {
    let item = plain(item);
    if memchr::memchr(b',', item.as_bytes()).is_some() {
        line.push_str(&item.replace(", ", "; "));
    } else {
        line.push_str(&item);
    }
}

/// Reads a line of a summary's topics back; none when it is not of that form.
pub fn read_topic_line(item: &str, day: Day) -> Option<Topic> {
    let (head, rest) = match item.split_once("]: ") {
        Some((head, rest)) => (head, rest),
        None => (item.strip_suffix(']')?, ""),
    };
    let (name, tags) = head.rsplit_once(" [")?;
    let (kind, done) = match tags.strip_suffix(", done") {
        Some(kind) => (kind, true),
        None => (tags, false),
    };
    let mut topic = Topic::bare(name.trim().to_owned(), kind.parse().ok()?, day);
    topic.done = done;
    // Both marks begin with the same byte.
    let (words, state, references) = match memchr::memchr(0xe2, rest.as_bytes()) {
        Some(_) => {
            let (rest, references) = rest.rsplit_once("→ ").unwrap_or((rest, ""));
            let (words, state) = rest.split_once("— ").unwrap_or((rest, ""));
            (words, state, references)
        }
        None => (rest, "", ""),
    };
    topic.keywords = Keywords::with_capacity(KEYWORDS_PER_TOPIC, words.len());
    items(words).for_each(|word| topic.keywords.push(word, 1));
    topic.references = items(references).map(str::to_owned).collect();
    topic.state = Some(state.trim().to_owned()).filter(|state| !state.is_empty());
    (!topic.name.is_empty()).then_some(topic)
}

/// The items of a list that is parted by commas.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let bytes = list.as_bytes();
    let commas = memchr::memchr_iter(b',', bytes).filter(|&at| bytes.get(at + 1) == Some(&b' '));
    let items = commas.chain([list.len()]).scan(0, |start, end| {
        let item = &list[*start..end];
        *start = end + ", ".len();
        Some(item.trim())
    });
    items.filter(|item| !item.is_empty())
}

/// A text without the marks that the grammar of a topic line gives a meaning.
fn plain(text: &str) -> Cow<'_, str> {
    // The marks begin with one and the same byte, and hardly any text has it.
    if memchr::memchr3(0xe2, b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let plain = text.replace("→ ", "-> ").replace("— ", "- ");
    Cow::Owned(plain.replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests;
