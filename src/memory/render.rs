//! From sources to a node: verbatim under the threshold, a summary over it (SPEC sections 5 and 6).

use std::borrow::Cow;
use std::collections::HashSet;

use super::calendar::Day;
use super::digest::{Digest, Topic};
use super::entry::UnitDigest;
use super::inert::quoted;
use super::level::{Level, Period, Status};
use super::markdown::{self, What};
use super::node::{Form, Front, GENERATION, Hash, Node, Part, TopicName, content, file_stem};
use super::redact::redact;
use super::task::{Answers, EXTRACTIVE, Portion, Task, Text, VERBATIM};
use super::text::{line_count, unbroken};
use super::{outside, reading, summary};

#[derive(Debug, Clone, Copy)]
pub struct Log<'a> {
    pub path: &'a str,
    /// Its decoded text, not redacted.
    pub text: &'a str,
}

/// A unit of another day's log that this daily node carries, or one of its own day that an overwrite lost and the vault kept.
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
    let sources = sources.into_iter();
    Hash::of(sources.map(|(period, hash)| (period.to_string(), hash.0)))
}

/// A daily node, none when the sources say nothing. `entries` are the units of its own logs, `built_from` is [`daily_sources`] of both.
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
    let mut body = Body::new(Period::Day(day), built_from, answers);
    own(&mut body, day, logs);
    carried(&mut body, late);
    let paths = logs.iter().map(|log| outside::path(log.path));
    let mut sources: Vec<String> = paths.map(Cow::into_owned).collect();
    for path in late.iter().map(|unit| outside::path(unit.path)) {
        if sources.iter().all(|known| *known != path) {
            sources.push(path.into_owned());
        }
    }
    let days = late.chunk_by(|one, next| one.day == next.day);
    let late = days.map(|units| (units[0].day, units.iter().map(|unit| unit.digest).collect()));
    Some(body.finish(status, sources, entries, late.collect()))
}

fn own(body: &mut Body<'_>, day: Day, logs: &[Log<'_>]) {
    if Level::Daily.carries(logs.iter().map(|log| log.text)) {
        for (at, log) in logs.iter().enumerate() {
            let stem = stem(log.path);
            if at > 0 || stem.len() > "2026-03-15".len() {
                body.heading(&format!("# {stem}"));
            }
            body.log(Form::Raw, day, Some(&stem), &redact(log.text));
        }
        return;
    }
    let mut digest = Digest::default();
    let mut texts = Vec::with_capacity(logs.len());
    for log in logs {
        let (name, text) = (stem(log.path), redact(log.text));
        reading::part_of_file(&mut digest, Form::Raw, day, Some(&name), &text);
        texts.push(Text { name, text });
    }
    body.summary(Portion::Own, Period::Day(day), digest, &texts);
}

/// What a log is called outside: its name without folder, `.md` and secrets.
pub(super) fn stem(path: &str) -> String {
    let path = outside::path(path);
    file_stem(&path).unwrap_or(&path).to_owned()
}

/// The part of a daily body that carries late entries: verbatim, or a summary when they are over the threshold by themselves.
fn carried(body: &mut Body<'_>, late: &[Late<'_>]) {
    let Some((first, last)) = late.first().zip(late.last()) else {
        return;
    };
    let node = body.node;
    let how = |day| {
        if node == Period::Day(day) { "Overwritten" } else { "Late" }
    };
    let texts = late.iter().zip(without_secrets(late));
    if Level::Daily.carries(late.iter().map(|unit| &*unit.text)) {
        let mut heading = None;
        for (unit, text) in texts {
            if heading.replace(unit.day) != Some(unit.day) {
                let how = how(unit.day);
                body.heading(&format!("# {how} entries of {}", unit.day));
            }
            body.log(Form::Entry, unit.day, None, &text);
        }
        return;
    }
    let mut digest = Digest::default();
    let mut named = Vec::with_capacity(late.len());
    for (unit, text) in texts {
        reading::part(&mut digest, Form::Entry, unit.day, &text);
        let (name, text) = (unit.day.to_string(), Cow::Owned(text));
        named.push(Text { name, text });
    }
    let until = format!(" to {}", last.day);
    let until = if first.day == last.day { "" } else { &until };
    let how = how(last.day);
    body.heading(&format!("# {how} entries of {}{until}", first.day));
    body.summary(Portion::Late, Period::Day(last.day), digest, &named);
}

/// The late units without their secrets, also without those that only show when all are looked at together, such as a long key.
fn without_secrets(late: &[Late<'_>]) -> Vec<String> {
    let raw: Vec<&str> = late.iter().map(|unit| unit.text.trim_end()).collect();
    let together = redact(&raw.join("\n\n")).into_owned();
    let kept: HashSet<&str> = together.lines().collect();
    let alone = |unit: &Late<'_>| outside::lines_of(redact(&unit.text).trim_end(), &kept);
    late.iter().map(alone).collect()
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
    let known = |source: &Source<'_>| (source.node.front.period, source.content);
    let mut body = Body::new(period, upper_sources(sources.iter().map(known)), answers);
    let bodies = sources.iter().map(|source| source.node.body.as_str());
    if period.level().carries(bodies) {
        sources.iter_mut().for_each(|source| body.concatenate(source));
    } else {
        let mut digest = Digest::default();
        for source in &mut sources {
            digest.merge(std::mem::take(&mut source.digest));
        }
        let nodes = sources.iter().map(|source| source.node);
        let texts = nodes.map(|node| Text {
            name: node.front.period.to_string(),
            text: Cow::Borrowed(&node.body),
        });
        let texts: Vec<Text<'_>> = texts.collect();
        body.summary(Portion::Own, period, digest, &texts);
    }
    let paths = sources.iter().map(|source| source.node.front.period.path());
    Some(body.finish(status, paths.collect(), Vec::new(), Vec::new()))
}

struct Body<'a> {
    node: Period,
    built_from: Hash,
    answers: Answers<'a>,
    text: String,
    lines: usize,
    parts: Vec<Part>,
    digest: Digest,
    /// Who wrote each summary in it; none stands for the extractive one.
    summaries: Vec<Option<String>>,
}

impl<'a> Body<'a> {
    fn new(node: Period, built_from: Hash, answers: Answers<'a>) -> Self {
        Self {
            node,
            built_from,
            answers,
            text: String::new(),
            lines: 0,
            parts: Vec::new(),
            digest: Digest::default(),
            summaries: Vec::new(),
        }
    }

    fn heading(&mut self, line: &str) {
        self.blank();
        // Some are the name of a file, and a name must not become a line of its own.
        self.push(&format!("{}\n\n", unbroken(line)));
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.push("\n");
        }
    }

    /// A source's text as it is. A fence or comment that it leaves open would swallow what follows: it is closed.
    fn verbatim(&mut self, day: Day, form: Form, text: &str) {
        self.blank();
        self.parts
            .push(Part { day, form, first_line: self.lines, lines: line_count(text) });
        self.push(text);
        self.push(&left_open(text).unwrap_or_default());
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
        self.lines += line_count(text);
    }

    /// Text of a log of the name `stem`, as it is but for orders, which stand in quotation marks; what it says is added to the digest.
    fn log(&mut self, form: Form, day: Day, stem: Option<&str>, text: &str) {
        let text = quoted(text);
        self.verbatim(day, form, &text);
        reading::part_of_file(&mut self.digest, form, day, stem, &text);
    }

    /// A summary of a digest, by whoever has one, else the extractive one; and the entries that are kept whole behind it.
    fn summary(&mut self, portion: Portion, period: Period, mut digest: Digest, texts: &[Text<'_>]) {
        let subjects = reading::settle(&mut digest);
        let printed = summary::print(&digest, &subjects, period);
        let answer = (self.answers)(&Task {
            node: self.node,
            portion,
            period,
            built_from: self.built_from,
            digest: &digest,
            printed: &printed,
            texts,
        });
        let (text, by) = match answer {
            Some(answer) => (answer.text, Some(answer.by)),
            // What is put together from clean pieces may read like a secret.
            None => (redact(&printed).into_owned(), None),
        };
        self.summaries.push(by);
        self.verbatim(period.last_day(), Form::Summary, &text);
        for kept in digest.kept() {
            self.verbatim(kept.day, Form::Entry, &quoted(&kept.text));
        }
        self.digest.merge(digest);
    }

    fn concatenate(&mut self, source: &mut Source<'_>) {
        let node = source.node;
        let heading = format!("# {}", node.front.period);
        // A log that begins with its date brings the heading with it.
        if node.body.lines().next().map(str::trim_end) == Some(&heading) {
            self.blank();
        } else {
            self.heading(&heading);
        }
        self.digest.merge(std::mem::take(&mut source.digest));
        let parts = node.parts();
        if parts.is_empty() {
            let form = reading::form_of(&node.body);
            self.verbatim(node.front.period.last_day(), form, &redact(&node.body));
            return;
        }
        for (part, _) in parts {
            let first_line = part.first_line + self.lines;
            self.parts.push(Part { first_line, ..part });
        }
        self.push(&node.body);
    }

    /// The node. Its topics are those of everything that went in; what it says to the level above is what can be read from it, no more.
    fn finish(
        mut self,
        mut status: Status,
        sources: Vec<String>,
        entries: Vec<UnitDigest>,
        late: Vec<(Day, Vec<UnitDigest>)>,
    ) -> Built {
        let verbatim = self.summaries.is_empty();
        if verbatim {
            reading::settle(&mut self.digest);
        }
        let is_answered = !verbatim && self.summaries.iter().all(Option::is_some);
        if (verbatim || is_answered) && status == Status::NeedsSummarization {
            // Nothing was left out, or somebody has summarized it: there is nothing to wait for.
            status = Status::Tentative;
        }
        let by = self.summaries.into_iter().flatten().find(|_| is_answered);
        let built_in = || if verbatim { VERBATIM } else { EXTRACTIVE }.to_owned();
        let (first, topics) = (self.node.first_day(), self.digest.topics());
        let name = |topic: &Topic| TopicName { name: topic.name.clone(), kind: topic.kind };
        let front = Front {
            period: self.node,
            status,
            sources,
            topics: topics.iter().map(name).collect(),
            mentions: topics.iter().map(|topic| topic.mentioned(first)).collect(),
            parts: self.parts,
            entries,
            late,
            built_from: Some(self.built_from),
            generation: GENERATION,
            summarizer: by.or_else(|| Some(built_in())),
            digest: None,
        };
        let node = Node { front, body: self.text };
        // Of what stands there whole nothing has to be read again. Of other nodes the digest knows more than stands there.
        let digest = if !verbatim || self.node.level() != Level::Daily {
            reading::node(&node)
        } else {
            self.digest.set_topics(reading::topics(&node));
            self.digest
        };
        let text = node.print();
        let content = content(&text);
        Built { node, text, content, digest }
    }
}

/// The line that closes a fence or comment which a text leaves open.
pub(in crate::memory) fn left_open(text: &str) -> Option<String> {
    let mut fence = None;
    let mut comment = false;
    for line in markdown::lines(text) {
        match line.what {
            What::FenceOpen => fence = Some(line.text),
            What::FenceClose => fence = None,
            _ => {}
        }
        comment = line.what == What::Comment && !line.text.contains("-->");
    }
    let closing = fence.map(|open| {
        let open = open.trim_start_matches(['>', ' ', '\t']);
        let mark = if open.starts_with('~') { '~' } else { '`' };
        let length = open.len() - open.trim_start_matches(mark).len();
        open[..length].to_owned() + "\n"
    });
    closing.or_else(|| comment.then(|| "-->\n".to_owned()))
}

#[cfg(test)]
mod tests;
