//! The task that asks the users' programs for all workspaces, one call at a time. The daemon starts it once, tells it
//! that something may wait, and never waits for it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::sleep;

use super::{Instant, Orders, Turn, turn};
use crate::daemon::child::{Stop, stopped};
use crate::daemon::clock::{Clock, Zone};
use crate::memory::calendar::Day;

/// While something waits for its time the clock is looked at this often: a laptop's sleep is no time for a timer.
const LOOK: Duration = Duration::from_secs(60);
/// What could not even be looked at is looked at again after so many minutes.
const UNABLE_MINUTES: i64 = 10;

#[derive(Debug, Clone)]
pub struct SummaryRequest {
    pub workspace: PathBuf,
    /// How to ask; none when nobody is to be asked there any more.
    pub orders: Option<Orders>,
    pub zone: Zone,
}

#[derive(Debug, Clone)]
pub struct Report {
    pub workspace: PathBuf,
    pub turn: Turn,
}

/// Where to send wishes, of which the latest of a workspace counts, and the task behind it, which the caller spawns and joins. It ends
/// when `stop` says so, killing what runs.
pub fn service(
    reports: UnboundedSender<Report>,
    clock: Clock,
    stop: Stop,
) -> (UnboundedSender<SummaryRequest>, impl Future<Output = ()>) {
    let (wishes, incoming) = unbounded_channel();
    (wishes, serve(incoming, reports, clock, stop))
}

/// A workspace, and when it is to be looked at.
type Schedule = BTreeMap<PathBuf, (SummaryRequest, DateTime<Utc>)>;

async fn serve(
    mut incoming: UnboundedReceiver<SummaryRequest>,
    reports: UnboundedSender<Report>,
    clock: Clock,
    mut stop: Stop,
) {
    let mut schedule = Schedule::new();
    while !*stop.borrow() {
        while let Ok(wish) = incoming.try_recv() {
            note(&mut schedule, wish, clock.utc());
        }
        let now = clock.utc();
        let due = schedule
            .iter()
            .filter(|(_, (_, at))| *at <= now)
            .min_by_key(|(_, (_, at))| *at);
        if let Some(path) = due.map(|(path, _)| path.clone()) {
            let report = take_turn(&mut schedule, &path, clock, &mut stop).await;
            if report.turn == Turn::Stopped {
                return;
            }
            let _ = reports.send(report);
            continue;
        }
        let pause = if schedule.is_empty() { Duration::MAX } else { LOOK };
        tokio::select! {
            wish = incoming.recv() => match wish {
                Some(wish) => note(&mut schedule, wish, now),
                None => return,
            },
            () = sleep(pause) => {}
            () = stopped(&mut stop) => return,
        }
    }
}

fn note(schedule: &mut Schedule, wish: SummaryRequest, now: DateTime<Utc>) {
    if wish.orders.is_some() {
        schedule.insert(wish.workspace.clone(), (wish, now));
    } else {
        schedule.remove(&wish.workspace);
    }
}

async fn take_turn(schedule: &mut Schedule, path: &PathBuf, clock: Clock, stop: &mut Stop) -> Report {
    let wish = schedule.get(path).map(|(wish, _)| wish.clone());
    let mut ended = Turn::Nothing(None);
    if let Some((zone, orders)) = wish.and_then(|wish| Some((wish.zone, wish.orders?))) {
        let now = clock.now(&zone);
        let instant = Instant {
            moment: now.moment(),
            today: Day::from(now.day),
            now: now.wall,
        };
        ended = turn(path, &orders, instant, stop).await;
    }
    let now = clock.utc();
    let next = match &ended {
        // The cycle that puts an answer in its place, and so lets the next level be asked for, sends a wish of its own.
        Turn::Answered(_) | Turn::Failed(..) => Some(now),
        Turn::Nothing(at) => at.map(|at| at.max(now + TimeDelta::seconds(1))),
        Turn::Unable(_) => Some(now + TimeDelta::minutes(UNABLE_MINUTES)),
        Turn::Stopped => None,
    };
    match (next, schedule.get_mut(path)) {
        (Some(next), Some((_, at))) => *at = next,
        _ => drop(schedule.remove(path)),
    }
    Report {
        workspace: path.clone(),
        turn: ended,
    }
}
