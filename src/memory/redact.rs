//! What is secret in a text, and `[REDACTED]` in its place, so that no secret reaches a derived file (SPEC section 7).
//!
//! The text is read as a person sees it (`plain`). One pass finds the few places where a secret can begin: a known prefix, a
//! word such as *password*, a `://`. Only there does anybody look closer, and each looks at a bounded stretch, so the time stays
//! linear in the text's length:
//!
//! - `rules`: tokens that tell by their own look what they are.
//! - `labels`: a word that announces a secret and the value behind it (`extent`); `layout`: a value that stands apart from its label.
//! - `values`: whether that value is a secret, or something innocent.
//!
//! Doubt is settled in favour of hiding a value right behind `password`, and in favour of keeping the text elsewhere.

mod extent;
mod labels;
mod layout;
mod plain;
mod rules;
mod values;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use extent::Line;
use plain::Plain;
use rules::Rule;

pub const MARK: &str = "[REDACTED]";

/// Taking a secret out may show another (a value behind a value). This many rounds are plenty for anything but a text
/// built to be awkward; what is still not clean after them loses its whole line.
const ROUNDS: usize = 8;

/// The text with a mark for every secret and the rest of each line kept (SPEC section 7, "Secrets"); borrowed when nothing in it is secret.
/// Redacting a redacted text changes nothing.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    redacted(text, |_| String::new())
}

/// The same, and each line stands where it stood: blank ones follow a mark for several.
#[must_use]
pub fn redact_lines(text: &str) -> Cow<'_, str> {
    redacted(text, |secret| "\n".repeat(secret.matches('\n').count()))
}

/// `behind` gives what follows the mark for a secret.
fn redacted(text: &str, behind: impl Fn(&str) -> String) -> Cow<'_, str> {
    let mut redacted = Cow::Borrowed(text);
    for round in 0.. {
        let mut spans = secrets(&redacted);
        if spans.is_empty() {
            break;
        }
        if round > ROUNDS {
            // Each of these rounds takes whole lines, and a line that is only the mark is never taken again.
            let line = |at| Line::at(&redacted, at);
            let lines = spans.iter().map(|it| line(it.start).start..line(it.end).end);
            spans = merged(lines.collect());
        }
        let mut clean = String::with_capacity(redacted.len());
        let mut from = 0;
        for span in spans {
            clean.extend([
                &redacted[from..span.start],
                MARK,
                &behind(&redacted[span.clone()]),
            ]);
            from = span.end;
        }
        clean.push_str(&redacted[from..]);
        redacted = Cow::Owned(clean);
    }
    redacted
}

#[must_use]
pub fn is_clean(text: &str) -> bool {
    secrets(text).is_empty()
}

/// The lists of `words.txt` that are beginnings: what announces a secret, then what a list, a manifest or a private key stands behind.
const LISTS: [&str; 11] = [
    "password", "pass", "secret", "key", "token", "code", "seed", "codes", "cookies", "manifest", "armour",
];

/// What a beginning calls for: a token known by its look, or a word of a list, and whether an ending may stand behind it.
#[derive(Clone, Copy)]
enum Hint {
    Rule(&'static Rule),
    Word(&'static str, bool),
}

/// What finds all beginnings in one pass, and what is behind each.
static BEGINNINGS: LazyLock<(AhoCorasick, Vec<(String, Hint)>)> = LazyLock::new(|| {
    let mut all: Vec<(String, Hint)> = Vec::new();
    for rule in rules::RULES.iter() {
        all.extend(rule.hints.iter().map(|hint| (hint.clone(), Hint::Rule(rule))));
    }
    for list in LISTS {
        for word in words::list(list) {
            let hint = Hint::Word(list, word.ends_with('~'));
            let spellings = spellings(word.trim_end_matches('~'));
            all.extend(spellings.into_iter().map(|it| (it, hint)));
        }
    }
    let finder = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(all.iter().map(|(written, _)| written));
    (finder.expect("the tables are small"), all)
});

/// The spellings of a word: as it is and, unless it is ASCII, whose case does not count, capitalized and in capitals; with each sign that may
/// stand for its space.
fn spellings(word: &str) -> BTreeSet<String> {
    let first = word.chars().next().map_or(0, char::len_utf8);
    let capital = word[..first].to_uppercase() + &word[first..];
    let cases = match word.is_ascii() {
        true => vec![word.to_owned()],
        false => vec![word.to_owned(), capital, word.to_uppercase()],
    };
    let joints = |word: String| [" ", "_", "-"].map(|joint| word.replace(' ', joint));
    cases.into_iter().flat_map(joints).collect()
}

/// The byte ranges that are secret: sorted, apart from one another, on character boundaries.
fn secrets(text: &str) -> Vec<Range<usize>> {
    let plain = Plain::of(text);
    let found = found_in(&plain.text);
    merged(found.into_iter().map(|span| plain.original(span)).collect())
}

/// What is secret in a plain text, in no order.
fn found_in(text: &str) -> Vec<Range<usize>> {
    let (finder, all) = &*BEGINNINGS;
    let beginnings = finder.find_overlapping_iter(text);
    let mut beginnings: Vec<_> = beginnings.map(|it| (it.start(), it.end(), it.pattern())).collect();
    beginnings.sort_unstable_by_key(|(start, _, pattern)| (*start, *pattern));
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut line = Line::at(text, 0);
    // What is already known to be secret is not looked at again, which also bounds the work on one long line. A token
    // is looked at though when it begins inside a value or a block: it may reach further than that does.
    let (mut known_until, mut token_until, mut listed_until) = (0, 0, 0);
    let mut table = 0..0;
    for (start, end, pattern) in beginnings {
        let (written, hint) = &all[pattern.as_usize()];
        let at = start..end;
        let is_token = matches!(hint, Hint::Rule(..));
        // What a single sign calls for may begin before what is known.
        let is_sign = written.len() == 1;
        if !is_sign && start < if is_token { token_until } else { known_until } {
            continue;
        }
        if start >= line.end {
            line = Line::at(text, start);
        }
        let secret = match *hint {
            Hint::Rule(rule) => rule.token(text.as_bytes(), &at, written),
            Hint::Word("armour", _) => rules::key_block(text, &at),
            Hint::Word("seed" | "codes" | "cookies" | "manifest", _) if start < listed_until => None,
            Hint::Word(list @ ("seed" | "codes" | "cookies" | "manifest"), _) => {
                let listed = layout::listed(&line, &at, list);
                listed_until = listed.last().map_or(0, |last| last.end);
                found.extend(listed);
                None
            }
            Hint::Word(list, inflected) => labels::label(line, at, list, inflected).and_then(|label| {
                found.extend(layout::column(&label, &mut table));
                labels::value(&label, &mut found)
            }),
        };
        let Some(secret) = secret else { continue };
        if !is_sign {
            known_until = known_until.max(secret.end);
            found.extend(extent::joined(text, secret.end));
        }
        if is_token && !is_sign {
            token_until = secret.end;
            found.extend(rules::beside_aws(text.as_bytes(), &secret));
        }
        found.push(secret);
    }
    found
}

fn merged(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| (span.start, span.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => apart.push(span),
        }
    }
    apart
}
