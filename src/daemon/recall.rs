//! The index that `recall` asks: `.hipocampus/recall`, keyed by the stamps of what it was made from.
//!
//! A few files that changed since are read beside it, so that an answer is never older than the disk; when they are many, it is
//! made anew. The worker does that after a cycle that wrote something, so that beside a daemon nobody waits for it. It says nothing
//! that the files do not, and can be removed at any time.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::cycle::UNSTOPPED;
use super::root_file;
use super::scan::{self, Listing};
use super::workspace::{FileError, Folder, Stamp, Workspace};
use crate::memory::calendar::Day;
use crate::memory::level::{Level, Period};
use crate::memory::outside;
use crate::memory::search::{Builder, File, Index, Part};
use crate::memory::statement;
use crate::memory::text;
use rustc_hash::{FxHashMap, FxHashSet};

pub const NAME: &str = "recall";
/// So many changed files are read beside the index, by whoever asks, before it is made anew.
const FRESH_MAX: usize = 16;
/// The same for the worker, whom nobody waits for: what one cycle writes is not worth making the index again.
const FRESH_MAX_AFTER_CYCLE: usize = 8;

/// What can be asked of a workspace: its index, and another one of the files that changed since.
#[derive(Debug)]
pub struct Memory {
    kept: Option<Index>,
    /// The files of which the index knows an older version, and those that are gone.
    gone: FxHashSet<String>,
    fresh: Option<Index>,
}

impl Memory {
    pub fn parts<'a>(&'a self, is_wanted: &'a (dyn Fn(&File) -> bool + 'a)) -> Vec<Part<'a>> {
        let part = |index, gone: Option<&'a FxHashSet<String>>| Part {
            index,
            is_wanted: Box::new(move |file| {
                gone.is_none_or(|gone| !gone.contains(&file.path)) && is_wanted(file)
            }),
        };
        let kept = self.kept.iter().map(|index| part(index, Some(&self.gone)));
        kept.chain(self.fresh.iter().map(|index| part(index, None)))
            .collect()
    }
}

enum Source {
    Log(Day),
    Node(Period),
}

type Sources = FxHashMap<String, (Source, Stamp)>;

/// Opens what is known of a workspace as it stands now.
/// A file that cannot be read is passed over, and an index that cannot be written is made again the next time.
pub fn open(workspace: &Workspace, session_files: bool, now: i64) -> Result<Memory, FileError> {
    // To read the index takes as long as to look at all files.
    let (listing, kept) = thread::scope(|scope| {
        let opened = thread::Builder::new().spawn_scoped(scope, || kept(workspace));
        let listing = scan::list(workspace, session_files, now);
        let kept = opened.map_or_else(|_| kept(workspace), |opened| opened.join().unwrap_or_default());
        (listing, kept)
    });
    let listing = listing?;
    let of = made_of(&listing);
    let mut memory = Memory {
        kept,
        gone: HashSet::default(),
        fresh: None,
    };
    // Nothing has changed: no file needs a look of its own.
    let index = memory.kept.as_ref();
    if index.is_some_and(|index| of != 0 && index.of() == of) {
        return Ok(memory);
    }
    let sources = sources(listing);
    let fresh = fresh(&sources, index);
    let known = || index.into_iter().flat_map(Index::files);
    // What a lost log told is looked for in its node.
    let is_lost = known().any(|file| !sources.contains_key(&file.path));
    if fresh.len() > FRESH_MAX || is_lost || index.is_none() {
        let bytes = build(workspace, &sources, sources.keys().collect(), of, &UNSTOPPED);
        memory.kept = bytes.and_then(Index::open);
        return Ok(memory);
    }
    let changed = known().filter(|file| !is_as_known(&sources, file));
    memory.gone = changed.map(|file| file.path.clone()).collect();
    memory.fresh = build(workspace, &sources, fresh, 0, &UNSTOPPED).and_then(Index::open);
    Ok(memory)
}

/// Makes the index anew, when much has changed. `stop` ends it early, and leaves the index as it was.
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
    build(workspace, &sources, sources.keys().collect(), of, stop);
}

fn kept(workspace: &Workspace) -> Option<Index> {
    let contents = workspace.read(Folder::Own, NAME).ok()?;
    Index::open(contents.bytes)
}

/// Names and stamps of all files in one number; 0 when one of the stamps cannot be trusted.
fn made_of(listing: &Listing) -> u64 {
    let logs = listing.logs.iter().map(|(_, file)| (Folder::Memory, file));
    let nodes = listing.nodes.iter().filter(|(_, file)| file.regular);
    let nodes = nodes.map(|(period, file)| (Folder::Level(period.level()), file));
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
    let logs = listing.logs.into_iter();
    let logs = logs.map(|(day, file)| (format!("memory/{}", file.name), (Source::Log(day), file.stamp)));
    let nodes = listing.nodes.into_iter().filter(|(_, file)| file.regular);
    let nodes = nodes.map(|(period, file)| (period.path(), (Source::Node(period), file.stamp)));
    logs.chain(nodes).collect()
}

/// The paths of the files that the index does not know as they stand.
fn fresh<'a>(sources: &'a Sources, kept: Option<&Index>) -> Vec<&'a String> {
    let known = kept.into_iter().flat_map(Index::files);
    let known = known.filter(|file| is_as_known(sources, file));
    let known: FxHashSet<&str> = known.map(|file| file.path.as_str()).collect();
    let paths = sources.keys();
    paths.filter(|path| !known.contains(path.as_str())).collect()
}

fn is_as_known(sources: &Sources, file: &File) -> bool {
    let source = sources.get(&file.path);
    source.is_some_and(|(_, stamp)| stamp.0 == file.stamp && file.stamp != 0)
}

/// An index of these files; none when it was stopped. One of all files is kept.
fn build(
    workspace: &Workspace,
    sources: &Sources,
    mut paths: Vec<&String>,
    mut of: u64,
    stop: &AtomicBool,
) -> Option<Vec<u8>> {
    let is_whole = paths.len() == sources.len();
    let mut builder = Builder::default();
    let day_of = |(source, _): &(Source, Stamp)| match source {
        Source::Log(day) => Some(*day),
        Source::Node(_) => None,
    };
    let days: HashSet<Day> = sources.values().filter_map(day_of).collect();
    paths.sort_unstable();
    // Where something was told comes before what repeats it.
    paths.sort_by_key(|path| sources.get(*path).and_then(day_of).is_none());
    for path in paths {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let Some((source, stamp)) = sources.get(path) else {
            continue;
        };
        let Ok(text) = decoded(workspace, path).map(unpacked) else {
            of = 0;
            continue;
        };
        match source {
            Source::Log(day) => builder.log(path, stamp.0, *day, &text),
            Source::Node(period) => {
                builder.node(path, stamp.0, *period, &text, |day| days.contains(&day));
            }
        }
    }
    let bytes = builder.finish(of);
    if is_whole {
        let _turn = workspace.turn(Folder::Own);
        // Without it the next answer only takes longer.
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &bytes);
    }
    Some(bytes)
}

/// Reads a file of the tree by its path from the workspace: what may go outside of it, line by line.
pub fn read(workspace: &Workspace, path: &str) -> Result<String, FileError> {
    Ok(outside::text(&decoded(workspace, path)?).into_owned())
}

fn decoded(workspace: &Workspace, path: &str) -> Result<String, FileError> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let mut folders = Level::ALL.map(Folder::Level).into_iter().chain([Folder::Memory]);
    let known = folders.find(|known| known.path() == folder);
    let folder = match known {
        Some(Folder::Memory) if name == root_file::NAME => Folder::Tree,
        known => known.unwrap_or(Folder::Workspace),
    };
    Ok(text::decode(workspace.read(folder, name)?.bytes).text)
}

/// The same as it is searched and quoted: turns that a log holds as JSON strings as they were said, each on its line.
pub fn said(workspace: &Workspace, path: &str) -> Result<String, FileError> {
    Ok(outside::text(&unpacked(decoded(workspace, path)?)).into_owned())
}

fn unpacked(text: String) -> String {
    let said = |line: &str| {
        let turn = statement::turn::unpacked(line)?;
        Some(turn.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    if text.lines().all(|line| said(line).is_none()) {
        return text;
    }
    let lines = text.lines();
    lines
        .map(|line| said(line).unwrap_or_else(|| line.to_owned()) + "\n")
        .collect()
}
