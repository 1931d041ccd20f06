//! Whom the agent works for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::memory::calendar::Day;
use crate::memory::language::{
    COMMON, Cues, SAID, SERIAL, SERVICE, STOP, USER, WHEN, hash_word, is_ordinary_noun,
};
use crate::memory::statement::Statement;
use crate::memory::text::is_listed;
use crate::memory::words::{Class, Word};
use rustc_hash::FxHashMap;

/// On so many days somebody is named as the one who asks, before that is the person.
const PERSON_DAYS_MIN: usize = 2;
/// The person is named on an eighth of all days at least. In logs of an agent among agents others say much, too.
const PERSON_DAYS_SHARE: usize = 8;
/// A name may be a word as well, which is written small, but not so many times as often.
const SMALL_OF_LARGE: u32 = 4;
/// Words before the name of somebody who is asked for: "needs Anna".
const BEFORE: &str = "per needs need awaits awaiting laut selon según według menurut согласно";
/// Words behind the name of somebody whose word counts: "Anna's decision".
const THEIRS: &str = "rule rules request requests feedback instruction instructions decision decisions \
                      approval mandate directive directives question correction confirmation permission authorization";
/// Words beside a name that the agent has: "the bot Kira", "Kira persona". "Anna's bot" does not count: the bot is Anna's.
const AGENTS: &str = "bot assistant agent persona identity";
/// What stands before nouns, and before no name. "Der" and "la" may, and "a" and "de" are other words elsewhere.
const ARTICLES: &str = "the ein eine einen einer einem un una une uno um uma een";
/// What agents call their person in a script without capitals.
pub(super) const TITLES: [&str; 6] = ["老大", "老板", "老闆", "主人", "ボス", "社長"];
/// A verb stands so near behind such a title, in bytes: two characters.
const NEAR: usize = 7;

/// The one the agent works for.
#[derive(Debug, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    /// When they were named.
    pub days: BTreeSet<Day>,
}

/// The days on which a name was met, as what.
#[derive(Default)]
struct Met {
    named: BTreeSet<Day>,
    /// As one who asks, or is asked for.
    asks: BTreeSet<Day>,
    /// As what the agent is called.
    agent: BTreeSet<Day>,
}

/// The one the agent works for: of those who ask, want and confirm something, the one named on the most days, if these are many.
pub fn person(statements: &[Statement]) -> Option<Person> {
    let mut met: BTreeMap<&str, Met> = BTreeMap::new();
    // How often each word is written small, and large.
    let mut written: FxHashMap<u64, [u32; 2]> = FxHashMap::default();
    for statement in statements.iter().filter(|statement| statement.speaker.is_none()) {
        meet_names(statement, &mut met);
        meet_titles(statement, &mut met);
        for word in &statement.words.words {
            let is_large = word.text(&statement.text).starts_with(char::is_uppercase);
            written.entry(word.hash).or_default()[usize::from(is_large)] += 1;
        }
    }
    // "Workspace confirmed": a word that the logs mostly write small is nobody's name. Somebody may be called Mark.
    let is_word = |name: &str| {
        let [small, large] = written.get(&hash_word(name)).copied().unwrap_or_default();
        small > SMALL_OF_LARGE * large
    };
    let all: BTreeSet<Day> = statements.iter().map(|statement| statement.day).collect();
    met.retain(|name, Met { named, asks, agent }| {
        // Now and then a word such as "agent" stands beside the person's name, too.
        let is_agent = agent.len() >= PERSON_DAYS_MIN && agent.len() * 2 >= asks.len();
        asks.len() >= PERSON_DAYS_MIN
            && named.len() * PERSON_DAYS_SHARE >= all.len()
            && !is_agent
            && !is_word(name)
    });
    let most = met.into_iter().max_by_key(|(name, met)| (met.named.len(), Reverse(*name)));
    most.map(|(name, met)| Person { name: name.to_owned(), days: met.named })
}

fn meet_names<'a>(statement: &'a Statement, met: &mut BTreeMap<&'a str, Met>) {
    let (text, words, day) = (statement.text.as_str(), &statement.words.words, statement.day);
    let is_in =
        |word: Option<&Word>, list| word.is_some_and(|word| is_listed(&word.text(text).to_lowercase(), list));
    for (at, word) in words.iter().enumerate() {
        let written = word.text(text);
        let name = written.strip_suffix("'s").or(written.strip_suffix("’s")).unwrap_or(written);
        if !is_given_name(word, name) {
            continue;
        }
        let met = met.entry(name).or_default();
        met.named.insert(day);
        let (before, behind) = (at.checked_sub(1).map(|before| &words[before]), words.get(at + 1));
        if name.len() < written.len() {
            met.asks.extend(is_in(behind, THEIRS).then_some(day));
            continue;
        }
        met.agent.extend(
            (is_in(before, AGENTS) || is_in(behind, AGENTS) || is_in(before, ARTICLES)).then_some(day),
        );
        let is_beside = |before: &Word| &text[before.end as usize..word.start as usize] == " ";
        let is_wanted = before.is_some_and(is_beside) && is_in(before, BEFORE);
        // "Anna wants", "Anna clearly said".
        let mut next = words[at + 1..].iter().take(2);
        let is_small = |next: &Word| next.text(text).starts_with(char::is_lowercase);
        let is_near = |next: &Word| {
            let mut between = text[word.end as usize..next.start as usize].chars();
            between.all(|sign| sign.is_alphabetic() || sign == ' ')
        };
        let says = next.any(|next| next.cues & SAID != 0 && is_small(next) && is_near(next));
        met.asks.extend((is_wanted || says).then_some(day));
    }
}

fn meet_titles<'a>(statement: &'a Statement, met: &mut BTreeMap<&'a str, Met>) {
    let text = statement.text.as_str();
    for title in TITLES {
        for (at, _) in text.match_indices(title) {
            let end = at + title.len();
            // "主人公", "副社長", "ボストン" are others.
            let is_longer =
                text[end..].starts_with(['公', '娘', 'ト', 'ポ', '室']) || text[..at].ends_with(['女', '副']);
            if is_longer {
                continue;
            }
            let met = met.entry(title).or_default();
            met.named.insert(statement.day);
            let is_verb =
                |&(at, cues): &(u32, Cues)| cues & SAID != 0 && (end..end + NEAR).contains(&(at as usize));
            met.asks
                .extend(statement.words.signs.iter().any(is_verb).then_some(statement.day));
        }
    }
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
        && word.cues & (STOP | SERIAL | SERVICE | USER | COMMON | WHEN | SAID) == 0
}
