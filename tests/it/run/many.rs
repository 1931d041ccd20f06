//! Many workspaces under one daemon: they come and go while it runs, share one queue of qmd, and none starves another.

use std::fs;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use super::INDEXED;
use super::support::{Space, User, holds_within, until};
use crate::place::named_pipe;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// A beat of a minute, and time to do what it shows.
const BEAT: Duration = Duration::from_secs(100);

#[test]
fn tenants_come_and_go_while_the_daemon_runs_with_a_signal_and_by_themselves() {
    let user = User::new();
    let tenant = |name: &str| user.workspace(&format!("home/hub/tenants/{name}"));
    fs::create_dir_all(user.path("home/hub/tenants/none")).expect("a folder");
    let alice = tenant("alice");
    alice.append("bridge", 1);
    user.configure(&json!({ "workspaces": ["~/hub/tenants/*/memory"] }).to_string());
    let daemon = user.daemon(&[]).ready();
    alice.until_daily_says("bridge 1 is done");
    let bob = tenant("bob");
    bob.append("tunnel", 1);
    daemon.signal(Signal::HUP);
    bob.until_daily_says("tunnel 1 is done");
    // The file alone is enough, too.
    let other = user.workspace("elsewhere");
    other.append("tower", 1);
    user.configure(
        &json!({ "workspaces": ["~/hub/tenants/*", other.path.display().to_string()] }).to_string(),
    );
    other.until_daily_says("tower 1 is done");
    // No signal and no change of a file: the next beat finds who came and who went.
    let carol = tenant("carol");
    carol.append("road", 1);
    fs::rename(&alice.path, user.path("home/alice")).expect("a move");
    assert!(holds_within(BEAT, || carol.daily_says("road 1 is done")), "{}", daemon.log());
    daemon.until_log("no longer served");
    bob.append("ferry", 6);
    bob.until_daily_says("ferry 6 is done");
    // Who removes a workspace does not find pieces of it made again.
    until("bob is removed", || fs::remove_dir_all(&bob.path).is_ok() || !bob.path.exists());
    daemon.signal(Signal::HUP);
    daemon.until_log_times("no longer served", 2);
    assert!(!bob.path.exists() && !alice.path.exists(), "{}", daemon.log());
    daemon.end();
}

#[test]
fn a_workspace_whose_turn_at_qmd_fails_stops_not_the_next() {
    let user = User::new();
    let calls = user.path("bin/calls");
    let is_first = format!("[ $(wc -l < '{}') -eq 1 ]", calls.display());
    let fails = "{ echo 'file is not a database' >&2; exit 1; }";
    user.install_qmd(&format!("{is_first} && {fails}; {INDEXED}"), "true");
    let spaces = ["one", "two"].map(|name| user.workspace(name));
    for space in &spaces {
        space.configure(&json!({ "search": { "enabled": true, "vector": false } }));
        space.append("bridge", 1);
    }
    let daemon = user.daemon(&[&spaces[0], &spaces[1]]).ready();
    until("both are told", || {
        let told = spaces.each_ref().map(|space| space.status()["qmd"]["update"].clone());
        told.contains(&json!("configuration")) && told.contains(&json!("ok"))
    });
    daemon.end();
}

#[test]
fn all_workspaces_share_one_queue_of_qmd_and_no_cycle_waits_for_it() {
    let user = User::new();
    let gate = user.path("gate");
    named_pipe(&gate);
    let mut gate_open = fs::OpenOptions::new().read(true).write(true).open(&gate).expect("a pipe");
    let update = format!("read line < '{}'; {INDEXED}", gate.display());
    user.install_qmd(&update, "true");
    let spaces: Vec<Space> = ["one", "two", "three", "four"]
        .iter()
        .map(|name| user.workspace(name))
        .collect();
    let search = |enabled| json!({ "search": { "enabled": enabled, "vector": false } });
    for space in &spaces {
        space.configure(&search(true));
    }
    let (first, others) = spaces.split_first().expect("four of them");
    first.append("bridge", 1);
    let all: Vec<&Space> = spaces.iter().collect();
    let daemon = user.daemon(&all).ready();
    let calls = || user.qmd_calls().lines().count();
    until("the first one is at the gate", || calls() == 1);
    // What is asked for again before its turn is one turn, and what is not wanted any more is none.
    for topic in ["bridge", "tunnel"] {
        for space in others {
            space.append(topic, 6);
            space.until_daily_says(&format!("{topic} 6 is done"));
        }
    }
    let (last, others) = others.split_last().expect("three of them");
    last.configure(&search(false));
    daemon.until_log("the configuration was read again");
    // Each that is let through makes room for one other.
    for passed in 0..=others.len() {
        until("the next one is at the gate", || calls() > passed);
        assert_eq!(calls(), passed + 1, "{}", user.qmd_calls());
        gate_open.write_all(b"go\n").expect("the gate opens");
    }
    for space in others.iter().chain([first]) {
        until("the result is told", || space.status()["qmd"]["update"] == "ok");
    }
    assert_eq!(user.qmd_calls(), "update --index=index\n".repeat(1 + others.len()));
    daemon.end();
}

#[test]
fn noisy_workspaces_starve_no_other() {
    let user = User::new();
    let noisy: Vec<Space> = ["a", "b", "c"].iter().map(|name| user.workspace(name)).collect();
    let quiet = user.workspace("quiet");
    for space in &noisy {
        // Every change of a log is a cycle there.
        let always = json!({ "compaction": { "cooldownHours": 0 } });
        space.configure(&always);
    }
    let all: Vec<&Space> = noisy.iter().chain([&quiet]).collect();
    let daemon = user.daemon(&all).ready();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for space in &noisy {
            scope.spawn(|| {
                // Cycles that take their time, but not each longer than the one before.
                space.append("engine", 300);
                // What a log says once more is nothing new.
                for number in 1.. {
                    space.append(&format!("noise {number}"), 2);
                    std::thread::park_timeout(Duration::from_millis(50));
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        // Nothing may panic before it is over: the threads would go on for ever.
        let cycles = |spaces: &[Space]| {
            let log = daemon.log();
            let of_one = |space: &Space| {
                let told = format!("cycle finished workspace={} ", space.path.display());
                log.matches(&told).count()
            };
            spaces.iter().map(of_one).collect::<Vec<_>>()
        };
        let are_heard = holds_within(PATIENCE, || cycles(&noisy).iter().all(|&count| count > 0));
        let before: usize = cycles(&noisy).iter().sum();
        let came: Vec<bool> = (1..=3)
            .map(|round| {
                quiet.append(&format!("bridge {round}"), 6);
                holds_within(PATIENCE, || quiet.daily_says(&format!("bridge {round} 6 is done")))
            })
            .collect();
        // Who writes all the time has to wait, the longer the longer its cycles take, but not for more than a beat.
        let was_noisy = holds_within(BEAT, || cycles(&noisy).iter().sum::<usize>() > before);
        is_over.store(true, Ordering::Relaxed);
        assert!(are_heard && came == [true; 3], "{are_heard} {came:?}\n{}", daemon.log());
        assert!(was_noisy, "nobody was noisy:\n{}", daemon.log());
    });
    daemon.end();
}
