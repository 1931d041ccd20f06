//! The lines of ROOT's four sections, and how much of each topic is shown.

use std::collections::HashMap;

use super::foreign::Foreign;
use super::history::{History, Recent, Remembered};
use super::{ACTIVE_DAYS, Budget, Costs, RESTING_DAYS, age, tag};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;
use crate::memory::redact::{is_clean, redact};
use crate::memory::text::one_line;
use crate::memory::tokens::Cost;
use crate::memory::topic::key;

/// No line of the index costs fewer tokens; a cap divided by it bounds how many are worth looking at.
const LINE_TOKENS_MIN: usize = 7;
/// How long a state may be, in characters.
const STATE_CHARS_MAX: usize = 140;

/// How much of a topic the index shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// Nothing.
    Hidden,
    /// Name, type and age.
    Name,
    /// Three sub-keywords and a reference.
    Few,
    /// Six sub-keywords.
    Some,
    /// Ten sub-keywords.
    Many,
}

/// A topic that may get a line in the index.
pub(super) struct Candidate {
    pub(super) folded: String,
    pub(super) kind: Kind,
    pub(super) age: i64,
    head: String,
    words: Vec<String>,
    reference: Option<String>,
    tier: Tier,
    cost: Cost,
    /// Somebody else's line stands for it; it costs nothing more.
    taken: bool,
}

impl Candidate {
    pub(super) fn is_personal(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Feedback)
    }

    pub(super) fn is_resting(&self) -> bool {
        self.kind == Kind::Project && self.age > RESTING_DAYS
    }

    pub(super) fn is_shown(&self) -> bool {
        self.taken || self.tier > Tier::Hidden
    }

    /// Name, type and age, as the line starts.
    pub(super) fn head(&self) -> &str {
        &self.head
    }

    /// Shows more of the topic if the budget allows. Says whether it is now shown at least so far.
    pub(super) fn raise(&mut self, budget: &mut Budget<'_>, tier: Tier) -> bool {
        if self.taken || self.tier >= tier {
            return true;
        }
        let line = self.line(tier);
        let cost = budget.costs.line(&line);
        if !budget.afford(cost, self.cost) {
            return false;
        }
        (self.tier, self.cost) = (tier, cost);
        true
    }

    fn line(&self, tier: Tier) -> String {
        let words = match tier {
            Tier::Hidden | Tier::Name => return self.head.clone(),
            Tier::Few => 3,
            Tier::Some => 6,
            Tier::Many => 10,
        };
        let words = self
            .words
            .iter()
            .take(words)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ");
        let arrow = self
            .reference
            .as_ref()
            .map(|reference| format!("→ {reference}"))
            .unwrap_or_default();
        clean(match (words.is_empty(), arrow.is_empty()) {
            (true, true) => self.head.clone(),
            (true, false) => format!("{}: {arrow}", self.head),
            (false, true) => format!("{}: {words}", self.head),
            (false, false) => format!("{}: {words} {arrow}", self.head),
        })
    }
}

/// What is put together from clean pieces may read like a secret: a topic called *password* and a word behind it.
fn clean(line: String) -> String {
    if is_clean(&line) {
        line
    } else {
        redact(&line).into_owned()
    }
}

/// The topics that may be shown, the newest first; among those of one day, by name.
pub(super) fn candidates(
    history: &History,
    foreign: &Foreign,
    today: Day,
    tokens_max: usize,
) -> Vec<Candidate> {
    let mut topics: Vec<(&String, &Topic)> = history.topics.iter().collect();
    topics.sort_by_key(|(_, topic)| {
        let personal = matches!(topic.kind, Kind::User | Kind::Feedback);
        (
            !personal,
            age(topic.last, today) > RESTING_DAYS,
            std::cmp::Reverse(topic.last),
        )
    });
    topics.truncate(tokens_max / LINE_TOKENS_MIN);
    let mut spread: HashMap<&str, u32> = HashMap::new();
    for (word, _) in topics.iter().flat_map(|(_, topic)| &topic.keywords) {
        *spread.entry(word).or_default() += 1;
    }
    let candidate = |(folded, topic): (&String, &Topic)| Candidate {
        folded: folded.clone(),
        kind: topic.kind,
        age: age(topic.last, today),
        head: format!("- {} [{}]", topic.name, tag(topic.kind, age(topic.last, today))),
        words: words(folded, topic, &spread),
        reference: topic
            .references
            .iter()
            .find(|reference| reference.contains('/'))
            .cloned(),
        tier: Tier::Hidden,
        cost: Cost::default(),
        taken: foreign.names(folded),
    };
    topics.into_iter().map(candidate).collect()
}

/// The sub-keywords of a topic, those first that few other topics share; none that its name already says.
fn words(folded: &str, topic: &Topic, spread: &HashMap<&str, u32>) -> Vec<String> {
    if let (Kind::User | Kind::Feedback, Some(state)) = (topic.kind, &topic.state) {
        return vec![one_line(state, STATE_CHARS_MAX / 2)];
    }
    let mut words: Vec<(u64, &str)> = Vec::new();
    for (word, count) in &topic.keywords {
        let said = key(word);
        if !said.as_str().is_empty() && !folded.contains(said.as_str()) {
            let others = u64::from(spread.get(word.as_str()).copied().unwrap_or(1).max(1));
            words.push((u64::from(*count) * 1000 / others, word));
        }
    }
    words.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    words.into_iter().map(|(_, word)| word.to_owned()).collect()
}

/// The lines of the index: by type, what concerns the person first, then by name, so that a new mention moves no line.
pub(super) fn index(candidates: &[Candidate]) -> Vec<String> {
    let mut shown: Vec<&Candidate> = candidates
        .iter()
        .filter(|candidate| candidate.tier > Tier::Hidden)
        .collect();
    shown.sort_by(|one, other| (rank(one.kind), &one.folded).cmp(&(rank(other.kind), &other.folded)));
    shown
        .into_iter()
        .map(|candidate| candidate.line(candidate.tier))
        .collect()
}

fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::User => 0,
        Kind::Feedback => 1,
        Kind::Project => 2,
        Kind::Reference => 3,
    }
}

/// What is going on: the projects of the last seven days and where they stand, the newest first.
pub(super) fn active(history: &History, today: Day) -> Vec<String> {
    let recent = |topic: &&Topic| age(topic.last, today) < ACTIVE_DAYS && topic.kind == Kind::Project;
    let mut topics: Vec<&Topic> = history.topics().filter(recent).collect();
    topics.sort_by_key(|topic| {
        (
            topic.done,
            std::cmp::Reverse(topic.last),
            std::cmp::Reverse(topic.days),
        )
    });
    topics.into_iter().map(active_line).map(clean).collect()
}

fn active_line(topic: &Topic) -> String {
    let words = || {
        topic
            .keywords
            .iter()
            .take(5)
            .map(|(word, _)| word.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let state = topic
        .state
        .as_deref()
        .map_or_else(words, |state| one_line(state, STATE_CHARS_MAX));
    let says_so = state
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("done"));
    let done = if topic.done && !says_so { "done; " } else { "" };
    if state.is_empty() {
        format!("- {}", topic.name)
    } else {
        format!("- {}: {done}{state}", topic.name)
    }
}

/// What keeps coming back: topics of three days and more in the last two months, and what was learned.
pub(super) fn patterns(history: &History, today: Day) -> Vec<String> {
    let mut lines = Vec::new();
    let recent: Vec<_> = history
        .recent
        .iter()
        .filter(|month| age(month.last_day, today) <= 45)
        .collect();
    let mut topics: Vec<(String, u32, Vec<String>)> = Vec::new();
    for (name, days, words) in recent.iter().flat_map(|month| &month.topics) {
        match topics.iter_mut().find(|(known, _, _)| key(known) == key(name)) {
            Some((_, known, _)) => *known += days,
            None => topics.push((name.clone(), *days, words.clone())),
        }
    }
    topics.sort_by_key(|&(_, days, _)| std::cmp::Reverse(days));
    for (name, days, words) in topics.into_iter().take(5) {
        let words = if words.is_empty() {
            String::new()
        } else {
            format!("; {}", words.join(", "))
        };
        lines.push(format!("- {name}: on {days} days{words}"));
    }
    lines.extend(recurring_words(&recent));
    lines.extend(
        recent
            .iter()
            .rev()
            .flat_map(|month| &month.lessons)
            .take(5)
            .map(|lesson| format!("- {lesson}")),
    );
    lines.into_iter().map(clean).collect()
}

/// Words that several topics share: what the recent weeks have in common.
fn recurring_words(recent: &[&Recent]) -> Vec<String> {
    let mut words: Vec<(&str, Vec<&str>)> = Vec::new();
    for (word, topics) in recent.iter().flat_map(|month| &month.words) {
        let topics = topics.iter().map(String::as_str);
        match words.iter_mut().find(|(known, _)| key(known) == key(word)) {
            Some((_, known)) => topics.for_each(|topic| {
                if !known.contains(&topic) {
                    known.push(topic);
                }
            }),
            None => words.push((word, topics.collect())),
        }
    }
    words.sort_by_key(|(_, topics)| std::cmp::Reverse(topics.len()));
    let line = |(word, topics): (&str, Vec<&str>)| {
        format!(
            "- {word}: {}",
            topics.into_iter().take(4).collect::<Vec<_>>().join("; ")
        )
    };
    words
        .into_iter()
        .map(line)
        .filter(|line| is_clean(line))
        .take(5)
        .collect()
}

/// How fine the history is drawn: months up to so many months back, then quarters up to so many, then years; and
/// phrases a line.
type Detail = (usize, usize, usize);

/// From the finest to the coarsest.
const HISTORY_DETAILS: [Detail; 8] = [
    (1200, 0, 8),
    (1200, 0, 5),
    (24, 0, 5),
    (12, 24, 4),
    (6, 24, 3),
    (3, 12, 3),
    (1, 4, 2),
    (1, 1, 1),
];

/// The finest history that fits, or none.
pub(super) fn history_within(history: &History, tokens_max: usize, costs: &mut Costs) -> Vec<String> {
    // No line of it costs fewer tokens than this, so the finest need not be counted where months abound.
    let lines_max = tokens_max / LINE_TOKENS_MIN;
    let lines = |detail: Detail| {
        let groups = groups(history, detail);
        (groups.len() <= lines_max).then(|| {
            groups
                .iter()
                .map(|group| clean(history_line(group, detail.2)))
                .collect::<Vec<String>>()
        })
    };
    let fitting = HISTORY_DETAILS
        .into_iter()
        .filter_map(lines)
        .find(|lines| super::cost(lines, costs).tokens() <= tokens_max);
    fitting.unwrap_or_default()
}

/// The months that share a line in so much detail, oldest first.
fn groups(history: &History, (months, quarters, _): Detail) -> Vec<Vec<&Remembered>> {
    let count = history.months.len();
    let mut groups: Vec<Vec<&Remembered>> = Vec::new();
    for (at, month) in history.months.iter().enumerate() {
        let back = count - at;
        let same_quarter =
            |other: &Remembered| other.year == month.year && (other.month - 1) / 3 == (month.month - 1) / 3;
        let joins = groups
            .last()
            .and_then(|group| group.last())
            .is_some_and(|before| {
                back > months
                    && if back <= quarters {
                        same_quarter(before)
                    } else {
                        before.year == month.year
                    }
            });
        if joins {
            groups.last_mut().expect("it has a last one").push(month);
        } else {
            groups.push(vec![month]);
        }
    }
    groups
}

fn history_line(group: &[&Remembered], phrases_max: usize) -> String {
    let (first, last) = (group[0], group[group.len() - 1]);
    let label = match group.len() {
        1 => format!("{:04}-{:02}", first.year, first.month),
        12 => format!("{:04}", first.year),
        _ => format!("{:04}-{:02}~{:02}", first.year, first.month, last.month),
    };
    let mut phrases: Vec<&(u32, String)> = group.iter().flat_map(|month| &month.phrases).collect();
    phrases.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let mut said: Vec<&str> = Vec::new();
    for (_, phrase) in phrases {
        let plain = phrase.trim_end_matches(" (done)");
        if said.len() < phrases_max
            && !said
                .iter()
                .any(|known| known.trim_end_matches(" (done)") == plain)
        {
            said.push(phrase);
        }
    }
    if said.is_empty() {
        format!("- {label}")
    } else {
        format!("- {label}: {}", said.join("; "))
    }
}
