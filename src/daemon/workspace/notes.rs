//! What this program notes for itself under `.hipocampus/`, as JSON for its user alone.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Contents, FileError, Folder, Workspace};

impl Workspace {
    /// Reads a note. None: there is no such note, or none that could be one. A disk that fails just now is an error: to go on
    /// as if nothing had been noted would lose what cannot be found out again.
    pub fn read_note(&self, name: &str) -> Result<Option<Contents>, FileError> {
        match self.read_if_there(Folder::Own, name) {
            Err(error @ FileError::System { .. }) => Err(error),
            other => Ok(other.ok().flatten()),
        }
    }

    pub fn read_json_note<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, FileError> {
        let contents = self.read_note(name)?;
        Ok(contents.and_then(|contents| serde_json::from_slice(&contents.bytes).ok()))
    }

    /// Reads what can be found out again, or done without; none when it cannot be read.
    pub fn read_json<T: DeserializeOwned>(&self, folder: Folder, name: &str) -> Option<T> {
        serde_json::from_slice(&self.read(folder, name).ok()?.bytes).ok()
    }

    pub fn write_json(&self, folder: Folder, name: &str, value: &impl Serialize) -> Result<(), FileError> {
        self.replace(folder, name, &self.json(folder, name, value)?, 0o600)
    }

    /// The same without waiting for the disk: for what can be found out again.
    pub fn write_json_unsynced(
        &self,
        folder: Folder,
        name: &str,
        value: &impl Serialize,
    ) -> Result<(), FileError> {
        self.replace_unsynced(folder, name, &self.json(folder, name, value)?)
    }

    fn json(&self, folder: Folder, name: &str, value: &impl Serialize) -> Result<Vec<u8>, FileError> {
        serde_json::to_vec_pretty(value)
            .map_err(|error| FileError::system("write", self.file_path(folder, name), error))
    }
}
