//! Tokens that tell by their own look what they are, commands and places where a secret has no name (`rules.txt`), private keys;
//! what all of this module matches texts with (`patterns.txt`).
//!
//! A failed look takes a bounded stretch, so a long line of prefixes stays cheap.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use memchr::{memchr_iter, memchr3_iter};
use regex::bytes::{Captures, Regex, RegexBuilder};
use rustc_hash::FxHashMap;

use super::extent::{floor, place, run, run_before};
use super::values::{self, Trust};
use super::words::{self, lines};

/// Where a rule is tried, and what it takes for a secret.
pub(super) struct Rule {
    /// The beginnings that call for it.
    pub(super) hints: Vec<String>,
    /// What matches behind the hint, or around it, its first group (or all of it) the secret.
    regex: Lazy,
    /// Whether it matches what stands behind a prefix, which is a part of the secret.
    is_tail: bool,
    /// It is looked for from so many bytes before the hint on.
    before: usize,
    /// What the secret must look like as well.
    believed: fn(&str) -> bool,
}

pub(super) static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| lines(include_str!("rules.txt")).filter_map(rule).collect());

fn rule(line: &'static str) -> Option<Rule> {
    let (head, pattern) = line.split_once(" := ").unwrap_or((line, ""));
    let mut words = head.split_ascii_whitespace();
    let kind = words.next()?;
    let (pattern, before) = match kind {
        "tail" => (format!("^{}{{{},}}", words.next()?, words.next()?), 0),
        _ => (pattern.to_owned(), words.next()?.parse().ok()?),
    };
    Some(Rule {
        hints: words.map(|hint| hint.replace('·', " ")).collect(),
        regex: Lazy::new(pattern),
        is_tail: kind == "tail",
        before,
        believed: match kind {
            "draw" => |value| values::is_drawn(value.as_bytes()),
            "pass" => values::is_password,
            "cred" => |value| values::is_credential(value, 16, 24),
            "bear" => |value| values::has_letter(value) && values::is_credential(value, 20, 32),
            "rand" => values::is_random,
            "key" => values::is_key,
            "odd" => {
                |value| values::is_password(value) && values::is_unmistakable(value, Trust::Password, true)
            }
            _ => |_| true,
        },
    })
}

fn is_dashed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The patterns of `patterns.txt` by their names.
static PATTERNS: LazyLock<FxHashMap<&str, Lazy>> = LazyLock::new(|| {
    let rows = lines(include_str!("patterns.txt")).filter_map(|line| line.split_once(" := "));
    rows.map(|(name, text)| (name, Lazy::new(text))).collect()
});

pub(super) fn pattern(name: &str) -> &'static Regex {
    PATTERNS[name].get()
}

/// A pattern that is made when it is first needed, as most never are.
pub(super) struct Lazy {
    text: Cow<'static, str>,
    made: OnceLock<Regex>,
}

impl Lazy {
    pub(super) fn new(text: impl Into<Cow<'static, str>>) -> Self {
        let (text, made) = (text.into(), OnceLock::new());
        Self { text, made }
    }

    pub(super) fn get(&self) -> &Regex {
        self.made.get_or_init(|| regex(&self.text))
    }
}

/// What the first group of a pattern that takes part matches in a text.
pub(super) fn group<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let found = pattern(name).captures(text.as_bytes())?;
    let group = found.iter().skip(1).flatten().next()?;
    text.get(group.range())
}

fn regex(pattern: &str) -> Regex {
    let built = RegexBuilder::new(&expanded(pattern)).unicode(false).build();
    built.expect("a pattern of this module is valid")
}

/// A pattern with what the names in it stand for.
fn expanded(pattern: &str) -> String {
    let mut text = pattern.to_owned();
    while let Some((before, rest)) = text.split_once('«') {
        let (name, after) = rest.split_once('»').expect("a name ends");
        let alternatives = || {
            let words: Vec<String> = words::list(name).iter().map(|word| regex::escape(word)).collect();
            words.join("|")
        };
        let part = PATTERNS.get(name).map(|part| part.text.clone().into_owned());
        text = [before, &part.unwrap_or_else(alternatives), after].concat();
    }
    text.replace('␁', r"\x01").replace('␂', r"\x02")
}

impl Rule {
    #[cfg(test)]
    pub(super) fn is_valid(&self) -> bool {
        self.regex.get().captures_len() <= 4
    }

    /// The token that stands where a hint stands, `written` as the rule has it.
    pub(super) fn token(&self, text: &[u8], hint: &Range<usize>, written: &str) -> Option<Range<usize>> {
        let before = hint.start.checked_sub(1).map_or(b' ', |at| text[at]);
        let exact = text[hint.clone()] == *written.as_bytes();
        match self.is_tail {
            // `task-` is no `sk-`. A longer prefix is nobody's ending.
            true if hint.len() < 4 && before.is_ascii_alphabetic() => None,
            true => self.tail(text, hint, exact),
            false => self.around(text, hint, exact, before),
        }
    }

    fn tail(&self, text: &[u8], hint: &Range<usize>, exact: bool) -> Option<Range<usize>> {
        /// Longer tokens are judged by their first part.
        const JUDGED_MAX: usize = 128;
        let rest = &text[hint.end..];
        let body = self.regex.get().find(&rest[..rest.len().min(JUDGED_MAX)])?;
        let judged = hint.start..hint.end + body.len();
        let shouted = !text[judged].iter().any(u8::is_ascii_lowercase);
        if !(exact || shouted) || !values::is_drawn(body.as_bytes()) {
            return None;
        }
        let end = hint.end + self.regex.get().find(rest)?.end();
        let dots = run_before(&text[..end], usize::MAX, |b| matches!(b, b'.' | b'-'));
        Some(hint.start..end - dots)
    }

    fn around(&self, text: &[u8], hint: &Range<usize>, exact: bool, before: u8) -> Option<Range<usize>> {
        /// How far behind its hint a pattern may reach, and one that begins before it: longer than any of them.
        const REACH: usize = 512;
        const REACH_BOTH_WAYS: usize = 160;
        let inside =
            self.before == 0 && before.is_ascii_alphabetic() && text[hint.start].is_ascii_alphanumeric();
        if inside || !exact && !self.regex.text.starts_with("(?i)") {
            return None;
        }
        let reach = if self.before <= 1 { REACH } else { REACH_BOTH_WAYS };
        let window = hint.start.saturating_sub(self.before)..text.len().min(hint.end + reach);
        let is_around = |found: &Captures<'_>| {
            found.get(0).is_some_and(|whole| {
                (window.start + whole.start()..window.start + whole.end()).contains(&hint.start)
            })
        };
        let mut found = self.regex.get().captures_iter(&text[window.clone()]);
        let found = found.find(is_around)?;
        let secret = found.iter().flatten().nth(1).or(found.get(0))?;
        let (start, mut end) = (window.start + secret.start(), window.start + secret.end());
        if end == window.end {
            let belongs = |b: u8| !b.is_ascii() || is_dashed(b) || b".+/=,".contains(&b);
            end += run(&text[end..], usize::MAX, belongs);
        }
        end -= run_before(&text[start..end], usize::MAX, |b| matches!(b, b'.' | b','));
        let value = std::str::from_utf8(&text[start..end]).ok()?;
        ((self.believed)(value) && !values::stands_for_a_value(value)).then_some(start..end)
    }
}

/// Adds the secret key beside the id of a key of AWS: 40 signs of base64 that stand alone.
pub(super) fn beside_aws(text: &[u8], id: &Range<usize>, found: &mut Vec<Range<usize>>) {
    /// Far enough for a table's row or the next lines, near enough to belong together.
    const BEFORE: usize = 200;
    const AFTER: usize = 400;
    if id.len() != 20 || !text[id.clone()].starts_with(b"A") {
        return;
    }
    let from = id.start.saturating_sub(BEFORE + 1);
    let near = &text[from..text.len().min(id.end + AFTER + 1)];
    let keys = pattern("aws-key")
        .captures_iter(near)
        .filter_map(|key| key.get(1));
    let keys = keys.filter(|key| values::has_three_kinds(key.as_bytes()));
    found.extend(keys.map(|key| from + key.start()..from + key.end()));
}

/// Secrets whose only beginning is a single sign: a bot token of Discord (three parts with dots), a long random run behind somebody's
/// prefix and `_` or `-` (hundreds of services write their keys so), `bob:password@host` without a scheme.
pub(super) fn by_sign(text: &[u8], found: &mut Vec<Range<usize>>) {
    /// Behind any sign but `@` a token goes on for longer than words do.
    const RUN_MIN: usize = 27;
    let is_begun = |at: &usize| run(&text[at + 1..], RUN_MIN, is_dashed) == RUN_MIN;
    let runs = memchr3_iter(b'.', b'_', b'-', text).filter(is_begun);
    for at in runs.chain(memchr_iter(b'@', text)) {
        for rule in RULES.iter() {
            let is_sign = |hint: &&String| hint.as_bytes() == [text[at]];
            let sign = rule.hints.iter().find(is_sign);
            found.extend(sign.and_then(|sign| rule.token(text, &(at..at + 1), sign)));
        }
    }
}

/// No key is longer; further away, an END belongs to something else.
const BLOCK_MAX: usize = 32 * 1024;

/// The block that the armour of a private key (PEM of every kind, OpenSSH, PGP, PuTTY) at `at` belongs to: from BEGIN to END, in lines or
/// in one line with `\n`, in quotes, diffs and source code. A key whose END is missing reaches to its last line of key material; one
/// whose BEGIN is missing starts at its first. Certificates and public keys stay, and so does a sentence that only mentions the armour.
pub(super) fn key_block(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    if text[at.clone()].contains("END") {
        let from = floor(text, at.start.saturating_sub(BLOCK_MAX));
        let from = text[from..at.start]
            .rfind("-----")
            .map_or(from, |last| from + last);
        let Range { start, .. } = place(group("key-ended", &text[from..at.start])?, text);
        let end = text[at.end..].find("PRIVATE KEY").filter(|name| *name <= 48)? + at.end;
        return Some(start..end + text[end..].find("----").map_or(0, |dashes| dashes + 5));
    }
    // A list's hyphen before the armour looks like one more of its own.
    let from = at.start - usize::from(text[..at.start].ends_with('-'));
    // Up to the next BEGIN only, so that many of them are read once.
    let rest = &text[at.end..floor(text, at.end + BLOCK_MAX)];
    let window = &text[from..at.end + rest.find("BEGIN ").unwrap_or(rest.len())];
    if let Some(whole) = pattern("key-whole").find(window.as_bytes()) {
        return Some(from..from + whole.end());
    }
    let begun = from + pattern("key-begun").find(window.as_bytes())?.end();
    let last = group("key-last", &text[begun..from + window.len()]);
    Some(from..begun + last.map_or(0, str::len))
}
