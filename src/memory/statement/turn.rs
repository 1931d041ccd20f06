//! Turns of a conversation: who speaks, and what is said.

use std::sync::LazyLock;

use regex::Regex;

use crate::memory::language::{Speaker, lexicon};
use crate::memory::text::{head, is_listed};

/// What OpenClaw writes before a message: `[Telegram Anna (@anna) id:1 +14m 2026-02-01 00:04 UTC]`, `[[reply_to_current]]`.
static ENVELOPE: LazyLock<Regex> = LazyLock::new(|| {
    let (tag, stamp) = (
        r"\[\[[a-z_]+(?::[^\[\]]{0,80})?\]\]",
        r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}(?::[0-9]{2})? [A-Z]{2,5}(?:[+-][0-9:]{1,5})?",
    );
    let pattern = format!(r"^(?:(?:{tag}|\[[^\[\]]{{0,160}}{stamp}\])\s*)+");
    Regex::new(&pattern).expect("a pattern of this module is valid")
});

/// The tag before what a program puts into a message: `<relevant-memories>`, `<system-reminder>`.
static INJECTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*<([a-z]+(?:[-_][a-z]+)*)>\s*$").expect("a pattern of this module is valid")
});

pub(super) fn is_injection(text: &str) -> bool {
    /// Those that a page has, and people write into Markdown.
    const OF_PAGES: &str = "a b blockquote body br center code dd details div dl dt em h h1 h2 h3 head html i img kbd li main nav ol p \
                            pre s script section small span strong style sub summary sup svg table tbody td th thead tr u ul";
    let tag = INJECTION.captures(without_envelope(text));
    tag.is_some_and(|tag| !is_listed(&tag[1], OF_PAGES))
}

pub(super) fn without_envelope(text: &str) -> &str {
    let end = ENVELOPE.find(text).map_or(0, |envelope| envelope.end());
    &text[end..]
}

/// Whether people and an assistant speak in turns in a text: who speaks is said by a label that is an ordinary word elsewhere. One
/// line of each is enough, but two where they are bullets, for `- Human: Anna` is also how notes begin.
pub fn is_transcript(text: &str) -> bool {
    /// So much of both, or more of the person alone.
    const ENOUGH: usize = 2;
    const ALONE: usize = 5;
    let (mut users, mut assistants) = (0, 0);
    let mut above = "";
    for line in text.lines() {
        // What `capture` writes is one, however short.
        let is_ours = line.starts_with("- ") && above.starts_with("## Session ");
        let is_bullet = line.trim_start().starts_with("- ");
        let weight = if is_bullet && !is_ours { 1 } else { ENOUGH };
        if line.starts_with('#') {
            above = line;
        }
        match speaker(line).map(|(speaker, _)| speaker) {
            Some(Speaker::User) => users += weight,
            Some(Speaker::Assistant) => assistants += weight,
            Some(Speaker::Tool) | None => {}
        }
        if users >= ENOUGH && assistants >= ENOUGH || users >= ALONE {
            return true;
        }
    }
    false
}

/// A turn that OpenClaw dumped as a JSON string behind the speaker's name, as it was said.
pub fn unpacked(line: &str) -> Option<String> {
    let (_, packed) = line.ends_with('"').then(|| speaker(line))??;
    let said: String = serde_json::from_str(packed).ok()?;
    Some(line[..line.len() - packed.len()].to_owned() + &said)
}

/// Who speaks from here on, and what is said on the same line: `User: …`, `**Assistant:** …`, `user (10:23): …`, `[10:23] User: …`.
pub fn speaker(line: &str) -> Option<(Speaker, &str)> {
    /// "assistant" with a clock time and marks around it.
    const BYTES: usize = 64;
    let line = line.trim_start_matches(['>', ' ', '-', '*', '_', '\t']);
    let stamped = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let line = stamped
        .filter(|(stamp, _)| stamp.len() < BYTES && stamp.contains(|digit: char| digit.is_ascii_digit()))
        .map_or(line, |(_, rest)| rest.trim_start_matches([' ', '*', '_']));
    let beginning = head(line, BYTES);
    let end = beginning.char_indices().find(|&(at, letter)| {
        letter == '：'
            || letter == ':' && !beginning[at + 1..].starts_with(|next: char| next.is_ascii_digit())
    });
    let (label, rest) = match end {
        Some((at, colon)) => (&line[..at], &line[at + colon.len_utf8()..]),
        // "**User**" on a line of its own.
        None => (line.strip_suffix("**")?, ""),
    };
    let label = label.split(['(', '（', '[']).next()?.trim_matches(['*', '_', ' ']);
    if label.is_empty() || label.split(' ').count() > 2 {
        return None;
    }
    Some((lexicon().label(label).speaker?, rest.trim_start_matches(['*', '_', ' '])))
}

/// Whether a line begins as what OpenClaw puts into somebody's turn.
pub(super) fn is_of_openclaw(text: &str) -> bool {
    [
        "[System Message]",
        "[Startup context loaded by runtime]",
        "Summarize this naturally for the user",
    ]
    .iter()
    .any(|begin| text.starts_with(begin))
}
