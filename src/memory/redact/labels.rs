//! A word that announces a secret, and the value it announces.
//!
//! `password: x`, `"password": "x"`, `export DB_PASSWORD=x`, `var dbPassword string = "x"`, `--password x`, `the token (x)`,
//! `<password>x</password>`, `name="password" value="x"`, `| password | x |`, `password is x`, `密码：x`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::super::text::head;
use super::extent::{self, JUDGED_MAX, Line, bare, floor, nothing_more, place, quoted, run};
use super::layout;
use super::rules::{Lazy, pattern};
use super::values::{self, Setting, Trust, has_digit};
use super::words::{self, lines};

/// The kinds of words that announce a secret: the lists in which they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Password,
    Pass,
    Secret,
    Key,
    Token,
    Code,
}

/// What a word turned out to announce.
#[derive(Clone, Copy)]
pub(super) struct Label {
    pub(super) trust: Trust,
    pub(super) start: usize,
    /// Where the label ends, endings such as `_PROD` or `s` included.
    pub(super) end: usize,
}

/// How much of a longer name may follow a word, in bytes.
const NAME_MAX: usize = 40;

/// Chinese, Japanese and Korean letters have higher numbers than this.
const FIRST_OF_EAST_ASIA: char = '\u{2e80}';

/// What the word at `at` is, with the letters around it taken into account.
pub(super) fn label(
    text: &str,
    line: &Line,
    at: &Range<usize>,
    word: Word,
    inflected: bool,
) -> Option<Label> {
    let own = text[at.clone()].trim_start_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
    let own = own.trim_end();
    let at = place(own, text);
    let before = line.before(text, at.start);
    // The line before it may say what a key is for.
    let near = floor(text, at.start.saturating_sub(NAME_MAX));
    let identifier = before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let capital = own.starts_with(|c: char| c.is_ascii_uppercase())
        && before.ends_with(|c: char| c.is_ascii_lowercase());
    let apart = capital || !before.ends_with(char::is_alphanumeric);
    // An option begins anew: `--access public --token x`.
    let owner = if before.ends_with("--") { "" } else { before };
    let owner = owner.trim_end_matches([' ', '-', '_', '.', '\t']);
    let purpose = owner.to_ascii_lowercase();
    let upper = !own.bytes().any(|b| b.is_ascii_lowercase());
    let mut trust = match word {
        // Neither the `pw` in the middle of a word nor a path's part.
        Word::Password
            if !apart && (own.len() < 4 + usize::from(inflected) || own.ends_with(['/', ':', '='])) =>
        {
            return None;
        }
        Word::Password => Trust::Password,
        // A verb more often than a label.
        Word::Pass => {
            let inside = before.ends_with(['_', '-']) || words::ends("inside", &purpose);
            let assigned = before.ends_with(' ')
                && !words::is_last("counted", owner)
                && pattern("assigned").is_match(&text.as_bytes()[at.end..line.end]);
            let opens = || pattern("opens").is_match(before.as_bytes());
            if !(inside || capital || assigned || opens()) {
                return None;
            }
            Trust::Strong
        }
        Word::Secret => Trust::Secret,
        // An account's, or the name of something in a browser's.
        Word::Key if purpose.ends_with("storage") => Trust::Random,
        Word::Key if words::is_last("common", owner) => return None,
        // `config.token` is a member and no kind of token.
        Word::Token if !before.ends_with('.') && words::is_last("common", owner) => return None,
        Word::Key if words::ends("purpose", &purpose) => Trust::Secret,
        // `WiFi Guest, key x`
        Word::Key if apart && words::within("network", &text[near..at.start].to_ascii_lowercase()) => {
            Trust::Strong
        }
        // `the Asana key x`
        Word::Key if apart || before.ends_with('_') || identifier && upper => Trust::Random,
        Word::Key => return None,
        Word::Token if identifier && upper || words::ends("purpose", &purpose) => Trust::Secret,
        Word::Token => Trust::Random,
        Word::Code if words::has("generic", &own.to_lowercase()) => {
            let around = &text[near..floor(text, line.end.min(at.end + NAME_MAX))];
            opens_something(around).then_some(Trust::Code)?
        }
        // Another word may stand right before one that is written without spaces.
        Word::Code if !apart && own.starts_with(|c| c < FIRST_OF_EAST_ASIA) => return None,
        Word::Code => Trust::Code,
    };
    let sign = usize::from(own.ends_with([':', '=']));
    let letters = text[at.end..line.end].chars().take(if inflected { 4 } else { 0 });
    let ending = letters.take_while(|c| c.is_alphabetic()).map(char::len_utf8);
    let mut end = at.end - sign + ending.sum::<usize>();
    // `(s)`, `TOKEN_2`, `password 1`, `SMTP_PASSWORD_PROD`.
    let near = &text.as_bytes()[end..floor(text, line.end.min(end + NAME_MAX))];
    if let Some(tail) = pattern("label-tail").captures(near) {
        end += tail.get(1).map_or(0, |tail| tail.len());
        if trust == Trust::Password && tail.get(2).is_some() {
            trust = Trust::Strong;
        }
    }
    let rest = &text[end..line.end];
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let longer = run(rest, NAME_MAX, is_name);
    // `密码x`: those who write so put no space. `__password__` is no other name.
    if own.is_ascii() && rest[..longer].contains(|c| c != '_') {
        // `secretString`, `token_for_ci`: whatever it is called, what is random is none of its settings.
        let goes_on = rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase());
        if !goes_on || !matches!(word, Word::Password | Word::Secret | Word::Token) {
            return None;
        }
        // A passkey's `credentialId` is sent in the clear, unlike the `secret_id` of a vault.
        let name = text[at.start..end + longer].to_ascii_lowercase();
        if words::ends("reference", &name) && !matches!(&*name, "secretid" | "secret_id") {
            return None;
        }
        if words::begins("same", rest).is_none() {
            trust = Trust::Random;
        }
        end += longer;
    }
    // The word before a key is part of its name.
    let name = before.trim_end_matches(|c| c == ' ' && word == Word::Key);
    let name = name.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let name = before[name.len()..].trim_start_matches(['-', '.', ' ']).len();
    Some(Label {
        trust,
        start: at.start - name,
        end,
    })
}

/// Whether the words around "code" say what it opens, a door or an account, and there is a place for a number.
fn opens_something(around: &str) -> bool {
    let has_place = has_digit(around) || around.contains(['|', ':']);
    let is_such = |word: &str| words::begins("opens", word).is_some();
    has_place
        && around
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(is_such)
}

/// The value that the label announces, if it is a secret.
pub(super) fn value(
    text: &str,
    line: &Line,
    label: &Label,
    found: &mut Vec<Range<usize>>,
) -> Option<Range<usize>> {
    if let Some(strict) = beside_its_name(text, label) {
        return in_line(text, &Line::at(text, strict.end), strict, label);
    }
    let sign = separator(text, line, label);
    // A heading's topic is no value, whatever the word before the colon, but for a single word.
    let is_single = |it: Separator| !text[it.end..line.end].trim().contains(char::is_whitespace);
    let here = match label.trust {
        trust if !line.is_heading || trust == Trust::Code => trust,
        Trust::Password if sign.is_some_and(is_single) => Trust::Strong,
        _ => Trust::Random,
    };
    let value = sign.and_then(|it| {
        in_line(
            text,
            line,
            it,
            &Label {
                trust: here,
                ..*label
            },
        )
    });
    let value = value.or_else(|| before_it(text, line, label));
    if value.is_none() {
        layout::below(text, line, label, found);
        layout::around(text, line, label, found);
    }
    value
}

/// `x is the new password`, `use x as password for db`, `x (the password)`, `assert_equal "x", user.password`.
fn before_it(text: &str, line: &Line, label: &Label) -> Option<Range<usize>> {
    let (before, rest) = (line.before(text, label.start), &text[label.end..line.end]);
    let ends = rest.starts_with(['.', '!', ')']) || rest.starts_with(" for ") || nothing_more(rest);
    if !before.ends_with([' ', '(', '=', '"', '\'']) {
        return None;
    }
    let found = pattern("before").captures(before.as_bytes())?;
    let is_compared = found.get(2).is_some();
    // `(PASS)` is a result.
    let said = ends && !(before.ends_with('(') && label.trust == Trust::Strong);
    let value = before.get(found.iter().skip(1).flatten().last()?.range())?;
    if !said && !is_compared {
        return None;
    }
    is_secret_cell(value, label).then(|| place(value, text))
}

/// Judges a value that stands by itself, as in a table's cell.
pub(super) fn is_secret_cell(value: &str, label: &Label) -> bool {
    label.trust == Trust::Password && values::phrase(value) == Some(value.len())
        || !value.contains(char::is_whitespace) && values::is_secret(value, "", Setting::alone(label.trust))
}

fn in_line(text: &str, line: &Line, separator: Separator, label: &Label) -> Option<Range<usize>> {
    let rest = text.get(separator.end..line.end)?;
    let decorated = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '|'));
    let tags = pattern("markup").find(&decorated.as_bytes()[..floor(decorated, JUDGED_MAX)]);
    let decorated = &decorated[tags.map_or(0, |tags| tags.end())..];
    let name = &text[label.start..label.end];
    let guessed = separator.is("guessed");
    let behind_equals = decorated.len() == rest.len() && text[..separator.end].ends_with('=');
    let assigned = separator.is("glued") || behind_equals && !name.contains(' ');
    let opened = line.end - decorated.len();
    let judge = |value: &str, quoted: bool, alone: bool| {
        let setting = Setting {
            trust: label.trust,
            quoted,
            loose: separator.is("loose"),
            assigned,
            alone,
        };
        let bracketed =
            text[..separator.end].ends_with(['(', '[', '{', '<']) && label.trust == Trust::Password;
        let believed = |value: &str| {
            !guessed
                || values::is_unmistakable(value, label.trust, alone)
                || bracketed && values::is_apart(value)
        };
        let opened = value.strip_prefix(['<', '[', '{', '(']);
        let enclosed = opened.and_then(|it| it.strip_suffix(['>', ']', '}', ')']));
        let is_odd = |it: &str| {
            values::is_unmistakable(it, label.trust, alone) && values::is_secret(it, name, setting)
        };
        believed(value) && values::is_secret(value, name, setting) || quoted && enclosed.is_some_and(is_odd)
    };
    if let Some(value) = quoted(decorated) {
        return judge(head(value, JUDGED_MAX), true, true).then(|| place(value, text));
    }
    let phrase = (label.trust == Trust::Password).then(|| values::phrase(decorated));
    let ends = |length: &usize| !guessed || decorated[*length..].trim().is_empty();
    if let Some(length) = phrase.flatten().filter(ends) {
        return Some(opened..opened + length);
    }
    let length = bare(decorated);
    let rest = &decorated[length..floor(decorated, length + JUDGED_MAX)];
    // A word with a sentence behind it may be one's beginning, a long number not.
    let alone = nothing_more(rest) || length >= 6 && values::is_number(&decorated[..length]) && !guessed;
    if !judge(&decorated[..length], false, alone) {
        // `password: old → x`
        let inner = rest.trim_start();
        let is_word = decorated[..length].bytes().all(|b| b.is_ascii_alphabetic());
        let sign = words::begins("arrow", inner)
            .filter(|sign| is_word && (*sign != "to " || text[..opened].ends_with("from ")))?;
        let begins = opened + length + rest.len() - inner.len() + sign.len();
        let value = text[begins..line.end].trim_start_matches([' ', '`', '"', '\'', '*']);
        let value = &value[..bare(value)];
        return is_secret_cell(value, label).then(|| place(value, text));
    }
    let mut end = extent::whole(text, line, opened, opened + length);
    if let Some(second) = text[end..line.end].strip_prefix(" / ") {
        // `ID/PW: admin / hunter2`: which of the two it is cannot be told.
        end += 3 + bare(second);
    }
    Some(opened..end)
}

/// What may stand between a label and its value: `:`, `=`, `is`, a type, a table's bar, a flag's space, brackets, tags.
#[derive(Clone, Copy)]
struct Separator {
    end: usize,
    /// As in the table (`separators.txt`).
    flags: &'static str,
}

impl Separator {
    fn is(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}

static ROWS: LazyLock<Vec<(&str, Lazy)>> = LazyLock::new(|| {
    let rows = lines(include_str!("separators.txt")).filter_map(|line| line.split_once(" := "));
    rows.map(|(flags, text)| (flags, Lazy::new(text))).collect()
});

/// Finds where in a stretch of the text around a label the empty group of a pattern is, with marks around the label.
fn finder(text: &str, label: &Label, from: usize, to: usize) -> impl Fn(&Regex) -> Option<usize> {
    let name = &text[label.start..label.end];
    let kind = match label.trust {
        Trust::Password | Trust::Strong if words::begins("english", name).is_none() => "F",
        Trust::Password | Trust::Strong => "P",
        Trust::Code => "C",
        Trust::Random => "T",
        Trust::Secret => "S",
    };
    let before = &text[from..label.start];
    let marked = [before, "\u{1}", kind, name, "\u{2}", &text[label.end..to]].concat();
    // Behind the label stand three signs more than in the text, before it none.
    let label_end = before.len() + 2 + name.len();
    move |pattern| {
        let found = pattern.captures(marked.as_bytes())?;
        let at = found.iter().skip(1).flatten().next();
        let at = at.map_or(0, |place| place.start());
        Some(from + if at > label_end { at - 3 } else { at })
    }
}

/// What stands before the value in `name: DB_PASSWORD` with `value: x` behind it, on the same line or the next, and its kin.
fn beside_its_name(text: &str, label: &Label) -> Option<Separator> {
    /// Between a name and its value stand a few tags and the indentation of a line.
    const NEAR: usize = 120;
    let (from, to) = (
        floor(text, label.start.saturating_sub(NEAR)),
        floor(text, label.end + NEAR),
    );
    let find = finder(text, label, from, to);
    let mut ends = ["given-next", "given-first"]
        .iter()
        .filter_map(|name| find(pattern(name)));
    let flags = "strict";
    ends.next().map(|end| Separator { end, flags })
}

/// What separates a label from its value, if a separator follows it at all.
fn separator(text: &str, line: &Line, label: &Label) -> Option<Separator> {
    /// The name of a cell, and a value with what separates it from its label. What is further away belongs to something else.
    const BEFORE: usize = 48;
    const AFTER: usize = 192;
    let from = floor(text, line.start.max(label.start.saturating_sub(BEFORE)));
    let to = floor(text, line.end.min(label.end + AFTER));
    // Neither a token nor a code is without digits; most of what is said of them is.
    let needs_digit = matches!(label.trust, Trust::Random | Trust::Code);
    if needs_digit && !has_digit(&text[label.end..to]) {
        return None;
    }
    let find = finder(text, label, from, to);
    let mut ends = ROWS
        .iter()
        .filter_map(|(flags, row)| Some((*flags, find(row.get())?)));
    let (flags, end) = ends.next().filter(|(flags, _)| *flags != "none")?;
    Some(Separator { end, flags })
}
