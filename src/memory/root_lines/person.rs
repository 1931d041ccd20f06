//! What is known of the person: a line on whom the agent works for; and from conversations each fact in few words, those of one
//! conversation or day on one line.

use super::{ACTIVE_DAYS, Page, RULE_COST_MAX};
use crate::memory::calendar::Day;
use crate::memory::entry::Kind;
use crate::memory::kind::{self, Happened, Person, Verdict};
use crate::memory::language::{LIKE, Speaker, is_unspaced};
use crate::memory::select::{Gist, Ranked, Selector, gist};
use crate::memory::statement::{Sort, clip};
use crate::memory::text::is_listed;
use crate::memory::words::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Words of a fact, of which 11 and 17 state fewer, and of a line; so long are facts if all of them have room.
const WORDS: usize = 14;
const LINE_WORDS: usize = 30;
/// What the marks of a line cost each of its facts.
const DRESS: usize = 3;
/// "Asked Marisol to join", "paid 190 dollars": a fact of so few terms needs the name of its conversation.
const FEW_TERMS: usize = 3;
/// The same where all facts have room.
const FEW_TERMS_WITH_ROOM: usize = 4;
/// What a word counts for that the page has said.
const AGAIN: f64 = 0.2;
/// What a fact counts for that happened at a time that is told, at some time, and one without any name or number. Of 83 such facts that
/// people told in 49 conversations a page states 29 with these.
const DATED: f64 = 2.0;
const EVENT: f64 = 1.3;
const VAGUE: f64 = 0.4;
/// More words say more of a fact, but each less than the one before.
const MORE_WORDS: f64 = 0.7;

struct Fact<'a> {
    at: usize,
    day: Day,
    /// The name of its conversation.
    name: &'a str,
    gist: Gist,
    cost: usize,
    worth: f64,
}

/// A line that is being put together.
struct Row<'a> {
    day: Day,
    name: &'a str,
    words: usize,
    text: String,
}

/// How much is said of the person, in characters: a line of a terminal.
const LINE_CHARS: usize = 120;

impl Page<'_> {
    /// Whom the agent works for, unless an entry about them says so, with what they wanted, decided or have to do in the last active days,
    /// newest first.
    pub(super) fn person_line(
        &self,
        selector: &mut Selector<'_>,
        person: &Person,
        overtaken: &FxHashSet<usize>,
    ) -> Option<String> {
        let Person { name, days } = person;
        let is_named = (self.topic)(name).is_some_and(|topic| topic.kind.is_personal());
        let newest = days.last().filter(|_| !is_named)?;
        let mut line = format!("- {name} [{}, {}d]: the person you work for", Kind::User, self.age(*newest));
        for (at, told) in self.statements.iter().enumerate().rev() {
            let behind = told.text.strip_prefix(name.as_str()).unwrap_or_default();
            // "Anna: send the keys", "Anna wants the keys", "老大要求…".
            let verb = behind.strip_prefix(' ').filter(|deed| !deed.starts_with(char::is_uppercase));
            let verb = verb.or(Some(behind).filter(|deed| deed.starts_with(is_unspaced)));
            let Some(deed) = behind.strip_prefix(": ").or(verb) else {
                continue;
            };
            let is_wish = matches!(told.sort, Sort::Open | Sort::Decision) || told.words.says(LIKE);
            let terms = told.words.terms();
            if !is_wish
                || self.weights.age(told.day) >= ACTIVE_DAYS
                || told.is_answer()
                || told.hostile
                || overtaken.contains(&at)
                || !selector.is_new(at, terms)
            {
                continue;
            }
            let longer = format!("{line}; {}", clip(deed.trim_end_matches('.'), LINE_CHARS));
            if (self.cost)(&longer) > RULE_COST_MAX {
                break;
            }
            selector.say(at, terms);
            line = longer;
        }
        Some(line)
    }

    /// Whether nearly all that is known was said in conversations.
    pub(super) fn is_talk(&self) -> bool {
        let said = self.statements.iter().filter(|told| told.speaker.is_some());
        said.count() * 10 >= self.statements.len() * 9
    }

    /// Lines of facts about the person: those that say most for their cost.
    pub(super) fn persons(
        &self,
        selector: &mut Selector<'_>,
        verdicts: &[Verdict],
        budget: usize,
    ) -> Vec<String> {
        let places =
            (0..verdicts.len()).filter(|&at| verdicts[at].kind == Kind::User && !selector.is_taken(at));
        let facts_in = |words: usize| -> Vec<Fact<'_>> {
            let facts = places.clone().map(|at| self.fact(at, verdicts[at].strength, words));
            let is_fit = |fact: &Fact<'_>| !fact.gist.worth.is_empty() && fact.cost <= RULE_COST_MAX;
            facts.filter(is_fit).collect()
        };
        let price = |facts: &[Fact<'_>]| facts.iter().map(|fact| fact.cost).sum::<usize>();
        let mut facts = facts_in(LINE_WORDS);
        if price(&facts) > budget {
            facts = facts_in(WORDS);
        }
        let rate = |fact: &Fact<'_>, selector: &Selector<'_>| {
            let weigh =
                |(term, worth): &(Term, f64)| worth * if selector.is_said(*term) { AGAIN } else { 1.0 };
            let gain: f64 = fact.gist.worth.iter().map(weigh).sum();
            gain.powf(MORE_WORDS) * fact.worth / fact.cost as f64
        };
        let ranked = facts.iter().enumerate();
        let mut waiting: BinaryHeap<Ranked> =
            ranked.map(|(place, fact)| Ranked(rate(fact, selector), place)).collect();
        let mut left = budget;
        let mut taken: Vec<&Fact<'_>> = Vec::new();
        while let Some(Ranked(known, place)) = waiting.pop() {
            let fact = &facts[place];
            let now = rate(fact, selector);
            if now < known * 0.99 && waiting.peek().is_some_and(|next| next.0 > now) {
                waiting.push(Ranked(now, place));
                continue;
            }
            let terms: Vec<Term> = fact.gist.worth.iter().map(|(term, _)| *term).collect();
            let said = terms.iter().filter(|term| selector.is_said(**term)).count();
            if fact.cost <= left && said * 2 <= terms.len() {
                left -= fact.cost;
                selector.say(fact.at, &terms);
                taken.push(fact);
            }
        }
        let named = self.lines_of(&taken, true);
        if self.price(&named) <= budget {
            return named;
        }
        let mut lines = self.lines_of(&taken, false);
        while self.price(&lines) > budget {
            taken.pop();
            lines = self.lines_of(&taken, false);
        }
        lines
    }

    fn fact(&self, at: usize, strength: f64, words: usize) -> Fact<'_> {
        let told = &self.statements[at];
        // What a tag or a note says of the person stays whole: it is short, and no talk.
        let gist = if told.speaker == Some(Speaker::User) && !told.tagged {
            gist(told, words)
        } else {
            Gist::whole(told)
        };
        let sort = match kind::happening(told) {
            Happened::Dated => DATED,
            Happened::Once if gist.names > 0 => EVENT,
            Happened::No if gist.names == 0 => VAGUE,
            _ => 1.0,
        };
        Fact {
            at,
            day: told.day,
            name: self.name_of(at).unwrap_or_default(),
            cost: (self.cost)(&gist.text) + DRESS,
            worth: sort * strength.sqrt(),
            gist,
        }
    }

    /// Facts of a conversation stand on lines of its name if they speak of what it names, refer to it or say little; others with those of
    /// their day.
    fn lines_of<'b>(&self, taken: &[&Fact<'b>], has_room: bool) -> Vec<String> {
        let mut beside: FxHashMap<(Day, &str), (usize, bool)> = FxHashMap::default();
        for fact in taken {
            let (count, speaks) = beside.entry((fact.day, fact.name)).or_default();
            *count += 1;
            *speaks |= self.statements[fact.at].says_all_of(fact.name);
        }
        let name = |fact: &Fact<'b>| -> &'b str {
            let (count, speaks) = beside[&(fact.day, fact.name)];
            let told = &self.statements[fact.at];
            let few = if has_room { FEW_TERMS_WITH_ROOM } else { FEW_TERMS };
            let says_little = fact.gist.worth.len() <= few && !told.says_all_of(fact.name);
            let is_named = count > 1 && speaks || says_little || refers(&told.text);
            if is_named { fact.name } else { "" }
        };
        let mut facts = taken.to_vec();
        facts.sort_by_key(|fact| (Reverse(fact.day), name(fact), fact.at));
        let mut rows: Vec<Row<'_>> = Vec::new();
        for fact in facts {
            let (name, text) = (name(fact), &fact.gist.text);
            let words = text.split(' ').count();
            let is_beside = |row: &&mut Row<'_>| {
                (row.day, row.name) == (fact.day, name) && row.words + words <= LINE_WORDS
            };
            match rows.last_mut().filter(is_beside) {
                Some(row) => {
                    row.words += words;
                    row.text += "; ";
                    row.text += text;
                }
                None => rows.push(Row { day: fact.day, name, words, text: text.clone() }),
            }
        }
        let line = |row: Row<'_>| match row.name {
            "" => format!("- {} [{}, {}d]", row.text, Kind::User, self.age(row.day)),
            name => format!("- {name} [{}, {}d]: {}", Kind::User, self.age_of(name, row.day), row.text),
        };
        rows.into_iter().map(line).collect()
    }
}

/// Whether a sentence begins by speaking of what was named before it: "I took it to the smith".
fn refers(text: &str) -> bool {
    const FIRST_WORDS: usize = 8;
    const BACK: &str = "it its them they their he his him she her there one ones this";
    let mut words = text.split(' ').take(FIRST_WORDS);
    words.any(|word| is_listed(word.trim_matches([',', '.']), BACK))
}
