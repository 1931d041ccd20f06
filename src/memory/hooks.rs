//! Our part of platforms' JSON files, hooks in Claude Code's `.claude/settings.json` and Codex's `.codex/hooks.json`, and ROOT among
//! the `instructions` of OpenCode's `opencode.json`: put in and taken out with order, layout and everything else of the file as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::json;

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
/// What tells a command of ours, by its name or by its path, which may be quoted.
const OURS: [&str; 2] = ["hipocampusd ", "hipocampusd' "];
/// What tells a command of the older tool, which compacts beside the daemon.
const OLD: [&str; 1] = ["hipocampus compact"];

/// Why our part cannot be put in.
fn shape(place: &str) -> String {
    format!("has no object in `{place}`, or no array where our part goes")
}

/// The file with our hooks in it and without the older tool's; none when it is so already. An empty text is a file that
/// is to be made. `program` is how a shell calls us. A hook of ours at another event than those `wanted` goes.
pub fn put(text: &str, program: &str, wanted: &[Hook]) -> Result<Option<String>, String> {
    let root = parse(if text.trim().is_empty() { "{}\n" } else { text })?;
    let settings = root.object_value().ok_or_else(|| shape("the file"))?;
    let hooks = settings.object_value_or_create("hooks");
    let hooks = hooks.ok_or_else(|| shape("hooks"))?;
    let mut changed = remove_all(&hooks, &OLD, &[]);
    let events: Vec<&str> = wanted.iter().map(|(event, ..)| *event).collect();
    changed |= remove_all(&hooks, &OURS, &events);
    for (event, command, timeout) in wanted {
        let entries = hooks.array_value_or_create(event).ok_or_else(|| shape("hooks"))?;
        let command = format!("{program} {command}");
        let hook = json!({"type": "command", "command": command, "timeout": timeout});
        let mut known = entries.elements().into_iter().flat_map(|entry| hooks_of(&entry));
        if known.any(|known| known.to_serde_value().as_ref() == Some(&hook)) {
            continue;
        }
        remove(&entries, &OURS);
        let hook = object([
            ("type", CstInputValue::from("command")),
            ("command", CstInputValue::from(command)),
            ("timeout", CstInputValue::Number(timeout.to_string())),
        ]);
        entries.ensure_multiline();
        entries.append(object([("hooks", CstInputValue::Array(vec![hook]))]));
        changed = true;
    }
    Ok(changed.then(|| root.to_string()))
}

fn object<const N: usize>(properties: [(&str, CstInputValue); N]) -> CstInputValue {
    CstInputValue::Object(properties.map(|(name, value)| (name.to_owned(), value)).into())
}

pub fn take_out(text: &str) -> Result<Option<String>, String> {
    let root = parse(text)?;
    let property = root.object_value().and_then(|settings| settings.get("hooks"));
    let hooks = property.as_ref().and_then(CstObjectProp::object_value);
    let Some((property, hooks)) = property.zip(hooks) else {
        return Ok(None);
    };
    let changed = remove_all(&hooks, &OURS, &[]);
    if changed && hooks.properties().is_empty() {
        property.remove();
    }
    Ok(changed.then(|| root.to_string()))
}

/// `opencode.json` with `root`, the path of ROOT, among its instructions, and without the one where it lay `before`; none when it is so
/// already. An empty text is a file that is to be made.
pub fn put_instruction(text: &str, root: &str, before: &str) -> Result<Option<String>, String> {
    let file = parse(if text.trim().is_empty() { OPENCODE } else { text })?;
    let settings = file.object_value().ok_or_else(|| shape("the file"))?;
    let instructions = settings.array_value_or_create("instructions");
    let instructions = instructions.ok_or_else(|| shape("instructions"))?;
    let elements = instructions.elements();
    let find = |path: &str| elements.iter().find(|node| is_text(node, path));
    let (ours, old) = (find(root), find(before).filter(|_| before != root));
    if ours.is_some() && old.is_none() {
        return Ok(None);
    }
    if let Some(old) = old {
        old.clone().remove();
    }
    if ours.is_none() {
        instructions.append(CstInputValue::from(root));
    }
    Ok(Some(file.to_string()))
}

pub fn take_out_instruction(text: &str, root: &str) -> Result<Option<String>, String> {
    let file = parse(text)?;
    let settings = file.object_value();
    let property = settings.and_then(|settings| settings.get("instructions"));
    let instructions = property.as_ref().and_then(CstObjectProp::array_value);
    let is_ours = |node: &CstNode| is_text(node, root);
    let Some((property, instructions)) = property.zip(instructions) else {
        return Ok(None);
    };
    let Some(ours) = instructions.elements().into_iter().find(is_ours) else {
        return Ok(None);
    };
    ours.remove();
    if instructions.elements().is_empty() {
        property.remove();
    }
    let left = Some(file.to_string()).filter(|left| left.trim() != OPENCODE.trim());
    Ok(Some(left.unwrap_or_default()))
}

fn is_text(node: &CstNode, expected: &str) -> bool {
    let text = node.as_string_lit().and_then(|text| text.decoded_value().ok());
    text.as_deref() == Some(expected)
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| format!("is not JSON: {error}"))
}

/// Removes the commands with one of `marks` in them from every event but some, and the events that have none left. Says whether there
/// was one.
fn remove_all(hooks: &CstObject, marks: &[&str], but: &[&str]) -> bool {
    let mut changed = false;
    for property in hooks.properties() {
        let event = property.name().and_then(|name| name.decoded_value().ok());
        if let Some(entries) = property.array_value()
            && !event.is_some_and(|event| but.contains(&event.as_str()))
            && remove(&entries, marks)
        {
            changed = true;
            if entries.elements().is_empty() {
                property.remove();
            }
        }
    }
    changed
}

/// Removes the commands with one of `marks` in them from an event's entries, and the entries that have none left. Says whether there
/// was one.
fn remove(entries: &CstArray, marks: &[&str]) -> bool {
    let mut changed = false;
    let is_marked =
        |hook: &CstNode| command(hook).is_some_and(|command| marks.iter().any(|mark| command.contains(mark)));
    for entry in entries.elements() {
        let (marked, others): (Vec<_>, Vec<_>) = hooks_of(&entry).into_iter().partition(is_marked);
        changed |= !marked.is_empty();
        if !marked.is_empty() && others.is_empty() {
            entry.remove();
        } else {
            marked.into_iter().for_each(CstNode::remove);
        }
    }
    changed
}

fn hooks_of(entry: &CstNode) -> Vec<CstNode> {
    let list = entry.as_object().and_then(|entry| entry.array_value("hooks"));
    list.map(|list| list.elements()).unwrap_or_default()
}

fn command(hook: &CstNode) -> Option<String> {
    let value = hook.as_object()?.get("command")?.value()?;
    value.as_string_lit()?.decoded_value().ok()
}

#[cfg(test)]
mod tests;
