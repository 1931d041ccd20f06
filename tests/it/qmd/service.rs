//! The daemon's queue of turns at qmd, with the fake one.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use hipocampusd::daemon::qmd::{Outcome, Report, Request, Settings, service};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::stage::{EMBEDDED, INDEXED, Stage, now};
use crate::child::{group_is_gone, line_in, never, until};

async fn report(reports: &mut UnboundedReceiver<Report>) -> Report {
    tokio::time::timeout(Duration::from_secs(60), reports.recv())
        .await
        .expect("a report in time")
        .expect("a report")
}

#[tokio::test]
async fn requests_while_a_turn_is_under_way_are_merged_and_turns_never_overlap() {
    let stage = Stage::new(
        &format!("while [ ! -e \"$here/go\" ]; do sleep 0.02; done; {INDEXED}"),
        EMBEDDED,
    );
    let (_sender, stop) = never();
    let (report_sender, mut reports) = unbounded_channel();
    let (qmd, task) = service(report_sender, now, stop);
    let task = tokio::spawn(task);
    let ask = |workspace: PathBuf| {
        qmd.send(Request {
            workspace,
            settings: Some(stage.settings()),
        })
        .unwrap();
    };

    ask(stage.path("home"));
    until("the first turn is under way", || {
        stage.calls() == ["update --index=index"]
    })
    .await;
    for _ in 0..5 {
        ask(stage.workspace("other"));
    }
    fs::write(stage.path("bin/go"), "").unwrap();
    assert_eq!(report(&mut reports).await.workspace, stage.path("home"));
    let second = report(&mut reports).await;
    assert_eq!(second.workspace, stage.path("other"));
    assert!(second.result.is_good());

    drop(qmd);
    task.await.unwrap();
    assert!(reports.recv().await.is_none(), "five requests, one turn");
    let turn = [
        "update --index=index",
        "end",
        "embed --timeout=30 --index=index",
        "end",
    ];
    assert_eq!(stage.calls(), [turn, turn].concat());
}

#[tokio::test]
async fn what_waits_of_a_workspace_that_is_let_go_is_dropped() {
    let stage = Stage::new(
        &format!("while [ ! -e \"$here/go\" ]; do sleep 0.02; done; {INDEXED}"),
        EMBEDDED,
    );
    let (_sender, stop) = never();
    let (report_sender, mut reports) = unbounded_channel();
    let (qmd, task) = service(report_sender, now, stop);
    let task = tokio::spawn(task);
    let ask =
        |workspace: PathBuf, settings: Option<Settings>| qmd.send(Request { workspace, settings }).unwrap();

    ask(stage.path("home"), Some(stage.settings()));
    until("the first turn is under way", || {
        stage.calls() == ["update --index=index"]
    })
    .await;
    ask(stage.workspace("other"), Some(stage.settings()));
    ask(stage.workspace("third"), Some(stage.settings()));
    ask(stage.workspace("other"), None);
    fs::write(stage.path("bin/go"), "").unwrap();
    assert_eq!(report(&mut reports).await.workspace, stage.path("home"));
    assert_eq!(report(&mut reports).await.workspace, stage.path("third"));
    drop(qmd);
    task.await.unwrap();
    assert!(reports.recv().await.is_none());
}

#[tokio::test]
async fn a_bad_workspace_does_not_stop_the_next() {
    let stage = Stage::new(INDEXED, EMBEDDED);
    let (_sender, stop) = never();
    let (report_sender, mut reports) = unbounded_channel();
    let (qmd, task) = service(report_sender, now, stop);
    let task = tokio::spawn(task);
    qmd.send(Request {
        workspace: stage.path("nowhere"),
        settings: Some(stage.settings()),
    })
    .unwrap();
    let missing = Settings {
        path: "qmd-that-is-nowhere".into(),
        ..stage.settings()
    };
    qmd.send(Request {
        workspace: stage.workspace("other"),
        settings: Some(missing),
    })
    .unwrap();
    qmd.send(Request {
        workspace: stage.path("home"),
        settings: Some(stage.settings()),
    })
    .unwrap();
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        outcomes.push(report(&mut reports).await.result.update);
    }
    assert_eq!(outcomes, [Outcome::Skipped, Outcome::Missing, Outcome::Ok]);
    drop(qmd);
    task.await.unwrap();
}

#[tokio::test]
async fn stopping_the_daemon_kills_a_qmd_that_ignores_sigterm() {
    let stage = Stage::new(
        "trap '' TERM; touch \"$here/ready\"; while :; do sleep 1000; done",
        EMBEDDED,
    );
    let (sender, stop) = never();
    let (report_sender, mut reports) = unbounded_channel();
    let (qmd, task) = service(report_sender, now, stop);
    let task = tokio::spawn(task);
    qmd.send(Request {
        workspace: stage.path("home"),
        settings: Some(stage.settings()),
    })
    .unwrap();
    let ready = stage.path("bin/ready");
    until("qmd is under way", || ready.exists()).await;
    sender.send(true).unwrap();
    task.await.unwrap();
    assert_eq!(report(&mut reports).await.result.update, Outcome::Stopped);
    group_is_gone(&line_in(&stage.path("bin/group")).await).await;
}
