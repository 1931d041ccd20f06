//! `hipocampusd tidy`: hot files made short again: what is done goes, the oldest of what was learned moves to `knowledge/`.

use std::fmt::Write as _;

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
    /// The same for a program
    #[arg(long)]
    json: bool,
}

type Tidier = fn(&str) -> Option<Moved>;

#[derive(Debug, Serialize)]
struct Tidied {
    file: &'static str,
    to: Option<String>,
    gone: Vec<String>,
}

impl Tidied {
    fn of(file: &'static str, to: Option<String>, gone: &[String]) -> Option<Self> {
        let told = |entry: &String| outside::text(entry).into_owned();
        let gone: Vec<String> = gone.iter().map(told).collect();
        (!gone.is_empty()).then_some(Self { file, to, gone })
    }
}

pub fn run(arguments: &TidyArgs) -> Result<u8> {
    let mut target = Target::find(&arguments.target, !arguments.dry_run)?;
    let mut all = Vec::new();
    let tidiers: [(&'static str, Tidier); 3] = [
        ("WORKING.md", hot::without_ended_tasks),
        ("SCRATCHPAD.md", hot::without_done_items),
        ("TASK-QUEUE.md", hot::without_done_items),
    ];
    for (file, tidier) in tidiers {
        let gone = shorten(&target, file, arguments.dry_run, tidier)?;
        all.extend(Tidied::of(file, None, &gone));
    }
    let gone = adaptive(&mut target, arguments.dry_run)?;
    all.extend(Tidied::of(
        "MEMORY.md",
        Some(format!("knowledge/{ARCHIVE}")),
        &gone,
    ));
    print::answer(arguments.json, &all, || text(&all, arguments.dry_run))?;
    Ok(0)
}

fn shorten(target: &Target, file: &str, dry: bool, tidier: Tidier) -> Result<Vec<String>> {
    let workspace = &target.workspace;
    if dry {
        let text = hot_files::read(workspace, Folder::Workspace, file)?;
        return Ok(tidier(&text).map(|moved| moved.gone).unwrap_or_default());
    }
    let mut gone = Vec::new();
    if workspace.stamp(Folder::Workspace, file)?.is_none() {
        return Ok(gone);
    }
    hot_files::edit(workspace, Folder::Workspace, file, "", |text| {
        let moved = tidier(text);
        gone = moved.as_ref().map(|moved| moved.gone.clone()).unwrap_or_default();
        Ok(moved.map(|moved| moved.text))
    })?;
    Ok(gone)
}

/// The archive is written first: what is in both after a crash is lost in neither, and the next run takes it out of one.
fn adaptive(target: &mut Target, dry: bool) -> Result<Vec<String>> {
    let memory = hot_files::read(&target.workspace, Folder::Workspace, "MEMORY.md")?;
    let Some(moved) = hot::without_oldest_adaptive(&memory, POINTER) else {
        return Ok(Vec::new());
    };
    if dry {
        return Ok(moved.gone);
    }
    let day = target.moment.day;
    target.workspace.open_folder(Folder::Knowledge, true)?;
    hot_files::edit(
        &target.workspace,
        Folder::Knowledge,
        ARCHIVE,
        ARCHIVE_HEAD,
        |archive| {
            let fresh: Vec<&String> = moved
                .gone
                .iter()
                .filter(|entry| !archive.contains(entry.as_str()))
                .collect();
            let mut new = format!("{}\n\n## Moved on {day}\n\n", archive.trim_end());
            fresh.iter().for_each(|entry| {
                let _ = writeln!(new, "{entry}");
            });
            Ok((!fresh.is_empty()).then_some(new))
        },
    )?;
    hot_files::edit(&target.workspace, Folder::Workspace, "MEMORY.md", "", |text| {
        // Somebody wrote at the same moment: what is in the archive now is what may go.
        Ok(hot::without_oldest_adaptive(text, POINTER)
            .filter(|again| again.gone.iter().all(|entry| moved.gone.contains(entry)))
            .map(|again| again.text))
    })?;
    Ok(moved.gone)
}

fn text(all: &[Tidied], dry: bool) -> String {
    if all.is_empty() {
        return "nothing to tidy\n".to_owned();
    }
    let mut out = String::new();
    for tidied in all {
        let would = if dry { "would be " } else { "" };
        let how = tidied
            .to
            .as_ref()
            .map_or_else(|| "removed".to_owned(), |to| format!("moved to {to}"));
        let number = print::count(tidied.gone.len(), "entry");
        let _ = writeln!(out, "{}: {number} {would}{how}", tidied.file);
        for entry in &tidied.gone {
            let first = entry.lines().next().unwrap_or_default();
            let _ = writeln!(out, "  {}", print::harmless(first));
        }
    }
    out
}
