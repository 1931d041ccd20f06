//! What is said about something that was found: how old it is, whether to trust it, and the line that says most.

use std::cmp::Reverse;

use super::entry::Kind;
use super::search::Question;
use super::statement::line::every_sentence;
use super::text::one_line;

/// Days after which a pointer has to be looked at again.
const REFERENCE_DAYS_MAX: i64 = 30;
/// Days after which work is over, or was given up.
const PROJECT_DAYS_MAX: i64 = 90;
/// An excerpt takes in neighbours up to so many characters, and a single sentence is shown whole up to the second number.
const EXCERPT_CHARS: usize = 360;
const SENTENCE_CHARS_MAX: usize = 1200;

/// The lines of ROOT that hold some of the words, with their numbers from 1: those with most of them first.
pub fn in_root(root: &str, question: &Question) -> Vec<(usize, String)> {
    let hit = |(number, line): (usize, &str)| {
        let text = line.strip_prefix("- ")?;
        let words = question.found_in(text).count_ones();
        (words > 0).then(|| (Reverse(words), (number, text.to_owned())))
    };
    let mut hits: Vec<_> = (1..).zip(root.lines()).filter_map(hit).collect();
    hits.sort_by_key(|(words, _)| *words);
    hits.into_iter().map(|(_, line)| line).collect()
}

/// What is shown of an entry: whole sentences around the one that holds most of what is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of that sentence's line in the entry, from 0.
    pub line: usize,
    pub sentence: String,
    pub text: String,
}

/// The excerpt of an entry around its line `best`, counted from 0; of a heading, around the line below it that says most. The text is
/// one that may go [outside](super::outside): a line by itself does not show what is secret in it.
pub fn excerpt(entry: &str, heading_lines: usize, best: usize, question: &Question) -> Option<Excerpt> {
    let lines = entry.lines().enumerate().skip(heading_lines);
    let lines = lines.filter(|(_, line)| line.chars().any(char::is_alphanumeric));
    let sentences = lines.flat_map(|(number, line)| {
        let sentences = every_sentence(line.trim()).into_iter();
        sentences.map(move |sentence| (number, sentence))
    });
    let sentences: Vec<(usize, &str)> = sentences.collect();
    let says = |at: &usize| (question.found_in(sentences[*at].1).count_ones(), Reverse(*at));
    let all = 0..sentences.len();
    let on_best = all.clone().filter(|at| sentences[*at].0 == best);
    let at = on_best.max_by_key(says).or_else(|| all.max_by_key(says))?;
    let (mut first, mut last) = (at, at);
    let mut chars = sentences[at].1.chars().count();
    // By turns one after and one before; what follows explains more often.
    loop {
        let room = |at: usize| {
            let more = sentences.get(at)?.1.chars().count() + 1;
            (chars + more <= EXCERPT_CHARS).then_some(more)
        };
        let after = room(last + 1);
        let before = first.checked_sub(1).and_then(room);
        match (after, before) {
            (Some(more), _) if last - at <= at - first || before.is_none() => {
                (last, chars) = (last + 1, chars + more);
            }
            (_, Some(more)) => {
                (first, chars) = (first - 1, chars + more);
            }
            _ => break,
        }
    }
    Some(Excerpt {
        line: sentences[at].0,
        sentence: around(bare(sentences[at].1), question),
        text: around(&joined(&sentences[first..=last]), question),
    })
}

/// Sentences as one text: an item of a list is told apart from what is before it and ends without a mark.
fn joined(sentences: &[(usize, &str)]) -> String {
    let mut out = String::new();
    for (_, sentence) in sentences {
        let is_item = sentence.starts_with(['-', '*']);
        if is_item && out.ends_with(|end: char| end.is_alphanumeric() || ")]\"'`".contains(end)) {
            out.push(';');
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(bare(sentence));
    }
    out
}

fn bare(line: &str) -> &str {
    line.trim_start_matches(['-', '*', '>', ' '])
}

/// A text on one line. What is longer than any sentence, such as a pasted block, is cut so that most of what is asked stays.
fn around(text: &str, question: &Question) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= SENTENCE_CHARS_MAX {
        return one_line(text, SENTENCE_CHARS_MAX);
    }
    let windows = (0..letters.len()).step_by(SENTENCE_CHARS_MAX / 3);
    let window = |start: usize| -> String { letters[start..].iter().take(SENTENCE_CHARS_MAX).collect() };
    let start = windows
        .max_by_key(|start| (question.found_in(&window(*start)).count_ones(), Reverse(*start)))
        .unwrap_or(0);
    one_line(&window(start), SENTENCE_CHARS_MAX)
}

/// What to mind about something of a type and an age in days; none when it can be taken as it is.
pub fn warning(kind: Kind, age_days: i64) -> Option<String> {
    match kind {
        Kind::Reference if age_days > REFERENCE_DAYS_MAX => {
            Some(format!("not mentioned for {age_days} days: check that it is still there"))
        }
        Kind::Project if age_days > PROJECT_DAYS_MAX => {
            Some(format!("{age_days} days old: it may be finished or overtaken"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
