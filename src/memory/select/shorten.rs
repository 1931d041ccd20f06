//! A statement in fewer words: the best part of it, word for word.

use super::*;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Short {
    pub text: String,
    /// Their terms, each once, without those of the subject's name.
    pub terms: Vec<Term>,
}

/// A run of words that can stand by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clause {
    pub from: usize,
    pub to: usize,
    pub(super) negated: bool,
}

/// The run of a statement's words that weighs most, of at most about `room` words: clauses that stand side by side, or the best part of one
/// that is longer. `own` terms weigh nothing. A clause with a negation keeps it.
pub fn shorten(told: &Statement, own: &FxHashSet<Term>, weights: &Weights, room: usize) -> Short {
    let values: Vec<f64> = told
        .words
        .words
        .iter()
        .map(|word| value(told, word, own, weights))
        .collect();
    let Some(run) = best_run(told, &values, room) else {
        return Short::default();
    };
    cut(told, run, own)
}

/// A run with the marks around it.
pub(super) fn cut(told: &Statement, run: Clause, own: &FxHashSet<Term>) -> Short {
    let words = &told.words.words[run.from..run.to];
    let mut seen = FxHashSet::default();
    let terms = words
        .iter()
        .flat_map(|word| told.words.terms_of(word))
        .filter(|term| !own.contains(term) && seen.insert(**term))
        .copied()
        .collect();
    let text = format!(
        "{}{}{}",
        opening(told, run),
        written(told, run),
        closing(told, run)
    );
    Short {
        text: whole_marks(&text),
        terms,
    }
}

/// Of all runs of clauses that there is room for the heaviest; of two that weigh the same the shorter.
fn best_run(told: &Statement, values: &[f64], room: usize) -> Option<Clause> {
    let clauses: Vec<Clause> = clauses(told)
        .into_iter()
        .map(|clause| best_part(told, clause, values, room))
        .filter(|clause| clause.from < clause.to)
        .collect();
    let mut best: Option<(f64, Clause)> = None;
    for (first, clause) in clauses.iter().enumerate() {
        // A bracket belongs to what stands before it.
        if first > 0 && opening(told, *clause).contains(['(', '（', '[', '【']) {
            continue;
        }
        let begins = first == 0 || ends_sentence(gap_before(told, clause.from));
        let mut run = *clause;
        for next in &clauses[first..] {
            let longer = Clause { to: next.to, ..run };
            let is_one = longer.to == clause.to;
            // The end of one sentence and the beginning of the next say little together.
            if !is_one && !begins && ends_sentence(gap_before(told, next.from)) {
                break;
            }
            if !is_one && (size(told, longer) > room as f64 || !joins(told, run, *next)) {
                break;
            }
            run = longer;
            let sum: f64 = values[run.from..run.to].iter().sum();
            let is_better = |(most, known): (f64, Clause)| {
                sum > most || sum == most && run.to - run.from < known.to - known.from
            };
            if sum > 0.0 && best.is_none_or(is_better) {
                best = Some((sum, run));
            }
        }
    }
    best.map(|(_, run)| run)
}

/// What stands before a word, from the one before it.
pub(super) fn gap_before(told: &Statement, at: usize) -> &str {
    let words = &told.words.words;
    let from = at.checked_sub(1).map_or(0, |before| words[before].end as usize);
    &told.text[from..words[at].start as usize]
}

fn ends_sentence(gap: &str) -> bool {
    gap.contains(". ") || gap.contains("! ") || gap.contains("? ") || gap.contains(['。', '！', '？'])
}

/// Whether nothing but filler and marks was left out between two clauses.
pub(super) fn joins(told: &Statement, one: Clause, other: Clause) -> bool {
    told.words.words[one.to..other.from]
        .iter()
        .all(|word| filler(told, word) || word.cues & JOIN != 0)
}

/// What a word is worth on the line of a subject whose name has the terms `own`.
fn value(told: &Statement, word: &Word, own: &FxHashSet<Term>, weights: &Weights) -> f64 {
    if word.class == Class::Number {
        return NUMBER;
    }
    let sum: f64 = told
        .words
        .terms_of(word)
        .iter()
        .filter(|term| !own.contains(term))
        .map(|term| weights.term(*term))
        .sum();
    if word.cues & COMMON != 0 {
        sum * GENERAL
    } else {
        sum
    }
}

/// How many words a clause counts for.
pub(super) fn size(told: &Statement, clause: Clause) -> f64 {
    told.words.words[clause.from..clause.to]
        .iter()
        .map(|word| match word.class {
            // Three characters of a script without spaces are about a word.
            Class::Unspaced => (f64::from(word.end - word.start) / 9.0).max(0.5),
            _ if filler(told, word) => FILLER,
            _ => 1.0,
        })
        .sum()
}

/// Words that say little, and which no run begins or ends with.
pub(super) fn filler(told: &Statement, word: &Word) -> bool {
    // "AI" is no stop word, "ai" is one in some language.
    let text = word.text(&told.text);
    let capitals = text.len() > 1 && text.chars().all(char::is_uppercase);
    word.cues & STOP != 0 && word.cues & (NOT | JOIN) == 0 && word.class == Class::Plain && !capitals
}

/// The statement in pieces, parted where it has a mark between words.
fn clauses(told: &Statement) -> Vec<Clause> {
    pieces(told, |_| false)
}

/// The same, parted before other words, too.
pub(super) fn pieces(told: &Statement, begins: impl Fn(usize) -> bool) -> Vec<Clause> {
    let words = &told.words.words;
    let mut out: Vec<Clause> = Vec::new();
    let negations: Vec<u32> = told
        .words
        .signs
        .iter()
        .filter(|(_, cues)| cues & NOT != 0)
        .map(|(at, _)| *at)
        .collect();
    let mut from = 0;
    for at in 1..=words.len() {
        let ends =
            at == words.len() || parts(gap_before(told, at)) && !is_inside_number(told, at) || begins(at);
        if ends {
            let (start, end) = (words[from].start, words[at - 1].end);
            out.push(Clause {
                from,
                to: at,
                negated: negations.iter().any(|&sign| (start..end).contains(&sign)),
            });
            from = at;
        }
    }
    out
}

/// Whether a mark stands between digits: "1,200".
fn is_inside_number(told: &Statement, at: usize) -> bool {
    let is_number = |at: usize| told.words.words[at].class == Class::Number;
    gap_before(told, at) == "," && is_number(at - 1) && is_number(at)
}

/// Whether what stands between two words parts clauses.
fn parts(gap: &str) -> bool {
    gap.contains([
        ',', ';', ':', '(', ')', '（', '）', '。', '；', '：', '，', '、', '[', ']', '→', '|', '·', '!', '?',
        '！', '？', '—', '–', '=',
    ]) || gap.contains(". ")
        || gap.contains(" - ")
        || gap.contains(" + ")
}

/// The run of words of a clause that weighs most for its size, without filler at its ends; a clause stays whole as long as it is not twice
/// what there is room for.
fn best_part(told: &Statement, clause: Clause, values: &[f64], room: usize) -> Clause {
    let whole = trim(told, clause);
    if size(told, whole) <= 2.0 * room as f64 {
        return whole;
    }
    let mut best: Option<(f64, Clause)> = None;
    let (mut to, mut sum, mut width) = (whole.from, 0.0, 0.0);
    for from in whole.from..whole.to {
        while to < whole.to {
            let next = size(
                told,
                Clause {
                    from: to,
                    to: to + 1,
                    ..whole
                },
            );
            if width + next > room as f64 && to > from {
                break;
            }
            width += next;
            sum += values[to];
            to += 1;
        }
        if best.as_ref().is_none_or(|(most, _)| sum > *most) {
            best = Some((sum, Clause { from, to, ..whole }));
        }
        sum -= values[from];
        width -= size(
            told,
            Clause {
                from,
                to: from + 1,
                ..whole
            },
        );
    }
    let part = best.map_or(whole, |(_, part)| part);
    // A part of what is denied would say the opposite.
    if clause.negated && !holds_negation(told, part) {
        return Clause {
            to: part.from,
            ..part
        };
    }
    trim(told, part)
}

fn holds_negation(told: &Statement, clause: Clause) -> bool {
    let words = &told.words.words;
    let (start, end) = (words[clause.from].start, words[clause.to - 1].end);
    told.words
        .signs
        .iter()
        .any(|&(at, cues)| cues & NOT != 0 && (start..end).contains(&at))
}

pub(super) fn trim(told: &Statement, clause: Clause) -> Clause {
    let words = &told.words.words;
    let empty = |word: &Word| filler(told, word) || word.cues & JOIN != 0 && word.cues & NOT == 0;
    let from = (clause.from..clause.to)
        .find(|&at| !empty(&words[at]))
        .unwrap_or(clause.to);
    let to = (from..clause.to)
        .rev()
        .find(|&at| !empty(&words[at]))
        .map_or(from, |at| at + 1);
    Clause { from, to, ..clause }
}

/// A run in the log's own words.
fn written(told: &Statement, run: Clause) -> &str {
    let (start, _) = surroundings(told, run.from, true, run.from + 1 == run.to);
    let (_, end) = surroundings(told, run.to - 1, run.from + 1 == run.to, true);
    &told.text[start..end]
}

/// The bracket or quotation mark that a clause begins with.
fn opening(told: &Statement, clause: Clause) -> &str {
    let start = told.words.words[clause.from].start as usize;
    let before = &told.text[..start];
    &before[before
        .trim_end_matches([
            '(', '（', '[', '「', '『', '“', '«', '《', '"', '【', '$', '€', '£',
        ])
        .len()..]
}

/// The bracket or quotation mark that a clause ends with.
fn closing(told: &Statement, clause: Clause) -> &str {
    let after = &told.text[told.words.words[clause.to - 1].end as usize..];
    &after[..after.len()
        - after
            .trim_start_matches([')', '）', ']', '」', '』', '”', '»', '》', '"', '】'])
            .len()]
}

/// Where a word begins and ends as it is written: in a script without spaces the first and the last word of a clause take along what
/// the word lists cut off, for that may be the negation.
fn surroundings(told: &Statement, at: usize, first: bool, last: bool) -> (usize, usize) {
    let words = &told.words.words;
    let (mut start, mut end) = (words[at].start as usize, words[at].end as usize);
    if words[at].class == Class::Unspaced {
        let before = at.checked_sub(1).map_or(0, |before| words[before].end as usize);
        let after = words
            .get(at + 1)
            .map_or(told.text.len(), |after| after.start as usize);
        if first {
            start -= told.text[before..start]
                .chars()
                .rev()
                .take_while(|letter| is_unspaced(*letter))
                .map(char::len_utf8)
                .sum::<usize>();
        }
        if last {
            end += told.text[end..after]
                .chars()
                .take_while(|letter| is_unspaced(*letter))
                .map(char::len_utf8)
                .sum::<usize>();
        }
    }
    (start, end)
}

/// Without halves of brackets and quotation marks, and without marks at the ends.
pub fn whole_marks(text: &str) -> String {
    /// In the place of a half: no log's line has it, for control characters are no part of a statement.
    const GONE: &str = "\0";
    let is_ascii = text.is_ascii();
    let mut text = text.to_owned();
    for (open, close) in [
        ('(', ')'),
        ('（', '）'),
        ('[', ']'),
        ('「', '」'),
        ('『', '』'),
        ('“', '”'),
        ('«', '»'),
        ('《', '》'),
        ('{', '}'),
        ('【', '】'),
    ] {
        let may_be_there = open.is_ascii() || !is_ascii;
        if may_be_there && text.matches(open).count() != text.matches(close).count() {
            text = text.replace([open, close], GONE);
        }
    }
    if text.matches('"').count() % 2 == 1 {
        text = text.replace('"', GONE);
    }
    if text.contains(GONE) {
        // The mark behind a bracket closes up; that of ".env" has a space of its own.
        for mark in [".", ","] {
            text = text.replace(&format!("{GONE}{mark}"), mark);
        }
        text = text.replace(GONE, " ");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .trim_matches([
            ' ', ',', ';', ':', '-', '—', '–', '+', '=', '/', '&', '、', '，', '。', '；', '：',
        ])
        .to_owned()
}
