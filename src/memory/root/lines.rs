//! The lines of ROOT's index, and how much of each topic is shown.

use std::collections::HashSet;

use super::foreign::Foreign;
use super::history::{History, settled};
use super::shown::{Line, Shown};
use super::{Budget, Costs, RESTING_DAYS, age, tag};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;
use crate::memory::redact::{is_clean, redact};
use crate::memory::telling::Spread;
use crate::memory::text::one_line;
use crate::memory::tokens::Cost;
use crate::memory::topic::key;

/// No line of the index costs fewer tokens; a cap divided by it bounds how many are worth looking at.
pub(super) const LINE_TOKENS_MIN: usize = 7;
/// How much of what a user or feedback topic says is shown, in characters.
const RULE_CHARS_MAX: usize = 70;
/// So many tokens are charged for a topic's words at the least, where it may have so many: the next mention will bring them.
const CHARGED_MIN: usize = 15;
/// How many words of a topic are looked at.
const WORDS_MAX: usize = 16;

/// A topic that may get a line in the index.
pub(super) struct Candidate<'a> {
    /// As it was when the day began.
    topic: &'a Topic,
    spread: &'a Spread,
    pub(super) folded: String,
    pub(super) kind: Kind,
    pub(super) age: i64,
    /// It takes part as today made it, for it was not there when the day began: what it is charged must not depend on what is said of it.
    pub(super) is_new: bool,
    head: String,
    /// The words behind it with what each costs.
    words: Vec<(String, usize)>,
    /// What stands behind the words, ` → knowledge/auth.md`, with what it costs.
    pointer: (String, usize),
    /// Whether words and costs were asked for, as they never are of most topics.
    counted: bool,
    /// How many tokens it has for words; none when it is not shown.
    room: Option<usize>,
    /// What is spent on it.
    spent: Cost,
    line: Option<String>,
    /// Somebody else's line stands for it; it costs nothing more.
    taken: bool,
}

impl Candidate<'_> {
    pub(super) fn is_personal(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Feedback)
    }

    pub(super) fn is_resting(&self) -> bool {
        self.kind == Kind::Project && self.age > RESTING_DAYS
    }

    pub(super) fn is_shown(&self) -> bool {
        self.taken || self.room.is_some()
    }

    /// What is to be remembered of it when it is shown.
    pub(super) fn into_shown(self) -> Option<Shown> {
        let line = match (self.taken, self.line, self.room) {
            (true, ..) => Line::Theirs,
            (false, Some(line), _) if !self.is_new => Line::Made(line),
            (false, _, room) => Line::New(room?),
        };
        Some(Shown {
            folded: self.folded,
            kind: self.kind,
            line,
        })
    }

    /// The words, and what each of them and the pointer costs with what separates it from its neighbour.
    fn count(&mut self, costs: &mut Costs) {
        if !std::mem::replace(&mut self.counted, true) {
            let counted = |word: String| {
                let cost = costs.piece(&format!(", {word}"));
                (word, cost)
            };
            self.words = words(self.topic, self.spread).map(counted).collect();
            self.pointer.1 = costs.piece(&self.pointer.0);
        }
    }

    /// What is charged for the line with so many tokens behind its head, all of them unless it has not so many words. What it really
    /// costs differs by a word to either side, and another mention of the topic would change it; this does not change.
    ///
    /// Heads differ with their scripts: a name in Thai or Arabic may cost what a whole line of English does, and takes no word from its
    /// topic.
    pub(super) fn charge(&mut self, room: usize, budget: &mut Budget<'_>) -> Cost {
        if self.taken {
            return Cost::default();
        }
        if budget.exact {
            let line = self.fitted(room, true, budget.costs);
            return budget.costs.line(&line);
        }
        let head = budget.costs.line(&self.head);
        if room == 0 {
            return head;
        }
        if self.is_new {
            return head + Cost::of(room);
        }
        self.count(budget.costs);
        let words = self.words.iter().map(|(_, cost)| cost).sum::<usize>();
        head + Cost::of(room.min((words + self.pointer.1).max(CHARGED_MIN)))
    }

    /// What is spent when the line has so much room in place of what it has now.
    pub(super) fn spend(&mut self, spent: Cost, room: usize, budget: &mut Budget<'_>) -> Cost {
        spent + self.charge(room, budget) - self.spent
    }

    /// Shows the topic with so many tokens of words if the budget allows. Says whether it is shown now.
    pub(super) fn show(&mut self, budget: &mut Budget<'_>, room: usize) -> bool {
        let charge = self.charge(room, budget);
        if !self.taken && budget.afford(charge, self.spent) {
            (self.room, self.spent) = (Some(room), charge);
        }
        self.is_shown()
    }

    /// Makes the line of a topic that is shown. What it counts for is returned: what it costs, or, when it must not matter, what it
    /// may: that line is made when all else is.
    pub(super) fn write(&mut self, budget: &mut Budget<'_>) -> Cost {
        if let Some(room) = self.room.filter(|_| !self.taken && !self.is_new) {
            let line = self.fitted(room, budget.exact, budget.costs);
            self.spent = budget.costs.line(&line);
            self.line = Some(line);
        }
        self.spent
    }

    /// Makes the line with so much room if the budget has what it costs more. Says whether it had.
    pub(super) fn widen(&mut self, room: usize, budget: &mut Budget<'_>) -> bool {
        let line = self.fitted(room, budget.exact, budget.costs);
        let cost = budget.costs.line(&line);
        let is_wider = self.line.as_ref().is_some_and(|known| known.len() < line.len());
        let fits = is_wider && budget.afford(cost, self.spent);
        if fits {
            (self.line, self.spent) = (Some(line), cost);
        }
        fits
    }

    /// The line with words whose cost comes nearest to the room, or at most that when it is a limit.
    pub(super) fn fitted(&mut self, room: usize, limit: bool, costs: &mut Costs) -> String {
        self.count(costs);
        // Where to read on, where that leaves most of the room to words.
        let pointer = if self.pointer.1 * 2 <= room || self.words.is_empty() && self.pointer.1 <= room {
            self.pointer.0.as_str()
        } else {
            ""
        };
        let words = self.words.iter().map(|(word, _)| word.as_str());
        if limit {
            let limit = costs.line(&self.head) + Cost::of(room);
            return clean(fill(self.head.clone(), ": ", words, limit, pointer, costs));
        }
        let mut left = room - if pointer.is_empty() { 0 } else { self.pointer.1 };
        let mut taken: Vec<&str> = Vec::new();
        for (word, cost) in &self.words {
            // A word is worth taking when that comes nearer than leaving it.
            if *cost < 2 * left {
                taken.push(word);
                left = left.saturating_sub(*cost);
            }
        }
        clean(match (taken.is_empty(), pointer.is_empty()) {
            (true, true) => self.head.clone(),
            (true, false) => format!("{}:{pointer}", self.head),
            (false, _) => format!("{}: {}{pointer}", self.head, taken.join(", ")),
        })
    }
}

/// A line with as many words behind it as its tokens allow, the first ones before the others; a word too long leaves its place
/// to the next. Words share a token with their neighbours at times, so the last ones may go again, and the pointer, for which the limit
/// has room behind the head, with them.
pub(super) fn fill<'a>(
    head: String,
    separator: &str,
    words: impl Iterator<Item = &'a str>,
    limit: Cost,
    pointer: &str,
    costs: &mut Costs,
) -> String {
    let tokens_max = limit.tokens();
    let mut tokens = costs.line(&head).tokens() + costs.piece(pointer);
    let mut taken: Vec<&str> = Vec::new();
    for word in words.take(WORDS_MAX) {
        if tokens + 2 > tokens_max {
            break;
        }
        let more = costs.piece(word) + 1;
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
        if costs.line(&line).is_within(limit) {
            return line;
        }
        if taken.pop().is_none() {
            return head;
        }
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

/// The topics that may be shown as they were when the day began, the newest first; among those of one day, by name. Those of `new` take
/// part as today made them, and so does what was not there then.
pub(super) fn candidates<'a>(
    history: &'a History,
    spread: &'a Spread,
    foreign: &Foreign,
    (today, new): (Day, &HashSet<String>),
    tokens_max: usize,
) -> Vec<Candidate<'a>> {
    let mut topics: Vec<(&String, &'a Topic)> = history
        .topics
        .iter()
        .map(|(folded, topic)| {
            let before = settled(topic, today).filter(|_| !new.contains(folded));
            (folded, before.unwrap_or(topic))
        })
        .collect();
    topics.sort_by_key(|(_, topic)| {
        let personal = matches!(topic.kind, Kind::User | Kind::Feedback);
        (!personal, std::cmp::Reverse(topic.last))
    });
    let mut place = 0;
    topics.retain(|(_, topic)| {
        place += 1;
        place <= tokens_max / LINE_TOKENS_MIN || topic.last >= today
    });
    topics
        .into_iter()
        .map(|(folded, topic)| candidate(history, spread, foreign, today, (folded, topic)))
        .collect()
}

/// A topic that may get a line, by its folded name and as it takes part.
pub(super) fn candidate<'a>(
    history: &'a History,
    spread: &'a Spread,
    foreign: &Foreign,
    today: Day,
    (folded, topic): (&str, &'a Topic),
) -> Candidate<'a> {
    Candidate {
        topic,
        spread,
        folded: folded.to_owned(),
        kind: topic.kind,
        age: age(topic.last, today),
        is_new: topic.last >= today,
        head: head(topic, today),
        words: Vec::new(),
        pointer: (pointer(history, folded, topic), 0),
        counted: false,
        room: None,
        spent: Cost::default(),
        line: None,
        taken: foreign.names(folded),
    }
}

/// Name, type and age, as a line starts.
pub(super) fn head(topic: &Topic, today: Day) -> String {
    format!("- {} [{}]", topic.name, tag(topic.kind, age(topic.last, today)))
}

/// What tells a topic from the others; of one that concerns the person first what it says.
pub(super) fn words(topic: &Topic, spread: &Spread) -> impl Iterator<Item = String> {
    let mut words: Vec<String> = spread.rank(topic).into_iter().map(str::to_owned).collect();
    if let (Kind::User | Kind::Feedback, Some(state)) = (topic.kind, &topic.state) {
        let rule = one_line(state, RULE_CHARS_MAX);
        let folded = key(&rule);
        words.retain(|word| !folded.as_str().contains(key(word).as_str()));
        if folded != key(&topic.name) {
            words.insert(0, rule);
        }
    }
    words.into_iter().take(WORDS_MAX)
}

/// Whether a reference is a file in a folder, or an address: not two words with a stroke between them.
fn is_place(reference: &str) -> bool {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    reference.contains("://") || (reference.contains('/') && name.contains('.'))
}

/// Where to read on: a file that the topic names, or the day on which most was said of it.
pub(super) fn pointer(history: &History, folded: &str, topic: &Topic) -> String {
    if let Some(reference) = topic.references.iter().find(|reference| is_place(reference)) {
        return format!(" → {reference}");
    }
    let told = history
        .told
        .get(folded)
        .filter(|(day, facts)| *facts > 2 && *day != topic.last);
    told.map_or_else(String::new, |(day, _)| format!(" → {day}"))
}

#[cfg(test)]
mod tests;
