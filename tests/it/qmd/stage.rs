//! A user with a fake qmd, and what a qmd prints.
#![expect(
    clippy::disallowed_methods,
    reason = "writes scripts, workspaces and the lock"
)]

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::PathBuf;

use hipocampusd::config::{Qmd, UserConfig};
use hipocampusd::daemon::child::{Environment, Stop};
use hipocampusd::daemon::qmd::{QmdResult, Settings, reindex_once};
use tempfile::TempDir;

use crate::child::{never, script};

pub(crate) const INDEXED: &str =
    "echo 'Indexed: 1 new, 0 updated, 3 unchanged, 0 removed'; echo '✓ All collections updated.'";
pub(super) const UNCHANGED: &str =
    "echo 'Indexed: 0 new, 0 updated, 4 unchanged, 0 removed'; echo '✓ All collections updated.'";
pub(super) const EMBEDDED: &str = "echo '✓ Done! Embedded 3 chunks from 1 documents in 2s'";

pub(super) fn now() -> String {
    "2026-03-15T12:00:00Z".to_owned()
}

/// A user with a fake qmd, whose verbs are files of shell commands, and with workspaces.
pub(super) struct Stage {
    folder: TempDir,
}

impl Stage {
    pub(super) fn new(update: &str, embed: &str) -> Self {
        let stage = Self { folder: TempDir::new().expect("a temporary folder") };
        fs::create_dir_all(stage.path("bin")).expect("a folder for programs");
        fs::create_dir_all(stage.path("cache")).expect("a cache folder");
        fs::write(stage.path("bin/update"), update).expect("the update is written");
        fs::write(stage.path("bin/version"), "qmd 2.8.3 (0123abc)\n").expect("the version is written");
        fs::write(stage.path("bin/embed"), embed).expect("the embed is written");
        script(
            &stage.path("bin/qmd"),
            "#!/bin/sh\nhere=${0%/*}\n[ $1 = --version ] && { cat \"$here/version\"; exit; }\n\
             echo \"$*\" >> \"$here/calls\"\nenv > \"$here/environment\"\n\
             echo $$ > \"$here/group\"\n. \"$here/$1\"\ncode=$?\necho end >> \"$here/calls\"\nexit $code\n",
        );
        stage.workspace("home");
        stage
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn workspace(&self, name: &str) -> PathBuf {
        let workspace = self.path(name);
        fs::create_dir_all(workspace.join("memory/daily")).expect("a memory folder");
        fs::write(workspace.join("memory/daily/2026-03-15.md"), "# a day\n").expect("a node");
        workspace
    }

    pub(super) fn settings(&self) -> Settings {
        let variables = [
            ("PATH", self.path("bin").display().to_string() + ":/usr/bin:/bin"),
            ("HOME", self.path("home").display().to_string()),
            ("XDG_CACHE_HOME", self.path("cache").display().to_string()),
        ];
        let environment = variables
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .into();
        settings(environment)
    }

    pub(super) async fn reindex_with(&self, settings: &Settings, stop: &mut Stop) -> QmdResult {
        reindex_once(settings, &self.path("home"), now, stop).await
    }

    pub(super) async fn reindex(&self, settings: &Settings) -> QmdResult {
        let (_sender, mut stop) = never();
        self.reindex_with(settings, &mut stop).await
    }

    pub(super) fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.path("bin/calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    pub(super) fn environment(&self) -> String {
        fs::read_to_string(self.path("bin/environment")).expect("the environment was recorded")
    }

    /// Holds the lock that all hipocampusd processes of the user share.
    pub(super) fn hold_the_lock(&self) -> File {
        fs::create_dir_all(self.path("cache/hipocampusd")).expect("a folder for the lock");
        let file = File::create(self.path("cache/hipocampusd/qmd-index.lock")).expect("the lock file");
        file.lock().expect("the lock");
        file
    }
}

/// As configured by default, but for the time limit.
pub(super) fn settings(environment: Environment) -> Settings {
    let user = UserConfig::default();
    Settings {
        qmd: Qmd { timeout_seconds: 60, ..user.qmd },
        search: user.defaults.search,
        environment,
    }
}
