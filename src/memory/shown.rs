//! What tests of several modules need: texts that show what cannot be seen, and whole trees grown in memory.

use std::collections::BTreeMap;

use super::calendar::{Day, Month, Week};
use super::entry;
use super::level::Status;
use super::node::Hash;
use super::render::{Built, Log, Source, daily, monthly, weekly};
use super::task::nobody;

/// The nodes of each level.
pub(super) struct Tree {
    pub(super) days: BTreeMap<Day, Built>,
    pub(super) weeks: BTreeMap<Week, Built>,
    pub(super) months: BTreeMap<Month, Built>,
}

impl Tree {
    /// Grows the nodes of these logs, all open.
    pub(super) fn of(logs: &BTreeMap<Day, String>) -> Self {
        let node = |day: Day, text: &String| {
            let path = format!("memory/{day}.md");
            let units = entry::read(text)
                .units()
                .map(|unit| entry::digest(unit.text))
                .collect();
            let log = Log { path: &path, text };
            daily(day, &[log], units, &[], Hash(1), Status::Tentative, &nobody)
        };
        let days: BTreeMap<Day, Built> = logs
            .iter()
            .filter_map(|(day, text)| Some((*day, node(*day, text)?)))
            .collect();
        let mut of_week: BTreeMap<Week, Vec<Source<'_>>> = BTreeMap::new();
        for (day, built) in &days {
            of_week.entry(day.week()).or_default().push(source(built));
        }
        let weeks: BTreeMap<Week, Built> = of_week
            .into_iter()
            .filter_map(|(week, below)| Some((week, weekly(week, below, Status::Tentative, &nobody)?)))
            .collect();
        let mut of_month: BTreeMap<Month, Vec<Source<'_>>> = BTreeMap::new();
        for (week, built) in &weeks {
            of_month.entry(week.month()).or_default().push(source(built));
        }
        let months = of_month
            .into_iter()
            .filter_map(|(month, below)| Some((month, monthly(month, below, Status::Tentative, &nobody)?)))
            .collect();
        Self { days, weeks, months }
    }
}

fn source(built: &Built) -> Source<'_> {
    Source {
        node: &built.node,
        content: built.content,
        digest: built.digest.clone(),
    }
}

/// The logs of a text in which each begins with `=== log DATE`.
pub(super) fn logs(text: &str) -> BTreeMap<Day, String> {
    text.split("=== log ")
        .filter(|log| !log.is_empty())
        .map(|log| {
            let (day, text) = log.split_once('\n').expect("a log has a date and a text");
            (
                Day::parse(day).expect("the date of a log is one"),
                text.to_owned(),
            )
        })
        .collect()
}

/// `\u{a0}` in a row stands for the character, where it could not be seen or would be lost.
pub(super) fn unescaped(text: &str) -> String {
    let mut pieces = text.split("\\u{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_once('}').expect("an escape is closed");
        let code = u32::from_str_radix(digits, 16).expect("an escape is a number in hexadecimal digits");
        out.push(char::from_u32(code).expect("an escape is that of a character"));
        out.push_str(rest);
    }
    out
}
