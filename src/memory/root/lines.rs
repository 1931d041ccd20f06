//! The lines of ROOT's index, and how much of each topic is shown.

use super::foreign::Foreign;
use super::history::History;
use super::{Budget, Costs, RESTING_DAYS, age, tag};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;
use crate::memory::redact::{is_clean, redact};
use crate::memory::telling::Spread;
use crate::memory::text::one_line;
use crate::memory::tokens::{self, Cost};
use crate::memory::topic::key;

/// No line of the index costs fewer tokens; a cap divided by it bounds how many are worth looking at.
pub(super) const LINE_TOKENS_MIN: usize = 7;
/// How much of what a user or feedback topic says is shown, in characters.
const RULE_CHARS_MAX: usize = 70;
/// How many words of a topic are looked at.
const WORDS_MAX: usize = 12;

/// A topic that may get a line in the index.
pub(super) struct Candidate {
    pub(super) folded: String,
    pub(super) kind: Kind,
    pub(super) age: i64,
    head: String,
    words: Vec<String>,
    /// What stands behind the words: ` → knowledge/auth.md`.
    pointer: String,
    line: Option<String>,
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
        self.taken || self.line.is_some()
    }

    /// Name, type and age, as the line starts.
    pub(super) fn head(&self) -> &str {
        &self.head
    }

    /// The line with so many tokens behind its head, and what it costs. Heads differ with their scripts: a name in Thai or Arabic
    /// may cost what a whole line of English does, and takes no word from its topic.
    fn fitted(&self, word_tokens: usize, costs: &mut Costs) -> (String, Cost) {
        let words = self.words.iter().map(String::as_str);
        let tokens_max = costs.line(&self.head).tokens() + word_tokens;
        let line = clean(fill(
            self.head.clone(),
            ": ",
            words,
            tokens_max,
            &self.pointer,
            costs,
        ));
        let cost = costs.line(&line);
        (line, cost)
    }

    /// What is spent when the line has so many tokens of words in place of what it has now.
    pub(super) fn spend(&self, spent: Cost, word_tokens: usize, costs: &mut Costs) -> Cost {
        if self.taken {
            return spent;
        }
        spent + self.fitted(word_tokens, costs).1 - self.cost
    }

    /// Shows the topic with so many tokens of words if the budget allows. Says whether it is shown now.
    pub(super) fn show(&mut self, budget: &mut Budget<'_>, word_tokens: usize) -> bool {
        if self.taken {
            return true;
        }
        let (line, cost) = self.fitted(word_tokens, budget.costs);
        if !budget.afford(cost, self.cost) {
            return self.line.is_some();
        }
        (self.line, self.cost) = (Some(line), cost);
        true
    }
}

/// A line with as many words behind it as its tokens allow, the first ones before the others; a word too long leaves its place
/// to the next. Words share a token with their neighbours at times, so the last ones may go again.
pub(super) fn fill<'a>(
    head: String,
    separator: &str,
    words: impl Iterator<Item = &'a str>,
    tokens_max: usize,
    pointer: &str,
    costs: &mut Costs,
) -> String {
    let mut tokens = costs.line(&head).tokens();
    let mut taken: Vec<&str> = Vec::new();
    let pointer = if pointer.is_empty() || tokens + tokens::count(pointer) > tokens_max {
        ""
    } else {
        pointer
    };
    tokens += if pointer.is_empty() {
        0
    } else {
        tokens::count(pointer)
    };
    for word in words.take(WORDS_MAX) {
        if tokens + 2 > tokens_max {
            break;
        }
        let more = tokens::count(word) + 1;
        if tokens + more <= tokens_max {
            tokens += more;
            taken.push(word);
        }
    }
    loop {
        let line = match (taken.is_empty(), pointer.is_empty()) {
            (true, true) => return head,
            (true, false) => format!("{head}:{pointer}"),
            (false, _) => format!("{head}{separator}{}{pointer}", taken.join(", ")),
        };
        if taken.is_empty() || costs.line(&line).tokens() <= tokens_max {
            return line;
        }
        taken.pop();
    }
}

/// What is put together from clean pieces may read like a secret: a topic called *password* and a word behind it.
pub(super) fn clean(line: String) -> String {
    if is_clean(&line) {
        line
    } else {
        redact(&line).into_owned()
    }
}

/// The topics that may be shown, the newest first; among those of one day, by name.
pub(super) fn candidates(
    history: &History,
    spread: &Spread,
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
    let candidate = |(folded, topic): (&String, &Topic)| Candidate {
        folded: folded.clone(),
        kind: topic.kind,
        age: age(topic.last, today),
        head: format!("- {} [{}]", topic.name, tag(topic.kind, age(topic.last, today))),
        words: words(topic, spread),
        pointer: pointer(history, folded, topic),
        line: None,
        cost: Cost::default(),
        taken: foreign.names(folded),
    };
    topics.into_iter().map(candidate).collect()
}

/// What tells a topic from the others; of one that concerns the person first what it says.
fn words(topic: &Topic, spread: &Spread) -> Vec<String> {
    let mut words: Vec<String> = spread.rank(topic).into_iter().map(str::to_owned).collect();
    if let (Kind::User | Kind::Feedback, Some(state)) = (topic.kind, &topic.state) {
        let rule = one_line(state, RULE_CHARS_MAX);
        let folded = key(&rule);
        words.retain(|word| !folded.as_str().contains(key(word).as_str()));
        if folded != key(&topic.name) {
            words.insert(0, rule);
        }
    }
    words
}

/// Whether a reference is a file in a folder, or an address: not two words with a stroke between them.
fn is_place(reference: &str) -> bool {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    reference.contains("://") || (reference.contains('/') && name.contains('.'))
}

/// Where to read on: a file that the topic names, or the day on which most was said of it.
fn pointer(history: &History, folded: &str, topic: &Topic) -> String {
    if let Some(reference) = topic.references.iter().find(|reference| is_place(reference)) {
        return format!(" → {reference}");
    }
    let told = history
        .told
        .get(folded)
        .filter(|(day, facts)| *facts > 2 && *day != topic.last);
    told.map_or_else(String::new, |(day, _)| format!(" → {day}"))
}

/// The lines of the index: by type, what concerns the person first, then by name, so that a new mention moves no line.
pub(super) fn index(candidates: &[Candidate]) -> Vec<String> {
    let mut shown: Vec<&Candidate> = candidates
        .iter()
        .filter(|candidate| candidate.line.is_some())
        .collect();
    shown.sort_by(|one, other| (rank(one.kind), &one.folded).cmp(&(rank(other.kind), &other.folded)));
    shown
        .into_iter()
        .filter_map(|candidate| candidate.line.clone())
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
