//! What of a log stays for good: rules, and what is lasting about the person (SPEC section 3, the types `feedback` and `user`).
//!
//! No log that people or agents write has type tags, so the words decide, and in doubt a statement is work. Three sources count: what
//! stands under a heading or label that says so; orders, told as such; and what is said about the person, in their own words or in the
//! agent's notes. What an assistant answers is no source.

mod directive;
mod order;
mod person;

use std::sync::LazyLock;

use regex::Regex;

use self::directive::is_directive;
pub use self::directive::names_directive;
use self::order::{ends_in, is_order, is_report, order};
pub use self::person::{Person, person};
use super::calendar::Day;
pub use super::entry::Kind;
use super::entry::split_tag;
use super::language::{
    ASK, COMMON, Cues, DECIDE, DID, DONE, ENGLISH, KIN, LIKE, MINE, MOMENT, NAME, NOT, OPEN, ORDER, PLAN,
    RULE, Role, SAID, SELF, SERVICE, STOP, Speaker, THANKS, USER, WHEN, hash_word, is_hangul, is_unspaced,
    lexicon,
};
use super::statement::{self, Sort, Statement};
use super::text::is_listed;
use super::topic::without_clock;
use super::words::{Class, Word, Words};

/// What a statement is, and how much of that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    pub kind: Kind,
    /// How lasting and how plain it is, from 0 to [`TAGGED`]: it orders statements of one kind.
    pub strength: f64,
}

/// The strength of what a tag says.
pub const TAGGED: f64 = 4.0;
/// Under a heading or label that says so.
const HEADED: f64 = 2.0;
/// An order that is told as one.
const ORDERED: f64 = 1.6;
/// What an agent notes about the person.
const NOTED: f64 = 1.5;
/// An order under a heading that says so, and other second reasons.
const MORE: f64 = 0.5;
/// Less than this is too little to be a fact about a person: two signs are needed. Judged on 400 statements of conversations.
const FACT_MIN: f64 = 1.0;
/// An order stands at the beginning of a statement, perhaps behind "please" or a name: so many bytes of
/// Latin letters.
const BEGINNING: u32 = 14;
/// An order at the end stands within so many bytes: "…には必ず入れること".
const ENDING: usize = 36;
/// What somebody likes stands so near behind the name, in bytes: "Marcus really prefers".
const NEAR: usize = 14;
/// A statement names whom it is about within so many bytes.
const SUBJECT: u32 = 32;
/// Rules are short: longer statements tell a story. In words; two characters without spaces count as one.
const RULE_WORDS_MAX: usize = 32;
/// What is ordered in capitals, or set right, stands among the first words.
const FIRST_WORDS: usize = 8;
/// Feedback that only says what is not, in fewer words, is a finding: "no dates yet".
const DENIAL_WORDS_MIN: usize = 4;
/// How strong what a summary calls a rule or the person's is, where its words alone do not say so.
const SUMMARIZED: f64 = 0.3;

/// What kind of statement it is. `person` is the one the agent works for, when the logs tell ([`person()`]).
pub fn kind_of(statement: &Statement, person: Option<&str>) -> Verdict {
    let verdict = |kind, strength| Verdict { kind, strength };
    if statement.hostile || statement.is_answer() {
        return verdict(Kind::Project, 0.0);
    }
    // The tag of a conversation says nothing about what is said in it: `capture` calls all of them projects.
    if statement.tagged && (statement.speaker.is_none() || statement.kind != Kind::Project) {
        let lasts = matches!(statement.kind, Kind::Feedback | Kind::User);
        return verdict(statement.kind, if lasts { TAGGED } else { 0.0 });
    }
    let (rule, fact) = match statement.speaker {
        Some(_) => (rule_of_own(statement), fact_of_own(statement)),
        None => (rule_noted(statement, person), fact_noted(statement, person)),
    };
    match statement.kind {
        _ if rule > 0.0 && rule >= fact => verdict(Kind::Feedback, rule),
        _ if fact > 0.0 => verdict(Kind::User, fact),
        // A summary says so: it knew the tag.
        kind if kind.is_personal() => verdict(kind, SUMMARIZED),
        _ => verdict(Kind::Project, 0.0),
    }
}

/// [`BEGINNING`] in bytes of a text's own script: a Cyrillic or Greek letter takes two bytes, a Chinese sign, which says more, three.
fn beginning(text: &str) -> u32 {
    let first = text.chars().find(|letter| letter.is_alphabetic());
    match first.map_or(1, char::len_utf8) {
        1 => BEGINNING,
        2 => 2 * BEGINNING,
        _ => BEGINNING * 4 / 3,
    }
}

/// An order that a person gives in a conversation.
fn rule_of_own(statement: &Statement) -> f64 {
    let words = &statement.words;
    let begins = |cues| words.begins(cues, beginning(&statement.text));
    let orders = begins(ORDER) || begins(RULE) && !begins(SELF) && is_order(statement, 0);
    let is_rule = orders && !is_question(&statement.text) && is_short(statement) && !words.says(MOMENT);
    if is_rule { ORDERED } else { 0.0 }
}

fn rule_noted(statement: &Statement, person: Option<&str>) -> f64 {
    let words = &statement.words;
    // Under a heading of rules "what is not reviewed yet" is a part of one.
    let is_ruled = matches!(statement.role, Some(Role::Rule | Role::Feedback));
    let lasts = statement.sort != Sort::Done && (is_ruled || !words.says(MOMENT));
    if !is_short(statement) || is_question(&statement.text) || !lasts {
        return 0.0;
    }
    let order = order(statement);
    let of_person = subject_end(statement, person).is_some() && !reports(statement);
    let called = rule_called(&statement.text);
    let ordered_behind = |end: usize| {
        let mut signs = words.signs.iter();
        signs.any(|&(at, cues)| at as usize > end && cues & (RULE | ORDER) != 0)
    };
    match statement.role {
        Some(Role::Rule) if order => HEADED + MORE,
        Some(Role::Rule) if !reports(statement) && !points(statement) => HEADED,
        Some(Role::Feedback)
            if order
                || (words.says(RULE | ORDER | LIKE)
                    || words.says(NOT) && words.count() >= DENIAL_WORDS_MIN)
                    && !words.says(DECIDE | DONE)
                    && !reports(statement) =>
        {
            HEADED
        }
        Some(Role::Lesson | Role::Decide) if order => ORDERED + MORE,
        _ if is_directive(statement, person) && !reports(statement) => ORDERED + MORE,
        Some(Role::Why | Role::How | Role::Request | Role::Reference) => 0.0,
        _ if of_person
            && holds_order(statement)
            && (words.says(SAID | LIKE | USER) || called.is_some() || is_quoted(&statement.text, person)) =>
        {
            ORDERED + MORE
        }
        // "Lamp rule adopted: whoever leaves last …".
        _ if called.is_some_and(|end| is_agreed(&statement.text[..end])) => ORDERED,
        // "Anna corrected: these berths are not free".
        _ if of_person && words.says(SAID) && words.says(NOT) && corrects(&statement.text) => ORDERED,
        _ if shouts(&statement.text) && !reports(statement) => ORDERED,
        _ if called.is_some_and(|end| of_person || ordered_behind(end)) && !reports(statement) => ORDERED,
        // What somebody means to do is no rule: "I'll make sure to ask".
        _ if order && !words.begins(PLAN, beginning(&statement.text)) => ORDERED,
        _ => 0.0,
    }
}

/// Whether a statement has words of an order that are meant as one: "results do not come" and "at night to avoid delay" are none.
fn holds_order(statement: &Statement) -> bool {
    const STATES: &str = "look seem come fit match work exist appear arrive load";
    let words = &statement.words.words;
    let is_meant = |&(at, cues): &(u32, Cues)| {
        let behind = &statement.text[at as usize..];
        let denied = ["do not ", "don't "].iter().find_map(|denial| behind.strip_prefix(denial));
        let verb = denied.and_then(|denied| denied.split(' ').next());
        let is_state = verb.is_some_and(|verb| is_listed(bare(verb), STATES));
        // "Anna wants to avoid" is an order, "to paint at night to avoid" gives a reason.
        let before = || words.iter().rev().filter(|word| word.end <= at);
        let is_noun = |word: &Word| word.cues & (STOP | SAID | LIKE | ASK) == 0;
        let gives_reason = || behind.starts_with("avoid") && before().nth(1).is_some_and(is_noun);
        cues & (RULE | ORDER) != 0 && !is_state && !gives_reason()
    };
    statement.words.signs.iter().any(is_meant)
}

/// Whether words that call something a rule begin or end by saying that it holds now.
fn is_agreed(label: &str) -> bool {
    const VERBS: &str =
        "agreed reinforced established clarified reaffirmed adopted зафиксировано принято утверждено";
    let agrees = |word: &str| is_listed(&word.to_lowercase(), VERBS);
    label.split(' ').next().is_some_and(agrees) || label.rsplit(' ').next().is_some_and(agrees)
}

/// Whether somebody sets something right.
fn corrects(text: &str) -> bool {
    const VERBS: &str = "corrected instructed directed forbade insisted reminded banned korrigierte verbot corrigió prohibió corrigiu \
                         corrigé interdit corretto vietato поправил поправила запретил запретила виправив заборонив";
    // People clarify facts, too: "Anna clarified that it was not hers".
    let clarifies = || text.contains(" should ") || text.contains(" must ");
    begins_with_one_of(text, VERBS)
        || begins_with_one_of(text, "clarified") && clarifies()
        || ["纠正", "糾正", "强调", "強調"].iter().any(|verb| text.contains(verb))
}

/// Whether a sentence in small letters has an order in capitals among its first words, "each plan MUST name its quay", or where one begins:
/// "Lesson: ALWAYS ask". "The crane is ALWAYS late" tells something.
fn shouts(text: &str) -> bool {
    const ORDERS: &str = "MUST MUSS MÜSSEN DEBE DEVE DOIT НЕЛЬЗЯ HARUS WAJIB JANGAN";
    const EVER: &str =
        "NEVER ALWAYS NIEMALS IMMER NUNCA SIEMPRE JAMAIS TOUJOURS SEMPRE НИКОГДА ВСЕГДА SELALU";
    let count = |is_meant: fn(char) -> bool| text.chars().filter(|letter| is_meant(*letter)).count();
    let words: Vec<&str> = text.split(' ').take(FIRST_WORDS + 1).collect();
    let begins_order = |at: usize| {
        let is_verb = |next: &&str| next.starts_with(char::is_lowercase) && !is_report(bare(next));
        is_listed(bare(words[at]), EVER)
            && (at == 0 || words[at - 1].ends_with([':', ',']))
            && words.get(at + 1).is_some_and(is_verb)
    };
    let orders = |at: usize| is_listed(bare(words[at]), ORDERS) || begins_order(at);
    (0..words.len().min(FIRST_WORDS)).any(orders)
        && count(char::is_lowercase) * 2 > count(char::is_alphabetic)
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphabetic())
}

/// Whether such a word is among the first of a text.
fn begins_with_one_of(text: &str, list: &str) -> bool {
    let mut words = text.split(' ').take(FIRST_WORDS);
    words.any(|word| is_listed(bare(word), list))
}

/// Where the words end that say that a rule follows: "standing rule saved: …", "Anna's rule for mails: …".
fn rule_called(text: &str) -> Option<usize> {
    /// A longer text before a colon is a sentence of its own.
    const WORDS_MAX: usize = 12;
    let bare = without_clock(text);
    let (before, _) = bare.split_once(": ")?;
    let is_rule = |words: &[&str]| lexicon().role(&words.join(" ")) == Some(Role::Rule);
    let words: Vec<&str> = before.split(' ').collect();
    // Some keys have two words: "golden rule", "quy tắc".
    let calls = words.len() <= WORDS_MAX && (1..=2).any(|count| words.windows(count).any(is_rule));
    calls.then_some(text.len() - bare.len() + before.len())
}

/// Whether the name of the person and a colon begin a statement, perhaps behind a time: "10:20 UTC: Anna: do not ask".
fn is_quoted(text: &str, person: Option<&str>) -> bool {
    let behind = person.and_then(|person| text.split_once(person));
    behind.is_some_and(|(before, after)| after.starts_with(':') && !before.contains(char::is_lowercase))
}

/// Endings of files that notes list.
const FILES: &str = "md py js ts sh json txt log";

/// Whether a statement begins by telling what was done, or is only a number or a command.
fn reports(statement: &Statement) -> bool {
    let (_, value) = statement::label_of(&statement.text);
    let mut words = statement.words.words.iter();
    let first = words.find(|word| word.class == Class::Plain);
    // "Fixed the login" tells what was done. In "Jared wants" the first word is a name, for a verb stands right behind it.
    let is_done = |first: &Word| {
        let next = statement.words.words.iter().find(|word| word.start > first.start);
        let is_name = next.is_some_and(|next| next.cues & (SAID | LIKE) != 0);
        is_past(&first.text(&statement.text).to_lowercase()) && !is_name
    };
    // "Anna ordered" is no deed.
    let is_said = |at: u32, cues: Cues| {
        let before = statement.text[..at as usize].split_whitespace().next_back();
        cues & SAID != 0 && before.is_some_and(|before| before.starts_with(char::is_uppercase))
    };
    let mut signs = statement.words.signs.iter();
    let begins_done = signs
        .any(|&(at, cues)| at < beginning(&statement.text) && cues & (DID | DONE) != 0 && !is_said(at, cues));
    first.is_some_and(is_done)
        || ends_in(statement, DID | DONE)
        || statement.text.contains(" · ")
        || begins_done
        || value.starts_with(|first: char| first.is_ascii_digit())
        || value.starts_with(['/', '~', '$'])
}

/// Whether an English word in small letters is a regular verb of the past.
fn is_past(lower: &str) -> bool {
    lower.len() > 4 && lower.is_ascii() && lower.ends_with("ed")
}

/// Whether a statement names a file, or breaks off: a list of what there is, no rule.
fn points(statement: &Statement) -> bool {
    let path = |word: &Word| {
        let written = word.text(&statement.text);
        let extension = written.rsplit_once('.').map(|(_, extension)| extension);
        let before = &statement.text[..word.start as usize];
        let slashes = written.matches('/').count();
        // "Code/docs" are two things, and no path. The first slash of "/etc/hosts" stands before the word.
        slashes > 1
            || slashes == 1 && (written.contains('.') || before.ends_with('/'))
            || extension.is_some_and(|extension| is_listed(extension, FILES))
    };
    statement.text.ends_with(['…', '：', ':'])
        || statement.text.ends_with("...")
        || (statement.words.words.iter()).any(|word| word.class == Class::Code && path(word))
}

/// Whether cues are found inside words: in scripts without spaces, and in Korean.
fn has_inner_cues(statement: &Statement) -> bool {
    let mut letters = statement.text.chars();
    letters.any(|letter| is_unspaced(letter) || is_hangul(letter))
}

/// A fact about the person in the notes of an agent: under a heading that says so, or told of the person by name.
fn fact_noted(statement: &Statement, person: Option<&str>) -> f64 {
    let words = &statement.words;
    if is_question(&statement.text) || !is_short(statement) {
        return 0.0;
    }
    // "Rent: 900" is no report.
    let (label, value) = statement::label_of(&statement.text);
    let is_amount = label.is_some() && value.starts_with(|first: char| first.is_ascii_digit());
    match statement.role {
        Some(Role::Like) if reports(statement) && !is_amount => return 0.0,
        Some(Role::Like) => return HEADED + MORE / 2.0,
        Some(Role::Request | Role::Reference | Role::Why) => return 0.0,
        _ if statement.sort == Sort::Done => return 0.0,
        _ => {}
    }
    let text = statement.text.as_str();
    let is_spaced = |word: &&Word| word.start == 0 && text[word.end as usize..].starts_with(' ');
    let first = words.words.first().filter(is_spaced);
    // "Graduated from", "retired in", and not "graduated degradation".
    let describes = first.is_some_and(|first| {
        let next = words.words.get(1);
        first.text(text).ends_with("ed") && next.is_some_and(|next| next.cues & STOP == 0)
    });
    /// "Love it" may be a title: notes about a person say "loves".
    const BARE: &str = "love like hate";
    // "Call me", at the beginning, is said by nobody else.
    let begins = first.is_some_and(|first| first.cues & SELF == 0 && !is_listed(first.text(text), BARE))
        && !describes
        && words.begins(LIKE, 1)
        && lasting(statement, LIKE).next().is_some()
        && text.starts_with(|first: char| first.is_alphabetic() && !first.is_uppercase());
    match subject_end(statement, person) {
        Some(end) if near(statement, end, LIKE) => NOTED + MORE,
        Some(end) if near(statement, end, KIN) && statement.sort == Sort::Plain => NOTED,
        None if begins => NOTED - MORE / 2.0,
        _ => 0.0,
    }
}

/// Where the signs of a kind stand that are no words without meaning.
fn lasting(statement: &Statement, kind: Cues) -> impl Iterator<Item = usize> {
    let Words { words, signs, .. } = &statement.words;
    // Of a phrase, "does not want", only the first word is without meaning.
    let is_stop = move |at: u32| {
        (words.iter()).any(|word| word.start == at && word.cues & STOP != 0 && word.cues & kind != 0)
    };
    let of_kind = signs.iter().filter(move |(_, cues)| cues & kind != 0);
    of_kind.filter_map(move |&(at, _)| (!is_stop(at)).then_some(at as usize))
}

/// Whether a sign of a kind stands right behind that byte; in scripts without spaces anywhere.
fn near(statement: &Statement, end: usize, cue: Cues) -> bool {
    let unspaced = has_inner_cues(statement);
    lasting(statement, cue).any(|at| unspaced || (end..=end + NEAR).contains(&at))
}

/// Where the words for the person end, when a statement begins with them: the name, or "the user".
fn subject_end(statement: &Statement, person: Option<&str>) -> Option<usize> {
    let named = person.and_then(|person| statement.text.find(person).map(|at| (at, at + person.len())));
    let words = &statement.words;
    let word_end = |at: u32| {
        let holds = |word: &&Word| (word.start..word.end).contains(&at);
        let word = words.words.iter().find(holds);
        word.map_or(at, |word| word.end)
    };
    // "The quay user folder" tells nothing of the user.
    let is_person = |at: u32| {
        let before = words.words.iter().rev().find(|word| word.end <= at);
        before.is_none_or(|before| before.cues != 0 || before.class != Class::Plain)
    };
    let user = words.signs.iter().find(|&&(at, cues)| cues & USER != 0 && is_person(at));
    let user = user.map(|&(at, _)| (at as usize, word_end(at) as usize));
    let known = named.into_iter().chain(user);
    known.filter_map(|(at, end)| (at < SUBJECT as usize).then_some(end)).min()
}

/// How much of a lasting fact a person tells of themself in a conversation: what happened when, what is theirs, with whom, where, how many.
fn fact_of_own(statement: &Statement) -> f64 {
    let words = &statement.words;
    if !tells_of_self(statement) {
        return 0.0;
    }
    let mut value = 0.0;
    let mut add = |holds: bool, weight: f64| value += if holds { weight } else { 0.0 };
    let happened = happened(statement);
    add(happened, 1.0);
    add(!happened && goes_on(statement), 1.0);
    add(words.says(MINE), 0.6);
    add(words.says(KIN), 0.5);
    add(words.says(LIKE), 0.3);
    add(has_date(statement), 0.5);
    add(words.words.iter().any(|word| word.class == Class::Number), 0.5);
    add(names_in(statement) > 0, 0.4);
    add(names_in(statement) > 1, 0.3);
    add(words.begins(PLAN | OPEN, SUBJECT) && !happened, -1.2);
    add(words.begins(PLAN | OPEN, SUBJECT) && happened, -0.5);
    let is_small = |word: &Word| word.cues & STOP != 0 && word.cues & SELF == 0;
    add(words.words.first().is_some_and(is_small) && !happened, -0.4);
    // A short statement leaves room for another one; of three words hardly any says enough.
    let count = words.count() as f64;
    let fit = (1.4 - count / 35.0).clamp(0.5, 1.2);
    let value = value * if count < 4.0 { 0.7 } else { fit };
    if value >= FACT_MIN { value.min(TAGGED) } else { 0.0 }
}

/// Whether the person says that something happened: a verb of the past soon after "I" or "we".
fn happened(statement: &Statement) -> bool {
    /// "I also just recently finally bought": so many words between the two.
    const WORDS: usize = 4;
    const PAST: &str = "got went took made had came gave used saw";
    let text = statement.text.as_str();
    let past = |word: &Word| {
        let lower = word.text(text).to_lowercase();
        word.cues & WHEN != 0 && word.cues & STOP == 0 || is_past(&lower) || is_listed(&lower, PAST)
    };
    behind_self(statement, WORDS, past) || has_inner_cues(statement) && statement.words.says(WHEN)
}

/// Whether such a word stands among the few behind "I" or "we".
fn behind_self(statement: &Statement, few: usize, is_wanted: impl Fn(&Word) -> bool) -> bool {
    let words = &statement.words.words;
    let mut selves = (0..words.len()).filter(|at| words[*at].cues & SELF != 0);
    selves.any(|at| words[at + 1..].iter().take(few).any(&is_wanted))
}

/// Whether something happened to a person once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    No,
    Once,
    /// When is told, or since when something goes on.
    Dated,
}

/// Whether a person says that something happened, and when.
pub fn happening(statement: &Statement) -> Happened {
    if statement.words.begins(PLAN | OPEN, SUBJECT) {
        return Happened::No;
    }
    match (happened(statement), goes_on(statement), has_date(statement)) {
        (true, _, true) => Happened::Dated,
        (true, ..) | (_, true, true) => Happened::Once,
        _ => Happened::No,
    }
}

/// Whether the person says what they have been doing.
fn goes_on(statement: &Statement) -> bool {
    behind_self(statement, 2, |word| word.text(&statement.text) == "been")
}

pub fn is_own(statement: &Statement) -> bool {
    statement.speaker == Some(Speaker::User) && tells_of_self(statement)
}

/// Whether a person speaks of themself, and asks for nothing.
fn tells_of_self(statement: &Statement) -> bool {
    let words = &statement.words;
    words.says(SELF | MINE)
        && !words.begins(ASK, SUBJECT)
        && !words.says(THANKS)
        && !is_question(&statement.text)
}

/// Whether a time is named: a month, a weekday, "ago"; not only that it is over: "just", "bought".
fn has_date(statement: &Statement) -> bool {
    const OVER: &str = "just already finally since got last recently set";
    let names_time = |word: &Word| {
        let lower = word.text(&statement.text).to_lowercase();
        word.cues & WHEN != 0 && !lower.ends_with("ed") && !is_listed(&lower, OVER)
    };
    let signs = statement.words.signs.iter();
    let several = signs.filter(|(_, cues)| cues & WHEN != 0).count() > 1;
    several && has_inner_cues(statement) || statement.words.words.iter().any(names_time)
}

/// How many names of people, places and things a statement has: capitals inside it, identifiers.
fn names_in(statement: &Statement) -> usize {
    let text = statement.text.as_str();
    let words = statement.words.words.iter().skip(1);
    let is_name = |word: &&Word| {
        let written = word.text(text);
        let capital = written.starts_with(char::is_uppercase) && written.chars().count() > 1;
        capital && (word.cues & (NAME | SERVICE) != 0 || word.cues & (STOP | SELF | WHEN) == 0)
    };
    words.filter(is_name).count()
}

pub(super) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['"', '”', ')', ' ']).ends_with(['?', '？', '؟'])
}

fn is_short(statement: &Statement) -> bool {
    statement.words.count() <= RULE_WORDS_MAX
}

/// The type of a whole entry: what its tag says, its heading, or the fields that a rule has.
pub fn entry_kind(heading: &str, body: &str) -> Kind {
    let (title, tag) = split_tag(heading);
    if let Some(kind) = tag {
        return kind;
    }
    let title = statement::plain(title);
    let label = lexicon().label(&title);
    let languages = lexicon().languages(body) | lexicon().languages(&title);
    let role = label.role.or_else(|| statement::role_in(&title, languages));
    // What is said does not depend on the day. Few headings ask for it.
    let says = |what: &dyn Fn(&Statement) -> bool| {
        let day = Day::parse("2000-01-01");
        day.is_some_and(|day| statement::read(day, None, body).statements.iter().any(what))
    };
    let field = |line: &str| {
        let item = line.trim_start_matches(['-', '*', ' ', '\t']);
        lexicon().role(item.split([':', '：']).next()?)
    };
    let has_rule_fields = || {
        let roles: Vec<Role> = body.lines().filter_map(field).collect();
        roles.contains(&Role::Rule) && roles.iter().any(|role| matches!(role, Role::Why | Role::How))
    };
    match role {
        Some(Role::Rule) => Kind::Feedback,
        // "Customer feedback" is somebody else's.
        Some(Role::Feedback) if label.role.is_some() => Kind::Feedback,
        Some(Role::Like) => Kind::User,
        Some(Role::Lesson) if says(&|told| kind_of(told, None).kind == Kind::Feedback) => Kind::Feedback,
        _ if has_rule_fields() => Kind::Feedback,
        _ if is_about_somebody(&title) && says(&|told| told.words.says(LIKE | KIN)) => Kind::User,
        _ => Kind::Project,
    }
}

/// Whether a heading says that it tells about a person: "About Anna".
fn is_about_somebody(title: &str) -> bool {
    static ABOUT: LazyLock<Regex> = LazyLock::new(|| {
        let spaced = "about|über|sobre|à propos de|об?|про|tentang|về|عن|על|who is";
        let before = format!("(?:{spaced}) |à propos d'|关于|關於|เกี่ยวกับ");
        Regex::new(&format!("(?is)^(?:(?:{before})(.*)|(.*)(?:について|에 대해| hakkında))$"))
            .expect("a pattern")
    });
    let Some(found) = ABOUT.captures(title) else {
        return false;
    };
    let rest = found.get(1).or(found.get(2));
    let rest = rest.map_or("", |name| name.as_str());
    // "About Anna (new)".
    let rest = rest.split(['(', '（']).next().unwrap_or_default().trim();
    let name = rest.split_whitespace().next().unwrap_or_default();
    let small = rest.starts_with(char::is_lowercase);
    let is_service = || lexicon().word(hash_word(name), u32::MAX) & SERVICE != 0;
    !small && !name.is_empty() && rest.split_whitespace().count() <= 2 && !is_service()
}

#[cfg(test)]
mod tests;
