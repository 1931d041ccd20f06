//! A word that announces a secret, and the value it announces.
//!
//! `password: x`, `"password": "x"`, `**Password:** x`, `export DB_PASSWORD=x`, `--password x`, `<password>x</password>`,
//! `| password | x |`, `password is x`, `密码：x`, and a value alone on the line after `Password:`.

use std::ops::Range;

use super::extents::{self, JUDGED_MAX};
use super::innocent;
use super::lines::{Line, floor, starts_with_ignoring_case};
use super::separators::{Separator, separator};
use super::values::{self, Setting, Trust};
use super::words::{Label, Word, label};

/// The value that the word at `at` announces, if it is a secret.
pub(super) fn value(text: &str, line: &Line, at: &Range<usize>, word: Word) -> Option<Range<usize>> {
    match word {
        Word::Signature => return signature(text, line, at),
        Word::Phrase => return phrase(text, line, at.end),
        _ => {}
    }
    let label = label(text, line, at, word)?;
    let Some(mut separator) = separator(text, line, at.start, label.end) else {
        return beside_its_name(text, line, label);
    };
    if line.heading > 0 && !(line.heading == 1 && separator.glued && label.identifier) {
        // A heading's topic is no value, whatever the word before the colon.
        return in_line(
            text,
            line,
            &separator,
            Label {
                trust: Trust::Random,
                ..label
            },
        );
    }
    let nothing_follows = text[separator.end..line.end]
        .trim_start_matches(|c: char| c.is_whitespace() || "*_>|-".contains(c))
        .is_empty();
    if nothing_follows && separator.colon {
        return on_next_line(text, line, label);
    }
    if separator.colon
        && let Some(length) = type_before_value(&text[separator.end..line.end])
    {
        separator.end += length;
    }
    let is_phrase = text[at.start..label.end].to_ascii_lowercase().contains("phrase");
    if is_phrase
        && !separator.loose
        && let Some(words) = passphrase(text, line, separator.end)
    {
        return Some(words);
    }
    in_line(text, line, &separator, label)
}

/// `name: DB_PASSWORD` on one line and `value: x` on the next, as in Kubernetes.
fn beside_its_name(text: &str, line: &Line, label: Label) -> Option<Range<usize>> {
    let entry = text[line.first..label.end].trim_start_matches(['-', ' ', '{', '"']);
    let named = ["name:", "name\":", "key:", "key\":"]
        .iter()
        .any(|start| starts_with_ignoring_case(entry, start));
    let ends = text[label.end..line.end]
        .trim_start_matches(['"', '\'', ',', ' '])
        .is_empty();
    if !label.identifier || !named || !ends || line.end >= text.len() {
        return None;
    }
    let next = Line::at(text, line.end + 1);
    let content = text[next.first..next.end].trim_start_matches('"');
    let after = content
        .strip_prefix("value")
        .map(|rest| rest.strip_prefix('"').unwrap_or(rest))?
        .strip_prefix(':')?;
    let separator = Separator {
        end: next.end - after.len(),
        loose: false,
        colon: true,
        glued: false,
        cell: false,
    };
    in_line(text, &next, &separator, label)
}

/// The length of ` str = ` in `password: str = "x"`.
fn type_before_value(after: &str) -> Option<usize> {
    const TYPE_MAX: usize = 40;
    let head = &after[..floor(after, TYPE_MAX)];
    let equals = head.find('=')?;
    let is_type = head[..equals]
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || " _<>[]&|':.?".contains(c));
    let value = head[equals + 1..].trim_start();
    (is_type && value.starts_with(['"', '\''])).then_some(equals + 1)
}

/// Where the value starts behind the label that ends at `end`, opening quote skipped; for labels with rules of their own.
pub(super) fn value_start(text: &str, line: &Line, end: usize) -> Option<usize> {
    let separator = separator(text, line, end, end)?;
    let opened =
        text[separator.end..line.end].trim_start_matches([' ', '\t', '*', '`', '"', '\'', '\\', '<']);
    Some(line.end - opened.len())
}

/// Judges a value that stands by itself, as in a table's cell.
pub(super) fn is_secret_cell(value: &str, trust: Trust, private: bool) -> bool {
    let setting = Setting {
        trust,
        quoted: false,
        loose: true,
        assigned: false,
        alone: true,
        private,
    };
    values::is_secret(value, setting)
}

fn in_line(text: &str, line: &Line, separator: &Separator, label: Label) -> Option<Range<usize>> {
    let rest = &text[separator.end..line.end];
    let decorated = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
    let glued =
        separator.glued || decorated.len() == rest.len() && text.as_bytes()[separator.end - 1] == b'=';
    let opened = line.end - decorated.len();
    let setting = |quoted, alone| Setting {
        trust: label.trust,
        quoted,
        loose: separator.loose,
        assigned: glued,
        alone,
        private: label.private,
    };
    if let Some(quoted) = extents::quoted(decorated) {
        let range = opened + quoted.start..opened + quoted.end;
        let judged = &text[range.start..range.start + floor(&text[range.clone()], JUDGED_MAX)];
        return values::is_secret(judged, setting(true, true)).then_some(range);
    }
    let mut length = extents::bare(decorated, separator.cell);
    let value = &decorated[..length];
    let alone =
        separator.cell || extents::nothing_more(&decorated[length..floor(decorated, length + JUDGED_MAX)]);
    if !values::is_secret(value, setting(false, alone)) {
        return None;
    }
    if length == floor(decorated, JUDGED_MAX) {
        // A value longer than what is judged goes as a whole.
        length = decorated
            .find(|c| extents::ends_bare(c, separator.cell))
            .unwrap_or(decorated.len());
    }
    if let Some(second) = decorated[length..].strip_prefix(" / ") {
        // `ID/PW: admin / hunter2`: which of the two it is cannot be told.
        length += 3 + extents::bare(second, separator.cell);
    }
    Some(opened..opened + length)
}

/// `Password:` alone on its line, and one strong word on the next, perhaps in a code span, a list or a fence.
fn on_next_line(text: &str, line: &Line, label: Label) -> Option<Range<usize>> {
    let mut at = line.end;
    for _ in 0..3 {
        let start = at + 1;
        let rest = text.get(start..)?;
        let end = start + memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let content = &text[start..end.min(start + floor(rest, JUDGED_MAX))];
        let inner = content.trim_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '`' | '"' | '\''));
        let inner = inner
            .strip_prefix("- ")
            .or_else(|| inner.strip_prefix("* "))
            .unwrap_or(inner);
        let inner = inner.trim_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '*'));
        if !inner.is_empty() && !content.trim_start().starts_with("```") {
            let plausible =
                !inner.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | '|' | '(' | '<'));
            let begins = start + content.find(inner)?;
            let trust = if label.trust == Trust::Password {
                Trust::Password
            } else {
                Trust::Random
            };
            let mut until = begins + inner.len();
            if until == start + content.len() {
                // A value longer than what is judged goes as a whole.
                let rest = &text[until..end];
                until += rest.find(|c| extents::ends_bare(c, false)).unwrap_or(rest.len());
            }
            return (plausible && is_secret_cell(inner, trust, label.private)).then_some(begins..until);
        }
        at = end;
    }
    None
}

/// `passphrase: correct horse battery staple`: four to twelve plain words, with nothing behind them, that make no sentence.
fn passphrase(text: &str, line: &Line, start: usize) -> Option<Range<usize>> {
    /// Words that hold a sentence together, or that talk about a passphrase.
    const TALK: &str = "\
        the and for are was were has have had not but you your our its with from that this than then when where what \
        which who why how all any can must may will would should could does did use used uses using ask asks see get \
        gets set sets via per also only just now new old own each every some more most less least into over under \
        about after before until while since because without within between again already still yet never always once \
        here there them they these those their been being please keep kept make made passphrase passphrases password \
        passwords phrase secret secrets key keys keychain keyring vault manager prompt prompts agent file files config \
        team lead admin user users login ssh gpg stored saved written wrote asked sent shared moved changed rotated \
        updated removed added fixed broken expired expires missing required needed needs optional unknown unchanged \
        works working fails failed tested length words characters chars letters minimum maximum policy reset setup \
        strong weak long short same empty none todo redacted handling support check checks cached cache generated \
        encrypted unlocks yesterday today tomorrow week month test tests ready later done";
    const WORDS_MAX: usize = 13;
    let rest = &text[start..line.end];
    let bare = rest.trim_start_matches([' ', '\t', '*']);
    let value = bare.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '.'));
    let is_plain = |word: &str| {
        let small = word
            .strip_prefix(|c: char| c.is_ascii_uppercase())
            .unwrap_or(word);
        (3..=10).contains(&word.len()) && small.bytes().all(|b| b.is_ascii_lowercase())
    };
    let talks = |word: &str| {
        ["tion", "ment"].iter().any(|ending| word.ends_with(ending))
            || TALK
                .split_ascii_whitespace()
                .any(|it| it.eq_ignore_ascii_case(word))
    };
    let mut words = 0;
    for word in value.split(' ').take(WORDS_MAX) {
        let is_number = word.len() <= 4 && innocent::is_number(word);
        if !is_number && (!is_plain(word) || talks(word)) {
            return None;
        }
        words += usize::from(!is_number);
    }
    let begins = line.end - bare.len();
    (4..WORDS_MAX)
        .contains(&words)
        .then_some(begins..begins + value.len())
}

/// A long `sig=` parameter of a signed URL.
fn signature(text: &str, line: &Line, at: &Range<usize>) -> Option<Range<usize>> {
    if !text[line.start..at.start].ends_with(['?', '&']) {
        return None;
    }
    let rest = &text[at.end..line.end];
    let length = rest
        .bytes()
        .take_while(|&b| b.is_ascii_alphanumeric() || b"%+/=-_".contains(&b))
        .count();
    let judged = &rest[..length.min(JUDGED_MAX)];
    (length >= 20 && innocent::has_digit(judged) && innocent::has_letter(judged))
        .then_some(at.end..at.end + length)
}

/// Twelve or more plain words behind *seed phrase*, *recovery phrase* or *mnemonic*.
fn phrase(text: &str, line: &Line, end: usize) -> Option<Range<usize>> {
    let start = value_start(text, line, end)?;
    let mut words = 0;
    let mut length = 0;
    for word in text[start..line.end].split(' ').take(24) {
        let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
        if !(3..=8).contains(&letters) {
            break;
        }
        words += 1;
        length += usize::from(words > 1) + letters;
        if letters < word.len() {
            break;
        }
    }
    (words >= 12).then_some(start..start + length)
}
