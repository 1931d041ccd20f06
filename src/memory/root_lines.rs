//! What stands in ROOT: the lines of its four sections, from the statements of all days (SPEC section 9).

mod history;
mod next;
mod overtaken;
mod patterns;
mod person;

use self::next::next_mark;
use super::calendar::Day;
use super::digest::Topic;
use super::entry::Kind;
use super::kind::{self, Verdict};
use super::language::{DID, DONE, KIN, LIKE, MINE};
use super::select::{Line, Lines, Part, Selector, Shape, best_first, shorten};
use super::statement::{Sort, Statement, reads_as_task};
use super::subject::{Candidate, Resolved, Subject, Subjects};
use super::topic::without_clock;
use super::weight::{Weights, says_little};
use super::words::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use unicode_segmentation::UnicodeSegmentation;

/// Whether a rule can be understood alone.
fn says_enough(rule: &Statement) -> bool {
    // A row of labels is none: "timezone | id:7".
    !rule.text.contains(" | ")
        && (rule.words.terms().len() > 1 || rule.text.unicode_words().count() >= RULE_WORDS_MIN)
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct RootLines {
    pub active: Vec<String>,
    pub patterns: Vec<String>,
    pub history: Vec<String>,
    /// The person and the rules: the first lines of Topics Index.
    pub people: Vec<String>,
    /// Its subjects.
    pub index: Vec<String>,
    /// How many tokens of the cap are left where the news are not counted.
    pub left: usize,
}

/// Shares of the cap. The person and the rules may take a fifth (SPEC section 9). On all mornings of 25 workspaces that nothing here was
/// made for, 60 at most of each, a page of 3,000 tokens knows 0.219 of what comes with 0.25 for Active Context and 0.06 for
/// patterns, 0.239 with 0.1 for the first, 0.235 without the second.
const PERSON: f64 = 0.05;
/// Of 190 facts that twelve pages with 0.1 did not state, readers called some 90 rules, decisions or lessons. With this, a page knows 0.003
/// less on eight mornings of six workspaces, and the same on all mornings of 18 others.
const RULES: f64 = 0.15;
/// With 900 for them, a page of 6,000 tokens states 37% of the facts of a year's work instead of 60%.
const RULES_TOKENS_MAX: usize = 600;
const ACTIVE: f64 = 0.18;
const PATTERNS: f64 = 0.02;
const HISTORY: f64 = 0.04;
/// On a page of 10,000 tokens six workspaces knew 0.220 of what comes with this, 0.217 with 1175 and 0.215 with 800; seven others 0.375,
/// 0.376 and 0.385. Smaller pages do not come so far.
const ACTIVE_TOKENS_MAX: usize = 1300;
/// While today has fewer entries, the day before is still the last one. On generated histories one entry changes 0 to 6 other lines with
/// this and 9 to 44 without it: the first entry of a day would make all other days older.
const DAY_ENTRIES_MIN: usize = 3;
/// How many entries more make it worth choosing the page again: with one, each of the first entries moves up to 15 lines, and the page knows
/// no more.
const DAY_ENTRIES_MORE: usize = 2;
/// The news take this part of Active Context at most, so that they push out few lines: with the half of it one entry changes 4.5 to 5 other
/// lines of a small history instead of 4, with an eighth a page knows 0.004 less.
const NEWS_SHARE: usize = 5;
/// What was told more than so many days before the day that the age of a line tells of may not hold any more, and is marked as earlier.
const EARLIER_DAYS: i64 = 7;
/// The share that is kept free for news, so that the first entries of a day push out no line.
const RESERVE: f64 = 0.01;
/// Where conversations are all that is known the other shares are so much of themselves, and the person has what they leave: more than the
/// fifth of SPEC section 9, for such logs hold little else that lasts.
const OF_TALK: f64 = 0.3;
/// Words of a statement in Active Context and in the index: what it says stays, its asides go. On the same 25 workspaces a page knows
/// 0.219 with 36 or 50, 0.232 with 24, 0.231 with 16. With 18, 20 and 22 it knows the same, and more words are fewer torn parts.
const WORDS: usize = 20;
/// A line of the index. More parts are hard to read; with nine a page knows 0.003 less of what comes.
const INDEX_LINE: Shape = Shape { words: WORDS, terms: 126, parts: 12, dress: TAG_COST };
/// A line of Active Context: what stands in it is to be read at a glance.
const ACTIVE_LINE: Shape = Shape { parts: 3, dress: 5, ..INDEX_LINE };
/// Days on which something was told that Active Context covers (SPEC section 9).
const ACTIVE_DAYS: usize = 7;
/// What has a day to come takes this part of Active Context before anything else.
const DUE_SHARE: usize = 5;
/// What the newest log calls next takes this part of it before older days. Chosen for readers; with one half
/// instead, a page knows 0.001 less.
const NEXT_SHARE: usize = 5;
/// Of what is older the months give only a choice (see [`super::root::contribution`]).
pub const QUARTER_DAYS: i64 = 93;
/// A reference that nobody mentioned for so many days is doubtful (SPEC section 9).
const DOUBTFUL_DAYS: i64 = 30;
/// Statements that are weighed against each other, at least: the lightest of a long history have no chance.
const POOL_MIN: usize = 1500;
/// What being of the last day adds to how strong a rule is: as much as a second reason ([`kind::Verdict`]).
const NEWER_RULE: f64 = 0.5;
/// Tokens of a rule at most: what is longer tells a story.
const RULE_COST_MAX: usize = 60;
/// The rules under one heading take this part of all at first.
const HEADING_SHARE: usize = 2;
/// What announces a list in so few terms says nothing without it.
const LEADING_TERMS: usize = 4;
/// Words of a rule at least that has a single term: "Never UTC." says nothing without what stands around it.
const RULE_WORDS_MIN: usize = 3;
const SENTENCE_ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];
/// The marks around a sentence: `- `, ` [feedback, 12d]`.
const TAG_COST: usize = 9;

struct Page<'a> {
    statements: &'a [Statement],
    today: Day,
    subjects: Subjects,
    /// The subjects and the last days (see [`dated`]).
    dated: Subjects,
    /// Which statements are news (see [`news`]).
    is_news: Vec<bool>,
    /// What words are worth without the news, and with them; nothing where there are no news.
    weights: Weights,
    newest: Weights,
    cap: usize,
    cost: &'a dyn Fn(&str) -> usize,
    topic: &'a dyn Fn(&str) -> Option<&'a Topic>,
}

/// The lines of ROOT, which together cost at most `cap`: each `cost` of it and one for its end. `topic` is what the nodes say of a name:
/// its type, and the day of its newest entry.
pub fn root_lines<'a>(
    statements: &'a [Statement],
    today: Day,
    cap: usize,
    cost: &'a dyn Fn(&str) -> usize,
    topic: &'a dyn Fn(&str) -> Option<&'a Topic>,
) -> RootLines {
    let is_news = news(statements, today);
    let newest = match is_news.contains(&true) {
        true => Weights::of(statements, |_| true),
        false => Weights::default(),
    };
    let subjects = Subjects::learn(statements);
    let weights = Weights::of(statements, |at| !is_news[at]);
    let page = Page {
        statements,
        today,
        dated: dated(&subjects, statements, |day| weights.age(day) < ACTIVE_DAYS),
        subjects,
        weights,
        newest,
        is_news,
        cap,
        cost,
        topic,
    };
    page.lines()
}

/// Which statements are news: those of today that came after the page was last chosen as a whole. The page is chosen when today has
/// [`DAY_ENTRIES_MIN`] entries, and again whenever it has a third more, and at least [`DAY_ENTRIES_MORE`]. In between, what is new is
/// added, and few other lines change.
fn news(statements: &[Statement], today: Day) -> Vec<bool> {
    let of_today: Vec<usize> = (0..statements.len()).filter(|&at| statements[at].day == today).collect();
    // Where an entry begins. What has no heading is an entry by itself.
    let heads = |place: usize| &statements[of_today[place]].heads;
    let begins = |&place: &usize| place == 0 || heads(place).is_empty() || heads(place) != heads(place - 1);
    let entries: Vec<usize> = (0..of_today.len()).filter(begins).collect();
    let (mut settled, mut next) = (0, DAY_ENTRIES_MIN);
    while next <= entries.len() {
        settled = next;
        next += (next * 3 / 10).max(DAY_ENTRIES_MORE);
    }
    let mut is_news = vec![false; statements.len()];
    // The first day of all has nothing to be added to.
    if of_today.len() < statements.len()
        && let Some(&first) = entries.get(settled)
    {
        of_today[first..].iter().for_each(|&at| is_news[at] = true);
    }
    is_news
}

/// The subjects and, for each recent day, one more: its name is the date, and the statements of that day that have no subject belong to it.
fn dated(subjects: &Subjects, statements: &[Statement], is_recent: impl Fn(Day) -> bool) -> Subjects {
    let mut dated = subjects.clone();
    let mut places: FxHashMap<Day, usize> = FxHashMap::default();
    for (at, told) in statements.iter().enumerate() {
        let is_nameless = subjects.of[at].is_empty()
            // What a person tells of themselves stands in the index.
            && !kind::is_own(told)
            && !told.is_answer()
            // "Good.": one word tells nothing.
            && told.words.terms().len() > 1
            && !says_little(told);
        if !is_nameless || !is_recent(told.day) {
            continue;
        }
        let subject = *places.entry(told.day).or_insert_with(|| {
            dated.list.push(Subject {
                name: told.day.to_string(),
                days: vec![told.day],
                quality: 1.0,
                ..Subject::default()
            });
            dated.list.len() - 1
        });
        dated.of[at].push(Candidate { subject, quality: 1.0, detail: None });
    }
    dated
}

impl Page<'_> {
    fn lines(&self) -> RootLines {
        let mut selector = Selector::new(self.statements, &self.dated, &self.weights, self.cost);
        let person = kind::person(self.statements);
        let told = self.statements.iter();
        let name = person.as_ref().map(|person| person.name.as_str());
        let verdicts: Vec<Verdict> = told.map(|told| kind::kind_of(told, name)).collect();
        let whole = |selector: &mut _, kind, budget| self.whole(selector, &verdicts, kind, budget);
        let is_talk = self.is_talk();
        let share = |part: f64| self.share(if is_talk { part * OF_TALK } else { part });
        let for_rules = share(RULES).min(RULES_TOKENS_MAX);
        let rules = whole(&mut selector, Kind::Feedback, for_rules);
        let overtaken = self.overtaken();
        // What the rules leave is the person's.
        let left = for_rules.saturating_sub(self.price(&rules));
        let mut persons = Vec::new();
        if !is_talk {
            let person = person.as_ref();
            persons.extend(person.and_then(|person| self.person_line(&mut selector, person, &overtaken)));
            persons.extend(whole(&mut selector, Kind::User, self.share(PERSON) + left));
        }
        let patterns = self.patterns(share(PATTERNS));
        let is_named = |at: &usize| !self.subjects.of[*at].is_empty();
        // Of a conversation that has a subject only what the person tells of themselves.
        let is_fit = |at: &usize| !is_talk || !is_named(at) || kind::is_own(&self.statements[*at]);
        let [all, all_news] = self.pools(&overtaken);
        let [pool, news] =
            [&all, &all_news].map(|all| all.iter().copied().filter(is_fit).collect::<Vec<_>>());
        let for_active = share(ACTIVE).min(ACTIVE_TOKENS_MAX);
        let mut active = self.active(&mut selector, &pool, for_active);
        let without_news = self.price(&self.active_lines(&active));
        let mut of_news = selector.with(&self.newest);
        // One statement has room on the smallest page.
        let room = (for_active / NEWS_SHARE).max(RULE_COST_MAX.min(for_active));
        for (subject, line) in self.active(&mut of_news, &news, room) {
            active.entry(subject).or_default().join(line);
        }
        let active_lines = self.active_lines(&active);
        let for_news = self.price(&active_lines).saturating_sub(without_news);
        if is_talk {
            let taken = [&rules, &patterns, &active_lines].map(|lines| self.price(lines));
            let others = taken.iter().sum::<usize>() + share(HISTORY) + self.share(RESERVE);
            persons = self.persons(&mut selector, &verdicts, self.cap.saturating_sub(others));
        }
        let taken: usize = [&persons, &rules, &patterns, &active_lines]
            .map(|lines| self.price(lines))
            .iter()
            .sum();
        let left = (self.cap + for_news).saturating_sub(taken + self.share(RESERVE));
        let for_history = share(HISTORY).min(left);
        let mut lines = Lines::new();
        // A day is no subject of the index.
        let nameless: Vec<usize> = all.iter().copied().filter(|at| !is_named(at) && is_fit(at)).collect();
        let [pool, all, all_news] =
            [pool, all, all_news].map(|pool| pool.into_iter().filter(is_named).collect::<Vec<_>>());
        self.fill(&mut selector, &mut lines, &pool, left - for_history);
        let history = self.history(&mut selector, for_history);
        let left = left.saturating_sub(self.price(&history));
        self.fill(&mut selector, &mut lines, &all, left);
        // What no subject has anything to say for is the person's, too.
        let mut rest = left.saturating_sub(self.price(&self.index_lines(&lines)));
        let more = whole(&mut selector, Kind::User, rest);
        rest = rest.saturating_sub(self.price(&more));
        // A small history has room for whatever its last days tell.
        rest = selector.fill(&mut active, &nameless, rest, INDEX_LINE);
        // The news take their room from the lightest lines of the index.
        let room = (left + self.share(RESERVE)).saturating_sub(for_news + self.price(&more));
        persons.extend(more);
        self.shed(&mut lines, room);
        of_news.learn(&selector);
        self.fill(&mut of_news, &mut lines, &all_news, room);
        RootLines {
            active: self.active_lines(&active),
            patterns,
            history,
            people: persons.into_iter().chain(rules).collect(),
            index: self.index_lines(&lines),
            left: rest,
        }
    }

    /// Statements as they were said, behind the name of their entry where that has one. What stands under one heading shares a line: what
    /// "read it once" is about is said there.
    fn whole_lines(&self, taken: Vec<usize>, kind: Kind) -> Vec<String> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for at in taken {
            let place = |at: usize| (self.statements[at].day, &self.statements[at].heads);
            let is_beside =
                |group: &&mut Vec<usize>| self.name_of(at).is_some() && place(group[0]) == place(at);
            match groups.iter_mut().find(is_beside) {
                Some(group) => group.push(at),
                None => groups.push(vec![at]),
            }
        }
        let lines = groups.into_iter().map(|mut group| {
            group.sort_unstable();
            let first = &self.statements[group[0]];
            let mut text = String::new();
            for at in &group {
                if !text.is_empty() {
                    text += if text.ends_with(SENTENCE_ENDS) { " " } else { "; " };
                }
                text += without_clock(&self.statements[*at].text);
            }
            let text = text.trim_end_matches(['.', '。']);
            // "I took it to Kaveh" says what "it" is by the name of the conversation.
            let is_named = |name: &&str| {
                first.tagged || group.len() > 1 || first.speaker.is_some() && !first.says_all_of(name)
            };
            match self.name_of(group[0]).filter(is_named) {
                Some(name) => format!("- {name} [{kind}, {}d]: {text}", self.age_of(name, first.day)),
                None => format!("- {text} [{kind}, {}d]", self.age(first.day)),
            }
        });
        lines.collect()
    }

    /// The name of the entry that a statement stands in, unless it is a section's.
    fn name_of(&self, at: usize) -> Option<&str> {
        let told = &self.statements[at];
        let name = told.heads.last()?;
        (told.tagged || self.subjects.resolve(name) != Resolved::Template).then_some(name)
    }

    fn share(&self, part: f64) -> usize {
        (self.cap as f64 * part) as usize
    }

    fn price(&self, lines: &[String]) -> usize {
        lines.iter().map(|line| (self.cost)(line) + 1).sum()
    }

    fn age(&self, day: Day) -> i64 {
        age(day, self.today)
    }

    /// The age of the newest entry of that name, or of a day on which it was told, if that is newer.
    fn age_of(&self, name: &str, told: Day) -> i64 {
        self.age((self.topic)(name).map_or(told, |topic| topic.last.max(told)))
    }

    /// The statements worth weighing, and those that are news: of those in the same words the newest, the heaviest first.
    fn pools(&self, overtaken: &FxHashSet<usize>) -> [Vec<usize>; 2] {
        [(&self.weights, false), (&self.newest, true)].map(|(weights, are_news)| {
            let mut order: Vec<usize> = (0..self.statements.len()).collect();
            let is_leading = |at: usize| {
                self.statements[at].leads && self.statements[at].words.terms().len() <= LEADING_TERMS
            };
            order.retain(|&at| self.is_news[at] == are_news && !overtaken.contains(&at) && !is_leading(at));
            order.sort_by_key(|&at| Reverse((self.statements[at].day, at)));
            let mut seen: FxHashSet<Vec<Term>> = FxHashSet::default();
            order.retain(|&at| {
                let terms = self.statements[at].words.terms();
                !self.dated.of[at].is_empty() && seen.insert(terms.iter().take(8).copied().collect())
            });
            let weigh = |at: usize| (weights.sum(at, &self.statements[at], WORDS), at);
            best_first(order.into_iter().map(weigh))
        })
    }

    /// What the logs say of the person, or the rules, in whole sentences.
    fn whole(
        &self,
        selector: &mut Selector<'_>,
        verdicts: &[Verdict],
        kind: Kind,
        budget: usize,
    ) -> Vec<String> {
        // Beside an agent's own notes most that a person says of themselves in a message is about the work of the hour.
        let all_last = kind == Kind::Feedback || self.is_talk();
        let lasts =
            |told: &Statement| all_last || told.speaker.is_none() || told.words.says(MINE | KIN | LIKE);
        let is_fit = |&at: &usize| {
            verdicts[at].kind == kind
                && lasts(&self.statements[at])
                && !self.statements[at].leads
                && verdicts[at].strength > 0.0
                && says_enough(&self.statements[at])
                && (self.cost)(&self.statements[at].text) <= RULE_COST_MAX
        };
        // Who the person is was told on the first days.
        let newer = if kind == Kind::Feedback { NEWER_RULE } else { 0.0 };
        let recency = |at: usize| self.weights.recency(self.statements[at].day);
        let weigh = |at: usize| (verdicts[at].strength + newer * recency(at), at);
        let ranked = best_first((0..verdicts.len()).filter(is_fit).map(weigh));
        // One heading takes a half, unless nothing else has a use for the rest.
        let mut spent: FxHashMap<&[String], usize> = FxHashMap::default();
        let is_beyond = |at: &usize| {
            let told = &self.statements[*at];
            let spent = spent.entry(&told.heads).or_default();
            *spent += (self.cost)(&told.text) + TAG_COST;
            kind == Kind::Feedback && !told.heads.is_empty() && *spent > budget / HEADING_SHARE
        };
        let (beyond, within): (Vec<usize>, Vec<usize>) = ranked.into_iter().partition(is_beyond);
        let ranked = [within, beyond].concat();
        self.whole_lines(selector.whole(&ranked, budget, TAG_COST), kind)
    }

    /// What is due, what is next, what is open, decided or done in the last days; then whatever else they tell.
    fn active(&self, selector: &mut Selector<'_>, pool: &[usize], budget: usize) -> Lines {
        let mut recent = pool.to_vec();
        recent.retain(|&at| self.weights.age(self.statements[at].day) < ACTIVE_DAYS);
        let mut state = recent.clone();
        state.retain(|&at| matches!(self.statements[at].sort, Sort::Open | Sort::Decision | Sort::Done));
        let mut due = pool.to_vec();
        // What is too long for a part may lose the day that it names.
        let said =
            |at: usize| shorten(&self.statements[at], &FxHashSet::default(), &self.weights, WORDS).text;
        due.retain(|&at| self.is_due(at, &self.statements[at].text) && self.is_due(at, &said(at)));
        let mut lines = Lines::new();
        let for_due = budget / DUE_SHARE;
        let left = budget - for_due + selector.fill(&mut lines, &due, for_due, ACTIVE_LINE);
        // What the newest log that names anything next calls so: of what older ones did some is done by now.
        let opened = |at: &usize| self.is_open_item(*at).then_some(self.statements[*at].day);
        let newest = state.iter().filter_map(opened).max();
        let next: Vec<usize> = state
            .iter()
            .copied()
            .filter(|at| newest.is_some() && opened(at) == newest)
            .collect();
        let for_next = (budget / NEXT_SHARE).min(left);
        let left = left - for_next + selector.fill(&mut lines, &next, for_next, ACTIVE_LINE);
        let left = selector.fill(&mut lines, &state, left, ACTIVE_LINE);
        selector.fill(&mut lines, &recent, left, ACTIVE_LINE);
        lines
    }

    fn active_lines(&self, lines: &Lines) -> Vec<String> {
        let mut lines = self.ordered(lines);
        // What is next comes first.
        lines
            .sort_by_key(|(_, line)| !line.parts.iter().any(|part| self.is_next(part.statement, &part.text)));
        let line = |(subject, line): (usize, &Line)| {
            let newest = self.newest(line);
            let (age, body) = (self.age(newest), self.body(line, newest, true));
            format!("- {} ({age}d): {body}", self.dated.list[subject].name)
        };
        lines.into_iter().map(line).collect()
    }

    fn newest(&self, line: &Line) -> Day {
        let days = line.parts.iter().map(|part| self.statements[part.statement].day);
        days.max().unwrap_or(self.today)
    }

    /// Lines by the age of what they say, then by weight.
    fn ordered<'a>(&self, lines: &'a Lines) -> Vec<(usize, &'a Line)> {
        let mut order: Vec<(usize, &Line)> = lines.iter().map(|(subject, line)| (*subject, line)).collect();
        order.sort_by(|(_, one), (_, other)| other.gain.total_cmp(&one.gain));
        order.sort_by_key(|(_, line)| Reverse(self.newest(line)));
        order
    }

    /// What a line says, newest first, what is long past on the day that its age tells of marked as earlier, what is open marked as such:
    /// before the rest, as what is next, if asked for.
    fn body(&self, line: &Line, told: Day, next: bool) -> String {
        let mut parts: Vec<_> = line.parts.iter().collect();
        let is_next = |part: &Part| next && self.is_next(part.statement, &part.text);
        let day = |part: &Part| Reverse(self.statements[part.statement].day);
        parts.sort_by_key(|part| (!is_next(part), day(part), part.detail, part.statement));
        let is_earlier = |part: &Part| {
            !is_next(part) && told.days_since(self.statements[part.statement].day) > EARLIER_DAYS
        };
        let mut out = String::new();
        let (mut above, mut earlier) = (None, false);
        for part in parts {
            if !out.is_empty() {
                out += "; ";
            }
            if !earlier && is_earlier(part) {
                out += "earlier: ";
                earlier = true;
            }
            let is_done = matches!(self.statements[part.statement].sort, Sort::Done | Sort::Decision);
            if is_next(part) && !is_done {
                out += next_mark(&part.text);
            } else if !next && self.is_open_item(part.statement) {
                out += "open: ";
            } else if needs_done_mark(&self.statements[part.statement], &part.text) {
                out += "done: ";
            }
            // A heading is said once for what stands side by side.
            if let Some(detail) = part.detail.filter(|_| part.detail != above) {
                out.extend([&self.subjects.details[detail], ": "]);
            }
            above = part.detail;
            out += &part.text;
        }
        out
    }

    /// Adds to the index until it costs `room`.
    fn fill(&self, selector: &mut Selector<'_>, lines: &mut Lines, pool: &[usize], room: usize) {
        // At most as many rounds as it takes: parts cost a little less together than alone.
        const ROUNDS: usize = 4;
        // The lightest have a chance only where the others leave room.
        for pool in pool.chunks(POOL_MIN.max(self.cap / 2)) {
            for _ in 0..ROUNDS {
                let spent = self.price(&self.index_lines(lines));
                if spent + room / 100 >= room {
                    break;
                }
                selector.fill(lines, pool, room - spent, INDEX_LINE);
            }
        }
        self.shed(lines, room);
    }

    /// Takes out the lightest lines until the index costs `room`.
    fn shed(&self, lines: &mut Lines, room: usize) {
        while self.price(&self.index_lines(lines)) > room {
            let lightest = lines.iter().min_by(|(_, one), (_, other)| one.gain.total_cmp(&other.gain));
            let Some((&lightest, _)) = lightest else { break };
            lines.remove(&lightest);
        }
    }

    fn index_lines(&self, lines: &Lines) -> Vec<String> {
        let mut order = self.ordered(lines);
        order.sort_by_key(|(at, _)| Reverse(self.subjects.list[*at].days.last().copied()));
        let order = order.into_iter();
        order.map(|(at, line)| self.index_line(at, line)).collect()
    }

    /// `- Name [project, 3d]: keywords; keywords → path`
    fn index_line(&self, at: usize, line: &Line) -> String {
        let subject = &self.subjects.list[at];
        let topic = (self.topic)(&subject.name);
        let kind_of = |part: &Part| self.statements[part.statement].kind;
        let kind = match topic {
            // What others say on such a subject is work.
            Some(topic) if !topic.kind.is_personal() => topic.kind,
            Some(topic) if line.parts.iter().all(|part| kind_of(part) == topic.kind) => topic.kind,
            _ if line.parts.iter().any(|part| kind_of(part) == Kind::Reference) => Kind::Reference,
            _ => Kind::Project,
        };
        // The newest entry on it, or the last word of it, whichever is newer.
        let told = subject.days.last().copied().unwrap_or_else(|| self.newest(line));
        let tag = tag(kind, self.age_of(&subject.name, told));
        let body = self.body(line, told, false);
        let is_unsaid = |path: &&str| !body.contains(path) && !subject.name.contains(path);
        let path = subject.path.as_deref().filter(is_unsaid);
        let path = path.map_or_else(String::new, |path| format!(" → {path}"));
        format!("- {} [{tag}]: {body}{path}", subject.name)
    }
}

/// Whether a statement that is done must be called so: "Add the filter" reads as something to do, and of "crane → north quay" only a tick
/// says that it is done.
fn needs_done_mark(told: &Statement, text: &str) -> bool {
    let is_past = |word: &str| word.len() > "need".len() && word.trim_end_matches(',').ends_with("ed");
    let is_ticked = || told.role.is_none() && !told.words.says(DONE | DID) && !text.split(' ').any(is_past);
    told.sort == Sort::Done && (reads_as_task(text) || is_ticked())
}

/// How many days ago a topic was mentioned; a mention in the future counts as today.
pub fn age(last: Day, today: Day) -> i64 {
    today.days_since(last).max(0)
}

/// What stands in brackets behind a topic's name: `project, 2d` or `reference, 45d, ?`.
pub fn tag(kind: Kind, age: i64) -> String {
    let is_doubtful = kind == Kind::Reference && age > DOUBTFUL_DAYS;
    let doubt = if is_doubtful { ", ?" } else { "" };
    format!("{kind}, {age}d{doubt}")
}

#[cfg(test)]
mod tests;
