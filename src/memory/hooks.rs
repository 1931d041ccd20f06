//! Our hooks in Claude Code's `.claude/settings.json`: put in and taken out with order, layout and everything else of the
//! file as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};

/// The events that run something of ours, and what.
pub const HOOKS: [(&str, &str); 3] = [
    (
        "SessionStart",
        "hipocampusd session start --stdin \"$CLAUDE_PROJECT_DIR\"",
    ),
    (
        "PreCompact",
        "hipocampusd capture --stdin \"$CLAUDE_PROJECT_DIR\"",
    ),
    (
        "SessionEnd",
        "hipocampusd capture --stdin \"$CLAUDE_PROJECT_DIR\"",
    ),
];
/// What tells a command of ours.
const OURS: &str = "hipocampusd ";
/// What tells a command of the older tool, which compacts beside the daemon.
const OLD: &str = "hipocampus compact";

/// Why the file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HooksError {
    /// It cannot be read as JSON.
    #[error("is not JSON: {0}")]
    NotJson(String),
    /// Something else stands where hooks go.
    #[error("has no object in `{0}`, or no array where the event's hooks go")]
    Shape(&'static str),
}

/// The file with our hooks in it and without the older tool's; none when it is so already. An empty text is a file that
/// is to be made.
///
/// # Errors
/// See [`HooksError`].
pub fn put(text: &str) -> Result<Option<String>, HooksError> {
    let root = parse(if text.trim().is_empty() { "{}\n" } else { text })?;
    let settings = root.object_value().ok_or(HooksError::Shape("the file"))?;
    let hooks = settings
        .object_value_or_create("hooks")
        .ok_or(HooksError::Shape("hooks"))?;
    let mut changed = remove_all(&hooks, OLD);
    for (event, wanted) in HOOKS {
        let entries = hooks
            .array_value_or_create(event)
            .ok_or(HooksError::Shape("hooks"))?;
        if commands(&entries).iter().any(|command| command == wanted) {
            continue;
        }
        remove(&entries, OURS);
        let entry = CstInputValue::Object(vec![(
            "hooks".to_owned(),
            CstInputValue::Array(vec![CstInputValue::Object(vec![
                ("type".to_owned(), CstInputValue::from("command")),
                ("command".to_owned(), CstInputValue::from(wanted)),
            ])]),
        )]);
        entries.ensure_multiline();
        entries.append(entry);
        changed = true;
    }
    Ok(changed.then(|| root.to_string()))
}

/// The file without our hooks; none when it has none.
///
/// # Errors
/// See [`HooksError`].
pub fn take_out(text: &str) -> Result<Option<String>, HooksError> {
    let root = parse(text)?;
    let Some(hooks) = root
        .object_value()
        .and_then(|settings| settings.object_value("hooks"))
    else {
        return Ok(None);
    };
    let changed = remove_all(&hooks, OURS);
    if changed
        && hooks.properties().is_empty()
        && let Some(property) = root.object_value().and_then(|settings| settings.get("hooks"))
    {
        property.remove();
    }
    Ok(changed.then(|| root.to_string()))
}

fn parse(text: &str) -> Result<CstRootNode, HooksError> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| HooksError::NotJson(error.to_string()))
}

/// Removes the commands with `mark` in them from every event, and the events that have none left. Says whether there was one.
fn remove_all(hooks: &CstObject, mark: &str) -> bool {
    let mut changed = false;
    for property in hooks.properties() {
        if let Some(entries) = property.array_value()
            && remove(&entries, mark)
        {
            changed = true;
            if entries.elements().is_empty() {
                property.remove();
            }
        }
    }
    changed
}

/// Removes the commands with `mark` in them from an event's entries, and the entries that have none left. Says whether there
/// was one.
fn remove(entries: &CstArray, mark: &str) -> bool {
    let mut changed = false;
    for entry in entries.elements() {
        let Some(list) = entry.as_object().and_then(|entry| entry.array_value("hooks")) else {
            continue;
        };
        let marked: Vec<CstNode> = list
            .elements()
            .into_iter()
            .filter(|hook| command(hook).is_some_and(|command| command.contains(mark)))
            .collect();
        if marked.is_empty() {
            continue;
        }
        changed = true;
        if marked.len() == list.elements().len() {
            entry.remove();
        } else {
            marked.into_iter().for_each(CstNode::remove);
        }
    }
    changed
}

fn commands(entries: &CstArray) -> Vec<String> {
    let lists = entries
        .elements()
        .into_iter()
        .filter_map(|entry| entry.as_object()?.array_value("hooks"));
    lists
        .flat_map(|list| list.elements())
        .filter_map(|hook| command(&hook))
        .collect()
}

fn command(hook: &CstNode) -> Option<String> {
    let value = hook.as_object()?.get("command")?.value()?;
    value.as_string_lit()?.decoded_value().ok()
}

#[cfg(test)]
mod tests;
