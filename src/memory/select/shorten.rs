//! A statement in fewer words: its best clauses, whole where they fit, with their negation.

use super::*;

/// A statement made short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Short {
    /// Its best clauses in their own order.
    pub text: String,
    /// Their terms, each once, without those of the subject's name.
    pub terms: Vec<Term>,
}

/// A run of words that can stand by itself.
#[derive(Debug, Clone, Copy)]
struct Clause {
    from: usize,
    to: usize,
    negated: bool,
}

/// The clauses of a statement that weigh most, of at most about `room` words; `own` terms weigh nothing. A clause with a negation
/// keeps it.
pub fn shorten(
    told: &Statement,
    own: &FxHashSet<Term>,
    weights: &Weights,
    room: usize,
    whole: bool,
) -> Short {
    let words = &told.words.words;
    let values: Vec<f64> = words.iter().map(|word| value(told, word, own, weights)).collect();
    let mut ranked: Vec<(f64, Clause)> = clauses(told)
        .into_iter()
        .map(|clause| best_part(told, clause, &values, room, whole))
        .map(|clause| {
            let sum: f64 = values[clause.from..clause.to].iter().sum();
            (sum / (size(told, clause) + CLAUSE), clause)
        })
        .filter(|(rate, clause)| *rate > 0.0 && clause.from < clause.to)
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.from.cmp(&other.1.from)));
    let mut kept: Vec<Clause> = Vec::new();
    let mut left = room as f64;
    for (_, clause) in ranked {
        let size = size(told, clause);
        if kept.is_empty() || size <= left {
            kept.push(clause);
            left -= size;
        }
    }
    kept.sort_by_key(|clause| clause.from);
    let mut short = Short::default();
    let mut last: Option<Clause> = None;
    for clause in kept {
        if let Some(last) = last {
            // Clauses that stand side by side keep the mark between them.
            if last.to == clause.from {
                short.text.push_str(mark_between(told, clause.from));
            } else {
                short.text.push_str(closing(told, last));
                short.text.push_str(", ");
            }
        }
        if last.is_none_or(|last| last.to != clause.from) {
            short.text.push_str(opening(told, clause));
        }
        short.text.push_str(&written(told, clause));
        for word in &words[clause.from..clause.to] {
            short.terms.extend(
                told.words
                    .terms_of(word)
                    .iter()
                    .filter(|term| !own.contains(term)),
            );
        }
        last = Some(clause);
    }
    short.text.push_str(last.map_or("", |last| closing(told, last)));
    short.text = whole_marks(&short.text);
    let mut seen = FxHashSet::default();
    short.terms.retain(|term| seen.insert(*term));
    short
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
fn size(told: &Statement, clause: Clause) -> f64 {
    told.words.words[clause.from..clause.to]
        .iter()
        .map(|word| match word.class {
            // Three characters of a script without spaces are about a word.
            Class::Unspaced => (f64::from(word.end - word.start) / 9.0).max(0.5),
            _ if is_filler(told, word) => FILLER,
            _ => 1.0,
        })
        .sum()
}

/// Words that a note leaves out.
fn is_filler(told: &Statement, word: &Word) -> bool {
    // "AI" is no stop word, "ai" is one in some language.
    let text = word.text(&told.text);
    let capitals = text.len() > 1 && text.chars().all(char::is_uppercase);
    word.cues & STOP != 0 && word.cues & (NOT | JOIN) == 0 && word.class == Class::Plain && !capitals
}

/// The statement in pieces, parted where it has a mark between words.
fn clauses(told: &Statement) -> Vec<Clause> {
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
            at == words.len() || parts(&told.text[words[at - 1].end as usize..words[at].start as usize]);
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

/// Whether what stands between two words parts clauses.
fn parts(gap: &str) -> bool {
    gap.contains([
        ',', ';', ':', '(', ')', '（', '）', '。', '；', '：', '，', '、', '[', ']', '→', '|', '·', '!', '?',
        '！', '？', '—', '–', '=',
    ]) || gap.contains(". ")
        || gap.contains(" - ")
        || gap.contains(" + ")
}

/// The run of words of a clause that weighs most for its size, without filler at its ends; a clause that is negated stays whole as long
/// as it is not twice what there is room for.
fn best_part(told: &Statement, clause: Clause, values: &[f64], room: usize, keep: bool) -> Clause {
    let whole = trimmed(told, clause);
    let most = room as f64 * if clause.negated || keep { 2.0 } else { 1.0 };
    if size(told, whole) <= most {
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
    trimmed(told, part)
}

fn holds_negation(told: &Statement, clause: Clause) -> bool {
    let words = &told.words.words;
    let (start, end) = (words[clause.from].start, words[clause.to - 1].end);
    told.words
        .signs
        .iter()
        .any(|&(at, cues)| cues & NOT != 0 && (start..end).contains(&at))
}

fn trimmed(told: &Statement, clause: Clause) -> Clause {
    let words = &told.words.words;
    let empty = |word: &Word| is_filler(told, word) || word.cues & JOIN != 0 && word.cues & NOT == 0;
    let from = (clause.from..clause.to)
        .find(|&at| !empty(&words[at]))
        .unwrap_or(clause.to);
    let to = (from..clause.to)
        .rev()
        .find(|&at| !empty(&words[at]))
        .map_or(from, |at| at + 1);
    Clause { from, to, ..clause }
}

/// A clause in the log's own words, filler left out.
fn written(told: &Statement, clause: Clause) -> String {
    let words = &told.words.words;
    let mut out = String::new();
    let mut last: Option<usize> = None;
    for at in clause.from..clause.to {
        if is_filler(told, &words[at]) {
            continue;
        }
        if let Some(last) = last {
            if last + 1 == at {
                out.push_str(&told.text[words[last].end as usize..words[at].start as usize])
            } else {
                out.push(' ')
            }
        }
        let (start, end) = surroundings(told, at, last.is_none(), at + 1 == clause.to);
        out.push_str(&told.text[start..end]);
        last = Some(at);
    }
    out
}

/// The bracket or quotation mark that a clause begins with.
fn opening(told: &Statement, clause: Clause) -> &str {
    let start = told.words.words[clause.from].start as usize;
    let before = &told.text[..start];
    &before[before
        .trim_end_matches(['(', '（', '[', '「', '『', '“', '«', '《', '"', '【'])
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

/// What stands between a word and the one before it, without what [`surroundings`] gave to either.
fn mark_between(told: &Statement, at: usize) -> &str {
    let words = &told.words.words;
    let mut gap = &told.text[words[at - 1].end as usize..words[at].start as usize];
    if words[at - 1].class == Class::Unspaced {
        gap = gap.trim_start_matches(is_unspaced);
    }
    if words[at].class == Class::Unspaced {
        gap = gap.trim_end_matches(is_unspaced);
    }
    gap
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
        ('<', '>'),
    ] {
        if text.matches(open).count() != text.matches(close).count() {
            text = text.replace([open, close], " ");
        }
    }
    if text.matches('"').count() % 2 == 1 {
        text = text.replace('"', " ");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .trim_matches([
            ' ', ',', ';', ':', '-', '—', '–', '+', '=', '/', '&', '、', '，', '。', '；', '：',
        ])
        .to_owned()
}
