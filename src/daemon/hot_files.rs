//! Hot files, each replaced whole, and started over from its new content when somebody else writes it at the same moment.

use anyhow::{Error, Result, anyhow};

use super::workspace::{Folder, Workspace};

pub fn read(workspace: &Workspace, folder: Folder, name: &str) -> Result<String> {
    let contents = workspace.read_if_there(folder, name)?;
    contents.map_or_else(|| Ok(String::new()), |contents| utf8(contents.bytes, name))
}

fn utf8(bytes: Vec<u8>, name: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| anyhow!("{name} is not UTF-8: save it as UTF-8 first"))
}

/// Changes a file, of which `template` stands for a missing one. Says whether it was written.
pub fn edit(
    workspace: &Workspace,
    folder: Folder,
    name: &str,
    template: &str,
    mut change: impl FnMut(&str) -> Result<Option<String>, String>,
) -> Result<bool> {
    workspace.edit(folder, name, 0o600, |bytes| {
        let text = bytes.map(|bytes| utf8(bytes, name)).transpose()?;
        let new = change(text.as_deref().unwrap_or(template)).map_err(Error::msg)?;
        Ok(new.filter(|new| text.as_ref() != Some(new)))
    })
}

#[cfg(test)]
mod tests;
