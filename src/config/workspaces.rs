//! The folders that the person's configuration names: `~` and globs turned into workspaces that exist.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::WORKSPACE_FILE;

const MEMORY: &str = "memory";
/// More matches than this of one glob are not looked at, so that `/**` ends.
const MATCHES_MAX: usize = 10_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Folders with a `memory/` folder in them, each once even where links lead to it twice, sorted.
    pub folders: Vec<PathBuf>,
    /// Patterns that no such folder answers to, as they were written: worth a word to the person.
    pub unanswered: Vec<String>,
}

/// Finds the workspaces behind `workspaces` of the person's configuration (SPEC section 12). A leading dot must be written out, and links
/// to folders are not searched by `**`. A pattern may end in `/memory` too, as `~/hub/tenants/*/memory`. A folder whose own name looks like
/// a glob is taken by its name.
pub fn expand_workspaces(patterns: &[String], home: Option<&Path>) -> Expanded {
    let mut folders = Vec::new();
    let mut unanswered = Vec::new();
    for pattern in patterns {
        let known = folders.len();
        folders.extend(candidates(pattern, home).into_iter().filter_map(workspace_at));
        if folders.len() == known {
            unanswered.push(pattern.clone());
        }
    }
    folders.sort();
    let mut seen = HashSet::new();
    folders.retain(|folder| seen.insert(folder.canonicalize().unwrap_or_else(|_| folder.clone())));
    Expanded { folders, unanswered }
}

/// The workspace that a folder is, or lies in: as git does it, from the folder upward (SPEC section 13). Above the folder itself a
/// `memory/` without a log is not enough, for programs have folders of that name too.
pub fn workspace_around(folder: &Path) -> Option<PathBuf> {
    let is_known = |above: &&Path| {
        let marks = [WORKSPACE_FILE, ".hipocampus", "memory/ROOT.md"];
        let is_marked = || marks.iter().any(|mark| above.join(mark).exists());
        above.join(MEMORY).is_dir() && (is_marked() || has_log(&above.join(MEMORY)))
    };
    if folder.join(MEMORY).is_dir() {
        return Some(folder.to_owned());
    }
    folder.ancestors().skip(1).find(is_known).map(Path::to_owned)
}

fn has_log(memory: &Path) -> bool {
    let folder = glob::Pattern::escape(&memory.to_string_lossy());
    let logs = format!("{folder}/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md");
    glob::glob(&logs).is_ok_and(|mut logs| logs.next().is_some())
}

/// A leading `~` or `~/` turned into the home folder; `None` when there is none to turn it into.
pub(super) fn with_home(text: &str, home: Option<&Path>) -> Option<PathBuf> {
    match text.strip_prefix('~') {
        None => Some(PathBuf::from(text)),
        Some("") => home.map(Path::to_path_buf),
        Some(rest) => home.map(|home| home.join(rest.trim_start_matches('/'))),
    }
}

fn candidates(pattern: &str, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(literal) = with_home(pattern, home) else {
        return Vec::new();
    };
    if literal.is_dir() {
        // Joined anew, so that `~/a/` and `~/a` are written alike.
        return vec![literal.components().collect()];
    }
    let whole = match (pattern.strip_prefix("~/"), home.and_then(Path::to_str)) {
        (None, _) => pattern.to_owned(),
        (Some(rest), Some(home)) => format!("{}/{rest}", glob::Pattern::escape(home.trim_end_matches('/'))),
        (Some(_), None) => return Vec::new(),
    };
    // The crate could leave out dot files itself, but then it panics at a name that is not UTF-8 and finds none for `.x*`.
    let mut options = glob::MatchOptions::new();
    options.require_literal_separator = true;
    let written_out = whole.split('/').filter(|name| name.starts_with('.')).count();
    let is_dot = |part: &Component| part.as_os_str().as_encoded_bytes().starts_with(b".");
    let dot_names = |path: &Path| path.components().filter(is_dot).count();
    let paths = glob::glob_with(&whole, options).into_iter().flatten();
    let paths = paths.take(MATCHES_MAX).flatten();
    paths.filter(|path| dot_names(path) <= written_out).collect()
}

/// The workspace that a path names: itself, or, when it is a `memory/` folder, the folder around it.
fn workspace_at(path: PathBuf) -> Option<PathBuf> {
    if path.join(MEMORY).is_dir() {
        return Some(path);
    }
    let is_memory = path.file_name().is_some_and(|name| name == MEMORY) && path.is_dir();
    path.parent().filter(|_| is_memory).map(Path::to_owned)
}
