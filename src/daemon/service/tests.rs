//! A service of new workspaces whose loop the tests turn themselves.
#![expect(clippy::disallowed_methods, reason = "the test makes folders")]

use std::fs;

use tokio::runtime::{Builder, Runtime};

use super::job::{JobContext, JobState};
use super::*;
use crate::daemon::ledger;
use crate::memory::trigger::Counters;

fn runtime() -> Runtime {
    let mut builder = Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// A service of so many workspaces, each of which has its first look ordered.
async fn service(count: usize) -> (Vec<tempfile::TempDir>, Service) {
    let folders: Vec<_> = (0..count).map(|_| tempfile::tempdir().unwrap()).collect();
    for folder in &folders {
        fs::create_dir(folder.path().join("memory")).unwrap();
    }
    let start = Start {
        clock: Clock::start(),
        home: Home::default(),
        config: None,
        user: UserConfig::default(),
        folders: Some(folders.iter().map(|folder| folder.path().to_owned()).collect()),
        notifier: Notifier::default(),
        watchdog: None,
        environment: Environment::new(),
    };
    let mut service = Service::new(start, Watcher::new().0);
    service.begin().await.unwrap();
    (folders, service)
}

/// Puts a workspace's status to be told into the pool: that starts no process.
fn order_status(service: &Service, number: usize, work: (JobState, JobContext)) {
    let (job_state, mut context) = work;
    context.task = None;
    service.pool.add((number, job_state, context));
}

fn take_work(service: &mut Service, number: usize) -> (JobState, JobContext) {
    let runner = service.runners.get_mut(&number).unwrap();
    runner.wake(runner.now());
    runner.take_work().unwrap()
}

#[test]
fn what_has_ended_unheard_is_taken_in_at_the_end_and_the_counters_are_written() {
    runtime().block_on(async {
        let (folders, mut service) = service(1).await;
        let file = folders[0].path().join("memory").join(ledger::FILE_NAME);
        let noted = r#"{"lastCompactionRun": null, "rawLinesSinceLastCompaction": 0, "checkpointsSinceLastCompaction": 0}"#;
        fs::write(&file, noted).unwrap();
        let mut work = take_work(&mut service, 1);
        let workspace = Workspace::open(folders[0].path(), false).unwrap();
        work.0.ledger.refresh(&workspace).unwrap();
        work.0.ledger.recounted(Counters { raw_lines: 417, checkpoints: 0 });
        order_status(&service, 1, work);
        while !service.pool.is_idle() {
            service.pool.ended().await;
        }
        service.end(Turns::default()).await;
        let noted = fs::read_to_string(file).unwrap();
        assert!(noted.contains("417"), "{noted}");
    });
}

#[test]
fn who_is_let_go_while_the_work_waits_leaves_the_folder_to_others_at_once() {
    runtime().block_on(async {
        let (folders, mut service) = service(1).await;
        service.pool.keep_busy();
        let work = take_work(&mut service, 1);
        order_status(&service, 1, work);
        drop(service.dismiss(1).unwrap());
        let workspace = Workspace::open(folders[0].path(), true).unwrap();
        assert!(RunLock::take(&workspace).is_ok());
    });
}
