//! Which workspaces are served: who is taken on, who is let go, and which configuration each one runs with.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use tokio::time::sleep;

use super::open_issues::Source;
use super::runner::WorkspaceRunner;
use super::{RELOAD_AFTER, Refusals, Service};
use crate::config::{WORKSPACE_FILE, expand_workspaces, load_user, load_workspace};
use crate::daemon::issue::{Issue, sentence};
use crate::daemon::lock::{LockError, RunLock};
use crate::daemon::workspace::Workspace;

/// How often, and how far apart, it is looked at the start whether a workspace is free: two seconds, many times what a killed process takes.
const START_LOOKS: u32 = 40;
const START_LOOK: Duration = Duration::from_millis(50);

impl Service {
    /// Takes on everybody who is wanted when the daemon starts. Whoever has a workspace may be dying: that is waited for.
    pub(super) async fn begin(&mut self) -> Result<(), Refusals> {
        let mut refusals = self.look_around();
        let is_held =
            |(_, why): &(PathBuf, anyhow::Error)| matches!(why.downcast_ref(), Some(LockError::Held { .. }));
        for _ in 0..START_LOOKS {
            if !refusals.iter().any(is_held) {
                break;
            }
            tracing::debug!("waiting a moment for another hipocampusd to end");
            sleep(START_LOOK).await;
            refusals = self.look_around();
        }
        if self.runners.is_empty() && !refusals.is_empty() {
            return Err(refusals.into_iter().map(|(_, refusal)| refusal).collect());
        }
        self.say_refusals(refusals);
        self.check_watches();
        Ok(())
    }

    /// Takes on the workspaces that are wanted, and lets go of the others. Answers who was refused.
    pub(super) fn look_around(&mut self) -> Vec<(PathBuf, anyhow::Error)> {
        let wanted = self.wanted();
        for number in self.numbers(|runner| !wanted.contains(&runner.path)) {
            if let Some(runner) = self.dismiss(number) {
                let why = if runner.path.is_dir() {
                    "the configuration does not name it any more"
                } else {
                    "its folder is gone"
                };
                tracing::info!(workspace = %runner.path.display(), "no longer served: {why}");
            }
        }
        self.refused.retain(|folder, _| wanted.contains(folder));
        let mut refusals = Vec::new();
        for folder in wanted {
            if self.runners.values().any(|runner| runner.path == folder) {
                continue;
            }
            match self.take_on(&folder) {
                Ok(()) => {
                    tracing::info!(workspace = %folder.display(), "serving");
                    self.refused.remove(&folder);
                }
                Err(refusal) => {
                    self.refused.entry(folder.clone()).or_default();
                    refusals.push((folder, refusal));
                }
            }
        }
        refusals
    }

    /// Says in the log who was refused, and why, once until it is for another reason.
    pub(super) fn say_refusals(&mut self, refusals: Vec<(PathBuf, anyhow::Error)>) {
        for (folder, refusal) in refusals {
            let sentence = sentence(&*refusal);
            if self.refused.get(&folder) != Some(&sentence) {
                tracing::error!(workspace = %folder.display(), reason = sentence, "a workspace is not served");
                self.refused.insert(folder, sentence);
            }
        }
    }

    /// The numbers of the workspaces that are meant: what is done with one may change which are served.
    pub(super) fn numbers(&self, is_meant: impl Fn(&WorkspaceRunner) -> bool) -> Vec<usize> {
        let meant = self.runners.iter().filter(|(_, runner)| is_meant(runner));
        meant.map(|(number, _)| *number).collect()
    }

    fn wanted(&mut self) -> Vec<PathBuf> {
        if let super::Source::Folders(folders) = &self.start.source {
            let mut seen = HashSet::new();
            let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            let folders = folders.iter().filter(|folder| seen.insert(real(folder)));
            return folders.cloned().collect();
        }
        let home = self.start.home.folder.as_deref();
        let expanded = expand_workspaces(&self.start.user.workspaces, home);
        for pattern in expanded.unanswered {
            let what = "no folder with memory/ in it answers to this yet; it is looked for every minute";
            warn(&mut self.said, &[format!("{pattern}: {what}")]);
        }
        expanded.folders
    }

    fn take_on(&mut self, folder: &Path) -> Result<()> {
        let config = load_workspace(folder, &self.start.user)?;
        let workspace = Workspace::open(folder, true).map_err(|error| {
            let shown = folder.display();
            if error.is_missing() && !folder.join("memory").exists() {
                anyhow!("{shown} has no memory/ folder: run `hipocampusd init` on it, or add --init")
            } else {
                anyhow!(error).context(format!("cannot serve {shown}"))
            }
        })?;
        let lock = RunLock::take(&workspace)?;
        warn(&mut self.said, &config.warnings);
        let number = self.next_number;
        self.next_number += 1;
        self.watcher.add_workspace(number, folder);
        let runner = WorkspaceRunner::new(folder.to_owned(), config, lock, self.start.clock);
        self.runners.insert(number, runner);
        Ok(())
    }

    /// Lets go of a workspace. Work under way ends early and is then forgotten, the lock with it.
    pub(super) fn dismiss(&mut self, number: usize) -> Option<WorkspaceRunner> {
        self.watcher.remove(number);
        let mut runner = self.runners.remove(&number)?;
        runner.stop();
        if runner.is_at_rest() {
            runner.close();
        }
        Some(runner)
    }

    /// Lets go of a workspace whose own folder was removed or replaced, and looks a moment later whether it is still there: who
    /// is removing all of it must not find `.hipocampus/` made again under his hands.
    pub(super) fn take_anew(&mut self, number: usize) {
        if let Some(runner) = self.dismiss(number) {
            tracing::warn!(
                workspace = %runner.path.display(),
                "no longer served: its folder .hipocampus was removed or replaced; it is taken on anew if it is still there"
            );
        }
        let look_at = self.start.clock.monotonic() + RELOAD_AFTER;
        self.reload_at.get_or_insert(look_at);
    }

    /// Reads the user's configuration again, and every workspace's. One that cannot be used changes nothing.
    pub(super) fn reload_user(&mut self) {
        self.reload_at = None;
        match load_user(self.start.config.as_deref(), &self.start.home) {
            Ok(user) if user == self.start.user => {}
            Ok(user) => {
                self.start.user = user;
                tracing::info!("the user's configuration was read again");
            }
            Err(error) => {
                let reason = sentence(&error);
                tracing::error!(reason, "the configuration from before stays in force");
            }
        }
        warn(&mut self.said, &self.start.user.warnings);
        for number in self.numbers(|_| true) {
            self.reload_workspace(number);
        }
        self.look_around_again();
    }

    /// Who is served, and who is watched, as it is now.
    pub(super) fn look_around_again(&mut self) {
        let refusals = self.look_around();
        self.say_refusals(refusals);
        self.check_watches();
    }

    pub(super) fn reload_workspace(&mut self, number: usize) {
        let Some(runner) = self.runners.get_mut(&number) else {
            return;
        };
        match load_workspace(&runner.path, &self.start.user) {
            Ok(config) => {
                warn(&mut self.said, &config.warnings);
                if runner.configure(config) {
                    tracing::info!(workspace = %runner.path.display(), "the configuration was read again");
                }
            }
            Err(error) => {
                let what = format!(
                    "{}; the configuration from before stays in force",
                    sentence(&error)
                );
                runner.tell(Source::Configuration, vec![Issue::error(WORKSPACE_FILE, what)]);
            }
        }
    }
}

/// Says what is not as it should be, each once.
pub(super) fn warn(said: &mut HashSet<String>, what: &[String]) {
    for what in what {
        if said.insert(what.clone()) {
            tracing::warn!("{what}");
        }
    }
}
