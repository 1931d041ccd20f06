//! `memory/.compaction-state.json`: when the last cycle was started and what has gathered since (SPEC section 10).
//!
//! The file is shared with agents that follow the older protocol and count checkpoints in it themselves. So it is read, merged with what is
//! in memory, and replaced whole, again if somebody was quicker. A counters' write never creates it, because its absence is a trigger.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::workspace::{FileError, Folder, Result, Workspace};
use crate::memory::trigger::{self, Counters, LastRun, Trigger};

pub const FILE_NAME: &str = ".compaction-state.json";
/// Where a file that is no state is set aside, in `memory/`.
pub const BAD_NAME: &str = ".compaction-state.json.bad";
pub const BAD: &str = "is not a JSON object of at most 1 MiB";
/// Somebody may be in the midst of writing it: it is set aside when the next look finds the same bytes.
const UNSETTLED: &str =
    "is not a JSON object of at most 1 MiB just now; it is looked at again before it is set aside";

/// Nobody's state is larger than this.
const BYTES_MAX: usize = 1024 * 1024;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct State {
    pub last_run: LastRun,
    pub counters: Counters,
}

#[derive(Debug, Default)]
pub struct Ledger {
    state: State,
    /// What the file said when it was last read or written.
    seen: State,
    counted: Counters,
    /// A cycle was started and the file does not say so yet.
    start_unwritten: bool,
    suspect: Option<Vec<u8>>,
    set_aside: Option<PathBuf>,
}

impl Ledger {
    pub fn counters(&self) -> Counters {
        self.state.counters
    }

    /// When the last cycle was started; [`LastRun::StateMissing`] until one is, even where the start could not be written.
    pub fn last_run(&self) -> LastRun {
        match self.seen.last_run {
            LastRun::StateMissing if !self.start_unwritten => LastRun::StateMissing,
            LastRun::StateMissing | LastRun::Never | LastRun::At(_) => self.state.last_run,
        }
    }

    /// Takes over what agents wrote into the file. One that is no state is set aside when it was so at the look before as well.
    pub fn refresh(&mut self, workspace: &Workspace) -> Result<()> {
        let there = workspace.bytes_if_there(Folder::Memory, FILE_NAME)?;
        let contents = self.understood(workspace, there)?;
        self.take_over(contents.as_ref());
        Ok(())
    }

    /// What people should know once, and stopped nothing: that a file was set aside.
    pub fn take_notice(&mut self) -> Option<String> {
        let path = self.set_aside.take()?;
        Some(format!("{} {BAD}; it is kept as {BAD_NAME}", path.display()))
    }

    /// Takes in what a look at the disk found: lines and entries of raw logs that no daily node covers. Checkpoints
    /// never fall before the next cycle, because an agent's higher count stands. Answers whether a counter changed.
    pub fn recounted(&mut self, counted: Counters) -> bool {
        self.counted = counted;
        let mut counters = counted;
        counters.checkpoints = counted.checkpoints.max(self.state.counters.checkpoints);
        std::mem::replace(&mut self.state.counters, counters) != counters
    }

    /// Writes the counters back. Writes nothing when the file is missing, or said the same when it was read last; answers whether it wrote.
    pub fn write(&mut self, workspace: &Workspace) -> Result<bool> {
        if self.state == self.seen && !self.start_unwritten {
            return Ok(false);
        }
        let written = workspace.edit(Folder::Memory, FILE_NAME, workspace.log_mode(), |there| {
            let contents = self.understood(workspace, there)?;
            if !self.start_unwritten {
                self.take_over(contents.as_ref());
            }
            let mut object = match contents {
                Some((_, state)) if state == self.state => {
                    self.is_written();
                    return Ok(None);
                }
                Some((object, _)) => object,
                None if self.start_unwritten => Map::new(),
                None => return Ok(None),
            };
            store(&mut object, self.state);
            Ok(Some(format!("{:#}\n", Value::Object(object))))
        });
        if matches!(written, Ok(true)) {
            self.is_written();
        }
        written
    }

    fn is_written(&mut self) {
        self.seen = self.state;
        self.start_unwritten = false;
    }

    /// A cycle starts: the counters go to zero, in memory and in the file, which is created when it is missing (SPEC section 10).
    pub fn start_cycle(&mut self, workspace: &Workspace, now: DateTime<Utc>) -> Result<()> {
        self.state = State {
            last_run: LastRun::At(whole_milliseconds(now)),
            counters: Counters::default(),
        };
        self.start_unwritten = true;
        self.write(workspace).map(drop)
    }

    /// A cycle found nothing to do. What made it due is settled as by one that did something, so that nobody goes on calling it
    /// due. Nothing is written when nothing did, or only a cooldown of zero, or what stands in the logs and stays uncovered.
    pub fn settle(&mut self, workspace: &Workspace, cooldown_hours: f64, now: DateTime<Utc>) -> Result<bool> {
        let settled = self.counters().beyond(self.counted);
        let due = trigger::due(self.last_run(), settled, cooldown_hours, now);
        if due.iter().all(|trigger| *trigger == Trigger::NoCooldown) {
            return Ok(false);
        }
        self.start_cycle(workspace, now)?;
        Ok(true)
    }

    /// What the file says; none where there is no file, or when it was set aside.
    fn understood(&mut self, workspace: &Workspace, there: Option<Vec<u8>>) -> Result<Option<Contents>> {
        let contents = there.as_deref().and_then(parse);
        let Some(bytes) = there.filter(|_| contents.is_none()) else {
            self.suspect = None;
            return Ok(contents);
        };
        let path = workspace.file_path(Folder::Memory, FILE_NAME);
        // An agent that truncates and writes may have been caught in between: only what a later look still finds is bad.
        if self.suspect.as_ref() != Some(&bytes) {
            self.suspect = Some(bytes);
            return Err(FileError::Refused(path, UNSETTLED));
        }
        workspace.remove_if_there(Folder::Memory, BAD_NAME)?;
        workspace.set_aside(Folder::Memory, FILE_NAME, BAD_NAME)?;
        if workspace.bytes_if_there(Folder::Memory, BAD_NAME)?.as_ref() == Some(&bytes) {
            self.suspect = None;
            self.set_aside = Some(path);
            return Ok(None);
        }
        // Written between the look and the move: it goes back to where it was written to.
        workspace.set_aside(Folder::Memory, BAD_NAME, FILE_NAME)?;
        Err(FileError::Refused(path, UNSETTLED))
    }

    fn take_over(&mut self, contents: Option<&Contents>) {
        let found = contents.map(|(_, state)| *state).unwrap_or_default();
        if found != self.seen && !self.start_unwritten {
            self.state = merged(self.state, found);
        }
        self.seen = found;
    }
}

/// What is true when memory says `ours` and somebody wrote `theirs`: a newer run brings its counters with it, and of
/// one run the higher checkpoint count stands. Raw lines are what this program counted.
fn merged(mut ours: State, theirs: State) -> State {
    if theirs.last_run > ours.last_run {
        return theirs;
    }
    let checkpoints = &mut ours.counters.checkpoints;
    *checkpoints = theirs.counters.checkpoints.max(*checkpoints);
    ours
}

const LAST_RUN: &str = "lastCompactionRun";
const RAW_LINES: &str = "rawLinesSinceLastCompaction";
const CHECKPOINTS: &str = "checkpointsSinceLastCompaction";

type Contents = (Map<String, Value>, State);

/// None when the bytes are no JSON object, or too many.
fn parse(bytes: &[u8]) -> Option<Contents> {
    if bytes.len() > BYTES_MAX {
        return None;
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Ok(Value::Object(object)) = serde_json::from_slice(text) else {
        return None;
    };
    let last_run = object.get(LAST_RUN).and_then(time_of);
    let last_run = last_run.map_or(LastRun::Never, LastRun::At);
    let count = |key| object.get(key).and_then(count_of).unwrap_or_default();
    let counters = Counters { raw_lines: count(RAW_LINES), checkpoints: count(CHECKPOINTS) };
    Some((object, State { last_run, counters }))
}

/// Puts `state` into the object; only what differs changes, so that what an agent typed keeps its form.
fn store(object: &mut Map<String, Value>, state: State) {
    if let LastRun::At(last_run) = state.last_run
        && object.get(LAST_RUN).and_then(time_of) != Some(last_run)
    {
        let text = last_run.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        object.insert(LAST_RUN.to_owned(), Value::from(text));
    }
    let counters = state.counters;
    for (key, count) in [
        (RAW_LINES, counters.raw_lines),
        (CHECKPOINTS, counters.checkpoints),
    ] {
        if object.get(key).and_then(count_of) != Some(count) {
            object.insert(key.to_owned(), Value::from(count));
        }
    }
}

/// The file has milliseconds, as JavaScript writes them; memory has no more than the file, or the two would differ.
fn whole_milliseconds(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(time.timestamp_millis()).unwrap_or(time)
}

/// A count as programs and people write it: a number, a fraction, a number in quotes. None for more than anybody counts.
fn count_of(value: &Value) -> Option<u64> {
    // A line a second for thirty years.
    const COUNT_MAX: f64 = 1e9;
    let count = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse::<u64>().ok()? as f64,
        _ => return None,
    };
    // Cut to a whole number, a negative one to 0: what is meant.
    (count <= COUNT_MAX).then_some(count as u64)
}

/// A time as programs and people write it: ISO 8601 in whole or in part, UTC without a zone; or seconds or milliseconds since 1970.
fn time_of(value: &Value) -> Option<DateTime<Utc>> {
    match value {
        Value::String(text) => time_of_text(text.trim()).map(whole_milliseconds),
        Value::Number(number) => {
            const SECONDS_MAX: i64 = 100_000_000_000;
            let number = number.as_i64()?;
            let unit = if number.abs() < SECONDS_MAX { 1000 } else { 1 };
            DateTime::from_timestamp_millis(number * unit)
        }
        _ => None,
    }
}

fn time_of_text(text: &str) -> Option<DateTime<Utc>> {
    let text = text.to_ascii_uppercase().replacen(' ', "T", 1).replace(' ', "");
    let bare = text.strip_suffix("UTC").or(text.strip_suffix('Z'));
    let text = bare.unwrap_or(&text);
    for text in [text.to_owned(), format!("{text}Z"), format!("{text}T00:00Z")] {
        for format in ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z"] {
            if let Ok(time) = DateTime::parse_from_str(&text, format) {
                return Some(time.to_utc());
            }
        }
    }
    None
}

/// The state file for those who only look: nothing is merged, set aside or written. [`FileError::Refused`]: it is no state.
pub fn peek(workspace: &Workspace) -> Result<State> {
    let Some(bytes) = workspace.bytes_if_there(Folder::Memory, FILE_NAME)? else {
        return Ok(State::default());
    };
    let unsettled = || FileError::Refused(workspace.file_path(Folder::Memory, FILE_NAME), UNSETTLED);
    parse(&bytes).map(|(_, state)| state).ok_or_else(unsettled)
}

#[cfg(test)]
mod tests;
