//! How the index spends its part of the cap.
//!
//! Every name gets the same number of tokens for its words, so that a new mention of a topic, which moves it before others, takes nothing from
//! them: what it costs is what it did cost. The number is the largest with which all topics fit. Where it would be too small to say
//! anything, older topics keep one word, and the oldest leave the index. How many stay is a round number, lest a token more
//! here take a line away there; what is left over is the history's.

use super::lines::Candidate;
use super::{Budget, FRESH_DAYS};

/// Tokens of words behind a name, from the most that are worth reading to the fewest that say something. Few steps, far apart: a
/// step changes every line, and a new entry shall change one.
const WORDS: [usize; 7] = [44, 30, 21, 15, 11, 8, WORDS_MIN];
const WORDS_MIN: usize = 6;
/// What is left of the words of older topics where not all fit: the most telling one.
const WORD: usize = 4;
/// The same for what concerns the person: rules are sentences. None, for names alone.
const RULES: [usize; 5] = [36, 28, 20, 12, 0];
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
    let tokens = widest(&mut personal, budget, &RULES).unwrap_or(0);
    show(&mut personal, budget, tokens);
    budget.tokens_max = whole;

    if let Some(tokens) = widest(&mut alive, budget, &WORDS) {
        show(&mut alive, budget, tokens);
        match widest(&mut resting, budget, &WORDS) {
            Some(tokens) => show(&mut resting, budget, tokens),
            None => {
                let count = fitting(&resting, budget, WORD);
                show(&mut resting[..count], budget, WORD);
            }
        }
        return;
    }
    let fresh = alive
        .iter()
        .take_while(|candidate| candidate.age <= FRESH_DAYS)
        .count();
    let (fresh, old) = alive.split_at_mut(fresh);
    let count = fitting(fresh, budget, WORDS_MIN);
    show(&mut fresh[..count], budget, WORDS_MIN);
    if count == fresh.len() {
        let count = fitting(old, budget, WORD);
        show(&mut old[..count], budget, WORD);
    }
}

fn show(candidates: &mut [&mut Candidate], budget: &mut Budget<'_>, tokens: usize) {
    for candidate in candidates {
        candidate.show(budget, tokens);
    }
}

/// The first of some numbers of tokens with which all fit.
fn widest(candidates: &mut [&mut Candidate], budget: &mut Budget<'_>, steps: &[usize]) -> Option<usize> {
    let fits = |&tokens: &usize| {
        let mut spent = budget.spent;
        candidates.iter().all(|candidate| {
            spent = candidate.spend(spent, tokens, budget.costs);
            spent.tokens() <= budget.tokens_max
        })
    };
    steps.iter().copied().find(fits)
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
