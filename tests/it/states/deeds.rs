//! Deeds of people and agents in random order, and what must hold after each of them: `verify` finds nothing, and the commands
//! say the same of the backlog. Once it is empty, nothing more is written, and what stands in a log stands in a daily node
//! (SPEC sections 4, 5, 13, 15).

use std::collections::BTreeMap;

use hipocampusd::memory::calendar::Day;

use super::{assert_sound, json, on};
use crate::place::{Place, Seed};
use crate::run::support::until;

const DEEDS: usize = 24;

/// A workspace, its day, and the words that were written into its logs.
struct Story {
    place: Place,
    seed: Seed,
    today: Day,
    told: Vec<String>,
    done: Vec<String>,
}

impl Story {
    fn new(seed: u64) -> Self {
        Self {
            place: Place::new(),
            seed: Seed(seed),
            today: Day::parse("2026-03-10").expect("a day"),
            told: Vec::new(),
            done: Vec::new(),
        }
    }

    fn day(&mut self) -> String {
        let back = i64::try_from(self.seed.below(12)).expect("a small number");
        let past = self.seed.below(2) == 0;
        self.today.plus(if past { -back } else { 0 }).to_string()
    }

    /// An entry with a word of its own.
    fn entry(&mut self) -> String {
        let word = format!("zq{}w", self.told.len());
        self.told.push(word.clone());
        match self.seed.below(5) {
            0 => format!("Only a word on {word} today.\n\n"),
            1 => format!("## Habit {word} [user]\nlikes {word}\n\n"),
            2 => format!("## Garden\n```\n## no heading {word}\n```\n- outcome: done\n\n"),
            _ => {
                let lines: String = (0..self.seed.below(9))
                    .map(|line| format!("- step {line} of {word}\n"))
                    .collect();
                format!("## Shelf {}\n- outcome: {word} holds\n{lines}\n", self.seed.below(4))
            }
        }
    }

    /// One of the logs that are there.
    fn log(&mut self) -> Option<String> {
        let logs: Vec<String> = self.logs().into_keys().collect();
        let place = self.seed.below(logs.len().max(1) as u64);
        logs.get(usize::try_from(place).expect("a small number")).cloned()
    }

    fn logs(&self) -> BTreeMap<String, String> {
        let tree = self.place.tree().into_iter();
        let logs = tree.filter_map(|(path, (_, _, bytes))| {
            let path = path.strip_prefix(self.place.path("")).ok()?.to_str()?.to_owned();
            let is_log = path.strip_prefix("memory/2026-").is_some_and(|name| name.ends_with(".md"));
            is_log.then(|| (path, String::from_utf8_lossy(&bytes).into_owned()))
        });
        logs.collect()
    }

    /// One thing that people and agents do.
    fn deed(&mut self) {
        let today = self.today.to_string();
        let chosen = self.seed.below(14);
        let log = self.log();
        self.done.push(format!("{chosen} on {today}, {log:?}"));
        match (chosen, log) {
            (0..=3, _) => {
                let path = match self.seed.below(4) {
                    0 => format!("memory/{}-talk.md", self.day()),
                    _ => format!("memory/{}.md", self.day()),
                };
                let entries = self.entry() + &self.entry();
                self.place.append(&path, &entries);
            }
            (4, Some(log)) => {
                let entry = self.entry();
                self.place.write(&log, entry);
            }
            (5, Some(log)) => self.place.remove(&log),
            (6, Some(log)) => self.place.write(&log, ""),
            (7, Some(log)) => {
                let text = self.place.read(&log).replace("holds", "held");
                self.place.write(&log, text);
            }
            (8, Some(log)) => {
                let text = self.place.read(&log);
                self.place.remove(&log);
                let other = format!("{}-old{}.md", &log[..17], self.done.len());
                self.place.write(&other, text);
            }
            (9, Some(log)) => {
                on(&self.place, &today, "compact", &["--all", "--no-index"]);
                let day = log.get(7..17).expect("a date").to_owned();
                for expected in [true, false] {
                    let mut restore = self.place.program();
                    let restore = restore.args(["restore", "--apply", "--today", &today, &day]);
                    let ran = crate::place::ran(restore.arg(self.place.path("")));
                    assert_eq!(ran.code, Some(0), "{ran:?}");
                    assert!(expected || ran.stdout.is_empty(), "it is restored twice: {ran:?}");
                }
            }
            (10, _) => {
                on(&self.place, &today, "compact", &["--no-index"]);
            }
            (11, _) => {
                let config = match self.seed.below(3) {
                    0 => r#"{"compaction": {"graceHours": 10}}"#,
                    1 => r#"{"platform": "openclaw", "compaction": {"rootMaxTokens": 1500}}"#,
                    _ => "{}",
                };
                self.place.write("hipocampus.config.json", config);
                self.place.append("MEMORY.md", "- mine\n");
            }
            _ => {
                let days = [0, 1, 1, 2, 8][usize::try_from(self.seed.below(5)).expect("a small number")];
                self.today = self.today.plus(days);
            }
        }
    }

    /// What holds at every moment.
    fn holds(&self) {
        let today = self.today.to_string();
        assert_sound(&self.place, &today);
        let backlog = |command| json(&on(&self.place, &today, command, &["--json"]))["backlog"].clone();
        assert_eq!(backlog("status"), backlog("verify"), "the backlog");
    }

    /// What holds when nothing is left to do.
    fn rests(&self) {
        let today = self.today.to_string();
        self.place.drain(&today);
        assert_sound(&self.place, &today);
        self.place.drain(&today);
        // Of a file that changed a moment ago no time tells whether it changes again: a cycle remembers that all is at rest only a
        // moment later, and nothing is written from then on.
        until("a cycle with nothing due writes nothing", || {
            let before = self.place.tree();
            let ran = on(&self.place, &today, "compact", &["--no-index"]);
            assert_eq!(ran.stdout, "nothing to do\n");
            self.place.tree() == before
        });
        let status = json(&on(&self.place, &today, "status", &["--json"]));
        let zeros = (&status["backlog"], &status["counters"]["rawLines"]);
        assert_eq!(zeros, (&0.into(), &0.into()), "{status}");
        let nodes = self.place.derived().into_iter();
        let dailies: String = nodes
            .filter(|(path, _)| path.starts_with("memory/daily"))
            .map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
            .collect();
        let logs: String = self.logs().into_values().collect();
        for word in &self.told {
            let said = !logs.contains(word) || dailies.contains(word);
            assert!(said, "{word} stands in a log and in no daily node");
        }
    }
}

#[test]
fn whatever_people_do_between_cycles_is_no_damage_and_loses_nothing() {
    for seed in 1..=6 {
        let mut story = Story::new(seed * 7919);
        for number in 1..=DEEDS {
            story.deed();
            let held = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                story.holds();
                if number % 8 == 0 {
                    story.rests();
                }
            }));
            assert!(held.is_ok(), "seed {seed}: {:#?}", story.done);
        }
    }
}
