//! The summarizer programs that are known by name (SPEC section 8): how each reads a prompt from its standard input, how its
//! tools, hooks and session files are turned off where it has a switch for that, and what it needs to see of the environment.
//!
//! Looked up in the help of Claude Code, Codex CLI and opencode as they were in November 2026.

use serde::{Deserialize, Serialize};

/// A program known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Claude Code: `claude -p`.
    Claude,
    /// Codex CLI: `codex exec`.
    Codex,
    /// `opencode run`.
    Opencode,
}

impl Preset {
    pub fn command(self, model: Option<&str>) -> Vec<String> {
        // Two spaces: an argument that is empty.
        let words = match self {
            // No customizations (hooks, CLAUDE.md, MCP servers, plugins), no tools, nothing left behind.
            Self::Claude => "claude -p --safe-mode --tools  --no-session-persistence --output-format text",
            Self::Codex => {
                "codex exec --skip-git-repo-check --sandbox read-only --ephemeral --color never \
                 -c features.hooks=false -c features.shell_tool=false -c features.unified_exec=false"
            }
            Self::Opencode => "opencode run --pure",
        };
        let mut command: Vec<String> = words.split(' ').map(str::to_owned).collect();
        if let Some(model) = model {
            command.extend(["--model".to_owned(), model.to_owned()]);
        }
        if self == Self::Codex {
            command.push("-".to_owned());
        }
        command
    }

    /// Which variables of our environment it needs to see: where its login and its settings are.
    pub const fn sees(self) -> &'static str {
        match self {
            Self::Claude => "ANTHROPIC_* CLAUDE_* AWS_* GOOGLE_APPLICATION_CREDENTIALS CLOUD_ML_REGION",
            Self::Codex => "OPENAI_* CODEX_*",
            Self::Opencode => "OPENCODE_* ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY OPENROUTER_API_KEY",
        }
    }

    pub const fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Opencode => &[
                ("OPENCODE_PERMISSION", r#"{"*":"deny"}"#),
                ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),
            ],
            Self::Claude => &[("DISABLE_AUTOUPDATER", "1")],
            Self::Codex => &[],
        }
    }
}

#[cfg(test)]
mod tests;
