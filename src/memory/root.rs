//! ROOT.md: the page that every agent session loads (SPEC section 9).
//!
//! ROOT is printed from what all monthly nodes and the newest daily nodes say, the lines that people and agents wrote into the ROOT that
//! stands, and the date. The way there does not show: the same three give the same bytes.

mod foreign;

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

pub use foreign::{Base, Foreign, speaks_of};

use super::calendar::Day;
use super::digest::{Contribution, Digest, Topic, has_pointer, pointer};
use super::entry::Kind;
use super::inert::{gives_orders, inert};
use super::inventory::NodeFacts;
use super::kind::kind_of;
use super::language::{NOT, ORDER, RULE, Role, lexicon};
use super::level::Period;
use super::node::Hash;
use super::redact::redact;
use super::root_lines::{QUARTER_DAYS, age, root_lines, tag};
use super::select::without_name;
use super::statement::{Sort, Statement, clip};
use super::tokens;
use super::topic::{Key, key};

pub const SECTIONS: [&str; 4] = [
    "Active Context (recent ~7 days)",
    "Recent Patterns",
    "Historical Summary",
    "Topics Index",
];

/// How many days, the last ones on which something was told, ROOT reads from daily nodes (SPEC section 9).
pub const ACTIVE_DAYS: usize = 7;

/// How much of what was said of a topic last stands in a line that there is room for, in characters: a line of a terminal.
const MORE_CHARS_MAX: usize = 120;

/// Active Context has so many lines at least, where so many topics were told: a screen's half.
const ACTIVE_LINES_MIN: usize = 8;

/// The person and the rules have a fifth of the page (SPEC section 9).
const PEOPLE_SHARE: usize = 5;

/// So much of a month older than a year is weighed, and of one older than a quarter, beside what is known of the person and the rules: the
/// decisions and lessons, then what was told most often. A page of 3,000 tokens says about 250 statements of all months, and Historical
/// Summary six of a year. With 60 or 200 a page knows the same of what comes.
const OF_OLD_MONTH_MAX: usize = 12;
const OF_MONTH_MAX: usize = 60;
const YEAR_DAYS: i64 = 367;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    pub text: String,
    /// The lines this program made, without those of others: what the next comparison is made with.
    pub generated: Vec<String>,
    pub tokens: usize,
    /// Whether the cap was too small for what goes last: active context, the person and the rules.
    pub cut_short: bool,
}

/// Of the dates that have a daily node those of Active Context, in order: the last ones before today, and today.
pub fn active_days(days: impl Iterator<Item = Day>, today: Day) -> Vec<Day> {
    let mut days: Vec<Day> = days.filter(|day| *day <= today).collect();
    days.sort_unstable();
    let max = ACTIVE_DAYS + usize::from(days.last() == Some(&today));
    days.split_off(days.len().saturating_sub(max))
}

/// The daily nodes of Active Context, each with its content's hash.
pub fn active_nodes<'a>(
    dailies: impl Iterator<Item = (Period, &'a NodeFacts)>,
    today: Day,
) -> Vec<(Period, Hash)> {
    let contents: BTreeMap<Day, Hash> =
        dailies.map(|(period, node)| (period.first_day(), node.content)).collect();
    let days = active_days(contents.keys().copied(), today).into_iter();
    days.map(|day| (Period::Day(day), contents[&day])).collect()
}

/// What ROOT may say of a month or day.
pub fn contribution(of: Digest, today: Day) -> Contribution {
    let mut given = of.contribution(|statement| !gives_orders(&statement.text));
    shortlist(&mut given, today);
    given
}

/// Takes out what is not to be weighed. What a later day takes out it finds in the shortlist of an earlier one, too: the best of few are
/// among the best of many, and what no longer counts keeps its place among them until the whole month is older than a year.
fn shortlist(given: &mut Contribution, today: Day) {
    let statements = &mut given.statements;
    let max = match given.newest.map_or(0, |newest| age(newest, today)) {
        YEAR_DAYS.. => {
            statements.retain(|statement| still_counts(statement, today));
            OF_OLD_MONTH_MAX
        }
        QUARTER_DAYS.. => OF_MONTH_MAX,
        _ => return,
    };
    let is_lasting =
        |statement: &Statement| statement.kind.is_personal() || kind_of(statement, None).kind.is_personal();
    let mut others: Vec<usize> = (0..statements.len()).filter(|&at| !is_lasting(&statements[at])).collect();
    others.sort_by_key(|&at| {
        let told = &statements[at];
        Reverse((is_decided(told), told.again.len(), told.words.terms().len()))
    });
    let spared: HashSet<usize> = others.into_iter().skip(max).collect();
    let mut places = 0..;
    statements.retain(|_| places.next().is_none_or(|at| !spared.contains(&at)));
}

/// What all months say, and the newest days in their own words: what a day says replaces what its month says of it.
pub fn history(
    monthlies: impl IntoIterator<Item = Contribution>,
    dailies: Vec<(Day, Contribution)>,
    today: Day,
) -> Digest {
    let days: BTreeSet<Day> = dailies.iter().map(|(day, _)| *day).collect();
    let mut all = Digest::default();
    let mut statements = Vec::new();
    for mut month in monthlies {
        shortlist(&mut month, today);
        month.topics.into_iter().for_each(|topic| all.mention(topic));
        let told = month.statements.into_iter();
        statements.extend(told.filter(|statement| !days.contains(&statement.day)));
    }
    // The topics of the days are in their months already, under the names that these have for them.
    for (_, mut day) in dailies {
        shortlist(&mut day, today);
        statements.extend(day.statements);
    }
    let counting = statements.into_iter().filter(|statement| still_counts(statement, today));
    counting.for_each(|statement| all.state(statement));
    all
}

/// ROOT made anew from what is known and the lines of others in the ROOT that stands, told from ours by what was made last.
///
/// A line that would be made again is ours, whatever is known of the last time: a workspace that was cloned without the daemon's own
/// folder does not take its whole ROOT for somebody else's, and no line is there twice.
pub fn merge(history: &Digest, standing: &str, mut base: Base, today: Day, tokens_max: usize) -> Printed {
    if base.is_blank && !standing.is_empty() {
        let ours = print(history, &Foreign::default(), today, tokens_max).generated;
        base.remember(ours.iter().map(String::as_str));
    }
    loop {
        let foreign = Foreign::read(standing, &base, |name| history.find(&key(name)).is_some());
        let printed = print(history, &foreign, today, tokens_max);
        if !printed.generated.iter().any(|line| foreign.holds(line)) {
            return printed;
        }
        base.remember(printed.generated.iter().map(String::as_str));
    }
}

/// Prints ROOT for a day, under a cap in tokens. Others' lines stay whatever they cost; when they leave too little room, that is said by
/// [`Printed::cut_short`].
pub fn print(history: &Digest, foreign: &Foreign, today: Day, tokens_max: usize) -> Printed {
    let topic = |name: &str| Some(&history.topics()[history.find(&key(name))?]);
    let head = |name: &str| topic(name).map(|topic| head(topic, today));
    let theirs = foreign.in_index(Vec::new(), head);
    let frame = tokens::count(&assemble(today, foreign, &[vec![], vec![], vec![], theirs]));
    // What a line costs by itself is at most what it costs in its place, and a newline.
    let costs: RefCell<HashMap<String, usize>> = RefCell::default();
    let cost = |line: &str| {
        let mut costs = costs.borrow_mut();
        *costs.entry(line.to_owned()).or_insert_with(|| tokens::count(line) + 1)
    };
    // What is dated later than today waits until its date has come.
    let has_come = |statement: &&Statement| statement.day <= today && still_counts(statement, today);
    let pointers = pointers(history.statements().iter().filter(has_come));
    // A path alone says where to read on, not what there is to know.
    let may_stand = |statement: &&Statement| {
        has_come(statement) && statement.text.split(' ').any(|word| pointer(word).is_none())
    };
    let told: Vec<Statement> = history.statements().iter().filter(may_stand).cloned().collect();
    let room = tokens_max.saturating_sub(frame);
    let mut lines = root_lines(&told, today, room, &cost, &topic);
    let (mut index, mut subjects) = (lines.people, lines.index);
    for lines in [
        &mut lines.active,
        &mut lines.patterns,
        &mut lines.history,
        &mut index,
        &mut subjects,
    ] {
        lines.retain(|line| !foreign.holds(line));
    }
    for lines in [&mut index, &mut subjects] {
        lines.retain(|line| foreign::topic_of(line).is_none_or(|name| !foreign.names(&name)));
    }
    let spent: usize = index.iter().map(|line| cost(line)).sum();
    let budget = (tokens_max / PEOPLE_SHARE).saturating_sub(spent);
    let all: Vec<&String> = index.iter().chain(&subjects).collect();
    let people = unnamed_people(history, &told, &all, foreign, today, budget, cost);
    index.extend(people);
    let must_stay = index.len();
    // What is said of the person and the rules under a subject stands beside them.
    subjects.sort_by_key(|line| is_work(line));
    index.extend(subjects);
    let mut sections = [lines.active, lines.patterns, lines.history, index];
    let spent = sections.iter().flatten().map(|line| cost(line));
    let mut left = room.saturating_sub(spent.sum()).min(lines.left);
    let more = More { history, newest: newest(&told), foreign, today, cost: &cost };
    more.active(&mut sections[0], &mut left);
    more.topics(&mut sections[3], &mut left);
    for line in &mut sections[3] {
        let path = foreign::topic_of(line).and_then(|name| pointers.get(&name));
        if let Some(path) = path.filter(|path| !line.contains(path.as_str())) {
            line.extend([" → ", path]);
        }
    }
    let commands = |lines: &[String]| lines.iter().filter(|line| gives_orders(line)).count();
    let must_stay = must_stay - commands(&sections[3][..must_stay]);
    // What is put together from clean pieces may read like a secret, or like an order.
    for lines in &mut sections {
        lines.retain(|line| !gives_orders(line));
        let redacted = redact(&lines.join("\n")).into_owned();
        *lines = redacted.lines().map(inert).collect();
    }
    let mut cut_short = false;
    loop {
        let printed = finish(today, foreign, &sections, head);
        let excess = printed.tokens.saturating_sub(tokens_max);
        let mut spared = 0;
        while spared < excess
            && let Some((line, is_needed)) = lightest(&mut sections, must_stay)
        {
            spared += cost(&line);
            cut_short |= is_needed;
        }
        if spared == 0 {
            cut_short |= excess > 0;
            return Printed { cut_short, ..printed };
        }
    }
}

/// Whether a statement may still matter: of what is older than a year only what lasts, decisions, lessons, rules and what is known of the
/// person. What was left open then is open no more, and who asks for more finds it by `recall`.
fn still_counts(statement: &Statement, today: Day) -> bool {
    age(statement.day, today) < YEAR_DAYS || is_decided(statement) || statement.kind.is_personal()
}

fn is_decided(statement: &Statement) -> bool {
    matches!(statement.sort, Sort::Decision | Sort::Lesson)
}

/// Takes out the line that can best be spared, and says whether it should have stayed: the end of the index goes first, then history from
/// its oldest, then patterns; Active Context, the person and the rules go last.
fn lightest(sections: &mut [Vec<String>; 4], must_stay: usize) -> Option<(String, bool)> {
    let [active, patterns, past, index] = sections;
    if index.len() > must_stay {
        let line = index.pop()?;
        let is_needed = !is_work(&line);
        return Some((line, is_needed));
    }
    if !past.is_empty() {
        return Some((past.remove(0), false));
    }
    let spared = patterns.pop().map(|line| (line, false));
    spared.or_else(|| active.pop().or_else(|| index.pop()).map(|line| (line, true)))
}

/// The file in `knowledge/` or `plans/` that each topic pointed to last.
fn pointers<'a>(told: impl Iterator<Item = &'a Statement>) -> BTreeMap<String, String> {
    let mut told: Vec<&Statement> = told.filter(|statement| has_pointer(&statement.text)).collect();
    told.sort_by_key(|statement| statement.day);
    let mut newest = BTreeMap::new();
    for statement in told {
        for path in statement.text.split(' ').filter_map(pointer) {
            let heads = statement.heads.iter().map(|head| key(head).as_str().to_owned());
            newest.extend(heads.map(|head| (head, path.to_owned())));
        }
    }
    newest
}

/// The page of its lines.
fn finish(
    today: Day,
    foreign: &Foreign,
    sections: &[Vec<String>; 4],
    head: impl Fn(&str) -> Option<String>,
) -> Printed {
    let generated: Vec<String> = sections.iter().flatten().cloned().collect();
    let [active, patterns, past, index] = sections.clone();
    let index = foreign.in_index(index, head);
    let text = assemble(today, foreign, &[active, patterns, past, index]);
    Printed {
        tokens: tokens::count(&text),
        text,
        generated,
        cut_short: false,
    }
}

/// How the line of a topic begins.
fn head(topic: &Topic, today: Day) -> String {
    format!("- {} [{}]", topic.name, tag(topic.kind, age(topic.last, today)))
}

/// The topics that are meant, the newest first, then those of most days.
fn newest_first(history: &Digest, is_meant: impl Fn(&Topic) -> bool) -> Vec<&Topic> {
    let topics = history.topics().iter();
    let mut topics: Vec<&Topic> = topics.filter(|topic| topic.count() > 0 && is_meant(topic)).collect();
    topics.sort_by(|one, other| {
        (other.last, other.count(), &one.name).cmp(&(one.last, one.count(), &other.name))
    });
    topics
}

/// What was said last under each name.
fn newest(told: &[Statement]) -> HashMap<Key, &Statement> {
    let mut newest: HashMap<Key, &Statement> = HashMap::new();
    for statement in told {
        for head in statement.heads.iter().chain(&statement.label) {
            let known = newest.entry(key(head)).or_insert(statement);
            if statement.day > known.day {
                *known = statement;
            }
        }
    }
    newest
}

/// What there is besides the lines that were chosen, for the room that these leave.
struct More<'a> {
    history: &'a Digest,
    newest: HashMap<Key, &'a Statement>,
    foreign: &'a Foreign,
    today: Day,
    cost: &'a dyn Fn(&str) -> usize,
}

impl More<'_> {
    /// Where the newest topics stand, when little else is under way: a small history is told whole.
    fn active(&self, active: &mut Vec<String>, left: &mut usize) {
        let Self { history, today, .. } = *self;
        let days: BTreeSet<Day> = history.topics().iter().map(|topic| topic.last).collect();
        let days = active_days(days.into_iter(), today);
        let mut topics = newest_first(history, |topic| {
            let head = format!("- {} (", topic.name);
            topic.kind == Kind::Project
                && days.contains(&topic.last)
                && !active.iter().any(|line| line.starts_with(&head))
        });
        topics.truncate(ACTIVE_LINES_MIN.saturating_sub(active.len()));
        for topic in topics {
            let Some(said) = self.said_of(topic) else { continue };
            let line =
                format!("- {} ({}d): {}", topic.name, age(topic.last, today), clip(said, MORE_CHARS_MAX));
            let Some(rest) = left.checked_sub((self.cost)(&line)) else {
                break;
            };
            *left = rest;
            active.push(line);
        }
    }

    /// What was said last of a topic.
    fn said_of(&self, topic: &Topic) -> Option<&str> {
        let statement = self.newest.get(topic.key())?;
        let said = without_name(&statement.text, &topic.name);
        (key(said) != *topic.key()).then_some(said)
    }

    /// Adds topics of which no line of the index speaks yet, the newest first, each with what was said of it last, as long as there is room.
    /// "Pier kiosk refunds" has no line of its own beside "Pier kiosk": that line says what is left of it.
    fn topics(&self, index: &mut Vec<String>, left: &mut usize) {
        let today = self.today;
        let mut named: HashMap<String, usize> = HashMap::new();
        for (at, line) in index.iter().enumerate() {
            named.extend(foreign::topic_of(line).map(|name| (name, at)));
        }
        let topics = newest_first(self.history, |topic| {
            let name = topic.key().as_str();
            topic.last <= today
                && !topic.kind.is_personal()
                && !lexicon().heading(&topic.name).dull
                && !named.contains_key(name)
                && !self.foreign.names(name)
        });
        for topic in topics {
            let name = topic.key().as_str();
            let spaces = name.match_indices(' ').skip(1);
            let wider = spaces.filter_map(|(at, _)| Some((*named.get(&name[..at])?, &name[at + 1..])));
            let is_new = |said: &&str| !index.iter().any(|line| line.contains(said));
            let said = self.said_of(topic).filter(is_new);
            let said = said.map_or_else(String::new, |said| format!(": {}", clip(said, MORE_CHARS_MAX)));
            let (at, line) = match wider.last() {
                Some((at, rest)) if index[at].contains(rest) => continue,
                Some((at, rest)) => (at, format!("{}; {rest}{said}", index[at])),
                None => (index.len(), head(topic, today) + &said),
            };
            let spent = index.get(at).map_or(0, |line| (self.cost)(line));
            let Some(rest) = left.checked_sub((self.cost)(&line).saturating_sub(spent)) else {
                break;
            };
            *left = rest;
            named.entry(name.to_owned()).or_insert(at);
            match index.get_mut(at) {
                Some(wider) => *wider = line,
                None => index.push(line),
            }
        }
    }
}

/// The user and feedback entries of which no line speaks: they are named, for no session may be without them. As far as the budget goes
/// they also say one thing that no line says, a rule if they have one.
fn unnamed_people(
    history: &Digest,
    told: &[Statement],
    index: &[&String],
    foreign: &Foreign,
    today: Day,
    mut budget: usize,
    cost: impl Fn(&str) -> usize,
) -> Vec<String> {
    /// About a line of a terminal, with the name.
    const CHARS_MAX: usize = 90;
    let mut under: HashMap<Key, Vec<&Statement>> = HashMap::new();
    for told in told.iter().filter(|told| !told.hostile) {
        if let Some(name) = told.heads.last() {
            under.entry(key(name)).or_default().push(told);
        }
    }
    let says = |topic: &Topic| {
        let under = under.get(topic.key()).into_iter().flatten();
        // The stop at the end of a line goes.
        let is_said = |told: &Statement| {
            let text = told.text.trim_end_matches(['.', '。']);
            index.iter().any(|line| line.contains(text))
        };
        let unsaid = under.filter(|told| !is_said(told));
        unsaid.max_by_key(|told| (told.words.says(RULE | ORDER | NOT), told.day))
    };
    let unnamed = newest_first(history, |topic| {
        topic.kind.is_personal()
            && !foreign.names(topic.key().as_str())
            && !index.iter().any(|line| speaks_of(line, &topic.name))
    });
    let mut lines = Vec::new();
    let mut others: Vec<&Topic> = Vec::new();
    for topic in unnamed {
        let head = head(topic, today);
        let said = says(topic);
        // "User preferences" names nothing beside what stands below it, "Key findings" nothing at all.
        let part = lexicon().heading(&topic.name);
        let is_personal = matches!(part.role, Some(Role::Rule | Role::Like | Role::Feedback));
        let names_nothing = part.dull || part.role.is_some();
        if said.is_none() && names_nothing && (!is_personal || under.contains_key(topic.key())) {
            continue;
        }
        let line = match said {
            Some(told) => {
                let text = clip(&told.text, CHARS_MAX);
                format!("{head}: {}", text.trim_end_matches(['.', '。']))
            }
            None => head,
        };
        match budget.checked_sub(cost(&line)) {
            Some(rest) => {
                budget = rest;
                lines.push(line);
            }
            None => others.push(topic),
        }
    }
    let named = [Kind::User, Kind::Feedback].into_iter().filter_map(|kind| {
        let of_kind = others.iter().filter(|topic| topic.kind == kind);
        let names: Vec<&str> = of_kind.clone().map(|topic| topic.name.as_str()).collect();
        let newest = of_kind.map(|topic| topic.last).max()?;
        Some(format!("- {} [{}]", names.join("; "), tag(kind, age(newest, today))))
    });
    lines.extend(named);
    lines
}

/// Whether a line of the index is of no person and no rule.
fn is_work(line: &str) -> bool {
    line.contains(" [project, ") || line.contains(" [reference, ")
}

/// The file: frontmatter, the four sections with others' lines before ours, and others' sections behind them.
fn assemble(today: Day, foreign: &Foreign, sections: &[Vec<String>; 4]) -> String {
    let mut out = String::from("---\ntype: root\nstatus: tentative\n");
    let _ = writeln!(out, "last-updated: {today}");
    for line in &foreign.frontmatter {
        let _ = writeln!(out, "{line}");
    }
    out.push_str("---\n");
    for (at, lines) in sections.iter().enumerate() {
        let _ = write!(out, "\n## {}\n", SECTIONS[at]);
        for line in foreign.lines(at).iter().chain(lines) {
            let _ = writeln!(out, "{line}");
        }
    }
    for section in &foreign.sections {
        let _ = write!(out, "\n{section}\n");
    }
    out
}

#[cfg(test)]
mod tests;
