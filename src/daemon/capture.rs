//! The new part of a session's transcript into the log of the day on which the session began, each part once.
//!
//! The transcript is a platform's file outside of the workspace, named by the hook that runs this. It is read from where the
//! last capture ended, never written, and neither a link nor anything but a regular file is opened.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::append;
use super::clock::Zone;
use super::issue::Issue;
use super::workspace::{FILE_BYTES_MAX, FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::node::Hash;
use crate::memory::transcript;

const NAME: &str = "captured.json";
const LOCK: &str = "capture.lock";
/// Transcripts that are remembered.
const TRANSCRIPTS_MAX: usize = 64;
/// Bytes at the start of a transcript that tell it from another one of the same name.
const HEAD_BYTES: u64 = 1024;

/// Why a transcript is not captured.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It cannot be read.
    #[error("cannot read the transcript {}", path.display())]
    Transcript {
        /// The transcript.
        path: PathBuf,
        /// Because of what.
        #[source]
        source: io::Error,
    },
    /// A link, a folder, a FIFO.
    #[error("{} is no regular file: no transcript", .0.display())]
    NotAFile(PathBuf),
    /// A file of the workspace cannot be read or written.
    #[error(transparent)]
    Workspace(#[from] FileError),
}

/// How far a transcript was captured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Captured {
    /// The hash of its path.
    path: Hash,
    /// The hash of its first bytes.
    head: Hash,
    /// How many bytes of the start that is.
    head_bytes: u64,
    /// Where the captured part ends.
    offset: u64,
    /// The date on which the session began.
    day: Option<Day>,
}

/// What a capture did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The log, as a path from the workspace.
    pub path: String,
    /// How many messages went into it.
    pub messages: usize,
    /// What stopped nothing: the counters could not be written.
    pub issue: Option<Issue>,
}

/// Captures what a transcript has gained since the last time; none when that is nothing. `today` is the date where the
/// transcript says none.
///
/// # Errors
/// See [`CaptureError`]. What was captured before stays so.
pub fn file(
    workspace: &Workspace,
    path: &Path,
    zone: &Zone,
    today: Day,
    now: DateTime<Utc>,
) -> Result<Option<Outcome>, CaptureError> {
    let failed = |source| CaptureError::Transcript {
        path: path.to_owned(),
        source,
    };
    // Two hooks may run at the same moment.
    let lock = workspace.lock_file(LOCK)?;
    lock.lock().map_err(failed)?;
    let mut known: Vec<Captured> = workspace.read_json(Folder::Own, NAME).unwrap_or_default();
    let hash = Hash(xxh3_64(path.as_os_str().as_encoded_bytes()));
    let mut file = open(path)?;
    let before = known.iter().position(|captured| captured.path == hash);
    let before = before.map(|at| known.remove(at));
    let (part, mut captured) = new_part(&mut file, before).map_err(failed)?;
    let day = captured.day.unwrap_or_else(|| day_of(&part, zone, today));
    let outcome = text(workspace, &part, day, zone, now)?;
    captured.path = hash;
    captured.day = Some(day);
    known.push(captured);
    let excess = known.len().saturating_sub(TRANSCRIPTS_MAX);
    known.drain(..excess);
    // A cycle that begins just now must not take the half-written note for what a crash left behind.
    let _turn = workspace.turn(Folder::Own);
    workspace.write_json(Folder::Own, NAME, &known)?;
    Ok(outcome)
}

/// What a transcript has gained, and how far it is captured with that.
fn new_part(file: &mut File, before: Option<Captured>) -> io::Result<(String, Captured)> {
    let size = file.metadata()?.len();
    let before = match before {
        Some(before) if before.offset <= size && head(file, before.head_bytes)? == before.head => before,
        // Another transcript, or one that was begun anew.
        _ => Captured::default(),
    };
    let start = before.offset.max(size.saturating_sub(FILE_BYTES_MAX));
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.by_ref().take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
    // A line that is being written is left to the next time.
    bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1));
    let offset = start + bytes.len() as u64;
    let head_bytes = offset.min(HEAD_BYTES);
    let captured = Captured {
        offset,
        head_bytes,
        head: head(file, head_bytes)?,
        ..before
    };
    Ok((String::from_utf8_lossy(&bytes).into_owned(), captured))
}

/// Captures a transcript that is handed in whole.
///
/// # Errors
/// The log cannot be read or written.
pub fn text(
    workspace: &Workspace,
    transcript: &str,
    day: Day,
    zone: &Zone,
    now: DateTime<Utc>,
) -> Result<Option<Outcome>, FileError> {
    let messages = transcript::messages(transcript);
    // Not the time of the capture: the same part then makes the same entry, which is never written twice.
    let at = messages
        .iter()
        .rev()
        .find_map(|message| message.at)
        .unwrap_or(now);
    let Some(entry) = transcript::entry(&messages, &zone.local(at).format("%H:%M").to_string()) else {
        return Ok(None);
    };
    let name = format!("{day}.md");
    let log = workspace.read_if_there(Folder::Memory, &name)?;
    if log.is_some_and(|log| memchr::memmem::find(&log.bytes, entry.as_bytes()).is_some()) {
        return Ok(None);
    }
    let appended = append::append(workspace, day, &entry)?;
    Ok(Some(Outcome {
        path: appended.path,
        messages: messages.len(),
        issue: appended.issue,
    }))
}

/// The date on which a transcript begins, in the workspace's zone.
pub fn day_of(transcript: &str, zone: &Zone, today: Day) -> Day {
    let began = transcript::began(transcript).map(|at| Day::from(zone.local(at).date()));
    // A clock that ran wrong must not put words into another year.
    began
        .filter(|day| (-1..=60).contains(&today.days_since(*day)))
        .unwrap_or(today)
}

fn open(path: &Path) -> Result<File, CaptureError> {
    let failed = |errno: rustix::io::Errno| CaptureError::Transcript {
        path: path.to_owned(),
        source: errno.into(),
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(CWD, path, flags, Mode::empty()).map_err(failed)?;
    let stat = rustix::fs::fstat(&file).map_err(failed)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(CaptureError::NotAFile(path.to_owned()));
    }
    Ok(File::from(file))
}

fn head(file: &mut File, bytes: u64) -> io::Result<Hash> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    file.by_ref().take(bytes).read_to_end(&mut start)?;
    Ok(Hash(xxh3_64(&start)))
}
