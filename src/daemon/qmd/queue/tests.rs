//! Turns over time: order, merging, back-off. Times are plain seconds.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Next, Outcome, Queue, TRIES_MAX, TURN_GAP};
use crate::daemon::qmd::QmdResult;

const fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn result(update: Outcome, embed: Option<Outcome>) -> QmdResult {
    QmdResult {
        at: String::new(),
        update,
        embed,
        said: String::new(),
    }
}

fn request(queue: &mut Queue, workspace: &str, now: Duration) {
    queue.request(Path::new(workspace), now);
}

#[track_caller]
fn runs(queue: &mut Queue, now: Duration) -> PathBuf {
    match queue.next(now) {
        Next::Run(workspace) => workspace,
        other => panic!("expected a turn at {now:?}, not {other:?}"),
    }
}

/// Takes the turn that is due and lets all of it succeed.
#[track_caller]
fn runs_well(queue: &mut Queue, now: Duration) -> String {
    let workspace = runs(queue, now);
    assert!(!queue.finished(&workspace, &result(Outcome::Ok, Some(Outcome::Ok)), now));
    workspace.display().to_string()
}

#[test]
fn requests_that_wait_are_merged() {
    let mut queue = Queue::default();
    assert_eq!(queue.next(at(0)), Next::Idle);
    for second in 0..5 {
        request(&mut queue, "a", at(second));
    }
    assert_eq!(runs_well(&mut queue, at(5)), "a");
    assert_eq!(queue.next(at(100)), Next::Idle);
}

#[test]
fn requests_while_a_turn_is_under_way_are_merged_into_one_more() {
    let mut queue = Queue::default();
    request(&mut queue, "a", at(0));
    let workspace = runs(&mut queue, at(0));
    for second in 1..5 {
        request(&mut queue, "a", at(second));
        assert_eq!(queue.next(at(second)), Next::Idle, "one at a time");
    }
    queue.finished(&workspace, &result(Outcome::Ok, Some(Outcome::Ok)), at(5));
    assert_eq!(queue.next(at(5)), Next::At(at(5) + TURN_GAP));
    runs_well(&mut queue, at(5) + TURN_GAP);
    assert_eq!(queue.next(at(1000)), Next::Idle);
}

#[test]
fn workspaces_take_turns_in_the_order_of_their_requests() {
    let mut queue = Queue::default();
    for (second, workspace) in ["c", "a", "b"].iter().enumerate() {
        request(&mut queue, workspace, at(second as u64));
    }
    let order = [(); 3].map(|()| runs_well(&mut queue, at(3)));
    assert_eq!(order, ["c", "a", "b"]);
    assert_eq!(queue.next(at(99)), Next::Idle);
}

#[test]
fn failures_are_tried_again_ever_later_and_then_only_on_request() {
    for ended in [(Outcome::Failed, None), (Outcome::Ok, Some(Outcome::Partial))] {
        let mut queue = Queue::default();
        request(&mut queue, "a", at(0));
        let mut now = at(0);
        let mut pauses = Vec::new();
        for failure in 1..=TRIES_MAX {
            let workspace = runs(&mut queue, now);
            let is_news = queue.finished(&workspace, &result(ended.0, ended.1), now);
            assert_eq!(is_news, failure == 1, "the same failure is said once");
            if let Next::At(due) = queue.next(now) {
                pauses.push((due - now).as_secs());
                now = due;
            }
        }
        assert_eq!(pauses, [30, 60, 120, 240, 480]);
        assert_eq!(queue.next(now + at(100_000)), Next::Idle, "given up");
        request(&mut queue, "a", now + at(100_000));
        runs(&mut queue, now + at(100_000));
    }
}

#[test]
fn a_request_does_not_cut_a_back_off_short() {
    let mut queue = Queue::default();
    request(&mut queue, "a", at(0));
    let workspace = runs(&mut queue, at(0));
    queue.finished(&workspace, &result(Outcome::Crashed, None), at(0));
    let Next::At(due) = queue.next(at(0)) else {
        panic!("a second try is due")
    };
    request(&mut queue, "a", at(1));
    assert_eq!(queue.next(at(1)), Next::At(due));
}

#[test]
fn one_workspace_that_backs_off_does_not_hold_up_another() {
    let mut queue = Queue::default();
    request(&mut queue, "a", at(0));
    let workspace = runs(&mut queue, at(0));
    queue.finished(&workspace, &result(Outcome::TimedOut, None), at(300));
    request(&mut queue, "b", at(301));
    assert_eq!(runs_well(&mut queue, at(301)), "b");
}

#[test]
fn what_only_a_person_can_mend_is_said_once_and_not_tried_again() {
    let mut queue = Queue::default();
    for (second, is_news) in [(0, true), (100, false), (200, false)] {
        request(&mut queue, "a", at(second));
        let workspace = runs(&mut queue, at(second));
        assert_eq!(
            queue.finished(&workspace, &result(Outcome::NoCollections, None), at(second)),
            is_news
        );
        assert_eq!(queue.next(at(second + 50)), Next::Idle);
    }
}

#[test]
fn a_backlog_that_asks_every_second_is_served_every_ten() {
    for (update, turns) in [
        (Outcome::Ok, 350..=370),
        (Outcome::Failed, 10..=40),
        (Outcome::Busy, 10..=40),
    ] {
        let mut queue = Queue::default();
        let mut count = 0;
        for now in (0..3600).map(at) {
            for workspace in ["a", "b"] {
                request(&mut queue, workspace, now);
            }
            while let Next::Run(workspace) = queue.next(now) {
                count += 1;
                queue.finished(&workspace, &result(update, None), now);
            }
        }
        assert!(turns.contains(&(count / 2)), "{update:?}: {count}");
    }
}

#[test]
fn what_is_forgotten_is_neither_run_nor_tried_again() {
    let mut queue = Queue::default();
    for workspace in ["a", "b"] {
        request(&mut queue, workspace, at(0));
    }
    queue.forget(Path::new("b"));
    let workspace = runs(&mut queue, at(0));
    assert_eq!(workspace, Path::new("a"));
    queue.forget(Path::new("a"));
    assert!(!queue.finished(&workspace, &result(Outcome::Failed, None), at(1)));
    assert_eq!(queue.next(at(100_000)), Next::Idle);
    request(&mut queue, "a", at(100_000));
    assert_eq!(runs_well(&mut queue, at(100_000)), "a");
}
