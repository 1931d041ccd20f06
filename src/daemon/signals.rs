//! Signals as events of the loop: TERM and INT end the program, HUP reloads, USR1 asks for a cycle (SPEC section 13).
//!
//! They come through the pipe that tokio keeps for its children anyway: no further thread and no wake-up. The second
//! TERM or INT ends the process inside the signal handler, so that it works when the loop is stuck.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use tokio::signal::unix::{self, SignalKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// End: finish the file being written, write the counters, exit 0.
    Terminate,
    Reload,
    CycleNow,
}

/// The exit status of a program that was told twice to end.
const CUT_SHORT: i32 = 1;

/// Raises a flag at the first TERM or INT; a second one ends the process at once.
pub fn raise_at_first(flag: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in [SIGTERM, SIGINT] {
        // The order counts: the first signal must find the flag down and raise it afterwards.
        signal_hook::flag::register_conditional_shutdown(signal, CUT_SHORT, Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

/// The signals this process listens to. Several of one kind that arrive together are one.
#[derive(Debug)]
pub struct Signals {
    terminate: unix::Signal,
    interrupt: unix::Signal,
    hangup: unix::Signal,
    user1: unix::Signal,
}

impl Signals {
    /// Starts to listen. To be called inside the runtime, once.
    pub fn listen() -> io::Result<Self> {
        raise_at_first(&Arc::new(AtomicBool::new(false)))?;
        Ok(Self {
            terminate: unix::signal(SignalKind::terminate())?,
            interrupt: unix::signal(SignalKind::interrupt())?,
            hangup: unix::signal(SignalKind::hangup())?,
            user1: unix::signal(SignalKind::user_defined1())?,
        })
    }

    /// Waits for the next signal. May be dropped and called again; nothing is lost.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => Signal::Terminate,
            _ = self.interrupt.recv() => Signal::Terminate,
            _ = self.hangup.recv() => Signal::Reload,
            _ = self.user1.recv() => Signal::CycleNow,
        }
    }
}

#[cfg(test)]
mod tests;
