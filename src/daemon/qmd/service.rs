//! The task that takes the turns at qmd, one after the other over all workspaces, and reports how each ended.
//!
//! The daemon starts it once, asks it, and never waits for it. A request for a workspace that already waits, or whose turn is under
//! way, is merged into one turn to come.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep};

use super::{Known, Outcome, QmdResult, Settings, reindex_once};
use crate::daemon::child::{Stop, stopped};

/// A workspace takes no turn sooner than this after its last one: somebody who writes all the time asks many times.
const TURN_GAP: Duration = Duration::from_secs(10);

/// A wish for a turn: something was written in this workspace. Or for none any more.
#[derive(Debug, Clone)]
pub struct Request {
    pub workspace: PathBuf,
    /// As configured now; the latest request's settings count. None when no index of it is kept any more: what waits is dropped.
    pub settings: Option<Settings>,
}

#[derive(Debug, Clone)]
pub struct Report {
    pub workspace: PathBuf,
    pub result: QmdResult,
}

/// Where to send requests, and the task behind it, which ends when `stop` says so, killing what runs, or when nobody can send any more.
pub fn service(
    reports: UnboundedSender<Report>,
    now: impl Fn() -> String,
    stop: Stop,
) -> (UnboundedSender<Request>, impl Future<Output = ()>) {
    let (requests, incoming) = unbounded_channel();
    (requests, serve(incoming, reports, now, stop))
}

#[derive(Default)]
struct Queue {
    /// In the order of their requests, each with when it may begin at the soonest.
    waiting: Vec<(Instant, PathBuf, Settings)>,
    /// When the last turn of a workspace ended, and how.
    ended: BTreeMap<PathBuf, (Instant, Outcome, Option<Outcome>)>,
    missing_said: bool,
}

async fn serve(
    mut incoming: UnboundedReceiver<Request>,
    reports: UnboundedSender<Report>,
    now: impl Fn() -> String,
    mut stop: Stop,
) {
    let mut queue = Queue::default();
    let mut known = Known::default();
    while !*stop.borrow() {
        // Also what was asked for while the last turn was under way.
        while let Ok(request) = incoming.try_recv() {
            queue.note(request);
        }
        let first = (0..queue.waiting.len()).min_by_key(|&at| queue.waiting[at].0);
        let pause = first.map_or(Duration::MAX, |at| {
            queue.waiting[at].0.saturating_duration_since(Instant::now())
        });
        if let (Some(at), Duration::ZERO) = (first, pause) {
            let (_, workspace, settings) = queue.waiting.remove(at);
            let result = reindex_once(&settings, &workspace, &mut known, &now, &mut stop).await;
            queue.finish(&workspace, &result);
            let _ = reports.send(Report { workspace, result });
            continue;
        }
        tokio::select! {
            request = incoming.recv() => match request {
                Some(request) => queue.note(request),
                None => return,
            },
            () = sleep(pause) => {}
            () = stopped(&mut stop) => return,
        }
    }
}

impl Queue {
    fn note(&mut self, Request { workspace, settings }: Request) {
        let known = self.waiting.iter_mut().find(|(_, known, _)| *known == workspace);
        match (known, settings) {
            (Some((_, _, before)), Some(settings)) => *before = settings,
            (None, Some(settings)) => {
                let ended = self.ended.get(&workspace);
                let due = ended.map_or_else(Instant::now, |(ended, ..)| *ended + TURN_GAP);
                self.waiting.push((due.max(Instant::now()), workspace, settings));
            }
            (_, None) => {
                self.waiting.retain(|(_, known, _)| *known != workspace);
                self.ended.remove(&workspace);
            }
        }
    }

    /// Says how a turn ended: a warning where it is bad, and not just as bad as the last time.
    fn finish(&mut self, workspace: &Path, result: &QmdResult) {
        let (update, embed, said) = (result.update, result.embed, &result.said);
        let ended = (Instant::now(), update, embed);
        let before = self.ended.insert(workspace.to_owned(), ended);
        let is_new = before.is_none_or(|(_, before, embedded)| (before, embedded) != (update, embed));
        let is_stopped = update == Outcome::Stopped || embed == Some(Outcome::Stopped);
        let workspace = workspace.display();
        if matches!(update, Outcome::Missing | Outcome::TooOld) {
            // Once for the whole daemon: it is one program.
            if std::mem::replace(&mut self.missing_said, true) {
            } else if result.is_not_wanted() {
                tracing::info!("{said}");
            } else {
                tracing::warn!(%workspace, said, "search index is not kept: this qmd cannot be used");
            }
        } else if is_new && !result.is_good() && !is_stopped {
            tracing::warn!(%workspace, ?update, ?embed, said, "search index is not up to date");
        } else if update == Outcome::Ok || embed == Some(Outcome::Ok) {
            tracing::info!(%workspace, ?update, ?embed, "search index updated");
        } else {
            tracing::debug!(%workspace, ?update, ?embed, said, "search index looked at");
        }
    }
}
