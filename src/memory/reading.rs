//! From a body to a [`Digest`]: log text, single entries and summaries, whoever wrote them.

use std::ops::Range;

use super::calendar::Day;
use super::digest::{Digest, Kept, Topic};
use super::entry::{self, Entry, Kind};
use super::filter;
use super::inert::gives_orders;
use super::kind::entry_kind;
use super::language::{is_unspaced, lexicon};
use super::markdown::{self, Line, What};
use super::node::{Form, Node, file_stem};
use super::statement::{self, Statement};
use super::subject::{Resolved, Subjects};
use super::summary;
use super::text::{line_count, printable};
use rustc_hash::FxHashMap;

/// The longest name of a part of a log in a script without spaces, in characters: two words for what it holds and one before them.
const PART_CHARS_MAX: usize = 6;

pub fn node(node: &Node) -> Digest {
    let mut digest = Digest::default();
    // The lines of a summary begin with the names that the frontmatter lists.
    let topics = topics(node);
    digest.set_topics(topics.clone());
    let parts = node.parts();
    if parts.is_empty() {
        let form = form_of(&node.body);
        part(&mut digest, form, last_source_day(node), &node.body);
    }
    for (named, text) in parts {
        let before = &node.body[..text.as_ptr().addr() - node.body.as_ptr().addr()];
        let title = before.trim_end().lines().next_back().unwrap_or_default();
        let stem = title.strip_prefix("# ").filter(|_| named.form == Form::Raw);
        part_of_file(&mut digest, named.form, named.day, stem, text);
    }
    // What the body mentions changes nothing of them.
    if !topics.is_empty() {
        digest.set_topics(topics);
    }
    digest
}

/// How a body is to be read whose parts nobody noted.
pub(super) fn form_of(body: &str) -> Form {
    let is_summary = summary::is_summary(body);
    if is_summary { Form::Summary } else { Form::Raw }
}

/// The topics that a node's frontmatter lists, which is the truth about their mentions.
pub fn topics(node: &Node) -> Vec<Topic> {
    let listed = node.front.topics.iter().enumerate();
    listed
        .map(|(at, topic)| {
            let mentioned = node.front.mentions.get(at);
            let last = mentioned.map_or_else(|| last_source_day(node), |mentioned| mentioned.last);
            let count = mentioned.map_or(1, |mentioned| mentioned.days);
            let mut read = Topic::mentioned_on(topic.name.clone(), topic.kind, last);
            match count.checked_sub(1) {
                Some(_) if last < node.front.period.first_day() => {
                    read.days.clear();
                    read.late = count;
                }
                Some(more) => read.more = more,
                None => read.days.clear(),
            }
            read
        })
        .collect()
}

pub fn part(digest: &mut Digest, form: Form, day: Day, text: &str) {
    part_of_file(digest, form, day, None, text);
}

/// Adds what one part of a body says: the topics of entries, those that are kept whole, and the statements of their text. `stem` is the
/// name of its log without `.md`, which may tell what it is about.
pub fn part_of_file(digest: &mut Digest, form: Form, day: Day, stem: Option<&str>, text: &str) {
    if form == Form::Summary {
        return summary::read(digest, day, text);
    }
    let slug = stem.and_then(statement::name_of_file);
    let entries = if form == Form::Raw {
        let log = entry::read(text);
        if let Some(slug) = slug.clone().filter(|_| log.units().next().is_some()) {
            digest.mention(Topic::mentioned_on(slug, Kind::Project, day));
        }
        log.entries
    } else {
        vec![one_entry(text)]
    };
    let has_orders = gives_orders(text);
    let mut passing: Vec<Range<usize>> = Vec::new();
    // Colours of a terminal and marks that nobody sees are no part of what is said.
    let said = statement::read(day, slug.as_deref(), &printable(text));
    for entry in &entries {
        let is_spoken = said.spoken.binary_search(&entry.line).is_ok();
        let kind = match is_spoken {
            true => Kind::Project,
            false => entry_kind(entry.heading, entry.body),
        };
        let is_kept = kind.is_personal();
        let is_passing = !is_kept && filter::is_passing_note(entry.heading, entry.body);
        if let Some(name) = heading_name(entry.heading, &said.named) {
            let mut topic = Topic::mentioned_on(name, kind, day);
            if is_passing {
                topic.days.clear();
            }
            digest.mention(topic);
        }
        if is_passing {
            passing.push(entry.line..entry.line + line_count(entry.text));
        }
        if is_kept {
            let text = entry.text.trim_end().to_owned();
            digest.keep(Kept { day, text });
        }
    }
    let is_passing = |statement: &Statement| passing.iter().any(|lines| lines.contains(&statement.line));
    for theme in said.themes {
        digest.mention(Topic::mentioned_on(theme, Kind::Project, day));
    }
    for mut statement in said.statements {
        // Also what a summary keeps whole: its words are in the digest already, and correct nothing.
        statement.is_late = form == Form::Entry;
        let is_order = statement.hostile || has_orders && gives_orders(&statement.text);
        if !is_order && !is_passing(&statement) {
            digest.state(statement);
        }
    }
}

/// What a heading names, unless it says no more than when, or what kind of part. `known` is what headings are known to name.
pub fn heading_name(heading: &str, known: &FxHashMap<String, Option<String>>) -> Option<String> {
    let heading = printable(heading);
    let (untagged, tag) = entry::split_tag(&heading);
    let plain = statement::plain(untagged);
    // With a tag it is an entry that somebody meant, even where its name is a section's.
    let label = match tag {
        Some(_) => lexicon().label(&plain),
        None => lexicon().heading(&plain),
    };
    // "核心教训": a part of a log with a word before it, unless a tag says that it is more.
    let is_kind_of_part = tag.is_none()
        && plain.chars().count() <= PART_CHARS_MAX
        && plain.chars().all(is_unspaced)
        && statement::role_in(&plain, 0).is_some();
    let is_part = label.role.is_some() || label.dull || label.skip || is_kind_of_part;
    let known = known.get(&plain).cloned();
    let name = || known.unwrap_or_else(|| statement::name(&plain));
    (!is_part).then(name)?
}

/// Makes one topic of those that this level knows for one, and names what had no name by what recurs in it. What is learned is given back.
pub(super) fn settle(digest: &mut Digest) -> Subjects {
    let subjects = Subjects::learn(digest.statements());
    let mut settled = Digest::default();
    for topic in digest.topics() {
        let personal = topic.kind.is_personal();
        match subjects.resolve(&topic.name) {
            Resolved::Subject(at) if !personal => settled.mention(topic.renamed(&subjects.list[at].name)),
            _ => settled.mention(topic.clone()),
        }
    }
    for (statement, candidates) in digest.statements().iter().zip(&subjects.of) {
        // What stands under a name has one. A file is what is told of, not a subject, where nothing else says so.
        let best = candidates.first().filter(|_| statement.heads.is_empty());
        let best = best.filter(|best| !subjects.list[best.subject].name.contains('/'));
        if let Some(best) = best {
            let name = subjects.list[best.subject].name.clone();
            for day in statement.days() {
                settled.mention(Topic::mentioned_on(name.clone(), Kind::Project, day));
            }
        }
    }
    digest.set_topics(settled.topics().to_vec());
    subjects
}

/// An entry by itself, whatever its level: a heading at its start, and the rest.
pub fn one_entry(text: &str) -> Entry<'_> {
    let lines = markdown::lines(text).take_while(|line| line.what != What::Blank);
    let first = lines.filter_map(Line::heading).next();
    let first = first.filter(|heading| heading.start == 0);
    let (heading, level, body) = first.map_or(("", 0, 0), |first| (first.title, first.level, first.end));
    Entry {
        heading,
        level,
        tag: entry::split_tag(heading).1,
        text,
        body: &text[body..],
        line: 1,
    }
}

/// The newest date among a node's sources, or the end of its period.
fn last_source_day(node: &Node) -> Day {
    let stems = node.front.sources.iter().filter_map(|path| file_stem(path));
    let newest = stems.filter_map(Day::parse).max();
    newest.unwrap_or_else(|| node.front.period.last_day())
}

#[cfg(test)]
mod tests;
