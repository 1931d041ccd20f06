//! ROOT on its way into text: as it was when the day began, and what the day brought.
//!
//! Everything is decided by what was known when the day began, to the last token but for a part of the cap that is kept. What the day
//! brings for a topic takes the place of that topic's own lines, at no more than these cost, and some of it a line of Active Context from
//! what was kept. So no mention of a topic that ROOT knows changes a line of another. Only a topic that ROOT did not show is made room for,
//! by its name alone.

use std::collections::HashSet;

use super::history::History;
use super::lines::{self, Candidate};
use super::{Budget, Costs, Foreign, Printed, assemble, context, index, past};
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
    pub(super) today: Day,
}

/// A ROOT as it was when the day began.
struct Morning<'a> {
    /// What it costs.
    spent: Cost,
    active: Vec<(&'a Topic, String)>,
    patterns: Vec<String>,
    past: Vec<String>,
    candidates: Vec<Candidate<'a>>,
    cut_short: bool,
}

impl<'a> Page<'a> {
    /// The ROOT. When it is `exact`, every line is charged what it costs.
    pub(super) fn print(&self, tokens_max: usize, exact: bool, costs: &mut Costs) -> Printed {
        let mut new = HashSet::new();
        for _ in 0..ROUNDS {
            let morning = self.morning(tokens_max, exact, &new, costs);
            let left_out = morning.left_out();
            if left_out.is_empty() {
                return self.finish(morning, tokens_max, costs);
            }
            new.extend(left_out);
        }
        let morning = self.morning(tokens_max, exact, &new, costs);
        self.finish(morning, tokens_max, costs)
    }

    /// ROOT as it would have been when the day began, had it known `new`.
    fn morning(
        &self,
        tokens_max: usize,
        exact: bool,
        new: &HashSet<String>,
        costs: &mut Costs,
    ) -> Morning<'a> {
        let (history, foreign, today) = (self.history, self.foreign, self.today);
        let mut candidates = lines::candidates(history, self.spread, foreign, (today, new), tokens_max);
        let theirs = foreign.in_index(Vec::new(), &candidates);
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
        Morning {
            spent: budget.spent,
            active,
            patterns,
            past: past.lines(),
            candidates,
            cut_short,
        }
    }

    /// Lines of Active Context when the day begins, as many as the budget allows.
    fn active(
        &self,
        topics: impl Iterator<Item = &'a Topic>,
        budget: &mut Budget<'_>,
    ) -> Vec<(&'a Topic, String)> {
        let line = |topic: &'a Topic| {
            let limit = context::line_limit(topic, ACTIVE_LINE_TOKENS);
            let line = context::active_line(topic, self.spread, limit, budget.costs);
            budget.afford_line(&line).then_some((topic, line))
        };
        topics.map_while(line).collect()
    }

    /// ROOT with what today brought.
    fn finish(&self, morning: Morning<'a>, tokens_max: usize, costs: &mut Costs) -> Printed {
        let left = tokens_max.saturating_sub(morning.spent.tokens());
        let active = self.active_today(morning.active, left, costs);
        let mut candidates = morning.candidates;
        for candidate in &mut candidates {
            candidate.bring_up_to_date(costs);
        }
        let index = lines::index(&candidates);
        let (patterns, past) = (morning.patterns, morning.past);
        let generated = [&active, &patterns, &past, &index];
        let generated = generated.into_iter().flatten().cloned().collect();
        let index = self.foreign.in_index(index, &candidates);
        let text = assemble(self.today, self.foreign, &[active, patterns, past, index]);
        let shown = candidates.iter().filter(|candidate| candidate.is_shown());
        Printed {
            cut_short: morning.cut_short,
            generated,
            tokens: costs.text(&text).tokens(),
            topics: shown.count(),
            text,
        }
    }

    /// Active Context with what today brought: who had a line has the same room again, others one of as many places as what was kept has
    /// room for, those mentioned first before the others.
    fn active_today(
        &self,
        before: Vec<(&'a Topic, String)>,
        mut left: usize,
        costs: &mut Costs,
    ) -> Vec<String> {
        let mut places = ACTIVE_LINES_TODAY;
        let mut lines = Vec::new();
        let today = context::active_today(self.history, self.today);
        for &topic in &today {
            let name = key(&topic.name);
            let known = before.iter().find(|(topic, _)| key(&topic.name) == name);
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
        let is_of_today = |topic: &Topic| {
            let now = self.history.topic(&topic.name);
            now.is_some_and(|now| now.last >= self.today)
        };
        let others = before.into_iter().filter(|(topic, _)| !is_of_today(topic));
        lines.extend(others.map(|(_, line)| line));
        lines
    }
}

impl Morning<'_> {
    /// The topics of today that it had no room for.
    fn left_out(&self) -> Vec<String> {
        let candidates = self.candidates.iter();
        candidates
            .filter(|candidate| candidate.now.is_some() && !candidate.is_new && !candidate.is_shown())
            .map(|candidate| candidate.folded.clone())
            .collect()
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
