//! `hipocampusd tidy`: hot files made short again: what is done goes, the oldest of what was learned moves to `knowledge/`.

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::print;
use super::target::{Target, TargetArgs};
use crate::daemon::hot_files;
use crate::daemon::workspace::Folder;
use crate::memory::hot::{self, Moved};
use crate::memory::outside;

const AFTER: &str = "\
Example:
  hipocampusd tidy ~/agents/work --dry-run

Removed: tasks of WORKING.md that are done, failed or abandoned; ticked items of SCRATCHPAD.md and TASK-QUEUE.md.
Moved to knowledge/memory-adaptive.md, with a pointer left behind: the oldest entries of MEMORY.md's Adaptive section \
over 50 lines. Its Core section is never touched.";
const ARCHIVE: &str = "memory-adaptive.md";
const POINTER: &str = "- older entries → knowledge/memory-adaptive.md";
const ARCHIVE_HEAD: &str = "# What was learned, moved here from MEMORY.md\n";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct TidyArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
}

type Tidier = fn(&str) -> Option<Moved>;

#[derive(Debug, Serialize)]
struct Tidied {
    file: &'static str,
    to: Option<String>,
    gone: Vec<String>,
}

pub fn run(arguments: &TidyArgs) -> Result<()> {
    let mut target = Target::find(&arguments.target.place(), !arguments.dry_run)?;
    let tidiers: [(&'static str, Tidier); 3] = [
        ("WORKING.md", hot::without_ended_tasks),
        ("SCRATCHPAD.md", hot::without_done_items),
        ("TASK-QUEUE.md", hot::without_done_items),
    ];
    let mut all = Vec::new();
    for (file, tidier) in tidiers {
        let (to, gone) = (None, shorten(&target, file, arguments.dry_run, tidier)?);
        all.push(Tidied { file, to, gone });
    }
    let (file, to) = ("MEMORY.md", Some(format!("knowledge/{ARCHIVE}")));
    let gone = adaptive(&mut target, arguments.dry_run)?;
    all.push(Tidied { file, to, gone });
    all.retain(|tidied| !tidied.gone.is_empty());
    for entry in all.iter_mut().flat_map(|tidied| &mut tidied.gone) {
        *entry = outside::text(entry).into_owned();
    }
    print::answer(arguments.target.json(), &all, || text(&all, arguments.dry_run))
}

fn shorten(target: &Target, file: &str, dry: bool, tidier: Tidier) -> Result<Vec<String>> {
    let (workspace, folder, mut gone) = (&target.workspace, Folder::Workspace, Vec::new());
    let mut change = |text: &str| {
        let moved = tidier(text)?;
        gone = moved.gone;
        Some(moved.text)
    };
    if dry {
        change(&hot_files::read(workspace, folder, file)?);
    } else {
        hot_files::edit(workspace, folder, file, "", |text| Ok(change(text)))?;
    }
    Ok(gone)
}

/// The archive is written first: what is in both after a crash is lost in neither, and the next run takes it out of one.
fn adaptive(target: &mut Target, dry: bool) -> Result<Vec<String>> {
    const FILE: &str = "MEMORY.md";
    let memory = hot_files::read(&target.workspace, Folder::Workspace, FILE)?;
    let Some(Moved { gone, .. }) = hot::without_oldest_adaptive(&memory, POINTER) else {
        return Ok(Vec::new());
    };
    if dry {
        return Ok(gone);
    }
    target.workspace.open_folder(Folder::Knowledge, true)?;
    let (workspace, day) = (&target.workspace, target.moment.day);
    hot_files::edit(workspace, Folder::Knowledge, ARCHIVE, ARCHIVE_HEAD, |archive| {
        let fresh = gone.iter().filter(|entry| !archive.contains(entry.as_str()));
        let fresh: String = fresh.map(|entry| format!("{entry}\n")).collect();
        let new = format!("{}\n\n## Moved on {day}\n\n{fresh}", archive.trim_end());
        Ok((!fresh.is_empty()).then_some(new))
    })?;
    hot_files::edit(workspace, Folder::Workspace, FILE, "", |text| {
        // Somebody wrote at the same moment: what is in the archive now is what may go.
        Ok(hot::without_oldest_adaptive(text, POINTER)
            .filter(|again| again.gone.iter().all(|entry| gone.contains(entry)))
            .map(|again| again.text))
    })?;
    Ok(gone)
}

fn text(all: &[Tidied], dry: bool) -> String {
    if all.is_empty() {
        return "nothing to tidy\n".to_owned();
    }
    let would = if dry { "would be " } else { "" };
    let mut out = String::new();
    for Tidied { file, to, gone } in all {
        let how = to.as_ref().map_or("removed".to_owned(), |to| format!("moved to {to}"));
        out += &format!("{file}: {} {would}{how}\n", print::count(gone.len(), "entry"));
        for entry in gone {
            out += &format!("  {}\n", print::harmless(entry.lines().next().unwrap_or_default()));
        }
    }
    out
}
