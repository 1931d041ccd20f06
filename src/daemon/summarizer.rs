//! Summarizer commands of the user's (SPEC section 8): asked for one node at a time, checked, and never waited for.
//!
//! A cycle writes the extractive summary and is done. What is here looks for nodes that could do with a better one, asks
//! the user's program, holds the answer against the sources, and keeps it ([`super::answers`]); a later cycle puts it in
//! its place, if the sources are still the same. [`turn`] is one such asking; the daemon's queue ([`service()`]) and the
//! command `compact` both take it.

mod call;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::answers::{self, Kept};
use super::attempt_log::AttemptLog;
use super::child::{Stop, stopped};
use super::clock::{Clock, Zone};
use super::cycle::{self, CycleSettings, Request};
use super::issue::sentence;
use super::scan::Scan;
use super::workspace::{AGENT_FILE, Folder, Workspace};
use crate::config::SummarizerCommand;
use crate::memory::answer::{Basis, mend};
use crate::memory::ask::{Wanted, wanted};
use crate::memory::calendar::{Day, Moment};
use crate::memory::level::{Level, Status};
use crate::memory::prompt::prompts;
use crate::memory::task::Portion;

pub use call::MARK;

/// Who asks holds this file of `.hipocampus/`, so that no two processes pay for the same.
const LOCK: &str = "summarizer.lock";
/// A user's own prompt of more bytes than this is not read.
const PROMPT_BYTES_MAX: u64 = 256 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    pub name: String,
    pub command: SummarizerCommand,
    pub calls_max: u32,
    /// Where the user's own prompts may be: `daily.md`, `weekly.md`, `monthly.md`.
    pub prompts: Option<PathBuf>,
    pub environment: Vec<(OsString, OsString)>,
    pub settings: CycleSettings,
}

#[derive(Debug, Clone, Copy)]
pub struct Instant {
    pub moment: Moment,
    /// The date whose budget is used: the real one, whatever `--today` says.
    pub today: Day,
    pub now: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// An answer passed and is kept; a cycle will put it in its place.
    Answered(String),
    /// The program was asked, and it came to nothing: for which node, and why.
    Failed(String, String),
    /// Nobody was asked: nothing waits, or not before then.
    Nothing(Option<DateTime<Utc>>),
    /// It could not even be looked at what waits: why.
    Unable(String),
    Stopped,
}

type Question = (Portion, Vec<String>);

enum Found {
    /// The file is the lock that whoever asks holds.
    Ask(Workspace, File, Wanted, Vec<Question>),
    Later(Option<DateTime<Utc>>),
}

pub async fn turn(path: &Path, orders: &Orders, instant: Instant, stop: &mut Stop) -> Turn {
    let (looked, of) = (path.to_owned(), orders.clone());
    let found = spawn_blocking(move || look(&looked, &of, instant)).await;
    let fault = |_| anyhow!("a fault in hipocampusd itself while looking for what waits");
    let (workspace, _lock, wanted, questions) = match found.map_err(fault).flatten() {
        Ok(Found::Ask(workspace, lock, wanted, questions)) => (workspace, lock, wanted, questions),
        Ok(Found::Later(at)) => return Turn::Nothing(at),
        Err(why) => return Turn::Unable(sentence(&*why)),
    };
    let mut said: Vec<(Portion, Vec<String>)> = Vec::new();
    let mut first = true;
    for (portion, prompts) in &questions {
        let mut parts = Vec::new();
        for prompt in prompts {
            let mut log = AttemptLog::read(&workspace);
            let is_first = std::mem::take(&mut first);
            log.call(wanted.node, wanted.built_from, instant.today, is_first);
            if let Err(error) = log.write(&workspace) {
                // What cannot be counted is not asked.
                return Turn::Unable(sentence(&error));
            }
            match call::ask(orders, path, prompt, stop).await {
                Ok(text) => parts.push(text),
                Err(call::Failed::Stopped) => return Turn::Stopped,
                Err(call::Failed::Said(what)) => return failed(&workspace, wanted, instant, what),
            }
        }
        said.push((*portion, parts));
    }
    let (checked, of) = (path.to_owned(), orders.clone());
    let kept = spawn_blocking(move || check(&checked, &of, instant, wanted, &said)).await;
    let fault = |_| "could not be checked".to_owned();
    match kept.map_err(fault).flatten() {
        Ok(Some(kept)) => keep(&workspace, wanted, instant, &kept),
        // Its sources are others by now: nothing was wrong, and there is nothing to keep.
        Ok(None) => Turn::Nothing(Some(instant.now)),
        Err(fault) => failed(&workspace, wanted, instant, format!("its answer {fault}")),
    }
}

fn failed(workspace: &Workspace, wanted: Wanted, instant: Instant, what: String) -> Turn {
    let mut log = AttemptLog::read(workspace);
    log.failed(wanted.node, wanted.built_from, instant.now, &what);
    match log.write(workspace) {
        Ok(()) => Turn::Failed(workspace.shown(&wanted.node.path()), what),
        Err(error) => Turn::Unable(sentence(&error)),
    }
}

/// Keeps the answer, then says so in the log: a cycle looks when the log has changed.
fn keep(workspace: &Workspace, wanted: Wanted, instant: Instant, kept: &Kept) -> Turn {
    let written = answers::save(workspace, wanted.node, wanted.built_from, kept).and_then(|()| {
        let mut log = AttemptLog::read(workspace);
        log.went_well(wanted.node, instant.now);
        log.write(workspace)
    });
    match written {
        Ok(()) => Turn::Answered(workspace.shown(&wanted.node.path())),
        Err(error) => Turn::Unable(sentence(&error)),
    }
}

/// Looks for the first node that may be asked for now, and makes its prompts.
fn look(path: &Path, orders: &Orders, instant: Instant) -> anyhow::Result<Found> {
    let workspace = Workspace::open(path, true)?;
    let lock = workspace.lock_file(LOCK)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Ok(Found::Later(Some(instant.now + TimeDelta::minutes(1))));
        }
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    let request = Request::new(&orders.settings, instant.moment, instant.now);
    let (plan, scan) = cycle::plan(&workspace, request)?;
    let mut log = AttemptLog::read(&workspace);
    let before = log.clone();
    let open = |node: &crate::memory::inventory::NodeFacts| node.status != Status::Fixed;
    log.keep_only(|period| scan.inventory.node(period).is_some_and(open));
    let asked = |period| log.asked_on(period, instant.today);
    let waiting = wanted(&scan.inventory, &plan, instant.moment, asked);
    let mut later: Option<DateTime<Utc>> = None;
    let mut found = None;
    for wanted in waiting {
        if let Some(at) = log.not_before(wanted.node, wanted.built_from, instant.now) {
            later = Some(later.map_or(at, |known| known.min(at)));
            continue;
        }
        let left = orders.calls_max.saturating_sub(log.calls_on(instant.today));
        if left == 0 {
            // The budget is the day's; whether it is another one is looked at once an hour.
            later.get_or_insert(instant.now + TimeDelta::hours(1));
            break;
        }
        let questions = questions(&workspace, &scan, orders, wanted);
        let calls: usize = questions.iter().map(|(_, prompts)| prompts.len()).sum();
        if calls == 0 {
            continue;
        }
        if calls > orders.calls_max as usize {
            let what = format!(
                "it is so long that it would take {calls} calls, more than compaction.maxSummariesPerDay allows in a day"
            );
            log.give_up(wanted.node, wanted.built_from, instant.now, &what);
            continue;
        }
        if calls > left as usize {
            later.get_or_insert(instant.now + TimeDelta::hours(1));
            continue;
        }
        found = Some((wanted, questions));
        break;
    }
    if log != before {
        log.write(&workspace)?;
    }
    Ok(match found {
        Some((wanted, questions)) => Found::Ask(workspace, lock, wanted, questions),
        None => Found::Later(later),
    })
}

/// The prompts for a node; none when its sources are not those it was built from.
fn questions(workspace: &Workspace, scan: &Scan, orders: &Orders, wanted: Wanted) -> Vec<Question> {
    let template = template(orders, wanted.node.level());
    let notes = notes(workspace);
    let questions = cycle::tasks(workspace, scan, wanted, |task| {
        prompts(&template, &notes, task, orders.command.max_input_tokens as usize)
    });
    questions.unwrap_or_default()
}

/// The prompt of a level: the user's own where there is one, else the compiled-in one.
fn template(orders: &Orders, level: Level) -> String {
    let folder = orders.prompts.as_ref();
    let own =
        folder.and_then(|folder| call::small_file(&folder.join(format!("{level}.md")), PROMPT_BYTES_MAX));
    own.unwrap_or_else(|| crate::memory::prompt::built_in(level).to_owned())
}

fn notes(workspace: &Workspace) -> String {
    let read = workspace.read_if_there(Folder::Agents, AGENT_FILE).ok().flatten();
    let notes = read.map(|contents| crate::memory::text::decode(contents.bytes).text);
    notes.unwrap_or_default()
}

/// Holds what was said against the sources as they are now. None when they are others than those that were asked about.
fn check(
    path: &Path,
    orders: &Orders,
    instant: Instant,
    wanted: Wanted,
    said: &[(Portion, Vec<String>)],
) -> Result<Option<Kept>, String> {
    let Ok(workspace) = Workspace::open(path, true) else {
        return Ok(None);
    };
    let request = Request::new(&orders.settings, instant.moment, instant.now);
    let Ok((_, scan)) = cycle::plan(&workspace, request) else {
        return Ok(None);
    };
    let mended = cycle::tasks(&workspace, &scan, wanted, |task| {
        let parts = said.iter().filter(|(portion, _)| *portion == task.portion);
        let parts: Vec<&str> = parts.flat_map(|(_, parts)| parts).map(String::as_str).collect();
        mend(&parts, &Basis::new(*task))
    });
    match mended {
        Some(mended) if !mended.is_empty() => Kept::new(&orders.name, mended).map(Some),
        _ => Ok(None),
    }
}

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

/// Where to send wishes, of which the latest of a workspace counts, and the task behind it, which ends when `stop` says so, killing what runs.
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
    let wish = schedule
        .get(path)
        .map(|(wish, _)| (wish.zone, wish.orders.clone()));
    let mut ended = Turn::Nothing(None);
    if let Some((zone, Some(orders))) = wish {
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
