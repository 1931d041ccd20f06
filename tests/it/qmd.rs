//! `daemon::qmd` with a qmd made of shell scripts that record what they are asked, and once with the real one.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write scripts, workspaces and the lock"
)]

mod real;
pub(crate) mod stage;

use std::fs;
use std::path::Path;

use hipocampusd::daemon::qmd::{Outcome, QmdResult};

use stage::{EMBEDDED, INDEXED, Stage, UNCHANGED, now};

use crate::child::{group_is_gone, line_in, never, script};

#[tokio::test]
async fn every_row_of_what_qmd_does_has_its_outcome() {
    let rows: &[(&str, &str, Outcome, Option<Outcome>)] = &[
        (INDEXED, EMBEDDED, Outcome::Ok, Some(Outcome::Ok)),
        (
            INDEXED,
            "echo '✓ All content hashes already have embeddings.'",
            Outcome::Ok,
            Some(Outcome::NothingToDo),
        ),
        (
            INDEXED,
            "echo 'Another embed process is already running. Skipping.'",
            Outcome::Ok,
            Some(Outcome::Busy),
        ),
        (
            INDEXED,
            "echo '⚠ Session expired — skipping 3 remaining chunks' >&2",
            Outcome::Ok,
            Some(Outcome::Partial),
        ),
        (
            INDEXED,
            "echo '✓ Done! Embedded 3 chunks'; echo '⚠ 2 chunks still failed after retries'",
            Outcome::Ok,
            Some(Outcome::Partial),
        ),
        (
            INDEXED,
            "echo 'No model file found at \"m\"' >&2; exit 1",
            Outcome::Ok,
            Some(Outcome::Configuration),
        ),
        (INDEXED, "exit 139", Outcome::Ok, Some(Outcome::Crashed)),
        (INDEXED, "kill -SEGV $$", Outcome::Ok, Some(Outcome::Crashed)),
        (INDEXED, "exit 127", Outcome::Ok, Some(Outcome::Missing)),
        (INDEXED, "exit 0", Outcome::Ok, Some(Outcome::Failed)),
        ("echo 'No collections found. Run it'", EMBEDDED, Outcome::NoCollections, None),
        (
            "echo 'Indexed: 0 new, 0 updated, 0 unchanged, 9 removed'; echo 'All collections updated.'",
            EMBEDDED,
            Outcome::Configuration,
            None,
        ),
        (
            "echo 'Skipped 1 unreadable file(s)' >&2; echo '⚠ Skipped unreadable file: a.md (EACCES)' >&2; echo 'All collections updated.'",
            EMBEDDED,
            Outcome::Partial,
            Some(Outcome::Ok),
        ),
        (
            "echo '✗ Update command failed with exit code 7'; exit 7",
            EMBEDDED,
            Outcome::Failed,
            None,
        ),
        (
            "echo 'SqliteError: file is not a database' >&2; exit 1",
            EMBEDDED,
            Outcome::Configuration,
            None,
        ),
        (
            "echo 'SqliteError: database is locked' >&2; exit 1",
            EMBEDDED,
            Outcome::Busy,
            None,
        ),
        ("exit 0", EMBEDDED, Outcome::Failed, None),
        ("exit 127", EMBEDDED, Outcome::Missing, None),
        ("kill -ABRT $$", EMBEDDED, Outcome::Crashed, None),
    ];
    let mut turns = tokio::task::JoinSet::new();
    for (update, embed, update_outcome, embed_outcome) in rows {
        turns.spawn(async move {
            let stage = Stage::new(update, embed);
            let result = stage.reindex(&stage.settings()).await;
            assert_eq!(
                (result.update, result.embed),
                (*update_outcome, *embed_outcome),
                "{update} | {embed}"
            );
            assert_eq!(result.said.is_empty(), result.is_good(), "{result:?}");
            assert_eq!(result.at, now());
        });
    }
    while let Some(turn) = turns.join_next().await {
        turn.unwrap();
    }
}

#[tokio::test]
async fn qmd_is_called_away_from_every_workspace_with_its_index_its_configuration_its_cap_and_its_model() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    let mut settings = stage.settings();
    settings.qmd.index = "work".to_owned();
    settings.search.embed_model = "hf:some/model".to_owned();
    for (name, value) in [
        ("GITHUB_TOKEN", "token"),
        ("NOTIFY_SOCKET", "/run/x"),
        ("QMD_FORCE_CPU", "1"),
        ("QMD_TRUST_LOCAL_CONFIG", "1"),
        ("QMD_TRUST_UPDATE_HOOKS", "1"),
        ("QMD_CONFIG_DIR", "memory"),
        ("XDG_CONFIG_HOME", "/etc/xdg"),
        ("LANG", "C.UTF-8"),
    ] {
        settings.environment.insert(name.into(), value.into());
    }
    assert!(stage.reindex(&settings).await.is_good());
    assert_eq!(
        stage.calls(),
        [
            "update --index=work",
            "end",
            "embed --timeout=30 --index=work",
            "end"
        ]
    );
    let environment = stage.environment();
    let has = |line: &str| environment.lines().any(|other| other == line);
    assert!(has("PWD=/"), "{environment}");
    assert!(has("QMD_CONFIG_DIR=/etc/xdg/qmd"), "{environment}");
    assert!(has("QMD_EMBED_MODEL=hf:some/model"));
    assert!(has("QMD_FORCE_CPU=1") && has("LANG=C.UTF-8"));
    for gone in ["TOKEN", "NOTIFY_SOCKET", "QMD_TRUST"] {
        assert!(!environment.contains(gone), "{environment}");
    }
}

#[tokio::test]
async fn what_a_workspace_brings_for_qmd_is_not_looked_at() {
    // As a qmd does that takes the nearest `.qmd/` and runs what stands in it.
    let nearest = "for folder in . \"$PWD\"; do [ -e $folder/.qmd ] && . $folder/.qmd; done; ";
    let stage = Stage::new(&format!("{nearest}{INDEXED}"), EMBEDDED);
    let ran = stage.path("ran");
    fs::write(stage.path("home/.qmd"), format!("touch '{}'", ran.display())).unwrap();
    assert!(stage.reindex(&stage.settings()).await.is_good());
    assert!(!ran.exists());
}

#[tokio::test]
async fn a_qmd_that_is_too_old_is_named_and_not_run() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    let settings = stage.settings();
    fs::write(stage.path("bin/version"), "qmd 2.5.3 (0123abc)\n").unwrap();
    let result = stage.reindex(&settings).await;
    assert_eq!(result.update, Outcome::TooOld);
    let program = stage.path("bin/qmd").display().to_string();
    for part in [&*program, "qmd 2.5.3", "2.8.3 or newer: npm install -g"] {
        assert!(result.said.contains(part), "{}", result.said);
    }
    assert_eq!(stage.calls().len(), 0);

    fs::write(stage.path("bin/version"), "qmd 2.9.0\n").unwrap();
    let result = stage.reindex(&settings).await;
    assert_eq!(result.update, Outcome::Ok, "{}", result.said);

    fs::write(stage.path("bin/version"), "").unwrap();
    let result = stage.reindex(&settings).await;
    assert_eq!(result.update, Outcome::Failed, "who does not say a version is not run");
}

#[tokio::test]
async fn the_automatic_model_sets_nothing() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    stage.reindex(&stage.settings()).await;
    assert!(!stage.environment().contains("QMD_EMBED_MODEL"));
}

#[tokio::test]
async fn without_vectors_there_is_no_embed() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    let mut settings = stage.settings();
    settings.search.vector = false;
    let result = stage.reindex(&settings).await;
    assert_eq!((result.update, result.embed), (Outcome::Ok, None));
    assert_eq!(stage.calls(), ["update --index=index", "end"]);
}

#[tokio::test]
async fn nothing_is_embedded_when_nothing_changed_and_no_vector_is_missing() {
    let stage = Stage::new(UNCHANGED, EMBEDDED);
    let result = stage.reindex(&stage.settings()).await;
    assert_eq!(
        (result.update, result.embed),
        (Outcome::NothingToDo, Some(Outcome::NothingToDo))
    );
    assert_eq!(stage.calls(), ["update --index=index", "end"]);

    let stage = Stage::new(&format!("{UNCHANGED}; echo '(1 unique hashes need vectors)'"), EMBEDDED);
    let result = stage.reindex(&stage.settings()).await;
    assert_eq!((result.update, result.embed), (Outcome::NothingToDo, Some(Outcome::Ok)));
}

#[tokio::test]
async fn an_update_that_another_one_got_in_the_way_of_is_tried_once_more() {
    let update = format!(
        "if [ -e \"$here/tried\" ]; then {INDEXED}; else touch \"$here/tried\"; echo UNIQUE >&2; exit 1; fi"
    );
    let stage = Stage::new(&update, EMBEDDED);
    assert_eq!(stage.reindex(&stage.settings()).await.update, Outcome::Ok);
}

#[tokio::test]
async fn a_memory_folder_that_is_missing_or_empty_leaves_the_index_alone() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    fs::remove_file(stage.path("home/memory/daily/2026-03-15.md")).unwrap();
    assert_eq!(stage.reindex(&stage.settings()).await.update, Outcome::Skipped);
    fs::remove_dir_all(stage.path("home/memory")).unwrap();
    assert_eq!(stage.reindex(&stage.settings()).await.update, Outcome::Skipped);
    fs::remove_dir_all(stage.path("home")).unwrap();
    assert_eq!(stage.reindex(&stage.settings()).await.update, Outcome::Skipped);
    assert!(stage.calls().is_empty());
}

#[tokio::test]
async fn a_qmd_that_is_not_there_is_missing_however_it_is_named() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    for path in ["qmd-that-is-nowhere", "/nowhere/qmd", "./bin/qmd", ""] {
        let mut settings = stage.settings();
        settings.qmd.path = path.into();
        let result = stage.reindex(&settings).await;
        assert_eq!(result.update, Outcome::Missing, "{path}");
        assert!(result.said.contains(path), "{}", result.said);
    }
    let mut plain = stage.settings();
    plain.qmd.path = stage.path("bin/update");
    assert_eq!(stage.reindex(&plain).await.update, Outcome::Missing, "not executable");
}

#[tokio::test]
async fn a_node_beside_qmd_is_found_without_any_path() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    fs::rename(stage.path("bin/qmd"), stage.path("bin/real")).unwrap();
    let node = "#!/bin/sh\nshift\nexec \"${0%/*}/real\" \"$@\"\n";
    script(&stage.path("bin/node-of-qmd"), node);
    script(&stage.path("bin/qmd"), "#!/usr/bin/env node-of-qmd\n");
    let mut settings = stage.settings();
    settings.qmd.path = stage.path("bin/qmd");
    settings.environment.retain(|name, _| name != "PATH");
    assert_eq!(stage.reindex(&settings).await.update, Outcome::Ok);

    fs::remove_file(stage.path("bin/node-of-qmd")).unwrap();
    let result = stage.reindex(&settings).await;
    assert_eq!(result.update, Outcome::Missing);
    assert!(result.said.contains("node-of-qmd"), "what is missing is named: {}", result.said);
}

#[tokio::test]
async fn a_qmd_that_hangs_forks_and_ignores_sigterm_is_timed_out_and_gone() {
    let stage = Stage::new(
        "trap '' TERM; (while :; do sleep 1000; done) & while :; do sleep 1000; done",
        EMBEDDED,
    );
    let mut settings = stage.settings();
    settings.qmd.timeout_seconds = 3;
    let result = stage.reindex(&settings).await;
    assert_eq!((result.update, result.embed), (Outcome::TimedOut, None));
    group_is_gone(&line_in(&stage.path("bin/group")).await).await;
}

#[tokio::test]
async fn what_qmd_said_is_short_clean_and_without_secrets() {
    let secret = format!("{}{}", "sk-", "a1B2".repeat(12));
    let update = format!(
        "yes | head -c 1000000; printf '\\033[31mred\\033[0m token {secret}\\n'; echo '    at Database.exec'; echo 'Node.js v22'; exit 1"
    );
    let stage = Stage::new(&update, EMBEDDED);
    let said = stage.reindex(&stage.settings()).await.said;
    assert!(said.starts_with("update: qmd failed\n"), "{said}");
    assert!(said.contains("red token"), "{said}");
    assert!(
        !said.contains(&secret) && !said.contains('\u{1b}') && !said.contains("Node.js"),
        "{said}"
    );
    assert!(said.lines().count() <= 7, "{said}");
}

#[tokio::test]
async fn the_lock_is_waited_for_without_holding_up_anybody() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    let held = stage.hold_the_lock();
    let mut settings = stage.settings();
    settings.qmd.timeout_seconds = 0;
    assert_eq!(stage.reindex(&settings).await.update, Outcome::Busy, "patience ends");
    assert!(stage.calls().is_empty());

    let (sender, mut stop) = never();
    let settings = stage.settings();
    let (result, ()) = tokio::join!(stage.reindex_with(&settings, &mut stop), async {
        sender.send(true).unwrap();
    });
    assert_eq!(result.update, Outcome::Stopped, "a stop ends the wait");

    let (_sender, mut stop) = never();
    let (result, ()) = tokio::join!(stage.reindex_with(&settings, &mut stop), async {
        assert!(stage.calls().is_empty(), "not before the lock is free");
        drop(held);
    });
    assert_eq!(result.update, Outcome::Ok);
}

#[tokio::test]
async fn two_at_once_take_turns() {
    let stage = Stage::new(&format!("sleep 0.1; {INDEXED}"), EMBEDDED);
    let settings = stage.settings();
    let (one, other) = tokio::join!(stage.reindex(&settings), stage.reindex(&settings));
    assert!(one.is_good() && other.is_good(), "{one:?} {other:?}");
    let turn = [
        "update --index=index",
        "end",
        "embed --timeout=30 --index=index",
        "end",
    ];
    assert_eq!(stage.calls(), [turn, turn].concat());
}

#[tokio::test]
async fn where_no_lock_can_be_made_it_goes_on_without() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    fs::write(stage.path("file"), "").unwrap();
    let mut settings = stage.settings();
    settings.environment.insert("XDG_CACHE_HOME".into(), stage.path("file").into());
    assert_eq!(stage.reindex(&settings).await.update, Outcome::Ok);
}

#[test]
fn a_result_is_written_and_read_as_json() {
    let result = QmdResult {
        at: now(),
        update: Outcome::NothingToDo,
        embed: None,
        said: String::new(),
    };
    let json = serde_json::to_string(&result).unwrap();
    assert_eq!(
        json,
        r#"{"at":"2026-03-15T12:00:00Z","update":"nothing-to-do","embed":null,"said":""}"#
    );
    assert_eq!(serde_json::from_str::<QmdResult>(&json).unwrap(), result);
}

/// Used by the test with the real qmd as well.
fn write_node(workspace: &Path, date: &str, text: &str) {
    fs::create_dir_all(workspace.join("memory/daily")).expect("a folder of daily nodes");
    fs::write(workspace.join(format!("memory/daily/{date}.md")), text).expect("a daily node");
}
