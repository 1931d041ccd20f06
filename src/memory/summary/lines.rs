//! Which lines a section of a summary could have. Only those that are chosen are put into words.

use std::fmt::Write as _;

use super::facts::{Facts, facts};
use super::line::{line_of, push_item};
use super::{ENTITIES_PER_LINE, ENTITY_LABELS, KEYWORDS_PER_TOPIC, REFERENCES_PER_TOPIC, Section};
use crate::memory::digest::{Digest, Named, Topic};
use crate::memory::fact::EntitySort;
use crate::memory::level::Level;
use crate::memory::telling::Spread;

/// How many lines tell what keeps coming back.
const THEMES_MAX: usize = 10;
/// How many topics such a line names.
const TOPICS_PER_THEME: usize = 4;
/// How many keywords it shows of one topic.
const WORDS_PER_THEME: usize = 4;

/// The lines that a section could have, in the order in which they are to be chosen.
pub(super) enum Lines<'a> {
    Topics(Vec<&'a Topic>),
    /// Topics that keep coming back, and words that several topics share.
    Themes(Vec<&'a Topic>, Vec<(String, Vec<&'a Topic>, usize)>),
    Facts(Facts<'a>),
    Entities(Vec<(&'static str, EntitySort)>),
}

impl<'a> Lines<'a> {
    /// The lines of a section. `topics` are the digest's, the weightiest first.
    pub(super) fn of(
        digest: &'a Digest,
        topics: &[&'a Topic],
        ranks: &[usize],
        spread: &Spread,
        section: Section,
    ) -> Self {
        match section {
            Section::Topics => Self::Topics(topics.to_vec()),
            Section::Themes => {
                let recurring = topics.iter().copied().filter(|topic| topic.days >= 3);
                let recurring: Vec<&Topic> = recurring.take(THEMES_MAX).collect();
                let newest = topics.iter().map(|topic| topic.last).max();
                let mut words = newest.map_or_else(Vec::new, |day| spread.recurring(topics, day));
                words.truncate(THEMES_MAX - recurring.len());
                Self::Themes(recurring, words)
            }
            Section::Entities => {
                let is_named =
                    |(_, sort): &(_, EntitySort)| digest.entities().iter().any(|named| named.sort == *sort);
                Self::Entities(ENTITY_LABELS.into_iter().filter(is_named).collect())
            }
            Section::Decisions | Section::Done | Section::Lessons | Section::Open => {
                Self::Facts(facts(digest, ranks, section))
            }
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Topics(topics) => topics.len(),
            Self::Themes(topics, words) => topics.len() + words.len(),
            Self::Facts(facts) => facts.len(),
            Self::Entities(labels) => labels.len(),
        }
    }

    /// Writes the first `lines` of them, facts in the order of their time.
    pub(super) fn print(
        self,
        lines: usize,
        digest: &Digest,
        spread: &Spread,
        level: Level,
        out: &mut String,
    ) {
        match self {
            Self::Topics(topics) => {
                for topic in topics.into_iter().take(lines) {
                    let words = spread.ranked(topic).take(KEYWORDS_PER_TOPIC);
                    line_of(out, topic, words, REFERENCES_PER_TOPIC);
                    out.push('\n');
                }
            }
            Self::Themes(topics, words) => {
                let words_max = lines.saturating_sub(topics.len());
                for topic in topics.into_iter().take(lines) {
                    theme_line(out, topic, spread);
                }
                for (word, topics, days) in words.into_iter().take(words_max) {
                    let names: Vec<&str> = topics
                        .iter()
                        .take(TOPICS_PER_THEME)
                        .map(|topic| topic.name.as_str())
                        .collect();
                    let _ = writeln!(out, "- {word}: on {days} days, {}", names.join("; "));
                }
            }
            Self::Facts(facts) => facts.print(lines, digest, level, out),
            Self::Entities(labels) => {
                for (label, sort) in labels.into_iter().take(lines) {
                    entity_line(out, digest, label, sort);
                }
            }
        }
    }
}

fn theme_line(out: &mut String, topic: &Topic, spread: &Spread) {
    let _ = write!(out, "- {}: on {} days", topic.name, topic.days);
    for word in spread.ranked(topic).take(WORDS_PER_THEME) {
        out.push_str(", ");
        out.push_str(word);
    }
    out.push('\n');
}

fn entity_line(out: &mut String, digest: &Digest, label: &str, sort: EntitySort) {
    let mut named: Vec<&Named> = digest
        .entities()
        .iter()
        .filter(|named| named.sort == sort)
        .collect();
    named.sort_by_key(|named| std::cmp::Reverse(named.count));
    out.push_str(label);
    let mut separator = ": ";
    for named in named.into_iter().take(ENTITIES_PER_LINE) {
        out.push_str(separator);
        push_item(out, &named.name);
        separator = ", ";
    }
    out.push('\n');
}
