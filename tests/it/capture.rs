//! Months of transcripts at once: killed at any moment, with files that cannot be read, each message told once.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the transcripts that the program finds"
)]

use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use hipocampusd::daemon::capture::{self, When};
use hipocampusd::daemon::clock::Zone;
use hipocampusd::daemon::workspace::Workspace;
use hipocampusd::memory::calendar::Day;

use crate::place::{Place, Seed};
use crate::promises::is_long;

const TODAY: &str = "2026-06-20";

/// A transcript of `count` messages from the given number on, of a session that began on a day of March.
fn transcript(from: usize, count: usize, day: usize) -> String {
    let mut out = String::new();
    for number in from..from + count {
        let minute = (number - from) / 20 % 600;
        let at = format!("2026-03-{day:02}T{:02}:{:02}:00Z", 8 + minute / 60, minute % 60);
        let message = serde_json::json!({
            "role": "user",
            "content": format!("message {number}. of the harbour, about crane {} and valve {}", number % 97, number % 89),
        });
        let line = serde_json::json!({"type": "user", "uuid": format!("m{number}"), "timestamp": at, "message": message});
        let _ = writeln!(out, "{line}");
    }
    out
}

/// How often the logs tell each message.
fn tellings(place: &Place, messages: usize) -> Vec<usize> {
    let mut told = vec![0; messages];
    for entry in fs::read_dir(place.path("memory")).expect("there is memory/") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "md") || path.ends_with("ROOT.md") {
            continue;
        }
        let text = fs::read_to_string(path).expect("a log");
        for rest in text.split("message ").skip(1) {
            let number: usize = rest.split('.').next().expect("a number").parse().expect("a number");
            told[number] += 1;
        }
    }
    told
}

#[test]
fn months_of_transcripts_are_told_once_however_often_the_capture_is_killed() {
    let (files, count, kills) = if is_long() { (400, 1000, 100) } else { (70, 130, 12) };
    let place = Place::new();
    place.configure("{\"search\": {\"enabled\": false}, \"timezone\": \"UTC\"}");
    for file in 0..files {
        place.write(&format!("old/{file}.jsonl"), transcript(file * count, count, 1 + file % 28));
    }
    let folder = place.path("old").display().to_string();
    let words = ["capture", "--all", &folder, "--today", TODAY];
    let mut seed = Seed(20_260_620);
    for _ in 0..kills {
        let mut program = place.program();
        program.current_dir(place.path("")).args(words);
        program.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = program.spawn().expect("it starts");
        std::thread::park_timeout(Duration::from_millis(5 + seed.below(300)));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    let last = crate::place::ran(place.program().current_dir(place.path("")).args(words));
    assert_eq!(last.code, Some(0), "{last:?}");
    let noted: serde_json::Value =
        serde_json::from_str(&place.read(".hipocampus/captured.json")).expect("JSON");
    assert_eq!(
        noted["transcripts"].as_array().map(Vec::len),
        Some(files),
        "none is to be read a second time"
    );
    let told = tellings(&place, files * count);
    let wrong: Vec<_> = told.iter().enumerate().filter(|(_, times)| **times != 1).collect();
    assert!(wrong.is_empty(), "told another number of times: {wrong:?}");
    let verified = place.run("verify", &["--today", TODAY]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
}

#[test]
fn what_a_kill_cut_in_the_midst_of_its_write_is_told_again_from_there() {
    let place = Place::new();
    place.configure("{\"search\": {\"enabled\": false}, \"timezone\": \"UTC\"}");
    place.write("a.jsonl", transcript(0, 40, 3));
    let capture = || {
        let folder = place.path("");
        let words = ["capture", "--all", ".", "--today", TODAY];
        crate::place::ran(place.program().current_dir(folder).args(words))
    };
    assert_eq!(capture().code, Some(0));
    let log = place.read("memory/2026-03-03.md");
    let line = "- user: message 29. of the harbour";
    let at = log.find(line).expect("the line");
    let first = log.find("- user").expect("a line") + 12;
    for cut in [first, at + 2, at + 9, at + line.len() - 2, log.len() - 3] {
        place.write("memory/2026-03-03.md", &log[..cut]);
        let _ = fs::remove_file(place.path(".hipocampus/captured.json"));
        assert_eq!(capture().code, Some(0));
        let told = tellings(&place, 40);
        assert_eq!(told, [1; 40], "cut at {cut}");
        assert_eq!(place.read("memory/2026-03-03.md"), log, "cut at {cut}");
    }
    // Somebody wrote behind the cut: it stays, and is told again in whole.
    let other = "## Crane\n- outcome: it turns\n";
    place.write("memory/2026-03-03.md", format!("{}\n\n{other}", &log[..at + 20]));
    let _ = fs::remove_file(place.path(".hipocampus/captured.json"));
    assert_eq!(capture().code, Some(0));
    let log = place.read("memory/2026-03-03.md");
    assert!(log.contains(other), "{log}");
    assert_eq!(tellings(&place, 40)[..29], [1; 29]);
}

#[test]
fn a_line_with_a_large_picture_is_read_and_a_long_message_kept() {
    let place = Place::new();
    place.configure("{\"search\": {\"enabled\": false}, \"timezone\": \"UTC\"}");
    let said = format!("{} the locker is number 77", "The harbour is calm. ".repeat(60));
    let picture = serde_json::json!({"type": "image", "source": {"data": "A".repeat(17 << 20)}});
    let content = serde_json::json!([picture, {"type": "text", "text": said}]);
    let line = serde_json::json!({
        "type": "user", "uuid": "m1", "timestamp": "2026-03-03T08:00:00Z",
        "message": {"role": "user", "content": content},
    });
    place.write("a.jsonl", format!("{line}\n"));
    let words = ["capture", "--all", ".", "--today", TODAY];
    let ran = crate::place::ran(place.program().current_dir(place.path("")).args(words));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(place.read("memory/2026-03-03.md").contains("the locker is number 77"));
}

#[test]
fn a_transcript_that_cannot_be_read_stops_no_other() {
    let place = Place::new();
    place.write("old/fine.jsonl", transcript(0, 2, 14));
    fs::create_dir(place.path("old/folder")).expect("a folder");
    let workspace = Workspace::open(&place.path(""), true).expect("a workspace");
    let today = Day::parse(TODAY).expect("a date");
    let when = When {
        zone: &Zone::System,
        today,
        now: chrono::Utc::now(),
        days_max: i64::MAX,
    };
    let paths = ["old/folder", "old/gone", "old/fine.jsonl"].map(|name| place.path(name));
    let mut unread = Vec::new();
    let outcomes = capture::files(&workspace, &paths, when, &mut unread).expect("it is written");
    assert_eq!(outcomes.iter().map(|outcome| outcome.messages).sum::<usize>(), 2);
    let said: Vec<String> = unread.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "what is gone meanwhile is none: {said:?}");
    assert!(said[0].ends_with("is no regular file: no transcript"), "{said:?}");
}
