//! Budget, tries and levels over days of the test's choosing: the turns that the daemon takes, on a workspace of its own.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use chrono::TimeDelta;
use hipocampusd::config::SummarizerCommand;
use hipocampusd::daemon::child::Stop;
use hipocampusd::daemon::clock::Now;
use hipocampusd::daemon::summarizer::{Orders, Turn, turn};
use hipocampusd::memory::calendar::Moment;
use hipocampusd::memory::level::{Level, Status};
use hipocampusd::memory::plan::Extent;
use tempfile::TempDir;

use crate::child::script;
use crate::world::{World, day};

/// Four days of one week over their threshold, and one verbatim.
fn world() -> World {
    let mut world = World::new();
    world.settings.rules.await_command = true;
    for at in 9..=12 {
        world.write(
            &format!("memory/2026-03-{at:02}.md"),
            super::log().replace("gateway", &format!("gateway{at}")),
        );
    }
    world.write("memory/2026-03-13.md", "## Short day\n- outcome: nothing much\n");
    world
}

fn orders(world: &World, home: &Path, body: &str) -> Orders {
    let program = home.join("mine");
    let calls = home.join("calls");
    script(&program, &format!("#!/bin/sh\necho >> '{}'\n{body}\n", calls.display()));
    Orders {
        name: "mine".to_owned(),
        command: SummarizerCommand {
            command: vec![program.display().to_string()],
            environment: Vec::new(),
            variables: Default::default(),
            timeout_seconds: 60,
            max_input_tokens: 100_000,
            preset: None,
            model: None,
        },
        calls_max: 24,
        prompts: None,
        environment: [
            ("HOME".into(), home.as_os_str().to_owned()),
            ("PATH".into(), OsString::from("/usr/bin:/bin")),
        ]
        .into(),
        settings: world.settings.clone(),
    }
}

fn instant(date: &str, minutes: i64) -> Now {
    let today = day(date);
    let midnight = today.date().and_hms_opt(6, 0, 0).expect("a time").and_utc();
    Now {
        monotonic: Duration::ZERO,
        wall: midnight + TimeDelta::minutes(minutes),
        moment: Moment::end_of(today),
    }
}

fn stop() -> Stop {
    tokio::sync::watch::channel(false).1
}

/// Cycles and turns until nothing happens any more; the turns that did something.
async fn rounds(world: &World, orders: &Orders, now: Now) -> Vec<Turn> {
    let mut turns = Vec::new();
    loop {
        world.drain(now.moment);
        match turn(world.path(), orders, now.moment, now, &mut stop()).await {
            Turn::Nothing => return turns,
            other => turns.push(other),
        }
        assert!(turns.len() < 100, "{turns:?}");
    }
}

#[tokio::test]
async fn with_a_command_that_always_fails_everything_is_as_with_the_extractive_summarizer() {
    let (world, home) = (world(), TempDir::new().expect("a home"));
    let mut plain = World::with_logs_of(&world);
    plain.settings.rules.await_command = false;
    let orders = orders(&world, home.path(), "exit 1");
    let last = "2026-04-20";
    plain.drain(Moment::end_of(day(last)));
    // The same but for the status: what is asked for is not fixed yet.
    assert_eq!(
        rounds(&world, &orders, instant(last, 0)).await.len(),
        3,
        "then the breaker opens"
    );
    let unfixed = |world: &World| -> Vec<(String, String)> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text");
        let strip = |text: String| {
            text.lines()
                .filter(|line| !line.starts_with("status:") && !line.starts_with("digest:"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        world
            .tree()
            .into_iter()
            .map(|(name, bytes)| (name, strip(text(bytes))))
            .collect()
    };
    assert_eq!(unfixed(&world), unfixed(&plain));
    assert!(world.nodes().values().any(|node| node.front.status == Status::Tentative));
    // Three tries each, however long it takes; then nothing at all tells the two apart.
    let mut failed = 3;
    for hour in 1..400 {
        failed += rounds(&world, &orders, instant(last, hour * 60)).await.len();
    }
    let texts = |world: &World| -> Vec<String> { world.tree().keys().map(|name| world.text(name)).collect() };
    for (one, other) in texts(&world).iter().zip(&texts(&plain)) {
        assert_eq!(one, other);
    }
    assert_eq!(world.tree().len(), plain.tree().len());
    assert!(failed >= 12 && failed % 3 == 0, "{failed} calls");
}

#[tokio::test]
async fn the_budget_of_a_day_holds_whoever_asks() {
    let (world, home) = (world(), TempDir::new().expect("a home"));
    let mut orders = orders(
        &world,
        home.path(),
        &format!("cat > /dev/null\ncat <<'END'\n{}\nEND", super::SUMMARY),
    );
    orders.calls_max = 3;
    let done = rounds(&world, &orders, instant("2026-03-20", 0)).await;
    let late = instant("2026-03-20", 600);
    assert_eq!(done.len(), 3, "{done:?}");
    // Everything is on disk: this is another process as far as anybody can tell.
    assert_eq!(turn(world.path(), &orders, late.moment, late, &mut stop()).await, Turn::Nothing);
    assert!(!rounds(&world, &orders, instant("2026-03-21", 0)).await.is_empty());
}

#[tokio::test]
async fn days_are_asked_for_first_and_their_week_once_they_are_answered() {
    let (world, home) = (world(), TempDir::new().expect("a home"));
    let body = format!("cat > /dev/null\ncat <<'END'\n{}\nEND", super::SUMMARY);
    let orders = orders(&world, home.path(), &body);
    let turns = rounds(&world, &orders, instant("2026-03-18", 0)).await;
    let days: Vec<String> = turns.iter().map(|turn| format!("{turn:?}")).collect();
    for (at, day) in ["12", "11", "10", "09"].iter().enumerate() {
        assert!(days[at].contains(&format!("2026-03-{day}.md")), "{days:?}");
    }
    for (period, node) in world.nodes().into_iter().filter(|(period, _)| period.level() == Level::Daily) {
        assert_eq!(node.front.status, Status::Fixed, "{period}");
    }
    let before = world.tree();
    world.run(Moment::end_of(day("2026-03-18")), Extent::All);
    assert_eq!(world.tree(), before);
}

#[tokio::test]
async fn what_does_not_fit_the_model_is_asked_for_in_parts_and_their_answers_are_one() {
    let (mut world, home) = (World::new(), TempDir::new().expect("a home"));
    world.settings.rules.await_command = true;
    world.write("memory/2026-03-10.md", super::log());
    let mut orders = orders(
        &world,
        home.path(),
        &format!("cat > /dev/null\ncat <<'END'\n{}\nEND", super::SUMMARY),
    );
    orders.command.max_input_tokens = 2000;
    let turns = rounds(&world, &orders, instant("2026-03-10", 0)).await;
    assert!(matches!(&turns[..], [Turn::Answered(_)]), "{turns:?}");
    let calls = world_calls(home.path());
    assert!(calls > 1, "{calls}");
    let node = world.text("memory/daily/2026-03-10.md");
    assert_eq!(node.matches("- Token refresh [project").count(), 1, "{node}");
    // A content that a whole day's budget is too small for is not begun.
    world.append("memory/2026-03-10.md", "- one more line\n");
    orders.calls_max = 1;
    assert!(rounds(&world, &orders, instant("2026-03-11", 0)).await.is_empty());
    assert_eq!(world_calls(home.path()), calls);
    world.drain(Moment::end_of(day("2026-03-12")));
    assert!(world.text("memory/daily/2026-03-10.md").contains("status: fixed"));
}

#[expect(clippy::disallowed_methods, reason = "looks at what the script left")]
fn world_calls(home: &Path) -> usize {
    std::fs::read_to_string(home.join("calls")).unwrap_or_default().lines().count()
}

#[tokio::test]
async fn an_answer_that_was_tampered_with_is_thrown_away() {
    let (world, home) = (world(), TempDir::new().expect("a home"));
    let orders = orders(
        &world,
        home.path(),
        &format!("cat > /dev/null\ncat <<'END'\n{}\nEND", super::SUMMARY),
    );
    let now = instant("2026-03-12", 0);
    world.drain(now.moment);
    let Turn::Answered(path) = turn(world.path(), &orders, now.moment, now, &mut stop()).await else {
        panic!("an answer")
    };
    let answers: Vec<String> = world.files().into_keys().filter(|name| name.contains("/answers/")).collect();
    let [name] = &answers[..] else {
        panic!("{answers:?}")
    };
    world.write(name, world.text(name).replace("Token refresh", "Wire the money"));
    world.drain(now.moment);
    assert!(world.text(&path).contains("summarizer: extractive"), "{}", world.text(&path));
    assert!(!world.files().contains_key(name));
}
