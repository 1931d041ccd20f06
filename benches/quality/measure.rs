//! What is measured of a ROOT and its tree.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::digest::Digest;
use hipocampusd::memory::summary::Section;
use hipocampusd::memory::topic::{self, key};

use super::history as typical;
use super::plant::{Fact, History};
use super::tree::Tree;

/// Whether the words of a fact stand together in one line.
pub(crate) fn known(text: &str, fact: &Fact) -> bool {
    text.lines().any(|line| holds(&line.to_lowercase(), fact))
}

fn holds(line: &str, fact: &Fact) -> bool {
    fact.words.iter().all(|word| says(line, word))
}

/// A subject of several words may stand in any order and form, as long as each is there.
fn says(line: &str, word: &str) -> bool {
    word.to_lowercase()
        .split(' ')
        .all(|part| line.contains(part.strip_suffix('s').unwrap_or(part)))
}

/// Whether a walk by the fact's topic ends at a line that states it: months whose topics name it, their weeks that do, their days.
pub(crate) fn reachable(tree: &Tree, fact: &Fact) -> bool {
    if fact.aside {
        return reachable_aside(tree, fact);
    }
    let named = |digest: &Digest| {
        let topics = digest.topics().iter().map(|topic| topic.name.clone());
        let statements = digest.statements().iter();
        let statements = statements.map(|told| format!("{} {}", told.heads.join(" "), told.text));
        topics.chain(statements).any(|line| says(&line.to_lowercase(), &fact.subject))
    };
    tree.months.iter().filter(|(_, month)| named(&month.digest)).any(|(month, _)| {
        let weeks = month.weeks().filter_map(|week| Some((week, tree.weeks.get(&week)?)));
        weeks.filter(|(_, week)| named(&week.digest)).any(|(week, _)| {
            let days = week.days().filter_map(|day| tree.days.get(&day));
            days.filter(|day| named(&day.digest)).any(|day| states(&day.node.body, fact))
        })
    })
}

/// The same for a fact that stands among others: its topic is what the daily node files it under, by that name to be found above.
fn reachable_aside(tree: &Tree, fact: &Fact) -> bool {
    let named = |digest: &Digest, name: &str| digest.topics().iter().any(|topic| topic.name == name);
    let Some(day) = tree.days.get(&fact.day) else {
        return false;
    };
    let week = tree.weeks.get(&fact.day.week());
    let month = tree.months.get(&fact.day.node_month());
    day.node
        .body
        .lines()
        .filter(|line| holds(&line.to_lowercase(), fact))
        .any(|line| {
            let name = line.trim_start_matches("- ").split(": ").next().unwrap_or_default();
            let name = name.split(" [").next().unwrap_or_default();
            [week, month]
                .iter()
                .all(|node| node.is_some_and(|node| named(&node.digest, name)))
        })
}

/// Whether a body states a fact: in a line, or in an entry that stands there whole.
fn states(body: &str, fact: &Fact) -> bool {
    let body = body.to_lowercase();
    let whole = |entry: &&str| Section::parse(entry.lines().next().unwrap_or_default()).is_none();
    body.lines().any(|line| holds(line, fact))
        || body.split("\n## ").filter(whole).any(|entry| holds(entry, fact))
}

/// How many of the topics in the index are as old as the newest day that has them, of how many. What a line of the person says need not
/// stand behind a topic.
pub(crate) fn fresh(history: &History, tree: &Tree, root: &str) -> (usize, usize) {
    let mut last: BTreeMap<String, Day> = BTreeMap::new();
    for (&day, built) in &tree.days {
        for topic in &built.node.front.topics {
            last.insert(key(&topic.name).to_string(), day);
        }
    }
    let (mut right, mut all) = (0, 0);
    let index = root.split("## Topics Index").nth(1).unwrap_or_default();
    for line in index.lines() {
        let Some((name, rest)) = line.strip_prefix("- ").and_then(|line| line.split_once(" [")) else {
            continue;
        };
        let age = rest.split(['d', ',', ']']).find_map(|part| part.trim().parse::<i64>().ok());
        if let Some(&day) = last.get(key(name).as_str()) {
            all += 1;
            right += usize::from(age == Some(history.today.days_since(day)));
        }
    }
    (right, all)
}

/// How many user and feedback entries are in their month word for word and named in ROOT, of how many.
pub(crate) fn kept(history: &History, tree: &Tree, root: &str) -> (usize, usize) {
    let mut right = 0;
    let entries: Vec<(&Fact, &String)> = history
        .facts
        .iter()
        .filter_map(|fact| Some((fact, fact.kept.as_ref()?)))
        .collect();
    for (fact, entry) in &entries {
        let whole = tree
            .months
            .get(&fact.day.node_month())
            .is_some_and(|month| month.text.contains(entry.as_str()));
        let name = format!("- About {} [", fact.subject);
        right += usize::from(whole && root.contains(&name));
    }
    (right, entries.len())
}

/// Whether a line says something of an entry: under another of its subjects, in fewer words.
fn quotes(line: &str, entry: &str) -> bool {
    const WORDS_MIN: usize = 4;
    let told: HashSet<&str> = entry.split_whitespace().collect();
    line.split("; ").any(|part| {
        let said = part.rsplit(": ").next().unwrap_or(part);
        let words: Vec<&str> = said.split_whitespace().collect();
        let is_told = |word: &&&str| told.contains(word.trim_end_matches(['.', ',']));
        words.len() >= WORDS_MIN && words.iter().filter(is_told).count() + 1 >= words.len()
    })
}

/// What a line is about: what stands before its first colon.
fn head(line: &str) -> &str {
    line.split(": ").next().unwrap_or(line)
}

/// Appends an entry on a topic that ROOT knows, again and again from the same start: to the newest day, and to the day after, of which
/// there is nothing yet. The mean of ROOT's bytes that change, the mean of the lines of other topics that do, and the most of these.
pub(crate) fn stable(history: &History, tree: &Tree, cap: usize, trials: usize) -> (usize, f64, usize) {
    let tomorrow = history.today.plus(1);
    let none = String::new();
    let log = history.logs.get(&history.today).unwrap_or(&none);
    let before = tree.root(history.today, cap).text;
    let one = more(tree, (history.today, log), &before, cap, trials);
    let before = tree.root_as_of(tomorrow, cap).text;
    let other = more(tree, (tomorrow, &none), &before, cap, trials);
    let tried = (one.0 + other.0).max(1);
    (
        (one.1 + other.1) / tried,
        (one.2 + other.2) as f64 / tried as f64,
        one.3.max(other.3),
    )
}

/// The same for one day with its log: how often, and the sums.
fn more(
    tree: &Tree,
    (day, log): (Day, &String),
    before: &str,
    cap: usize,
    trials: usize,
) -> (usize, usize, usize, usize) {
    let index = before.split("## Topics Index").nth(1).unwrap_or_default();
    let names: Vec<&str> = index
        .lines()
        // Of conversations the page tells little but what people say of themselves.
        .filter(|line| line.contains(" [project") || line.contains(" [user"))
        .filter_map(|line| Some(line.strip_prefix("- ")?.rsplit_once(" [")?.0))
        // A heading that is a date names no topic, so there can be no more on it.
        .filter(|name| topic::name(name).is_some_and(|read| key(&read) == key(name)))
        .collect();
    let (mut bytes, mut others, mut worst) = (0, 0, 0);
    let trials = trials.min(names.len());
    for trial in 0..trials {
        let name = names[trial * names.len() / trials];
        let mut log = log.clone();
        let entry = typical::entry(trial as u64);
        let body = entry.split_once("\n\n").map_or("", |(_, body)| body);
        let _ = write!(log, "\n## {name}\n\n{body}");
        let after = tree.root_with(day, &log, cap).text;
        let mut changed = 0;
        for (one, other) in [(before, after.as_str()), (after.as_str(), before)] {
            let known: HashSet<&str> = other.lines().collect();
            for line in one.lines().filter(|line| !known.contains(line)) {
                bytes += line.len();
                // A line that gained or lost the topic's name is that topic's, by whichever of the two holds it.
                let twin = other.lines().find(|twin| head(twin) == head(line) && line.contains(": "));
                let names = |line: &str| {
                    line.contains(name) || line.starts_with("last-updated") || quotes(line, body)
                };
                let ours = names(line) || twin.is_some_and(names);
                if !ours {
                    eprintln!("  with more on {name}: {line}");
                }
                changed += usize::from(!ours);
            }
        }
        others += changed;
        worst = worst.max(changed);
    }
    (trials, bytes, others, worst)
}
