//! Which agent platforms a workspace belongs to, from the files that platforms leave in their folders.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::memory::named;

/// The agent platforms that a workspace can belong to (SPEC section 12, `platform`).
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

    /// Whether ROOT is synced into a `MEMORY.md` that is there (SPEC section 9). OpenCode does not load it by itself, but where earlier
    /// versions put ROOT into it nothing old may stay.
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

/// The platforms whose marks stand in a folder, as `is_there` says.
pub(super) fn detect(is_there: impl Fn(&str) -> bool) -> Vec<Platform> {
    let is_one = |platform: &Platform| platform.marks().iter().any(|mark| is_there(mark));
    Platform::ALL.into_iter().filter(is_one).collect()
}

#[cfg(test)]
mod tests;
