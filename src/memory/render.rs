//! From sources to a node: verbatim under the threshold, a summary over it (SPEC sections 5 and 6).
//!
//! What comes out depends on what goes in and on nothing else, so that the order in which a tree was built never
//! shows in it.

mod body;

use std::borrow::Cow;
use std::collections::HashSet;

use body::Body;
pub(super) use body::left_open;

use super::calendar::Day;
use super::digest::Digest;
use super::entry::UnitDigest;
use super::level::{Level, Period, Status};
use super::node::{Form, Front, GENERATION, Hash, Node, file_stem};
use super::outside;
use super::reading;
use super::redact::redact;
use super::task::{Answers, Portion, Task, Text};

#[derive(Debug, Clone, Copy)]
pub struct Log<'a> {
    pub path: &'a str,
    /// Its decoded text, not redacted.
    pub text: &'a str,
}

/// An entry or paragraph of another day's log that this daily node carries, or one of its own day that an overwrite
/// lost and the vault kept.
#[derive(Debug, Clone)]
pub struct Late<'a> {
    pub day: Day,
    pub path: &'a str,
    /// Its text, not redacted by itself (see [`outside::units`]).
    pub text: Cow<'a, str>,
    pub digest: UnitDigest,
}

/// A node just made, with what it says: one level up reads it without parsing it again.
#[derive(Debug, Clone)]
pub struct Built {
    pub node: Node,
    pub text: String,
    /// Its hash without status, as [`content`](super::node::content) gives it.
    pub content: Hash,
    pub digest: Digest,
}

#[derive(Debug)]
pub struct Source<'a> {
    pub node: &'a Node,
    pub content: Hash,
    pub digest: Digest,
}

/// The hash over the sources of a daily node: name and hash of each of its logs, date and digest of each late unit.
pub fn daily_sources<'a>(
    logs: impl IntoIterator<Item = (&'a str, u64)>,
    late: impl IntoIterator<Item = (Day, UnitDigest)>,
) -> Hash {
    let logs = logs.into_iter().map(|(path, hash)| (path.to_owned(), hash));
    let late = late.into_iter().map(|(day, digest)| (day.to_string(), digest.0));
    Hash::of(logs.chain(late))
}

/// The hash over the sources of a weekly or monthly node, or of ROOT: the name and content of each, in order.
pub fn upper_sources(sources: impl IntoIterator<Item = (Period, Hash)>) -> Hash {
    Hash::of(
        sources
            .into_iter()
            .map(|(period, hash)| (period.to_string(), hash.0)),
    )
}

/// A daily node. `entries` are the digests of the units of its own logs, `built_from` is [`daily_sources`] of both.
/// None when the sources say nothing at all.
pub fn daily(
    day: Day,
    logs: &[Log<'_>],
    entries: Vec<UnitDigest>,
    late: &[Late<'_>],
    built_from: Hash,
    status: Status,
    answers: Answers<'_>,
) -> Option<Built> {
    if entries.is_empty() && late.is_empty() {
        return None;
    }
    let mut body = Body::default();
    let asked = Asked {
        node: Period::Day(day),
        built_from,
        answers,
    };
    let summarized = own(&mut body, day, logs, asked) | carried(&mut body, late, asked);
    let mut sources: Vec<String> = logs
        .iter()
        .map(|log| outside::path(log.path).into_owned())
        .collect();
    let mut groups: Vec<(Day, Vec<UnitDigest>)> = Vec::new();
    for unit in late {
        let path = outside::path(unit.path);
        if sources.iter().all(|known| *known != path) {
            sources.push(path.into_owned());
        }
        match groups.last_mut().filter(|(day, _)| *day == unit.day) {
            Some((_, digests)) => digests.push(unit.digest),
            None => groups.push((unit.day, vec![unit.digest])),
        }
    }
    let front = Front {
        entries,
        late: groups,
        ..front(Period::Day(day), status, sources, built_from, summarized)
    };
    Some(body.finish(front))
}

/// The part of a daily body that comes from its own logs. Says whether it is a summary.
fn own(body: &mut Body, day: Day, logs: &[Log<'_>], asked: Asked<'_>) -> bool {
    if Level::Daily.carries(logs.iter().map(|log| log.text)) {
        for (at, log) in logs.iter().enumerate() {
            let stem = stem(log.path);
            if at > 0 || stem.len() > "2026-03-15".len() {
                body.heading(&format!("# {stem}"));
            }
            body.log(day, &stem, &redact(log.text));
        }
        return false;
    }
    let mut digest = Digest::default();
    let mut texts = Vec::with_capacity(logs.len());
    for log in logs {
        let text = redact(log.text);
        let name = stem(log.path);
        reading::part_of_file(&mut digest, Form::Raw, day, Some(&name), &text);
        texts.push(Text { name, text });
    }
    asked.summary(body, Portion::Own, Period::Day(day), digest, &texts);
    true
}

/// What a log is called outside: its name without folder, `.md` and secrets.
pub(super) fn stem(path: &str) -> String {
    let path = outside::path(path);
    file_stem(&path).unwrap_or(&path).to_owned()
}

/// The part of a daily body that carries late entries, and those of its own day that its log has lost: verbatim, or a
/// summary when they are over the threshold by themselves.
fn carried(body: &mut Body, late: &[Late<'_>], asked: Asked<'_>) -> bool {
    let Some((first, last)) = late.first().zip(late.last()) else {
        return false;
    };
    if Level::Daily.carries(late.iter().map(|unit| &*unit.text)) {
        let mut heading = None;
        for (unit, text) in late.iter().zip(without_secrets(late)) {
            if heading != Some(unit.day) {
                body.heading(&format!(
                    "# {} entries of {}",
                    how(asked.node, unit.day),
                    unit.day
                ));
                heading = Some(unit.day);
            }
            body.log_text(unit.day, Form::Entry, &text);
        }
        return false;
    }
    let mut digest = Digest::default();
    let mut texts = Vec::with_capacity(late.len());
    for (unit, text) in late.iter().zip(without_secrets(late)) {
        reading::part(&mut digest, Form::Entry, unit.day, &text);
        let name = unit.day.to_string();
        let text = Cow::Owned(text);
        texts.push(Text { name, text });
    }
    let until = if first.day == last.day {
        String::new()
    } else {
        format!(" to {}", last.day)
    };
    body.heading(&format!(
        "# {} entries of {}{until}",
        how(asked.node, last.day),
        first.day
    ));
    asked.summary(body, Portion::Late, Period::Day(last.day), digest, &texts);
    true
}

/// Why a daily node carries entries of a day.
fn how(node: Period, day: Day) -> &'static str {
    if node == Period::Day(day) {
        "Overwritten"
    } else {
        "Late"
    }
}

/// The late units without their secrets. A key block may begin in one paragraph and go on in the next, so they are
/// also looked at together: a line that is gone then is gone.
fn without_secrets(late: &[Late<'_>]) -> Vec<String> {
    let alone = late.iter().map(|unit| redact(&unit.text).trim_end().to_owned());
    let alone: Vec<String> = alone.collect();
    let raw: Vec<&str> = late.iter().map(|unit| unit.text.trim_end()).collect();
    let together = redact(&raw.join("\n\n")).into_owned();
    if together == alone.join("\n\n") {
        return alone;
    }
    let kept: HashSet<&str> = together.lines().collect();
    alone.iter().map(|text| outside::lines_of(text, &kept)).collect()
}

/// A weekly or monthly node from the nodes right below it, in order. None when there are none.
pub fn upper(
    period: Period,
    mut sources: Vec<Source<'_>>,
    status: Status,
    answers: Answers<'_>,
) -> Option<Built> {
    if sources.is_empty() {
        return None;
    }
    let bodies = sources.iter().map(|source| source.node.body.as_str());
    let summarized = !period.level().carries(bodies);
    let mut body = Body::default();
    let built_from = upper_sources(
        sources
            .iter()
            .map(|source| (source.node.front.period, source.content)),
    );
    if summarized {
        let mut digest = Digest::default();
        for source in &mut sources {
            digest.merge(std::mem::take(&mut source.digest));
        }
        let texts: Vec<Text<'_>> = sources
            .iter()
            .map(|source| Text {
                name: source.node.front.period.to_string(),
                text: Cow::Borrowed(&source.node.body),
            })
            .collect();
        let asked = Asked {
            node: period,
            built_from,
            answers,
        };
        asked.summary(&mut body, Portion::Own, period, digest, &texts);
    } else {
        sources.iter_mut().for_each(|source| body.concatenate(source));
    }
    let paths = sources
        .iter()
        .map(|source| source.node.front.period.path())
        .collect();
    Some(body.finish(front(period, status, paths, built_from, summarized)))
}

#[derive(Clone, Copy)]
struct Asked<'a> {
    node: Period,
    built_from: Hash,
    answers: Answers<'a>,
}

impl Asked<'_> {
    /// Puts a summary into the body: somebody's answer, or the extractive one.
    fn summary(self, body: &mut Body, portion: Portion, period: Period, digest: Digest, texts: &[Text<'_>]) {
        body.summary(period, digest, |digest, printed| {
            (self.answers)(&Task {
                node: self.node,
                portion,
                period,
                built_from: self.built_from,
                digest,
                printed,
                texts,
            })
        });
    }
}

fn front(period: Period, status: Status, sources: Vec<String>, built_from: Hash, summarized: bool) -> Front {
    Front {
        period,
        status,
        sources,
        topics: Vec::new(),
        mentions: Vec::new(),
        parts: Vec::new(),
        entries: Vec::new(),
        late: Vec::new(),
        built_from: Some(built_from),
        generation: GENERATION,
        summarizer: Some(if summarized { "extractive" } else { "verbatim" }.to_owned()),
        digest: None,
    }
}

#[cfg(test)]
mod tests;
