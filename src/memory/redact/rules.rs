//! Tokens that tell by their own look what they are, commands and places where a secret has no name (`rules.txt`), private keys;
//! what all of this module matches texts with (`patterns.txt`).

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

use super::extent::{JUDGED_MAX, near, place};
use super::values::{self, Trust};
use super::words::{self, lines, rows};

pub(super) struct Rule {
    pub(super) hints: Vec<String>,
    /// What matches behind the hint, or around it, its first group (or all of it) the secret.
    pub(super) regex: Lazy,
    /// Whether its hints count in any case.
    any_case: bool,
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
        any_case: pattern.starts_with("(?i)"),
        regex: lazy(pattern),
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

/// A pattern that is made when it is first needed, as most never are.
pub(super) type Lazy = LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>;

pub(super) fn lazy(pattern: impl Into<String>) -> Lazy {
    let pattern = pattern.into();
    LazyLock::new(Box::new(move || {
        let built = RegexBuilder::new(&expanded(&pattern)).unicode(false).build();
        built.expect("a pattern of this module is valid")
    }))
}

/// The patterns of `patterns.txt` by their names, as they are written and as they match.
static PATTERNS: LazyLock<FxHashMap<&str, (&str, Lazy)>> = LazyLock::new(|| {
    let rows = rows(include_str!("patterns.txt"));
    rows.map(|(name, text)| (name, (text, lazy(text)))).collect()
});

pub(super) fn pattern(name: &str) -> &'static Regex {
    &PATTERNS[name].1
}

pub(super) fn is(name: &str, value: &str) -> bool {
    pattern(name).is_match(value.as_bytes())
}

/// What the first group of a pattern that takes part matches in a text.
pub(super) fn group<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let found = pattern(name).captures(text.as_bytes())?;
    let group = found.iter().skip(1).flatten().next()?;
    text.get(group.range())
}

/// A pattern with what the names in it stand for.
fn expanded(pattern: &str) -> String {
    let mut text = pattern.to_owned();
    while let Some((before, rest)) = text.split_once('«') {
        let (name, after) = rest.split_once('»').expect("a name ends");
        let words = || words::list(name).iter().map(|word| regex::escape(word));
        let part = PATTERNS.get(name).map(|(part, _)| (*part).to_owned());
        let part = part.unwrap_or_else(|| words().collect::<Vec<_>>().join("|"));
        text = [before, &part, after].concat();
    }
    text.replace('␁', r"\x01").replace('␂', r"\x02")
}

impl Rule {
    /// The token that stands where a hint stands, `written` as the rule has it.
    pub(super) fn token(&self, text: &[u8], hint: &Range<usize>, written: &str) -> Option<Range<usize>> {
        /// A sign is often there: behind any but `@` a token goes on for longer than words do.
        const RUN_MIN: usize = 27;
        let is_dashed = |b: &u8| b.is_ascii_alphanumeric() || b"_-".contains(b);
        let run = text.get(hint.end..hint.end + RUN_MIN);
        let before = hint.start.checked_sub(1).map_or(b' ', |at| text[at]);
        let exact = text[hint.clone()] == *written.as_bytes();
        if matches!(written, "." | "_" | "-") && !run.is_some_and(|run| run.iter().all(is_dashed)) {
            return None;
        }
        match self.is_tail {
            // `task-` is no `sk-`. A longer prefix is nobody's ending.
            true if hint.len() < 4 && before.is_ascii_alphabetic() => None,
            true => self.tail(text, hint, exact),
            false => self.around(text, hint, exact, before),
        }
    }

    fn tail(&self, text: &[u8], hint: &Range<usize>, exact: bool) -> Option<Range<usize>> {
        let rest = &text[hint.end..];
        let body = self.regex.find(&rest[..rest.len().min(JUDGED_MAX)])?;
        let judged = hint.start..hint.end + body.len();
        let shouted = !text[judged].iter().any(u8::is_ascii_lowercase);
        if !(exact || shouted) || !values::is_drawn(body.as_bytes()) {
            return None;
        }
        let end = hint.end + self.regex.find(rest)?.end();
        Some(hint.start..hint.start + trimmed(&text[hint.start..end], b".-"))
    }

    fn around(&self, text: &[u8], hint: &Range<usize>, exact: bool, before: u8) -> Option<Range<usize>> {
        /// How far behind its hint a pattern may reach, and one that begins before it: longer than any of them.
        const REACH: usize = 512;
        const REACH_BOTH_WAYS: usize = 160;
        let inside =
            self.before == 0 && before.is_ascii_alphabetic() && text[hint.start].is_ascii_alphanumeric();
        if inside || !exact && !self.any_case {
            return None;
        }
        let reach = if self.before <= 1 { REACH } else { REACH_BOTH_WAYS };
        let window = hint.start.saturating_sub(self.before)..text.len().min(hint.end + reach);
        let around = hint.start - window.start;
        let mut found = self.regex.captures_iter(&text[window.clone()]);
        let found = found.find(|it| it.get(0).is_some_and(|whole| whole.range().contains(&around)))?;
        let secret = found.iter().flatten().nth(1).or(found.get(0))?;
        let (start, mut end) = (window.start + secret.start(), window.start + secret.end());
        if end == window.end {
            let belongs = |b: &&u8| !b.is_ascii() || b.is_ascii_alphanumeric() || b"_-.+/=,".contains(b);
            end += text[end..].iter().take_while(belongs).count();
        }
        let end = start + trimmed(&text[start..end], b".,");
        let value = std::str::from_utf8(&text[start..end]).ok()?;
        ((self.believed)(value) && !values::stands_for_a_value(value)).then_some(start..end)
    }
}

fn trimmed(token: &[u8], signs: &[u8]) -> usize {
    let last = token.iter().rposition(|b| !signs.contains(b));
    last.map_or(0, |last| last + 1)
}

/// The secret key beside the id of a key of AWS: 40 signs of base64 that stand alone.
pub(super) fn beside_aws(text: &[u8], id: &Range<usize>) -> Vec<Range<usize>> {
    /// Far enough for a table's row or the next lines, near enough to belong together.
    const BEFORE: usize = 200;
    const AFTER: usize = 400;
    if id.len() != 20 || text[id.start] != b'A' {
        return Vec::new();
    }
    let from = id.start.saturating_sub(BEFORE + 1);
    let near = &text[from..text.len().min(id.end + AFTER + 1)];
    let keys = pattern("aws-key").captures_iter(near).filter_map(|key| key.get(1));
    let keys = keys.filter(|key| values::has_three_kinds(key.as_bytes()));
    keys.map(|key| from + key.start()..from + key.end()).collect()
}

/// No key is longer; further away, an END belongs to something else.
const BLOCK_MAX: usize = 32 * 1024;

/// The block that the armour of a private key (PEM of every kind, OpenSSH, PGP, PuTTY) at `at` belongs to. One without END reaches to its
/// last line of key material; one without BEGIN starts at its first. Certificates, public keys and a mere mention of the armour stay.
pub(super) fn key_block(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    if text[at.clone()].contains("END") {
        let before = near(text, at.start.saturating_sub(BLOCK_MAX), at.start);
        let before = &before[before.rfind("-----").unwrap_or(0)..];
        let start = place(group("key-ended", before)?, text).start;
        return Some(start..at.end + group("key-ends", &text[at.end..])?.len());
    }
    // A list's hyphen before the armour looks like one more of its own.
    let from = at.start - usize::from(text[..at.start].ends_with('-'));
    // Up to the next BEGIN only, so that many of them are read once.
    let rest = near(text, at.end, at.end + BLOCK_MAX);
    let window = &text[from..at.end + rest.find("BEGIN ").unwrap_or(rest.len())];
    if let Some(whole) = pattern("key-whole").find(window.as_bytes()) {
        return Some(from..from + whole.end());
    }
    let begun = from + pattern("key-begun").find(window.as_bytes())?.end();
    let last = group("key-last", &text[begun..from + window.len()]);
    Some(from..begun + last.map_or(0, str::len))
}
