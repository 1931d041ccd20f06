//! What a terminal is sent: our own colours, and nothing of others' names that it would obey.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::commands::week;
use crate::place::Place;

/// What a terminal is sent by a command.
fn on_a_terminal(place: &Place, command: &str) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal for us");
    unlockpt(&ours).expect("a terminal to open");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    let theirs = OpenOptions::new()
        .read(true)
        .write(true)
        .open(name.to_str().expect("a plain name"))
        .expect("its other end");
    let mut program = place.program();
    program
        .env("TERM", "xterm")
        .arg(command)
        .arg(place.path(""))
        .stdout(theirs)
        .stderr(Stdio::null());
    let mut child = program.spawn().expect("the program starts");
    // The command line holds their end open too.
    drop(program);
    let (mut sent, mut piece) = (Vec::new(), [0; 1024]);
    let mut ours = File::from(ours);
    // Linux says that a terminal whose other end is closed cannot be read, others that it is at its end.
    while let Ok(length @ 1..) = ours.read(&mut piece) {
        sent.extend_from_slice(&piece[..length]);
    }
    child.wait().expect("it ends");
    String::from_utf8(sent).expect("text")
}

#[test]
fn colours_reach_a_terminal_and_names_of_others_drive_none() {
    let place = week();
    place.write("memory/2026-02-30\x1b]0;owned\x07.md", "## Never\n");
    for (command, wanted) in [
        ("status", "\x1b[33mnot running"),
        ("doctor", "\x1b[32mgood   \x1b[0m"),
    ] {
        let sent = on_a_terminal(&place, command);
        assert!(sent.contains(wanted), "{command}: {sent:?}");
        assert!(
            !sent.contains("\\u001b") && !sent.contains("\x1b]") && !sent.contains('\x07'),
            "{command}: {sent:?}"
        );
    }
}

#[test]
fn verify_says_on_a_terminal_what_it_checked_and_elsewhere_nothing_where_all_holds() {
    let place = week();
    let sent = on_a_terminal(&place, "verify");
    assert!(sent.contains("checked 7 logs, 0 nodes and ROOT: every rule holds"), "{sent:?}");
    assert_eq!(place.run("verify", &[]).stdout, "");
}
