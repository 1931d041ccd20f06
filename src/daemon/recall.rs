//! The index that `recall` asks: `.hipocampus/recall`, keyed by the stamps of what it was made from.
//!
//! A few files that changed since are read beside it, so that an answer is never older than the disk; when they are many,
//! they are taken into it, and what else it knows is not read again. The worker does that after a cycle that wrote something, so
//! that beside a daemon nobody waits for it. It says nothing that the files do not, and can be removed at any time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cycle::UNSTOPPED;
use super::scan::{self, Listing};
use super::workspace::{FileError, Folder, Stamp, Workspace};
use crate::memory::calendar::Day;
use crate::memory::hashing::Hashing;
use crate::memory::level::Period;
use crate::memory::outside;
use crate::memory::search::{self, Builder, File, Index, Kind, Place};
use crate::memory::text;

/// The index, in `.hipocampus/`.
pub const NAME: &str = "recall";
/// So many changed files are read beside the index, by whoever asks, before they are taken into it.
const FRESH_MAX: usize = 16;
/// The same for the worker, whom nobody waits for: what one cycle writes is not worth writing the index again.
const FRESH_MAX_AFTER_CYCLE: usize = 8;

/// A document that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The file, as a path from the workspace.
    pub path: String,
    /// Its date, or the last date of its period.
    pub day: Day,
    /// Where in it.
    pub place: Place,
    /// How well it fits.
    pub score: f32,
    /// How many of the words it holds.
    pub words: u32,
}

/// A file that belongs into the index.
enum Source {
    Log(Day),
    Node(Period),
}

/// All of them by their paths from the workspace.
type Sources = HashMap<String, (Source, Stamp), Hashing>;

/// Finds the documents that hold some of the words, the best first: all topics, and so many of the others.
///
/// # Errors
/// A folder cannot be listed. A file that cannot be read is passed over, and an index that cannot be written is made again
/// the next time.
pub fn find(
    workspace: &Workspace,
    session_files: bool,
    now: i64,
    words: &[String],
    documents_max: usize,
) -> Result<Vec<Found>, FileError> {
    let listing = scan::list_at_once(workspace, session_files, now)?;
    let of = made_of(&listing);
    let kept = kept(workspace);
    let mut found = Vec::new();
    // Nothing has changed: no file needs a look of its own.
    if let Some(index) = kept.as_ref().filter(|index| of != 0 && index.of() == of) {
        collect(index, words, |_| true, documents_max, &mut found);
        return Ok(found);
    }
    let sources = sources(listing);
    let fresh = fresh(&sources, kept.as_ref());
    if fresh.len() > FRESH_MAX || kept.is_none() && !fresh.is_empty() {
        let bytes = build(workspace, &sources, kept.as_ref(), fresh, of, &UNSTOPPED);
        // Without it the answer only takes longer.
        let _ = bytes.as_ref().map(|bytes| write(workspace, bytes));
        if let Some(index) = bytes.and_then(Index::open) {
            collect(&index, words, |_| true, documents_max, &mut found);
        }
        return Ok(found);
    }
    if let Some(index) = &kept {
        let holds = |number| is_current(&sources, index, number);
        collect(index, words, holds, documents_max, &mut found);
    }
    let beside = build(workspace, &sources, None, fresh, 0, &UNSTOPPED);
    if let Some(index) = beside.and_then(Index::open) {
        collect(&index, words, |_| true, documents_max, &mut found);
    }
    found.sort_by(|one, other| {
        (other.words, other.score, other.day)
            .partial_cmp(&(one.words, one.score, one.day))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(found)
}

/// Takes what changed into the index, when it is much. `stop` ends it early, and leaves the index as it was.
pub fn refresh(workspace: &Workspace, session_files: bool, now: i64, stop: &AtomicBool) {
    let Ok(listing) = scan::list(workspace, session_files, now) else {
        return;
    };
    let of = made_of(&listing);
    let kept = kept(workspace);
    let sources = sources(listing);
    let fresh = fresh(&sources, kept.as_ref());
    if fresh.is_empty() || kept.is_some() && fresh.len() <= FRESH_MAX_AFTER_CYCLE {
        return;
    }
    if let Some(bytes) = build(workspace, &sources, kept.as_ref(), fresh, of, stop) {
        // Whoever asks makes it then.
        let _ = write(workspace, &bytes);
    }
}

fn kept(workspace: &Workspace) -> Option<Index> {
    let contents = workspace.read(Folder::Own, NAME).ok()?;
    Index::open(contents.bytes)
}

fn write(workspace: &Workspace, bytes: &[u8]) -> Result<(), FileError> {
    let _turn = workspace.turn(Folder::Own);
    workspace.replace_unsynced(Folder::Own, NAME, &[bytes])
}

/// Names and stamps of all files in one number; 0 when one of the stamps cannot be trusted.
fn made_of(listing: &Listing) -> u64 {
    let logs = listing.logs.iter().map(|(_, file)| (Folder::Memory, file));
    let nodes = listing.nodes.iter().filter(|(_, file)| file.regular);
    let nodes = nodes.map(|(period, file)| (scan::folder(period.level()), file));
    let mut of = 0;
    for (folder, file) in logs.chain(nodes) {
        if file.stamp == Stamp::default() {
            return 0;
        }
        of = scan::moved(of, folder, &file.name, None, Some(file.stamp));
    }
    of
}

fn sources(listing: Listing) -> Sources {
    let logs = listing
        .logs
        .into_iter()
        .map(|(day, file)| (format!("memory/{}", file.name), (Source::Log(day), file.stamp)));
    let nodes = listing
        .nodes
        .into_iter()
        .filter(|(_, file)| file.regular)
        .map(|(period, file)| (period.path(), (Source::Node(period), file.stamp)));
    logs.chain(nodes).collect()
}

/// The paths of the files that the index does not know as they stand, in their order.
fn fresh<'a>(sources: &'a Sources, kept: Option<&Index>) -> Vec<&'a String> {
    let known: std::collections::HashSet<&str, Hashing> = kept
        .into_iter()
        .flat_map(Index::files)
        .filter(|file| is_as_known(sources, file))
        .map(|file| file.path.as_str())
        .collect();
    let mut fresh: Vec<&String> = sources
        .keys()
        .filter(|path| !known.contains(path.as_str()))
        .collect();
    fresh.sort_unstable();
    fresh
}

fn is_as_known(sources: &Sources, file: &File) -> bool {
    let source = sources.get(&file.path);
    source.is_some_and(|(_, stamp)| stamp.0 == file.stamp && file.stamp != 0)
}

fn is_current(sources: &Sources, index: &Index, number: u32) -> bool {
    let file = index.files().get(number as usize);
    file.is_some_and(|file| is_as_known(sources, file))
}

/// An index of what `kept` knows and still holds, and of the fresh files; none when it was stopped.
fn build(
    workspace: &Workspace,
    sources: &Sources,
    kept: Option<&Index>,
    fresh: Vec<&String>,
    of: u64,
    stop: &AtomicBool,
) -> Option<Vec<u8>> {
    let mut of = of;
    let mut builder = kept.map_or_else(Builder::default, |index| {
        Builder::from(index, |number| is_current(sources, index, number))
    });
    for path in fresh {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let Some((source, stamp)) = sources.get(path) else {
            continue;
        };
        let Ok(text) = decoded(workspace, path) else {
            of = 0;
            continue;
        };
        match source {
            Source::Log(day) => builder.log(path, stamp.0, *day, &text),
            Source::Node(period) => builder.node(path, stamp.0, *period, &text),
        }
    }
    Some(builder.finish(of))
}

/// What an index finds: a topic is short, of the others no more than are asked for.
fn collect(
    index: &Index,
    words: &[String],
    holds: impl Fn(u32) -> bool,
    documents_max: usize,
    found: &mut Vec<Found>,
) {
    let mut documents = 0;
    for hit in index.search(words, holds) {
        if hit.place.kind != Kind::Topic {
            documents += 1;
            if documents > documents_max {
                continue;
            }
        }
        let Some(file) = index.files().get(hit.place.file as usize) else {
            continue;
        };
        found.push(Found {
            path: file.path.clone(),
            day: file.day,
            place: hit.place,
            score: hit.score,
            words: hit.words,
        });
    }
}

/// Reads a file of the tree by its path from the workspace: what may go outside of it, line by line.
///
/// # Errors
/// It cannot be read.
pub fn read(workspace: &Workspace, path: &str) -> Result<String, FileError> {
    Ok(outside::text(&decoded(workspace, path)?).into_owned())
}

fn decoded(workspace: &Workspace, path: &str) -> Result<String, FileError> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let folders = [Folder::Memory, Folder::Daily, Folder::Weekly, Folder::Monthly];
    let folder = folders
        .into_iter()
        .find(|known| known.path() == folder)
        .unwrap_or(Folder::Workspace);
    Ok(text::decode(workspace.read(folder, name)?.bytes).text)
}

/// Whether a document is a topic's name.
pub fn is_topic(found: &Found) -> bool {
    found.place.kind == Kind::Topic
}

/// The words of a question, as the index knows them.
pub fn words(question: &[String]) -> Vec<String> {
    search::words(&question.join(" "))
}
