//! Promises 7, 9 and 11: many workspaces, writers that never rest and a qmd that is slow and ill-behaved: memory, descriptors and threads
//! stay where they are, no zombie is left, and in the end every entry is accounted for.
//!
//! The long form is 200 workspaces for 15 minutes: `HIPOCAMPUSD_TESTS=long cargo test --locked promise_11 -- --nocapture`.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out workspaces and looks into /proc"
)]

use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;

use super::is_long;
use crate::place::Seed;
use crate::run::support::{Daemon, Space, User, holds_within};

/// What a process has, as `/proc` tells.
#[derive(Debug, Clone, Copy)]
struct Held {
    kilobytes: usize,
    descriptors: usize,
    threads: usize,
    children: usize,
    zombies: usize,
}

fn held(daemon: &Daemon) -> Held {
    let folder = format!("/proc/{}", daemon.pid());
    let status = fs::read_to_string(format!("{folder}/status")).expect("a status");
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a field");
        line.split_whitespace()
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number")
    };
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").expect("proc").flatten() {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let Some((_, rest)) = stat.rsplit_once(") ") else {
            continue;
        };
        let mut words = rest.split(' ');
        if let (Some(state), Some(parent)) = (words.next(), words.next())
            && parent == daemon.pid().to_string()
        {
            children.push(state.to_owned());
        }
    }
    Held {
        kilobytes: number("VmRSS:"),
        descriptors: fs::read_dir(format!("{folder}/fd")).expect("descriptors").count(),
        threads: number("Threads:"),
        children: children.len(),
        zombies: children.iter().filter(|state| *state == "Z").count(),
    }
}

#[test]
fn promise_11_many_workspaces_busy_writers_and_a_slow_qmd_leave_memory_descriptors_and_threads_as_they_were()
{
    // The last is how long the daemon may take, on a busy machine and built for debugging, to go once over all of them.
    let (count, time, round) = if is_long() {
        (200, Duration::from_secs(15 * 60), Duration::from_secs(20 * 60))
    } else {
        (24, Duration::from_secs(12), Duration::from_secs(120))
    };
    let user = User::new();
    // Slow, at times failing, talkative, and it leaves a grandchild behind that ignores its end.
    user.install_qmd(
        "sleep 0.2; [ $(($$ % 3)) = 0 ] && exit 1; head -c 300000 /dev/zero | tr '\\0' x; (trap '' TERM; sleep 2) &",
        "sleep 0.1; echo done",
    );
    let spaces: Vec<Space> = (0..count).map(|number| user.workspace(&format!("space-{number}"))).collect();
    for space in &spaces {
        space.configure(&json!({ "search": { "enabled": true }, "compaction": { "cooldownHours": 0 } }));
    }
    // Three are poisoned, and stop none of the others.
    fs::create_dir(spaces[0].file("memory/.compaction-state.json")).expect("a folder");
    fs::create_dir_all(spaces[1].file("memory/daily/2026-03-15.md")).expect("a folder");
    fs::File::create(spaces[2].file("memory/2026-03-15.md"))
        .and_then(|file| file.set_len(1 << 40))
        .expect("a sparse terabyte");
    let all: Vec<&Space> = spaces.iter().collect();
    let mut seed = Seed(7);
    let mut written = vec![0_u64; count];
    let mut write = |seed: &mut Seed| {
        let at = usize::try_from(seed.below(count as u64)).expect("a small number");
        let date = 10 + seed.below(15);
        written[at] += 1;
        let mut log = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(spaces[at].file(&format!("memory/2026-04-{date}.md")))
            .expect("a log");
        let number = written[at];
        write!(
            log,
            "## Topic {number} [user]\n- outcome: number {number} is kept\n- notes: {}\n\n",
            "word ".repeat(30)
        )
        .expect("an append");
    };
    (0..count * 3).for_each(|_| write(&mut seed));
    let daemon = user.daemon(&all).ready();
    let start = Instant::now();
    // What it has when every workspace was worked on is what it may have at the end.
    let mut warm = None;
    let mut most = held(&daemon);
    while start.elapsed() < time {
        write(&mut seed);
        std::thread::park_timeout(Duration::from_millis(5));
        if seed.below(100) == 0 {
            let now = held(&daemon);
            most = Held {
                kilobytes: most.kilobytes.max(now.kilobytes),
                descriptors: most.descriptors.max(now.descriptors),
                threads: most.threads.max(now.threads),
                children: most.children.max(now.children),
                zombies: most.zombies.max(now.zombies),
            };
            if start.elapsed() > time / 3 {
                warm.get_or_insert(now);
            }
        }
    }
    let (busy, stopped) = (held(&daemon), Instant::now());
    println!("when the writers stop: warm {warm:?}, most {most:?}, now {busy:?}");
    let every_entry = |space: &Space, number: u64| {
        let mut missing =
            (1..=number).filter(|number| !space.daily_says(&format!("number {number} is kept")));
        missing.next().is_none()
    };
    for (space, number) in spaces.iter().zip(&written) {
        let kept = holds_within(round.saturating_sub(stopped.elapsed()), || every_entry(space, *number));
        assert!(kept, "{}: of {number} entries one is missing", space.path.display());
    }
    let (warm, last) = (warm.expect("it was looked at"), held(&daemon));
    println!(
        "{} entries in {count} workspaces, all kept {} s after the last; at the end {last:?}; {} calls of qmd",
        written.iter().sum::<u64>(),
        stopped.elapsed().as_secs(),
        user.qmd_calls().lines().count()
    );
    assert!(
        last.kilobytes < warm.kilobytes * 3 / 2 + 8192,
        "memory grew: {warm:?}, {last:?}"
    );
    assert!(
        last.descriptors <= warm.descriptors + 8 && most.descriptors < 64 + 2 * count,
        "descriptors: {warm:?}, {most:?}, {last:?}"
    );
    assert!(most.threads <= 16, "threads: {most:?}");
    // One qmd, and as many cycles as run at a time; what has ended is waited for.
    assert!(most.children <= 5 && most.zombies <= 3, "children: {most:?}");
    let quiet = || {
        let held = held(&daemon);
        held.children == 0 && held.zombies == 0
    };
    assert!(
        holds_within(Duration::from_secs(120), quiet),
        "children stay: {:?}",
        held(&daemon)
    );
    assert!(user.qmd_calls().lines().count() > 3);
    daemon.end();
}
