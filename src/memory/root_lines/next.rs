//! What is next: what a box, label or heading calls open, and what names a day that is not over yet.

use std::sync::LazyLock;

use chrono::Datelike as _;
use regex::{Captures, Regex};

use super::{ACTIVE_DAYS, Page};
use crate::memory::calendar::Day;
use crate::memory::language::{NEXT, OPEN, Role, STANCE, lexicon};
use crate::memory::statement::{Sort, begins_condition};
use crate::memory::text::is_listed;
use crate::memory::topic;
use crate::memory::words::Words;

/// A day further ahead of the statement than this is no plan: it is another year's, or a number that looks like a day.
const AHEAD_MAX: i64 = 62;
/// What is more days away is not urgent yet.
const SOON: i64 = 14;
/// How the months begin, in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian and Ukrainian.
const MONTHS: [&str; 12] = [
    "jan ene gen sty янв січ",
    "feb fév fev lut фев лют",
    "mar mär maa март берез",
    "apr avr abr kwi апр квіт",
    "may mai mag maj mei ма трав",
    "jun juin giu cze июн черв",
    "jul juil lug lip июл лип",
    "aug ago aoû sie авг серп",
    "sep set wrz сен верес",
    "oct okt out ott paź окт жовт",
    "nov lis ноя листоп",
    "dec dez dic déc gru дек груд",
];
/// "2026-03-14"; "14.03.2026"; "14.03." behind no Latin word but "am", for it may be a version, and behind no sign of an amount;
/// "14 марта"; "Mar 14"; "3月14日".
static DATES: LazyLock<Regex> = LazyLock::new(|| {
    let dates = [
        r"\b(?<y>20\d\d)-(?<m>\d\d)-(?<d>\d\d)\b",
        r"\b(?<fd>[0-3]\d)\.(?<fm>[01]\d)\.(?<fy>20\d\d)\b",
        r"(?:^|[^A-Za-z\d.,:/\s$€£¥₽→≈~+=(-]\s*|\bam )(?<dd>[0-3]\d)\.(?<dm>[01]\d)(?:\.(?:\s|$)|[^.\d%]|$)",
        r"(?:^|[^\w.:,])(?<nd>\d\d?)(?:\.|st|nd|rd|th|er|º)? (?:de |of )?(?<nm>\p{L}{3,})(?:,? (?:de )?(?<ny>(?:19|20)\d\d)\b)?",
        r"\b(?<em>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)\.? (?<ed>\d\d?)(?:st|nd|rd|th)?\b(?:,? (?<ey>(?:19|20)\d\d)\b)?",
        r"(?:(?<cy>(?:19|20)\d\d)年\s*)?(?<cm>\d\d?)月\s*(?<cd>\d\d?)[日号號]",
    ];
    Regex::new(&dates.join("|")).expect("a pattern of this module is valid")
});

impl Page<'_> {
    /// Whether what is said of a statement names a day to come, or the statement is called open by its box, label or heading, and newer
    /// than half of the days of Active Context: what was open before is often done by now, and a statement that has "remaining" or
    /// "waiting" in it mostly tells what was.
    pub(super) fn is_next(&self, at: usize, text: &str) -> bool {
        let told = &self.statements[at];
        self.is_due(at, text)
            || self.is_open_item(at)
                && self.weights.age(told.day) <= ACTIVE_DAYS / 2
                && !is_conditional(&told.text)
    }

    /// Whether what is said of a statement names a day to come. In conversations the page would be another one each morning: a fact about
    /// a person names many days.
    pub(super) fn is_due(&self, at: usize, text: &str) -> bool {
        let told = &self.statements[at];
        told.speaker.is_none() && names_day_to_come(text, told.day, self.today)
    }

    /// Whether the box, label or heading of a statement calls it open.
    pub(super) fn is_open_item(&self, at: usize) -> bool {
        let told = &self.statements[at];
        (told.sort, told.role) == (Sort::Open, Some(Role::Open))
    }
}

/// Whether something is to be done only if, or when, something else comes: "If it fails again, …", "…止まった場合は…".
fn is_conditional(text: &str) -> bool {
    const BEGINS: [&str; 4] = ["如果", "假如", "一旦", "若是"];
    const CLAUSES: [&str; 4] = ["場合は", "場合、", "時だけ", "ようなら"];
    let first = text.split(' ').next().unwrap_or_default();
    // "Als nächstes" is next, and "se debe" is a duty.
    let is_condition = begins_condition(first) && !is_listed(&first.to_lowercase(), "als se");
    is_condition
        || BEGINS.iter().any(|begin| text.starts_with(begin))
        || CLAUSES.iter().any(|clause| text.contains(clause))
}

/// What is set before an open item, unless it says itself what it is: "Next …", "Blocked …", "Risk: …".
pub(super) fn next_mark(text: &str) -> &'static str {
    /// "Exact blocker: …".
    const BYTES: u32 = 14;
    let says_so = Words::of(text, lexicon().languages(text)).begins(OPEN | NEXT | STANCE, BYTES);
    if says_so { "" } else { "next: " }
}

/// Whether a text that was told on a day names one behind it, today or to come.
fn names_day_to_come(text: &str, told: Day, today: Day) -> bool {
    let is_soon = |day: Day| (0..=SOON).contains(&day.days_since(today));
    let is_ahead = |day: Day| is_soon(day) && (1..=AHEAD_MAX).contains(&day.days_since(told));
    let mut found = DATES.captures_iter(text);
    today.days_since(told) <= AHEAD_MAX && found.any(|found| day(&found, told).is_some_and(is_ahead))
}

/// The day that was found, in the year which brings it nearest behind `told`.
fn day(found: &Captures<'_>, told: Day) -> Option<Day> {
    let text = |name: &str| found.name(name).map(|found| found.as_str());
    let number = |name: &str| text(name)?.parse::<u32>().ok();
    let named = |name: &str| {
        let lower = text(name)
            .filter(|name| *name != "may" && topic::is_month(name))?
            .to_lowercase();
        let begins = |names: &str| names.split(' ').any(|begin| lower.starts_with(begin));
        MONTHS.iter().position(|names| begins(names)).map(|at| at as u32 + 1)
    };
    let in_digits = ["m", "fm", "dm", "cm"].iter().find_map(|name| number(name));
    let month = in_digits.or(named("nm")).or(named("em"))?;
    let of_month = ["d", "fd", "dd", "nd", "ed", "cd"].iter().find_map(|name| number(name))?;
    let in_year = |year: &str| Day::parse(&format!("{year}-{month:02}-{of_month:02}"));
    match ["y", "fy", "ny", "ey", "cy"].iter().find_map(|name| text(name)) {
        Some(year) => in_year(year),
        None => {
            let year = told.date().year();
            let days = [year, year + 1].map(|year| in_year(&year.to_string()));
            days.into_iter().flatten().find(|day| *day >= told)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Day;
    use super::{DATES, day};

    #[test]
    fn days_that_are_named() {
        let told = Day::parse("2026-12-20").unwrap();
        for (text, found) in [
            ("the crane is due 2027-01-04", Some("2027-01-04")),
            ("проверить кран Сб 26.12", Some("2026-12-26")),
            ("проверить кран 2 января", Some("2027-01-02")),
            ("crane inspection on Dec 24", Some("2026-12-24")),
            ("Kranprüfung am 3. Januar", Some("2027-01-03")),
            ("revisar la grúa el 5 de enero", Some("2027-01-05")),
            ("1月8日に点検", Some("2027-01-08")),
            ("Ubuntu 24.12 is out", None),
            ("it may 5 times fail", None),
            ("18 markdown files", None),
            ("1.12 of 24.5", None),
            ("Kran am 24.12. prüfen", Some("2026-12-24")),
            ("27.12.2026 кран", Some("2026-12-27")),
            ("Decision 24 stands", None),
            ("Marcus 12 boxes", None),
            ("Python 3.10 may fail", None),
            ("the 5 may fail", None),
            ("$24.12 spent", None),
            ("published 15 August 2024", Some("2024-08-15")),
            ("2024年5月2日", Some("2024-05-02")),
        ] {
            let met = DATES.captures(text).and_then(|found| day(&found, told));
            assert_eq!(met.map(|day| day.to_string()).as_deref(), found, "{text}");
        }
    }
}
