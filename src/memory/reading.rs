//! From a body to a [`Digest`]: log text, single entries and summaries, whoever wrote them.

mod summarized;

use std::borrow::Cow;

use super::calendar::Day;
use super::digest::{Digest, Keywords, Mention, Said, Topic};
use super::entry::{self, Entry, Kind};
use super::fact::{self, Room};
use super::field::{self, FieldName};
use super::filter;
use super::markdown::{self, What};
use super::node::{Form, Mentioned, Node};
use super::summary;
use super::text;
use super::topic;
use summarized::summarized;

/// Of longer entries not everything is counted, in bytes.
const LENGTH_MATTERS: usize = 1 << 15;
/// How much of a rule is shown where there is room for a line.
const RULE_CHARS_MAX: usize = 140;

/// What a node says, by its body and its frontmatter.
pub fn node(node: &Node) -> Digest {
    node_made(node, &Digest::default())
}

/// The same of a node that was just made of `sources`: the entries that it keeps whole were read before, and what its facts are known by
/// is known.
pub(super) fn node_made(node: &Node, sources: &Digest) -> Digest {
    let mut digest = Digest::default();
    let mut known = sources.kept_readings().peekable();
    let parts = node.parts();
    if parts.is_empty() {
        part(
            &mut digest,
            form_of(&node.body),
            last_source_day(node),
            &node.body,
        );
    }
    for (named, text) in parts {
        match known.next_if(|(kept, _)| named.form == Form::Entry && kept.is(named.day, text)) {
            Some((kept, reading)) => digest.add_known(kept, reading),
            None if named.form == Form::Summary => summarized(&mut digest, named.day, text, sources),
            None => part(&mut digest, named.form, named.day, text),
        }
    }
    correct(&mut digest, node);
    digest
}

/// How a body is to be read whose parts nobody noted.
pub(super) fn form_of(body: &str) -> Form {
    if summary::is_summary(body) {
        Form::Summary
    } else {
        Form::Raw
    }
}

/// Sets the digest of a node's body right by what the node's frontmatter says of its topics.
pub fn correct(digest: &mut Digest, node: &Node) {
    for (at, topic) in node.front.topics.iter().enumerate() {
        let mentioned = node.front.mentions.get(at).copied().unwrap_or_else(|| {
            let known = digest.find(&topic::key(&topic.name));
            let known = known.map(|at| &digest.topics()[at]);
            Mentioned {
                last: known.map_or_else(|| last_source_day(node), |known| known.last),
                days: known.map_or(1, |known| known.days),
                place: known.map_or(0, |known| known.place),
                before: known.and_then(|known| known.before),
            }
        });
        digest.correct(topic.name.clone(), topic.kind, mentioned);
    }
    for (mentioned, line) in &node.front.earlier {
        if let Some(topic) = earlier(node, digest, *mentioned, line) {
            digest.set_earlier(topic);
        }
    }
}

/// What a summary would say of a topic without the newest date: the line that the node notes, and of entries that are kept whole those
/// of earlier dates.
fn earlier(node: &Node, digest: &Digest, mentioned: Mentioned, line: &str) -> Option<Topic> {
    let mut topic = summary::read_topic_line(line, node.front.period.last_day())?;
    // What was said several times stands there as often.
    let words: Vec<&str> = topic.keywords.words().collect();
    let same = words.chunk_by(|one, other| one == other);
    topic.keywords = same.map(|same| (same[0], same.len() as u32)).collect();
    if matches!(topic.kind, Kind::User | Kind::Feedback) {
        let name = topic::key(&topic.name);
        let parts = node.parts().into_iter();
        let kept = parts.filter(|(part, _)| part.form == Form::Entry && part.day <= mentioned.last);
        for (part, text) in kept {
            let known = digest.kept_readings().find(|(kept, _)| kept.is(part.day, text));
            let entry = match known {
                Some((_, reading)) => Cow::Borrowed(&reading.topic),
                None => Cow::Owned(mention(&one_entry(text), part.day).topic),
            };
            if topic::key(&entry.name) == name {
                topic.absorb(entry.into_owned(), false);
            }
        }
    }
    topic.set_mentioned(mentioned);
    topic.earlier = None;
    Some(topic)
}

/// Adds what one part of a body says.
pub fn part(digest: &mut Digest, form: Form, day: Day, text: &str) {
    match form {
        Form::Raw => {
            let log = entry::read(text);
            preamble(digest, day, log.preamble);
            let mut room = Room::default();
            log.entries
                .iter()
                .filter(|entry| has_topic(entry))
                .for_each(|entry| add(digest, entry, day, &mut room));
        }
        Form::Entry => add(digest, &one_entry(text), day, &mut Room::default()),
        Form::Summary => summarized(digest, day, text, &Digest::default()),
    }
}

/// Adds what an entry says.
fn add(digest: &mut Digest, entry: &Entry<'_>, day: Day, room: &mut Room) {
    let mention = mention_in(room, entry, day);
    if mention.kept.as_deref().is_some_and(|kept| is_whole(entry, kept)) {
        digest.add_once(mention);
    } else {
        digest.add(mention);
    }
}

/// Whether an entry reads the same by its own text, as it is kept. What is read does not depend on white space behind it, unless the
/// entry is so long that its length matters.
fn is_whole(entry: &Entry<'_>, kept: &str) -> bool {
    let again = one_entry(kept);
    kept.len() < LENGTH_MATTERS
        && (again.heading, again.tag) == (entry.heading, entry.tag)
        && again.body.trim_end() == entry.body.trim_end()
}

/// An entry by itself, whatever its level: a heading at its start, and the rest.
pub fn one_entry(text: &str) -> Entry<'_> {
    let whole = Entry {
        heading: "",
        level: 0,
        tag: None,
        text,
        body: text,
        line: 1,
    };
    for line in markdown::lines(text).take_while(|line| line.what != What::Blank) {
        if let What::Heading(heading) = line.what {
            if heading.start > 0 {
                break;
            }
            let body = &text[(line.start + line.text.len() + 1).min(text.len())..];
            let tag = entry::split_tag(heading.title).1;
            return Entry {
                heading: heading.title,
                level: heading.level,
                tag,
                body,
                ..whole
            };
        }
    }
    whole
}

/// Whether an entry says anything: a date title between two entries does not.
pub fn has_topic(entry: &Entry<'_>) -> bool {
    !entry.body.trim().is_empty() || topic::name(entry.heading).is_some()
}

/// What stands before the first entry belongs to no topic, but its facts are facts.
fn preamble(digest: &mut Digest, day: Day, text: &str) {
    if text.trim().lines().count() > 1 {
        for fact in fact::read("", None, text).facts {
            digest.say(Said {
                topic: None,
                day,
                again: Vec::new(),
                sort: fact.sort,
                text: fact.text,
            });
        }
    }
}

/// What one entry of a log of that day says.
pub fn mention(entry: &Entry<'_>, day: Day) -> Mention {
    mention_in(&mut Room::default(), entry, day)
}

/// The same, in a room where the entries before it were read.
fn mention_in(room: &mut Room, entry: &Entry<'_>, day: Day) -> Mention {
    let name = topic::name(entry.heading);
    let reading = fact::read_labelled(entry.heading, entry.tag, entry.body, name.is_none(), room);
    let name = match name {
        Some(name) => name.into_owned(),
        None => drawn_name(&reading, day),
    };
    let kept = matches!(reading.kind, Kind::User | Kind::Feedback);
    let passing = !kept && filter::is_passing_note(entry.heading, entry.body);
    let mut topic = Topic::bare(name, reading.kind, day);
    if passing {
        topic.days = 0;
        return Mention {
            topic,
            facts: Vec::new(),
            entities: Vec::new(),
            kept: None,
        };
    }
    topic.done = reading.done;
    topic.state = rule(entry, kept).or(reading.state);
    topic.keywords = each_once(&reading.keywords);
    topic.references = reading.references;
    Mention {
        topic,
        facts: reading
            .facts
            .into_iter()
            .map(|fact| (fact.sort, fact.text))
            .collect(),
        entities: reading
            .entities
            .into_iter()
            .map(|entity| (entity.sort, entity.name))
            .collect(),
        kept: kept.then(|| entry.text.trim_end().to_owned()),
    }
}

/// The keywords of one mention.
fn each_once(words: &[String]) -> Keywords {
    let mut keywords = Keywords::with_capacity(words.len(), words.iter().map(String::len).sum());
    let words = words.iter().filter(|word| *word != "REDACTED");
    words.for_each(|word| keywords.push(word, 1));
    keywords
}

/// What a feedback entry comes down to.
fn rule(entry: &Entry<'_>, kept: bool) -> Option<String> {
    let rules = if kept {
        field::fields(entry.body)
    } else {
        Vec::new()
    };
    let rule = rules.into_iter().find(|field| field.name == FieldName::Rule)?;
    Some(text::one_line(rule.text, RULE_CHARS_MAX)).filter(|rule| !rule.is_empty())
}

/// The topic of an entry whose heading names nothing: a name drawn from its text.
fn drawn_name(reading: &fact::Reading, day: Day) -> String {
    let mut drawn = reading.label.iter().chain(&reading.keywords);
    let name = drawn.find_map(|drawn| topic::name(drawn).map(Cow::into_owned));
    name.unwrap_or_else(|| format!("log {day}"))
}

/// The newest date among a node's sources, or the end of its period.
fn last_source_day(node: &Node) -> Day {
    let days = node
        .front
        .sources
        .iter()
        .filter_map(|path| super::node::file_stem(path))
        .filter_map(Day::parse);
    days.max().unwrap_or_else(|| node.front.period.last_day())
}

#[cfg(test)]
mod tests;
