//! `hipocampusd init`: makes a folder a workspace (SPEC sections 2 and 13) by adding what is missing and touching
//! nothing that is there, whatever it is.
//!
//! Memory is personal, so folders are made 0700 and files 0600.
#![expect(clippy::disallowed_methods, reason = "no workspace is there yet")]

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::print::{self, count};
use super::status::subjects;
use super::target::absolute;
use super::variables;
use crate::config::{Home, Platform, Settings, UserConfig, WORKSPACE_FILE, load_user, load_workspace};
use crate::daemon::clock::Clock;
use crate::daemon::cycle::Request;
use crate::daemon::issue::{escaped, sentence};
use crate::daemon::lock::{CycleLock, running_pid};
use crate::daemon::program::{self, quoted};
use crate::daemon::wiring::{self, How, Note, NotedFile, Wired};
use crate::daemon::workspace::{Expected, Folder, Workspace, tree};
use crate::daemon::{health, root_file, settings, takeover};
use crate::memory::calendar::Day;
use crate::memory::level::Level;
use crate::memory::node::Hash;
use crate::memory::tokens;
use crate::memory::tree_folder::TreeFolder;

const AFTER: &str = "\
Examples:
  hipocampusd init ~/agents/work
  hipocampusd init ~/agents/work --platform openclaw
  hipocampusd init ~/agents/work --tree hipocampus   moves the tree out of memory/
  hipocampusd init ~/agents/work --remove    as if it had never been run; logs and tree stay

What is there is left alone; what it puts into a file of yours stands between two marks. It ends with the next command.";

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
        let shown = folder.display();
        let mut workspace = Workspace::open(&folder, false)
            .with_context(|| format!("{shown} is no workspace: there is nothing to take back"))?;
        if let Some(pid) = running_pid(&workspace) {
            bail!("process {pid} serves {shown}: stop it first");
        }
        let removed = wiring::remove(&mut workspace)?;
        let text = || {
            format!(
                "took hipocampusd out of {shown}{}{}{}\nWhat somebody wrote stays: raw logs, nodes, and whatever is in knowledge/ and plans/.\n",
                headed("brought back", &removed.restored),
                headed("removed", &removed.removed),
                headed("kept", &removed.kept)
            )
        };
        print::answer(arguments.json, &removed, text)?;
        return Ok(u8::from(removed.is_unfinished));
    }
    let today = Clock::start().now(&settings::zone(&user.defaults)).moment.day;
    let report = init(&folder, arguments.platform, arguments.tree.as_ref(), today, &user)?;
    let text = || format!("{report}\n{}next:\n  {}\n", report.advice(), report.next);
    print::answer(arguments.json, &report, text)?;
    print::warnings(user.warnings.iter().chain(&report.all_warnings()));
    Ok(0)
}

/// The platform is the one given, else what the configuration says, else what the folder gives away. The configuration that is written
/// spells out what people change most, with the values of this person, so that preparing a folder changes nothing about how it is treated.
pub fn init(
    folder: &Path,
    platform: Option<Platform>,
    tree: Option<&TreeFolder>,
    today: Day,
    user: &UserConfig,
) -> Result<Report> {
    let is_new = is_missing(folder)?;
    let config = load_workspace(folder, user)?;
    let detected = config.settings.platform;
    if let Some(platform) = platform.filter(|_| platform != detected && has(folder, WORKSPACE_FILE)) {
        let path = folder.join(WORKSPACE_FILE);
        let path = path.display();
        let found = detected.map_or("names no platform".to_owned(), |found| format!("makes it {found}"));
        bail!(
            "{path} is there already and {found}: set \"platform\": \"{platform}\" in it and run this again"
        );
    }
    let platforms = platform.map_or(config.platforms, |platform| vec![platform]);
    check_platforms(folder, &platforms)?;
    let (wanted, lies) = tree_folders(folder, tree, &platforms, &config.settings);
    if is_new {
        let made = fs::DirBuilder::new().mode(0o700).create(folder);
        made.with_context(|| cannot_create(folder))?;
    }
    let workspace = Workspace::begin(folder, lies.clone())?;
    // All are looked at before anything is made, so that a refusal leaves the folder as it was.
    for path in ["memory", ".hipocampus", wanted.as_str(), lies.as_str()] {
        if let Err(error) = workspace.open_way(path, false)
            && !error.is_missing()
        {
            return Err(error.into());
        }
    }
    let mut place = Place { workspace, note: Note::default() };
    place.folder("memory")?;
    for level in Level::ALL {
        place.folder(&lies.level(level))?;
    }
    place.folder("knowledge")?;
    place.folder("plans")?;
    place.file(Folder::Own, ".gitignore", "*\n")?;
    for (name, text) in [SCRATCHPAD, WORKING, TASK_QUEUE] {
        place.file(Folder::Workspace, name, text)?;
    }
    if platforms.contains(&Platform::OpenClaw) {
        place.file(Folder::Workspace, "MEMORY.md", MEMORY_FILE)?;
    }
    let root = ROOT_FILE.replace("YYYY-MM-DD", &today.to_string());
    place.file(Folder::Tree, root_file::NAME, &root)?;
    // Last, so that a folder with a configuration in it is a finished one.
    let is_configured = has(folder, WORKSPACE_FILE);
    let config_text = config_text(&platforms, &user.defaults, &wanted);
    place.file(Folder::Workspace, WORKSPACE_FILE, &config_text)?;
    let mut report = Report::new(folder, platforms, &wanted);
    report.created = place.made();
    if is_new {
        report.created.insert(0, "./".to_owned());
    }
    report.warnings = config.warnings;
    // Where a file stands in the place of a folder, what could be made is made, and the daemon will say what it cannot use.
    match Workspace::open(folder, false) {
        Ok(mut workspace) => {
            if is_configured && tree.is_some() && config.settings.tree.folder != wanted.as_str() {
                report.add(wiring::configure(&mut workspace, &wanted)?);
            }
            move_tree(&mut workspace, &wanted, &mut report)?;
            tell(&mut workspace, &config.settings, place.note, &mut report)?;
        }
        Err(error) => report.warnings.push(sentence(&error)),
    }
    Ok(report)
}

/// Where the tree is to lie, and where it lies or is made now. A workspace of OpenClaw with no tree gets one outside of `memory/`.
fn tree_folders(
    folder: &Path,
    asked: Option<&TreeFolder>,
    platforms: &[Platform],
    settings: &Settings,
) -> (TreeFolder, TreeFolder) {
    let memory = TreeFolder::default();
    let has_level = |level| has(folder, &memory.level(level));
    let has_tree = has(folder, &memory.root()) || Level::ALL.into_iter().any(has_level);
    let known = Workspace::open(folder, false).ok().map(|workspace| workspace.tree().clone());
    let standing = known.filter(|known| !known.is_memory()).or(has_tree.then_some(memory));
    let configured = TreeFolder::parse(&settings.tree.folder).unwrap_or_default();
    let is_open = configured.is_memory() && !has(folder, WORKSPACE_FILE);
    let wanted = match (asked, &standing) {
        (Some(asked), _) => asked.clone(),
        // After `init --remove` the tree stays where it lies, and nothing says where it should.
        (None, Some(standing)) if is_open => standing.clone(),
        (None, None) if is_open && platforms.contains(&Platform::OpenClaw) => {
            TreeFolder::parse(OPENCLAW_TREE).unwrap_or_default()
        }
        _ => configured,
    };
    let lies = standing.unwrap_or_else(|| wanted.clone());
    (wanted, lies)
}

fn move_tree(workspace: &mut Workspace, to: &TreeFolder, report: &mut Report) -> Result<()> {
    if workspace.is_tree_settled(to)? {
        return Ok(workspace.note_tree()?);
    }
    let from = workspace.tree().as_str().to_owned();
    let turn = CycleLock::wait(workspace)?;
    let kept = tree::move_tree(workspace.path(), to)?;
    drop(turn);
    *workspace = Workspace::open(workspace.path(), false)?;
    report.moved = Some(format!("{from} to {}", to.as_str()));
    report
        .warnings
        .extend(kept.iter().map(|path| format!("{path} {}", tree::STAYS)));
    Ok(())
}

fn tell(workspace: &mut Workspace, settings: &Settings, made: Note, report: &mut Report) -> Result<()> {
    // The first run makes the note, whatever else there was to do.
    let is_first = !wiring::exists(workspace);
    if is_first {
        let clock = Clock::start();
        let cycle = settings::cycle(settings);
        let moment = clock.now(&settings::zone(settings)).moment;
        let found = takeover::look(workspace, Request::new(&cycle, moment, clock.utc()))?;
        report.found = found.iter().map(|line| workspace.shown(line)).collect();
    }
    let program = program::called(&variables());
    let how = How {
        platforms: &report.platforms,
        program: &program,
        before_prompt: settings.search.before_prompt,
    };
    let wired = wiring::wire(workspace, how, made)?;
    if is_first && wiring::exists(workspace) {
        report.created.push(Folder::Own.file(wiring::NOTE_NAME));
    }
    report.add(wired);
    Ok(())
}

pub(super) const SCRATCHPAD: (&str, &str) =
    ("SCRATCHPAD.md", include_str!("../../config/templates/SCRATCHPAD.md"));
pub(super) const WORKING: (&str, &str) = ("WORKING.md", include_str!("../../config/templates/WORKING.md"));
const TASK_QUEUE: (&str, &str) = ("TASK-QUEUE.md", include_str!("../../config/templates/TASK-QUEUE.md"));
/// What `init` makes beside `memory/` that is about a person, and in a repository is not for others.
const PERSONAL: [&str; 5] = ["knowledge/", "plans/", SCRATCHPAD.0, WORKING.0, TASK_QUEUE.0];

/// Where a new workspace of OpenClaw has its tree: its search takes in all of `memory/`.
const OPENCLAW_TREE: &str = "hipocampus";
/// Headings only: whatever else it said, OpenClaw's search would find in place of the logs.
const MEMORY_FILE: &str = include_str!("../../config/templates/MEMORY.md");

/// An empty ROOT, headings only: agents' imports of it resolve, and no line of it could be taken for somebody's.
const ROOT_FILE: &str = include_str!("../../config/templates/ROOT.md");

fn check_platforms(folder: &Path, platforms: &[Platform]) -> Result<()> {
    let has = |name| has(folder, name);
    let shown = folder.display();
    ensure!(
        !platforms.is_empty() || !has("AGENTS.md") || has(WORKSPACE_FILE),
        "AGENTS.md in {shown} is read by several platforms: name yours with --platform openclaw, opencode or codex"
    );
    // For OpenClaw `memory/` and `MEMORY.md` are the signs that its first conversation is over, and it makes no file that is there.
    if !platforms.contains(&Platform::OpenClaw) || has("memory") || has("MEMORY.md") {
        return Ok(());
    }
    ensure!(
        has("AGENTS.md") && has("SOUL.md"),
        "OpenClaw has not set up {shown} yet: run `openclaw setup` and have the first conversation, then run this again"
    );
    ensure!(
        !has("BOOTSTRAP.md"),
        "OpenClaw's first conversation in {shown} is still to come (BOOTSTRAP.md is there): have it, then run this again"
    );
    Ok(())
}

fn is_missing(folder: &Path) -> Result<bool> {
    let shown = folder.display();
    let standing = fs::symlink_metadata(folder);
    if standing.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        let whole = std::path::absolute(folder)?;
        let above = whole.parent().unwrap_or(&whole);
        ensure!(above.is_dir(), "{shown} cannot be created: create {} first", above.display());
        return Ok(true);
    }
    ensure!(folder.is_dir(), "{shown} is not a folder: name the folder to prepare");
    Ok(false)
}

fn config_text(platforms: &[Platform], defaults: &Settings, tree: &TreeFolder) -> String {
    let mut config = json!({});
    // Of several each is found by its mark.
    if let [platform] = platforms {
        config["platform"] = json!(platform);
    }
    let hours = defaults.compaction.cooldown_hours;
    config["search"] = json!({ "vector": defaults.search.vector });
    config["compaction"] = json!({
        "rootMaxTokens": defaults.compaction.root_max_tokens,
        // 3 and not 3.0, as a person would write it.
        "cooldownHours": if hours.fract() == 0.0 { json!(hours as u64) } else { json!(hours) },
    });
    if tree.as_str() != defaults.tree.folder {
        config["tree"] = json!({ "folder": tree });
    }
    format!("{config:#}\n")
}

#[derive(Debug, Default, Serialize)]
pub struct Report {
    #[serde(rename = "workspace")]
    folder: String,
    /// The platforms it was prepared for; none when nobody named one and nothing gave it away.
    pub platforms: Vec<Platform>,
    /// Relative to the workspace, in the order of creation; folders end in a slash, and the workspace itself is `./`.
    pub created: Vec<String>,
    changed: Vec<String>,
    /// What somebody else kept here until now, in sentences; said the first time only.
    found: Vec<String>,
    tree: String,
    moved: Option<String>,
    next: String,
    /// What has no effect in a configuration file that was there already, and what could not be changed.
    #[serde(skip)]
    pub warnings: Vec<String>,
    #[serde(skip)]
    path: PathBuf,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = escaped(&self.folder);
        if self.created.is_empty() && self.changed.is_empty() && self.moved.is_none() {
            return write!(out, "nothing to do: {folder} is prepared already");
        }
        let names: Vec<&str> = self.platforms.iter().map(|platform| platform.name()).collect();
        let of = if names.is_empty() { "" } else { " for " };
        let created = self.created.iter().map(|path| format!("\n  {}", escaped(path)));
        let created: String = created.collect();
        write!(out, "prepared {folder}{of}{}:{created}", names.join(", "))?;
        out.write_str(&print::part("\nmoved the tree from ", self.moved.as_ref(), ""))?;
        if names.is_empty() {
            out.write_str(
                "\nno agent is told: nothing in the folder says which program uses it; name it with --platform",
            )?;
        }
        if self.changed.iter().any(|path| path == ".codex/hooks.json") {
            out.write_str(
                "\nCodex runs the hooks in .codex/hooks.json after you have reviewed them once: it asks",
            )?;
        }
        out.write_str(&headed("told the agents of it in", &self.changed))?;
        out.write_str(&headed("found and taken over", &self.found))
    }
}

fn headed(heading: &str, lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        lines => format!("\n{heading}:\n  {}", lines.join("\n  ")),
    }
}

impl Report {
    fn new(folder: &Path, platforms: Vec<Platform>, tree: &TreeFolder) -> Self {
        let path = absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let program = program::called(&variables());
        Self {
            folder: folder.display().to_string(),
            platforms,
            tree: tree.as_str().to_owned(),
            next: format!("{program} service install {}", quoted(&path)),
            path,
            ..Self::default()
        }
    }

    fn add(&mut self, wired: Wired) {
        self.changed.extend(wired.changed);
        self.warnings.extend(wired.warnings);
    }

    pub fn advice(&self) -> String {
        let mut out = String::new();
        let (folder, root_path) = (&self.path, format!("{}/{}", self.tree, root_file::NAME));
        let standing = Workspace::open(folder, false).and_then(|workspace| root_file::read(&workspace));
        let text = standing.map_or_else(|_| String::new(), |standing| standing.text);
        if text.contains("\n- ") {
            let root = quoted(&folder.join(&root_path));
            let (subjects, tokens) = (subjects(&text), tokens::count(&text));
            let (subjects, tokens) = (count(subjects, "subject"), count(tokens, "token"));
            out += &format!("{root_path}: {subjects}, {tokens}: less {root}\n");
        } else if !self.created.is_empty() && self.found.is_empty() {
            out += &format!("what agents write into memory/YYYY-MM-DD.md goes into {root_path}\n");
        }
        if self.platforms.contains(&Platform::OpenClaw) {
            if self.tree == "memory" {
                let folder = quoted(folder);
                out += &format!(
                    "OpenClaw's memory_search takes in the tree in memory/, and finds it before the logs; to move it: hipocampusd init {folder} --tree hipocampus\n"
                );
            }
            out += OPENCLAW_PLUGIN;
            return out;
        }
        let tree = format!("{}/", self.tree);
        let is_personal =
            |path: &&String| PERSONAL.contains(&path.as_str()) || **path == tree && tree != "memory/";
        let personal = self.created.iter().filter(is_personal);
        let personal: String = personal.map(|path| format!("  /{path}\n")).collect();
        if !personal.is_empty() && folder.join(".git").exists() {
            let what = "this is a Git repository; to keep the memory out of it, put into .gitignore:";
            out += &format!("{what}\n  /memory/\n{personal}");
        }
        out
    }

    /// The warnings, and what to do where agents do not find the program by its name.
    pub fn all_warnings(&self) -> Vec<String> {
        let check = health::on_path(program::NAME, &variables());
        let remedy = check.remedy.filter(|_| !self.changed.is_empty());
        let not_found = remedy.map(|remedy| format!("{}: {remedy}", check.found));
        self.warnings.iter().cloned().chain(not_found).collect()
    }
}

/// Folders and files that are made: each where nothing stands, and what stands there stays, whatever it is.
struct Place {
    workspace: Workspace,
    /// What was made.
    note: Note,
}

fn cannot_create(path: &Path) -> String {
    let path = path.display();
    format!("cannot create {path}: see that this user may write there and that there is room")
}

fn has(folder: &Path, path: &str) -> bool {
    fs::symlink_metadata(folder.join(path)).is_ok()
}

impl Place {
    fn made(&self) -> Vec<String> {
        let folders = self.note.folders.iter().map(|folder| format!("{folder}/"));
        let files = self.note.files.iter().map(|file| file.path.clone());
        folders.chain(files).collect()
    }

    fn folder(&mut self, path: &str) -> Result<()> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        for part in ends.map(|end| &path[..end]) {
            if !has(self.workspace.path(), part) {
                let made = self.workspace.open_way(part, true);
                made.with_context(|| cannot_create(&self.workspace.path().join(part)))?;
                self.note.folders.push(part.to_owned());
            }
        }
        Ok(())
    }

    fn file(&mut self, folder: Folder, name: &str, text: &str) -> Result<()> {
        let path = self.workspace.shown(&folder.file(name));
        if has(self.workspace.path(), &path) {
            return Ok(());
        }
        if let Some((folder, _)) = path.rsplit_once('/') {
            self.folder(folder)?;
        }
        let (bytes, absent) = (text.as_bytes(), Expected::Absent);
        let opened = self.workspace.open_folder(folder, false);
        let made = opened.and_then(|_| self.workspace.replace_expected(folder, name, bytes, 0o600, absent));
        // The cycle of a daemon may have made it at the same moment; then it is not ours.
        if made.is_err() && has(self.workspace.path(), &path) {
            return Ok(());
        }
        made.with_context(|| cannot_create(&self.workspace.file_path(folder, name)))?;
        let after = Some(Hash::of_bytes(text));
        self.note.files.push(NotedFile { path, before: None, after });
        Ok(())
    }
}

/// OpenClaw has no hooks in a workspace: what runs before a prompt there is a plugin, which the person has to accept.
const OPENCLAW_PLUGIN: &str = "to recall before each prompt, OpenClaw needs the plugin of hipocampusd: see \"The plugin\" in docs/openclaw.md\n";

#[cfg(test)]
mod tests;
