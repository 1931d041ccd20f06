//! The facts of a summary as lines: which ones, in which order, each said once and with its days.

use super::{PERSONAL, Section};
use crate::memory::calendar::Day;
use crate::memory::digest::{Digest, Said};
use crate::memory::fact::Sort;
use crate::memory::level::Level;
use crate::memory::node::push_day;

/// How many days a line of facts names.
const DATES_MAX: usize = 4;
/// How many newer facts of a topic a fact is compared with.
const ALIKE_LOOKS: usize = 24;

/// The facts of a section in the order in which they are to be chosen: every topic's newest, then every topic's
/// second newest, and so on. What two facts of a topic say in nearly the same words is one line.
pub(super) struct Facts<'a> {
    chosen: Vec<Fact<'a>>,
}

/// A fact that waits to be chosen.
struct Fact<'a> {
    /// Its place in the digest, which is its place in time.
    place: usize,
    said: &'a Said,
    /// The fact with the days of those that say the same in nearly the same words, where there are such.
    joined: Option<Box<Said>>,
}

impl Facts<'_> {
    pub(super) fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Writes the first `lines` of them in the order of their time. Above the days, a line ends with the days on which it was
    /// said.
    pub(super) fn print(mut self, lines: usize, digest: &Digest, level: Level, out: &mut String) {
        self.chosen.truncate(lines);
        self.chosen.sort_unstable_by_key(|fact| fact.place);
        for fact in &self.chosen {
            let said = fact.joined.as_deref().unwrap_or(fact.said);
            out.push_str("- ");
            if let Some(at) = said.topic {
                out.push_str(&digest.topics()[at].name);
                out.push_str(": ");
            }
            if said.sort == Sort::Personal {
                out.push_str(PERSONAL);
            }
            out.push_str(&said.text);
            if level != Level::Daily {
                dates(out, said);
            }
            out.push('\n');
        }
    }
}

/// The facts of a section. `ranks` are the places of the topics among the weightiest.
pub(super) fn facts<'a>(digest: &'a Digest, ranks: &[usize], section: Section) -> Facts<'a> {
    let fits =
        |sort: Sort| section.sort() == Some(sort) || (section == Section::Lessons && sort == Sort::Personal);
    // For each topic, and for none: what was said before the newest date, and on it. The newest takes no turn from the rest.
    let mut of_topics: Vec<[Vec<(Fact<'a>, Words<'a>)>; 2]> = Vec::new();
    of_topics.resize_with(digest.topics().len() + 1, Default::default);
    let newest = digest.newest();
    let facts = digest.said().iter().enumerate().rev();
    for (place, said) in facts.filter(|(_, said)| fits(said.sort)) {
        let at = said.topic.unwrap_or(digest.topics().len());
        let known = &mut of_topics[at][usize::from(Some(said.day) == newest)];
        let words = Words::of(digest.words_said(place));
        let mut newer = known.iter_mut().take(ALIKE_LOOKS);
        match newer.find(|(_, other)| words.are_like(other)) {
            Some((newer, _)) => newer
                .joined
                .get_or_insert_with(|| Box::new(newer.said.clone()))
                .also_on(said),
            None => known.push((
                Fact {
                    place,
                    said,
                    joined: None,
                },
                words,
            )),
        }
    }
    let mut chosen: Vec<(usize, bool, usize, Fact<'a>)> = Vec::new();
    for (at, [older, newest]) in of_topics.into_iter().enumerate() {
        let rank = ranks.get(at).copied().unwrap_or(usize::MAX);
        for (is_older, facts) in [(true, older), (false, newest)] {
            let turns = facts.into_iter().enumerate();
            chosen.extend(turns.map(|(turn, (fact, _))| (turn, is_older, rank, fact)));
        }
    }
    chosen.sort_by_key(|&(turn, is_older, rank, _)| (turn, is_older, rank));
    Facts {
        chosen: chosen.into_iter().map(|(.., fact)| fact).collect(),
    }
}

/// The words of a fact, as [`Digest::words_said`] has them.
struct Words<'a> {
    words: &'a [u32],
    /// A bit for each word: what has a bit that the other has not has a word that the other has not.
    bits: u64,
}

impl<'a> Words<'a> {
    fn of(words: &'a [u32]) -> Self {
        let bits = words.iter().fold(0, |bits, word| bits | 1 << (word % 64));
        Self { words, bits }
    }

    /// Whether four of five words are the same. Short texts differ by the one word that matters.
    fn are_like(&self, other: &Self) -> bool {
        let lengths = (self.words.len(), other.words.len());
        if lengths.0.min(lengths.1) < 5 {
            return false;
        }
        let enough = |shared: usize| shared * 5 >= (lengths.0 + lengths.1 - shared) * 4;
        // Most texts are told apart by how many words they could share at most.
        let missing = (self.bits & !other.bits).count_ones() as usize;
        enough(lengths.1.min(lengths.0 - missing)) && enough(shared(self.words, other.words))
    }
}

/// How many numbers two lists in order have in common.
fn shared(mut one: &[u32], mut other: &[u32]) -> usize {
    let mut shared = 0;
    while let (Some((first, one_rest)), Some((second, other_rest))) = (one.split_first(), other.split_first())
    {
        shared += usize::from(first == second);
        if first <= second {
            one = one_rest;
        }
        if second <= first {
            other = other_rest;
        }
    }
    shared
}

/// ` (2026-03-10)`, or the first day and the last ones.
fn dates(out: &mut String, said: &Said) {
    out.push_str(" (");
    push_day(out, said.day);
    for &day in said.again.iter().rev().take(DATES_MAX - 1).rev() {
        out.push_str(", ");
        push_day(out, day);
    }
    out.push(')');
}

/// Takes the days from the end of a line of [`print`](super::print)'s facts, the first apart from the others.
pub fn split_dates(text: &str) -> (&str, Option<(Day, Vec<Day>)>) {
    let split = text.strip_suffix(')').and_then(|inside| {
        let mut opening = memchr::memrchr_iter(b'(', inside.as_bytes());
        let open = opening.find(|&at| inside[..at].ends_with(' '))?;
        let (text, days) = (&inside[..open - 1], &inside[open + 1..]);
        let mut days = days.split(", ").map(Day::parse);
        let first = days.next()??;
        Some((text, Some((first, days.collect::<Option<_>>()?))))
    });
    split.unwrap_or((text, None))
}

#[cfg(test)]
mod tests;
