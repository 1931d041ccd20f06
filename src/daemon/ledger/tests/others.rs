//! What agents of the older protocol write into the state file, and when.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests play the agents that write the file"
)]

use std::fs;

use super::*;

#[test]
fn an_agent_caught_between_truncating_and_writing_is_waited_for() {
    let folder = Folder::new();
    folder.put("");
    let mut ledger = Ledger::default();
    assert!(matches!(ledger.refresh(&folder.open()), Err(FileError::Refused(..))));
    folder.put("{\"lastComp");
    assert!(matches!(ledger.refresh(&folder.open()), Err(FileError::Refused(..))));
    folder.put("{\"checkpointsSinceLastCompaction\": 4, \"note\": \"mine\"}");
    ledger.refresh(&folder.open()).unwrap();
    assert_eq!(ledger.counters().checkpoints, 4);
    assert_eq!(folder.names(), [FILE_NAME]);
}

#[test]
fn an_agents_higher_checkpoint_count_is_taken_over_and_stands() {
    let (folder, mut ledger) = Folder::with("{\"lastCompactionRun\": \"2026-03-15T12:00:00Z\"}");
    ledger.recounted(counters(50, 2));
    ledger.write(&folder.open()).unwrap();
    folder.put(&folder.text().replace("Compaction\": 2", "Compaction\": 6"));
    ledger.recounted(counters(60, 3));
    assert!(ledger.write(&folder.open()).unwrap());
    assert_eq!(ledger.counters(), counters(60, 6));
    assert!(folder.text().contains("\"checkpointsSinceLastCompaction\": 6"));
    assert!(folder.text().contains("\"rawLinesSinceLastCompaction\": 60"));
    assert!(!ledger.recounted(counters(60, 4)), "the agent's count stands");
}

#[test]
fn an_agents_lower_count_and_older_run_are_not_taken_over() {
    let (folder, mut ledger) = Folder::with("{\"lastCompactionRun\": \"2026-03-15T12:00:00Z\"}");
    ledger.recounted(counters(50, 4));
    folder.put("{\"lastCompactionRun\": \"2026-03-14T12:00:00Z\", \"checkpointsSinceLastCompaction\": 1}");
    ledger.refresh(&folder.open()).unwrap();
    assert_eq!(ledger.counters(), counters(50, 4));
    assert_eq!(ledger.last_run(), LastRun::At(at(NOON)));
}

#[test]
fn a_newer_run_of_somebody_else_brings_its_counters() {
    let (folder, mut ledger) = Folder::with("{\"lastCompactionRun\": \"2026-03-15T12:00:00Z\"}");
    ledger.recounted(counters(350, 7));
    folder.put(
        "{\"lastCompactionRun\": \"2026-03-15T13:00:00Z\", \"rawLinesSinceLastCompaction\": 0, \
         \"checkpointsSinceLastCompaction\": 0}",
    );
    assert!(!ledger.write(&folder.open()).unwrap());
    assert_eq!(ledger.counters(), counters(0, 0));
    assert_eq!(ledger.last_run(), LastRun::At(at("2026-03-15T13:00:00Z")));
}

#[test]
fn the_start_of_a_cycle_stands_over_a_run_in_the_future() {
    let (folder, mut ledger) = Folder::with(
        "{\"lastCompactionRun\": \"2126-01-01T00:00:00Z\", \"checkpointsSinceLastCompaction\": 9}",
    );
    ledger.start_cycle(&folder.open(), at(NOON)).unwrap();
    assert_eq!((ledger.last_run(), ledger.counters()), (LastRun::At(at(NOON)), counters(0, 0)));
    ledger.refresh(&folder.open()).unwrap();
    assert_eq!((ledger.last_run(), ledger.counters()), (LastRun::At(at(NOON)), counters(0, 0)));
    assert!(folder.text().contains("2026-03-15T12:00:00.000Z"));
}

#[test]
fn a_file_that_somebody_removed_counts_as_missing_again() {
    let (folder, mut ledger) = Folder::with("{\"lastCompactionRun\": \"2026-03-15T12:00:00Z\"}");
    fs::remove_file(folder.path()).unwrap();
    ledger.recounted(counters(1, 1));
    assert!(!ledger.write(&folder.open()).unwrap());
    assert_eq!(ledger.last_run(), LastRun::StateMissing);
}
