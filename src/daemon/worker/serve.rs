//! The worker's own side: an order in, a cycle or a count, its words out.

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::{Ended, Message, Order, Task, panic_message};
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
    let ended = catch_unwind(AssertUnwindSafe(|| attempt(task, folder, &order, &stop)))
        .unwrap_or_else(|payload| Ended::Crashed(panic_message(payload.as_ref())));
    say(&Message::Ended(ended));
    Ok(())
}

fn attempt(task: Task, folder: &Path, order: &Order, stop: &AtomicBool) -> Ended {
    let no_folder = |error: &(dyn std::error::Error + 'static)| Ended::NoFolder(sentence(error));
    // Only a cycle makes folders: who looks must not put them back under the hands of somebody who removes them.
    let workspace = match Workspace::open(folder, task == Task::Cycle) {
        Ok(workspace) => workspace,
        Err(error) => return no_folder(&error),
    };
    let lock = match CycleLock::try_take(&workspace) {
        Ok(Some(lock)) => lock,
        Ok(None) => return Ended::Busy,
        Err(error) => return no_folder(&error),
    };
    let request = Request {
        settings: &order.settings,
        moment: order.moment,
        now: DateTime::from_timestamp_nanos(order.now),
        extent: Extent::All,
        stop,
    };
    if task == Task::Count {
        return match cycle::count(&workspace, request) {
            Ok((counters, strays)) => Ended::Counted {
                counters,
                strays,
                unfinished: lock.is_unfinished(),
            },
            Err(error) => no_folder(&error),
        };
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
        say(&Message::Goes(progress));
    };
    match cycle::run(&workspace, request, &mut tell) {
        Ok(outcome) => {
            if outcome.left == 0 && lock.is_unfinished() {
                lock.note_unfinished(false);
            }
            // Another cycle need not wait for it, and one in which nothing changed does nothing here either.
            drop(lock);
            if outcome.left == 0 && !outcome.wrote.is_empty() {
                recall::refresh(&workspace, order.settings.session_files, order.now, stop);
            }
            Ended::Cycled(outcome)
        }
        Err(error) => no_folder(&error),
    }
}

/// One line; a daemon that is gone does not hear it, and its silence on standard input ends the run.
fn say(word: &Message) {
    if let Ok(mut line) = serde_json::to_vec(word) {
        line.push(b'\n');
        let mut output = io::stdout().lock();
        let _ = output.write_all(&line).and_then(|()| output.flush());
    }
}
