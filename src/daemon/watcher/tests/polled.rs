//! What cannot be watched is looked at instead.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make folders, and run themselves under limits of their own"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::*;

#[test]
fn a_link_in_place_of_the_memory_folder_is_polled() {
    let mut stage = Stage::new();
    let real = stage.folder.path().join("elsewhere");
    fs::create_dir(&real).unwrap();
    fs::remove_dir(stage.memory()).unwrap();
    symlink(&real, stage.memory()).unwrap();
    stage.watcher.check();
    let path = stage.memory();
    let expected = format!(
        "{} cannot be watched (it is a link); changes are noticed within a minute",
        path.display()
    );
    assert_eq!(stage.watcher.polled(), [(HOME, expected)]);
}

const CHILD: &str = "HIPOCAMPUSD_WATCHER_CHILD";

/// Runs one test of this binary alone, in a process whose limits are its own. None when `unshare` cannot run here.
fn alone(test: &str, wrapper: &[&str]) -> Option<std::process::Output> {
    let program = std::env::current_exe().unwrap();
    let mut words = wrapper.to_vec();
    words.push(program.to_str().unwrap());
    let name = format!("daemon::watcher::tests::polled::{test}");
    words.extend(["--exact", &name, "--nocapture", "--test-threads=1"]);
    Command::new(words[0]).args(&words[1..]).env(CHILD, test).output().ok()
}

fn is_child(test: &str) -> bool {
    std::env::var_os(CHILD).is_some_and(|name| name == test)
}

#[test]
fn without_a_descriptor_left_everything_is_polled_until_there_is_one() {
    let test = "without_a_descriptor_left_everything_is_polled_until_there_is_one";
    if !is_child(test) {
        let output = alone(test, &[]).unwrap();
        assert!(output.status.success(), "{output:?}");
        return;
    }
    let mut stage = Stage::bare();
    fs::create_dir_all(stage.memory()).unwrap();
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(3), maximum: limit.maximum }).unwrap();
    let home = stage.home();
    stage.watcher.add_workspace(HOME, &home);
    stage.watcher.check();
    setrlimit(Resource::Nofile, limit).unwrap();
    let polled = stage.watcher.polled();
    let numbers: Vec<usize> = polled.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [HOME, HOME], "{polled:?}");
    let mut stage = stage.started();
    assert_eq!(stage.watcher.polled(), []);
    stage.append("2026-03-15.md");
    assert_eq!(stage.heard(), LOGS);
}

#[test]
fn over_the_limit_of_watches_the_rest_is_polled() {
    let test = "over_the_limit_of_watches_the_rest_is_polled";
    if !is_child(test) {
        let limited = "echo 3 > /proc/sys/user/max_inotify_watches && exec \"$@\"";
        match alone(test, &["unshare", "-U", "-r", "sh", "-c", limited, "sh"]) {
            Some(output) if output.status.success() => {}
            Some(output) if String::from_utf8_lossy(&output.stdout).contains("running 1 test") => {
                panic!("{output:?}");
            }
            _ => eprintln!("skipped: no user name space of one's own here"),
        }
        return;
    }
    let mut stage = Stage::bare();
    fs::create_dir_all(stage.memory()).unwrap();
    let (home, cookie) = (stage.home(), stage.folder.path().join("cookie"));
    stage.watcher.add_workspace(COOKIE, &cookie);
    stage.watcher.add_workspace(HOME, &home);
    stage.watcher.check();
    let polled = stage.watcher.polled();
    let memory = stage.memory().display().to_string();
    assert!(matches!(&polled[..], [(HOME, what)] if what.starts_with(&memory)), "{polled:?}");
    fs::write(stage.home().join("hipocampus.config.json"), "{}").unwrap();
    let heard = stage.heard();
    assert!(heard.contains(&Change::Configuration), "what can be watched still is");
}
