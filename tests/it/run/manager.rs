//! What a service manager hears: a socket of the test's own stands in for systemd.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use rustix::process::Signal;

use super::support::User;

/// Reads messages until one begins with `start`; answers all that came.
#[track_caller]
fn heard_until(manager: &Receiver<String>, start: &str) -> Vec<String> {
    let mut heard = Vec::new();
    loop {
        let message = manager
            .recv_timeout(Duration::from_secs(60))
            .unwrap_or_else(|error| panic!("no {start} ({error}) in {heard:?}"));
        let found = message.starts_with(start);
        heard.push(message);
        if found {
            return heard;
        }
    }
}

/// What comes to a socket at `path`, which somebody always reads: a queue that is full loses messages.
fn manager_at(path: &Path) -> Receiver<String> {
    let socket = UnixDatagram::bind(path).expect("a socket");
    let (sender, messages) = mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(length) = socket.recv(&mut buffer) {
            let message = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    messages
}

#[test]
fn promise_13_the_service_manager_hears_when_it_is_ready_alive_reloading_and_stopping() {
    let user = User::new();
    let space = user.workspace("work");
    let path = user.path("notify");
    let manager = manager_at(&path);
    space.append("bridge", 1);
    let daemon = user.daemon_with(&[&space], |command| {
        command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "200000");
    });
    let heard = heard_until(&manager, "READY=1\nSTATUS=keeping 1 workspace");
    assert!(heard.iter().all(|message| !message.starts_with("STOPPING")), "{heard:?}");
    heard_until(&manager, "WATCHDOG=1");
    heard_until(&manager, "WATCHDOG=1");
    daemon.signal(Signal::HUP);
    heard_until(&manager, "RELOADING=1\nMONOTONIC_USEC=");
    heard_until(&manager, "READY=1");
    daemon.end();
    heard_until(&manager, "STOPPING=1");
}

#[test]
fn a_watchdog_meant_for_another_process_is_not_fed() {
    let user = User::new();
    let space = user.workspace("work");
    let path = user.path("notify");
    let manager = manager_at(&path);
    let daemon = user.daemon_with(&[&space], |command| {
        command
            .env("NOTIFY_SOCKET", &path)
            .env("WATCHDOG_USEC", "1000")
            .env("WATCHDOG_PID", "1");
    });
    heard_until(&manager, "READY=1");
    space.append("bridge", 6);
    space.until_daily_says("bridge 6 is done");
    daemon.end();
    let heard = heard_until(&manager, "STOPPING=1");
    assert!(heard.iter().all(|message| !message.starts_with("WATCHDOG")), "{heard:?}");
}
