//! What the index shows of a morning's topics, and the lines that the day makes of it.

use serde::{Deserialize, Serialize};

use super::Costs;
use super::foreign::Foreign;
use super::history::History;
use super::lines::{candidate, clean, fill, head, pointer, words};
use crate::memory::calendar::Day;
use crate::memory::entry::Kind;
use crate::memory::telling::Spread;

/// A topic that the index shows when a day begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shown {
    pub(super) folded: String,
    pub(super) kind: Kind,
    pub(super) line: Line,
}

/// How it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Line {
    /// By this line, until the day mentions it.
    Made(String),
    /// As the day made it, in a line with so many tokens behind its head.
    New(usize),
    /// By somebody else's line.
    Theirs,
}

/// The lines of the index as the day has made them: by type, what concerns the person first, then by name, so that a new mention
/// moves no line.
pub(super) fn index(
    history: &History,
    spread: &Spread,
    foreign: &Foreign,
    today: Day,
    shown: Vec<Shown>,
    costs: &mut Costs,
) -> Vec<String> {
    let mut lines: Vec<(u8, String, String)> = Vec::with_capacity(shown.len());
    for Shown { folded, kind, line } in shown {
        let now = history.topics.get(&folded).filter(|now| now.last >= today);
        let line = match (line, now) {
            (Line::Made(line), None) => line,
            (Line::Made(line), Some(now)) => {
                let pointer = pointer(history, &folded, now);
                let words: Vec<String> = words(now, spread).collect();
                up_to_date(&line, head(now, today), &words, &pointer, costs)
            }
            (Line::New(room), Some(now)) => {
                candidate(history, spread, foreign, today, (&folded, now)).fitted(room, true, costs)
            }
            (Line::New(_), None) | (Line::Theirs, _) => continue,
        };
        lines.push((rank(now.map_or(kind, |now| now.kind)), folded, line));
    }
    lines.sort();
    lines.into_iter().map(|(.., line)| line).collect()
}

/// What today made of a topic in place of its line, at no more than it costs.
fn up_to_date(line: &str, head: String, words: &[String], pointer: &str, costs: &mut Costs) -> String {
    let limit = costs.line(line);
    let room = limit.tokens().saturating_sub(costs.line(&head).tokens());
    let pointer = if costs.piece(pointer) * 2 <= room {
        pointer
    } else {
        ""
    };
    let words = words.iter().map(String::as_str);
    clean(fill(head, ": ", words, limit, pointer, costs))
}

fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::User => 0,
        Kind::Feedback => 1,
        Kind::Project => 2,
        Kind::Reference => 3,
    }
}
