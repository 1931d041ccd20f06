//! The worker's own side: an order in, a cycle or a count, its words out.

use std::io::{self, BufRead as _, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::{Ended, Message, Order, Task, panic_message, say};
use chrono::DateTime;

use crate::daemon::cycle::{self, Progress, Request};
use crate::daemon::issue::sentence;
use crate::daemon::lock::CycleLock;
use crate::daemon::recall;
use crate::daemon::workspace::Workspace;
use crate::memory::plan::Extent;

/// Progress is told in so many steps, however long the run is.
const WORDS_MAX: usize = 100;

/// Does what the order on standard input says to the workspace, and tells it on standard output.
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
    // What a panic says may hold a piece of a log: it goes to the daemon, which redacts it, and nowhere else.
    std::panic::set_hook(Box::new(|_| {}));
    let ended = match catch_unwind(AssertUnwindSafe(|| attempt(task, folder, &order, &stop))) {
        Ok(Ok(ended) | Err(ended)) => ended,
        Err(payload) => Ended::Crashed(panic_message(payload.as_ref())),
    };
    say(io::stdout().lock(), &Message::Ended(ended))
}

fn attempt(task: Task, folder: &Path, order: &Order, stop: &AtomicBool) -> Result<Ended, Ended> {
    let no_folder = |error: &(dyn std::error::Error + 'static)| Ended::NoFolder(sentence(error));
    // Only a cycle makes folders: who looks must not put them back under the hands of somebody who removes them.
    let workspace = Workspace::open(folder, task == Task::Cycle).map_err(|error| no_folder(&error))?;
    let lock = CycleLock::try_take(&workspace).map_err(|error| no_folder(&error))?;
    let lock = lock.ok_or(Ended::Busy)?;
    let request = Request {
        settings: &order.settings,
        moment: order.moment,
        now: DateTime::from_timestamp_nanos(order.now),
        extent: Extent::All,
        stop,
    };
    if task == Task::Count {
        let (counters, strays) = cycle::count(&workspace, request).map_err(|error| no_folder(&error))?;
        return Ok(Ended::Counted {
            counters,
            strays,
            unfinished: lock.is_unfinished(),
        });
    }
    let mut last = 0;
    let mut tell = |progress| {
        match progress {
            Progress::Started => lock.note_unfinished(true),
            Progress::Done(done, of) => {
                let now = done * WORDS_MAX / of.max(1);
                if std::mem::replace(&mut last, now) == now {
                    return;
                }
            }
        }
        // A daemon that is gone does not hear it, and its silence on standard input ends the run.
        let _ = say(io::stdout().lock(), &Message::Goes(progress));
    };
    let outcome = cycle::run(&workspace, request, &mut tell).map_err(|error| no_folder(&error))?;
    if outcome.left == 0 && lock.is_unfinished() {
        lock.note_unfinished(false);
    }
    // Another cycle need not wait for it, and one in which nothing changed does nothing here either.
    drop(lock);
    if outcome.left == 0 && !outcome.wrote.is_empty() {
        recall::refresh(&workspace, order.settings.session_files, order.now, stop);
    }
    Ok(Ended::Cycled(outcome))
}
