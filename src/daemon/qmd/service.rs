//! The task that takes the turns of the [`Queue`] one after the other, and reports how each ended.
//!
//! The daemon starts it once, asks it through [`Qmd`], and never waits for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep};

use super::queue::{Next, Queue};
use super::{Known, Outcome, QmdResult, Settings, reindex_once};
use crate::daemon::child::{Stop, stopped};

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

#[derive(Debug, Clone)]
pub struct Qmd {
    requests: UnboundedSender<Request>,
}

impl Qmd {
    /// Asks for a turn and comes back at once. Merged with a turn of the same workspace that has not begun yet.
    pub fn request(&self, request: Request) {
        // Without a service there is no search index to care for; the daemon is about to end.
        let _ = self.requests.send(request);
    }
}

/// A handle, and the task behind it, which the caller spawns and joins. The task ends when `stop` says so, killing what
/// runs, or when all handles are gone. Each turn's result goes to `reports`; `now` gives its time.
pub fn service(
    reports: UnboundedSender<Report>,
    now: impl Fn() -> String,
    stop: Stop,
) -> (Qmd, impl Future<Output = ()>) {
    let (requests, incoming) = unbounded_channel();
    let state = QueueState {
        queue: Queue::default(),
        settings: BTreeMap::new(),
        began: Instant::now(),
        missing_said: false,
    };
    (Qmd { requests }, serve(state, incoming, reports, now, stop))
}

struct QueueState {
    queue: Queue,
    settings: BTreeMap<PathBuf, Settings>,
    began: Instant,
    missing_said: bool,
}

async fn serve(
    mut state: QueueState,
    mut incoming: UnboundedReceiver<Request>,
    reports: UnboundedSender<Report>,
    now: impl Fn() -> String,
    mut stop: Stop,
) {
    let mut known = Known::default();
    while !*stop.borrow() {
        let pause = match state.next() {
            Next::Run(workspace) => {
                let result = state
                    .take_turn(&workspace, &mut known, &mut incoming, &now, &mut stop)
                    .await;
                state.finish(&workspace, &result);
                let _ = reports.send(Report { workspace, result });
                continue;
            }
            Next::At(due) => due.saturating_sub(state.began.elapsed()),
            Next::Idle => Duration::MAX,
        };
        tokio::select! {
            request = incoming.recv() => match request {
                Some(request) => state.note(request),
                None => return,
            },
            () = sleep(pause) => {}
            () = stopped(&mut stop) => return,
        }
    }
}

impl QueueState {
    fn next(&mut self) -> Next {
        self.queue.next(self.began.elapsed())
    }

    fn note(&mut self, request: Request) {
        let Some(settings) = request.settings else {
            self.queue.forget(&request.workspace);
            self.settings.remove(&request.workspace);
            return;
        };
        self.queue.request(&request.workspace, self.began.elapsed());
        self.settings.insert(request.workspace, settings);
    }

    /// Takes the turn, and takes note of the requests that come in meanwhile.
    async fn take_turn(
        &mut self,
        workspace: &Path,
        known: &mut Known,
        incoming: &mut UnboundedReceiver<Request>,
        now: &impl Fn() -> String,
        stop: &mut Stop,
    ) -> QmdResult {
        let settings = self.settings.get(workspace).cloned().unwrap_or_default();
        let mut turn = std::pin::pin!(reindex_once(&settings, workspace, known, now, stop));
        let mut open = true;
        loop {
            tokio::select! {
                result = &mut turn => return result,
                request = incoming.recv(), if open => match request {
                    Some(request) => self.note(request),
                    None => open = false,
                },
            }
        }
    }

    fn finish(&mut self, workspace: &Path, result: &QmdResult) {
        let is_news = self.queue.finished(workspace, result, self.began.elapsed());
        let workspace = workspace.display();
        let (update, embed, said) = (result.update, result.embed, &result.said);
        if matches!(result.update, Outcome::Missing | Outcome::TooOld) {
            // Once for the whole daemon: it is one program.
            if std::mem::replace(&mut self.missing_said, true) {
            } else if result.is_not_wanted() {
                tracing::info!("{said}");
            } else {
                tracing::warn!(%workspace, said, "search index is not kept: this qmd cannot be used");
            }
        } else if is_news {
            tracing::warn!(%workspace, ?update, ?embed, said, "search index is not up to date");
        } else if update == Outcome::Ok || embed == Some(Outcome::Ok) {
            tracing::info!(%workspace, ?update, ?embed, "search index updated");
        } else {
            tracing::debug!(%workspace, ?update, ?embed, said, "search index looked at");
        }
    }
}
