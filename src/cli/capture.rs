//! `hipocampusd capture`: the new part of a session's transcript, or of many, into the logs of their days, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::target::{Target, TargetArgs};
use super::{compact, print, stdin};
use crate::daemon::capture::{self, Outcome, When};
use crate::daemon::cycle::UNSTOPPED;
use crate::daemon::workspace::Workspace;
use crate::memory::transcript;

const AFTER: &str = "\
Examples:
  hipocampusd capture --stdin ~/agents/work          as a hook: JSON with `transcript_path`
  hipocampusd capture --stdin . < transcript.jsonl   the transcript itself
  opencode export ID | hipocampusd capture --stdin . a session of OpenCode
  hipocampusd capture --all ~/.claude/projects/-home-me-work ~/agents/work

What people and agents said is kept, a line each: 4,000 characters of what the person said, 600 of an answer. Tool calls, \
code, secrets and what stands between <private> and </private> are not, nor what a platform puts in by itself. It goes to \
the log of the day on which the session began; a session that was left for a day goes on as a new one. What was captured \
once is not captured again, from a fork or a copy either.";
/// More bytes than this are too much to be captured at once; a hook that names the transcript has no such limit.
const STDIN_BYTES_MAX: u64 = 64 << 20;

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct CaptureArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Read the hook's JSON, or a transcript, from standard input
    #[arg(long, required_unless_present = "all")]
    stdin: bool,
    /// Take in every *.jsonl under FOLDER, however old
    #[arg(long, value_name = "FOLDER", conflicts_with = "stdin")]
    all: Option<PathBuf>,
}

pub fn run(arguments: &CaptureArgs) -> Result<u8> {
    let mut target = Target::find(&arguments.target.place(), true)?;
    let is_bulk = arguments.all.is_some();
    let zone = target.zone();
    let when = When {
        zone: &zone,
        today: target.moment.day,
        now: target.now,
        days_max: if is_bulk { i64::MAX } else { capture::HOOK_DAYS_MAX },
    };
    let mut unread = Vec::new();
    let outcomes = match &arguments.all {
        Some(folder) => {
            let paths = capture::transcripts(folder, &mut unread);
            capture::files(&target.workspace, &paths, when, &mut unread)?
        }
        None => given(&target.workspace, when)?,
    };
    unread.iter().for_each(|what| print::note(what));
    // Also where nothing is new: a capture that was killed left what it appended to this one.
    if let Err(error) = compact::settle(&mut target, is_bulk, &UNSTOPPED) {
        print::warning(format!("the tree is not brought up to date: {error:#}"));
    }
    let answer = json!({
        "messages": outcomes.iter().map(|outcome| outcome.messages).sum::<usize>(),
        "path": outcomes.last().map(|outcome| &outcome.path),
    });
    print::answer(arguments.target.json(), &answer, || {
        let mut logs: BTreeMap<&str, usize> = BTreeMap::new();
        for outcome in &outcomes {
            *logs.entry(&outcome.path).or_default() += outcome.messages;
        }
        let line = |(path, messages)| format!("{path}: {}\n", print::count(messages, "message"));
        logs.into_iter().map(line).collect()
    })?;
    Ok(u8::from(!unread.is_empty()))
}

fn given(workspace: &Workspace, when: When<'_>) -> Result<Vec<Outcome>> {
    let bytes = stdin::bytes(STDIN_BYTES_MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    let hook: Value = serde_json::from_str(&text).unwrap_or_default();
    if let Some(transcript) = hook.get("transcript_path") {
        // A session that its platform does not keep has none.
        let path = transcript.as_str().map(Path::new);
        return path.map_or(Ok(Vec::new()), |path| capture::file(workspace, path, when));
    }
    let messages = transcript::messages(&text);
    if messages.is_empty() {
        print::note(
            "nothing is captured: standard input is no transcript of a known shape, or nobody says anything in it",
        );
    }
    capture::messages(workspace, messages, when)
}
