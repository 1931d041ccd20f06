//! Scenarios: at which second which event, and what is to be done then.

use chrono::{DateTime, Utc};

use super::Action::{Scan, StartCycle};
use super::Event::{Beat, CycleFinished, CycleNow, Hint, Scanned, Wake};
use super::*;
use crate::memory::calendar::Moment;

const RHYTHM: Rhythm = Rhythm {
    settle: Duration::from_secs(2),
    heartbeat: Duration::from_secs(1800),
};

const NONE: &[Action] = &[];
const TRIGGERED: &[Action] = &[StartCycle(Reason::Triggers)];
const BACKLOG: &[Action] = &[StartCycle(Reason::Backlog)];
const RETRY: Action = StartCycle(Reason::Retry);

/// A scan that found something new, and triggers that hold; one that found nothing new, and the same.
const NEW: Event = Scanned { changed: true, due: true };
const DUE: Event = Scanned { changed: false, due: true };
/// A scan that found nothing new, and no trigger.
const NOTHING: Event = Scanned { changed: false, due: false };

/// Both clocks: `monotonic` and `wall` seconds after 20:00 UTC of a day.
fn clocks(monotonic: f64, wall: f64) -> Now {
    let start: DateTime<Utc> = "2026-03-15T20:00:00Z".parse().unwrap();
    let wall = start + chrono::Duration::milliseconds((wall * 1000.0) as i64);
    Now {
        monotonic: Duration::from_secs_f64(monotonic),
        wall,
        moment: Moment { day: Day::from(wall.date_naive()), minutes: 0 },
    }
}

fn done(backlog: u64) -> Event {
    CycleFinished { failed: false, backlog }
}

fn failed(backlog: u64) -> Event {
    CycleFinished { failed: true, backlog }
}

fn at(seconds: f64) -> Now {
    clocks(seconds, seconds)
}

struct Stage {
    agenda: Agenda,
}

impl Stage {
    /// An agenda that has just begun, and has a first scan under way.
    fn begun(rhythm: Rhythm) -> Self {
        let mut stage = Self { agenda: Agenda::new(rhythm, at(0.0)) };
        stage.at(0.0, Wake, &[Scan]);
        stage
    }

    /// One whose first scan has ended, and nothing was due.
    fn new(rhythm: Rhythm) -> Self {
        let mut stage = Self::begun(rhythm);
        stage.at(0.0, NOTHING, NONE);
        stage
    }

    /// An agenda that has a cycle running.
    fn running() -> Self {
        let mut stage = Self::begun(RHYTHM);
        stage.at(0.0, DUE, TRIGGERED);
        stage
    }

    #[track_caller]
    fn at(&mut self, seconds: f64, event: Event, expected: &[Action]) {
        self.when(at(seconds), event, expected);
    }

    #[track_caller]
    fn when(&mut self, now: Now, event: Event, expected: &[Action]) {
        assert_eq!(self.agenda.handle(event, now), expected, "{event:?} at {now:?}");
    }

    #[track_caller]
    fn wakes(&self, seconds: f64, expected: f64) {
        assert_eq!(self.agenda.next_wake(at(seconds)), Duration::from_secs_f64(expected));
    }

    /// Sleeps as told until `until`, and answers when anything was done, and what.
    fn sleeps(&mut self, from: f64, until: f64) -> Vec<(f64, Vec<Action>)> {
        let mut done = Vec::new();
        let mut seconds = from;
        loop {
            let sleep = self.agenda.next_wake(at(seconds)).as_secs_f64();
            assert!(sleep > 0.0, "it would spin at {seconds}");
            seconds += sleep;
            if seconds > until {
                return done;
            }
            let actions = self.agenda.handle(Wake, at(seconds));
            if !actions.is_empty() {
                done.push((seconds, actions));
            }
        }
    }
}

#[test]
fn it_begins_with_a_scan_and_a_question() {
    let stage = Stage::new(RHYTHM);
    stage.wakes(0.0, 60.0);
    Stage::running().wakes(0.0, 60.0);
}

#[test]
fn an_idle_workspace_is_scanned_every_beat_and_asked_about_every_heartbeat() {
    let mut stage = Stage::new(RHYTHM);
    for beat in 1..=60 {
        let seconds = f64::from(beat) * 60.0;
        stage.wakes(seconds - 60.0, 60.0);
        stage.at(seconds, Wake, &[Scan]);
        match beat {
            30 => stage.at(seconds, NOTHING, NONE),
            60 => stage.at(seconds, DUE, TRIGGERED),
            _ => stage.at(seconds, DUE, NONE),
        }
    }
}

#[test]
fn a_hint_is_looked_at_when_the_folder_is_quiet() {
    let mut stage = Stage::new(RHYTHM);
    stage.at(10.0, Hint, NONE);
    stage.wakes(10.0, 2.0);
    stage.at(11.5, Hint, NONE);
    stage.wakes(12.0, 1.5);
    stage.at(12.0, Wake, NONE);
    stage.at(13.5, Wake, &[Scan]);
    stage.at(13.5, NEW, TRIGGERED);
}

#[test]
fn a_writer_who_never_rests_does_not_put_the_look_off_for_ever() {
    let mut stage = Stage::new(RHYTHM);
    for tick in 0..20 {
        stage.at(10.0 + f64::from(tick) * 0.5, Hint, NONE);
    }
    stage.wakes(19.5, 0.5);
    stage.at(20.0, Hint, &[Scan]);
    stage.at(20.5, Hint, NONE);
    stage.wakes(20.5, 2.0);
}

#[test]
fn no_settling_means_at_once() {
    let mut stage = Stage::new(Rhythm { settle: Duration::ZERO, ..RHYTHM });
    stage.at(1.0, Hint, &[Scan]);
}

#[test]
fn what_a_beat_finds_without_a_hint_settles_before_it_is_asked_about() {
    let mut stage = Stage::new(RHYTHM);
    stage.at(60.0, Wake, &[Scan]);
    stage.at(60.0, NEW, NONE);
    stage.wakes(60.0, 2.0);
    stage.at(62.0, Wake, &[Scan]);
    stage.at(62.0, DUE, TRIGGERED);
}

#[test]
fn a_beat_for_all_is_a_look_that_comes_early_and_the_next_one_is_counted_from_it() {
    let mut stage = Stage::new(RHYTHM);
    stage.at(20.0, Beat, &[Scan]);
    stage.at(20.0, NOTHING, NONE);
    stage.wakes(20.0, 60.0);
    stage.at(60.0, Wake, NONE);
    // What was just written settles first, and is looked at then.
    stage.at(79.0, Hint, NONE);
    stage.at(80.0, Beat, NONE);
    stage.at(81.0, Wake, &[Scan]);
}

#[test]
fn a_beat_while_a_settled_folder_is_looked_at_does_not_make_it_settle_again() {
    let mut stage = Stage::new(RHYTHM);
    stage.at(57.0, Hint, NONE);
    stage.at(59.0, Wake, &[Scan]);
    stage.at(60.0, Beat, &[Scan]);
    stage.at(61.0, NEW, TRIGGERED);
}

#[test]
fn while_a_cycle_runs_everything_else_waits_for_its_end() {
    let mut stage = Stage::running();
    stage.at(5.0, Hint, NONE);
    stage.at(100.0, Wake, NONE);
    stage.at(100.0, NEW, NONE);
    stage.wakes(100.0, 60.0);
    stage.at(1900.0, Wake, NONE);
    stage.at(1901.0, done(0), &[Scan]);
    stage.at(1901.0, DUE, TRIGGERED);
}

#[test]
fn a_hint_during_a_cycle_is_looked_at_after_it() {
    let mut stage = Stage::running();
    stage.at(9.0, Hint, NONE);
    stage.at(10.0, done(0), NONE);
    stage.at(11.0, Wake, &[Scan]);
    stage.at(11.0, NEW, TRIGGERED);
}

#[test]
fn what_a_beat_behind_a_cycle_finds_is_asked_about_as_everything_else() {
    let mut stage = Stage::running();
    stage.at(9.0, done(0), NONE);
    stage.at(60.0, Wake, &[Scan]);
    stage.at(60.0, NEW, NONE);
    stage.at(62.0, Wake, &[Scan]);
    stage.at(62.0, DUE, TRIGGERED);
}

#[test]
fn a_backlog_is_drained_at_once() {
    let mut stage = Stage::running();
    for left in (1..=400).rev() {
        stage.at(1.0, done(left), BACKLOG);
    }
    stage.at(1.0, done(0), NONE);
}

#[test]
fn a_backlog_that_does_not_shrink_waits_as_after_a_failure() {
    let mut stage = Stage::running();
    stage.at(1.0, done(7), BACKLOG);
    stage.at(1.0, done(7), NONE);
    stage.at(3.0, Wake, &[RETRY]);
    stage.at(3.0, done(8), NONE);
    stage.at(7.0, Wake, &[RETRY]);
    stage.at(7.0, done(5), BACKLOG);
}

#[test]
fn a_failure_that_left_nothing_due_holds_nothing_else_up() {
    let mut stage = Stage::running();
    stage.at(0.5, Hint, NONE);
    stage.at(1.0, failed(0), NONE);
    stage.at(2.5, Wake, &[Scan]);
    stage.at(2.7, NEW, TRIGGERED);
    stage.at(6.0, failed(1), NONE);
    stage.at(7.0, NEW, NONE);
}

#[test]
fn a_failed_cycle_is_tried_again_later_and_later() {
    let mut stage = Stage::running();
    let mut seconds = 0.0;
    for delay in [
        2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 1800.0, 1800.0,
    ] {
        stage.at(seconds, failed(3), NONE);
        stage.at(seconds, NEW, NONE);
        let done = stage.sleeps(seconds, seconds + delay);
        let (when, actions) = done.last().unwrap();
        assert_eq!((*when, actions.last()), (seconds + delay, Some(&RETRY)));
        assert!(done[..done.len() - 1].iter().all(|(_, actions)| !actions.contains(&RETRY)));
        seconds += delay;
    }
    stage.at(seconds, done(0), NONE);
    stage.at(seconds, NEW, TRIGGERED);
    stage.at(seconds, failed(1), NONE);
    assert_eq!(
        stage.sleeps(seconds, seconds + 2.0),
        [(seconds + 2.0, vec![RETRY])],
        "from the start again"
    );
}

#[test]
fn the_sound_part_of_a_backlog_goes_on_past_a_failure() {
    let mut stage = Stage::running();
    stage.at(0.0, failed(9), NONE);
    stage.at(2.0, Wake, &[RETRY]);
    for left in (1..=8).rev() {
        stage.at(2.0, failed(left), BACKLOG);
    }
    stage.at(3.0, failed(1), NONE);
    stage.at(6.0, Wake, NONE);
    stage.at(7.0, Wake, &[RETRY]);
}

#[test]
fn a_cycle_asked_for_starts_at_once() {
    let mut stage = Stage::new(RHYTHM);
    stage.at(10.0, Hint, NONE);
    stage.at(10.5, CycleNow, &[StartCycle(Reason::Asked)]);
    stage.at(11.0, failed(1), NONE);
    stage.at(11.5, CycleNow, &[StartCycle(Reason::Asked)]);
    stage.at(12.0, CycleNow, NONE);
    stage.at(12.5, CycleNow, NONE);
    stage.at(13.0, done(3), &[StartCycle(Reason::Asked)]);
    stage.at(14.0, done(0), &[Scan]);
}

#[test]
fn midnight_is_noticed_within_a_minute() {
    let mut stage = Stage::new(RHYTHM);
    let midnight = 4.0 * 3600.0;
    stage.sleeps(0.0, midnight - 30.0);
    stage.at(midnight - 30.0, Wake, NONE);
    let now = at(midnight - 0.5);
    stage.agenda.heartbeat = Some(now);
    stage.agenda.scanned = Some(now);
    stage.at(midnight + 59.0, Wake, &[Scan]);
    stage.at(midnight + 60.0, Wake, NONE);
    stage.at(midnight + 60.0, DUE, TRIGGERED);
}

#[test]
fn midnight_waits_for_the_writer_and_for_the_cycle() {
    let midnight = 4.0 * 3600.0;
    let mut stage = Stage::new(RHYTHM);
    stage.at(midnight - 1.0, Hint, NONE);
    stage.at(midnight, Wake, NONE);
    stage.at(midnight + 1.0, Wake, &[Scan]);
    stage.at(midnight + 1.0, DUE, TRIGGERED);
    let mut stage = Stage::running();
    stage.at(midnight + 1.0, Wake, NONE);
    stage.at(midnight + 2.0, done(0), &[Scan]);
    stage.at(midnight + 2.0, DUE, TRIGGERED);
}

#[test]
fn a_laptop_that_slept_looks_and_asks_when_it_wakes() {
    let mut stage = Stage::new(RHYTHM);
    stage.when(clocks(20.0, 7200.0), Wake, &[Scan]);
    stage.when(clocks(20.0, 7200.0), DUE, TRIGGERED);
    let mut stage = Stage::running();
    stage.at(1.0, failed(1), NONE);
    stage.when(clocks(2.0, 7200.0), Wake, &[Scan, RETRY]);
}

#[test]
fn a_clock_set_back_loses_nothing() {
    let mut stage = Stage::new(RHYTHM);
    stage.when(clocks(60.0, -3600.0), Wake, &[Scan]);
    stage.when(clocks(61.0, -3599.0), Hint, NONE);
    assert_eq!(stage.agenda.next_wake(clocks(61.0, -3599.0)), Duration::from_secs(2));
    stage.when(clocks(63.0, -7200.0), Wake, &[Scan]);
    stage.when(clocks(1800.0, -1860.0), Wake, &[Scan]);
    stage.when(clocks(1800.0, -1860.0), NOTHING, NONE);
    stage.when(clocks(1810.0, -86_400.0), Wake, &[Scan]);
    stage.when(clocks(1810.0, -86_400.0), DUE, TRIGGERED);
}

#[test]
fn it_never_spins_and_never_sleeps_past_a_beat() {
    // Any order of events: the next wake-up is soon enough, and reached it brings something or moves on.
    let events = [
        Wake,
        Hint,
        NEW,
        DUE,
        NOTHING,
        CycleNow,
        done(0),
        done(3),
        failed(3),
    ];
    let mut stage = Stage::new(RHYTHM);
    let (mut seed, mut seconds) = (7_u64, 0.0);
    for _ in 0..20_000 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let event = events[(seed >> 33) as usize % events.len()];
        if matches!(event, CycleFinished { .. }) && !stage.agenda.is_running {
            continue;
        }
        seconds += ((seed >> 20) % 4000) as f64 / 1000.0;
        let before = stage.agenda.is_running;
        let starts =
            |actions: &[Action]| actions.iter().filter(|action| matches!(action, StartCycle(_))).count();
        let actions = stage.agenda.handle(event, at(seconds));
        let free = !before || matches!(event, CycleFinished { .. });
        assert!(starts(&actions) <= usize::from(free), "{event:?}: {actions:?}");
        let sleep = stage.agenda.next_wake(at(seconds));
        assert!(sleep <= BEAT);
        assert!(sleep > Duration::ZERO, "after {event:?} everything due was done: {actions:?}");
    }
}
