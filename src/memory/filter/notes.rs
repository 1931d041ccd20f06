//! The markers of passing notes, and where they count.

use std::sync::LazyLock;

use regex::Regex;

const LATIN: &[&str] = &["temporary", "test run", "delete later"];
const KOREAN: &[&str] = &["임시", "테스트 중", "테스트중", "나중에 삭제"];

const LABELS: &[&str] = &[
    "status", "state", "type", "kind", "tag", "tags", "label", "labels", "note", "notes", "marker", "todo",
    "lifetime", "상태", "유형", "태그", "비고", "메모", "참고",
];

/// Every marker holds one of these.
static BEGINNINGS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(?i-u:temporary|test|delete)|임시|테스트|나중에").expect("a pattern"));

/// Whether a marker may stand in a text. Nearly every text has none, and nobody needs to look at its lines.
pub(super) fn may_stand_in(text: &str) -> bool {
    BEGINNINGS.is_match(text)
}

pub(super) fn in_heading(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let latin = LATIN.iter().any(|marker| {
        let marker: Vec<&str> = marker.split(' ').collect();
        words.windows(marker.len()).any(|run| run == marker)
    });
    latin
        || KOREAN.iter().any(|marker| {
            lower
                .match_indices(marker)
                .any(|(at, _)| ends_there(marker, &lower[at + marker.len()..]))
        })
}

/// 테스트 중 is *in test*, 테스트 중요 the beginning of *the importance of tests*.
fn ends_there(marker: &str, after: &str) -> bool {
    let goes_on = after.starts_with(|c| ('가'..='힣').contains(&c))
        && !["인", "입니다", "임", "이다", "이므로"]
            .iter()
            .any(|end| after.starts_with(end));
    !marker.ends_with('중') || !goes_on
}

pub(super) fn in_body(body: &str) -> bool {
    let mut fence: Option<&str> = None;
    for line in body.lines() {
        let line = line.trim();
        let edge = ["```", "~~~"].into_iter().find(|edge| line.starts_with(edge));
        match (fence, edge) {
            (None, Some(edge)) => fence = Some(edge),
            (Some(open), Some(edge)) if open == edge => fence = None,
            (Some(_), _) => {}
            (None, None) if marks(line) => return true,
            (None, None) => {}
        }
    }
    false
}

fn marks(line: &str) -> bool {
    let line = undecorated(line);
    // A marker is short; so is a line that is one, a label with one, or the bracket at either end.
    is_marker(line)
        || label(line).is_some_and(|(label, value)| {
            is_marker(label)
                || LABELS.contains(&label.to_lowercase().as_str())
                    && value.split([',', '/', '·']).any(is_marker)
        })
        || bracketed(line)
        || tags(line)
}

/// Without list marks, check boxes, heading signs, quote signs and emphasis.
fn undecorated(line: &str) -> &str {
    let mut line = line;
    loop {
        let trimmed = line.trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, '>' | '*' | '_' | '`' | '+' | '-' | '⚠' | '\u{fe0f}')
        });
        let trimmed = ["[ ] ", "[x] ", "[X] ", "# ", "## ", "### ", "#### "]
            .iter()
            .find_map(|mark| trimmed.strip_prefix(mark))
            .unwrap_or(trimmed);
        if trimmed.len() == line.len() {
            break;
        }
        line = trimmed;
    }
    line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'))
}

fn is_marker(text: &str) -> bool {
    const LONGEST: usize = 64;
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*_`.!,;\"'()[]【】（）<>".contains(c));
    if text.len() > LONGEST {
        return false;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || c == '-' || c == '_')
        .filter(|word| !word.is_empty())
        .collect();
    let joined = words.join(" ");
    LATIN.contains(&joined.as_str()) || KOREAN.contains(&joined.as_str())
}

/// `label: value`, also with a dash between them.
fn label(line: &str) -> Option<(&str, &str)> {
    const LABEL_MAX: usize = 40;
    let dash = [" - ", " — ", " – "]
        .iter()
        .filter_map(|dash| line.find(dash).map(|at| (at, dash.len())))
        .min();
    let colon = line
        .find([':', '：'])
        .map(|at| (at, line[at..].chars().next().map_or(1, char::len_utf8)));
    let (at, length) = colon.into_iter().chain(dash).min()?;
    let label = line[..at].trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
    (at <= LABEL_MAX).then_some((label, &line[at + length..]))
}

/// A bracket with nothing but a marker in it, at the start or the end of the line.
fn bracketed(line: &str) -> bool {
    const PAIRS: [[char; 2]; 6] = [
        ['(', ')'],
        ['[', ']'],
        ['【', '】'],
        ['（', '）'],
        ['<', '>'],
        ['{', '}'],
    ];
    let line = line.trim_end_matches(['.', '!', ',', ';']);
    PAIRS.iter().any(|&[open, close]| {
        let first = line.strip_prefix(open).and_then(|rest| rest.split_once(close));
        let last = line.strip_suffix(close).and_then(|rest| rest.rsplit_once(open));
        first.is_some_and(|(inside, _)| is_marker(inside))
            || last.is_some_and(|(_, inside)| is_marker(inside))
    })
}

fn tags(line: &str) -> bool {
    line.starts_with('#')
        && line.split_whitespace().all(|word| word.starts_with('#'))
        && line
            .split_whitespace()
            .any(|word| is_marker(word.trim_start_matches('#')))
}
