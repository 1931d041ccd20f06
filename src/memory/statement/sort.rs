//! What a statement is: a decision, a finished task, a lesson, something left to do; or nothing that anybody wants to know.

use super::super::language::{
    ALL, Cues, DECIDE, DID, DONE, KIN, LESSON, LIKE, NEXT, NONE, NOT, OPEN, ORDER, RULE, Role, STANCE,
    Speaker, is_hangul, is_unspaced, lexicon,
};
use super::super::text::is_listed;
use super::super::words::{Class, Words};
use super::Sort;
use super::line::label_of;

/// A statement of more words says something, even when it begins with "no": of 200 such lines of the development logs most that said
/// nothing had six words at most.
const NOTHING_WORDS_MAX: usize = 7;
/// "No" and its kin stand among the first words, perhaps behind "today".
const NOTHING_BYTES: u32 = 14;
/// How far before a word its negation may stand, in bytes: "is not yet", "wurde noch nicht".
const NEGATION_BYTES: u32 = 18;
/// A verb that begins a statement stands within so many bytes, behind a mark or an article.
const BEGINNING_BYTES: u32 = 4;

/// What the signs in front of a line or at its end say of it: ticks, hourglasses, a line through it.
pub(super) fn mark(raw: &str) -> Cues {
    // What is struck out as a whole is over.
    let struck = raw
        .trim_matches('*')
        .strip_prefix("~~")
        .and_then(|rest| rest.strip_suffix("~~"));
    let is_struck = struck.is_some_and(|struck| !struck.contains("~~"));
    let mut cues = if is_struck { DONE } else { 0 };
    let is_sign = |sign: char| sign > '\u{2100}' && !sign.is_alphabetic();
    lexicon().signs(raw, |start, _, found| {
        cues |= if raw[start..].starts_with(is_sign) { found } else { 0 };
    });
    cues & (DONE | OPEN | LESSON)
}

/// The label or heading without which what stands below it would be misread: "Never:", "What NOT to do", "Expected:", or one with a cross.
pub(super) fn denial(raw: &str, label: &str, languages: u32) -> Option<String> {
    /// "I will NOT"; in the middle of a longer label it denies only a part of that: "Quay 1: crane not turning".
    const BEGINNING_BYTES: u32 = 8;
    let words = Words::of(label, languages);
    let last = words.words.last().filter(|word| word.cues & NOT != 0);
    let denies = words.begins(NOT | STANCE, BEGINNING_BYTES) || last.is_some() || is_crossed(raw);
    (denies && !label.is_empty() && words.count() <= NOTHING_WORDS_MAX).then(|| label.to_owned())
}

pub(super) fn is_crossed(raw: &str) -> bool {
    raw.contains(['❌', '🚫', '⛔', '✗'])
}

/// Whether a label says by itself that something was mended: "Fixed", not "Result".
pub(super) fn says_done(label: &str) -> bool {
    Words::of(label, u32::MAX).says(DONE | DID)
}

pub(super) fn sort_of(
    text: &str,
    words: &Words,
    mark: Cues,
    role: Option<Role>,
    ticked: Option<bool>,
    speaker: Option<Speaker>,
) -> Sort {
    match (ticked, role) {
        (Some(false), _) => return Sort::Open,
        (Some(true), _) => return Sort::Done,
        _ if speaker == Some(Speaker::Assistant) => return Sort::Plain,
        (_, Some(Role::Open)) if mark & DONE != 0 => return Sort::Done,
        (_, Some(Role::Done)) if mark & OPEN != 0 || words.says(OPEN) && !words.says(DONE | DID) => {
            return Sort::Open;
        }
        (_, Some(Role::Decide)) => return Sort::Decision,
        (_, Some(Role::Done)) => return Sort::Done,
        (_, Some(Role::Lesson)) => return Sort::Lesson,
        (_, Some(Role::Open)) if words.begins(NONE, NOTHING_BYTES) => return Sort::Plain,
        (_, Some(Role::Open)) => return Sort::Open,
        (_, Some(Role::Rule | Role::Like | Role::Feedback)) => return Sort::Plain,
        _ => {}
    }
    if mark & OPEN != 0 {
        return Sort::Open;
    }
    let said = said(text, words);
    match said {
        Sort::Plain if mark & DONE != 0 => Sort::Done,
        Sort::Plain if mark & LESSON != 0 => Sort::Lesson,
        said => said,
    }
}

/// What the words of a statement say that it is: the first that says so, or the last in languages whose verbs stand at the end.
fn said(text: &str, words: &Words) -> Sort {
    let verb_last = text.chars().any(|letter| {
        is_hangul(letter)
            || is_unspaced(letter) && !matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}')
    });
    let sort = |&(at, cues): &(u32, Cues)| {
        let begins = at < BEGINNING_BYTES;
        if cues & DECIDE != 0 && !is_negated(text, words, at) {
            Some(Sort::Decision)
        } else if cues & OPEN != 0 && !is_near(words, NONE, at) || begins && cues & NEXT != 0 {
            Some(Sort::Open)
        } else if cues & LESSON != 0 {
            Some(Sort::Lesson)
        } else if (cues & DONE != 0 || cues & DID != 0 && (begins || verb_last))
            && !is_negated(text, words, at)
        {
            Some(Sort::Done)
        } else {
            None
        }
    };
    let mut signs = words.signs.iter();
    let found = match verb_last {
        true => signs.rev().find_map(sort),
        false => signs.find_map(sort),
    };
    found.unwrap_or_default()
}

/// Whether what stands at that byte is denied or counted as none: "not done", "nothing was fixed", "3 planned, 0 done".
fn is_negated(text: &str, words: &Words, at: u32) -> bool {
    let mut before = text[..at as usize].split_whitespace();
    is_near(words, NOT | NONE, at) || before.next_back() == Some("0")
}

/// Whether such a word stands shortly before that byte: "no alerts pending".
fn is_near(words: &Words, cues: Cues, at: u32) -> bool {
    let mut signs = words.signs.iter();
    signs.any(|&(start, found)| found & cues != 0 && start < at && at - start <= NEGATION_BYTES)
}

/// Whether a statement says that there was nothing: "no items open", "status: normal", "completed today: 0".
pub(super) fn says_nothing(text: &str, words: &Words, role: Option<Role>, speaker: Option<Speaker>) -> bool {
    let (label, value) = label_of(text);
    let value = value.trim_matches(|letter: char| !letter.is_alphanumeric());
    // "None; the crane stands idle".
    let first = value.split([';', ',', '—', '(', '.']).next().unwrap_or_default().trim();
    let is_void = |value: &str| lexicon().label(value).void;
    // `"state": "ok",` of a program's message.
    let member = text.strip_prefix('"').and_then(|rest| rest.split_once("\": "));
    let is_member = member.is_some_and(|(key, _)| !key.contains(char::is_whitespace));
    // "None — all is quiet", where open questions stand.
    let is_none_open = || role == Some(Role::Open) && label.as_deref().is_some_and(is_void);
    if value.is_empty()
        || is_member
        || is_none_open()
        || value == "0"
        || is_void(value)
        || label.is_some() && is_void(first) && !Words::of(value, u32::MAX).says(LESSON | ORDER | RULE)
        || label.is_some() && lexicon().label(text).void
    {
        return true;
    }
    if speaker == Some(Speaker::User)
        || matches!(
            role,
            Some(Role::Rule | Role::Feedback | Role::Like | Role::Lesson | Role::Decide)
        )
    {
        return false;
    }
    if words.says(OPEN | LESSON | LIKE | KIN | ORDER)
        || words.begins(RULE, NOTHING_BYTES)
        || words.count() > NOTHING_WORDS_MAX
        || text.contains(['—', '→', ';', '('])
    {
        return false;
    }
    let is_end = |&(at, cues): &(u32, Cues)| cues & NONE != 0 && text[at as usize..].chars().count() <= 4;
    let ends = words.signs.last().is_some_and(is_end);
    let zero = value.starts_with("0 ") || text.starts_with("0 ");
    let all = words.begins(ALL, 1)
        && words.says(DONE | NONE)
        && words.words.iter().all(|word| word.class != Class::Code);
    zero || all || words.begins(NONE, NOTHING_BYTES) || ends && text.chars().any(is_unspaced)
}

/// Whether a text begins as a task does: "Add the filter" behind a tick is done, and must not be read as something to do.
pub fn reads_as_task(text: &str) -> bool {
    const VERBS: &str = "add adjust align allow analyze apply ask audit build buy call change check clean collect compare configure confirm \
                         connect contact create debug define deploy design document draft email enable evaluate explore extract fetch \
                         find finish fix follow generate get handle implement improve inspect install integrate investigate list make \
                         migrate monitor move notify optimize organize pay plan prepare provide publish pull push read rebuild record \
                         reduce refactor register release remove rename replace reply request research resolve restart restore \
                         review rewrite rotate run save schedule send separate set setup share show sign simplify split start stop \
                         store submit summarize support switch sync test track try update upgrade upload use validate verify wait \
                         watch write";
    let first = text.split(' ').next().unwrap_or_default();
    is_listed(&first.to_lowercase(), VERBS)
}
