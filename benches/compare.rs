//! Whether two builds of the program make the same files: for a change that must change no byte, or that must be seen in them.
//!
//! `cargo bench --bench compare -- OLD NEW DIR…` compacts each workspace with both programs, and generated histories of one and two
//! years, and names every file below `memory/` that differs. The workspaces are copied; nothing is written into them.
#![expect(
    clippy::disallowed_methods,
    reason = "copies workspaces, runs two programs over them, and reads what they made"
)]

#[expect(dead_code, reason = "the entry is for those who append one")]
mod history;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use hipocampusd::memory::calendar::Day;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// So many files that differ are named.
const NAMED_MAX: usize = 12;

fn main() -> Result<()> {
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let [old, new, workspaces @ ..] = &paths[..] else {
        println!("cargo bench --bench compare -- OLD NEW DIR…: two programs, and workspaces to try them on");
        return Ok(());
    };
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{}", std::process::id()));
    let mut differing = 0;
    for workspace in workspaces {
        let name = workspace.display().to_string();
        differing += compare(&name, [old, new], &room, |memory| copy(&workspace.join("memory"), memory))?;
    }
    for years in [1, 2] {
        let name = format!("{years} generated years");
        let make = |memory: &Path| Ok(history::write(memory, years).map(drop)?);
        differing += compare(&name, [old, new], &room, make)?;
    }
    match differing {
        0 => Ok(()),
        _ => Err(format!("{differing} files differ").into()),
    }
}

/// Lets both programs compact the same logs, and says which files differ.
fn compare(
    name: &str,
    programs: [&PathBuf; 2],
    room: &Path,
    make: impl Fn(&Path) -> Result<()>,
) -> Result<usize> {
    let mut made = Vec::new();
    for program in programs {
        let memory = room.join("memory");
        fs::create_dir_all(&memory)?;
        make(&memory)?;
        let start = Instant::now();
        compact(program, room)?;
        eprintln!("{name}: {} ms by {}", start.elapsed().as_millis(), program.display());
        let mut files = BTreeMap::new();
        read(&memory, &memory, &mut files)?;
        made.push(files);
        fs::remove_dir_all(room)?;
    }
    let names = made.iter().flat_map(BTreeMap::keys);
    let mut differing: Vec<&String> = names.filter(|file| made[0].get(*file) != made[1].get(*file)).collect();
    differing.sort_unstable();
    differing.dedup();
    println!(
        "{name}: {} of {} files differ",
        differing.len(),
        made[0].len().max(made[1].len())
    );
    for file in differing.iter().take(NAMED_MAX) {
        println!("  {file}");
    }
    Ok(differing.len())
}

/// Drains a workspace, as at the end of the day of its newest log.
fn compact(program: &Path, workspace: &Path) -> Result<()> {
    let names = fs::read_dir(workspace.join("memory"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let last = names.filter_map(|name| Day::parse(name.get(..10)?)).max();
    let mut command = Command::new(program);
    command.arg("compact").arg(workspace).args(["--all", "--no-index"]);
    if let Some(day) = last {
        command.args(["--today", &day.to_string()]);
    }
    let status = command.stdout(Stdio::null()).status()?;
    match status.code() {
        // Logs in which something is odd are no fault of the program.
        Some(0 | 1) => Ok(()),
        _ => Err(format!("{} ended with {status}", program.display()).into()),
    }
}

/// Copies the raw logs and whatever stands beside them.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Every file below a folder, by its path from `top`. What tells the time of the run is left out.
fn read(folder: &Path, top: &Path, files: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.strip_prefix(top)?.display().to_string();
        if path.is_dir() {
            read(&path, top, files)?;
        } else if name != ".compaction-state.json" {
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}
