//! Historical Summary: by month, then quarter and year, the decisions and events that later days refer to and the index does not show.

use super::{ACTIVE_DAYS, Page};
use crate::memory::calendar::Day;
use crate::memory::language::{NONE, ROUTINE};
use crate::memory::select::{Selector, shorten};
use crate::memory::statement::Sort;
use crate::memory::weight::says_little;
use chrono::Datelike;
use std::collections::BTreeMap;
use std::fmt;

/// So many months are told one by one, so many by quarters; what is older by years (SPEC section 9).
const MONTHS: i32 = 3;
const QUARTERS: i32 = 15;
/// Words of an event: with 9 most break off in the middle.
const WORDS: usize = 16;
const EVENTS_MAX: usize = 6;
/// An event costs at least so many tokens: a name, its colon, three terms, and what parts it from the next.
const EVENT_COST_MIN: usize = 6;
/// Events of one subject in a period.
const SUBJECT_MAX: usize = 2;

impl Page<'_> {
    pub(super) fn history(&self, selector: &mut Selector<'_>, budget: usize) -> Vec<String> {
        let lasting = (0..self.statements.len()).filter_map(|at| Some((self.lasting(at)?, at)));
        let mut ranked: Vec<(f64, usize)> = lasting.collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)));
        let mut periods: BTreeMap<Span, Vec<(usize, String)>> = BTreeMap::new();
        let mut told_of: BTreeMap<(Span, usize), usize> = BTreeMap::new();
        let mut left = budget;
        for (_, at) in ranked {
            if left < EVENT_COST_MIN {
                break;
            }
            let Some(candidate) = self.subjects.of[at].first() else {
                continue;
            };
            let period = Span::of(self.statements[at].day, self.today);
            let events = periods.get(&period).map_or(0, Vec::len);
            let of_subject = told_of.entry((period, candidate.subject)).or_insert(0);
            if events >= EVENTS_MAX || *of_subject >= SUBJECT_MAX {
                continue;
            }
            let subject = &self.subjects.list[candidate.subject];
            let short = shorten(&self.statements[at], &subject.terms, &self.weights, WORDS);
            if short.terms.len() < 3 || !selector.is_new(at, &short.terms) {
                continue;
            }
            let event = match short.text.starts_with(&subject.name) {
                true => short.text,
                false => format!("{}: {}", subject.name, short.text),
            };
            let dress = if events == 0 { (self.cost)(&period.to_string()) + 5 } else { 1 };
            let cost = (self.cost)(&event) + dress;
            if cost <= left {
                *of_subject += 1;
                left -= cost;
                selector.say(at, &short.terms);
                periods.entry(period).or_default().push((at, event));
            }
        }
        let line = |(period, mut events): (Span, Vec<(usize, String)>)| {
            events.sort();
            let events: Vec<String> = events.into_iter().map(|(_, event)| event).collect();
            format!("- {period}: {}", events.join("; "))
        };
        periods.into_iter().map(line).collect()
    }

    /// How much later days refer to an old decision or event; nothing for what is neither or is still active.
    fn lasting(&self, at: usize) -> Option<f64> {
        let told = &self.statements[at];
        let sort = match told.sort {
            Sort::Decision => 3.0,
            Sort::Lesson => 2.0,
            Sort::Done => 1.0,
            Sort::Plain | Sort::Open => return None,
        };
        // "No mail sent", "Checked the quay": nothing that mattered.
        if told.is_answer() || says_little(told) || told.words.begins(NONE | ROUTINE, 1) {
            return None;
        }
        let candidate = self.subjects.of[at]
            .first()
            .filter(|_| self.weights.age(told.day) >= ACTIVE_DAYS)?;
        let subject = &self.subjects.list[candidate.subject];
        let later = subject.days.len() - subject.days.partition_point(|day| *day <= told.day);
        // The rarer half of its words: told again, but not on every day.
        let rare = 2..=self.weights.days().div_ceil(5);
        let terms = told.words.terms().iter();
        let again = terms.filter(|term| rare.contains(&self.weights.days_of(**term))).count();
        Some(sort * candidate.quality * (1.0 + later as f64).ln() * (1.0 + again.min(8) as f64).ln())
    }
}

/// A month, a quarter or a year: the year, and its first and last month unless it is all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    year: i32,
    months: Option<(u32, u32)>,
}

impl Span {
    fn of(day: Day, today: Day) -> Self {
        let (date, now) = (day.date(), today.date());
        let (year, month) = (date.year(), date.month());
        let ago = (now.year() - year) * 12 + now.month() as i32 - month as i32;
        let first = (month - 1) / 3 * 3 + 1;
        let months = if ago <= MONTHS {
            Some((month, month))
        } else {
            Some((first, first + 2)).filter(|_| ago <= QUARTERS)
        };
        Self { year, months }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.months {
            Some((first, last)) if first == last => write!(f, "{}-{first:02}", self.year),
            Some((first, last)) => write!(f, "{}-{first:02}~{last:02}", self.year),
            None => write!(f, "{}", self.year),
        }
    }
}
