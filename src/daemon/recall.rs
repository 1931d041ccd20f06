//! The index that `recall` asks: `.hipocampus/recall`, keyed by the stamps of what it was made from.
//!
//! A few files that changed since are read beside it, so that an answer is never older than the disk; when they are many, it is
//! made anew. The worker does that after a cycle that wrote something, so that beside a daemon nobody waits for it. It says nothing
//! that the files do not, and can be removed at any time.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cycle::UNSTOPPED;
use super::log_name::log_name;
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

/// What can be asked of a workspace: its index, and another one of the files that changed since; each with the files of which it knows
/// an older version, and those that are gone.
#[derive(Debug)]
pub struct Memory(Vec<(Index, FxHashSet<String>)>);

impl Memory {
    pub fn parts<'a>(&'a self, is_wanted: &'a (dyn Fn(&File) -> bool + 'a)) -> Vec<Part<'a>> {
        let part = |(index, gone): &'a (Index, FxHashSet<String>)| Part {
            index,
            is_wanted: Box::new(move |file| !gone.contains(&file.path) && is_wanted(file)),
        };
        self.0.iter().map(part).collect()
    }
}

/// By their paths: the day of a log or the period of a node, and the stamp.
type Sources = FxHashMap<String, (Period, Stamp)>;

/// Opens what is known of a workspace as it stands now.
/// A file that cannot be read is passed over, and an index that cannot be written is made again the next time.
pub fn open(workspace: &Workspace, session_files: bool, now: i64) -> Result<Memory, FileError> {
    let sources = sources(scan::list(workspace, session_files, now)?);
    let kept = kept(workspace);
    let fresh = fresh(&sources, kept.as_ref());
    let known = || kept.iter().flat_map(Index::files);
    // What a lost log told is looked for in its node.
    let is_lost = known().any(|file| !sources.contains_key(&file.path));
    let whole = |index| (index, FxHashSet::default());
    if fresh.len() > FRESH_MAX || is_lost || kept.is_none() {
        let all = build(workspace, &sources, sources.keys().collect(), &UNSTOPPED);
        return Ok(Memory(all.into_iter().map(whole).collect()));
    }
    let changed = known().filter(|file| !is_as_known(&sources, file));
    let gone = changed.map(|file| file.path.clone()).collect();
    let fresh = build(workspace, &sources, fresh, &UNSTOPPED);
    let kept = kept.map(|index| (index, gone)).into_iter();
    Ok(Memory(kept.chain(fresh.map(whole)).collect()))
}

/// Makes the index anew, when much has changed. `stop` ends it early, and leaves the index as it was.
pub fn refresh(workspace: &Workspace, session_files: bool, now: i64, stop: &AtomicBool) {
    let Ok(listing) = scan::list(workspace, session_files, now) else {
        return;
    };
    let sources = sources(listing);
    let kept = kept(workspace);
    let fresh = fresh(&sources, kept.as_ref()).len();
    if fresh > FRESH_MAX_AFTER_CYCLE || kept.is_none() && fresh > 0 {
        build(workspace, &sources, sources.keys().collect(), stop);
    }
}

fn kept(workspace: &Workspace) -> Option<Index> {
    Index::open(workspace.read(Folder::Own, NAME).ok()?.bytes)
}

fn sources(listing: Listing) -> Sources {
    let logs = listing.logs.into_iter();
    let logs = logs.map(|(day, file)| (Folder::Memory.file(&file.name), (Period::Day(day), file.stamp)));
    let nodes = listing.nodes.into_iter().filter(|(_, file)| file.regular);
    let nodes = nodes.map(|(period, file)| (period.path(), (period, file.stamp)));
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
    stop: &AtomicBool,
) -> Option<Index> {
    let is_whole = paths.len() == sources.len();
    let mut builder = Builder::default();
    let day_of = |path: &String| Some(log_name(path)?.0);
    let days: HashSet<Day> = sources.keys().filter_map(day_of).collect();
    // Where something was told comes before what repeats it.
    paths.sort_by_key(|path| (day_of(path).is_none(), *path));
    for path in paths {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let Some((period, stamp)) = sources.get(path) else {
            continue;
        };
        let Ok(text) = decoded(workspace, path).map(|text| unpacked(&text)) else {
            continue;
        };
        match day_of(path) {
            Some(day) => builder.log(path, stamp.0, day, &text),
            None => builder.node(path, stamp.0, *period, &text, |day| days.contains(&day)),
        }
    }
    let bytes = builder.finish();
    if is_whole {
        let _turn = workspace.turn(Folder::Own);
        // Without it the next answer only takes longer.
        let _ = workspace.replace_unsynced(Folder::Own, NAME, &bytes);
    }
    Index::open(bytes)
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
    Ok(outside::text(&unpacked(&decoded(workspace, path)?)).into_owned())
}

fn unpacked(text: &str) -> String {
    let said = |line: &str| {
        let turn = statement::turn::unpacked(line)?;
        Some(turn.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let lines = text.lines();
    let lines = lines.map(|line| said(line).unwrap_or_else(|| line.to_owned()) + "\n");
    lines.collect()
}
