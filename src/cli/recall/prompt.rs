//! `recall --prompt`: what is remembered about a prompt, for a hook that runs before the model reads it. A hook must never be in
//! the way: whatever is wrong, it says nothing on standard output and ends well.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::Value;

use super::{Filter, Recalled, brief, ranked};
use crate::cli::target::{PlaceArgs, Target};
use crate::cli::{print, stdin};
use crate::config::workspace_around;
use crate::memory::search::{Hit, Question};
use crate::memory::text::head;

/// A hook's JSON is no longer, and of a prompt so much is looked at.
const STDIN_BYTES_MAX: u64 = 1 << 20;
const PROMPT_BYTES_MAX: usize = 4_000;
/// How many lines are said at most.
const LINES_MAX: usize = 4;
/// A line stands out when it says this share of what is asked, each word by its rarity, and more than the rarest of words by itself.
/// Both were set on a month of conversations: less brings more that is beside the point than what is to it.
const SHARE_MIN: f32 = 0.25;
const RARITY_MIN: f32 = 1.2;

pub(super) fn run(place: &PlaceArgs) {
    let found = stdin::bytes(STDIN_BYTES_MAX).and_then(|bytes| {
        let (prompt, folder) = prompt_of(&String::from_utf8_lossy(&bytes));
        find(place, &prompt, folder)
    });
    match found {
        Ok(found) if !found.is_empty() => {
            const HEAD: &str = "Remembered from earlier sessions, perhaps of use here:";
            let _ = print::out(&format!("{HEAD}\n{}", brief(&found)));
        }
        Ok(_) => {}
        Err(error) => print::note(&format!("nothing is recalled: {error:#}")),
    }
}

/// The prompt, and the folder that the session works in: from a hook's JSON, or else all of it is the prompt.
fn prompt_of(input: &str) -> (String, Option<PathBuf>) {
    match serde_json::from_str::<Value>(input) {
        Ok(Value::Object(hook)) => {
            let text = |name: &str| hook.get(name).and_then(Value::as_str);
            let folder = text("cwd").filter(|folder| !folder.is_empty()).map(PathBuf::from);
            (text("prompt").unwrap_or_default().to_owned(), folder)
        }
        _ => (input.to_owned(), None),
    }
}

fn find(place: &PlaceArgs, prompt: &str, folder: Option<PathBuf>) -> Result<Vec<Recalled>> {
    let prompt = head(prompt, PROMPT_BYTES_MAX);
    let question = Question::of(prompt);
    // A command of the agent's program ("/clear"), or too little to go by.
    if prompt.trim_start().starts_with('/') || question.words.len() < 2 {
        return Ok(Vec::new());
    }
    let mut arguments = place.clone();
    // The session may be in a folder below.
    let around = |folder: PathBuf| workspace_around(&folder).unwrap_or(folder);
    arguments.dir = arguments.dir.or(folder.map(around));
    let target = Target::find(&arguments, false)?;
    if !target.settings.search.before_prompt {
        return Ok(Vec::new());
    }
    let mut stands_out = |hit: &Hit| hit.share >= SHARE_MIN && hit.rarity >= RARITY_MIN;
    let (targets, filter) = ([target], Filter::default());
    ranked(&targets, &question, &filter, &mut stands_out, LINES_MAX)
}

#[cfg(test)]
mod tests;
