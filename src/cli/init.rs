//! `hipocampusd init`: makes a folder a workspace (SPEC sections 2 and 13) by adding what is missing and touching
//! nothing that is there, whatever it is.
//!
//! Memory is personal, so folders are made 0700 and files 0600. Every file is created exclusively and relative to
//! an opened folder: a link can neither be written through nor lead the templates out of the workspace.
#![expect(
    clippy::disallowed_methods,
    reason = "init makes the folder that daemon::workspace later opens"
)]

mod place;
mod report;

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use chrono::NaiveDate;
use clap::Args;
use serde_json::{Value, json};

use super::print;
use super::target::absolute;
use crate::config::{Home, Platform, Settings, UserConfig, WORKSPACE_FILE, load_user, load_workspace};
use crate::daemon::clock::Clock;
use crate::daemon::cycle::Request;
use crate::daemon::issue::sentence;
use crate::daemon::lock::{CycleLock, running_pid};
use crate::daemon::program::{self, quoted};
use crate::daemon::wiring::{self, How, Note, Removed};
use crate::daemon::workspace::{Folder, Workspace, tree};
use crate::daemon::{settings, takeover};
use crate::memory::level::Level;
use crate::memory::tree_folder::TreeFolder;
use place::{Made, Place, cannot_create};
pub use report::Report;
use report::removed_text;

const AFTER: &str = "\
Examples:
  hipocampusd init ~/agents/work
  hipocampusd init ~/agents/work --platform openclaw
  hipocampusd init ~/agents/work --tree hipocampus   moves the tree out of memory/
  hipocampusd init ~/agents/work --remove    as if it had never been run; logs and tree stay

What is there is left alone; what it puts into a file of yours stands between two marks. It ends with the next command.";

/// The arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct InitArgs {
    /// The folder; it is made when the folder above it is there [default: the current folder]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// claude-code, openclaw, opencode or codex [default: all that the folder gives away]
    #[arg(long, value_name = "PLATFORM")]
    platform: Option<Platform>,
    /// Where daily/, weekly/, monthly/ and ROOT.md lie; a tree that is elsewhere is moved there [default: what the
    /// configuration says; for a new workspace of OpenClaw, whose search takes in all of memory/: hipocampus]
    #[arg(long, value_name = "FOLDER", value_parser = tree_folder)]
    tree: Option<TreeFolder>,
    /// Take it all back: every file as it was where nobody edited it; logs and tree stay
    #[arg(long, conflicts_with_all = ["platform", "tree"])]
    remove: bool,
    /// Read your own configuration from FILE
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What was done, for a program
    #[arg(long)]
    json: bool,
}

fn tree_folder(text: &str) -> Result<TreeFolder, String> {
    TreeFolder::parse(text).ok_or_else(|| format!("must be {}", TreeFolder::MUST))
}

pub fn run(arguments: &InitArgs) -> Result<u8> {
    let user = load_user(arguments.config.as_deref(), &Home::from_environment())?;
    let folder = arguments.dir.clone().unwrap_or_else(|| PathBuf::from("."));
    if arguments.remove {
        let removed = remove(&folder)?;
        print::answer(arguments.json, &removed, || {
            format!("{}\n", removed_text(&folder, &removed))
        })?;
        return Ok(u8::from(removed.is_unfinished));
    }
    let today = Clock::start().now(&settings::zone(&user.defaults)).day;
    let report = init(&folder, arguments.platform, arguments.tree.as_ref(), today, &user)?;
    if arguments.json {
        print::json(&json!({
            "workspace": report.folder.display().to_string(),
            "platforms": report.platforms.iter().map(|platform| platform.as_str()).collect::<Vec<_>>(),
            "created": report.created.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "changed": report.changed,
            "found": report.found,
            "tree": report.tree,
            "moved": report.moved,
            "next": next(&folder),
        }))?;
    } else {
        print::out(&format!(
            "{report}\n{}next:\n  {}\n",
            report.advice(),
            next(&folder)
        ))?;
    }
    let warnings = user.warnings.iter().chain(&report.warnings);
    print::warnings(warnings.chain(&report.not_on_path()));
    Ok(0)
}

fn next(folder: &Path) -> String {
    let absolute = absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let environment: Vec<_> = std::env::vars_os().collect();
    format!(
        "{} service install {}",
        program::called(&environment),
        quoted(&absolute)
    )
}

/// Prepares a folder. A folder that does not exist is made, the one above it must be there.
///
/// The platform is the one given, else what the configuration says, else what the folder gives away. `today` dates
/// the empty ROOT.md. The configuration that is written spells out what people change most, with the values that
/// hold for this person (`user`), so that preparing a folder changes nothing about how it is treated.
pub fn init(
    folder: &Path,
    platform: Option<Platform>,
    tree: Option<&TreeFolder>,
    today: NaiveDate,
    user: &UserConfig,
) -> Result<Report> {
    let is_new = check_folder(folder)?;
    let config = load_workspace(folder, user)?;
    let detected = config.settings.platform;
    if let Some(platform) = platform.filter(|_| platform != detected)
        && fs::symlink_metadata(folder.join(WORKSPACE_FILE)).is_ok()
    {
        let found = detected.map_or("names no platform".to_owned(), |found| {
            format!("makes it {}", found.as_str())
        });
        bail!(
            "{} is there already and {found}: set \"platform\": \"{}\" in it and run this again",
            folder.join(WORKSPACE_FILE).display(),
            platform.as_str()
        );
    }
    let platforms = platform.map_or(config.platforms, |platform| vec![platform]);
    check_platforms(folder, &platforms)?;
    let (wanted, lies) = tree_folders(folder, tree, &platforms, &config.settings);
    let mut made = Made::default();
    if is_new {
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder)
            .with_context(|| cannot_create(folder))?;
        made.paths.push(PathBuf::from("./"));
    }
    let place = Place::open(folder)?;
    // Both are looked at before anything is made, so that a refusal leaves the folder as it was.
    place.check_inner("memory")?;
    place.check_inner(".hipocampus")?;
    for folder in [&wanted, &lies] {
        place.check_inner(folder.as_str().split('/').next().unwrap_or_default())?;
    }

    let memory = place.make_inner("memory", &mut made)?;
    let mut tree_place = memory;
    if !lies.is_memory() {
        tree_place = place.make_way(lies.as_str(), &mut made)?;
    }
    for level in Level::ALL {
        tree_place.make_folder(level.name(), &mut made)?;
    }
    place.make_folder("knowledge", &mut made)?;
    place.make_folder("plans", &mut made)?;
    let own = place.make_inner(".hipocampus", &mut made)?;
    own.make_file(".gitignore", "*\n", &mut made)?;

    for (name, text) in HOT_FILES {
        place.make_file(name, text, &mut made)?;
    }
    if platforms.contains(&Platform::OpenClaw) {
        place.make_file("MEMORY.md", MEMORY_FILE, &mut made)?;
    }
    let root = ROOT_FILE.replace("YYYY-MM-DD", &today.format("%Y-%m-%d").to_string());
    tree_place.make_file("ROOT.md", &root, &mut made)?;
    // Last, so that a folder with a configuration in it is a finished one.
    let is_configured = place.has(WORKSPACE_FILE);
    let text = config_text(&platforms, &user.defaults, &wanted);
    place.make_file(WORKSPACE_FILE, &text, &mut made)?;
    let mut report = Report {
        folder: folder.to_path_buf(),
        platforms,
        tree: wanted.as_str().to_owned(),
        warnings: config.warnings.clone(),
        ..Report::default()
    };
    // Where a file stands in the place of a folder, what could be made is made, and the daemon will say what it cannot use.
    match Workspace::open(folder, false) {
        Ok(mut workspace) => {
            if is_configured && tree.is_some() && config.settings.tree.folder != wanted.as_str() {
                let wired = wiring::configure(&mut workspace, &wanted)?;
                report.changed.extend(wired.changed);
                report.warnings.extend(wired.warnings);
            }
            move_tree(&mut workspace, &wanted, &mut report)?;
            tell(&mut workspace, &config.settings, &mut made, &mut report)?;
        }
        Err(error) => report.warnings.push(sentence(&error)),
    }
    report.created = made.paths;
    Ok(report)
}

/// Where the tree is to lie, and where it lies or is made now. A workspace of OpenClaw with no tree gets one outside of `memory/`.
fn tree_folders(
    folder: &Path,
    asked: Option<&TreeFolder>,
    platforms: &[Platform],
    settings: &Settings,
) -> (TreeFolder, TreeFolder) {
    let has = |path: &str| fs::symlink_metadata(folder.join(path)).is_ok();
    let memory = TreeFolder::default();
    let opened = Workspace::open(folder, false).ok();
    let known = opened.map(|workspace| workspace.tree().clone());
    let outside = known.filter(|known| !known.is_memory());
    let has_tree = has(&memory.root()) || Level::ALL.into_iter().any(|level| has(&memory.level(level)));
    let configured = TreeFolder::parse(&settings.tree.folder).unwrap_or_default();
    let is_open = configured.is_memory() && !has(WORKSPACE_FILE);
    let wanted = match (asked, &outside) {
        (Some(asked), _) => asked.clone(),
        // After `init --remove` the tree stays where it lies, and nothing says where it should.
        (None, Some(outside)) if is_open => outside.clone(),
        (None, None) if is_open && !has_tree && platforms.contains(&Platform::OpenClaw) => {
            TreeFolder::parse(OPENCLAW_TREE).unwrap_or_default()
        }
        _ => configured,
    };
    let lies = match outside {
        Some(outside) => outside,
        None if has_tree => memory,
        None => wanted.clone(),
    };
    (wanted, lies)
}

fn move_tree(workspace: &mut Workspace, to: &TreeFolder, report: &mut Report) -> Result<()> {
    if workspace.is_tree_settled(to)? {
        workspace.note_tree()?;
        return Ok(());
    }
    let from = workspace.tree().as_str().to_owned();
    let turn = CycleLock::wait(workspace)?;
    let kept = tree::move_tree(workspace.path(), to)?;
    drop(turn);
    *workspace = Workspace::open(workspace.path(), false)?;
    report.moved = Some(format!("{from} to {}", to.as_str()));
    let stays = kept.iter().map(|path| format!("{path} {}", tree::STAYS));
    report.warnings.extend(stays);
    Ok(())
}

/// Looks what somebody else kept here, and tells the platform of the memory.
fn tell(workspace: &mut Workspace, settings: &Settings, made: &mut Made, report: &mut Report) -> Result<()> {
    let clock = Clock::start();
    let cycle = settings::cycle(settings);
    let moment = clock.now(&settings::zone(settings)).moment();
    let request = Request::new(&cycle, moment, clock.utc());
    // The first run makes the note, whatever else there was to do.
    let is_first = !wiring::exists(workspace);
    if is_first {
        let found = takeover::look(workspace, request)?;
        report.found = found.iter().map(|line| workspace.shown(line)).collect();
    }
    let environment: Vec<_> = std::env::vars_os().collect();
    let program = program::called(&environment);
    let how = How {
        platforms: &report.platforms,
        program: &program,
        before_prompt: settings.search.before_prompt,
    };
    let wired = wiring::wire(workspace, how, note_of(made))?;
    if is_first && wiring::exists(workspace) {
        made.paths
            .push(Path::new(Folder::Own.path()).join(wiring::NOTE_NAME));
    }
    report.changed.extend(wired.changed);
    report.warnings.extend(wired.warnings);
    Ok(())
}

fn note_of(made: &Made) -> Note {
    let folders = made.paths.iter().map(|path| path.display().to_string());
    Note {
        made: made.files.clone(),
        folders: folders
            .filter_map(|path| Some(path.strip_suffix('/')?.to_owned()))
            .filter(|path| path != ".")
            .collect(),
        ..Note::default()
    }
}

/// Takes back what [`init`] did, and says so.
pub fn remove(folder: &Path) -> Result<Removed> {
    let mut workspace = Workspace::open(folder, false).with_context(|| {
        format!(
            "{} is no workspace: there is nothing to take back",
            folder.display()
        )
    })?;
    if let Some(pid) = running_pid(&workspace) {
        bail!("process {pid} serves {}: stop it first", folder.display());
    }
    Ok(wiring::remove(&mut workspace)?)
}

const HOT_FILES: [(&str, &str); 3] = [
    (
        "SCRATCHPAD.md",
        include_str!("../../config/templates/SCRATCHPAD.md"),
    ),
    ("WORKING.md", include_str!("../../config/templates/WORKING.md")),
    (
        "TASK-QUEUE.md",
        include_str!("../../config/templates/TASK-QUEUE.md"),
    ),
];

/// Where a new workspace of OpenClaw has its tree: its search takes in all of `memory/`.
const OPENCLAW_TREE: &str = "hipocampus";
/// Headings only: whatever else it said, OpenClaw's search would find in place of the logs.
const MEMORY_FILE: &str = include_str!("../../config/templates/MEMORY.md");

/// An empty ROOT, headings only: agents' imports of it resolve, and no line of it could be taken for somebody's.
const ROOT_FILE: &str = include_str!("../../config/templates/ROOT.md");

fn check_platforms(folder: &Path, platforms: &[Platform]) -> Result<()> {
    let has = |name: &str| fs::symlink_metadata(folder.join(name)).is_ok();
    let shown = folder.display();
    if platforms.is_empty() && has("AGENTS.md") && !has(WORKSPACE_FILE) {
        bail!(
            "AGENTS.md in {shown} is read by several platforms: name yours with --platform openclaw, opencode or codex"
        );
    }
    // For OpenClaw `memory/` and `MEMORY.md` are the signs that its first conversation is over, and it makes no file that is there.
    let is_begun = has("memory") || has("MEMORY.md");
    if platforms.contains(&Platform::OpenClaw) && !is_begun {
        if !(has("AGENTS.md") && has("SOUL.md")) {
            bail!(
                "OpenClaw has not set up {shown} yet: run `openclaw setup` and have the first conversation, then run this again"
            );
        }
        if has("BOOTSTRAP.md") {
            bail!(
                "OpenClaw's first conversation in {shown} is still to come (BOOTSTRAP.md is there): have it, then run this again"
            );
        }
    }
    Ok(())
}

/// Whether the folder is still to be made.
fn check_folder(folder: &Path) -> Result<bool> {
    let shown = folder.display();
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(false),
        Ok(_) => bail!("{shown} is not a folder: name the folder to prepare"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = folder
                .parent()
                .filter(|above| !above.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            if fs::symlink_metadata(folder).is_ok() {
                bail!("{shown} is a link to nothing: remove it or create what it points to");
            } else if !above.is_dir() {
                bail!("{shown} cannot be created: create {} first", above.display());
            }
            Ok(true)
        }
        Err(error) => Err(error).with_context(|| format!("cannot look at {shown}: see that this user may")),
    }
}

fn config_text(platforms: &[Platform], defaults: &Settings, tree: &TreeFolder) -> String {
    let hours = defaults.compaction.cooldown_hours;
    // 3 and not 3.0, as a person would write it.
    let hours = if hours.fract() == 0.0 {
        json!(hours as u64)
    } else {
        json!(hours)
    };
    // Of several each is found by its mark.
    let platform = match platforms {
        [platform] => Some(*platform),
        _ => None,
    };
    let mut config = json!({
        "platform": platform.map(Platform::as_str),
        "search": { "vector": defaults.search.vector },
        "compaction": { "rootMaxTokens": defaults.compaction.root_max_tokens, "cooldownHours": hours },
    });
    if let Value::Object(members) = &mut config {
        if platform.is_none() {
            members.shift_remove("platform");
        }
        if tree.as_str() != defaults.tree.folder {
            members.insert("tree".to_owned(), json!({ "folder": tree.as_str() }));
        }
    }
    format!("{config:#}\n")
}

#[cfg(test)]
mod tests;
