//! Which workspace a command is about, and the rules that hold there: what nearly all commands share.

use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use chrono::{DateTime, Utc};
use clap::Args;

use super::print::{self, few};
use super::variables;
use crate::config::{self, ConfigError, Home, Platform, Settings, UserConfig, WorkspaceConfig};
use crate::daemon::clock::{Clock, Zone};
use crate::daemon::cycle::{self, CycleSettings, Request};
use crate::daemon::due::{self, Standing};
use crate::daemon::lock::{CycleLock, LockError};
use crate::daemon::scan::{self, Listing, Scan};
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::daemon::{cache, qmd, sessions, settings};
use crate::memory::calendar::{Day, Moment};
use crate::memory::plan::Extent;

/// A message names so many workspaces.
const NAMED_MAX: usize = 5;

/// Where `--json` stands in the help: last, before `--help`, which clap has at 999.
const LAST: usize = 900;

/// Which workspace a command is about, as of when, and how it answers.
#[derive(Debug, Clone, Default, Args)]
pub struct PlaceArgs {
    /// The workspace [default: the one around the current folder]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Read your own configuration from FILE
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Act as at the end of DATE, such as 2026-03-31
    #[arg(long, value_name = "DATE")]
    pub today: Option<Day>,
    /// The same as JSON, for a program
    #[arg(long, display_order = LAST)]
    pub json: bool,
}

/// The same for commands that take no other words behind their own.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The workspace: the folder that has memory/ in it [default: the one around the current folder]
    #[arg(value_name = "DIR", conflicts_with = "dir")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    others: PlaceArgs,
}

impl TargetArgs {
    pub fn place(&self) -> PlaceArgs {
        let dir = self.folder.clone().or_else(|| self.others.dir.clone());
        PlaceArgs { dir, ..self.others.clone() }
    }

    pub fn json(&self) -> bool {
        self.others.json
    }
}

impl PlaceArgs {
    pub fn about(&self, folder: PathBuf) -> Self {
        Self { dir: Some(folder), ..self.clone() }
    }

    fn user(&self) -> Result<UserConfig, ConfigError> {
        config::load_user(self.config.as_deref(), &Home::from_environment())
    }

    /// The workspaces of the configuration, where a command is about no one of them: none is named, and the current folder is not in one.
    pub fn many(&self) -> Result<Vec<PathBuf>> {
        if self.dir.is_some() || config::workspace_around(&current()?).is_some() {
            return Ok(Vec::new());
        }
        Ok(configured(&self.user()?))
    }

    /// What is found out `of` each of many workspaces. Where that fails, a note says why.
    pub fn each<T>(&self, folders: &[PathBuf], failed: &str, of: impl Fn(&Self) -> Result<T>) -> Vec<T> {
        let one = |folder: &PathBuf| {
            let shown = folder.display();
            let say = |error: &anyhow::Error| print::note(&format!("{shown}{failed}: {error:#}"));
            of(&self.about(folder.clone())).inspect_err(say).ok()
        };
        folders.iter().filter_map(one).collect()
    }
}

#[derive(Debug)]
pub struct Target {
    pub workspace: Workspace,
    pub cycle: CycleSettings,
    pub settings: Settings,
    pub platforms: Vec<Platform>,
    pub user: UserConfig,
    pub warnings: Vec<String>,
    pub now: DateTime<Utc>,
    /// The date and how late it is: now in the workspace's zone, or the end of `--today`.
    pub moment: Moment,
}

impl Target {
    pub fn request(&self) -> Request<'_> {
        Request::new(&self.cycle, self.moment, self.now)
    }

    pub fn name(&self) -> String {
        self.workspace.path().display().to_string()
    }

    pub fn zone(&self) -> Zone {
        settings::zone(&self.settings)
    }

    /// Takes its turn at the workspace, and says so where a cycle is to be waited for.
    pub fn turn(&self) -> Result<CycleLock, LockError> {
        if let Some(turn) = CycleLock::try_take(&self.workspace)? {
            return Ok(turn);
        }
        print::note("waiting for the cycle that is under way here");
        CycleLock::wait(&self.workspace)
    }

    /// What is there; with `keep`, what is new of the logs is in the vault afterwards.
    pub fn look(&self, keep: bool) -> Result<Scan> {
        let scan = cycle::look(&self.workspace, self.request(), cache::load(&self.workspace), keep);
        scan.with_context(|| format!("cannot look at {}", self.name()))
    }

    pub fn standing(&self, extent: Extent) -> Result<Standing> {
        let mut request = self.request();
        request.extent = extent;
        let standing = due::look(&self.workspace, request, self.settings.compaction.cooldown_hours);
        standing.with_context(|| format!("cannot look at {}", self.name()))
    }

    pub fn list(&self, session_files: bool) -> Result<Listing, FileError> {
        scan::list(&self.workspace, session_files, self.now)
    }

    /// The day on which the last session began.
    pub fn session_day(&self) -> Day {
        sessions::day(&self.workspace, "", self.moment.day, self.now)
    }

    pub fn qmd(&self) -> qmd::Settings {
        settings::qmd(&self.user, &self.settings, &variables())
    }

    /// Finds the workspace and reads its configuration. Missing folders of nodes are made when `make` is set.
    pub fn find(arguments: &PlaceArgs, make: bool) -> Result<Self> {
        let user = arguments.user()?;
        // A misspelt `workspaces` may be why none is found.
        let workspace = open(arguments, make).inspect_err(|_| print::warnings(&user.warnings))?;
        let config = config::load_workspace(workspace.path(), &user)?;
        Ok(Self::with(arguments, workspace, user, config))
    }

    /// The workspace that is meant, or `all` of the configuration that can be used.
    pub fn meant(arguments: &PlaceArgs, all: bool) -> Result<Vec<Self>> {
        if !all {
            return Ok(vec![Self::find(arguments, false)?]);
        }
        let folders = configured(&arguments.user()?);
        let targets = arguments.each(&folders, " is left out", |one| Self::find(one, false));
        ensure!(
            !targets.is_empty(),
            "your configuration names no workspace that can be used: add or repair one in its field `workspaces`"
        );
        Ok(targets)
    }

    /// Finds the workspace whatever its configuration is like: defaults stand in for what cannot be used, which is handed back.
    pub fn examine(arguments: &PlaceArgs) -> Result<(Self, Vec<ConfigError>)> {
        let workspace = open(arguments, false)?;
        let mut unusable = Vec::new();
        let user = arguments.user().unwrap_or_else(|error| {
            unusable.push(error);
            UserConfig::default()
        });
        let config = config::load_workspace(workspace.path(), &user).unwrap_or_else(|error| {
            unusable.push(error);
            WorkspaceConfig::of(&user).detected_in(workspace.path())
        });
        Ok((Self::with(arguments, workspace, user, config), unusable))
    }

    fn with(arguments: &PlaceArgs, workspace: Workspace, user: UserConfig, config: WorkspaceConfig) -> Self {
        let settings = config.settings;
        let warnings = [user.warnings.clone(), config.warnings].concat();
        let now = Clock::start().now(&settings::zone(&settings));
        let moment = arguments.today.map_or(now.moment, Moment::end_of);
        Self {
            workspace,
            cycle: settings::cycle(&settings),
            settings,
            platforms: config.platforms,
            user,
            warnings,
            now: now.wall,
            moment,
        }
    }
}

/// Where a folder is from the root folder, as others are to know it: no `..` in it, for a link before that may lead elsewhere.
pub(super) fn absolute(folder: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(folder)?;
    if absolute.components().any(|part| part == Component::ParentDir) {
        return absolute.canonicalize();
    }
    Ok(absolute.components().collect())
}

fn current() -> Result<PathBuf> {
    std::path::absolute(".").context("cannot find the current folder")
}

pub(super) fn configured(user: &UserConfig) -> Vec<PathBuf> {
    config::expand_workspaces(&user.workspaces, Home::from_environment().folder.as_deref()).folders
}

/// Opens the workspace: the one that is named, or the one around the current folder.
fn open(arguments: &PlaceArgs, make: bool) -> Result<Workspace> {
    let folder = match &arguments.dir {
        Some(given) => {
            std::path::absolute(given).with_context(|| format!("cannot find {}", given.display()))?
        }
        None => {
            let here = current()?;
            config::workspace_around(&here).unwrap_or(here)
        }
    };
    let opened = Workspace::open(&folder, make);
    opened.map_err(|error| if error.is_missing() { missing(&folder, arguments) } else { error.into() })
}

/// That a folder is no workspace, and how to make it one, but never inside another.
fn missing(folder: &Path, arguments: &PlaceArgs) -> anyhow::Error {
    let what = match folder.is_dir() {
        true => format!("{} has no {}/ folder", folder.display(), Folder::Memory.path()),
        false => format!("{} is not there", folder.display()),
    };
    if let Some(around) = config::workspace_around(folder) {
        return anyhow!("{what}: the workspace around it is {}", around.display());
    }
    let known = configured(&arguments.user().unwrap_or_default());
    let known: Vec<String> = known.iter().map(|folder| folder.display().to_string()).collect();
    let named = match known.is_empty() {
        true => String::new(),
        false => format!("name one of your workspaces, {}, or ", few(&known, NAMED_MAX)),
    };
    // Where somebody happens to be, such as the home folder, is no folder of an agent's yet.
    let (given, it) = match &arguments.dir {
        Some(given) => (given.display().to_string(), "it"),
        None => ("DIR".to_owned(), "a folder"),
    };
    anyhow!("{what}: {named}run `hipocampusd init {given}` to make {it} a workspace")
}
