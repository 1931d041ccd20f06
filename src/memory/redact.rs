//! What is secret in a text, and `[REDACTED]` in its place, so that no secret reaches a derived file (SPEC section 7).
//!
//! The text is read as a person sees it (`plain`). One pass finds the few places where a secret can begin: a known prefix, a
//! word such as *password*, a `://`. Only there does anybody look closer, and each looks at a bounded stretch, so the time stays
//! linear in the text's length:
//!
//! - `rules`: tokens that tell by their own look what they are; URLs, headers, cookies, commands, private keys.
//! - `labels`: a word that announces a secret, what stands behind it, and where the value ends (`extent`); `layout`: the same where
//!   the value stands apart, elsewhere in its line, on a line below, in a column, a list, a manifest.
//! - `values`: whether that value is a secret, or something innocent: prose, code, a path, a placeholder.
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

use rustc_hash::FxHashMap;

use extent::Line;
use labels::Word;
use plain::Plain;
use rules::Rule;

/// What stands where a secret stood.
pub const MARK: &str = "[REDACTED]";

/// Taking a secret out may show another (a value behind a value). This many rounds are plenty for anything but a text
/// built to be awkward; what is still not clean after them loses its whole line.
const ROUNDS: usize = 8;

/// The text with every secret replaced by `[REDACTED]` and the rest of each line kept (SPEC section 7, "Secrets").
///
/// A private-key block becomes one `[REDACTED]`. The text comes back borrowed when nothing in it is secret, and
/// redacting a redacted text changes nothing.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut redacted = Cow::Borrowed(text);
    for round in 0.. {
        let mut spans = secrets(&redacted);
        if spans.is_empty() {
            break;
        }
        if round > ROUNDS {
            // Each of these rounds takes whole lines, and a line that is only the mark is never taken again.
            let line = |at| Line::at(&redacted, at);
            let lines = spans
                .iter()
                .map(|span| line(span.start).start..line(span.end).end);
            spans = merged(lines.collect());
        }
        redacted = Cow::Owned(replaced(&redacted, &spans));
    }
    redacted
}

/// Whether `redact` would leave the text as it is.
#[must_use]
pub fn is_clean(text: &str) -> bool {
    secrets(text).is_empty()
}

/// What a beginning calls for.
#[derive(Clone, Copy)]
enum Hint {
    /// A token known by its look, a command.
    Rule(&'static Rule),
    /// A word that may announce a secret, and whether an ending of up to four letters may stand behind it.
    Word(Word, bool),
    /// What a list of secrets stands behind: the patterns of the list and of what is secret in it.
    List(&'static str, &'static str),
    /// The data of a manifest.
    Manifest,
    /// The armour of a private key.
    Armour,
}

/// The lists of words that are beginnings.
const LISTS: [(Hint, &str); 11] = [
    (Hint::Word(Word::Password, false), "password"),
    (Hint::Word(Word::Pass, false), "pass"),
    (Hint::Word(Word::Secret, false), "secret"),
    (Hint::Word(Word::Key, false), "key"),
    (Hint::Word(Word::Token, false), "token"),
    (Hint::Word(Word::Code, false), "code"),
    (Hint::List("seed-list", "seed"), "seed"),
    (Hint::List("code-list", "listed-code"), "codes"),
    (Hint::List("cookie-list", "cookie"), "cookies"),
    (Hint::Manifest, "manifest"),
    (Hint::Armour, "armour"),
];

/// The first three bytes of a text, a letter as a small one.
fn start(bytes: &[u8]) -> u32 {
    let [one, two, three] = bytes.first_chunk().copied().unwrap_or_default();
    u32::from_le_bytes([one, two, three, 0]) | 0x0020_2020
}

/// All beginnings by their first three bytes.
static HINTS: LazyLock<FxHashMap<u32, Vec<(String, Hint)>>> = LazyLock::new(|| {
    let mut all: Vec<(String, Hint)> = Vec::new();
    for rule in rules::RULES.iter() {
        // A single sign is too often there: `by_sign` looks behind it first.
        let hints = rule.hints.iter().filter(|hint| hint.len() > 1);
        all.extend(hints.map(|hint| (hint.clone(), Hint::Rule(rule))));
    }
    for (hint, list) in LISTS {
        for word in words::list(list) {
            let hint = match hint {
                Hint::Word(kind, _) => Hint::Word(kind, word.ends_with('~')),
                _ => hint,
            };
            let spellings = spellings(word.trim_end_matches('~'));
            all.extend(spellings.into_iter().map(|it| (it, hint)));
        }
    }
    let mut by_start: FxHashMap<u32, Vec<_>> = FxHashMap::default();
    for (written, hint) in all {
        let start = start(written.as_bytes());
        by_start.entry(start).or_default().push((written, hint));
    }
    by_start
});

/// A word in small letters, capitalized and in capitals where those are not of ASCII, whose case does not count anyway; and
/// with the signs that may stand for its space.
fn spellings(word: &str) -> BTreeSet<String> {
    let capital = word
        .chars()
        .take(1)
        .flat_map(char::to_uppercase)
        .chain(word.chars().skip(1))
        .collect();
    let cases = if word.is_ascii() {
        vec![word.to_owned()]
    } else {
        vec![word.to_owned(), capital, word.to_uppercase()]
    };
    let joints = |word: String| [" ", "_", "-"].map(|joint| word.replace(' ', joint));
    cases.into_iter().flat_map(joints).collect()
}

/// Calls for every beginning in the text, in order.
fn each_beginning(text: &str, mut call: impl FnMut(Range<usize>, &str, Hint)) {
    let (hints, bytes) = (&*HINTS, text.as_bytes());
    for at in 0..bytes.len() {
        for (written, hint) in hints.get(&start(&bytes[at..])).into_iter().flatten() {
            let here = at..at + written.len();
            let found = bytes.get(here.clone()).unwrap_or_default();
            if found.eq_ignore_ascii_case(written.as_bytes()) {
                call(here, written, *hint);
            }
        }
    }
}

/// The byte ranges that are secret: sorted, apart from one another, on character boundaries.
fn secrets(text: &str) -> Vec<Range<usize>> {
    let plain = Plain::of(text);
    let found = found_in(&plain.text);
    merged(found.into_iter().map(|span| plain.original(span)).collect())
}

/// What is secret in a plain text, in no order.
fn found_in(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut line = Line::at(text, 0);
    // What is already known to be secret is not looked at again, which also bounds the work on one long line. A token
    // is looked at though when it begins inside a value or a block: it may reach further than that does.
    let (mut known_until, mut token_until, mut listed_until) = (0, 0, 0);
    let mut table = 0..0;
    let mut look = |at: Range<usize>, written: &str, hint| {
        let is_token = matches!(hint, Hint::Rule(..));
        if at.start < if is_token { token_until } else { known_until } {
            return;
        }
        if at.start >= line.end {
            line = Line::at(text, at.start);
        }
        let secret = match hint {
            Hint::Rule(rule) => rule.token(text.as_bytes(), &at, written),
            Hint::Word(word, inflected) => {
                labels::label(text, &line, &at, word, inflected).and_then(|label| {
                    layout::column(text, &line, &label, &mut table, &mut found);
                    labels::value(text, &line, &label, &mut found)
                })
            }
            Hint::Armour => rules::key_block(text, &at),
            Hint::List(..) | Hint::Manifest if at.start < listed_until => None,
            Hint::List(..) | Hint::Manifest => {
                let list = match hint {
                    Hint::List(list, item) => layout::listed(text, at.end, list, item),
                    _ => layout::manifest(text, &line, &at),
                };
                listed_until = list.last().map_or(0, |last| last.end);
                found.extend(list);
                None
            }
        };
        if let Some(secret) = secret {
            known_until = known_until.max(secret.end);
            if is_token {
                token_until = secret.end;
                rules::beside_aws(text.as_bytes(), &secret, &mut found);
            }
            found.extend(extent::joined(text, secret.end));
            found.push(secret);
        }
    };
    each_beginning(text, &mut look);
    rules::by_sign(text.as_bytes(), &mut found);
    found
}

/// Sorts, and joins what overlaps.
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

/// The text with the mark for each of the spans.
fn replaced(text: &str, spans: &[Range<usize>]) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        replaced.extend([&text[from..span.start], MARK]);
        from = span.end;
    }
    replaced + &text[from..]
}
