//! What is known about a set of entries, topic by topic: the value that every level of the tree is made from.
//!
//! Reading any body, verbatim or summarized, gives a [`Digest`]; the digest of a week is that of its daily nodes
//! merged in order, and so on up. [`Digest::merge`] loses no topic, no mention and no user or feedback entry, so
//! "nothing is lost on the way up" is a property of this one function.

mod keywords;
mod said;
mod stored;
mod topic;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::calendar::Day;
use super::entry::Kind;
use super::fact::{EntitySort, Sort};
use super::hashing::Hashing;
use super::node::Mentioned;
use super::topic::{Key, key};
pub use keywords::Keywords;
pub use said::Said;
pub use topic::{Topic, strongest};

/// What a set of entries says.
#[derive(Debug, Clone, Default)]
pub struct Digest {
    topics: Vec<Topic>,
    /// What each of `topics` is known by.
    keys: Vec<Key>,
    index: HashMap<Key, usize, Hashing>,
    said: Vec<Said>,
    /// What each of `said` is known by.
    said_marks: Vec<u64>,
    /// The words of each, and where they end.
    said_words: Vec<u32>,
    said_ends: Vec<usize>,
    said_before: HashMap<u64, usize, Hashing>,
    kept: Vec<Kept>,
    /// For each of `kept`, what reading it by itself gives but for its text, where that is known.
    kept_readings: Vec<Option<Arc<Mention>>>,
    kept_before: HashSet<u64, Hashing>,
    entities: Vec<Named>,
    entity_index: HashMap<u64, usize, Hashing>,
}

/// A user or feedback entry, verbatim, heading line included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The date of its log.
    pub day: Day,
    /// The text without trailing blank lines.
    pub text: String,
}

impl Kept {
    /// Whether a part of a body is this entry.
    pub(super) fn is(&self, day: Day, part: &str) -> bool {
        self.day == day && part.strip_suffix('\n') == Some(&*self.text)
    }
}

/// A user, service, file or error, and how often it was named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// What it is.
    pub sort: EntitySort,
    /// Its name.
    pub name: String,
    /// The number of mentions.
    pub count: u32,
}

/// One mention of a topic, as a log or a summary makes it; what [`Digest::add`] takes in.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The topic, with `days` 1, or 0 for a passing note, or what a summary says.
    pub topic: Topic,
    /// The facts it states.
    pub facts: Vec<(Sort, String)>,
    /// The users, services, files and errors it names.
    pub entities: Vec<(EntitySort, String)>,
    /// The whole entry when it is to be kept verbatim.
    pub kept: Option<String>,
}

impl Digest {
    /// The topics in order of first mention.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// The facts in order, each once.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// The words of a fact, by its place in [`Digest::said`]: as hashes, in order of these, each once.
    pub(super) fn words_said(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.said_ends[before]);
        &self.said_words[start..self.said_ends[at]]
    }

    /// The user and feedback entries in order, each once.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }

    /// Those of which it is known what reading them by themselves gives, with that.
    pub(super) fn kept_readings(&self) -> impl Iterator<Item = (&Kept, &Arc<Mention>)> {
        let readings = self.kept.iter().zip(&self.kept_readings);
        readings.filter_map(|(kept, reading)| Some((kept, reading.as_ref()?)))
    }

    /// The entities in order of first mention.
    pub fn entities(&self) -> &[Named] {
        &self.entities
    }

    /// Where a topic stands in [`Digest::topics`].
    pub fn find(&self, name: &Key) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Takes in a mention.
    pub fn add(&mut self, mention: Mention) {
        self.add_read(mention, None);
    }

    /// Takes in a mention whose kept text gives the same when it is read by itself: it need not be read a second time.
    pub(super) fn add_once(&mut self, mut mention: Mention) {
        let kept = mention.kept.take();
        let reading = Some(Arc::new(mention.clone()));
        self.add_read(Mention { kept, ..mention }, reading);
    }

    /// Takes in an entry that was kept before, and what it says.
    pub(super) fn add_known(&mut self, kept: &Kept, reading: &Arc<Mention>) {
        let mention = Mention {
            kept: Some(kept.text.clone()),
            ..Mention::clone(reading)
        };
        self.add_read(mention, Some(Arc::clone(reading)));
    }

    fn add_read(&mut self, mention: Mention, reading: Option<Arc<Mention>>) {
        let day = mention.topic.last;
        let at = self.topic(mention.topic, false);
        for (sort, text) in mention.facts {
            self.say(Said {
                topic: Some(at),
                day,
                again: Vec::new(),
                sort,
                text,
            });
        }
        for (sort, name) in mention.entities {
            self.name(Named { sort, name, count: 1 });
        }
        if let Some(text) = mention.kept {
            self.keep_read(Kept { day, text }, reading);
        }
    }

    /// Takes in a fact. One that was said before is said once, with both days.
    pub fn say(&mut self, said: Said) {
        let start = self.said_words.len();
        let mark = said.mark(&mut self.said_words);
        if mark.is_some_and(|mark| self.say_marked(said, mark)) {
            self.said_ends.push(self.said_words.len());
        } else {
            self.said_words.truncate(start);
        }
    }

    /// Takes in a fact whose sort and text are those of a fact that another digest has at a place.
    pub(super) fn say_known(&mut self, said: Said, other: &Self, at: usize) {
        if self.say_marked(said, other.said_marks[at]) {
            self.said_words.extend_from_slice(other.words_said(at));
            self.said_ends.push(self.said_words.len());
        }
    }

    /// Says whether it was new: then its words are to be noted.
    fn say_marked(&mut self, said: Said, mark: u64) -> bool {
        match self.said_before.entry(mark) {
            Entry::Occupied(known) => {
                self.said[*known.get()].also_on(&said);
                false
            }
            Entry::Vacant(unknown) => {
                unknown.insert(self.said.len());
                self.said_marks.push(mark);
                self.said.push(said);
                true
            }
        }
    }

    /// Takes in an entity.
    pub fn name(&mut self, named: Named) {
        let at = *self
            .entity_index
            .entry(entity_mark(&named))
            .or_insert(self.entities.len());
        match self.entities.get_mut(at) {
            Some(known) => known.count += named.count,
            None => self.entities.push(named),
        }
    }

    /// Takes in an entry that is kept verbatim, unless the same text is there already.
    pub fn keep(&mut self, kept: Kept) {
        self.keep_read(kept, None);
    }

    fn keep_read(&mut self, kept: Kept, reading: Option<Arc<Mention>>) {
        if self.kept_before.insert(xxh3_64(kept.text.as_bytes())) {
            self.kept.push(kept);
            self.kept_readings.push(reading);
        }
    }

    /// Takes in all that another digest knows. Merging is associative as far as what must be kept goes: topics, last
    /// mentions, user and feedback entries.
    pub fn merge(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        let topics = other.topics.into_iter().zip(other.keys);
        let places: Vec<usize> = topics
            .map(|(topic, key)| self.keyed_topic(key, topic, true))
            .collect();
        let mut start = 0;
        for ((said, mark), end) in other.said.into_iter().zip(other.said_marks).zip(other.said_ends) {
            let topic = said.topic.map(|at| places[at]);
            if self.say_marked(Said { topic, ..said }, mark) {
                self.said_words.extend_from_slice(&other.said_words[start..end]);
                self.said_ends.push(self.said_words.len());
            }
            start = end;
        }
        other.entities.into_iter().for_each(|named| self.name(named));
        let kept = other.kept.into_iter().zip(other.kept_readings);
        kept.for_each(|(kept, reading)| self.keep_read(kept, reading));
    }

    /// Whether nothing was taken in yet.
    fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.said.is_empty() && self.entities.is_empty() && self.kept.is_empty()
    }

    /// What a node's frontmatter says of a topic is the truth about its mentions: a summary names only some topics,
    /// and knows only the end of its period.
    pub fn correct(&mut self, name: String, kind: Kind, mentioned: Mentioned) {
        let at = match self.index.get(&key(&name)) {
            Some(&at) => at,
            None => self.topic(Topic::bare(name.clone(), kind, mentioned.last), true),
        };
        let topic = &mut self.topics[at];
        (topic.name, topic.kind) = (name, kind);
        topic.set_mentioned(mentioned);
        topic.first = topic.first.min(mentioned.last);
        topic.settle();
        if let Some((earlier, (day, _))) = topic.earlier.as_mut().zip(mentioned.before) {
            earlier.last = day;
        }
    }

    /// Says what a topic was without its newest date, where a summary does not show it.
    pub fn set_earlier(&mut self, earlier: Topic) {
        if let Some(&at) = self.index.get(&key(&earlier.name)) {
            self.topics[at].earlier = Some(Box::new(earlier));
            self.topics[at].settle();
        }
    }

    /// The newest date of all.
    pub fn newest(&self) -> Option<Day> {
        self.topics.iter().map(|topic| topic.last).max()
    }

    /// Finds or makes the topic, and adds a mention of it. Two digests speak of different days (`apart`); two
    /// mentions within one may be of the same day, which then counts once.
    fn topic(&mut self, new: Topic, apart: bool) -> usize {
        self.keyed_topic(key(&new.name), new, apart)
    }

    fn keyed_topic(&mut self, name: Key, new: Topic, apart: bool) -> usize {
        match self.index.get(&name) {
            Some(&at) => {
                self.topics[at].absorb(new, apart);
                at
            }
            None => self.new_topic(name, new),
        }
    }

    fn new_topic(&mut self, name: Key, new: Topic) -> usize {
        let place = match new.place {
            u32::MAX => u32::try_from(self.topics.len()).unwrap_or(u32::MAX),
            known => known,
        };
        self.index.insert(name.clone(), self.topics.len());
        self.keys.push(name);
        self.topics.push(Topic { place, ..new });
        self.topics.len() - 1
    }
}

fn entity_mark(named: &Named) -> u64 {
    xxh3_64_with_seed(named.name.as_bytes(), named.sort as u64)
}

#[cfg(test)]
mod tests;
