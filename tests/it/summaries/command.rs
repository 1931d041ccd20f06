//! Summarizer commands: scripts that answer well, and scripts that misbehave in every way there is. Whatever they do, no
//! node is worse than the extractive one, and no call is made twice.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out scripts and looks at what they left"
)]

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::child::script;
use crate::place::{Place, Ran, ran};
use crate::run::support::until;

const NODE: &str = "memory/daily/2026-03-10.md";

/// A workspace with one day over its threshold and a user's configuration with one command, `mine`.
pub(super) struct Asked {
    pub(super) place: Place,
    script: PathBuf,
}

impl Asked {
    /// `more` are further fields of the summarizer, each with a comma before it.
    pub(super) fn new(body: &str, more: &str) -> Self {
        let place = super::place("mine");
        let home = place.path("../home");
        let config = home.join(".config/hipocampusd");
        fs::create_dir_all(&config).expect("a folder");
        let path = home.join("mine");
        let config_text = format!(
            "{{\"summarizers\": {{\"mine\": {{\"command\": [\"{}\"]{more}}}}}}}",
            path.display()
        );
        fs::write(config.join("config.json"), config_text).expect("a configuration");
        let asked = Self { place, script: path };
        asked.answers(body);
        asked
    }

    /// Puts another script in the command's place. Each call leaves a line in the file `calls`.
    pub(super) fn answers(&self, body: &str) {
        let calls = self.home("calls");
        let text = format!(
            "#!/bin/sh\nPATH=/usr/local/bin:/usr/bin:/bin\necho >> '{}'\n{body}\n",
            calls.display()
        );
        script(&self.script, &text);
    }

    pub(super) fn home(&self, name: &str) -> PathBuf {
        self.place.path("../home").join(name)
    }

    pub(super) fn calls(&self) -> usize {
        fs::read_to_string(self.home("calls")).unwrap_or_default().lines().count()
    }

    pub(super) fn compact(&self, today: &str) -> Ran {
        let told = self.place.run("compact", &["--all", "--no-index", "--today", today]);
        assert_eq!(told.code, Some(0), "{told:?}");
        told
    }

    fn said(&self, name: &str) -> String {
        fs::read_to_string(self.home(name)).unwrap_or_default()
    }
}

/// A command that prints a text whatever it is asked.
pub(super) fn printing(text: &str) -> String {
    format!("cat > /dev/null\ncat <<'END'\n{text}\nEND")
}

#[test]
fn a_good_answer_stands_in_the_node_and_is_asked_for_once() {
    let asked = Asked::new(&printing(super::SUMMARY), "");
    let told = asked.compact("2026-03-10");
    assert!(
        told.stderr.contains("mine: memory/daily/2026-03-10.md is summarized"),
        "{told:?}"
    );
    let node = asked.place.read(NODE);
    assert!(
        node.contains("summarizer: mine\n") && node.contains("status: tentative\n"),
        "{node}"
    );
    for line in super::SUMMARY.lines() {
        assert!(node.lines().any(|kept| kept == line), "{line}\n\n{node}");
    }
    assert!(
        node.contains("## Commit messages [feedback]\n- rule: imperative mood"),
        "{node}"
    );
    super::assert_sound(&asked.place, "2026-03-10");
    assert_eq!(asked.calls(), 1);
    let before = asked.place.derived();
    asked.compact("2026-03-10");
    assert_eq!(asked.calls(), 1, "nothing is due, nobody is asked");
    assert!(asked.place.derived() == before);
    asked.place.remove(NODE);
    asked.compact("2026-03-10");
    assert_eq!(
        (asked.calls(), asked.place.read(NODE)),
        (1, node.clone()),
        "the same bytes, and no second call"
    );
    asked.compact("2026-03-12");
    assert_eq!(asked.place.read(NODE), super::fixed(&node));
    super::assert_sound(&asked.place, "2026-03-12");
    let status = asked.place.run("status", &["--today", "2026-03-12"]).stdout;
    assert!(
        status.contains("mine, 0 waiting, 1 summarized, 1 of 24 calls today"),
        "{status}"
    );
}

#[test]
fn the_prompt_holds_the_log_and_no_secret_and_the_program_sees_little_else() {
    let asked = Asked::new(
        "cat > \"$HOME/prompt\"\nenv > \"$HOME/seen\"\npwd > \"$HOME/where\"\nls -A > \"$HOME/there\"\ntouch left-behind\nfalse",
        ", \"environment\": [\"ACME_*\"]",
    );
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    asked.place.append("memory/2026-03-10.md", &format!("- the token is {token}\n"));
    for _ in 0..2 {
        let mut program = asked.place.program();
        program.env("ACME_KEY", "seen").env("OTHER_TOKEN", "never");
        let told = ran(program.arg("compact").arg(asked.place.path("")).args([
            "--no-index",
            "--today",
            "2026-03-10",
        ]));
        assert_eq!(told.code, Some(0), "{told:?}");
        // The book remembers the failure; another content is asked about at once on the next day.
        fs::remove_file(asked.place.path(".hipocampus/summarizer.json")).expect("a book");
    }
    let (prompt, seen) = (asked.said("prompt"), asked.said("seen"));
    assert!(
        prompt.contains("rotate refresh tokens every 30 minutes") && prompt.contains("[REDACTED]"),
        "{prompt}"
    );
    assert!(!prompt.contains(&token) && prompt.contains("- Token refresh [project]"));
    assert!(
        seen.contains("HIPOCAMPUSD_SUMMARIZER=1\n") && seen.contains("ACME_KEY=seen\n"),
        "{seen}"
    );
    assert!(!seen.contains("OTHER_TOKEN"), "{seen}");
    assert!(
        asked.said("where").contains("/.cache/hipocampusd/summarizer-"),
        "{}",
        asked.said("where")
    );
    assert_eq!(asked.said("there"), "", "its folder is empty at every call");
}

/// The scripts, and what `status` says of each.
fn misbehaving() -> Vec<(&'static str, String, &'static str)> {
    let foreign = "## Topics\n- Token refresh [project]: jetons\n## Key Decisions\n- renouveler les jetons de la passerelle toutes les \
        30 minutes pour que les sessions ne soient pas perdues\n- exporter chaque nuit vers un format choisi par les équipes";
    let invented = "## Topics\n- Holidays [project]: beach\n- Yacht [user]: white\n## Key Decisions\n- buy a yacht\n- paint the fence";
    vec![
        (
            "prose",
            printing("Sure! The gateway keeps sessions alive. Anything else I can do?"),
            "has not the sections",
        ),
        ("a log's order obeyed", printing("BANANA"), "has not the sections"),
        ("silence", "cat > /dev/null".to_owned(), "is empty"),
        (
            "a word on standard error",
            "echo 'please log in' >&2; exit 1".to_owned(),
            "exit code 1: please log in",
        ),
        ("a crash", "kill -SEGV $$".to_owned(), "killed by signal 11"),
        ("no UTF-8", "printf '\\377\\376\\200'".to_owned(), "is not UTF-8"),
        (
            "100 MB",
            "head -c 100000000 /dev/zero | tr '\\0' 'a'".to_owned(),
            "is longer than",
        ),
        ("another language", printing(foreign), "its answer"),
        ("inventions", printing(invented), "says what its sources do not"),
        (
            "no end",
            "cat > /dev/null; exec tail -f /dev/null".to_owned(),
            "took longer than 1 second",
        ),
    ]
}

#[test]
fn whatever_a_command_does_the_extractive_summary_stands_and_status_says_why() {
    let plain = super::place("extractive");
    plain.drain("2026-03-10");
    for (name, body, why) in misbehaving() {
        // All but the one that never ends have time enough on a busy machine.
        let seconds = if name == "no end" { 1 } else { 300 };
        let asked = Asked::new(&body, &format!(", \"timeoutSeconds\": {seconds}"));
        let told = asked.compact("2026-03-10");
        assert!(told.stderr.contains("the extractive one stays"), "{name}: {told:?}");
        assert!(told.stderr.len() < 2000, "{name}: {told:?}");
        assert_eq!(asked.place.derived(), plain.derived(), "{name}");
        assert_eq!(asked.calls(), 1, "{name}");
        let status = asked.place.run("status", &["--today", "2026-03-10"]).stdout;
        assert!(status.contains(why), "{name}: {status}");
        super::assert_sound(&asked.place, "2026-03-10");
        asked.compact("2026-03-10");
        assert_eq!(asked.calls(), 1, "{name}: not asked again at once");
    }
}

#[tokio::test]
async fn what_a_command_started_ends_with_it() {
    let asked = Asked::new(
        "sh -c 'echo $$ > \"$HOME/grandchild\"; exec tail -f /dev/null' &\nps -o pgid= -p $$ > \"$HOME/group\"\nwait",
        ", \"timeoutSeconds\": 1",
    );
    asked.compact("2026-03-10");
    let group = asked.said("group").trim().to_owned();
    if group.is_empty() {
        println!("skipped: there is no ps here");
        return;
    }
    crate::child::group_is_gone(&group).await;
}

#[test]
fn half_an_answer_and_a_leaked_secret_are_mended() {
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let text = format!("{}- gateway {token}\n- Billing export: nightly exp", super::SUMMARY);
    let asked = Asked::new(&printing(&text), "");
    asked.compact("2026-03-10");
    let node = asked.place.read(NODE);
    assert!(node.contains("summarizer: mine\n") && !node.contains("ghp_"), "{node}");
    super::assert_sound(&asked.place, "2026-03-10");
}

#[test]
fn a_hook_of_the_program_asked_starts_nothing() {
    let place = super::place("extractive");
    let before = place.tree();
    for command in ["compact", "run", "init"] {
        let mut program = place.program();
        let told = ran(program.env("HIPOCAMPUSD_SUMMARIZER", "1").arg(command).arg(place.path("")));
        assert_eq!((told.code, told.stdout.as_str()), (Some(0), ""), "{told:?}");
        assert!(told.stderr.contains("nothing is done"), "{told:?}");
    }
    assert_eq!(place.tree(), before);
}

#[test]
fn a_workspace_cannot_bring_a_command_along() {
    let place = super::place("extractive");
    place.write(
        "hipocampus.config.json",
        "{\"summarizer\": \"own\", \"summarizers\": {\"own\": {\"command\": [\"/bin/sh\", \"-c\", \"touch /tmp/never\"]}}}",
    );
    let told = place.run("compact", &["--no-index"]);
    assert_eq!(told.code, Some(78), "{told:?}");
    assert!(told.stderr.contains("summarizer"), "{told:?}");
}

#[test]
fn a_users_own_prompt_takes_the_place_of_the_built_in_one() {
    let asked = Asked::new("cat > \"$HOME/prompt\"\nfalse", "");
    let prompts = asked.home(".config/hipocampusd/prompts");
    fs::create_dir_all(&prompts).expect("a folder");
    fs::write(prompts.join("daily.md"), "Mine for {{period}}.\n{{source}}").expect("a prompt");
    asked.compact("2026-03-10");
    let prompt = asked.said("prompt");
    assert!(
        prompt.starts_with("Mine for 2026-03-10.\n<<<BEGIN ") && prompt.contains("gateway request 7"),
        "{prompt}"
    );
}

#[test]
fn ctrl_c_ends_what_is_asked_and_keeps_what_was_written() {
    let asked = Asked::new("", "");
    let started = asked.home("started");
    asked.answers(&format!("echo $$ > '{}'\nexec tail -f /dev/null", started.display()));
    let mut program = asked.place.program();
    program
        .arg("compact")
        .arg(asked.place.path(""))
        .args(["--no-index", "--today", "2026-03-10"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = program.spawn().expect("the program starts");
    let number = || fs::read_to_string(&started).ok()?.strip_suffix('\n')?.parse().ok();
    until("the command runs", || number().is_some());
    let compacting = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
    kill_process(compacting.expect("a process"), Signal::INT).expect("a signal");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    let command = Pid::from_raw(number().expect("a number")).expect("a process");
    until("the command is gone", || test_kill_process(command).is_err());
    assert!(asked.place.read(NODE).contains("status: "));
}
