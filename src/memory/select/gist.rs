//! The gist of what a person tells of themselves: the clauses with names, numbers, dates and matter, without what is said around them.

use super::shorten::{Clause, cut, filler, gap_before, pieces, size, trim};
use super::*;
use crate::memory::language::{KIN, SELF, WHEN};
use crate::memory::statement::COMPANY_WORDS;
use crate::memory::text::is_listed;
use std::ops::Range;

/// What a word counts for that names somebody or something, counts or dates it; one that is no name; one of every conversation.
const NAMED: f64 = 2.0;
const PLAIN: f64 = 1.0;
const EVERYDAY: f64 = 0.4;
/// What each word of a clause must bring, and how much more than that a clause brings that stands beside another.
const PER_WORD: f64 = 0.6;
const BESIDE: f64 = 1.0;
/// What the clause counts for in which the person speaks of themself first: what the others say belongs to it.
const OWN: f64 = 2.5;

/// The gist of a statement, and what its words count for.
#[derive(Debug, Default)]
pub struct Gist {
    pub text: String,
    pub worth: Vec<(Term, f64)>,
    /// How many names, numbers and dates it has.
    pub names: usize,
}

/// The clauses of a statement that say most for their length, of about `room` words together.
pub fn gist(told: &Statement, room: usize) -> Gist {
    let words = &told.words.words;
    let values: Vec<f64> = (0..words.len()).map(|at| value(told, at)).collect();
    let mut speaks = false;
    let mut ranked: Vec<(f64, usize, Clause)> = Vec::new();
    let pieces = pieces(told, |at| is_opener(words[at].text(&told.text)) && !is_company(told, at));
    for (place, clause) in pieces.into_iter().enumerate() {
        let speaks_of_self = |word: &Word| word.cues & SELF != 0;
        let is_first = !speaks && words[clause.from..clause.to].iter().any(speaks_of_self);
        speaks |= is_first;
        let clause = without_lead(told, clause);
        let run = trim(told, clause);
        if run.from == run.to || !clause.negated && is_comment(told, clause, &values) {
            continue;
        }
        let run = with_verb(told, clause, run);
        let sum = values[run.from..run.to].iter().sum::<f64>() - PER_WORD * size(told, run);
        // "But not any more" belongs to what it takes back.
        let least = if clause.negated { BESIDE } else { f64::MIN };
        ranked.push((if is_first { sum + OWN } else { sum.max(least) }, place, run));
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut left = room as f64;
    let mut taken: Vec<(usize, Clause)> = Vec::new();
    for (worth, place, run) in ranked {
        let size = size(told, run);
        if taken.is_empty() || worth >= BESIDE && size <= left {
            left -= size;
            taken.push((place, run));
        }
    }
    taken.sort_by_key(|(place, _)| *place);
    let mut gist = Gist::default();
    let mut before: Option<(usize, Clause)> = None;
    for (place, mut run) in taken {
        // "Two weeks" says nothing of when, nor "least ten" how many.
        let is_word =
            |at: usize, list| words.get(at).is_some_and(|word| is_listed(word.text(&told.text), list));
        let is_dated =
            words[run.from].cues & WHEN != 0 && is_word(run.from.wrapping_sub(1), "In in On on Since since");
        run.from -= usize::from(is_dated || run.from > 0 && is_word(run.from, "least"));
        run.to += usize::from(is_word(run.to, "ago") || is_one_name(told, run.to));
        let text = cut(told, run, &FxHashSet::default()).text;
        match before {
            Some((last, _)) if last + 1 != place => gist.text += ", ",
            Some((_, last)) => {
                gist.text +=
                    between(&told.text[words[last.to - 1].end as usize..words[run.from].start as usize]);
            }
            None => {}
        }
        gist.text += &without_idle(&text);
        before = Some((place, run));
        gist.weigh(told, run.from..run.to);
    }
    gist
}

impl Gist {
    /// All of a statement.
    pub fn whole(told: &Statement) -> Self {
        let mut gist = Self { text: told.text.clone(), ..Self::default() };
        gist.weigh(told, 0..told.words.words.len());
        gist
    }

    fn weigh(&mut self, told: &Statement, run: Range<usize>) {
        for at in run {
            let (word, value) = (&told.words.words[at], value(told, at));
            self.names += usize::from(value >= NAMED);
            let term = told.words.terms_of(word).first().copied();
            let term = term.or((value > 0.0).then_some(word.hash));
            self.worth.extend(term.map(|term| (term, value)));
        }
    }
}

/// Whether a name goes on with a word that alone says when: "Black Friday".
fn is_one_name(told: &Statement, at: usize) -> bool {
    let pair = at.checked_sub(1).and_then(|before| told.words.words.get(before..=at));
    let Some([before, word]) = pair else {
        return false;
    };
    let is_capital = |word: &Word| word.text(&told.text).starts_with(char::is_uppercase);
    word.cues & WHEN != 0
        && is_capital(word)
        && is_capital(before)
        && before.cues & (WHEN | SELF) == 0
        && &told.text[before.end as usize..word.start as usize] == " "
}

/// What parts two clauses, without brackets and quotation marks, for these are the clauses' own.
fn between(gap: &str) -> &str {
    gap.trim_end_matches(['(', '"', '“', '«', '$', '€', '£'])
        .trim_start_matches([')', '"', '”', '»'])
}

/// Without the words between others that nobody misses: "rode my road bike to the really small town".
fn without_idle(text: &str) -> String {
    const IDLE: &str = "a an the my our really actually also just so very pretty super quite recently lately";
    let mut out = String::new();
    let mut quoted = false;
    for word in text.split(' ') {
        if out.is_empty() || quoted || !is_listed(word, IDLE) {
            out += if out.is_empty() { "" } else { " " };
            out += word;
        }
        quoted ^= word.matches('"').count() % 2 == 1;
    }
    out
}

/// Whether a clause begins with a word, behind a mark or not.
fn is_opener(word: &str) -> bool {
    const OPENERS: &str = "and but so because which where when who while although though";
    is_listed(&word.to_lowercase(), OPENERS)
}

/// A clause from where the person says what happened: "think I gained", "noticed that we lost". "What I have came from Visby" tells of
/// what they have.
fn without_lead(told: &Statement, clause: Clause) -> Clause {
    const LEAD_WORDS: usize = 5;
    const RELATIVES: &str = "what which whom whose";
    let mut words = clause.from..clause.to.min(clause.from + LEAD_WORDS);
    let start = words.rfind(|at| speaks(told, *at)).unwrap_or(clause.from);
    let names = (clause.from + 1..start).any(|at| value(told, at) >= NAMED);
    let is_relative = |at: usize| is_listed(&told.words.words[at].text(&told.text).to_lowercase(), RELATIVES);
    let stays =
        clause.negated || names || start > 0 && (is_company(told, start - 1) || is_relative(start - 1));
    Clause { from: if stays { clause.from } else { start }, ..clause }
}

/// A trimmed clause with what the person did, "took it to Selma" and not "Selma"; one of hardly any words goes on to its end.
fn with_verb(told: &Statement, clause: Clause, run: Clause) -> Clause {
    const AUXILIARIES: &str = "am was were have had be do did will would can could";
    const ADVERBS: &str = "been just also finally actually recently really already currently only still even";
    const FEW_WORDS: usize = 3;
    let lower = |at: usize| told.words.words[at].text(&told.text).to_lowercase();
    // "I've been looking at" begins with its verb already, "I've been to" does not.
    let is_adverb = |at: usize| {
        let word = lower(at);
        is_listed(&word, ADVERBS) && (word != "been" || lower(at + 1).ends_with("ing"))
    };
    let has_verb = |at: usize| is_adverb(at) || is_listed(&lower(at), AUXILIARIES);
    let mut trimmed = clause.from + 1..run.from;
    let lacks_verb = speaks(told, clause.from) && !trimmed.is_empty() && !has_verb(run.from - 1);
    let verb = trimmed.find(|&at| !is_adverb(at)).filter(|_| lacks_verb);
    let from = verb.unwrap_or(run.from);
    let to = if run.to - from < FEW_WORDS { clause.to } else { run.to };
    Clause { from, to, ..run }
}

/// Whether the person speaks of themself at a place.
fn speaks(told: &Statement, at: usize) -> bool {
    const SPEAKERS: &str = "i i'm i've i'd we we've we're";
    let word = told.words.words.get(at).filter(|word| word.cues & SELF != 0);
    word.is_some_and(|word| is_listed(&word.text(&told.text).to_lowercase().replace('’', "'"), SPEAKERS))
}

/// Whether an "and" puts the person beside others: "my friend Anna and I".
fn is_company(told: &Statement, at: usize) -> bool {
    (1..=COMPANY_WORDS).contains(&at)
        && told.words.words[at].text(&told.text) == "and"
        && speaks(told, at + 1)
}

/// Whether a clause only says what something is like: "and they're really comfy".
fn is_comment(told: &Statement, clause: Clause, values: &[f64]) -> bool {
    let words = &told.words.words[clause.from..clause.to];
    let first = words.iter().position(|word| word.cues & JOIN == 0).unwrap_or(0);
    clause.from > 0
        && words[first].cues & STOP != 0
        && !gap_before(told, clause.from).contains(['(', '"'])
        && words.iter().all(|word| word.cues & (SELF | KIN) == 0)
        && values[clause.from..clause.to].iter().all(|value| *value < NAMED)
}

fn value(told: &Statement, at: usize) -> f64 {
    let word = &told.words.words[at];
    let text = word.text(&told.text);
    let capital = at > 0 && text.chars().count() > 1 && text.starts_with(char::is_uppercase);
    if filler(told, word) || word.cues & JOIN != 0 {
        0.0
    } else if capital || matches!(word.class, Class::Number | Class::Code) || word.cues & KIN != 0 {
        NAMED
    } else if word.class == Class::Unspaced {
        // Three characters are about a word.
        f64::from(word.end - word.start) / 9.0
    } else if word.cues & COMMON != 0 {
        EVERYDAY
    } else if told.words.terms_of(word).is_empty() {
        0.0
    } else {
        PLAIN
    }
}
