//! A cycle of the daemon's runs in a process of its own: what comes of it when either of the two is killed.

use std::fs;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use super::support::{Space, User, until};

/// Enough logs that their cycle can be caught at work.
fn backlog(space: &Space) {
    for year in 2023..2026 {
        for month in 1..=12 {
            for day in 1..=28 {
                let name = format!("memory/{year}-{month:02}-{day:02}.md");
                let log = format!("## Bridge {month} [project]\n- outcome: done on {year}-{month}-{day}\n");
                fs::write(space.file(&name), log).expect("a log");
            }
        }
    }
}

/// The processes that run a cycle over this workspace.
fn workers(space: &Space) -> Vec<Pid> {
    let folder = space.file("");
    let folder = folder.to_string_lossy();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse::<i32>().ok());
    numbers
        .filter(|number| {
            let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            words.get(1..3) == Some(&[b"worker".as_slice(), b"cycle"])
                && words
                    .get(3)
                    .is_some_and(|word| word == &folder.trim_end_matches('/').as_bytes())
        })
        .filter_map(Pid::from_raw)
        .collect()
}

/// A person with a backlog, where processes can be looked at.
fn busy() -> Option<(User, Space)> {
    if !fs::exists("/proc/self/cmdline").unwrap_or(false) {
        println!("skipped: no /proc here");
        return None;
    }
    let user = User::new();
    let space = user.workspace("work");
    backlog(&space);
    Some((user, space))
}

#[test]
fn a_cycle_whose_process_is_killed_is_told_and_made_up_for() {
    let Some((user, space)) = busy() else { return };
    let daemon = user.daemon(&[&space]);
    until("a worker is caught", || {
        let caught = workers(&space);
        caught
            .iter()
            .for_each(|worker| kill_process(*worker, Signal::KILL).unwrap_or_default());
        !caught.is_empty()
    });
    let daemon = daemon.ready();
    daemon.until_log("the work did not end: its process was killed");
    daemon.signal(Signal::USR1);
    until("everything is done", || {
        space.text("memory/ROOT.md").contains("Bridge")
            && space.file("memory/daily/2023-01-01.md").exists()
            && space.status()["lastCycle"]["left"] == 0
    });
    daemon.end();
    let (code, said, _) = user.output(&["verify", &space.file("").to_string_lossy()]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

#[test]
fn a_worker_ends_with_the_daemon_that_was_killed() {
    let Some((user, space)) = busy() else { return };
    let daemon = user.daemon(&[&space]);
    until("a worker is at work", || !workers(&space).is_empty());
    daemon.kill();
    until("it has ended", || workers(&space).is_empty());
    let daemon = user.daemon(&[&space]).ready();
    until("everything is done", || {
        space.text("memory/ROOT.md").contains("Bridge") && space.status()["lastCycle"]["left"] == 0
    });
    daemon.end();
}

/// Only Linux limits the memory of a process that runs already.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_runs_out_of_memory_is_told_once_and_prints_nothing_of_its_own() {
    use rustix::process::{Resource, Rlimit, prlimit};

    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon_with(&[&space], |command| {
        command.env("RUST_BACKTRACE", "1");
        // Each further arena of glibc's takes 64 MiB of addresses, which would be room for the worker.
        command.env("MALLOC_ARENA_MAX", "1");
    });
    let daemon = daemon.ready();
    space.until_daily_says("bridge 1 is done");
    // What the daemon itself has, and hardly more for its workers.
    let status = fs::read_to_string(format!("/proc/{}/status", daemon.pid())).expect("its memory");
    let size = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:")?.split_whitespace().next());
    let kibibytes: u64 = size.and_then(|size| size.parse().ok()).expect("a number");
    let room = Rlimit { current: Some((kibibytes << 10) + (24 << 20)), maximum: None };
    let process = Pid::from_raw(daemon.pid() as i32);
    let before = prlimit(process, Resource::As, room).expect("a limit");
    let large = "## Tunnel [project]\n- outcome: dug so far\n".repeat(1_000_000);
    fs::write(space.file("memory/2026-03-20.md"), large).expect("a large log");
    daemon.signal(Signal::USR1);
    daemon.until_log("its process ended itself (memory may be short)");
    prlimit(process, Resource::As, before).expect("no limit");
    fs::write(
        space.file("memory/2026-03-20.md"),
        "## Tunnel [project]\n- outcome: dug through\n",
    )
    .expect("a log");
    daemon.signal(Signal::USR1);
    until("it is made up for", || {
        space.text("memory/daily/2026-03-20.md").contains("dug through")
    });
    let log = daemon.end();
    assert_eq!(log.matches("memory may be short").count(), 1, "{log}");
    for raw in ["memory allocation", "backtrace", "panicked"] {
        assert!(!log.contains(raw), "{raw}: {log}");
    }
}

#[test]
fn a_worker_called_by_hand_says_whose_it_is() {
    let user = User::new();
    let space = user.workspace("work");
    let mut command = user.command(&["worker", "cycle", &space.file("").to_string_lossy()]);
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`hipocampusd compact`"), "{said}");
}

#[test]
fn the_index_of_recall_is_looked_after_when_a_cycle_has_written_and_left_alone_when_none_has() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    let changed = || fs::metadata(space.file(".hipocampus/recall")).and_then(|index| index.modified());
    until("an index is made", || changed().is_ok());
    let before = changed().expect("an index");
    daemon.signal(Signal::USR1);
    daemon.until_log("cycle finished, nothing written");
    assert_eq!(changed().expect("an index"), before);
    let folder = space.path.display().to_string();
    let (code, found, error) = user.output(&["recall", "--dir", &folder, "bridge"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(found.contains("bridge 1 is done"), "{found}");
    assert_eq!(changed().expect("an index"), before, "who asks has nothing to make");
    daemon.end();
}
