//! Ctrl-C and SIGTERM while `compact` runs: the first ends the run at the next sound place, a second one at once.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::daemon::child::{self, Stop};
use crate::daemon::signals;

pub(super) fn listen(stop: &Arc<AtomicBool>) -> Result<()> {
    signals::raise_at_first(stop).context("cannot listen to signals")
}

/// Waits for work that programs of the user's do. It hears of a signal, also of one that came before.
pub(super) fn attend<T>(stop: &AtomicBool, work: impl AsyncFnOnce(&mut Stop) -> T) -> Result<T> {
    let runtime = child::runtime().context("cannot run a program")?;
    let done = runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        // A signal from before is in the flag, and a later one is heard.
        let (sender, mut told) = watch::channel(stop.load(Ordering::Relaxed));
        let mut work = pin!(work(&mut told));
        tokio::select! {
            done = &mut work => return Ok(done),
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        let _ = sender.send(true);
        io::Result::Ok(work.await)
    });
    done.context("cannot listen to signals")
}
