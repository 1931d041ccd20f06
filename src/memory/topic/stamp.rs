//! What stands before and behind a topic's name in a heading: clock times, dates, list numbers, emoji, and
//! the dashes and brackets between them (`14:30 — `, `[14:30]`, `2026-03-15 (Sun) · `, `3. `, `🎯 `).

use std::sync::LazyLock;

use regex::Regex;

use super::super::text::head;
use super::LISTS;

/// A calendar date in any of the usual spellings, with a weekday before or behind it, or a time or range of times, and the time zone.
static MOMENT: LazyLock<Regex> = LazyLock::new(|| {
    let any = |list| {
        let words: Vec<&str> = LISTS[list].iter().copied().collect();
        format!(r"(?i:{})\b", words.join("|"))
    };
    let (month, day) = (r"(?:1[0-2]|0?[1-9])", r"(?:3[01]|[12]\d|0?[1-9])");
    let (mm, dd) = (r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])");
    let year = r"(?:19|20|21)\d\d";
    let either = |sign: &str| format!(r"(?:{day}{sign}\s*{month}|{month}{sign}\s*{day}){sign}\d{{4}}");
    let (named, of_year) = (any("months"), format!(r"(?:[\s,.]*(?:de )?{year}\b)?"));
    let dates = [
        format!("{year}{mm}{dd}"),
        format!(r"{year}-W\d\d"),
        format!(r"{year}-\s*{month}-\s*{day}"),
        format!(r"{year}/\s*{month}/\s*{day}"),
        format!(r"{year}\.\s*{month}\.\s*{day}\.?"),
        format!(r"(?:{year}年\s*)?{month}月\s*{day}[日号]"),
        format!(r"{year}年\s*{month}月\s*{day}"),
        format!(r"(?:{year}년\s*)?{month}월\s*{day}일"),
        either(r"\."),
        either("/"),
        either("-"),
        format!("{mm}/{dd}|{dd}/{mm}"),
        // `15 марта 2026`, `15. März`, `15 de marzo de 2026`, `1er mars`; `March 15`, `Mar 15th, 2026`.
        format!(r"{day}(?:\.|st|nd|rd|th|er|º)?\s*(?:de |of )?{named}{of_year}"),
        format!(r"{named}\.?\s*{day}(?:st|nd|rd|th)?{of_year}"),
    ];
    let (dates, weekday) = (dates.join("|"), any("weekdays"));
    // `14:30`, `14:XX`, `14:30:15.250`, `2:05 PM`, `2pm`, `09h30`, `14.30 Uhr`, `14时30分`, `오후 2시`.
    let (hour, minute) = (r"(?:1\d|2[0-4]|0?\d)", r"(?:[0-5]\d|(?i:xx))");
    let half = "(?:오전|오후|上午|下午|午前|午後|午后|凌晨|早上|中午|晚上|傍晚)";
    let noon = r"\s*(?i:a\.m\.|p\.m\.|[ap]m\b)";
    let zone = format!(
        "(?:{}|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|US)/[A-Za-z_/]+)",
        any("zones")
    );
    let offset = r"[+-](?:\d{4}|\d\d?(?::\d\d)?)";
    let time = format!(
        r"(?:{half}\s*)?(?:{hour}(?:[:：]{minute}(?:[:：]\d\d(?:[.,]\d+)?)?|[时時点點시hH](?:\s*{minute}[分분]?|[半반])?)(?:{noon})?|{hour}\.{minute}\s*Uhr|{hour}{noon})(?:\s*Uhr)?"
    );
    let clock = format!(r"{time}(?:\s*\({zone}(?:{offset})?\)|\s*{zone}(?:{offset})?|{offset})?");
    let to = "(?:--|[-–—~〜～→]|to |bis |à |a )";
    // A range comes before a time with an offset: the "-11:34" of "11:06-11:34 AM" is none.
    pattern(&format!(
        r"^(?:[~@≈]\s*)?((?:{weekday}\.?[,，]?\s*)?(?:{dates})(?:\s*[(（\[,，]*\s*{weekday}[.)）\]]?)?(?:T{clock})?|{time}\s*{to}\s*{clock}|{clock}(?:\s*{to}\s*{clock})?)(?:$|[^A-Za-z0-9%°/'_:.]|[:.](?:$|[^0-9]))"
    ))
});
/// `1️⃣`, `1. `, `2) `, `3、`, `#3 `, `1.2. `, `①`, `:rocket:`.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:([0-9#*]\u{fe0f}?\u{20e3}|[\u{2460}-\u{2473}\u{2776}-\u{277f}]|\d{1,3}、|:[a-z0-9_+-]*[a-z][a-z0-9_+-]*:)|(#\d{1,4})(?:$|[^A-Za-z0-9%°/'_:.-]|[:.](?:$|[^0-9]))|(\d{1,3}[.)．）](?:\d{1,3}\.)*)(?:$|\s|[^\x00-\x7f]))",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace(r"\d", "[0-9]")).expect("a pattern of this module is valid")
}

/// `name` without what stands before it. Always a suffix of it.
pub(super) fn without_leading(name: &str) -> &str {
    let mut rest = name.trim_start();
    loop {
        let emoji = rest.trim_start_matches(|char: char| is_emoji(char) || char.is_whitespace());
        let stamp = moment(rest).or_else(|| bracketed(rest)).or_else(|| after(&NUMBER, rest));
        let shorter = match stamp {
            Some(after) => after.trim_start_matches(is_separator),
            None if emoji.len() < rest.len() => emoji.trim_start_matches(is_dash),
            None => return rest,
        };
        rest = shorter.trim_start();
    }
}

/// `text` without the clock time it begins with, and a date before that: "[14:30 UTC] lift stuck", "2026-03-15 2:05 PM - lift stuck". A
/// date alone stays.
pub(in crate::memory) fn without_clock(text: &str) -> &str {
    let mut rest = text;
    while let Some(after) = moment(rest).or_else(|| bracketed(rest)) {
        let stamp = &rest[..rest.len() - after.len()];
        rest = after.trim_start_matches(is_separator);
        if has_clock(stamp) {
            return rest;
        }
    }
    text
}

/// Whether a stamp has a clock time: "14:30", "2 p.m.".
fn has_clock(stamp: &str) -> bool {
    let half = stamp.to_ascii_lowercase().replace([' ', '.'], "");
    let is_half = |at: &[u8]| at[0].is_ascii_digit() && matches!(at[1..], [b'a' | b'p', b'm']);
    stamp.contains(':') || half.as_bytes().windows(3).any(is_half)
}

/// `name` without what stands behind it. Always a prefix of it.
pub(super) fn without_trailing(name: &str) -> &str {
    let mut rest = name.trim_end();
    loop {
        let mut shorter = rest.trim_end_matches(|char: char| {
            is_emoji(char) || char.is_whitespace() || matches!(char, ':' | '：')
        });
        let dashless = shorter.trim_end_matches(is_dash);
        if dashless.ends_with(char::is_whitespace) {
            shorter = dashless.trim_end();
        }
        if let Some(before) = trailing_moment(shorter) {
            shorter = before.trim_end();
        }
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

const BRACKETS: [(char, char); 4] = [('(', ')'), ('（', '）'), ('[', ']'), ('【', '】')];

/// `… (14:30)`, `… [2026-03-15]`, `… — 14:30`, `… @ 14:30`: the text before.
fn trailing_moment(text: &str) -> Option<&str> {
    if text.ends_with(char::is_alphanumeric) {
        return dashed_moment(text).or_else(|| moment_behind_word(text));
    }
    let mut parts = BRACKETS.into_iter();
    let parts = parts.find_map(|(open, close)| text.strip_suffix(close)?.rsplit_once(open));
    parts.filter(|(_, inside)| is_moment(inside)).map(|(before, _)| before)
}

/// `… — 14:30`: the text before the first mark in the last few words from which on all is a moment.
fn dashed_moment(text: &str) -> Option<&str> {
    const BYTES_MAX: usize = 48;
    let tail = head(text, text.len().saturating_sub(BYTES_MAX)).len();
    let before = |(at, char): (usize, char)| {
        let (before, behind) = (&text[..tail + at], &text[tail + at + char.len_utf8()..]);
        // A dash between digits is part of a date.
        let marked = char == ',' || (is_dash(char) || char == '@') && before.ends_with(char::is_whitespace);
        (marked && is_moment(behind)).then_some(before)
    };
    text[tail..].char_indices().find_map(before)
}

/// `… run at 2026-03-15 14:30 UTC`: the text before. A date alone may be when something is due, and a time alone when it begins.
fn moment_behind_word(text: &str) -> Option<&str> {
    const WORDS: [&str; 5] = [" at ", " um ", " om ", " à ", " в "];
    let is_stamp = |behind: &str| behind.starts_with("20") && has_clock(behind) && is_moment(behind);
    let before = |word: &&str| text.rsplit_once(*word).filter(|(_, behind)| is_stamp(behind));
    WORDS.iter().find_map(before).map(|(before, _)| before)
}

fn is_moment(text: &str) -> bool {
    let mut rest = text.trim();
    if rest.is_empty() {
        return false;
    }
    while let Some(after) = moment(rest) {
        rest = after.trim_start_matches(is_separator);
    }
    rest.is_empty()
}

/// What follows the stamp that an expression finds: its first group.
fn after<'a>(stamp: &Regex, text: &'a str) -> Option<&'a str> {
    let found = stamp.captures(text)?;
    let stamp = found.iter().skip(1).flatten().next()?;
    Some(&text[stamp.end()..])
}

fn moment(text: &str) -> Option<&str> {
    // Every date and time has a digit, and most names have none.
    let may_be_one = text.contains(|char: char| char.is_ascii_digit());
    may_be_one.then(|| after(&MOMENT, text))?
}

/// `(14:30)`, `[2026-03-15 14:30]`, `【3】`, `(2)`: what follows.
fn bracketed(text: &str) -> Option<&str> {
    let mut brackets = BRACKETS.into_iter().chain([('「', '」')]);
    let (open, close) = brackets.find(|(open, _)| text.starts_with(*open))?;
    let end = text.find(close).filter(|end| *end <= 64)?;
    let inside = &text[open.len_utf8()..end];
    let counted = (1..=3).contains(&inside.len()) && inside.bytes().all(|byte| byte.is_ascii_digit());
    (counted || is_moment(inside)).then(|| &text[end + close.len_utf8()..])
}

fn is_dash(char: char) -> bool {
    "-–—―─|·•｜".contains(char)
}

fn is_separator(char: char) -> bool {
    is_dash(char) || char.is_whitespace() || ":：,，、;→>»@/".contains(char)
}

fn is_emoji(char: char) -> bool {
    matches!(char, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2b00}'..='\u{2bff}' | '\u{25a0}'..='\u{25ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}'
        | '\u{200d}' | '\u{20e3}' | '\u{203c}' | '\u{2049}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}')
}
