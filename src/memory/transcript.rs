//! A session's transcript as agents' platforms keep it, and the entry that its new part makes: who said what, on one line
//! each, without code and secrets.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::filter::without_code;
use super::redact::redact;
use super::text::one_line;

/// Characters of a message that are kept.
const MESSAGE_CHARS_MAX: usize = 600;
/// Messages of one capture that are kept, the last ones.
const MESSAGES_MAX: usize = 200;
/// Bytes of a message that are looked at.
const MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// How messages begin that a platform puts in by itself.
const OF_THE_PLATFORM: [&str; 5] = [
    "<command-",
    "<local-command",
    "<system-reminder",
    "<task-notification",
    "Caveat: ",
];

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// What was said; tool calls and their results are left out.
    pub text: String,
    /// When, where the transcript says so.
    pub at: Option<DateTime<Utc>>,
}

/// The messages of a transcript: JSON lines of Claude Code, OpenClaw or Codex, or lines of `user: …` and `assistant: …`.
#[must_use]
pub fn messages(transcript: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for line in transcript.lines() {
        let line = line.trim();
        if line.starts_with('{') {
            messages.extend(serde_json::from_str(line).ok().as_ref().and_then(message));
        } else if let Some((role, text)) = spoken(line) {
            messages.push(Message {
                role,
                text: text.to_owned(),
                at: None,
            });
        } else if let Some(last) = messages.last_mut().filter(|last| last.at.is_none()) {
            last.text.push('\n');
            last.text.push_str(line);
        }
    }
    messages
}

/// When the first message with a time was said.
#[must_use]
pub fn began(transcript: &str) -> Option<DateTime<Utc>> {
    transcript
        .lines()
        .find_map(|line| time(&serde_json::from_str(line).ok()?))
}

/// The entry for a log; none when nothing was said. `clock` is the time of day, which names no topic.
#[must_use]
pub fn entry(messages: &[Message], clock: &str) -> Option<String> {
    let left_out = messages.len().saturating_sub(MESSAGES_MAX);
    let lines: Vec<String> = messages[left_out..].iter().filter_map(line).collect();
    if lines.is_empty() {
        return None;
    }
    let mut out = format!("## Session {clock} [project]\n");
    if left_out > 0 {
        out.push_str(&format!("- {left_out} earlier messages are left out\n"));
    }
    lines.iter().for_each(|line| out.push_str(line));
    Some(out)
}

fn line(message: &Message) -> Option<String> {
    let text = super::text::head(&message.text, MESSAGE_BYTES_MAX);
    if OF_THE_PLATFORM
        .iter()
        .any(|mark| text.trim_start().starts_with(mark))
    {
        return None;
    }
    // Redacted whole before it is cut: half a secret is not known as one.
    let text = redact(text);
    let text = one_line(without_code(&text).trim(), MESSAGE_CHARS_MAX);
    let text = redact(&text);
    (!text.is_empty()).then(|| format!("- {}: {text}\n", message.role))
}

fn message(value: &Value) -> Option<Message> {
    let set = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
    if set("isMeta") || set("isSidechain") {
        return None;
    }
    let inner = ["message", "payload"]
        .iter()
        .find_map(|name| value.get(*name))
        .unwrap_or(value);
    let role = match inner.get("role").and_then(Value::as_str)? {
        "user" => "user",
        "assistant" => "assistant",
        _ => return None,
    };
    let text = match inner.get("content")? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| {
                let kind = part.get("type").and_then(Value::as_str)?;
                matches!(kind, "text" | "input_text" | "output_text").then(|| part.get("text")?.as_str())?
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then(|| Message {
        role,
        text,
        at: time(value),
    })
}

fn time(value: &Value) -> Option<DateTime<Utc>> {
    value.get("timestamp")?.as_str()?.parse().ok()
}

/// `user: hello`, in any of the spellings of session dumps.
fn spoken(line: &str) -> Option<(&'static str, &str)> {
    let plain = line.trim_start_matches(['*', '-', ' ']);
    let (who, text) = plain.split_once(':')?;
    let role = match who.trim_end_matches('*').to_ascii_lowercase().as_str() {
        "user" | "human" => "user",
        "assistant" | "agent" => "assistant",
        _ => return None,
    };
    Some((role, text.trim_start_matches('*').trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_platforms_lines_are_read_and_tools_and_reminders_are_not() {
        let transcript = concat!(
            "{\"type\":\"user\",\"timestamp\":\"2026-03-15T23:50:00Z\",\"message\":{\"role\":\"user\",\"content\":\"put up the shelf\"}}\n",
            "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"It\\nholds.\"},{\"type\":\"tool_use\",\"name\":\"x\"}]}}\n",
            "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"content\":\"secret\"}]}}\n",
            "{\"type\":\"user\",\"isMeta\":true,\"message\":{\"role\":\"user\",\"content\":\"meta\"}}\n",
            "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"<command-name>/x</command-name>\"}}\n",
            "{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"codex\"}]}}\n",
            "{ broken\n",
        );
        let entry = entry(&messages(transcript), "23:55").unwrap();
        assert_eq!(
            entry,
            "## Session 23:55 [project]\n- user: put up the shelf\n- assistant: It holds.\n- assistant: codex\n"
        );
        assert_eq!(began(transcript), Some("2026-03-15T23:50:00Z".parse().unwrap()));
    }

    #[test]
    fn plain_dumps_are_read_too() {
        let found = messages("**user**: one\nmore\nassistant: two\n");
        assert_eq!(
            found
                .iter()
                .map(|m| (m.role, m.text.as_str()))
                .collect::<Vec<_>>(),
            [("user", "one\nmore"), ("assistant", "two")]
        );
        assert_eq!(entry(&messages("nothing was said\n"), "1"), None);
    }

    #[test]
    fn of_a_long_session_the_end_is_told_and_how_much_is_left_out() {
        let said = |count: usize| {
            let dump: String = (0..count).map(|at| format!("user: message {at}\n")).collect();
            entry(&messages(&dump), "1").unwrap()
        };
        assert!(said(MESSAGES_MAX).starts_with("## Session 1 [project]\n- user: message 0\n"));
        let longer = said(MESSAGES_MAX + 3);
        let start = "## Session 1 [project]\n- 3 earlier messages are left out\n- user: message 3\n";
        assert!(longer.starts_with(start), "{longer:.200}");
    }

    #[test]
    fn no_secret_and_no_long_message_passes() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let long = format!("user: {} {secret} end\n", "word ".repeat(116));
        let entry = entry(&messages(&long), "1").unwrap();
        assert!(!entry.contains("ghp_a1B2"), "{entry}");
        assert!(entry.chars().count() < 700);
    }

    #[test]
    fn what_is_said_behind_a_long_listing_is_kept() {
        let listing = "let shelf = board;\n".repeat(10_000);
        let messages = [Message {
            role: "user",
            text: format!("It falls:\n```\n{listing}```\nWhich screw holds it?"),
            at: None,
        }];
        assert_eq!(
            entry(&messages, "1").unwrap(),
            "## Session 1 [project]\n- user: It falls: Which screw holds it?\n"
        );
    }
}
