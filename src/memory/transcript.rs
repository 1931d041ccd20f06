//! A session's transcript as agents' platforms keep it, and the entry that its new part makes: who said what, without code and secrets.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::filter::without_code;
use super::node::Hash;
use super::redact::redact;
use super::text::one_line;

/// So much is kept of what the person says, and of what is answered, in characters: answers can be asked for again.
const SAID_CHARS_MAX: usize = 4000;
const ANSWER_CHARS_MAX: usize = 600;
const MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// How a person's message, or a part of it, begins that a platform puts in by itself.
const TAGS: &str = "<(?:INSTRUCTIONS>|bash-|command-|environment_context|ide_|local-command|skill>|system-reminder|task-notification|turn_aborted|user_instructions|user_shell_command)";
const SENTENCES: &str = r"# AGENTS\.md instructions for |Caveat: The messages below|This session is being continued from a previous conversation|\[Request interrupted";
patterns! {
    OF_THE_PLATFORM = format!(r"^\s*(?:{TAGS}|{SENTENCES})");
    /// Where what is private begins and ends.
    PRIVATE = r"(?i)<\s*(/?)\s*private\b[^<>]*>";
}
/// The fields by which platforms mark what nobody said: their own notes, a subagent's talk, a summary of what was said before.
const NOT_SAID: &str = "ignored isApiErrorMessage isCompactSummary isMeta isSidechain isVisibleInTranscriptOnly summary synthetic";
/// The kinds of lines that hold what was said. Claude Code also keeps what it sends to its model, which holds the same words again.
const SAID: [&str; 4] = ["user", "assistant", "message", "response_item"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub role: &'static str,
    /// What was said; tool calls and their results are left out.
    pub text: String,
    pub at: Option<DateTime<Utc>>,
    /// What it is known by in every copy of the transcript; none where the transcript says nothing of the kind.
    pub id: Option<Hash>,
}

/// The messages of a transcript: JSON lines of Claude Code, OpenClaw or Codex, or the one JSON value of `opencode export`.
pub fn messages(transcript: &str) -> Vec<Message> {
    let whole: Option<Value> = serde_json::from_str(transcript).ok();
    if let Some(exported) = whole.as_ref().and_then(|value| value.get("messages")?.as_array()) {
        return exported.iter().filter_map(message).collect();
    }
    let lines = transcript.lines().filter(|line| line.trim_start().starts_with('{'));
    lines.filter_map(|line| message(&serde_json::from_str(line).ok()?)).collect()
}

/// The heading of a session's entry. `clock` is the time of day, which names no topic.
pub fn heading(clock: &str) -> String {
    format!("## Session {clock} [project]\n")
}

pub fn line(message: &Message) -> Option<String> {
    let text = without_private(super::text::head(&message.text, MESSAGE_BYTES_MAX));
    let is_person = message.role == "user";
    if is_person && OF_THE_PLATFORM.is_match(&text) {
        return None;
    }
    // Redacted whole before it is cut: half a secret is not known as one.
    let text = redact(&text);
    let max = if is_person { SAID_CHARS_MAX } else { ANSWER_CHARS_MAX };
    let text = one_line(without_code(&text).trim(), max);
    let text = redact(&text);
    (!text.is_empty()).then(|| format!("- {}: {text}\n", message.role))
}

/// The text without what stands between the marks of what is private, pairs in pairs too; one that is never closed reaches to the end.
fn without_private(text: &str) -> String {
    let (mut out, mut from, mut depth) = (String::new(), 0, 0_usize);
    for mark in PRIVATE.captures_iter(text) {
        let whole = mark.get_match();
        match (mark[1].is_empty(), depth) {
            (true, 0) => {
                out.push_str(&text[from..whole.start()]);
                depth = 1;
            }
            (true, _) => depth += 1,
            // It closes nothing: text.
            (false, 0) => {}
            (false, 1) => (depth, from) = (0, whole.end()),
            (false, _) => depth -= 1,
        }
    }
    if depth == 0 {
        out.push_str(&text[from..]);
    }
    out
}

fn message(value: &Value) -> Option<Message> {
    let mut inner = ["message", "payload", "info"].iter();
    let inner = inner.find_map(|name| value.get(*name)).unwrap_or(value);
    let kind = value.get("type").and_then(Value::as_str);
    if kind.is_some_and(|kind| !SAID.contains(&kind)) || is_not_said(value) || is_not_said(inner) {
        return None;
    }
    let role = match inner.get("role").and_then(Value::as_str)? {
        "user" => "user",
        "assistant" => "assistant",
        _ => return None,
    };
    let said = |part: &Value| {
        let kind = part.get("type").and_then(Value::as_str)?;
        let text = part.get("text")?.as_str()?;
        let is_said = matches!(kind, "text" | "input_text" | "output_text") && !is_not_said(part);
        (is_said && !(role == "user" && OF_THE_PLATFORM.is_match(text))).then(|| text.to_owned())
    };
    let text = match inner.get("content").or_else(|| value.get("parts"))? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(said).collect::<Vec<_>>().join("\n"),
        _ => return None,
    };
    let stamp = value.get("timestamp").and_then(Value::as_str);
    let created = || DateTime::from_timestamp_millis(inner.get("time")?.get("created")?.as_i64()?);
    let at = stamp.map_or_else(created, |stamp| stamp.parse().ok());
    let id = id(value, inner, &text, at);
    (!text.trim().is_empty()).then_some(Message { role, text, at, id })
}

fn is_not_said(value: &Value) -> bool {
    let is_true = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
    // What Claude Code answers by itself, such as "No response requested.", bears this model's name.
    NOT_SAID.split(' ').any(is_true) || value.get("model").and_then(Value::as_str) == Some("<synthetic>")
}

/// Claude Code keeps a message's `uuid` in forks and resumed copies, Codex and OpenCode the `id` of their own. Elsewhere the same words
/// at the same moment are the same message.
fn id(value: &Value, inner: &Value, text: &str, at: Option<DateTime<Utc>>) -> Option<Hash> {
    let named = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    // A line's own `id` is short, and unique in its file only.
    let line = named(value, "id").unwrap_or_default();
    let known_by = named(value, "uuid")
        .or_else(|| Some(format!("{} {text}", named(inner, "id")?)))
        .or_else(|| Some(format!("{} {line} {text}", at?.timestamp_millis())))?;
    Some(Hash::of_bytes(&known_by))
}

#[cfg(test)]
mod tests;
