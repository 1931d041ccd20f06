//! Promises 4 and 6: a daemon that is killed again and again under a writer ends in the tree of one quiet run, and leaves no lock behind.
#![expect(clippy::disallowed_methods, reason = "waits and appends as a writer does")]

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use rustix::process::Signal;

use super::is_long;
use crate::place::Seed;
use crate::run::support::{Space, User};
use crate::world::{Files, assert_same};

/// The nodes and ROOT of a workspace, all but the entries of status that say what is only remembered.
fn tree(space: &Space) -> Files {
    let top = space.path.clone();
    let files = space.tree().into_iter().map(|(path, bytes, _)| {
        let name = path.strip_prefix(&top).expect("below the top").to_string_lossy().into_owned();
        (name, bytes)
    });
    files
        // ROOT under its cap may name other topics of the same rank after kills; `verify` holds it to its rules.
        .filter(|(name, _)| {
            !name.ends_with(".json") && !name.ends_with("ROOT.md") && !name.contains("/agents/")
        })
        .collect()
}

#[test]
fn promise_04_and_06_killed_again_and_again_under_a_writer_it_ends_in_the_bytes_of_one_run() {
    let user = User::new();
    let space = user.workspace("work");
    let mut seed = Seed(20_260_315);
    let date = chrono::Utc::now().date_naive();
    for day in 8..20 {
        fs::write(space.file(&format!("memory/2026-03-{day:02}.md")), seed.log()).expect("a log");
    }
    let (rounds, mut written) = (if is_long() { 400 } else { 25 }, 0);
    for round in 0..rounds {
        // At once after a kill: a lock that went stale would refuse it.
        let daemon = user.daemon(&[&space]);
        let mut log = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(space.file(&format!("memory/{date}.md")))
            .expect("a log");
        for _ in 0..=seed.below(8) {
            written += 1;
            write!(log, "## Topic {written} [user]\n- outcome: number {written} is kept\n\n")
                .expect("an append");
            std::thread::park_timeout(Duration::from_millis(seed.below(30)));
        }
        if round % 5 == 4 {
            daemon.ready().kill();
        } else {
            daemon.kill();
        }
    }
    let daemon = user.daemon(&[&space]).ready();
    // The last entries alone may be too few to make a cycle due.
    daemon.signal(Signal::USR1);
    daemon.until_log("reason=\"asked for\"");
    space.until_daily_says(&format!("number {written} is kept"));
    // The daily node may be there while ROOT is still to be made, and the status may speak of a cycle before: one more that is
    // asked for now comes after all of them.
    daemon.signal(Signal::USR1);
    daemon.until_log_times("reason=\"asked for\"", 2);
    daemon.end();
    let folder = space.path.display().to_string();
    let (code, said, error) = user.output(&["verify", &folder]);
    assert_eq!((code, said.as_str()), (Some(0), ""), "{error}");
    let quiet = user.workspace("quiet");
    for entry in fs::read_dir(space.file("memory")).expect("a folder").flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("2026-") {
            fs::copy(entry.path(), quiet.file("memory").join(name)).expect("a copy");
        }
    }
    let folder = quiet.path.display().to_string();
    let (code, said, error) = user.output(&["compact", "--all", "--no-index", &folder]);
    assert_eq!(code, Some(0), "{said}{error}");
    if chrono::Utc::now().date_naive() == date {
        assert_same(&tree(&quiet), &tree(&space), &format!("after {rounds} kills"));
    }
    println!("{rounds} kills, {written} entries");
}
