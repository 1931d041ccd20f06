//! What `init` did, and how it says so.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::config::{Platform, WORKSPACE_FILE};
use crate::daemon::issue::escaped;
use crate::daemon::wiring::Removed;

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The workspace.
    pub folder: PathBuf,
    /// The platforms it was prepared for; none when nobody named one and nothing gave it away.
    pub platforms: Vec<Platform>,
    /// What was created, relative to the workspace, in the order of creation; folders end in a slash, and the
    /// workspace itself is `./`. Empty when there was nothing to do.
    pub created: Vec<PathBuf>,
    /// The platform's files that were made or changed, relative to the workspace.
    pub changed: Vec<String>,
    /// What somebody else kept here until now, in sentences; said the first time only.
    pub found: Vec<String>,
    /// What has no effect in a configuration file that was there already, and what could not be changed.
    pub warnings: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = escaped(&self.folder.display().to_string());
        if self.created.is_empty() && self.changed.is_empty() {
            return write!(out, "nothing to do: {folder} is prepared already");
        }
        let names: Vec<&str> = self.platforms.iter().map(|platform| platform.as_str()).collect();
        match names.as_slice() {
            [_, ..] => write!(out, "prepared {folder} for {}:", names.join(", "))?,
            [] => write!(
                out,
                "prepared {folder} (no platform found; name it in {WORKSPACE_FILE}):"
            )?,
        }
        self.created
            .iter()
            .try_for_each(|path| write!(out, "\n  {}", escaped(&path.display().to_string())))?;
        if self.changed.iter().any(|path| path == ".codex/hooks.json") {
            write!(
                out,
                "\nCodex runs the hooks in .codex/hooks.json after you have reviewed them once: it asks"
            )?;
        }
        for (head, lines) in [
            ("told the agents of it in:", &self.changed),
            ("found and taken over:", &self.found),
        ] {
            if !lines.is_empty() {
                write!(out, "\n{head}")?;
                lines.iter().try_for_each(|line| write!(out, "\n  {line}"))?;
            }
        }
        Ok(())
    }
}

/// What was taken back, for people.
pub(super) fn removed_text(folder: &Path, removed: &Removed) -> String {
    let mut out = format!("took hipocampusd out of {}", folder.display());
    for (name, paths) in [
        ("brought back", &removed.restored),
        ("removed", &removed.removed),
        ("kept", &removed.kept),
    ] {
        if !paths.is_empty() {
            out.push_str(&format!("\n{name}:"));
            paths.iter().for_each(|path| out.push_str(&format!("\n  {path}")));
        }
    }
    out.push_str("\nWhat somebody wrote stays: raw logs, nodes, and whatever is in knowledge/ and plans/.");
    out
}
