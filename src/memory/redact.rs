//! What is secret in a text, and `[REDACTED]` in its place, so that no secret reaches a derived file (SPEC section 7).
//!
//! The text is read as a person sees it (`plain`). One pass finds the few places where a secret can begin: a known prefix, a
//! word such as *password*, a `://`. Only there does anybody look closer, and each looks at a bounded stretch, so the time stays
//! linear in the text's length:
//!
//! - `rules`, `places`: tokens that tell by their own look what they are; URLs, headers, cookies, commands, private keys.
//! - `labels`: a word that announces a secret, what stands behind it, and (`extent`) where the value ends; `layout`: the same
//!   where the value stands apart, in a column, a list, a manifest.
//! - `near`: a value that tells by itself, elsewhere in its label's line or alone on the line below.
//! - `values`: whether that value is a secret, or something innocent: prose, code, a path, a placeholder.
//!
//! Doubt is settled in favour of hiding a value right behind `password`, and in favour of keeping the text elsewhere.

mod extent;
mod labels;
mod layout;
mod line;
mod near;
mod places;
mod plain;
mod rules;
mod separators;
mod values;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use labels::Word;
use line::Line;
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
    // Only around what was taken out may more show.
    let whole = 0..text.len();
    let mut windows = vec![whole];
    for round in 0.. {
        let shown = windows.into_iter().flat_map(|window| {
            let shown = secrets(&redacted[window.clone()]).into_iter();
            shown.map(move |span| window.start + span.start..window.start + span.end)
        });
        let mut spans: Vec<_> = shown.collect();
        if spans.is_empty() {
            break;
        }
        if round > ROUNDS {
            // Each of these rounds takes whole lines, and a line that is only the mark is never taken again.
            spans = merged(spans.iter().map(|span| whole_lines(&redacted, span)).collect());
        }
        (redacted, windows) = replace(&redacted, &spans);
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
    /// A word that may announce a secret.
    Word(Word),
    /// The same, with an ending of up to four letters behind it.
    Inflected(Word),
    /// The words of a wallet.
    Seed,
    /// Codes for the day on which the telephone is lost.
    Codes,
    Cookies,
    /// `kind: Secret`
    Manifest,
    /// The armour of a private key.
    Armour,
}

/// The lists of words that are beginnings.
const LISTS: [(Hint, &str); 11] = [
    (Hint::Word(Word::Password), "password"),
    (Hint::Word(Word::Pass), "pass"),
    (Hint::Word(Word::Secret), "secret"),
    (Hint::Word(Word::Key), "key"),
    (Hint::Word(Word::Token), "token"),
    (Hint::Word(Word::Code), "code"),
    (Hint::Seed, "seed"),
    (Hint::Codes, "codes"),
    (Hint::Cookies, "cookies"),
    (Hint::Manifest, "manifest"),
    (Hint::Armour, "armour"),
];

/// All beginnings, sorted by the hash of their first three bytes.
struct Hints {
    /// A bit for each hash of four bytes: whether any begins so. They are few enough to stay near the processor.
    filter: Box<[u64; 1 << (FILTER_BITS - 6)]>,
    /// The same of three, for those that are no longer.
    short: Box<[u64; 1 << (FILTER_BITS - 6)]>,
    /// Where those of each hash of three bytes start.
    starts: Vec<u16>,
    sorted: Vec<(String, Hint)>,
}

/// Of so many bits one in a hundred is set: with more of them the search takes longer.
const FILTER_BITS: u32 = 17;
/// More than twice as many as there are beginnings.
const GROUP_BITS: u32 = 12;

/// The hash of bytes, by the golden ratio. A letter counts as a small one.
fn hash(bytes: u32, bits: u32) -> usize {
    ((bytes | 0x2020_2020).wrapping_mul(0x9e37_79b1) >> (32 - bits)) as usize
}

/// The first three of four bytes.
const THREE: u32 = 0x00ff_ffff;

fn group(bytes: u32) -> usize {
    hash(bytes & THREE, GROUP_BITS)
}

impl Hints {
    /// The next place from one on where a beginning may be, and the four bytes there; behind the text stands a NUL.
    #[inline(never)]
    fn next(&self, bytes: &[u8], from: usize) -> Option<(usize, u32)> {
        let may_begin = |four: u32| {
            let (long, short) = (hash(four, FILTER_BITS), hash(four & THREE, FILTER_BITS));
            (self.filter[long / 64] >> (long % 64) | self.short[short / 64] >> (short % 64)) & 1 != 0
        };
        let rest = bytes.get(from..)?;
        for (at, four) in rest.windows(4).enumerate() {
            let four = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            if may_begin(four) {
                return Some((from + at, four));
            }
        }
        let [a, b, c] = *rest.last_chunk()?;
        let four = u32::from_le_bytes([a, b, c, 0]);
        may_begin(four).then_some((bytes.len() - 3, four))
    }
}

static HINTS: LazyLock<Hints> = LazyLock::new(|| {
    let mut sorted: Vec<(String, Hint)> = Vec::new();
    for rule in rules::RULES.iter() {
        sorted.extend(rule.hints.iter().map(|hint| (hint.clone(), Hint::Rule(rule))));
    }
    for (hint, list) in LISTS {
        for word in words::list(list) {
            let hint = match hint {
                Hint::Word(kind) if word.ends_with('~') => Hint::Inflected(kind),
                _ => hint,
            };
            let spellings = spellings(word.trim_end_matches('~'));
            sorted.extend(spellings.into_iter().map(|it| (it, hint)));
        }
    }
    let first = |written: &str| {
        let mut bytes = written.bytes();
        u32::from_le_bytes([(); 4].map(|()| bytes.next().unwrap_or(0)))
    };
    sorted.sort_by_cached_key(|(written, _)| group(first(written)));
    let mut filter = Box::new([0; 1 << (FILTER_BITS - 6)]);
    let mut short = filter.clone();
    let mut starts = vec![0; (1 << GROUP_BITS) + 1];
    for (written, _) in &sorted {
        let filter = if written.len() == 3 {
            &mut short
        } else {
            &mut filter
        };
        let hash = hash(first(written), FILTER_BITS);
        filter[hash / 64] |= 1 << (hash % 64);
        starts[group(first(written)) + 1] += 1;
    }
    for group in 0..1 << GROUP_BITS {
        starts[group + 1] += starts[group];
    }
    Hints {
        filter,
        short,
        starts,
        sorted,
    }
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
    let mut from = 0;
    while let Some((at, four)) = hints.next(bytes, from) {
        from = at + 1;
        let group = group(four);
        let group = usize::from(hints.starts[group])..usize::from(hints.starts[group + 1]);
        for (written, hint) in &hints.sorted[group] {
            let here = at..at + written.len();
            let found = bytes.get(here.clone()).unwrap_or_default();
            // Most of a group differ at their ends.
            let ends = |text: &[u8]| text.last().map(|last| last | 0x20);
            let alike = ends(found) == ends(written.as_bytes());
            if alike && found.eq_ignore_ascii_case(written.as_bytes()) {
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

/// What is found in a plain text, in no order.
fn found_in(text: &str) -> Vec<Range<usize>> {
    /// A list that was looked for in vain is not looked for again within a few words.
    const LIST_APART: usize = 32;
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut line = Line::at(text, 0);
    // What is already known to be secret is not looked at again, which also bounds the work on one long line. A token
    // is looked at though when it begins inside a value or a block: it may reach further than that does.
    let (mut known_until, mut token_until, mut listed_until) = (0, 0, 0);
    let mut table = 0..0;
    each_beginning(text, |at, written, hint| {
        let is_token = matches!(hint, Hint::Rule(..));
        if at.start < if is_token { token_until } else { known_until } {
            return;
        }
        if at.start >= line.end {
            line = Line::at(text, at.start);
        }
        let listed = match hint {
            _ if at.start < listed_until => None,
            Hint::Seed => Some((layout::seed_phrase(text, at.end), at.end + LIST_APART)),
            Hint::Codes => Some((layout::backup_codes(text, &line, at.end), at.end + LIST_APART)),
            Hint::Cookies => Some(places::cookies(text, &line, at.end)),
            Hint::Manifest => Some(layout::manifest(text, at.start)),
            _ => None,
        };
        if let Some((list, until)) = listed {
            listed_until = list.last().map_or(until, |last| last.end.max(until));
            found.extend(list);
        }
        let secret = match hint {
            Hint::Rule(rule) => rule.token(text.as_bytes(), &at, written),
            Hint::Word(word) | Hint::Inflected(word) => {
                let inflected = matches!(hint, Hint::Inflected(_));
                labels::label(text, &line, &at, word, inflected).and_then(|label| {
                    layout::column(text, &line, &label, &mut table, &mut found);
                    labels::value(text, &line, &label, &mut found)
                })
            }
            Hint::Armour => places::key_block(text, &at),
            Hint::Seed | Hint::Codes | Hint::Cookies | Hint::Manifest => None,
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
    });
    places::logins(text, &mut found);
    rules::without_prefix(text.as_bytes(), &mut found);
    rules::behind_any_prefix(text.as_bytes(), &mut found);
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

/// The text with the mark for each of the spans, and what may be read in another way there: up to empty lines, behind which a
/// table ends, beyond where anybody looks.
fn replace(text: &str, spans: &[Range<usize>]) -> (Cow<'static, str>, Vec<Range<usize>>) {
    /// Twice as far as the end of a private key may be from its beginning.
    const REACH: usize = 64 * 1024;
    let mut replaced = String::with_capacity(text.len());
    let mut marks = Vec::with_capacity(spans.len());
    let mut from = 0;
    for span in spans {
        replaced.push_str(&text[from..span.start]);
        marks.push(replaced.len());
        replaced.push_str(MARK);
        from = span.end;
    }
    replaced.push_str(&text[from..]);
    let mut windows: Vec<Range<usize>> = Vec::new();
    for mark in marks {
        let known = windows.last().map_or(0, |last| last.end);
        let (before, after) = (
            mark.saturating_sub(REACH).max(known),
            replaced.len().min(mark + REACH),
        );
        if after <= known {
            continue;
        }
        let start = memmem::rfind(&replaced.as_bytes()[known..before], b"\n\n");
        let start = start.map_or(known, |at| known + at + 1);
        let end = memmem::find(&replaced.as_bytes()[after..], b"\n\n");
        let end = end.map_or(replaced.len(), |at| after + at + 1);
        match windows.last_mut() {
            Some(last) if start == known => last.end = end,
            _ => windows.push(start..end),
        }
    }
    (Cow::Owned(replaced), windows)
}

/// The span widened to the lines it touches, without the last line's end.
fn whole_lines(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    start..end
}
