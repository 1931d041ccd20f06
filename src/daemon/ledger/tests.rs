//! The state file: what is read leniently, what is merged, and what never happens to it.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests play the agents that write the file"
)]

mod others;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::*;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::create_dir(folder.memory()).unwrap();
        folder
    }

    fn with(text: &str) -> (Self, Ledger) {
        let folder = Self::new();
        folder.put(text);
        let mut ledger = Ledger::default();
        ledger.refresh(&folder.open()).unwrap();
        (folder, ledger)
    }

    fn open(&self) -> Workspace {
        Workspace::open(self.0.path(), false).unwrap()
    }

    fn memory(&self) -> PathBuf {
        self.0.path().join("memory")
    }

    fn path(&self) -> PathBuf {
        self.memory().join(FILE_NAME)
    }

    fn put(&self, text: &str) {
        fs::write(self.path(), text).unwrap();
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.memory())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn counters(raw_lines: u64, checkpoints: u64) -> Counters {
    Counters { raw_lines, checkpoints }
}

const NOON: &str = "2026-03-15T12:00:00Z";

#[test]
fn a_missing_file_is_a_trigger_that_a_counters_write_does_not_take_away() {
    let folder = Folder::new();
    let mut ledger = Ledger::default();
    ledger.refresh(&folder.open()).unwrap();
    assert_eq!(ledger.last_run(), LastRun::StateMissing);
    assert!(ledger.recounted(counters(10, 1)));
    assert!(!ledger.write(&folder.open()).unwrap());
    assert_eq!(folder.names(), [""; 0]);
    assert_eq!(ledger.last_run(), LastRun::StateMissing);
}

#[test]
fn the_start_of_a_cycle_creates_the_file_with_counters_at_zero() {
    let folder = Folder::new();
    let mut ledger = Ledger::default();
    ledger.recounted(counters(10, 1));
    ledger
        .start_cycle(&folder.open(), at("2026-03-15T12:00:00.123456789Z"))
        .unwrap();
    let expected = "{\n  \"lastCompactionRun\": \"2026-03-15T12:00:00.123Z\",\n  \
                    \"rawLinesSinceLastCompaction\": 0,\n  \"checkpointsSinceLastCompaction\": 0\n}\n";
    assert_eq!(folder.text(), expected);
    assert_eq!(folder.names(), [FILE_NAME]);
    assert_eq!(ledger.last_run(), LastRun::At(at("2026-03-15T12:00:00.123Z")));
    assert_eq!(ledger.counters(), counters(0, 0));
    let mut again = Ledger::default();
    again.refresh(&folder.open()).unwrap();
    assert_eq!((again.last_run(), again.counters()), (ledger.last_run(), ledger.counters()));
}

#[test]
fn missing_fields_count_as_never_and_zero() {
    for text in ["{}", "{\"lastCompactionRun\": null}", "\u{feff}{ }"] {
        let (_folder, ledger) = Folder::with(text);
        assert_eq!(ledger.last_run(), LastRun::Never, "{text}");
        assert_eq!(ledger.counters(), counters(0, 0), "{text}");
    }
}

#[test]
fn times_are_read_as_people_type_them() {
    for text in [
        "\"2026-03-15T12:00:00Z\"",
        "\"2026-03-15T12:00:00.000Z\"",
        "\"2026-03-15T12:00:00.0001Z\"",
        "\"2026-03-15T12:00:00\"",
        "\"2026-03-15 12:00:00\"",
        "\"2026-03-15 12:00\"",
        "\"2026-03-15T12:00Z\"",
        "\"2026-03-15t12:00:00z\"",
        "\"2026-03-15T21:00:00+09:00\"",
        "\"2026-03-15 21:00:00.5 +0900\"",
        "\"2026-03-15T21:00+09\"",
        "\"2026-03-15 12:00:00 UTC\"",
        "1773576000",
        "1773576000000",
    ] {
        let (_folder, ledger) = Folder::with(&format!("{{\"lastCompactionRun\": {text}}}"));
        let LastRun::At(time) = ledger.last_run() else {
            panic!("{text} was not read");
        };
        assert_eq!(time.timestamp(), at(NOON).timestamp(), "{text}");
    }
    let (_folder, ledger) = Folder::with("{\"lastCompactionRun\": \"2026-03-15\"}");
    assert_eq!(ledger.last_run(), LastRun::At(at("2026-03-15T00:00:00Z")));
}

#[test]
fn a_time_that_is_none_counts_as_never() {
    for value in [
        "\"yesterday\"",
        "true",
        "\"2026-02-30T12:00:00Z\"",
        "[1]",
        "99999999999999999999",
    ] {
        let folder = Folder::new();
        folder.put(&format!("{{\"lastCompactionRun\": {value}}}"));
        let mut ledger = Ledger::default();
        ledger.refresh(&folder.open()).unwrap();
        assert_eq!(ledger.last_run(), LastRun::Never, "{value}");
    }
}

#[test]
fn counts_are_read_as_people_type_them() {
    for (value, count) in [
        ("7", 7),
        ("7.9", 7),
        ("-3", 0),
        ("\"7\"", 7),
        ("\"many\"", 0),
        ("null", 0),
        ("[]", 0),
        ("1e308", 0),
    ] {
        let (_folder, ledger) = Folder::with(&format!("{{\"checkpointsSinceLastCompaction\": {value}}}"));
        assert_eq!(ledger.counters(), counters(0, count), "{value}");
    }
}

#[test]
fn unknown_keys_keep_their_place() {
    let (folder, mut ledger) = Folder::with(
        "{\"zebra\": {\"b\": 1, \"a\": [2]}, \"checkpointsSinceLastCompaction\": 2, \"ant\": 1.50, \
         \"lastCompactionRun\": \"2026-03-15 12:00\"}",
    );
    ledger.recounted(counters(40, 3));
    assert!(ledger.write(&folder.open()).unwrap());
    let text = folder.text();
    let places: Vec<_> = [
        "\"zebra\"",
        "\"b\": 1",
        "\"a\"",
        "checkpointsSince",
        "\"ant\": 1.5",
        "\"2026-03-15 12:00\"",
        "rawLines",
    ]
    .iter()
    .map(|part| text.find(part).expect(part))
    .collect();
    assert!(places.is_sorted(), "{text}");
}

fn set_aside(folder: &Folder) -> String {
    format!("{} {BAD}; it is kept as {BAD_NAME}", folder.path().display())
}

#[test]
fn what_is_no_json_object_is_set_aside_and_counts_as_missing() {
    for text in [
        "",
        "{\"lastCompactionRun\": \"2026",
        "not json",
        "[1, 2]",
        "null",
        "\0\0\0\0",
    ] {
        let folder = Folder::new();
        folder.put(text);
        let mut ledger = Ledger::default();
        assert!(matches!(ledger.refresh(&folder.open()), Err(FileError::Refused(..))));
        assert_eq!(folder.names(), [FILE_NAME], "at the first look it stays");
        ledger.refresh(&folder.open()).unwrap();
        assert_eq!(ledger.take_notice(), Some(set_aside(&folder)));
        assert_eq!(ledger.last_run(), LastRun::StateMissing, "{text}");
        assert_eq!(folder.names(), [BAD_NAME]);
        assert_eq!(fs::read_to_string(folder.memory().join(BAD_NAME)).unwrap(), text);
        ledger.refresh(&folder.open()).unwrap();
        assert_eq!(ledger.take_notice(), None);
        ledger.start_cycle(&folder.open(), at(NOON)).unwrap();
        assert_eq!(folder.names(), [FILE_NAME, BAD_NAME]);
    }
}

#[test]
fn nothing_is_written_when_the_file_says_the_same() {
    let text = "{ \"lastCompactionRun\":\"2026-03-15 12:00\",\"rawLinesSinceLastCompaction\":\"4\"}";
    let (folder, mut ledger) = Folder::with(text);
    let before = fs::metadata(folder.path()).unwrap();
    assert!(!ledger.recounted(counters(4, 0)));
    assert!(!ledger.write(&folder.open()).unwrap());
    let after = fs::metadata(folder.path()).unwrap();
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    assert_eq!(folder.text(), text);
}

#[test]
fn the_mode_of_the_old_file_is_kept() {
    for mode in [0o600, 0o640, 0o666] {
        let (folder, mut ledger) = Folder::with("{}");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        ledger.start_cycle(&folder.open(), at(NOON)).unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().mode() & 0o7777, mode);
    }
}

#[test]
fn what_is_no_file_is_reported_and_never_followed() {
    let other = Folder::new();
    other.put("{\"mine\": 1}");
    for place in ["link", "dangling", "folder", "fifo"] {
        let folder = Folder::new();
        match place {
            "link" => symlink(other.path(), folder.path()).unwrap(),
            "dangling" => symlink("nowhere", folder.path()).unwrap(),
            "folder" => fs::create_dir(folder.path()).unwrap(),
            _ => {
                let made = std::process::Command::new("mkfifo").arg(folder.path()).status();
                assert!(made.unwrap().success());
            }
        }
        let mut ledger = Ledger::default();
        let is_refused =
            |error: FileError| matches!(error, FileError::NotAFile(path) if path == folder.path());
        assert!(is_refused(ledger.refresh(&folder.open()).unwrap_err()), "{place}");
        assert_eq!(ledger.last_run(), LastRun::StateMissing);
        assert!(is_refused(ledger.start_cycle(&folder.open(), at(NOON)).unwrap_err()), "{place}");
        assert_eq!(
            ledger.last_run(),
            LastRun::At(at(NOON)),
            "the start holds in memory, or it would come at once again"
        );
        assert_eq!(folder.names(), [FILE_NAME], "no temporary file stays behind");
        assert_eq!(other.text(), "{\"mine\": 1}");
    }
}

#[test]
fn a_start_that_could_not_be_written_is_written_later() {
    let folder = Folder::new();
    fs::create_dir(folder.path()).unwrap();
    let mut ledger = Ledger::default();
    ledger.start_cycle(&folder.open(), at(NOON)).unwrap_err();
    fs::remove_dir(folder.path()).unwrap();
    ledger.refresh(&folder.open()).unwrap();
    ledger.recounted(counters(12, 1));
    assert!(ledger.write(&folder.open()).unwrap());
    assert!(folder.text().contains("\"rawLinesSinceLastCompaction\": 12"));
    assert!(folder.text().contains("2026-03-15T12:00:00.000Z"));
}

#[test]
fn a_temporary_file_left_by_a_crash_is_in_nobodys_way() {
    let folder = Folder::new();
    let left = folder.memory().join(format!(".hipocampusd-{FILE_NAME}.tmp"));
    fs::write(left, "half").unwrap();
    Ledger::default().start_cycle(&folder.open(), at(NOON)).unwrap();
    assert_eq!(folder.names(), [FILE_NAME]);
}

#[test]
fn a_file_larger_than_any_state_is_set_aside_like_what_is_none() {
    let large = "{}".to_owned() + &" ".repeat(1024 * 1024);
    let folder = Folder::new();
    folder.put(&large);
    let mut ledger = Ledger::default();
    let peeked = peek(&folder.open());
    assert!(matches!(peeked, Err(FileError::Refused(..))));
    assert!(matches!(ledger.refresh(&folder.open()), Err(FileError::Refused(..))));
    ledger.refresh(&folder.open()).unwrap();
    assert_eq!(ledger.take_notice(), Some(set_aside(&folder)));
    assert_eq!(folder.names(), [BAD_NAME]);
    assert_eq!(fs::read_to_string(folder.memory().join(BAD_NAME)).unwrap(), large);
}

#[test]
fn what_called_a_cycle_due_that_found_nothing_is_settled_once() {
    let state = |run: &str, checkpoints: &str| {
        format!("{{\"lastCompactionRun\": {run}, \"checkpointsSinceLastCompaction\": {checkpoints}}}")
    };
    let (fresh, old) = ("\"2026-03-15T11:59:00Z\"", "\"2026-03-15T08:00:00Z\"");
    for (text, settles) in [
        (None, true),
        (Some("{}".to_owned()), true),
        (Some(state(old, "0")), true),
        (Some(state("\"2027-01-01T00:00:00Z\"", "0")), true),
        (Some(state(fresh, "6")), true),
        (Some(state(fresh, "5")), false),
        (Some(state(fresh, "1e308")), false),
        (Some(state(fresh, "0")), false),
    ] {
        let folder = Folder::new();
        text.iter().for_each(|text| folder.put(text));
        for (settles, what) in [(settles, "at first"), (false, "once more")] {
            let mut ledger = Ledger::default();
            ledger.refresh(&folder.open()).unwrap();
            assert_eq!(
                ledger.settle(&folder.open(), 3.0, at(NOON)).unwrap(),
                settles,
                "{what}: {text:?}"
            );
        }
        assert_eq!(text.as_ref() == Some(&folder.text()), !settles);
    }
    // No cooldown is always due, and what stands in the logs stays so: neither is written at every look.
    let (folder, mut ledger) = Folder::with(&state(fresh, "0"));
    assert!(!ledger.settle(&folder.open(), 0.0, at(NOON)).unwrap());
    ledger.recounted(counters(400, 7));
    assert!(!ledger.settle(&folder.open(), 3.0, at(NOON)).unwrap());
}
