//! Promises 2 and 8: any one system call of a cycle fails, and nothing is half, nothing is lost, nothing stays behind: the next
//! run ends in the bytes of a run to which nothing happened. (That a run is killed at any call is `rules::crash`.)
#![expect(clippy::disallowed_methods, reason = "starts the real program, under strace")]

use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::NamedTempFile;

use super::is_long;
use super::shot::{Shot, shot};
use crate::rules::crash::{grown_workspace, lasting, run, small_workspace, strace_works};
use crate::world::{Files, World, assert_same, day, hermetic, program};

/// The calls by which a cycle looks at, reads or changes anything.
const CALLS: [&str; 16] = [
    "openat",
    "read",
    "pread64",
    "getdents64",
    "newfstatat",
    "statx",
    "fstat",
    "write",
    "fsync",
    "syncfs",
    "renameat",
    "renameat2",
    "unlinkat",
    "mkdirat",
    "ftruncate",
    "flock",
];
/// A full disk, a broken one, no permission, a disk turned read-only, no descriptor left.
const ERRORS: [&str; 5] = ["EIO", "ENOSPC", "EACCES", "EROFS", "EMFILE"];
/// No run here makes more calls of one kind.
const CALLS_MAX: usize = 600;

/// Runs the program with calls of these kinds failing in this way, and no panic. None: there was no such call. Else how it ended.
fn injected(world: &World, calls: &str, fault: &str, arguments: &[&str]) -> Option<Shot> {
    let trace = NamedTempFile::new().expect("a temporary file");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(trace.path());
    command.args(["-e", &format!("trace={calls}")]);
    command.args(["-e", &format!("inject={calls}:{fault}")]);
    command.arg(env!("CARGO_BIN_EXE_hipocampusd")).args(arguments).arg(world.path());
    hermetic(&mut command, world);
    let what = format!("{fault} from {calls}");
    let shot = shot(&mut command, &what);
    assert!(
        !shot.said.contains("panicked") && shot.code != Some(101) && shot.code.is_some(),
        "{what}: {shot:?}"
    );
    let traced = fs::read_to_string(trace.path()).unwrap_or_default();
    traced.contains("(INJECTED)").then_some(shot)
}

/// Runs the program with the n-th call of a kind failing. None: there was no such call. Else what it said.
fn failed_at(world: &World, call: &str, n: usize, error: &str, arguments: &[&str]) -> Option<String> {
    let shot = injected(world, call, &format!("error={error}:when={n}"), arguments);
    shot.map(|shot| shot.said)
}

/// Runs the program where no thread is to be had, and answers whether it asked for one.
fn without_threads(world: &World, arguments: &[&str]) -> bool {
    let shot = injected(world, "clone,clone3", "error=EAGAIN", arguments);
    shot.inspect(|shot| assert_eq!(shot.code, Some(0))).is_some()
}

#[test]
fn promise_08_without_a_thread_to_be_had_all_is_done_on_one() {
    if !strace_works() {
        println!("skipped: strace cannot inject errors here");
        return;
    }
    // So many days that it is worth a thread to build their nodes.
    let (world, last) = (World::new(), day("2026-03-15"));
    for back in 0..2_500 {
        let date = last.plus(-back);
        let entry = format!("## Shelf {} [project]\n- outcome: level {back}\n", back % 40);
        world.write(&format!("memory/{date}.md"), entry);
    }
    let drain = ["compact", "--all", "--no-index", "--today", "2026-03-15"];
    let undisturbed = World::copy_of(&world);
    run(&undisturbed, &drain);
    assert!(without_threads(&world, &drain), "it asks for a thread");
    assert_same(&lasting(&undisturbed), &lasting(&world), "all at once");
    for world in [&undisturbed, &world] {
        world.append("memory/2026-03-15.md", "\n## Shelf 7 [project]\n- outcome: level again\n");
    }
    run(&undisturbed, &drain);
    without_threads(&world, &drain);
    assert_same(&lasting(&undisturbed), &lasting(&world), "one entry more");
}

/// The start, the end that it should come to, and how it is come to.
struct Course<'a> {
    start: &'a World,
    arguments: &'a [&'a str],
    before: Files,
    expected: Files,
}

impl<'a> Course<'a> {
    fn new(start: &'a World, arguments: &'a [&'a str]) -> Self {
        let undisturbed = World::copy_of(start);
        run(&undisturbed, arguments);
        Self {
            start,
            arguments,
            before: start.tree(),
            expected: lasting(&undisturbed),
        }
    }

    /// False when the run makes fewer than `n` calls of this kind.
    fn takes(&self, call: &str, n: usize, error: &str) -> bool {
        let world = World::copy_of(self.start);
        let Some(said) = failed_at(&world, call, n, error, self.arguments) else {
            return false;
        };
        let what = format!("{error} from {call} number {n} of {:?} ({said})", self.arguments);
        for (name, bytes) in world.tree() {
            // The next run removes what could not be removed.
            let whole = name.contains(".hipocampusd-")
                || self.before.get(&name) == Some(&bytes)
                || self.expected.get(&name) == Some(&bytes)
                || is_open(&bytes);
            assert!(whole, "{what}: {name} is neither the old nor the new one");
        }
        run(&world, self.arguments);
        assert_same(&self.expected, &lasting(&world), &what);
        let verified = shot(&mut program(&world, &["verify", "--today", self.arguments[4]]), &what);
        assert_eq!((verified.code, verified.said.as_str()), (Some(0), ""), "{what}");
        true
    }
}

/// A node left open, because what belongs into it could not be had, is whole as well: the next run makes it anew.
fn is_open(node: &[u8]) -> bool {
    let text = String::from_utf8_lossy(node);
    text.contains("\nstatus: tentative\n") && text.ends_with('\n')
}

#[test]
fn promise_02_and_08_any_one_call_that_fails_leaves_every_node_whole_and_is_made_up_for() {
    if !strace_works() {
        println!("skipped: strace cannot inject errors here");
        return;
    }
    let first = ["compact", "--all", "--no-index", "--today", "2026-03-15"];
    let second = ["compact", "--all", "--no-index", "--today", "2026-05-24"];
    let fresh = small_workspace();
    let grown = grown_workspace(&first);
    let courses = [Course::new(&fresh, &first), Course::new(&grown, &second)];
    let cases: Vec<(&Course<'_>, &str)> =
        courses.iter().flat_map(|course| CALLS.map(|call| (course, call))).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let faults = Mutex::new(Vec::new());
    let work = || {
        while let Some((course, call)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            // The short form meets a seventh of the calls, each with one of the errors.
            for n in (1..CALLS_MAX).step_by(if is_long() { 1 } else { 7 }) {
                let errors = if is_long() { &ERRORS[..] } else { &ERRORS[n % 5..=n % 5] };
                let took = std::panic::catch_unwind(|| {
                    errors.iter().filter(|error| course.takes(call, n, error)).count()
                });
                match took {
                    Ok(0) => break,
                    Ok(count) => failed.fetch_add(count, Ordering::Relaxed),
                    Err(_) => {
                        faults.lock().expect("a list").push(format!("{call} number {n}"));
                        0
                    }
                };
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let faults = faults.into_inner().expect("a list");
    assert!(faults.is_empty(), "{faults:#?}");
    let failed = failed.into_inner();
    println!("{failed} calls failed");
    assert!(failed > 30, "only {failed} calls failed");
}
