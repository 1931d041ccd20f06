//! Generated histories and real logs: whatever was appended, changed and compacted, in whatever order, `verify` has
//! nothing to say.

use std::fs;
use std::path::Path;

use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::level::Level;

use super::assert_silent;
use crate::place::{Place, Seed};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");

#[test]
fn generated_histories_hold_at_every_step() {
    for number in 1..=5 {
        let place = Place::new();
        let mut seed = Seed(number * 0x9E37_79B9);
        let first = Day::parse("2026-01-20").expect("a day");
        for offset in 0..45 {
            let day = first.plus(offset);
            let today = day.to_string();
            if seed.below(5) > 0 {
                place.write(&format!("memory/{day}.md"), seed.log());
            }
            if seed.below(7) == 0 {
                place.write(&format!("memory/{day}-session-{}.md", seed.below(9)), seed.log());
            }
            if seed.below(3) == 0 {
                late(&place, &mut seed, first, offset);
            }
            match seed.below(4) {
                0 => drop(place.drain(&today)),
                1 => assert_eq!(place.run("compact", &["--no-index", "--today", &today]).code, Some(0)),
                _ => continue,
            }
            assert_silent(&place, &today, &format!("seed {number}, {today}"));
        }
        let end = first.plus(60).to_string();
        place.drain(&end);
        assert_silent(&place, &end, &format!("seed {number}, at the end"));
        let notes = place.run("verify", &["--today", &end]).stderr;
        assert!(
            !notes.contains("so not everything"),
            "seed {number}: a drain left something due: {notes}"
        );
    }
}

/// An older log gets one more entry, loses its last line, or gets one in its middle.
fn late(place: &Place, seed: &mut Seed, first: Day, offset: i64) {
    let name = format!(
        "memory/{}.md",
        first.plus(offset - i64::try_from(seed.below(20)).expect("a small number"))
    );
    let Ok(text) = fs::read_to_string(place.path(&name)) else {
        return;
    };
    let changed = match seed.below(4) {
        0 => text
            .lines()
            .rev()
            .skip(1)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .map(|line| format!("{line}\n"))
            .collect(),
        1 => text.replacen("\n## ", &format!("\n{}## ", seed.entry()), 1),
        _ => text + &seed.entry(),
    };
    place.write(&name, changed);
}

#[test]
fn real_logs_are_compacted_and_all_is_well() {
    let Ok(sets) = fs::read_dir(Path::new(DATA)) else {
        println!("skipped: there are no shared logs beside the repository");
        return;
    };
    for set in sets.flatten().filter(|set| set.path().is_dir()) {
        let place = Place::new();
        let mut last = String::new();
        for log in fs::read_dir(set.path()).expect("a folder").flatten() {
            let name = log.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                place.write(&format!("memory/{name}"), fs::read(log.path()).expect("a log"));
                last = last.max(name.get(..10).unwrap_or_default().to_owned());
            }
        }
        place.drain(&last);
        assert_silent(&place, &last, "on the last day");
        place.drain("2026-11-01");
        assert_silent(&place, "2026-11-01", "long after");
    }
}

/// What another generation of the program wrote, in words that this one would not choose.
fn of_another_generation(place: &Place, level: Level, period: &str) -> String {
    super::forge(place, level, period, |node| {
        let other = node.body.replacen("done", "brought to an end", 1);
        assert_ne!(node.body, other);
        node.body = other;
        node.front.generation = 1;
    });
    let path = level.period(period).expect("a period").path();
    place.read(&path)
}

#[test]
fn what_an_earlier_generation_wrote_stays_when_fixed_and_is_made_anew_when_open() {
    let place = Place::new();
    for day in 1..=25 {
        let log = format!("## Auth step {day} [project]\n- outcome: done, as asked\n");
        place.write(&format!("memory/2026-03-{day:02}.md"), log);
    }
    place.drain("2026-03-25");
    let fixed = of_another_generation(&place, Level::Weekly, "2026-W11");
    let open = of_another_generation(&place, Level::Daily, "2026-03-25");
    place.drain("2026-03-25");
    assert_eq!(place.read("memory/weekly/2026-W11.md"), fixed);
    assert_ne!(place.read("memory/daily/2026-03-25.md"), open);
    assert!(place.read("memory/monthly/2026-03.md").contains("brought to an end"));
    assert_silent(&place, "2026-03-25", "after an upgrade");
}
