//! Summarizer commands of the user's (SPEC section 8): asked for one node at a time, checked, and never waited for.
//!
//! A cycle writes the extractive summary and is done. [`turn`] looks for a node that could do with a better one, asks the user's program,
//! holds the answer against the sources, and keeps it ([`super::answers`]); a later cycle puts it in its place, if the sources are the same.

#![expect(clippy::disallowed_methods, reason = "prompts lie in no workspace")]

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use chrono::{DateTime, Utc};
use tokio::task::spawn_blocking;
use xxhash_rust::xxh3::xxh3_64;

use super::answers::{self, Kept};
use super::attempt_log::AttemptLog;
use super::child::{self, Ended, Environment, How, Spec, Stop};
use super::clock::Now;
use super::cycle::{self, CycleSettings, Request};
use super::issue::sentence;
use super::program;
use super::scan::Scan;
use super::workspace::{AGENT_FILE, Folder, Result, Workspace};
use crate::config::SummarizerCommand;
use crate::memory::answer::{ANSWER_BYTES_MAX, Basis, SILENT, TOO_LONG, mend};
use crate::memory::calendar::Moment;
use crate::memory::level::Status;
use crate::memory::prompt::{built_in, prompts};
use crate::memory::redact::redact;
use crate::memory::task::{Portion, Wanted, wanted};
use crate::memory::text::one_line;

/// Who asks holds this file of `.hipocampus/`, so that no two processes pay for the same.
const LOCK: &str = "summarizer.lock";
/// A user's own prompt of more bytes than this is not read.
const PROMPT_BYTES_MAX: u64 = 256 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    pub name: String,
    pub command: SummarizerCommand,
    pub calls_max: u32,
    /// Where the user's own prompts may be: `daily.md`, `weekly.md`, `monthly.md`.
    pub prompts: Option<PathBuf>,
    pub environment: Environment,
    pub settings: CycleSettings,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// An answer passed and is kept; a cycle will put it in its place.
    Answered(String),
    /// The program was asked, and it came to nothing: for which node, and why.
    Failed(String, String),
    /// Nobody was asked, for nothing waits or its time has not come; or it was stopped.
    Nothing,
    /// It could not even be looked at what waits: why.
    Unable(String),
}

/// A prompt for a summary of a node, or the answer to it.
type Text = (Portion, String);

/// What is to be asked. The file is the lock that whoever asks holds.
struct Inquiry {
    workspace: Workspace,
    _lock: File,
    wanted: Wanted,
    questions: Vec<Text>,
}

/// One asking for what waits at `moment`. The budget is that of `now`, which is the real time, whatever `--today` says.
pub async fn turn(path: &Path, orders: &Orders, moment: Moment, now: Now, stop: &mut Stop) -> Turn {
    let (looked, of) = (path.to_owned(), orders.clone());
    let found = spawn_blocking(move || look(&looked, &of, moment, now)).await;
    let fault = |_| anyhow!("a fault in hipocampusd itself while looking for what waits");
    let inquiry = match found.map_err(fault).flatten() {
        Ok(Some(inquiry)) => inquiry,
        Ok(None) => return Turn::Nothing,
        Err(why) => return Turn::Unable(sentence(&*why)),
    };
    let (workspace, wanted) = (&inquiry.workspace, inquiry.wanted);
    let mut said: Vec<Text> = Vec::new();
    for (portion, prompt) in &inquiry.questions {
        let mut log = AttemptLog::read(workspace);
        log.call(wanted.node, wanted.built_from, now.moment.day, said.is_empty());
        if let Err(error) = log.write(workspace) {
            // What cannot be counted is not asked.
            return Turn::Unable(sentence(&error));
        }
        match ask(orders, path, prompt, stop).await {
            Ok(text) => said.push((*portion, text)),
            Err(None) => return Turn::Nothing,
            Err(Some(what)) => return failed(workspace, wanted, now.wall, what),
        }
    }
    let of = orders.clone();
    let checked = spawn_blocking(move || check(&inquiry, &of, moment, now, &said)).await;
    checked.unwrap_or_else(|_| Turn::Unable("its answer could not be checked".to_owned()))
}

fn failed(workspace: &Workspace, wanted: Wanted, now: DateTime<Utc>, what: String) -> Turn {
    let mut log = AttemptLog::read(workspace);
    log.failed(wanted.node, wanted.built_from, now, &what);
    let turn = Turn::Failed(workspace.shown(&wanted.node.path()), what);
    noted(log.write(workspace), turn)
}

/// Keeps the answer, then says so in the log: a cycle looks when the log has changed.
fn keep(workspace: &Workspace, wanted: Wanted, now: DateTime<Utc>, kept: &Kept) -> Turn {
    let written = answers::save(workspace, wanted.node, wanted.built_from, kept).and_then(|()| {
        let mut log = AttemptLog::read(workspace);
        log.went_well(wanted.node, now);
        log.write(workspace)
    });
    noted(written, Turn::Answered(workspace.shown(&wanted.node.path())))
}

fn noted(written: Result<()>, turn: Turn) -> Turn {
    written.map_or_else(|error| Turn::Unable(sentence(&error)), |()| turn)
}

/// Looks for the first node that may be asked for now, and makes its prompts.
fn look(path: &Path, orders: &Orders, moment: Moment, now: Now) -> anyhow::Result<Option<Inquiry>> {
    let workspace = Workspace::open(path, true)?;
    let Some(lock) = workspace.try_lock(LOCK)? else {
        return Ok(None);
    };
    let request = Request::new(&orders.settings, moment, now.wall);
    let (plan, scan) = cycle::plan(&workspace, request)?;
    let mut log = AttemptLog::read(&workspace);
    let before = log.clone();
    log.keep_only(|period| {
        let node = scan.inventory.node(period);
        node.is_some_and(|node| node.status != Status::Fixed)
    });
    let asked = |period| log.asked_on(period, now.moment.day);
    let mut waiting = wanted(&scan.inventory, &plan, moment, asked);
    waiting.retain(|wanted| log.not_before(wanted.node, wanted.built_from, now.wall).is_none());
    let left = orders.calls_max.saturating_sub(log.calls_on(now.moment.day)) as usize;
    let mut found = None;
    for wanted in waiting.into_iter().take_while(|_| left > 0) {
        let questions = questions(&workspace, &scan, orders, wanted);
        let calls = questions.len();
        if calls > orders.calls_max as usize {
            let what = format!(
                "it is so long that it would take {calls} calls, more than compaction.maxSummariesPerDay allows in a day"
            );
            log.give_up(wanted.node, wanted.built_from, now.wall, &what);
        } else if (1..=left).contains(&calls) {
            found = Some((wanted, questions));
            break;
        }
    }
    if log != before {
        log.write(&workspace)?;
    }
    Ok(found.map(|(wanted, questions)| Inquiry { workspace, _lock: lock, wanted, questions }))
}

fn questions(workspace: &Workspace, scan: &Scan, orders: &Orders, wanted: Wanted) -> Vec<Text> {
    let level = wanted.node.level();
    let folder = orders.prompts.as_ref();
    let own = folder.and_then(|folder| small_file(&folder.join(format!("{level}.md"))));
    let template = own.unwrap_or_else(|| built_in(level).to_owned());
    let notes = workspace.text_if_there(Folder::Agents, AGENT_FILE).ok().flatten();
    let notes = notes.unwrap_or_default();
    let questions = cycle::tasks(workspace, scan, wanted, |task| {
        prompts(&template, &notes, task, orders.command.max_input_tokens as usize)
    });
    let questions = questions.unwrap_or_default().into_iter();
    let each =
        |(portion, prompts): (Portion, Vec<String>)| prompts.into_iter().map(move |prompt| (portion, prompt));
    questions.flat_map(each).collect()
}

/// Holds what was said against the sources as they are now, and keeps it. Where they are others than those that were asked about,
/// nothing was wrong, and there is nothing to keep.
fn check(inquiry: &Inquiry, orders: &Orders, moment: Moment, now: Now, said: &[Text]) -> Turn {
    let (workspace, wanted) = (&inquiry.workspace, inquiry.wanted);
    let request = Request::new(&orders.settings, moment, now.wall);
    let Ok((_, scan)) = cycle::plan(workspace, request) else {
        return Turn::Nothing;
    };
    let mended = cycle::tasks(workspace, &scan, wanted, |task| {
        let parts = said.iter().filter(|(portion, _)| *portion == task.portion);
        let parts: Vec<&str> = parts.map(|(_, part)| part.as_str()).collect();
        mend(&parts, &Basis::new(*task))
    });
    match mended.map(|mended| Kept::new(&orders.name, mended)) {
        None => Turn::Nothing,
        Some(Ok(kept)) => keep(workspace, wanted, now.wall, &kept),
        Some(Err(fault)) => failed(workspace, wanted, now.wall, format!("its answer {fault}")),
    }
}

/// Stands in the environment of a summarizer command and of all it starts. This program does nothing under it, so that a
/// hook which an agent's program runs cannot ask for the summary that is being written.
pub const MARK: &str = "HIPOCAMPUSD_SUMMARIZER";
const SAID_CHARS_MAX: usize = 200;

/// The program's answer, or why there is none; no reason where it was stopped.
type Said = Result<String, Option<String>>;

async fn ask(orders: &Orders, workspace: &Path, prompt: &str, stop: &mut Stop) -> Said {
    let Some((program, arguments)) = orders.command.command.split_first() else {
        return Err(Some("its command has no words".to_owned()));
    };
    let program = Path::new(program);
    let Some(found) = program::find(program, &orders.environment) else {
        let what = format!("there is no program {} on the PATH", program.display());
        return Err(Some(what));
    };
    let folder = empty_folder(orders, workspace).map_err(Some)?;
    let timeout_seconds = orders.command.timeout_seconds.into();
    let environment = environment(orders, &found);
    let deadline = Duration::from_secs(timeout_seconds);
    let spec = Spec {
        folder,
        input: Some(prompt.as_bytes().to_vec()),
        output_bytes_max: ANSWER_BYTES_MAX,
        ..Spec::new(found, arguments, environment, deadline)
    };
    read(&child::run(&spec, stop).await, timeout_seconds)
}

fn read(ended: &Ended, timeout_seconds: u64) -> Said {
    let tail = || {
        let redacted = redact(&ended.text()).into_owned();
        let last = redacted.lines().map(str::trim).rfind(|line| !line.is_empty());
        let last = last.map(|line| format!(": {}", one_line(line, SAID_CHARS_MAX)));
        last.unwrap_or_default()
    };
    let what = match &ended.how {
        How::Exited(0) if ended.stdout.dropped > 0 => format!("its answer {TOO_LONG}"),
        How::Exited(0) => match std::str::from_utf8(&ended.stdout.bytes) {
            Ok(text) if !text.trim().is_empty() => return Ok(text.to_owned()),
            Ok(_) => format!("its answer {SILENT}{}", tail()),
            Err(_) => "its answer is not UTF-8 text".to_owned(),
        },
        How::Exited(code) => format!("it ended with exit code {code}{}", tail()),
        How::Signalled(signal) => format!("it was killed by signal {signal}"),
        How::TimedOut => format!("it took longer than {timeout_seconds} seconds"),
        How::NotStarted(why) => why.clone(),
        How::Stopped => return Err(None),
    };
    Err(Some(what))
}

fn environment(orders: &Orders, program: &Path) -> Environment {
    let command = &orders.command;
    let sees: Vec<&str> = command.environment.iter().map(String::as_str).collect();
    let mut environment = program::environment(program, &orders.environment, &sees);
    let own = [("TERM", "dumb"), (MARK, "1")];
    let given = command.variables.iter();
    let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
    environment.extend(given.chain(own).map(|(name, value)| (name.into(), value.into())));
    environment
}

/// An empty folder that only we write to, the same for every call of a workspace: programs keep notes by folder.
fn empty_folder(orders: &Orders, workspace: &Path) -> Result<PathBuf, String> {
    let cache = program::cache_folder(&orders.environment);
    let cache = cache.ok_or("there is no home folder for its working folder")?;
    let of = xxh3_64(workspace.as_os_str().as_encoded_bytes());
    let folder = cache.join(format!("summarizer-{of:016x}"));
    let failed =
        |error: std::io::Error| format!("its working folder {} cannot be made: {error}", folder.display());
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(error)),
        _ => program::private_folder(folder.clone()).map_err(failed),
    }
}

/// A file of the user's; none when it is not there, is no small one or is something else.
fn small_file(path: &Path) -> Option<String> {
    let met = std::fs::metadata(path).ok()?;
    // Like the configuration beside it: what others may write is not the user's own.
    if !met.is_file() || met.len() > PROMPT_BYTES_MAX || met.permissions().mode() & 0o022 != 0 {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
