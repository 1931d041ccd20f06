//! Every row of what qmd prints, word for word, and what it means.

use super::{Outcome, embed_said, read, update_said, version_said};
use crate::daemon::child::{Ended, How, Printed};

fn ended(how: How, stdout: &str, stderr: &str) -> Ended {
    let printed = |text: &str| {
        let mut printed = Printed::new(64 * 1024);
        printed.push(text.as_bytes());
        printed
    };
    Ended { how, stdout: printed(stdout), stderr: printed(stderr) }
}

/// What `qmd update` prints around the line of counts of its one collection.
fn update_with(line: &str) -> String {
    format!(
        "Updating 1 collection(s)...\n\n[1/1] memory (**/*.md)\nCollection: /home/me/memory (**/*.md)\n\n{line}\n\n✓ All collections updated.\n"
    )
}

const TRACE: &str = "wrappers.js:9\n\tthis[cppdb].exec(sql);\n\t            ^\n\nSqliteError: ";

#[test]
fn every_way_in_which_an_update_ends_is_told_apart() {
    let exited = How::Exited;
    for (how, stdout, stderr, expected) in [
        (
            exited(0),
            update_with("Indexed: 1 new, 2 updated, 3 unchanged, 0 removed"),
            String::new(),
            Outcome::Ok,
        ),
        (
            exited(0),
            update_with("Indexed: 0 new, 0 updated, 3 unchanged, 1 removed"),
            String::new(),
            Outcome::Ok,
        ),
        (
            exited(0),
            update_with("Indexed: 0 new, 0 updated, 3 unchanged, 0 removed"),
            String::new(),
            Outcome::NothingToDo,
        ),
        (
            exited(0),
            "No collections found. Run 'qmd collection add .' to index markdown files.\n".into(),
            String::new(),
            Outcome::NoCollections,
        ),
        (
            exited(0),
            update_with("Indexed: 0 new, 0 updated, 0 unchanged, 365 removed"),
            String::new(),
            Outcome::Configuration,
        ),
        (
            exited(0),
            update_with("Indexed: 1 new, 0 updated, 3 unchanged, 0 removed"),
            "⚠ Skipped unreadable file: daily/2026-01-01.md (EACCES)\nSkipped 1 unreadable file(s)\n".into(),
            Outcome::Partial,
        ),
        (
            exited(7),
            "    Running update command: git pull\n✗ Update command failed with exit code 7\n".into(),
            String::new(),
            Outcome::Failed,
        ),
        (
            exited(1),
            String::new(),
            "Error: Failed to parse /home/me/.config/qmd/index.yml: YAMLParseError: Implicit keys".into(),
            Outcome::Configuration,
        ),
        (
            exited(1),
            String::new(),
            format!("{TRACE}file is not a database\n    at Database.exec\n"),
            Outcome::Configuration,
        ),
        (
            exited(1),
            String::new(),
            format!("{TRACE}database is locked\n  code: 'SQLITE_BUSY'\n"),
            Outcome::Busy,
        ),
        (exited(1), String::new(), "TypeError: something new".into(), Outcome::Failed),
        (exited(0), String::new(), String::new(), Outcome::Failed),
        (
            exited(127),
            String::new(),
            "env: 'node': No such file or directory\n".into(),
            Outcome::Missing,
        ),
        (exited(139), String::new(), String::new(), Outcome::Crashed),
        (How::Signalled(11), String::new(), String::new(), Outcome::Crashed),
        (
            How::Signalled(6),
            update_with("Indexed: 1 new, 2 updated, 3 unchanged, 0 removed"),
            "ggml_abort".into(),
            Outcome::Ok,
        ),
        (
            How::Signalled(9),
            "[1/1] memory (**/*.md)\n".into(),
            String::new(),
            Outcome::Crashed,
        ),
        (
            How::TimedOut,
            update_with("Indexed: 1 new, 2 updated, 3 unchanged, 0 removed"),
            String::new(),
            Outcome::TimedOut,
        ),
        (How::Stopped, String::new(), String::new(), Outcome::Stopped),
    ] {
        assert_eq!(
            read(&ended(how.clone(), &stdout, &stderr), update_said),
            expected,
            "{how:?} {stdout} {stderr}"
        );
    }
}

#[test]
fn every_way_in_which_an_embed_ends_is_told_apart() {
    let exited = How::Exited;
    let hidden = "\u{1b}[?25l";
    for (how, stdout, stderr, expected) in [
        (
            exited(0),
            "Model: m.gguf\n\n█ 100%\n\n✓ Done! Embedded 12 chunks from 3 documents in 4s\n",
            hidden,
            Outcome::Ok,
        ),
        (
            exited(0),
            "✓ \u{1b}[32mDone!\u{1b}[0m Embedded \u{1b}[1m12\u{1b}[0m chunks from 3 documents\n",
            hidden,
            Outcome::Ok,
        ),
        (
            exited(0),
            "✓ All content hashes already have embeddings.\n",
            "",
            Outcome::NothingToDo,
        ),
        (exited(0), "✓ No non-empty documents to embed.\n", hidden, Outcome::NothingToDo),
        (
            exited(0),
            "Another embed process is already running. Skipping.\n",
            "",
            Outcome::Busy,
        ),
        (
            exited(0),
            "✓ Done! Embedded 12 chunks from 3 documents in 30m\n",
            "⚠ Session expired — skipping remaining document batches\n",
            Outcome::Partial,
        ),
        (
            exited(0),
            "✓ Done! Embedded 12 chunks from 3 documents in 4s\n⚠ 2 chunks still failed after retries\n",
            "",
            Outcome::Partial,
        ),
        (
            exited(1),
            "",
            "No model file found at \"/home/me/.cache/qmd/models/m.gguf\"\n",
            Outcome::Configuration,
        ),
        (
            exited(1),
            "Model: m.gguf\n",
            "QMD Warning: GPU init failed\nNoBinaryFoundError\n",
            Outcome::Configuration,
        ),
        (
            exited(1),
            "",
            "file is not a database\nIf qmd still behaves unexpectedly, run 'qmd doctor'\n",
            Outcome::Configuration,
        ),
        (exited(1), "", "database is locked\n", Outcome::Busy),
        (exited(1), "", "fetch failed\n", Outcome::Failed),
        (exited(139), "", "", Outcome::Crashed),
        (How::Signalled(11), "", "", Outcome::Crashed),
        (
            How::Signalled(6),
            "✓ Done! Embedded 12 chunks from 3 documents\n",
            "ggml_abort\n",
            Outcome::Ok,
        ),
        (
            exited(134),
            "✓ All content hashes already have embeddings.\n",
            "ggml_abort\n",
            Outcome::NothingToDo,
        ),
        (exited(127), "", "env: ‘node’: No such file or directory\n", Outcome::Missing),
        (exited(0), "", "", Outcome::Failed),
        (How::TimedOut, "", "", Outcome::TimedOut),
        (How::Stopped, "", "", Outcome::Stopped),
    ] {
        assert_eq!(
            read(&ended(how.clone(), stdout, stderr), embed_said),
            expected,
            "{how:?} {stdout} {stderr}"
        );
    }
}

#[test]
fn a_program_that_did_not_start_is_missing() {
    let how = How::NotStarted("for a reason".to_owned());
    assert_eq!(read(&ended(how, "", ""), update_said), Outcome::Missing);
}

#[test]
fn a_text_that_talks_about_a_lock_is_no_lock_when_all_went_well() {
    let stdout = format!(
        "    database is locked\n{}",
        update_with("Indexed: 1 new, 0 updated, 0 unchanged, 0 removed")
    );
    assert_eq!(read(&ended(How::Exited(0), &stdout, ""), update_said), Outcome::Ok);
}

#[test]
fn a_version_is_safe_too_old_or_none() {
    for (said, expected) in [
        ("qmd 2.8.3 (0123abc)\n", Outcome::Ok),
        ("a notice of node\nqmd 2.10.0\n", Outcome::Ok),
        ("qmd 3\n", Outcome::Ok),
        ("qmd 2.8.2 (0123abc)\n", Outcome::TooOld),
        ("qmd 2.8\n", Outcome::TooOld),
        ("qmd 2.5.3\n", Outcome::TooOld),
        ("Usage: qmd <command>\n", Outcome::Failed),
        ("qmd is not for you\n", Outcome::Failed),
        ("", Outcome::Failed),
    ] {
        assert_eq!(read(&ended(How::Exited(0), said, ""), version_said), expected, "{said}");
    }
    let failed = ended(How::Exited(127), "qmd 2.8.3", "env: 'node': No such file or directory");
    assert_eq!(read(&failed, version_said), Outcome::Missing);
}
