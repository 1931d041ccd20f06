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
    #[error(transparent)]
    Task(#[from] TaskError),
}

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
mod tests;
