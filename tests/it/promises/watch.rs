//! Promise 3: no append is missed for longer than one beat, whatever becomes of the events.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out folders, moves them about, and starts the program"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::run::support::{Daemon, Space, User, holds_within, until};

/// One beat of the daemon, and what the machine may be late by.
const BEAT: Duration = Duration::from_secs(60 + 15);

#[track_caller]
fn within_a_beat(space: &Space, text: &str, after: &str) {
    let start = Instant::now();
    let found = holds_within(BEAT, || space.daily_says(text));
    assert!(found, "{after}: {text} is not in a daily node after {:?}", start.elapsed());
}

fn today(space: &Space) -> std::path::PathBuf {
    space.file(&format!("memory/{}.md", chrono::Utc::now().date_naive()))
}

/// The daemon in a namespace of its own; none when there are no namespaces.
fn confined(user: &User, space: &Space, flags: &[&str], script: &str) -> Option<Daemon> {
    let unshare = |program: &std::ffi::OsStr| {
        let mut command = Command::new("unshare");
        command.args(flags).args(["sh", "-c", script, "sh"]).arg(program);
        command
    };
    let tried = unshare("true".as_ref()).stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        println!("skipped: no namespaces here");
        return None;
    }
    let plain = user.command(&["run", "--log", "debug"]);
    let mut command = unshare(plain.get_program());
    command.args(plain.get_args()).arg(&space.path).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Some(Daemon::start(command, user.path("log")).ready())
}

#[test]
fn promise_03_with_no_event_at_all_an_append_is_seen_within_a_beat() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let flags = ["--user", "--map-root-user"];
    let script = "echo 0 > /proc/sys/user/max_inotify_watches && exec \"$@\"";
    let Some(daemon) = confined(&user, &space, &flags, script) else {
        return;
    };
    space.until_daily_says("bridge 1 is done");
    until("it says that it looks without being told", || space.status()["polled"] == true);
    space.append("tunnel", 6);
    within_a_beat(&space, "tunnel 6 is done", "without a watch");
    daemon.end();
}

#[test]
fn promise_03_more_events_than_the_queue_holds_hide_no_append() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    space.until_daily_says("bridge 1 is done");
    let queue = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap_or_default();
    let queue: usize = queue.trim().parse().unwrap_or(16_384);
    // Stopped as by a suspended machine, while two files in turn fill the queue and more: like events in a row melt into one.
    daemon.signal(Signal::STOP);
    let files: Vec<fs::File> = ["noise-1", "noise-2"]
        .iter()
        .map(|name| fs::File::create(space.file("memory").join(name)).expect("a file"))
        .collect();
    for _ in 0..queue.min(200_000) {
        for mut file in &files {
            file.write_all(b".").expect("a byte");
        }
    }
    space.append("tunnel", 6);
    daemon.signal(Signal::CONT);
    within_a_beat(&space, "tunnel 6 is done", "after an overflow");
    daemon.end();
}

#[test]
fn promise_03_folders_that_are_moved_made_anew_or_linked_and_logs_renamed_over_hide_no_append() {
    let user = User::new();
    let real = user.workspace("real");
    // The workspace is named by a link, which gives no events of its own.
    let space = Space { path: user.path("link") };
    symlink(&real.path, &space.path).expect("a link");
    space.append("bridge", 1);
    let daemon = user.daemon(&[&space]).ready();
    within_a_beat(&space, "bridge 1 is done", "through a link");
    // A log written beside and renamed over, as editors do.
    let text = fs::read_to_string(today(&space)).expect("a log");
    let more: String = (0..7)
        .map(|number| format!("## Over {number}\n- outcome: over {number} is done\n\n"))
        .collect();
    fs::write(space.file("memory/log.new"), text.clone() + &more).expect("a file");
    fs::rename(space.file("memory/log.new"), today(&space)).expect("a rename");
    within_a_beat(&space, "over 6 is done", "after a rename over");
    // The folder is moved away and comes back with more in it.
    fs::rename(real.file("memory"), real.file("elsewhere")).expect("a move");
    fs::rename(real.file("elsewhere"), real.file("memory")).expect("a move");
    space.append("tunnel", 7);
    within_a_beat(&space, "tunnel 7 is done", "after memory/ was moved away and back");
    // The workspace itself is moved away and one of the same name takes its place.
    fs::rename(&real.path, user.path("gone")).expect("a move");
    let again = user.workspace("real");
    again.append("tower", 7);
    within_a_beat(&again, "tower 7 is done", "after the workspace was replaced");
    daemon.end();
}

#[test]
fn promise_03_a_file_system_mounted_over_memory_hides_no_append() {
    let user = User::new();
    let space = user.workspace("work");
    space.append("bridge", 1);
    // A mount makes no event. It is made beside the running daemon, in its namespace, when the test says so. Once the daemon is
    // gone ($$ is its number) nobody waits.
    let script = "
        folder=$(eval echo \\${$#})/memory go=$(eval echo \\${$#})/go
        (until [ -e \"$go\" ]; do kill -0 $$ || exit; sleep 0.1; done
         mount -t tmpfs -o mode=700 none \"$folder\"
         for n in 1 2 3 4 5 6 7; do printf '## Mount %s\\n- outcome: mount %s is done\\n\\n' $n $n; done >\"$folder/2026-03-15.md\"
         until grep -qs 'mount 7 is done' \"$folder/daily/2026-03-15.md\"; do kill -0 $$ || exit; sleep 0.1; done
         touch \"$go.seen\") 2>/dev/null &
        exec \"$@\"";
    let flags = ["--user", "--map-root-user", "--mount"];
    let Some(daemon) = confined(&user, &space, &flags, script) else {
        return;
    };
    space.until_daily_says("bridge 1 is done");
    fs::write(space.file("go"), "").expect("a file");
    let seen = holds_within(BEAT, || space.file("go.seen").exists());
    assert!(seen, "what was mounted was not looked at:\n{}", daemon.log());
    daemon.end();
}
