//! Hot files, each replaced whole, and started over from its new content when somebody else writes it at the same moment.

use super::workspace::{Contents, Expected, FileError, Folder, Workspace};
use crate::memory::hot::TaskError;

/// How often a file that others keep changing is tried again.
const TRIES: usize = 5;

#[derive(Debug, thiserror::Error)]
pub enum HotFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0} is not UTF-8: save it as UTF-8 first")]
    NotUtf8(String),
    /// What was asked for does not fit what stands in it.
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// Reads a file; empty when there is none.
pub fn read(workspace: &Workspace, folder: Folder, name: &str) -> Result<String, HotFileError> {
    let contents = workspace.read_if_there(folder, name)?;
    contents.map_or_else(|| Ok(String::new()), |contents| utf8(contents, name))
}

fn utf8(contents: Contents, name: &str) -> Result<String, HotFileError> {
    String::from_utf8(contents.bytes).map_err(|_| HotFileError::NotUtf8(name.to_owned()))
}

/// Changes a file: `change` is given its text, or `template` when it is missing, and answers the new one, or none to leave
/// it. Says whether it was written.
pub fn edit(
    workspace: &Workspace,
    folder: Folder,
    name: &str,
    template: &str,
    mut change: impl FnMut(&str) -> Result<Option<String>, TaskError>,
) -> Result<bool, HotFileError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let _turn = workspace.turn(folder);
        let (text, expected) = match workspace.read_if_there(folder, name)? {
            Some(contents) => {
                let expected = Expected::Same(contents.stamp);
                (utf8(contents, name)?, expected)
            }
            None => (template.to_owned(), Expected::Absent),
        };
        let Some(new) = change(&text)?.filter(|new| *new != text || expected == Expected::Absent) else {
            return Ok(false);
        };
        match workspace.replace_expected(folder, name, new.as_bytes(), 0o600, expected) {
            Ok(()) => return Ok(true),
            Err(FileError::Raced(_)) if tries < TRIES => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes the workspace")]
mod tests {
    use super::*;

    #[test]
    fn edits_at_the_same_moment_are_all_made() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let lines: Vec<String> = (0..8).map(|number| format!("line {number}\n")).collect();
        std::thread::scope(|scope| {
            for line in &lines {
                let path = folder.path();
                scope.spawn(move || {
                    let workspace = Workspace::open(path, false).unwrap();
                    let add = |text: &str| Ok(Some(format!("{text}{line}")));
                    edit(&workspace, Folder::Workspace, "WORKING.md", "", add).unwrap();
                });
            }
        });
        let text = std::fs::read_to_string(folder.path().join("WORKING.md")).unwrap();
        let mut written: Vec<&str> = text.split_inclusive('\n').collect();
        written.sort_unstable();
        assert_eq!(written, lines);
    }

    #[test]
    fn a_folder_that_somebody_else_has_locked_stops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let theirs = std::fs::File::open(folder.path()).unwrap();
        theirs.lock().unwrap();
        let workspace = Workspace::open(folder.path(), false).unwrap();
        let add = |_: &str| Ok(Some("- a task\n".to_owned()));
        assert!(edit(&workspace, Folder::Workspace, "WORKING.md", "", add).unwrap());
        let text = std::fs::read_to_string(folder.path().join("WORKING.md")).unwrap();
        assert_eq!(text, "- a task\n");
    }
}
