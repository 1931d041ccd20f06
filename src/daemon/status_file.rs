//! What the daemon tells `status`, which is another process: `.hipocampus/status.json`.
//!
//! Whether the daemon still runs is said by its lock, never by this file. It is written when something in it changed.

use serde::{Deserialize, Serialize};

use super::issue::Issue;
use super::qmd::QmdResult;
use super::workspace::{Folder, Result, Workspace};

const NAME: &str = "status.json";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatusFile {
    pub last_cycle: Option<LastCycle>,
    pub issues: Vec<Issue>,
    pub qmd: Option<QmdResult>,
    /// Whether changes are noticed at the beat alone, because the folder cannot be watched.
    pub polled: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LastCycle {
    /// ISO 8601, UTC, as all times here.
    pub started_at: String,
    pub finished_at: String,
    pub wrote: usize,
    pub left: usize,
}

impl StatusFile {
    pub fn read(workspace: &Workspace) -> Option<Self> {
        workspace.read_json(Folder::Own, NAME)
    }

    pub fn write(&self, workspace: &Workspace) -> Result<()> {
        workspace.write_json(Folder::Own, NAME, self)
    }
}
