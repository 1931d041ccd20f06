//! What `init` did, and how it says so.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::cli::print::count;
use crate::cli::status::subjects;
use crate::cli::target::absolute;
use crate::config::Platform;
use crate::daemon::issue::escaped;
use crate::daemon::program::{self, quoted};
use crate::daemon::root_file;
use crate::daemon::wiring::Removed;
use crate::daemon::workspace::Workspace;
use crate::memory::tokens;

/// What `init` makes beside `memory/` that is about a person, and in a repository is not for others.
const PERSONAL: [&str; 5] = [
    "knowledge/",
    "plans/",
    "SCRATCHPAD.md",
    "WORKING.md",
    "TASK-QUEUE.md",
];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub folder: PathBuf,
    /// The platforms it was prepared for; none when nobody named one and nothing gave it away.
    pub platforms: Vec<Platform>,
    /// What was created, relative to the workspace, in the order of creation; folders end in a slash, and the
    /// workspace itself is `./`. Empty when there was nothing to do.
    pub created: Vec<PathBuf>,
    pub tree: String,
    /// From where to where the tree was moved, if it was.
    pub moved: Option<String>,
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
        if self.created.is_empty() && self.changed.is_empty() && self.moved.is_none() {
            return write!(out, "nothing to do: {folder} is prepared already");
        }
        let names: Vec<&str> = self.platforms.iter().map(|platform| platform.as_str()).collect();
        match names.as_slice() {
            [_, ..] => write!(out, "prepared {folder} for {}:", names.join(", "))?,
            [] => write!(out, "prepared {folder}:")?,
        }
        self.created
            .iter()
            .try_for_each(|path| write!(out, "\n  {}", escaped(&path.display().to_string())))?;
        if let Some(moved) = &self.moved {
            write!(out, "\nmoved the tree from {moved}")?;
        }
        if names.is_empty() {
            write!(
                out,
                "\nno agent is told: nothing in the folder says which program uses it; name it with --platform"
            )?;
        }
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

impl Report {
    /// What to look at, and what to keep out of a repository; lines, or nothing.
    pub fn advice(&self) -> String {
        let mut out = String::new();
        let folder = absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let root_path = format!("{}/{}", self.tree, root_file::NAME);
        let root = folder.join(&root_path);
        let text = Workspace::open(&self.folder, false)
            .and_then(|workspace| root_file::read(&workspace))
            .map_or_else(|_| String::new(), |standing| standing.text);
        if text.contains("\n- ") {
            let (subjects, tokens) = (
                count(subjects(&text), "subject"),
                count(tokens::count(&text), "token"),
            );
            out += &format!("{root_path}: {subjects}, {tokens}: less {}\n", quoted(&root));
        } else if !self.created.is_empty() && self.found.is_empty() {
            out += &format!("what agents write into memory/YYYY-MM-DD.md goes into {root_path}\n");
        }
        let made = self.created.iter().map(|path| path.display().to_string());
        let tree = format!("{}/", self.tree);
        let is_tree = |path: &String| *path == tree && tree != "memory/";
        let is_personal = |path: &String| PERSONAL.contains(&path.as_str()) || is_tree(path);
        let personal: Vec<String> = made.filter(is_personal).collect();
        let is_openclaw = self.platforms.contains(&Platform::OpenClaw);
        if is_openclaw && self.tree == "memory" {
            out.push_str(&format!(
                "OpenClaw's memory_search takes in the tree in memory/, and finds it before the logs; to move it: hipocampusd init {} --tree hipocampus\n",
                quoted(&folder)
            ));
        }
        if !personal.is_empty() && !is_openclaw && folder.join(".git").exists() {
            out.push_str(
                "this is a Git repository; to keep the memory out of it, put into .gitignore:\n  /memory/\n",
            );
            personal
                .iter()
                .for_each(|path| out.push_str(&format!("  /{path}\n")));
        }
        out
    }

    /// What to do where agents, who call the program by its name, do not find it; none where they do.
    pub fn not_on_path(&self) -> Option<String> {
        let environment: Vec<_> = std::env::vars_os().collect();
        if self.changed.is_empty() || program::on_path(program::NAME, &environment).is_some() {
            return None;
        }
        let link = program::link(&program::own(&environment).ok()?);
        Some(format!(
            "{} is not on PATH: hooks call it by its path, but agents call it by its name; {link}",
            program::NAME
        ))
    }
}

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
