//! ROOT's first two sections: what is going on, and what keeps coming back.

use std::collections::BTreeMap;

use super::history::{History, Recent, in_steps};
use super::lines::{clean, fill};
use super::{ACTIVE_DAYS, ACTIVE_LINE_TYPICAL, Costs, age};
use crate::memory::calendar::Day;
use crate::memory::digest::Topic;
use crate::memory::entry::Kind;
use crate::memory::telling::Spread;
use crate::memory::text::one_line;
use crate::memory::tokens;
use crate::memory::topic::key;

/// How long a state may be, in characters.
const STATE_CHARS_MAX: usize = 140;
/// How old a month may be whose patterns are recent, in days after its end.
const PATTERN_DAYS: i64 = 45;

/// How many lines of Active Context there are for what was mentioned today, and how many for the days before.
///
/// What comes in today takes no line from anybody. Of today's topics those mentioned first have one. Who has one of the others was decided
/// when the day began: a topic that comes up again leaves its line free when it has one among today's.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub(super) today: usize,
    pub(super) before: usize,
}

/// Today has places for at least so many topics, and for so many more than the newest day before it had.
const TODAY_MIN: usize = 4;
const TODAY_MORE: usize = 2;

/// What is going on: the projects of the last seven days and where they stand, the newest first; and how many tokens are kept
/// for them, which is decided by what was before today.
pub(super) fn active(
    history: &History,
    spread: &Spread,
    today: Day,
    (places, line_tokens): (Places, usize),
    costs: &mut Costs,
) -> (Vec<String>, usize) {
    let projects = || history.topics().filter(|topic| topic.kind == Kind::Project);
    let mut old: Vec<(Day, bool, u32, &Topic)> = projects()
        .filter_map(|topic| match topic.last < today {
            true => Some((topic.last, topic.done, topic.days, topic)),
            false => topic
                .before
                .map(|(day, done)| (day, done, topic.days.saturating_sub(1), topic)),
        })
        .filter(|(day, ..)| (1..ACTIVE_DAYS).contains(&age(*day, today)))
        .collect();
    let newest = old.iter().map(|(day, ..)| *day).max();
    let of_newest = old.iter().filter(|(day, ..)| Some(*day) == newest).count();
    old.sort_by_key(|&(day, done, days, _)| (done, std::cmp::Reverse(day), std::cmp::Reverse(days)));
    old.truncate(places.before);

    let mut new: Vec<&Topic> = projects().filter(|topic| topic.last >= today).collect();
    new.sort_by_key(|topic| (std::cmp::Reverse(topic.last), topic.place));
    let places_today = (of_newest + TODAY_MORE).max(TODAY_MIN).min(places.today);
    new.truncate(places_today);
    // Whose lines are dear has dear ones again.
    let dear = old.iter().filter(|(.., topic)| is_dear(topic)).count();
    let of_dear = if dear * 2 > old.len() { 3 } else { 2 };
    let kept = (places_today + old.len()) * ACTIVE_LINE_TYPICAL * of_dear / 2;

    let old = old.into_iter().map(|(.., topic)| topic);
    let old: Vec<&Topic> = old
        .filter(|topic| !new.iter().any(|other| std::ptr::eq(*other, *topic)))
        .collect();
    let lines = new
        .into_iter()
        .chain(old)
        .map(|topic| active_line(topic, spread, line_tokens, costs))
        .collect();
    (lines, kept)
}

/// Whether a script costs a token a letter or nearly: a line of it needs more tokens to say anything.
fn is_dear(topic: &Topic) -> bool {
    let (mut letters, mut foreign) = (0, 0);
    for letter in topic.name.chars() {
        letters += 1;
        foreign += usize::from(!letter.is_ascii());
    }
    foreign * 2 > letters && tokens::count(&topic.name) * 5 > letters * 3
}

fn active_line(topic: &Topic, spread: &Spread, tokens_max: usize, costs: &mut Costs) -> String {
    let tokens_max = if is_dear(topic) {
        tokens_max * 3 / 2
    } else {
        tokens_max
    };
    let state = topic.state.as_deref().unwrap_or_default();
    let says_so = state
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("done"));
    let done = match (topic.done && !says_so, state.is_empty()) {
        (true, false) => "done; ",
        (true, true) => "done",
        (false, _) => "",
    };
    let mut chars_max = STATE_CHARS_MAX;
    loop {
        let said = format!("{done}{}", one_line(state, chars_max));
        let line = match said.is_empty() {
            true => format!("- {}", topic.name),
            false => format!("- {}: {said}", topic.name),
        };
        let line = clean(line);
        if costs.line(&line).tokens() <= tokens_max || chars_max < 20 {
            let said_before = key(&line);
            let words = spread.rank(topic).into_iter();
            let new = words.filter(|word| !said_before.as_str().contains(key(word).as_str()));
            let separator = if said.is_empty() { ": " } else { "; " };
            return clean(fill(line, separator, new, tokens_max, "", costs));
        }
        chars_max = chars_max * 3 / 4;
    }
}

/// What keeps coming back: topics of three days and more in the last two months, words that several topics share on as many
/// days, and what was learned.
pub(super) fn patterns(history: &History, today: Day) -> Vec<String> {
    let recent: Vec<_> = history
        .recent
        .iter()
        .filter(|month| age(month.last_day, today) <= PATTERN_DAYS)
        .collect();
    let mut topics: BTreeMap<String, (String, u32, Vec<String>)> = BTreeMap::new();
    for (name, days, words) in recent.iter().flat_map(|month| &month.topics) {
        let known = topics
            .entry(key(name).as_str().to_owned())
            .or_insert_with(|| (name.clone(), 0, words.clone()));
        known.1 += days;
    }
    // Today is not over yet: what it mentions is in other lines, and in a pattern from tomorrow on.
    for (name, known) in &mut topics {
        let is_of_today = history.topics.get(name).is_some_and(|topic| topic.last >= today);
        known.1 -= u32::from(is_of_today);
    }
    let mut topics: Vec<_> = topics.into_values().filter(|&(_, days, _)| days >= 3).collect();
    topics.sort_by_cached_key(|(name, days, _)| in_steps(*days, name));
    topics.truncate(5);
    let mut lines: Vec<String> = topics
        .into_iter()
        .map(|(name, days, words)| {
            let words = if words.is_empty() {
                String::new()
            } else {
                format!("; {}", words.join(", "))
            };
            format!("- {name}: on {days} days{words}")
        })
        .collect();
    lines.extend(recurring_words(&recent, 5));
    // What was learned today is in its topic's line; tomorrow it may take the place of what was learned before.
    let lessons = recent.iter().rev().flat_map(|month| &month.lessons);
    let lessons = lessons.filter(|(day, _)| *day < today).take(5);
    lines.extend(lessons.map(|(_, lesson)| format!("- {lesson}")));
    lines.into_iter().map(clean).collect()
}

/// Words that several topics share: what the recent weeks have in common.
fn recurring_words(recent: &[&Recent], most: usize) -> Vec<String> {
    let mut words: BTreeMap<&str, (u32, Vec<&str>)> = BTreeMap::new();
    for (word, days, topics) in recent.iter().rev().flat_map(|month| &month.words) {
        let (known, names) = words.entry(word).or_default();
        *known += days;
        for topic in topics {
            if !names.contains(&topic.as_str()) {
                names.push(topic);
            }
        }
    }
    let mut words: Vec<(&str, (u32, Vec<&str>))> = words.into_iter().collect();
    words.sort_by_cached_key(|(word, (days, _))| in_steps(*days, word));
    let mut lines: Vec<String> = Vec::new();
    let mut shown: Vec<&str> = Vec::new();
    for (word, (_, names)) in words {
        // A second word of the same topics is the same pattern.
        let news = names.iter().filter(|name| !shown.contains(name)).count();
        if lines.len() == most || news < 2 {
            continue;
        }
        shown.extend(&names);
        lines.push(format!(
            "- {word}: {}",
            names.into_iter().take(4).collect::<Vec<_>>().join("; ")
        ));
    }
    lines.sort();
    lines
}
