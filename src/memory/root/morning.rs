//! What ROOT was when the day began, remembered from one ROOT to the next: all of a day are printed from the same morning, and no
//! mention in the day changes it.
//!
//! A morning is found again by a hash over all that it depends on, so that one that is not the same is never taken for it; without
//! any, ROOT has the same bytes.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::shown::Shown;
use crate::memory::telling::Spread;
use crate::memory::tokens::Cost;

/// How many are remembered: the first look at a day's topics, those that made room for some of them, and those with
/// a little less to spend.
const MORNINGS_MAX: usize = 8;

/// A ROOT as it was when the day began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Morning {
    /// What it costs.
    pub(super) spent: Cost,
    /// Folded names and lines of Active Context.
    pub(super) active: Vec<(String, String)>,
    pub(super) patterns: Vec<String>,
    pub(super) past: Vec<String>,
    /// The topics of the index.
    pub(super) shown: Vec<Shown>,
    /// Those that were looked at and had no room, by the hashes of their folded names.
    pub(super) passed_over: Vec<u64>,
    pub(super) cut_short: bool,
}

impl Morning {
    pub(super) fn has_passed_over(&self, folded: &str) -> bool {
        self.passed_over.contains(&xxh3_64(folded.as_bytes()))
    }

    /// Whether a topic was looked at.
    pub(super) fn knows(&self, folded: &str) -> bool {
        self.has_passed_over(folded) || self.shown.iter().any(|shown| shown.folded == folded)
    }
}

/// The mornings of a day.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Mornings {
    /// A hash over what was known when the day began, and which words say nothing of any topic then.
    spread: Option<(u64, Spread)>,
    known: Vec<(u64, Morning)>,
    #[serde(skip)]
    changed: bool,
}

impl Mornings {
    /// Whether there is something new to keep.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// The words as they were when the day began, counted only when that is another day or other topics.
    pub(super) fn spread(&mut self, mark: Option<u64>, count: impl FnOnce() -> Spread) -> Spread {
        match (mark, &self.spread) {
            (Some(mark), Some((known, spread))) if *known == mark => return spread.clone(),
            _ => {}
        }
        let spread = count().kept();
        if let Some(mark) = mark {
            *self = Self {
                spread: Some((mark, spread.clone())),
                known: Vec::new(),
                changed: true,
            };
        }
        spread
    }

    pub(super) fn get(&self, mark: u64) -> Option<&Morning> {
        let known = self.known.iter().find(|(known, _)| *known == mark);
        known.map(|(_, morning)| morning)
    }

    /// Remembers a morning; the one that was longest known goes.
    pub(super) fn add(&mut self, mark: u64, morning: Morning) {
        if self.known.len() == MORNINGS_MAX {
            self.known.remove(0);
        }
        self.known.push((mark, morning));
        self.changed = true;
    }
}
