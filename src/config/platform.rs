//! Which agent platform a workspace belongs to, from the files that platforms leave in their folders.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// The agent platforms that a workspace can belong to (SPEC section 12, `platform`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// Claude Code: reads `CLAUDE.md`, which imports `memory/ROOT.md`.
    ClaudeCode,
    /// OpenClaw: reads `MEMORY.md`, into which ROOT is synced.
    #[serde(rename = "openclaw")]
    OpenClaw,
    /// OpenCode: reads `MEMORY.md`, into which ROOT is synced.
    #[serde(rename = "opencode")]
    OpenCode,
    /// Codex CLI: reads `AGENTS.md`.
    Codex,
}

/// A name that is no platform's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no platform of that name: write one of claude-code, openclaw, opencode, codex")]
pub struct UnknownPlatform;

impl Platform {
    /// Every platform, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::OpenClaw, Self::OpenCode, Self::Codex];

    /// The name it has in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::OpenClaw => "openclaw",
            Self::OpenCode => "opencode",
            Self::Codex => "codex",
        }
    }

    /// Whether it keeps `MEMORY.md` and `USER.md`, and has ROOT synced into the former (SPEC sections 2 and 9).
    #[must_use]
    pub fn has_memory_file(self) -> bool {
        matches!(self, Self::OpenClaw | Self::OpenCode)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for Platform {
    type Err = UnknownPlatform;

    fn from_str(name: &str) -> Result<Self, UnknownPlatform> {
        Self::ALL
            .into_iter()
            .find(|platform| platform.as_str() == name)
            .ok_or(UnknownPlatform)
    }
}

/// Which of the files and folders that give a platform away stand in a workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// `openclaw.json`
    pub openclaw_json: bool,
    /// `.opencode` or `opencode.json`
    pub opencode: bool,
    /// `.codex`
    pub codex: bool,
    /// `CLAUDE.md` or `.claude`
    pub claude: bool,
    /// `AGENTS.md`
    pub agents_md: bool,
}

/// The platform that the marks speak for.
///
/// A mark that only one platform leaves is asked before one that several read. Hence `openclaw.json`, `.opencode` or
/// `opencode.json` and `.codex` come before `CLAUDE.md` and `.claude`, which OpenCode reads too and which many
/// projects keep beside another platform's folder. `AGENTS.md` is read by nearly all, so it comes last; where it
/// stands alone it is OpenClaw's, whose workspaces need no other mark (their `openclaw.json` is in the folder above).
#[must_use]
pub fn detect(marks: Marks) -> Option<Platform> {
    if marks.openclaw_json {
        Some(Platform::OpenClaw)
    } else if marks.opencode {
        Some(Platform::OpenCode)
    } else if marks.codex {
        Some(Platform::Codex)
    } else if marks.claude {
        Some(Platform::ClaudeCode)
    } else if marks.agents_md {
        Some(Platform::OpenClaw)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_alone_speaks_for_its_platform() {
        let none = Marks::default();
        let table = [
            (
                Marks {
                    openclaw_json: true,
                    ..none
                },
                Platform::OpenClaw,
            ),
            (
                Marks {
                    opencode: true,
                    ..none
                },
                Platform::OpenCode,
            ),
            (Marks { codex: true, ..none }, Platform::Codex),
            (Marks { claude: true, ..none }, Platform::ClaudeCode),
            (
                Marks {
                    agents_md: true,
                    ..none
                },
                Platform::OpenClaw,
            ),
        ];
        for (marks, platform) in table {
            assert_eq!(detect(marks), Some(platform));
        }
        assert_eq!(detect(none), None);
    }

    #[test]
    fn a_mark_of_one_platform_beats_a_mark_that_several_read() {
        let shared = Marks {
            agents_md: true,
            claude: true,
            ..Marks::default()
        };
        assert_eq!(detect(shared), Some(Platform::ClaudeCode));
        assert_eq!(
            detect(Marks {
                codex: true,
                ..shared
            }),
            Some(Platform::Codex)
        );
        assert_eq!(
            detect(Marks {
                opencode: true,
                codex: true,
                ..shared
            }),
            Some(Platform::OpenCode)
        );
        assert_eq!(
            detect(Marks {
                openclaw_json: true,
                opencode: true,
                ..shared
            }),
            Some(Platform::OpenClaw)
        );
    }

    #[test]
    fn a_platform_is_read_by_the_name_it_prints() {
        for platform in Platform::ALL {
            assert_eq!(platform.to_string().parse(), Ok(platform));
            assert_eq!(
                serde_json::from_value::<Platform>(platform.as_str().into()).unwrap(),
                platform
            );
        }
        assert_eq!("Claude Code".parse::<Platform>(), Err(UnknownPlatform));
    }
}
