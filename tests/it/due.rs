//! What is due is one truth: `status`, `compact` and `verify` say the same of it, whatever the state file is like.
#![expect(clippy::disallowed_methods, reason = "a state is as old as the clock says")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::{Duration, SecondsFormat, Utc};
use serde_json::{Value, json};

use crate::place::{Place, ran};

const STATE: &str = "memory/.compaction-state.json";
const TODAY: &str = "2026-03-20";

/// Two days, compacted, and nothing left to do.
fn compacted() -> Place {
    let place = Place::new();
    place.write("memory/2026-03-14.md", "## Shelf\n- outcome: it holds\n");
    place.write("memory/2026-03-15.md", "## Lamp\n- outcome: bright\n");
    // What is too fresh to be trusted is looked at once more.
    for _ in 0..2 {
        place.drain(TODAY);
    }
    place
}

fn told(place: &Place, words: &[&str]) -> String {
    let ran = ran(place.program().current_dir(place.path("")).args(words).args(["--today", TODAY]));
    assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
    ran.stdout
}

/// What is due, as everybody says it who says it.
fn due(place: &Place) -> Value {
    let json = |words: &[&str]| -> Value { serde_json::from_str(&told(place, words)).expect("JSON") };
    let status = json(&["status", "--json"]);
    let is_due = status["due"] != json!([]);
    let plan = told(place, &["compact", "--dry-run"]);
    assert_eq!(plan != "nothing to do\n", is_due, "{plan}");
    status["due"].clone()
}

/// All files but the state, its kin and the notes of sessions, with their times.
fn others(place: &Place) -> BTreeMap<PathBuf, (i64, i64, Vec<u8>)> {
    let mut tree = place.tree();
    tree.retain(|path, _| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        // A cycle that ran within the clock's step of the files trusts no stamp: the next one writes the cache once more.
        let is_cache = path.ends_with(".hipocampus/cache") || path.ends_with(".hipocampus/idle");
        path.is_file() && !is_cache && !name.starts_with(".compaction-state") && !name.starts_with("session")
    });
    tree
}

fn hours_ago(hours: i64) -> String {
    let time = Utc::now() - Duration::hours(hours);
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[test]
fn a_state_that_is_stale_missing_or_odd_is_settled_by_one_compact_and_calls_nothing_due_for_ever() {
    let fresh = hours_ago(1);
    let state = |run: &str, checkpoints: &str| {
        format!("{{\"lastCompactionRun\": \"{run}\", \"checkpointsSinceLastCompaction\": {checkpoints}}}")
    };
    for (what, text, due_before, is_rewritten) in [
        ("missing", None, json!(["no cycle has run yet"]), true),
        ("a list", Some("[]".to_owned()), json!(["no cycle has run yet"]), true),
        ("empty", Some(String::new()), json!(["no cycle has run yet"]), true),
        ("large", Some(" ".repeat(2 << 20)), json!(["no cycle has run yet"]), true),
        ("without a time", Some("{}".to_owned()), json!([]), true),
        ("stale", Some(state(&hours_ago(30), "0")), json!([]), true),
        ("of the future", Some(state(&hours_ago(-30), "0")), json!([]), true),
        (
            "a stale count",
            Some(state(&fresh, "6")),
            json!(["6 entries not yet covered, over 5"]),
            true,
        ),
        ("no count at all", Some(state(&fresh, "1e308")), json!([]), false),
        ("sound", Some(state(&fresh, "0")), json!([]), false),
    ] {
        let place = compacted();
        match &text {
            Some(text) => place.write(STATE, text),
            None => place.remove(STATE),
        }
        assert_eq!(due(&place), due_before, "{what}");
        let before = others(&place);
        let first = place.run("compact", &["--today", TODAY]);
        assert_eq!(first.code, Some(0), "{what}: {first:?}");
        let settled = format!("nothing to do; {STATE} is written\n");
        let expected = if is_rewritten { &settled } else { "nothing to do\n" };
        assert_eq!(first.stdout, expected, "{what}");
        assert_eq!(others(&place), before, "{what}: something else was written");
        assert_eq!(due(&place), json!([]), "{what}");
        let state: Value = serde_json::from_str(&place.read(STATE)).expect("a state");
        assert!(state["lastCompactionRun"].is_string(), "{what}: {state}");
        let verified = place.run("verify", &["--today", TODAY]);
        assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{what}");
        let (before, state) = (others(&place), place.read(STATE));
        let second = place.run("compact", &["--today", TODAY]);
        assert_eq!(second.stdout, "nothing to do\n", "{what}");
        assert_eq!(
            (others(&place), place.read(STATE)),
            (before, state),
            "{what}: the second one wrote something"
        );
    }
}

#[test]
fn what_waits_is_due_when_its_time_has_come_and_not_before() {
    let place = compacted();
    place.append("memory/2026-03-20.md", "## Hook\n- outcome: new\n");
    place.write(STATE, format!("{{\"lastCompactionRun\": \"{}\"}}", hours_ago(30)));
    assert_eq!(due(&place), json!(["cooldown passed"]));
    place.write("hipocampus.config.json", "{\"compaction\": {\"cooldownHours\": 0}}");
    assert_eq!(due(&place), json!(["no cooldown"]));
    place.run("compact", &["--all", "--no-index", "--today", TODAY]);
    assert_eq!(due(&place), json!([]), "nothing waits, whatever the cooldown");
    let before = others(&place);
    let state = place.read(STATE);
    assert_eq!(place.run("compact", &["--today", TODAY]).stdout, "nothing to do\n");
    assert_eq!((others(&place), place.read(STATE)), (before, state));
}
