//! A word that announces a secret, and the value it announces: `password: x`, `export DB_PASSWORD=x`, `--password x`, `the token (x)`,
//! `<password>x</password>`, `name="password" value="x"`, `| password | x |`, `password is x`, `密码：x`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::super::text::head;
use super::extent::{JUDGED_MAX, Line, bare, near, place, quoted};
use super::layout;
use super::rules::{Lazy, is, lazy, pattern};
use super::values::{self, Setting, Trust, has_digit};
use super::words::{self, rows};

#[derive(Clone, Copy)]
pub(super) struct Label<'a> {
    pub(super) line: Line<'a>,
    pub(super) trust: Trust,
    pub(super) start: usize,
    /// Where the label ends, endings such as `_PROD` or `s` included.
    pub(super) end: usize,
}

impl<'a> Label<'a> {
    pub(super) fn name(&self) -> &'a str {
        &self.line.text[self.start..self.end]
    }

    /// What stands in its line before it, without the indentation.
    pub(super) fn lead(&self) -> &'a str {
        &self.line.text[self.line.first..self.start]
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.line.text[self.end..self.line.end]
    }
}

/// How much of a longer name may follow a word, in bytes.
const NAME_MAX: usize = 40;

/// Chinese, Japanese and Korean letters have higher numbers than this.
const FIRST_OF_EAST_ASIA: char = '\u{2e80}';

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// What the word at `at` is, which stands in a list of words, with the letters around it taken into account.
pub(super) fn label<'a>(line: Line<'a>, at: Range<usize>, list: &str, inflected: bool) -> Option<Label<'a>> {
    let text = line.text;
    let own = text[at].trim_start_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
    let own = own.trim_end();
    let at = place(own, text);
    let before = line.before(at.start);
    // The line before it may say what a key is for.
    let nearby = near(text, at.start.saturating_sub(NAME_MAX), at.start);
    let identifier = before.ends_with(is_name);
    let capital = own.starts_with(|c: char| c.is_ascii_uppercase())
        && before.ends_with(|c: char| c.is_ascii_lowercase());
    let apart = capital || !before.ends_with(char::is_alphanumeric);
    // An option begins anew: `--access public --token x`.
    let owner = if before.ends_with("--") { "" } else { before };
    let owner = owner.trim_end_matches([' ', '-', '_', '.', '\t']);
    let upper = !own.bytes().any(|b| b.is_ascii_lowercase());
    let mut trust = match list {
        // Neither the `pw` in the middle of a word nor a path's part.
        "password"
            if !apart && (own.len() < 4 + usize::from(inflected) || own.ends_with(['/', ':', '='])) =>
        {
            return None;
        }
        "password" => Trust::Password,
        // A verb more often than a label.
        "pass" => {
            let assigned = || is("assigned", &text[at.end..line.end]);
            let is_label = before.ends_with(['_', '-'])
                || is("is-inside", owner)
                || capital
                || before.ends_with(' ') && !words::is_last("counted", owner) && assigned()
                || is("opens", before);
            is_label.then_some(Trust::Strong)?
        }
        "secret" => Trust::Secret,
        // An account's, or the name of something in a browser's.
        "key" if owner.to_ascii_lowercase().ends_with("storage") => Trust::Random,
        // `config.token` is a member and no kind of token.
        "key" | "token" if (list == "key" || !before.ends_with('.')) && words::is_last("common", owner) => {
            return None;
        }
        "key" | "token" if is("tells-purpose", owner) => Trust::Secret,
        // `WiFi Guest, key x`
        "key" if apart && is("of-network", nearby) => Trust::Strong,
        // `the Asana key x`
        "key" => (apart || before.ends_with('_') || identifier && upper).then_some(Trust::Random)?,
        "token" if identifier && upper => Trust::Secret,
        "token" => Trust::Random,
        _ if words::has("generic", &own.to_lowercase()) => {
            let around = [nearby, line.within(at.start, at.end + NAME_MAX)].concat();
            opens_something(&around).then_some(Trust::Code)?
        }
        // Another word may stand right before one that is written without spaces.
        _ if !apart && own.starts_with(|c| c < FIRST_OF_EAST_ASIA) => return None,
        _ => Trust::Code,
    };
    let sign = usize::from(own.ends_with([':', '=']));
    let letters = text[at.end..line.end].chars().take(if inflected { 4 } else { 0 });
    let ending = letters.take_while(|c| c.is_alphabetic()).map(char::len_utf8);
    let mut end = at.end - sign + ending.sum::<usize>();
    // `(s)`, `TOKEN_2`, `password 1`, `SMTP_PASSWORD_PROD`.
    let behind = line.within(end, end + NAME_MAX);
    if let Some(tail) = pattern("label-tail").captures(behind.as_bytes()) {
        end += tail.get(1).map_or(0, |tail| tail.len());
        if trust == Trust::Password && tail.get(2).is_some() {
            trust = Trust::Strong;
        }
    }
    let rest = &text[end..line.end];
    let behind = head(rest, NAME_MAX);
    let longer = behind.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let longer = &behind[..behind.len() - longer.len()];
    // `密码x`: those who write so put no space. `__password__` is no other name.
    if own.is_ascii() && longer.contains(|c| c != '_') {
        // `secretString`, `token_for_ci`: whatever it is called, what is random is none of its settings.
        let goes_on = longer.starts_with(|c: char| c == '_' || c.is_ascii_uppercase());
        // A passkey's `credentialId` is sent in the clear, unlike the `secret_id` of a vault.
        let name = text[at.start..end + longer.len()].to_ascii_lowercase();
        let refers = is("refers", &name) && !is("secret-id", &name);
        if !goes_on || refers || !matches!(list, "password" | "secret" | "token") {
            return None;
        }
        if words::begins("same", rest).is_none() {
            trust = Trust::Random;
        }
        end += longer.len();
    }
    // The word before a key is part of its name.
    let name = before.trim_end_matches(|c| c == ' ' && list == "key");
    let name = &before[name.trim_end_matches(is_name).len()..];
    let start = at.start - name.trim_start_matches(['-', '.', ' ']).len();
    Some(Label { line, trust, start, end })
}

/// Whether the words around "code" say what it opens, a door or an account, and there is a place for a number.
fn opens_something(around: &str) -> bool {
    let around = around.to_lowercase();
    let mut words = around.split(|c: char| !c.is_alphanumeric());
    (has_digit(&around) || around.contains(['|', ':']))
        && words.any(|it| words::begins("opens", it).is_some())
}

/// The value that the label announces, if it is a secret. Adds what is secret elsewhere.
pub(super) fn value(label: &Label, found: &mut Vec<Range<usize>>) -> Option<Range<usize>> {
    let (line, text) = (&label.line, label.line.text);
    if let Some(at) = beside_its_name(label) {
        let line = Line::at(text, at);
        return in_line(&Label { line, ..*label }, at, "strict", label.trust);
    }
    let sign = separator(label);
    // A heading's topic is no value, whatever the word before the colon, but for a single word.
    let is_single = |(at, _)| !text[at..line.end].trim().contains(char::is_whitespace);
    let trust = match label.trust {
        trust if !line.is_heading || trust == Trust::Code => trust,
        Trust::Password if sign.is_some_and(is_single) => Trust::Strong,
        _ => Trust::Random,
    };
    let value = sign.and_then(|(at, flags)| in_line(label, at, flags, trust));
    let value = value.or_else(|| before_it(label));
    if value.is_none() {
        found.extend(layout::below(label));
        found.extend(layout::around(label));
    }
    value
}

/// `x is the new password`, `use x as password for db`, `x (the password)`, `assert_equal "x", user.password`.
fn before_it(label: &Label) -> Option<Range<usize>> {
    let (before, rest) = (label.line.before(label.start), label.rest());
    if !before.ends_with([' ', '(', '=', '"', '\'']) {
        return None;
    }
    let found = pattern("before").captures(before.as_bytes())?;
    let value = before.get(found.iter().skip(1).flatten().last()?.range())?;
    let is_compared = found.get(2).is_some();
    let ends = rest.starts_with(['.', '!', ')']) || rest.starts_with(" for ") || is("nothing-more", rest);
    // `(PASS)` is a result.
    let said = ends && !(before.ends_with('(') && label.trust == Trust::Strong);
    let is_secret = (said || is_compared) && is_secret_cell(value, label.trust);
    is_secret.then(|| place(value, label.line.text))
}

/// Judges a value that stands by itself, as in a table's cell.
pub(super) fn is_secret_cell(value: &str, trust: Trust) -> bool {
    trust == Trust::Password && values::phrase(value) == Some(value.len())
        || !value.contains(char::is_whitespace) && values::is_secret(value, "", Setting::alone(trust))
}

/// The value that begins at `at`, behind a separator with these flags (`separators.txt`).
fn in_line(label: &Label, at: usize, flags: &str, trust: Trust) -> Option<Range<usize>> {
    let (line, text, name) = (&label.line, label.line.text, label.name());
    let (before, rest) = (&text[..at], text.get(at..line.end)?);
    let decorated = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '|'));
    let tags = pattern("markup").find(head(decorated, JUDGED_MAX).as_bytes());
    let decorated = &decorated[tags.map_or(0, |tags| tags.end())..];
    let guessed = flags.contains("guessed");
    let behind_equals = decorated.len() == rest.len() && before.ends_with('=');
    let setting = |quoted, alone| Setting {
        trust,
        quoted,
        loose: flags.contains("loose"),
        assigned: flags.contains("glued") || behind_equals && !name.contains(' '),
        alone,
    };
    let bracketed = before.ends_with(['(', '[', '{', '<']) && trust == Trust::Password;
    let judge = |value: &str, setting: Setting| {
        let is_odd = values::is_unmistakable(value, trust, setting.alone);
        (!guessed || is_odd || bracketed && values::is_apart(value))
            && values::is_secret(value, name, setting)
    };
    if let Some(value) = quoted(decorated) {
        let (judged, setting) = (head(value, JUDGED_MAX), setting(true, true));
        let opened = judged.strip_prefix(['<', '[', '{', '(']);
        let enclosed = opened.and_then(|it| it.strip_suffix(['>', ']', '}', ')']));
        let is_odd =
            |it: &str| values::is_unmistakable(it, trust, true) && values::is_secret(it, name, setting);
        let is_secret = judge(judged, setting) || enclosed.is_some_and(is_odd);
        return is_secret.then(|| with_next(line, place(value, text), trust));
    }
    let start = place(decorated, text).start;
    let phrase = values::phrase(decorated).filter(|_| trust == Trust::Password);
    if let Some(length) = phrase.filter(|it| !guessed || decorated[*it..].trim().is_empty()) {
        return Some(with_next(line, start..start + length, trust));
    }
    let value = bare(decorated);
    let end = start + value.len();
    let rest = line.behind(end);
    // A word with a sentence behind it may be one's beginning, a long number not.
    let alone = is("nothing-more", rest) || value.len() >= 6 && values::is_number(value) && !guessed;
    if judge(value, setting(false, alone)) {
        let whole = line.whole(start..end);
        // `ID/PW: admin / hunter2`: which of the two it is cannot be told.
        return Some(match text[whole.end..line.end].strip_prefix(" / ") {
            Some(second) => whole.start..place(bare(second), text).end,
            None => with_next(line, whole, trust),
        });
    }
    // "old" is a word: `password: old → x`.
    let is_word = value.bytes().all(|b| b.is_ascii_alphabetic());
    next_value(line, &(start..end), trust).filter(|_| is_word)
}

/// A value and the one that replaced it.
fn with_next(line: &Line<'_>, old: Range<usize>, trust: Trust) -> Range<usize> {
    let next = next_value(line, &old, trust);
    old.start..next.map_or(old.end, |next| next.end)
}

/// The value behind an old one, `old → x`, "from old to x".
fn next_value(line: &Line<'_>, old: &Range<usize>, trust: Trust) -> Option<Range<usize>> {
    const MARKS: [char; 5] = [' ', '`', '"', '\'', '*'];
    let text = line.text;
    let behind = text.get(old.end..line.end)?.trim_start_matches(MARKS);
    let is_meant =
        |sign: &&str| *sign != "to " || text[..old.start].trim_end_matches(MARKS).ends_with("from");
    let sign = words::begins("arrow", behind).filter(is_meant)?;
    let new = bare(behind[sign.len()..].trim_start_matches(MARKS));
    is_secret_cell(new, trust).then(|| line.whole(place(new, text)))
}

/// What may stand between a label and its value: `:`, `=`, `is`, a type, a table's bar, a flag's space, brackets, tags.
static SEPARATORS: LazyLock<Vec<(&str, Lazy)>> = LazyLock::new(|| {
    let rows = rows(include_str!("separators.txt"));
    rows.map(|(flags, text)| (flags, lazy(text))).collect()
});

/// Finds where the empty group of a pattern is in what stands around a label, with marks around the label.
fn finder(label: &Label, before: &str, behind: &str) -> impl Fn(&Regex) -> Option<usize> {
    let name = label.name();
    let kind = match label.trust {
        Trust::Password | Trust::Strong if words::begins("english", name).is_none() => "F",
        Trust::Password | Trust::Strong => "P",
        Trust::Code => "C",
        Trust::Random => "T",
        Trust::Secret => "S",
    };
    let marked = [before, "\u{1}", kind, name, "\u{2}", behind].concat();
    // Behind the label stand three signs more than in the text, before it none.
    let (from, label_end) = (label.start - before.len(), before.len() + 2 + name.len());
    move |pattern| {
        let found = pattern.captures(marked.as_bytes())?;
        let at = found.iter().skip(1).flatten().next().map_or(0, |place| place.start());
        Some(from + if at > label_end { at - 3 } else { at })
    }
}

/// Where the value begins in `name: DB_PASSWORD` with `value: x` behind it, on the same line or the next, and its kin.
fn beside_its_name(label: &Label) -> Option<usize> {
    /// Between a name and its value stand a few tags and the indentation of a line.
    const NEAR: usize = 120;
    let text = label.line.text;
    let before = near(text, label.start.saturating_sub(NEAR), label.start);
    let find = finder(label, before, near(text, label.end, label.end + NEAR));
    find(pattern("given-next")).or_else(|| find(pattern("given-first")))
}

/// Where the value begins behind what separates it from its label, if a separator follows it at all, and the separator's flags.
fn separator(label: &Label) -> Option<(usize, &'static str)> {
    /// The name of a cell, and a value with what separates it from its label. What is further away belongs to something else.
    const BEFORE: usize = 48;
    const BEHIND: usize = 192;
    let before = label.line.within(label.start.saturating_sub(BEFORE), label.start);
    let behind = label.line.within(label.end, label.end + BEHIND);
    // Neither a token nor a code is without digits; most of what is said of them is.
    if matches!(label.trust, Trust::Random | Trust::Code) && !has_digit(behind) {
        return None;
    }
    let find = finder(label, before, behind);
    let mut ends = SEPARATORS.iter().filter_map(|(flags, row)| Some((find(row)?, *flags)));
    ends.next().filter(|(_, flags)| *flags != "none")
}
