//! Promise 10: steps of the clock, summer time, a stopped process, other zones and midnight lose, double and un-fix nothing.
#![expect(
    clippy::disallowed_methods,
    reason = "writes the time into the file that libfaketime reads"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use serde_json::json;

use crate::run::support::{Space, User, until};

const LIBRARY: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/// The fixed nodes and their bytes.
fn fixed(space: &Space) -> BTreeMap<PathBuf, Vec<u8>> {
    let nodes = space.tree().into_iter().map(|(path, bytes, _)| (path, bytes));
    nodes
        .filter(|(path, bytes)| {
            path.extension().is_some_and(|end| end == "md")
                && String::from_utf8_lossy(bytes).contains("\nstatus: fixed\n")
        })
        .collect()
}

/// The dates of two years' worst nights, in the zone whose clocks they change: forward, back, over a year's end and over
/// a leap day. Each is the wall clock in UTC, as a step from the one before.
const STEPS: [&str; 16] = [
    "2026-03-27 09:00:00",
    "2026-03-28 22:59:30", // midnight in Berlin is half a minute away
    "2026-03-28 23:00:30",
    "2026-03-29 00:59:59", // the hour from 2 to 3 does not happen
    "2026-03-29 01:00:01",
    "2026-03-29 02:30:00",
    "2026-03-26 02:30:00", // set back by three days
    "2026-03-30 22:00:01",
    "2026-10-24 21:59:59",
    "2026-10-25 00:30:00", // the hour from 2 to 3 happens twice
    "2026-10-25 01:30:00",
    "2026-10-20 01:30:00", // and set back
    "2026-11-09 08:00:00",
    "2026-12-31 22:59:59",
    "2026-12-31 23:00:01",
    "2028-02-29 12:00:00", // asleep for more than a year, up to a leap day
];

#[test]
fn promise_10_clock_steps_summer_time_and_midnight_lose_double_and_unfix_nothing() {
    if !Path::new(LIBRARY).exists() {
        println!("skipped: no libfaketime at {LIBRARY}");
        return;
    }
    let user = User::new();
    let space = user.workspace("work");
    let zone = |name: &str| {
        space.configure(
            &json!({ "timezone": name, "search": { "enabled": false }, "daemon": { "settleSeconds": 0 } }),
        );
    };
    zone("Europe/Berlin");
    let clock = user.path("clock");
    let step = |time: &str| {
        // Replaced whole: the process reads it at every look at the clock.
        fs::write(user.path("clock.new"), format!("@{time}\n")).expect("a time");
        fs::rename(user.path("clock.new"), &clock).expect("a time");
    };
    step(STEPS[0]);
    let log = |date: &str, topic: &str| {
        let path = space.file(&format!("memory/{date}.md"));
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, format!("{before}## {topic} [user]\n- outcome: {topic} is done\n\n")).expect("a log");
    };
    log("2026-03-09", "the first");
    let daemon = user.daemon_with(&[&space], |command| {
        command
            .env("LD_PRELOAD", LIBRARY)
            .env("FAKETIME_TIMESTAMP_FILE", &clock)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .env("NO_FAKE_STAT", "1");
    });
    let daemon = daemon.ready();
    space.until_daily_says("the first is done");
    let mut before = fixed(&space);
    for (number, time) in STEPS.iter().enumerate() {
        step(time);
        match number {
            // The time zone changes while it runs: to where it is tomorrow already, and to where it is still yesterday.
            5 => zone("Pacific/Kiritimati"),
            7 => zone("Pacific/Pago_Pago"),
            8 => zone("Europe/Berlin"),
            // And it is stopped while the clock runs on.
            12 => {
                daemon.signal(Signal::STOP);
                step("2026-11-20 08:00:00");
                daemon.signal(Signal::CONT);
            }
            _ => {}
        }
        log(&time[..10], &format!("entry {number}"));
        daemon.signal(Signal::USR1);
        space.until_daily_says(&format!("entry {number} is done"));
        let after = fixed(&space);
        for (path, bytes) in &before {
            assert!(
                after.get(path) == Some(bytes),
                "{} changed or was opened again at {time}",
                path.display()
            );
        }
        before = after;
    }
    until("everything is in place", || {
        daemon.signal(Signal::USR1);
        space.status()["lastCycle"]["left"] == 0
    });
    daemon.end();
    assert!(before.len() >= 10, "only {} nodes were ever fixed", before.len());
    // Nothing was lost, nothing doubled: each entry stands in one daily node, once.
    let dailies: String = space
        .tree()
        .iter()
        .filter(|(path, ..)| path.parent().is_some_and(|folder| folder.ends_with("daily")))
        .map(|(_, bytes, _)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    for number in 0..STEPS.len() {
        let entry = format!("outcome: entry {number} is done");
        assert_eq!(dailies.matches(&entry).count(), 1, "{entry}");
    }
    for extent in [
        &["compact", "--all", "--no-index", "--today", "2028-02-29"][..],
        &["verify", "--today", "2028-02-29"],
    ] {
        let mut arguments = extent.to_vec();
        let folder = space.path.display().to_string();
        arguments.push(&folder);
        let (code, said, error) = user.output(&arguments);
        assert_eq!(code, Some(0), "{said}{error}");
    }
    let after = fixed(&space);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
}
