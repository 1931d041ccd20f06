//! From a sentence to a fact: what sort of fact it is, how much it is worth, and its text without marks and lead-ins.

use std::borrow::Cow;

use super::Sort;
use super::line::Mark;
use super::scan::Sentence;
use crate::memory::language::{
    ASK, Cues, DECIDE, DID, DONE, KIN, LESSON, LIKE, Lexicon, NEXT, OPEN, ORDER, RULE, SELF, SORTS, THANKS,
    USER, WHEN, head,
};

/// Longest fact, in characters.
pub(super) const FACT_MAX: usize = 160;
/// Where a long fact is cut at the end of a clause, the clause is at least this long.
const CLAUSE_MIN: usize = 60;

/// The sort of fact a statement in a log is, and its worth; `None` for prose that announces nothing.
pub(super) fn in_log(sentence: &Sentence, mark: Mark) -> Option<(Sort, u32)> {
    let Sentence { seen, opening, .. } = *sentence;
    if seen & THANKS != 0 && seen & SORTS == 0 {
        return None;
    }
    let more = u32::from(sentence.digits) * 2 + sentence.names.min(2) * 2;
    if sentence.question {
        return (seen & OPEN != 0).then_some((Sort::Open, 12));
    }
    if opening & DID != 0 || (seen & DID != 0 && opening & SELF != 0 && seen & SORTS == 0) {
        let worth = if mark == Mark::Plain { 10 } else { 14 };
        return Some((Sort::Done, worth + more));
    }
    if opening & NEXT != 0 && seen & DONE == 0 {
        return Some((Sort::Open, 18 + more));
    }
    if seen & (LIKE | RULE) != 0 && seen & (USER | KIN) != 0 && sentence.first & DONE == 0 {
        return Some((Sort::Personal, 20 + more));
    }
    Some((sort(sentence.first)?, 20 + more))
}

/// The same for what the person says in a transcript. Small talk and plain requests are no facts.
pub(super) fn by_user(sentence: &Sentence) -> Option<(Sort, u32)> {
    let Sentence { seen, first, .. } = *sentence;
    let own = seen & SELF != 0;
    let telling = u32::from(sentence.digits) * 3
        + sentence.names.min(3) * 2
        + u32::from(seen & KIN != 0) * 3
        + u32::from(seen & LIKE != 0) * 3
        + u32::from(seen & WHEN != 0) * 3;
    if sentence.question {
        return (own && telling >= 6 && seen & (WHEN | LIKE | KIN) != 0 && seen & ASK == 0)
            .then_some((Sort::Personal, telling));
    }
    if seen & THANKS != 0 && telling < 6 {
        return None;
    }
    let early = sentence.first_at < sentence.start + 80;
    if own && early && first & DECIDE != 0 {
        return Some((Sort::Decision, 14 + telling));
    }
    if sentence.opening & ORDER != 0 {
        return Some((Sort::Personal, 20 + telling));
    }
    if own && early && first & OPEN != 0 && seen & ASK == 0 {
        return Some((Sort::Open, 8 + telling));
    }
    if own && first & LESSON != 0 && telling >= 3 {
        return Some((Sort::Lesson, 8 + telling));
    }
    let asked = u32::from(seen & ASK != 0) * if seen & (WHEN | LIKE | KIN) == 0 { 20 } else { 6 };
    (own && telling >= 2 + asked).then(|| (Sort::Personal, 10 + telling - asked))
}

/// What the agent says in a transcript is a fact only when it reports something done.
pub(super) fn by_assistant(sentence: &Sentence) -> Option<(Sort, u32)> {
    let reports =
        sentence.opening & DONE != 0 || (sentence.opening & SELF != 0 && sentence.first & DONE != 0);
    (reports && !sentence.question && sentence.first_at < sentence.start + 30 && sentence.seen & THANKS == 0)
        .then_some((Sort::Done, 14))
}

/// The sort of fact that a cue stands for.
pub(super) fn sort(first: Cues) -> Option<Sort> {
    match () {
        () if first & LESSON != 0 => Some(Sort::Lesson),
        () if first & DECIDE != 0 => Some(Sort::Decision),
        () if first & OPEN != 0 => Some(Sort::Open),
        () if first & DONE != 0 => Some(Sort::Done),
        () => None,
    }
}

/// A piece of Markdown as one plain line of at most `FACT_MAX` characters, without lead-ins such as "We decided to".
pub(super) fn clean(text: &str, lexicon: &Lexicon) -> String {
    let plain = plain(text);
    let mut rest = trim(&plain);
    for _ in 0..4 {
        let Some(cut) = lexicon.cut(rest).map(trim).filter(|cut| cut.len() >= 6) else {
            break;
        };
        rest = cut;
    }
    let line = clip(rest, FACT_MAX);
    // The cells of a table's row; elsewhere a bar is part of a command. A long dash would be a mark in a topic's line.
    if text.starts_with('|') {
        return line.replace(" | ", " - ");
    }
    line.into_owned()
}

/// Cuts at the last clause that fits, or at the last word, with an ellipsis.
pub(super) fn clip(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let Some(limit) = place_of(text, most) else {
        return Cow::Borrowed(text);
    };
    let head = &text[..limit];
    let floor = place_of(head, CLAUSE_MIN.min(most / 2)).unwrap_or(0);
    if let Some(at) = last_clause(head, floor) {
        return Cow::Borrowed(head[..at].trim_end());
    }
    let short = place_of(head, most - 1).map_or(head, |at| &head[..at]);
    let word = short.rfind(' ').filter(|at| *at >= floor).unwrap_or(short.len());
    let short = short[..word].trim_end();
    Cow::Owned([short, "…"].concat())
}

/// Where the character stands that has so many before it.
fn place_of(text: &str, before: usize) -> Option<usize> {
    match text.as_bytes().get(..before) {
        Some(start) if start.is_ascii() => (before < text.len()).then_some(before),
        _ => text.char_indices().nth(before).map(|(at, _)| at),
    }
}

/// Where the last clause that begins at `floor` or behind it ends.
fn last_clause(text: &str, floor: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (floor..bytes.len()).rev().find(|&at| {
        let stands = |mark: &str| bytes[at..].starts_with(mark.as_bytes());
        match bytes[at] {
            b',' | b';' | b'.' => bytes.get(at + 1) == Some(&b' '),
            b' ' => [" - ", " — ", " – "].into_iter().any(stands),
            0x80.. => ["，", "。", "；", "、", "، "].into_iter().any(stands),
            _ => false,
        }
    })
}

/// Marks at both ends that are no part of a statement.
fn trim(text: &str) -> &str {
    let front = |letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                ',' | ':'
                    | ';'
                    | '.'
                    | '-'
                    | '–'
                    | '—'
                    | '•'
                    | '*'
                    | '：'
                    | '，'
                    | '、'
                    | '。'
                    | '!'
                    | ')'
                    | ']'
                    | '>'
                    | '|'
                    | '→'
                    | '…'
            )
            || is_picture(letter)
    };
    let back = |letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                ',' | ':' | ';' | '.' | '-' | '–' | '—' | '*' | '：' | '，' | '、' | '。' | '!' | '！' | '|'
            )
            || is_picture(letter)
    };
    text.trim_start_matches(front).trim_end_matches(back)
}

/// Emoji and other signs that stand before a statement.
fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2bff}' | '\u{fe0e}' | '\u{fe0f}' | '\u{200d}' | '\u{1f000}'..='\u{1faff}')
}

/// Text without emphasis, links, tags and control characters, white space folded. Only as much as `clip` can use.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let text = head(text, FACT_MAX * 4);
    let bytes = text.as_bytes();
    // Most lines are plain already.
    if is_plain(bytes) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..]
            .iter()
            .position(|byte| SPECIAL[usize::from(*byte)])
            .unwrap_or(bytes.len() - at);
        line.push_str(&text[at..at + run]);
        at += run;
        if at == bytes.len() {
            break;
        }
        let letter = text[at..].chars().next().unwrap_or_default();
        let before = if at == 0 { b' ' } else { bytes[at - 1] };
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        match letter {
            _ if letter.is_whitespace() => line.push(' '),
            '*' | '~' if !(before == b' ' && next == b' ') => {}
            '`' => {}
            '_' if !(is_wordy(before) && is_wordy(next)) => {}
            '[' if next == b'[' || before == b'[' || is_link(&text[at..]) => {}
            '!' if next == b'[' => {}
            ']' if next == b'(' => at = text[at..].find(')').map_or(at, |end| at + end),
            ']' if next == b']' || before == b']' => {}
            '<' if next.is_ascii_alphabetic() || next == b'/' => {
                at = text[at..]
                    .find('>')
                    .filter(|end| *end < 80)
                    .map_or(at, |end| at + end);
            }
            _ if letter.is_control() => {}
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {}
            _ => line.push(letter),
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    if line.contains("  ") {
        line = line
            .split(' ')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
    }
    Cow::Owned(line)
}

/// Bytes that may not go into plain text as they are.
static SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = is_special(byte as u8);
        byte += 1;
    }
    special
};

const fn is_special(byte: u8) -> bool {
    (byte < b' ')
        | (byte == b'!')
        | (byte == b'*')
        | (byte == b'<')
        | (byte == b'[')
        | (byte == b']')
        | (byte == b'_')
        | (byte == b'`')
        | (byte == b'~')
        | (byte == 0x7f)
        // What begins so may be white space or a sign that is not shown.
        | (byte == 0xc2)
        | (byte == 0xe1)
        | (byte == 0xe2)
        | (byte == 0xe3)
        | (byte == 0xef)
}

/// Whether text is plain as it stands: no byte of it is special, and no two spaces stand next to each other. Sixteen bytes are
/// looked at at once, the last of them with some before them again.
fn is_plain(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<17>() else {
        return !bytes.iter().any(|byte| is_special(*byte)) && !bytes.windows(2).any(|pair| pair == b"  ");
    };
    let sixteens = bytes.windows(17).step_by(16);
    sixteens
        .filter_map(|window| window.first_chunk::<17>())
        .chain([last])
        .all(|window| !is_special_window(window))
}

/// The same of the first sixteen bytes and the seventeenth as the second of a pair. Without a branch, so that all are looked at
/// together.
fn is_special_window(window: &[u8; 17]) -> bool {
    let mut special = is_special(window[16]);
    for at in 0..16 {
        let double = (window[at] == b' ') & (window[at + 1] == b' ');
        special |= is_special(window[at]) | double;
    }
    special
}

fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Whether `[text](address)` begins here.
fn is_link(text: &str) -> bool {
    text.find("](").is_some_and(|end| !text[1..end].contains('['))
}
