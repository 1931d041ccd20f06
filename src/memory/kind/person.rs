//! Whom the agent works for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::memory::calendar::Day;
use crate::memory::language::{COMMON, SAID, SERVICE, STOP, USER, WHEN};
use crate::memory::statement::Statement;
use crate::memory::words::{Class, Word};

/// On so many days somebody is named as the one who asks, before that is the person.
const PERSON_DAYS_MIN: usize = 2;
/// The person is named on a fifth of all days at least. In logs of an agent among agents others say much, too.
const PERSON_DAYS_SHARE: usize = 5;

/// The one the agent works for.
#[derive(Debug, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    /// When they were named.
    pub days: BTreeSet<Day>,
}

/// The one the agent works for: of those who ask, want and confirm something, the one named on the most days, if these are many.
pub fn person(statements: &[Statement]) -> Option<Person> {
    let mut asked: BTreeMap<&str, BTreeSet<Day>> = BTreeMap::new();
    let mut named: BTreeMap<&str, BTreeSet<Day>> = BTreeMap::new();
    for statement in statements.iter().filter(|statement| statement.speaker.is_none()) {
        let text = statement.text.as_str();
        for (at, word) in statement.words.words.iter().enumerate() {
            let written = word.text(text);
            if !is_given_name(word, written) {
                continue;
            }
            named.entry(written).or_default().insert(statement.day);
            // "Anna wants", "Anna clearly said".
            let mut next = statement.words.words[at + 1..].iter().take(2);
            let is_small = |next: &Word| next.text(text).starts_with(char::is_lowercase);
            let is_near = |next: &Word| {
                let mut between = text[word.end as usize..next.start as usize].chars();
                between.all(|sign| sign.is_alphabetic() || sign == ' ')
            };
            if next.any(|next| next.cues & SAID != 0 && is_small(next) && is_near(next)) {
                asked.entry(written).or_default().insert(statement.day);
            }
        }
    }
    let all: BTreeSet<Day> = statements.iter().map(|statement| statement.day).collect();
    named.retain(|name, days| {
        days.len() * PERSON_DAYS_SHARE >= all.len()
            && asked.get(name).is_some_and(|days| days.len() >= PERSON_DAYS_MIN)
    });
    let most = named.into_iter().max_by_key(|(name, days)| (days.len(), Reverse(*name)));
    most.map(|(name, days)| Person { name: name.to_owned(), days })
}

/// Whether a word may be somebody's name: a capital and small letters.
fn is_given_name(word: &Word, written: &str) -> bool {
    let mut letters = written.chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    let rest = letters.as_str();
    word.class == Class::Plain
        && capital
        && rest.chars().count() > 1
        && rest.chars().all(char::is_lowercase)
        && word.cues & (STOP | SERVICE | USER | COMMON | WHEN | SAID) == 0
}
