//! What a person may set: `hipocampus.config.json` of a workspace, over the person's own configuration, over the defaults (SPEC
//! section 12). The meaning, range and default of each field stand in `config/schema.json`.
//!
//! A workspace may have been cloned from anywhere, so its file can choose among what exists but can name no program; programs, search
//! index and list of workspaces are the person's alone, and the person's file is refused when somebody else could have written it.

mod edit;
mod load;
mod schema;
mod workspaces;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use edit::{add_workspaces, with_tree_folder, write_whole};
pub use load::{ConfigError, Home, WorkspaceConfig, load_user, load_workspace, tree_folder_of};
pub(crate) use schema::check;
pub use schema::schema;
pub use workspaces::{Expanded, expand_workspaces, workspace_around};

use crate::memory::named;

pub const WORKSPACE_FILE: &str = "hipocampus.config.json";

// The built-in summarizer, and the one that leaves the work to an agent (SPEC section 8): no program of the person can take these names.
pub const SUMMARIZER_EXTRACTIVE: &str = "extractive";
pub const SUMMARIZER_AGENT: &str = "agent";

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub platform: Option<Platform>,
    pub search: Search,
    pub compaction: Compaction,
    pub tree: TreeSettings,
    pub vault: Vault,
    pub summarizer: String,
    pub daemon: Daemon,
    pub timezone: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    pub enabled: bool,
    pub vector: bool,
    pub embed_model: String,
    pub before_prompt: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    pub root_max_tokens: u32,
    pub cooldown_hours: f64,
    pub session_files: bool,
    pub grace_hours: u32,
    pub max_summaries_per_day: u32,
    pub snapshot_working: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TreeSettings {
    pub folder: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vault {
    pub enabled: bool,
    pub keep_days: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Daemon {
    pub heartbeat_minutes: u32,
    pub settle_seconds: u32,
}

/// A summarizer that is a program (SPEC section 8). Those that are known by name stand in `config/presets.json`, as the help of Claude
/// Code, Codex CLI and opencode had it in November 2026.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SummarizerCommand {
    pub preset: Option<String>,
    pub model: Option<String>,
    pub command: Vec<String>,
    /// The variables of our environment that it may see besides what every child may; a `*` at the end stands for any.
    pub environment: Vec<String>,
    /// Those that it gets from us, as its preset has them: no field of a configuration.
    pub variables: BTreeMap<String, String>,
    pub timeout_seconds: u32,
    pub max_input_tokens: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Qmd {
    pub path: PathBuf,
    /// Always named to qmd, which takes the nearest `.qmd/` else.
    pub index: String,
    /// The lock on the index is waited for as long.
    pub timeout_seconds: u32,
}

/// The person's own configuration: what no workspace can set, and their defaults for what one can.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct UserConfig {
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// Folders to look after as they were written, for [`expand_workspaces`].
    pub workspaces: Vec<String>,
    pub summarizers: BTreeMap<String, SummarizerCommand>,
    pub qmd: Qmd,
    #[serde(flatten)]
    pub defaults: Settings,
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The file as JSON, for a workspace's file to be laid over.
    #[serde(skip)]
    tree: Value,
}

impl Default for UserConfig {
    fn default() -> Self {
        schema::typed(&Value::Null)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// Claude Code: reads `CLAUDE.md`, which imports `memory/ROOT.md`.
    ClaudeCode,
    /// OpenClaw: reads `MEMORY.md`, into which ROOT is synced.
    #[serde(rename = "openclaw")]
    OpenClaw,
    /// OpenCode: reads `AGENTS.md` and what `instructions` of `opencode.json` name.
    #[serde(rename = "opencode")]
    OpenCode,
    /// Codex CLI: reads `AGENTS.md`.
    Codex,
}

// OpenClaw is the first that is looked for: its `MEMORY.md` is synced.
named!(Platform: OpenClaw = "openclaw", OpenCode = "opencode", Codex = "codex", ClaudeCode = "claude-code");

impl Platform {
    /// The files and folders that it, and it alone, leaves in its folders. `AGENTS.md` is read by nearly all and speaks for none.
    pub fn marks(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["CLAUDE.md", ".claude"],
            Self::OpenClaw => &["SOUL.md", "IDENTITY.md", "openclaw.json", "../openclaw.json"],
            Self::OpenCode => &[".opencode", "opencode.json", "opencode.jsonc"],
            Self::Codex => &[".codex"],
        }
    }

    /// Whether ROOT is synced into `MEMORY.md` (SPEC section 9). OpenCode does not load it, but nothing old may stay in it.
    pub fn has_memory_file(self) -> bool {
        matches!(self, Self::OpenClaw | Self::OpenCode)
    }
}

impl FromStr for Platform {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::parse(name)
            .ok_or("there is no platform of that name: write one of claude-code, openclaw, opencode, codex")
    }
}
