//! What the statements of a period are about: subjects under the shortest name that the logs use.
//!
//! Learned from these statements alone: which headings are a template's, which words are names, which names are one subject's.

mod assemble;
mod judge;
mod spelled;

use self::assemble::{assemble, ends_open};
use self::judge::{echo, holds_name, is_template, judge, spell};
use super::calendar::Day;
use super::kind;
use super::language::{
    COMMON, DECIDE, DID, DONE, ERROR, GERMAN, JOIN, KIN, NEXT, NOT, OPEN, ROUTINE, SAID, SERIAL, STANCE,
    STOP, USER, WHEN, lexicon,
};
use super::select;
use super::statement::{self, Statement};
use super::topic;
use super::words::{Class, Term, Word, Words, stem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A heading over more than this share of the days, and over [`FORM_DAYS_MIN`] at least, of which hardly anything else speaks is a
/// template's. Read on six workspaces: names of sections are never in running text, names of subjects are.
const FORM_SHARE: f64 = 0.12;
const FORM_DAYS_MIN: f64 = 4.0;
/// How often, for each of its days, something else speaks of a subject.
const SPOKEN_OF: f64 = 0.25;
/// Sections that have less than this share of their words in common have nothing in common; less than the second, if they are many.
const ALIKE: f64 = 0.2;
const ALIKE_OFTEN: f64 = 0.5;
/// How good a name is that a tag or a summary vouches for: as a heading that is told again.
const KNOWN: f64 = 1.2;
/// Sections that a template has at least (SPEC section 3).
const SECTIONS_MIN: usize = 3;
/// The quality of a heading's name that others speak of, that is a heading again, that holds a name, and of any other.
const SPOKEN: f64 = 1.2;
const AGAIN: f64 = 1.1;
const NAMED: f64 = 0.9;
const LONE: f64 = 0.6;
/// A single plain word over several days, which may be a part of a form after all.
const SINGLE: f64 = 0.4;
/// By what that is multiplied for a label, and for a heading that begins with a verb.
const LABEL: f64 = 0.7;
const VERB: f64 = 0.6;
/// The quality of an acronym, of a file, of any other identifier, and of a constant in a program: what stands beside them is mostly the subject.
const ACRONYM: f64 = 0.5;
const FILE: f64 = 0.9;
const IDENTIFIER: f64 = 0.6;
const CONSTANT: f64 = 0.3;
/// What is told on more than half of the days says little of the matter, even where it is its name.
const EVERYWHERE: f64 = 0.9;
/// By what it is multiplied where it is named in passing, below the heading of another subject.
const IN_PASSING: f64 = 0.8;
/// By what it is multiplied where the line, below no subject's heading, speaks of another one first. Chosen for readers: with 1, a page knows
/// as much, and more lines stand under a name that they only mention. Below headings, too, it would move twice as many other lines of a year's
/// work when an entry comes, and the page would know no more.
const LATER: f64 = 0.8;
/// How well the subject of an item fits what is indented below it. With 1 a page knows 0.003 less of what comes; with much less, such lines
/// stand under names that they only mention.
const BELOW: f64 = 0.9;
/// How well a borrowed name fits: worse than what it says itself. Near 0 costs 0.009 of what a page knows, in Russian 0.04.
const LENT: f64 = 0.6;

/// Something that statements are about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Subject {
    /// The spelling that the logs use most.
    pub name: String,
    /// The days on which it was told, in order.
    pub days: Vec<Day>,
    /// The terms of its name, which need not be said again beside it.
    pub terms: FxHashSet<Term>,
    /// How sure it is that this is a subject: 0 for what is none, 1 for a name told twice.
    pub quality: f64,
    /// The path that stands most often in its statements.
    pub path: Option<String>,
}

/// A subject that a statement may belong to.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its place in [`Subjects::list`].
    pub subject: usize,
    pub quality: f64,
    /// What the heading says beyond the subject's name: a place in [`Subjects::details`].
    pub detail: Option<usize>,
}

/// The subject of a heading's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// Its own, or the larger one that took it in.
    Subject(usize),
    Template,
    Unknown,
}

#[derive(Debug, Clone, Default)]
pub struct Subjects {
    pub list: Vec<Subject>,
    /// The candidates of each statement, best first.
    pub of: Vec<Vec<Candidate>>,
    /// What headings say beyond a subject's name.
    pub details: Vec<String>,
    keys: FxHashMap<String, Resolved>,
}

/// How the logs write a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Large inside sentences too.
    Capital,
    Small,
    /// Not seen inside a sentence.
    Unknown,
}

/// How often each word is written small, and large inside a sentence.
#[derive(Debug, Default)]
struct Usage {
    words: FxHashMap<u64, Written>,
    /// The languages of the newest statements.
    languages: u32,
}

/// How often a word was written small, large inside a sentence, and that before another large one.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    small: u32,
    large: u32,
    before_large: u32,
}

impl Usage {
    fn learn(statements: &[Statement]) -> Self {
        let newest = statements.iter().rev().take(40);
        let text: String = newest.flat_map(|told| [told.text.as_str(), " "]).collect();
        let mut usage = Self { languages: lexicon().languages(&text), ..Self::default() };
        for told in statements {
            let words = &told.words.words;
            let gap = |one: &Word, next: &Word| &told.text[one.end as usize..next.start as usize];
            for (at, word) in words.iter().enumerate().filter(|(_, word)| word.class == Class::Plain) {
                let is_inside = |before: &Word| {
                    let begins = |first: char| first.is_lowercase() || first.is_numeric();
                    gap(before, word).trim().is_empty() && before.text(&told.text).starts_with(begins)
                };
                let is_beside = |next: &Word| {
                    gap(word, next) == " "
                        && next.cues & STOP == 0
                        && next.text(&told.text).starts_with(char::is_uppercase)
                };
                let written = usage.words.entry(word.hash).or_default();
                if word.text(&told.text).starts_with(char::is_lowercase) {
                    written.small += 1;
                } else if at > 0 && is_inside(&words[at - 1]) {
                    written.large += 1;
                    written.before_large += u32::from(words.get(at + 1).is_some_and(is_beside));
                }
            }
        }
        usage
    }

    fn of(&self, word: &Word) -> State {
        match self.words.get(&word.hash) {
            Some(written) if written.large > 2 * written.small => State::Capital,
            Some(written) if written.small > 0 => State::Small,
            _ => State::Unknown,
        }
    }

    /// Whether a word is half of a name: inside sentences another large one nearly always follows. In German all nouns are large.
    fn is_half(&self, word: &Word) -> bool {
        const OFTEN: u32 = 4;
        let written = self.words.get(&word.hash).copied().unwrap_or_default();
        self.languages & GERMAN == 0
            && written.large > 1
            && written.before_large * OFTEN >= written.large * (OFTEN - 1)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Text,
    Label,
    Head,
}

#[derive(Debug, Default)]
struct Name {
    key: String,
    stems: Vec<String>,
    spellings: BTreeMap<String, u32>,
    days: BTreeSet<Day>,
    head_days: BTreeSet<Day>,
    texts: u32,
    /// Statements under it as a heading or label.
    heads: u32,
    /// Statements elsewhere that hold its words in a row.
    echoes: u32,
    quality: f64,
    template: bool,
    /// A tag or a summary says that it is a subject.
    known: bool,
    spelled: String,
    /// Those of its spelling.
    words: Words,
}

/// One meeting of a statement and a name.
#[derive(Debug, Clone, Copy)]
struct Mention {
    name: usize,
    place: Place,
    detail: Option<usize>,
    /// A heading above the lowest one.
    is_upper: bool,
}

#[derive(Debug, Default)]
struct Names {
    list: Vec<Name>,
    by_key: FxHashMap<String, usize>,
    /// What a spelling was found to be, for most are met again and again.
    by_spelling: FxHashMap<String, Option<usize>>,
}

impl Names {
    fn find(&self, name: &str) -> Option<usize> {
        self.by_key.get(&stems(name).concat()).copied()
    }

    fn meet(&mut self, name: &str, day: Day, place: Place) -> Option<usize> {
        let known = self.by_spelling.get(name).copied();
        let id = known.unwrap_or_else(|| {
            let id = self.new_spelling(name);
            self.by_spelling.insert(name.to_owned(), id);
            id
        })?;
        let met = &mut self.list[id];
        met.days.insert(day);
        // A heading was spelled with care.
        let times = if place == Place::Head { 2 } else { 1 };
        *met.spellings.entry(name.to_owned()).or_default() += times;
        let count = if place == Place::Text { &mut met.texts } else { &mut met.heads };
        *count += 1;
        met.head_days.extend((place == Place::Head).then_some(day));
        Some(id)
    }

    /// The name that a spelling is one of.
    fn new_spelling(&mut self, name: &str) -> Option<usize> {
        let stems = stems(name);
        let key = stems.concat();
        if key.is_empty() {
            return None;
        }
        Some(*self.by_key.entry(key.clone()).or_insert_with(|| {
            self.list.push(Name { key, stems, ..Name::default() });
            self.list.len() - 1
        }))
    }
}

/// The terms under a heading or label, by the day and the headings around it.
type Sections<'a> = FxHashMap<(Day, &'a [String]), FxHashSet<Term>>;

/// The stems of a name's words: kin spellings meet in them.
fn stems(name: &str) -> Vec<String> {
    let key = topic::key(without_genitive(without_extension(name)));
    let words = key.as_str().split(' ').filter(|word| !word.is_empty());
    words.map(|word| case_stem(noun_stem(word)).to_owned()).collect()
}

/// The name of a file or of an address in the web, without what tells that it is one.
fn without_extension(name: &str) -> &str {
    const EXTENSIONS: [&str; 14] = [
        ".py", ".md", ".js", ".ts", ".rs", ".sh", ".json", ".html", ".vue", ".php", ".db", ".yml", ".yaml",
        ".tsx",
    ];
    const DOMAINS: [&str; 7] = [".io", ".ai", ".com", ".net", ".org", ".dev", ".app"];
    let name = without(&DOMAINS, name);
    // AGENTS.md is a file, and agents are many.
    Some(without(&EXTENSIONS, name))
        .filter(|bare| bare.contains(char::is_lowercase))
        .unwrap_or(name)
}

fn without_genitive(name: &str) -> &str {
    without(&["'s", "’s", "'", "’"], name)
}

/// A name without the first of these endings that it has.
fn without<'a>(endings: &[&str], name: &'a str) -> &'a str {
    let bare = endings.iter().find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(name)
}

/// Without the vowel that a Slavic case leaves: "Москве", "Москву".
fn case_stem(word: &str) -> &str {
    let is_cyrillic = word.starts_with(|first: char| matches!(first, '\u{400}'..='\u{4ff}'));
    if is_cyrillic && word.chars().count() > 4 {
        word.trim_end_matches(['а', 'я', 'о', 'е', 'и', 'ы', 'у', 'ю', 'ь', 'й'])
    } else {
        word
    }
}

/// The stem of "messages" is that of "message": without its last letter alone.
fn noun_stem(word: &str) -> &str {
    let before = word.strip_suffix("es").filter(|stem| stem.len() > 3);
    let is_noun = before.is_some_and(|stem| !stem.ends_with(['h', 'i', 's', 'x', 'z']));
    stem(&word[..word.len() - usize::from(is_noun)])
}

impl Subjects {
    /// Learns the subjects of statements. The same statements in the same order give the same subjects.
    pub fn learn(statements: &[Statement]) -> Self {
        let usage = Usage::learn(statements);
        let heads = heads_of(statements, &usage);
        let mut names = Names::default();
        let mut details: Vec<String> = Vec::new();
        let mut under: FxHashMap<usize, Sections<'_>> = FxHashMap::default();
        let mut mentions: Vec<Vec<Mention>> = vec![Vec::new(); statements.len()];
        // What an assistant answers makes no subjects: its advice is full of names. It may speak of those that others named. So may a row of
        // names.
        let mut passing: Vec<(usize, String)> = Vec::new();
        for (at, told) in statements.iter().enumerate() {
            let is_answer = told.is_answer();
            let met = &mut mentions[at];
            let lowest = told.heads.len().saturating_sub(2);
            let label = told.label.iter().chain(&told.upper).filter(|_| !is_answer);
            let above = told.heads[lowest..].iter().map(|head| (head, Place::Head));
            for (title, place) in above.chain(label.map(|label| (label, Place::Label))) {
                let Some(head) = heads.get(title) else { continue };
                for (at, (name, detail)) in head.iter().enumerate() {
                    // The names inside a heading are names like any other in the text.
                    let place = if at == 0 { place } else { Place::Text };
                    let Some(name) = names.meet(name, told.day, place) else {
                        continue;
                    };
                    let detail = detail.as_ref().map(|text| {
                        details.push(text.clone());
                        details.len() - 1
                    });
                    names.list[name].known |= told.named && at == 0 && told.heads.last() == Some(title);
                    let is_upper = place == Place::Head && told.heads.last() != Some(title);
                    met.push(Mention { name, place, detail, is_upper });
                    // Different headings that begin alike have different things under them.
                    if at == 0 && detail.is_none() {
                        let sections = under.entry(name).or_default();
                        let terms = sections.entry((told.day, &told.heads)).or_default();
                        terms.extend(told.words.terms());
                    }
                }
            }
            let (place, detail, is_upper) = (Place::Text, None, false);
            for (name, is_item) in spelled::names(&told.text, &told.words, &usage) {
                if is_answer || is_item {
                    passing.push((at, name));
                } else {
                    let name = names.meet(&name, told.day, place);
                    met.extend(name.map(|name| Mention { name, place, detail, is_upper }));
                }
            }
        }
        for (at, name) in passing {
            let told = &statements[at];
            let known = names.find(&name);
            let name = known.and_then(|known| match told.is_answer() {
                true => Some(known),
                false => names.meet(&name, told.day, Place::Text),
            });
            let (place, detail, is_upper) = (Place::Text, None, false);
            mentions[at].extend(name.map(|name| Mention { name, place, detail, is_upper }));
        }
        let days: BTreeSet<Day> = statements.iter().map(|told| told.day).collect();
        let days = days.len();
        let person = kind::person(statements).and_then(|person| names.find(&person.name));
        spell(&mut names, usage.languages);
        echo(statements, &mentions, &mut names);
        for id in 0..names.list.len() {
            let name = &mut names.list[id];
            let named = holds_name(&name.spelled, &name.words, &usage);
            let sections = under.get(&id).filter(|_| !name.known);
            name.template = sections.is_some_and(|sections| is_template(name, sections, days, named));
            // All of it is told for the person, and seldom of them.
            if person == Some(id) {
                continue;
            }
            if !name.template {
                judge(name, named, days, &usage);
            }
            if name.known && !judge::names_nothing(&name.spelled, &name.words) {
                name.quality = name.quality.max(KNOWN);
            }
        }
        assemble(statements, &names, &mentions, details)
    }

    pub fn resolve(&self, heading_name: &str) -> Resolved {
        let known = self.keys.get(&stems(heading_name).concat()).copied();
        known.unwrap_or(Resolved::Unknown)
    }
}

/// The names in each heading and label: its own or its beginning with the rest as detail, then those that its words spell.
type Heads = FxHashMap<String, Vec<(String, Option<String>)>>;

fn heads_of(statements: &[Statement], usage: &Usage) -> Heads {
    let titles = statements
        .iter()
        .flat_map(|told| told.heads.iter().chain(&told.label).chain(&told.upper));
    let titles: BTreeSet<&String> = titles.collect();
    let mut sharing: FxHashMap<String, u32> = FxHashMap::default();
    for title in &titles {
        for (beginning, _) in beginnings(title) {
            *sharing.entry(stems(beginning).concat()).or_default() += 1;
        }
    }
    let heads = titles.into_iter().map(|title| {
        let is_shared = |(beginning, least): &(&str, u32)| {
            let rest = title[beginning.len()..].trim_start();
            sharing[&stems(beginning).concat()] >= *least && !rest.starts_with(assemble::BINDS)
        };
        let shared = beginnings(title).into_iter().find(is_shared);
        let named = shared.and_then(|(beginning, _)| {
            let rest = title[beginning.len()..]
                .trim_matches([' ', '—', '–', '-', ':', '：', '|', '→', '+', '·', ',', '/', '&']);
            Some((
                statement::name(beginning).filter(|name| select::whole_marks(name) == *name)?,
                Some(rest.to_owned()).filter(|rest| rest.chars().count() > 2),
            ))
        });
        let mut names = vec![named.unwrap_or_else(|| (select::whole_marks(title), None))];
        let words = Words::of(title, usage.languages);
        // A heading that is one name spells itself: that is no second telling.
        let own = stems(&names[0].0);
        let spelled = spelled::names(title, &words, usage).into_iter();
        let others = spelled.filter(|(name, _)| stems(name) != own);
        names.extend(others.map(|(name, _)| (name, None)));
        (title.clone(), names)
    });
    heads.collect()
}

/// The beginnings of a heading that may be its subject, shortest first, each with the number of headings that must share it.
fn beginnings(title: &str) -> Vec<(&str, u32)> {
    let mut out: Vec<(&str, u32)> = Vec::new();
    for separator in topic::SEPARATORS.into_iter().chain([" | ", " → "]) {
        if let Some((before, _)) = title.split_once(separator) {
            let long = title.split_whitespace().count() > 6;
            out.push((before, if long { 1 } else { 2 }));
        }
    }
    // Two words that three headings begin with.
    let is_plain = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    let two = title.match_indices(' ').nth(1).map(|(at, _)| &title[..at]);
    // "Painted June", of "Painted June 18 rows", is nothing's name.
    let ends_in_time = |two: &str| {
        let words = Words::of(two, lexicon().languages(two)).words;
        words.last().is_some_and(|last| last.cues & WHEN != 0)
    };
    let two = two.filter(|two| two.chars().all(is_plain) && !ends_open(two) && !ends_in_time(two));
    out.extend(two.map(|two| (two, 3)));
    out.sort_by_key(|(beginning, _)| beginning.len());
    out
}

#[cfg(test)]
mod tests;
