//! Hot files, each replaced whole, and started over from its new content when somebody else writes it at the same moment.

use super::workspace::{Batch, Expected, FileError, Folder, Workspace};
use crate::memory::hot::TaskError;

/// How often a file that others keep changing is tried again.
const TRIES: usize = 5;

/// Why a hot file is not changed.
#[derive(Debug, thiserror::Error)]
pub enum HotFileError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no text.
    #[error("{0} is not UTF-8: save it as UTF-8 first")]
    NotUtf8(String),
    /// What was asked for does not fit what stands in it.
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// Reads a file; empty when there is none.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub fn read(workspace: &Workspace, folder: Folder, name: &str) -> Result<String, HotFileError> {
    match workspace.read_if_there(folder, name)? {
        Some(contents) => {
            Ok(String::from_utf8(contents.bytes).map_err(|_| HotFileError::NotUtf8(name.to_owned()))?)
        }
        None => Ok(String::new()),
    }
}

/// Changes a file: `change` is given its text, or `template` when it is missing, and answers the new one, or none to leave
/// it. Says whether it was written.
///
/// # Errors
/// It cannot be read or written, is not UTF-8, or `change` refuses; the file is as it was.
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
        let (text, expected) = match workspace.read_if_there(folder, name)? {
            Some(contents) => {
                let text =
                    String::from_utf8(contents.bytes).map_err(|_| HotFileError::NotUtf8(name.to_owned()))?;
                (text, Expected::Same(contents.stamp))
            }
            None => (template.to_owned(), Expected::Absent),
        };
        let Some(new) = change(&text)?.filter(|new| *new != text || expected == Expected::Absent) else {
            return Ok(false);
        };
        let mut batch = Batch::new(workspace);
        batch.stage(folder, name, new.as_bytes(), 0o600, expected)?;
        match batch.commit().into_iter().next() {
            None => return Ok(true),
            Some((_, _, FileError::Raced(_))) if tries < TRIES => {}
            Some((_, _, error)) => return Err(error.into()),
        }
    }
}
