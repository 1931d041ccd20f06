//! The best use of a budget: which statements are said, each shortened to the best part of it, and under which subject's line.

mod gist;
mod shorten;

pub use self::gist::{Gist, gist};
pub use self::shorten::{Short, shorten, whole_marks};
use super::language::{COMMON, JOIN, NOT, Role, STOP, is_unspaced};
use super::statement::{Sort, Statement};
use super::subject::Subjects;
use super::topic::{key, without_clock};
use super::weight::Weights;
use super::words::{Class, Term, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// What a word counts for that another line has said: what belongs together is often said with the same words. 0.5 costs 0.002
/// to 0.01 of what a page knows.
const SAID_ELSEWHERE: f64 = 0.22;
/// A statement is said again in other words when one that was chosen has so large a part of what its words weigh; then it counts for so
/// much. On all mornings of 11 workspaces a page knows 0.219 of what comes without this rule, 0.224 with it, and 0.229 where such
/// statements are left out; but then a small history does not fill its page.
const TOLD: f64 = 0.7;
const AGAIN: f64 = 0.2;
/// What joining a line that is there already adds: few full lines read better than many thin ones.
const JOINING: f64 = 0.5;
/// What a number, and what a word of every conversation, is worth beside one that names something.
const NUMBER: f64 = 0.2;
const GENERAL: f64 = 0.5;
/// How many words one counts for that says little.
const FILLER: f64 = 0.2;
/// New terms that a statement must bring to a line, and the share of its terms that must be new to it.
const NEW_MIN: usize = 3;
const NEW_SHARE: f64 = 0.6;

#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub words: usize,
    pub terms: usize,
    pub parts: usize,
    /// What a line costs beside its name and parts.
    pub dress: usize,
}

#[derive(Debug, Clone)]
pub struct Part {
    pub statement: usize,
    pub text: String,
    /// What its heading says beyond the subject's name, where the text does not.
    pub detail: Option<usize>,
}

#[derive(Debug, Default)]
pub struct Line {
    /// What is said, in the order of choice.
    pub parts: Vec<Part>,
    pub gain: f64,
    details: FxHashSet<String>,
    terms: FxHashSet<Term>,
    count: usize,
}

pub type Lines = BTreeMap<usize, Line>;

impl Line {
    /// Adds what another line of the same subject says.
    pub fn join(&mut self, other: Self) {
        self.parts.extend(other.parts);
        self.gain += other.gain;
        self.details.extend(other.details);
        self.terms.extend(other.terms);
        self.count += other.count;
    }
}

/// Chooses among statements. What was said once is worth little on another line, in whatever section.
pub struct Selector<'a> {
    statements: &'a [Statement],
    subjects: &'a Subjects,
    weights: &'a Weights,
    cost: &'a dyn Fn(&str) -> usize,
    covered: FxHashSet<Term>,
    taken: FxHashSet<usize>,
    /// The statements that said a term.
    said_by: FxHashMap<Term, Vec<usize>>,
    wordings: FxHashMap<WordingKey, Rc<Wording>>,
}

/// A statement as a line would say it: it is weighed many times, and its words stay the same.
struct Wording {
    text: String,
    terms: Vec<Term>,
    cost: usize,
}

/// The statement, the subject of the line, and the detail that is said.
type WordingKey = (usize, usize, Option<usize>);

struct Offer {
    rate: f64,
    subject: usize,
    wording: Rc<Wording>,
    detail: Option<usize>,
    cost: usize,
    new: Vec<Term>,
}

/// Something and what it is worth, ordered by that; of two worth the same, the earlier comes first.
#[derive(PartialEq)]
pub struct Ranked(pub f64, pub usize);

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

/// Places by what they are worth, the best first.
pub fn best_first(weighed: impl Iterator<Item = (f64, usize)>) -> Vec<usize> {
    let mut ranked: Vec<Ranked> = weighed.map(|(worth, at)| Ranked(worth, at)).collect();
    ranked.sort_unstable_by(|one, other| other.cmp(one));
    ranked.into_iter().map(|Ranked(_, at)| at).collect()
}

impl<'a> Selector<'a> {
    pub fn new(
        statements: &'a [Statement],
        subjects: &'a Subjects,
        weights: &'a Weights,
        cost: &'a dyn Fn(&str) -> usize,
    ) -> Self {
        Self {
            statements,
            subjects,
            weights,
            cost,
            covered: FxHashSet::default(),
            taken: FxHashSet::default(),
            said_by: FxHashMap::default(),
            wordings: FxHashMap::default(),
        }
    }

    /// Another selector with these weights, which knows what this one has chosen.
    pub fn with(&self, weights: &'a Weights) -> Self {
        let mut other = Self::new(self.statements, self.subjects, weights, self.cost);
        other.learn(self);
        other
    }

    /// Counts what another selector has chosen as said.
    pub fn learn(&mut self, other: &Self) {
        self.covered.extend(&other.covered);
        self.taken.extend(&other.taken);
        self.said_by.clone_from(&other.said_by);
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
                // The half is enough where that is more than one word.
                let shorter = terms.len().min(other.words.terms().len());
                both * 2 > shorter || both * 2 == shorter && both > 1
            };
            if cost > budget || self.taken.contains(&at) || taken.iter().any(alike) {
                continue;
            }
            self.say(at, &terms.into_iter().collect::<Vec<_>>());
            taken.push(at);
            budget -= cost;
        }
        taken
    }

    pub fn is_taken(&self, at: usize) -> bool {
        self.taken.contains(&at)
    }

    pub fn is_said(&self, term: Term) -> bool {
        self.covered.contains(&term)
    }

    /// Whether a statement was not chosen yet, and most of these terms were said nowhere.
    pub fn is_new(&self, at: usize, terms: &[Term]) -> bool {
        !self.taken.contains(&at)
            && terms.iter().filter(|term| self.covered.contains(term)).count() * 2 < terms.len()
    }

    /// Notes that a statement was said with these terms.
    pub fn say(&mut self, at: usize, terms: &[Term]) {
        self.taken.insert(at);
        self.covered.extend(terms);
        for term in terms {
            self.said_by.entry(*term).or_default().push(at);
        }
    }

    /// Whether one statement that was chosen says most of what these terms weigh.
    fn is_told(&self, terms: &[Term]) -> bool {
        let mut said: FxHashMap<usize, f64> = FxHashMap::default();
        for term in terms {
            for at in self.said_by.get(term).into_iter().flatten() {
                *said.entry(*at).or_default() += self.weights.term(*term);
            }
        }
        let all: f64 = terms.iter().map(|term| self.weights.term(*term)).sum();
        said.values().any(|sum| *sum >= TOLD * all)
    }

    /// Adds to `lines` what brings most for its cost, until the budget is spent. Hands back what is left.
    pub fn fill(&mut self, lines: &mut Lines, pool: &[usize], mut budget: usize, shape: Shape) -> usize {
        let mut waiting: BinaryHeap<Ranked> = BinaryHeap::new();
        for (place, &at) in pool.iter().enumerate() {
            if let Some(offer) = self.offer(at, lines, shape) {
                waiting.push(Ranked(offer.rate, place));
            }
        }
        while let Some(Ranked(rate, place)) = waiting.pop() {
            let at = pool[place];
            let Some(offer) = self.offer(at, lines, shape) else {
                continue;
            };
            // Others took a part of its words since it was weighed.
            if offer.rate < rate * 0.99 && waiting.peek().is_some_and(|next| next.0 > offer.rate) {
                waiting.push(Ranked(offer.rate, place));
                continue;
            }
            if offer.cost > budget {
                continue;
            }
            budget -= offer.cost;
            self.take(lines, at, &offer);
        }
        budget
    }

    fn take(&mut self, lines: &mut Lines, at: usize, offer: &Offer) {
        let line = lines.entry(offer.subject).or_default();
        line.count += offer.new.len();
        line.gain += offer.rate * offer.cost as f64;
        line.terms.extend(&offer.new);
        line.details.extend(offer.detail.map(|at| self.subjects.details[at].clone()));
        line.parts.push(Part {
            statement: at,
            text: offer.wording.text.clone(),
            detail: offer.detail.filter(|detail| self.is_unsaid(at, *detail)),
        });
        self.say(at, &offer.new);
    }

    /// The best line for a statement, and what it brings there.
    fn offer(&mut self, at: usize, lines: &Lines, shape: Shape) -> Option<Offer> {
        if self.taken.contains(&at) {
            return None;
        }
        let mut best: Option<Offer> = None;
        let subjects = self.subjects;
        for candidate in &subjects.of[at] {
            let line = lines.get(&candidate.subject);
            if line.is_some_and(|line| line.count >= shape.terms || line.parts.len() >= shape.parts) {
                continue;
            }
            let subject = &subjects.list[candidate.subject];
            let detail = candidate
                .detail
                .filter(|detail| line.is_none_or(|line| !line.details.contains(&subjects.details[*detail])));
            let wording = self.wording(at, candidate.subject, detail, shape);
            let is_new = |term: &Term| line.is_none_or(|line| !line.terms.contains(term));
            let new: Vec<Term> = wording.terms.iter().copied().filter(is_new).collect();
            // A telling of less than three words, or of what the line says already, is none.
            // What is left to do may be said in few words.
            let least = match self.statements[at].role {
                Some(Role::Open) => 1,
                _ => NEW_MIN,
            };
            if new.len() < least || (new.len() as f64) < NEW_SHARE * wording.terms.len() as f64 {
                continue;
            }
            // Said in other words on another line.
            if new.iter().all(|term| self.covered.contains(term)) {
                continue;
            }
            let weigh = |term: &Term| {
                let said = if self.is_said(*term) { SAID_ELSEWHERE } else { 1.0 };
                self.weights.term_in(at, *term) * said
            };
            let of_line =
                || (self.cost)(&subject.name) + subject.path.as_deref().map_or(0, self.cost) + shape.dress;
            let (joining, dress) = if line.is_some() { (1.0 + JOINING, 0) } else { (1.0, of_line()) };
            let cost = wording.cost + 1 + dress;
            let told = if self.is_told(&wording.terms) { AGAIN } else { 1.0 };
            let rate = new.iter().map(weigh).sum::<f64>() * candidate.quality * joining * told / cost as f64;
            if best.as_ref().is_none_or(|best| rate > best.rate) {
                best = Some(Offer {
                    rate,
                    subject: candidate.subject,
                    wording,
                    detail: candidate.detail,
                    cost,
                    new,
                });
            }
        }
        best
    }

    /// Whether a statement does not say itself what its heading says.
    fn is_unsaid(&self, at: usize, detail: usize) -> bool {
        !self.statements[at].text.contains(&self.subjects.details[detail])
    }

    /// A statement in the words of a subject's line, behind a detail of its heading.
    fn wording(&mut self, at: usize, subject: usize, detail: Option<usize>, shape: Shape) -> Rc<Wording> {
        let key = (at, subject, detail);
        let (told, subjects) = (&self.statements[at], self.subjects);
        let behind = detail.filter(|detail| self.is_unsaid(at, *detail));
        let wording = self.wordings.entry(key).or_insert_with(|| {
            let own = &subjects.list[subject].terms;
            let mut short = shorten(told, own, self.weights, shape.words);
            // The age of a line says when something happened; of what is open the time may be when it is due.
            let clockless = match told.sort {
                Sort::Open => &short.text,
                _ => without_clock(&short.text),
            };
            short.text = without_name(clockless, &subjects.list[subject].name).to_owned();
            let mut cost = (self.cost)(&short.text);
            if let Some(detail) = behind {
                cost += (self.cost)(&format!("{}: ", subjects.details[detail]));
            }
            Rc::new(Wording { cost, text: short.text, terms: short.terms })
        });
        Rc::clone(wording)
    }
}

/// Without the name of its line, where a statement has that for its label.
pub fn without_name<'a>(text: &'a str, name: &str) -> &'a str {
    match text.split_once(": ").or_else(|| text.split_once('：')) {
        Some((label, rest)) if !rest.is_empty() && key(label) == key(name) => rest.trim_start(),
        _ => text,
    }
}

#[cfg(test)]
mod tests;
