//! A cycle, or the counting of what waits for one, in a process of its own. Its memory goes back to the system with it, so the daemon stays
//! as small as it began; and a cycle that is killed, or brought down by a text nobody foresaw, takes no other workspace with it.
//!
//! The worker is this program again, as `hipocampusd worker TASK DIR`. It reads one line of JSON from standard input, the
//! order, and answers with one line of JSON for each word it has to say. That its standard input ends is its sign to stop early:
//! so it also stops when the daemon is killed. The worker takes the lock of cycles itself and holds it to its end.

use std::any::Any;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::cycle::{self, CycleSettings, Outcome, Progress, Request};
use super::issue::sentence;
use super::lock::CycleLock;
use super::workspace::Workspace;
use super::{child, recall};
use crate::memory::calendar::Moment;
use crate::memory::redact::redact;

/// How often a silent worker is left for a look at whether to stop.
const LOOK: Duration = Duration::from_millis(200);
/// So many looks after it was told to stop it is killed. Every file is whole at any instant.
const LOOKS_TO_STOP: u32 = 14;
const FAULT_CHARS_MAX: usize = 200;

/// What a worker is for. It is named on its command line, for people who look at the processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Task {
    Cycle,
    Count,
}

type Order = (CycleSettings, Moment, DateTime<Utc>);

#[derive(Debug, Serialize, Deserialize)]
enum Message {
    Goes(Progress),
    Ended(Ended),
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Ended {
    /// Of a count only what is not covered, and as issues what became of what a crash left behind.
    Done {
        outcome: Outcome,
        /// Whether the last cycle before it, of whatever process, was cut short.
        unfinished: bool,
    },
    Busy,
    NoFolder(String),
    /// A fault of ours, or the process was not to be had, or is gone.
    Crashed(String),
}

pub fn run(task: Task, workspace: &Path, request: Request<'_>, hear: &mut dyn FnMut(Progress)) -> Ended {
    let name = if task == Task::Cycle { "cycle" } else { "count" };
    let started = child::again(&["worker".as_ref(), name.as_ref(), workspace.as_os_str()]);
    let mut worker = match started {
        Ok(worker) => worker,
        Err(error) => return gone(&format!("cannot be started: {error}")),
    };
    if let Some(input) = worker.stdin.as_ref() {
        // A worker that is gone already, or was told nothing, is heard of below.
        let _ = say(input, &(request.settings, request.moment, request.now));
    }
    let ended = listen(&mut worker, request.stop, hear);
    if ended.is_none() {
        let _ = worker.kill();
    }
    drop(worker.stdin.take());
    let status = worker.wait();
    ended.unwrap_or_else(|| gone(&last_word(status)))
}

/// Hears the worker to its last word; none when it ends, or has to be ended, without one.
fn listen(worker: &mut Child, stop: &AtomicBool, hear: &mut dyn FnMut(Progress)) -> Option<Ended> {
    let output = BufReader::new(worker.stdout.take()?);
    let (tell, told) = channel();
    let read = move || {
        let understood = |line: io::Result<String>| serde_json::from_str(&line.ok()?).ok();
        // Nobody hears it any more when it was to be stopped.
        let _ = output.lines().try_for_each(|line| tell.send(understood(line)));
    };
    thread::Builder::new().spawn(read).ok()?;
    let mut looks = 0;
    loop {
        if stop.load(Ordering::Relaxed) {
            drop(worker.stdin.take());
            looks += 1;
            if looks > LOOKS_TO_STOP {
                return None;
            }
        }
        match told.recv_timeout(LOOK) {
            Ok(Some(Message::Goes(progress))) => hear(progress),
            Ok(Some(Message::Ended(ended))) => return Some(ended),
            Err(RecvTimeoutError::Timeout) => {}
            Ok(None) | Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

fn say(mut to: impl io::Write, what: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(what)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// What a panic said, without secrets: it may hold a piece of a log.
pub fn fault(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref().map(String::as_str));
    let message = redact(message.unwrap_or_default());
    let message: String = message.chars().take(FAULT_CHARS_MAX).collect();
    format!("a fault in hipocampusd itself, please report it: {message}")
}

fn gone(how: &str) -> Ended {
    let what = format!("the work did not end: its process {how}; it is tried again");
    Ended::Crashed(what)
}

fn last_word(status: io::Result<ExitStatus>) -> String {
    match status.map(|status| (status.signal(), status.code())) {
        Ok((Some(6), _)) => "ended itself (memory may be short)".to_owned(),
        Ok((Some(9), _)) => "was killed (memory may be short)".to_owned(),
        Ok((Some(signal), _)) => format!("was ended by signal {signal}"),
        Ok((None, code)) => format!("ended with code {}", code.unwrap_or(-1)),
        Err(error) => format!("is gone: {error}"),
    }
}

pub fn serve(task: Task, folder: &Path) -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let order: Order = serde_json::from_str(&line)?;
    let stop = Arc::new(AtomicBool::new(false));
    let raise = Arc::clone(&stop);
    // Without this thread it cannot be told to end early, and that is all.
    let _ = thread::Builder::new().spawn(move || {
        let _ = io::stdin().lock().read_to_end(&mut Vec::new());
        raise.store(true, Ordering::Relaxed);
    });
    // What a panic says may hold a piece of a log: it goes to the daemon, and nowhere else.
    std::panic::set_hook(Box::new(|_| {}));
    let ended = match catch_unwind(AssertUnwindSafe(|| attempt(task, folder, &order, &stop))) {
        Ok(Ok(ended) | Err(ended)) => ended,
        Err(payload) => Ended::Crashed(fault(payload.as_ref())),
    };
    say(io::stdout().lock(), &Message::Ended(ended))
}

fn no_folder(error: impl std::error::Error + 'static) -> Ended {
    Ended::NoFolder(sentence(&error))
}

fn attempt(task: Task, folder: &Path, order: &Order, stop: &AtomicBool) -> Result<Ended, Ended> {
    // Only a cycle makes folders: who looks must not put them back under the hands of somebody who removes them.
    let workspace = Workspace::open(folder, task == Task::Cycle).map_err(no_folder)?;
    let lock = CycleLock::try_take(&workspace).map_err(no_folder)?;
    let lock = lock.ok_or(Ended::Busy)?;
    let (settings, moment, now) = order;
    let mut request = Request::new(settings, *moment, *now);
    request.stop = stop;
    let unfinished = lock.is_unfinished();
    if task == Task::Count {
        let outcome = cycle::count(&workspace, request).map_err(no_folder)?;
        return Ok(Ended::Done { outcome, unfinished });
    }
    let mut tell = |progress| {
        if let Progress::Started = progress {
            lock.note_unfinished(true);
        }
        // A daemon that is gone does not hear it, and its silence on standard input ends the run.
        let _ = say(io::stdout().lock(), &Message::Goes(progress));
    };
    let outcome = cycle::run(&workspace, request, &mut tell).map_err(no_folder)?;
    if outcome.left == 0 && lock.is_unfinished() {
        lock.note_unfinished(false);
    }
    // Another cycle need not wait for it, and one in which nothing changed does nothing here either.
    drop(lock);
    if outcome.left == 0 && !outcome.wrote.is_empty() {
        recall::refresh(&workspace, settings.session_files, *now, stop);
    }
    Ok(Ended::Done { outcome, unfinished })
}
