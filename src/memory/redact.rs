//! What is secret in a text, and `[REDACTED]` in its place, so that no secret reaches a derived file (SPEC section 7).
//!
//! One pass finds the few places where a secret can begin (`hints`): a known prefix, a word such as *password*, a `://`.
//! Only there does anybody look closer, and each looks at a bounded stretch, so the time stays linear in the text's length:
//!
//! - `shapes`, `places`: tokens that tell by their own look what they are, and places such as a URL's user part.
//! - `labels`: a word that announces a secret (`words`), what stands behind it (`separators`), where the value ends (`extents`).
//! - `values`: whether that value is a secret, or something `innocent`: prose, code, a path, a placeholder.
//! - `tables`: values in the column under a heading such as *Password*.
//! - `blocks`: private keys in armour, from BEGIN to END.
//!
//! Doubt is settled in favour of hiding a value right behind `password`, and in favour of keeping the text elsewhere.

mod hints;

mod places;
mod shapes;

mod labels;
mod separators;
mod words;

mod extents;
mod innocent;
mod values;

mod blocks;
mod tables;

mod bytes;
mod lines;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use hints::Hint;
use lines::Line;

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
    let spans = secrets(text);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut redacted = replace(text, &spans);
    for _ in 0..ROUNDS {
        let spans = secrets(&redacted);
        if spans.is_empty() {
            return Cow::Owned(redacted);
        }
        redacted = replace(&redacted, &spans);
    }
    // Each of these rounds takes whole lines, and a line that is only the mark is never taken again.
    loop {
        let spans = secrets(&redacted);
        if spans.is_empty() {
            return Cow::Owned(redacted);
        }
        let lines = spans
            .into_iter()
            .map(|span| whole_lines(&redacted, &span))
            .collect();
        redacted = replace(&redacted, &merged(lines));
    }
}

/// Whether `redact` would leave the text as it is.
#[must_use]
pub fn is_clean(text: &str) -> bool {
    secrets(text).is_empty()
}

/// The byte ranges that are secret: sorted, apart from one another, on character boundaries.
fn secrets(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut line = Line::at(text, 0);
    // What is already known to be secret is not looked at again, which also bounds the work on one long line. A token
    // is looked at though when it begins inside a value or a block: it may reach further than that does.
    let mut known_until = 0;
    let mut token_until = 0;
    let mut table = 0..0;
    let mut twilio = false;
    for (hint, at) in hints::all(text) {
        let is_token = matches!(hint, Hint::Shape(_) | Hint::Special(_));
        if at.start < if is_token { token_until } else { known_until } {
            continue;
        }
        if at.start >= line.end {
            line = Line::at(text, at.start);
        }
        let before = found.len();
        match hint {
            Hint::Shape(shape) => found.extend(shapes::token(text, at.start, shape)),
            Hint::Special(special) => shapes::special(text, &line, at.clone(), special, &mut found),
            Hint::Word(word) => {
                tables::column_values(text, &line, &at, word, &mut table, &mut found);
                found.extend(labels::value(text, &line, &at, word));
            }
            Hint::Block => found.extend(blocks::block(text, &line, &at)),
            Hint::Twilio => twilio = true,
        }
        // A table's cells lie ahead, in rows that may hold more than the one secret; all others are done with.
        if let Some(last) = found.get(before..).and_then(<[Range<usize>]>::last)
            && last.start < line.end
        {
            known_until = known_until.max(last.end);
            if is_token {
                token_until = last.end;
            }
        }
    }
    shapes::without_prefix(text, &mut found);
    if twilio {
        shapes::twilio_keys(text, &mut found);
    }
    merged(found)
}

/// Sorts, and joins what overlaps.
fn merged(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
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

fn replace(text: &str, spans: &[Range<usize>]) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        replaced.push_str(&text[from..span.start]);
        replaced.push_str(MARK);
        from = span.end;
    }
    replaced.push_str(&text[from..]);
    replaced
}

/// The span widened to the lines it touches, without the last line's end.
fn whole_lines(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    start..end
}
