//! Which workspace a command is about, and the rules that hold there: what nearly all commands share.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use chrono::{DateTime, Utc};
use clap::Args;

use super::print;
use crate::config::{self, ConfigError, Home, Settings, UserConfig, WorkspaceConfig};
use crate::daemon::clock::Clock;
use crate::daemon::cycle::{CycleSettings, Request, UNSTOPPED};
use crate::daemon::scan::{self, Listing};
use crate::daemon::sessions;
use crate::daemon::settings;
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::{Day, Moment};
use crate::memory::plan::Extent;

/// The arguments that name a workspace.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The workspace: the folder that has memory/ in it [default: the current folder]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Read your own configuration from FILE
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Act as at the end of DATE, such as 2026-03-31
    #[arg(long, value_name = "DATE")]
    pub today: Option<Day>,
}

/// The same for commands whose first word is something else.
#[derive(Debug, Clone, Args)]
pub struct InDirArgs {
    /// The workspace [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Read your own configuration from FILE
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Act as at the end of DATE, such as 2026-03-31
    #[arg(long, value_name = "DATE")]
    pub today: Option<Day>,
}

impl InDirArgs {
    /// What [`Target::find`] wants.
    pub fn target(&self) -> TargetArgs {
        TargetArgs {
            dir: self.dir.clone(),
            config: self.config.clone(),
            today: self.today,
        }
    }
}

/// A workspace, opened, and its rules.
#[derive(Debug)]
pub struct Target {
    /// The folder.
    pub workspace: Workspace,
    /// What a cycle there follows.
    pub cycle: CycleSettings,
    /// All settings of the workspace.
    pub settings: Settings,
    /// The user's own configuration.
    pub user: UserConfig,
    /// What in the configuration has no effect, in words.
    pub warnings: Vec<String>,
    /// The wall clock.
    pub now: DateTime<Utc>,
    /// The date and how late it is: now in the workspace's zone, or the end of `--today`.
    pub moment: Moment,
}

impl Target {
    /// A look at everything, or a run over it.
    pub fn request(&self) -> Request<'_> {
        Request {
            settings: &self.cycle,
            moment: self.moment,
            now: self.now,
            extent: Extent::All,
            stop: &UNSTOPPED,
        }
    }

    /// What the folders hold, with session files or without.
    ///
    /// # Errors
    /// A folder cannot be listed.
    pub fn list(&self, session_files: bool) -> Result<Listing, FileError> {
        scan::list(&self.workspace, session_files, self.nanoseconds())
    }

    /// The date under which the entries of a session go.
    pub fn session_day(&self, session: &str) -> Day {
        sessions::day(&self.workspace, session, self.moment.day, self.now)
    }

    /// The wall clock in nanoseconds since 1970.
    pub fn nanoseconds(&self) -> i64 {
        self.now.timestamp_nanos_opt().unwrap_or(i64::MAX)
    }

    /// Finds the workspace and reads its configuration. Missing folders of nodes are made when `make` is set.
    ///
    /// # Errors
    /// The folder is no workspace or cannot be opened; a configuration cannot be used.
    pub fn find(arguments: &TargetArgs, make: bool) -> Result<Self> {
        let user = config::load_user(arguments.config.as_deref(), &Home::from_environment())?;
        // A misspelt `workspaces` may be why none is found.
        let say = |_: &anyhow::Error| {
            for warning in &user.warnings {
                print::note(&format!("warning: {warning}"));
            }
        };
        let workspace = open(arguments, make).inspect_err(say)?;
        let config = config::load_workspace(workspace.path(), &user)?;
        Ok(Self::with(arguments, workspace, user, config))
    }

    /// Finds the workspace whatever its configuration is like: what cannot be used of it is handed back, and the defaults stand
    /// in its place.
    ///
    /// # Errors
    /// The folder is no workspace or cannot be opened.
    pub fn examine(arguments: &TargetArgs) -> Result<(Self, Vec<ConfigError>)> {
        let workspace = open(arguments, false)?;
        let mut unusable = Vec::new();
        let user = config::load_user(arguments.config.as_deref(), &Home::from_environment());
        let user = user.unwrap_or_else(|error| {
            unusable.push(error);
            UserConfig::default()
        });
        let config = config::load_workspace(workspace.path(), &user).unwrap_or_else(|error| {
            unusable.push(error);
            WorkspaceConfig {
                settings: user.defaults.clone(),
                platforms: Vec::new(),
                warnings: Vec::new(),
            }
        });
        Ok((Self::with(arguments, workspace, user, config), unusable))
    }

    fn with(arguments: &TargetArgs, workspace: Workspace, user: UserConfig, config: WorkspaceConfig) -> Self {
        let settings = config.settings;
        let warnings: Vec<String> = user
            .warnings
            .iter()
            .chain(&config.warnings)
            .map(ToString::to_string)
            .collect();
        let now = Clock::start().now(&settings::zone(&settings));
        let moment = arguments
            .today
            .map_or_else(|| settings::moment(now), Moment::end_of);
        Self {
            workspace,
            cycle: settings::cycle(&settings),
            settings,
            user,
            warnings,
            now: now.wall,
            moment,
        }
    }
}

/// Opens the workspace; a folder that is none says how to make it one.
fn open(arguments: &TargetArgs, make: bool) -> Result<Workspace> {
    let given = arguments.dir.as_deref().unwrap_or(Path::new("."));
    let folder = std::path::absolute(given).with_context(|| format!("cannot find {}", given.display()))?;
    Workspace::open(&folder, make).map_err(|error| {
        if !error.is_missing() {
            return anyhow!(error);
        }
        let what = if folder.is_dir() {
            format!("has no {}/ folder", Folder::Memory.path())
        } else {
            "is not there".to_owned()
        };
        anyhow!(
            "{} {what}: run `hipocampusd init {}` to make it a workspace",
            folder.display(),
            given.display()
        )
    })
}
