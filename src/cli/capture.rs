//! `hipocampusd capture --stdin`: for hooks: the new part of a session's transcript into its day's log, once.

use std::path::Path;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::target::{Target, TargetArgs};
use super::{print, stdin};
use crate::daemon::capture::{self, Outcome};
use crate::daemon::settings;

const AFTER: &str = "\
Examples:
  hipocampusd capture --stdin ~/agents/work          as a hook: JSON with `transcript_path`
  hipocampusd capture --stdin . < transcript.jsonl   the transcript itself

What people and agents said is kept, a line each; tool calls, code and secrets are not. It goes to the log of the \
day on which the transcript begins. What was captured once is not captured again.";
/// More bytes than this are too much to be captured at once; a hook that names the transcript has no such limit.
const STDIN_BYTES_MAX: u64 = 64 << 20;

/// The arguments of `capture`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct CaptureArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Read the hook's JSON, or a transcript, from standard input
    #[arg(long, required = true)]
    stdin: bool,
    /// What was captured, for a program
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Shown {
    messages: usize,
    path: Option<String>,
}

/// Runs it.
///
/// # Errors
/// The folder is no workspace; the transcript cannot be read; the log cannot be written.
pub fn run(arguments: &CaptureArgs) -> Result<u8> {
    let bytes = stdin::bytes(STDIN_BYTES_MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    let target = Target::find(&arguments.target, true)?;
    let zone = settings::zone(&target.settings);
    let (workspace, today) = (&target.workspace, target.moment.day);
    let named = serde_json::from_str::<Value>(&text).ok();
    let named = named.as_ref().and_then(|hook| hook["transcript_path"].as_str());
    let outcome = match named {
        Some(path) => capture::file(workspace, Path::new(path), &zone, today, target.now)?,
        None => {
            let day = capture::day_of(&text, &zone, today);
            capture::text(workspace, &text, day, &zone, target.now)?
        }
    };
    print::issues(outcome.iter().flat_map(|outcome| &outcome.issue));
    if arguments.json {
        print::json(&Shown {
            messages: outcome.as_ref().map_or(0, |outcome| outcome.messages),
            path: outcome.map(|outcome| outcome.path),
        })?;
    } else if let Some(Outcome { path, messages, .. }) = outcome {
        print::out(&format!("{path}: {}\n", print::count(messages, "message")))?;
    }
    Ok(0)
}
