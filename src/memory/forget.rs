//! Taking a text out of what was made of it, because a person wishes so (SPEC section 15, `forget`).
//!
//! The text is found in any case and with any white space between its words, over line ends too. Of a text of several lines
//! every line is looked for by itself as well, because a summary may have kept one without the others. What is found gives
//! way to a mark; line ends stay, so that what is known by its line stays true.

use std::collections::HashMap;

use super::digest::Digest;
use super::entry::{self, UnitDigest};
use super::level::Period;
use super::node::{self, Hash, Node};
use super::reading;
use super::render::{self, Source, upper_sources};
use super::task::nobody;

pub const MARK: &str = "(forgotten)";
/// Fewer letters than this would be found everywhere.
const LETTERS_MIN: usize = 3;

#[derive(Debug, Clone)]
pub struct Forgotten {
    /// Lower-case letters, one space for any white space; the longest first.
    needles: Vec<Vec<char>>,
}

impl Forgotten {
    /// None when the text has too few letters.
    pub fn new(text: &str) -> Option<Self> {
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches(['#', '-', '*', '>', ' ', '\t']));
        let mut needles: Vec<Vec<char>> = [text].into_iter().chain(lines).map(folded).collect();
        needles
            .retain(|needle| needle.iter().filter(|letter| letter.is_alphanumeric()).count() >= LETTERS_MIN);
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
        needles.dedup();
        (!needles.is_empty()).then_some(Self { needles })
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.scrubbed(text).is_some()
    }

    /// A text without it; none when it does not hold it.
    pub fn scrubbed(&self, text: &str) -> Option<String> {
        let mut current: Option<String> = None;
        for needle in &self.needles {
            let next = without(current.as_deref().unwrap_or(text), needle);
            current = next.or(current);
        }
        current
    }

    /// The number of the first line that holds it, from 1.
    pub fn line_in(&self, text: &str) -> Option<usize> {
        let scrubbed = self.scrubbed(text)?;
        let same = text
            .lines()
            .zip(scrubbed.lines())
            .take_while(|(one, other)| one == other);
        Some(same.count() + 1)
    }

    /// A raw log's text without it, and the digests of the units that changed, old and new.
    pub fn log(&self, text: &str, changed: &mut HashMap<UnitDigest, UnitDigest>) -> Option<String> {
        let scrubbed = self.scrubbed(text)?;
        let digests = |text| entry::read(text).units().map(|unit| entry::digest(unit.text));
        let (before, after): (Vec<_>, Vec<_>) = (digests(text).collect(), digests(&scrubbed).collect());
        if before.len() == after.len() {
            changed.extend(before.into_iter().zip(after).filter(|(old, new)| old != new));
        }
        Some(scrubbed)
    }

    /// A node's file without it, sealed anew; `changed` are the digests of the units that are others now. None when nothing
    /// of it changes.
    pub fn node(
        &self,
        period: Period,
        text: &str,
        changed: &HashMap<UnitDigest, UnitDigest>,
    ) -> Option<String> {
        let ours = node::is_intact(text) == Some(true);
        let Some(mut node) = Node::read(period, text).filter(|_| ours) else {
            return self.scrubbed(text);
        };
        let before = node.clone();
        let names = node.front.topics.iter_mut().map(|topic| &mut topic.name);
        for text in names.chain([&mut node.body]) {
            if let Some(scrubbed) = self.scrubbed(text) {
                *text = scrubbed;
            }
        }
        one_of_each(&mut node);
        let late = node.front.late.iter_mut().flat_map(|(_, digests)| digests);
        for digest in node.front.entries.iter_mut().chain(late) {
            if let Some(new) = changed.get(digest) {
                *digest = *new;
            }
        }
        (node != before).then(|| node.print())
    }
}

/// Topics of one name and type are one topic.
fn one_of_each(node: &mut Node) {
    let front = &mut node.front;
    let paired = front.topics.len() == front.mentions.len();
    let mut at = 0;
    while at < front.topics.len() {
        let twice = front.topics[..at].contains(&front.topics[at]);
        if twice && front.topics[at].name.contains(MARK) {
            front.topics.remove(at);
            if paired {
                front.mentions.remove(at);
            }
        } else {
            at += 1;
        }
    }
}

/// A weekly or monthly node made again from `sources`, the nodes below it as they are now, when it was made of what they
/// were: `before` are their contents then. None when it was not, or when somebody else summarized it.
pub fn again(node: &Node, before: &[(Period, Hash)], sources: &[Node]) -> Option<String> {
    let built_in = matches!(node.front.summarizer.as_deref(), Some("verbatim" | "extractive"));
    let fits = node.front.built_from == Some(upper_sources(before.iter().copied()));
    if !built_in || !fits || sources.is_empty() {
        return None;
    }
    let read: Vec<(Hash, Digest)> = sources
        .iter()
        .map(|source| (node::content(&source.print()), reading::node(source)))
        .collect();
    let sources: Vec<Source<'_>> = sources
        .iter()
        .zip(read)
        .map(|(node, (content, digest))| Source {
            node,
            content,
            digest,
        })
        .collect();
    let built = render::upper(node.front.period, sources, node.front.status, &nobody)?;
    Some(built.text)
}

/// Lower-case letters, with one space for any white space and none at the ends.
fn folded(text: &str) -> Vec<char> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").chars().collect()
}

/// The text with the mark in the place of every occurrence; none when there is none.
fn without(text: &str, needle: &[char]) -> Option<String> {
    let first = *needle.first()?;
    let mut out = String::new();
    let (mut at, mut kept) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let end = letter
            .to_lowercase()
            .next()
            .filter(|lower| *lower == first)
            .and_then(|_| match_length(&text[at..], needle));
        match end {
            Some(length) => {
                let found = &text[at..at + length];
                out.push_str(&text[kept..at]);
                out.push_str(MARK);
                out.extend(found.chars().filter(|letter| *letter == '\n'));
                at += length;
                kept = at;
            }
            None => at += letter.len_utf8(),
        }
    }
    if kept == 0 {
        return None;
    }
    out.push_str(&text[kept..]);
    Some(out)
}

/// How many bytes of the start of a text the needle matches; none when it does not.
fn match_length(text: &str, needle: &[char]) -> Option<usize> {
    let mut wanted = needle.iter().copied().peekable();
    let mut letters = text.char_indices().peekable();
    let mut end = 0;
    while let Some(&next) = wanted.peek() {
        let (at, letter) = letters.next()?;
        end = at + letter.len_utf8();
        if next == ' ' {
            if !letter.is_whitespace() {
                return None;
            }
            while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
            wanted.next();
            continue;
        }
        for lower in letter.to_lowercase() {
            if wanted.next() != Some(lower) {
                return None;
            }
        }
    }
    Some(end)
}

#[cfg(test)]
mod tests;
