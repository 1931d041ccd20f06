//! The index that `recall` asks: `.hipocampus/recall`, keyed by the stamps of what it was made from.
//!
//! A few files that changed since are read beside it, so that an answer is never older than the disk; when they are many,
//! or there is no index, it is made anew. It says nothing that the files do not, and can be removed at any time.

use std::collections::HashMap;

use super::scan;
use super::workspace::{FileError, Folder, Stamp, Workspace};
use crate::memory::calendar::Day;
use crate::memory::level::Period;
use crate::memory::search::{self, Builder, File, Index, Kind, Place};
use crate::memory::text;

/// The index, in `.hipocampus/`.
pub const NAME: &str = "recall";
/// So many changed files are read beside the index before it is made anew.
const FRESH_MAX: usize = 64;

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

/// Finds the documents that hold some of the words, the best first.
///
/// # Errors
/// A folder cannot be listed. A file that cannot be read is passed over, and an index that cannot be written is made again
/// the next time.
pub fn find(
    workspace: &Workspace,
    session_files: bool,
    now: i64,
    words: &[String],
) -> Result<Vec<Found>, FileError> {
    let sources = sources(workspace, session_files, now)?;
    let kept = workspace
        .read(Folder::Own, NAME)
        .ok()
        .and_then(|contents| Index::open(contents.bytes));
    let current = |file: &File| {
        sources
            .get(&file.path)
            .is_some_and(|(_, stamp)| stamp.0 == file.stamp && file.stamp != 0)
    };
    let known: HashMap<&str, ()> = kept
        .iter()
        .flat_map(Index::files)
        .filter(|file| current(file))
        .map(|file| (file.path.as_str(), ()))
        .collect();
    let fresh: Vec<&String> = sources
        .keys()
        .filter(|path| !known.contains_key(path.as_str()))
        .collect();
    let (kept, fresh) = if fresh.len() > FRESH_MAX || kept.is_none() && !fresh.is_empty() {
        let bytes = build(workspace, &sources, sources.keys());
        // Without it the answer only takes longer.
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &[&bytes]);
        (Index::open(bytes), None)
    } else {
        let fresh = (!fresh.is_empty()).then(|| build(workspace, &sources, fresh.into_iter()));
        (kept, fresh.and_then(Index::open))
    };
    let mut found = Vec::new();
    for (index, is_fresh) in kept
        .iter()
        .map(|index| (index, false))
        .chain(fresh.iter().map(|index| (index, true)))
    {
        let holds = |number: u32| {
            let file = index.files().get(number as usize);
            is_fresh || file.is_some_and(&current) || file.is_some_and(|file| file.stamp == 0)
        };
        for hit in index.search(words, holds) {
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
    if fresh.is_some() {
        found.sort_by(|one, other| {
            (other.words, other.score, other.day)
                .partial_cmp(&(one.words, one.score, one.day))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        found.dedup_by(|one, other| {
            one.path == other.path && one.place.line == other.place.line && one.place.kind == other.place.kind
        });
    }
    Ok(found)
}

fn sources(
    workspace: &Workspace,
    session_files: bool,
    now: i64,
) -> Result<HashMap<String, (Source, Stamp)>, FileError> {
    let listing = scan::list(workspace, session_files, now, false)?;
    let logs = listing
        .logs
        .into_iter()
        .map(|(day, file)| (format!("memory/{}", file.name), (Source::Log(day), file.stamp)));
    let nodes = listing
        .nodes
        .into_iter()
        .filter(|(_, file)| file.regular)
        .map(|(period, file)| (period.path(), (Source::Node(period), file.stamp)));
    Ok(logs.chain(nodes).collect())
}

fn build<'a>(
    workspace: &Workspace,
    sources: &HashMap<String, (Source, Stamp)>,
    paths: impl Iterator<Item = &'a String>,
) -> Vec<u8> {
    let mut builder = Builder::default();
    let mut paths: Vec<&String> = paths.collect();
    paths.sort_unstable();
    for path in paths {
        let Some((source, stamp)) = sources.get(path) else {
            continue;
        };
        let Ok(text) = read(workspace, path) else {
            continue;
        };
        match source {
            Source::Log(day) => builder.log(path, stamp.0, *day, &text),
            Source::Node(period) => builder.node(path, stamp.0, *period, &text),
        }
    }
    builder.finish()
}

/// Reads a file of the tree by its path from the workspace.
///
/// # Errors
/// It cannot be read.
pub fn read(workspace: &Workspace, path: &str) -> Result<String, FileError> {
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
