//! A topic: all that its mentions add up to, and what they came to before the newest date.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Keywords;
use crate::memory::calendar::Day;
use crate::memory::entry::Kind;
use crate::memory::node::Mentioned;

/// How many references a topic keeps while digests are merged.
const REFERENCES_MAX: usize = 8;

/// One topic and all that its mentions add up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// The name in its newest spelling.
    pub name: String,
    /// The strongest type any mention gave it: user, then feedback, reference, project.
    pub kind: Kind,
    /// The oldest date that mentions it, as far as is known.
    pub first: Day,
    /// The newest date that mentions it.
    pub last: Day,
    /// How many other topics that date mentions before it, as far as is known.
    pub place: u32,
    /// The newest date before that one that mentions it, and whether the matter was completed by then.
    pub before: Option<(Day, bool)>,
    /// On how many days it was mentioned in more than a passing note.
    pub days: u32,
    /// Whether the newest mention says that the matter is completed.
    pub done: bool,
    /// Where the matter stands, in a line.
    pub state: Option<String>,
    /// What sets it apart, with how many mentions each has; the most telling first.
    pub keywords: Keywords,
    /// Paths, URLs, commit ids; the newest first.
    pub references: Vec<String>,
    /// The same topic without what its newest date says of it, as far as is known; none when no other date mentions it. It has
    /// none itself.
    pub earlier: Option<Box<Self>>,
}

impl Topic {
    /// A topic of which nothing but a mention is known.
    pub fn bare(name: String, kind: Kind, day: Day) -> Self {
        Self {
            name,
            kind,
            first: day,
            last: day,
            place: u32::MAX,
            before: None,
            days: 1,
            done: false,
            state: None,
            keywords: Keywords::default(),
            references: Vec::new(),
            earlier: None,
        }
    }

    /// When it was mentioned.
    pub fn mentioned(&self) -> Mentioned {
        Mentioned {
            last: self.last,
            days: self.days,
            place: self.place,
            before: self.before,
        }
    }

    /// Sets when it was mentioned to what a node says of it.
    pub fn set_mentioned(&mut self, mentioned: Mentioned) {
        (self.last, self.days) = (mentioned.last, mentioned.days);
        (self.place, self.before) = (mentioned.place, mentioned.before);
    }

    /// The topic as it was when a date began: none when it was not there.
    pub fn as_of(&self, day: Day) -> Option<&Self> {
        if self.last < day {
            Some(self)
        } else {
            self.earlier.as_deref()
        }
    }

    /// Adds a later-read mention of the same topic.
    pub fn absorb(&mut self, mut new: Self, apart: bool) {
        let earlier = self.earlier_with(&mut new, apart);
        self.add(new, apart);
        self.earlier = earlier;
        self.settle();
    }

    /// What two mentions come to without the newest date of both.
    fn earlier_with(&mut self, new: &mut Self, apart: bool) -> Option<Box<Self>> {
        let (mine, others) = (self.earlier.take(), new.earlier.take());
        let (one, other) = match self.last.cmp(&new.last) {
            Ordering::Less => (Some(Box::new(self.clone())), others),
            Ordering::Equal => (mine, others),
            Ordering::Greater => (mine, Some(Box::new(new.clone()))),
        };
        match (one, other) {
            (Some(mut one), Some(other)) => {
                one.add(*other, apart);
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }

    /// Where no other date mentions a topic, there is nothing earlier.
    pub(super) fn settle(&mut self) {
        if self.before.is_none() {
            self.earlier = None;
        }
    }

    /// Adds a mention, and forgets what either was before its newest date.
    pub(in crate::memory) fn add(&mut self, new: Self, apart: bool) {
        self.earlier = None;
        let newer = new.last >= self.last;
        self.place = match new.last.cmp(&self.last) {
            Ordering::Less => self.place,
            Ordering::Equal => self.place.min(new.place),
            Ordering::Greater => new.place,
        };
        let mentions = [(self.last, self.done), (new.last, new.done)];
        let mentions = mentions.into_iter().chain(self.before).chain(new.before);
        let last = self.last.max(new.last);
        self.before = mentions.filter(|(day, _)| *day < last).max();
        self.days += if apart || new.last != self.last || self.days == 0 {
            new.days
        } else {
            0
        };
        self.kind = strongest(self.kind, new.kind);
        self.first = self.first.min(new.first);
        self.keywords.add(&new.keywords);
        let mut references = new.references;
        if !newer {
            std::mem::swap(&mut references, &mut self.references);
        }
        let before = std::mem::replace(&mut self.references, references);
        self.references.reserve(before.len());
        for reference in before {
            if !self.references.contains(&reference) {
                self.references.push(reference);
            }
        }
        self.references.truncate(REFERENCES_MAX);
        if newer {
            self.name = new.name;
            self.last = new.last;
        }
        let says_where = if newer {
            new.state.is_some()
        } else {
            self.state.is_none()
        };
        if says_where {
            self.state = new.state;
            self.done = new.done;
        }
    }
}

/// One topic has one type: what says most about the person wins, for it must never be lost.
pub fn strongest(one: Kind, other: Kind) -> Kind {
    [Kind::User, Kind::Feedback, Kind::Reference]
        .into_iter()
        .find(|&kind| kind == one || kind == other)
        .unwrap_or(Kind::Project)
}
