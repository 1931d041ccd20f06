//! ROOT.md: the topic index that every agent session loads (SPEC section 9).
//!
//! ROOT is printed from the [`History`] of all monthly nodes, the lines that people and agents wrote into the ROOT
//! that stands, and the date. The way there does not show: the same three give the same bytes.
//!
//! The token cap is spent in the order in which SPEC wants things to survive: the names of user and feedback topics,
//! what is active, a shortest history, the index from the newest topic to the oldest, patterns, sub-keywords, topics
//! that rested for over 90 days, and history in more detail with what is left.

mod context;
mod costs;
mod foreign;
mod history;
mod index;
mod lines;
mod morning;
mod page;
mod past;
mod shown;

use std::fmt::Write as _;

pub use costs::Costs;
pub use foreign::{Base, Foreign, speaks_of};
pub use history::History;
pub use morning::Mornings;
use page::Page;

use super::calendar::Day;
use super::entry::Kind;
use super::telling::Spread;
use super::tokens::Cost;

/// The sections of ROOT, in order.
pub const SECTIONS: [&str; 4] = [
    "Active Context (recent ~7 days)",
    "Recent Patterns",
    "Historical Summary",
    "Topics Index",
];

/// Days after which a topic is no longer active.
const ACTIVE_DAYS: i64 = 7;
/// Days after which a project is the first to leave the index.
const RESTING_DAYS: i64 = 90;
/// Days within which a topic is shown with sub-keywords before older topics are shown at all.
const FRESH_DAYS: i64 = 14;
/// How often the cap is spent by estimates before it is spent by what lines cost.
const ATTEMPTS: usize = 3;

/// A ROOT just made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// The whole file.
    pub text: String,
    /// The lines this program made, without those of others: what the next comparison is made with.
    pub generated: Vec<String>,
    /// What it costs, in tokens.
    pub tokens: usize,
    /// How many topics its index names.
    pub topics: usize,
    /// Whether the cap was too small for what goes last: active context, and the names of user and feedback topics.
    pub cut_short: bool,
}

/// What has been spent of the cap.
struct Budget<'a> {
    spent: Cost,
    tokens_max: usize,
    /// Whether every line is charged what it costs, lest the whole cost a token too much.
    exact: bool,
    costs: &'a mut Costs,
}

impl Budget<'_> {
    /// Spends the cost of something in place of what it cost before, if the cap allows.
    fn afford(&mut self, cost: Cost, instead_of: Cost) -> bool {
        let spent = self.spent + cost - instead_of;
        let fits = spent.tokens() <= self.tokens_max;
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// Spends the cost of a line, if the cap allows.
    fn afford_line(&mut self, line: &str) -> bool {
        let cost = self.costs.line(line);
        self.afford(cost, Cost::default())
    }

    /// What is left, in tokens.
    fn left(&self) -> usize {
        self.tokens_max.saturating_sub(self.spent.tokens())
    }
}

/// ROOT made anew from the history and the lines of others in the ROOT that stands, told from ours by what was made
/// last.
///
/// A line that would be made again is ours, whatever is known of the last time: a workspace that was cloned without
/// the daemon's own folder does not take its whole ROOT for somebody else's, and no line is there twice.
pub fn merge(
    history: &History,
    standing: &str,
    mut base: Base,
    today: Day,
    tokens_max: usize,
    costs: &mut Costs,
    mornings: &mut Mornings,
) -> Printed {
    if base.is_blank && !standing.is_empty() {
        let ours = print_counting(history, &Foreign::default(), today, tokens_max, costs, mornings).generated;
        base.remember(ours.iter().map(String::as_str));
    }
    loop {
        let foreign = Foreign::read(standing, &base, |name| history.topic(name).is_some());
        let printed = print_counting(history, &foreign, today, tokens_max, costs, mornings);
        if !printed.generated.iter().any(|line| foreign.holds(line)) {
            return printed;
        }
        base.remember(printed.generated.iter().map(String::as_str));
    }
}

/// Prints ROOT for a day, under a cap in tokens. Others' lines stay whatever they cost; when they leave too little
/// room, that is said by [`Printed::cut_short`].
pub fn print(history: &History, foreign: &Foreign, today: Day, tokens_max: usize) -> Printed {
    print_counting(
        history,
        foreign,
        today,
        tokens_max,
        &mut Costs::default(),
        &mut Mornings::default(),
    )
}

/// The same, with what is known of the costs of lines and of the day's mornings.
///
/// Most of the cap is spent by estimates, so that what one line really costs says nothing about the others. Should the sum be
/// too high after all, it is spent again with less, and at last by what lines cost.
pub fn print_counting(
    history: &History,
    foreign: &Foreign,
    today: Day,
    tokens_max: usize,
    costs: &mut Costs,
    mornings: &mut Mornings,
) -> Printed {
    let mark = history.mark(today);
    let page = Page {
        history,
        foreign,
        spread: &mornings.spread(mark, || Spread::of(history.settled(today))),
        mark,
        today,
    };
    let mut margin = 0;
    for _ in 0..ATTEMPTS {
        let printed = page.print(tokens_max - margin, false, costs, mornings);
        let excess = printed.tokens.saturating_sub(tokens_max);
        if excess == 0 {
            return printed;
        }
        margin = (margin + excess + tokens_max / 100).min(tokens_max);
    }
    let printed = page.print(tokens_max, true, costs, mornings);
    Printed {
        cut_short: printed.cut_short || printed.tokens > tokens_max,
        ..printed
    }
}

/// The file: frontmatter, the four sections with others' lines before ours, and others' sections behind them.
fn assemble(today: Day, foreign: &Foreign, sections: &[Vec<String>; 4]) -> String {
    let mut out = String::from("---\ntype: root\nstatus: tentative\n");
    let _ = writeln!(out, "last-updated: {today}");
    for line in &foreign.frontmatter {
        let _ = writeln!(out, "{line}");
    }
    out.push_str("---\n");
    for (at, lines) in sections.iter().enumerate() {
        let _ = write!(out, "\n## {}\n", SECTIONS[at]);
        for line in foreign.lines(at).iter().chain(lines) {
            let _ = writeln!(out, "{line}");
        }
    }
    for section in &foreign.sections {
        let _ = write!(out, "\n{section}\n");
    }
    out
}

/// How many days ago a topic was mentioned; a mention in the future counts as today.
pub fn age(last: Day, today: Day) -> i64 {
    today.days_since(last).max(0)
}

/// What stands in brackets behind a topic's name: `project, 2d` or `reference, 45d, ?`.
pub fn tag(kind: Kind, age: i64) -> String {
    let doubt = if kind == Kind::Reference && age > 30 {
        ", ?"
    } else {
        ""
    };
    format!("{kind}, {age}d{doubt}")
}

#[cfg(test)]
mod tests;
