//! The real program, started with a deadline: how it ended, and every word that it said.
#![expect(
    clippy::disallowed_methods,
    reason = "starts the program and reads what it printed"
)]

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Nothing that these tests start takes longer, unless it hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Shot {
    /// Its exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output and standard error.
    pub(crate) said: String,
}

/// Runs a program to its end; one that does not come to it is killed, and the test fails.
#[track_caller]
pub(crate) fn shot(command: &mut Command, what: &str) -> Shot {
    shot_within(LIMIT, command, what)
}

/// As [`shot`], of a program that reads something.
#[track_caller]
pub(crate) fn shot_with(command: &mut Command, input: impl Into<Stdio>, what: &str) -> Shot {
    shot_of(LIMIT, command, input.into(), what)
}

/// As [`shot`], of a script that does more than one thing.
#[track_caller]
pub(crate) fn shot_within(limit: Duration, command: &mut Command, what: &str) -> Shot {
    shot_of(limit, command, Stdio::null(), what)
}

#[track_caller]
fn shot_of(limit: Duration, command: &mut Command, input: Stdio, what: &str) -> Shot {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    // A file, so that no full pipe can hold anybody up; both append.
    let path = file.path();
    let open = || fs::OpenOptions::new().append(true).open(path).expect("the same file");
    let mut child = command
        .stdin(input)
        .stdout(open())
        .stderr(open())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > limit {
            child.kill().expect("a kill");
            panic!(
                "{what}: hangs, having said {:?}",
                fs::read(path).map(|said| said.escape_ascii().to_string())
            );
        }
        std::thread::park_timeout(Duration::from_millis(2));
    };
    let said = fs::read(path).expect("what it said");
    Shot {
        code: status.code(),
        said: String::from_utf8_lossy(&said).into_owned(),
    }
}

impl Shot {
    /// No character that a terminal would obey: what names and texts of others hold is shown, not done.
    #[track_caller]
    pub(crate) fn is_harmless(&self, what: &str) {
        let found = self.said.chars().find(|&letter| {
            letter.is_control() && !matches!(letter, '\n' | '\t')
                || ('\u{202a}'..='\u{202e}').contains(&letter)
                || ('\u{2066}'..='\u{2069}').contains(&letter)
        });
        assert_eq!(found, None, "{what}: {}", self.said.escape_debug());
    }
}
