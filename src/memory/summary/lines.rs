//! The lines of a summary's sections: which ones, and in which order.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt::Write as _;

use super::read::unparted;
use super::{ENTITY_LABELS, Section};
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Topic};
use crate::memory::entry::Kind;
use crate::memory::kind::{Verdict, kind_of};
use crate::memory::language::{COMMON, ERROR, NAME, Role, SERVICE, STOP, Speaker};
use crate::memory::level::{Level, Period};
use crate::memory::select::Ranked;
use crate::memory::statement::{self, Sort, Statement};
use crate::memory::subject::{Candidate, Subjects};
use crate::memory::text::single_spaced;
use crate::memory::topic::key;
use crate::memory::weight::{QUIET, says_little};
use crate::memory::words::{Class, Term, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// What stands before a statement about the person or a rule, among the lessons: said by the person, or noted by an agent.
pub const PERSONAL: [(Kind, Option<Speaker>, &str); 4] = [
    (Kind::User, Some(Speaker::User), "(user) "),
    (Kind::Feedback, Some(Speaker::User), "(rule) "),
    (Kind::User, None, "(about the user) "),
    (Kind::Feedback, None, "(noted rule) "),
];
/// What stands before statements of a conversation that are neither: what the person says besides, and what the assistant says.
pub const VOICES: [(Speaker, &str); 2] = [(Speaker::User, "(said) "), (Speaker::Assistant, "(assistant) ")];
/// What stands before what a box, a label or a heading of the log calls open.
pub const OPEN_MARK: &str = "[ ] ";
/// What an assistant's statement is worth beside what the person says.
const ANSWERED_WORTH: f64 = 0.3;
/// How many statements about one subject a line holds. A day may be told in thousands of lines; the levels above learn of it what the
/// hundred lines of its node say.
const STATEMENTS_PER_LINE: usize = 3;
const STATEMENTS_PER_LINE_OF_A_DAY: usize = 6;
/// How long a statement may be beside others, and where it has a line of its own: two and three lines of a terminal.
const CHARS_AMONG_OTHERS: usize = 180;
const CHARS_ALONE: usize = 260;
const ENTITIES_PER_LINE: usize = 12;
/// How many subjects are themes, and on how many days they were told at least: what comes back three times is a pattern.
const THEMES_MAX: usize = 10;
const THEME_DAYS_MIN: u32 = 3;
const DATES_MAX: usize = 4;
/// What a term is worth that another line has said already.
const AGAIN: f64 = 0.25;
/// What a term is worth that stands in more than so large a part of the statements: it tells nothing apart.
const EVERYWHERE: f64 = 0.1;
const EVERYWHERE_WORTH: f64 = 0.2;
/// A year is said where a day lies further back than this: else it could be the next year's.
const YEAR_DAYS: i64 = 300;

/// The lines of each section, in the order in which they are to be chosen.
pub(super) struct Lines {
    pub(super) sections: [Vec<Line>; Section::ALL.len()],
    /// How many of the lessons' lines, the first ones, are rules or facts about the person.
    pub(super) personal: usize,
}

/// A part of the logs: its statements that were not chosen yet, and how many were.
#[derive(Default)]
struct Part {
    waiting: BinaryHeap<Ranked>,
    turns: u32,
}

impl Part {
    fn turn(&self) -> f64 {
        f64::from(self.turns + 1)
    }

    fn first(&self) -> Option<Ranked> {
        let first = self.waiting.peek()?;
        Some(Ranked(first.0 / self.turn(), first.1))
    }
}

/// A line, and its place among those that are chosen.
#[derive(Default)]
pub(super) struct Line {
    place: (usize, usize),
    text: String,
}

struct Source<'a> {
    digest: &'a Digest,
    period: Period,
    weights: FxHashMap<Term, f64>,
    /// The name that each statement's line begins with, and its topic: the best that this level knows, else that of its part of the log.
    names: Vec<Option<(&'a str, usize)>>,
    kinds: Vec<Verdict>,
}

impl Lines {
    pub(super) fn of(digest: &Digest, subjects: &Subjects, period: Period) -> Self {
        let source = Source {
            digest,
            period,
            weights: weights(digest.statements()),
            names: names(digest, subjects),
            kinds: digest.statements().iter().map(kind).collect(),
        };
        Self {
            sections: Section::ALL.map(|section| match section {
                Section::Topics => source.topics(),
                Section::Themes => source.themes(),
                Section::Entities => source.entities(),
                Section::Decisions | Section::Done | Section::Lessons | Section::Open => {
                    source.section(section)
                }
            }),
            personal: source.personal(),
        }
    }

    /// Writes the first lines of a section, those about one subject together.
    pub(super) fn print(&self, section: Section, lines_max: usize, out: &mut String) {
        let lines = self.sections[section as usize].iter();
        let mut chosen: Vec<&Line> = lines.take(lines_max).collect();
        chosen.sort_by_key(|line| line.place);
        for line in chosen {
            out.push_str(&line.text);
            out.push('\n');
        }
    }
}

impl Source<'_> {
    fn section_of(&self, at: usize) -> Section {
        match self.digest.statements()[at].sort {
            _ if self.kinds[at].kind.is_personal() => Section::Lessons,
            Sort::Decision => Section::Decisions,
            Sort::Done => Section::Done,
            Sort::Lesson => Section::Lessons,
            Sort::Open => Section::Open,
            Sort::Plain => Section::Topics,
        }
    }

    /// The statements of a section, what is known of the person first. Then always the one that says most that none before it says; what
    /// stands in a part of the logs that has had its turn counts for less, so that none crowds out the others.
    fn chosen(&self, section: Section) -> Vec<usize> {
        let statements = self.digest.statements();
        let all = (0..statements.len()).filter(|&at| self.section_of(at) == section);
        let (mut personal, rest): (Vec<usize>, Vec<usize>) =
            all.partition(|&at| self.kinds[at].kind.is_personal());
        personal.sort_by(|&one, &other| self.kinds[other].strength.total_cmp(&self.kinds[one].strength));
        let mut said: FxHashSet<Term> = FxHashSet::default();
        let told: FxHashMap<usize, Vec<Term>> = rest.iter().map(|&at| (at, self.terms(at))).collect();
        let mut parts: FxHashMap<(Day, &[String]), Part> = FxHashMap::default();
        for &at in &rest {
            let part = parts.entry((statements[at].day, &*statements[at].heads)).or_default();
            part.waiting.push(Ranked(self.worth(at, &told[&at], &said), at));
        }
        let mut parts: Vec<Part> = parts.into_values().collect();
        let firsts = parts.iter().enumerate();
        let mut next: BinaryHeap<(Ranked, usize)> =
            firsts.filter_map(|(number, part)| Some((part.first()?, number))).collect();
        while let Some((_, number)) = next.pop() {
            let part = &mut parts[number];
            let Some(Ranked(worth, at)) = part.waiting.pop() else {
                continue;
            };
            let now = self.worth(at, &told[&at], &said);
            let is_beaten = part.waiting.peek().is_some_and(|other| other.0 > now)
                || next.peek().is_some_and(|(other, _)| other.0 > now / part.turn());
            // Others said a part of it since it was weighed.
            if now < worth && is_beaten {
                part.waiting.push(Ranked(now, at));
            } else {
                part.turns += 1;
                said.extend(&told[&at]);
                personal.push(at);
            }
            next.extend(part.first().map(|first| (first, number)));
        }
        personal
    }

    /// The terms of what is shown of a statement, each once.
    fn terms(&self, at: usize) -> Vec<Term> {
        let statement = &self.digest.statements()[at];
        let cut = statement.text.char_indices().nth(CHARS_AMONG_OTHERS);
        let cut = cut.map_or(statement.text.len(), |(cut, _)| cut);
        let words = statement.words.words.iter();
        let shown = words.filter(|word| word.end as usize <= cut);
        let mut terms: Vec<Term> = shown.flat_map(|word| statement.words.terms_of(word)).copied().collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// What a statement of these terms says that was not said, for its length.
    fn worth(&self, at: usize, terms: &[Term], said: &FxHashSet<Term>) -> f64 {
        let statement = &self.digest.statements()[at];
        let weigh = |term| self.weights[term] * if said.contains(term) { AGAIN } else { 1.0 };
        let sum: f64 = terms.iter().map(weigh).sum();
        let told = if statement.is_answer() { ANSWERED_WORTH } else { 1.0 };
        let heard = if says_little(statement) { QUIET } else { 1.0 };
        told * heard * sum / (20.0 + statement.text.len().min(CHARS_AMONG_OTHERS) as f64).sqrt()
    }

    /// The lines of a section, the best first: each holds some statements about one subject, or under one label where no subject is known.
    fn section(&self, section: Section) -> Vec<Line> {
        let statements_max = match self.period {
            Period::Day(_) => STATEMENTS_PER_LINE_OF_A_DAY,
            Period::Week(_) | Period::Month(_) => STATEMENTS_PER_LINE,
        };
        let mut lines: Vec<Vec<usize>> = Vec::new();
        let mut open: HashMap<(&str, &str), usize> = HashMap::new();
        for at in self.chosen(section) {
            let statement = &self.digest.statements()[at];
            let name = self.names[at].map(|(name, _)| name);
            let about = name.or(statement.label.as_deref());
            let about = about.filter(|_| !self.kinds[at].kind.is_personal() && !statement.is_answer());
            let about = about.map(|about| (about, voice(statement)));
            let line = about.and_then(|about| open.get(&about));
            match line.map(|&line| &mut lines[line]) {
                Some(line) if line.len() < statements_max => line.push(at),
                _ => {
                    open.extend(about.map(|about| (about, lines.len())));
                    lines.push(vec![at]);
                }
            }
        }
        // Advice comes after all that people said.
        lines.sort_by_key(|line| self.digest.statements()[line[0]].is_answer());
        let is_topics = section == Section::Topics;
        // No summary has room for more; the others are only counted.
        let lines_max = self.personal() + self.period.level().summary_lines();
        let line = |(at, told)| match at < lines_max {
            true => self.line(told, is_topics),
            false => Line::default(),
        };
        lines.into_iter().enumerate().map(line).collect()
    }

    fn personal(&self) -> usize {
        let kinds = self.kinds.iter();
        kinds.filter(|verdict| verdict.kind.is_personal()).count()
    }

    fn line(&self, mut told: Vec<usize>, is_topic: bool) -> Line {
        told.sort_unstable();
        let (name, topic) = self.names[told[0]].unzip();
        let mut text = match topic.map(|topic| &self.digest.topics()[topic]) {
            Some(topic) if is_topic => format!("- {} [{}]: ", topic.name, topic.kind),
            _ => name.map_or_else(|| "- ".to_owned(), |name| format!("- {name}: ")),
        };
        let chars_max = [CHARS_ALONE, CHARS_AMONG_OTHERS][usize::from(told.len() > 1)];
        if !self.kinds[told[0]].kind.is_personal() {
            text.push_str(voice(&self.digest.statements()[told[0]]));
        }
        for (turn, &at) in told.iter().enumerate() {
            let statement = &self.digest.statements()[at];
            let said = match &statement.label {
                // A label that the line begins with is not said again.
                Some(label) if turn > 0 && name.is_none() => statement.text.strip_prefix(label.as_str()),
                _ => None,
            };
            let said = said.map_or(&*statement.text, |rest| {
                rest.trim_start_matches([':', '：', ' ', '—', '–', '-'])
            });
            text.push_str(if turn == 0 { "" } else { "; " });
            let is_noted = statement.speaker.is_none() && !statement.tagged;
            let mut marks = PERSONAL.iter();
            let is_its = |(kind, speaker, _): &&(Kind, Option<Speaker>, &str)| {
                *kind == self.kinds[at].kind && speaker.is_none() == is_noted
            };
            if let Some((_, _, mark)) = marks.find(is_its) {
                text.push_str(mark);
                text.push_str(&single_spaced(said));
            } else {
                text.push_str(if is_left_open(statement) { OPEN_MARK } else { "" });
                text.push_str(&unparted(&statement::clip(said, chars_max)));
            }
            self.dates(statement, &mut text);
        }
        // What is known of the person stands first.
        let topics = self.digest.topics();
        let place = match topic {
            Some(topic) if is_topic && topics[topic].kind.is_personal() => topic,
            Some(topic) => topics.len() + topic,
            None => usize::MAX,
        };
        Line { place: (place, told[0]), text }
    }

    /// The lines of the subjects, at the end those of which nothing more is stated: their names, where there is room.
    fn topics(&self) -> Vec<Line> {
        let mut lines = self.section(Section::Topics);
        let named: HashSet<usize> = (0..self.digest.statements().len())
            .filter(|&at| self.section_of(at) == Section::Topics)
            .filter_map(|at| Some(self.names[at]?.1))
            .collect();
        let topics = self.digest.topics().iter().enumerate();
        let bare = topics.filter(|(at, topic)| topic.count() > 0 && !named.contains(at));
        lines.extend(bare.map(|(at, Topic { name, kind, .. })| Line {
            place: (self.digest.topics().len() + at, 0),
            text: format!("- {name} [{kind}]"),
        }));
        lines
    }

    /// ` (03-10, 03-15)`, above the daily level.
    fn dates(&self, statement: &Statement, out: &mut String) {
        let until = self.period.last_day();
        if self.period.level() == Level::Daily
            && statement.again.is_empty()
            && Period::Day(statement.day) == self.period
        {
            return;
        }
        let mut days: Vec<Day> = statement.days().collect();
        days.sort_unstable();
        let from = days.len().saturating_sub(DATES_MAX);
        for (at, day) in days[from..].iter().enumerate() {
            out.push_str(if at == 0 { " (" } else { ", " });
            let start = out.len();
            let _ = write!(out, "{day}");
            if (0..YEAR_DAYS).contains(&until.days_since(*day)) {
                out.replace_range(start..start + "2026-".len(), "");
            }
        }
        out.push(')');
    }

    fn themes(&self) -> Vec<Line> {
        let mut topics: Vec<(usize, &Topic)> = self.digest.topics().iter().enumerate().collect();
        topics.retain(|(_, topic)| topic.count() >= THEME_DAYS_MIN);
        topics.sort_by_key(|(at, topic)| (std::cmp::Reverse((topic.count(), topic.last)), *at));
        let line = |(place, (_, topic)): (usize, &(usize, &Topic))| Line {
            place: (place, 0),
            text: format!("- {}: on {} days", topic.name, topic.count()),
        };
        topics.iter().take(THEMES_MAX).enumerate().map(line).collect()
    }

    /// Users, services, files and errors by how often they were named.
    fn entities(&self) -> Vec<Line> {
        let mut counts: [HashMap<&str, u32>; 4] = Default::default();
        for statement in self.digest.statements() {
            for word in &statement.words.words {
                let name = word.text(&statement.text);
                if let Some(sort) = entity(word, name) {
                    *counts[sort].entry(name).or_default() += 1;
                }
            }
        }
        let labelled = ENTITY_LABELS.into_iter().zip(counts).enumerate();
        let labelled = labelled.filter(|(_, (_, counts))| !counts.is_empty());
        let line = |(place, (label, counts)): (usize, (&str, HashMap<&str, u32>))| {
            let mut names: Vec<(&str, u32)> = counts.into_iter().collect();
            names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
            let names = names.into_iter().take(ENTITIES_PER_LINE);
            let names: Vec<&str> = names.map(|(name, _)| name).collect();
            Line {
                place: (place, 0),
                text: format!("{label}: {}", names.join(", ")),
            }
        };
        labelled.map(line).collect()
    }
}

fn entity(word: &Word, name: &str) -> Option<usize> {
    let is_extension =
        |end: &str| (1..=5).contains(&end.len()) && end.chars().all(|letter| letter.is_ascii_alphabetic());
    let has_extension =
        || matches!(name.rsplit_once('.'), Some((front, end)) if !front.is_empty() && is_extension(end));
    let is_error = name.len() > 5 && (name.ends_with("Error") || name.ends_with("Exception"));
    let is_large = word.class == Class::Plain && name.starts_with(char::is_uppercase);
    match word.class {
        _ if is_error || word.cues & ERROR != 0 => Some(3),
        Class::Code if !name.contains("://") && (name.contains('/') || has_extension()) => Some(2),
        _ if is_large && word.cues & SERVICE != 0 => Some(1),
        _ if is_large && word.cues & NAME != 0 && word.cues & (STOP | COMMON) == 0 => Some(0),
        _ => None,
    }
}

/// The name of each statement, and its topic.
fn names<'a>(digest: &'a Digest, subjects: &'a Subjects) -> Vec<Option<(&'a str, usize)>> {
    let name = |(statement, of): (&'a Statement, &Vec<Candidate>)| {
        let best = of.first().map(|best| &subjects.list[best.subject].name);
        let mut names = best.into_iter().chain(statement.heads.iter().rev());
        names.find_map(|name| Some((name.as_str(), digest.find(&key(name))?)))
    };
    digest.statements().iter().zip(&subjects.of).map(name).collect()
}

/// The mark of a statement that somebody says in a conversation.
fn voice(statement: &Statement) -> &'static str {
    let speaker = match statement.speaker {
        Some(Speaker::Tool) => Some(Speaker::Assistant),
        speaker => speaker,
    };
    let voice = VOICES.into_iter().find(|(voice, _)| Some(*voice) == speaker);
    voice.map_or("", |(_, mark)| mark)
}

fn is_left_open(statement: &Statement) -> bool {
    (statement.sort, statement.role) == (Sort::Open, Some(Role::Open))
}

/// The type of a statement: what its tag or a summary says, else what the person says of themselves or wants, and what an agent notes
/// under a label or heading for that. What only reads like a rule is one for who reads it again.
fn kind(statement: &Statement) -> Verdict {
    let mut verdict = kind_of(statement, None);
    let is_headed = matches!(statement.role, Some(Role::Rule | Role::Feedback | Role::Like));
    let is_sure = match statement.speaker {
        Some(Speaker::User) => true,
        Some(Speaker::Assistant | Speaker::Tool) => false,
        None => is_headed,
    };
    if !is_sure || statement.kind.is_personal() {
        verdict.kind = statement.kind;
    }
    verdict
}

/// What each term is worth: more when it comes back, nearly nothing when it is everywhere.
fn weights(statements: &[Statement]) -> FxHashMap<Term, f64> {
    let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
    for statement in statements {
        for term in statement.words.terms().iter().collect::<FxHashSet<_>>() {
            *counts.entry(*term).or_default() += 1;
        }
    }
    let many = (statements.len() as f64 * EVERYWHERE).max(3.0);
    let weight = |(term, count): (Term, usize)| {
        let spread = if count as f64 > many { EVERYWHERE_WORTH } else { 1.0 };
        (term, (2.0 - 1.0 / count as f64) * spread)
    };
    counts.into_iter().map(weight).collect()
}
