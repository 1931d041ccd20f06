//! The new part of a session's transcript into the log of the day on which the session began, each part once.
//!
//! The transcript is a platform's file outside of the workspace, named by the hook that runs this. It is read from where the
//! last capture ended, never written; a message that another transcript told already is left out. Neither a link nor anything but a regular file is opened.

#![expect(clippy::disallowed_methods, reason = "transcripts lie elsewhere")]

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Result, bail};
use chrono::{DateTime, TimeDelta, Utc};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use serde::{Deserialize, Serialize};

use super::append;
use super::clock::Zone;
use super::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::node::Hash;
use crate::memory::transcript::{self, Message};

const NAME: &str = "captured.json";
const LOCK: &str = "capture.lock";
/// Transcripts that are remembered: half a megabyte, months of sessions. One that is forgotten is read again, and its messages are known.
const TRANSCRIPTS_MAX: usize = 4096;
/// Messages that are remembered: two megabytes.
const TOLD_MAX: usize = 100_000;
/// After so many transcripts it is noted what was captured.
const SAVED_EVERY: usize = 32;
/// Bytes of a transcript that are read at once, and those of a line, which may hold pictures.
const PART_BYTES_MAX: u64 = 16 << 20;
const LINE_BYTES_MAX: u64 = 64 << 20;
/// How many days ago a session may have begun that a hook captures.
pub const HOOK_DAYS_MAX: i64 = 60;
/// Bytes at the start of a transcript that tell it from another one of the same name.
const HEAD_BYTES: u64 = 1024;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Known {
    transcripts: Vec<Captured>,
    /// What was told already, the latest last: forks and copies of a session hold the same messages.
    told: Vec<Hash>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Captured {
    path: Hash,
    /// The hash of its beginning, as far as it was captured and at most [`HEAD_BYTES`].
    head: Hash,
    offset: u64,
    began: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub path: String,
    pub messages: usize,
}

#[derive(Debug, Clone, Copy)]
pub struct When<'a> {
    pub zone: &'a Zone,
    /// The date where a transcript says none.
    pub today: Day,
    /// The time where a transcript says none.
    pub now: DateTime<Utc>,
    /// How long ago a session may have been: a clock that ran wrong must not put words into another year.
    pub days_max: i64,
}

/// Captures what a transcript has gained: an outcome for each log. No such file, as after a session that its platform did not keep, is none.
pub fn file(workspace: &Workspace, path: &Path, when: When<'_>) -> Result<Vec<Outcome>> {
    let mut unread = Vec::new();
    let outcomes = files(workspace, &[path.to_owned()], when, &mut unread)?;
    unread.pop().map_or(Ok(outcomes), |what| bail!(what))
}

/// The same of many transcripts; why others cannot be read is added to `unread`. What was captured before an error stays so.
pub fn files(
    workspace: &Workspace,
    paths: &[PathBuf],
    when: When<'_>,
    unread: &mut Vec<String>,
) -> Result<Vec<Outcome>> {
    let mut capture = Capture::begin(workspace, when)?;
    for (at, path) in paths.iter().enumerate() {
        // One transcript that cannot be read is no reason to leave out the others; a workspace that cannot be written is.
        match capture.one(path).map_err(anyhow::Error::downcast::<io::Error>) {
            Err(Ok(error)) if error.kind() != io::ErrorKind::NotFound => {
                unread.push(cannot_read(path, &error));
            }
            Ok(()) | Err(Ok(_)) => {}
            Err(Err(error)) => return Err(error),
        }
        // What a crash takes out of the note is found in the logs again.
        if (at + 1) % SAVED_EVERY == 0 || at + 1 == paths.len() {
            capture.known.save(workspace)?;
        }
    }
    Ok(capture.outcomes)
}

/// The transcripts in a folder and in those inside it, the oldest first. What cannot be looked at is added to `unread`.
pub fn transcripts(folder: &Path, unread: &mut Vec<String>) -> Vec<PathBuf> {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut list = || -> io::Result<()> {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                let (kind, path) = (entry.file_type()?, entry.path());
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() && path.extension().is_some_and(|name| name == "jsonl") {
                    found.push((entry.metadata()?.modified()?, path));
                }
            }
            Ok(())
        };
        if let Err(error) = list() {
            unread.push(cannot_read(&folder, &error));
        }
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

pub fn messages(workspace: &Workspace, messages: Vec<Message>, when: When<'_>) -> Result<Vec<Outcome>> {
    let mut capture = Capture::begin(workspace, when)?;
    capture.tell(messages, &mut None)?;
    if !capture.outcomes.is_empty() {
        capture.known.save(workspace)?;
    }
    Ok(capture.outcomes)
}

struct Capture<'a> {
    workspace: &'a Workspace,
    when: When<'a>,
    known: Known,
    seen: HashSet<Hash>,
    outcomes: Vec<Outcome>,
    /// Two hooks may run at the same moment.
    _lock: File,
}

impl Known {
    fn save(&mut self, workspace: &Workspace) -> Result<(), FileError> {
        self.transcripts.drain(..self.transcripts.len().saturating_sub(TRANSCRIPTS_MAX));
        self.told.drain(..self.told.len().saturating_sub(TOLD_MAX));
        workspace.write_json(Folder::Own, NAME, self)
    }
}

impl<'a> Capture<'a> {
    fn begin(workspace: &'a Workspace, when: When<'a>) -> Result<Self> {
        let lock = workspace.wait_lock(LOCK)?;
        let known: Known = workspace.read_json(Folder::Own, NAME).unwrap_or_default();
        Ok(Self {
            workspace,
            when,
            seen: known.told.iter().copied().collect(),
            known,
            outcomes: Vec::new(),
            _lock: lock,
        })
    }

    fn one(&mut self, path: &Path) -> Result<()> {
        let (mut file, mut captured) = self.open(path)?;
        loop {
            let start = captured.offset;
            let part = next_part(&mut file, &mut captured)?;
            self.tell(transcript::messages(&part), &mut captured.began)?;
            if captured.offset == start {
                break;
            }
        }
        self.known.transcripts.push(captured);
        Ok(())
    }

    /// Opens a transcript, and forgets how far it was captured, which is the caller's to note.
    fn open(&mut self, path: &Path) -> io::Result<(File, Captured)> {
        let mut file = open(path)?;
        let hash = Hash::of_bytes(path.as_os_str().as_encoded_bytes());
        let transcripts = &mut self.known.transcripts;
        let place = transcripts.iter().position(|captured| captured.path == hash);
        let before = place.map(|at| transcripts.remove(at)).unwrap_or_default();
        let size = file.metadata()?.len();
        let is_same = before.offset <= size && head(&mut file, before.offset)? == before.head;
        // Else another transcript, or one that was begun anew.
        let mut captured = if is_same { before } else { Captured::default() };
        captured.path = hash;
        Ok((file, captured))
    }

    /// Appends what was not told yet to the logs of the days on which its sessions began. `began` says when the session did that the
    /// messages go on with; one that was left for a day and more begins anew.
    fn tell(&mut self, messages: Vec<Message>, began: &mut Option<DateTime<Utc>>) -> Result<(), FileError> {
        let mut sessions: Vec<(Option<DateTime<Utc>>, Vec<String>)> = Vec::new();
        for message in messages {
            let begins = |at: &DateTime<Utc>| began.is_none_or(|began| *at - began >= TimeDelta::days(1));
            if let Some(at) = message.at.filter(begins) {
                *began = Some(at);
            }
            if message.id.is_some_and(|id| !self.seen.insert(id)) {
                continue;
            }
            self.known.told.extend(message.id);
            let Some(line) = transcript::line(&message) else {
                continue;
            };
            match sessions.last_mut().filter(|(start, _)| start == began) {
                Some((_, lines)) => lines.push(line),
                None => sessions.push((*began, vec![line])),
            }
        }
        for (start, lines) in sessions {
            let outcome = self.append(start, &lines)?;
            self.outcomes.extend(outcome);
        }
        Ok(())
    }

    fn append(&self, start: Option<DateTime<Utc>>, lines: &[String]) -> Result<Option<Outcome>, FileError> {
        let (workspace, when) = (self.workspace, self.when);
        let day = start.map(|at| Day::from(when.zone.local(at).date()));
        let is_near = |day: &Day| (-1..=when.days_max).contains(&when.today.days_since(*day));
        let day = day.filter(is_near).unwrap_or(when.today);
        let clock = when.zone.local(start.unwrap_or(when.now)).format("%H:%M");
        let heading = transcript::heading(&clock.to_string());
        let name = format!("{day}.md");
        let bytes = append::log_bytes(workspace, &name)?;
        let (left, is_cut) = untold(&String::from_utf8_lossy(&bytes), &heading, lines);
        if left.is_empty() {
            return Ok(None);
        }
        let last = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let text = left.concat();
        let goes_on = Some(last.len()).filter(|_| is_cut && text.as_bytes().starts_with(last));
        match goes_on {
            Some(said) => workspace.go_on(&name, &text.as_bytes()[said..])?,
            None => _ = append::append(workspace, day, &(heading + &text))?,
        }
        Ok(Some(Outcome { path: Folder::Memory.file(&name), messages: left.len() }))
    }
}

fn next_part(file: &mut File, captured: &mut Captured) -> io::Result<String> {
    file.seek(SeekFrom::Start(captured.offset))?;
    let mut bytes = Vec::new();
    while memchr::memchr(b'\n', &bytes).is_none() && bytes.len() as u64 + PART_BYTES_MAX <= LINE_BYTES_MAX {
        if file.by_ref().take(PART_BYTES_MAX).read_to_end(&mut bytes)? == 0 {
            break;
        }
    }
    let is_full = bytes.len() as u64 == LINE_BYTES_MAX;
    match memchr::memrchr(b'\n', &bytes) {
        Some(at) => bytes.truncate(at + 1),
        None if is_full => {} // a line that is no message
        // A line that is being written is left to the next time.
        None => bytes.clear(),
    }
    captured.offset += bytes.len() as u64;
    captured.head = head(file, captured.offset)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What ends a line that was cut: half a character is one that stands for what cannot be read.
const UNSURE: [char; 2] = ['\n', char::REPLACEMENT_CHARACTER];

/// The lines behind those that the log has already, as entries of their own: what was appended and not noted, because of a crash. That
/// may have cut the last of them, which then is the first of these, and the log ends in its beginning.
fn untold<'a>(log: &str, heading: &str, mut lines: &'a [String]) -> (&'a [String], bool) {
    let entries = log.match_indices(heading).map(|(at, _)| {
        let rest = log[at + heading.len()..].split_inclusive('\n');
        rest.take_while(|line| line.starts_with("- ")).collect()
    });
    let entries: Vec<Vec<&str>> = entries.filter(|entry: &Vec<&str>| !entry.is_empty()).collect();
    let told = |entry: &Vec<&str>, lines: &[String]| {
        let pairs = entry.iter().zip(lines);
        let same = pairs.take_while(|(said, line)| said == line).count();
        match (&entry[same..], lines.get(same)) {
            ([], _) if same > 0 => Some((same, false)),
            ([cut], Some(line)) if line.starts_with(cut.trim_end_matches(UNSURE)) => {
                let is_at_end = !cut.ends_with('\n');
                (same > 0 || is_at_end).then_some((same, is_at_end))
            }
            _ => None,
        }
    };
    while let Some((same, is_cut)) = entries.iter().find_map(|entry| told(entry, lines)) {
        lines = &lines[same..];
        if is_cut {
            return (lines, true);
        }
    }
    (lines, false)
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(CWD, path, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is no regular file: no transcript"));
    }
    Ok(File::from(file))
}

fn head(file: &mut File, offset: u64) -> io::Result<Hash> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    let bytes = offset.min(HEAD_BYTES);
    file.by_ref().take(bytes).read_to_end(&mut start)?;
    Ok(Hash::of_bytes(&start))
}
