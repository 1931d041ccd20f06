//! Ctrl-C and SIGTERM while `compact` runs: the first ends the run at the next sound place, a second one at once.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::daemon::child::Stop;

/// Raises `stop` at the first signal.
pub(super) fn listen(stop: &Arc<AtomicBool>) -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // The order counts: the first signal must find the flag down and raise it afterwards.
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(stop))
            .context("cannot listen to signals")?;
        signal_hook::flag::register(signal, Arc::clone(stop)).context("cannot listen to signals")?;
    }
    Ok(())
}

/// Waits for work that programs of the user's do. It hears of a signal, also of one that came before.
pub(super) fn attend<T>(stop: &AtomicBool, work: impl AsyncFnOnce(&mut Stop) -> T) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot run a program")?;
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
