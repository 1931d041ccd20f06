//! Whom the agent works for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::memory::calendar::Day;
use crate::memory::language::{COMMON, Cues, SAID, SERVICE, STOP, USER, WHEN, is_ordinary_noun};
use crate::memory::statement::Statement;
use crate::memory::text::is_listed;
use crate::memory::words::{Class, Word};

/// On so many days somebody is named as the one who asks, before that is the person.
const PERSON_DAYS_MIN: usize = 2;
/// The person is named on an eighth of all days at least. In logs of an agent among agents others say much, too.
const PERSON_DAYS_SHARE: usize = 8;
/// Words before the name of somebody who is asked, and behind "Anna's": their word counts.
const BEFORE: &str = "per needs need awaits awaiting laut selon según według menurut согласно";
const THEIRS: &str = "rule rules request requests feedback instruction instructions decision decisions \
                      approval mandate directive directives question correction confirmation permission authorization";
/// Words beside a name that the agent has: "the bot Kira", "Kira persona". "Anna's bot" does not count: the bot is Anna's.
const AGENTS: &str = "bot assistant agent persona identity";
/// What agents call their person in a script without capitals.
const TITLES: [&str; 6] = ["老大", "老板", "老闆", "主人", "ボス", "社長"];
/// A verb stands so near behind such a title, in bytes: two characters.
const NEAR: u32 = 7;

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
    let mut agents: BTreeMap<&str, BTreeSet<Day>> = BTreeMap::new();
    for statement in statements.iter().filter(|statement| statement.speaker.is_none()) {
        let (text, words) = (statement.text.as_str(), &statement.words.words);
        for (at, word) in words.iter().enumerate() {
            let written = word.text(text);
            let bare = written.strip_suffix("'s").or(written.strip_suffix("’s")).unwrap_or(written);
            if !is_given_name(word, bare) {
                continue;
            }
            named.entry(bare).or_default().insert(statement.day);
            let is_in = |word: Option<&Word>, list| {
                word.is_some_and(|word| is_listed(&word.text(text).to_lowercase(), list))
            };
            let before = at.checked_sub(1).map(|before| &words[before]);
            let is_theirs = bare.len() < written.len();
            if !is_theirs && (is_in(before, AGENTS) || is_in(words.get(at + 1), AGENTS)) {
                agents.entry(bare).or_default().insert(statement.day);
            }
            // "Anna wants", "Anna clearly said".
            let mut next = words[at + 1..].iter().take(2);
            let is_small = |next: &Word| next.text(text).starts_with(char::is_lowercase);
            let is_near = |next: &Word| {
                let mut between = text[word.end as usize..next.start as usize].chars();
                between.all(|sign| sign.is_alphabetic() || sign == ' ')
            };
            let is_asked = match is_theirs {
                true => is_in(words.get(at + 1), THEIRS),
                false => {
                    let is_beside = |before: &Word| &text[before.end as usize..word.start as usize] == " ";
                    before.is_some_and(is_beside) && is_in(before, BEFORE)
                }
            };
            if is_asked || next.any(|next| next.cues & SAID != 0 && is_small(next) && is_near(next)) {
                asked.entry(bare).or_default().insert(statement.day);
            }
        }
        for title in TITLES {
            for (at, _) in text.match_indices(title) {
                // "主人公", "副社長", "ボストン" are others.
                let is_longer = text[at + title.len()..].starts_with(['公', '娘', 'ト', 'ポ', '室'])
                    || text[..at].ends_with(['女', '副']);
                if is_longer {
                    continue;
                }
                let end = (at + title.len()) as u32;
                named.entry(title).or_default().insert(statement.day);
                let says = |&(at, cues): &(u32, Cues)| cues & SAID != 0 && (end..end + NEAR).contains(&at);
                if statement.words.signs.iter().any(says) {
                    asked.entry(title).or_default().insert(statement.day);
                }
            }
        }
    }
    let all: BTreeSet<Day> = statements.iter().map(|statement| statement.day).collect();
    // Now and then a word such as "agent" stands beside the person's name, too.
    let is_agent = |name: &str, asks: usize| {
        agents
            .get(name)
            .is_some_and(|days| days.len() >= PERSON_DAYS_MIN && days.len() * 2 >= asks)
    };
    named.retain(|name, days| {
        let asks = asked.get(name).map_or(0, BTreeSet::len);
        asks >= PERSON_DAYS_MIN && days.len() * PERSON_DAYS_SHARE >= all.len() && !is_agent(name, asks)
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
        && !is_ordinary_noun(written, 0)
        && word.cues & (STOP | SERVICE | USER | COMMON | WHEN | SAID) == 0
}
