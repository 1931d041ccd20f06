//! How the index spends its part of the cap.
//!
//! Every name gets the same number of tokens for its words, and is charged that number whatever its words come to: a new mention of a
//! topic, which moves it before others, takes nothing from them. The number is the largest of a few with which all topics fit. What is
//! then left gives some the next larger number, in an order that no mention changes. Where the smallest would be too small to say
//! anything, older topics keep one word, and the oldest leave the index. What is left over is the history's.

use xxhash_rust::xxh3::xxh3_64;

use super::lines::Candidate;
use super::{Budget, FRESH_DAYS};

/// Tokens of words behind a name, from the most that are worth reading to the fewest that say something.
const WORDS: [usize; 7] = [44, 30, 21, 15, 11, 8, WORDS_MIN];
const WORDS_MIN: usize = 6;
/// The same where all else is said.
const WIDE: [usize; 2] = [96, 64];
/// What is left of the words of older topics where not all fit: the most telling one.
const WORD: usize = 4;
/// The same for what concerns the person: rules are sentences. None, for names alone.
const RULES: [usize; 5] = [36, 28, 20, 12, 0];

/// Shows as much of every topic as fits.
pub(super) fn spend(candidates: &mut [Candidate<'_>], budget: &mut Budget<'_>) {
    let (mut personal, others): (Vec<_>, Vec<_>) = candidates
        .iter_mut()
        .partition(|candidate| candidate.is_personal());
    let (mut resting, mut alive): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|candidate| candidate.is_resting());
    let third = budget.left() / 3;
    let whole = std::mem::replace(&mut budget.tokens_max, budget.spent.tokens() + third);
    level(&mut personal, budget, &RULES);
    budget.tokens_max = whole;

    if level(&mut alive, budget, &WORDS) {
        if !level(&mut resting, budget, &WORDS) {
            first(&mut resting, budget, WORD);
        }
        return;
    }
    cramped(&mut alive, budget);
}

/// Shows what fits of topics of which not all do with the fewest tokens that say something: those have the fresh ones, older ones a word.
fn cramped(alive: &mut [&mut Candidate<'_>], budget: &mut Budget<'_>) {
    let is_fresh = |candidate: &Candidate<'_>| candidate.age <= FRESH_DAYS;
    let mut of_fresh = budget.spent;
    for candidate in alive.iter_mut().filter(|candidate| is_fresh(candidate)) {
        of_fresh = candidate.spend(of_fresh, WORDS_MIN, budget);
    }
    if of_fresh.tokens() > budget.tokens_max {
        first(alive, budget, WORDS_MIN);
        return;
    }
    // What the fresh ones have more than the others is theirs before older ones are shown at all.
    let fresh = alive.iter().filter(|candidate| is_fresh(candidate)).count();
    let more = (fresh * (WORDS_MIN - WORD)).min(budget.left());
    budget.tokens_max -= more;
    first(alive, budget, WORD);
    budget.tokens_max += more;
    let fresh = alive.iter_mut();
    for candidate in fresh.filter(|candidate| candidate.is_shown() && is_fresh(candidate)) {
        candidate.show(budget, WORDS_MIN);
    }
}

/// Shows all with the largest of some numbers of tokens with which all fit, and as many as then fit with the next larger. Says
/// whether there is such a number.
fn level(candidates: &mut [&mut Candidate<'_>], budget: &mut Budget<'_>, steps: &[usize]) -> bool {
    let mut fits = |room: usize| {
        let mut spent = budget.spent;
        candidates.iter_mut().all(|candidate| {
            spent = candidate.spend(spent, room, budget);
            spent.tokens() <= budget.tokens_max
        })
    };
    let Some(step) = steps.iter().position(|&room| fits(room)) else {
        return false;
    };
    for candidate in candidates.iter_mut() {
        candidate.show(budget, steps[step]);
    }
    if let Some(wider) = step.checked_sub(1) {
        widen_to(
            candidates.iter_mut().map(|candidate| &mut **candidate),
            budget,
            steps[wider],
        );
    }
    true
}

/// Gives what is left to a few, as much as each has words for, in an order that no mention changes. What came up today is no longer than
/// it may be whatever is said of it.
pub(super) fn widen(candidates: &mut [Candidate<'_>], budget: &mut Budget<'_>) {
    let mut order: Vec<&mut Candidate<'_>> = candidates
        .iter_mut()
        .filter(|candidate| candidate.is_shown() && !candidate.is_personal() && !candidate.is_new)
        .collect();
    order.sort_by_cached_key(|candidate| xxh3_64(candidate.folded.as_bytes()));
    for candidate in order {
        if budget.left() < WORD {
            return;
        }
        let _ = WIDE
            .iter()
            .chain(&WORDS)
            .any(|&room| candidate.widen(room, budget));
    }
}

/// Gives so much room to as many as can have it, in an order that no mention changes. These are returned.
fn widen_to<'a, 'b: 'a>(
    candidates: impl Iterator<Item = &'a mut Candidate<'b>>,
    budget: &mut Budget<'_>,
    room: usize,
) {
    let mut order: Vec<&mut Candidate<'_>> = candidates.collect();
    order.sort_by_cached_key(|candidate| xxh3_64(candidate.folded.as_bytes()));
    for candidate in order {
        let spent = candidate.spend(budget.spent, room, budget);
        if spent.tokens() > budget.tokens_max || !candidate.show(budget, room) {
            return;
        }
    }
}

/// Shows the first that fit with so many tokens each. Says whether all do.
fn first(candidates: &mut [&mut Candidate<'_>], budget: &mut Budget<'_>, room: usize) -> bool {
    candidates
        .iter_mut()
        .all(|candidate| candidate.show(budget, room))
}
