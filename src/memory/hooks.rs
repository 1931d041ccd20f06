//! Our part of platforms' JSON files, hooks in Claude Code's `.claude/settings.json` and Codex's `.codex/hooks.json`, and ROOT among
//! the `instructions` of OpenCode's `opencode.json`: put in and taken out with order, layout and everything else of the file as it is.

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstRootNode};
use jsonc_parser::{ParseOptions, json};

/// An event, what the program is asked to do at it, and the seconds that this may take.
pub type Hook = (&'static str, &'static str, u32);

/// Claude Code's hooks. Without a timeout it ends what runs at a session's end after 1.5 seconds.
pub const CLAUDE_CODE: [Hook; 4] = [
    (SESSION_START, "session start --stdin \"$CLAUDE_PROJECT_DIR\"", 10),
    (BEFORE_PROMPT, "recall --prompt --dir \"$CLAUDE_PROJECT_DIR\"", 5),
    ("PreCompact", "capture --stdin \"$CLAUDE_PROJECT_DIR\"", 30),
    ("SessionEnd", "capture --stdin \"$CLAUDE_PROJECT_DIR\"", 30),
];
/// Codex's hooks, which run in the session's folder. At a session's end it allows three seconds, and warns of more.
pub const CODEX: [Hook; 4] = [
    (SESSION_START, "session start --stdin", 10),
    (BEFORE_PROMPT, "recall --prompt", 5),
    ("PreCompact", "capture --stdin", 30),
    ("SessionEnd", "capture --stdin", 3),
];
const SESSION_START: &str = "SessionStart";
/// The event that a person may not want us at.
pub const BEFORE_PROMPT: &str = "UserPromptSubmit";
/// An `opencode.json` of ours; OpenCode puts the first line into a file that lacks it.
const OPENCODE: &str = "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n";
/// What marks a command of ours, by its name or by its path, which may be quoted, and one of the older tool.
const OURS: [&str; 3] = ["hipocampusd ", "hipocampusd' ", "hipocampus compact"];

fn shape(place: &str) -> String {
    format!("has no object in `{place}`, or no array where our part goes")
}

/// The file with the `wanted` hooks and no others of ours or of the older tool's; none when it is so already. `program` is how a shell calls us.
pub fn put(text: &str, program: &str, wanted: &[Hook]) -> Result<Option<String>, String> {
    let root = parse(if text.trim().is_empty() { "{}\n" } else { text })?;
    let settings = root.object_value().ok_or_else(|| shape("the file"))?;
    let hooks = settings.object_value_or_create("hooks");
    let hooks = hooks.ok_or_else(|| shape("hooks"))?;
    let mut changed = remove(&hooks, program, wanted);
    for &(event, command, timeout) in wanted {
        let entries = hooks.array_value_or_create(event).ok_or_else(|| shape("hooks"))?;
        let mut known = entries.elements().into_iter().flat_map(|entry| hooks_of(&entry));
        if !known.any(|known| is_same(&known, program, &(event, command, timeout))) {
            let command = format!("{program} {command}");
            entries.ensure_multiline();
            entries.append(json!({"hooks": [{"type": "command", "command": command, "timeout": timeout}]}));
            changed = true;
        }
    }
    if hooks.properties().is_empty()
        && let Some(property) = settings.get("hooks")
    {
        property.remove();
    }
    Ok(changed.then(|| root.to_string()))
}

/// `opencode.json` with `root`, the path of ROOT, among its instructions, and without the one that is `gone`; none when it is so
/// already. An empty text is a file that is to be made, and one that is left with nothing of its own.
pub fn instruct(text: &str, root: Option<&str>, gone: &str) -> Result<Option<String>, String> {
    let file = parse(if text.trim().is_empty() { OPENCODE } else { text })?;
    let settings = file.object_value().ok_or_else(|| shape("the file"))?;
    let instructions = settings.array_value_or_create("instructions");
    let instructions = instructions.ok_or_else(|| shape("instructions"))?;
    let elements = instructions.elements();
    let text = |node: &CstNode| node.as_string_lit()?.decoded_value().ok();
    let find = |path: &str| elements.iter().find(|node| text(node).as_deref() == Some(path));
    let old = find(gone).filter(|_| root != Some(gone)).cloned();
    let new = root.filter(|root| find(root).is_none());
    if old.is_none() && new.is_none() {
        return Ok(None);
    }
    old.into_iter().for_each(CstNode::remove);
    if let Some(new) = new {
        instructions.append(CstInputValue::from(new));
    } else if instructions.elements().is_empty()
        && let Some(property) = settings.get("instructions")
    {
        property.remove();
    }
    let left = Some(file.to_string()).filter(|left| left.trim() != OPENCODE.trim());
    Ok(Some(left.unwrap_or_default()))
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| format!("is not JSON: {error}"))
}

/// Removes the older tool's commands and those of ours that are not `wanted`, then what is left empty. Says whether there was one.
fn remove(hooks: &CstObject, program: &str, wanted: &[Hook]) -> bool {
    let mut changed = false;
    for property in hooks.properties() {
        let event = property.name().and_then(|name| name.decoded_value().ok());
        let wanted: Vec<&Hook> = wanted.iter().filter(|hook| event.as_deref() == Some(hook.0)).collect();
        let stays =
            |hook: &CstNode| !is_ours(hook) || wanted.iter().any(|wanted| is_same(hook, program, wanted));
        let Some(entries) = property.array_value() else {
            continue;
        };
        let count = entries.elements().len();
        for entry in entries.elements() {
            let (stay, go): (Vec<_>, Vec<_>) = hooks_of(&entry).into_iter().partition(stays);
            changed |= !go.is_empty();
            if !go.is_empty() && stay.is_empty() {
                entry.remove();
            } else {
                go.into_iter().for_each(CstNode::remove);
            }
        }
        if count > 0 && entries.elements().is_empty() && wanted.is_empty() {
            property.remove();
        }
    }
    changed
}

fn is_same(hook: &CstNode, program: &str, (_, command, timeout): &Hook) -> bool {
    let command = format!("{program} {command}");
    let wanted = serde_json::json!({"type": "command", "command": command, "timeout": timeout});
    hook.to_serde_value() == Some(wanted)
}

/// Whether a hook is one of ours, or of the older tool's.
fn is_ours(hook: &CstNode) -> bool {
    let value: serde_json::Value = hook.to_serde_value().unwrap_or_default();
    let command = value["command"].as_str().unwrap_or_default();
    OURS.iter().any(|mark| command.contains(mark))
}

fn hooks_of(entry: &CstNode) -> Vec<CstNode> {
    let list = entry.as_object().and_then(|entry| entry.array_value("hooks"));
    list.map(|list| list.elements()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
