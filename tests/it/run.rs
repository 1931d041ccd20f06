//! The daemon as people meet it: the real program, real folders, real signals, and the kernel's own file events.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out folders and starts the program"
)]

mod folders;
mod manager;
mod many;
mod start;
mod summarizer;
pub(crate) mod support;
mod worker;

use std::fs;

use chrono::{Duration, Utc};
use rustix::process::Signal;
use serde_json::json;

use support::{User, until, write_private};

use crate::place::named_pipe;
use crate::qmd::stage::INDEXED;

#[test]
fn what_agents_append_becomes_nodes_and_nobody_has_to_ask() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    // There is no state file, so a cycle is due at once.
    space.until_daily_says("bridge 1 is done");
    until("the state is written", || space.state()["checkpointsSinceLastCompaction"] == 0);
    until("the status is written", || space.status()["lastCycle"]["left"] == 0);
    // Six entries more than were covered are one over the limit.
    space.append("tunnel", 6);
    space.until_daily_says("tunnel 6 is done");
    until("ROOT names it", || space.text("memory/ROOT.md").contains("tunnel"));
    daemon.until_log("reason=\"6 entries not yet covered, over 5\"");
    daemon.end();
}

#[test]
fn promise_04_with_nothing_due_nothing_is_written() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 2);
    let daemon = user.daemon(&[&space]).ready();
    daemon.until_log("cycle finished workspace");
    until("the counters are settled", || space.state()["rawLinesSinceLastCompaction"] == 0);
    let before = space.tree();
    daemon.signal(Signal::USR1);
    daemon.until_log("cycle finished, nothing written");
    daemon.end();
    assert_eq!(space.tree(), before);
}

#[test]
fn a_restart_counts_as_if_there_had_been_none() {
    let user = User::new();
    let space = user.workspace("work");
    space.cycle_was(Utc::now());
    let daemon = user.daemon(&[&space]).ready();
    space.append("bridge", 3);
    until("three are counted", || space.state()["checkpointsSinceLastCompaction"] == 3);
    daemon.end();
    assert_eq!(space.state()["checkpointsSinceLastCompaction"], 3);
    space.append("tunnel", 4);
    let daemon = user.daemon(&[&space]).ready();
    space.until_daily_says("tunnel 4 is done");
    daemon.end();
}

#[test]
fn promise_06_a_killed_daemon_leaves_no_lock_behind_and_its_cycle_is_made_up_for() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    for _ in 0..3 {
        user.daemon(&[&space]).ready().kill();
    }
    let daemon = user.daemon(&[&space]).ready();
    space.until_daily_says("bridge 1 is done");
    daemon.end();
}

#[test]
fn promise_14_the_end_comes_within_five_seconds_also_with_a_qmd_that_ignores_it() {
    let user = User::new();
    let space = user.workspace("work");
    let group = user.path("group");
    let update = format!("trap '' TERM; echo $$ > '{}'; while :; do sleep 1; done", group.display());
    user.install_qmd(&update, "true");
    space.configure(&json!({ "search": { "enabled": true } }));
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    until("qmd runs", || fs::read_to_string(&group).is_ok_and(|text| text.ends_with('\n')));
    space.append("tunnel", 2);
    daemon.end();
    // The counters as they stood are on disk, and nothing of qmd is left.
    assert!(!space.state().is_null());
    let pid = fs::read_to_string(&group).expect("a process number");
    let stat = format!("/proc/{}/stat", pid.trim());
    until("qmd is gone", || {
        fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "))
    });
}

#[test]
fn qmd_is_run_after_a_cycle_that_wrote_and_not_after_one_that_did_not() {
    let user = User::new();
    let space = user.workspace("work");
    user.install_qmd(INDEXED, "echo '✓ Done! Embedded 3 chunks from 1 documents in 2s'");
    space.configure(&json!({ "search": { "enabled": true } }));
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    until("the result is told", || space.status()["qmd"]["embed"] == "ok");
    assert_eq!(user.qmd_calls().lines().next(), Some("update --index=index"));
    daemon.signal(Signal::USR1);
    daemon.until_log("cycle finished, nothing written");
    daemon.end();
    assert_eq!(user.qmd_calls().matches("update").count(), 1);
}

#[test]
fn a_broken_qmd_is_told_by_the_status_and_stops_nothing() {
    let user = User::new();
    let space = user.workspace("work");
    user.install_qmd("echo 'file is not a database' >&2; exit 1", "true");
    space.configure(&json!({ "search": { "enabled": true } }));
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    until("the failure is told", || {
        space.status()["qmd"]["said"].to_string().contains("not a database")
    });
    space.append("tunnel", 6);
    space.until_daily_says("tunnel 6 is done");
    daemon.end();
}

#[test]
fn a_signal_asks_for_a_cycle_now() {
    let user = User::new();
    let space = user.workspace("work");
    space.cycle_was(Utc::now());
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    until("it is counted", || space.state()["checkpointsSinceLastCompaction"] == 1);
    assert!(!space.daily_says("bridge"));
    daemon.signal(Signal::USR1);
    space.until_daily_says("bridge 1 is done");
    daemon.end();
}

#[test]
fn a_changed_configuration_is_read_and_a_bad_one_changes_nothing() {
    let user = User::new();
    let space = user.workspace("work");
    space.cycle_was(Utc::now());
    let daemon = user.daemon(&[&space]).ready();
    space.configure(&json!({ "compaction": { "cooldownHours": 0 } }));
    daemon.until_log("the configuration was read again");
    // Without a cooldown every change is a reason.
    space.append("bridge", 1);
    space.until_daily_says("bridge 1 is done");
    write_private(
        &space.file("hipocampus.config.json"),
        "{ \"compaction\": { \"cooldownHours\": \"soon\" } }",
    );
    daemon.until_log("the configuration from before stays in force");
    until("the status tells it", || {
        space.status()["issues"][0]["what"]
            .to_string()
            .contains("compaction.cooldownHours")
    });
    space.append("tunnel", 1);
    space.until_daily_says("tunnel 1 is done");
    space.configure(&json!({}));
    until("the status is content", || space.status()["issues"] == json!([]));
    daemon.end();
}

#[test]
fn hangup_reads_the_users_configuration_and_with_it_the_list_of_workspaces() {
    let user = User::new();
    let (one, two) = (user.workspace("one"), user.workspace("two"));
    one.append("bridge", 1);
    two.append("tunnel", 1);
    let list = |spaces: &[&str]| {
        let spaces: Vec<String> = spaces.iter().map(|name| user.path(name).display().to_string()).collect();
        json!({ "workspaces": spaces }).to_string()
    };
    user.configure(&list(&["one"]));
    let daemon = user.daemon(&[]).ready();
    one.until_daily_says("bridge 1 is done");
    user.configure(&list(&["two", "three"]));
    daemon.signal(Signal::HUP);
    two.until_daily_says("tunnel 1 is done");
    daemon.until_log("no longer served");
    daemon.until_log("no folder with memory/ in it answers to this yet");
    user.configure("{");
    daemon.signal(Signal::HUP);
    daemon.until_log("the configuration from before stays in force");
    two.append("tower", 6);
    two.until_daily_says("tower 6 is done");
    // The one that was let go is free for another daemon.
    user.configure("{}");
    let other = user.daemon(&[&one]).ready();
    other.end();
    daemon.end();
}

#[test]
fn promise_06_a_second_daemon_names_the_first_and_ends() {
    let user = User::new();
    let (space, free) = (user.workspace("work"), user.workspace("free"));
    let first = user.daemon(&[&space]).ready();
    let folder = space.path.display().to_string();
    let (code, _, error) = user.output(&["run", &folder]);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains(&format!("(process {})", first.pid())), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    // Of two workspaces only the taken one is refused.
    free.append("bridge", 1);
    let second = user.daemon(&[&space, &free]).ready();
    free.until_daily_says("bridge 1 is done");
    assert!(second.end().contains("a workspace is not served"));
    first.end();
}

#[test]
fn promise_09_one_bad_workspace_stops_no_other() {
    let user = User::new();
    let bad = [
        "no-memory",
        "bad-config",
        "own-folder-is-a-file",
        "state-is-a-folder",
        "log-is-a-pipe",
        "node-is-a-folder",
    ];
    let bad: Vec<_> = bad.iter().map(|name| user.workspace(name)).collect();
    fs::remove_dir(bad[0].file("memory")).expect("a removal");
    write_private(&bad[1].file("hipocampus.config.json"), "no JSON");
    write_private(&bad[2].file(".hipocampus"), "");
    fs::create_dir(bad[3].file("memory/.compaction-state.json")).expect("a folder");
    let today = Utc::now().date_naive();
    named_pipe(&bad[4].file(&format!("memory/{today}.md")));
    fs::create_dir_all(bad[5].file("memory/monthly/2026-01.md")).expect("a folder");
    let good: Vec<_> = ["one", "two", "three"].iter().map(|name| user.workspace(name)).collect();
    for space in good.iter().chain(&bad[3..4]).chain(&bad[5..]) {
        space.append("bridge", 1);
    }
    let all: Vec<_> = bad.iter().chain(&good).collect();
    let daemon = user.daemon(&all).ready();
    for space in good.iter().chain(&bad[3..4]).chain(&bad[5..]) {
        space.until_daily_says("bridge 1 is done");
    }
    until("the unusable state is told", || {
        bad[3].status()["issues"].to_string().contains(".compaction-state.json")
    });
    good[2].append("tunnel", 6);
    good[2].until_daily_says("tunnel 6 is done");
    let log = daemon.end();
    assert_eq!(log.matches("a workspace is not served").count(), 3, "{log}");
}

#[test]
fn a_cycle_waits_for_the_one_of_another_process() {
    let user = User::new();
    let space = user.workspace("work");
    fs::create_dir(space.file(".hipocampus")).expect("a folder");
    let held = fs::File::create(space.file(".hipocampus/cycle.lock")).expect("a lock");
    held.lock().expect("a lock");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    assert!(!space.daily_says("bridge"));
    drop(held);
    space.until_daily_says("bridge 1 is done");
    daemon.end();
}

#[test]
fn promise_05_a_state_that_agents_wrote_is_heard() {
    let user = User::new();
    let space = user.workspace("work");
    // An agent's plain write is two steps, and a second of quiet is longer than both.
    space.configure(&json!({ "daemon": { "settleSeconds": 1 } }));
    space.append("bridge", 1);
    space.cycle_was(Utc::now());
    let daemon = user.daemon(&[&space]).ready();
    until("it is counted", || space.state()["checkpointsSinceLastCompaction"] == 1);
    let mut state = space.state();
    state["checkpointsSinceLastCompaction"] = json!(6);
    state["note"] = json!("an agent's own");
    fs::write(space.file("memory/.compaction-state.json"), state.to_string()).expect("a state");
    space.until_daily_says("bridge 1 is done");
    until("the counters are zero", || space.state()["checkpointsSinceLastCompaction"] == 0);
    assert_eq!(space.state()["note"], "an agent's own");
    space.cycle_was(Utc::now() + Duration::days(3));
    daemon.end();
}

#[test]
fn a_count_that_nothing_stands_for_is_settled_by_a_cycle_that_finds_nothing() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    space.until_daily_says("bridge 1 is done");
    daemon.end();
    let mut state = space.state();
    state["checkpointsSinceLastCompaction"] = json!(6);
    fs::write(space.file("memory/.compaction-state.json"), state.to_string()).expect("a state");
    let daemon = user.daemon(&[&space]).ready();
    until("the counters are zero", || space.state()["checkpointsSinceLastCompaction"] == 0);
    daemon.end();
}

#[test]
fn a_session_that_begins_or_ends_has_the_daemon_cover_what_is_new() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    daemon.until_log_times("cycle finished workspace", 1);
    let path = space.path.to_str().expect("a path").to_owned();
    let commands = [
        ("tunnel", vec!["session", "start", &path]),
        ("harbour", vec!["capture", "--stdin", &path]),
    ];
    for (at, (topic, command)) in commands.into_iter().enumerate() {
        // Too few for a trigger, and the last cycle was a moment ago.
        space.append(topic, 1);
        let (code, _, errors) = user.output(&command);
        assert_eq!(code, Some(0), "{errors}");
        // A slow machine's daemon may be at it a little longer.
        space.until_daily_says(&format!("{topic} 1 is done"));
        daemon.until_log_times("reason=\"asked for\"", at + 1);
        until("the question is taken away", || {
            !space.file("memory/.compaction-settle").exists()
        });
    }
    daemon.end();
}
