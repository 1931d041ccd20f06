//! Workspaces between two cycles: what a person or an agent has just done there is neither damage nor backlog by itself, and
//! the commands say the same of it.

mod deeds;

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use hipocampusd::daemon::lock::CycleLock;
use hipocampusd::daemon::workspace::Workspace;
use serde_json::Value;

use crate::place::{Place, Ran, ran};

const TODAY: &str = "2026-03-25";
const ENTRY: &str = "## Cache [project]\n- outcome: twice as fast\n\n";

fn on(place: &Place, today: &str, command: &str, arguments: &[&str]) -> Ran {
    let ran = place.run(command, &[arguments, &["--today", today]].concat());
    assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    ran
}

fn assert_sound(place: &Place, today: &str) -> Ran {
    let ran = on(place, today, "verify", &[]);
    assert_eq!(ran.stdout, "", "{ran:?}");
    ran
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn a_folder_that_was_just_initialized_is_sound_on_every_platform() {
    for platform in ["claude-code", "openclaw", "opencode", "codex"] {
        let place = Place::without_memory();
        place.write("AGENTS.md", "# Agents\n");
        place.write("SOUL.md", "# Soul\n");
        let ran = place.run("init", &["--platform", platform]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_sound(&place, TODAY);
        place.drain(TODAY);
        assert_sound(&place, TODAY);
        place.append("memory/2026-03-25.md", ENTRY);
        place.drain(TODAY);
        assert_sound(&place, TODAY);
    }
}

#[test]
fn a_memory_file_that_came_since_the_last_cycle_is_still_to_be_synced() {
    let place = Place::new();
    place.write("memory/2026-03-25.md", ENTRY);
    place.drain(TODAY);
    place.write("hipocampus.config.json", r#"{"platform": "openclaw"}"#);
    place.write("MEMORY.md", "# Long-Term Memory\n\n## Core\n- mine\n");
    let said = assert_sound(&place, TODAY).stderr;
    assert!(said.contains("MEMORY.md: has no Compaction Root section yet"), "{said}");
    place.drain(TODAY);
    assert!(place.read("MEMORY.md").contains("## Compaction Root"));
    assert_eq!(assert_sound(&place, TODAY).stderr, "");
}

/// While the platform does not sync, ROOT goes on. What stands in MEMORY.md then is old, and nobody's damage.
#[test]
fn a_memory_file_that_was_not_synced_for_a_while_is_no_damage() {
    let place = Place::new();
    let platform = |name: &str| place.write("hipocampus.config.json", format!(r#"{{"platform":"{name}"}}"#));
    platform("openclaw");
    place.write("MEMORY.md", "# Core\n- mine\n");
    place.write("memory/2026-03-10.md", "## Bridges [feedback]\nName them by their river.\n");
    place.drain("2026-03-10");
    platform("codex");
    place.append("memory/2026-03-10.md", "\n## Tunnels [feedback]\nName them by their hill.\n");
    place.drain("2026-03-10");
    platform("openclaw");
    assert!(!place.read("MEMORY.md").contains("hill"));
    assert_sound(&place, "2026-03-10");
    place.drain("2026-03-10");
    assert!(place.read("MEMORY.md").contains("hill"));
}

#[test]
fn a_folder_in_place_of_the_cache_leaves_nothing_beside_it() {
    let place = Place::new();
    place.write(".hipocampus/cache/mine", "a folder");
    place.write("memory/2026-03-10.md", "## Bridges [feedback]\nName them by their river.\n");
    place.drain("2026-03-10");
    assert!(!place.path(".hipocampus/.hipocampusd-cache.tmp").exists());
    assert_sound(&place, "2026-03-10");
}

/// Killed in a command that writes no node, or in the notes at the end of a cycle: nothing else is due then.
#[test]
fn what_a_crash_left_behind_goes_at_the_next_start_wherever_it_lies_and_with_nothing_due() {
    let place = Place::new();
    place.write("memory/2026-03-24.md", ENTRY);
    place.write("knowledge/trunk.md", "keep it\n");
    place.drain(TODAY);
    let strays = [
        ".hipocampusd-WORKING.md.tmp",
        "knowledge/.hipocampusd-memory-adaptive.md.tmp",
        ".claude/.hipocampusd-settings.json.tmp",
        "memory/agents/compaction/.hipocampusd-AGENT.md.tmp",
        ".hipocampus/.hipocampusd-captured.json.tmp",
    ];
    for stray in strays {
        place.write(stray, "half");
    }
    let verified = place.run("verify", &["--today", TODAY]);
    assert_eq!(
        (verified.code, verified.stdout.lines().count()),
        (Some(1), strays.len()),
        "{verified:?}"
    );
    place.drain(TODAY);
    assert!(strays.iter().all(|stray| !place.path(stray).exists()));
    assert_sound(&place, TODAY);

    place.write("MEMORY.md.kept-by-hipocampusd", "theirs\n");
    let said = place.run("compact", &["--all", "--no-index", "--today", TODAY]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let verified = on(&place, TODAY, "verify", &[]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
    assert!(
        verified
            .stderr
            .contains("MEMORY.md.kept-by-hipocampusd: is what somebody wrote into MEMORY.md"),
        "{verified:?}"
    );
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "moves a folder away and puts a link there"
)]
fn a_folder_that_is_a_link_is_called_one_and_it_is_said_what_to_do() {
    for folder in ["memory", "memory/daily", ".hipocampus", ".hipocampus/vault"] {
        let place = Place::new();
        place.write("memory/2026-03-24.md", ENTRY);
        place.drain(TODAY);
        place.write("memory/2026-03-24.md", format!("{ENTRY}\n## More\n- outcome: of it\n"));
        let (there, elsewhere) = (place.path(folder), place.path("elsewhere"));
        std::fs::rename(&there, &elsewhere).expect("it is moved away");
        std::os::unix::fs::symlink(&elsewhere, &there).expect("a link");
        let said = place.run("compact", &["--all", "--no-index", "--today", TODAY]).stderr;
        let what = format!(
            "{folder} is a link, and no link is followed there: put the folder that it leads to in its place"
        );
        assert!(said.contains(&what), "{folder}: {said}");
        std::fs::remove_file(&there).expect("it is removed");
        place.write(folder, "a file");
        let said = place.run("compact", &["--all", "--no-index", "--today", TODAY]).stderr;
        assert!(
            said.contains(&format!("{folder} is no folder: put a folder in its place")),
            "{folder}: {said}"
        );
    }
}

#[test]
fn a_memory_file_in_which_our_section_would_be_swallowed_is_reported() {
    let place = Place::new();
    place.write(
        "hipocampus.config.json",
        r#"{"platform": "openclaw", "search": {"enabled": false}}"#,
    );
    place.write("MEMORY.md", "<pre>\nnever closed\n\n## Core\n- x\n");
    place.write("memory/2026-03-24.md", ENTRY);
    let what = "MEMORY.md: ROOT is not synced into it: a code fence, a comment or an HTML block such as <pre> is never closed";
    let said = place.run("compact", &["--all", "--no-index", "--today", TODAY]);
    assert!(said.code == Some(0) && said.stderr.contains(what), "{said:?}");
    let verified = place.run("verify", &["--today", TODAY]);
    assert!(verified.code == Some(0) && verified.stderr.contains(what), "{verified:?}");
    assert!(!verified.stderr.contains("the next cycle appends it"), "{verified:?}");
    assert_eq!(place.read("MEMORY.md"), "<pre>\nnever closed\n\n## Core\n- x\n");
}

/// The backlog is nodes that a cycle would write (SPEC section 1), and an empty log makes none.
#[test]
fn an_empty_log_is_no_backlog_and_is_missed_by_nobody() {
    let place = Place::new();
    place.write("memory/2026-03-24.md", ENTRY);
    place.drain(TODAY);
    for text in ["", "\n\n"] {
        place.write("memory/2026-03-25.md", text);
        for command in ["status", "verify"] {
            let said = json(&on(&place, TODAY, command, &["--json"]));
            assert_eq!(said["backlog"], 0, "{command}: {said}");
        }
        for arguments in [["--dry-run", "--all"], ["--all", "--no-index"]] {
            assert_eq!(on(&place, TODAY, "compact", &arguments).stdout, "nothing to do\n");
        }
    }
    place.remove("memory/2026-03-25.md");
    place.drain(TODAY);
    assert_eq!(assert_sound(&place, TODAY).stderr, "");
}

/// A late entry is known by its digest (SPEC section 4), whatever its log is called.
#[test]
fn a_log_whose_late_entries_were_carried_may_be_renamed() {
    let place = Place::new();
    place.write("memory/2026-03-10.md", ENTRY);
    place.drain("2026-03-20");
    place.append("memory/2026-03-10.md", "## Late [project]\n- outcome: it came late\n");
    place.drain("2026-03-20");
    assert!(
        place
            .read("memory/daily/2026-03-20.md")
            .contains("# Late entries of 2026-03-10")
    );
    place.write("memory/2026-03-10-afternoon.md", place.read("memory/2026-03-10.md"));
    place.remove("memory/2026-03-10.md");
    for today in ["2026-03-20", TODAY] {
        assert_sound(&place, today);
        place.drain(today);
        assert_sound(&place, today);
    }
}

/// What a checkpoint counted is covered by the cycle with which `forget` ends (SPEC section 10).
#[test]
fn forget_ends_with_a_cycle_that_counts_from_nothing_again() {
    let place = Place::new();
    let told = |words: &[&str]| {
        let mut program = place.program();
        let ran = ran(program.args(words).arg(place.path("")));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    told(&["checkpoint", "Shelf", "--outcome", "it holds", "--dir"]);
    told(&["forget", "Bob Miller"]);
    let status = json(&place.run("status", &["--json"]));
    assert_eq!(status["counters"]["checkpoints"], 0, "{status}");
    assert_ne!(status["lastCompactionRun"], Value::Null, "{status}");
}

/// A node on its way to its place is none that a crash left behind (SPEC section 5).
#[test]
fn what_a_cycle_has_half_done_is_no_damage() {
    let place = Place::new();
    place.write("memory/2026-03-25.md", ENTRY);
    place.drain(TODAY);
    let half = "memory/daily/.hipocampusd-2026-03-25.md.tmp";
    place.write(half, "half of it");
    let workspace = Workspace::open(&place.path(""), false).expect("a workspace");
    let cycle = CycleLock::wait(&workspace).expect("the lock of cycles");
    let mut verify = place.program();
    verify
        .args(["verify", "--today", TODAY])
        .arg(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut verify = verify.spawn().expect("verify starts");
    let mut said = String::new();
    let errors = verify.stderr.take().expect("its standard error");
    BufReader::new(errors).read_line(&mut said).expect("a line");
    place.remove(half);
    drop(cycle);
    let mut found = String::new();
    let mut output = verify.stdout.take().expect("its standard output");
    output.read_to_string(&mut found).expect("what it found");
    let code = verify.wait().expect("verify ends").code();
    assert_eq!((code, found.as_str()), (Some(0), ""), "{said}");
    assert_eq!(said, "waiting for the cycle that is under way here\n");
    // With no cycle under way, a crash has left it behind.
    place.write(half, "half of it");
    let found = place.run("verify", &["--today", TODAY]);
    assert!(found.code == Some(1) && found.stdout.starts_with(half), "{found:?}");
}

/// "Today" is a local date (SPEC section 4): where somebody has come to, the day may not be over yet.
#[test]
fn who_travels_west_or_lengthens_the_grace_has_damaged_nothing() {
    let place = Place::new();
    place.write("memory/2026-03-24.md", ENTRY);
    place.drain(TODAY);
    assert!(place.read("memory/daily/2026-03-24.md").contains("status: fixed"));
    assert_sound(&place, "2026-03-24");
    let found = place.run("verify", &["--today", "2026-03-22"]);
    assert!(found.stdout.contains("is fixed before its period may be"), "{found:?}");
    place.append("memory/2026-03-24.md", "## West [project]\n- outcome: still that day\n");
    for today in ["2026-03-24", TODAY] {
        place.drain(today);
        assert_sound(&place, today);
    }
    let nodes = place.derived().into_iter();
    let holding = nodes.filter(|(path, bytes)| {
        path.starts_with("memory/daily") && String::from_utf8_lossy(bytes).contains("still that day")
    });
    assert_eq!(holding.count(), 1);
}

/// A folder cannot be opened as a lock, by nobody, and neither can a file of somebody else's.
#[test]
fn a_lock_that_cannot_be_taken_says_what_it_must_be() {
    let place = Place::new();
    place.write("memory/2026-03-10.md", "## Bridges [feedback]\nName them by their river.\n");
    place.write(".hipocampus/cycle.lock/mine", "a folder");
    let refused = place.run("compact", &["--today", "2026-03-10"]);
    assert!(
        refused.stderr.contains("must be a file that this user may read and write"),
        "{}",
        refused.stderr
    );
}
