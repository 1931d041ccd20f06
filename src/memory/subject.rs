//! What the statements of a period are about: subjects under the shortest name that the logs use.
//!
//! Learned from these statements alone: which headings are a template's, which words are names, which names are one subject's.

mod kin;
mod spelled;

use super::calendar::Day;
use super::language::{COMMON, DECIDE, DID, DONE, ERROR, KIN, NEXT, OPEN, STOP, USER, lexicon};
use super::kind;
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
/// How well a borrowed name fits; near 0 costs 0.009 of what a page knows, in Russian 0.04.
const LENT: f64 = 0.8;

/// Something that statements are about.
#[derive(Debug, Default, PartialEq)]
pub struct Subject {
    /// The spelling that the logs use most.
    pub name: String,
    /// The days on which it was told.
    pub days: BTreeSet<Day>,
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
    /// How well it fits.
    pub quality: f64,
    /// What the heading says beyond the subject's name: a place in [`Subjects::details`].
    pub detail: Option<usize>,
}

/// The subject of a heading's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// Its own, or the larger one that took it in.
    Subject(usize),
    /// The name is a part of a template.
    Template,
    /// Nothing is known of it.
    Unknown,
}

/// All subjects of a period.
#[derive(Debug, Default)]
pub struct Subjects {
    /// The subjects.
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
    /// Small.
    Small,
    /// Not seen inside a sentence.
    Unknown,
}

/// How often each word is written small, and large inside a sentence.
#[derive(Debug, Default)]
struct Usage(FxHashMap<u64, (u32, u32)>);

impl Usage {
    fn learn(statements: &[Statement]) -> Self {
        let mut usage: FxHashMap<u64, (u32, u32)> = FxHashMap::default();
        for told in statements {
            let mut before: Option<&Word> = None;
            for word in &told.words.words {
                if word.class == Class::Plain {
                    let text = word.text(&told.text);
                    let inside = before.is_some_and(|before| told.text[before.end as usize..word.start as usize].trim().is_empty() && before.text(&told.text).starts_with(|first: char| first.is_lowercase() || first.is_numeric()));
                    let entry = usage.entry(word.hash).or_default();
                    if text.starts_with(char::is_lowercase) {
                        entry.0 += 1;
                    } else if inside {
                        entry.1 += 1;
                    }
                }
                before = Some(word);
            }
        }
        Self(usage)
    }

    fn of(&self, word: &Word) -> State {
        match self.0.get(&word.hash) {
            Some(&(small, large)) if large > 2 * small => State::Capital,
            Some(&(small, _)) if small > 0 => State::Small,
            _ => State::Unknown,
        }
    }
}

/// Where a name was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Text,
    Label,
    Head,
}

/// A name before it is judged.
#[derive(Debug, Default)]
struct Name {
    key: String,
    /// The stems of its words.
    stems: Vec<String>,
    spellings: BTreeMap<String, u32>,
    days: BTreeSet<Day>,
    head_days: BTreeSet<Day>,
    /// Statements that spell it.
    texts: u32,
    /// Statements under it as a heading or label.
    heads: u32,
    /// Statements elsewhere that hold its words in a row.
    echoes: u32,
    quality: f64,
    template: bool,
    spelled: String,
    /// The terms of its spelling, in order.
    order: Vec<Term>,
    terms: FxHashSet<Term>,
}

/// One meeting of a statement and a name.
#[derive(Debug, Clone, Copy)]
struct Mention {
    name: usize,
    place: Place,
    detail: Option<usize>,
}

/// The names met so far.
#[derive(Debug, Default)]
struct Names {
    list: Vec<Name>,
    by_key: FxHashMap<String, usize>,
}

impl Names {
    fn meet(&mut self, name: &str, day: Day, place: Place) -> Option<usize> {
        let stems = stems(name);
        let key = stems.concat();
        if key.is_empty() {
            return None;
        }
        let id = *self.by_key.entry(key.clone()).or_insert_with(|| {
            self.list.push(Name { key, stems, ..Name::default() });
            self.list.len() - 1
        });
        let met = &mut self.list[id];
        met.days.insert(day);
        // A heading was spelled with care.
        *met.spellings.entry(name.to_owned()).or_default() += if place == Place::Head { 2 } else { 1 };
        match place {
            Place::Text => met.texts += 1,
            Place::Label => met.heads += 1,
            Place::Head => {
                met.heads += 1;
                met.head_days.insert(day);
            }
        }
        Some(id)
    }
}

/// The stems of a name's words: kin spellings meet in them.
fn stems(name: &str) -> Vec<String> {
    const EXTENSIONS: [&str; 14] = [".py", ".md", ".js", ".ts", ".rs", ".sh", ".json", ".html", ".vue", ".php", ".db", ".yml", ".yaml", ".tsx"];
    let bare = EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(name);
    let key = topic::key(without_genitive(bare));
    key.as_str().split(' ').filter(|word| !word.is_empty()).map(|word| case_stem(stem(word)).to_owned()).collect()
}

fn without_genitive(name: &str) -> &str {
    ["'s", "’s", "'", "’"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Without the vowel that a Slavic case leaves: "Москве", "Москву".
fn case_stem(word: &str) -> &str {
    let cyrillic = word.starts_with(|first: char| matches!(first, '\u{400}'..='\u{4ff}'));
    if cyrillic && word.chars().count() > 4 { word.trim_end_matches(['а', 'я', 'о', 'е', 'и', 'ы', 'у', 'ю', 'ь', 'й']) } else { word }
}

impl Subjects {
    /// Learns the subjects of statements. The same statements in the same order give the same subjects.
    pub fn learn(statements: &[Statement]) -> Self {
        let usage = Usage::learn(statements);
        let text: String = statements.iter().rev().take(40).flat_map(|told| [told.text.as_str(), " "]).collect();
        let languages = lexicon().languages(&text);
        let heads = Heads::learn(statements, &usage, languages);
        let mut names = Names::default();
        let mut details: Vec<String> = Vec::new();
        let mut under: FxHashMap<usize, FxHashMap<(Day, u64), FxHashSet<Term>>> = FxHashMap::default();
        let mut mentions: Vec<Vec<Mention>> = Vec::with_capacity(statements.len());
        for told in statements {
            let mut met: Vec<Mention> = Vec::new();
            let lowest = told.heads.len().saturating_sub(2);
            let above = told.heads[lowest..].iter().map(|head| (head, Place::Head)).chain(told.label.iter().map(|label| (label, Place::Label)));
            for (title, place) in above {
                let Some(head) = heads.0.get(title) else { continue };
                for (at, (name, detail)) in head.iter().enumerate() {
                    // The names inside a heading are names like any other in the text.
                    let place = if at == 0 { place } else { Place::Text };
                    let Some(id) = names.meet(name, told.day, place) else { continue };
                    let detail = detail.as_ref().map(|text| {
                        details.push(text.clone());
                        details.len() - 1
                    });
                    met.push(Mention { name: id, place, detail });
                    // Different headings that begin alike have different things under them.
                    if at == 0 && detail.is_none() {
                        let section = told.heads.iter().fold(0u64, |sum, head| sum.rotate_left(7) ^ super::language::hash_word(head));
                        under.entry(id).or_default().entry((told.day, section)).or_default().extend(told.words.terms());
                    }
                }
            }
            for name in spelled::names(&told.text, &told.words, &usage) {
                if let Some(id) = names.meet(&name, told.day, Place::Text) {
                    met.push(Mention { name: id, place: Place::Text, detail: None });
                }
            }
            mentions.push(met);
        }
        let days = statements.iter().map(|told| told.day).collect::<BTreeSet<_>>().len();
        let person = kind::person(statements).and_then(|name| names.by_key.get(&stems(&name).concat()).copied());
        spell(&mut names, languages);
        echo(statements, &mentions, &mut names);
        for id in 0..names.list.len() {
            let name = &mut names.list[id];
            let words = Words::of(&name.spelled, languages);
            let named = holds_name(&name.spelled, &words, &usage);
            name.template = under.get(&id).is_some_and(|sections| is_template(name, sections, days, named));
            if person != Some(id) && !name.template {
                judge(name, &words, named, days, &usage);
            }
        }
        let into = kin::fold(&names);
        assemble(statements, names, into, mentions, details)
    }

    /// The subject that a heading's name belongs to.
    pub fn resolve(&self, heading_name: &str) -> Resolved {
        self.keys.get(&stems(heading_name).concat()).copied().unwrap_or(Resolved::Unknown)
    }
}

/// The names in each heading and label: its own or its beginning with the rest as detail, then those that its words spell.
struct Heads(FxHashMap<String, Vec<(String, Option<String>)>>);

impl Heads {
    fn learn(statements: &[Statement], usage: &Usage, languages: u16) -> Self {
        let titles: BTreeSet<&String> = statements.iter().flat_map(|told| told.heads.iter().chain(&told.label)).collect();
        let mut sharing: FxHashMap<String, u32> = FxHashMap::default();
        for title in &titles {
            for (beginning, _) in beginnings(title) {
                *sharing.entry(stems(beginning).concat()).or_default() += 1;
            }
        }
        let heads = titles.into_iter().map(|title| {
            let shared = beginnings(title).into_iter().find(|(beginning, least)| sharing.get(&stems(beginning).concat()).is_some_and(|count| count >= least));
            let named = shared.and_then(|(beginning, _)| {
                let rest = title[beginning.len()..].trim_matches([' ', '—', '–', '-', ':', '：', '|', '→', '+', '·', ',']);
                Some((statement::name(beginning).filter(|name| select::whole_marks(name) == *name)?, Some(rest.to_owned()).filter(|rest| rest.chars().count() > 2)))
            });
            let mut names = vec![named.unwrap_or_else(|| (select::whole_marks(title), None))];
            let words = Words::of(title, languages);
            // A heading that is one name spells itself: that is no second telling.
            let own = stems(&names[0].0);
            names.extend(spelled::names(title, &words, usage).into_iter().filter(|name| stems(name) != own).map(|name| (name, None)));
            (title.clone(), names)
        });
        Self(heads.collect())
    }
}

/// The beginnings of a heading that may be its subject, shortest first, each with the number of headings that must share it.
fn beginnings(title: &str) -> Vec<(&str, u32)> {
    let mut out: Vec<(&str, u32)> = Vec::new();
    for separator in [" — ", " – ", " - ", ": ", "：", " | ", " → ", " + "] {
        if let Some((before, _)) = title.split_once(separator) {
            let long = title.split_whitespace().count() > 6;
            out.push((before, if long { 1 } else { 2 }));
        }
    }
    let mut spaces = title.match_indices(' ').map(|(at, _)| at);
    // Two words that three headings begin with.
    if let Some(two) = spaces.nth(1)
        && title[..two].chars().all(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_' | '.'))
    {
        out.push((&title[..two], 3));
    }
    out.sort_by_key(|(beginning, _)| beginning.len());
    out
}

/// A heading or label under which other things stand each time.
fn is_template(name: &Name, sections: &FxHashMap<(Day, u64), FxHashSet<Term>>, days: usize, named: bool) -> bool {
    if sections.len() < SECTIONS_MIN {
        return false;
    }
    // A label in several sections is a field of a form, unless it is a name.
    if name.head_days.is_empty() && !named {
        return true;
    }
    let many = (days as f64 * FORM_SHARE).max(FORM_DAYS_MIN);
    let told = name.head_days.len().max(sections.len().min(name.days.len())) as f64;
    // A subject of many days is spoken of elsewhere too.
    if !named && told >= many && f64::from(name.echoes + name.texts) < SPOKEN_OF * told {
        return true;
    }
    let mut counts: FxHashMap<Term, u32> = FxHashMap::default();
    for term in sections.values().flatten() {
        *counts.entry(*term).or_default() += 1;
    }
    let own: FxHashSet<Term> = name.stems.iter().map(|stem| super::language::hash_word(stem)).collect();
    counts.retain(|term, _| !own.contains(term));
    let all: u32 = counts.values().sum();
    let again: u32 = counts.values().filter(|count| **count > 1).sum();
    let alike = f64::from(again) / f64::from(all.max(1));
    alike < ALIKE || name.head_days.len() as f64 >= many && alike < ALIKE_OFTEN
}

/// Says how good a name is.
fn judge(name: &mut Name, words: &Words, named: bool, days: usize, usage: &Usage) {
    if names_nothing(&name.spelled, words) {
        return;
    }
    let told = name.days.len();
    let everywhere = told as f64 > days as f64 * 0.5 + 1.0 && days > 3;
    let head = if name.heads > 0 && !statement::is_sentence(&name.spelled, words) { head_quality(name, words, named) } else { 0.0 };
    let text = if name.texts < 2 { 0.0 } else { spelled_quality(name, words, usage) * if everywhere { EVERYWHERE } else { 1.0 } * if told >= 3 { 1.15 } else if told == 2 { 1.0 } else { 0.75 } };
    name.quality = f64::max(head, text);
}

/// Whether a heading or label holds a name: an identifier, or a word that the logs write large inside sentences too.
fn holds_name(name: &str, words: &Words, usage: &Usage) -> bool {
    words.words.iter().any(|word| match word.class {
        Class::Code => true,
        Class::Plain => usage.of(word) == State::Capital && word.cues & (STOP | COMMON) == 0,
        Class::Unspaced => spelled::is_katakana(word.text(name)),
        Class::Number => false,
    })
}

/// How much a heading's name looks like a subject's: others speak of it, or it holds a name.
fn head_quality(name: &Name, words: &Words, named: bool) -> f64 {
    let single = words.words.len() == 1 && words.words[0].class == Class::Plain;
    if single && !named {
        return if name.head_days.len() > 1 { SINGLE } else { 0.0 };
    }
    let verb = words.words.first().is_some_and(|word| word.cues & (DID | DONE | DECIDE | OPEN | NEXT) != 0);
    let quality = if name.echoes > 0 || name.texts > 1 {
        SPOKEN
    } else if name.head_days.len() > 1 {
        AGAIN
    } else if named {
        NAMED
    } else {
        LONE
    };
    let label = if name.head_days.is_empty() { LABEL } else { 1.0 };
    quality * label * if verb { VERB } else { 1.0 }
}

/// Chooses the spelling of each name: the commonest, then the shortest.
fn spell(names: &mut Names, languages: u16) {
    for name in &mut names.list {
        let spelled = name.spellings.iter().max_by_key(|(spelling, count)| (**count, Reverse(spelling.len()), Reverse((*spelling).clone())));
        name.spelled = spelled.map(|(spelling, _)| without_genitive(spelling).to_owned()).unwrap_or_default();
        let words = Words::of(&name.spelled, languages);
        name.order = words.terms().to_vec();
        name.terms = name.order.iter().copied().collect();
    }
}

/// Counts for each heading's and label's name the statements that speak of it without standing under it.
fn echo(statements: &[Statement], mentions: &[Vec<Mention>], names: &mut Names) {
    let mut beginning: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
    for (id, name) in names.list.iter().enumerate() {
        if let Some(first) = name.order.first().filter(|_| name.heads > 0) {
            beginning.entry(*first).or_default().push(id);
        }
    }
    let mut counts = vec![0u32; names.list.len()];
    for (told, met) in statements.iter().zip(mentions) {
        let terms = told.words.terms();
        let mut heard: BTreeSet<usize> = BTreeSet::new();
        for (at, term) in terms.iter().enumerate() {
            for &id in beginning.get(term).map_or(&[][..], Vec::as_slice) {
                if terms[at..].starts_with(&names.list[id].order) && !met.iter().any(|mention| mention.name == id && mention.place != Place::Text) {
                    heard.insert(id);
                }
            }
        }
        for id in heard {
            counts[id] += 1;
        }
    }
    for (name, count) in names.list.iter_mut().zip(counts) {
        name.echoes = count;
    }
}

/// How much a name that the text spells looks like a subject's.
fn spelled_quality(name: &Name, words: &Words, usage: &Usage) -> f64 {
    let plain: Vec<&Word> = words.words.iter().filter(|word| word.class == Class::Plain).collect();
    if let [word] = plain[..]
        && words.words.len() == 1
    {
        let acronym = name.spelled.chars().all(|letter| letter.is_uppercase() || !letter.is_alphabetic());
        return match usage.of(word) {
            _ if word.cues & (DID | DONE | DECIDE | OPEN | NEXT) != 0 => 0.0,
            State::Small if !name.spelled.contains('-') => 0.0,
            _ if word.cues & ERROR != 0 => 0.0,
            _ if acronym => ACRONYM,
            _ if name.spelled.contains('-') && !name.spelled.contains(char::is_uppercase) => hyphened_quality(name),
            _ => 1.0,
        };
    }
    if words.words.len() == 1 && words.words[0].class == Class::Code {
        let constant = !name.spelled.contains(char::is_lowercase) || words.words[0].cues & ERROR != 0;
        if constant || name.spelled.starts_with(|first: char| first.is_ascii_digit()) {
            return CONSTANT;
        }
        let file = name.spelled.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 4);
        return if file || name.spelled.contains('-') { FILE } else { IDENTIFIER };
    }
    1.0
}

/// `billing-sync` is a name, `read-only` a word of the language: a name recurs, and its last part is no ending of such words.
fn hyphened_quality(name: &Name) -> f64 {
    const ENDINGS: [&str; 24] = [
        "only", "based", "term", "time", "level", "free", "side", "up", "off", "in", "out", "end", "day", "min", "hour", "week", "case", "wide", "safe", "ready", "friendly", "first", "like", "to",
    ];
    let last = name.spelled.rsplit('-').next().unwrap_or_default();
    let word = ENDINGS.contains(&last) || last.ends_with("ing") || last.ends_with("ed");
    if word || name.spelled.starts_with(|first: char| first.is_ascii_digit()) || name.days.len() < 3 { 0.0 } else { 1.0 }
}

/// Words of sections, roles, states, dates, and names of nothing but stop words.
fn names_nothing(name: &str, words: &Words) -> bool {
    const COMMONPLACE: [&str; 46] = [
        "http", "https", "ssh", "api", "url", "json", "sql", "css", "html", "utc", "gmt", "tcp", "udp", "tls", "ssl", "dns", "ping", "rest", "cli", "ide", "ram", "cpu", "gpu", "pdf", "csv", "xml", "yaml", "todo", "ok", "post", "get", "put", "patch", "id", "ui",
        "ux", "git", "cron", "null", "true", "false", "none", "nan", "ids", "yes", "html5",
    ];
    let letters = name.chars().filter(|letter| letter.is_alphabetic()).count();
    let label = lexicon().label(name);
    let first = words.words.first().map_or(0, |word| word.cues);
    letters < 2
        || words.words.len() > 1 && first & USER != 0
        || name.chars().count() > 44
        || label.role.is_some()
        || label.dull
        || label.skip
        || label.speaker.is_some()
        || topic::name(name).is_none()
        || COMMONPLACE.contains(&name.to_lowercase().as_str())
        || words.words.iter().all(|word| word.cues & (STOP | COMMON | USER | KIN) != 0 || word.class == Class::Number)
}

/// Makes the subjects of the names that are left, and the candidates of every statement.
fn assemble(statements: &[Statement], names: Names, into: Vec<usize>, mentions: Vec<Vec<Mention>>, details: Vec<String>) -> Subjects {
    let mut subjects = Subjects { details, ..Subjects::default() };
    let mut place: Vec<Option<usize>> = vec![None; names.list.len()];
    for (id, name) in names.list.iter().enumerate() {
        if into[id] == id && name.quality > 0.0 {
            place[id] = Some(subjects.list.len());
            subjects.list.push(Subject { name: name.spelled.clone(), days: name.days.clone(), terms: name.terms.clone(), quality: name.quality, path: None });
        }
    }
    for (id, name) in names.list.iter().enumerate() {
        let at = place[into[id]];
        if let Some(at) = at.filter(|_| into[id] != id) {
            subjects.list[at].days.extend(&name.days);
        }
        let resolved = match at {
            Some(at) if name.quality > 0.0 || into[id] != id => Resolved::Subject(at),
            _ if name.template || is_section(&name.spelled) => Resolved::Template,
            _ => Resolved::Unknown,
        };
        subjects.keys.insert(name.key.clone(), resolved);
    }
    let mut rests: FxHashMap<(usize, usize), Option<usize>> = FxHashMap::default();
    for met in &mentions {
        let mut best: BTreeMap<usize, (f64, Option<usize>)> = BTreeMap::new();
        for mention in met {
            let Some(subject) = place[into[mention.name]] else { continue };
            let quality = names.list[into[mention.name]].quality;
            let entry = best.entry(subject).or_insert((0.0, None));
            entry.0 = entry.0.max(quality);
            if mention.place != Place::Text {
                let own = into[mention.name];
                let rest = (own != mention.name).then(|| *rests.entry((mention.name, own)).or_insert_with(|| rest(&names.list[mention.name].spelled, &names.list[own].spelled).map(|rest| {
                    subjects.details.push(rest);
                    subjects.details.len() - 1
                })));
                entry.1 = entry.1.or(rest.flatten()).or(mention.detail);
            }
        }
        let mut of: Vec<Candidate> = best.into_iter().map(|(subject, (quality, detail))| Candidate { subject, quality, detail }).collect();
        sort(&mut of);
        subjects.of.push(of);
    }
    lend(statements, &mut subjects, true);
    lend(statements, &mut subjects, false);
    paths(statements, &mut subjects);
    subjects
}

/// What a name says beyond the one that takes it in.
fn rest(name: &str, inner: &str) -> Option<String> {
    let (lower, short) = (name.to_lowercase(), inner.to_lowercase());
    let ends = |rest: &str| rest.is_empty() || !rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '-' | '_' | '.'));
    let begins = |rest: &str| !rest.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '-' | '_' | '.'));
    // Small letters may be longer than large ones; then the whole name is said.
    let rest = if lower.len() != name.len() {
        name
    } else if let Some(rest) = lower.strip_prefix(&short).filter(|rest| ends(rest)) {
        &name[name.len() - rest.len()..]
    } else if let Some(rest) = lower.strip_suffix(&short).filter(|rest| begins(rest)) {
        &name[..rest.len()]
    } else {
        name
    };
    let rest = rest.trim().trim_matches(['-', '—', '–', ':', '：', '/', '+', ',', ' ', '→', '|', '·']);
    (rest.chars().count() > 2).then(|| rest.to_owned())
}

fn is_section(name: &str) -> bool {
    let label = lexicon().label(name);
    label.role.is_some() || label.dull || label.skip
}

fn sort(of: &mut [Candidate]) {
    of.sort_by(|one, other| other.quality.total_cmp(&one.quality).then(one.subject.cmp(&other.subject)));
}

/// A statement without a name borrows that of its line, or the commonest of its section.
fn lend(statements: &[Statement], subjects: &mut Subjects, by_line: bool) {
    type Near<'a> = (Day, usize, &'a [String]);
    let near = |told: &'_ Statement| -> (Day, usize, usize) { if by_line { (told.day, told.line, 0) } else { (told.day, usize::MAX, told.heads.len()) } };
    let mut around: FxHashMap<Near<'_>, BTreeMap<usize, u32>> = FxHashMap::default();
    for (told, of) in statements.iter().zip(&subjects.of) {
        let (day, line, heads) = near(told);
        for candidate in of {
            *around.entry((day, line, &told.heads[..heads])).or_default().entry(candidate.subject).or_default() += 1;
        }
    }
    for (told, of) in statements.iter().zip(&mut subjects.of) {
        let (day, line, heads) = near(told);
        if of.is_empty()
            && let Some(counts) = around.get(&(day, line, &told.heads[..heads]))
            && let Some((subject, _)) = counts.iter().max_by_key(|(subject, count)| (**count, Reverse(**subject)))
        {
            of.push(Candidate { subject: *subject, quality: LENT, detail: None });
        }
    }
}

/// Finds the path that most statements of each subject name.
fn paths(statements: &[Statement], subjects: &mut Subjects) {
    let mut counts: BTreeMap<(usize, &str), u32> = BTreeMap::new();
    for (told, of) in statements.iter().zip(&subjects.of) {
        let Some(best) = of.first() else { continue };
        for word in told.words.words.iter().filter(|word| word.class == Class::Code) {
            let text = word.text(&told.text);
            if text.contains('/') && text.rsplit('/').next().is_some_and(|file| file.contains('.')) && text.len() < 48 && !text.contains("//") {
                *counts.entry((best.subject, text)).or_default() += 1;
            }
        }
    }
    let mut most: BTreeMap<usize, (u32, &str)> = BTreeMap::new();
    for ((subject, path), count) in counts {
        let entry = most.entry(subject).or_insert((2, ""));
        if count > entry.0 {
            *entry = (count, path);
        }
    }
    for (subject, (_, path)) in most {
        subjects.list[subject].path = Some(path.to_owned()).filter(|path| !path.is_empty());
    }
}

#[cfg(test)]
mod tests;
