//! Signals that a child process sends to itself.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{Signal as Kind, getpid, kill_process};

use super::*;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

const CHILD: &str = "HIPOCAMPUSD_SIGNALS_CHILD";

/// Not a test by itself: what the child of the tests below runs. It hears the signals it sends itself, then is
/// stuck for good and is killed by the second TERM.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    block_on(async {
        let mut signals = Signals::listen().unwrap();
        for (kind, expected) in [
            (Kind::USR1, Signal::CycleNow),
            (Kind::HUP, Signal::Reload),
            (Kind::INT, Signal::Terminate),
        ] {
            kill_process(getpid(), kind).unwrap();
            assert_eq!(signals.next().await, expected);
        }
        println!("told once, still here");
        kill_process(getpid(), Kind::TERM).unwrap();
        loop {
            std::thread::park();
        }
    });
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "signals are the whole process's, so a process of its own hears them"
)]
fn each_signal_is_an_event_and_the_second_end_is_at_once() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "daemon::signals::tests::child",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CHILD, "1")
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    let status = child.wait().unwrap();
    assert!(output.contains("told once, still here"), "{output}");
    assert_eq!(status.code(), Some(CUT_SHORT), "{output}");
}
