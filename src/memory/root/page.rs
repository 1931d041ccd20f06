//! ROOT on its way into text: as it was when the day began, and what the day brought.
//!
//! Everything is decided by what was known when the day began, to the last token but for a part of the cap that is kept. What the day
//! brings for a topic takes the place of that topic's own lines, at no more than these cost, and some of it a line of Active Context from
//! what was kept. So no mention of a topic that ROOT knows changes a line of another. Only a topic that ROOT did not show is made room for,
//! by its name alone.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::history::{History, hash_of, settled};
use super::lines::{self, Candidate};
use super::morning::{Morning, Mornings};
use super::{Budget, Costs, Foreign, Printed, assemble, context, index, past, shown};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::telling::Spread;
use crate::memory::tokens::Cost;
use crate::memory::topic::key;

/// Active Context has a line for so many tokens of the cap when a day begins, and as many again where all else is said.
const TOKENS_PER_ACTIVE_LINE: usize = 360;
/// Most lines of Active Context for what comes up in the day.
const ACTIVE_LINES_TODAY: usize = 8;
/// Most tokens of a line of Active Context, and of one that comes up in the day.
const ACTIVE_LINE_TOKENS: usize = 36;
const ACTIVE_LINE_TOKENS_TODAY: usize = 34;
/// What part of the cap is kept for what comes up in the day. Less than a twentieth: the rest is spent when the day begins.
const KEPT_FOR_TODAY: usize = 28;
/// How often room is made for topics that today brought back.
const ROUNDS: usize = 3;

/// What a ROOT is printed from.
pub(super) struct Page<'a> {
    pub(super) history: &'a History,
    pub(super) foreign: &'a Foreign,
    /// Of the topics as they were when the day began.
    pub(super) spread: &'a Spread,
    /// A hash over what was known when the day began.
    pub(super) mark: Option<u64>,
    pub(super) today: Day,
}

impl<'a> Page<'a> {
    /// The ROOT. When it is `exact`, every line is charged what it costs.
    pub(super) fn print(
        &self,
        tokens_max: usize,
        exact: bool,
        costs: &mut Costs,
        mornings: &mut Mornings,
    ) -> Printed {
        let mut new = HashSet::new();
        for _ in 0..ROUNDS {
            let morning = self.known_morning(tokens_max, exact, &new, costs, mornings);
            let left_out = self.left_out(&morning, &new);
            if left_out.is_empty() {
                return self.finish(morning, tokens_max, costs);
            }
            new.extend(left_out);
        }
        let morning = self.known_morning(tokens_max, exact, &new, costs, mornings);
        self.finish(morning, tokens_max, costs)
    }

    /// The morning, made only when it is not known from the ROOT before.
    fn known_morning(
        &self,
        tokens_max: usize,
        exact: bool,
        new: &HashSet<String>,
        costs: &mut Costs,
        mornings: &mut Mornings,
    ) -> Morning {
        // Where every line is charged what it costs, it matters what the day says of its topics.
        let mark = self.mark_of(tokens_max, new).filter(|_| !exact);
        if let Some(morning) = mark.and_then(|mark| mornings.get(mark)) {
            costs.keep_all();
            return morning.clone();
        }
        let morning = self.morning(tokens_max, exact, new, costs);
        if let Some(mark) = mark {
            mornings.add(mark, morning.clone());
        }
        morning
    }

    /// A hash over everything that a morning depends on: what was known then, the lines of others, and of the topics that take part as
    /// today made them what their lines begin with.
    fn mark_of(&self, tokens_max: usize, new: &HashSet<String>) -> Option<u64> {
        let is_new = |(folded, topic): &(&String, &Topic)| {
            new.contains(*folded) || settled(topic, self.today).is_none()
        };
        let begins = |(folded, topic): (&'a String, &'a Topic)| (folded, &topic.name, topic.kind, topic.last);
        let topics = &self.history.topics;
        let of_today: Vec<_> = topics.iter().filter(is_new).map(begins).collect();
        let names = self.foreign.index_names();
        let of_others: Vec<_> = names
            .filter_map(|name| topics.get_key_value(&name).map(begins))
            .collect();
        hash_of(&(self.mark?, tokens_max, self.foreign, of_today, of_others))
    }

    /// ROOT as it would have been when the day began, had it known `new`.
    fn morning(&self, tokens_max: usize, exact: bool, new: &HashSet<String>, costs: &mut Costs) -> Morning {
        let (history, foreign, today) = (self.history, self.foreign, self.today);
        let mut candidates = lines::candidates(history, self.spread, foreign, (today, new), tokens_max);
        let theirs = foreign.in_index(Vec::new(), |name| {
            let is_candidate = candidates.iter().any(|candidate| candidate.folded == name);
            self.head(name).filter(|_| is_candidate)
        });
        let frame = costs.text(&assemble(today, foreign, &[vec![], vec![], vec![], theirs]));
        let mut budget = Budget {
            spent: frame,
            tokens_max,
            exact,
            costs,
        };
        let mut cut_short = budget.left() == 0;
        for candidate in candidates.iter_mut().filter(|candidate| candidate.is_personal()) {
            cut_short |= !candidate.show(&mut budget, 0);
        }
        budget.tokens_max -= (tokens_max / KEPT_FOR_TODAY).min(budget.left());
        let room = budget.left();
        let mut projects = context::active(history, today).into_iter();
        let lines_max = (tokens_max / TOKENS_PER_ACTIVE_LINE).max(2);
        let mut active = within(room / 4, &mut budget, |budget| {
            self.active(projects.by_ref().take(lines_max), budget)
        });
        let patterns = patterns(history, today, room / 14, &mut budget);
        let kept_back = past::room(history, room / 8).min(budget.left());
        budget.tokens_max -= kept_back;
        index::spend(&mut candidates, &mut budget);
        budget.tokens_max += kept_back;

        let shown = candidates.iter().filter(|candidate| candidate.is_shown());
        let shown = shown.map(|candidate| candidate.folded.clone()).collect();
        let mut past = past::within(history, today, &shown, budget.left(), budget.costs);
        // From here on by what lines cost.
        let lines = active.iter().map(|(_, line)| line).chain(&patterns);
        let lines = budget.costs.lines(lines.map(String::as_str));
        let index: Cost = candidates
            .iter_mut()
            .map(|candidate| candidate.write(&mut budget))
            .sum();
        budget.spent = frame + past.cost + lines + index;
        past.extend(&mut budget);
        index::widen(&mut candidates, &mut budget);
        active.extend(self.active(projects.take(lines_max), &mut budget));
        let spent = budget.spent;
        let (shown, passed_over): (Vec<_>, Vec<_>) = candidates.into_iter().partition(Candidate::is_shown);
        let passed_over = passed_over
            .iter()
            .map(|candidate| xxh3_64(candidate.folded.as_bytes()));
        Morning {
            spent,
            active,
            patterns,
            past: past.lines(),
            passed_over: passed_over.collect(),
            shown: shown.into_iter().filter_map(Candidate::into_shown).collect(),
            cut_short,
        }
    }

    /// How a line of the index begins for a topic by its folded name.
    fn head(&self, folded: &str) -> Option<String> {
        let topic = self.history.topics.get(folded)?;
        Some(lines::head(topic, self.today))
    }

    /// The topics of today that a morning had no room for, and of which it knew nothing yet.
    fn left_out(&self, morning: &Morning, new: &HashSet<String>) -> Vec<String> {
        let of_today = self.history.topics.iter().filter(|(folded, topic)| {
            topic.last >= self.today && settled(topic, self.today).is_some() && !new.contains(*folded)
        });
        of_today
            .filter(|(folded, _)| morning.has_passed_over(folded))
            .map(|(folded, _)| folded.clone())
            .collect()
    }

    /// Lines of Active Context when the day begins, as many as the budget allows.
    fn active(
        &self,
        topics: impl Iterator<Item = &'a Topic>,
        budget: &mut Budget<'_>,
    ) -> Vec<(String, String)> {
        let line = |topic: &'a Topic| {
            let limit = context::line_limit(topic, ACTIVE_LINE_TOKENS);
            let line = context::active_line(topic, self.spread, limit, budget.costs);
            let folded = || key(&topic.name).as_str().to_owned();
            budget.afford_line(&line).then(|| (folded(), line))
        };
        topics.map_while(line).collect()
    }

    /// ROOT with what today brought.
    fn finish(&self, morning: Morning, tokens_max: usize, costs: &mut Costs) -> Printed {
        let (history, foreign, today) = (self.history, self.foreign, self.today);
        let topics = morning.shown.len();
        let candidates: HashSet<String> = foreign.index_names().filter(|name| morning.knows(name)).collect();
        let left = tokens_max.saturating_sub(morning.spent.tokens());
        let active = self.active_today(morning.active, left, costs);
        let index = shown::index(history, self.spread, foreign, today, morning.shown, costs);
        let (patterns, past) = (morning.patterns, morning.past);
        let generated = [&active, &patterns, &past, &index];
        let generated = generated.into_iter().flatten().cloned().collect();
        let index = foreign.in_index(index, |name| {
            self.head(name).filter(|_| candidates.contains(name))
        });
        let text = assemble(today, foreign, &[active, patterns, past, index]);
        Printed {
            cut_short: morning.cut_short,
            generated,
            tokens: costs.text(&text).tokens(),
            topics,
            text,
        }
    }

    /// Active Context with what today brought: who had a line has the same room again, others one of as many places as what was kept has
    /// room for, those mentioned first before the others.
    fn active_today(&self, before: Vec<(String, String)>, mut left: usize, costs: &mut Costs) -> Vec<String> {
        let mut places = ACTIVE_LINES_TODAY;
        let mut lines = Vec::new();
        let today = context::active_today(self.history, self.today);
        for &topic in &today {
            let name = key(&topic.name);
            let known = before.iter().find(|(folded, _)| folded == name.as_str());
            let limit = match known {
                Some((_, line)) => costs.line(line),
                None => context::line_limit(topic, ACTIVE_LINE_TOKENS_TODAY),
            };
            if known.is_none() {
                places = if limit.tokens() > left { 0 } else { places };
                if places == 0 {
                    continue;
                }
                places -= 1;
                left -= limit.tokens();
            }
            let line = context::active_line(topic, self.spread, limit, costs);
            if costs.line(&line).is_within(limit) {
                lines.push(line);
            }
        }
        let is_of_today = |folded: &String| {
            let now = self.history.topics.get(folded);
            now.is_some_and(|now| now.last >= self.today)
        };
        let others = before.into_iter().filter(|(folded, _)| !is_of_today(folded));
        lines.extend(others.map(|(_, line)| line));
        lines
    }
}

/// The lines of Recent Patterns, in at most so many tokens.
fn patterns(history: &History, today: Day, tokens_max: usize, budget: &mut Budget<'_>) -> Vec<String> {
    let lines = context::patterns(history, today);
    within(tokens_max, budget, |budget| {
        let affordable = |line: &String| budget.afford_line(line);
        lines.into_iter().filter(affordable).collect()
    })
}

/// Spends a part of the budget.
fn within<T>(tokens_max: usize, budget: &mut Budget<'_>, spend: impl FnOnce(&mut Budget<'_>) -> T) -> T {
    let tokens_max = budget.tokens_max.min(budget.spent.tokens() + tokens_max);
    let whole = std::mem::replace(&mut budget.tokens_max, tokens_max);
    let spent = spend(budget);
    budget.tokens_max = whole;
    spent
}
