//! The summarizer programs that are known by name (SPEC section 8): how each reads a prompt from its standard input, how its
//! tools, hooks and session files are turned off where it has a switch for that, and what it needs to see of the environment.
//!
//! Looked up in the help of Claude Code, Codex CLI, opencode, Gemini CLI and llm as they were in November 2026, and in the
//! manual of Ollama.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A program known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Claude Code: `claude -p`.
    Claude,
    /// Codex CLI: `codex exec`.
    Codex,
    /// `opencode run`.
    Opencode,
    /// Gemini CLI: `gemini`.
    Gemini,
    /// Simon Willison's `llm`.
    Llm,
    /// `ollama run MODEL`.
    Ollama,
}

impl Preset {
    /// Whether it cannot do without the name of a model.
    pub const fn needs_model(self) -> bool {
        matches!(self, Self::Ollama)
    }

    /// The program and its arguments.
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
            Self::Gemini => "gemini --extensions none --approval-mode plan --skip-trust --output-format text",
            Self::Llm => "llm prompt --no-log --no-stream",
            Self::Ollama => "ollama run --nowordwrap",
        };
        let mut command: Vec<String> = words.split(' ').map(str::to_owned).collect();
        match (self, model) {
            (_, None) => {}
            (Self::Ollama, Some(model)) => command.push(model.to_owned()),
            (_, Some(model)) => command.extend(["--model".to_owned(), model.to_owned()]),
        }
        if self == Self::Codex {
            command.push("-".to_owned());
        }
        command
    }

    /// Which variables of our environment it needs to see: where its login and its settings are.
    pub const fn sees(self) -> &'static [&'static str] {
        match self {
            Self::Claude => &[
                "ANTHROPIC_*",
                "CLAUDE_*",
                "AWS_*",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "CLOUD_ML_REGION",
            ],
            Self::Codex => &["OPENAI_*", "CODEX_*"],
            Self::Opencode => &[
                "OPENCODE_*",
                "ANTHROPIC_API_KEY",
                "OPENAI_API_KEY",
                "GEMINI_API_KEY",
                "OPENROUTER_API_KEY",
            ],
            Self::Gemini => &["GEMINI_*", "GOOGLE_*"],
            Self::Llm => &["LLM_*", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"],
            Self::Ollama => &["OLLAMA_*"],
        }
    }

    /// Variables that are set for it.
    pub const fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Opencode => &[
                ("OPENCODE_PERMISSION", r#"{"*":"deny"}"#),
                ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),
            ],
            Self::Claude => &[("DISABLE_AUTOUPDATER", "1")],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_program_that_reads_its_prompt_from_standard_input() {
        for name in ["claude", "codex", "opencode", "gemini", "llm", "ollama"] {
            let preset: Preset = serde_json::from_value(name.into()).unwrap();
            let command = preset.command(Some("a-model"));
            assert_eq!(command[0], name);
            assert!(command.iter().any(|word| word == "a-model"), "{command:?}");
        }
        assert_eq!(
            Preset::Ollama.command(Some("qwen3:8b")),
            ["ollama", "run", "--nowordwrap", "qwen3:8b"]
        );
        assert_eq!(Preset::Codex.command(None).last().map(String::as_str), Some("-"));
    }

    #[test]
    fn agents_that_have_tools_are_run_without_them() {
        let words = |preset: Preset| preset.command(None).join(" ");
        assert!(words(Preset::Claude).contains("--safe-mode --tools  --no-session"));
        assert!(
            words(Preset::Codex).contains("--sandbox read-only")
                && words(Preset::Codex).contains("hooks=false")
        );
        assert!(words(Preset::Gemini).contains("--extensions none --approval-mode plan"));
        assert!(
            Preset::Opencode
                .variables()
                .iter()
                .any(|(name, value)| *name == "OPENCODE_PERMISSION" && value.contains("deny"))
        );
    }
}
