//! What must hold of any bytes, one function a kind of file: a panic is a fault.
//!
//! `cargo fuzz run raw_log` looks for bytes that break one; the suite runs them over `fuzz/seeds` and over what is near to those.
#![expect(
    clippy::disallowed_methods,
    reason = "files of any bytes are laid out to be read"
)]

use std::fs;

use hipocampusd::config::{UserConfig, load_workspace};
use hipocampusd::daemon::ledger::{FILE_NAME, Ledger};
use hipocampusd::daemon::scan;
use hipocampusd::daemon::workspace::Workspace;
use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::digest::Digest;
use hipocampusd::memory::inert::{inert, quoted};
use hipocampusd::memory::level::{Level, Period, Status};
use hipocampusd::memory::node::{self, Form, Node};
use hipocampusd::memory::redact::{is_clean, redact};
use hipocampusd::memory::root::{Base, merge};
use hipocampusd::memory::subject::Subjects;
use hipocampusd::memory::{entry, reading, summary, sync, text, transcript};

const TOKENS_MAX: usize = 3000;

fn day() -> Day {
    Day::parse("2026-03-15").expect("a date")
}

fn decoded(bytes: &[u8]) -> String {
    text::decode(bytes.to_vec()).text
}

/// A raw log: its units are in order and each is what its lines say; what is redacted or has lost its power stays so; it can be
/// summarized, and read as a transcript.
pub fn raw_log(bytes: &[u8]) {
    let text = decoded(bytes);
    let log = entry::read(&text);
    let mut line = 0;
    for unit in log.units() {
        assert!(unit.line >= line, "unit at line {} after {line}", unit.line);
        line = unit.line;
        assert!(text.contains(unit.text), "a unit that is not in the log: {:?}", unit.text);
        let _ = entry::digest(unit.text);
    }
    assert_eq!(scan::log_facts(&text).units.len(), log.units().count());
    let clean = redact(&text);
    assert!(is_clean(&clean) && redact(&clean) == clean, "{clean}");
    for line in clean.lines() {
        let calm = inert(line);
        assert_eq!(inert(&calm), calm);
    }
    let shown = quoted(&clean);
    assert_eq!(quoted(&shown), shown);
    for message in transcript::messages(&text) {
        let line = transcript::line(&message).unwrap_or_default();
        assert!(is_clean(&line) && line.lines().count() < 2, "{line}");
    }
    let mut digest = Digest::default();
    reading::part(&mut digest, Form::Raw, day(), &clean);
    let printed = summary::print(&digest, &Subjects::learn(digest.statements()), Period::Day(day()));
    let mut again = Digest::default();
    reading::part(&mut again, Form::Summary, day(), &printed);
}

/// A node: what was read and printed reads and prints the same, is intact, and changes nothing but its status with its status.
pub fn node(bytes: &[u8]) {
    let text = decoded(bytes);
    for (level, name) in [
        (Level::Daily, "2026-03-15"),
        (Level::Weekly, "2026-W11"),
        (Level::Monthly, "2026-03"),
    ] {
        let period = level.period(name).expect("a period");
        let Some(node) = Node::read(period, &text) else {
            continue;
        };
        let _ = node.parts();
        let printed = node.print();
        let again = Node::read(period, &printed).expect("what was printed is a node");
        assert_eq!(again.print(), printed);
        assert_eq!(node::is_intact(&printed), Some(true), "{printed}");
        let fixed = node::with_status(&printed, Status::Fixed);
        let read = Node::read(period, &fixed).expect("a node");
        assert_eq!(read.front.status, Status::Fixed);
        assert_eq!(read.body, again.body);
        assert_eq!(node::content(&fixed), node::content(&printed));
        let _ = node::with_status(&text, Status::Fixed);
        let _ = reading::node(&node);
    }
}

/// ROOT: merged twice it is the same, and under its cap unless it says otherwise.
pub fn root(bytes: &[u8]) {
    let text = decoded(bytes);
    let history = Digest::default();
    let blank = Base { is_blank: true, ..Base::default() };
    let first = merge(&history, &text, blank, day(), TOKENS_MAX);
    assert!(first.tokens <= TOKENS_MAX || first.cut_short, "{} tokens", first.tokens);
    let mut base = Base::default();
    base.remember(first.generated.iter().map(String::as_str));
    let second = merge(&history, &first.text, base, day(), TOKENS_MAX);
    assert_eq!(second.text, first.text);
}

/// MEMORY.md, and behind the first NUL a ROOT: what is not ours stays, and syncing twice changes nothing.
pub fn memory_file(bytes: &[u8]) {
    let (memory, root) = bytes.split_at(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
    let (memory, root) = (decoded(memory), decoded(root));
    let Ok(Some(synced)) = sync::sync(&memory, &root, "memory/ROOT.md") else {
        return;
    };
    let ((before, _, after), (before_now, ours, after_now)) =
        (sync::split(&memory), sync::split(&synced.text));
    assert!(before_now.starts_with(before), "what stood before our section was changed");
    assert_eq!(after_now, after, "what followed our section was changed");
    assert!(ours.starts_with("## Compaction Root"), "{ours}");
    assert!(
        synced.is_full || sync::sync(&synced.text, &root, "memory/ROOT.md") == Ok(None),
        "synced twice:\n{}",
        synced.text
    );
}

/// The state file: whatever it is, a cycle's start is written, unknown keys stay, and what was bad is kept beside it.
pub fn state(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("memory");
    fs::create_dir(&memory).expect("a folder in it");
    let path = memory.join(FILE_NAME);
    fs::write(&path, bytes).expect("a file");
    let keys = |bytes: &[u8]| {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let object = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(text).ok()?;
        Some(object.keys().cloned().collect::<Vec<_>>())
    };
    let before = keys(bytes);
    let workspace = Workspace::open(folder.path(), false).expect("a workspace");
    let mut ledger = Ledger::default();
    // The first look at what is no JSON object is not the last.
    let _ = ledger.refresh(&workspace);
    ledger.refresh(&workspace).expect("two looks are enough");
    let now = chrono::DateTime::from_timestamp(1_773_576_000, 0).expect("a time");
    ledger.start_cycle(&workspace, now).expect("the start is written");
    let after = keys(&fs::read(&path).expect("the state")).expect("an object");
    match before {
        Some(before) => assert!(before.iter().all(|key| after.contains(key)), "{before:?} {after:?}"),
        None => assert_eq!(fs::read(memory.join(format!("{FILE_NAME}.bad"))).expect("kept"), bytes),
    }
}

/// A workspace's configuration: settings, or one error in one line.
pub fn configuration(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("hipocampus.config.json"), bytes).expect("a file");
    if let Err(error) = load_workspace(folder.path(), &UserConfig::default()) {
        assert!(!error.to_string().is_empty());
    }
}
