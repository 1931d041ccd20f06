//! What a person may set: `hipocampus.config.json` of a workspace, over the person's own configuration, over
//! the defaults compiled in from `config/default.json` (SPEC section 12), read into typed, checked values.
//!
//! The two files are not trusted alike. A workspace may have been cloned from anywhere, so it can choose among
//! what exists but can name no program; programs, search index and list of workspaces are the person's alone,
//! and the person's file is refused when somebody else could have written it.
//!
//! Read in this order: the types here, `fields` (every field, its range and its meaning), `check` (a file against
//! them), `load` (files in, settings out), `error`, `place` (where in a file a field stands), `workspaces` (`~` and
//! globs), `platform`.

mod check;
mod edit;
mod error;
mod fields;
mod load;
mod place;
mod platform;
mod preset;
mod schema;
mod workspaces;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono_tz::Tz;
use serde::Deserialize;

pub use edit::{EditError, add_workspaces};
pub use error::{ConfigError, Warning, WarningKind};
pub use fields::{FieldRow, field_rows};
pub use load::{Home, WorkspaceConfig, load_user, load_workspace, platforms_in};
pub use platform::{Platform, UnknownPlatform};
pub use preset::Preset;
pub use schema::schema;
pub use workspaces::{Expanded, expand_workspaces};

/// The name of the configuration file in a workspace.
pub const WORKSPACE_FILE: &str = "hipocampus.config.json";

/// The built-in summarizer that costs nothing (SPEC section 8); no program of the person can take its name.
pub const SUMMARIZER_EXTRACTIVE: &str = "extractive";

/// The summarizer that leaves the work to an agent (SPEC section 8); no program can take its name either.
pub const SUMMARIZER_AGENT: &str = "agent";

/// Everything a workspace runs with, every value in its range.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The agents' platform: what a file says, else what the workspace's own files give away, else unknown.
    pub platform: Option<Platform>,
    /// The search index beside the memory.
    pub search: Search,
    /// How raw logs become nodes.
    pub compaction: Compaction,
    /// Earlier versions of raw logs.
    pub vault: Vault,
    /// `extractive`, `agent`, or a key of [`UserConfig::summarizers`].
    pub summarizer: String,
    /// The daemon's rhythm.
    pub daemon: Daemon,
    /// The zone whose calendar says what today is; `None` is the system's.
    #[serde(deserialize_with = "load::timezone")]
    pub timezone: Option<Tz>,
}

/// The fields `search.*` (SPEC section 11).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// Whether qmd is run at all.
    pub enabled: bool,
    /// Whether `qmd embed` follows `qmd update`.
    pub vector: bool,
    /// The embedding model's name for qmd; `auto` sets nothing.
    pub embed_model: String,
}

/// The fields `compaction.*` (SPEC sections 2, 4, 5, 9 and 10).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// ROOT.md never costs more tokens than this.
    pub root_max_tokens: u32,
    /// A cycle is due this many hours after the last one; fractions are allowed, 0 makes one always due.
    pub cooldown_hours: f64,
    /// Whether `YYYY-MM-DD-slug.md` belongs to its date.
    pub session_files: bool,
    /// A daily node is not fixed before this hour of the next day.
    pub grace_hours: u32,
    /// How many summaries a summarizer that costs money may write in a day.
    pub max_summaries_per_day: u32,
    /// Whether a cycle begins by saving WORKING.md in today's raw log.
    pub snapshot_working: bool,
}

/// The fields `vault.*` (SPEC section 15).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vault {
    /// Whether earlier versions of raw logs are kept.
    pub enabled: bool,
    /// How many days a superseded version is kept.
    pub keep_days: u32,
}

/// The fields `daemon.*` (SPEC section 10).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Daemon {
    /// Minutes between two askings whether a cycle is due.
    pub heartbeat_minutes: u32,
    /// Seconds of quiet in a log before a change of it counts.
    pub settle_seconds: u32,
}

/// A summarizer that is a program (SPEC section 8).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SummarizerCommand {
    /// The program that is meant, when it is one that is known by name.
    pub preset: Option<Preset>,
    /// The model that a preset is to use.
    pub model: Option<String>,
    /// The program and its arguments, never a line for a shell; empty where a preset says it.
    pub command: Vec<String>,
    /// Variables of our environment that it may see besides what every child may; a `*` at the end stands for any.
    pub environment: Vec<String>,
    /// How long one call may take.
    pub timeout_seconds: u32,
    /// How many tokens one call is given at most; more goes in parts.
    pub max_input_tokens: u32,
}

impl SummarizerCommand {
    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        match self.preset {
            Some(preset) if self.command.is_empty() => preset.command(self.model.as_deref()),
            _ => self.command.clone(),
        }
    }
}

/// How qmd is run (SPEC section 11).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Qmd {
    /// The program; `None` looks for `qmd` on the PATH.
    pub path: Option<PathBuf>,
    /// The name of the index (`--index`); `None` is qmd's usual one.
    pub index: Option<String>,
    /// How long `qmd update` may take.
    pub timeout_seconds: u32,
}

/// The person's own configuration: what no workspace can set, and their defaults for what one can.
#[derive(Debug, Clone, PartialEq)]
pub struct UserConfig {
    /// The file it was read from; `None` when there is none.
    pub file: Option<PathBuf>,
    /// Folders to look after as they were written, for [`expand_workspaces`].
    pub workspaces: Vec<String>,
    /// Programs that summarize, by the names that `summarizer` may then have.
    pub summarizers: BTreeMap<String, SummarizerCommand>,
    /// How qmd is run.
    pub qmd: Qmd,
    /// What a workspace without a file of its own runs with.
    pub defaults: Settings,
    /// What in the file has no effect, to be said once.
    pub warnings: Vec<Warning>,
    /// The same defaults as JSON, for a workspace's file to be laid over.
    tree: serde_json::Value,
}
