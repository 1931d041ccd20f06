//! What stands before and behind a topic's name in a heading: clock times, dates, list numbers, emoji, and
//! the dashes and brackets between them (`14:30 — `, `[14:30]`, `2026-03-15 (Sun) · `, `3. `, `🎯 `).

use super::super::text::head;
use super::date::{apart, date, digits};
use super::nameless::is_zone;

/// `name` without what stands before it. Always a suffix of it.
pub(super) fn without_leading(name: &str) -> &str {
    let mut rest = name.trim_start();
    loop {
        let emoji = rest.trim_start_matches(|char: char| is_emoji(char) || char.is_whitespace());
        let keycap = keycap(rest);
        let stamp = keycap
            .or_else(|| moment(rest))
            .or_else(|| bracketed(rest))
            .or_else(|| number(rest))
            .or_else(|| shortcode(rest));
        let shorter = match stamp {
            Some(after) => after.trim_start_matches(is_separator),
            None if emoji.len() < rest.len() => emoji.trim_start_matches(is_dash),
            None => return rest,
        };
        rest = shorter.trim_start();
    }
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

/// `… (14:30)`, `… [2026-03-15]`, `… — 14:30`, `… @ 14:30`: the text before.
fn trailing_moment(text: &str) -> Option<&str> {
    let open = match text.chars().last()? {
        ')' => text.rfind('('),
        '）' => text.rfind('（'),
        ']' => text.rfind('['),
        '】' => text.rfind('【'),
        last if last.is_alphanumeric() => return dashed_moment(text),
        _ => None,
    }?;
    let mut inside = text[open..].chars();
    inside.next();
    inside.next_back();
    is_moment(inside.as_str()).then_some(&text[..open])
}

/// `… — 14:30`: the text before the first mark in the last few words from which on all is a moment.
fn dashed_moment(text: &str) -> Option<&str> {
    const BYTES_MAX: usize = 48;
    let tail = head(text, text.len().saturating_sub(BYTES_MAX)).len();
    let may_be_mark = |byte: &u8| matches!(byte, b',' | b'@' | b'-' | b'|') || !byte.is_ascii();
    if !text.as_bytes()[tail..].iter().any(may_be_mark) {
        return None;
    }
    text[tail..]
        .char_indices()
        .map(|(at, char)| (tail + at, char))
        .find_map(|(at, char)| {
            // A dash between digits is part of a date.
            let marked =
                char == ',' || (is_dash(char) || char == '@') && text[..at].ends_with(char::is_whitespace);
            (marked && is_moment(&text[at + char.len_utf8()..])).then_some(&text[..at])
        })
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

/// A date, a time or a range of times at the start: the rest.
fn moment(text: &str) -> Option<&str> {
    let text = text.strip_prefix(['~', '@', '≈']).map_or(text, str::trim_start);
    let rest = date(text).or_else(|| clock_range(text))?;
    // `2026-03-15T10:00Z` and `2026-03-15 (Sun)` are one moment.
    let Some(next) = rest.chars().next() else {
        return Some(rest);
    };
    if next == 'T' {
        return clock(&rest[1..]).or(Some(rest)).filter(|rest| apart(rest));
    }
    apart(rest).then_some(rest)
}

fn clock_range(text: &str) -> Option<&str> {
    let start = clock(text)?;
    let between = start.trim_start();
    let to = [
        "--", "-", "–", "—", "~", "〜", "～", "→", "to ", "bis ", "à ", "a ",
    ]
    .into_iter()
    .find_map(|word| between.strip_prefix(word));
    Some(to.and_then(|to| clock(to.trim_start())).unwrap_or(start))
}

/// `14:30`, `14:30:15.250`, `2:05 PM`, `2pm`, `09h30`, `14.30 Uhr`, `14时30分`, `오후 2시`, each with a time zone
/// if it has one.
fn clock(text: &str) -> Option<&str> {
    const HALVES: [&str; 12] = [
        "오전", "오후", "上午", "下午", "午前", "午後", "午后", "凌晨", "早上", "中午", "晚上", "傍晚",
    ];
    if text.starts_with(|first: char| first.is_ascii() && !first.is_ascii_digit()) {
        return None;
    }
    let half = HALVES
        .into_iter()
        .find_map(|half| text.strip_prefix(half))
        .map(str::trim_start);
    let (hour, rest) = digits(half.unwrap_or(text), 1, 2)?;
    let unit = |text| {
        ["时", "時", "点", "點", "시", "h", "H"]
            .into_iter()
            .find_map(|unit| str::strip_prefix(text, unit))
    };
    let minutes = if let Some(rest) = rest.strip_prefix([':', '：']) {
        let (minute, rest) = digits(rest, 2, 2)?;
        let seconds = rest
            .strip_prefix([':', '：'])
            .and_then(|rest| digits(rest, 2, 2))
            .map_or(rest, |(_, rest)| rest);
        let fraction = seconds
            .strip_prefix(['.', ','])
            .and_then(|rest| digits(rest, 1, 9))
            .map_or(seconds, |(_, rest)| rest);
        Some((minute, fraction))
    } else if let Some(rest) = unit(rest) {
        let minutes = digits(rest.trim_start(), 2, 2)
            .map(|(minute, rest)| (minute, rest.strip_prefix(['分', '분']).unwrap_or(rest)));
        let full = rest.strip_prefix(['半', '반']).map(|rest| (30, rest));
        Some(minutes.or(full).unwrap_or((0, rest)))
    } else {
        rest.strip_prefix('.')
            .and_then(|rest| digits(rest, 2, 2))
            .filter(|(_, rest)| rest.trim_start().starts_with("Uhr"))
    };
    let named = named_half(minutes.map_or(rest, |(_, rest)| rest));
    let (minute, rest) = minutes.or(named.filter(|_| hour <= 12).map(|rest| (0, rest)))?;
    let rest = named.unwrap_or(rest);
    let rest = rest.trim_start().strip_prefix("Uhr").unwrap_or(rest);
    (hour <= 24 && minute <= 59).then(|| without_zone(rest))
}

/// What follows `AM`, `p.m.` and the like.
fn named_half(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let after = ["a.m.", "p.m.", "am", "pm"].into_iter().find_map(|half| {
        let head = text.get(..half.len())?;
        head.eq_ignore_ascii_case(half).then(|| &text[half.len()..])
    })?;
    (!after.starts_with(char::is_alphanumeric)).then_some(after)
}

/// What follows `Z`, `UTC`, `Europe/Berlin`, `+09:00`, ` (KST)`.
fn without_zone(text: &str) -> &str {
    let trimmed = text.trim_start();
    let open = trimmed.strip_prefix('(').unwrap_or(trimmed);
    let word = |inside: fn(char) -> bool| {
        let end = open.find(|char| !inside(char)).unwrap_or(open.len());
        is_zone(&open[..end]).then(|| &open[end..])
    };
    let place = |char: char| char.is_ascii_alphabetic() || "/_".contains(char);
    let mut rest = word(place)
        .or_else(|| word(|char| char.is_ascii_alphabetic()))
        .unwrap_or(text);
    if let Some((_, after)) = rest
        .strip_prefix(['+', '-'])
        .and_then(|offset| digits(offset, 1, 2).or(digits(offset, 4, 4)))
    {
        let minutes = after.strip_prefix(':').and_then(|minutes| digits(minutes, 2, 2));
        rest = minutes.map_or(after, |(_, after)| after);
    }
    match (
        open.len() < trimmed.len() && rest.len() < text.len(),
        rest.strip_prefix(')'),
    ) {
        (true, Some(after)) => after,
        (true, None) => text,
        (false, _) => rest,
    }
}

/// `(14:30)`, `[2026-03-15 14:30]`, `【3】`, `(2)`: what follows.
fn bracketed(text: &str) -> Option<&str> {
    let close = match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        '（' => '）',
        '【' => '】',
        '「' => '」',
        _ => return None,
    };
    let end = text.find(close).filter(|end| *end <= 64)?;
    let mut inside = text[..end].chars();
    inside.next();
    let inside = inside.as_str();
    let counted = digits(inside, 1, 3).is_some_and(|(_, rest)| rest.is_empty());
    (counted || is_moment(inside)).then(|| &text[end + close.len_utf8()..])
}

/// `1. `, `2) `, `3、`, `#3 `, `1.2. `, `①`: what follows.
fn number(text: &str) -> Option<&str> {
    if let Some(rest) =
        text.strip_prefix(|char| matches!(char, '\u{2460}'..='\u{2473}' | '\u{2776}'..='\u{277f}'))
    {
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix('#') {
        return digits(rest, 1, 4)
            .map(|(_, rest)| rest)
            .filter(|rest| apart(rest) && !rest.starts_with('-'));
    }
    let (_, rest) = digits(text, 1, 3)?;
    if let Some(rest) = rest.strip_prefix('、') {
        return Some(rest);
    }
    let mut rest = rest.strip_prefix(['.', ')', '．', '）'])?;
    while let Some((_, after)) = digits(rest, 1, 3) {
        rest = after.strip_prefix('.')?;
    }
    (rest.is_empty() || rest.starts_with(|char: char| char.is_whitespace() || !char.is_ascii()))
        .then_some(rest)
}

/// `1️⃣`: what follows.
fn keycap(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(|char: char| char.is_ascii_digit() || matches!(char, '#' | '*'))?;
    rest.strip_prefix('\u{fe0f}')
        .unwrap_or(rest)
        .strip_prefix('\u{20e3}')
}

/// `:rocket:`: what follows.
fn shortcode(text: &str) -> Option<&str> {
    let inside = text.strip_prefix(':')?;
    let end = inside.find(':').filter(|end| (2..=30).contains(end))?;
    let word = inside[..end]
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'+' | b'-'));
    let named = inside[..end].bytes().any(|byte| byte.is_ascii_lowercase());
    (word && named).then(|| &inside[end + 1..])
}

fn is_dash(char: char) -> bool {
    "-–—―─|·•｜".contains(char)
}

/// What parts a stamp from the name.
fn is_separator(char: char) -> bool {
    is_dash(char) || char.is_whitespace() || ":：,，、;→>»@/".contains(char)
}

/// Pictures, and what they are put together with.
pub(super) fn is_emoji(char: char) -> bool {
    const RANGES: [std::ops::RangeInclusive<char>; 8] = [
        '\u{1f000}'..='\u{1faff}',
        '\u{2600}'..='\u{27bf}',
        '\u{2190}'..='\u{21ff}',
        '\u{2300}'..='\u{23ff}',
        '\u{2b00}'..='\u{2bff}',
        '\u{25a0}'..='\u{25ff}',
        '\u{fe00}'..='\u{fe0f}',
        '\u{e0020}'..='\u{e007f}',
    ];
    const ALONE: &str = "\u{200d}\u{20e3}\u{203c}\u{2049}\u{3030}\u{303d}\u{3297}\u{3299}";
    !char.is_ascii() && (RANGES.iter().any(|range| range.contains(&char)) || ALONE.contains(char))
}
