//! How `run` starts, and what keeps it from starting.
#![expect(clippy::disallowed_methods, reason = "reads a log and starts the program")]

use std::fs;
use std::io::Read as _;
use std::process::{Child, Stdio};

use rustix::process::Signal;
use serde_json::json;

use super::support::{User, until, write_private};

#[test]
fn a_configuration_that_cannot_be_used_ends_the_start_with_78() {
    let user = User::new();
    let space = user.workspace("work");
    write_private(
        &space.file("hipocampus.config.json"),
        "{\n  \"daemon\": { \"settleSeconds\": -1 }\n}",
    );
    let folder = space.path.display().to_string();
    let (code, _, error) = user.output(&["run", &folder]);
    assert_eq!(code, Some(78), "{error}");
    assert!(
        error.contains("hipocampus.config.json:2:") && error.contains("daemon.settleSeconds"),
        "{error}"
    );
    space.configure(&json!({}));
    user.configure("[]");
    let (code, _, error) = user.output(&["run", &folder]);
    assert_eq!(code, Some(78), "{error}");
}

#[test]
fn without_any_workspace_the_usage_is_wrong() {
    let user = User::new();
    let (code, _, error) = user.output(&["run"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("--init"), "{error}");
    let (code, _, error) = user.output(&["run", "--log", "loud", "."]);
    assert_eq!(code, Some(2), "{error}");
    // A folder that is none yet is no wrong usage, but nothing to serve either.
    let (code, _, error) = user.output(&["run", "nowhere"]);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains("hipocampusd init"), "{error}");
}

#[test]
fn init_prepares_a_folder_first_and_says_what_it_made_and_where_to_look() {
    let user = User::new();
    let folder = user.path("fresh");
    fs::create_dir_all(folder.join("memory")).expect("folders");
    let log = "## Shelf [project]\n- outcome: it holds\n";
    fs::write(folder.join("memory/2026-03-14.md"), log).expect("a log");
    let mut command = user.command(&["run", "--init", "--log", "debug"]);
    command.arg(&folder).stdout(Stdio::piped());
    let log = user.path("log");
    let error = fs::File::create(&log).expect("a log");
    let mut child = command.stderr(error).spawn().expect("the program starts");
    until("it is ready", || {
        fs::read_to_string(&log).is_ok_and(|text| text.contains(" ready "))
    });
    if cfg!(target_os = "linux") {
        // It began anew: the memory that the first cycle took is free again.
        let words = fs::read(format!("/proc/{}/cmdline", child.id())).expect("its command line");
        assert!(!String::from_utf8_lossy(&words).contains("--init"));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, Signal::TERM).expect("a signal");
    let output = output_of(&mut child);
    assert!(
        output.contains("/fresh:\n  memory/daily/") && output.contains("\nno agent is told: "),
        "{output}"
    );
    let look = format!(" tokens: less {}\n", folder.join("memory/ROOT.md").display());
    assert!(
        output.contains("memory/ROOT.md: 1 subject, ") && output.contains(&look),
        "{output}"
    );

    assert!(folder.join("memory/daily").is_dir());
}

/// Who wants the program to end while it makes ROOT of old logs waits for no more than the file that is being written.
#[test]
fn told_to_end_while_it_prepares_a_folder_it_ends_well() {
    let user = User::new();
    let folder = user.path("old");
    fs::create_dir_all(folder.join("memory")).expect("folders");
    for day in 0..600 {
        let (year, month, day) = (2020 + day / 300, day / 25 % 12 + 1, day % 25 + 1);
        let entry =
            |at: usize| format!("## Shelf {at} of day {day}\n- outcome: board {at} holds {day} books\n");
        let log: String = (0..40).map(entry).collect();
        fs::write(folder.join(format!("memory/{year}-{month:02}-{day:02}.md")), log).expect("a log");
    }
    let mut command = user.command(&["run", "--init"]);
    command.arg(&folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    until("the first node is there", || {
        fs::read_dir(folder.join("memory/daily")).is_ok_and(|mut nodes| nodes.next().is_some())
    });
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).expect("a signal");
    output_of(&mut child);
}

#[test]
fn init_without_a_folder_serves_this_one_whatever_the_configuration_lists() {
    let user = User::new();
    let other = user.workspace("other");
    user.configure(&json!({ "workspaces": [other.path] }).to_string());
    let here = user.path("here");
    fs::create_dir(&here).expect("a folder");
    let log = user.path("log");
    let error = fs::File::create(&log).expect("a log");
    let mut command = user.command(&["run", "--init", "--log", "debug"]);
    let mut child = command
        .current_dir(&here)
        .stdout(Stdio::null())
        .stderr(error)
        .spawn()
        .expect("the program starts");
    until("it is ready", || {
        fs::read_to_string(&log).is_ok_and(|text| text.contains(" ready "))
    });
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, Signal::TERM).expect("a signal");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    assert!(here.join(".hipocampus/run.lock").is_file() && !other.file(".hipocampus").exists());
}

/// Whoever was killed is a moment in dying, and a child of theirs that is just starting holds all that they held.
#[test]
fn a_lock_that_a_dying_process_still_holds_is_waited_for() {
    let user = User::new();
    let space = user.workspace("work");
    fs::create_dir(space.file(".hipocampus")).expect("a folder");
    let lock = fs::File::create(space.file(".hipocampus/run.lock")).expect("the lock");
    lock.lock().expect("nobody has it");
    let daemon = user.daemon(&[&space]);
    daemon.until_log("waiting a moment for another hipocampusd to end");
    drop(lock);
    daemon.ready().end();
}

/// What a program printed that ends well.
fn output_of(child: &mut Child) -> String {
    let mut text = String::new();
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_to_string(&mut text).expect("a text");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    text
}
