//! The changes that this program makes to configurations, by the command that was told to: workspaces are added to a person's own, and
//! a workspace's says where the tree lies. Everything else in the file, its order and its layout, stays as it is.
#![expect(clippy::disallowed_methods, reason = "no workspace is open here")]

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

/// Adds absolute folders to `workspaces` of the person's configuration in `file`, which is made readable by nobody else if missing.
pub fn add_workspaces(file: &Path, folders: &[PathBuf]) -> Result<()> {
    let failed = || format!("cannot change {}", file.display());
    let before = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "{}\n".to_owned(),
        other => other.with_context(failed)?,
    };
    let text = with_workspaces(file, &before, folders)?;
    if let Some(folder) = file.parent() {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(failed)?;
    }
    let mode = fs::metadata(file).map_or(0o600, |old| old.permissions().mode());
    write_whole(file, &text, mode).with_context(failed)
}

fn with_workspaces(file: &Path, text: &str, folders: &[PathBuf]) -> Result<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok();
    let object = root.as_ref().and_then(CstRootNode::object_value_or_create);
    let list = object.and_then(|object| object.array_value_or_create("workspaces"));
    let (Some(root), Some(list)) = (&root, list) else {
        bail!("{} is no JSON object with a list of workspaces", file.display());
    };
    for folder in folders {
        let shown = folder.display();
        let nameless = || format!("the name of {shown} cannot be written into a configuration");
        let name = folder.to_str().with_context(nameless)?;
        // A folder whose own name looks like a glob is taken by its name.
        list.append(CstInputValue::from(name));
    }
    Ok(root.to_string())
}

/// A workspace's configuration with the folder of its tree in it, and everything else as it is; none when it is no JSON object.
pub fn with_tree_folder(text: &str, folder: &str) -> Option<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    let tree = root.object_value()?.object_value_or_create("tree")?;
    let value = CstInputValue::from(folder);
    match tree.get("folder") {
        Some(property) => property.set_value(value),
        None => {
            tree.append("folder", value);
        }
    }
    Some(root.to_string())
}

/// Writes a file of the person's whole, with these permissions, whatever stood there before.
pub fn write_whole(file: &Path, text: &str, mode: u32) -> io::Result<()> {
    let name = file.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let temporary = file.with_file_name(format!(".{}.hipocampusd-new", name.display()));
    // Made anew: what somebody else put there before could be read by them later.
    let _ = fs::remove_file(&temporary);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let written = options.open(&temporary).and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        new.set_permissions(fs::Permissions::from_mode(mode))?;
        new.sync_all()?;
        fs::rename(&temporary, file)
    });
    if written.is_err() {
        // What is left of it is of no use; the first error is the one worth telling.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests;
