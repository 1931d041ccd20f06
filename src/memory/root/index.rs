//! How the index spends its part of the cap.
//!
//! Every line gets the same number of tokens, so that a new mention of a topic, which moves it before others, takes nothing from
//! them: what it costs is what it did cost. The number is the largest with which all topics fit. Where it would be too small to say
//! anything, older topics keep their names only, and the oldest leave the index. How many stay is a round number, lest a token more
//! here take a line away there; what is left over is the history's.

use super::lines::Candidate;
use super::{Budget, FRESH_DAYS};

/// Tokens of a line: the fewest that say more than a name, and the most that are worth reading.
const LINE_MIN: usize = 17;
const LINE_MAX: usize = 56;
/// The same for what concerns the person: rules are sentences.
const PERSONAL_MAX: usize = 48;
/// What topics come and go by.
const ROUND: usize = 4;

/// Shows as much of every topic as fits.
pub(super) fn spend(candidates: &mut [Candidate], budget: &mut Budget<'_>) {
    let (mut personal, others): (Vec<_>, Vec<_>) = candidates
        .iter_mut()
        .partition(|candidate| candidate.is_personal());
    let (mut resting, mut alive): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|candidate| candidate.is_resting());
    let third = budget.left() / 3;
    let whole = std::mem::replace(&mut budget.tokens_max, budget.spent.tokens() + third);
    let tokens = widest(&mut personal, budget, 0, PERSONAL_MAX).unwrap_or(0);
    show(&mut personal, budget, tokens);
    budget.tokens_max = whole;

    if let Some(tokens) = widest(&mut alive, budget, LINE_MIN, LINE_MAX) {
        show(&mut alive, budget, tokens);
        match widest(&mut resting, budget, 0, LINE_MAX) {
            Some(tokens) => show(&mut resting, budget, tokens),
            None => {
                let count = fitting(&resting, budget, 0);
                show(&mut resting[..count], budget, 0);
            }
        }
        return;
    }
    let fresh = alive
        .iter()
        .take_while(|candidate| candidate.age <= FRESH_DAYS)
        .count();
    let (fresh, old) = alive.split_at_mut(fresh);
    let count = fitting(fresh, budget, LINE_MIN);
    show(&mut fresh[..count], budget, LINE_MIN);
    if count == fresh.len() {
        let count = fitting(old, budget, 0);
        show(&mut old[..count], budget, 0);
    }
}

fn show(candidates: &mut [&mut Candidate], budget: &mut Budget<'_>, tokens: usize) {
    for candidate in candidates {
        candidate.show(budget, tokens);
    }
}

/// The most tokens a line with which all fit, from `least` to `most`.
fn widest(
    candidates: &mut [&mut Candidate],
    budget: &mut Budget<'_>,
    least: usize,
    most: usize,
) -> Option<usize> {
    let mut fits = |tokens: usize| {
        let mut spent = budget.spent;
        for candidate in candidates.iter() {
            spent = candidate.spend(spent, tokens, budget.costs);
            if spent.tokens() > budget.tokens_max {
                return false;
            }
        }
        true
    };
    if !fits(least) {
        return None;
    }
    let (mut low, mut high) = (least, most + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// How many of the first fit with so many tokens a line: all, or a round number.
fn fitting(candidates: &[&mut Candidate], budget: &mut Budget<'_>, tokens: usize) -> usize {
    let mut spent = budget.spent;
    for (at, candidate) in candidates.iter().enumerate() {
        spent = candidate.spend(spent, tokens, budget.costs);
        if spent.tokens() > budget.tokens_max {
            return at - at % ROUND;
        }
    }
    candidates.len()
}
