//! One call of the user's program: in an empty folder of its own, with little of our environment, a mark in it, a deadline,
//! and bounded output.
#![expect(
    clippy::disallowed_methods,
    reason = "the program's working folder and the user's own prompts lie outside of every workspace"
)]

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use super::Orders;
use crate::daemon::child::{self, Ended, How, Spec, Stop};
use crate::daemon::program;
use crate::memory::answer::{ANSWER_BYTES_MAX, SILENT, TOO_LONG};
use crate::memory::redact::redact;
use crate::memory::text::one_line;

/// Stands in the environment of a summarizer command and of all it starts. This program does nothing under it, so that a
/// hook which an agent's program runs cannot ask for the summary that is being written.
pub const MARK: &str = "HIPOCAMPUSD_SUMMARIZER";
const GRACE: Duration = Duration::from_secs(2);
/// How much of what it printed to standard error is told.
const SAID_CHARS_MAX: usize = 200;

pub(super) enum Failed {
    Stopped,
    Said(String),
}

pub(super) async fn ask(
    orders: &Orders,
    workspace: &Path,
    prompt: &str,
    stop: &mut Stop,
) -> Result<String, Failed> {
    let said = |what: &str| Failed::Said(what.to_owned());
    let words = orders.command.words();
    let Some((program, arguments)) = words.split_first() else {
        return Err(said("its command has no words"));
    };
    let program = Path::new(program);
    let Some(found) = program::find(program, &orders.environment) else {
        let what = format!("there is no program {} on the PATH", program.display());
        return Err(Failed::Said(what));
    };
    let folder = empty_folder(orders, workspace).map_err(Failed::Said)?;
    let timeout_seconds = orders.command.timeout_seconds.into();
    let spec = Spec {
        environment: environment(orders, &found),
        program: found,
        arguments: arguments.iter().map(OsString::from).collect(),
        folder,
        input: Some(prompt.as_bytes().to_vec()),
        deadline: Duration::from_secs(timeout_seconds),
        grace: GRACE,
        output_bytes_max: ANSWER_BYTES_MAX,
    };
    read(&child::run(&spec, stop).await, timeout_seconds)
}

fn read(ended: &Ended, timeout_seconds: u64) -> Result<String, Failed> {
    let tail = |ended: &Ended| {
        let redacted = redact(&ended.text()).into_owned();
        let last = redacted.lines().map(str::trim).rfind(|line| !line.is_empty());
        last.map_or_else(String::new, |line| {
            format!(": {}", one_line(line, SAID_CHARS_MAX))
        })
    };
    let what = match &ended.how {
        How::Exited(0) if ended.stdout.dropped() > 0 => format!("its answer {TOO_LONG}"),
        How::Exited(0) => match std::str::from_utf8(ended.stdout.bytes()) {
            Ok(text) if !text.trim().is_empty() => return Ok(text.to_owned()),
            Ok(_) => format!("its answer {SILENT}{}", tail(ended)),
            Err(_) => "its answer is not UTF-8 text".to_owned(),
        },
        How::Exited(code) => format!("it ended with exit code {code}{}", tail(ended)),
        How::Signalled(signal) => format!("it was killed by signal {signal}"),
        How::TimedOut => format!("it took longer than {timeout_seconds} seconds"),
        How::NotStarted { why, .. } => why.clone(),
        How::Stopped => return Err(Failed::Stopped),
    };
    Err(Failed::Said(what))
}

fn environment(orders: &Orders, program: &Path) -> Vec<(OsString, OsString)> {
    let command = &orders.command;
    let mut environment = program::environment(program, &orders.environment, &command.sees());
    for (name, value) in command.variables() {
        program::set(&mut environment, name, value);
    }
    program::set(&mut environment, "TERM", "dumb");
    program::set(&mut environment, MARK, "1");
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

/// A small file of the user's; none when it is not there, is larger than that or is something else.
pub(super) fn small_file(path: &Path, bytes_max: u64) -> Option<String> {
    let met = std::fs::metadata(path).ok()?;
    // Like the configuration beside it: what others may write is not the user's own.
    if !met.is_file() || met.len() > bytes_max || met.permissions().mode() & 0o022 != 0 {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(bytes_max).read_to_string(&mut text).ok()?;
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
