//! What a conversation without a heading is about: the words that its person brings up and both come back to.

use super::{Speaker, Statement};
use crate::memory::language::{Cues, KIN, NAME, SERVICE, STOP, lexicon};
use crate::memory::words::{Class, Term, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a word of the person counts for beside one of the assistant, who says ten times as much.
const PERSON: f64 = 3.0;
/// A theme is said so often at least, counted so.
const COUNT_MIN: f64 = 5.0;
/// Two words side by side are the theme if they are said more than once, and in so large a part of the places where its word stands. With
/// 0.25 more pairs are chance ("walking distance"), with 0.5 more names are too wide ("lamp" for "floor lamp").
const TOGETHER: f64 = 0.3;
/// What the lists know of a word that may be a theme: it names somebody or something. All else they know of makes it a verb or filler.
const NAMING: Cues = NAME | SERVICE | KIN;

/// Gives the conversations that stand under no name one each, as the heading of what is said there. `sections` are the places where one
/// begins. Hands back the names.
pub(super) fn name_conversations(statements: &mut [Statement], sections: &[usize]) -> Vec<String> {
    let ends = sections.iter().skip(1).copied().chain([statements.len()]);
    let is_nameless = |told: &Statement| told.speaker.is_some() && told.heads.is_empty() && !told.tagged;
    let mut spans: Vec<(usize, usize)> = sections.iter().copied().zip(ends).collect();
    spans.retain(|&(from, to)| {
        let mut told = statements[from..to].iter();
        told.clone().all(is_nameless) && told.any(|told| told.speaker == Some(Speaker::User))
    });
    let mut spread: FxHashMap<Term, f64> = FxHashMap::default();
    for &(from, to) in &spans {
        let terms: FxHashSet<Term> = statements[from..to]
            .iter()
            .flat_map(|told| told.words.terms().iter().copied())
            .collect();
        for term in terms {
            *spread.entry(term).or_default() += 1.0;
        }
    }
    let mut themes = Vec::new();
    for &(from, to) in &spans {
        let Some(theme) = theme(&statements[from..to], &spread, spans.len() as f64) else {
            continue;
        };
        for told in &mut statements[from..to] {
            told.heads = vec![theme.clone()];
            told.named = true;
        }
        themes.push(theme);
    }
    themes
}

/// The word, or the two words, that the person says and that stand out most among the conversations of the log.
fn theme(told: &[Statement], spread: &FxHashMap<Term, f64>, sections: f64) -> Option<String> {
    let mut counts: FxHashMap<Term, (f64, bool, Spellings<'_>)> = FxHashMap::default();
    let mut pairs: FxHashMap<(Term, Term), (f64, Spellings<'_>)> = FxHashMap::default();
    for told in told {
        let is_person = told.speaker == Some(Speaker::User);
        let weight = if is_person { PERSON } else { 1.0 };
        let mut before: Option<(&Word, Term)> = None;
        for word in &told.words.words {
            let Some(&term) = told.words.terms_of(word).first().filter(|_| !is_small(word)) else {
                before = None;
                continue;
            };
            if is_theme(word) {
                let count = counts.entry(term).or_default();
                count.0 += weight;
                count.1 |= is_person;
                *count.2.entry(word.text(&told.text)).or_default() += 1;
            }
            if let Some((first, other)) = before
                && told.text[first.end as usize..word.start as usize] == *" "
            {
                let both = &told.text[first.start as usize..word.end as usize];
                let pair = pairs.entry((other, term)).or_default();
                pair.0 += weight;
                *pair.1.entry(both).or_default() += 1;
            }
            // "Battery life" is a theme, "other battery" is none.
            before = is_theme(word).then_some((word, term));
        }
    }
    let worth = |term: &Term, count: f64| count * ((1.0 + sections) / spread[term]).ln();
    let (&best, (count, _, name)) = counts
        .iter()
        .filter(|(_, (count, is_persons, _))| *is_persons && *count >= COUNT_MIN)
        .max_by(|one, other| {
            let by_worth = worth(one.0, one.1.0).total_cmp(&worth(other.0, other.1.0));
            by_worth.then_with(|| commonest(&other.1.2).cmp(commonest(&one.1.2)))
        })?;
    let has_best = |(one, other): &(Term, Term)| (*one == best || *other == best) && one != other;
    let pairs = pairs.iter().filter(|(terms, _)| has_best(terms)).map(|(_, pair)| pair);
    let pair = pairs
        .filter(|(together, _)| *together > PERSON && *together >= TOGETHER * count)
        .max_by(|one, other| {
            let by_count = one.0.total_cmp(&other.0);
            by_count.then_with(|| commonest(&other.1).cmp(commonest(&one.1)))
        });
    Some(commonest(pair.map_or(name, |(_, both)| both)).to_owned())
}

/// How often a word was written in which way.
type Spellings<'a> = BTreeMap<&'a str, u32>;

/// The commonest spelling; of several the shortest, which is the least inflected.
fn commonest<'a>(spellings: &Spellings<'a>) -> &'a str {
    let spelled = spellings.iter();
    let most = spelled.max_by_key(|(text, count)| (**count, Reverse(text.len()), Reverse(**text)));
    most.map_or("", |(text, _)| text)
}

fn is_theme(word: &Word) -> bool {
    word.cues & !NAMING == 0 && !is_small(word)
}

/// Whether a word says nothing by itself. A conversation in two languages has the small words of both.
fn is_small(word: &Word) -> bool {
    let all = lexicon().word(word.hash, u32::MAX);
    all & STOP != 0 && all & NAMING == 0 || !matches!(word.class, Class::Plain | Class::Unspaced)
}

#[cfg(test)]
mod tests;
