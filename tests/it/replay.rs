//! Long runs: ninety days, a year with kills and restarts, and thirty days of real conversations.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use hipocampusd::memory::calendar::{Day, Moment};
use hipocampusd::memory::level::{Level, Period, Status};
use hipocampusd::memory::node::Form;
use hipocampusd::memory::plan::Extent;
use hipocampusd::memory::summary::PERSONAL;
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

use crate::history::piece::{Piece, SECRET, UNCLOSED};
use crate::world::{World, assert_same, day, program};

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }

    /// Any piece of log text that leaves nothing open.
    fn piece(&mut self) -> Piece {
        loop {
            let mut number = |limit: u64| u16::try_from(self.below(limit)).unwrap_or(0);
            let piece = Piece {
                shape: number(u64::from(SECRET)) as u8,
                topic: number(24) as u8,
                salt: number(400),
            };
            if !UNCLOSED.contains(&piece.shape) {
                return piece;
            }
        }
    }
}

fn evening(day: Day) -> Moment {
    Moment { day, minutes: 20 * 60 }
}

#[test]
fn ninety_days_with_a_cycle_a_day_make_the_tree_of_one_bulk_run() {
    let world = World::new();
    let (first, days) = (day("2026-01-12"), 90);
    for number in 0..days {
        let today = first.plus(number);
        world.write(&format!("memory/{today}.md"), fourteen_lines(today, number));
        let outcome = world.run(evening(today), Extent::Cycle);
        assert_eq!(outcome.left, 0, "{today}: a cycle a day is not enough");
        let root = world.text("memory/ROOT.md");
        assert!(
            root.contains(&format!("last-updated: {today}\n"))
                && root.contains("Release train [project, 0d]"),
            "{root}"
        );
    }
    let last = evening(first.plus(days - 1));
    assert!(
        world.run(last, Extent::Cycle).wrote.is_empty(),
        "the last cycle left something to do"
    );

    let bulk = World::with_logs_of(&world);
    bulk.bulk(last);
    assert_same(&bulk.tree(), &world.tree(), "ninety cycles against one bulk run");

    let nodes = world.nodes();
    let sources = |level: Level| -> BTreeSet<String> {
        nodes
            .iter()
            .filter(|(period, _)| period.level() == level)
            .flat_map(|(_, node)| node.front.sources.clone())
            .collect()
    };
    let paths = |level: Level| -> BTreeSet<String> {
        nodes
            .keys()
            .filter(|period| period.level() == level)
            .map(|period| period.path())
            .collect()
    };
    assert_eq!(sources(Level::Weekly).len(), 90, "not all days are in weekly nodes");
    assert_eq!(sources(Level::Weekly), paths(Level::Daily));
    assert_eq!(
        sources(Level::Monthly),
        paths(Level::Weekly),
        "not all weeks are in monthly nodes"
    );
    for number in 0..days {
        let (date, topic) = (first.plus(number), format!("Ticket {number}"));
        for period in [Period::Week(date.week()), Period::Month(date.node_month())] {
            assert!(
                nodes[&period].front.topics.iter().any(|known| known.name == topic),
                "{topic} of {date} is not in {period}"
            );
        }
    }
    assert!(
        nodes
            .iter()
            .all(|(period, node)| (node.front.status == Status::Fixed) == period.fixable(last, 4))
    );
}

fn fourteen_lines(date: Day, number: i64) -> String {
    format!(
        "# {date}\n\n## Release train [project]\n- request: prepare build {number}\n- decisions: ship on day {number}\n- outcome: done\n\n\
         ## Ticket {number} [project]\n- analysis: queue {number} was full\n- decisions: widen it\n- outcome: fixed in `src/queue{number}.rs`\n\n\
         Talked to nobody else.\nWent home.\n"
    )
}

#[test]
fn a_year_of_stops_and_restarts_ends_in_the_bytes_of_an_undisturbed_year() {
    let (disturbed, undisturbed) = (World::new(), World::new());
    let mut dice = Dice(0x2026_0315);
    let (first, days) = (day("2026-02-02"), 365);
    for number in 0..days {
        let today = first.plus(number);
        // A weekend off now and then.
        if dice.below(9) == 0 {
            continue;
        }
        for hour in 0..=dice.below(4) {
            let name = format!("memory/{today}{}.md", if dice.below(8) == 0 { "-dump" } else { "" });
            let text = format!("{}\n\n", dice.piece().text());
            disturbed.append(&name, &text);
            undisturbed.append(&name, &text);
            let now = Moment {
                day: today,
                minutes: 540 + 60 * u16::try_from(hour).unwrap_or(0),
            };
            match dice.below(6) {
                0 => {
                    disturbed.run_stopped(now, Extent::All, usize::try_from(dice.below(8)).unwrap_or(0));
                }
                1 => drop(disturbed.run(now, Extent::Cycle)),
                2 => drop(disturbed.bulk(now)),
                3 => disturbed.remove(
                    [".hipocampus/cache", ".hipocampus/contributions"]
                        [usize::try_from(dice.below(2)).unwrap_or(0)],
                ),
                _ => {}
            }
        }
        undisturbed.run(evening(today), Extent::Cycle);
    }
    let end = evening(first.plus(days));
    disturbed.drain(end);
    undisturbed.drain(end);
    assert_same(
        &undisturbed.tree(),
        &disturbed.tree(),
        "a disturbed year against an undisturbed one",
    );
    let bulk = World::with_logs_of(&undisturbed);
    bulk.bulk(end);
    assert_same(&bulk.tree(), &undisturbed.tree(), "a year against one bulk run");
}

#[test]
fn kills_at_random_moments_leave_no_trace() {
    let (killed, spared) = (World::new(), World::new());
    let mut dice = Dice(0x1709);
    let first = day("2026-01-05");
    let mut hits = 0;
    for round in 0..40 {
        let today = first.plus(round * 3 + 2);
        for date in (0..3).map(|back| today.plus(-back)) {
            let text = (0..=dice.below(3)).map(|_| dice.piece().text() + "\n\n").collect::<String>();
            killed.write(&format!("memory/{date}.md"), &text);
            spared.write(&format!("memory/{date}.md"), &text);
        }
        let arguments = ["compact", "--all", "--no-index", "--today", &today.to_string()];
        let mut child = program(&killed, &arguments).spawn().expect("the program starts");
        // So many looks at the child, however long they take.
        let looks = dice.below(60_000);
        let ended = (0..looks).any(|_| child.try_wait().expect("the child is looked at").is_some());
        child.kill().expect("the child is killed");
        child.wait().expect("the child is gone");
        hits += u32::from(!ended);
    }
    println!("{hits} of 40 runs were killed");
    let end = first.plus(130).to_string();
    for world in [&killed, &spared] {
        let status = program(world, &["compact", "--all", "--no-index", "--today", &end])
            .status()
            .expect("the program runs");
        assert!(status.success(), "{status}");
        assert_eq!(
            said(program(world, &["verify", "--today", &end])),
            "",
            "verify has something to say"
        );
        assert!(
            world
                .files()
                .keys()
                .all(|name| !name.contains(".hipocampusd-") && !name.contains(".tmp")),
            "a temporary file stays"
        );
    }
    assert_same(&spared.tree(), &killed.tree(), "killed again and again, against never");
}

fn said(mut command: Command) -> String {
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn thirty_days_of_real_conversations_have_content_of_the_right_size_at_every_level() {
    let data = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/memaware-2023-04"));
    let daily = World::new();
    let first = day("2023-04-01");
    if !daily.copy_logs(data) {
        println!("skipped: {} is not there", data.display());
        return;
    }
    let bulk = World::with_logs_of(&daily);
    let end = day("2023-05-09");
    daily.drain(evening(first.plus(9)));
    daily.drain(evening(first.plus(20)));
    daily.drain(evening(end));
    bulk.bulk(evening(end));
    assert_same(&bulk.tree(), &daily.tree(), "drained three times, against one bulk run");

    let nodes = daily.nodes();
    assert_eq!(nodes.keys().filter(|period| period.level() == Level::Daily).count(), 30);
    for (period, node) in &nodes {
        let of_level = period.level().summary_lines();
        for (part, text) in node.parts().iter().filter(|(part, _)| part.form == Form::Summary) {
            // The person and the rules have as many lines again.
            let is_personal = |line: &&str| PERSONAL.iter().any(|(_, _, mark)| line.contains(mark));
            let most = of_level + text.lines().filter(is_personal).count().min(of_level);
            assert!(
                (8..=most).contains(&part.lines),
                "the summary in {period} has {} lines, not up to {most}:\n{text}",
                part.lines
            );
        }
        assert!(node.front.topics.len() > 1, "{period} has no topics");
        assert!(node.body.lines().count() > 8, "{period} says nothing:\n{}", node.body);
    }
    let root = daily.text("memory/ROOT.md");
    for section in [
        "## Active Context",
        "## Recent Patterns",
        "## Historical Summary\n- ",
        "## Topics Index\n- ",
    ] {
        assert!(root.contains(section), "ROOT has no {section:?}:\n{root}");
    }
    for (name, tokenizer) in [
        ("cl100k", cl100k_base_singleton()),
        ("o200k", o200k_base_singleton()),
    ] {
        let tokens = tokenizer.encode_ordinary(&root).len();
        assert!((1000..=3000).contains(&tokens), "ROOT has {tokens} {name} tokens");
    }
    assert_eq!(
        said(program(&daily, &["verify", "--today", "2023-05-09"])),
        "",
        "verify has something to say"
    );
}
