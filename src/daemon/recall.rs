//! The index that `recall` asks: `.hipocampus/recall`, keyed by the stamps of what it was made from.
//!
//! A few files that changed since are read beside it, so that an answer is never older than the disk; when they are many, it is made anew,
//! by the worker after a cycle, so that beside a daemon nobody waits for it. It can be removed at any time.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cycle::UNSTOPPED;
use super::log_name::log_name;
use super::workspace::{Folder, Result, Stamp, Workspace};
use super::{root_file, scan};
use crate::memory::calendar::Day;
use crate::memory::level::{Level, Period};
use crate::memory::search::{Builder, File, Index, Part};
use crate::memory::{outside, statement, text};

pub const NAME: &str = "recall";
/// So many changed files are read beside the index before it is made anew: what one cycle writes is not worth that.
const FRESH_MAX: usize = 16;

/// What can be asked of a workspace: its index, and another one of the files that changed since; each with the files of which it knows
/// an older version, and those that are gone.
#[derive(Debug)]
pub struct Memory(Vec<(Index, FxHashSet<String>)>);

impl Memory {
    pub fn parts<'a>(
        &'a self,
        is_wanted: impl Fn(&File) -> bool + Copy + 'a,
    ) -> impl Iterator<Item = Part<'a>> {
        self.0.iter().map(move |(index, gone)| Part {
            index,
            is_wanted: Box::new(move |file| !gone.contains(&file.path) && is_wanted(file)),
        })
    }
}

struct Sources<'a> {
    workspace: &'a Workspace,
    /// By their paths: the day of a log or the period of a node, and the stamp.
    files: FxHashMap<String, (Period, Stamp)>,
    kept: Option<Index>,
}

/// A file that cannot be read is passed over, and an index that cannot be written is made again the next time.
pub fn open(workspace: &Workspace, session_files: bool, now: DateTime<Utc>) -> Result<Memory> {
    let sources = Sources::list(workspace, session_files, now)?;
    let fresh = sources.fresh();
    // What a lost log told is looked for in its node.
    let is_lost = |file: &File| !sources.files.contains_key(&file.path);
    let whole = |index| (index, FxHashSet::default());
    if fresh.len() > FRESH_MAX || sources.known().any(is_lost) || sources.kept.is_none() {
        let all = sources.build_all(&UNSTOPPED).into_iter();
        return Ok(Memory(all.map(whole).collect()));
    }
    let changed = sources.known().filter(|file| !sources.is_as_known(file));
    let gone = changed.map(|file| file.path.clone()).collect();
    let fresh = sources.build(fresh, &UNSTOPPED);
    let kept = sources.kept.map(|index| (index, gone)).into_iter();
    Ok(Memory(kept.chain(fresh.map(whole)).collect()))
}

/// Makes the index anew, when much has changed. `stop` ends it early, and leaves the index as it was.
pub fn refresh(workspace: &Workspace, session_files: bool, now: DateTime<Utc>, stop: &AtomicBool) {
    let Ok(sources) = Sources::list(workspace, session_files, now) else {
        return;
    };
    let fresh = sources.fresh().len();
    if fresh > FRESH_MAX || sources.kept.is_none() && fresh > 0 {
        sources.build_all(stop);
    }
}

impl<'a> Sources<'a> {
    fn list(workspace: &'a Workspace, session_files: bool, now: DateTime<Utc>) -> Result<Self> {
        let listing = scan::list(workspace, session_files, now)?;
        let logs = listing.logs.into_iter();
        let logs = logs.map(|(day, file)| (Folder::Memory.file(&file.name), (Period::Day(day), file.stamp)));
        let nodes = listing.nodes.into_iter().filter(|(_, file)| file.regular);
        let nodes = nodes.map(|(period, file)| (period.path(), (period, file.stamp)));
        let kept = workspace.read(Folder::Own, NAME).ok();
        Ok(Self {
            workspace,
            files: logs.chain(nodes).collect(),
            kept: kept.and_then(|kept| Index::open(kept.bytes)),
        })
    }

    fn known(&self) -> impl Iterator<Item = &File> {
        self.kept.iter().flat_map(Index::files)
    }

    fn is_as_known(&self, file: &File) -> bool {
        let source = self.files.get(&file.path);
        source.is_some_and(|(_, stamp)| stamp.0 == file.stamp && file.stamp != 0)
    }

    fn fresh(&self) -> Vec<&String> {
        let known = self.known().filter(|file| self.is_as_known(file));
        let known: FxHashSet<&String> = known.map(|file| &file.path).collect();
        self.files.keys().filter(|path| !known.contains(path)).collect()
    }

    /// An index of all files, which is kept; none when it was stopped.
    fn build_all(&self, stop: &AtomicBool) -> Option<Index> {
        let index = self.build(self.files.keys().collect(), stop)?;
        // Without it the next answer only takes longer.
        let _ = self.workspace.replace_unsynced(Folder::Own, NAME, index.bytes());
        Some(index)
    }

    fn build(&self, mut paths: Vec<&String>, stop: &AtomicBool) -> Option<Index> {
        let mut builder = Builder::default();
        let day_of = |path: &String| Some(log_name(path)?.0);
        let days: HashSet<Day> = self.files.keys().filter_map(day_of).collect();
        // Where something was told comes before what repeats it.
        paths.sort_by_key(|path| (day_of(path).is_none(), *path));
        for path in paths {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (period, stamp) = self.files.get(path)?;
            let Ok(text) = decoded(self.workspace, path).map(|text| unpacked(&text)) else {
                continue;
            };
            match day_of(path) {
                Some(day) => builder.log(path, stamp.0, day, &text),
                None => builder.node(path, stamp.0, *period, &text, |day| days.contains(&day)),
            }
        }
        Index::open(builder.finish())
    }
}

/// Reads a file of the tree by its path from the workspace: what may go outside of it, line by line.
pub fn read(workspace: &Workspace, path: &str) -> Result<String> {
    Ok(outside::text(&decoded(workspace, path)?).into_owned())
}

fn decoded(workspace: &Workspace, path: &str) -> Result<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let mut folders = Level::ALL.map(Folder::Level).into_iter().chain([Folder::Memory]);
    let known = folders.find(|known| known.path() == folder);
    let folder = match known {
        Some(Folder::Memory) if name == root_file::NAME => Folder::Tree,
        known => known.unwrap_or(Folder::Workspace),
    };
    workspace.text(folder, name)
}

/// The same as it is searched and quoted: turns that a log holds as JSON strings as they were said, each on its line.
pub fn said(workspace: &Workspace, path: &str) -> Result<String> {
    Ok(outside::text(&unpacked(&decoded(workspace, path)?)).into_owned())
}

fn unpacked(text: &str) -> String {
    let said = |line: &str| Some(text::single_spaced(&statement::turn::unpacked(line)?));
    let line = |line: &str| said(line).unwrap_or_else(|| line.to_owned()) + "\n";
    text.lines().map(line).collect()
}
