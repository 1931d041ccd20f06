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
const LESSONS_MAX: usize = 6;

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
    /// Adds what a monthly node says; months come oldest first. The date counts for a month under way only: what `today` says is not
    /// over yet.
    pub fn add(&mut self, month: Month, digest: &Digest, today: Day) {
        for topic in digest.topics().iter().filter(|topic| topic.days > 0) {
            match self.topics.get_mut(key(&topic.name).as_str()) {
                Some(known) => known.absorb(topic.clone(), true),
                None => {
                    self.topics
                        .insert(key(&topic.name).as_str().to_owned(), topic.clone());
                }
            }
        }
        self.tell(digest);
        let spread = Spread::of(digest.topics());
        self.months.push(Remembered {
            year: month.year(),
            month: month.number(),
            phrases: phrases(digest),
        });
        self.recent.push(Recent {
            last_day: month.last_day(),
            topics: recurring(digest, &spread),
            words: shared_words(digest, &spread, today),
            lessons: lessons(digest),
        });
        if self.recent.len() > 2 {
            self.recent.remove(0);
            let left = self.months.len() - 3;
            self.months[left].phrases.truncate(PHRASES_MAX);
        }
    }

    /// Notes on which day most was said of each topic.
    fn tell(&mut self, digest: &Digest) {
        let mut facts: HashMap<(usize, Day), u32> = HashMap::new();
        for said in digest.said() {
            if let Some(topic) = said.topic.filter(|&at| digest.topics()[at].days > 1) {
                *facts.entry((topic, said.day)).or_default() += 1;
            }
        }
        let mut facts: Vec<((usize, Day), u32)> = facts.into_iter().collect();
        facts.sort_unstable();
        for ((topic, day), count) in facts {
            let name = key(&digest.topics()[topic].name).as_str().to_owned();
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
        for topic in self.topics.values_mut() {
            topic.references.retain(|reference| {
                let gone = kept_file(reference).filter(|path| !is_there(path));
                missing.extend(gone.map(str::to_owned));
                gone.is_none()
            });
        }
        missing
    }

    /// All topics, in the order of their folded names.
    pub fn topics(&self) -> impl Iterator<Item = &Topic> {
        self.topics.values()
    }
}

/// The path of a file in `knowledge/` or `plans/` that a reference names, without the line or heading behind it.
fn kept_file(reference: &str) -> Option<&str> {
    let path = reference.strip_prefix("./").unwrap_or(reference);
    let is_kept = path.starts_with("knowledge/") || path.starts_with("plans/");
    let path = path.split(['#', ':']).next().filter(|_| is_kept)?;
    Some(path.trim_end_matches('/'))
}

/// What a month was about: its projects by the days spent on them, each with what tells it from others; of the weightiest also
/// what was decided last.
fn phrases(digest: &Digest) -> Vec<Phrase> {
    let mut said = vec![0_u32; digest.topics().len()];
    let mut decided: Vec<Option<&str>> = vec![None; digest.topics().len()];
    for one in digest.said() {
        if let Some(topic) = one.topic {
            said[topic] += 1;
            if one.sort == Sort::Decision {
                decided[topic] = Some(&one.text);
            }
        }
    }
    let mut order: Vec<(u32, u32, usize)> = digest
        .topics()
        .iter()
        .enumerate()
        .filter(|(_, topic)| matches!(topic.kind, Kind::Project | Kind::Reference) && topic.days > 0)
        .map(|(at, topic)| (topic.days, said[at].min(12), at))
        .collect();
    order.sort_by_key(|&(days, said, _)| std::cmp::Reverse(days * 4 + said));
    order.truncate(RECENT_PHRASES_MAX);
    let phrase = |(place, (days, said, at)): (usize, (u32, u32, usize))| {
        let topic = &digest.topics()[at];
        let name = one_line(&topic.name, PHRASE_CHARS_MAX);
        let decision = decided[at].filter(|_| place < EVENTS_MAX);
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
    topic.keywords.iter().map(|(word, _)| word.as_str()).find(is_new)
}

fn recurring(digest: &Digest, spread: &Spread) -> Vec<(String, u32, Vec<String>)> {
    let mut topics: Vec<&Topic> = digest
        .topics()
        .iter()
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
fn shared_words(digest: &Digest, spread: &Spread, today: Day) -> Vec<(String, u32, Vec<String>)> {
    let project = |topic: &&Topic| topic.days > 0 && topic.kind == Kind::Project;
    // What the month has only of today counts from tomorrow on.
    let is_settled = |topic: &&Topic| topic.last < today || topic.before.is_some();
    let topics = digest.topics().iter().filter(project).filter(is_settled);
    let topics: Vec<&Topic> = topics.collect();
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

/// The lessons of a month: some of its last day, which is not over yet while it is under way, and as many before it.
fn lessons(digest: &Digest) -> Vec<(Day, String)> {
    let learned = || {
        digest
            .said()
            .iter()
            .rev()
            .filter(|said| said.sort == Sort::Lesson)
    };
    let last = digest.topics().iter().map(|topic| topic.last).max();
    let line = |said: &Said| {
        let topic = said
            .topic
            .map(|at| format!("{}: ", digest.topics()[at].name))
            .unwrap_or_default();
        (
            said.day,
            format!("{topic}{}", one_line(&said.text, 2 * PHRASE_CHARS_MAX)),
        )
    };
    let of = |is_last: bool| {
        learned()
            .filter(move |said| (Some(said.day) >= last) == is_last)
            .take(LESSONS_MAX)
            .map(line)
    };
    of(true).chain(of(false)).collect()
}

/// An order by number of days that one day more does not change at once, and among equals by no letter of the alphabet.
pub(super) fn in_steps(days: u32, name: &str) -> (std::cmp::Reverse<u32>, u64) {
    (std::cmp::Reverse(days.max(1).ilog2()), xxh3_64(name.as_bytes()))
}
