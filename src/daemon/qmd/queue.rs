//! Which workspace's turn at qmd it is: a pure state machine, asked with the time and told what became of each turn.
//!
//! One turn at a time over all workspaces. A request for a workspace that already waits, or whose turn is under way, is
//! merged into one turn to come. A turn always updates; it also embeds at most once in each slot of [`EMBED_SLOT`],
//! and not while another workspace waits for an update: with an index shared by all, the last of a burst then embeds for
//! all, and the others find nothing left to do. Slots, not gaps, so that the turns of many workspaces fall together.
//!
//! Times are durations since the queue began.

use std::collections::BTreeMap;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Outcome, QmdResult};

/// A workspace embeds at most once in each stretch of this length.
pub(super) const EMBED_SLOT: Duration = Duration::from_secs(15 * 60);
/// A workspace updates again no sooner than this after its last turn: a backlog that drains asks many times.
pub(super) const UPDATE_GAP: Duration = Duration::from_secs(10);
/// Before the second try; doubled before each further one, up to the longest.
const RETRY_FIRST: Duration = Duration::from_secs(30);
const RETRY_LONGEST: Duration = Duration::from_secs(3600);
/// As many failures in a row, and it waits until it is asked for again.
const TRIES_MAX: u32 = 6;

/// One turn for one workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub workspace: PathBuf,
    pub embed: bool,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Take this turn, and tell [`Queue::finished`] about it.
    Run(Job),
    /// Ask again at this time, or after the next request.
    At(Duration),
    /// Ask again after the next request.
    Idle,
}

/// What is known about one workspace's turns.
#[derive(Debug, Default)]
struct Place {
    /// When its next update is due.
    update_at: Option<Duration>,
    /// When its next embed is due, if its slot is free then.
    embed_at: Option<Duration>,
    ended: Option<Duration>,
    /// The slot of its last embed.
    slot: Option<u64>,
    failures: u32,
    last: Option<(Outcome, Option<Outcome>)>,
}

/// The queue over all workspaces.
#[derive(Debug)]
pub struct Queue {
    places: BTreeMap<PathBuf, Place>,
    running: bool,
    seed: u64,
}

impl Queue {
    /// An empty queue; `seed` decides the jitter.
    pub fn new(seed: u64) -> Self {
        Self {
            places: BTreeMap::new(),
            running: false,
            seed,
        }
    }

    /// Asks for a turn. `vector`: whether the workspace wants embeddings at all.
    pub fn request(&mut self, workspace: &Path, vector: bool, now: Duration) {
        let place = self.places.entry(workspace.to_owned()).or_default();
        let due = place.ended.map_or(now, |ended| now.max(ended + UPDATE_GAP));
        // A turn that already waits, also one that waits after a failure, is this one.
        place.update_at = Some(place.update_at.unwrap_or(due));
        place.embed_at = if vector {
            Some(place.embed_at.unwrap_or(due))
        } else {
            None
        };
    }

    /// Takes back what a workspace asked for. A turn that is under way ends as it will, and is not tried again.
    pub fn forget(&mut self, workspace: &Path) {
        self.places.remove(workspace);
    }

    /// The turn to take now, if any.
    pub fn next(&mut self, now: Duration) -> Next {
        if self.running {
            return Next::Idle;
        }
        let update = self.first(|place| place.update_at);
        let Some((due, workspace)) = update
            .filter(|(at, _)| *at <= now)
            .or_else(|| self.first(Place::due))
        else {
            return Next::Idle;
        };
        if due > now {
            return Next::At(due);
        }
        let waits = |place: &Place| place.update_at.is_some_and(|at| at <= now);
        let others_wait = self
            .places
            .iter()
            .any(|(other, place)| *other != workspace && waits(place));
        let Some(place) = self.places.get_mut(&workspace) else {
            return Next::Idle;
        };
        let embed = !others_wait && place.embed_due().is_some_and(|at| at <= now);
        place.update_at = None;
        if embed {
            place.embed_at = None;
        }
        self.running = true;
        Next::Run(Job { workspace, embed })
    }

    /// Takes note of how a turn ended. True when that is worth a warning: it is bad, and not just as bad as the last time.
    pub fn finished(&mut self, job: &Job, result: &QmdResult, now: Duration) -> bool {
        self.running = false;
        let Some(place) = self.places.get_mut(&job.workspace) else {
            return false;
        };
        place.ended = Some(now);
        let ended = (result.update, result.embed);
        let is_news = place.last.replace(ended) != Some(ended);
        if result.embed.is_some_and(|embed| embed != Outcome::NothingToDo) {
            place.slot = Some(slot(now));
        }
        let retry_update = result.update.is_worth_another_try();
        let retry_embed = result.embed.is_some_and(Outcome::is_worth_another_try);
        place.failures = if retry_update || retry_embed {
            (place.failures + 1) % TRIES_MAX
        } else {
            0
        };
        if place.failures > 0 {
            let at = now + pause(self.seed, &job.workspace, place.failures);
            // A request that came meanwhile waits as long: it is the same qmd that would fail again.
            if retry_update {
                place.update_at = Some(at);
            }
            if job.embed {
                place.embed_at = Some(at);
            }
        }
        if let Some(at) = place.update_at {
            let at = at.max(now + UPDATE_GAP);
            place.update_at = Some(at);
            place.embed_at = place.embed_at.map(|embed_at| embed_at.max(at));
        } else if !result.update.is_indexed() {
            place.embed_at = None;
        }
        is_news
            && !result.is_good()
            && result.update != Outcome::Stopped
            && result.embed != Some(Outcome::Stopped)
    }

    fn first(&self, due: impl Fn(&Place) -> Option<Duration>) -> Option<(Duration, PathBuf)> {
        self.places
            .iter()
            .filter_map(|(workspace, place)| Some((due(place)?, workspace.clone())))
            .min()
    }
}

impl Place {
    fn due(&self) -> Option<Duration> {
        self.update_at.into_iter().chain(self.embed_due()).min()
    }

    /// When an embed is wanted and its slot free.
    fn embed_due(&self) -> Option<Duration> {
        let at = self.embed_at?;
        match self.slot {
            Some(taken) if taken >= slot(at) => {
                Some(EMBED_SLOT * u32::try_from(taken + 1).unwrap_or(u32::MAX))
            }
            _ => Some(at),
        }
    }
}

fn slot(at: Duration) -> u64 {
    at.as_secs() / EMBED_SLOT.as_secs()
}

/// How long to wait after so many failures in a row: doubling, within a quarter to either side, the same for the same seed.
fn pause(seed: u64, workspace: &Path, failures: u32) -> Duration {
    let whole = RETRY_FIRST
        .saturating_mul(1 << failures.saturating_sub(1).min(16))
        .min(RETRY_LONGEST);
    // The hasher of the standard library with fixed keys: the same in every run of one build, which is all that is asked.
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write_u64(seed);
    hasher.write(workspace.as_os_str().as_encoded_bytes());
    hasher.write_u32(failures);
    let jitter = u32::try_from(hasher.finish() % 501).unwrap_or_default();
    whole * (750 + jitter) / 1000
}

#[cfg(test)]
mod tests;
