//! What the service manager is told: ready, reloading, stopping, a line of status, and that the loop still turns.
//!
//! A datagram to `$NOTIFY_SOCKET`; without that variable nothing happens.

use std::ffi::OsStr;
use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::time::Duration;

/// A service manager whose queue is full (Linux lets ten messages wait) is waited for so long: one that does not read must not hold the
/// loop up, and one that is only busy must not miss that the daemon is ready.
const SEND_WITHIN: Duration = Duration::from_millis(200);

#[derive(Debug, Default)]
pub struct Notifier {
    manager: Option<(UnixDatagram, SocketAddr)>,
}

impl Notifier {
    pub fn new(notify_socket: Option<&OsStr>) -> io::Result<Self> {
        let Some(name) = notify_socket.filter(|name| !name.is_empty()) else {
            return Ok(Self::default());
        };
        if !Path::new(name).is_absolute() {
            return Err(io::Error::other("no path"));
        }
        let address = SocketAddr::from_pathname(name)?;
        let socket = UnixDatagram::unbound()?;
        socket.set_write_timeout(Some(SEND_WITHIN))?;
        Ok(Self { manager: Some((socket, address)) })
    }

    /// Assignments, one a line, as `sd_notify(3)` lists them.
    pub fn tell(&self, message: &str) -> io::Result<()> {
        match &self.manager {
            None => Ok(()),
            Some((socket, address)) => socket.send_to_addr(message.as_bytes(), address).map(|_| ()),
        }
    }
}

/// How often the watchdog wants to hear of this process: half of `WATCHDOG_USEC`. None when it is not wanted, or of another process.
pub fn watchdog_interval(usec: Option<&OsStr>, pid: Option<&OsStr>, own_pid: u32) -> Option<Duration> {
    if let Some(pid) = pid
        && pid.to_str()?.parse() != Ok(own_pid)
    {
        return None;
    }
    let usec: u64 = usec?.to_str()?.parse().ok()?;
    (usec > 0).then(|| Duration::from_micros(usec) / 2)
}

#[cfg(test)]
mod tests;
