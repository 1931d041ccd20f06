//! What a summary says, whoever wrote it: the lines of its sections (SPEC section 6).

use chrono::Datelike;

use super::{OPEN_MARK, PERSONAL, Section, VOICES};
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Topic};
use crate::memory::entry::{self, Kind};
use crate::memory::language::{Role, Speaker, lexicon};
use crate::memory::node::Form;
use crate::memory::statement::{self, Sort, Statement, label_of};
use crate::memory::{reading, topic};

/// So many colons of a line may end the name of its subject.
const SPLITS_MAX: usize = 4;

/// Takes in what a summary says that speaks of a period up to a day.
pub fn read(digest: &mut Digest, until: Day, text: &str) {
    let languages = lexicon().languages(text);
    for entry in &entry::read(text).entries {
        let Some(section) = Section::parse(entry.heading) else {
            // Somebody else's summary may hold entries of its own.
            if entry.level == 2 && entry.tag.is_some() {
                reading::part(digest, Form::Entry, until, entry.text);
            }
            continue;
        };
        let Some(sort) = section.sort() else { continue };
        for (at, line) in entry.body.lines().enumerate() {
            let line = line.trim();
            let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
            let item = item.unwrap_or(line).trim();
            if matches!(item, "" | "-" | "*") {
                continue;
            }
            let line = entry.line + at;
            let mut place = Place { digest, until, languages, line, sort };
            if section == Section::Topics {
                place.topic_line(item);
            } else {
                place.line(item);
            }
        }
    }
}

struct Place<'a> {
    digest: &'a mut Digest,
    until: Day,
    languages: u32,
    line: usize,
    sort: Sort,
}

impl Place<'_> {
    /// Takes in the statements of a line, about a subject that is known or under one label.
    fn line(&mut self, item: &str) {
        let (name, said) = under_topic(self.digest, item);
        // What lasts stands whole, on a line of its own.
        if PERSONAL.iter().any(|(_, _, mark)| said.starts_with(mark)) {
            return self.state(name, None, None, said);
        }
        let (speaker, said) = voice(said);
        let label = label_of(item).0.filter(|_| name.is_none());
        let label = label.and_then(|label| statement::name(&label));
        for said in parts(said) {
            self.state(name.clone(), label.clone(), speaker, said);
        }
    }

    fn state(&mut self, name: Option<String>, label: Option<String>, speaker: Option<Speaker>, said: &str) {
        let (said, days) = split_dates(said, self.until);
        let mut marks = PERSONAL.into_iter();
        let personal =
            marks.find_map(|(kind, speaker, mark)| Some((kind, speaker, said.strip_prefix(mark)?)));
        let open = said.strip_prefix(OPEN_MARK);
        let (kind, of_mark, text) = personal.unwrap_or((Kind::Project, None, open.unwrap_or(said)));
        let speaker = speaker.or(of_mark);
        // What an agent notes of the person stands under a heading or label that says so.
        let role = match kind {
            Kind::User if of_mark.is_none() => Some(Role::Like),
            Kind::Feedback if of_mark.is_none() => Some(Role::Rule),
            _ => open.map(|_| Role::Open),
        };
        let (day, again) = days.unwrap_or((self.until, Vec::new()));
        self.digest.state(Statement {
            again,
            named: name.is_some(),
            heads: name.into_iter().collect(),
            label,
            sort: self.sort,
            kind,
            role,
            speaker,
            line: self.line,
            ..Statement::of(day, text, self.languages)
        });
    }

    /// `Shop dashboard [project]: date filter (03-14); header (03-15)`, or names in a row as others write them.
    fn topic_line(&mut self, item: &str) {
        let tagged = item.split_once("]").and_then(|(head, rest)| {
            let (name, kind) = entry::split_tag(&item[..=head.len()]);
            Some((name, kind?, rest.strip_prefix(": ").unwrap_or(rest).trim()))
        });
        let Some((name, kind, rest)) = tagged else {
            let known = |name| self.digest.find(&topic::key(entry::split_tag(name).0)).is_some();
            if self.digest.lists_topics() && !item.split(", ").all(known) {
                return self.line(item);
            }
            for name in item.split(", ") {
                let (name, kind) = entry::split_tag(name);
                if let Some(name) = topic::name(name) {
                    self.mention(&name, kind.unwrap_or_default());
                }
            }
            return;
        };
        self.mention(name, kind);
        let (speaker, rest) = voice(rest);
        for said in parts(rest) {
            self.state(Some(name.to_owned()), None, speaker, said);
        }
    }

    /// A topic that the frontmatter does not list: somebody else's summary.
    fn mention(&mut self, name: &str, kind: Kind) {
        if self.digest.find(&topic::key(name)).is_none() {
            let topic = Topic::mentioned_on(name.to_owned(), kind, self.until);
            self.digest.mention(topic);
        }
    }
}

fn voice(said: &str) -> (Option<Speaker>, &str) {
    let mut voices = VOICES.into_iter();
    let voice = voices.find_map(|(speaker, mark)| Some((Some(speaker), said.strip_prefix(mark)?)));
    voice.unwrap_or((None, said))
}

fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split("; ").filter(|said| !said.trim().is_empty())
}

/// `name: text` where the name is one that is known; the longest known name wins, for names may hold colons.
fn under_topic<'a>(digest: &Digest, item: &'a str) -> (Option<String>, &'a str) {
    let splits = item.match_indices(": ").map(|(at, _)| at).take(SPLITS_MAX);
    let known = |at: &usize| digest.find(&topic::key(&item[..*at])).is_some();
    match splits.filter(known).last() {
        Some(at) => (Some(item[..at].to_owned()), item[at + 2..].trim()),
        None => (None, item),
    }
}

/// Takes the days from the end of a statement: the newest, and the others. A year is said only where it is not the last one up to a day.
pub fn split_dates(text: &str, until: Day) -> (&str, Option<(Day, Vec<Day>)>) {
    let split = || {
        let open = text.strip_suffix(')')?.rfind(" (")?;
        let listed = &text[open + 2..text.len() - 1];
        let days = listed.split(", ").map(|day| read_day(day, until));
        let mut days: Vec<Day> = days.collect::<Option<_>>()?;
        let newest = days.pop()?;
        Some((&text[..open], Some((newest, days))))
    };
    split().unwrap_or((text, None))
}

/// `2026-03-15`, or `03-15` of the year that ends at a day.
fn read_day(text: &str, until: Day) -> Option<Day> {
    if text.len() != 5 {
        return Day::parse(text);
    }
    let year = until.date().year();
    let day = |year: i32| Day::parse(&format!("{year:04}-{text}"));
    day(year).filter(|day| *day <= until).or_else(|| day(year - 1))
}

/// A line of text as one that can be read back from a list parted by semicolons.
pub(super) fn unparted(text: &str) -> String {
    text.replace("; ", ", ")
}
