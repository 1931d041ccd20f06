//! What a person may set: `hipocampus.config.json` of a workspace, over the person's own configuration, over
//! the defaults compiled in from `config/default.json` (SPEC section 12), read into typed, checked values.
//!
//! The two files are not trusted alike. A workspace may have been cloned from anywhere, so it can choose among
//! what exists but can name no program; programs, search index and list of workspaces are the person's alone,
//! and the person's file is refused when somebody else could have written it.
//!
//! Read in this order: the types here, `read` (a text into them, with what is wrong and where), `load` (files in, settings
//! out), `error`, `schema`, `workspaces` (`~` and globs), `platform`, `preset`.

mod edit;
mod error;
mod load;
mod platform;
mod preset;
mod read;
mod schema;
mod workspaces;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::memory::tree_folder::TreeFolder;

pub use edit::{add_workspaces, with_tree_folder, write_whole};
pub use error::ConfigError;
pub use load::{Home, WorkspaceConfig, load_user, load_workspace, platforms_in, tree_folder_of};
pub use platform::Platform;
pub use preset::Preset;
pub use schema::{FieldRow, field_rows, schema};
pub use workspaces::{Expanded, expand_workspaces, workspace_around};

pub const WORKSPACE_FILE: &str = "hipocampus.config.json";

/// The built-in summarizer that costs nothing (SPEC section 8); no program of the person can take its name.
pub const SUMMARIZER_EXTRACTIVE: &str = "extractive";

/// The summarizer that leaves the work to an agent (SPEC section 8); no program can take its name either.
pub const SUMMARIZER_AGENT: &str = "agent";

/// Everything a workspace runs with, every value in its range.
// The first comment of each field below is its description in the schema. A range stands twice, for serde and for the schema:
// a test compares the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The agents' platform; `null`: detected from the workspace's files.
    pub platform: Option<Platform>,
    /// The search index beside the memory (SPEC section 11).
    pub search: Search,
    /// How raw logs become nodes (SPEC sections 2, 4, 5, 9 and 10).
    pub compaction: Compaction,
    /// Where the tree lies (SPEC section 2).
    pub tree: TreeSettings,
    /// Earlier versions of raw logs (SPEC section 15).
    pub vault: Vault,
    /// What shortens a text: `extractive`, `agent`, or a name under `summarizers`.
    #[serde(deserialize_with = "read::line")]
    #[schemars(length(min = 1))]
    pub summarizer: String,
    /// The daemon's rhythm (SPEC section 10).
    pub daemon: Daemon,
    /// IANA name of the zone that says what today is; `null`: the system's.
    #[serde(deserialize_with = "read::timezone")]
    pub timezone: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            platform: None,
            search: Search::default(),
            compaction: Compaction::default(),
            tree: TreeSettings::default(),
            vault: Vault::default(),
            summarizer: SUMMARIZER_EXTRACTIVE.to_owned(),
            daemon: Daemon::default(),
            timezone: None,
        }
    }
}

/// The fields `search.*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Search {
    /// Whether qmd is run after a cycle that wrote something.
    pub enabled: bool,
    /// Whether `qmd embed` follows `qmd update`.
    pub vector: bool,
    /// The embedding model for qmd; `auto`: qmd's own. Only the user's own configuration can set it.
    #[serde(deserialize_with = "read::line")]
    #[schemars(length(min = 1))]
    pub embed_model: String,
    /// Whether the hook that runs before each prompt recalls what is remembered about it.
    pub before_prompt: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            enabled: true,
            vector: true,
            embed_model: "auto".to_owned(),
            before_prompt: true,
        }
    }
}

/// The fields `compaction.*`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Compaction {
    /// The most tokens that ROOT.md may cost.
    #[serde(deserialize_with = "read::whole::<_, 200, 100_000>")]
    #[schemars(range(min = 200, max = 100_000))]
    pub root_max_tokens: u32,
    /// Hours from one cycle until the next is due, fractions allowed; 0: always due.
    #[serde(deserialize_with = "read::number::<_, 0, 8760>")]
    #[schemars(range(min = 0, max = 8760), extend("default" = 3))]
    pub cooldown_hours: f64,
    /// Whether `memory/YYYY-MM-DD-slug.md` belongs to its day.
    pub session_files: bool,
    /// Hours of the next day before a daily node is fixed.
    #[serde(deserialize_with = "read::whole::<_, 0, 23>")]
    #[schemars(range(min = 0, max = 23))]
    pub grace_hours: u32,
    /// The most calls a day of a summarizer that costs money; 0: none.
    #[serde(deserialize_with = "read::whole::<_, 0, 10_000>")]
    #[schemars(range(min = 0, max = 10_000))]
    pub max_summaries_per_day: u32,
    /// Whether a cycle first saves WORKING.md in today's raw log.
    pub snapshot_working: bool,
}

impl Default for Compaction {
    fn default() -> Self {
        Self {
            root_max_tokens: 3000,
            cooldown_hours: 3.0,
            session_files: true,
            grace_hours: 4,
            max_summaries_per_day: 24,
            snapshot_working: true,
        }
    }
}

/// The fields `tree.*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TreeSettings {
    /// The folder in which daily/, weekly/, monthly/ and ROOT.md lie; raw logs stay in memory/.
    #[serde(deserialize_with = "read::tree_folder")]
    #[schemars(length(min = 1))]
    pub folder: String,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self {
            folder: TreeFolder::default().as_str().to_owned(),
        }
    }
}

/// The fields `vault.*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Vault {
    /// Whether earlier versions of raw logs are kept.
    pub enabled: bool,
    /// Days for which a superseded version is kept.
    #[serde(deserialize_with = "read::whole::<_, 0, 36_500>")]
    #[schemars(range(min = 0, max = 36_500))]
    pub keep_days: u32,
}

impl Default for Vault {
    fn default() -> Self {
        Self {
            enabled: true,
            keep_days: 90,
        }
    }
}

/// The fields `daemon.*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Daemon {
    /// Minutes between two checks whether a cycle is due.
    #[serde(deserialize_with = "read::whole::<_, 1, 1440>")]
    #[schemars(range(min = 1, max = 1440))]
    pub heartbeat_minutes: u32,
    /// Seconds for which a log must be quiet before its change counts.
    #[serde(deserialize_with = "read::whole::<_, 0, 600>")]
    #[schemars(range(min = 0, max = 600))]
    pub settle_seconds: u32,
}

impl Default for Daemon {
    fn default() -> Self {
        Self {
            heartbeat_minutes: 30,
            settle_seconds: 2,
        }
    }
}

/// What only the user's own configuration can set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
struct UserFields {
    /// Folders to look after, `~` and globs allowed.
    workspaces: Vec<String>,
    /// Programs that summarize, by the names that `summarizer` may then have.
    summarizers: BTreeMap<String, SummarizerCommand>,
    /// How qmd is run (SPEC section 11).
    qmd: Qmd,
}

/// A summarizer that is a program (SPEC section 8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SummarizerCommand {
    /// A program known by name, in place of a command.
    pub preset: Option<Preset>,
    /// The model that the preset is to use; `null`: the program's own choice.
    #[serde(deserialize_with = "read::optional_line")]
    pub model: Option<String>,
    /// Program and arguments, never a line for a shell; the prompt comes on its standard input.
    pub command: Vec<String>,
    /// Variables that the program may see besides the usual ones, as OPENAI_API_KEY or ACME_*.
    pub environment: Vec<String>,
    /// Seconds that one call may take.
    #[serde(deserialize_with = "read::whole::<_, 1, 86_400>")]
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_seconds: u32,
    /// The most tokens that one call is given; more goes in parts.
    #[serde(deserialize_with = "read::whole::<_, 1000, 10_000_000>")]
    #[schemars(range(min = 1000, max = 10_000_000))]
    pub max_input_tokens: u32,
}

impl Default for SummarizerCommand {
    fn default() -> Self {
        Self {
            preset: None,
            model: None,
            command: Vec::new(),
            environment: Vec::new(),
            timeout_seconds: 300,
            max_input_tokens: 100_000,
        }
    }
}

impl SummarizerCommand {
    /// The preset, unless a command stands in its place.
    fn preset_in_use(&self) -> Option<Preset> {
        self.preset.filter(|_| self.command.is_empty())
    }

    pub fn words(&self) -> Vec<String> {
        self.preset_in_use().map_or_else(
            || self.command.clone(),
            |preset| preset.command(self.model.as_deref()),
        )
    }

    /// Which of our environment's variables it may see besides what every child may; a `*` at the end stands for any.
    pub fn sees(&self) -> Vec<&str> {
        let own = self.environment.iter().map(String::as_str);
        let preset = self.preset_in_use().map_or("", Preset::sees);
        own.chain(preset.split_whitespace()).collect()
    }

    /// Those that it gets from us.
    pub fn variables(&self) -> &'static [(&'static str, &'static str)] {
        self.preset_in_use().map_or(&[], Preset::variables)
    }
}

/// How qmd is run (SPEC section 11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Qmd {
    /// The program; `null`: `qmd` on the PATH.
    pub path: Option<PathBuf>,
    /// Name of the index (`--index`); `null`: qmd's usual one.
    #[serde(deserialize_with = "read::optional_line")]
    pub index: Option<String>,
    /// Seconds that `qmd update` may take.
    #[serde(deserialize_with = "read::whole::<_, 1, 86_400>")]
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_seconds: u32,
}

impl Default for Qmd {
    fn default() -> Self {
        Self {
            path: None,
            index: None,
            timeout_seconds: 300,
        }
    }
}

/// The person's own configuration: what no workspace can set, and their defaults for what one can.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserConfig {
    pub file: Option<PathBuf>,
    /// Folders to look after as they were written, for [`expand_workspaces`].
    pub workspaces: Vec<String>,
    pub summarizers: BTreeMap<String, SummarizerCommand>,
    pub qmd: Qmd,
    pub defaults: Settings,
    pub warnings: Vec<String>,
    /// The file as JSON, for a workspace's file to be laid over.
    tree: serde_json::Value,
}
