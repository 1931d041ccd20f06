//! Histories: what happens to a workspace over days and weeks, generated, and played with a look at every run.

pub(crate) mod piece;

use hipocampusd::daemon::cycle::Outcome;
use hipocampusd::memory::calendar::{Day, Moment};
use hipocampusd::memory::entry;
use hipocampusd::memory::level::Period;
use hipocampusd::memory::plan::Extent;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::world::{Files, World, day};
use piece::Piece;

/// Something that happens.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Text is appended to the log of so many days ago.
    Append(u8, Piece),
    /// Text is put in at the top of a log, below its title.
    Top(u8, Piece),
    /// A word in a line at so many percent of a log is changed.
    Edit(u8, u8),
    /// A line is taken out.
    Cut(u8, u8),
    /// Windows line ends from now on.
    Crlf(u8),
    /// A session file.
    Session(u8, u8, Piece),
    /// A log of long ago arrives.
    Far(u16, Piece),
    /// A log of a day to come.
    Ahead(u8, Piece),
    /// Minutes pass.
    Wait(u16),
    /// Days pass.
    Gap(u8),
    /// One cycle.
    Cycle,
    /// A drain in bulk.
    Bulk,
    /// A drain that is stopped after so many steps.
    Stopped(u8),
    /// A crash left a temporary file, and the cache is gone or damaged.
    Crash(u8),
}

/// A start, and what happens then.
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// The first day.
    pub(crate) start: Day,
    /// In order.
    pub(crate) acts: Vec<Act>,
    /// Whether logs change after the grace of their day, too.
    pub(crate) late: bool,
}

/// A history while it is played.
pub(crate) struct Story {
    /// The workspace.
    pub(crate) world: World,
    /// Now.
    pub(crate) now: Moment,
    /// The raw logs as agents wrote them.
    pub(crate) logs: Files,
    /// Days of logs that changed when their grace was over.
    pub(crate) late: Vec<Day>,
    may_be_late: bool,
}

/// The last days of years with and without a week 53, a leap day, and an ordinary spring.
const STARTS: [&str; 8] = [
    "2026-03-09",
    "2020-12-21",
    "2024-12-23",
    "2026-12-21",
    "2025-12-28",
    "2024-02-26",
    "2026-02-25",
    "2023-12-30",
];

/// Any history of about so many acts.
pub(crate) fn any(acts: usize) -> BoxedStrategy<History> {
    of(acts, piece::any().boxed(), true)
}

/// A history in which every log is left alone once the grace of its day is over.
pub(crate) fn in_time(acts: usize) -> BoxedStrategy<History> {
    of(acts, piece::any().boxed(), false)
}

/// A history with text of one's own choice.
pub(crate) fn of(acts: usize, pieces: BoxedStrategy<Piece>, late: bool) -> BoxedStrategy<History> {
    let act = act(pieces, late);
    (0..STARTS.len(), prop::collection::vec(act, acts / 2..acts + 1))
        .prop_map(move |(start, acts)| History { start: day(STARTS[start]), acts, late })
        .boxed()
}

fn act(pieces: BoxedStrategy<Piece>, late: bool) -> BoxedStrategy<Act> {
    let back = if late {
        prop_oneof![6 => Just(0_u8), 2 => Just(1), 1 => 2..9_u8].boxed()
    } else {
        (0..2_u8).boxed()
    };
    let common = prop_oneof![
        16 => (back.clone(), pieces.clone()).prop_map(|(back, piece)| Act::Append(back, piece)),
        2 => (back.clone(), pieces.clone()).prop_map(|(back, piece)| Act::Top(back, piece)),
        2 => (back.clone(), 0..100_u8).prop_map(|(back, at)| Act::Edit(back, at)),
        1 => (back.clone(), 0..100_u8).prop_map(|(back, at)| Act::Cut(back, at)),
        1 => back.clone().prop_map(Act::Crlf),
        2 => (back, 0..4_u8, pieces.clone()).prop_map(|(back, slug, piece)| Act::Session(back, slug, piece)),
        1 => (1..9_u8, pieces.clone()).prop_map(|(days, piece)| Act::Ahead(days, piece)),
        7 => (30..1500_u16).prop_map(Act::Wait),
        2 => (1..20_u8).prop_map(Act::Gap),
        6 => Just(Act::Cycle),
        2 => Just(Act::Bulk),
        1 => (0..6_u8).prop_map(Act::Stopped),
        1 => (0..5_u8).prop_map(Act::Crash),
    ];
    if !late {
        return common.boxed();
    }
    prop_oneof![24 => common, 1 => (9..120_u16, pieces).prop_map(|(days, piece)| Act::Far(days, piece))]
        .boxed()
}

/// What is seen of a story after every run.
pub(crate) type Look<'a> = dyn FnMut(&Story, &Outcome) + 'a;

impl History {
    /// Plays the history in a workspace.
    pub(crate) fn play(&self, world: World, look: &mut Look<'_>) -> Story {
        let now = Moment { day: self.start, minutes: 9 * 60 };
        let mut story = Story {
            world,
            now,
            logs: Files::new(),
            late: Vec::new(),
            may_be_late: self.late,
        };
        for act in &self.acts {
            story.act(act, look);
        }
        story
    }
}

impl Story {
    fn act(&mut self, act: &Act, look: &mut Look<'_>) {
        match act {
            Act::Append(back, piece) => {
                self.change(self.ago(*back), "", |log| format!("{}{}\n", separated(log), piece.text()));
            }
            Act::Top(back, piece) => self.change(self.ago(*back), "", |log| {
                let (title, rest) =
                    log.split_at(log.find("\n\n").filter(|_| log.starts_with("# ")).map_or(0, |at| at + 2));
                format!("{title}{}\n\n{rest}", piece.text())
            }),
            Act::Edit(back, at) => self.change(self.ago(*back), "", |log| edited(log, *at)),
            Act::Cut(back, at) => self.change(self.ago(*back), "", |log| cut(log, *at)),
            Act::Crlf(back) => {
                self.change(self.ago(*back), "", |log| log.replace("\r\n", "\n").replace('\n', "\r\n"));
            }
            Act::Session(back, slug, piece) => {
                let slug = ["-0930", "-standup", "_second", "T1200"][usize::from(*slug) % 4];
                self.change(self.ago(*back), slug, |log| format!("{}{}\n", separated(log), piece.text()));
            }
            Act::Far(days, piece) => {
                self.change(self.now.day.plus(-i64::from(*days)), "", |log| {
                    format!("{}{}\n", separated(log), piece.text())
                });
            }
            Act::Ahead(days, piece) => {
                self.change(self.now.day.plus(i64::from(*days)), "", |log| {
                    format!("{}{}\n", separated(log), piece.text())
                });
            }
            Act::Wait(minutes) => {
                let minutes = self.now.minutes + minutes;
                self.now = Moment {
                    day: self.now.day.plus(i64::from(minutes / 1440)),
                    minutes: minutes % 1440,
                };
            }
            Act::Gap(days) => self.now.day = self.now.day.plus(i64::from(*days)),
            Act::Cycle => look(self, &self.world.run(self.now, Extent::Cycle)),
            Act::Bulk => look(self, &self.world.run(self.now, Extent::All)),
            Act::Stopped(steps) => {
                look(self, &self.world.run_stopped(self.now, Extent::All, usize::from(*steps)));
            }
            Act::Crash(what) => self.crash(*what),
        }
    }

    /// The day so many days ago; today when its grace is over and nobody is to be late.
    fn ago(&self, back: u8) -> Day {
        let day = self.now.day.plus(-i64::from(back));
        let over = Period::Day(day).fixable(self.now, self.world.settings.rules.grace_hours);
        if over && !self.may_be_late { self.now.day } else { day }
    }

    fn change(&mut self, day: Day, slug: &str, how: impl FnOnce(&str) -> String) {
        let name = format!("memory/{day}{slug}.md");
        let stands = self.world.bytes(&name);
        let before = stands
            .as_ref()
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .unwrap_or_default();
        let after = how(&before);
        // A log that loses all it said is an overwrite, and what it said stays in its node: another matter.
        if says_something(&before) && !says_something(&after) {
            return;
        }
        if Period::Day(day).fixable(self.now, self.world.settings.rules.grace_hours) {
            self.late.push(day);
        }
        match after.strip_prefix(&before).filter(|_| stands.is_some()) {
            Some(more) => self.world.append(&name, more),
            None => self.world.write(&name, &after),
        }
        self.logs.insert(name, after.into_bytes());
    }

    /// What a power cut may leave: a half-written temporary file, and no or half a cache.
    fn crash(&self, what: u8) {
        let stray = [".hipocampusd-2026-03-15.md.tmp", ".hipocampusd-ROOT.md.tmp"][usize::from(what) % 2];
        let folder = ["memory/daily", "memory"][usize::from(what) % 2];
        self.world.write(&format!("{folder}/{stray}"), "---\ntype: dai");
        for name in ["cache", "contributions", "idle", "history", "mornings"]
            .map(|name| format!(".hipocampus/{name}"))
        {
            match self.world.bytes(&name) {
                Some(bytes) if what > 2 => self.world.write(&name, &bytes[..bytes.len() / 2]),
                Some(_) if what == 1 => self.world.remove(&name),
                _ => {}
            }
        }
    }

    /// Drains what is left, the evening of the last day or later, and looks.
    pub(crate) fn settle(&mut self, look: &mut Look<'_>) {
        for _ in 0..2000 {
            let outcome = self.world.run(self.now, Extent::Cycle);
            look(self, &outcome);
            if outcome.wrote.is_empty() {
                return;
            }
        }
        panic!("the backlog does not end");
    }
}

fn says_something(log: &str) -> bool {
    entry::read(log).units().next().is_some()
}

fn separated(log: &str) -> String {
    match log {
        "" => String::new(),
        _ if log.ends_with('\n') => format!("{log}\n"),
        _ => format!("{log}\n\n"),
    }
}

fn edited(log: &str, at: u8) -> String {
    let lines: Vec<&str> = log.split('\n').collect();
    let line = lines.len() * usize::from(at) / 100;
    let change = |(place, text): (usize, &&str)| {
        if place == line { format!("{text} (edited)") } else { (*text).to_owned() }
    };
    lines.iter().enumerate().map(change).collect::<Vec<_>>().join("\n")
}

fn cut(log: &str, at: u8) -> String {
    let lines: Vec<&str> = log.split('\n').collect();
    let line = lines.len() * usize::from(at) / 100;
    lines
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != line)
        .map(|(_, text)| *text)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Checks a property over so many generated values. The same values every time, unless `HISTORY_SEED` says
/// otherwise; `HISTORY_CASES` multiplies their number for a long run.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(S::Value))
where
    S::Value: std::fmt::Debug,
{
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let seed = number("HISTORY_SEED").unwrap_or(2026);
    let cases = cases * u32::try_from(number("HISTORY_CASES").unwrap_or(1)).unwrap_or(1);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let outcome = runner.run(strategy, |value| {
        property(value);
        Ok::<(), TestCaseError>(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, value)) => panic!("HISTORY_SEED={seed}: {why}\n{value:?}"),
        Err(error) => panic!("HISTORY_SEED={seed}: {error}"),
    }
}
