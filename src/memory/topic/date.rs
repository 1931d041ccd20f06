//! Calendar dates as people write them at the start of a heading.

use super::nameless::{is_month, is_weekday};

/// A calendar date in any of the usual spellings, with a weekday before or behind it.
pub(super) fn date(text: &str) -> Option<&str> {
    if let Some(rest) = word_if(text, is_weekday) {
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        let comma = rest.strip_prefix([',', '，']).unwrap_or(rest);
        return date_itself(comma.trim_start());
    }
    date_itself(text).map(without_weekday)
}

fn date_itself(text: &str) -> Option<&str> {
    numeric_date(text)
        .or_else(|| day_month(text))
        .or_else(|| month_day(text))
}

/// What follows ` (Sun)`, `, Sunday`, `（日）`.
fn without_weekday(text: &str) -> &str {
    let inner = text
        .trim_start()
        .trim_start_matches(['(', '（', '[', ',', '，'])
        .trim_start();
    let Some(rest) = word_if(inner, is_weekday) else {
        return text;
    };
    rest.strip_prefix(['.', ')', '）', ']']).unwrap_or(rest)
}

/// `2026-03-15`, `2026/3/15`, `2026.03.15.`, `20260315`, `2026-W11`, `15.03.2026`, `2026年3月15日`, `2026년 3월
/// 15일`, `3月15日`, `03/15`.
fn numeric_date(text: &str) -> Option<&str> {
    let (first, rest) = digits(text, 1, 8)?;
    let length = text.len() - rest.len();
    if length == 8 {
        let (month, day) = (first / 100 % 100, first % 100);
        return ((1900..2200).contains(&(first / 10_000)) && is_month_day(month, day)).then_some(rest);
    }
    if length == 4 && (1900..2200).contains(&first) {
        let separator = rest.chars().next()?;
        let after = rest[separator.len_utf8()..].trim_start();
        if separator == '-' && after.starts_with('W') {
            return digits(&after[1..], 2, 2).map(|(_, rest)| rest);
        }
        let (month, month_rest) = digits(after, 1, 2)?;
        let between = month_rest.chars().next()?;
        let matching = separator == between || matches!((separator, between), ('年', '月') | ('년', '월'));
        let (day, rest) = digits(month_rest[between.len_utf8()..].trim_start(), 1, 2).filter(|_| matching)?;
        let rest = rest.strip_prefix(['日', '号', '일']).unwrap_or(rest);
        let rest = if separator == '.' {
            rest.strip_prefix('.').unwrap_or(rest)
        } else {
            rest
        };
        return (matches!(separator, '-' | '/' | '.' | '年' | '년') && is_month_day(month, day))
            .then_some(rest);
    }
    if length > 2 {
        return None;
    }
    let separator = rest.chars().next()?;
    let (second, after) = digits(rest[separator.len_utf8()..].trim_start(), 1, 2)?;
    if matches!(
        (separator, after.chars().next()),
        ('月', Some('日' | '号')) | ('월', Some('일'))
    ) {
        return is_month_day(first, second).then(|| &after['日'.len_utf8()..]);
    }
    let year = after.strip_prefix(separator).and_then(|year| digits(year, 4, 4));
    let either = is_month_day(first, second) || is_month_day(second, first);
    match (separator, year) {
        ('.' | '/' | '-', Some((_, rest))) if either => Some(rest),
        ('/', None) if length == 2 && text.len() - after.len() == 5 && either && !after.starts_with('/') => {
            Some(after)
        }
        _ => None,
    }
}

fn is_month_day(month: u32, day: u32) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// `March 15`, `Mar 15th, 2026`.
fn month_day(text: &str) -> Option<&str> {
    let rest = word_if(text, is_month)?;
    let (day, rest) = digits(rest.strip_prefix('.').unwrap_or(rest).trim_start(), 1, 2)?;
    let rest = ["st", "nd", "rd", "th"]
        .into_iter()
        .find_map(|ordinal| rest.strip_prefix(ordinal))
        .unwrap_or(rest);
    ((1..=31).contains(&day) && apart(rest)).then(|| without_year(rest))
}

/// `15 марта 2026`, `15. März`, `15 de marzo de 2026`, `1er mars`.
fn day_month(text: &str) -> Option<&str> {
    let (day, rest) = digits(text, 1, 2)?;
    let rest = [".", "st", "nd", "rd", "th", "er", "º"]
        .into_iter()
        .find_map(|ordinal| rest.strip_prefix(ordinal))
        .unwrap_or(rest);
    let spaced = rest.trim_start();
    let spaced = spaced
        .strip_prefix("de ")
        .or_else(|| spaced.strip_prefix("of "))
        .unwrap_or(spaced);
    let rest = word_if(spaced, is_month)?;
    (1..=31).contains(&day).then(|| without_year(rest))
}

fn without_year(text: &str) -> &str {
    let rest = text.trim_start().trim_start_matches([',', '.']).trim_start();
    let rest = rest.strip_prefix("de ").unwrap_or(rest);
    match digits(rest, 4, 4) {
        Some((1900..2200, rest)) if apart(rest) => rest,
        _ => text,
    }
}

/// What follows the first word, if the word passes the test.
fn word_if(text: &str, test: impl Fn(&str) -> bool) -> Option<&str> {
    let length = text
        .find(|char: char| !char.is_alphabetic())
        .unwrap_or(text.len());
    test(&text[..length]).then(|| &text[length..])
}

/// Whether what follows a stamp is not part of the same word.
pub(super) fn apart(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some(':' | '.') => !chars.next().is_some_and(|next| next.is_ascii_digit()),
        Some(next) => !next.is_ascii_alphanumeric() && !matches!(next, '%' | '°' | '/' | '\'' | '_'),
        None => true,
    }
}

/// A number of `least` to `most` digits at the start, and the rest. More digits than that are another number.
pub(super) fn digits(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let length = text.bytes().take(most + 1).take_while(u8::is_ascii_digit).count();
    if !(least..=most).contains(&length) {
        return None;
    }
    Some((text[..length].parse().ok()?, &text[length..]))
}
