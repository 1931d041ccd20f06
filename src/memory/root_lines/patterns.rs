//! Recent Patterns: subjects of three days and more, with those that are told beside them.

use super::Page;
use crate::memory::calendar::Day;
use crate::memory::select::best_first;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// On so many days something recurs (SPEC section 9).
const DAYS_MIN: usize = 3;
/// Subjects that are looked at, and those that are named beside each.
const SUBJECTS_MAX: usize = 14;
const BESIDE_MAX: usize = 5;

impl Page<'_> {
    pub(super) fn patterns(&self, budget: usize) -> Vec<String> {
        let subjects = &self.subjects.list;
        let recurs = |at: &usize| subjects[*at].days.len() >= DAYS_MIN && subjects[*at].quality >= 1.0;
        let recencies = |at: usize| subjects[at].days.iter().map(|day| self.weights.recency(*day));
        let weighed = (0..subjects.len()).filter(recurs).map(|at| (recencies(at).sum(), at));
        let mut ranked = best_first(weighed);
        ranked.truncate(SUBJECTS_MAX);
        let (mut lines, mut left) = (Vec::new(), budget);
        let mut said = FxHashSet::default();
        for subject in ranked {
            let beside = self.beside(subject, &said);
            let names = beside.iter().map(|&other| subjects[other].name.as_str());
            let names: Vec<&str> = names.collect();
            let (name, days) = (&subjects[subject].name, subjects[subject].days.len());
            let line = format!("- {name}: on {days} days; with {}", names.join(", "));
            let cost = (self.cost)(&line) + 1;
            // What recurs alone says little.
            if cost <= left && !names.is_empty() {
                left -= cost;
                lines.push(line);
                said.extend(beside.into_iter().chain([subject]));
            }
        }
        lines
    }

    /// The subjects that are told in the same statements on several days, most days first, but for those that another pattern has named.
    fn beside(&self, subject: usize, said: &FxHashSet<usize>) -> Vec<usize> {
        let mut days: FxHashMap<usize, BTreeSet<Day>> = FxHashMap::default();
        for (candidates, told) in self.subjects.of.iter().zip(self.statements) {
            if candidates.iter().any(|of| of.subject == subject) {
                for other in candidates.iter().filter(|of| !said.contains(&of.subject)) {
                    days.entry(other.subject).or_default().insert(told.day);
                }
            }
        }
        let own = &self.subjects.list[subject].terms;
        let is_other = |at: usize| {
            let other = &self.subjects.list[at];
            at != subject && other.quality >= 1.0 && other.terms.is_disjoint(own)
        };
        let mut often: Vec<(usize, usize)> = days.into_iter().map(|(at, days)| (days.len(), at)).collect();
        often.retain(|&(days, at)| days > 1 && is_other(at));
        often.sort_by_key(|&(days, at)| (Reverse(days), at));
        often.truncate(BESIDE_MAX);
        often.into_iter().map(|(_, at)| at).collect()
    }
}
