//! A statement in fewer words: the best part of it, word for word.

use super::*;
use crate::memory::statement::{begins_condition, ends_abbreviated};
use crate::memory::text::{is_listed, single_spaced};

/// Where people write "label: text" the label seldom has more words; with longer ones a sentence may stand before the colon.
const LABEL_WORDS: f64 = 4.0;
/// What a run counts for that begins inside a sentence. Of 608 parts on eight pages 28 begin so with this, 41 with 1, and the pages know
/// the same; with 0.7 it is 23, and a page knows 0.002 less.
const INSIDE: f64 = 0.85;

/// Brackets and quotation marks that have two halves.
const PAIRS: [(char, char); 10] = [
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
];
const GERMAN_QUOTES: (char, char) = ('„', '“');

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

/// A statement of at most about `room` words as it is; of a longer one the run that weighs most: clauses that stand side by side, or the
/// best part of one that is longer. `own` terms weigh nothing. A clause with a negation keeps it.
pub fn shorten(told: &Statement, own: &FxHashSet<Term>, weights: &Weights, room: usize) -> Short {
    let words = told.words.words.iter();
    let values: Vec<f64> = words.map(|word| value(told, word, own, weights)).collect();
    best_run(told, &values, room).map_or_else(Short::default, |run| cut(told, run, own))
}

/// A run with the marks around it.
pub(super) fn cut(told: &Statement, run: Clause, own: &FxHashSet<Term>) -> Short {
    let words = &told.words.words[run.from..run.to];
    let mut seen = FxHashSet::default();
    let terms = words.iter().flat_map(|word| told.words.terms_of(word)).copied();
    let text = match run.to - run.from == told.words.words.len() {
        true => told.text.trim_end_matches(['.', '。']).to_owned(),
        false => [opening(told, run), written(told, run), closing(told, run)].concat(),
    };
    Short {
        text: whole_marks(&text),
        terms: terms.filter(|term| !own.contains(term) && seen.insert(*term)).collect(),
    }
}

/// Of all runs of clauses that there is room for the heaviest; of two that weigh the same the shorter.
fn best_run(told: &Statement, values: &[f64], room: usize) -> Option<Clause> {
    let all = Clause { from: 0, to: values.len(), negated: false };
    if size(told, all) <= room as f64 {
        return Some(all).filter(|_| values.iter().any(|value| *value > 0.0));
    }
    let clauses = pieces(told, |_| false).into_iter();
    let mut clauses: Vec<Clause> = clauses.map(|clause| best_part(told, clause, values, room)).collect();
    clauses.retain(|clause| clause.from < clause.to);
    let mut best: Option<(f64, Clause)> = None;
    for (first, clause) in clauses.iter().enumerate() {
        // What stands in brackets, behind "Never:" or behind "≠" belongs to what stands before it.
        let before = gap_before(told, clause.from);
        let is_tied = before.contains(['≠', '=', '—', '–', ':', '：']) || before.contains(" - ");
        if first > 0 && (is_tied || is_in_bracket(told, *clause) || denies(told, clauses[0])) {
            continue;
        }
        let begins = first == 0 || ends_sentence(told, clause.from);
        if !begins && hangs(told.words.words[clause.from].text(&told.text)) {
            continue;
        }
        let mut run = *clause;
        // A short label takes no room from what it belongs to.
        let is_label = gap_behind(told, clause.to).starts_with([':', '：']);
        let label = Some(size(told, *clause)).filter(|size| is_label && *size <= LABEL_WORDS);
        let room = room as f64 + label.unwrap_or_default();
        for next in &clauses[first..] {
            let longer = Clause { to: next.to, ..run };
            let is_one = longer.to == clause.to;
            // The end of one sentence and the beginning of the next say little together.
            if !is_one && !begins && ends_sentence(told, next.from) {
                break;
            }
            if !is_one && (size(told, longer) > room || !joins(told, run, *next)) {
                break;
            }
            run = longer;
            // A label says nothing without what stands behind it, nor does a condition.
            let behind = gap_behind(told, run.to);
            if behind.starts_with([':', '：', '='])
                || behind.starts_with([',', '，', '、'])
                    && begins_condition(told.words.words[next.from].text(&told.text))
                || breaks_off(told, run)
            {
                continue;
            }
            let inside = if begins { 1.0 } else { INSIDE };
            let sum = values[run.from..run.to].iter().sum::<f64>() * inside;
            let is_better = |(most, known): (f64, Clause)| {
                sum > most || sum == most && run.to - run.from < known.to - known.from
            };
            if sum > 0.0 && best.is_none_or(is_better) {
                best = Some((sum, run));
            }
        }
    }
    best.map(|(_, run)| without_joiner(told, run))
}

/// Whether a clause that begins with this word hangs on what stands before it: "which was there twice".
fn hangs(word: &str) -> bool {
    const WORDS: &str = "which who whose whom that where including because since while whereas than although though so thus via per \
                         weil sodass obwohl wobei welche welcher welches damit que quien cuyo porque aunque qui lequel laquelle dass \
                         parce cui poiché perché который которая которое которые которых чтобы потому поскольку хотя что где \
                         який яка яке які щоб бо który która które ponieważ żeby gdzie yang karena agar supaya çünkü atau";
    // "Yang" and "WHO" are names.
    is_listed(word, WORDS) || ["因此", "所以", "以便"].iter().any(|begin| word.starts_with(begin))
}

/// A run without the "and" or "but" that tied it to what stood before it.
fn without_joiner(told: &Statement, run: Clause) -> Clause {
    let ties = |word: &Word| word.cues & JOIN != 0 && word.cues & NOT == 0;
    let ties = run.from > 0 && run.to - run.from > 1 && ties(&told.words.words[run.from]);
    Clause { from: run.from + usize::from(ties), ..run }
}

/// Whether a run ends inside a bracket or a quotation that it has opened, or with the number of a step: "(greased", "a quay, (2)".
fn breaks_off(told: &Statement, run: Clause) -> bool {
    let words = &told.words.words;
    let (first, last) = (&words[run.from], &words[run.to - 1]);
    let text = told.text[first.start as usize..last.end as usize].chars();
    let mut open: Vec<char> = Vec::new();
    for letter in text.chain(closing(told, run).chars()) {
        if open.last() == Some(&letter) {
            open.pop();
        } else {
            let mut pairs = PAIRS.iter().chain(&[GERMAN_QUOTES]);
            open.extend(pairs.find(|(begin, _)| *begin == letter).map(|(_, end)| *end));
        }
    }
    let is_step = last.class == Class::Number
        && run.to < words.len()
        && gap_before(told, run.to - 1).ends_with(['(', '（'])
        && matches!(gap_behind(told, run.to), ") " | "）");
    !open.is_empty() || is_step
}

/// Whether a clause begins inside a bracket.
fn is_in_bracket(told: &Statement, clause: Clause) -> bool {
    let before = &told.text[..told.words.words[clause.from].start as usize];
    let count = |marks: [char; 4]| before.matches(marks).count();
    count(['(', '（', '[', '【']) > count([')', '）', ']', '】'])
}

/// Whether a clause is a label that denies what stands behind it.
fn denies(told: &Statement, clause: Clause) -> bool {
    clause.negated && gap_behind(told, clause.to).starts_with([':', '：'])
}

/// What stands before a word, from the one before it.
pub(super) fn gap_before(told: &Statement, at: usize) -> &str {
    let words = &told.words.words;
    let from = at.checked_sub(1).map_or(0, |before| words[before].end as usize);
    &told.text[from..words[at].start as usize]
}

/// What stands behind the word before `at`, up to the next one; nothing behind the last.
fn gap_behind(told: &Statement, at: usize) -> &str {
    if at < told.words.words.len() { gap_before(told, at) } else { "" }
}

/// Whether a sentence ends between the word before `at` and that one.
fn ends_sentence(told: &Statement, at: usize) -> bool {
    let gap = gap_before(told, at);
    gap.contains(". ") && !is_abbreviated(told, at)
        || gap.contains("! ")
        || gap.contains("? ")
        || gap.contains(['。', '！', '？'])
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
    let terms = told.words.terms_of(word).iter().filter(|term| !own.contains(term));
    let sum: f64 = terms.map(|term| weights.term(*term)).sum();
    sum * if word.cues & COMMON != 0 { GENERAL } else { 1.0 }
}

/// How many words a clause counts for.
pub(super) fn size(told: &Statement, clause: Clause) -> f64 {
    let words = told.words.words[clause.from..clause.to].iter();
    words.map(|word| width(told, word)).sum()
}

fn width(told: &Statement, word: &Word) -> f64 {
    match word.class {
        // Three characters of a script without spaces are about a word.
        Class::Unspaced => (f64::from(word.end - word.start) / 9.0).max(0.5),
        _ if filler(told, word) => FILLER,
        _ => 1.0,
    }
}

/// Words that say little, and which no run begins or ends with.
pub(super) fn filler(told: &Statement, word: &Word) -> bool {
    // "AI" is no stop word, "ai" is one in some language.
    let text = word.text(&told.text);
    let capitals = text.len() > 1 && text.chars().all(char::is_uppercase);
    word.cues & STOP != 0 && word.cues & (NOT | JOIN) == 0 && word.class == Class::Plain && !capitals
}

/// The statement in pieces, parted where it has a mark between words, and before other words, too.
pub(super) fn pieces(told: &Statement, begins: impl Fn(usize) -> bool) -> Vec<Clause> {
    let words = &told.words.words;
    let mut out: Vec<Clause> = Vec::new();
    let mut from = 0;
    for at in 1..=words.len() {
        let ends = at == words.len() || parts(told, at) && !is_inside_number(told, at) || begins(at);
        if ends {
            out.push(Clause { from, to: at, negated: holds_negation(told, from, at) });
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

/// Whether the full stop before a word shortens the one before it: "e.g. Kaveh".
fn is_abbreviated(told: &Statement, at: usize) -> bool {
    at > 0 && ends_abbreviated(&told.text[..told.words.words[at - 1].end as usize])
}

/// Whether what stands between a word and the one before it parts clauses.
fn parts(told: &Statement, at: usize) -> bool {
    let gap = gap_before(told, at);
    gap.contains([
        ',', ';', ':', '(', ')', '（', '）', '。', '；', '：', '，', '、', '[', ']', '→', '|', '·', '!', '?',
        '！', '？', '—', '–', '=',
    ]) || gap.contains(". ") && !is_abbreviated(told, at)
        || gap.contains(" - ")
        || gap.contains(" + ")
}

/// The run of words of a clause that weighs most for its size, without filler at its ends. A clause stays whole as long as it is not twice
/// what there is room for: without its first or last word it may be an order, or say the opposite.
fn best_part(told: &Statement, clause: Clause, values: &[f64], room: usize) -> Clause {
    let whole = trim(told, clause);
    if whole.from == whole.to {
        return whole;
    }
    if size(told, whole) <= 2.0 * room as f64 {
        return clause;
    }
    let mut best: Option<(f64, Clause)> = None;
    let words = &told.words.words;
    let (mut to, mut sum, mut taken) = (whole.from, 0.0, 0.0);
    for from in whole.from..whole.to {
        while to < whole.to {
            let next = width(told, &words[to]);
            if taken + next > room as f64 && to > from {
                break;
            }
            taken += next;
            sum += values[to];
            to += 1;
        }
        if best.as_ref().is_none_or(|(most, _)| sum > *most) {
            best = Some((sum, Clause { from, to, ..whole }));
        }
        sum -= values[from];
        taken -= width(told, &words[from]);
    }
    let part = best.map_or(whole, |(_, part)| part);
    // A part of what is denied would say the opposite.
    if clause.negated && !holds_negation(told, part.from, part.to) {
        return Clause { to: part.from, ..part };
    }
    trim(told, part)
}

fn holds_negation(told: &Statement, from: usize, to: usize) -> bool {
    let words = &told.words.words;
    let place = words[from].start..words[to - 1].end;
    let mut signs = told.words.signs.iter();
    signs.any(|&(at, cues)| cues & NOT != 0 && place.contains(&at))
}

pub(super) fn trim(told: &Statement, clause: Clause) -> Clause {
    let words = &told.words.words;
    let empty = |word: &Word| filler(told, word) || word.cues & JOIN != 0 && word.cues & NOT == 0;
    let says = |at: &usize| !empty(&words[*at]);
    let from = (clause.from..clause.to).find(says).unwrap_or(clause.to);
    let to = (from..clause.to).rfind(says).map_or(from, |at| at + 1);
    Clause { from, to, ..clause }
}

/// A run in the log's own words: in a script without spaces its ends take along what the word lists cut off, for that may be the
/// negation.
fn written(told: &Statement, run: Clause) -> &str {
    let words = &told.words.words;
    let (first, last) = (&words[run.from], &words[run.to - 1]);
    let (mut start, mut end) = (first.start as usize, last.end as usize);
    // Before a Latin word, too: "先看 crane.rs".
    let before = gap_before(told, run.from);
    let is_cut_off = |letter: char| is_unspaced(letter) || letter == ' ';
    start -= before.len() - before.trim_end_matches(is_cut_off).len();
    if last.class == Class::Unspaced {
        let next = words.get(run.to).map_or(told.text.len(), |next| next.start as usize);
        let behind = &told.text[end..next];
        end += behind.len() - behind.trim_start_matches(is_unspaced).len();
    }
    &told.text[start..end]
}

/// The bracket or quotation mark that a clause begins with.
fn opening(told: &Statement, clause: Clause) -> &str {
    let before = &told.text[..told.words.words[clause.from].start as usize];
    let bare = before.trim_end_matches(|letter: char| "(（[「『“«《\"【$€£/~.#@".contains(letter));
    &before[bare.len()..]
}

/// The bracket or quotation mark that a clause ends with.
fn closing(told: &Statement, clause: Clause) -> &str {
    let after = &told.text[told.words.words[clause.to - 1].end as usize..];
    let bare = after.trim_start_matches([
        ')', '）', ']', '」', '』', '”', '»', '》', '"', '】', '?', '？', '؟',
    ]);
    &after[..after.len() - bare.len()]
}

/// Without halves of brackets and quotation marks, and without marks at the ends.
pub fn whole_marks(text: &str) -> String {
    /// In the place of a half: no log's line has it, for control characters are no part of a statement.
    const GONE: &str = "\0";
    let mut text = text.to_owned();
    // The mark that ends a German quotation begins an English one.
    let is_german = text.contains(GERMAN_QUOTES.0);
    for (open, close) in PAIRS.into_iter().filter(|(open, _)| !is_german || *open != GERMAN_QUOTES.1) {
        let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
        if opened == closed + 1 && text.rfind(open) > text.rfind(close) {
            // It breaks off inside.
            text.push(close);
        } else if opened != closed {
            text = text.replace([open, close], GONE);
        }
    }
    if text.matches('"').count() % 2 == 1 {
        text = text.replace('"', GONE);
    }
    // The mark behind a bracket closes up; that of ".env" has a space of its own.
    for mark in [".", ","] {
        text = text.replace(&format!("{GONE}{mark}"), mark);
    }
    text = text.replace(GONE, " ");
    let is_mark = |letter: char| " ,;:-—–+=&、，。；：".contains(letter);
    let text = single_spaced(&text);
    // The slash before "/etc" is a part of it.
    let text = text
        .trim_matches(is_mark)
        .trim_end_matches(|letter| letter == '/' || is_mark(letter));
    text.strip_prefix("/ ").unwrap_or(text).to_owned()
}
