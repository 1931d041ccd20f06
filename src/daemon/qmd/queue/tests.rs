//! Turns over time: order, merging, slots, back-off. Times are plain seconds.

use std::path::Path;
use std::time::Duration;

use super::{EMBED_SLOT, Job, Next, Outcome, Queue, TRIES_MAX, UPDATE_GAP, pause};
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
    queue.request(Path::new(workspace), true, now);
}

#[track_caller]
fn runs(queue: &mut Queue, now: Duration) -> Job {
    match queue.next(now) {
        Next::Run(job) => job,
        other => panic!("expected a turn at {now:?}, not {other:?}"),
    }
}

/// Takes the turn that is due and lets all of it succeed.
#[track_caller]
fn runs_well(queue: &mut Queue, now: Duration) -> (String, bool) {
    let job = runs(queue, now);
    let embed = job.embed.then_some(Outcome::Ok);
    assert!(!queue.finished(&job, &result(Outcome::Ok, embed), now));
    (job.workspace.display().to_string(), job.embed)
}

#[test]
fn one_request_is_one_turn_of_update_and_embed() {
    let mut queue = Queue::new(1);
    assert_eq!(queue.next(at(0)), Next::Idle);
    request(&mut queue, "a", at(0));
    assert_eq!(runs_well(&mut queue, at(0)), ("a".into(), true));
    assert_eq!(queue.next(at(1)), Next::Idle);
}

#[test]
fn requests_that_wait_are_merged() {
    let mut queue = Queue::new(1);
    for second in 0..5 {
        request(&mut queue, "a", at(second));
    }
    runs_well(&mut queue, at(5));
    assert_eq!(queue.next(at(100)), Next::Idle);
}

#[test]
fn requests_while_a_turn_is_under_way_are_merged_into_one_more() {
    let mut queue = Queue::new(1);
    request(&mut queue, "a", at(0));
    let job = runs(&mut queue, at(0));
    for second in 1..5 {
        request(&mut queue, "a", at(second));
        assert_eq!(queue.next(at(second)), Next::Idle, "one at a time");
    }
    queue.finished(&job, &result(Outcome::Ok, Some(Outcome::Ok)), at(5));
    assert_eq!(queue.next(at(5)), Next::At(at(5) + UPDATE_GAP));
    let again = runs(&mut queue, at(5) + UPDATE_GAP);
    assert!(!again.embed, "its slot is taken");
    queue.finished(&again, &result(Outcome::Ok, None), at(20));
    assert_eq!(queue.next(at(20)), Next::At(EMBED_SLOT));
    assert_eq!(runs_well(&mut queue, EMBED_SLOT), ("a".into(), true));
    assert_eq!(queue.next(EMBED_SLOT * 9), Next::Idle);
}

#[test]
fn workspaces_take_turns_in_the_order_of_their_requests() {
    let mut queue = Queue::new(1);
    for (second, workspace) in ["c", "a", "b"].iter().enumerate() {
        request(&mut queue, workspace, at(second as u64));
    }
    let order: Vec<_> = (0..3).map(|_| runs_well(&mut queue, at(3))).collect();
    assert_eq!(
        order,
        [("c".into(), false), ("a".into(), false), ("b".into(), true)],
        "embed once nobody waits"
    );
    let late: Vec<_> = (0..2).map(|_| runs_well(&mut queue, at(4))).collect();
    assert_eq!(late, [("c".into(), true), ("a".into(), true)]);
    assert_eq!(queue.next(at(99)), Next::Idle);
}

#[test]
fn a_workspace_without_vectors_never_embeds() {
    let mut queue = Queue::new(1);
    queue.request(Path::new("a"), false, at(0));
    assert_eq!(runs_well(&mut queue, at(0)), ("a".into(), false));
    assert_eq!(queue.next(at(99)), Next::Idle);
}

#[test]
fn turning_vectors_off_takes_back_an_embed_that_waits() {
    let mut queue = Queue::new(1);
    request(&mut queue, "a", at(0));
    runs_well(&mut queue, at(0));
    request(&mut queue, "a", at(20));
    runs_well(&mut queue, at(20));
    queue.request(Path::new("a"), false, at(40));
    runs_well(&mut queue, at(40));
    assert_eq!(queue.next(at(50)), Next::Idle);
}

#[test]
fn an_embed_that_found_nothing_to_do_leaves_its_slot_free() {
    let mut queue = Queue::new(1);
    request(&mut queue, "a", at(0));
    let job = runs(&mut queue, at(0));
    queue.finished(
        &job,
        &result(Outcome::NothingToDo, Some(Outcome::NothingToDo)),
        at(1),
    );
    request(&mut queue, "a", at(30));
    assert!(runs(&mut queue, at(30)).embed);
}

#[test]
fn failures_are_tried_again_ever_later_and_then_only_on_request() {
    let mut queue = Queue::new(7);
    request(&mut queue, "a", at(0));
    let mut now = at(0);
    let mut pauses = Vec::new();
    for failure in 1..=TRIES_MAX {
        let job = runs(&mut queue, now);
        let is_news = queue.finished(&job, &result(Outcome::Failed, None), now);
        assert_eq!(is_news, failure == 1, "the same failure is said once");
        if let Next::At(due) = queue.next(now) {
            pauses.push((due - now).as_secs());
            now = due;
        }
    }
    assert_eq!(pauses.len(), TRIES_MAX as usize - 1);
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert_eq!(queue.next(now + at(100_000)), Next::Idle, "given up");
    request(&mut queue, "a", now + at(100_000));
    runs(&mut queue, now + at(100_000));
}

#[test]
fn a_request_does_not_cut_a_back_off_short() {
    let mut queue = Queue::new(7);
    request(&mut queue, "a", at(0));
    let job = runs(&mut queue, at(0));
    queue.finished(&job, &result(Outcome::Crashed, None), at(0));
    let Next::At(due) = queue.next(at(0)) else {
        panic!("a second try is due")
    };
    request(&mut queue, "a", at(1));
    assert_eq!(queue.next(at(1)), Next::At(due));
}

#[test]
fn one_workspace_that_backs_off_does_not_hold_up_another() {
    let mut queue = Queue::new(7);
    request(&mut queue, "a", at(0));
    let job = runs(&mut queue, at(0));
    queue.finished(&job, &result(Outcome::TimedOut, None), at(300));
    request(&mut queue, "b", at(301));
    assert_eq!(runs_well(&mut queue, at(301)).0, "b");
}

#[test]
fn an_embed_that_failed_is_tried_again_in_a_later_slot_with_the_update_before_it() {
    let mut queue = Queue::new(7);
    request(&mut queue, "a", at(0));
    let job = runs(&mut queue, at(0));
    assert!(queue.finished(&job, &result(Outcome::Ok, Some(Outcome::Partial)), at(10)));
    assert_eq!(queue.next(at(11)), Next::At(EMBED_SLOT));
    assert!(runs(&mut queue, EMBED_SLOT).embed);
}

#[test]
fn what_only_a_person_can_mend_is_said_once_and_not_tried_again() {
    let mut queue = Queue::new(7);
    for (second, is_news) in [(0, true), (100, false), (200, false)] {
        request(&mut queue, "a", at(second));
        let job = runs(&mut queue, at(second));
        assert_eq!(
            queue.finished(&job, &result(Outcome::NoCollections, None), at(second)),
            is_news
        );
        assert_eq!(queue.next(at(second + 50)), Next::Idle);
    }
}

#[test]
fn the_jitter_is_the_seeds_and_stays_within_a_quarter() {
    let workspace = Path::new("a");
    assert_eq!(pause(1, workspace, 1), pause(1, workspace, 1));
    assert_ne!(pause(1, workspace, 1), pause(2, workspace, 1));
    for failures in 1..40 {
        let whole = 30.0 * 2f64.powi(failures - 1);
        let share = pause(3, workspace, failures as u32).as_secs_f64() / whole.min(3600.0);
        assert!((0.75..=1.25).contains(&share), "{failures}: {share}");
    }
}

#[test]
fn an_embed_that_waits_does_not_cut_a_back_off_short() {
    let mut queue = Queue::new(7);
    request(&mut queue, "a", at(0));
    request(&mut queue, "b", at(0));
    let job = runs(&mut queue, at(0));
    assert!(!job.embed, "the other one waits");
    queue.finished(&job, &result(Outcome::Failed, None), at(1));
    assert_eq!(runs_well(&mut queue, at(1)), ("b".into(), true));
    assert!(matches!(queue.next(at(2)), Next::At(due) if due > at(20)));
}

#[test]
fn an_embed_goes_with_an_update_that_only_a_person_can_mend() {
    let mut queue = Queue::new(7);
    request(&mut queue, "a", at(0));
    request(&mut queue, "b", at(0));
    let job = runs(&mut queue, at(0));
    queue.finished(&job, &result(Outcome::Configuration, None), at(1));
    runs_well(&mut queue, at(1));
    assert_eq!(queue.next(at(2)), Next::Idle);
}

#[test]
fn a_backlog_that_asks_every_second_is_served_every_ten() {
    for (update, turns) in [
        (Outcome::Ok, 350..=370),
        (Outcome::Failed, 10..=40),
        (Outcome::Busy, 10..=40),
    ] {
        let mut queue = Queue::new(7);
        let mut count = 0;
        for now in (0..3600).map(at) {
            for workspace in ["a", "b"] {
                request(&mut queue, workspace, now);
            }
            while let Next::Run(job) = queue.next(now) {
                count += 1;
                let embed = (job.embed && update == Outcome::Ok).then_some(Outcome::Ok);
                queue.finished(&job, &result(update, embed), now);
            }
        }
        assert!(turns.contains(&(count / 2)), "{update:?}: {count}");
    }
}

#[test]
fn what_is_forgotten_is_neither_run_nor_tried_again() {
    let mut queue = Queue::new(1);
    for workspace in ["a", "b"] {
        request(&mut queue, workspace, at(0));
    }
    queue.forget(Path::new("b"));
    let job = runs(&mut queue, at(0));
    assert_eq!(job.workspace, Path::new("a"));
    queue.forget(Path::new("a"));
    assert!(!queue.finished(&job, &result(Outcome::Failed, None), at(1)));
    assert_eq!(queue.next(at(100_000)), Next::Idle);
    request(&mut queue, "a", at(100_000));
    assert_eq!(runs_well(&mut queue, at(100_000)), ("a".into(), true));
}
