//! What ROOT remembers of all months: every topic once, a few phrases a month, and the last two months closely.
//!
//! Months are added in order, oldest first, so that the history of the fixed months can be kept and continued: the
//! result is the same as adding all of them again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::memory::calendar::{Day, Month};
use crate::memory::digest::{Digest, Topic};
use crate::memory::entry::Kind;
use crate::memory::fact::Sort;
use crate::memory::text::one_line;
use crate::memory::topic::key;

/// How many phrases are kept of a month.
const PHRASES_MAX: usize = 8;
/// How long a phrase may be, in characters.
const PHRASE_CHARS_MAX: usize = 60;
/// How many lessons are kept of a recent month.
const LESSONS_MAX: usize = 6;

/// Everything ROOT is printed from, but for the date and what others wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Every topic by its folded name.
    pub(super) topics: BTreeMap<String, Topic>,
    /// Every month, oldest first.
    pub(super) months: Vec<Remembered>,
    /// The newest two months.
    pub(super) recent: Vec<Recent>,
}

/// What is remembered of a month for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub(super) year: i32,
    pub(super) month: u32,
    /// What the month was about, the weightiest first, with its weight.
    pub(super) phrases: Vec<(u32, String)>,
}

/// What is remembered of a month while it is recent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Recent {
    pub(super) last_day: Day,
    /// Topics with the days on which they were mentioned and their best keywords.
    pub(super) topics: Vec<(String, u32, Vec<String>)>,
    /// Words that set apart three topics or more, each with some of these topics.
    pub(super) words: Vec<(String, Vec<String>)>,
    /// What was learned, the newest first.
    pub(super) lessons: Vec<String>,
}

impl History {
    /// Adds what a monthly node says; months come oldest first.
    pub fn add(&mut self, month: Month, digest: &Digest) {
        for topic in digest.topics().iter().filter(|topic| topic.days > 0) {
            match self.topics.get_mut(key(&topic.name).as_str()) {
                Some(known) => known.absorb(topic, true),
                None => {
                    self.topics
                        .insert(key(&topic.name).as_str().to_owned(), topic.clone());
                }
            }
        }
        self.months.push(Remembered {
            year: month.year(),
            month: month.number(),
            phrases: phrases(digest),
        });
        self.recent.push(Recent {
            last_day: month.last_day(),
            topics: recurring(digest),
            words: shared_words(digest),
            lessons: lessons(digest),
        });
        if self.recent.len() > 2 {
            self.recent.remove(0);
        }
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.months.is_empty()
    }

    /// The topic of a name, if any month knows it.
    pub fn topic(&self, name: &str) -> Option<&Topic> {
        self.topics.get(key(name).as_str())
    }

    /// All topics, in the order of their folded names.
    pub fn topics(&self) -> impl Iterator<Item = &Topic> {
        self.topics.values()
    }
}

/// What a month was about: its projects by the days spent on them, and its decisions.
fn phrases(digest: &Digest) -> Vec<(u32, String)> {
    let mut said = vec![0_u32; digest.topics().len()];
    for topic in digest.said().iter().filter_map(|said| said.topic) {
        said[topic] += 1;
    }
    let mut phrases: Vec<(u32, String)> = Vec::new();
    for (at, topic) in digest.topics().iter().enumerate() {
        if matches!(topic.kind, Kind::Project | Kind::Reference) && topic.days > 0 {
            let done = if topic.done { " (done)" } else { "" };
            let weight = topic.days * 4 + said[at].min(12);
            phrases.push((
                weight,
                format!("{}{done}", one_line(&topic.name, PHRASE_CHARS_MAX)),
            ));
        }
    }
    for said in digest.said().iter().filter(|said| said.sort == Sort::Decision) {
        let weight = said.topic.map_or(1, |at| digest.topics()[at].days * 4 + 2);
        phrases.push((weight, one_line(&said.text, PHRASE_CHARS_MAX)));
    }
    phrases.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    phrases.dedup_by(|one, other| one.1 == other.1);
    phrases.truncate(PHRASES_MAX);
    phrases
}

fn recurring(digest: &Digest) -> Vec<(String, u32, Vec<String>)> {
    let mut topics: Vec<&Topic> = digest
        .topics()
        .iter()
        .filter(|topic| topic.days >= 3 && !topic.done)
        .collect();
    topics.sort_by_key(|topic| std::cmp::Reverse(topic.days));
    let words = |topic: &Topic| {
        topic
            .keywords
            .iter()
            .take(4)
            .map(|(word, _)| word.clone())
            .collect()
    };
    topics
        .into_iter()
        .take(PHRASES_MAX)
        .map(|topic| (topic.name.clone(), topic.days, words(topic)))
        .collect()
}

/// Words that set apart three topics or more: a thing that keeps coming back under many names.
fn shared_words(digest: &Digest) -> Vec<(String, Vec<String>)> {
    let mut places: BTreeMap<&str, Vec<&Topic>> = BTreeMap::new();
    for topic in digest.topics().iter().filter(|topic| topic.days > 0) {
        for (word, _) in &topic.keywords {
            places.entry(word).or_default().push(topic);
        }
    }
    let mut words: Vec<(&str, Vec<&Topic>)> = places
        .into_iter()
        .filter(|(_, topics)| {
            topics.len() >= 3
                && topics
                    .iter()
                    .map(|topic| topic.last)
                    .collect::<BTreeSet<_>>()
                    .len()
                    >= 3
        })
        .collect();
    words.sort_by_key(|(_, topics)| std::cmp::Reverse(topics.len()));
    let names = |topics: Vec<&Topic>| {
        topics
            .into_iter()
            .rev()
            .take(4)
            .map(|topic| topic.name.clone())
            .collect()
    };
    words
        .into_iter()
        .take(PHRASES_MAX)
        .map(|(word, topics)| (word.to_owned(), names(topics)))
        .collect()
}

fn lessons(digest: &Digest) -> Vec<String> {
    let mut lessons: Vec<String> = Vec::new();
    for said in digest
        .said()
        .iter()
        .rev()
        .filter(|said| said.sort == Sort::Lesson)
    {
        let topic = said
            .topic
            .map(|at| format!("{}: ", digest.topics()[at].name))
            .unwrap_or_default();
        lessons.push(format!("{topic}{}", one_line(&said.text, 2 * PHRASE_CHARS_MAX)));
        if lessons.len() == LESSONS_MAX {
            break;
        }
    }
    lessons
}
