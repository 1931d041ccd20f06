//! What a summary says, whoever wrote it: the lines of its sections (SPEC section 6).

use super::mention;
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Mention, Named, Said, Topic};
use crate::memory::entry::{self, Kind};
use crate::memory::fact::Sort;
use crate::memory::summary::{self, Section};
use crate::memory::topic;

/// What a summary of `sources` says: the lines of its sections, each under the topic that it names.
pub(super) fn summarized(digest: &mut Digest, day: Day, text: &str, sources: &Digest) {
    for entry in &entry::read(text).entries {
        let Some(section) = Section::parse(entry.heading) else {
            if entry.level == 2 && entry.tag.is_some() {
                digest.add(mention(entry, day));
            }
            continue;
        };
        let mut shown = Shown { sources, next: 0 };
        for line in entry.body.lines() {
            summary_line(digest, section, day, line.trim(), &mut shown);
        }
    }
}

/// The facts of a digest, gone through along with a section of a summary that shows some of them in their order.
struct Shown<'a> {
    sources: &'a Digest,
    next: usize,
}

impl Shown<'_> {
    /// Where the next fact of this sort and text is. Once there is none, the section is not one that was made of these facts, and none of
    /// the rest is looked for.
    fn find(&mut self, sort: Sort, text: &str) -> Option<usize> {
        let mut left = self.sources.said().iter().enumerate().skip(self.next);
        let found = left.find(|(_, said)| said.sort == sort && said.text == text);
        let found = found.map(|(at, _)| at);
        self.next = found.map_or(self.sources.said().len(), |at| at + 1);
        found
    }
}

fn summary_line(digest: &mut Digest, section: Section, day: Day, line: &str, shown: &mut Shown<'_>) {
    let item = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .unwrap_or(line)
        .trim();
    // An item may be left empty, as templates have them.
    if matches!(item, "" | "-" | "*") {
        return;
    }
    match section.sort() {
        Some(sort) => {
            let (item, days) = summary::split_dates(item);
            let (topic, text) = under_topic(digest, item);
            let (sort, text) = match text.strip_prefix(summary::PERSONAL) {
                Some(personal) => (Sort::Personal, personal),
                None => (sort, text),
            };
            let (day, again) = days.unwrap_or((day, Vec::new()));
            let said = Said {
                topic,
                day,
                again,
                sort,
                text: text.to_owned(),
            };
            match shown.find(sort, text) {
                Some(at) => digest.say_known(said, shown.sources, at),
                None => digest.say(said),
            }
        }
        None if section == Section::Topics => topic_line(digest, day, line, item),
        None if section == Section::Entities => entities_line(digest, item),
        None => {}
    }
}

/// `- auth [project]: jwt, rotation — tokens rotate → src/auth.rs`, or names in a row as others write them.
fn topic_line(digest: &mut Digest, day: Day, line: &str, item: &str) {
    if let Some(topic) = summary::read_topic_line(item, day).filter(|_| line != item) {
        digest.add(Mention {
            topic,
            facts: Vec::new(),
            entities: Vec::new(),
            kept: None,
        });
        return;
    }
    for name in item.split(", ") {
        let (name, kind) = entry::split_tag(name);
        if let Some(name) = topic::name(name) {
            let topic = Topic::bare(name.into_owned(), kind.unwrap_or(Kind::Project), day);
            digest.add(Mention {
                topic,
                facts: Vec::new(),
                entities: Vec::new(),
                kept: None,
            });
        }
    }
}

pub(super) fn entities_line(digest: &mut Digest, item: &str) {
    let Some((label, names)) = item.split_once(':') else {
        return;
    };
    let Some(sort) = summary::ENTITY_LABELS
        .iter()
        .find(|(name, _)| *name == label.trim())
        .map(|&(_, sort)| sort)
    else {
        return;
    };
    for name in names.split(", ").map(str::trim).filter(|name| !name.is_empty()) {
        digest.name(Named {
            sort,
            name: name.to_owned(),
            count: 1,
        });
    }
}

/// So many colons of a line may end the name of its topic.
const SPLITS_MAX: usize = 4;

/// `topic: text` where the topic is one that is known; the longest known name wins, for names may hold colons.
fn under_topic<'a>(digest: &Digest, item: &'a str) -> (Option<usize>, &'a str) {
    let bytes = item.as_bytes();
    let parts = |&at: &usize| bytes.get(at + 1) == Some(&b' ');
    let first_few = memchr::memchr_iter(b':', bytes).filter(parts).take(SPLITS_MAX);
    let end = first_few.last().map_or(0, |at| at + 1);
    let mut splits = memchr::memrchr_iter(b':', &bytes[..end]).filter(parts);
    let found = splits.find_map(|at| Some((at, digest.find(&topic::key(&item[..at]))?)));
    match found {
        Some((at, topic)) => (Some(topic), item[at + 2..].trim()),
        None => (None, item),
    }
}
