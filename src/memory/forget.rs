//! Taking a text out of what was made of it, because a person wishes so (SPEC section 15, `forget`).
//!
//! Of a text of several lines every line is looked for by itself as well, because a summary may have kept one without the others. Line
//! ends stay, so that what is known by its line stays true.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use regex::{Captures, Regex, RegexBuilder};

use super::entry::{self, UnitDigest};
use super::level::Period;
use super::node::{self, Front, Hash, Node};
use super::reading;
use super::render::{self, Source, upper_sources};
use super::task::nobody;
use super::text::single_spaced;

pub const MARK: &str = "(forgotten)";
/// Fewer would be found everywhere.
const LETTERS_MIN: usize = 3;

#[derive(Debug, Clone)]
pub struct Forgotten {
    /// The text and each of its lines, in any case and with any white space; the longest first.
    needles: Vec<Regex>,
}

impl Forgotten {
    pub fn new(text: &str) -> Option<Self> {
        let marks = ['#', '-', '*', '>', ' ', '\t'];
        let lines = text.lines().map(|line| line.trim_start_matches(marks));
        let mut needles: Vec<String> = [text].into_iter().chain(lines).map(single_spaced).collect();
        let letters = |needle: &String| needle.chars().filter(|letter| letter.is_alphanumeric()).count();
        needles.retain(|needle| letters(needle) >= LETTERS_MIN);
        needles.sort_by_key(|needle| Reverse(needle.chars().count()));
        needles.dedup();
        let pattern = |needle: &String| {
            let words = regex::escape(needle).replace(' ', r"\s+");
            let mut pattern = RegexBuilder::new(&words);
            pattern.case_insensitive(true).size_limit(usize::MAX).build().ok()
        };
        let needles: Vec<Regex> = needles.iter().filter_map(pattern).collect();
        (!needles.is_empty()).then_some(Self { needles })
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.needles.iter().any(|needle| needle.is_match(text))
    }

    /// A text without it; none when it does not hold it.
    pub fn scrubbed(&self, text: &str) -> Option<String> {
        let mark = |found: &Captures<'_>| MARK.to_owned() + &"\n".repeat(found[0].matches('\n').count());
        self.needles.iter().fold(None, |current: Option<String>, needle| {
            let next = match needle.replace_all(current.as_deref().unwrap_or(text), mark) {
                Cow::Owned(next) => Some(next),
                Cow::Borrowed(_) => None,
            };
            next.or(current)
        })
    }

    /// The number of the first line that holds it, from 1.
    pub fn line_in(&self, text: &str) -> Option<usize> {
        let scrubbed = self.scrubbed(text)?;
        let lines = text.lines().zip(scrubbed.lines());
        Some(lines.take_while(|(one, other)| one == other).count() + 1)
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

    /// A node's file without it, sealed anew; none when nothing changes. `changed` are the digests of the units that are others now.
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
    let Front { topics, mentions, .. } = &mut node.front;
    let has_all = topics.len() == mentions.len();
    for at in (0..topics.len()).rev() {
        if topics[at].name.contains(MARK) && topics[..at].contains(&topics[at]) {
            topics.remove(at);
            has_all.then(|| mentions.remove(at));
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
    let source = |node| Source {
        node,
        content: node::content(&node.print()),
        digest: reading::node(node),
    };
    let sources = sources.iter().map(source).collect();
    let built = render::upper(node.front.period, sources, node.front.status, &nobody)?;
    Some(built.text)
}

#[cfg(test)]
mod tests;
