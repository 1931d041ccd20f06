//! Folders that are removed, made again, or cannot be watched.
#![expect(clippy::disallowed_methods, reason = "changes folders and starts the program")]

use std::fs;
use std::process::{Command, Stdio};

use super::support::{Daemon, User, until};

#[test]
fn a_memory_folder_that_is_removed_and_made_again_goes_on() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    for round in 1..=2 {
        // A cycle that loses the folder while it writes is tried again much later, which is not what this is about.
        daemon.until_log_times("cycle finished workspace", round);
        until("the folder is removed", || fs::remove_dir_all(space.file("memory")).is_ok());
        fs::create_dir(space.file("memory")).expect("a folder");
        space.append(&format!("tunnel {round}"), 1);
        space.until_daily_says(&format!("tunnel {round} 1 is done"));
    }
    daemon.end();
}

#[test]
fn a_daemons_own_folder_that_is_removed_is_made_again_and_locked_again() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    daemon.until_log("cycle finished workspace");
    until("the folder is removed", || {
        fs::remove_dir_all(space.file(".hipocampus")).is_ok()
    });
    space.append("tunnel", 6);
    space.until_daily_says("tunnel 6 is done");
    let (code, _, error) = user.output(&["run", &space.path.display().to_string()]);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains(&format!("(process {})", daemon.pid())), "{error}");
    daemon.end();
}

#[test]
fn a_folder_that_cannot_be_watched_is_looked_at_all_the_same() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let script = "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$@\"";
    let unshare = |program: &std::ffi::OsStr| {
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "sh", "-c", script, "sh"])
            .arg(program);
        command
    };
    if !unshare("true".as_ref())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        println!(
            "skipped: a_folder_that_cannot_be_watched_is_looked_at_all_the_same: no user namespaces here"
        );
        return;
    }
    let plain = user.command(&["run", "--log", "debug"]);
    let mut command = unshare(plain.get_program());
    command.args(plain.get_args()).arg(&space.path).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let daemon = Daemon::start(command, user.path("log")).ready();
    space.until_daily_says("bridge 1 is done");
    until("the status tells it", || space.status()["polled"] == true);
    let log = daemon.end();
    assert!(log.matches("cannot be watched").count() >= 2, "{log}");
}
