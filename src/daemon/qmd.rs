//! qmd, the search index beside the memory: `qmd update`, then `qmd embed`, for one workspace (SPEC section 11).
//!
//! A workspace may bring a configuration of qmd's along, whose `update:` is a shell command. So qmd never runs in a workspace: its
//! working folder is the root folder, which no workspace can put anything into or above, and its index and its configuration are
//! named, so that it looks for none. What it runs is what the user wrote down in their own configuration of qmd.
//!
//! The index is a supplement: whatever goes wrong here ends in a [`QmdResult`] that `status` shows, never in an error of the cycle.
#![expect(clippy::disallowed_methods, reason = "its lock is in no workspace")]

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::config::{Qmd, Search};
use crate::daemon::child::{self, Ended, Environment, How, Spec, Stop, stopped};
use crate::daemon::program::{self, absolute};
use crate::memory::redact::redact;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub qmd: Qmd,
    pub search: Search,
    pub environment: Environment,
}

/// What became of one turn of qmd for one workspace; `status` shows it as `qmd.lastResult`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QmdResult {
    /// When it ended, ISO 8601, UTC.
    pub at: String,
    pub update: Outcome,
    /// What `qmd embed` did; `None` when it was not its turn.
    pub embed: Option<Outcome>,
    /// What went wrong in words, and the end of what qmd printed, without secrets; empty when all is well.
    pub said: String,
}

impl QmdResult {
    pub fn is_good(&self) -> bool {
        self.update.is_good() && self.embed.is_none_or(Outcome::is_good)
    }

    /// Whether there is no qmd and nobody has said where one is: going without it is a choice.
    pub fn is_not_wanted(&self) -> bool {
        self.said == NOT_INSTALLED
    }

    pub fn sentence(&self) -> String {
        match self.said.as_str() {
            "" => self.update.words().to_owned(),
            said => said.replace('\n', "; "),
        }
    }
}

/// The `--timeout` of `qmd embed`: what qmd takes by itself.
const EMBED_TIMEOUT_MINUTES: u64 = 30;
/// How long past its own `--timeout` an embed may take: it ends between two batches only, and loads its model first.
pub const EMBED_MARGIN: Duration = Duration::from_secs(120);
/// Two updates at once make one of them fail; the second try, after this pause, does not.
const SECOND_TRY_AFTER: Duration = Duration::from_secs(1);
/// What an update that found nothing changed says of texts without vectors, left from an embed that failed.
const LACKS_VECTORS: &str = "need vectors";
/// How often a lock that somebody else holds is tried.
const LOCK_LOOK: Duration = Duration::from_millis(200);
/// What qmd, node and llama.cpp look at besides. Tokens for model hubs are not handed on, and neither is [`TRUST`].
const QMD_ENVIRONMENT: &str = "QMD_* INDEX_PATH LLAMA_* GGML_* CUDA_* NVIDIA_* HIP_* ROCR_* VK_* HF_ENDPOINT HF_HOME MODEL_ENDPOINT WSL_*";
/// What is said where there is none, and none was named.
pub const NOT_INSTALLED: &str = "qmd is not installed (optional; recall works without it)";
/// Variables of these names (`QMD_TRUST_LOCAL_CONFIG`, `QMD_TRUST_UPDATE_HOOKS`) would have qmd run what a workspace names.
const TRUST: &str = "QMD_TRUST_";

/// One turn: `qmd update`, then, if the settings allow it, `qmd embed`, under one lock. Ends soon after `stop`.
///
/// Not run without the program, when it is too old, and when `workspace/memory` is missing or has no Markdown in it, because qmd then
/// removes all its documents from the index.
pub async fn reindex_once(
    settings: &Settings,
    workspace: &Path,
    now: impl Fn() -> String,
    stop: &mut Stop,
) -> QmdResult {
    let update_alone =
        |update: Outcome, said: &str| QmdResult { at: now(), update, embed: None, said: tail(said) };
    let Some(program) = find_program(settings) else {
        let (words, path) = (Outcome::Missing.words(), settings.qmd.path.display());
        let named = format!("{words}: looked for {path}");
        let is_named = settings.qmd.path != Path::new("qmd");
        return update_alone(Outcome::Missing, if is_named { &named } else { NOT_INSTALLED });
    };
    if !has_markdown(&workspace.join("memory")) {
        return update_alone(Outcome::Skipped, Outcome::Skipped.words());
    }
    if let Err((outcome, said)) = check_version(settings, &program, stop).await {
        return update_alone(outcome, &said);
    }
    let _lock = match lock(settings, stop).await {
        Ok(lock) => lock,
        Err(outcome) => return update_alone(outcome, outcome.words()),
    };

    let deadline = Duration::from_secs(settings.qmd.timeout_seconds.into());
    let update_spec = spec(settings, &program, &["update"], deadline);
    let mut ended = child::run(&update_spec, stop).await;
    if matches!(read(&ended, update_said), Outcome::Busy | Outcome::Failed) {
        // Nothing tells when the other program has ended. A child that is started after a stop ends at once.
        let _ = timeout(SECOND_TRY_AFTER, stopped(stop)).await;
        ended = child::run(&update_spec, stop).await;
    }
    let update = read(&ended, update_said);
    let mut said = said_of("update", update, &ended);
    let wants_embed = settings.search.vector && (update.is_good() || update == Outcome::Partial);
    let embed = if !wants_embed {
        None
    } else if update == Outcome::NothingToDo && !ended.stdout.text().contains(LACKS_VECTORS) {
        Some(Outcome::NothingToDo)
    } else {
        let timeout = format!("--timeout={EMBED_TIMEOUT_MINUTES}");
        let deadline = Duration::from_secs(EMBED_TIMEOUT_MINUTES * 60) + EMBED_MARGIN;
        let embed_spec = spec(settings, &program, &["embed", &timeout], deadline);
        let ended = child::run(&embed_spec, stop).await;
        let outcome = read(&ended, embed_said);
        said.push_str(&said_of("embed", outcome, &ended));
        Some(outcome)
    };
    QmdResult { at: now(), update, embed, said: said.trim_end().to_owned() }
}

pub fn add_collection(
    settings: &Settings,
    program: &Path,
    folder: &str,
    name: &str,
) -> io::Result<(Option<i32>, String)> {
    let arguments = ["collection", "add", folder, "--name", name];
    child::alone(async |stop| {
        if let Err((_, said)) = check_version(settings, program, stop).await {
            return (None, said);
        }
        let deadline = Duration::from_secs(settings.qmd.timeout_seconds.into());
        let ended = child::run(&spec(settings, program, &arguments, deadline), stop).await;
        let said = ended.text();
        match ended.how {
            How::Exited(code) => (Some(code), said),
            How::NotStarted(why) => (None, why),
            How::Signalled(_) | How::TimedOut | How::Stopped => (None, said),
        }
    })
}

fn spec(settings: &Settings, program: &Path, arguments: &[&str], deadline: Duration) -> Spec {
    let index = format!("--index={}", settings.qmd.index);
    let arguments = arguments.iter().copied().chain([&*index]);
    let environment = environment(settings, program);
    Spec::new(program.to_owned(), arguments, environment, deadline)
}

fn environment(settings: &Settings, program: &Path) -> Environment {
    let inherited = &settings.environment;
    let seen: Vec<&str> = QMD_ENVIRONMENT.split(' ').collect();
    let mut environment = program::environment(program, inherited, &seen);
    environment.retain(|name, _| !name.to_string_lossy().starts_with(TRUST));
    let configuration = absolute(inherited, "QMD_CONFIG_DIR")
        .or_else(|| Some(absolute(inherited, "XDG_CONFIG_HOME")?.join("qmd")))
        .or_else(|| Some(absolute(inherited, "HOME")?.join(".config/qmd")));
    if let Some(folder) = configuration {
        environment.insert("QMD_CONFIG_DIR".into(), folder.into());
    }
    if settings.search.embed_model != "auto" {
        let model = settings.search.embed_model.as_str();
        environment.insert("QMD_EMBED_MODEL".into(), model.into());
    }
    environment
}

pub fn find_program(settings: &Settings) -> Option<PathBuf> {
    program::find(&settings.qmd.path, &settings.environment)
}

/// Whether the memory folder has Markdown in it, or one folder below: enough to tell a memory from an empty mount point.
fn has_markdown(memory: &Path) -> bool {
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
    };
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let entries = list(memory);
    let below = |entry: &PathBuf| entry.is_dir() && list(entry).iter().any(is_markdown);
    entries.iter().any(is_markdown) || entries.iter().any(below)
}

/// Keeps all of the user's processes from running qmd on one index at once. `Ok(None)` when there is no place for a lock.
async fn lock(settings: &Settings, stop: &mut Stop) -> Result<Option<File>, Outcome> {
    let Some(file) = open_lock(settings) else {
        tracing::debug!("no place for the lock on the search index, going on without");
        return Ok(None);
    };
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if waited.as_secs() >= settings.qmd.timeout_seconds.into() => {
                return Err(Outcome::Busy);
            }
            Err(TryLockError::WouldBlock) => {}
        }
        if timeout(LOCK_LOOK, stopped(stop)).await.is_ok() {
            return Err(Outcome::Stopped);
        }
        waited += LOCK_LOOK;
    }
}

/// The lock file is in the cache folder, as qmd's databases are: who shares a database shares the lock.
fn open_lock(settings: &Settings) -> Option<File> {
    let folder = program::private_folder(program::cache_folder(&settings.environment)?).ok()?;
    let index = settings.qmd.index.replace(['/', '\0'], "_");
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    options.open(folder.join(format!("qmd-{index}.lock"))).ok()
}

fn said_of(verb: &str, outcome: Outcome, ended: &Ended) -> String {
    if outcome.is_good() {
        return String::new();
    }
    let why = match &ended.how {
        How::NotStarted(why) => why.clone(),
        _ => tail(&ended.text()),
    };
    format!("{verb}: {}\n{why}\n", outcome.words()).replace("\n\n", "\n")
}

/// The last lines that say something, redacted: a stack trace says nothing to the person who reads `status`.
fn tail(text: &str) -> String {
    const LINES_MAX: usize = 6;
    const CHARACTERS_MAX: usize = 300;
    let redacted = redact(text);
    const IDLE: [&str; 3] = ["at ", "Node.js v", "If qmd still"];
    let is_idle = |line: &str| matches!(line, "" | "^") || IDLE.iter().any(|start| line.starts_with(start));
    let lines = redacted.lines().filter(|line| !is_idle(line.trim()));
    let lines = lines.map(|line| line.trim_end().chars().take(CHARACTERS_MAX).collect());
    let lines: Vec<String> = lines.collect();
    lines[lines.len().saturating_sub(LINES_MAX)..].join("\n")
}

/// Before 2.8.3 qmd follows links, and patterns with `../`, out of a collection's folder, so that a workspace could bring any file of the
/// user's into the index; and the words by which it says how it went are others.
const OLDEST: [u64; 3] = [2, 8, 3];
/// qmd says its version within a third of a second where nothing else goes on.
const VERSION_DEADLINE: Duration = Duration::from_secs(30);

/// Asks the program for its version. The error says how that ended, and why it is not to be run.
async fn check_version(
    settings: &Settings,
    program: &Path,
    stop: &mut Stop,
) -> Result<(), (Outcome, String)> {
    let ended = child::run(&spec(settings, program, &["--version"], VERSION_DEADLINE), stop).await;
    let outcome = read(&ended, version_said);
    if outcome == Outcome::Ok {
        return Ok(());
    }
    let said = said_of("--version", outcome, &ended);
    Err((outcome, format!("{}: {said}", program.display())))
}

fn version_said(text: &str) -> Option<Outcome> {
    let is_new = is_new_enough(text)?;
    Some(if is_new { Outcome::Ok } else { Outcome::TooOld })
}

/// Reads `qmd 2.8.3 (0123abc)`; none when nothing like it is there.
pub fn is_new_enough(text: &str) -> Option<bool> {
    let version = text.lines().find_map(|line| line.trim().strip_prefix("qmd "))?;
    let mut words = version.split(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let numbers = words.next()?.split('.');
    let numbers: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
    (!numbers.is_empty()).then(|| numbers.as_slice() >= OLDEST.as_slice())
}

/// What became of a run of qmd, read from how it ended **and** from the words of qmd 2.8: exit code 0 does not mean success. A run that
/// says none of these words is [`Outcome::Failed`], also with exit code 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Ok,
    NothingToDo,
    /// Another process has the index; worth another try.
    Busy,
    /// Done in part: a time cap, a file that could not be read; worth another try.
    Partial,
    NoCollections,
    /// Only a person can mend it: its configuration, its database, its models, a collection without its folder.
    Configuration,
    Crashed,
    /// qmd, or the node that it runs on, is not installed where we can find it.
    Missing,
    /// It is older than any that is safe to run (see [`is_new_enough`]).
    TooOld,
    TimedOut,
    Stopped,
    /// It was not run, because the workspace's memory folder is missing or suddenly empty: qmd would have emptied the index.
    Skipped,
    Failed,
}

impl Outcome {
    pub fn is_good(self) -> bool {
        matches!(self, Self::Ok | Self::NothingToDo)
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Ok => "done",
            Self::NothingToDo => "nothing to do",
            Self::Busy => "the index is in use by another process",
            Self::Partial => "done in part",
            Self::NoCollections => {
                "qmd has no collections; add one with: qmd collection add ./memory --name NAME"
            }
            Self::Configuration => "qmd needs a hand: its configuration, its models or its database",
            Self::Crashed => "qmd crashed",
            Self::Missing => "qmd or its node is not installed where the daemon looks",
            Self::TooOld => {
                "qmd is too old and is not run; install 2.8.3 or newer: npm install -g @tobilu/qmd"
            }
            Self::TimedOut => "qmd took too long and was stopped",
            Self::Stopped => "stopped with the daemon",
            Self::Skipped => "skipped: the memory folder is missing or empty",
            Self::Failed => "qmd failed",
        }
    }
}

fn read(ended: &Ended, said: fn(&str) -> Option<Outcome>) -> Outcome {
    let code = match &ended.how {
        How::NotStarted(_) => return Outcome::Missing,
        How::TimedOut => return Outcome::TimedOut,
        How::Stopped => return Outcome::Stopped,
        How::Exited(code) => *code,
        // As a shell would say it: the launcher passes the worker's signal on either way.
        How::Signalled(signal) => 128 + signal,
    };
    let text = ended.text();
    match code {
        0 => said(&text).unwrap_or(Outcome::Failed),
        127 => Outcome::Missing,
        // Metal aborts at exit on some Macs, after all was done and said: such a death counts for nothing.
        129..=192 => said(&text).filter(|outcome| outcome.is_good()).unwrap_or(Outcome::Crashed),
        _ => failure(&text),
    }
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn update_said(text: &str) -> Option<Outcome> {
    if text.contains("No collections found") {
        return Some(Outcome::NoCollections);
    }
    if !text.contains("All collections updated") {
        return None;
    }
    const SKIPPED: &[&str] = &["Skipped unreadable file", "Skipped file outside collection"];
    let counts: Vec<[u64; 4]> = text.lines().filter_map(counts).collect();
    // All of it removed at once is what a collection looks like whose folder is gone.
    let was_emptied =
        |&[new, updated, unchanged, removed]: &[u64; 4]| removed > 0 && new + updated + unchanged == 0;
    let is_changed = |&[new, updated, _, removed]: &[u64; 4]| new + updated + removed > 0;
    Some(if counts.iter().any(was_emptied) {
        Outcome::Configuration
    } else if has(text, SKIPPED) {
        Outcome::Partial
    } else if counts.iter().any(is_changed) {
        Outcome::Ok
    } else {
        Outcome::NothingToDo
    })
}

fn embed_said(text: &str) -> Option<Outcome> {
    const NOTHING: &[&str] = &[
        "All content hashes already have embeddings",
        "No non-empty documents to embed",
    ];
    if text.contains("Another embed process is already running") {
        Some(Outcome::Busy)
    } else if has(text, &["Session expired", "chunks still failed after retries"]) {
        Some(Outcome::Partial)
    } else if has(text, NOTHING) {
        Some(Outcome::NothingToDo)
    } else {
        has(text, &["Done! Embedded"]).then_some(Outcome::Ok)
    }
}

/// An exit code that says failure: whether time, a person, or neither will mend it.
fn failure(text: &str) -> Outcome {
    const BUSY: &[&str] = &["database is locked", "database is busy", "SQLITE_BUSY"];
    const CONFIGURATION: &[&str] = &[
        "file is not a database",
        "database disk image is malformed",
        "Failed to parse /",
        "YAMLParseError",
        "No model file found",
        "NoBinaryFoundError",
        "ERR_DLOPEN_FAILED",
        "Collection not found",
        "readonly database",
        "qmd is not built",
    ];
    if has(text, BUSY) {
        Outcome::Busy
    } else if has(text, CONFIGURATION) {
        Outcome::Configuration
    } else {
        Outcome::Failed
    }
}

fn counts(line: &str) -> Option<[u64; 4]> {
    let mut counts = line.trim().strip_prefix("Indexed: ")?.split(", ");
    let mut count = |word: &str| counts.next()?.strip_suffix(word)?.trim_end().parse().ok();
    Some([
        count("new")?,
        count("updated")?,
        count("unchanged")?,
        count("removed")?,
    ])
}

#[cfg(test)]
mod tests;
