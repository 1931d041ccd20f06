//! What ROOT remembers of all months: every topic once, a few phrases a month, and the last two months closely.
//!
//! Months are added in order, oldest first, so that the history of the fixed months can be kept and continued: the
//! result is the same as adding all of them again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::memory::calendar::{Day, Month};
use crate::memory::digest::{Digest, Said, Topic};
use crate::memory::entry::Kind;
use crate::memory::fact::Sort;
use crate::memory::telling::Spread;
use crate::memory::text::one_line;
use crate::memory::topic::key;

/// How many phrases are kept of a month for good.
const PHRASES_MAX: usize = 24;
/// How many while it is recent: of the month under way the history says what the index has no room for.
const RECENT_PHRASES_MAX: usize = 400;
/// How many topics and words of a month may be patterns.
const RECURRING_MAX: usize = 16;
/// For how many topics of a month the history may tell what was decided.
const EVENTS_MAX: usize = 4;
/// How long a phrase may be, in characters.
const PHRASE_CHARS_MAX: usize = 60;
/// How many lessons are kept of a recent month.
const LESSONS_MAX: usize = 5;

/// Everything ROOT is printed from, but for what others wrote, as of the date of ROOT.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Every topic by its folded name.
    pub(super) topics: BTreeMap<String, Topic>,
    /// Every month, oldest first.
    pub(super) months: Vec<Remembered>,
    /// The newest two months.
    pub(super) recent: Vec<Recent>,
    /// For topics of several days the day on which most was said of them, and how much.
    pub(super) told: BTreeMap<String, (Day, u32)>,
}

/// A phrase of a month's line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Phrase {
    /// On how many days of the month it was mentioned.
    pub(super) days: u32,
    /// How much is known to have been said of it.
    pub(super) said: u32,
    /// The folded name of the topic that it is about.
    pub(super) topic: String,
    /// What the line says.
    pub(super) text: String,
}

/// What is remembered of a month for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub(super) year: i32,
    pub(super) month: u32,
    /// What the month was about, in the order of days and facts.
    pub(super) phrases: Vec<Phrase>,
}

impl Remembered {
    /// Whether there are days to come, or under way.
    pub(super) fn is_open(&self, today: Day) -> bool {
        let now = today.node_month();
        (self.year, self.month) >= (now.year(), now.number())
    }

    fn without_counts(&self) -> (i32, u32, Vec<(u32, &str, &str)>) {
        let phrases = self.phrases.iter();
        let phrases = phrases.map(|phrase| (phrase.days, phrase.topic.as_str(), phrase.text.as_str()));
        (self.year, self.month, phrases.collect())
    }
}

/// What is remembered of a month while it is recent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Recent {
    pub(super) last_day: Day,
    /// Topics with the days on which they were mentioned and their best keywords.
    pub(super) topics: Vec<(String, u32, Vec<String>)>,
    /// Words that three topics or more have on three days or more, each with the days and some of these topics.
    pub(super) words: Vec<(String, u32, Vec<String>)>,
    /// What was learned and when, the newest first.
    pub(super) lessons: Vec<(Day, String)>,
}

impl History {
    /// Adds what a monthly node says; months come oldest first. What `today` says is told apart from the rest, for it is not over yet:
    /// it counts for its topics, and for all else from tomorrow on.
    pub fn add(&mut self, month: Month, digest: &Digest, today: Day) {
        for topic in digest.topics().iter().filter(|topic| topic.days > 0) {
            let mut topic = topic.clone();
            topic.earlier = topic
                .earlier
                .filter(|earlier| topic.last >= today && earlier.days > 0);
            match self.topics.get_mut(key(&topic.name).as_str()) {
                Some(known) if known.last.max(topic.last) >= today => known.absorb(topic, true),
                Some(known) => known.add(topic, true),
                None => {
                    self.topics.insert(key(&topic.name).as_str().to_owned(), topic);
                }
            }
        }
        let settled: Vec<Option<&Topic>> = digest
            .topics()
            .iter()
            .map(|topic| settled(topic, today))
            .collect();
        let said: Vec<&Said> = digest.said().iter().filter(|said| said.day < today).collect();
        // Until a month is over, what is said of one topic may take a line of its node from another: only what that cannot touch counts.
        let is_over = month.last_day() < today;
        if is_over {
            self.tell(&settled, &said);
        }
        // A month of which there is nothing but today is none yet.
        if !is_over && settled.iter().all(Option::is_none) {
            return;
        }
        let spread = Spread::of(settled.iter().copied().flatten());
        self.months.push(Remembered {
            year: month.year(),
            month: month.number(),
            phrases: phrases(&settled, &said, is_over),
        });
        self.recent.push(Recent {
            last_day: month.last_day(),
            topics: recurring(&settled, &spread),
            words: shared_words(&settled, &spread, today),
            lessons: lessons(&settled, &said),
        });
        if self.recent.len() > 2 {
            self.recent.remove(0);
            let left = self.months.len() - 3;
            self.months[left].phrases.truncate(PHRASES_MAX);
        }
    }

    /// Notes on which day most was said of each topic.
    fn tell(&mut self, settled: &[Option<&Topic>], said: &[&Said]) {
        let mut facts: HashMap<(usize, Day), u32> = HashMap::new();
        let days = |at: usize| settled[at].map_or(0, |topic| topic.days);
        for said in said {
            if let Some(topic) = said.topic.filter(|&at| days(at) > 1) {
                *facts.entry((topic, said.day)).or_default() += 1;
            }
        }
        let mut facts: Vec<((usize, Day), u32)> = facts.into_iter().collect();
        facts.sort_unstable();
        for ((topic, day), count) in facts {
            let Some(topic) = settled[topic] else { continue };
            let name = key(&topic.name).as_str().to_owned();
            let best = self.told.entry(name).or_insert((day, count));
            if count >= best.1 {
                *best = (day, count);
            }
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

    /// Forgets what topics refer to in `knowledge/` and `plans/` and is not there (SPEC section 9: ROOT points to files that can be
    /// read). `is_there` is asked for paths from the workspace; those that are not are given back.
    pub fn keep_pointers(&mut self, is_there: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut missing = BTreeSet::new();
        let mut is_kept = |reference: &String| {
            let gone = kept_file(reference).filter(|path| !is_there(path));
            missing.extend(gone.map(str::to_owned));
            gone.is_none()
        };
        for topic in self.topics.values_mut() {
            topic.references.retain(&mut is_kept);
            if let Some(earlier) = &mut topic.earlier {
                earlier.references.retain(&mut is_kept);
            }
        }
        missing
    }

    /// All topics as they were when a date began, in the order of their folded names; none that came up since.
    pub(super) fn settled(&self, today: Day) -> impl Iterator<Item = &Topic> {
        self.topics
            .values()
            .filter_map(move |topic| settled(topic, today))
    }

    /// A hash over everything that was known when a date began; none when there is no telling.
    pub(super) fn mark(&self, today: Day) -> Option<u64> {
        let topics = self.topics.iter();
        let settled: Vec<(&String, &Topic)> = topics
            .filter_map(|(folded, topic)| Some((folded, settled(topic, today)?)))
            .collect();
        // How much was said of a topic in a month that is not over changes with what is said of others, and counts for nothing.
        let count = self
            .months
            .iter()
            .take_while(|month| !month.is_open(today))
            .count();
        let (over, open) = self.months.split_at(count);
        let open: Vec<_> = open.iter().map(Remembered::without_counts).collect();
        hash_of(&(today, settled, over, open, &self.recent, &self.told))
    }

    /// All topics, in the order of their folded names.
    pub fn topics(&self) -> impl Iterator<Item = &Topic> {
        self.topics.values()
    }
}

/// A hash over a value as it would be kept.
pub(super) fn hash_of(value: &impl Serialize) -> Option<u64> {
    Some(xxh3_64(&postcard::to_allocvec(value).ok()?))
}

/// A topic as it was when a date began; none when it was not there, or in passing notes only.
pub(super) fn settled(topic: &Topic, today: Day) -> Option<&Topic> {
    topic.as_of(today).filter(|topic| topic.days > 0)
}

/// The path of a file in `knowledge/` or `plans/` that a reference names, without the line or heading behind it.
fn kept_file(reference: &str) -> Option<&str> {
    let path = reference.strip_prefix("./").unwrap_or(reference);
    if !path.starts_with("knowledge/") && !path.starts_with("plans/") {
        return None;
    }
    let path = path.split(['#', ':']).next()?;
    Some(path.trim_end_matches('/'))
}

/// What a month was about: its projects by the days spent on them, each with what tells it from others; of the weightiest also
/// what was decided last.
fn phrases(settled: &[Option<&Topic>], facts: &[&Said], is_over: bool) -> Vec<Phrase> {
    let mut said = vec![0_u32; settled.len()];
    let mut decided: Vec<Option<&str>> = vec![None; settled.len()];
    for one in facts {
        if let Some(topic) = one.topic {
            said[topic] += 1;
            if one.sort == Sort::Decision {
                decided[topic] = Some(&one.text);
            }
        }
    }
    let mut order: Vec<(u32, u32, &Topic, Option<&str>)> = settled
        .iter()
        .enumerate()
        .filter_map(|(at, topic)| Some(((*topic)?, said[at].min(12), decided[at])))
        .filter(|(topic, ..)| matches!(topic.kind, Kind::Project | Kind::Reference))
        .map(|(topic, said, decided)| (topic.days, said, topic, decided))
        .collect();
    order.sort_by_cached_key(|&(days, said, topic, _)| {
        let weight = days * 4 + if is_over { said } else { 0 };
        (
            std::cmp::Reverse((weight, topic.last)),
            xxh3_64(topic.name.as_bytes()),
        )
    });
    order.truncate(RECENT_PHRASES_MAX);
    let phrase = |(place, (days, said, topic, decided)): (usize, (u32, u32, &Topic, Option<&str>))| {
        let name = one_line(&topic.name, PHRASE_CHARS_MAX);
        let decision = decided.filter(|_| place < EVENTS_MAX);
        // Whatever it may say of other topics: of these it must not depend.
        let word = own_word(topic).map(|word| one_line(word, PHRASE_CHARS_MAX / 2));
        let text = match (decision, word) {
            (Some(decision), _) => format!("{name}: {}", one_line(decision, PHRASE_CHARS_MAX)),
            (None, Some(word)) => format!("{name} ({word})"),
            (None, None) => name,
        };
        Phrase {
            days,
            said,
            topic: key(&topic.name).as_str().to_owned(),
            text,
        }
    };
    order.into_iter().enumerate().map(phrase).collect()
}

/// The first keyword of a topic that its name does not say already.
fn own_word(topic: &Topic) -> Option<&str> {
    let named = key(&topic.name);
    let is_new = |word: &&str| !named.as_str().contains(key(word).as_str());
    topic.keywords.words().find(is_new)
}

fn recurring(settled: &[Option<&Topic>], spread: &Spread) -> Vec<(String, u32, Vec<String>)> {
    let mut topics: Vec<&Topic> = settled
        .iter()
        .copied()
        .flatten()
        .filter(|topic| topic.days >= 2 && !topic.done)
        .collect();
    topics.sort_by_cached_key(|topic| in_steps(topic.days, &topic.name));
    let words = |topic: &Topic| {
        spread
            .rank(topic)
            .into_iter()
            .take(4)
            .map(str::to_owned)
            .collect()
    };
    topics
        .into_iter()
        .take(RECURRING_MAX)
        .map(|topic| (topic.name.clone(), topic.days, words(topic)))
        .collect()
}

/// Words that three topics or more have: a thing that keeps coming back under many names.
fn shared_words(settled: &[Option<&Topic>], spread: &Spread, today: Day) -> Vec<(String, u32, Vec<String>)> {
    let project = |topic: &&Topic| topic.kind == Kind::Project;
    let topics: Vec<&Topic> = settled.iter().copied().flatten().filter(project).collect();
    let names = |topics: Vec<&Topic>| {
        topics
            .into_iter()
            .take(6)
            .map(|topic| topic.name.clone())
            .collect()
    };
    spread
        .recurring(&topics, today)
        .into_iter()
        .take(2 * RECURRING_MAX)
        .map(|(word, topics, days)| (word, u32::try_from(days).unwrap_or(u32::MAX), names(topics)))
        .collect()
}

/// What was learned in a month: the newest lesson of each topic, the weightiest topics first, for of these its node surely has one.
fn lessons(settled: &[Option<&Topic>], said: &[&Said]) -> Vec<(Day, String)> {
    let mut newest: BTreeMap<usize, &Said> = BTreeMap::new();
    for &said in said.iter().filter(|said| said.sort == Sort::Lesson) {
        if let Some(topic) = said.topic {
            newest.insert(topic, said);
        }
    }
    let mut learned: Vec<(&Topic, &Said)> = newest
        .into_iter()
        .filter_map(|(topic, said)| Some((settled[topic]?, said)))
        .collect();
    learned.sort_by_cached_key(|(topic, _)| {
        let weight = (topic.days.ilog2(), topic.last);
        (std::cmp::Reverse(weight), xxh3_64(topic.name.as_bytes()))
    });
    learned.truncate(LESSONS_MAX);
    learned.sort_by_key(|(_, said)| std::cmp::Reverse(said.day));
    let line = |(topic, said): (&Topic, &Said)| {
        let text = one_line(&said.text, 2 * PHRASE_CHARS_MAX);
        (said.day, format!("{}: {text}", topic.name))
    };
    learned.into_iter().map(line).collect()
}

/// An order by number of days that one day more does not change at once, and among equals by no letter of the alphabet.
pub(super) fn in_steps(days: u32, name: &str) -> (std::cmp::Reverse<u32>, u64) {
    (std::cmp::Reverse(days.max(1).ilog2()), xxh3_64(name.as_bytes()))
}

#[cfg(test)]
mod tests;
