//! The histories that are measured.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the shared conversations, and the history that another bench writes"
)]

use std::fs;
use std::path::Path;

use hipocampusd::memory::calendar::Day;

use super::history as typical;
use super::plant::{self, History, Logs, Random};

/// Public conversations, 30 days of them.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/memaware-2023-04");

/// All of them; without the shared data, those that need none.
pub(crate) fn all() -> Vec<History> {
    let mut all = Vec::new();
    let shared = read(Path::new(SHARED));
    if shared.is_empty() {
        eprintln!("skipped: {SHARED} is not there");
    } else {
        let days: Vec<Day> = shared.keys().copied().collect();
        let (mut logs, mut random) = (shared, Random(11));
        let mut facts = plant::buried(&mut logs, &mut random);
        facts.extend(plant::conversations(&mut logs, &days, 2, &mut random));
        all.push(history("conversations, public", logs, facts));
    }
    let mut logs = Logs::new();
    let facts = plant::conversations(&mut logs, &days(45), 4, &mut Random(12));
    all.push(history("conversations, generated", logs, facts));

    let mut logs = year();
    let days: Vec<Day> = logs.keys().copied().rev().take(60).collect();
    let facts = plant::work(&mut logs, &days, &mut Random(13));
    all.push(history("work, 60 days of a year", logs, facts));

    let mut logs = Logs::new();
    let mut facts = plant::work(&mut logs, &self::days(48), &mut Random(14));
    facts.extend(plant::foreign(&mut logs, &self::days(48), &mut Random(15)));
    facts.extend(plant::kept(&mut logs, &self::days(24), &mut Random(16)));
    all.push(history("small, 14 languages", logs, facts));
    all
}

fn history(name: &'static str, logs: Logs, facts: Vec<plant::Fact>) -> History {
    let today = logs.keys().next_back().copied().unwrap_or_else(typical::last_day);
    History { name, logs, facts, today }
}

fn days(count: i64) -> Vec<Day> {
    (0..count).rev().map(|back| typical::last_day().plus(-back)).collect()
}

fn read(folder: &Path) -> Logs {
    let Ok(listing) = fs::read_dir(folder) else {
        return Logs::new();
    };
    let named = listing.flatten().filter_map(|file| {
        let day = Day::parse(file.path().file_stem()?.to_str()?)?;
        Some((day, fs::read_to_string(file.path()).ok()?))
    });
    named.collect()
}

/// A year of work as the other benches write it.
fn year() -> Logs {
    years(1)
}

/// Some years of it.
pub(crate) fn years(count: u32) -> Logs {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("quality-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for generated years");
    typical::write(&folder, count).expect("generated years");
    let logs = read(&folder);
    fs::remove_dir_all(&folder).expect("the folder goes again");
    logs
}
