//! The daemon and a summarizer command: it waits for none, takes in what comes, and leaves nothing of one behind.

use serde_json::json;

use super::support::{User, until};
use crate::child::script;

/// A log of today over its threshold.
fn long_log() -> String {
    let mut log =
        String::from("## Token refresh [project]\n- decisions: rotate refresh tokens every 30 minutes\n\n");
    for number in 0..230 {
        log.push_str(&format!("- gateway request {number} measured, latency below budget\n"));
    }
    log
}

#[test]
fn no_cycle_waits_for_a_command_and_its_answer_comes_in_later() {
    let user = User::new();
    let space = user.workspace("work");
    let program = user.path("home/mine");
    let (asked, go) = (user.path("home/asked"), user.path("home/go"));
    let answer = "## Topics\n- Token refresh [project]: gateway, latency\n## Key Decisions\n- refresh tokens rotate every 30 minutes\n";
    script(
        &program,
        &format!(
            "#!/bin/sh\nPATH=/usr/bin:/bin\ncat > /dev/null\necho > '{}'\nuntil [ -e '{}' ]; do sleep 0.05; done\ncat <<'END'\n{answer}END\n",
            asked.display(),
            go.display()
        ),
    );
    user.configure(&json!({ "summarizers": { "mine": { "command": [program] } } }).to_string());
    space.configure(&json!({ "summarizer": "mine" }));
    let today = chrono::Utc::now().date_naive();
    super::write_private(&space.file(&format!("memory/{today}.md")), &long_log());
    let daemon = user.daemon(&[&space]).ready();
    let node = format!("memory/daily/{today}.md");
    until("the command is asked", || asked.exists());
    assert!(
        space.text(&node).contains("summarizer: extractive\n"),
        "the node was there before"
    );
    assert!(!space.text("memory/ROOT.md").is_empty());
    super::write_private(&go, "");
    until("the answer is in its place", || {
        space.text(&node).contains("summarizer: mine\n")
    });
    daemon.end();
}

#[test]
fn the_end_of_the_daemon_is_the_end_of_a_command_that_runs() {
    let user = User::new();
    let space = user.workspace("work");
    let program = user.path("home/mine");
    let asked = user.path("home/asked");
    script(
        &program,
        &format!(
            "#!/bin/sh\nPATH=/usr/bin:/bin\necho $$ > '{}'\nexec tail -f /dev/null\n",
            asked.display()
        ),
    );
    user.configure(&json!({ "summarizers": { "mine": { "command": [program] } } }).to_string());
    space.configure(&json!({ "summarizer": "mine" }));
    let today = chrono::Utc::now().date_naive();
    super::write_private(&space.file(&format!("memory/{today}.md")), &long_log());
    let daemon = user.daemon(&[&space]).ready();
    until("the command runs", || {
        super::fs::read_to_string(&asked).is_ok_and(|text| text.ends_with('\n'))
    });
    let pid: i32 = super::fs::read_to_string(&asked)
        .expect("a number")
        .trim()
        .parse()
        .expect("a number");
    daemon.end();
    let pid = rustix::process::Pid::from_raw(pid).expect("a process");
    until("the command is gone", || rustix::process::test_kill_process(pid).is_err());
}
