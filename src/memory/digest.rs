//! What is known about a set of entries: their topics, what is stated, and what is kept word for word. The digest of a week is that of its
//! daily nodes merged in order, and so on up: that nothing is lost on the way is a property of [`Digest::merge`].

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::calendar::Day;
use super::entry::Kind;
use super::language::mix;
use super::node::{Mentioned, file_stem};
use super::statement::Statement;
use super::topic::{Key, key};
use super::words::{Class, Term};

/// So many terms say the same under whatever name they stand.
const ALONE_TERMS_MIN: usize = 3;

#[derive(Debug, Clone, Default)]
pub struct Digest {
    topics: Vec<Topic>,
    lists_topics: bool,
    index: FxHashMap<Key, usize>,
    statements: Vec<Statement>,
    /// Where a statement of these terms stands.
    stated: FxHashMap<u64, usize>,
    /// The days that a late statement is of, and where their statements stand, by what each says but for one word.
    late_days: FxHashSet<Day>,
    correctable: FxHashMap<u64, Vec<usize>>,
    kept: Vec<Kept>,
    kept_before: FxHashSet<u64>,
}

/// A subject as the frontmatter of nodes names it, with its mentions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// In its newest spelling.
    pub name: String,
    key: Key,
    /// The strongest type any mention gave it: user, then feedback, reference, project.
    pub kind: Kind,
    pub last: Day,
    /// The dates that are known to mention it in more than a passing note.
    pub days: BTreeSet<Day>,
    /// How many more such dates there are that nobody noted one by one.
    pub more: u32,
    /// On how many dates before its node's period late entries have told it. Where its own dates are known they are among those: most late
    /// entries correct what was told.
    pub late: u32,
}

/// What a digest gives to ROOT: its topics, and those of its statements that may stand there.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Contribution {
    pub topics: Vec<Topic>,
    pub statements: Vec<Statement>,
    pub newest: Option<Day>,
}

/// A user or feedback entry, verbatim, heading line included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub day: Day,
    pub text: String,
}

impl Topic {
    pub fn mentioned_on(name: String, kind: Kind, day: Day) -> Self {
        Self {
            key: key(&name),
            name,
            kind,
            last: day,
            days: BTreeSet::from([day]),
            more: 0,
            late: 0,
        }
    }

    pub fn key(&self) -> &Key {
        &self.key
    }

    #[must_use]
    pub fn renamed(&self, name: &str) -> Self {
        Self { key: key(name), name: name.to_owned(), ..self.clone() }
    }

    /// The number of days with a mention that was no passing note (SPEC section 7): 0 keeps a topic out of ROOT.
    pub fn count(&self) -> u32 {
        self.counted(self.days.len(), 0)
    }

    /// The same where `own` of the dates that are known lie in the node's period, and `late` before it.
    fn counted(&self, own: usize, late: usize) -> u32 {
        let count = |days: usize| u32::try_from(days).unwrap_or(u32::MAX);
        match count(own).saturating_add(self.more) {
            0 => self.late.max(count(late)),
            own => own,
        }
    }

    /// As the node of a period notes it that begins on that day.
    pub fn mentioned(&self, first: Day) -> Mentioned {
        let own = self.days.range(first..).count();
        Mentioned {
            last: self.last,
            days: self.counted(own, self.days.len() - own),
        }
    }

    fn absorb(&mut self, other: Self) {
        if other.last >= self.last {
            self.name = other.name;
            self.last = other.last;
        }
        self.kind = strongest(self.kind, other.kind);
        self.days.extend(other.days);
        self.more += other.more;
        self.late = self.late.max(other.late);
    }
}

impl Digest {
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }

    pub fn find(&self, name: &Key) -> Option<usize> {
        self.index.get(name).copied()
    }

    pub fn mention(&mut self, topic: Topic) {
        match self.index.get(&topic.key) {
            Some(&at) => self.topics[at].absorb(topic),
            None => {
                self.index.insert(topic.key.clone(), self.topics.len());
                self.topics.push(topic);
            }
        }
    }

    pub fn set_topics(&mut self, topics: Vec<Topic>) {
        self.lists_topics = !topics.is_empty();
        self.topics.clear();
        self.index.clear();
        topics.into_iter().for_each(|topic| self.mention(topic));
    }

    /// Whether [`Digest::set_topics`] said which topics there are.
    pub fn lists_topics(&self) -> bool {
        self.lists_topics
    }

    /// Takes in a statement. One that was said before in the same words is said once, in its newest wording, with all its days.
    pub fn state(&mut self, statement: Statement) {
        let mark = mark(&statement);
        let known = self.stated.get(&mark).copied();
        let known = known.or_else(|| self.corrected(&statement));
        let at = known.unwrap_or(self.statements.len());
        self.stated.insert(mark, at);
        if self.late_days.contains(&statement.day) {
            note_correctable(&mut self.correctable, at, &statement);
        }
        match known {
            Some(at) => self.statements[at].also(statement),
            None => self.statements.push(statement),
        }
    }

    /// Where the statement stands that a late one says anew but for a letter or two.
    fn corrected(&mut self, late: &Statement) -> Option<usize> {
        if !late.is_late {
            return None;
        }
        if self.late_days.insert(late.day) {
            let told = self.statements.iter().enumerate();
            for (at, told) in told.filter(|(_, told)| told.day == late.day) {
                note_correctable(&mut self.correctable, at, told);
            }
        }
        let alike = late.but_for_one_word();
        let alike = alike.filter_map(|rest| self.correctable.get(&rest)).flatten();
        let corrected = alike.filter(|at| late.corrects(&self.statements[**at]));
        corrected.min().copied()
    }

    /// What it gives to ROOT, with the statements that are asked for.
    pub fn contribution(self, is_wanted: impl Fn(&Statement) -> bool) -> Contribution {
        Contribution {
            newest: self.statements.iter().map(|statement| statement.day).max(),
            statements: self.statements.into_iter().filter(is_wanted).collect(),
            topics: self.topics,
        }
    }

    /// Takes the paths of files in `knowledge/` and `plans/` that are not there out of what is stated, and answers them (SPEC section 9:
    /// ROOT points to files that can be read). Where more is said than the path, the file's name stays.
    pub fn keep_pointers(&mut self, is_there: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut missing = BTreeSet::new();
        for statement in self.statements.iter_mut().filter(|told| has_pointer(&told.text)) {
            let says_more = statement.text.split(' ').any(|word| pointer(word).is_none());
            let gone = |word: &str| pointer(word).filter(|path| !is_there(path)).map(str::to_owned);
            let words = statement.text.split(' ');
            let words = words.filter_map(|word| Some((word.to_owned(), gone(word)?)));
            for (word, path) in words.collect::<Vec<_>>() {
                let name = file_stem(&path).filter(|_| says_more);
                let left = name.map_or_else(String::new, |name| word.replace(&path, name));
                missing.insert(path);
                statement.reword(&statement.text.replace(&word, &left));
            }
        }
        missing
    }

    /// Takes in an entry that is kept verbatim, unless the same text is there already.
    pub fn keep(&mut self, kept: Kept) {
        if self.kept_before.insert(xxh3_64(kept.text.as_bytes())) {
            self.kept.push(kept);
        }
    }

    pub fn merge(&mut self, other: Self) {
        if self.topics.is_empty() && self.statements.is_empty() && self.kept.is_empty() {
            *self = other;
            return;
        }
        let (topics, statements) = (other.topics.into_iter(), other.statements.into_iter());
        topics.for_each(|topic| self.mention(topic));
        statements.for_each(|statement| self.state(statement));
        other.kept.into_iter().for_each(|kept| self.keep(kept));
    }
}

/// Notes where a statement stands, under all that a correction of it would have in common with it.
fn note_correctable(correctable: &mut FxHashMap<u64, Vec<usize>>, at: usize, statement: &Statement) {
    for rest in statement.but_for_one_word() {
        correctable.entry(rest).or_default().push(at);
    }
}

/// What statements that say the same have in common: their terms and numbers; of few words also what they stand under.
fn mark(statement: &Statement) -> u64 {
    let numbers = statement.words.words.iter();
    let numbers = numbers.filter(|word| word.class == Class::Number);
    let mut terms: Vec<Term> = statement.words.terms().to_vec();
    terms.extend(numbers.map(|word| word.hash));
    terms.sort_unstable();
    terms.dedup();
    if terms.len() < ALONE_TERMS_MIN {
        let above = statement.heads.last().map(|head| key(head));
        terms.extend(above.map(|name| xxh3_64(name.as_str().as_bytes())));
    }
    terms.into_iter().fold(0, mix)
}

/// One topic has one type: what says most about the person wins, for it must never be lost.
pub fn strongest(one: Kind, other: Kind) -> Kind {
    let mut strong = [Kind::User, Kind::Feedback, Kind::Reference].into_iter();
    let known = strong.find(|kind| [one, other].contains(kind));
    known.unwrap_or(Kind::Project)
}

const POINTED_TO: [&str; 2] = ["knowledge/", "plans/"];

/// Whether a text may name such a file: a quick look, for few do.
pub fn has_pointer(text: &str) -> bool {
    POINTED_TO.iter().any(|folder| text.contains(folder))
}

/// The path of a file in `knowledge/` or `plans/` that a word names, without the line or heading behind it.
pub fn pointer(word: &str) -> Option<&str> {
    let word = word.trim_matches(['(', ')', '[', ']', ',', ';', '.', '"', '\'']);
    let path = word.strip_prefix("./").unwrap_or(word);
    if !POINTED_TO.iter().any(|folder| path.starts_with(folder)) {
        return None;
    }
    Some(path.split(['#', ':']).next()?.trim_end_matches('/'))
}

#[cfg(test)]
mod tests;
