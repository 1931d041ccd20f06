//! A digest printed into a line budget: the keyword-dense body of a node over its threshold (SPEC sections 6 and 7),
//! and the grammar by which it is read back.
//!
//! The sections share the budget. Within a section the topics take turns, the weightiest first, so that no topic
//! crowds out the others; what is chosen is then shown in the order of its time. User and feedback entries follow
//! whole, outside the budget.

mod facts;
mod line;
mod lines;

use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use super::digest::{Digest, Topic};
use super::entry::Kind;
use super::fact::{EntitySort, Sort};
use super::level::{Level, Period};
use super::node::Mentioned;
use super::redact::redact;
use super::telling::Spread;
pub use facts::split_dates;
use line::line_of;
pub use line::read_topic_line;
pub(super) use line::topic_line;
use lines::Lines;

/// A section of a summary. The names differ between the levels, the meaning does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The topics, with keywords, state and references.
    Topics,
    /// Monthly only: the topics that came back most.
    Themes,
    /// Decisions.
    Decisions,
    /// What was completed.
    Done,
    /// Weekly and monthly: users, services, files, errors.
    Entities,
    /// Lessons, and facts about the person.
    Lessons,
    /// What is still open.
    Open,
}

/// The sections in print order, with their headings at each level; none where a level does not have one.
const SECTIONS: [(Section, [Option<&str>; 3]); 7] = [
    (Section::Topics, [Some("Topics"), Some("Topics"), Some("Topics")]),
    (Section::Themes, [None, None, Some("Key Themes")]),
    (
        Section::Decisions,
        [
            Some("Key Decisions"),
            Some("Key Decisions"),
            Some("Major Decisions"),
        ],
    ),
    (
        Section::Done,
        [
            Some("Tasks Completed"),
            Some("Tasks Completed"),
            Some("Completed Work"),
        ],
    ),
    (
        Section::Entities,
        [None, Some("Entities Referenced"), Some("Recurring Entities")],
    ),
    (
        Section::Lessons,
        [
            Some("Lessons Learned"),
            Some("Lessons Learned"),
            Some("Lessons & Patterns"),
        ],
    ),
    (
        Section::Open,
        [Some("Open Items"), Some("Open Items"), Some("Carried Forward")],
    ),
];

/// The labels of the lines below the entities heading.
pub const ENTITY_LABELS: [(&str, EntitySort); 4] = [
    ("users", EntitySort::User),
    ("services", EntitySort::Service),
    ("files", EntitySort::File),
    ("errors", EntitySort::Error),
];

/// Topics come and go by so many lines where not all have one.
const TOPICS_STEP: usize = 40;
/// How many names a line of entities holds.
const ENTITIES_PER_LINE: usize = 12;
/// How many keywords a topic line shows.
const KEYWORDS_PER_TOPIC: usize = 8;
/// How many references a topic line shows.
const REFERENCES_PER_TOPIC: usize = 3;
/// What stands before a fact about the person, among the lessons.
pub const PERSONAL: &str = "(user) ";

impl Section {
    /// The section that a heading opens, at whatever level.
    pub fn parse(heading: &str) -> Option<Self> {
        let same = |name: &Option<&str>| name.is_some_and(|name| name.eq_ignore_ascii_case(heading.trim()));
        SECTIONS
            .iter()
            .find(|(_, names)| names.iter().any(same))
            .map(|&(section, _)| section)
    }

    /// The sort of fact whose lines stand in it.
    pub const fn sort(self) -> Option<Sort> {
        match self {
            Self::Decisions => Some(Sort::Decision),
            Self::Done => Some(Sort::Done),
            Self::Lessons => Some(Sort::Lesson),
            Self::Open => Some(Sort::Open),
            Self::Topics | Self::Themes | Self::Entities => None,
        }
    }

    /// Its heading at a level.
    pub fn heading(self, level: Level) -> Option<&'static str> {
        SECTIONS
            .iter()
            .find(|(section, _)| *section == self)
            .and_then(|(_, names)| names[level as usize])
    }
}

/// Whether a body is written in the sections of a summary: two of them at least, topics among them or not.
pub fn is_summary(body: &str) -> bool {
    body.lines()
        .filter_map(|line| line.strip_prefix("## "))
        .filter_map(Section::parse)
        .take(2)
        .count()
        == 2
}

/// The body of a summary without the kept entries: at most [`Level::summary_lines`] lines.
pub fn print(digest: &Digest, period: Period) -> String {
    print_spread(digest, period, &spread(digest, period.level()))
}

/// The same with the [`spread`] of the digest.
pub(super) fn print_spread(digest: &Digest, period: Period, spread: &Spread) -> String {
    let level = period.level();
    let mut out = match level {
        Level::Daily => String::new(),
        Level::Weekly => format!("# Weekly Summary: {period}\n\n"),
        Level::Monthly => format!("# Monthly Summary: {period}\n\n"),
    };
    let mut order = by_weight(digest);
    let mut ranks = vec![usize::MAX; digest.topics().len()];
    for (rank, &at) in order.iter().enumerate() {
        ranks[at] = rank;
    }
    // What the newest date mentions has a line whatever was said of it before.
    let newest = digest.newest();
    let is_person = |at: usize| matches!(digest.topics()[at].kind, Kind::User | Kind::Feedback);
    order.sort_by_key(|&at| {
        let is_of_newest = Some(digest.topics()[at].last) == newest;
        std::cmp::Reverse((is_person(at), is_of_newest))
    });
    let topics: Vec<&Topic> = order.iter().map(|&at| &digest.topics()[at]).collect();
    let blocks: Vec<(Section, Lines<'_>)> = SECTIONS
        .iter()
        .filter(|(_, names)| names[level as usize].is_some())
        .map(|&(section, _)| (section, Lines::of(digest, &topics, &ranks, spread, section)))
        .filter(|(_, lines)| lines.len() > 0)
        .collect();
    // Each section costs a heading, a blank line below it and one behind it.
    let budget = level
        .summary_lines()
        .saturating_sub(out.lines().count() + 3 * blocks.len());
    let wishes: Vec<(usize, usize)> = blocks
        .iter()
        .map(|(section, lines)| (weight(*section, level), lines.len()))
        .collect();
    let shares = match blocks.first() {
        Some((Section::Topics, _)) => steadily(budget, &wishes, topics_share(level)),
        _ => share(budget, &wishes),
    };
    for ((section, lines), lines_max) in blocks.into_iter().zip(shares) {
        if let Some(heading) = section.heading(level) {
            let _ = writeln!(out, "## {heading}\n");
            lines.print(lines_max, digest, spread, level, &mut out);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// What tells topics apart. Where there are several dates, those before the newest say so: what one topic has in common with others today
/// shall not take a word from them.
pub(super) fn spread(digest: &Digest, level: Level) -> Spread {
    match digest.newest().filter(|_| level != Level::Daily) {
        Some(newest) => Spread::of(digest.topics().iter().filter_map(|topic| topic.as_of(newest))),
        None => Spread::of(digest.topics()),
    }
}

/// What the topics of a digest's newest date were without it, as a node notes it: as a summary would have said it, whose [`spread`] this
/// is, or, when there was no need of one, whole; then a word stands there as often as it was said.
pub(super) fn earlier(digest: &Digest, summarized: Option<&Spread>) -> Vec<(Mentioned, String)> {
    let newest = digest.newest();
    let topics = digest.topics().iter();
    let topics = topics.filter(|topic| Some(topic.last) == newest);
    let noted = |topic: &Topic| {
        let earlier = topic.earlier.as_deref()?;
        let mut line = String::new();
        if let Some(spread) = summarized {
            let words = spread.ranked(earlier).take(KEYWORDS_PER_TOPIC);
            line_of(&mut line, earlier, words, REFERENCES_PER_TOPIC);
        } else {
            let words = earlier.keywords.iter();
            let words = words.flat_map(|(word, count)| std::iter::repeat_n(word, count as usize));
            line_of(&mut line, earlier, words, usize::MAX);
        }
        Some((earlier.mentioned(), redact(&line["- ".len()..]).into_owned()))
    };
    topics.filter_map(noted).collect()
}

/// How much of the budget a section asks for. The higher the level, the more of it goes to the topics: they are what
/// ROOT is made from, and the facts are found one level down.
pub(super) const fn weight(section: Section, level: Level) -> usize {
    match section {
        Section::Topics => match level {
            Level::Daily => 8,
            Level::Weekly => 24,
            Level::Monthly => 54,
        },
        Section::Decisions | Section::Done => 4,
        Section::Lessons | Section::Open => 3,
        Section::Entities | Section::Themes => 2,
    }
}

/// What part of a summary's lines its topics have when they could use more.
fn topics_share(level: Level) -> usize {
    let all = SECTIONS
        .iter()
        .filter(|(_, names)| names[level as usize].is_some());
    let weights: usize = all.map(|&(section, _)| weight(section, level)).sum();
    level.summary_lines() * weight(Section::Topics, level) / weights
}

/// Shares of which that of the topics, the first, is nearly always the same: a fact more in another section shall not take the words of
/// some topic, or ROOT would change where nothing was said. Of what the others leave it has round numbers.
fn steadily(budget: usize, wishes: &[(usize, usize)], topics: usize) -> Vec<usize> {
    let Some((&(_, wish), others)) = wishes.split_first().filter(|((_, wish), _)| *wish > topics) else {
        return share(budget, wishes);
    };
    let topics = topics.min(budget);
    let mut shares = share(budget - topics, others);
    let left = budget - topics - shares.iter().sum::<usize>();
    shares.insert(0, wish.min(topics + left / TOPICS_STEP * TOPICS_STEP));
    shares
}

/// Divides a budget by weight; what one section does not need goes to the others.
pub(super) fn share(budget: usize, wishes: &[(usize, usize)]) -> Vec<usize> {
    let mut shares = vec![0; wishes.len()];
    let mut left = budget;
    while left > 0 {
        let hungry: usize = wishes
            .iter()
            .zip(&shares)
            .filter(|((_, wish), share)| *wish > **share)
            .map(|((weight, _), _)| weight)
            .sum();
        if hungry == 0 {
            break;
        }
        let round = left;
        for (&(weight, wish), share) in wishes.iter().zip(&mut shares) {
            let more = (round * weight / hungry).max(1).min(wish - *share).min(left);
            *share += more;
            left -= more;
        }
    }
    shares
}

/// The topics, the weightiest first: seen on more days by powers of two, mentioned later. The newest date does not count where there are
/// others: one more mention of a topic shall not put it before others at once. How many facts of each are known says nothing here: that
/// depends on what the summaries below had room for, and a new fact of one topic would move the others.
fn by_weight(digest: &Digest) -> Vec<usize> {
    let mut order: Vec<usize> = (0..digest.topics().len())
        .filter(|&at| digest.topics()[at].days > 0)
        .collect();
    let newest = digest.newest();
    order.sort_by_cached_key(|&at| {
        let topic = &digest.topics()[at];
        let person = matches!(topic.kind, Kind::User | Kind::Feedback);
        let before = newest.and_then(|day| topic.as_of(day)).unwrap_or(topic);
        let days = before.days.max(1).ilog2();
        let weight = std::cmp::Reverse((person, days, before.last));
        // In which order the topics below were noted says nothing either.
        (weight, before.place, xxh3_64(topic.name.as_bytes()))
    });
    order
}

#[cfg(test)]
mod tests;
