//! A digest printed into a line budget: the body of a node over its threshold (SPEC sections 6 and 7), and how it is read back.
//!
//! Every line names its subject first, then says what was told of it, each statement with its days above the daily level:
//! `- Shop dashboard [project]: date filter drafted (03-14); header takes two lines (03-15)` among the topics,
//! `- Shop dashboard: the filter goes by order date (03-14)` in the other sections. User and feedback entries follow whole.

mod lines;
mod read;

use std::fmt::Write as _;

use super::digest::Digest;
use super::level::{Level, Period};
use super::statement::Sort;
use super::subject::Subjects;
use lines::Lines;
pub use lines::{OPEN_MARK, PERSONAL, VOICES};
pub use read::{read, split_dates};

/// A section of a summary. The names differ between the levels, the meaning does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The subjects, and what was told of them besides the rest.
    Topics,
    /// Monthly only: the subjects that came back most.
    Themes,
    Decisions,
    Done,
    /// Weekly and monthly: users, services, files, errors.
    Entities,
    /// Lessons, rules, and facts about the person.
    Lessons,
    Open,
}

pub const ENTITY_LABELS: [&str; 4] = ["users", "services", "files", "errors"];

impl Section {
    /// In print order.
    pub const ALL: [Self; 7] = {
        use Section::{Decisions, Done, Entities, Lessons, Open, Themes, Topics};
        [Topics, Themes, Decisions, Done, Entities, Lessons, Open]
    };

    /// Its headings from the daily level up; empty where a level does not have it.
    const fn headings(self) -> [&'static str; 3] {
        match self {
            Self::Topics => ["Topics"; 3],
            Self::Themes => ["", "", "Key Themes"],
            Self::Decisions => ["Key Decisions", "Key Decisions", "Major Decisions"],
            Self::Done => ["Tasks Completed", "Tasks Completed", "Completed Work"],
            Self::Entities => ["", "Entities Referenced", "Recurring Entities"],
            Self::Lessons => ["Lessons Learned", "Lessons Learned", "Lessons & Patterns"],
            Self::Open => ["Open Items", "Open Items", "Carried Forward"],
        }
    }

    /// The section that a heading opens, at whatever level.
    pub fn parse(heading: &str) -> Option<Self> {
        let heading = Some(heading.trim()).filter(|heading| !heading.is_empty())?;
        let is_it = |name: &str| name.eq_ignore_ascii_case(heading);
        let mut all = Self::ALL.into_iter();
        all.find(|section| section.headings().into_iter().any(is_it))
    }

    pub const fn sort(self) -> Option<Sort> {
        match self {
            Self::Decisions => Some(Sort::Decision),
            Self::Done => Some(Sort::Done),
            Self::Lessons => Some(Sort::Lesson),
            Self::Open => Some(Sort::Open),
            Self::Topics => Some(Sort::Plain),
            Self::Themes | Self::Entities => None,
        }
    }

    pub fn heading(self, level: Level) -> Option<&'static str> {
        Some(self.headings()[level as usize]).filter(|heading| !heading.is_empty())
    }
}

/// Whether a body is written in the sections of a summary: two of them at least, topics among them or not.
pub fn is_summary(body: &str) -> bool {
    let headings = body.lines().filter_map(|line| line.strip_prefix("## "));
    headings.filter_map(Section::parse).nth(1).is_some()
}

/// The body of a summary without the kept entries: at most [`Level::summary_lines`] lines, and as many again for the person and the rules.
pub fn print(digest: &Digest, subjects: &Subjects, period: Period) -> String {
    let lines = Lines::of(digest, subjects, period);
    let counts = Section::ALL.map(|section| lines.sections[section as usize].len());
    laid_out(period, counts, lines.personal, |section, lines_max, out| {
        lines.print(section, lines_max, out);
    })
}

/// The sections that have lines, each with its share of the level's budget. The person and the rules have as much room beside it.
pub(super) fn laid_out(
    period: Period,
    counts: [usize; Section::ALL.len()],
    personal: usize,
    mut print: impl FnMut(Section, usize, &mut String),
) -> String {
    let level = period.level();
    let mut out = match level {
        Level::Daily => String::new(),
        Level::Weekly => format!("# Weekly Summary: {period}\n\n"),
        Level::Monthly => format!("# Monthly Summary: {period}\n\n"),
    };
    let sections = Section::ALL.into_iter().zip(counts);
    let headed = sections.filter_map(|(section, count)| Some((section, count, section.heading(level)?)));
    let sections: Vec<(Section, usize, &str)> = headed.filter(|(_, count, _)| *count > 0).collect();
    // Each section costs a heading, a blank line below it and one behind it.
    let frame = out.lines().count() + 3 * sections.len();
    let budget = level.summary_lines().saturating_sub(frame);
    let personal = personal.min(level.summary_lines());
    let beside = |section: Section| if section == Section::Lessons { personal } else { 0 };
    let wishes = sections
        .iter()
        .map(|&(section, count, _)| (weight(section), count - beside(section)));
    let shares = share(budget, &wishes.collect::<Vec<_>>());
    for ((section, _, heading), lines_max) in sections.into_iter().zip(shares) {
        let _ = writeln!(out, "## {heading}\n");
        print(section, lines_max + beside(section), &mut out);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// How much of the budget a section asks for. Under the topics stands what has no section, and among the lessons what people say of
/// themselves, which is most of a conversation.
const fn weight(section: Section) -> usize {
    match section {
        Section::Topics => 16,
        Section::Decisions | Section::Done | Section::Open => 4,
        Section::Lessons => 12,
        Section::Entities | Section::Themes => 1,
    }
}

/// Divides a budget by weight; what one section does not need goes to the others.
fn share(budget: usize, wishes: &[(usize, usize)]) -> Vec<usize> {
    let mut shares = vec![0; wishes.len()];
    let mut left = budget;
    while left > 0 {
        let hungry = wishes.iter().zip(&shares).filter(|((_, wish), share)| *wish > **share);
        let hungry: usize = hungry.map(|((weight, _), _)| weight).sum();
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

#[cfg(test)]
mod tests;
