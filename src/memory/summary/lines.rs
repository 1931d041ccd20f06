//! The lines of a summary's sections: which ones, and in which order.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::read::unparted;
use super::{ENTITY_LABELS, Section};
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Topic};
use crate::memory::entry::Kind;
use crate::memory::kind::{Verdict, kind_of};
use crate::memory::language::{COMMON, ERROR, NAME, SERVICE, STOP, Speaker};
use crate::memory::level::{Level, Period};
use crate::memory::node::push_day;
use crate::memory::statement::{self, Sort, Statement};
use crate::memory::subject::Subjects;
use crate::memory::topic::key;
use crate::memory::words::{Class, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What stands before a statement of the person or a rule, among the lessons.
pub const PERSONAL: [(Kind, &str); 2] = [(Kind::User, "(user) "), (Kind::Feedback, "(rule) ")];
/// What stands before a statement of the assistant's, for what it says is no rule and nothing about the person.
pub const ANSWERED: &str = "(assistant) ";
/// What such a statement is worth beside what the person says.
const ANSWERED_WORTH: f64 = 0.3;
/// How many statements a line of the topics holds.
const STATEMENTS_PER_LINE: usize = 3;
/// How long a statement may be in a line of the topics, and where it has a line of its own: two and three lines of a terminal.
const CHARS_AMONG_OTHERS: usize = 180;
const CHARS_ALONE: usize = 260;
/// How many names a line of entities holds.
const ENTITIES_PER_LINE: usize = 12;
/// How many subjects are themes, and on how many days they were told at least: what comes back three times is a pattern.
const THEMES_MAX: usize = 10;
const THEME_DAYS_MIN: u32 = 3;
/// How many days a statement names.
const DATES_MAX: usize = 4;
/// What a term is worth that another line has said already.
const AGAIN: f64 = 0.25;
/// What a term is worth that stands in more than so large a part of the statements: it tells nothing apart.
const EVERYWHERE: f64 = 0.1;
const EVERYWHERE_WORTH: f64 = 0.2;
/// A year is said where a day lies further back than this: else it could be the next year's.
const YEAR_DAYS: i64 = 300;

/// The lines of all sections, each section's in the order in which they are to be chosen.
pub(super) struct Lines {
    sections: BTreeMap<usize, Vec<Line>>,
}

/// A line, and its place among those that are chosen.
struct Line {
    place: (usize, usize),
    text: String,
}

/// What is printed, and what was learned of it.
struct Source<'a> {
    digest: &'a Digest,
    subjects: &'a Subjects,
    period: Period,
    /// The terms of each statement, each once, and what each term is worth.
    terms: Vec<Vec<Term>>,
    weights: FxHashMap<Term, f64>,
    /// The type of each statement, and how sure it is.
    kinds: Vec<Verdict>,
}

impl Lines {
    pub(super) fn of(digest: &Digest, subjects: &Subjects, period: Period) -> Self {
        let terms: Vec<Vec<Term>> = digest.statements().iter().map(terms_once).collect();
        let source = Source {
            digest,
            subjects,
            period,
            weights: weights(&terms),
            terms,
            kinds: digest.statements().iter().map(kind).collect(),
        };
        let mut sections: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
        for section in [Section::Decisions, Section::Done, Section::Lessons, Section::Open] {
            sections.insert(section as usize, source.section(section));
        }
        sections.insert(Section::Topics as usize, source.topics());
        sections.insert(Section::Themes as usize, source.themes());
        sections.insert(Section::Entities as usize, source.entities());
        Self { sections }
    }

    /// How many lines a section could have.
    pub(super) fn count(&self, section: Section) -> usize {
        self.sections[&(section as usize)].len()
    }

    /// Writes the first lines of a section, those about one subject together.
    pub(super) fn print(&self, section: Section, lines_max: usize, out: &mut String) {
        let mut chosen: Vec<&Line> = self.sections[&(section as usize)]
            .iter()
            .take(lines_max)
            .collect();
        chosen.sort_by_key(|line| line.place);
        for line in chosen {
            out.push_str(&line.text);
            out.push('\n');
        }
    }
}

impl Source<'_> {
    /// The section that a statement belongs to.
    fn section_of(&self, at: usize) -> Section {
        match self.digest.statements()[at].sort {
            _ if is_personal(self.kinds[at].kind) => Section::Lessons,
            Sort::Decision => Section::Decisions,
            Sort::Done => Section::Done,
            Sort::Lesson => Section::Lessons,
            Sort::Open => Section::Open,
            Sort::Plain => Section::Topics,
        }
    }

    /// The statements of a section, what is known of the person first. Then the parts of the logs take turns, so that none crowds out the
    /// others: the best statement of each, what says most that no other line says before the rest, then the second best of each.
    fn chosen(&self, section: Section) -> Vec<usize> {
        let statements = self.digest.statements();
        let all = (0..statements.len()).filter(|&at| self.section_of(at) == section);
        let (mut personal, mut rest): (Vec<usize>, Vec<usize>) =
            all.partition(|&at| is_personal(self.kinds[at].kind));
        personal.sort_by(|&one, &other| self.kinds[other].strength.total_cmp(&self.kinds[one].strength));
        let mut said: FxHashSet<Term> = FxHashSet::default();
        let alone: HashMap<usize, f64> = rest.iter().map(|&at| (at, self.worth(at, &said))).collect();
        rest.sort_by(|one, other| alone[other].total_cmp(&alone[one]).then(one.cmp(other)));
        let mut turns: HashMap<(Day, &[String]), usize> = HashMap::new();
        let mut ordered: Vec<(usize, f64, usize)> = Vec::with_capacity(rest.len());
        for at in rest {
            let turn = turns
                .entry((statements[at].day, &statements[at].heads))
                .or_default();
            ordered.push((*turn, self.worth(at, &said), at));
            *turn += 1;
            said.extend(statements[at].words.terms());
        }
        ordered.sort_by(|one, other| {
            one.0
                .cmp(&other.0)
                .then(other.1.total_cmp(&one.1))
                .then(one.2.cmp(&other.2))
        });
        personal
            .into_iter()
            .chain(ordered.into_iter().map(|(.., at)| at))
            .collect()
    }

    /// What a statement says that was not said, for its length.
    fn worth(&self, at: usize, said: &FxHashSet<Term>) -> f64 {
        let statement = &self.digest.statements()[at];
        let sum: f64 = self.terms[at]
            .iter()
            .map(|term| self.weights[term] * if said.contains(term) { AGAIN } else { 1.0 })
            .sum();
        // A long statement says more, and costs as much as a short one only where it has a line of its own.
        let told = if statement.is_answer() {
            ANSWERED_WORTH
        } else {
            1.0
        };
        told * sum / (20.0 + statement.text.len() as f64).sqrt()
    }

    /// The name that a statement's line begins with: the best that this level knows, else that of its part of the log.
    fn name(&self, at: usize) -> Option<&str> {
        let statement = &self.digest.statements()[at];
        let best = self.subjects.of[at]
            .first()
            .map(|best| self.subjects.list[best.subject].name.as_str());
        let known = |name: &&str| self.digest.find(&key(name)).is_some();
        let heads = statement.heads.iter().rev().map(String::as_str);
        best.into_iter().chain(heads).find(known)
    }

    fn section(&self, section: Section) -> Vec<Line> {
        let chosen = self.chosen(section);
        chosen.into_iter().map(|at| self.line(at)).collect()
    }

    /// A statement on a line of its own.
    fn line(&self, at: usize) -> Line {
        let statement = &self.digest.statements()[at];
        let mut text = "- ".to_owned();
        let name = self.name(at);
        if let Some(name) = name {
            text.push_str(name);
            text.push_str(": ");
        }
        let mark = PERSONAL.iter().find(|(kind, _)| *kind == self.kinds[at].kind);
        if let Some((_, mark)) = mark {
            text.push_str(mark);
            text.push_str(&statement::one_line(&statement.text));
        } else {
            text.push_str(if statement.is_answer() { ANSWERED } else { "" });
            text.push_str(&statement::clip(&statement.text, CHARS_ALONE));
        }
        self.dates(statement, &mut text);
        Line {
            place: (self.place(name), at),
            text,
        }
    }

    /// Where the subject of a line stands among the topics.
    fn place(&self, name: Option<&str>) -> usize {
        name.and_then(|name| self.digest.find(&key(name)))
            .unwrap_or(usize::MAX)
    }

    /// A line for each subject, then a second one for those of which more was told, and so on.
    fn topics(&self) -> Vec<Line> {
        let mut of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut unnamed = Vec::new();
        for at in self.chosen(Section::Topics) {
            match self.place(self.name(at)) {
                usize::MAX => unnamed.push(at),
                topic => of.entry(topic).or_default().push(at),
            }
        }
        let nothing = HashSet::default();
        let mut turns: Vec<(usize, f64, Line)> = Vec::new();
        for (&topic, statements) in &of {
            for (turn, some) in statements.chunks(STATEMENTS_PER_LINE).enumerate() {
                let worth = some.iter().map(|&at| self.worth(at, &nothing)).sum();
                // Advice comes after all that people said.
                let is_answer = some.iter().all(|&at| self.digest.statements()[at].is_answer());
                let turn = if is_answer { usize::MAX } else { turn };
                turns.push((turn, worth, self.topic_line(topic, some)));
            }
        }
        // A topic of which nothing more is stated has its name alone, where there is room.
        let bare = (0..self.digest.topics().len())
            .filter(|topic| !of.contains_key(topic) && self.digest.topics()[*topic].count() > 0);
        turns.extend(bare.map(|topic| (usize::MAX, 0.0, self.topic_line(topic, &[]))));
        turns.extend(unnamed.into_iter().map(|at| {
            let is_answer = self.digest.statements()[at].is_answer();
            let turn = if is_answer { usize::MAX } else { 1 };
            (turn, self.worth(at, &nothing), self.line(at))
        }));
        turns.sort_by(|one, other| {
            one.0
                .cmp(&other.0)
                .then(other.1.total_cmp(&one.1))
                .then(one.2.place.cmp(&other.2.place))
        });
        turns.into_iter().map(|(.., line)| line).collect()
    }

    fn topic_line(&self, topic: usize, statements: &[usize]) -> Line {
        let Topic { name, kind, .. } = &self.digest.topics()[topic];
        let mut text = format!("- {name} [{kind}]");
        let mut in_time = statements.to_vec();
        in_time.sort_unstable();
        for (turn, &at) in in_time.iter().enumerate() {
            let statement = &self.digest.statements()[at];
            text.push_str(if turn == 0 { ": " } else { "; " });
            text.push_str(if statement.is_answer() { ANSWERED } else { "" });
            text.push_str(&unparted(&statement::clip(&statement.text, CHARS_AMONG_OTHERS)));
            self.dates(statement, &mut text);
        }
        // What is known of the person stands first.
        let after = if is_personal(*kind) {
            0
        } else {
            self.digest.topics().len()
        };
        Line {
            place: (after + topic, in_time.first().copied().unwrap_or(0)),
            text,
        }
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
            push_day(out, *day);
            if (0..YEAR_DAYS).contains(&until.days_since(*day)) {
                out.replace_range(start..start + "2026-".len(), "");
            }
        }
        out.push(')');
    }

    /// The subjects that came back most.
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
                let has_extension = || {
                    name.rsplit_once('.').is_some_and(|(front, end)| {
                        !front.is_empty()
                            && (1..=5).contains(&end.len())
                            && end.chars().all(|letter| letter.is_ascii_alphabetic())
                    })
                };
                let sort = match word.class {
                    _ if word.cues & ERROR != 0
                        || name.len() > 5 && (name.ends_with("Error") || name.ends_with("Exception")) =>
                    {
                        3
                    }
                    Class::Code if !name.contains("://") && (name.contains('/') || has_extension()) => 2,
                    Class::Plain if word.cues & SERVICE != 0 && name.starts_with(char::is_uppercase) => 1,
                    Class::Plain
                        if word.cues & NAME != 0
                            && word.cues & (STOP | COMMON) == 0
                            && name.starts_with(char::is_uppercase) =>
                    {
                        0
                    }
                    _ => continue,
                };
                *counts[sort].entry(name).or_default() += 1;
            }
        }
        let mut lines = Vec::new();
        for (place, (label, counts)) in ENTITY_LABELS.into_iter().zip(counts).enumerate() {
            let mut names: Vec<(&str, u32)> = counts.into_iter().collect();
            names.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
            let names: Vec<&str> = names
                .into_iter()
                .take(ENTITIES_PER_LINE)
                .map(|(name, _)| name)
                .collect();
            if !names.is_empty() {
                lines.push(Line {
                    place: (place, 0),
                    text: format!("{label}: {}", names.join(", ")),
                });
            }
        }
        lines
    }
}

/// The type of a statement: what its tag or a summary says, else what the person says of themselves or wants.
fn kind(statement: &Statement) -> Verdict {
    let verdict = kind_of(statement, None);
    if statement.speaker == Some(Speaker::User) && !is_personal(statement.kind) {
        verdict
    } else {
        Verdict {
            kind: statement.kind,
            ..verdict
        }
    }
}

fn is_personal(kind: Kind) -> bool {
    matches!(kind, Kind::User | Kind::Feedback)
}

/// The terms of a statement in order, each once.
fn terms_once(statement: &Statement) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let terms = statement.words.terms().iter().copied();
    terms.filter(|term| seen.insert(*term)).collect()
}

/// What each term is worth: more when it comes back, nearly nothing when it is everywhere.
fn weights(terms: &[Vec<Term>]) -> FxHashMap<Term, f64> {
    let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
    for term in terms.iter().flatten() {
        *counts.entry(*term).or_default() += 1;
    }
    let many = (terms.len() as f64 * EVERYWHERE).max(3.0);
    let weight = |count: usize| {
        let back = 2.0 - 1.0 / count as f64;
        if count as f64 > many {
            back * EVERYWHERE_WORTH
        } else {
            back
        }
    };
    counts
        .into_iter()
        .map(|(term, count)| (term, weight(count)))
        .collect()
}
