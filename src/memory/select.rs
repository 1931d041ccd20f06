//! The best use of a budget: which statements are said, shortened to their best clauses, and under which subject's line.

use super::language::{COMMON, JOIN, NOT, STOP, is_unspaced};
use super::statement::Statement;
use super::subject::Subjects;
use super::weight::Weights;
use super::words::{Class, Term, Word};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// What a word counts for that another line has said: 0.5 costs 0.013 of what a page knows, 0 as much as 0.1.
const SAID_ELSEWHERE: f64 = 0.1;
/// What joining a line that is there already adds: few full lines read better than many thin ones; 0.3 costs 0.003.
const JOINING: f64 = 0.6;
/// What a number, and what a word of every conversation, is worth beside one that names something.
const NUMBER: f64 = 0.2;
const GENERAL: f64 = 0.5;
/// By so many words a clause is thought longer than it is, so that one rare word alone does not win.
const CLAUSE: f64 = 1.5;
/// How many words one that is left out counts for.
const FILLER: f64 = 0.2;
/// New terms that a statement must bring to a line, and the share of its terms that must be new to it.
const NEW_MIN: usize = 3;
const NEW_SHARE: f64 = 0.6;

/// What a line may hold.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Words of a statement.
    pub words: usize,
    /// Terms of a line.
    pub terms: usize,
    /// Statements of a line.
    pub parts: usize,
    /// Whether clauses stay whole where that is possible.
    pub whole: bool,
    /// What a line costs beside its name and parts.
    pub dress: usize,
}

/// A statement on a line.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its place among the statements.
    pub statement: usize,
    /// Its best clauses.
    pub text: String,
}

/// A subject's line in the making.
#[derive(Debug, Default)]
pub struct Line {
    /// What is said, in the order of choice.
    pub parts: Vec<Part>,
    /// The weight of it.
    pub gain: f64,
    /// Details of headings that were said.
    details: FxHashSet<usize>,
    terms: FxHashSet<Term>,
    count: usize,
}

/// Lines by subject.
pub type Lines = BTreeMap<usize, Line>;

/// Chooses among statements. What was said once is worth little on another line, in whatever section.
pub struct Selector<'a> {
    statements: &'a [Statement],
    subjects: &'a Subjects,
    weights: &'a Weights,
    cost: &'a dyn Fn(&str) -> usize,
    covered: FxHashSet<Term>,
    taken: FxHashSet<usize>,
}

/// What a statement would bring to a line.
struct Offer {
    rate: f64,
    subject: usize,
    text: String,
    detail: Option<usize>,
    cost: usize,
    new: Vec<Term>,
}

#[derive(PartialEq)]
struct Waiting(f64, usize);

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

impl<'a> Selector<'a> {
    /// Nothing is said yet.
    pub fn new(statements: &'a [Statement], subjects: &'a Subjects, weights: &'a Weights, cost: &'a dyn Fn(&str) -> usize) -> Self {
        Self { statements, subjects, weights, cost, covered: FxHashSet::default(), taken: FxHashSet::default() }
    }

    /// Takes whole statements, best first, while they fit and say something new. Hands back which.
    pub fn whole(&mut self, ranked: &[usize], mut budget: usize, dress: usize) -> Vec<usize> {
        let mut taken: Vec<usize> = Vec::new();
        for &at in ranked {
            let told = &self.statements[at];
            let cost = (self.cost)(&told.text) + dress;
            let terms: FxHashSet<Term> = told.words.terms().iter().copied().collect();
            let alike = |other: &usize| {
                let other = &self.statements[*other];
                let both = other.words.terms().iter().filter(|term| terms.contains(term)).count();
                both * 2 > terms.len().min(other.words.terms().len())
            };
            if cost > budget || self.taken.contains(&at) || taken.iter().any(alike) {
                continue;
            }
            self.covered.extend(terms);
            self.taken.insert(at);
            taken.push(at);
            budget -= cost;
        }
        taken
    }

    /// Whether a statement was not chosen yet, and most of these terms were said nowhere.
    pub fn is_new(&self, at: usize, terms: &[Term]) -> bool {
        !self.taken.contains(&at) && terms.iter().filter(|term| self.covered.contains(term)).count() * 2 < terms.len()
    }

    /// Notes that a statement was said with these terms.
    pub fn say(&mut self, at: usize, terms: &[Term]) {
        self.taken.insert(at);
        self.covered.extend(terms);
    }

    /// Adds to `lines` what brings most for its cost, until the budget is spent. Hands back what is left.
    pub fn fill(&mut self, lines: &mut Lines, pool: &[usize], mut budget: usize, shape: Shape) -> usize {
        let mut waiting: BinaryHeap<Waiting> = BinaryHeap::new();
        for (place, &at) in pool.iter().enumerate() {
            if let Some(offer) = self.offer(at, lines, shape) {
                waiting.push(Waiting(offer.rate, place));
            }
        }
        while let Some(Waiting(rate, place)) = waiting.pop() {
            let at = pool[place];
            let Some(offer) = self.offer(at, lines, shape) else { continue };
            // Others took a part of its words since it was weighed.
            if offer.rate < rate * 0.99 && waiting.peek().is_some_and(|next| next.0 > offer.rate) {
                waiting.push(Waiting(offer.rate, place));
                continue;
            }
            if offer.cost > budget {
                continue;
            }
            budget -= offer.cost;
            self.take(lines, at, offer);
        }
        budget
    }

    fn take(&mut self, lines: &mut Lines, at: usize, offer: Offer) {
        let line = lines.entry(offer.subject).or_default();
        line.count += offer.new.len();
        line.gain += offer.rate * offer.cost as f64;
        line.terms.extend(&offer.new);
        line.details.extend(offer.detail);
        line.parts.push(Part { statement: at, text: offer.text });
        self.say(at, &offer.new);
    }

    /// The best line for a statement, and what it brings there.
    fn offer(&self, at: usize, lines: &Lines, shape: Shape) -> Option<Offer> {
        if self.taken.contains(&at) {
            return None;
        }
        let told = &self.statements[at];
        let factor = self.weights.statement(told);
        let mut best: Option<Offer> = None;
        for candidate in &self.subjects.of[at] {
            let line = lines.get(&candidate.subject);
            if line.is_some_and(|line| line.count >= shape.terms || line.parts.len() >= shape.parts) {
                continue;
            }
            let subject = &self.subjects.list[candidate.subject];
            let short = shorten(told, &subject.terms, self.weights, shape.words, shape.whole);
            let new: Vec<Term> = short.terms.iter().filter(|term| line.is_none_or(|line| !line.terms.contains(term))).copied().collect();
            // A telling of less than three words, or of what the line says already, is none.
            if new.len() < NEW_MIN || (new.len() as f64) < NEW_SHARE * short.terms.len() as f64 {
                continue;
            }
            // Said in other words on another line.
            if new.iter().all(|term| self.covered.contains(term)) {
                continue;
            }
            let detail = candidate.detail.filter(|detail| line.is_none_or(|line| !line.details.contains(detail)));
            let text = match detail.map(|detail| &self.subjects.details[detail]) {
                Some(detail) if !told.text.contains(detail.as_str()) => format!("{detail}: {}", short.text),
                _ => short.text,
            };
            let weigh = |term: &Term| self.weights.term(*term) * if self.covered.contains(term) { SAID_ELSEWHERE } else { 1.0 };
            let gain = new.iter().map(weigh).sum::<f64>() * candidate.quality * factor * if line.is_some() { 1.0 + JOINING } else { 1.0 };
            let cost = (self.cost)(&text) + 1 + if line.is_some() { 0 } else { (self.cost)(&subject.name) + subject.path.as_deref().map_or(0, self.cost) + shape.dress };
            let rate = gain / cost as f64;
            if best.as_ref().is_none_or(|best| rate > best.rate) {
                best = Some(Offer { rate, subject: candidate.subject, text, detail: candidate.detail, cost, new });
            }
        }
        best
    }
}

/// A statement made short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Short {
    /// Its best clauses in their own order.
    pub text: String,
    /// Their terms, each once, without those of the subject's name.
    pub terms: Vec<Term>,
}

/// A run of words that can stand by itself.
#[derive(Debug, Clone, Copy)]
struct Clause {
    from: usize,
    to: usize,
    negated: bool,
}

/// The clauses of a statement that weigh most, of at most about `room` words; `own` terms weigh nothing. A clause with a negation
/// keeps it.
pub fn shorten(told: &Statement, own: &FxHashSet<Term>, weights: &Weights, room: usize, whole: bool) -> Short {
    let words = &told.words.words;
    let values: Vec<f64> = words.iter().map(|word| value(told, word, own, weights)).collect();
    let mut ranked: Vec<(f64, Clause)> = clauses(told).into_iter().map(|clause| best_part(told, clause, &values, room, whole)).map(|clause| {
        let sum: f64 = values[clause.from..clause.to].iter().sum();
        (sum / (size(told, clause) + CLAUSE), clause)
    }).filter(|(rate, clause)| *rate > 0.0 && clause.from < clause.to).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.from.cmp(&other.1.from)));
    let mut kept: Vec<Clause> = Vec::new();
    let mut left = room as f64;
    for (_, clause) in ranked {
        let size = size(told, clause);
        if kept.is_empty() || size <= left {
            kept.push(clause);
            left -= size;
        }
    }
    kept.sort_by_key(|clause| clause.from);
    let mut short = Short::default();
    let mut last: Option<Clause> = None;
    for clause in kept {
        if let Some(last) = last {
            // Clauses that stand side by side keep the mark between them.
            if last.to == clause.from {
                short.text.push_str(mark_between(told, clause.from));
            } else {
                short.text.push_str(closing(told, last));
                short.text.push_str(", ");
            }
        }
        if last.is_none_or(|last| last.to != clause.from) {
            short.text.push_str(opening(told, clause));
        }
        short.text.push_str(&written(told, clause));
        for word in &words[clause.from..clause.to] {
            short.terms.extend(told.words.terms_of(word).iter().filter(|term| !own.contains(term)));
        }
        last = Some(clause);
    }
    short.text.push_str(last.map_or("", |last| closing(told, last)));
    short.text = whole_marks(&short.text);
    let mut seen = FxHashSet::default();
    short.terms.retain(|term| seen.insert(*term));
    short
}

/// What a word is worth on the line of a subject whose name has the terms `own`.
fn value(told: &Statement, word: &Word, own: &FxHashSet<Term>, weights: &Weights) -> f64 {
    if word.class == Class::Number {
        return NUMBER;
    }
    let sum: f64 = told.words.terms_of(word).iter().filter(|term| !own.contains(term)).map(|term| weights.term(*term)).sum();
    if word.cues & COMMON != 0 { sum * GENERAL } else { sum }
}

/// How many words a clause counts for.
fn size(told: &Statement, clause: Clause) -> f64 {
    told.words.words[clause.from..clause.to].iter().map(|word| match word.class {
        // Three characters of a script without spaces are about a word.
        Class::Unspaced => (f64::from(word.end - word.start) / 9.0).max(0.5),
        _ if is_filler(told, word) => FILLER,
        _ => 1.0,
    }).sum()
}

/// Words that a note leaves out.
fn is_filler(told: &Statement, word: &Word) -> bool {
    // "AI" is no stop word, "ai" is one in some language.
    let text = word.text(&told.text);
    let capitals = text.len() > 1 && text.chars().all(char::is_uppercase);
    word.cues & STOP != 0 && word.cues & (NOT | JOIN) == 0 && word.class == Class::Plain && !capitals
}

/// The statement in pieces, parted where it has a mark between words.
fn clauses(told: &Statement) -> Vec<Clause> {
    let words = &told.words.words;
    let mut out: Vec<Clause> = Vec::new();
    let negations: Vec<u32> = told.words.signs.iter().filter(|(_, cues)| cues & NOT != 0).map(|(at, _)| *at).collect();
    let mut from = 0;
    for at in 1..=words.len() {
        let ends = at == words.len() || parts(&told.text[words[at - 1].end as usize..words[at].start as usize]);
        if ends {
            let (start, end) = (words[from].start, words[at - 1].end);
            out.push(Clause { from, to: at, negated: negations.iter().any(|&sign| (start..end).contains(&sign)) });
            from = at;
        }
    }
    out
}

/// Whether what stands between two words parts clauses.
fn parts(gap: &str) -> bool {
    gap.contains([',', ';', ':', '(', ')', '（', '）', '。', '；', '：', '，', '、', '[', ']', '→', '|', '·', '!', '?', '！', '？', '—', '–', '=']) || gap.contains(". ") || gap.contains(" - ") || gap.contains(" + ")
}

/// The run of words of a clause that weighs most for its size, without filler at its ends; a clause that is negated stays whole as long
/// as it is not twice what there is room for.
fn best_part(told: &Statement, clause: Clause, values: &[f64], room: usize, keep: bool) -> Clause {
    let whole = trimmed(told, clause);
    let most = room as f64 * if clause.negated || keep { 2.0 } else { 1.0 };
    if size(told, whole) <= most {
        return whole;
    }
    let mut best: Option<(f64, Clause)> = None;
    let (mut to, mut sum, mut width) = (whole.from, 0.0, 0.0);
    for from in whole.from..whole.to {
        while to < whole.to {
            let next = size(told, Clause { from: to, to: to + 1, ..whole });
            if width + next > room as f64 && to > from {
                break;
            }
            width += next;
            sum += values[to];
            to += 1;
        }
        if best.as_ref().is_none_or(|(most, _)| sum > *most) {
            best = Some((sum, Clause { from, to, ..whole }));
        }
        sum -= values[from];
        width -= size(told, Clause { from, to: from + 1, ..whole });
    }
    let part = best.map_or(whole, |(_, part)| part);
    // A part of what is denied would say the opposite.
    if clause.negated && !holds_negation(told, part) {
        return Clause { to: part.from, ..part };
    }
    trimmed(told, part)
}

fn holds_negation(told: &Statement, clause: Clause) -> bool {
    let words = &told.words.words;
    let (start, end) = (words[clause.from].start, words[clause.to - 1].end);
    told.words.signs.iter().any(|&(at, cues)| cues & NOT != 0 && (start..end).contains(&at))
}

fn trimmed(told: &Statement, clause: Clause) -> Clause {
    let words = &told.words.words;
    let empty = |word: &Word| is_filler(told, word) || word.cues & JOIN != 0 && word.cues & NOT == 0;
    let from = (clause.from..clause.to).find(|&at| !empty(&words[at])).unwrap_or(clause.to);
    let to = (from..clause.to).rev().find(|&at| !empty(&words[at])).map_or(from, |at| at + 1);
    Clause { from, to, ..clause }
}

/// A clause in the log's own words, filler left out.
fn written(told: &Statement, clause: Clause) -> String {
    let words = &told.words.words;
    let mut out = String::new();
    let mut last: Option<usize> = None;
    for at in clause.from..clause.to {
        if is_filler(told, &words[at]) {
            continue;
        }
        if let Some(last) = last {
            if last + 1 == at { out.push_str(&told.text[words[last].end as usize..words[at].start as usize]) } else { out.push(' ') }
        }
        let (start, end) = surroundings(told, at, last.is_none(), at + 1 == clause.to);
        out.push_str(&told.text[start..end]);
        last = Some(at);
    }
    out
}

/// The bracket or quotation mark that a clause begins with.
fn opening(told: &Statement, clause: Clause) -> &str {
    let start = told.words.words[clause.from].start as usize;
    let before = &told.text[..start];
    &before[before.trim_end_matches(['(', '（', '[', '「', '『', '“', '«', '《', '"', '【']).len()..]
}

/// The bracket or quotation mark that a clause ends with.
fn closing(told: &Statement, clause: Clause) -> &str {
    let after = &told.text[told.words.words[clause.to - 1].end as usize..];
    &after[..after.len() - after.trim_start_matches([')', '）', ']', '」', '』', '”', '»', '》', '"', '】']).len()]
}

/// What stands between a word and the one before it, without what [`surroundings`] gave to either.
fn mark_between(told: &Statement, at: usize) -> &str {
    let words = &told.words.words;
    let mut gap = &told.text[words[at - 1].end as usize..words[at].start as usize];
    if words[at - 1].class == Class::Unspaced {
        gap = gap.trim_start_matches(is_unspaced);
    }
    if words[at].class == Class::Unspaced {
        gap = gap.trim_end_matches(is_unspaced);
    }
    gap
}

/// Where a word begins and ends as it is written: in a script without spaces the first and the last word of a clause take along what
/// the word lists cut off, for that may be the negation.
fn surroundings(told: &Statement, at: usize, first: bool, last: bool) -> (usize, usize) {
    let words = &told.words.words;
    let (mut start, mut end) = (words[at].start as usize, words[at].end as usize);
    if words[at].class == Class::Unspaced {
        let before = at.checked_sub(1).map_or(0, |before| words[before].end as usize);
        let after = words.get(at + 1).map_or(told.text.len(), |after| after.start as usize);
        if first {
            start -= told.text[before..start].chars().rev().take_while(|letter| is_unspaced(*letter)).map(char::len_utf8).sum::<usize>();
        }
        if last {
            end += told.text[end..after].chars().take_while(|letter| is_unspaced(*letter)).map(char::len_utf8).sum::<usize>();
        }
    }
    (start, end)
}

/// Without halves of brackets and quotation marks, and without marks at the ends.
pub fn whole_marks(text: &str) -> String {
    let mut text = text.to_owned();
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']'), ('「', '」'), ('『', '』'), ('“', '”'), ('«', '»'), ('《', '》'), ('{', '}'), ('【', '】'), ('<', '>')] {
        if text.matches(open).count() != text.matches(close).count() {
            text = text.replace([open, close], " ");
        }
    }
    if text.matches('"').count() % 2 == 1 {
        text = text.replace('"', " ");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_matches([' ', ',', ';', ':', '-', '—', '–', '+', '=', '/', '&', '、', '，', '。', '；', '：']).to_owned()
}

#[cfg(test)]
mod tests;
