//! The summarizer programs that are known by name (SPEC section 8): how each reads a prompt from its standard input, how its
//! tools, hooks and session files are turned off where it has a switch for that, and what it needs to see of the environment.
//!
//! Looked up in the help of Claude Code, Codex CLI and opencode as they were in November 2026.

use serde::Deserialize;

use super::SummarizerCommand;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    Claude,
    Codex,
    Opencode,
}

impl Preset {
    /// Makes a summarizer this program: its command, what it needs to see of our environment, where its login and its settings
    /// are, and what it gets from us.
    pub(super) fn fill(self, summarizer: &mut SummarizerCommand) {
        // Two spaces: an argument that is empty.
        let (command, last, sees, variables): (_, _, _, &[_]) = match self {
            // No customizations (hooks, CLAUDE.md, MCP servers, plugins), no tools, nothing left behind.
            Self::Claude => (
                "claude -p --safe-mode --tools  --no-session-persistence --output-format text",
                None,
                "ANTHROPIC_* CLAUDE_* AWS_* GOOGLE_APPLICATION_CREDENTIALS CLOUD_ML_REGION",
                &[("DISABLE_AUTOUPDATER", "1")],
            ),
            Self::Codex => (
                "codex exec --skip-git-repo-check --sandbox read-only --ephemeral --color never \
                 -c features.hooks=false -c features.shell_tool=false -c features.unified_exec=false",
                Some("-"),
                "OPENAI_* CODEX_*",
                &[],
            ),
            Self::Opencode => (
                "opencode run --pure",
                None,
                "OPENCODE_* ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY OPENROUTER_API_KEY",
                &[
                    ("OPENCODE_PERMISSION", r#"{"*":"deny"}"#),
                    ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                    ("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),
                ],
            ),
        };
        let model = summarizer.model.iter().flat_map(|model| ["--model", model]);
        let words = command.split(' ').chain(model).chain(last);
        summarizer.command = words.map(str::to_owned).collect();
        summarizer.environment.extend(sees.split(' ').map(str::to_owned));
        summarizer.variables = variables;
    }
}

#[cfg(test)]
mod tests;
